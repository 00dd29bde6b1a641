"""Lobbies: joining, inviting, leaving and starting."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import PersonId
from bot.model.matches import MatchKind, MatchStatus
from bot.model.outbox import MessageKind
from bot.model.people import Challengers
from bot.model.statistics import Category
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.refusals import (
    AlreadyIn,
    ChallengeClosed,
    ChannelBusy,
    Frozen,
    NoPlaceLeft,
    NoTeams,
    NotEnoughPlayers,
    NotForYou,
    NotWelcome,
    NotWithYourself,
    TooManyNamed,
    WrongNumber,
)
from tests.helpers.cases import thorough_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Person,
    Players,
    interaction,
    place,
    prefer,
)
from tests.play.boards import full_standings

FIFTH = Person(PersonId(2**62 + 5), "Fifth")


async def issue_by_north(app: Application, rules: str, *named: Person) -> Challenge:
    names = [person.id for person in named]
    return await app.challenges.issue(NORTH, names, place(), interaction(), rules=rules)


async def join(app: Application, challenge: Challenge, *people: Person) -> Challenge:
    for person in people:
        challenge, match = await app.challenges.accept(person, challenge.id)
        assert match is None
    return challenge


def player_ids_and_free_seats(challenge: Challenge) -> tuple[list[int | None], list[int | None], int]:
    """Return a challenge's player ids, the ids of the people it names, and its number of free seats."""
    return [player.id for player in challenge.players], [player.id for player in challenge.named], challenge.open_places


@pytest.mark.parametrize(
    ("rules", "min_players", "max_players"),
    thorough_after(1, [("penalty", 2, 4), ("rotation", 3, 3), ("winner_stays", 3, 3), ("partners", 4, 4)]),
)
async def test_a_lobby_has_the_seats_of_its_format(
    app: Application, rules: str, min_players: int, max_players: int
) -> None:
    """A lobby has the seats of its format: it needs enough players to start, and nobody can join when it is full."""
    lobby = await issue_by_north(app, rules)
    assert (lobby.seats[0], lobby.seats[-1], lobby.is_lobby, lobby.open_places) == (
        min_players,
        max_players,
        True,
        max_players - 1,
    )
    others = [SOUTH, EAST, WEST]
    for count in range(1, max_players + 1):
        assert lobby.can_start == (count >= min_players)
        if count < min_players:
            with pytest.raises(NotEnoughPlayers) as few:
                await app.lobbies.start(NORTH.id, lobby.id)
            assert few.value.challenge == lobby
        if count < max_players:
            lobby = await join(app, lobby, others[count - 1])
    with pytest.raises(NoPlaceLeft) as full:
        await app.challenges.accept(FIFTH, lobby.id)
    assert full.value.challenge == lobby
    started, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert [player.id for player in match.players] == [person.id for person in (NORTH, *others)][:max_players]
    assert (started.status, started.match_id) == (ChallengeStatus.ACCEPTED, match.id)
    assert (match.status, match.ruleset, match.channel_id) == (MatchStatus.RUNNING, rules, CHANNEL)


async def test_a_full_lobby_waits_for_its_challenger(app: Application, clock: Clock) -> None:
    """A full lobby does not start automatically: only its challenger can start it, until it expires."""
    lobby = await join(app, await issue_by_north(app, "rotation"), SOUTH, EAST)
    assert await app.guilds.running(GUILD) == ()
    for person in (SOUTH, WEST):
        with pytest.raises(NotForYou):
            await app.lobbies.start(person.id, lobby.id)
    clock.pass_by(timedelta(days=1))
    with pytest.raises(ChallengeClosed):
        await app.lobbies.start(NORTH.id, lobby.id)
    await app.challenges.expire()
    assert await app.challenges.joined(SOUTH.id) == ()


async def test_a_named_persons_seat_is_reserved(app: Application) -> None:
    """A named person's seat is reserved until they decline; then it is open to anyone."""
    lobby = await join(app, await issue_by_north(app, "partners", SOUTH, EAST), WEST)
    assert player_ids_and_free_seats(lobby) == ([NORTH.id, WEST.id], [SOUTH.id, EAST.id], 0)
    with pytest.raises(NoPlaceLeft):
        await app.challenges.accept(FIFTH, lobby.id)
    lobby = await app.challenges.decline(SOUTH.id, lobby.id)
    assert (lobby.status, lobby.open_places) == (ChallengeStatus.PENDING, 1)
    assert lobby.revision > 1
    with pytest.raises(NotForYou):
        await app.challenges.decline(SOUTH.id, lobby.id)
    lobby = await join(app, lobby, FIFTH, EAST)
    assert player_ids_and_free_seats(lobby) == ([NORTH.id, WEST.id, FIFTH.id, EAST.id], [], 0)
    _, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert [player.name for player in match.players] == ["North", "West", "Fifth", "East"]


