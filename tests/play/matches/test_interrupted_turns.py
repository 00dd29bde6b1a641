"""Orders, arranged cards and requests to take a discard back, when the bot restarts or a player leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.engine.matches.match import Forfeit
from bot.model.ids import MatchId
from bot.model.matches import MatchInfo, MatchStatus, Proposal
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.model.people import Person
from bot.play.application import Application
from bot.play.matches.checking import find_fault
from bot.store import tables
from bot.store.database import Database
from tests.engine.decks import deck
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction, patient_move, prefer
from tests.helpers.thinkers import LocalThinker
from tests.helpers.waiting import eventually
from tests.play.matches.test_computers import computers_running
from tests.play.matches.test_orders import DRAW, NORTH_HAND, SOUTH_HAND, order
from tests.play.matches.test_orders_at_tables import DECK, moves_of
from tests.play.matches.times import ClockDriver

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)


@pytest.fixture
def mind() -> LocalThinker:
    return LocalThinker()


@pytest.fixture
def app(database: Database, clock: Clock, mind: LocalThinker) -> Application:
    return Application(database, thinker=mind, shuffler=RiggedShuffler(*[DECK] * 3), clock=clock)


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> ClockDriver:
    """Connect the application's shard, and return a helper that lets time pass."""
    await app.outages.beat([0], 1)
    return ClockDriver(app, database, clock)


async def arrange(app: Application, person: Person, match_id: MatchId) -> None:
    """Put a player's cards into the reverse order."""
    hand = await app.lookup.hand(person.id, match_id)
    await app.arranging.arrange(person.id, match_id, tuple(hand.view.hand)[::-1])


async def ask(app: Application, person: Person, match_id: MatchId, *, is_answer: bool = False) -> None:
    """Have a player ask to take a discard back, or allow it."""
    await app.taking_back.take_back(person.id, match_id, interaction(), is_answer=is_answer)


@pytest.mark.both_databases
async def test_orders_survive_a_restart(database: Database, clock: Clock) -> None:
    """An order that was given before a restart is made after it, and the hand then still says so."""
    before = Application(database, shuffler=RiggedShuffler(DECK), clock=clock)
    match = await Players(before).begin()
    await order(before, match.id, DRAW)
    after = Application(database, clock=clock)
    assert (await after.lookup.hand(SOUTH.id, match.id)).orders == DRAW
    await Players(after).move(match.id, "take", "x Jh")
    assert await moves_of(database, match.id) == ["0 take", "0 x Jh", "1 draw"]
    for app in (after, Application(database, clock=clock)):
        hand = await app.lookup.hand(SOUTH.id, match.id)
        assert (str(hand.view.new_card), hand.orders, hand.planned) == ("Qd", NO_ORDERS, Planned.DONE)


@pytest.mark.both_databases
async def test_a_request_survives_a_restart(database: Database, clock: Clock) -> None:
    """A request that was made before a restart can be allowed after it."""
    before = Application(database, shuffler=RiggedShuffler(DECK), clock=clock)
    await prefer(before, SOUTH, take_backs=True)
    match = await Players(before).begin()
    await Players(before).move(match.id, "take", "x Qs")
    await ask(before, NORTH, match.id)
    after = Application(database, clock=clock)
    assert (await after.lookup.hand(SOUTH.id, match.id)).match.open_proposal is Proposal.TAKE_BACK
    await ask(after, SOUTH, match.id, is_answer=True)
    hand = await Application(database, clock=clock).lookup.hand(NORTH.id, match.id)
    assert (hand.view.is_to_act, hand.match.open_proposal, hand.may_take_back) == (True, None, False)
    assert "Qs" in map(str, hand.view.hand)


