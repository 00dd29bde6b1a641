"""Players who leave the server or are prevented from playing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Forfeit
from bot.model.clocks import Clock as TurnClock
from bot.model.clocks import TimeLeft
from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import MadeCasual, MatchKind, MatchStatus, Proposal
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
from cogs.actions import Action
from cogs.tables.endings import CALLED_OFF
from cogs.turns import hand_text as texts
from cogs.turns.hand_text import MADE_CASUAL
from cogs.turns.leaving_panel import DAMAGED
from cogs.words import clocks
from tests.cogs.scenes import (
    Scene,
    buttons,
    buttons_without_cards,
    latest_with,
    open_match_scene,
    open_scene,
    person_of,
    world_with_private_thread,
)
from tests.cogs.tables.test_times import open_timed_scene
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.databases import execute
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import Players, change_settings, place
from tests.helpers.worlds import stopped_world

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CASUAL_NOTE = MADE_CASUAL[MadeCasual.REMOVER]
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
    """Return a seat's `TimeLeft` in the first match."""
    return (await scene.bot.app.lookup.table(MatchId(1))).times_left[seat]


async def shows_time(scene: Scene, seat: Seat) -> bool:
    """Return True if the table shows the current text about a seat's time."""
    time_text = clocks.times(await scene.match(), {seat: await time_of(scene, seat)})
    return time_text is not None and time_text in scene.table.text


async def hand_of(scene: Scene, person: Person, channel: Channel | None = None) -> Message:
    """Have a person use `/gin hand`, and return the answer."""
    return (await scene.use(person, "gin hand", channel or scene.channel)).message


async def call_off(scene: Scene, person: Person, hand: Message) -> None:
    """Have a person call the match off alone, and check that it ended without a winner."""
    assert (await scene.press(person, hand, Action.CALL_OFF)).text == CALLED_OFF
    match = await scene.match()
    assert (match.status, match.made_casual) == (MatchStatus.CANCELLED, None)


@pytest.mark.thorough
@pytest.mark.parametrize("leave_server", nightly_after(1, [leave, delete_account]))
async def test_a_clock_ends_the_match_of_a_player_who_left(
    tmp_path: Path, leave_server: Callable[[Scene, Person], None]
) -> None:
    """If a player leaves and loses on time, the result counts: the opponent has no permission to remove members."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="1m flag", open_dms=False) as scene:
        leave_server(scene, scene.north)
        await scene.advance_until_idle(clock, MINUTE + 6 * SECOND)
        assert await scene.forfeit() == Forfeit(NORTH, on_time=True)
        end = latest_with(scene.posts, Action.REMATCH)
        assert CASUAL_NOTE not in end.text
        assert (await scene.match()).kind is MatchKind.STANDARD


@pytest.mark.thorough
@pytest.mark.parametrize("leave_server", nightly_after(1, [leave, delete_account]))
async def test_nobody_wins_by_removing_an_opponent(
    tmp_path: Path, leave_server: Callable[[Scene, Person], None]
) -> None:
    """If a player leaves and loses on time to the server's owner, the match becomes casual; a rematch would not be."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "1m flag") as scene:
        await scene.ask(scene.north, "pass")
        leave_server(scene, scene.south)
        await scene.advance_until_idle(clock, MINUTE + 6 * SECOND)
        assert await scene.forfeit() == Forfeit(SOUTH, on_time=True)
        for told in (latest_with(scene.posts, Action.REMATCH), scene.north.direct_messages()[-1]):
            assert CASUAL_NOTE in told.text
        match = await scene.match()
        assert (match.kind, match.terms.kind) == (MatchKind.CASUAL, MatchKind.STANDARD)


