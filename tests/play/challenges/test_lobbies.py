"""Lobbies: joining, inviting, leaving and starting."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.opponent.levels import Level
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
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.ids import PersonId
from bot.values.matches import MatchKind, MatchStatus
from bot.values.outbox import MessageKind
from bot.values.people import Challengers
from bot.values.statistics import Category
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
from tests.play.boards import standings

FIFTH = Person(PersonId(2**62 + 5), "Fifth")


async def issue(app: Application, rules: str, *named: Person) -> Challenge:
    names = [person.id for person in named]
    return await app.challenges.issue(NORTH, names, place(), interaction(), rules=rules)


async def join(app: Application, challenge: Challenge, *people: Person) -> Challenge:
    for person in people:
        challenge, match = await app.challenges.accept(person, challenge.id)
        assert match is None
    return challenge


def ids(challenge: Challenge) -> tuple[list[int | None], list[int | None], int]:
    """Return the ids of the players, the ids of the named people, and the number of free seats."""
    return [one.id for one in challenge.players], [one.id for one in challenge.named], challenge.free


@pytest.mark.parametrize(
    ("rules", "least", "most"),
    thorough_after(1, [("penalty", 2, 4), ("rotation", 3, 3), ("winner_stays", 3, 3), ("partners", 4, 4)]),
)
async def test_a_lobby_has_as_many_places_as_its_format(app: Application, rules: str, least: int, most: int) -> None:
    """A lobby has as many seats as its format: too few players cannot start, and nobody can join a full one."""
    made = await issue(app, rules)
    assert (made.seats[0], made.seats[-1], made.is_lobby, made.free) == (least, most, True, most - 1)
    others = [SOUTH, EAST, WEST]
    for count in range(1, most + 1):
        assert made.can_start == (count >= least)
        if count < least:
            with pytest.raises(NotEnoughPlayers) as few:
                await app.lobbies.start(NORTH.id, made.id)
            assert few.value.challenge == made
        if count < most:
            made = await join(app, made, others[count - 1])
    with pytest.raises(NoPlaceLeft) as full:
        await app.challenges.accept(FIFTH, made.id)
    assert full.value.challenge == made
    started, match = await app.lobbies.start(NORTH.id, made.id)
    assert [player.id for player in match.players] == [person.id for person in (NORTH, *others)][:most]
    assert (started.status, started.match_id) == (ChallengeStatus.ACCEPTED, match.id)
    assert (match.status, match.ruleset, match.channel_id) == (MatchStatus.RUNNING, rules, CHANNEL)


async def test_a_full_lobby_waits_for_its_challenger(app: Application, clock: Clock) -> None:
    """A full lobby does not start automatically, only its challenger can start it, and it expires."""
    made = await join(app, await issue(app, "rotation"), SOUTH, EAST)
    assert await app.guilds.running(GUILD) == ()
    for person in (SOUTH, WEST):
        with pytest.raises(NotForYou):
            await app.lobbies.start(person.id, made.id)
    clock.pass_by(timedelta(days=1))
    with pytest.raises(ChallengeClosed):
        await app.lobbies.start(NORTH.id, made.id)
    await app.challenges.expire()
    assert await app.challenges.joined(SOUTH.id) == ()


async def test_a_named_place_is_kept_until_it_is_declined(app: Application) -> None:
    """A named person's seat is reserved until they decline; then it is open to anyone."""
    made = await join(app, await issue(app, "partners", SOUTH, EAST), WEST)
    assert ids(made) == ([NORTH.id, WEST.id], [SOUTH.id, EAST.id], 0)
    with pytest.raises(NoPlaceLeft):
        await app.challenges.accept(FIFTH, made.id)
    made = await app.challenges.decline(SOUTH.id, made.id)
    assert (made.status, made.free) == (ChallengeStatus.PENDING, 1)
    assert made.revision > 1
    with pytest.raises(NotForYou):
        await app.challenges.decline(SOUTH.id, made.id)
    made = await join(app, made, FIFTH, EAST)
    assert ids(made) == ([NORTH.id, WEST.id, FIFTH.id, EAST.id], [], 0)
    _, match = await app.lobbies.start(NORTH.id, made.id)
    assert [player.name for player in match.players] == ["North", "West", "Fifth", "East"]


