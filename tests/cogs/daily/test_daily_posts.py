"""The post of the deal of the day on a server, and its result, as people see and use them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.model.daily import day_at, end_of
from bot.model.discord_codes import Code
from bot.model.ids import ChannelId, PersonId
from bot.play.daily.days import CLOSING_DELAY
from bot.play.refusals import NoMatch
from bot.sandbox import Channel, Interaction, Message, Permission, Person, Refuse, Reset, role_overwrite
from bot.store import daily
from cogs.actions import Action, Subject
from cogs.delivery.courier import FORBIDDEN_POST_INTERVAL
from cogs.servers.refusals import cannot_post_daily
from cogs.servers.settings_panel import COUNTS_FROM_TOMORROW
from cogs.words.daily import OFFER, headline, name
from tests.cogs.scenes import Scene, buttons, hands, open_match_scene, open_scene
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.databases import new_database
from tests.helpers.forgery import click
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import change_settings
from tests.helpers.thinkers import make_reviews_brief, use_local_thinker
from tests.helpers.worlds import stopped_world

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy, and review quickly."""
    use_local_thinker(monkeypatch)
    make_reviews_brief(monkeypatch)


@pytest.fixture
def clock() -> Clock:
    """Return a clock at 9:00 UTC on a day on which the person acts first."""
    clock = Clock()
    clock.now = datetime(2026, 11, 22, 9, tzinfo=UTC)
    return clock


async def run_chores(scene: Scene) -> None:
    """Do the chores about the deals of the day, and deliver all messages."""
    await scene.bot.app.daily_deals.close_past()
    await scene.bot.app.daily_posts.run()
    await scene.wait_until_idle()


async def post_daily(scene: Scene, channel: Channel | None = None) -> Message:
    """Have the deal of the day posted, and return the post."""
    channel = channel or scene.channel
    await change_settings(scene.bot.app, scene.guild_id, daily_channel=ChannelId(channel.id))
    await run_chores(scene)
    return daily_posts(scene)[-1]


def daily_posts(scene: Scene, channel: Channel | None = None) -> list[Message]:
    """Return the posts of deals of the day in a channel."""
    return [post for post in scene.posts_in(channel or scene.channel) if has_button(post, Action.DAILY)]


async def end_day(scene: Scene, clock: Clock) -> None:
    """Advance the clock until the deal of the day is closed, and let the post become its result."""
    await scene.advance(clock, end_of(day_at(clock.now)) + CLOSING_DELAY - clock.now)
    await run_chores(scene)


async def begin(scene: Scene, person: Person, post: Message) -> Interaction:
    """Let a person open today's deal from the post, and begin their try."""
    invitation = (await scene.press(person, post, Action.DAILY)).message
    return await scene.press(person, invitation, Action.START_DAILY)


async def go_gin(scene: Scene, person: Person, post: Message) -> Message:
    """Let a person play today's deal from the post, and go gin in the first turn. Return their hand message."""
    await begin(scene, person, post)
    hand = await scene.wait_for_turn(person)
    await scene.press(person, hand, Action.TAKE)
    await scene.press(person, hand, Action.GIN)
    return hand