async def test_kick_ban_and_manage_permissions_allow_removal(tmp_path: Path) -> None:
    """A member with permission to kick, to ban or to manage the match's channel can remove players; others cannot."""
    world = stopped_world()
    (guild,) = world.bot_guilds()
    role = world.add_role(guild, "moderator", MEMBER_DEFAULTS)
    south = next(member for member in guild.members.values() if member.user.display_name == "South")
    south.roles.append(role.id)
    async with open_scene(tmp_path, world=world) as scene:
        here = place(ChannelId(scene.channel.id), scene.guild_id)

        async def may_remove() -> bool:
            await scene.wait_until_idle()
            return await scene.bot.client.access.may_remove({PersonId(south.user.id)}, here)

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
    """If a player who may remove members claims a match after the opponent left, it becomes casual.

    Here this player is the server's owner. The result says why the match is casual.
    """
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="1d", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        leave(scene, scene.south)
        await scene.advance_until_idle(clock, DAY + 6 * SECOND)
        assert (await time_of(scene, SOUTH)).has_left_server
        assert await shows_time(scene, SOUTH)
        await scene.press(scene.north, await hand_of(scene, scene.north), Action.CLAIM)
        await scene.wait_until_idle()
        assert CASUAL_NOTE in latest_with(scene.posts, Action.REMATCH).text
        assert (await scene.match()).kind is MatchKind.CASUAL


@pytest.mark.thorough
async def test_with_three_players_the_seat_becomes_vacant(tmp_path: Path) -> None:
    """If a player who left loses on time, the seat is vacant; the two others decide if a computer takes it over."""
    clock = Clock()
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        people = (scene.north, scene.south, scene.east)
        players = Players(scene.bot.app, tuple(person_of(person) for person in people))
        await change_settings(scene.bot.app, scene.guild_id, clock=TurnClock.parse("1m flag"))
        match = await players.begin("rotation", ChannelId(scene.channel.id), scene.guild_id)
        await scene.wait_until_idle()
        turn = (await scene.bot.app.lookup.table(match.id)).view.turn
        assert turn is not None
        leave(scene, people[turn])
        await scene.advance_until_idle(clock, MINUTE + 6 * SECOND)
        match = await scene.match()
        assert (match.status, match.vacant_seat) == (MatchStatus.RUNNING, turn)
        assert latest_with(scene.west.sees(scene.channel), Action.PLAY_ON)


@pytest.mark.thorough
async def test_without_a_clock_a_leaver_loses_after_a_week(tmp_path: Path) -> None:
    """The table says after two days that a player left, and the opponent can claim after a week."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "none") as scene:
        leave(scene, scene.north)
        before = len(scene.north.pushes)
        await scene.advance_until_idle(clock, 2 * DAY)
        assert await shows_time(scene, NORTH)
        await scene.advance_until_idle(clock, 5 * DAY)
        await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.CLAIM)
        assert await scene.forfeit() == Forfeit(NORTH, on_time=True)
        assert len(scene.north.pushes) == before


@pytest.mark.thorough
async def test_a_player_who_rejoins_in_time_plays_on(tmp_path: Path) -> None:
    """A player who rejoins in time can move again, and the table no longer says that they left."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="2d", open_dms=False) as scene:
        leave(scene, scene.north)
        await scene.advance_until_idle(clock, DAY + 12 * HOUR)
        assert (await time_of(scene, NORTH)).has_left_server
        scene.sandbox.moderation.join(guild_of(scene.channel), scene.north.user)
        await scene.use(scene.north, "gin games", scene.channel)
        await scene.wait_until_idle()
        assert not (await time_of(scene, NORTH)).has_left_server
        assert await shows_time(scene, NORTH)
        await scene.ask(scene.north, "pass")
        assert (await scene.bot.app.lookup.table(MatchId(1))).view.turn == SOUTH


@pytest.mark.thorough
async def test_a_match_that_both_left_frees_its_channel(tmp_path: Path) -> None:
    """If both players leave a match without a clock, it is called off within eight days."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="none", open_dms=False) as scene:
        leave(scene, scene.north)
        leave(scene, scene.south)
        await scene.advance_until_idle(clock, 8 * DAY)
        assert (await scene.match()).status is MatchStatus.CANCELLED


@pytest.mark.thorough
@pytest.mark.parametrize("fault", nightly_after(1, [Refuse(10004), ServerError(503), Reset(), Refuse(50001)]), ids=str)
async def test_nobody_loses_while_discord_does_not_answer(tmp_path: Path, fault: Refuse | ServerError | Reset) -> None:
    """Only the error for an unknown member means that a player left; after any other error nobody loses."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="1d flag", open_dms=False) as scene:
        scene.sandbox.faults.requests(fault, on="GET /guilds/*", times=1000)
        await scene.advance_until_idle(clock, DAY + 6 * SECOND)
        assert (await scene.match()).status is MatchStatus.RUNNING
        time = await time_of(scene, NORTH)
        assert (time.has_left_server, time.call_off_at) == (False, None)
        scene.sandbox.faults.clear()
        leave(scene, scene.north)
        await scene.advance_until_idle(clock, MINUTE)
        assert (await scene.match()).status is MatchStatus.FINISHED


