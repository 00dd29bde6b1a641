"""Permanent and long-lasting refusals by Discord cost a few attempts, block nothing else, and are repaired later."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.outbox.outbox import Work
from bot.play.refusals import Frozen
from bot.sandbox import MEMBER_DEFAULTS, Delay, Permission, Refuse, ServerError, member_overwrite
from bot.values.ids import MatchId, OutboxId
from bot.values.outbox import OutboxMessage
from bot.values.people import Push
from cogs.features.tables import REPOSTING
from cogs.kit.actions import Action
from cogs.support import courier
from tests.cogs.scenes import TO_DISCARD, Scene, at_table, buttons, clubhouse, hands, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import actions_of, moves_shown, shows_later_deal
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.table import prefer
from tests.helpers.waiting import eventually


async def _hours(scene: Scene, clock: Clock, hours: int = 1) -> None:
    """Let hours pass, in steps of ten minutes, so that failed deliveries are retried."""
    for _ in range(6 * hours):
        await scene.age(clock, timedelta(minutes=10))
        await scene.quiet()


@pytest.mark.thorough
async def test_a_delivery_that_hangs_is_given_up_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit without an answer times out and counts as refused; the retry shows the newest state."""
    monkeypatch.setattr(courier, "SEND_TIMEOUT", 0.2)
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        edits = f"PATCH /channels/{scene.channel.id}/messages/*"
        hanging = scene.sandbox.faults.requests(Delay(30.0), on=edits)
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: hanging.hits)
        monkeypatch.setattr(courier, "SEND_TIMEOUT", 60)
        await eventually(lambda: scene.alive.client.courier.idle)
        assert moves_shown(scene.table) == 0
        await scene.age(clock, timedelta(minutes=1))
        await scene.quiet()
        assert moves_shown(scene.table) == 1


@pytest.mark.thorough
async def test_nobody_asks_for_the_table_while_the_showdown_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a showdown is slow to send, the outbox does not poll for the table that follows it."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=1000) as scene:
        await scene.quiet()
        channel, outbox = f"/channels/{scene.channel.id}/messages", scene.alive.app.outbox
        current, asked = outbox.current, list[OutboxId]()

        async def counted(outbox_id: OutboxId) -> OutboxMessage | None:
            asked.append(outbox_id)
            return await current(outbox_id)

        monkeypatch.setattr(outbox, "current", counted)
        edit = scene.sandbox.faults.requests(Delay(1), on=f"PATCH {channel}/*")
        post = scene.sandbox.faults.requests(Delay(1), on=f"POST {channel}")
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: edit.hits)
        await scene.ask(scene.north, "gin")
        scene.sandbox.world.clock.advance(1)
        await scene.sandbox.until(lambda: post.hits)
        before = len(asked)
        for _ in range(30):
            # A busy loop would check on every turn of the event loop.
            await scene.alive.app.lookup.info(MatchId(1))
        assert len(asked) <= before + 2
        scene.sandbox.world.clock.advance(1)
        await scene.quiet()
        assert shows_later_deal(scene.table)


@pytest.mark.thorough
@pytest.mark.parametrize("push", nightly_after(1, [Push.DM, Push.NONE]))
async def test_a_refused_hand_of_a_match_that_is_over_is_not_repeated(tmp_path: Path, push: Push) -> None:
    """If direct messages are refused when a match ends, the bot tries the hand once and leaves it as it was.

    A ping announces the end, if the player wants notifications.
    """
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await prefer(scene.alive.app, person_of(scene.south), push=push)
        await scene.quiet()
        await scene.ask(scene.north, "take")
        await scene.quiet()
        (hand,), before = scene.south.direct_messages(), len(scene.south.pushes)
        to_south = f"P* /channels/{scene.south.dm.id}/messages*"
        refused = scene.sandbox.faults.requests(Refuse(50007), on=to_south, times=1000)
        await scene.ask(scene.north, "gin")
        await scene.post(Action.REMATCH)
        await scene.quiet()
        assert refused.hits == 1
        assert scene.south.direct_messages() == [hand]
        assert [one.channel for one in scene.south.pushes[before:]] == [scene.channel] * (push is Push.DM)
        assert await scene.alive.app.outbox.work() == Work()


