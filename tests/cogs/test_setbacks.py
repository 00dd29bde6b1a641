"""After permanent or long-lasting refusals by Discord, the bot tries a few times, blocks nothing else, and recovers."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.ids import MatchId
from bot.model.people import Push
from bot.play.outbox.outbox import Work
from bot.play.refusals import Frozen
from bot.sandbox import MEMBER_DEFAULTS, Delay, Permission, Refuse, ServerError, member_overwrite
from cogs.actions import Action
from cogs.delivery import courier
from cogs.tables.tables import REPOSTING
from tests.cogs.scenes import DISCARD_ACTIONS, Scene, buttons, hands, open_match_scene, open_scene, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import actions_of, moves_shown, shows_later_deal
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.table import prefer
from tests.helpers.waiting import eventually


async def _let_hours_pass(scene: Scene, clock: Clock, hours: int = 1) -> None:
    """Let hours pass, in steps of ten minutes, so that failed deliveries are retried."""
    for _ in range(6 * hours):
        await scene.advance(clock, timedelta(minutes=10))
        await scene.wait_until_idle()


@pytest.mark.thorough
async def test_a_hanging_delivery_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit that Discord does not answer times out, and is retried with the newest state."""
    monkeypatch.setattr(courier, "SEND_TIMEOUT", 0.2)
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.wait_until_idle()
        edits = f"PATCH /channels/{scene.channel.id}/messages/*"
        hanging = scene.sandbox.faults.requests(Delay(30.0), on=edits)
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: hanging.hits)
        monkeypatch.setattr(courier, "SEND_TIMEOUT", 60)
        await eventually(lambda: scene.bot.client.courier.is_idle)
        assert moves_shown(scene.table) == 0
        await scene.advance(clock, timedelta(minutes=1))
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1


@pytest.mark.thorough
async def test_the_outbox_does_not_poll_during_a_slow_showdown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a showdown is slow to send, the outbox does not poll for the table that follows it."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=1000) as scene:
        await scene.wait_until_idle()
        channel, outbox = f"/channels/{scene.channel.id}/messages", scene.bot.app.outbox
        work, searches = outbox.work, list[Work]()

        async def counted(*args: Any, **options: Any) -> Work:
            searches.append(await work(*args, **options))
            return searches[-1]

        monkeypatch.setattr(outbox, "work", counted)
        edit = scene.sandbox.faults.requests(Delay(1), on=f"PATCH {channel}/*")
        post = scene.sandbox.faults.requests(Delay(1), on=f"POST {channel}")
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: edit.hits)
        await scene.ask(scene.north, "gin")
        scene.sandbox.world.clock.advance(1)
        await scene.sandbox.until(lambda: post.hits)
        before = len(searches)
        for _ in range(30):
            # Let the event loop run. If the outbox polled, it would look for work in each iteration.
            await scene.bot.app.lookup.info(MatchId(1))
        assert len(searches) <= before + 2
        scene.sandbox.world.clock.advance(1)
        await scene.wait_until_idle()
        assert shows_later_deal(scene.table)


@pytest.mark.thorough
@pytest.mark.parametrize("push", nightly_after(1, [Push.DM, Push.NONE]))
async def test_a_refused_final_hand_is_not_retried(tmp_path: Path, push: Push) -> None:
    """If Discord refuses to update a hand when its match ends, the bot does not try again.

    A ping announces the end, if the player wants notifications.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        await prefer(scene.bot.app, person_of(scene.south), push=push)
        await scene.wait_until_idle()
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        (hand,), before = scene.south.direct_messages(), len(scene.south.pushes)
        to_south = f"P* /channels/{scene.south.dm.id}/messages*"
        refused = scene.sandbox.faults.requests(Refuse(50007), on=to_south, times=1000)
        await scene.ask(scene.north, "gin")
        await scene.wait_for_post(Action.REMATCH)
        await scene.wait_until_idle()
        assert refused.hits == 1
        assert scene.south.direct_messages() == [hand]
        assert [push.channel for push in scene.south.pushes[before:]] == [scene.channel] * (push is Push.DM)
        assert await scene.bot.app.outbox.work() == Work()


@pytest.mark.thorough
async def test_a_failed_table_deletion_is_retried(tmp_path: Path) -> None:
    """While the deletion of an old table fails, there are at most two tables; later the old one is deleted."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.advance(clock, timedelta(hours=1))
        removals = f"DELETE /channels/{scene.channel.id}/messages/*"
        refused = scene.sandbox.faults.requests(ServerError(501), on=removals, times=1000)
        await scene.ask(scene.north, "take")
        await _let_hours_pass(scene, clock)
        assert refused.hits > 1
        assert len(scene.tables) == 2
        scene.sandbox.faults.clear()
        await _let_hours_pass(scene, clock)
        (table,) = scene.tables
        assert moves_shown(table) == 1