async def test_leaving_before_the_start(app: Application) -> None:
    """Anyone who joined can leave, which frees the seat; the challenger withdraws instead."""
    made = await join(app, await issue(app, "penalty", SOUTH), SOUTH, EAST)
    assert [one.id for one in await app.challenges.joined(SOUTH.id)] == [made.id]
    for person, refusal in ((NORTH, NotForYou), (SOUTH, AlreadyIn)):
        with pytest.raises(refusal):
            await app.challenges.accept(person, made.id)
    with pytest.raises(AlreadyIn):
        await app.challenges.decline(SOUTH.id, made.id)
    made = await app.lobbies.leave(SOUTH.id, made.id)
    assert ids(made) == ([NORTH.id, EAST.id], [], 2)
    for person in (NORTH, SOUTH, WEST):
        with pytest.raises(NotForYou):
            await app.lobbies.leave(person.id, made.id)
    assert await app.challenges.joined(SOUTH.id) == ()
    _, match = await app.lobbies.start(NORTH.id, made.id)
    assert len(match.players) == 2
    with pytest.raises(ChallengeClosed):
        await app.lobbies.leave(EAST.id, made.id)


async def test_the_match_starts_without_those_who_did_not_answer(app: Application) -> None:
    """With enough players the match starts without the named people, who can no longer accept."""
    made = await join(app, await issue(app, "penalty", SOUTH, WEST), EAST)
    started, match = await app.lobbies.start(NORTH.id, made.id)
    assert ids(started) == ([NORTH.id, EAST.id], [], 2)
    assert len(match.players) == 2
    assert await app.challenges.open_to(SOUTH.id, GUILD) == ()
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, made.id)


async def test_withdrawing_closes_a_lobby(app: Application) -> None:
    """Only the challenger can withdraw a lobby, and then nobody can join or be named."""
    made = await join(app, await issue(app, "partners"), SOUTH)
    with pytest.raises(NotForYou):
        await app.challenges.withdraw(SOUTH.id, made.id)
    assert (await app.challenges.withdraw(NORTH.id, made.id)).status is ChallengeStatus.WITHDRAWN
    with pytest.raises(ChallengeClosed):
        await join(app, made, EAST)
    with pytest.raises(ChallengeClosed):
        await app.lobbies.invite(NORTH.id, made.id, [EAST.id])


async def test_naming_people_later(app: Application) -> None:
    """The challenger can reserve free seats for people later; naming someone twice has no effect."""
    made = await join(app, await issue(app, "partners", SOUTH), EAST)
    with pytest.raises(NotForYou):
        await app.lobbies.invite(EAST.id, made.id, [WEST.id])
    with pytest.raises(NotWithYourself):
        await app.lobbies.invite(NORTH.id, made.id, [NORTH.id])
    with pytest.raises(AlreadyIn):
        await app.lobbies.invite(NORTH.id, made.id, [EAST.id])
    with pytest.raises(NoPlaceLeft):
        await app.lobbies.invite(NORTH.id, made.id, [WEST.id, FIFTH.id])
    made = await app.lobbies.invite(NORTH.id, made.id, [SOUTH.id, WEST.id, WEST.id])
    assert ids(made) == ([NORTH.id, EAST.id], [SOUTH.id, WEST.id], 0)
    assert [one.id for one in await app.challenges.open_to(WEST.id, GUILD)] == [made.id]


async def test_people_who_take_no_challenges_cannot_be_named(app: Application) -> None:
    """If one named person takes no challenges, the whole challenge or invitation is refused."""
    await prefer(app, EAST, challengers=Challengers.NOBODY)
    with pytest.raises(NotWelcome) as caught:
        await issue(app, "rotation", SOUTH, EAST)
    assert caught.value.opponent_id == EAST.id
    made = await issue(app, "rotation", SOUTH)
    with pytest.raises(NotWelcome):
        await app.lobbies.invite(NORTH.id, made.id, [EAST.id])
    await join(app, made, EAST)