async def test_leaving_before_the_start(app: Application) -> None:
    """People who joined can leave, which frees their seats. The challenger cannot leave, only withdraw the lobby."""
    lobby = await join(app, await issue_by_north(app, "penalty", SOUTH), SOUTH, EAST)
    assert [challenge.id for challenge in await app.challenges.joined(SOUTH.id)] == [lobby.id]
    for person, refusal in ((NORTH, NotForYou), (SOUTH, AlreadyIn)):
        with pytest.raises(refusal):
            await app.challenges.accept(person, lobby.id)
    with pytest.raises(AlreadyIn):
        await app.challenges.decline(SOUTH.id, lobby.id)
    lobby = await app.lobbies.leave(SOUTH.id, lobby.id)
    assert player_ids_and_free_seats(lobby) == ([NORTH.id, EAST.id], [], 2)
    for person in (NORTH, SOUTH, WEST):
        with pytest.raises(NotForYou):
            await app.lobbies.leave(person.id, lobby.id)
    assert await app.challenges.joined(SOUTH.id) == ()
    _, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert len(match.players) == 2
    with pytest.raises(ChallengeClosed):
        await app.lobbies.leave(EAST.id, lobby.id)


async def test_the_match_starts_without_those_who_did_not_answer(app: Application) -> None:
    """A lobby with enough players can start before all named people answer. Nobody can accept after the start."""
    lobby = await join(app, await issue_by_north(app, "penalty", SOUTH, WEST), EAST)
    started, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert player_ids_and_free_seats(started) == ([NORTH.id, EAST.id], [], 2)
    assert len(match.players) == 2
    assert await app.challenges.open_to(SOUTH.id, GUILD) == ()
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, lobby.id)


async def test_withdrawing_closes_a_lobby(app: Application) -> None:
    """Only the challenger can withdraw a lobby, and then nobody can join or be named."""
    lobby = await join(app, await issue_by_north(app, "partners"), SOUTH)
    with pytest.raises(NotForYou):
        await app.challenges.withdraw(SOUTH.id, lobby.id)
    assert (await app.challenges.withdraw(NORTH.id, lobby.id)).status is ChallengeStatus.WITHDRAWN
    with pytest.raises(ChallengeClosed):
        await join(app, lobby, EAST)
    with pytest.raises(ChallengeClosed):
        await app.lobbies.invite(NORTH.id, lobby.id, [EAST.id])


async def test_naming_people_later(app: Application) -> None:
    """The challenger can reserve free seats for more people later. Naming somebody again has no effect."""
    lobby = await join(app, await issue_by_north(app, "partners", SOUTH), EAST)
    with pytest.raises(NotForYou):
        await app.lobbies.invite(EAST.id, lobby.id, [WEST.id])
    with pytest.raises(NotWithYourself):
        await app.lobbies.invite(NORTH.id, lobby.id, [NORTH.id])
    with pytest.raises(AlreadyIn):
        await app.lobbies.invite(NORTH.id, lobby.id, [EAST.id])
    with pytest.raises(NoPlaceLeft):
        await app.lobbies.invite(NORTH.id, lobby.id, [WEST.id, FIFTH.id])
    lobby = await app.lobbies.invite(NORTH.id, lobby.id, [SOUTH.id, WEST.id, WEST.id])
    assert player_ids_and_free_seats(lobby) == ([NORTH.id, EAST.id], [SOUTH.id, WEST.id], 0)
    assert [challenge.id for challenge in await app.challenges.open_to(WEST.id, GUILD)] == [lobby.id]


async def test_people_who_take_no_challenges_cannot_be_named(app: Application) -> None:
    """If one named person takes no challenges, the whole challenge or invitation is refused."""
    await prefer(app, EAST, challengers=Challengers.NOBODY)
    with pytest.raises(NotWelcome) as caught:
        await issue_by_north(app, "rotation", SOUTH, EAST)
    assert caught.value.opponent_id == EAST.id
    lobby = await issue_by_north(app, "rotation", SOUTH)
    with pytest.raises(NotWelcome):
        await app.lobbies.invite(NORTH.id, lobby.id, [EAST.id])
    await join(app, lobby, EAST)


