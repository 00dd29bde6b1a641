"""Database failures just after something was saved: it counts, users are informed, and nothing is logged as a bug."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from structlog.testing import capture_logs

from bot.sandbox import Interaction, Message
from bot.store.postgres import engines
from cogs.kit.actions import Action
from cogs.text.refusals import SAVED_BEFORE_OUTAGE
from tests.bot.test_locked_tables import PATIENCE, locked
from tests.cogs.scenes import Scene, at_table, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.components import has_button
from tests.helpers.databases import url_of
from tests.helpers.living import start_match
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

READ: Final = ("match", "challenge", "person", "guild", "house_rule", "outbox_message")
"""The tables that the bot reads most."""
Use: TypeAlias = Callable[[], Awaitable[Interaction]]
"""An action of a user. Returns the answered interaction."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the bot a short lock timeout."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", PATIENCE)


@asynccontextmanager
async def failing_after(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, service: str, method: str
) -> AsyncGenerator[None]:
    """Lock the most used tables right after a method has saved something, until the end of the block."""
    database, one = scene.alive.database, getattr(scene.alive.app, service)
    real, lock = getattr(one, method), locked(*READ)
    with monkeypatch.context() as patch, capture_logs() as lines:
        async with AsyncExitStack() as stack:

            async def save_and_fail(*args: Any, **kwargs: Any) -> Any:
                saved = await real(*args, **kwargs)
                await stack.enter_async_context(lock(url_of(database)))
                return saved

            patch.setattr(one, method, save_and_fail)
            yield
            await eventually(lambda: database.health.trouble is not None)
    assert "an interaction failed" not in {line["event"] for line in lines}
    assert "the database has trouble" in {line["event"] for line in lines}


async def test_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move is answered with the hand as usual. Only the courier's note to show the hand is missing."""
    async with at_table(tmp_path) as scene:
        hand = await scene.turn(scene.north)
        await scene.quiet()
        async with failing_after(scene, monkeypatch, "turns", "move"):
            await scene.press(scene.north, hand, Action.PASS)
            assert not has_button(hand, Action.PASS)
        await scene.turn(scene.south)


@dataclass(frozen=True, slots=True)
class Saving:
    """An action that saves something through a service method and must read more to answer."""

    service: str
    method: str
    prepare: Callable[[Scene], Awaitable[Use]]


def at_once(person: str, command: str, **options: object) -> Callable[[Scene], Awaitable[Use]]:
    """Return a function that prepares a command, without other preparation."""

    async def prepare(scene: Scene) -> Use:
        return partial(scene.use, getattr(scene, person), command, scene.channel, **options)

    return prepare


async def invited(scene: Scene) -> Use:
    """Prepare accepting a challenge."""
    invitation = await scene.invite(scene.north, scene.south)
    return partial(scene.press, scene.south, invitation, Action.ACCEPT)


async def drafted(scene: Scene) -> Use:
    """Prepare changing the clock of a draft."""
    draft = await scene.use(scene.north, "gin challenge", scene.channel, options=True)
    return partial(scene.choose, scene.north, draft.message, Action.DRAFT_CLOCK, "2d")


async def joined(scene: Scene) -> Use:
    """Prepare starting the match of a challenge that others have joined."""
    await scene.use(scene.north, "gin challenge", scene.channel, rules="rotation")
    lobby = await scene.post(Action.ACCEPT)
    for person in (scene.south, scene.east):
        await scene.press(person, lobby, Action.ACCEPT)
    return partial(scene.use, scene.north, "gin lobby start", scene.channel)


async def ended(scene: Scene) -> Message:
    """End a match, and return the message about its end."""
    await start_match(scene.alive)
    await scene.turn(scene.north)
    confirmation = await scene.use(scene.north, "gin resign", scene.channel)
    await scene.press(scene.north, confirmation.message, Action.RESIGN)
    return await scene.post(Action.REMATCH)


async def over(scene: Scene) -> Use:
    """Prepare offering a rematch."""
    return partial(scene.press, scene.north, await ended(scene), Action.REMATCH)


async def offered(scene: Scene) -> Use:
    """Prepare agreeing to a rematch."""
    end = await ended(scene)
    await scene.press(scene.north, end, Action.REMATCH)
    return partial(scene.press, scene.south, end, Action.REMATCH)


async def taken_back(scene: Scene) -> Use:
    """Prepare withdrawing an offer of a rematch."""
    offer = (await scene.press(scene.north, await ended(scene), Action.REMATCH)).message
    return partial(scene.press, scene.north, offer, Action.WITHDRAW_REMATCH)


async def preferring(scene: Scene) -> Use:
    """Prepare changing a preference."""
    panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
    return partial(scene.change, scene.north, panel, Action.PREFER_HAND, "yes")


async def managing(scene: Scene) -> Use:
    """Prepare changing the server's time zone."""
    return partial(scene.use, scene.north, "gin-admin time_zone", scene.channel, zone="Europe/Berlin")


SAVING: Final = (
    Saving("challenges", "accept", invited),
    Saving("endings", "rematch", over),
    Saving("people", "change_preferences", preferring),
    Saving("challenges", "issue", at_once("north", "gin challenge")),
    Saving("challenges", "issue", at_once("north", "gin challenge", options=True)),
    Saving("practice", "start", at_once("north", "gin practice start")),
    Saving("drafts", "use_clock", drafted),
    Saving("lobbies", "start", joined),
    Saving("endings", "rematch", offered),
    Saving("endings", "withdraw_rematch", taken_back),
    Saving("guilds", "change_settings", managing),
)


@pytest.mark.parametrize(
    "saving", nightly_after(1, SAVING), ids=[f"{one.method}-{index}" for index, one in enumerate(SAVING)]
)
async def test_what_has_to_be_read_for_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saving: Saving
) -> None:
    """The answer says that the action was saved, if nothing else can be shown."""
    async with clubhouse(tmp_path) as scene:
        use = await saving.prepare(scene)
        await scene.quiet()
        async with failing_after(scene, monkeypatch, saving.service, saving.method):
            text = (await use()).text
            assert SAVED_BEFORE_OUTAGE in text, text
