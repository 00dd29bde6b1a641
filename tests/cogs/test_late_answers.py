"""Late or repeated answers, and answers for a message that has changed: in the end, people see the newest state."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.cards.cards import Card, Rank, Suit
from bot.engine.deals.moves import discard
from bot.model.discord_codes import Code
from bot.model.ids import MatchId
from bot.model.people import Push
from bot.play.outbox.changes import CLICK_ANSWER_DELAY
from bot.play.outbox.outbox import REPOST_INTERVAL
from bot.sandbox import (
    MEMBER_DEFAULTS,
    Delay,
    Expire,
    Message,
    Refuse,
    RequestFault,
    Reupload,
    ServerError,
)
from cogs.actions import Action
from cogs.delivery.refusals import OUTCOME_NOT_SHOWN, refused_answer
from cogs.kit import answers
from tests.cogs.scenes import DISCARD_ACTIONS, Scene, buttons, hands, open_match_scene, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import actions_of, moves_shown
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import interaction, prefer
from tests.helpers.worlds import stopped_world

_CALLBACK = "POST /interactions/*/callback"
_ORIGINAL = "PATCH /webhooks/*/messages/@original"


async def _panel(scene: Scene) -> Message:
    """Return North's hand in the direct messages, or else the private one in the channel."""
    if scene.north.user.open_dms:
        return await scene.wait_for_turn(scene.north)
    return (await scene.use(scene.north, "gin hand", scene.channel)).message


@pytest.mark.thorough
async def test_a_late_answer_is_replaced_by_an_edit(tmp_path: Path) -> None:
    """If Discord refuses the answer to a move (10062), the move counts, and an edit soon updates the hand."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        hand = await scene.wait_for_turn(scene.north)
        scene.sandbox.faults.requests(Expire(), on=_CALLBACK)
        pressed = await scene.press(scene.north, hand, Action.TAKE)
        await scene.wait_until_idle()
        assert pressed.failed
        assert moves_shown(scene.table) == 1
        await scene.advance(clock, CLICK_ANSWER_DELAY)
        await scene.wait_until_idle()
        assert actions_of(hand) >= DISCARD_ACTIONS


@pytest.mark.thorough
async def test_nothing_is_sent_after_a_late_deferral(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord refuses a deferral as too late, the bot does not send the answer with its expired token."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        monkeypatch.setattr(answers, "DEFER_AFTER", 0)
        hand = await scene.wait_for_turn(scene.north)
        scene.sandbox.faults.requests(Expire(), on=_CALLBACK)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals == {10062: 1}
        await scene.advance(clock, CLICK_ANSWER_DELAY)
        await scene.wait_until_idle()
        assert actions_of(hand) >= DISCARD_ACTIONS


@pytest.mark.nightly
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_retried_answer_does_not_replace_a_newer_hand(tmp_path: Path, by_dm: bool) -> None:
    """If an answer arrived although Discord said 500, its retry is refused (40060), and a newer hand stays."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=by_dm) as scene:
        hand = await _panel(scene)
        scene.sandbox.faults.requests(ServerError(500, applied=True), on=_CALLBACK)
        first = await scene.north.press(hand, "Take 2♦")
        await first.answer()
        await scene.press(scene.north, hand, Action.DISCARD, "Qh")
        await scene.sandbox.until(lambda: scene.sandbox.journal.refusals[40060])
        await scene.wait_until_idle()
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]


@pytest.mark.nightly
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_slow_answer_does_not_replace_a_newer_one(tmp_path: Path, by_dm: bool) -> None:
    """If the answer to a click is slow and a later click shows a newer state, the newer state stays."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=by_dm, world=stopped_world()) as scene:
        hand = await _panel(scene)
        slow = scene.sandbox.faults.requests(Delay(2), on=_CALLBACK)
        first = await scene.north.press(hand, "Take 2♦")
        await scene.sandbox.until(lambda: slow.hits)
        queen = discard(Card.of(Rank.QUEEN, Suit.HEARTS))
        await scene.bot.app.turns.move(person_of(scene.north).id, MatchId(1), queen, interaction())
        await scene.sandbox.until(lambda: moves_shown(scene.table) == 2)
        second = await scene.north.press(hand, "Take 2♦")
        await second.answer()
        scene.sandbox.world.clock.advance(2)
        await scene.wait_until_idle()
        assert not first.failed
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]


@pytest.mark.thorough
async def test_a_slow_edit_does_not_replace_a_newer_answer(tmp_path: Path) -> None:
    """If an edit by the courier is slow and a click is answered before it arrives, the hand ends up current."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, world=stopped_world()) as scene:
        await prefer(scene.bot.app, person_of(scene.north), push=Push.NONE)
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.PASS)
        await scene.wait_until_idle()
        hand = await scene.wait_for_hand(scene.north)
        slow = scene.sandbox.faults.requests(Delay(2), on=f"PATCH /channels/{scene.north.dm.id}/messages/*")
        await scene.ask(scene.south, "take")
        await scene.sandbox.until(lambda: slow.hits)
        await scene.ask(scene.south, "discard", card="Th")
        await scene.press(scene.north, hand, Action.REFRESH_HAND)
        assert Action.DRAW in buttons(hand)
        scene.sandbox.world.clock.advance(2)
        await scene.wait_until_idle()
        assert Action.DRAW in buttons(hand)


