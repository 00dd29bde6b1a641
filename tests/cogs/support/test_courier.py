"""The courier delivers each message once and in the right place, and refusals by Discord cost little."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.moves import Seat, Verb
from bot.play.loading.share import uptime
from bot.sandbox import Delay, Message, Person, RateLimited, Refuse, Reset, ServerError
from bot.values.ids import MatchId, PersonId
from bot.values.people import Push
from cogs.kit.actions import Action
from cogs.panels.settings import DMS_CLOSED
from cogs.support.courier import Courier
from cogs.text.hand import proposals
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, hands, latest, person_of, without_commitments
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import moves_shown, shows_later_deal
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import interaction, prefer
from tests.helpers.waiting import eventually

_SENDS = "POST /channels/*/messages"
_EDITS = "PATCH /channels/*/messages/*"


def _calls(scene: Scene, person: Person) -> list[Message]:
    return [post for post in scene.posts if person.id in post.mentions and Action.SHOW_HAND in buttons(post)]


async def _north_plays(scene: Scene) -> None:
    """Have North take the upcard and discard, so that it is South's turn."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "discard", card="Qh")


async def _try_again(scene: Scene, clock: Clock) -> None:
    """Retry failed deliveries several times, longer apart than Discord remembers nonces."""
    for _ in range(4):
        await scene.quiet()
        clock.pass_by(timedelta(minutes=10))
        scene.alive.app.outbox.notify()


@pytest.mark.thorough
async def test_a_turn_is_pushed_once_by_direct_message(tmp_path: Path) -> None:
    """Each turn sends one notification, whatever its number of steps; the hand stays a single, most recent message."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north, south = scene.north, scene.south
        assert len(north.pushes) == 1
        before = len(south.pushes)
        await _north_plays(scene)
        await scene.turn(south)
        await scene.quiet()
        assert len(south.pushes) == before + 1
        assert south.pushes[-1] is hands(south)[-1]
        await scene.ask(south, "draw")
        await scene.ask(south, "discard", card="10h")
        await scene.turn(north)
        await scene.quiet()
        assert len(north.pushes) == 2
        assert len(south.pushes) == before + 1
        assert len(hands(north)) == len(hands(south)) == 1
        assert not _calls(scene, north) + _calls(scene, south)


async def test_a_hand_that_is_not_to_act_notifies_nobody(tmp_path: Path) -> None:
    """The hand of the waiting player is sent silently."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        assert hands(scene.south)
        assert [message for message in scene.south.pushes if message.channel is scene.south.dm] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("code", "tries"), nightly_after(1, [(50007, 1), (20009, 2)]))
async def test_closed_direct_messages_are_remembered_and_cost_nothing(tmp_path: Path, code: int, tries: int) -> None:
    """After the first refusal the player is pinged in the channel instead, and the ping is deleted after the turn.

    If a filter refused the hand, it is retried once without its picture.
    """
    async with clubhouse(tmp_path, KNOCK_AT_ONCE) as scene:
        to_south = f"POST /channels/{scene.south.dm.id}/messages"
        refused = scene.sandbox.faults.requests(Refuse(code), on=to_south, times=tries)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.ACCEPT)
        await scene.turn(scene.north)
        await scene.sandbox.until(lambda: refused.hits)
        await _north_plays(scene)
        await scene.sandbox.until(lambda: _calls(scene, scene.south))
        (call,) = _calls(scene, scene.south)
        assert scene.south.pushes[-1] is call
        assert Action.SHOW_HAND in buttons(call)
        panel = await scene.press(scene.south, call, Action.SHOW_HAND)
        await scene.press(scene.south, panel.message, Action.DRAW)
        await scene.press(scene.south, panel.message, Action.DISCARD, "Th")
        await scene.sandbox.until(lambda: call.deleted)
        assert scene.south.direct_messages() == []
        assert scene.sandbox.journal.refusals[code] == tries
        told = await scene.use(scene.south, "gin me preferences", scene.channel)
        assert not (await scene.alive.app.people.settings(PersonId(scene.south.id))).dm_works
        assert DMS_CLOSED in told.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("push", "by_dm", "in_channel"), nightly_after(1, [("both", 1, 1), ("channel", 0, 1), ("none", 0, 0)])
)
async def test_each_player_chooses_how_a_turn_is_told(tmp_path: Path, push: str, by_dm: int, in_channel: int) -> None:
    """Turns are announced in the channel, in both ways, or not at all; the hand is current in any case."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, Action.PREFER_PUSH, push)
        await scene.quiet()
        before = len(scene.south.pushes)
        await _north_plays(scene)
        await scene.turn(scene.south)
        await scene.sandbox.until(lambda: len(_calls(scene, scene.south)) == in_channel)
        await scene.quiet()
        pushed = [message.channel for message in scene.south.pushes[before:]]
        assert (pushed.count(scene.south.dm), pushed.count(scene.channel)) == (by_dm, in_channel)


@pytest.mark.thorough
async def test_a_fault_of_discord_delays_a_message_and_never_doubles_it(tmp_path: Path) -> None:
    """After a reset, an error for a post that arrived, or a reset edit, each message is there once and is current."""
    clock = Clock()
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        faults = scene.sandbox.faults
        faults.requests(Reset(applied=True), on=_SENDS, times=2)
        faults.requests(Reset(), on=_SENDS, times=1)
        await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        await _try_again(scene, clock)
        (invitation,) = without_commitments(scene.posts)
        assert len(scene.posts) == 2
        faults.requests(Reset(), on=_EDITS, times=2)
        await scene.press(scene.south, invitation, Action.ACCEPT)
        await _try_again(scene, clock)
        await scene.sandbox.until(lambda: buttons(invitation) == [])
        assert len(scene.tables) == 1
        assert len(hands(scene.north)) == len(hands(scene.south)) == 1


@pytest.mark.thorough
async def test_nothing_is_sent_once_another_process_may_send_it(tmp_path: Path) -> None:
    """An edit that waits for a rate limit is cancelled when the lease ends, and made when it is granted again."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        share, since = scene.alive.app.share, {0: scene.alive.app.clock()}
        table, before = scene.table, scene.table.edited_at
        on = _EDITS.replace("*", str(scene.channel.id), 1)
        limited = scene.sandbox.faults.requests(RateLimited(0.6), on=on)
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: limited.hits)
        share.grant(since, 1, uptime() + 0.1)
        # Longer than the rate limit, after which discord.py would continue.
        await asyncio.sleep(1)
        assert scene.table is table
        assert table.edited_at == before
        share.grant(since, 1)
        scene.alive.app.outbox.notify()
        await scene.sandbox.until(lambda: table.edited_at != before)


