"""The stored results of each seat, in every format and for every kind of ending."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from bot.engine.limits import MAX_TURNS
from bot.engine.moves import TAKE, Move, Seat, discard
from bot.engine.record import parse_actions
from bot.engine.showdown import TOO_LONG
from bot.engine.views import SeatView
from bot.play.application import Application
from bot.store import matches, tables
from bot.store.database import Database
from bot.values.clocks import NO_CLOCK_FOR
from bot.values.ids import MatchId
from bot.values.matches import MatchStatus, Proposal
from bot.values.standings import Standing
from bot.values.statistics import Category, Results
from tests.helpers.cases import thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE, RiggedShuffler
from tests.helpers.table import EAST, GUILD, NORTH, SOUTH, WEST, Players, interaction, play_deal
from tests.play.boards import standings
from tests.play.finished import save_a_deal

Result = tuple[bool | None, bool, int, int, int, int]


async def results(database: Database) -> list[Result]:
    """Return for each seat: won, drawn, deals won and lost, points, gins."""
    seat = tables.seat.c
    query = select(seat.won, seat.drawn, seat.deals_won, seat.deals_lost, seat.points, seat.gins).order_by(seat.seat)

    return await fetch(database, query)


async def standing(app: Application, category: Category = Category.POINTS) -> list[Standing]:
    """Return the leaderboard, best first."""
    return list(await standings(app, GUILD, category=category))


@pytest.mark.thorough
async def test_a_deal_counts_for_those_who_played_it(app: Application, database: Database) -> None:
    """In a rotation, the player who sits out neither wins nor loses the deal, but the match counts for all."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation target=10")
    hand = await players.win(match.id)
    (out,) = {0, 1, 2} - {*(await app.lookup.summary(match.id)).deals[0].seats}
    assert out == 1
    assert hand.view.seat == 2
    assert await results(database) == [
        (False, False, 0, 1, 0, 0),
        (False, False, 0, 0, 0, 0),
        (True, False, 1, 0, 85, 1),
    ]


@pytest.mark.thorough
async def test_partners_have_their_own_points(database: Database, clock: Clock) -> None:
    """A team wins or loses together, but deals, points and gins are each player's own."""
    app = Application(database, shuffler=RiggedShuffler(GIN_AT_ONCE, KNOCK_AT_ONCE), clock=clock)
    players = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await players.begin("partners target=143")
    await players.move_on(2, match.id, "take", "k Qh")
    assert (await app.lookup.table(match.id)).match.status is MatchStatus.RUNNING
    await players.win(match.id)
    assert await results(database) == [
        (True, False, 1, 0, 85, 1),
        (False, False, 0, 1, 0, 0),
        (True, False, 1, 0, 58, 0),
        (False, False, 0, 1, 0, 0),
    ]
    assert await standing(app) == []
    assert [row.won for row in await standing(app, Category.TEAMS)] == [1, 1, 0, 0]


async def test_penalty_points_are_those_charged(app: Application, database: Database) -> None:
    """Penalty points are those charged; the fewest win and rank first."""
    players = Players(app)
    match = await players.begin("penalty target=10")
    await players.win(match.id)
    assert await results(database) == [(True, False, 1, 0, 0, 1), (False, False, 0, 1, 85, 0)]
    assert await standing(app) == []
    assert [(row.name, row.points) for row in await standing(app, Category.PENALTY)] == [("North", 0), ("South", 85)]


@pytest.mark.thorough
async def test_a_drawn_match(app: Application, database: Database) -> None:
    """A drawn match is neither won nor lost, and counts towards the percentage won."""
    players = Players(app)
    match = await players.begin("classic target=none deals=2")
    await players.win(match.id)
    await players.win(match.id)
    assert await results(database) == [(None, True, 1, 1, 85, 1), (None, True, 1, 1, 85, 1)]
    assert [(row.won, row.lost) for row in await standing(app)] == [(0, 0), (0, 0)]


@pytest.mark.parametrize("rules", thorough_after(1, ["rotation", "winner_stays", "penalty"]))
async def test_one_of_three_resigns(app: Application, database: Database, rules: str) -> None:
    """If one of three resigns, only that player loses; the others keep their deals and have no result."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin(f"{rules} target=1000")
    await save_a_deal(database, match.id)
    hand = await app.endings.resign(SOUTH.id, match.id, interaction())
    assert hand.view.public.score.winner is None
    assert [row[:2] for row in await results(database)] == [(None, False), (False, False), (None, False)]
    rows = {row.name: row for row in await standing(app, Category.of(match.rules))}
    assert {name: (row.won, row.lost) for name, row in rows.items()} == {
        "North": (0, 0),
        "South": (0, 1),
        "East": (0, 0),
    }


@pytest.mark.nightly
async def test_a_match_without_a_result_lowers_no_share(app: Application, database: Database) -> None:
    """A match without a result does not lower the percentage won."""
    players = Players(app, (NORTH, SOUTH, EAST))
    broken_off = await players.begin("rotation")
    await save_a_deal(database, broken_off.id)
    await app.endings.resign(SOUTH.id, broken_off.id, interaction())
    won = await Players(app, (NORTH, WEST)).begin("classic target=10")
    await Players(app, (NORTH, WEST)).win(won.id)
    two = Players(app, (SOUTH, WEST))
    long = await two.begin("classic target=200")
    for _ in range(5):
        await two.win(long.id)
    rows = await standing(app)
    assert [(row.name, row.won, row.lost) for row in rows][:2] == [("North", 1, 0), ("South", 1, 1)]
    assert (rows[0].results, rows[0].results.share) == (Results(matches=2, won=1, lost=0, drawn=0), 100)
    assert (await app.profiles.profile(NORTH, GUILD)).results == rows[0].results
    assert rows[0].points < rows[1].points


@pytest.mark.thorough
async def test_a_partner_resigns_for_both(app: Application, database: Database) -> None:
    """If a player resigns, their team loses whatever the score."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await players.begin("partners")
    await app.endings.resign(EAST.id, match.id, interaction())
    assert [row[0] for row in await results(database)] == [False, True, False, True]


