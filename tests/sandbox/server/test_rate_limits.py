"""The global rate limit. `test_faults.py` tests the limits of single routes."""

import time
from types import SimpleNamespace

import aiohttp
import pytest

from bot.sandbox import Channel, Person, Sandbox
from bot.sandbox.server import rate_limits
from bot.sandbox.server.rate_limits import RateLimits
from tests.sandbox.bots import TestBot, text_channel


async def test_the_global_limit(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """A request beyond the global limit gets a 429 that is marked as global. Interaction endpoints are exempt."""
    sandbox.rate_limits.per_second = 0
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as session, session.get(f"{sandbox.api}/users/@me") as response:
        assert response.status == 429
        assert response.headers["X-RateLimit-Global"] == "true"
        assert response.headers["X-RateLimit-Scope"] == "global"
        assert response.headers["Retry-After"] in ("1", "2")
        assert "X-RateLimit-Bucket" not in response.headers
        answer = await response.json()
        assert answer["global"] is True
        assert 0 < answer["retry_after"] <= 1
    slow = await (await north.slash("demo slow", general)).answer()
    await sandbox.idle()
    assert slow.text == "thought\nand more"
    assert sandbox.journal.statuses[429] == 1
    assert client.is_ready()


@pytest.mark.thorough
async def test_the_client_waits(
    sandbox: Sandbox, client: TestBot, general: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client repeats a request that the global limit refused."""
    # Stop the clock of the rate limits, so that even on a slow machine a request is refused before the window ends.
    now = time.monotonic() + 10
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: now, time=time.time))
    spend = RateLimits.spend_globally

    def spend_until_refused(limits: RateLimits) -> float | None:
        wait = spend(limits)
        if wait is None:
            return None
        limits.per_second = None
        return 0.01

    monkeypatch.setattr(RateLimits, "spend_globally", spend_until_refused)
    sandbox.rate_limits.per_second = 3
    for text in "abcd":
        await text_channel(client, general).send(text)
    assert [message.text for message in general.messages.values()] == list("abcd")
    assert sandbox.journal.statuses[429] == 1


def test_a_request_beyond_the_global_limit_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request beyond the limit must wait until the one-second window ends. The first request starts the window."""
    limits = RateLimits(per_second=2)
    waits: list[float | None] = []
    for now in (0.0, 0.75, 1.25, 1.5, 1.625, 3.0):
        monkeypatch.setattr("time.monotonic", lambda now=now: now)
        waits.append(limits.spend_globally())
    assert waits == [None, None, None, None, 0.625, None]
