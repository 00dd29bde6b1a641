"""Ordered moves at tables of all kinds: they stop at useful cards, end with the deal, are logged, and cost nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from prometheus_client import REGISTRY

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Verb
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import knock_choices
from bot.model.ids import ChannelId, MatchId
from bot.model.matches import MatchStatus
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.matches.checking import find_fault
from bot.store import matches
from bot.store.database import Database
from tests.engine.decks import GIN_HAND, deck
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_UNDERCUT, Deck, RiggedShuffler
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, WEST, Players, interaction, place, prefer
from tests.helpers.thinkers import LocalThinker
from tests.helpers.waiting import eventually
from tests.play.matches.test_computers import computers_running
from tests.play.matches.test_orders import DRAW, NORTH_HAND, PASS, SOUTH_HAND, order
from tests.play.matches.times import ClockDriver

DECK = deck(NORTH_HAND, SOUTH_HAND, "3d", stock="Qd 8c 3h Tc")
"""North acts first, and South needs none of the cards that North can soon discard."""

MINUTE = timedelta(minutes=1)

ALL_HIGH = "5h 8h 9h Jh 8s 9s Ts Js Qs"
"""Nine cards for North, in the tests of cards with which South can go out."""
WAYS_OUT = [
    pytest.param("Ac 2c 3c 4d 5d 6d As 2h 4s Kd", "3h", "classic", id="knock"),
    pytest.param(f"{GIN_HAND} Th", "7d", "straight", id="gin"),
]
"""South's hand, the card with which South can go out, and the rules. The card for a knock fits no meld."""


def players_with(database: Database, clock: Clock, *decks: Deck) -> Players:
    """Return a helper that plays matches of North and South with these decks."""
    return Players(Application(database, shuffler=RiggedShuffler(*decks), clock=clock))


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    return Application(database, shuffler=RiggedShuffler(*[DECK] * 5), clock=clock)


async def moves_of(database: Database, match_id: MatchId) -> list[str]:
    """Return the moves in the log of a match, without chance events."""
    async with database.read() as transaction:
        return [text for text in await matches.actions(transaction, match_id) if text[0].isdigit()]


@pytest.mark.parametrize(("hand", "card", "rules"), WAYS_OUT)
async def test_an_ordered_pass_stops_at_a_card_to_go_out_with(
    database: Database, clock: Clock, hand: str, card: str, rules: str
) -> None:
    """If a player can go out with the upcard, the choice is theirs although they ordered a pass."""
    players = players_with(database, clock, deck(f"{ALL_HIGH} Qd", hand, card))
    match = await players.begin(rules)
    await order(players.app, match.id, PASS)
    await players.move(match.id, "pass")
    shown = await players.app.lookup.hand(SOUTH.id, match.id)
    assert (shown.view.is_to_act, shown.view.public.phase, shown.planned) == (True, Phase.OFFER, Planned.LEFT)
    assert knock_choices((await players.move(match.id, "take")).view)


@pytest.mark.parametrize("is_preference", [False, True])
@pytest.mark.parametrize(("hand", "card", "rules"), WAYS_OUT)
async def test_an_ordered_draw_stops_at_a_card_to_go_out_with(
    database: Database, clock: Clock, hand: str, card: str, rules: str, is_preference: bool
) -> None:
    """If a player can go out with the discard, the choice is theirs although an order or the preference draws."""
    players = players_with(database, clock, deck(f"{ALL_HIGH} {card}", hand, "Qd"))
    await prefer(players.app, SOUTH, draws_for_me=is_preference)
    match = await players.begin(rules)
    if not is_preference:
        await order(players.app, match.id, DRAW)
    await players.move(match.id, "take", f"x {card}")
    shown = await players.app.lookup.hand(SOUTH.id, match.id)
    assert (shown.view.new_card, shown.view.public.phase, shown.planned) == (None, Phase.DRAW, Planned.LEFT)
    assert knock_choices((await players.move(match.id, "take")).view)


@pytest.mark.parametrize("orders", [Orders(takes=(Card.parse("7d"),)), Orders(fits=True)])
async def test_an_ordered_take_does_not_go_out(database: Database, clock: Clock, orders: Orders) -> None:
    """After an ordered take that makes gin possible, the deal continues until the player goes gin themselves."""
    players = players_with(database, clock, deck(f"{ALL_HIGH} 7d", f"{GIN_HAND} Th", "Qd"))
    match = await players.begin("classic target=10")
    await order(players.app, match.id, orders)
    await players.move(match.id, "take", "x 7d")
    shown = await players.app.lookup.hand(SOUTH.id, match.id)
    assert (str(shown.view.new_card), shown.view.can_go_gin, shown.planned) == ("7d", True, Planned.DONE)
    assert shown.match.status is MatchStatus.RUNNING
    assert (await players.move(match.id, "gin")).match.status is MatchStatus.FINISHED


