"""Every interaction is answered once and in time, whatever fails. Tests are named after the symptoms in Discord."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from discord import app_commands
from structlog.testing import capture_logs

from bot.play.refusals import Stale
from bot.sandbox import Delay, Duplicate, Hangup, Refuse, RequestFault, Reset, ResponseKind, ServerError
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus, MatchSummary
from cogs.features.tables import NO_MATCHES
from cogs.kit import answers
from cogs.kit.actions import Action
from cogs.kit.admission import MOST_FOR_ONE
from cogs.kit.answers import DEFER_AFTER
from cogs.text.refusals import BROKEN, COMMANDS_CHANGED, text
from cogs.text.showdown import NO_DEAL
from tests.cogs.scenes import TO_DISCARD, Scene, at_table, buttons, clubhouse, without_commitments
from tests.helpers.cases import nightly_after
from tests.helpers.components import actions_of, find_button, moves_shown
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.waiting import eventually

_CALLBACK = "POST /interactions/*/callback"
_ORIGINAL = "PATCH /webhooks/*/messages/@original"
_FOLLOW_UP = "POST /webhooks/*"
STALE = text(Stale(cast(Any, None)), PersonId(0))
"""The reply to a click on an outdated message."""


def _hang(scene: Scene, monkeypatch: pytest.MonkeyPatch, hanging: asyncio.Event) -> None:
    """Block everything that loads a match summary until the event is set."""
    real = scene.alive.app.lookup.summary

    async def summary(match_id: MatchId) -> MatchSummary:
        await hanging.wait()
        return await real(match_id)

    monkeypatch.setattr(scene.alive.app.lookup, "summary", summary)


@pytest.mark.thorough
async def test_the_application_did_not_respond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a handler hangs, its command and its click are deferred in time and get their text later.

    The text also arrives if the connection breaks during the first attempt to send it, seconds after the deferral.
    """
    assert DEFER_AFTER < 2
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.05)
    async with at_table(tmp_path) as scene:
        hanging = asyncio.Event()
        _hang(scene, monkeypatch, hanging)
        asked = await scene.north.slash("gin score", scene.channel)
        pressed = await scene.south.press(scene.table, str(find_button(scene.table, Action.SHOW_SCORE)))
        for deed, kind in ((asked, ResponseKind.DEFERRED_MESSAGE), (pressed, ResponseKind.DEFERRED_UPDATE)):
            await deed.answer()
            assert deed.response is not None
            assert deed.response.kind is kind
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

    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.press(scene.north, await scene.turn(scene.north), Action.TAKE)
        monkeypatch.setattr(scene.alive.app.lookup, "summary", broken)
        monkeypatch.setattr(scene.alive.app.turns, "move", broken)
        with capture_logs() as logged:
            answers = [
                await scene.use(scene.north, "gin score", scene.channel),
                await scene.press(scene.north, scene.table, Action.SHOW_SCORE),
                await scene.press(scene.north, await scene.turn(scene.north), Action.DISCARD, "Qh"),
            ]
        codes = [str(line["code"]) for line in logged if line["event"] == "an interaction failed"]
        assert len(codes) == 3
        for answer, code in zip(answers, codes, strict=True):
            assert BROKEN in answer.text
            assert code in answer.text
            assert answer.messages[-1].only_for == scene.north.id


@pytest.mark.thorough
async def test_unknown_interaction(tmp_path: Path) -> None:
    """After 10062 (too late) the move stands, no answer is sent twice, and all messages show the move."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await scene.turn(scene.north)
        late = scene.sandbox.faults.requests(Refuse(10062), on=_CALLBACK)
        with capture_logs() as logged:
            await scene.north.press(hand, str(find_button(hand, Action.TAKE)))
            await scene.sandbox.until(lambda: moves_shown(scene.table) == 1)
        assert late.hits == 1
        assert [line["event"] for line in logged] == ["too late to answer"]
        assert actions_of((await scene.use(scene.north, "gin hand", scene.channel)).message) >= TO_DISCARD


@pytest.mark.thorough
@pytest.mark.parametrize("fault", nightly_after(1, [Reset(applied=True), Reset(), ServerError(500, applied=True)]))
async def test_an_answer_whose_confirmation_is_lost(tmp_path: Path, fault: RequestFault) -> None:
    """After a broken connection, or an error for an answer that arrived (40060), there is one move and one answer."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await scene.turn(scene.north)
        scene.sandbox.faults.requests(fault, on=_CALLBACK)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.sandbox.until(lambda: actions_of(hand) >= TO_DISCARD)
        await scene.quiet()
        if not isinstance(fault, ServerError):
            scene.sandbox.faults.requests(fault, on=_CALLBACK, times=2)
            asked = await scene.use(scene.north, "gin hand", scene.channel)
            assert actions_of(asked.message) >= TO_DISCARD
            assert len(asked.messages) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("applied", nightly_after(1, [False, True]))
