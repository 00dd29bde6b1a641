"""Players who leave the server or are prevented from playing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from bot.engine.match import Forfeit
from bot.engine.moves import Seat
from bot.play import refusals as why
from bot.play.loading.loaded_match import MatchCache
from bot.sandbox import (
    MEMBER_DEFAULTS,
    Channel,
    Guild,
    Message,
    Permission,
    Person,
    Refuse,
    Reset,
    ServerError,
    member_overwrite,
)
from bot.store import tables
from bot.values.clocks import Clock as TurnClock
from bot.values.clocks import TimeLeft
from bot.values.ids import ChannelId, MatchId, PersonId
from bot.values.matches import MadeCasual, MatchKind, MatchStatus, Proposal
from cogs.features.endings import CALLED_OFF
from cogs.kit.actions import Action
from cogs.panels.hand import DAMAGED
from cogs.text import clocks
from cogs.text import hand as texts
from cogs.text.hand import MADE_CASUAL
from tests.cogs.features.test_times import timed
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, latest, person_of, private_thread, ways
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.databases import execute
from tests.helpers.forgery import click
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import Players, change_settings, place
from tests.helpers.worlds import stopped_world

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CASUAL = MADE_CASUAL[MadeCasual.REMOVER]
NORTH, SOUTH = Seat(0), Seat(1)


def guild_of(channel: Channel) -> Guild:
    """Return the server of a channel."""
    assert channel.guild is not None
    return channel.guild


def leave(scene: Scene, person: Person) -> None:
    """Have a person leave the server. A kick or a ban looks the same to the bot."""
    scene.sandbox.moderation.leave(guild_of(scene.channel), person.user)


def delete_account(scene: Scene, person: Person) -> None:
    """Have a person delete their account."""
    scene.sandbox.moderation.delete_account(person.user)


async def time_of(scene: Scene, seat: Seat) -> TimeLeft:
    """Return the time of a seat in the first match."""
    return (await scene.alive.app.lookup.table(MatchId(1))).times[seat]


async def tells_time(scene: Scene, seat: Seat) -> bool:
    """Return True if the table shows the state of a seat's time."""
    told = clocks.times(await scene.match(), {seat: await time_of(scene, seat)})
    return told is not None and told in scene.table.text


async def hand_of(scene: Scene, person: Person, channel: Channel | None = None) -> Message:
    """Have a person use `/gin hand`, and return the answer."""
    return (await scene.use(person, "gin hand", channel or scene.channel)).message


async def call_off(scene: Scene, person: Person, hand: Message) -> None:
    """Have a person call the match off alone, and check that it ended without a winner."""
    assert (await scene.press(person, hand, Action.CALL_OFF)).text == CALLED_OFF
    match = await scene.match()
    assert (match.status, match.made_casual) == (MatchStatus.CANCELLED, None)


@pytest.mark.thorough
@pytest.mark.parametrize("go", nightly_after(1, [leave, delete_account]))
async def test_a_clock_ends_the_match_of_a_player_who_left(tmp_path: Path, go: Callable[[Scene, Person], None]) -> None:
    """The leaver loses on time. The result counts even if they own the server, since the opponent cannot kick them."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="1m flag", open_dms=False) as scene:
        go(scene, scene.north)
        await scene.later(clock, MINUTE + 6 * SECOND)
        assert await scene.forfeit() == Forfeit(NORTH, on_time=True)
        end = latest(scene.posts, Action.REMATCH)
        assert CASUAL not in end.text
        assert (await scene.match()).kind is MatchKind.STANDARD


@pytest.mark.thorough
@pytest.mark.parametrize("go", nightly_after(1, [leave, delete_account]))
async def test_nobody_wins_by_removing_an_opponent(tmp_path: Path, go: Callable[[Scene, Person], None]) -> None:
    """If North owns the server, South's loss is casual, the result says why, and a rematch would count."""
    clock = Clock()
    async with timed(tmp_path, clock, "1m flag") as scene:
        await scene.ask(scene.north, "pass")
        go(scene, scene.south)
        await scene.later(clock, MINUTE + 6 * SECOND)
        assert await scene.forfeit() == Forfeit(SOUTH, on_time=True)
        for told in (latest(scene.posts, Action.REMATCH), scene.north.direct_messages()[-1]):
            assert CASUAL in told.text
        match = await scene.match()
        assert (match.kind, match.terms.kind) == (MatchKind.CASUAL, MatchKind.STANDARD)


