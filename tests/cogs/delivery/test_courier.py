"""The courier delivers each message once and in the right place, and makes few attempts after refusals by Discord."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.engine.deals.moves import Seat, Verb
from bot.model.ids import MatchId, PersonId
from bot.model.people import Push
from bot.play.loading.share import uptime
from bot.sandbox import Delay, Message, Person, RateLimited, Refuse, Reset, ServerError
from cogs.actions import Action
from cogs.contents import compose
from cogs.delivery.courier import Courier
from cogs.people.preferences_panel import DMS_CLOSED
from cogs.turns.hand_text import proposals
from tests.cogs.scenes import (
    Scene,
    buttons,
    hands,
    latest_with,
    open_match_scene,
    open_scene,
    person_of,
    without_commitments,
)
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import moves_shown, shows_later_deal
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import interaction, prefer
from tests.helpers.waiting import eventually

_SENDS = "POST /channels/*/messages"
_EDITS = "PATCH /channels/*/messages/*"


def _pings_of(scene: Scene, person: Person) -> list[Message]:
    return [post for post in scene.posts if person.id in post.mentions and Action.SHOW_HAND in buttons(post)]


async def _north_plays(scene: Scene) -> None:
    """Have North take the upcard and discard, so that it is South's turn."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "discard", card="Qh")


async def _retry_failed(scene: Scene, clock: Clock) -> None:
    """Retry failed deliveries several times, ten minutes apart, because Discord has forgotten their nonces by then."""
    for _ in range(4):
        await scene.wait_until_idle()
        clock.pass_by(timedelta(minutes=10))
        scene.bot.app.outbox.notify()


@pytest.mark.thorough
async def test_a_turn_sends_one_notification(tmp_path: Path) -> None:
    """However many steps a turn has, the player gets one notification, and their hand stays a single message."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north, south = scene.north, scene.south
        assert len(north.pushes) == 1
        before = len(south.pushes)
        await _north_plays(scene)
        await scene.wait_for_turn(south)
        await scene.wait_until_idle()
        assert len(south.pushes) == before + 1
        assert south.pushes[-1] is hands(south)[-1]
        await scene.ask(south, "draw")
        await scene.ask(south, "discard", card="10h")
        await scene.wait_for_turn(north)
        await scene.wait_until_idle()
        assert len(north.pushes) == 2
        assert len(south.pushes) == before + 1
        assert len(hands(north)) == len(hands(south)) == 1
        assert not _pings_of(scene, north) + _pings_of(scene, south)


async def test_a_waiting_players_hand_is_silent(tmp_path: Path) -> None:
    """The hand of the waiting player is sent silently."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        assert hands(scene.south)
        assert [message for message in scene.south.pushes if message.channel is scene.south.dm] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("code", "tries"), nightly_after(1, [(50007, 1), (20009, 2)]))