def hide(scene: Scene) -> None:
    """Hide the channel from South."""
    unseen = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
    scene.sandbox.moderation.set_overwrites(scene.channel, unseen)


def unhide(scene: Scene) -> None:
    """Show the channel to everyone again."""
    scene.sandbox.moderation.set_overwrites(scene.channel)


def time_out(scene: Scene) -> None:
    """Give South a Discord timeout that is longer than the time allowed for a turn."""
    until = scene.bot.app.clock() + 90 * DAY
    scene.sandbox.moderation.time_out(guild_of(scene.channel), scene.south.user, until.timestamp())


def end_time_out(scene: Scene) -> None:
    """End South's timeout."""
    scene.sandbox.moderation.time_out(guild_of(scene.channel), scene.south.user, None)


def rejoin_pending(scene: Scene) -> None:
    """Have South leave and rejoin. South cannot act until they agree to the server's rules."""
    leave(scene, scene.south)
    scene.sandbox.moderation.join(guild_of(scene.channel), scene.south.user, pending=True)


def accept_server_rules(scene: Scene) -> None:
    """Have South agree to the server's rules."""
    guild_of(scene.channel).members[scene.south.id].pending = False


def hide_from_bot(scene: Scene) -> None:
    """Hide the channel from the bot."""
    unseen = member_overwrite(scene.sandbox.world.bot, deny=Permission.VIEW_CHANNEL)
    scene.sandbox.moderation.set_overwrites(scene.channel, unseen)


ABSENCES = [(hide, unhide), (time_out, end_time_out), (hide_from_bot, unhide), (rejoin_pending, accept_server_rules)]


@pytest.mark.thorough
@pytest.mark.parametrize(("shut_out", "let_in"), nightly_after(2, ABSENCES))
async def test_a_player_who_is_back_keeps_the_match(
    tmp_path: Path, shut_out: Callable[[Scene], None], let_in: Callable[[Scene], None]
) -> None:
    """If time runs out for a player who cannot act, the opponent can call the match off until that player is back."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        shut_out(scene)
        await scene.advance_until_idle(clock, DAY + 12 * HOUR)
        assert (await time_of(scene, SOUTH)).call_off_at == clock.now + 12 * HOUR
        early = await hand_of(scene, scene.north)
        assert Action.CALL_OFF not in buttons(early)
        await scene.advance_until_idle(clock, 12 * HOUR)
        hand = await hand_of(scene, scene.north)
        assert Action.CALL_OFF in buttons(hand)
        let_in(scene)
        await scene.wait_until_idle()
        refused = await scene.press(scene.north, hand, Action.CALL_OFF)
        assert scene.error_type(refused) is why.BackAtTable
        await scene.wait_until_idle()
        assert (await scene.match()).status is MatchStatus.RUNNING
        time = await time_of(scene, SOUTH)
        assert (time.call_off_at, time.ends_at is not None) == (None, True)
        assert buttons_without_cards(await hand_of(scene, scene.north)) == [
            Action.REFRESH_HAND,
            Action.GIVE_TIME,
            Action.GAMES,
        ]


@pytest.mark.thorough
@pytest.mark.parametrize(("shut_out", "_"), nightly_after(1, ABSENCES))
async def test_a_match_of_an_excluded_player_can_be_called_off(
    tmp_path: Path, shut_out: Callable[[Scene], None], _: object
) -> None:
    """If a player cannot act, the opponent's hand, list of matches and `/gin resign` offer to call the match off."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        shut_out(scene)
        await scene.advance_until_idle(clock, DAY + 12 * HOUR)
        games = await scene.ask(scene.north, "games")
        await scene.advance_until_idle(clock, 12 * HOUR)
        own = await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
        list_text = await scene.ask(scene.north, "games")
        assert texts.turn_line(own) in list_text
        assert texts.turn_line(own) not in games
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        assert texts.calling_off(own) in leaving.text
        hand = await hand_of(scene, scene.north)
        assert texts.may_call_off(own) in hand.text
        await call_off(scene, scene.north, hand)