async def test_each_right_to_remove_counts(tmp_path: Path) -> None:
    """Kicking, banning and managing channels count, the last one also as a channel permission; others do not."""
    world = stopped_world()
    (guild,) = world.bot_guilds()
    role = world.add_role(guild, "moderator", MEMBER_DEFAULTS)
    south = next(member for member in guild.members.values() if member.user.display_name == "South")
    south.roles.append(role.id)
    async with clubhouse(tmp_path, world=world) as scene:
        here = place(ChannelId(scene.channel.id), scene.guild_id)

        async def may_remove() -> bool:
            await scene.quiet()
            return await scene.alive.client.access.may_remove({PersonId(south.user.id)}, here)

        for right, counts in (
            (Permission.KICK_MEMBERS, True),
            (Permission.BAN_MEMBERS, True),
            (Permission.MANAGE_CHANNELS, True),
            (Permission.ADMINISTRATOR, True),
            (Permission.MANAGE_MESSAGES, False),
        ):
            scene.sandbox.moderation.set_role(guild, role, MEMBER_DEFAULTS | right)
            assert await may_remove() == counts, right
        allowed = member_overwrite(south.user, allow=Permission.MANAGE_CHANNELS)
        scene.sandbox.moderation.set_overwrites(scene.channel, allowed)
        assert await may_remove()


@pytest.mark.thorough
async def test_a_claim_by_somebody_who_may_remove_is_casual(tmp_path: Path) -> None:
    """The table says that the opponent left, and the result says why the match does not count."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="1d", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        leave(scene, scene.south)
        await scene.later(clock, DAY + 6 * SECOND)
        assert (await time_of(scene, SOUTH)).gone
        assert await tells_time(scene, SOUTH)
        await scene.press(scene.north, await hand_of(scene, scene.north), Action.CLAIM)
        await scene.quiet()
        assert CASUAL in latest(scene.posts, Action.REMATCH).text
        assert (await scene.match()).kind is MatchKind.CASUAL


@pytest.mark.thorough
async def test_at_a_table_of_three_a_seat_becomes_vacant(tmp_path: Path) -> None:
    """A leaver loses the seat on time, and the others decide if a computer plays on."""
    clock = Clock()
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        people = (scene.north, scene.south, scene.east)
        players = Players(scene.alive.app, tuple(person_of(one) for one in people))
        await change_settings(scene.alive.app, scene.guild_id, clock=TurnClock.parse("1m flag"))
        match = await players.begin("rotation", ChannelId(scene.channel.id), scene.guild_id)
        await scene.quiet()
        turn = (await scene.alive.app.lookup.table(match.id)).view.turn
        assert turn is not None
        leave(scene, people[turn])
        await scene.later(clock, MINUTE + 6 * SECOND)
        match = await scene.match()
        assert (match.status, match.vacant_seat) == (MatchStatus.RUNNING, turn)
        assert latest(scene.west.sees(scene.channel), Action.PLAY_ON)


@pytest.mark.thorough
async def test_without_a_clock_a_week_is_enough(tmp_path: Path) -> None:
    """From the first reminder on, the table says that the player left; the claim works, and nothing is sent to them."""
    clock = Clock()
    async with timed(tmp_path, clock, "none") as scene:
        leave(scene, scene.north)
        before = len(scene.north.pushes)
        await scene.later(clock, 2 * DAY)
        assert await tells_time(scene, NORTH)
        await scene.later(clock, 5 * DAY)
        await scene.press(scene.south, await scene.hand(scene.south), Action.CLAIM)
        assert await scene.forfeit() == Forfeit(NORTH, on_time=True)
        assert len(scene.north.pushes) == before


@pytest.mark.thorough
async def test_a_player_who_rejoins_in_time_plays_on(tmp_path: Path) -> None:
    """The table no longer says that they left, and they lose nothing."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="2d", open_dms=False) as scene:
        leave(scene, scene.north)
        await scene.later(clock, DAY + 12 * HOUR)
        assert (await time_of(scene, NORTH)).gone
        scene.sandbox.moderation.join(guild_of(scene.channel), scene.north.user)
        await scene.use(scene.north, "gin games", scene.channel)
        await scene.quiet()
        assert not (await time_of(scene, NORTH)).gone
        assert await tells_time(scene, NORTH)
        await scene.ask(scene.north, "pass")
        assert (await scene.alive.app.lookup.table(MatchId(1))).view.turn == SOUTH