async def test_the_post_leads_to_the_try(tmp_path: Path, clock: Clock) -> None:
    """The post has the commitment. A press invites to the try, continues it and then shows its result, privately."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        post = await post_daily(scene)
        today = await scene.bot.app.daily_tries.today(PersonId(scene.south.id))
        assert today.deal.commitment.hex() in post.text
        assert post.images == []
        assert {*buttons(post)} == {Action.DAILY, Action.HOW_VERIFIED}
        revision = post.revision
        began = await begin(scene, scene.south, post)
        assert began.message.ephemeral
        hand = await scene.wait_for_turn(scene.south)
        again = await scene.press(scene.south, post, Action.DAILY)
        assert again.message.ephemeral
        assert len(hands(scene.south)) == 1
        await scene.press(scene.south, hand, Action.TAKE)
        await scene.press(scene.south, hand, Action.GIN)
        shown = (await scene.press(scene.south, post, Action.DAILY)).message
        assert shown.ephemeral
        own = (await scene.bot.app.daily_tries.today(PersonId(scene.south.id))).own
        assert own is not None
        assert headline(own.day, own.score) in shown.text
        day = day_at(clock.now)
        async with scene.bot.database.read() as transaction:
            (result,) = await daily.results(transaction, scene.guild_id, day, day)
        assert result.player.id == scene.south.id
        assert (post.revision, daily_posts(scene)) == (revision, [post])


async def test_an_old_invitation_leads_to_the_new_deal(tmp_path: Path, clock: Clock) -> None:
    """A press on the invitation of a past day begins nothing: it shows the invitation to the new deal."""
    async with open_scene(tmp_path, clock=clock) as scene:
        invitation = (await scene.press(scene.south, await post_daily(scene), Action.DAILY)).message
        await scene.advance(clock, end_of(day_at(clock.now)) - clock.now)
        shown = (await scene.press(scene.south, invitation, Action.START_DAILY)).message
        today = await scene.bot.app.daily_tries.today(PersonId(scene.south.id))
        assert today.own is None
        assert today.deal.commitment.hex() in shown.text
        await scene.press(scene.south, shown, Action.START_DAILY)
        assert (await scene.bot.app.daily_tries.today(PersonId(scene.south.id))).own is not None


@pytest.mark.parametrize("argument", ["", "2026-11-99", "tomorrow", "99999999999"])
async def test_a_forged_day_is_no_button(tmp_path: Path, clock: Clock, argument: str) -> None:
    """A forged press with anything else than a day is answered like an old button, and begins nothing."""
    async with open_scene(tmp_path, clock=clock) as scene:
        post = await post_daily(scene)
        interaction = await click(scene.south, post, Action.START_DAILY, Subject.MENU, argument=argument)
        assert scene.error(interaction) is None
        assert (await scene.bot.app.daily_tries.today(PersonId(scene.south.id))).own is None


@pytest.mark.thorough
async def test_the_post_becomes_the_result(tmp_path: Path, clock: Clock) -> None:
    """After the day, the post has the ranking, and leads to the replay of the best deal and to the new deal."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN, IMMEDIATE_GIN, clock=clock) as scene:
        post = await post_daily(scene)
        best = await go_gin(scene, scene.north, post)
        await begin(scene, scene.south, post)
        await end_day(scene, clock)
        assert daily_posts(scene) == [post]
        assert name(day_at(clock.now - 24 * HOUR)) in post.text
        assert "North" in post.text
        assert [str(picture.alt).count("North") for picture in post.images] == [1]
        assert "South" not in post.text
        standings = (await scene.press(scene.east, post, Action.DAILY_STANDINGS)).message
        assert standings.ephemeral
        today = await scene.bot.app.daily_tries.today(PersonId(scene.east.id))
        assert today.deal.commitment.hex() in post.text
        replay = (await scene.press(scene.east, post, Action.REPLAY)).message
        assert replay.ephemeral
        assert replay.images
        stepped = (await scene.press(scene.east, replay, Action.REPLAY_STEP)).message
        assert stepped.images
        await begin(scene, scene.east, post)
        assert (await scene.bot.app.daily_tries.today(PersonId(scene.east.id))).own is not None
        assert Action.SHARE_DAILY in buttons(best)
        await scene.bot.app.daily_reviews.review_some()
        await scene.wait_until_idle()
        assert daily_posts(scene) == [post]
        assert "100%" in post.text