@pytest.mark.nightly
async def test_a_player_outside_a_private_thread_does_not_lose(tmp_path: Path) -> None:
    """If a player was removed from the match's private thread, the opponent can call the match off, but not win it."""
    clock, (world, thread) = Clock(), world_with_private_thread()
    async with open_scene(tmp_path, *[IMMEDIATE_KNOCK] * 2, clock=clock, world=world) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = False
        await scene.use(scene.north, "gin challenge", thread, opponent=scene.south, clock="1d flag")
        invitations = await scene.sandbox.until(
            lambda: [see for see in scene.south.sees(thread) if Action.ACCEPT in buttons(see)]
        )
        await scene.press(scene.south, invitations[-1], Action.ACCEPT)
        await scene.wait_until_idle()
        for person, other in ((scene.north, scene.south), (scene.south, scene.north)):
            scene.sandbox.moderation.remove_from_thread(thread, person.user)
            await scene.advance_until_idle(clock, 18 * HOUR)
            await scene.advance_until_idle(clock, 6 * HOUR)
            # North owns the server, so still sees the thread after being removed: South cannot call the match off.
            assert (Action.CALL_OFF in buttons(await hand_of(scene, other, thread))) == (person is scene.south)
            if person is scene.north:
                await scene.use(scene.north, "gin pass")
                await scene.wait_until_idle()


@pytest.mark.thorough
async def test_a_deleted_channel_stops_the_clock(tmp_path: Path) -> None:
    """If the match's channel was deleted, nobody loses on time, and a player can call the match off elsewhere."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="1d flag", open_dms=False) as scene:
        other = scene.sandbox.channel("quiet-corner")
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.wait_until_idle()
        await scene.advance_until_idle(clock, 18 * HOUR)
        await scene.advance_until_idle(clock, 6 * HOUR)
        await call_off(scene, scene.south, await hand_of(scene, scene.south, other))


@pytest.mark.thorough
async def test_a_paused_match_can_be_called_off_after_a_week(tmp_path: Path) -> None:
    """A player who asked to continue a paused match can call it off alone a week later."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="2d", open_dms=False) as scene:
        for person in (scene.north, scene.south):
            leaving = (await scene.use(person, "gin resign", scene.channel)).message
            await scene.press(person, leaving, Action.PAUSE)
        await scene.wait_until_idle()
        leave(scene, scene.south)
        await scene.press(scene.north, await hand_of(scene, scene.north), Action.CONTINUE)
        await scene.advance_until_idle(clock, 7 * DAY - MINUTE)
        assert Action.CALL_OFF not in buttons(await hand_of(scene, scene.north))
        await scene.advance_until_idle(clock, MINUTE)
        hand = await hand_of(scene, scene.north)
        own = await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
        assert texts.may_call_off(own) in hand.text
        await call_off(scene, scene.north, hand)


@pytest.mark.thorough
async def test_an_early_call_off_is_only_an_offer(tmp_path: Path) -> None:
    """Until an absent player's time is up, the opponent's *Call off* only makes an offer."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="2d flag", open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        hide(scene)
        await scene.advance_until_idle(clock, DAY + 12 * HOUR)
        await click(scene.north, await hand_of(scene, scene.north), Action.CALL_OFF, 1)
        match = await scene.match()
        assert (match.status, match.seats_proposing(Proposal.CANCEL)) == (MatchStatus.RUNNING, [NORTH])


@pytest.mark.thorough
async def test_a_damaged_match_can_be_called_off_by_one_player(tmp_path: Path) -> None:
    """If a match cannot be loaded, `/gin resign` only offers to call it off; afterwards the channel is free."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        action = tables.action.c
        broken = update(tables.action).where(action.text == "0 pass").values(text="0 draw")
        await execute(scene.bot.database, broken)
        scene.bot.app.lookup._units.cache = MatchCache()  # pyright: ignore[reportPrivateUsage]
        leaving = await scene.use(scene.south, "gin resign", scene.channel)
        assert scene.error_type(leaving) is why.Damaged
        assert [(control.action, control.event.argument) for control in controls(leaving.message)] == [
            (Action.CALL_OFF, DAMAGED)
        ]
        await call_off(scene, scene.south, leaving.message)
        await scene.wait_until_idle()
        invitation = await scene.invite(scene.north, scene.south)
        await scene.press(scene.south, invitation, Action.ACCEPT)
        assert (await scene.match(2)).channel_id == scene.channel.id