async def test_no_more_people_can_be_named_than_seats(app: Application) -> None:
    """No more people can be named than there are seats; duplicates count once, and nobody can name themselves."""
    with pytest.raises(TooManyNamed) as caught:
        await issue_by_north(app, "classic", SOUTH, EAST)
    assert caught.value.maximum == 1
    with pytest.raises(TooManyNamed):
        await issue_by_north(app, "rotation", SOUTH, EAST, WEST)
    with pytest.raises(NotWithYourself):
        await issue_by_north(app, "rotation", SOUTH, NORTH)
    challenge = await issue_by_north(app, "classic", SOUTH, SOUTH)
    assert challenge.opponent is not None
    assert (challenge.opponent.id, challenge.is_lobby) == (SOUTH.id, False)


@pytest.mark.thorough
async def test_changing_teams_goes_through_three_pairings(app: Application, players: Players) -> None:
    """Changing teams cycles through the challenger's three possible partners, and the match is seated accordingly."""
    lobby = await join(app, await issue_by_north(app, "partners"), SOUTH, EAST)
    with pytest.raises(NotEnoughPlayers):
        await app.lobbies.change_teams(NORTH.id, lobby.id)
    lobby = await join(app, lobby, WEST)
    with pytest.raises(NotForYou):
        await app.lobbies.change_teams(SOUTH.id, lobby.id)
    partners: list[str | None] = []
    for _ in range(3):
        (north, partner), _ = lobby.teams
        assert north.name == "North"
        partners.append(partner.name)
        lobby = await app.lobbies.change_teams(NORTH.id, lobby.id)
    assert partners == ["East", "South", "West"]
    lobby = await app.lobbies.change_teams(NORTH.id, lobby.id)
    _, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert tuple((match.players[one], match.players[other]) for one, other in ((0, 2), (1, 3))) == lobby.teams
    assert lobby.teams[0][1].name == "South"
    rotation = await issue_by_north(app, "rotation")
    with pytest.raises(NoTeams):
        await app.lobbies.change_teams(NORTH.id, rotation.id)
    rotation = await join(app, rotation, SOUTH, EAST)
    assert rotation.teams == ()
    with pytest.raises(NoTeams):
        await app.lobbies.change_teams(NORTH.id, rotation.id)


@pytest.mark.parametrize("turns", [0, 3])
async def test_simultaneous_joins_for_the_last_seat(app: Application, turns: int) -> None:
    """Of several people who try to take the last seat simultaneously, one gets it and the others get `NoPlaceLeft`."""
    lobby = await join(app, await issue_by_north(app, "rotation"), SOUTH)

    async def late(person: Person) -> object:
        for _ in range(turns):
            await asyncio.sleep(0)
        return await app.challenges.accept(person, lobby.id)

    results = await asyncio.gather(
        app.challenges.accept(EAST, lobby.id), late(WEST), late(FIFTH), return_exceptions=True
    )
    assert sum(isinstance(result, NoPlaceLeft) for result in results) == 2
    (lobby_now,) = await app.challenges.own(NORTH.id)
    assert (len(lobby_now.players), lobby_now.open_places) == (3, 0)


async def test_leaving_and_starting_simultaneously(app: Application) -> None:
    """If a needed player leaves while a lobby starts, only one of the two succeeds: leaving or starting."""
    lobby = await join(app, await issue_by_north(app, "rotation"), SOUTH, EAST)
    results = await asyncio.gather(
        app.lobbies.leave(EAST.id, lobby.id), app.lobbies.start(NORTH.id, lobby.id), return_exceptions=True
    )
    leave_failed, start_failed = (isinstance(result, BaseException) for result in results)
    assert leave_failed != start_failed
    assert [len(match.players) for match in await app.guilds.running(GUILD)] == ([] if start_failed else [3])


@pytest.mark.thorough
async def test_a_lobby_in_a_busy_channel(app: Application, players: Players) -> None:
    """Starting a lobby in a busy channel is refused, and the lobby can start in another channel."""
    await players.begin()
    lobby = await join(app, await issue_by_north(app, "penalty"), EAST)
    with pytest.raises(ChannelBusy):
        await app.lobbies.start(NORTH.id, lobby.id)
    assert await app.challenges.own(NORTH.id) == (lobby,)
    _, match = await app.lobbies.start(NORTH.id, lobby.id, ELSEWHERE)
    assert match.channel_id == ELSEWHERE


