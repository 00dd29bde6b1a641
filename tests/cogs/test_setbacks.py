"""What Discord refuses for good, or for long, costs a try or two, holds up nothing, and is put right once it can be."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.outbox.outbox import Work
from bot.sandbox import MEMBER_DEFAULTS, Delay, Message, Permission, Refuse, ServerError, member_overwrite
from bot.values.ids import OutboxId
from bot.values.outbox import OutboxMessage
from bot.values.people import Push
from cogs.support import courier
from tests.cogs.scenes import Scene, at_table, clubhouse, hands, labels, person_of
from tests.helpers.clock import Clock
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.slow


def _tables(scene: Scene) -> list[Message]:
    return [post for post in scene.posts if "Score" in labels(post)]


async def _hours(scene: Scene, clock: Clock, hours: int = 1) -> None:
    """Let hours pass in which whatever waits is tried again."""
    for _ in range(6 * hours):
        await scene.age(clock, timedelta(minutes=10))
        await scene.quiet()


async def test_a_delivery_that_hangs_is_given_up_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit that gets no answer fails after a while, as if it had been refused, and the next try shows the newest."""
    monkeypatch.setattr(courier, "SEND_TIMEOUT", 0.2)
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        edits = f"PATCH /channels/{scene.channel.id}/messages/*"
        hanging = scene.sandbox.faults.requests(Delay(30.0), on=edits)
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: hanging.hits)
        await eventually(lambda: scene.alive.client.courier.idle)
        assert "⁨North⁩ took 2♦" not in scene.table.text
        await scene.age(clock, timedelta(minutes=1))
        await scene.quiet()
        assert "⁨North⁩ took 2♦" in scene.table.text


async def test_nobody_asks_for_the_table_while_the_showdown_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A showdown that takes long is waited for at rest: what is to come after it is not looked at again and again."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=1000) as scene:
        await scene.quiet()
        channel, outbox = f"/channels/{scene.channel.id}/messages", scene.alive.app.outbox
        current, asked = outbox.current, list[OutboxId]()

        async def counted(outbox_id: OutboxId) -> OutboxMessage | None:
            asked.append(outbox_id)
            return await current(outbox_id)

        monkeypatch.setattr(outbox, "current", counted)
        edit = scene.sandbox.faults.requests(Delay(0.5), on=f"PATCH {channel}/*")
        post = scene.sandbox.faults.requests(Delay(1.5), on=f"POST {channel}")
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: edit.hits)
        await scene.ask(scene.north, "gin")
        await scene.sandbox.until(lambda: post.hits)
        await scene.sandbox.until(lambda: "Deal 2, dealt by" in scene.table.text)
        await scene.quiet()
        assert len(asked) < 20


@pytest.mark.parametrize("push", [Push.DM, Push.NONE])
async def test_a_refused_hand_of_a_match_that_is_over_is_not_repeated(tmp_path: Path, push: Push) -> None:
    """A player's direct messages are closed when a match ends: after one try their hand stays as it was.

    A ping tells them of the end, if they want to be told.
    """
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await scene.alive.app.people.change_preferences(person_of(scene.south), lambda now: replace(now, push=push))
        await scene.quiet()
        await scene.ask(scene.north, "take")
        await scene.quiet()
        (hand,), before = scene.south.direct_messages(), len(scene.south.pushes)
        to_south = f"P* /channels/{scene.south.dm.id}/messages*"
        refused = scene.sandbox.faults.requests(Refuse(50007), on=to_south, times=1000)
        await scene.ask(scene.north, "gin")
        await scene.post("Rematch")
        await scene.quiet()
        assert refused.hits == 1
        assert scene.south.direct_messages() == [hand]
        assert ["your match is over" in one.text for one in scene.south.pushes[before:]] == [True] * (push is Push.DM)
        assert await scene.alive.app.outbox.work() == Work()


