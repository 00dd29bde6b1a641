"""The stored results of each seat, in every format and for every kind of ending."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from bot.engine.deals.moves import TAKE, Move, Seat, discard
from bot.engine.deals.showdown import TOO_LONG
from bot.engine.limits import MAX_TURNS_PER_PLAYER
from bot.engine.matches.views import SeatView
from bot.engine.records.record import parse_actions
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, Proposal
from bot.model.standings import Standing
from bot.model.statistics import Category, Results
from bot.play.application import Application
from bot.play.matches.match_writer import MatchChanged
from bot.store import matches, tables
from bot.store.database import Database
from tests.helpers.cases import thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, RiggedShuffler
from tests.helpers.table import EAST, GUILD, NORTH, SOUTH, WEST, Players, interaction, play_deal
from tests.play.boards import full_standings
from tests.play.finished import save_finished_deal

SeatRow = tuple[bool | None, bool, int, int, int, int]


async def seat_rows(database: Database) -> list[SeatRow]:
    """Return a row for each seat: won, drawn, deals won, deals lost, points and gins."""
    seat = tables.seat.c
    query = select(seat.won, seat.drawn, seat.deals_won, seat.deals_lost, seat.points, seat.gins).order_by(seat.seat)

    return await fetch(database, query)


async def leaderboard(app: Application, category: Category = Category.POINTS) -> list[Standing]:
    """Return a category's leaderboard, best first."""
    return list(await full_standings(app, GUILD, category=category))


@pytest.mark.thorough
async def test_a_deal_counts_for_those_who_played_it(app: Application, database: Database) -> None:
    """In a rotation, the player who sits out neither wins nor loses the deal, but the match counts for all."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation target=10")
    hand = await players.win(match.id)
    (sits_out,) = {0, 1, 2} - {*(await app.lookup.summary(match.id)).deals[0].seats}
    assert sits_out == 1
    assert hand.view.seat == 2
    assert await seat_rows(database) == [
        (False, False, 0, 1, 0, 0),
        (False, False, 0, 0, 0, 0),
        (True, False, 1, 0, 85, 1),
    ]


@pytest.mark.thorough
async def test_partners_have_their_own_points(database: Database, clock: Clock) -> None:
    """A team wins or loses together, but deals, points and gins are each player's own."""
    app = Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN, IMMEDIATE_KNOCK), clock=clock)
    players = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await players.begin("partners target=143")
    await players.move_on_board(2, match.id, "take", "k Qh")
    assert (await app.lookup.table(match.id)).match.status is MatchStatus.RUNNING
    await players.win(match.id)
    assert await seat_rows(database) == [
        (True, False, 1, 0, 85, 1),
        (False, False, 0, 1, 0, 0),
        (True, False, 1, 0, 58, 0),
        (False, False, 0, 1, 0, 0),
    ]
    assert await leaderboard(app) == []
    assert [row.won for row in await leaderboard(app, Category.TEAMS)] == [1, 1, 0, 0]


async def test_fewest_penalty_points_win(app: Application, database: Database) -> None:
    """Players' points are the penalty points charged to them. The player with the fewest wins and ranks first."""
    players = Players(app)
    match = await players.begin("penalty target=10")
    await players.win(match.id)
    assert await seat_rows(database) == [(True, False, 1, 0, 0, 1), (False, False, 0, 1, 85, 0)]
    assert await leaderboard(app) == []
    assert [(row.name, row.points) for row in await leaderboard(app, Category.PENALTY)] == [("North", 0), ("South", 85)]


@pytest.mark.thorough
async def test_a_drawn_match(app: Application, database: Database) -> None:
    """A drawn match is stored as drawn, and is neither won nor lost on the leaderboard."""
    players = Players(app)
    match = await players.begin("classic target=none deals=2")
    await players.win(match.id)
    await players.win(match.id)
    assert await seat_rows(database) == [(None, True, 1, 1, 85, 1), (None, True, 1, 1, 85, 1)]
    assert [(row.won, row.lost) for row in await leaderboard(app)] == [(0, 0), (0, 0)]


