"""Players who leave the server or are kept from the table, in the local Discord."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from bot.play.loading.loaded_match import MatchCache
from bot.sandbox import Channel, Guild, Permission, Person, Refuse, Reset, ServerError, World, member_overwrite
from bot.store import tables
from bot.values.ids import ChannelId, GuildId, MatchId
from bot.values.matches import MadeCasual, MatchInfo, MatchKind, MatchStatus
from cogs.kit.actions import Action
from cogs.text.hand import MADE_CASUAL
from tests.cogs.features.test_times import timed
from tests.cogs.scenes import Scene, clubhouse, labels, person_of, private_thread, ways
from tests.helpers.clock import Clock
from tests.helpers.databases import execute
from tests.helpers.forgery import click
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import interaction, place

pytestmark = pytest.mark.slow

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CASUAL = MADE_CASUAL[MadeCasual.REMOVER]


def guild_of(channel: Channel) -> Guild:
    """Return the server of a channel."""
    assert channel.guild is not None
    return channel.guild


def leave(scene: Scene, person: Person) -> None:
    """Let a person leave the server, or be kicked or banned: Discord answers the same."""
    scene.sandbox.moderation.leave(guild_of(scene.channel), person.user)


def delete_account(scene: Scene, person: Person) -> None:
    """Let a person delete their account."""
    scene.sandbox.moderation.delete_account(person.user)


async def first_match(scene: Scene) -> MatchInfo:
    """Return the first match as it is now."""
    return await scene.alive.app.lookup.info(MatchId(1))


@pytest.mark.parametrize("go", [leave, delete_account])
async def test_a_clock_ends_the_match_of_a_player_who_left(tmp_path: Path, go: Callable[[Scene, Person], None]) -> None:
    """Also if they own the server: nobody stays who could have removed them, and the result counts."""
    clock = Clock()
    async with timed(tmp_path, clock, "1m flag") as scene:
        go(scene, scene.north)
        await scene.later(clock, MINUTE + 6 * SECOND)
        assert "⁨South⁩ wins: ⁨North⁩ lost on time" in scene.posts[-1].text
        assert CASUAL not in scene.posts[-1].text
        assert (await first_match(scene)).kind is MatchKind.STANDARD


@pytest.mark.parametrize("go", [leave, delete_account])
async def test_nobody_wins_by_removing_an_opponent(tmp_path: Path, go: Callable[[Scene, Person], None]) -> None:
    """North owns the server: South's loss is casual, the end of the match says why, and a rematch would count."""
    clock = Clock()
    async with timed(tmp_path, clock, "1m flag") as scene:
        await scene.ask(scene.north, "pass")
        go(scene, scene.south)
        await scene.later(clock, MINUTE + 6 * SECOND)
        assert "⁨North⁩ wins: ⁨South⁩ lost on time" in scene.posts[-1].text
        assert CASUAL in scene.posts[-1].text
        assert CASUAL in scene.north.direct_messages()[-1].text
        match = await first_match(scene)
        assert (match.kind, match.terms.kind) == (MatchKind.CASUAL, MatchKind.STANDARD)


@pytest.mark.parametrize("permission", ["KICK_MEMBERS", "BAN_MEMBERS", "MANAGE_CHANNELS", "ADMINISTRATOR"])
@pytest.mark.parametrize("limit", ["1d flag", "1d"])
async def test_each_right_to_remove_makes_it_casual(tmp_path: Path, permission: str, limit: str) -> None:
    """Whether the clock or a claim ends the match."""
    clock, world = Clock(), World.default()
    (guild,) = world.bot_guilds()
    moderator = world.add_role(guild, "moderator", Permission[permission])
    south = next(member for member in guild.members.values() if member.user.display_name == "South")
    south.roles.append(moderator.id)
    async with timed(tmp_path, clock, limit, world=world) as scene:
        leave(scene, scene.north)
        await scene.later(clock, DAY + 6 * SECOND)
        if limit == "1d":
            assert "⁨North⁩ left the server." in scene.table.text
            hand = await scene.hand(scene.south)
            assert "You **won** your match" in (await scene.press(scene.south, hand, "Claim the match")).text
            await scene.quiet()
        assert CASUAL in scene.posts[-1].text
        assert (await first_match(scene)).kind is MatchKind.CASUAL