@pytest.mark.nightly
async def test_a_table_that_cannot_be_removed_goes_in_the_end(tmp_path: Path) -> None:
    """While deletions fail there are at most two tables; afterwards the old one is deleted."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.age(clock, timedelta(hours=1))
        removals = f"DELETE /channels/{scene.channel.id}/messages/*"
        refused = scene.sandbox.faults.requests(ServerError(501), on=removals, times=1000)
        await scene.ask(scene.north, "take")
        await _hours(scene, clock)
        assert refused.hits > 1
        assert len(scene.tables) == 2
        scene.sandbox.faults.clear()
        await _hours(scene, clock)
        (table,) = scene.tables
        assert moves_shown(table) == 1


@pytest.mark.nightly
async def test_the_end_of_a_match_in_a_deleted_channel_is_given_up(tmp_path: Path) -> None:
    """If the channel is deleted before the score sheet is posted, the bot retries once and then gives up."""
    clock = Clock()
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, clock=clock) as scene:
        await scene.ask(scene.north, "take")
        await scene.quiet()
        scene.sandbox.faults.requests(ServerError(501), on=f"* /channels/{scene.channel.id}/messages*", times=1000)
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        scene.sandbox.moderation.delete_channel(scene.channel)
        scene.sandbox.faults.clear()
        await _hours(scene, clock)
        refusals = scene.sandbox.journal.refusals[10003]
        assert refusals
        await _hours(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == refusals
        assert await scene.alive.app.outbox.work() == Work()


@pytest.mark.nightly
async def test_an_invitation_in_a_deleted_channel_is_given_up(tmp_path: Path) -> None:
    """The invitation and its commitment are each retried once; the expiry is not posted."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        scene.sandbox.faults.requests(ServerError(501), on=f"POST /channels/{scene.channel.id}/messages", times=1000)
        await scene.ask(scene.north, "challenge")
        await scene.quiet()
        scene.sandbox.moderation.delete_channel(scene.channel)
        scene.sandbox.faults.clear()
        await _hours(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 2
        await scene.age(clock, timedelta(days=1))
        await scene.alive.app.challenges.expire()
        await _hours(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 2


@pytest.mark.nightly
async def test_the_table_of_a_deleted_channel_waits_for_a_new_home(tmp_path: Path) -> None:
    """If the channel is gone, the bot stops after one refusal; `/gin table` elsewhere posts the table there."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        scene.sandbox.faults.requests(Refuse(10003), on=f"* /channels/{scene.channel.id}/messages*", times=1000)
        await scene.ask(scene.north, "take")
        await scene.quiet()
        await _hours(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 1
        corner = scene.sandbox.channel("quiet-corner")
        assert await scene.ask(scene.north, "table", corner) == REPOSTING.format(place=f"<#{corner.id}>")
        assert moves_shown(await scene.post(Action.SHOW_SCORE, corner)) == 1


@pytest.mark.nightly
async def test_without_pictures_a_match_goes_on_in_words(tmp_path: Path) -> None:
    """Without Attach Files, tables and showdowns have no picture until the permission is restored."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        assert scene.table.attachments
        bot = scene.sandbox.world.bot
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(bot, deny=Permission.ATTACH_FILES))
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert moves_shown(scene.table) == 1
        assert not scene.table.attachments
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.quiet()
        (showdown,) = [post for post in scene.posts if Action.REPLAY in buttons(post)]
        assert not showdown.attachments
        assert shows_later_deal(scene.table)
        assert len(scene.tables) == 1
        scene.sandbox.moderation.set_overwrites(scene.channel)
        assert await scene.refused(scene.north, "table") is None
        await scene.quiet()
        assert scene.table.attachments


@pytest.mark.nightly
async def test_answers_do_without_pictures_where_uploads_are_limited(tmp_path: Path) -> None:
    """If uploads are limited, new answers and updates of answers show the hand as text."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        refused = scene.sandbox.faults.requests(Refuse(400001), on="POST /interactions/*/callback")
        made = await scene.use(scene.north, "gin hand", scene.channel)
        assert refused.hits == 1
        assert buttons(made.message) == [Action.TAKE, Action.PASS]
        assert not made.message.attachments
        await scene.quiet()
        scene.alive.client.refusals.of(scene.channel.id).forget()
        refused = scene.sandbox.faults.requests(Refuse(400001), on="POST /interactions/*/callback")
        made = await scene.press(scene.north, made.message, Action.TAKE)
        assert refused.hits == 1
        assert actions_of(made.message) >= TO_DISCARD


@pytest.mark.thorough
async def test_nothing_is_tried_where_the_bot_was_kicked(tmp_path: Path) -> None:
    """After a kick the match is frozen, also in direct messages, and resumes when the bot is invited again."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        guild = next(iter(scene.sandbox.world.guilds.values()))
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        told = await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        assert isinstance(scene.error(told), Frozen)
        await _hours(scene, clock)
        assert not scene.sandbox.journal.refusals[50001]
        scene.sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        await scene.quiet()
        await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        await scene.sandbox.until(lambda: moves_shown(scene.table) == 1)