@pytest.mark.thorough
async def test_a_match_that_both_left_frees_its_channel(tmp_path: Path) -> None:
    """It is called off when the time of the player whose turn it is runs out."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="none", open_dms=False) as scene:
        leave(scene, scene.north)
        leave(scene, scene.south)
        await scene.later(clock, 8 * DAY)
        assert (await scene.match()).status is MatchStatus.CANCELLED


@pytest.mark.thorough
@pytest.mark.parametrize("fault", nightly_after(1, [Refuse(10004), ServerError(503), Reset(), Refuse(50001)]), ids=str)
async def test_nobody_loses_at_once_while_discord_does_not_say(
    tmp_path: Path, fault: Refuse | ServerError | Reset
) -> None:
    """Only the error for an unknown member means that a player left; after any other error nobody loses."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="1d flag", open_dms=False) as scene:
        scene.sandbox.faults.requests(fault, on="GET /guilds/*", times=1000)
        await scene.later(clock, DAY + 6 * SECOND)
        assert (await scene.match()).status is MatchStatus.RUNNING
        time = await time_of(scene, NORTH)
        assert (time.gone, time.call_off_at) == (False, None)
        scene.sandbox.faults.clear()
        leave(scene, scene.north)
        await scene.later(clock, MINUTE)
        assert (await scene.match()).status is MatchStatus.FINISHED


def hide(scene: Scene) -> None:
    """Hide the channel from South."""
    unseen = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
    scene.sandbox.moderation.set_overwrites(scene.channel, unseen)


def show(scene: Scene) -> None:
    """Show the channel to everyone again."""
    scene.sandbox.moderation.set_overwrites(scene.channel)


def time_out(scene: Scene) -> None:
    """Time South out for longer than the clock."""
    until = scene.alive.app.clock() + 90 * DAY
    scene.sandbox.moderation.time_out(guild_of(scene.channel), scene.south.user, until.timestamp())


def end_time_out(scene: Scene) -> None:
    """End South's timeout."""
    scene.sandbox.moderation.time_out(guild_of(scene.channel), scene.south.user, None)


def screen(scene: Scene) -> None:
    """Have South leave and rejoin; they must first agree to the server's rules."""
    leave(scene, scene.south)
    scene.sandbox.moderation.join(guild_of(scene.channel), scene.south.user, pending=True)


def agree(scene: Scene) -> None:
    """Have South agree to the server's rules."""
    guild_of(scene.channel).members[scene.south.id].pending = False


def blindfold(scene: Scene) -> None:
    """Hide the channel from the bot."""
    unseen = member_overwrite(scene.sandbox.world.bot, deny=Permission.VIEW_CHANNEL)
    scene.sandbox.moderation.set_overwrites(scene.channel, unseen)


WAYS = [(hide, show), (time_out, end_time_out), (blindfold, show), (screen, agree)]


@pytest.mark.thorough
@pytest.mark.parametrize(("shut_out", "let_in"), nightly_after(2, WAYS))
async def test_a_player_who_is_back_keeps_the_match(
    tmp_path: Path, shut_out: Callable[[Scene], None], let_in: Callable[[Scene], None]
) -> None:
    """After the clock ends, the opponent may call the match off, unless the player can act again by then."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        shut_out(scene)
        await scene.later(clock, DAY + 12 * HOUR)
        assert (await time_of(scene, SOUTH)).call_off_at == clock.now + 12 * HOUR
        early = await hand_of(scene, scene.north)
        assert Action.CALL_OFF not in buttons(early)
        await scene.later(clock, 12 * HOUR)
        hand = await hand_of(scene, scene.north)
        assert Action.CALL_OFF in buttons(hand)
        let_in(scene)
        await scene.quiet()
        refused = await scene.press(scene.north, hand, Action.CALL_OFF)
        assert scene.refusal(refused) is why.BackAtTable
        await scene.quiet()
        assert (await scene.match()).status is MatchStatus.RUNNING
        time = await time_of(scene, SOUTH)
        assert (time.call_off_at, time.ends_at is not None) == (None, True)
        assert ways(await hand_of(scene, scene.north)) == [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]


@pytest.mark.thorough
@pytest.mark.parametrize(("shut_out", "_"), nightly_after(1, WAYS))
async def test_a_match_can_be_called_off_whose_player_is_kept_from_it(
    tmp_path: Path, shut_out: Callable[[Scene], None], _: object
) -> None:
    """The hand, the list of matches and *Pause or leave* say that the match can be called off; nobody loses."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        shut_out(scene)
        await scene.later(clock, DAY + 12 * HOUR)
        games = await scene.ask(scene.north, "games")
        await scene.later(clock, 12 * HOUR)
        own = await scene.alive.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
        told = await scene.ask(scene.north, "games")
        assert texts.turn_line(own) in told
        assert texts.turn_line(own) not in games
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        assert texts.calling_off(own) in leaving.text
        hand = await hand_of(scene, scene.north)
        assert texts.may_call_off(own) in hand.text
        await call_off(scene, scene.north, hand)