async def test_a_table_that_cannot_be_removed_goes_in_the_end(tmp_path: Path) -> None:
    """While removals fail there are the old table and one new one, however long; afterwards there is one."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.age(clock, timedelta(hours=1))
        removals = f"DELETE /channels/{scene.channel.id}/messages/*"
        refused = scene.sandbox.faults.requests(ServerError(501), on=removals, times=1000)
        await scene.ask(scene.north, "take")
        await _hours(scene, clock)
        assert refused.hits > 1
        assert len(_tables(scene)) == 2
        scene.sandbox.faults.clear()
        await _hours(scene, clock)
        (table,) = _tables(scene)
        assert "⁨North⁩ took 2♦" in table.text


async def test_the_end_of_a_match_in_a_deleted_channel_is_given_up(tmp_path: Path) -> None:
    """A score sheet whose channel is gone before it was posted is tried once more, and never again."""
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


async def test_an_invitation_in_a_deleted_channel_is_given_up(tmp_path: Path) -> None:
    """Once for the invitation and once for its commitment, and never for its expiry."""
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


async def test_the_table_of_a_deleted_channel_waits_for_a_new_home(tmp_path: Path) -> None:
    """Even where the bot was not told that the channel is gone: one refusal, and `/gin table` elsewhere brings it."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        scene.sandbox.faults.requests(Refuse(10003), on=f"* /channels/{scene.channel.id}/messages*", times=1000)
        await scene.ask(scene.north, "take")
        await scene.quiet()
        await _hours(scene, clock)
        assert scene.sandbox.journal.refusals[10003] == 1
        corner = scene.sandbox.channel("quiet-corner")
        assert "I'm reposting the table" in await scene.ask(scene.north, "table", corner)
        assert "⁨North⁩ took 2♦" in (await scene.post("Score", corner)).text


async def test_without_pictures_a_match_goes_on_in_words(tmp_path: Path) -> None:
    """Attach Files is taken away amid a match: tables and showdowns have no picture until it is given back."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        assert scene.table.attachments
        bot = scene.sandbox.world.bot
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(bot, deny=Permission.ATTACH_FILES))
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert "⁨North⁩ took 2♦" in scene.table.text
        assert not scene.table.attachments
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.quiet()
        (showdown,) = [post for post in scene.posts if "### Deal 1" in post.text]
        assert not showdown.attachments
        assert "Deal 2, dealt by" in scene.table.text
        assert len(_tables(scene)) == 1
        scene.sandbox.moderation.set_overwrites(scene.channel)
        assert "I'm reposting the table" in await scene.ask(scene.north, "table")
        await scene.quiet()
        assert scene.table.attachments


async def test_answers_do_without_pictures_where_uploads_are_limited(tmp_path: Path) -> None:
    """A hand that may not be shown as a picture is told in words, in a new answer and in one brought up to date."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        refused = scene.sandbox.faults.requests(Refuse(400001), on="POST /interactions/*/callback")
        made = await scene.use(scene.north, "gin hand", scene.channel)
        assert refused.hits == 1
        assert "Your hand against" in made.text
        assert not made.message.attachments
        await scene.quiet()
        scene.alive.client.refusals.of(scene.channel.id).forget()
        refused = scene.sandbox.faults.requests(Refuse(400001), on="POST /interactions/*/callback")
        made = await scene.press(scene.north, made.message, "Take 2♦")
        assert refused.hits == 1
        assert "discard a card" in made.text


async def test_nothing_is_tried_where_the_bot_was_kicked(tmp_path: Path) -> None:
    """The match rests, also for clicks in direct messages, and goes on with the next invitation."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.quiet()
        guild = next(iter(scene.sandbox.world.guilds.values()))
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        told = await scene.press(scene.north, hands(scene.north)[-1], "Take 2♦")
        assert "removed me, so the match is paused" in told.text
        await _hours(scene, clock)
        assert not scene.sandbox.journal.refusals[50001]
        scene.sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        await scene.quiet()
        await scene.press(scene.north, hands(scene.north)[-1], "Take 2♦")
        await scene.sandbox.until(lambda: "⁨North⁩ took 2♦" in scene.table.text)