async def test_lobbies_that_can_be_joined(app: Application) -> None:
    """A person sees invitations by name first, then lobbies with free seats, but no full lobbies and not their own."""
    free, full = await issue_by_north(app, "penalty", SOUTH), await issue_by_north(app, "rotation", SOUTH, EAST)
    assert [challenge.id for challenge in await app.challenges.open_to(EAST.id, GUILD)] == [full.id, free.id]
    assert [challenge.id for challenge in await app.challenges.open_to(WEST.id, GUILD)] == [free.id]
    await join(app, free, WEST)
    assert await app.challenges.open_to(WEST.id, GUILD) == ()
    assert await app.challenges.open_to(NORTH.id, GUILD) == ()


@pytest.mark.thorough
async def test_the_message_of_a_lobby_is_kept_up_to_date(app: Application, courier: FakeCourier) -> None:
    """Several changes of a lobby between two deliveries edit its message once."""
    lobby = await issue_by_north(app, "partners", SOUTH)
    await courier.deliver()
    lobby = await join(app, lobby, EAST)
    lobby = await app.challenges.decline(SOUTH.id, lobby.id)
    lobby = await join(app, lobby, WEST)
    lobby = await app.lobbies.leave(WEST.id, lobby.id)
    await courier.deliver()
    (message,) = courier.of_kind(MessageKind.CHALLENGE)
    assert (message.shown.content, message.edits) == (lobby, 1)


@pytest.mark.nightly
async def test_people_named_later_are_notified(app: Application, courier: FakeCourier) -> None:
    """If people are named later, the lobby's message is posted again, because an edit would not notify them."""
    lobby = await issue_by_north(app, "partners", SOUTH)
    await courier.deliver()
    lobby = await app.lobbies.invite(NORTH.id, lobby.id, [WEST.id, SOUTH.id])
    assert await courier.deliver() == [("post", MessageKind.CHALLENGE), ("remove", MessageKind.CHALLENGE)]
    (message,) = courier.of_kind(MessageKind.CHALLENGE)
    assert (message.shown.content, message.edits, message.notifies) == (lobby, 0, True)
    await app.lobbies.invite(NORTH.id, lobby.id, [WEST.id])
    assert await courier.deliver() == [("edit", MessageKind.CHALLENGE)]


@pytest.mark.nightly
async def test_forgotten_people_leave_lobbies(app: Application, courier: FakeCourier) -> None:
    """A forgotten person's seats in lobbies become free, and their own lobbies are deleted."""
    named, joined = (
        await issue_by_north(app, "penalty", SOUTH),
        await join(app, await issue_by_north(app, "penalty"), SOUTH, EAST),
    )
    started = await join(app, await issue_by_north(app, "penalty"), SOUTH)
    await app.lobbies.start(NORTH.id, started.id)
    own = await app.challenges.issue(SOUTH, [], place(), interaction(), rules="penalty")
    await join(app, own, EAST)
    await courier.deliver()
    assert await app.people.forget(SOUTH.id) == 1
    now = {challenge.id: challenge for challenge in await app.challenges.own(NORTH.id)}
    assert player_ids_and_free_seats(now[named.id]) == ([NORTH.id], [], 3)
    assert player_ids_and_free_seats(now[joined.id]) == ([NORTH.id, EAST.id], [], 2)
    assert await app.challenges.joined(EAST.id) == (now[joined.id],)
    exported = await app.exports.export(NORTH.id)
    assert [challenge["players"] for challenge in exported["challenges"]] == [[], [EAST.id], []]
    await courier.deliver()
    shown = [
        message.shown.content for message in courier.messages.values() if isinstance(message.shown.content, Challenge)
    ]
    assert {challenge.id for challenge in shown if challenge.status is ChallengeStatus.PENDING} == {named.id, joined.id}
    assert all(
        player.id != SOUTH.id
        for challenge in shown
        if challenge.id != started.id
        for player in (*challenge.players, *challenge.named)
    )