async def test_the_right_to_manage_a_channel_may_come_from_the_channel(tmp_path: Path) -> None:
    """An overwrite there counts like a role."""
    clock = Clock()
    async with timed(tmp_path, clock, "1d flag") as scene:
        allowed = member_overwrite(scene.south.user, allow=Permission.MANAGE_CHANNELS)
        scene.sandbox.moderation.set_overwrites(scene.channel, allowed)
        await scene.quiet()
        leave(scene, scene.north)
        await scene.later(clock, DAY + 6 * SECOND)
        assert (await first_match(scene)).kind is MatchKind.CASUAL


async def test_a_table_of_three_ends_as_well(tmp_path: Path) -> None:
    """The one who left loses, and the others have no result."""
    clock = Clock()
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        app, people = scene.alive.app, [person_of(one) for one in (scene.north, scene.south, scene.east)]
        here = place(ChannelId(scene.channel.id), GuildId(guild_of(scene.channel).id))
        named = [person.id for person in people[1:]]
        challenge = await app.challenges.issue(people[0], named, here, interaction(), rules="rotation", clock="1m flag")
        for person in people[1:]:
            await app.challenges.accept(person, challenge.id)
        await app.lobbies.start(people[0].id, challenge.id)
        await scene.quiet()
        turn = (await app.lookup.table(MatchId(1))).view.turn
        assert turn is not None
        leave(scene, (scene.north, scene.south, scene.east)[turn])
        await scene.later(clock, MINUTE + 6 * SECOND)
        lost = f"⁨{people[turn].name}⁩ lost on time"
        assert [post for post in scene.west.sees(scene.channel) if lost in post.text]


async def test_without_a_clock_a_week_is_enough(tmp_path: Path) -> None:
    """The table says from the first reminder that they left, and the claim works; nothing was sent to them."""
    clock = Clock()
    async with timed(tmp_path, clock, "none") as scene:
        leave(scene, scene.north)
        before = len(scene.north.pushes)
        await scene.later(clock, 2 * DAY)
        assert "⁨North⁩ left the server." in scene.table.text
        await scene.later(clock, 5 * DAY)
        hand = await scene.hand(scene.south)
        assert "Claim the match" in labels(hand)
        assert "You **won** your match" in (await scene.press(scene.south, hand, "Claim the match")).text
        assert len(scene.north.pushes) == before