@pytest.mark.nightly
async def test_a_post_that_is_broken_off_for_another_process_is_not_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Discord posts a message but answers late, and the shard is handed over, the next owner finds the message."""
    monkeypatch.setattr("bot.play.loading.share.BROKEN_OFF_AFTER", 0.1)
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        south, app = scene.south, scene.alive.app
        before = len(south.pushes)
        late = scene.sandbox.faults.requests(Delay(60, applied=True), on=f"POST /channels/{south.dm.id}/messages")
        await _north_plays(scene)
        await scene.sandbox.until(lambda: late.hits)
        async with asyncio.timeout(60):
            await app.share.give_back(0)
        assert not app.share.has(None)
        app.share.grant({}, 1)
        clock.pass_by(timedelta(seconds=1))
        app.share.grant({0: app.clock()}, 1)
        scene.sandbox.world.clock.advance(60)
        await _try_again(scene, clock)
        assert len(south.pushes) == before + 1
        assert len(hands(south)) == 1
        await scene.press(south, hands(south)[0], Action.DRAW)


async def _plays(scene: Scene, person: Person) -> None:
    """Have a person draw and discard."""
    app, person_id = scene.alive.app, PersonId(person.id)
    for verb in (Verb.DRAW, Verb.DISCARD):
        (hand,) = await app.lookup.hands(person_id)
        move = next(move for move in hand.view.moves if move.verb is verb)
        await app.turns.move(person_id, hand.match.id, move, interaction())


@pytest.mark.nightly
async def test_a_call_that_nobody_heard_of_goes_with_the_one_before(tmp_path: Path) -> None:
    """If a ping was about to be replaced, the new one's confirmation is lost and the turn is over, both are deleted."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        north, south, faults = scene.north, scene.south, scene.sandbox.faults
        await prefer(scene.alive.app, person_of(north), push=Push.CHANNEL)
        await scene.ask(north, "pass")
        await scene.ask(south, "pass")
        await _plays(scene, north)
        await _plays(scene, south)
        await scene.quiet()
        assert [call.deleted for call in _calls(scene, north)] == [False]
        before = len(north.pushes)
        delayed = faults.requests(Delay(60), on=_EDITS)
        await _plays(scene, north)
        await scene.sandbox.until(lambda: delayed.hits)
        await _plays(scene, south)
        lost = faults.requests(Reset(applied=True), on=f"POST /channels/{scene.channel.id}/messages")
        scene.sandbox.world.clock.advance(60)
        await scene.quiet()
        assert lost.hits == 1
        assert [push.channel for push in north.pushes[before:]] == [scene.channel]
        await _plays(scene, north)
        await _try_again(scene, clock)
        assert _calls(scene, north) == []