async def test_a_lobby_cannot_start_on_servers_without_the_bot(app: Application) -> None:
    """While the bot is removed from the server, a lobby cannot start; it can when the bot is back."""
    lobby = await join(app, await issue_by_north(app, "penalty"), SOUTH)
    await app.guilds.save_left(GUILD)
    with pytest.raises(Frozen):
        await app.lobbies.start(NORTH.id, lobby.id)
    assert await app.challenges.own(NORTH.id) == (lobby,)
    assert await app.guilds.running(GUILD) == ()
    await app.guilds.save_joined(GUILD)
    started, _ = await app.lobbies.start(NORTH.id, lobby.id)
    assert started.status is ChallengeStatus.ACCEPTED


async def test_a_lobby_can_be_for_exactly_three(app: Application) -> None:
    """With rules for two to four players, a lobby can be for exactly three."""
    lobby = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), rules="penalty", exact_players=3)
    assert (lobby.open_places, [*lobby.seats]) == (1, [3])
    named = [SOUTH.id, EAST.id, WEST.id]
    with pytest.raises(TooManyNamed):
        await app.challenges.issue(NORTH, named, place(), interaction(), rules="penalty", exact_players=3)
    await app.challenges.accept(SOUTH, lobby.id)
    with pytest.raises(NotEnoughPlayers):
        await app.lobbies.start(NORTH.id, lobby.id)
    await app.challenges.accept(EAST, lobby.id)
    with pytest.raises(NoPlaceLeft):
        await app.challenges.accept(WEST, lobby.id)
    _, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert len(match.players) == 3


async def test_rules_for_another_number_are_refused(app: Application) -> None:
    """A challenge for an exact number of players is refused if its rules need another number.

    Choosing such rules in a draft clears the exact number.
    """
    with pytest.raises(WrongNumber) as caught:
        await app.challenges.issue(NORTH, (), place(), interaction(), rules="classic", exact_players=3)
    assert caught.value.fitting == ("penalty", "rotation", "strict_rotation", "winner_stays")
    draft = await app.challenges.issue(NORTH, (), place(), interaction(), rules="penalty", exact_players=3, draft=True)
    assert (await app.drafts.use_rules(NORTH.id, draft.id, "rotation")).exact_players == 3
    assert (await app.drafts.use_rules(NORTH.id, draft.id, "classic")).exact_players is None


async def test_computers_fill_seats(app: Application) -> None:
    """The challenger can add computers to free seats and remove them again. A match with computers is casual."""
    challenge = await issue_by_north(app, "partners", SOUTH)
    with pytest.raises(NotForYou):
        await app.lobbies.add_computer(SOUTH.id, challenge.id, Level.EXPERT)
    challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, Level.NOVICE)
    assert (challenge.players[-1].name, challenge.is_casual, challenge.open_places) == ("Novice computer", True, 1)
    assert not (await app.lobbies.remove_computer(NORTH.id, challenge.id)).is_casual
    for level in (Level.NOVICE, Level.EXPERT):
        challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, level)
    with pytest.raises(NoPlaceLeft):
        await app.lobbies.add_computer(NORTH.id, challenge.id, Level.EXPERT)
    challenge = await join(app, challenge, SOUTH)
    assert [player.name for player in challenge.players] == ["North", "South", "Novice computer", "Expert computer"]
    challenge = await app.lobbies.change_teams(NORTH.id, challenge.id)
    _, match = await app.lobbies.start(NORTH.id, challenge.id)
    assert match.kind is MatchKind.CASUAL
    assert {player.computer for player in match.players} == {None, Level.NOVICE, Level.EXPERT}
    assert [player.name for player in match.players] == ["North", "Novice computer", "South", "Expert computer"]


async def test_a_table_of_computers_starts_when_the_challenger_wants(app: Application, players: Players) -> None:
    """A match of the challenger and computers can start without other people, and counts in no standings."""
    challenge = await issue_by_north(app, "penalty")
    challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, Level.NOVICE)
    _, match = await app.lobbies.start(NORTH.id, challenge.id)
    await app.endings.resign(NORTH.id, match.id, interaction())
    assert await full_standings(app, GUILD, category=Category.PENALTY) == ()


async def test_a_casual_match_counts_in_no_standing(app: Application, players: Players) -> None:
    """A casual match counts in no standings, and neither does its rematch."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), casual=True, target=10)
    _, match = await app.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    assert match.kind is MatchKind.CASUAL
    await players.win(match.id)
    assert await full_standings(app, GUILD) == ()
    await app.endings.rematch(NORTH.id, match.id)
    assert (await app.endings.rematch(SOUTH.id, match.id)).kind is MatchKind.CASUAL
