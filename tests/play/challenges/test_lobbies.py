"""Lobbies: places are taken, kept and given up, and only the challenger starts the match."""

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
    """Make a challenge by North."""
    names = [person.id for person in named]
    return await app.challenges.issue(NORTH, names, place(), interaction(), rules=rules)


async def join(app: Application, challenge: Challenge, *people: Person) -> Challenge:
    """Let people join one after another."""
    for person in people:
        challenge, match = await app.challenges.accept(person, challenge.id)
        assert match is None
    return challenge


def ids(challenge: Challenge) -> tuple[list[int | None], list[int | None], int]:
    """Return the ids of the players and of the named, and the number of free places."""
    return [one.id for one in challenge.players], [one.id for one in challenge.named], challenge.free


@pytest.mark.parametrize(
    ("rules", "least", "most"),
    thorough_after(1, [("penalty", 2, 4), ("rotation", 3, 3), ("winner_stays", 3, 3), ("partners", 4, 4)]),
)
async def test_a_lobby_has_as_many_places_as_its_format(app: Application, rules: str, least: int, most: int) -> None:
    """With one player too few the match cannot start, and with all places taken nobody can join."""
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
    """It does not start by itself, nor can others start it. It expires like any challenge."""
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
    """Others get the remaining places only. A place that was declined is open to anyone."""
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
    """Anyone who joined may leave, and the place is open to anyone. The challenger withdraws instead."""
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
    """With enough players the match starts without the named, who then have nothing to answer."""
    made = await join(app, await issue(app, "penalty", SOUTH, WEST), EAST)
    started, match = await app.lobbies.start(NORTH.id, made.id)
    assert ids(started) == ([NORTH.id, EAST.id], [], 2)
    assert len(match.players) == 2
    assert await app.challenges.open_to(SOUTH.id, GUILD) == ()
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, made.id)


async def test_withdrawing_closes_a_lobby(app: Application) -> None:
    """Only the challenger may withdraw it. Afterwards nobody can join or be named."""
    made = await join(app, await issue(app, "partners"), SOUTH)
    with pytest.raises(NotForYou):
        await app.challenges.withdraw(SOUTH.id, made.id)
    assert (await app.challenges.withdraw(NORTH.id, made.id)).status is ChallengeStatus.WITHDRAWN
    with pytest.raises(ChallengeClosed):
        await join(app, made, EAST)
    with pytest.raises(ChallengeClosed):
        await app.lobbies.invite(NORTH.id, made.id, [EAST.id])


async def test_naming_people_later(app: Application) -> None:
    """The challenger may keep free places for people, as many as there are. Naming someone twice changes nothing."""
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
    """If one of several people may not be named, the whole request is refused, at first and later."""
    await prefer(app, EAST, challengers=Challengers.NOBODY)
    with pytest.raises(NotWelcome) as caught:
        await issue(app, "rotation", SOUTH, EAST)
    assert caught.value.opponent_id == EAST.id
    made = await issue(app, "rotation", SOUTH)
    with pytest.raises(NotWelcome):
        await app.lobbies.invite(NORTH.id, made.id, [EAST.id])
    await join(app, made, EAST)


async def test_no_more_people_can_be_named_than_have_places(app: Application) -> None:
    """A duel has one opponent. Naming someone twice counts once, and nobody can name themselves."""
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
    """The challenger partners each of the others in turn, and the match is seated like that."""
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
    """One gets it, and the other is told that no place is left."""
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
    """Either the match starts with everybody, or there are not enough players. No seat is empty."""
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
    """Challenges by name come first, then those with a free place. Full ones and one's own are left out."""
    free, kept = await issue(app, "penalty", SOUTH), await issue(app, "rotation", SOUTH, EAST)
    assert [one.id for one in await app.challenges.open_to(EAST.id, GUILD)] == [kept.id, free.id]
    assert [one.id for one in await app.challenges.open_to(WEST.id, GUILD)] == [free.id]
    await join(app, free, WEST)
    assert await app.challenges.open_to(WEST.id, GUILD) == ()
    assert await app.challenges.open_to(NORTH.id, GUILD) == ()


@pytest.mark.thorough
async def test_the_message_of_a_lobby_is_kept_up_to_date(app: Application, courier: FakeCourier) -> None:
    """Several changes between two deliveries are one edit, to the newest state."""
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
    """An edit notifies nobody, so the message is posted again, once for each new name."""
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
    """Their places are open to anyone, and their own lobbies are removed."""
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
    """The lobby stays as it is, and can start once the bot is back."""
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
    """Where two to four may play it has two more places then, and starts with no fewer and no more."""
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
    """The refusal names rules that would do. A draft whose rules change forgets a number that they are not for."""
    with pytest.raises(WrongNumber) as caught:
        await app.challenges.issue(NORTH, (), place(), interaction(), rules="classic", exact_players=3)
    assert caught.value.fitting == ("penalty", "rotation", "strict_rotation", "winner_stays")
    draft = await app.challenges.issue(NORTH, (), place(), interaction(), rules="penalty", exact_players=3, draft=True)
    assert (await app.drafts.use_rules(NORTH.id, draft.id, "rotation")).exact_players == 3
    assert (await app.drafts.use_rules(NORTH.id, draft.id, "classic")).exact_players is None


async def test_computers_fill_the_places(app: Application) -> None:
    """The challenger gives them free places and takes them out again; with one the match is casual."""
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
    """Nobody else needs to join, and the match does not count in the standings."""
    challenge = await issue(app, "penalty")
    challenge = await app.lobbies.add_computer(NORTH.id, challenge.id, Level.NOVICE)
    _, match = await app.lobbies.start(NORTH.id, challenge.id)
    await app.endings.resign(NORTH.id, match.id, interaction())
    assert await standings(app, GUILD, category=Category.PENALTY) == ()


async def test_a_casual_match_counts_in_no_standing(app: Application, players: Players) -> None:
    """Anyone may make one, and a rematch of it is casual, too."""
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), casual=True, target=10)
    _, match = await app.challenges.accept(SOUTH, made.id)
    assert match is not None
    assert match.kind is MatchKind.CASUAL
    await players.win(match.id)
    assert await standings(app, GUILD) == ()
    await app.endings.rematch(NORTH.id, match.id)
    assert (await app.endings.rematch(SOUTH.id, match.id)).kind is MatchKind.CASUAL