async def test_a_player_who_rejoins_in_time_plays_on(tmp_path: Path) -> None:
    """The table no longer says that they left, and they lose nothing."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        leave(scene, scene.north)
        await scene.later(clock, DAY + 12 * HOUR)
        assert "⁨North⁩ left the server." in scene.table.text
        scene.sandbox.moderation.join(guild_of(scene.channel), scene.north.user)
        await scene.use(scene.north, "gin games", scene.channel)
        await scene.quiet()
        assert "left the server" not in scene.table.text
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert "Waiting for ⁨South⁩" in (await scene.hand(scene.north)).text


async def test_a_match_that_both_left_frees_its_channel(tmp_path: Path) -> None:
    """It is called off when the time of the one to move is used up."""
    clock = Clock()
    async with timed(tmp_path, clock, "none") as scene:
        leave(scene, scene.north)
        leave(scene, scene.south)
        await scene.later(clock, 8 * DAY)
        assert (await first_match(scene)).status is MatchStatus.CANCELLED


@pytest.mark.parametrize("fault", [ServerError(503), Reset(), Refuse(50001), Refuse(10004)], ids=str)
async def test_nobody_loses_at_once_while_discord_does_not_say(
    tmp_path: Path, fault: Refuse | ServerError | Reset
) -> None:
    """Only an answer that knows no such member says that somebody left; any other failure says nothing."""
    clock = Clock()
    async with timed(tmp_path, clock, "1d flag") as scene:
        scene.sandbox.faults.requests(fault, on="GET /guilds/*", times=1000)
        await scene.later(clock, DAY + 6 * SECOND)
        assert (await first_match(scene)).status is MatchStatus.RUNNING
        assert "left the server" not in scene.table.text
        assert "cannot reach" not in scene.table.text
        scene.sandbox.faults.clear()
        leave(scene, scene.north)
        await scene.later(clock, MINUTE)
        assert (await first_match(scene)).status is MatchStatus.FINISHED


def hide(scene: Scene) -> None:
    """Hide the channel from South."""
    unseen = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
    scene.sandbox.moderation.set_overwrites(scene.channel, unseen)


def show(scene: Scene) -> None:
    """Show the channel to everybody again."""
    scene.sandbox.moderation.set_overwrites(scene.channel)


def time_out(scene: Scene) -> None:
    """Keep South from acting, for longer than the clock lasts."""
    until = scene.alive.app.clock() + 90 * DAY
    scene.sandbox.moderation.time_out(guild_of(scene.channel), scene.south.user, until.timestamp())


def end_time_out(scene: Scene) -> None:
    """Let South act again."""
    scene.sandbox.moderation.time_out(guild_of(scene.channel), scene.south.user, None)


def screen(scene: Scene) -> None:
    """Let South join once more. They have to agree to the rules of the server first."""
    leave(scene, scene.south)
    scene.sandbox.moderation.join(guild_of(scene.channel), scene.south.user, pending=True)


def agree(scene: Scene) -> None:
    """Let South agree to the rules of the server."""
    guild_of(scene.channel).members[scene.south.id].pending = False


def blindfold(scene: Scene) -> None:
    """Hide the channel from the bot."""
    unseen = member_overwrite(scene.sandbox.world.bot, deny=Permission.VIEW_CHANNEL)
    scene.sandbox.moderation.set_overwrites(scene.channel, unseen)


WAYS = [(hide, show), (time_out, end_time_out), (screen, agree), (blindfold, show)]


@pytest.mark.parametrize(("shut_out", "_"), WAYS)
async def test_a_match_can_be_called_off_whose_player_is_kept_from_it(
    tmp_path: Path, shut_out: Callable[[Scene], None], _: object
) -> None:
    """From when the clock would have ended: in the hand, under *Pause or leave* and in the list; nobody loses."""
    clock = Clock()
    async with timed(tmp_path, clock, "2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        shut_out(scene)
        await scene.later(clock, DAY + 12 * HOUR)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert "cannot reach the table" in hand.text
        assert "Call the match off" not in labels(hand)
        assert "call it off" not in await scene.ask(scene.north, "games")
        await scene.later(clock, 12 * HOUR)
        assert "**you may call it off**" in await scene.ask(scene.north, "games")
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        assert "The match ends at once and does not count" in leaving.text
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert "Call the match off" in labels(hand)
        called_off = await scene.press(scene.north, hand, "Call the match off")
        assert "was called off" in called_off.text
        match = await first_match(scene)
        assert (match.status, match.made_casual) == (MatchStatus.CANCELLED, None)


@pytest.mark.parametrize(("shut_out", "let_in"), WAYS)
async def test_a_player_who_is_back_keeps_the_match(
    tmp_path: Path, shut_out: Callable[[Scene], None], let_in: Callable[[Scene], None]
) -> None:
    """The player who tries to call it off reads so, and time runs again."""
    clock = Clock()
    async with timed(tmp_path, clock, "2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        shut_out(scene)
        await scene.later(clock, DAY + 12 * HOUR)
        await scene.later(clock, 12 * HOUR)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        let_in(scene)
        await scene.quiet()
        refused = await scene.press(scene.north, hand, "Call the match off")
        assert "They can play again" in refused.text
        await scene.quiet()
        assert (await first_match(scene)).status is MatchStatus.RUNNING
        assert "stands still" not in scene.table.text
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert ways(hand) == ["Refresh", "Give a day", "My games"]


async def test_a_player_outside_a_private_thread_is_still_a_member(tmp_path: Path) -> None:
    """Their time stands still, and the match can be called off."""
    clock, (world, thread) = Clock(), private_thread()
    async with clubhouse(tmp_path, *[KNOCK_AT_ONCE] * 2, clock=clock, world=world) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = False
        await scene.use(scene.north, "gin challenge", thread, opponent=scene.south, clock="1d flag")
        found = await scene.sandbox.until(lambda: [one for one in scene.south.sees(thread) if "Accept" in labels(one)])
        await scene.press(scene.south, found[-1], "Accept")
        await scene.quiet()
        scene.sandbox.moderation.remove_from_thread(thread, scene.north.user)
        await scene.later(clock, 18 * HOUR)
        await scene.later(clock, 6 * HOUR)
        # North owns the server, and sees every thread there.
        hand = (await scene.use(scene.south, "gin hand", thread)).message
        assert "cannot reach the table" not in hand.text
        await scene.use(scene.north, "gin pass")
        await scene.quiet()
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        await scene.later(clock, 18 * HOUR)
        await scene.later(clock, 6 * HOUR)
        hand = (await scene.use(scene.north, "gin hand", thread)).message
        assert "⁨South⁩ cannot reach the table. You may call the match off" in hand.text


async def test_a_deleted_channel_stops_the_time_of_members(tmp_path: Path) -> None:
    """The other players may call the match off from wherever they are."""
    clock = Clock()
    async with timed(tmp_path, clock, "1d flag", open_dms=False) as scene:
        other = scene.sandbox.channel("quiet-corner")
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.quiet()
        await scene.later(clock, 18 * HOUR)
        await scene.later(clock, 6 * HOUR)
        assert "**you may call it off**" in await scene.ask(scene.south, "games", other)
        hand = (await scene.use(scene.south, "gin hand", other)).message
        assert "was called off" in (await scene.press(scene.south, hand, "Call the match off")).text


async def test_a_paused_match_has_a_way_out(tmp_path: Path) -> None:
    """A player has the button a week after they asked to continue."""
    clock = Clock()
    async with timed(tmp_path, clock, "2d", open_dms=False) as scene:
        for person in (scene.north, scene.south):
            leaving = (await scene.use(person, "gin resign", scene.channel)).message
            await scene.press(person, leaving, "Pause")
        await scene.quiet()
        leave(scene, scene.south)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        await scene.press(scene.north, hand, "Continue")
        await scene.later(clock, 7 * DAY - MINUTE)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert "Call the match off" not in labels(hand)
        await scene.later(clock, MINUTE)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert "You asked to go on a week ago." in hand.text
        assert "was called off" in (await scene.press(scene.north, hand, "Call the match off")).text


async def test_an_early_press_calls_nothing_off(tmp_path: Path) -> None:
    """Before the time is over it only proposes that."""
    clock = Clock()
    async with timed(tmp_path, clock, "2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        hide(scene)
        await scene.later(clock, DAY + 12 * HOUR)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        offered = await click(scene.north, hand, Action.CALL_OFF, 1)
        assert "You have offered to call the match off." in offered.text
        assert (await first_match(scene)).status is MatchStatus.RUNNING


async def test_a_damaged_match_can_be_called_off_by_one_player(tmp_path: Path) -> None:
    """The way to leave it says that it cannot be read, and has the button."""
    async with timed(tmp_path, Clock(), "none", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        action = tables.action.c
        broken = update(tables.action).where(action.text == "0 pass").values(text="0 draw")
        await execute(scene.alive.database, broken)
        scene.alive.app.lookup._units._cache = MatchCache()  # pyright: ignore[reportPrivateUsage]
        damaged = (await scene.use(scene.south, "gin resign", scene.channel)).message
        assert labels(damaged) == ["Call the match off"]
        assert "was called off" in (await scene.press(scene.south, damaged, "Call the match off")).text
        assert (await first_match(scene)).status is MatchStatus.CANCELLED
        await scene.quiet()
        invitation = await scene.invite(scene.north, scene.south)
        await scene.press(scene.south, invitation, "Accept")