async def test_no_more_people_can_be_named_than_have_places(app: Application) -> None:
    """No more people can be named than there are seats; duplicates count once, and nobody can name themselves."""
    with pytest.raises(TooManyNamed) as caught:
        await issue(app, "classic", SOUTH, EAST)
    assert caught.value.most == 1
    with pytest.raises(TooManyNamed):
        await issue(app, "rotation", SOUTH, EAST, WEST)
    with pytest.raises(NotWithYourself):
        await issue(app, "rotation", SOUTH, NORTH)
    made = await issue(app, "classic", SOUTH, SOUTH)
    assert made.opponent is not None
    assert (made.opponent.id, made.is_lobby) == (SOUTH.id, False)


@pytest.mark.thorough
async def test_changing_teams_goes_through_three_pairings(app: Application, players: Players) -> None:
    """Changing teams cycles through the challenger's three possible partners, and the match is seated accordingly."""
    made = await join(app, await issue(app, "partners"), SOUTH, EAST)
    with pytest.raises(NotEnoughPlayers):
        await app.lobbies.change_teams(NORTH.id, made.id)
    made = await join(app, made, WEST)
    with pytest.raises(NotForYou):
        await app.lobbies.change_teams(SOUTH.id, made.id)
    partners: list[str | None] = []
    for _ in range(3):
        (north, partner), _ = made.teams
        assert north.name == "North"
        partners.append(partner.name)
        made = await app.lobbies.change_teams(NORTH.id, made.id)
    assert partners == ["East", "South", "West"]
    made = await app.lobbies.change_teams(NORTH.id, made.id)
    _, match = await app.lobbies.start(NORTH.id, made.id)
    assert tuple((match.players[one], match.players[other]) for one, other in ((0, 2), (1, 3))) == made.teams
    assert made.teams[0][1].name == "South"
    rotation = await issue(app, "rotation")
    with pytest.raises(NoTeams):
        await app.lobbies.change_teams(NORTH.id, rotation.id)
    rotation = await join(app, rotation, SOUTH, EAST)
    assert rotation.teams == ()
    with pytest.raises(NoTeams):
        await app.lobbies.change_teams(NORTH.id, rotation.id)


@pytest.mark.parametrize("turns", [0, 3])
async def test_two_take_the_last_place_at_once(app: Application, turns: int) -> None:
    """Of several people who take the last seat simultaneously, one gets it and the others get `NoPlaceLeft`."""
    made = await join(app, await issue(app, "rotation"), SOUTH)

    async def late(person: Person) -> object:
        for _ in range(turns):
            await asyncio.sleep(0)
        return await app.challenges.accept(person, made.id)

    results = await asyncio.gather(
        app.challenges.accept(EAST, made.id), late(WEST), late(FIFTH), return_exceptions=True
    )
    assert sum(isinstance(result, NoPlaceLeft) for result in results) == 2
    (now,) = await app.challenges.own(NORTH.id)
    assert (len(now.players), now.free) == (3, 0)


async def test_leaving_and_starting_at_once(app: Application) -> None:
    """Leaving and starting simultaneously either starts with everyone or is refused for too few players."""
    made = await join(app, await issue(app, "rotation"), SOUTH, EAST)
    results = await asyncio.gather(
        app.lobbies.leave(EAST.id, made.id), app.lobbies.start(NORTH.id, made.id), return_exceptions=True
    )
    left, started = (isinstance(result, BaseException) for result in results)
    assert left != started
    assert [len(match.players) for match in await app.guilds.running(GUILD)] == ([] if started else [3])


@pytest.mark.thorough
async def test_a_lobby_in_a_busy_channel(app: Application, players: Players) -> None:
    """A start in a busy channel changes nothing, and the lobby can start in another channel."""
    await players.begin()
    made = await join(app, await issue(app, "penalty"), EAST)
    with pytest.raises(ChannelBusy):
        await app.lobbies.start(NORTH.id, made.id)
    assert await app.challenges.own(NORTH.id) == (made,)
    _, match = await app.lobbies.start(NORTH.id, made.id, ELSEWHERE)
    assert match.channel_id == ELSEWHERE