async def test_refused_direct_messages_become_pings(tmp_path: Path, code: int, tries: int) -> None:
    """A player whose direct messages are refused is pinged in the channel; the ping is deleted after the turn.

    If Discord's content filter refused a hand, it is tried once more without its picture.
    """
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        to_south = f"POST /channels/{scene.south.dm.id}/messages"
        refused = scene.sandbox.faults.requests(Refuse(code), on=to_south, times=tries)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.ACCEPT)
        await scene.wait_for_turn(scene.north)
        await scene.sandbox.until(lambda: refused.hits)
        await _north_plays(scene)
        await scene.sandbox.until(lambda: _pings_of(scene, scene.south))
        (call,) = _pings_of(scene, scene.south)
        assert scene.south.pushes[-1] is call
        assert Action.SHOW_HAND in buttons(call)
        panel = await scene.press(scene.south, call, Action.SHOW_HAND)
        await scene.press(scene.south, panel.message, Action.DRAW)
        await scene.press(scene.south, panel.message, Action.DISCARD, "Th")
        await scene.sandbox.until(lambda: call.deleted)
        assert scene.south.direct_messages() == []
        assert scene.sandbox.journal.refusals[code] == tries
        answer = await scene.use(scene.south, "gin me preferences", scene.channel)
        assert not (await scene.bot.app.people.settings(PersonId(scene.south.id))).dm_works
        assert DMS_CLOSED in answer.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("push", "by_dm", "in_channel"), nightly_after(1, [("both", 1, 1), ("channel", 0, 1), ("none", 0, 0)])
)
async def test_players_choose_their_notifications(tmp_path: Path, push: str, by_dm: int, in_channel: int) -> None:
    """A player can choose pings in the channel, pings and direct messages, or neither; the hand is always current."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change_setting(scene.south, panel, Action.PREFER_PUSH, push)
        await scene.wait_until_idle()
        before = len(scene.south.pushes)
        await _north_plays(scene)
        await scene.wait_for_turn(scene.south)
        await scene.sandbox.until(lambda: len(_pings_of(scene, scene.south)) == in_channel)
        await scene.wait_until_idle()
        pushed = [message.channel for message in scene.south.pushes[before:]]
        assert (pushed.count(scene.south.dm), pushed.count(scene.channel)) == (by_dm, in_channel)


@pytest.mark.thorough
async def test_discord_errors_never_duplicate_messages(tmp_path: Path) -> None:
    """If the connection breaks during posts and edits, each message is in the channel once, in its newest state."""
    clock = Clock()
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        faults = scene.sandbox.faults
        faults.requests(Reset(applied=True), on=_SENDS, times=2)
        faults.requests(Reset(), on=_SENDS, times=1)
        await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        await _retry_failed(scene, clock)
        (invitation,) = without_commitments(scene.posts)
        assert len(scene.posts) == 2
        faults.requests(Reset(), on=_EDITS, times=2)
        await scene.press(scene.south, invitation, Action.ACCEPT)
        await _retry_failed(scene, clock)
        await scene.sandbox.until(lambda: buttons(invitation) == [])
        assert len(scene.tables) == 1
        assert len(hands(scene.north)) == len(hands(scene.south)) == 1


@pytest.mark.nightly
async def test_nothing_is_sent_after_the_lease_ends(tmp_path: Path) -> None:
    """An edit waiting for a rate limit is cancelled when the shard's lease ends, and is made under the next lease."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        share, since = scene.bot.app.share, {0: scene.bot.app.clock()}
        table, before = scene.table, scene.table.edited_at
        on = _EDITS.replace("*", str(scene.channel.id), 1)
        limited = scene.sandbox.faults.requests(RateLimited(0.6), on=on)
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: limited.hits)
        share.grant(since, 1, uptime() + 0.1)
        # Had the edit not been cancelled, discord.py would send it after the rate limit.
        await asyncio.sleep(1)
        assert scene.table is table
        assert table.edited_at == before
        share.grant(since, 1)
        scene.bot.app.outbox.notify()
        await scene.sandbox.until(lambda: table.edited_at != before)


@pytest.mark.nightly
async def test_a_post_during_a_handover_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord confirms a post only after the shard was handed over, its next owner does not post it again."""
    monkeypatch.setattr("bot.play.loading.share.GIVE_BACK_TIMEOUT", 0.1)
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        south, app = scene.south, scene.bot.app
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
        await _retry_failed(scene, clock)
        assert len(south.pushes) == before + 1
        assert len(hands(south)) == 1
        await scene.press(south, hands(south)[0], Action.DRAW)


async def _draw_and_discard(scene: Scene, person: Person) -> None:
    """Have a person draw and discard."""
    app, person_id = scene.bot.app, PersonId(person.id)
    for verb in (Verb.DRAW, Verb.DISCARD):
        (hand,) = await app.lookup.hands(person_id)
        move = next(move for move in hand.view.moves if move.verb is verb)
        await app.turns.move(person_id, hand.match.id, move, interaction())


@pytest.mark.nightly
async def test_an_unconfirmed_ping_is_deleted_with_the_old_one(tmp_path: Path) -> None:
    """If the confirmation of a ping that replaces an older one is lost, both pings are deleted after the turn."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        north, south, faults = scene.north, scene.south, scene.sandbox.faults
        await prefer(scene.bot.app, person_of(north), push=Push.CHANNEL)
        await scene.ask(north, "pass")
        await scene.ask(south, "pass")
        await _draw_and_discard(scene, north)
        await _draw_and_discard(scene, south)
        await scene.wait_until_idle()
        assert [call.deleted for call in _pings_of(scene, north)] == [False]
        before = len(north.pushes)
        delayed = faults.requests(Delay(60), on=_EDITS)
        await _draw_and_discard(scene, north)
        await scene.sandbox.until(lambda: delayed.hits)
        await _draw_and_discard(scene, south)
        lost = faults.requests(Reset(applied=True), on=f"POST /channels/{scene.channel.id}/messages")
        scene.sandbox.world.clock.advance(60)
        await scene.wait_until_idle()
        assert lost.hits == 1
        assert [push.channel for push in north.pushes[before:]] == [scene.channel]
        await _draw_and_discard(scene, north)
        await _retry_failed(scene, clock)
        assert _pings_of(scene, north) == []