@pytest.mark.thorough
async def test_a_player_with_orders_who_leaves_loses_as_usual(
    app: Application, times: ClockDriver, database: Database
) -> None:
    """A player who left the server with orders and arranged cards loses on time, and a request does not prevent it."""
    await prefer(app, SOUTH, take_backs=True)
    match = await times.begin("1d flag")
    await order(app, match.id, DRAW)
    await arrange(app, SOUTH, match.id)
    times.make_absent(SOUTH)
    await times.pass_by(HOUR)
    await Players(app).move(match.id, "take", "x Jh")
    assert (await moves_of(database, match.id))[-1] == "1 draw"
    await ask(app, NORTH, match.id)
    await times.pass_by(DAY + MINUTE)
    table = await app.lookup.table(match.id)
    assert (table.match.status, table.view.forfeit) == (MatchStatus.FINISHED, Forfeit(Seat(1), on_time=True))
    assert table.match.open_proposal is None


@pytest.mark.thorough
@pytest.mark.parametrize("allows", [False, True])
async def test_a_player_who_leaves_after_a_request(app: Application, times: ClockDriver, allows: bool) -> None:
    """If the player who asked leaves, the match continues with the opponent's answer or their move."""
    await prefer(app, SOUTH, take_backs=True)
    match = await times.begin("1d flag")
    await Players(app).move(match.id, "take", "x Qs")
    await ask(app, NORTH, match.id)
    times.make_absent(NORTH)
    await times.pass_by(HOUR)
    if allows:
        await ask(app, SOUTH, match.id, is_answer=True)
    else:
        await Players(app).move(match.id, "draw", "x Jd")
    hand = await app.lookup.hand(NORTH.id, match.id)
    assert (hand.view.is_to_act, hand.match.open_proposal) == (True, None)
    await times.pass_by(DAY + MINUTE)
    assert (await app.lookup.table(match.id)).view.forfeit == Forfeit(Seat(0), on_time=True)


async def test_forgetting_a_player_ends_orders_and_requests(
    app: Application, players: Players, database: Database
) -> None:
    """If a player is forgotten after their order was made and during a request, the match is resigned as usual."""
    await prefer(app, SOUTH, take_backs=True)
    match = await players.begin()
    await order(app, match.id, DRAW)
    for person in (NORTH, SOUTH):
        await arrange(app, person, match.id)
    await players.move(match.id, "take", "x Qs")
    await ask(app, NORTH, match.id)
    await order(app, match.id, DRAW, person=0)
    await app.people.forget(SOUTH.id)
    hand = await app.lookup.hand(NORTH.id, match.id)
    assert (hand.match.status, hand.match.open_proposal) == (MatchStatus.FINISHED, None)
    assert (hand.view.public.forfeit, hand.orders, hand.planned) == (Forfeit(Seat(1), on_time=False), NO_ORDERS, None)
    async with database.read() as transaction:
        assert await find_fault(transaction, match.id) is None


async def begin_for_three(times: ClockDriver) -> MatchInfo:
    """Begin a match of three with the clock `1d flag`, in which East acts first, then North, and South sits out."""
    match = await times.begin("1d flag", SOUTH, EAST, rules="rotation")
    assert [player.id for player in match.players] == [NORTH.id, SOUTH.id, EAST.id]
    assert (await times.app.lookup.table(match.id)).view.seats == (2, 0)
    return match


async def lose_seat(times: ClockDriver, match: MatchInfo, seat: int, *others: Person) -> None:
    """Let the time of the player at a seat run out, and let a computer take the seat over."""
    await times.pass_by(DAY + MINUTE)
    assert (await times.app.lookup.info(match.id)).vacant_seat == seat
    for person in others:
        await times.app.vacancies.play_on(person.id, match.id, interaction())


async def let_computer_move(app: Application, mind: LocalThinker) -> None:
    """Let the computer move until it is a person's turn."""
    async with computers_running(app):
        await eventually(lambda: mind.moves > 0 and app.computers.is_idle)