@pytest.mark.thorough
async def test_the_end_of_a_match_in_a_deleted_channel_is_given_up(tmp_path: Path) -> None:
    """If the channel is deleted before the score sheet is posted, the bot retries once and then gives up."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, clock=clock) as scene:
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        scene.sandbox.faults.requests(ServerError(501), on=f"* /channels/{scene.channel.id}/messages*", times=1000)
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        scene.sandbox.moderation.delete_channel(scene.channel)
        scene.sandbox.faults.clear()
        await _let_hours_pass(scene, clock)
        refusals = scene.sandbox.journal.refusals[10003]
        assert refusals
        await _let_hours_pass(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == refusals
        assert await scene.bot.app.outbox.work() == Work()


@pytest.mark.thorough
async def test_an_invitation_in_a_deleted_channel_is_given_up(tmp_path: Path) -> None:
    """If the channel is deleted, the invitation and its commitment are each retried once; the expiry is not posted."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        scene.sandbox.faults.requests(ServerError(501), on=f"POST /channels/{scene.channel.id}/messages", times=1000)
        await scene.ask(scene.north, "challenge")
        await scene.wait_until_idle()
        scene.sandbox.moderation.delete_channel(scene.channel)
        scene.sandbox.faults.clear()
        await _let_hours_pass(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 2
        await scene.advance(clock, timedelta(days=1))
        await scene.bot.app.challenges.expire()
        await _let_hours_pass(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 2


@pytest.mark.nightly
async def test_a_table_can_move_from_a_deleted_channel(tmp_path: Path) -> None:
    """If a table's channel is gone, the bot tries only once to update the table. `/gin table` can post it elsewhere."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.wait_until_idle()
        scene.sandbox.faults.requests(Refuse(10003), on=f"* /channels/{scene.channel.id}/messages*", times=1000)
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        await _let_hours_pass(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 1
        corner = scene.sandbox.channel("quiet-corner")
        assert await scene.ask(scene.north, "table", corner) == REPOSTING.format(place=f"<#{corner.id}>")
        assert moves_shown(await scene.wait_for_post(Action.SHOW_SCORE, corner)) == 1


@pytest.mark.nightly
async def test_without_attach_files_a_match_continues_as_text(tmp_path: Path) -> None:
    """Without Attach Files, tables and showdowns have no picture until the permission is restored."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.wait_until_idle()
        assert scene.table.attachments
        bot = scene.sandbox.world.bot
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(bot, deny=Permission.ATTACH_FILES))
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
        assert not scene.table.attachments
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.wait_until_idle()
        (showdown,) = [post for post in scene.posts if Action.REPLAY in buttons(post)]
        assert not showdown.attachments
        assert shows_later_deal(scene.table)
        assert len(scene.tables) == 1
        scene.sandbox.moderation.set_overwrites(scene.channel)
        assert await scene.refusal_of(scene.north, "table") is None
        await scene.wait_until_idle()
        assert scene.table.attachments


@pytest.mark.nightly
async def test_answers_are_text_if_uploads_are_limited(tmp_path: Path) -> None:
    """If uploads are limited, new answers and updates of answers show the hand as text."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        refused = scene.sandbox.faults.requests(Refuse(400001), on="POST /interactions/*/callback")
        answer = await scene.use(scene.north, "gin hand", scene.channel)
        assert refused.hits == 1
        assert buttons(answer.message) == [Action.TAKE, Action.PASS]
        assert not answer.message.attachments
        await scene.wait_until_idle()
        scene.bot.client.refusals.of(scene.channel.id).clear()
        refused = scene.sandbox.faults.requests(Refuse(400001), on="POST /interactions/*/callback")
        answer = await scene.press(scene.north, answer.message, Action.TAKE)
        assert refused.hits == 1
        assert actions_of(answer.message) >= DISCARD_ACTIONS


@pytest.mark.thorough
async def test_a_kick_freezes_the_match(tmp_path: Path) -> None:
    """After a kick the match is frozen, also in direct messages, and resumes when the bot is invited again."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.wait_until_idle()
        guild = next(iter(scene.sandbox.world.guilds.values()))
        scene.sandbox.moderation.remove_bot(guild)
        await scene.wait_until_idle()
        answer = await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        assert isinstance(scene.error(answer), Frozen)
        await _let_hours_pass(scene, clock)
        assert not scene.sandbox.journal.refusals[50001]
        scene.sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        await scene.wait_until_idle()
        await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        await scene.sandbox.until(lambda: moves_shown(scene.table) == 1)