async def test_orders_end_with_the_deal(database: Database, clock: Clock) -> None:
    """Orders that were given in one deal neither pass nor draw in the next one."""
    players = players_with(database, clock, IMMEDIATE_GIN, deck(SOUTH_HAND, NORTH_HAND, "3d"))
    match = await players.begin("classic target=1000")
    await order(players.app, match.id, Orders(passes=True, draws=True))
    await players.move(match.id, "take", "gin")
    shown = await players.app.lookup.hand(SOUTH.id, match.id)
    assert (shown.view.public.number, shown.view.is_to_act, shown.view.public.history) == (2, True, ())
    assert (shown.orders, shown.planned) == (NO_ORDERS, None)
    await players.move(match.id, "pass", "pass")
    shown = await players.app.lookup.hand(SOUTH.id, match.id)
    assert (shown.view.public.phase, shown.view.new_card, shown.planned) == (Phase.DRAW, None, None)
    assert (await moves_of(database, match.id))[2:] == ["1 pass", "0 pass"]


async def test_ordered_moves_are_logged_as_ordinary_moves(
    app: Application, players: Players, database: Database
) -> None:
    """The log has ordered moves as if the player had made them by hand."""
    match = await players.begin()
    await order(app, match.id, Orders(passes=True, draws=True))
    await players.move(match.id, "pass", "draw", "x Jh")
    assert await moves_of(database, match.id) == ["0 pass", "1 pass", "0 draw", "0 x Jh", "1 draw"]
    async with database.read() as transaction:
        assert await find_fault(transaction, match.id) is None


PASSING = ("pass", "?pass", "wait", "draw", "wait", "x Jh", "wait")
DRAWING = ("take", "wait", "x Jh", "wait", "?draw", "wait", "x Qd", "wait")
"""Moves, with minutes between them. Those with a question mark are made by hand or by order."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("limit", "orders", "script"),
    [("1d flag", PASS, PASSING), ("10m+20s flag", PASS, PASSING), ("1d", DRAW, DRAWING), ("10m+20s", DRAW, DRAWING)],
)
async def test_clocks_run_as_with_moves_by_hand(
    app: Application, database: Database, clock: Clock, limit: str, orders: Orders, script: tuple[str, ...]
) -> None:
    """After an ordered move, both players have the same time left as if the player had made it by hand at once.

    A draw by hand takes no time from the turn, and neither does an ordered one.
    """
    await app.outages.beat([0], 1)
    times = ClockDriver(app, database, clock)
    by_hand = await _times_of_turns(times, limit, NO_ORDERS, script, CHANNEL)
    assert await _times_of_turns(times, limit, orders, script, ELSEWHERE) == by_hand


async def _times_of_turns(
    times: ClockDriver, limit: str, orders: Orders, script: tuple[str, ...], channel_id: ChannelId
) -> list[tuple[object, ...]]:
    """Play the moves of a script, those with a question mark by order if any. Return both players' times at each wait.

    Also return the phase of the deal, so that the two ways are compared in the same position.
    """
    app, found = times.app, list[tuple[object, ...]]()
    match = await times.begin(limit, channel_id=channel_id)
    await order(app, match.id, orders)
    for step in script:
        if step == "wait":
            left = [await times.time_left(match.id, person) for person in (NORTH, SOUTH)]
            await times.pass_by(MINUTE)
            left += [await times.time_left(match.id, person) for person in (NORTH, SOUTH)]
            found.append((*left, (await app.lookup.table(match.id)).view.phase))
        elif orders == NO_ORDERS or not step.startswith("?"):
            await Players(app).move(match.id, step.removeprefix("?"))
    return found


async def test_orders_run_after_a_computers_move(database: Database, clock: Clock) -> None:
    """At a table with a computer, a person's orders are made as soon as the computer has moved."""
    mind = LocalThinker()
    app = Application(database, thinker=mind, shuffler=RiggedShuffler(DECK), clock=clock)
    lobby = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), rules="rotation")
    await app.challenges.accept(SOUTH, lobby.id)
    await app.lobbies.add_computer(NORTH.id, lobby.id, Level.STRONG)
    _, match = await app.lobbies.start(NORTH.id, lobby.id)
    assert (await app.lookup.table(match.id)).view.seats == (2, 0)
    await order(app, match.id, Orders(passes=True, draws=True), person=0)
    async with computers_running(app):
        await eventually(lambda: mind.moves >= 2 and app.computers.is_idle)
    shown = await app.lookup.hand(NORTH.id, match.id)
    assert (shown.view.is_to_act, shown.view.public.phase, shown.planned) == (True, Phase.DISCARD, Planned.DONE)
    *_, discarded, drawn = await moves_of(database, match.id)
    assert (discarded.split()[:2], drawn) == (["2", "x"], "0 draw")