@pytest.mark.nightly
async def test_rate_limited_edits_are_delayed(tmp_path: Path) -> None:
    """After a rate limit for edits (30046), the bot waits as long as Discord asks, then edits only once."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        table = scene.table
        scene.sandbox.faults.requests(Refuse(30046, retry_after=120.0), on=f"PATCH /channels/{scene.channel.id}/*")
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert moves_shown(table) == 0
        edits = table.revision
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.advance(clock, timedelta(minutes=5))
        await scene.sandbox.until(lambda: moves_shown(table) == 2)
        assert table.revision == edits + 1


@pytest.mark.thorough
async def test_a_new_table_reopens_an_archived_thread(tmp_path: Path) -> None:
    """Edits in an archived thread are refused, so the table is posted again, which reopens the thread."""
    clock = Clock()
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        thread = scene.sandbox.moderation.create_thread(scene.channel, "evening", scene.north.user)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south, thread), Action.ACCEPT)
        await scene.wait_for_post(Action.SHOW_SCORE, thread)
        await scene.wait_for_turn(scene.north)
        scene.sandbox.moderation.archive(thread)
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.TAKE)
        await scene.wait_until_idle()
        await scene.advance(clock, timedelta(minutes=1))
        await scene.sandbox.until(lambda: thread.thread is not None and not thread.thread.archived)
        assert moves_shown(latest_with(scene.posts_in(thread), Action.SHOW_SCORE)) == 1


@pytest.mark.thorough
async def test_the_courier_can_be_cancelled_while_notified(tmp_path: Path) -> None:
    """A cancellation that coincides with a notification of new work is not lost."""
    async with open_scene(tmp_path) as scene:
        app, client = scene.bot.app, scene.bot.client
        for steps in range(6):
            places = (
                client.access,
                client.direct_messages,
                partial(compose, pictures=client.pictures, hands=client.hands),
                client.screens,
                client.refusals,
            )
            courier = Courier(client, app, *places, (), client.hands)
            running = asyncio.create_task(courier.run())
            await eventually(lambda courier=courier: courier.is_idle)
            app.outbox.notify()
            for _ in range(steps):
                await asyncio.sleep(0)
            running.cancel()
            done, _ = await asyncio.wait({running}, timeout=60)
            assert done, f"still running after {steps} steps"


@pytest.mark.thorough
async def test_an_outage_loses_no_message(tmp_path: Path) -> None:
    """While Discord fails every post, play continues; afterwards the channel shows the current state."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        down = scene.sandbox.faults.requests(ServerError(501), on=f"* /channels/{scene.channel.id}/*", times=100)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.wait_until_idle()
        assert down.hits
        scene.sandbox.faults.clear()
        await scene.advance(clock, timedelta(minutes=20))
        await scene.sandbox.until(lambda: shows_later_deal(scene.table))
        assert sum(Action.SHOWDOWN_DETAILS in buttons(post) for post in scene.posts) == 1


@pytest.mark.thorough
async def test_a_picture_that_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    """Edits and answers keep an unchanged picture attached, and upload a changed one."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await scene.wait_until_idle()
        hand, table = (await scene.wait_for_hand(scene.north)), scene.table
        held = hand.attachments[0]
        private = (await scene.press(scene.south, table, Action.SHOW_HAND)).message
        refreshed = await scene.press(scene.south, private, Action.REFRESH_HAND)
        assert refreshed.message.attachments[0] is private.attachments[0]
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, Action.CALL_OFF)
        shown = table.attachments[0]
        await scene.wait_until_idle()
        match = await scene.bot.app.lookup.info(MatchId(1))
        assert str(proposals(match)) in scene.table.text
        assert str(proposals(match, Seat(0))) in hand.text
        assert scene.table.attachments[0] is shown
        assert hand.attachments[0] is held
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
        assert scene.table.attachments[0] is not shown
        assert hand.attachments[0] is not held


@pytest.mark.thorough
async def test_a_lost_picture_is_uploaded_again(tmp_path: Path) -> None:
    """If a message has lost its picture without the courier's knowledge, its next edit uploads the picture again."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await scene.wait_until_idle()
        hand = await scene.wait_for_hand(scene.north)
        shown = hand.attachments[0].content
        hand.attachments.clear()
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, Action.CALL_OFF)
        await scene.wait_until_idle()
        assert str(proposals(await scene.bot.app.lookup.info(MatchId(1)), Seat(0))) in hand.text
        assert hand.attachments[0].content == shown


@pytest.mark.nightly
async def test_a_clock_that_jumps_a_day_ahead_and_back_delays_nothing(tmp_path: Path) -> None:
    """Deliveries that failed while the clock was wrong are retried soon after it is corrected."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.wait_until_idle()
        clock.pass_by(timedelta(days=1))
        scene.sandbox.faults.requests(ServerError(501), on="P* /channels/*", times=100)
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 0
        clock.pass_by(timedelta(days=-1))
        scene.sandbox.faults.clear()
        scene.bot.app.outbox.notify()
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