@pytest.mark.nightly
async def test_a_player_outside_a_private_thread_is_still_a_member(tmp_path: Path) -> None:
    """Outside a private thread, a player's clock stops, and the match can be called off."""
    clock, (world, thread) = Clock(), private_thread()
    async with clubhouse(tmp_path, *[KNOCK_AT_ONCE] * 2, clock=clock, world=world) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = False
        await scene.use(scene.north, "gin challenge", thread, opponent=scene.south, clock="1d flag")
        found = await scene.sandbox.until(
            lambda: [one for one in scene.south.sees(thread) if Action.ACCEPT in buttons(one)]
        )
        await scene.press(scene.south, found[-1], Action.ACCEPT)
        await scene.quiet()
        for person, other in ((scene.north, scene.south), (scene.south, scene.north)):
            scene.sandbox.moderation.remove_from_thread(thread, person.user)
            await scene.later(clock, 18 * HOUR)
            await scene.later(clock, 6 * HOUR)
            # North owns the server and can see all of its threads.
            assert (Action.CALL_OFF in buttons(await hand_of(scene, other, thread))) == (person is scene.south)
            if person is scene.north:
                await scene.use(scene.north, "gin pass")
                await scene.quiet()


@pytest.mark.thorough
async def test_a_deleted_channel_stops_the_time_of_members(tmp_path: Path) -> None:
    """The players can call the match off from any channel."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="1d flag", open_dms=False) as scene:
        other = scene.sandbox.channel("quiet-corner")
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.quiet()
        await scene.later(clock, 18 * HOUR)
        await scene.later(clock, 6 * HOUR)
        await call_off(scene, scene.south, await hand_of(scene, scene.south, other))


@pytest.mark.thorough
async def test_a_paused_match_has_a_way_out(tmp_path: Path) -> None:
    """A player can call off a paused match a week after they asked to continue."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="2d", open_dms=False) as scene:
        for person in (scene.north, scene.south):
            leaving = (await scene.use(person, "gin resign", scene.channel)).message
            await scene.press(person, leaving, Action.PAUSE)
        await scene.quiet()
        leave(scene, scene.south)
        await scene.press(scene.north, await hand_of(scene, scene.north), Action.CONTINUE)
        await scene.later(clock, 7 * DAY - MINUTE)
        assert Action.CALL_OFF not in buttons(await hand_of(scene, scene.north))
        await scene.later(clock, MINUTE)
        hand = await hand_of(scene, scene.north)
        own = await scene.alive.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
        assert texts.may_call_off(own) in hand.text
        await call_off(scene, scene.north, hand)


@pytest.mark.nightly
async def test_an_early_press_calls_nothing_off(tmp_path: Path) -> None:
    """Before the time is over, *Call off* only makes an offer."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, limit="2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        hide(scene)
        await scene.later(clock, DAY + 12 * HOUR)
        await click(scene.north, await hand_of(scene, scene.north), Action.CALL_OFF, 1)
        match = await scene.match()
        assert (match.status, match.proposing(Proposal.CANCEL)) == (MatchStatus.RUNNING, [NORTH])


@pytest.mark.nightly
async def test_a_damaged_match_can_be_called_off_by_one_player(tmp_path: Path) -> None:
    """`/gin resign` has only the button to call it off, and the channel is free afterwards."""
    async with at_table(tmp_path, open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        action = tables.action.c
        broken = update(tables.action).where(action.text == "0 pass").values(text="0 draw")
        await execute(scene.alive.database, broken)
        scene.alive.app.lookup._units._cache = MatchCache()  # pyright: ignore[reportPrivateUsage]
        leaving = await scene.use(scene.south, "gin resign", scene.channel)
        assert scene.refusal(leaving) is why.Damaged
        assert [(one.action, one.event.argument) for one in controls(leaving.message)] == [(Action.CALL_OFF, DAMAGED)]
        await call_off(scene, scene.south, leaving.message)
        await scene.quiet()
        invitation = await scene.invite(scene.north, scene.south)
        await scene.press(scene.south, invitation, Action.ACCEPT)
        assert (await scene.match(2)).channel_id == scene.channel.id