@pytest.mark.thorough
@pytest.mark.parametrize("defer_after", nightly_after(1, [60, 0]))
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_replaced_picture_is_uploaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_dm: bool, defer_after: float
) -> None:
    """If an answer keeps a file that the message has lost, Discord refuses it (50035); the retry uploads all files."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=by_dm) as scene:
        await scene.press(scene.north, await _panel(scene), Action.PASS)
        await scene.wait_until_idle()
        hand = await scene.wait_for_hand(scene.north) if by_dm else await _panel(scene)
        monkeypatch.setattr(answers, "DEFER_AFTER", defer_after)
        reupload = scene.sandbox.faults.requests(Reupload(), on=_CALLBACK if defer_after else _ORIGINAL)
        before = hand.attachments[0]
        refreshed = await scene.press(scene.north, hand, Action.REFRESH_HAND)
        await scene.wait_until_idle()
        assert reupload.hits == 1
        assert scene.sandbox.journal.refusals[50035] == 1
        assert refreshed.messages == [hand]
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        assert hand.attachments[0].content == before.content
        assert hand.images


@pytest.mark.thorough
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_refused_answer_says_that_the_move_counts(tmp_path: Path, by_dm: bool) -> None:
    """If the answer to a saved move is refused, the reply says that the move counts and does not ask to try again."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=by_dm, clock=clock) as scene:
        hand = await _panel(scene)
        scene.sandbox.faults.requests(Refuse(Code.NO_ACCESS), on=_CALLBACK)
        pressed = await scene.press(scene.north, hand, Action.TAKE)
        assert pressed.text.startswith(OUTCOME_NOT_SHOWN if by_dm else refused_answer(Code.NO_ACCESS, saved=True))
        assert pressed.messages[-1].only_for == scene.north.id
        await scene.advance(clock, CLICK_ANSWER_DELAY)
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
        if by_dm:
            assert actions_of(hand) >= DISCARD_ACTIONS


@pytest.mark.thorough
@pytest.mark.parametrize("fault", [Delay(1), Refuse(50278)])
async def test_a_hand_refused_during_a_kick_is_sent_later(tmp_path: Path, fault: RequestFault) -> None:
    """Error 50278 (no shared server) during a kick does not mark direct messages as closed: the hand comes later."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, world=stopped_world(), clock=clock) as scene:
        under_way = scene.sandbox.faults.requests(fault, on=f"POST /channels/{scene.south.dm.id}/messages")
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.PASS)
        await scene.sandbox.until(lambda: under_way.hits)
        guild = next(iter(scene.sandbox.world.guilds.values()))
        scene.sandbox.moderation.remove_bot(guild)
        await scene.advance(clock, timedelta(seconds=1))
        await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals[50278] == 1
        await scene.advance(clock, timedelta(minutes=10))
        await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals[50278] == 1
        scene.sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        await scene.wait_for_turn(scene.south)
        await scene.wait_until_idle()
        assert len(hands(scene.south)) == 1
        assert scene.south.pushes[-1] is hands(scene.south)[-1]


@pytest.mark.thorough
async def test_a_deleted_table_is_reposted_once_a_minute(tmp_path: Path) -> None:
    """A deleted table is reposted at its next edit, but not again within a minute."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, world=stopped_world(), clock=clock) as scene:
        slow = scene.sandbox.faults.requests(Delay(30), on=f"PATCH /channels/{scene.north.dm.id}/messages/*")
        scene.sandbox.moderation.delete_message(scene.table)
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: scene.tables)
        assert moves_shown(scene.table) == 1
        await scene.sandbox.until(lambda: slow.hits)
        scene.sandbox.world.clock.advance(30)
        await scene.wait_until_idle()
        scene.sandbox.moderation.delete_message(scene.table)
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.advance(clock, REPOST_INTERVAL - timedelta(seconds=1))
        await scene.wait_until_idle()
        assert not scene.tables
        await scene.advance(clock, timedelta(seconds=1))
        await scene.wait_until_idle()
        (table,) = scene.tables
        assert moves_shown(table) == 2
