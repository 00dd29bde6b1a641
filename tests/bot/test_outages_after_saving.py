"""Database failures just after an action was saved: the action counts, its user is informed, and no bug is logged."""

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
from cogs.actions import Action
from cogs.delivery.refusals import SAVED_BEFORE_OUTAGE
from tests.bot.test_locked_tables import LOCK_TIMEOUT, lock_tables
from tests.cogs.scenes import Scene, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.components import has_button
from tests.helpers.databases import url_of
from tests.helpers.living import start_match
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

READ_TABLES: Final = ("match", "challenge", "person", "guild", "house_rule", "outbox_message")
"""The tables that the bot reads most."""
PerformAction: TypeAlias = Callable[[], Awaitable[Interaction]]
"""A function that performs a user's action and returns the answered interaction."""


@pytest.fixture(autouse=True)
def short_lock_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the bot a short lock timeout."""
    monkeypatch.setitem(engines.SESSION_SETTINGS, "lock_timeout", LOCK_TIMEOUT)


@asynccontextmanager
async def failing_after(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, service: str, method: str
) -> AsyncGenerator[None]:
    """Lock the most used tables as soon as a service method has saved its change, until the end of the block."""
    database, service_object = scene.bot.database, getattr(scene.bot.app, service)
    real, lock = getattr(service_object, method), lock_tables(*READ_TABLES)
    with monkeypatch.context() as patch, capture_logs() as lines:
        async with AsyncExitStack() as stack:

            async def save_and_fail(*args: Any, **kwargs: Any) -> Any:
                saved = await real(*args, **kwargs)
                await stack.enter_async_context(lock(url_of(database)))
                return saved

            patch.setattr(service_object, method, save_and_fail)
            yield
            await eventually(lambda: database.health.trouble is not None)
    assert "an interaction failed" not in {line["event"] for line in lines}
    assert "database unavailable" in {line["event"] for line in lines}


async def test_a_saved_move_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the database fails right after a move was saved, the player still sees their new hand."""
    async with open_match_scene(tmp_path) as scene:
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        async with failing_after(scene, monkeypatch, "turns", "move"):
            await scene.press(scene.north, hand, Action.PASS)
            assert not has_button(hand, Action.PASS)
        await scene.wait_for_turn(scene.south)


@dataclass(frozen=True, slots=True)
class SavingAction:
    """A user's action that saves a change through a service method and then reads the database for its answer."""

    service: str
    method: str
    prepare: Callable[[Scene], Awaitable[PerformAction]]


def command_only(person: str, command: str, **options: object) -> Callable[[Scene], Awaitable[PerformAction]]:
    """Return a `prepare` function for an action that consists of one command and needs no preparation."""

    async def prepare(scene: Scene) -> PerformAction:
        return partial(scene.use, getattr(scene, person), command, scene.channel, **options)

    return prepare


async def prepare_accept(scene: Scene) -> PerformAction:
    """Create a challenge, and return the action of accepting it."""
    invitation = await scene.invite(scene.north, scene.south)
    return partial(scene.press, scene.south, invitation, Action.ACCEPT)


async def prepare_draft_change(scene: Scene) -> PerformAction:
    """Create a draft of a challenge, and return the action of changing its clock."""
    draft = await scene.use(scene.north, "gin challenge", scene.channel, options=True)
    return partial(scene.choose, scene.north, draft.message, Action.DRAFT_CLOCK, "2d")


async def prepare_lobby_start(scene: Scene) -> PerformAction:
    """Create a challenge that two others join, and return the action of starting its match."""
    await scene.use(scene.north, "gin challenge", scene.channel, rules="rotation")
    lobby = await scene.wait_for_post(Action.ACCEPT)
    for person in (scene.south, scene.east):
        await scene.press(person, lobby, Action.ACCEPT)
    return partial(scene.use, scene.north, "gin lobby start", scene.channel)


async def end_match(scene: Scene) -> Message:
    """End a match, and return the message about its end."""
    await start_match(scene.bot)
    await scene.wait_for_turn(scene.north)
    confirmation = await scene.use(scene.north, "gin resign", scene.channel)
    await scene.press(scene.north, confirmation.message, Action.RESIGN)
    return await scene.wait_for_post(Action.REMATCH)


async def prepare_rematch_offer(scene: Scene) -> PerformAction:
    """End a match, and return the action of offering a rematch."""
    return partial(scene.press, scene.north, await end_match(scene), Action.REMATCH)


async def prepare_rematch_agreement(scene: Scene) -> PerformAction:
    """Offer a rematch, and return the action of agreeing to it."""
    await scene.press(scene.north, await end_match(scene), Action.REMATCH)
    await scene.wait_until_idle()
    return partial(scene.press, scene.south, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)


async def prepare_rematch_withdrawal(scene: Scene) -> PerformAction:
    """Offer a rematch, and return the action of withdrawing the offer."""
    offer = (await scene.press(scene.north, await end_match(scene), Action.REMATCH)).message
    return partial(scene.press, scene.north, offer, Action.WITHDRAW_REMATCH)


async def prepare_preference_change(scene: Scene) -> PerformAction:
    """Open the preferences, and return the action of changing one of them."""
    panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
    return partial(scene.change_setting, scene.north, panel, Action.PREFER_HAND, "yes")


async def prepare_settings_change(scene: Scene) -> PerformAction:
    """Return the action of changing the server's time zone."""
    return partial(scene.use, scene.north, "gin-admin time_zone", scene.channel, zone="Europe/Berlin")


SAVING_ACTIONS: Final = (
    SavingAction("challenges", "accept", prepare_accept),
    SavingAction("endings", "rematch", prepare_rematch_offer),
    SavingAction("people", "change_preferences", prepare_preference_change),
    SavingAction("challenges", "issue", command_only("north", "gin challenge")),
    SavingAction("challenges", "issue", command_only("north", "gin challenge", options=True)),
    SavingAction("practice", "start", command_only("north", "gin practice start")),
    SavingAction("drafts", "use_clock", prepare_draft_change),
    SavingAction("lobbies", "start", prepare_lobby_start),
    SavingAction("endings", "rematch", prepare_rematch_agreement),
    SavingAction("endings", "withdraw_rematch", prepare_rematch_withdrawal),
    SavingAction("guilds", "change_settings", prepare_settings_change),
)


@pytest.mark.parametrize(
    "saving",
    nightly_after(1, SAVING_ACTIONS),
    ids=[f"{action.method}-{index}" for index, action in enumerate(SAVING_ACTIONS)],
)
async def test_answers_after_saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saving: SavingAction) -> None:
    """If the database fails right after an action was saved, the answer says that the action was saved."""
    async with open_scene(tmp_path) as scene:
        use = await saving.prepare(scene)
        await scene.wait_until_idle()
        async with failing_after(scene, monkeypatch, saving.service, saving.method):
            text = (await use()).text
            assert SAVED_BEFORE_OUTAGE in text, text