@pytest.mark.thorough
async def test_without_attach_files_the_result_is_text(tmp_path: Path, clock: Clock) -> None:
    """Without permission to attach files, the result is text."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        guild = scene.channel.guild
        assert guild is not None
        roles = (guild.id, *guild.members[scene.sandbox.world.bot.id].roles)
        deny = [role_overwrite(guild.roles[role], deny=Permission.ATTACH_FILES) for role in roles]
        scene.sandbox.moderation.set_overwrites(scene.channel, *deny)
        post = await post_daily(scene)
        await go_gin(scene, scene.north, post)
        await end_day(scene, clock)
        assert post.images == []
        assert "North" in post.text
        assert {*buttons(post)} > {Action.REPLAY, Action.DAILY}


@pytest.mark.thorough
async def test_a_restart_repeats_nothing(tmp_path: Path, clock: Clock) -> None:
    """A restart repeats neither the post nor its result, even if the bot stopped before Discord confirmed it."""
    url = new_database(tmp_path / "deadwood.db")
    async with sandbox_of() as sandbox:
        for request in ("POST /channels/*/messages", "PATCH /channels/*/messages/*"):
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await change_settings(alive.app, scene.guild_id, daily_channel=ChannelId(scene.channel.id))
                sandbox.faults.requests(Reset(applied=True), on=request, times=1)
                await alive.app.daily_deals.close_past()
                await alive.app.daily_posts.run()
                await sandbox.until(lambda scene=scene: daily_posts(scene))
            clock.pass_by(timedelta(minutes=1))
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await run_chores(scene)
                assert len(daily_posts(scene)) == 1
            clock.now = end_of(day_at(clock.now)) + CLOSING_DELAY
        assert name(day_at(clock.now) - 48 * HOUR) in daily_posts(scene)[0].text


async def test_a_day_on_which_nobody_played_has_a_result(tmp_path: Path, clock: Clock) -> None:
    """If nobody played, the post still ends, without a ranking and a replay, and leads to the new deal."""
    async with open_scene(tmp_path, clock=clock) as scene:
        post = await post_daily(scene)
        revision = post.revision
        await end_day(scene, clock)
        assert post.revision > revision
        assert {*buttons(post)} == {Action.DAILY, Action.HOW_VERIFIED}
        assert post.images == []


async def test_tries_of_others_stay_closed(tmp_path: Path, clock: Clock) -> None:
    """Forged presses see neither the best deal before its end, nor any other deal, nor the best one elsewhere."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN, clock=clock) as scene:
        post = await post_daily(scene)
        await go_gin(scene, scene.north, post)
        await begin(scene, scene.south, post)
        await scene.wait_until_idle()
        best, other = 1, 2
        assert isinstance(scene.error(await click(scene.east, post, Action.REPLAY, best)), NoMatch)
        await end_day(scene, clock)
        assert isinstance(scene.error(await click(scene.east, post, Action.REPLAY, other)), NoMatch)
        message = (await scene.use(scene.east, "gin help")).message
        assert isinstance(scene.error(await click(scene.east, message, Action.REPLAY, best)), NoMatch)
        assert scene.error(await click(scene.east, post, Action.REPLAY, best)) is None


@pytest.mark.thorough
@pytest.mark.parametrize("code", [Code.NO_PERMISSION, Code.NO_ACCESS])
async def test_a_post_that_is_forbidden_is_tried_again(tmp_path: Path, clock: Clock, code: Code) -> None:
    """If the bot may not write in the channel, it tries again while the deal can be played, but not too often."""
    async with open_scene(tmp_path, clock=clock) as scene:
        corner = scene.sandbox.channel("quiet-corner")
        await change_settings(scene.bot.app, scene.guild_id, daily_channel=ChannelId(corner.id))
        refused = scene.sandbox.faults.requests(Refuse(code), on=f"POST /channels/{corner.id}/messages", times=100)
        for _ in range(3):
            await run_chores(scene)
        assert refused.hits == 1
        scene.sandbox.faults.clear()
        await scene.advance(clock, FORBIDDEN_POST_INTERVAL)
        await run_chores(scene)
        assert len(daily_posts(scene, corner)) == 1