async def test_a_silent_player_of_several_can_be_claimed(app: Application, database: Database, clock: Clock) -> None:
    """With several players, anyone waiting can claim after seven days; only the absent player loses."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation")
    silent = await players.to_act(match.id)
    clock.pass_by(NO_CLOCK_FOR - timedelta(seconds=1))
    await Players(app).look_at_times()
    hands = [await app.lookup.hand(person.id, match.id) for person in players.people]
    assert not any(hand.may_claim for hand in hands)
    clock.pass_by(timedelta(seconds=1))
    await Players(app).look_at_times()
    hands = [await app.lookup.hand(person.id, match.id) for person in players.people]
    assert [hand.may_claim for hand in hands] == [person != silent for person in players.people]
    (sits_out,) = [hand.view.seat for hand in hands if hand.view.sits_out]
    await app.endings.claim(players.people[sits_out].id, match.id, interaction())
    await app.vacancies.end(players.people[sits_out].id, match.id, interaction())
    assert [row[0] for row in await results(database)] == [
        False if person == silent else None for person in players.people
    ]


@pytest.mark.thorough
async def test_cancelling_and_a_rematch_take_everybody(app: Application) -> None:
    """Cancelling and a rematch need everyone's agreement; seats and rules stay the same."""
    people = (NORTH, SOUTH, EAST)
    players = Players(app, people)
    await app.rulebook.save(GUILD, "Round Trip", "rotation target=10")
    match = await players.begin("Round Trip")
    for person in people[:2]:
        assert (await app.endings.call_off(person.id, match.id)).match.status is MatchStatus.RUNNING
    assert (await app.endings.decline(EAST.id, match.id)).match.proposals == (None, None, Proposal.DECLINED)
    for person in people:
        await app.endings.call_off(person.id, match.id)
    assert await app.guilds.running(GUILD) == ()
    for person in people[:2]:
        assert (await app.endings.rematch(person.id, match.id)).id == match.id
    again = await app.endings.rematch(EAST.id, match.id)
    assert (again.players, again.ruleset, again.rules) == (match.players, "Round Trip", match.rules)
    assert again.id != match.id


async def append(app: Application, database: Database, match_id: MatchId, moves: str, at: datetime) -> None:
    """Append moves to a match's log directly, as an older version would have."""
    version = (await app.lookup.info(match_id)).version
    texts = [str(action) for action in parse_actions(moves)]
    async with database.write() as transaction:
        assert await matches.append(transaction, match_id, version, texts, None, at, to_act=[Seat(0)])


@pytest.mark.parametrize("rounds", thorough_after(1, [MAX_TURNS + 1, MAX_TURNS, 250]))
async def test_a_running_match_from_before_the_limit_goes_on(
    app: Application, unverifiable: Players, database: Database, clock: Clock, rounds: int
) -> None:
    """A running match with a deal beyond the turn limit can be read and continued."""
    match = await unverifiable.begin("free_discard target=1000")
    await append(app, database, match.id, "0 take 0 x Ks 1 take 1 x Ks\n" * rounds, clock())
    restarted = Players(Application(database, shuffler=RiggedShuffler(GIN_AT_ONCE), clock=clock))
    assert (await restarted.to_act(match.id)) == NORTH
    hand = await restarted.win(match.id)
    assert hand.view.public.score.scores == (85, 0)


@pytest.mark.thorough
async def test_a_deal_that_is_too_long_is_dealt_again(app: Application, players: Players) -> None:
    """After `MAX_TURNS` turns of each player the deal ends, and the next one is dealt."""
    match = await players.begin("free_discard target=1000")
    turns = 0

    def take_again(view: SeatView) -> Move:
        nonlocal turns
        turns += view.new_card is not None
        return TAKE if view.new_card is None else discard(view.new_card)

    await play_deal(app, match.id, take_again)
    assert turns == 2 * MAX_TURNS
    assert (await app.lookup.table(match.id)).view.number == 2
    (deal,) = (await app.lookup.summary(match.id)).deals
    assert deal.outcome == TOO_LONG
    await players.win(match.id)