@pytest.mark.thorough
async def test_orders_outlast_the_opponent(
    app: Application, times: ClockDriver, mind: LocalThinker, database: Database
) -> None:
    """If a computer takes over the opponent's seat, a player's orders are made and their cards stay arranged."""
    match = await begin_for_three(times)
    orders = Orders(passes=True, draws=True)
    await order(app, match.id, orders, person=0)
    await arrange(app, NORTH, match.id)
    arranged = (await app.lookup.hand(NORTH.id, match.id)).arranged
    await lose_seat(times, match, 2, NORTH, SOUTH)
    hand = await app.lookup.hand(NORTH.id, match.id)
    assert (hand.orders, hand.arranged) == (orders, arranged)
    await let_computer_move(app, mind)
    hand = await app.lookup.hand(NORTH.id, match.id)
    assert (hand.view.is_to_act, hand.view.public.phase, hand.planned) == (True, Phase.DISCARD, Planned.DONE)
    assert hand.arranged == arranged
    assert (await moves_of(database, match.id))[-1] == "0 draw"


@pytest.mark.thorough
async def test_orders_do_not_run_for_a_computer(database: Database, clock: Clock, mind: LocalThinker) -> None:
    """If a computer takes over a seat, neither the person's orders nor their preference to draw make moves for it."""
    helping = deck(NORTH_HAND, SOUTH_HAND, "3d", stock="3h 8c")
    app = Application(database, thinker=mind, shuffler=RiggedShuffler(helping), clock=clock)
    await app.outages.beat([0], 1)
    times, table = ClockDriver(app, database, clock), Players(app, (NORTH, SOUTH, EAST))
    match = await begin_for_three(times)
    await table.move(match.id, "pass", "pass", "draw")
    await order(app, match.id, DRAW, person=0)
    await prefer(app, NORTH, draws_for_me=True)
    await arrange(app, NORTH, match.id)
    await table.move(match.id, "x 3h")
    assert (await app.lookup.hand(NORTH.id, match.id)).planned is Planned.LEFT
    await lose_seat(times, match, 0, SOUTH, EAST)
    assert (await moves_of(database, match.id))[-1] == "2 x 3h"
    await let_computer_move(app, mind)
    for _ in range(2):
        hand = await app.lookup.hand(EAST.id, match.id)
        await app.turns.move(EAST.id, match.id, patient_move(hand.view), interaction())
    assert (await moves_of(database, match.id))[-1].startswith("2 x ")
    async with database.read() as transaction:
        assert await find_fault(transaction, match.id) is None


@pytest.mark.thorough
async def test_a_seat_keeps_nothing_of_a_player_who_lost_it(
    app: Application, times: ClockDriver, database: Database
) -> None:
    """A computer takes a seat over without orders or arranged cards. Those that an earlier version kept are forgotten.

    They go with the person who lost the seat.
    """
    match, seat = await begin_for_three(times), tables.seat.c
    own = select(seat.orders, seat.arranged).where(seat.match_id == match.id, seat.seat == 2)
    await Players(app, (NORTH, SOUTH, EAST)).move(match.id, "take")
    await arrange(app, EAST, match.id)
    await lose_seat(times, match, 2, NORTH, SOUTH)
    assert await fetch(database, own) == [(None, None)]
    async with database.write() as transaction:
        kept = update(tables.seat).where(seat.match_id == match.id, seat.seat == 2)
        await transaction.execute(kept.values(orders="1.1 draw", arranged="1 As Kd"))
    await app.people.forget(EAST.id)
    assert await fetch(database, own) == [(None, None)]


@pytest.mark.thorough
async def test_a_request_ends_when_a_seat_is_vacant(
    app: Application, times: ClockDriver, mind: LocalThinker, database: Database
) -> None:
    """If the player who was asked loses the seat to a computer, the request ends, and the computer plays."""
    for person in (NORTH, SOUTH):
        await prefer(app, person, take_backs=True)
    match, table = await begin_for_three(times), Players(app, (NORTH, SOUTH, EAST))
    await table.move(match.id, "take", "x Jh")
    await ask(app, EAST, match.id)
    await ask(app, SOUTH, match.id, is_answer=True)
    await lose_seat(times, match, 0, SOUTH, EAST)
    hand = await app.lookup.hand(EAST.id, match.id)
    assert (hand.match.open_proposal, hand.may_take_back) == (None, False)
    await let_computer_move(app, mind)
    assert (await moves_of(database, match.id))[-1].startswith("0 x ")