async def test_lobbies_that_can_be_joined(app: Application) -> None:
    """Challenges by name are listed first, then lobbies with a free seat, without full ones and one's own."""
    free, kept = await issue(app, "penalty", SOUTH), await issue(app, "rotation", SOUTH, EAST)
    assert [one.id for one in await app.challenges.open_to(EAST.id, GUILD)] == [kept.id, free.id]
    assert [one.id for one in await app.challenges.open_to(WEST.id, GUILD)] == [free.id]
    await join(app, free, WEST)
    assert await app.challenges.open_to(WEST.id, GUILD) == ()
    assert await app.challenges.open_to(NORTH.id, GUILD) == ()


@pytest.mark.thorough
async def test_the_message_of_a_lobby_is_kept_up_to_date(app: Application, courier: FakeCourier) -> None:
    """Several changes between two deliveries make one edit."""
    made = await issue(app, "partners", SOUTH)
    await courier.deliver()
    made = await join(app, made, EAST)
    made = await app.challenges.decline(SOUTH.id, made.id)
    made = await join(app, made, WEST)
    made = await app.lobbies.leave(WEST.id, made.id)
    await courier.deliver()
    (message,) = courier.of(MessageKind.CHALLENGE)
    assert (message.shown.content, message.edits) == (made, 1)


@pytest.mark.nightly
async def test_people_named_later_are_notified(app: Application, courier: FakeCourier) -> None:
    """The message is posted again for people named later, because an edit would not notify them."""
    made = await issue(app, "partners", SOUTH)
    await courier.deliver()
    made = await app.lobbies.invite(NORTH.id, made.id, [WEST.id, SOUTH.id])
    assert await courier.deliver() == [("post", MessageKind.CHALLENGE), ("remove", MessageKind.CHALLENGE)]
    (message,) = courier.of(MessageKind.CHALLENGE)
    assert (message.shown.content, message.edits, message.notifies) == (made, 0, True)
    await app.lobbies.invite(NORTH.id, made.id, [WEST.id])
    assert await courier.deliver() == [("edit", MessageKind.CHALLENGE)]


@pytest.mark.nightly
async def test_forgotten_people_leave_lobbies(app: Application, courier: FakeCourier) -> None:
    """A forgotten person's seats in lobbies become free, and their own lobbies are deleted."""
    named, joined = await issue(app, "penalty", SOUTH), await join(app, await issue(app, "penalty"), SOUTH, EAST)
    over = await join(app, await issue(app, "penalty"), SOUTH)
    await app.lobbies.start(NORTH.id, over.id)
    own = await app.challenges.issue(SOUTH, [], place(), interaction(), rules="penalty")
    await join(app, own, EAST)
    await courier.deliver()
    assert await app.people.forget(SOUTH.id) == 1
    now = {one.id: one for one in await app.challenges.own(NORTH.id)}
    assert ids(now[named.id]) == ([NORTH.id], [], 3)
    assert ids(now[joined.id]) == ([NORTH.id, EAST.id], [], 2)
    assert await app.challenges.joined(EAST.id) == (now[joined.id],)
    exported = await app.exports.export(NORTH.id)
    assert [one["players"] for one in exported["challenges"]] == [[], [EAST.id], []]
    await courier.deliver()
    shown = [one.shown.content for one in courier.messages.values() if isinstance(one.shown.content, Challenge)]
    assert {one.id for one in shown if one.status is ChallengeStatus.PENDING} == {named.id, joined.id}
    assert all(player.id != SOUTH.id for one in shown if one.id != over.id for player in (*one.players, *one.named))


async def test_a_lobby_does_not_start_where_the_bot_was_removed(app: Application) -> None:
    """While the bot is removed from the server, a lobby cannot start; it can when the bot is back."""
    made = await join(app, await issue(app, "penalty"), SOUTH)
    await app.guilds.left(GUILD)
    with pytest.raises(Frozen):
        await app.lobbies.start(NORTH.id, made.id)
    assert await app.challenges.own(NORTH.id) == (made,)
    assert await app.guilds.running(GUILD) == ()
    await app.guilds.joined(GUILD)
    started, _ = await app.lobbies.start(NORTH.id, made.id)
    assert started.status is ChallengeStatus.ACCEPTED


