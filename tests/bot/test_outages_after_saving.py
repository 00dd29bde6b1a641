"""A database that fails right after something was saved: that counts, people are told, and nothing is a fault."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import pytest
from structlog.testing import capture_logs

from bot.sandbox import Interaction
from bot.store.postgres import PostgresDatabase, engines
from cogs.text.refusals import SAVED_BEFORE_OUTAGE
from tests.bot.test_locked_tables import PATIENCE, connected
from tests.cogs.scenes import Scene, at_table, clubhouse
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot wait for locks only briefly."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", PATIENCE)


@asynccontextmanager
async def failing_after(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, service: str, method: str
) -> AsyncGenerator[None]:
    """Lock what the bot reads most as soon as a method has saved something, until the end of the block."""
    database = cast(PostgresDatabase, scene.alive.database)
    url = database._address.render_as_string(hide_password=False)  # pyright: ignore[reportPrivateUsage]
    host, one = await connected(url), getattr(scene.alive.app, service)
    real, transaction = getattr(one, method), host.transaction()

    async def save_and_fail(*args: Any, **kwargs: Any) -> Any:
        saved = await real(*args, **kwargs)
        await transaction.start()
        await host.execute("LOCK TABLE match, challenge, person, outbox_message IN ACCESS EXCLUSIVE MODE")
        return saved

    try:
        with monkeypatch.context() as patch, capture_logs() as lines:
            patch.setattr(one, method, save_and_fail)
            yield
            await eventually(lambda: database.health.trouble is not None)
            await transaction.rollback()
    finally:
        await host.close()
    assert "an interaction failed" not in {line["event"] for line in lines}
    assert "the database has trouble" in {line["event"] for line in lines}


async def test_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is answered with the hand as usual: only a note for the courier is missing, which shows the hand again."""
    async with at_table(tmp_path) as scene:
        hand = await scene.turn(scene.north)
        await scene.quiet()
        async with failing_after(scene, monkeypatch, "turns", "move"):
            assert "Waiting for" in (await scene.press(scene.north, hand, "Pass")).text
        await scene.turn(scene.south)


async def accept(scene: Scene) -> Interaction:
    """Accept the invitation in the channel."""
    return await scene.press(scene.south, await scene.post("Accept"), "Accept")


SAVING: Final[dict[tuple[str, str], Callable[[Scene], Awaitable[Interaction]]]] = {
    ("challenges", "issue"): lambda scene: scene.use(scene.north, "gin challenge", scene.channel),
    ("challenges", "accept"): accept,
    ("practice", "start"): lambda scene: scene.use(scene.north, "gin practice start", scene.channel),
}


@pytest.mark.parametrize(("saving", "use"), SAVING.items(), ids=[".".join(one) for one in SAVING])
async def test_what_has_to_be_read_for_the_answer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    saving: tuple[str, str],
    use: Callable[[Scene], Awaitable[Interaction]],
) -> None:
    """The answer says that it counts, and never that it did not."""
    async with clubhouse(tmp_path) as scene:
        if use is accept:
            await scene.invite(scene.north, scene.south)
        await scene.quiet()
        async with failing_after(scene, monkeypatch, *saving):
            assert SAVED_BEFORE_OUTAGE in (await use(scene)).text
        if use is not accept and saving[0] == "challenges":
            await scene.post("Accept")
        else:
            await scene.turn(scene.north)