async def test_orders_leave_lay_offs_to_the_player(database: Database, clock: Clock) -> None:
    """With lay-offs by hand, orders and the preference to draw make no move in answer to a knock, or after it."""
    players = players_with(database, clock, IMMEDIATE_UNDERCUT)
    app = players.app
    await prefer(app, SOUTH, draws_for_me=True)
    match = await players.begin("standard target=1000")
    await order(app, match.id, Orders(passes=True, draws=True))
    await players.move(match.id, "take", "k Qh")
    shown = await app.lookup.hand(SOUTH.id, match.id)
    assert (shown.view.is_to_act, shown.view.public.phase, shown.planned) == (True, Phase.LAY_OFF, None)
    await players.move(match.id, "l 7d>4d5d6d", "done")
    assert (await moves_of(database, match.id))[2:] == ["1 l 7d>4d5d6d", "1 done"]
    shown = await app.lookup.hand(SOUTH.id, match.id)
    assert (shown.view.is_to_act, shown.view.public.phase) == (True, Phase.OFFER)


async def test_orders_run_on_their_own_board(app: Application) -> None:
    """With several boards, an order is made after the discard on its own board, and changes nothing on the other."""
    people = {person.id: person for person in (NORTH, SOUTH, EAST, WEST)}
    match = await Players(app, (NORTH, SOUTH, EAST, WEST)).begin("partners")
    seated = tuple(people[player.id] for player in match.players if player.id is not None)
    table = Players(app, seated)
    seats = {board: (await app.lookup.table(match.id, board)).view.seats for board in (1, 2)}
    waiting = {board: seated[second] for board, (_, second) in seats.items()}
    for person in waiting.values():
        shown = await app.lookup.hand(person.id, match.id)
        await app.orders.give(person.id, match.id, DRAW, shown.next_turn)
    other = await app.lookup.table(match.id, 2)
    await table.move_on_board(1, match.id, "take", "x Jh")
    shown = await app.lookup.hand(waiting[1].id, match.id)
    assert (shown.view.public.phase, str(shown.view.new_card), shown.planned) == (Phase.DISCARD, "Qd", Planned.DONE)
    unchanged = await app.lookup.table(match.id, 2)
    assert (unchanged.view, unchanged.moved_at, unchanged.match.version) == (
        other.view,
        other.moved_at,
        other.match.version,
    )
    assert (await app.lookup.hand(waiting[2].id, match.id)).orders == DRAW
    await table.move_on_board(2, match.id, "take", "x Jh")
    assert (await app.lookup.hand(waiting[2].id, match.id)).view.public.phase is Phase.DISCARD
    await table.move_on_board(1, match.id, "x Qd")
    first = (await app.lookup.table(match.id, 1)).view
    assert [(move.seat, move.verb) for move in first.history[-2:]] == [
        (seats[1][1], Verb.DRAW),
        (seats[1][1], Verb.DISCARD),
    ]


def transactions(kind: str) -> float:
    """Return the number of transactions so far that `read` or `write`."""
    return REGISTRY.get_sample_value("deadwood_transaction_seconds_count", {"kind": kind}) or 0


async def test_orders_take_no_more_transactions(app: Application, players: Players, courier: FakeCourier) -> None:
    """A discard with an ordered draw is saved in one transaction, and its messages take as many as without the draw."""
    await players.open_dms(NORTH, SOUTH)
    counts = list[tuple[float, ...]]()
    for orders, channel_id in ((NO_ORDERS, CHANNEL), (DRAW, ELSEWHERE)):
        match = await players.begin(channel_id=channel_id)
        await order(app, match.id, orders)
        await players.move(match.id, "take")
        await courier.deliver()
        reads, writes = transactions("read"), transactions("write")
        await players.move(match.id, "x Jh")
        assert transactions("write") == writes + 1
        await courier.deliver()
        counts.append((transactions("read") - reads, transactions("write") - writes))
        phase = (await app.lookup.hand(SOUTH.id, match.id)).view.public.phase
        assert phase is (Phase.DRAW if orders == NO_ORDERS else Phase.DISCARD)
    assert counts[0] == counts[1]