@pytest.mark.parametrize("rules", thorough_after(1, ["rotation", "winner_stays", "penalty"]))
async def test_one_of_three_resigns(app: Application, database: Database, rules: str) -> None:
    """If one of three players resigns, only that player loses; the others neither win nor lose."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin(f"{rules} target=1000")
    await save_finished_deal(database, match.id)
    hand = await app.endings.resign(SOUTH.id, match.id, interaction())
    assert hand.view.public.score.winner is None
    assert [row[:2] for row in await seat_rows(database)] == [(None, False), (False, False), (None, False)]
    rows = {row.name: row for row in await leaderboard(app, Category.of(match.rules))}
    assert {name: (row.won, row.lost) for name, row in rows.items()} == {
        "North": (0, 0),
        "South": (0, 1),
        "East": (0, 0),
    }


@pytest.mark.nightly
async def test_a_match_without_a_result_does_not_lower_the_share(app: Application, database: Database) -> None:
    """A match without a result does not lower the percentage won."""
    players = Players(app, (NORTH, SOUTH, EAST))
    broken_off = await players.begin("rotation")
    await save_finished_deal(database, broken_off.id)
    await app.endings.resign(SOUTH.id, broken_off.id, interaction())
    won = await Players(app, (NORTH, WEST)).begin("classic target=10")
    await Players(app, (NORTH, WEST)).win(won.id)
    other_pair = Players(app, (SOUTH, WEST))
    long_match = await other_pair.begin("classic target=200")
    for _ in range(5):
        await other_pair.win(long_match.id)
    rows = await leaderboard(app)
    assert [(row.name, row.won, row.lost) for row in rows][:2] == [("North", 1, 0), ("South", 1, 1)]
    assert (rows[0].results, rows[0].results.win_percentage) == (Results(matches=2, won=1, lost=0, drawn=0), 100)
    assert (await app.profiles.profile(NORTH, GUILD)).results == rows[0].results
    assert rows[0].points < rows[1].points


@pytest.mark.thorough
async def test_a_partner_resigns_for_both(app: Application, database: Database) -> None:
    """If a player resigns, their team loses, whatever the score."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await players.begin("partners")
    await app.endings.resign(EAST.id, match.id, interaction())
    assert [row[0] for row in await seat_rows(database)] == [False, True, False, True]


async def test_claiming_with_several_players(app: Application, database: Database, clock: Clock) -> None:
    """With several players, anyone waiting can claim after seven days; only the absent player loses."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation")
    absent = await players.to_act(match.id)
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK - timedelta(seconds=1))
    await Players(app).run_timekeeper()
    hands = [await app.lookup.hand(person.id, match.id) for person in players.people]
    assert not any(hand.may_claim for hand in hands)
    clock.pass_by(timedelta(seconds=1))
    await Players(app).run_timekeeper()
    hands = [await app.lookup.hand(person.id, match.id) for person in players.people]
    assert [hand.may_claim for hand in hands] == [person != absent for person in players.people]
    (sits_out,) = [hand.view.seat for hand in hands if hand.view.sits_out]
    await app.endings.claim(players.people[sits_out].id, match.id, interaction())
    await app.vacancies.end(players.people[sits_out].id, match.id, interaction())
    assert [row[0] for row in await seat_rows(database)] == [
        False if person == absent else None for person in players.people
    ]


@pytest.mark.thorough
async def test_cancelling_and_a_rematch_need_everyone(app: Application) -> None:
    """Cancelling and a rematch need everyone's agreement. The rematch has the same seats and rules."""
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
    rematch = await app.endings.rematch(EAST.id, match.id)
    assert (rematch.players, rematch.ruleset, rematch.rules) == (match.players, "Round Trip", match.rules)
    assert rematch.id != match.id


async def append_moves(app: Application, database: Database, match_id: MatchId, moves: str, at: datetime) -> None:
    """Append moves to a match's log directly, as an older version would have."""
    version = (await app.lookup.info(match_id)).version
    texts = [str(action) for action in parse_actions(moves)]
    async with database.write() as transaction:
        matches.append(
            transaction, match_id, version, texts, None, at, changed=MatchChanged(match_id), to_act=[Seat(0)]
        )


@pytest.mark.parametrize("rounds", thorough_after(1, [MAX_TURNS_PER_PLAYER + 1, MAX_TURNS_PER_PLAYER, 250]))
async def test_a_running_match_beyond_the_turn_limit_continues(
    app: Application, unverifiable: Players, database: Database, clock: Clock, rounds: int
) -> None:
    """A running match with a deal that an older version played beyond the turn limit can be continued."""
    match = await unverifiable.begin("free_discard target=1000")
    await append_moves(app, database, match.id, "0 take 0 x Ks 1 take 1 x Ks\n" * rounds, clock())
    restarted = Players(Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN), clock=clock))
    assert (await restarted.to_act(match.id)) == NORTH
    hand = await restarted.win(match.id)
    assert hand.view.public.score.scores == (85, 0)


@pytest.mark.thorough
async def test_a_deal_that_is_too_long_is_dealt_again(app: Application, players: Players) -> None:
    """After `MAX_TURNS_PER_PLAYER` turns of each player, the deal is void and a new one is dealt."""
    match = await players.begin("free_discard target=1000")
    turns = 0

    def take_again(view: SeatView) -> Move:
        nonlocal turns
        turns += view.new_card is not None
        return TAKE if view.new_card is None else discard(view.new_card)

    await play_deal(app, match.id, take_again)
    assert turns == 2 * MAX_TURNS_PER_PLAYER
    assert (await app.lookup.table(match.id)).view.number == 2
    (deal,) = (await app.lookup.summary(match.id)).deals
    assert deal.outcome == TOO_LONG
    await players.win(match.id)