async def test_a_connection_that_hangs_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, applied: bool
) -> None:
    """If Discord does not respond to two answers, they are sent again, and the person can continue."""
    monkeypatch.setattr(answers, "FIRST_TIMEOUT", 0.2)
    async with clubhouse(tmp_path) as scene:
        hanging = scene.sandbox.faults.requests(Delay(600, applied=applied), on=_CALLBACK, times=MOST_FOR_ONE)
        asked = [await scene.north.slash("gin help", scene.channel) for _ in range(MOST_FOR_ONE)]
        await scene.sandbox.until(lambda: hanging.hits == MOST_FOR_ONE)
        monkeypatch.setattr(answers, "FIRST_TIMEOUT", 60)
        await eventually(lambda: scene.alive.client.idle)
        assert [len(one.messages) for one in asked] == [1, 1]
        assert await scene.ask(scene.north, "games") == NO_MATCHES
        scene.sandbox.world.clock.advance(600)


@pytest.mark.thorough
async def test_the_same_event_twice(tmp_path: Path) -> None:
    """An interaction that Discord delivers twice makes one move or challenge, and the first answer stays visible."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE) as scene:
        scene.sandbox.faults.events(Duplicate())
        invitation = await scene.invite(scene.north, scene.south)
        scene.sandbox.faults.events(Duplicate())
        accepted = await scene.press(scene.south, invitation, Action.ACCEPT)
        await scene.quiet()
        assert scene.error(accepted) is None
        assert len(accepted.messages) == 1
        assert len(without_commitments(scene.posts)) == 2
        assert len(scene.posts) == 3
        hand = await scene.turn(scene.north)
        scene.sandbox.faults.events(Duplicate())
        pressed = await scene.press(scene.north, hand, Action.PASS)
        await scene.quiet()
        assert moves_shown(scene.table) == moves_shown(hand) == 1
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        assert STALE not in hand.text
        assert pressed.messages == [hand]
        scene.sandbox.faults.events(Duplicate())
        asked = await scene.use(scene.south, "gin take", scene.channel)
        await scene.quiet()
        assert "2♦" in asked.text
        assert STALE not in asked.text
        assert len(asked.messages) == 1


@pytest.mark.thorough
async def test_clicks_at_the_same_time(tmp_path: Path) -> None:
    """After a double click and a click by the opponent, one move counts and every click shows the current hand."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north, south = await scene.turn(scene.north), await scene.hand(scene.south)
        clicks = [
            await scene.north.press(north, str(find_button(north, Action.PASS))),
            await scene.north.press(north, str(find_button(north, Action.PASS))),
            await scene.south.press(south, str(find_button(south, Action.REFRESH_HAND))),
            await scene.north.press(north, str(find_button(north, Action.TAKE))),
        ]
        for click in clicks:
            await click.done()
            assert not click.failed
        await scene.quiet()
        assert moves_shown(scene.table) == 1
        assert buttons(north) == [Action.REFRESH_HAND, Action.GAMES]


async def test_a_command_that_is_gone(tmp_path: Path) -> None:
    """If Discord still shows a command or option that the bot removed, the answer says that commands have changed."""
    async with clubhouse(tmp_path) as scene:
        gin = scene.alive.client.tree.get_command("gin")
        assert isinstance(gin, app_commands.Group)
        gin.remove_command("score")
        assert await scene.ask(scene.north, "score") == COMMANDS_CHANGED