async def test_a_lobby_can_be_for_exactly_three(app: Application) -> None:
    """A lobby can be for exactly three players if the rules allow two to four."""
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), rules="penalty", exact_players=3)
    assert (made.free, [*made.seats]) == (1, [3])
    named = [SOUTH.id, EAST.id, WEST.id]
    with pytest.raises(TooManyNamed):
        await app.challenges.issue(NORTH, named, place(), interaction(), rules="penalty", exact_players=3)
    await app.challenges.accept(SOUTH, made.id)
    with pytest.raises(NotEnoughPlayers):
        await app.lobbies.start(NORTH.id, made.id)
    await app.challenges.accept(EAST, made.id)
    with pytest.raises(NoPlaceLeft):
        await app.challenges.accept(WEST, made.id)
    _, match = await app.lobbies.start(NORTH.id, made.id)
    assert len(match.players) == 3


async def test_rules_for_another_number_are_refused(app: Application) -> None:
    """Rules for another number of players are refused with fitting ones; a draft drops a number that does not fit."""
    with pytest.raises(WrongNumber) as caught:
        await app.challenges.issue(NORTH, (), place(), interaction(), rules="classic", exact_players=3)
    assert caught.value.fitting == ("penalty", "rotation", "strict_rotation", "winner_stays")
    draft = await app.challenges.issue(NORTH, (), place(), interaction(), rules="penalty", exact_players=3, draft=True)
    assert (await app.drafts.use_rules(NORTH.id, draft.id, "rotation")).exact_players == 3
    assert (await app.drafts.use_rules(NORTH.id, draft.id, "classic")).exact_players is None


async def test_computers_fill_the_places(app: Application) -> None:
    """The challenger can give free seats to computers and take them back; the match is then casual."""
    challenge = await issue(app, "partners", SOUTH)
    with pytest.raises(NotForYou):
        await app.lobbies.add_computer(SOUTH.id, challenge.id, Level.EXPERT)
    challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, Level.NOVICE)
    assert (challenge.players[-1].name, challenge.is_casual, challenge.free) == ("Computer", True, 1)
    assert not (await app.lobbies.remove_computer(NORTH.id, challenge.id)).is_casual
    for level in (Level.NOVICE, Level.EXPERT):
        challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, level)
    with pytest.raises(NoPlaceLeft):
        await app.lobbies.add_computer(NORTH.id, challenge.id, Level.EXPERT)
    challenge = await join(app, challenge, SOUTH)
    assert [player.name for player in challenge.players] == ["North", "South", "Computer 1", "Computer 2"]
    challenge = await app.lobbies.change_teams(NORTH.id, challenge.id)
    _, match = await app.lobbies.start(NORTH.id, challenge.id)
    assert match.kind is MatchKind.CASUAL
    assert {player.computer for player in match.players} == {None, Level.NOVICE, Level.EXPERT}
    assert [player.name for player in match.players] == ["North", "Computer 1", "South", "Computer 2"]


async def test_a_table_of_computers_starts_when_the_challenger_wants(app: Application, players: Players) -> None:
    """A table of computers can start without other people and does not count."""
    challenge = await issue(app, "penalty")
    challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, Level.NOVICE)
    _, match = await app.lobbies.start(NORTH.id, challenge.id)
    await app.endings.resign(NORTH.id, match.id, interaction())
    assert await standings(app, GUILD, category=Category.PENALTY) == ()


async def test_a_casual_match_counts_in_no_standing(app: Application, players: Players) -> None:
    """A casual match does not count, and neither does its rematch."""
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), casual=True, target=10)
    _, match = await app.challenges.accept(SOUTH, made.id)
    assert match is not None
    assert match.kind is MatchKind.CASUAL
    await players.win(match.id)
    assert await standings(app, GUILD) == ()
    await app.endings.rematch(NORTH.id, match.id)
    assert (await app.endings.rematch(SOUTH.id, match.id)).kind is MatchKind.CASUAL
