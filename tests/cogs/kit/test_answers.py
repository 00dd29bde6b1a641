"""Every interaction is answered once and in time, whatever fails. Tests are named after the symptoms in Discord."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from discord import app_commands
from structlog.testing import capture_logs

from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus, MatchSummary
from bot.play.refusals import Stale
from bot.sandbox import Delay, Duplicate, Hangup, Refuse, RequestFault, Reset, ResponseKind, ServerError
from cogs.actions import Action
from cogs.delivery.refusals import COMMANDS_CHANGED, FAULT
from cogs.kit import answers
from cogs.kit.admission import MAX_ANSWERS_PER_PERSON
from cogs.kit.answers import DEFER_AFTER
from cogs.refusals import text
from cogs.showdowns.showdown_text import NO_DEAL
from cogs.tables.tables import NO_MATCHES
from tests.cogs.scenes import (
    DISCARD_ACTIONS,
    Scene,
    buttons,
    open_match_scene,
    open_scene,
    shows_hand,
    without_commitments,
)
from tests.helpers.cases import nightly_after
from tests.helpers.components import actions_of, find_button, moves_shown
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.waiting import eventually

_CALLBACK = "POST /interactions/*/callback"
_ORIGINAL = "PATCH /webhooks/*/messages/@original"
_FOLLOW_UP = "POST /webhooks/*"
STALE_TEXT = text(Stale(cast(Any, None)), PersonId(0))
"""The reply to a click on an outdated message."""


def _block_summaries(scene: Scene, monkeypatch: pytest.MonkeyPatch, hanging: asyncio.Event) -> None:
    """Block everything that loads a match summary until the returned event is set."""
    real = scene.bot.app.lookup.summary

    async def summary(match_id: MatchId) -> MatchSummary:
        await hanging.wait()
        return await real(match_id)

    monkeypatch.setattr(scene.bot.app.lookup, "summary", summary)


@pytest.mark.thorough
async def test_the_application_did_not_respond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a handler hangs, the response to a command or click is deferred in time, and the answer is sent later.

    The answer also arrives if the connection breaks during the first attempt to send it.
    """
    assert DEFER_AFTER < 2
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.05)
    async with open_match_scene(tmp_path) as scene:
        hanging = asyncio.Event()
        _block_summaries(scene, monkeypatch, hanging)
        asked = await scene.north.slash("gin-stats score", scene.channel)
        pressed = await scene.south.press(scene.table, str(find_button(scene.table, Action.SHOW_SCORE)))
        for interaction, kind in ((asked, ResponseKind.DEFERRED_MESSAGE), (pressed, ResponseKind.DEFERRED_UPDATE)):
            await interaction.answer()
            assert interaction.response is not None
            assert interaction.response.kind is kind
        assert asked.message.loading
        scene.sandbox.world.clock.advance(10)
        assert asked.message.loading
        scene.sandbox.faults.requests(Reset(), on=_ORIGINAL)
        scene.sandbox.faults.requests(Hangup(), on=_FOLLOW_UP)
        hanging.set()
        await scene.sandbox.until(lambda: not asked.message.loading and pressed.followups)
        score = NO_DEAL[MatchStatus.RUNNING]
        assert score in asked.text
        assert score in pressed.followups[0].text
        assert pressed.followups[0].only_for == scene.south.id


@pytest.mark.thorough
async def test_something_went_wrong_on_our_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a handler fails, the person gets a private reply with a code, and the log has the error with that code."""

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.TAKE)
        monkeypatch.setattr(scene.bot.app.lookup, "summary", broken)
        monkeypatch.setattr(scene.bot.app.turns, "move", broken)
        with capture_logs() as logged:
            answers = [
                await scene.use(scene.north, "gin-stats score", scene.channel),
                await scene.press(scene.north, scene.table, Action.SHOW_SCORE),
                await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.DISCARD, "Qh"),
            ]
        codes = [str(line["code"]) for line in logged if line["event"] == "an interaction failed"]
        assert len(codes) == 3
        for answer, code in zip(answers, codes, strict=True):
            assert FAULT in answer.text
            assert code in answer.text
            assert answer.messages[-1].only_for == scene.north.id


@pytest.mark.thorough
async def test_unknown_interaction_keeps_the_move(tmp_path: Path) -> None:
    """If Discord refuses the answer as too late (10062), it is not sent again, but the move counts and is shown."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await scene.wait_for_turn(scene.north)
        late = scene.sandbox.faults.requests(Refuse(10062), on=_CALLBACK)
        with capture_logs() as logged:
            await scene.north.press(hand, str(find_button(hand, Action.TAKE)))
            await scene.sandbox.until(lambda: moves_shown(scene.table) == 1)
        assert late.hits == 1
        assert [line["event"] for line in logged] == ["too late to answer"]
        assert actions_of((await scene.use(scene.north, "gin hand", scene.channel)).message) >= DISCARD_ACTIONS