@pytest.mark.nightly
async def test_edits_that_go_too_fast_are_put_off(tmp_path: Path) -> None:
    """After 30046 the table stays unchanged as long as Discord asks; then one edit shows the newest state."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        table = scene.table
        scene.sandbox.faults.requests(Refuse(30046, retry_after=120.0), on=f"PATCH /channels/{scene.channel.id}/*")
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert moves_shown(table) == 0
        edits = table.revision
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.age(clock, timedelta(minutes=5))
        await scene.sandbox.until(lambda: moves_shown(table) == 2)
        assert table.revision == edits + 1


@pytest.mark.nightly
async def test_an_archived_thread_is_woken_by_a_new_table(tmp_path: Path) -> None:
    """Edits in an archived thread are refused, so the table is posted again, which reopens the thread."""
    clock = Clock()
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        thread = scene.sandbox.moderation.create_thread(scene.channel, "evening", scene.north.user)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south, thread), Action.ACCEPT)
        await scene.post(Action.SHOW_SCORE, thread)
        await scene.turn(scene.north)
        scene.sandbox.moderation.archive(thread)
        await scene.press(scene.north, await scene.turn(scene.north), Action.TAKE)
        await scene.quiet()
        await scene.age(clock, timedelta(minutes=1))
        await scene.sandbox.until(lambda: thread.thread is not None and not thread.thread.archived)
        assert moves_shown(latest(scene.posts_in(thread), Action.SHOW_SCORE)) == 1


@pytest.mark.thorough
async def test_the_courier_stops_even_when_it_is_stirred_at_the_same_moment(tmp_path: Path) -> None:
    """A cancellation that coincides with a notification of new work is not lost."""
    async with clubhouse(tmp_path) as scene:
        app, client = scene.alive.app, scene.alive.client
        for steps in range(6):
            places = client.access, client.direct_messages, client.pictures, client.screens, client.refusals
            running = asyncio.create_task((courier := Courier(client, app, *places, ())).run())
            await eventually(lambda: courier.idle)
            app.outbox.notify()
            for _ in range(steps):
                await asyncio.sleep(0)
            running.cancel()
            done, _ = await asyncio.wait({running}, timeout=60)
            assert done, f"still running after {steps} steps"


@pytest.mark.thorough
async def test_a_server_that_is_down_loses_no_message(tmp_path: Path) -> None:
    """While Discord fails every post, play continues; afterwards the channel shows the current state."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        down = scene.sandbox.faults.requests(ServerError(501), on=f"* /channels/{scene.channel.id}/*", times=100)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.quiet()
        assert down.hits
        scene.sandbox.faults.clear()
        await scene.age(clock, timedelta(minutes=20))
        await scene.sandbox.until(lambda: shows_later_deal(scene.table))
        assert sum(Action.REPLAY in buttons(post) for post in scene.posts) == 1


@pytest.mark.thorough
async def test_a_picture_that_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    """Edits and answers keep an unchanged picture attached, and upload a changed one."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.quiet()
        hand, table = (await scene.hand(scene.north)), scene.table
        held = hand.attachments[0]
        private = (await scene.press(scene.south, table, Action.SHOW_HAND)).message
        refreshed = await scene.press(scene.south, private, Action.REFRESH_HAND)
        assert refreshed.message.attachments[0] is private.attachments[0]
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, Action.CALL_OFF)
        shown = table.attachments[0]
        await scene.quiet()
        match = await scene.alive.app.lookup.info(MatchId(1))
        assert str(proposals(match)) in scene.table.text
        assert str(proposals(match, Seat(0))) in hand.text
        assert scene.table.attachments[0] is shown
        assert hand.attachments[0] is held
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert moves_shown(scene.table) == 1
        assert scene.table.attachments[0] is not shown
        assert hand.attachments[0] is not held


@pytest.mark.nightly
async def test_a_picture_that_is_there_no_more_is_sent_again(tmp_path: Path) -> None:
    """If a message lost its picture without the courier's knowledge, the edit uploads it again."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.quiet()
        hand = await scene.hand(scene.north)
        shown = hand.attachments[0].content
        hand.attachments.clear()
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, Action.CALL_OFF)
        await scene.quiet()
        assert str(proposals(await scene.alive.app.lookup.info(MatchId(1)), Seat(0))) in hand.text
        assert hand.attachments[0].content == shown


@pytest.mark.nightly
async def test_a_clock_that_jumps_a_day_ahead_and_back_delays_nothing(tmp_path: Path) -> None:
    """Deliveries that failed while the clock was wrong are retried soon after it is corrected."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        clock.pass_by(timedelta(days=1))
        scene.sandbox.faults.requests(ServerError(501), on="P* /channels/*", times=100)
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert moves_shown(scene.table) == 0
        clock.pass_by(timedelta(days=-1))
        scene.sandbox.faults.clear()
        scene.alive.app.outbox.notify()
        await scene.quiet()
        assert moves_shown(scene.table) == 1