@pytest.mark.thorough
async def test_a_post_that_stays_forbidden_is_given_up(tmp_path: Path, clock: Clock) -> None:
    """A post that was forbidden for the whole day does not appear on the next day, which has its own."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await change_settings(scene.bot.app, scene.guild_id, daily_channel=ChannelId(scene.channel.id))
        forbidden = Refuse(Code.NO_PERMISSION)
        scene.sandbox.faults.requests(forbidden, on=f"POST /channels/{scene.channel.id}/messages", times=100)
        await run_chores(scene)
        await scene.advance(clock, 15 * HOUR)
        await run_chores(scene)
        assert (await scene.bot.app.outbox.work()).next_due is None
        scene.sandbox.faults.clear()
        await scene.advance(clock, 9 * HOUR)
        await run_chores(scene)
        (post,) = daily_posts(scene)
        assert name(day_at(clock.now)) in post.text


@pytest.mark.thorough
async def test_another_channel_replaces_a_deleted_one(tmp_path: Path, clock: Clock) -> None:
    """If the channel was deleted before the post appeared, it is posted once a manager chooses another channel."""
    async with open_scene(tmp_path, clock=clock) as scene:
        corner = scene.sandbox.channel("quiet-corner")
        await change_settings(scene.bot.app, scene.guild_id, daily_channel=ChannelId(corner.id))
        scene.sandbox.moderation.delete_channel(corner)
        await run_chores(scene)
        assert (await scene.bot.app.outbox.work()).next_due is None
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        await scene.change_setting(scene.north, panel, Action.SET_DAILY_CHANNEL, scene.channel)
        await run_chores(scene)
        assert len(daily_posts(scene)) == 1
        assert COUNTS_FROM_TOMORROW not in panel.text


@pytest.mark.thorough
@pytest.mark.parametrize("wait", [1.0, 1200.0])
async def test_a_result_replaces_a_post_that_accepts_no_edits(tmp_path: Path, clock: Clock, wait: float) -> None:
    """If Discord accepts no more edits of the post, the result is a new message, and the post is deleted."""
    async with open_scene(tmp_path, clock=clock) as scene:
        post = await post_daily(scene)
        refusal = Refuse(Code.OLD_MESSAGE_EDITS, retry_after=wait)
        scene.sandbox.faults.requests(refusal, on=f"PATCH /channels/*/messages/{post.id}", times=5)
        await end_day(scene, clock)
        (result,) = daily_posts(scene)
        assert post.deleted
        assert name(day_at(clock.now) - 24 * HOUR) in result.text


@pytest.mark.thorough
@pytest.mark.parametrize("code", [Code.NO_ACCESS, Code.UNKNOWN_MESSAGE, Code.UNKNOWN_CHANNEL])
async def test_a_result_out_of_reach_is_given_up(tmp_path: Path, clock: Clock, code: Code) -> None:
    """If the post or its channel was deleted or is out of reach, its result is not posted again."""
    async with open_scene(tmp_path, clock=clock) as scene:
        post = await post_daily(scene)
        scene.sandbox.faults.requests(Refuse(code), on=f"PATCH /channels/*/messages/{post.id}", times=1)
        await end_day(scene, clock)
        assert daily_posts(scene) == [post]
        assert (await scene.bot.app.outbox.work()).next_due is None


async def test_managers_choose_hour_and_channel(tmp_path: Path, clock: Clock) -> None:
    """Managers choose the hour, and then a channel in which they may write. The panel names missing permissions."""
    world = stopped_world()
    async with open_scene(tmp_path, world=world, clock=clock) as scene:
        corner, guilds = scene.sandbox.channel("quiet-corner"), scene.bot.app.guilds
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_SETTING, Action.SET_DAILY_CHANNEL)
        await scene.choose(scene.north, panel, Action.SET_DAILY_HOUR, "20")
        await scene.choose(scene.north, panel, Action.SET_DAILY_CHANNEL, scene.channel)
        settings = await guilds.settings(scene.guild_id)
        assert (settings.daily_channel, settings.daily_hour) == (scene.channel.id, 20)
        assert "20:00" in panel.text
        await run_chores(scene)
        assert daily_posts(scene) == []
        assert COUNTS_FROM_TOMORROW not in panel.text
        await scene.choose(scene.north, panel, Action.SET_DAILY_CHANNEL)
        assert (await guilds.settings(scene.guild_id)).daily_channel is None
        guild = scene.channel.guild
        assert guild is not None
        muted = [
            role_overwrite(guild.roles[role], deny=Permission.SEND_MESSAGES)
            for role in (guild.id, *guild.members[scene.sandbox.world.bot.id].roles)
        ]
        scene.sandbox.moderation.set_overwrites(corner, *muted)
        await scene.wait_until_idle()
        await scene.change_setting(scene.north, panel, Action.SET_DAILY_CHANNEL, corner)
        assert cannot_post_daily(corner.id, ["Send Messages", "Attach Files"]) in panel.text
        again = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        assert cannot_post_daily(corner.id, ["Send Messages", "Attach Files"]) not in again.text


async def test_changes_after_the_post_count_from_tomorrow(tmp_path: Path, clock: Clock) -> None:
    """Once today's deal is posted, the answer to a change of channel, hour or time zone says that it counts later."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await post_daily(scene)
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        assert COUNTS_FROM_TOMORROW not in panel.text
        await scene.choose(scene.north, panel, Action.OPEN_SETTING, Action.SET_DAILY_CHANNEL)
        await scene.choose(scene.north, panel, Action.SET_DAILY_HOUR, "20")
        assert COUNTS_FROM_TOMORROW in panel.text
        await scene.choose(scene.north, panel, Action.SET_DAILY_CHANNEL, scene.sandbox.channel("quiet-corner"))
        assert COUNTS_FROM_TOMORROW in panel.text
        told = await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="Europe/Paris")
        assert COUNTS_FROM_TOMORROW in told.message.text
        await scene.choose(scene.north, panel, Action.SET_DAILY_CHANNEL)
        assert COUNTS_FROM_TOMORROW not in panel.text


async def test_a_server_is_told_of_the_deal_of_the_day_once(tmp_path: Path) -> None:
    """The answer to the press that ends a server's first match mentions the deal of the day, and nothing else does."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN, target=10) as scene:
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        await scene.wait_until_idle()
        assert OFFER in hand.text
        others = [*scene.posts, *scene.south.direct_messages()]
        assert not any(OFFER in message.text for message in others)