@pytest.mark.thorough
@pytest.mark.parametrize("fault", nightly_after(1, [Reset(applied=True), Reset(), ServerError(500, applied=True)]))
async def test_a_lost_confirmation_repeats_nothing(tmp_path: Path, fault: RequestFault) -> None:
    """If the confirmation of an answer is lost, or Discord wrongly reports an error, nothing happens twice."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await scene.wait_for_turn(scene.north)
        scene.sandbox.faults.requests(fault, on=_CALLBACK)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.sandbox.until(lambda: actions_of(hand) >= DISCARD_ACTIONS)
        await scene.wait_until_idle()
        if not isinstance(fault, ServerError):
            scene.sandbox.faults.requests(fault, on=_CALLBACK, times=2)
            asked = await scene.use(scene.north, "gin hand", scene.channel)
            assert actions_of(asked.message) >= DISCARD_ACTIONS
            assert len(asked.messages) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("applied", nightly_after(1, [False, True]))
async def test_a_hanging_answer_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, applied: bool
) -> None:
    """If Discord does not respond when the bot sends answers, the bot sends them again, and the person can continue."""
    monkeypatch.setattr(answers, "FIRST_RESPONSE_TIMEOUT", 0.2)
    async with open_scene(tmp_path) as scene:
        hanging = scene.sandbox.faults.requests(Delay(600, applied=applied), on=_CALLBACK, times=MAX_ANSWERS_PER_PERSON)
        asked = [await scene.north.slash("gin help", scene.channel) for _ in range(MAX_ANSWERS_PER_PERSON)]
        await scene.sandbox.until(lambda: hanging.hits == MAX_ANSWERS_PER_PERSON)
        monkeypatch.setattr(answers, "FIRST_RESPONSE_TIMEOUT", 60)
        await eventually(lambda: scene.bot.client.is_idle)
        assert [len(interaction.messages) for interaction in asked] == [1, 1]
        assert await scene.ask(scene.north, "games") == NO_MATCHES
        scene.sandbox.world.clock.advance(600)


@pytest.mark.thorough
async def test_a_duplicate_event_acts_once(tmp_path: Path) -> None:
    """An interaction that Discord delivers twice makes one move or challenge, and its first answer stays visible."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        scene.sandbox.faults.events(Duplicate())
        invitation = await scene.invite(scene.north, scene.south)
        scene.sandbox.faults.events(Duplicate())
        accepted = await scene.press(scene.south, invitation, Action.ACCEPT)
        await scene.wait_until_idle()
        assert scene.error(accepted) is None
        assert len(accepted.messages) == 1
        assert len(without_commitments(scene.posts)) == 2
        assert len(scene.posts) == 3
        hand = await scene.wait_for_turn(scene.north)
        scene.sandbox.faults.events(Duplicate())
        pressed = await scene.press(scene.north, hand, Action.PASS)
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == moves_shown(hand) == 1
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        assert STALE_TEXT not in hand.text
        assert pressed.messages == [hand]
        scene.sandbox.faults.events(Duplicate())
        asked = await scene.use(scene.south, "gin take", scene.channel)
        await scene.wait_until_idle()
        assert shows_hand(asked.message)
        assert Action.DISCARD in actions_of(asked.message)
        assert STALE_TEXT not in asked.text
        assert len(asked.messages) == 1
        assert moves_shown(scene.table) == 2


@pytest.mark.thorough
async def test_simultaneous_clicks_make_one_move(tmp_path: Path) -> None:
    """Of simultaneous clicks by both players, only one makes a move, and each is answered with the current hand."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north, south = await scene.wait_for_turn(scene.north), await scene.wait_for_hand(scene.south)
        clicks = [
            await scene.north.press(north, str(find_button(north, Action.PASS))),
            await scene.north.press(north, str(find_button(north, Action.PASS))),
            await scene.south.press(south, str(find_button(south, Action.REFRESH_HAND))),
            await scene.north.press(north, str(find_button(north, Action.TAKE))),
        ]
        for click in clicks:
            await click.done()
            assert not click.failed
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
        assert buttons(north) == [Action.REFRESH_HAND, Action.GAMES]


async def test_a_removed_command_says_so(tmp_path: Path) -> None:
    """If Discord still shows a command or option that the bot removed, the answer says that commands have changed."""
    async with open_scene(tmp_path) as scene:
        gin = scene.bot.client.tree.get_command("gin")
        assert isinstance(gin, app_commands.Group)
        gin.remove_command("table")
        assert await scene.ask(scene.north, "table") == COMMANDS_CHANGED
