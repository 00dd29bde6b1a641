"""Layoffs after a knock, one by one or all at once, and the rarer ends of a deal: big gin, wall, reshuffle."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from bot.engine.cards import Card
from bot.engine.deal import Phase
from bot.engine.moves import DONE, DRAW, TAKE, Move, Verb
from bot.engine.showdown import OutcomeKind
from bot.engine.views import SeatView
from bot.play.application import Application
from bot.play.refusals import Illegal, NotYourTurn
from bot.store.database import Database
from bot.values.ids import MatchId
from bot.values.matches import Shortcut
from bot.values.outbox import MessageKind
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import UNDERCUT_AT_ONCE, Deck, RiggedShuffler
from tests.helpers.table import EAST, ELSEWHERE, NORTH, SOUTH, Players, dm_of, interaction, patient, play_deal

TWO_PLACES = deck("3c 3h 3s 4d 5d 6d Kc Kd Kh Qh", "2d 3d 5s 6h 7s 8h 9c 9h Jc Qd", "As")
"""The first player can take the upcard and knock with 1 by discarding Qh.

Then 3d can be laid off on the threes or on the run, but 2d only on the run after it.
"""

ELEVEN = deck(f"{GIN_HAND} 7d", POOR_HAND, "Ks")
"""The first player can take the upcard and then has eleven cards in melds, against 60 deadwood."""


def begin(database: Database, clock: Clock, *decks: Deck) -> Players:
    """Make two people ready to play with the given decks."""
    return Players(Application(database, shuffler=RiggedShuffler(*decks), clock=clock))


async def log(database: Database) -> list[str]:
    query = text("SELECT text FROM action ORDER BY number")
    return [line for (line,) in await fetch(database, query) if line[0].isdigit()]


@pytest.mark.thorough
async def test_a_card_at_a_time(database: Database, clock: Clock) -> None:
    """The opponent sees how much each layoff saves, lays off, and finishes; only then the deal is over."""
    players = begin(database, clock, UNDERCUT_AT_ONCE)
    app, match = players.app, await players.begin("standard target=1000")
    hand = await players.move(match.id, "take", "k Qh")
    assert (hand.view.to_act, hand.view.public.phase, hand.view.moves) == (False, Phase.LAY_OFF, ())
    with pytest.raises(NotYourTurn):
        await app.turns.move(NORTH.id, match.id, Shortcut.LAY_OFF_ALL, interaction())
    south = await app.lookup.hand(SOUTH.id, match.id)
    assert [(str(one.card), one.saves) for one in south.view.lay_offs] == [("7d", 7)]
    hand = await app.turns.move(SOUTH.id, match.id, Move(Verb.LAY_OFF, Card.parse("7d")), interaction())
    assert (hand.view.to_act, hand.view.lay_offs, len(tuple(hand.view.hand))) == (True, (), 9)
    await app.turns.move(SOUTH.id, match.id, DONE, interaction())
    (deal,) = (await app.lookup.summary(match.id)).deals
    assert (deal.outcome.kind, deal.deadwood(deal.seats[1])) == (OutcomeKind.UNDERCUT, 6)
    assert (await log(database))[2:] == ["1 l 7d>4d5d6d", "1 done"]


async def test_all_at_once(database: Database, clock: Clock) -> None:
    """One click makes the best layoffs, as separate moves in the log, and a repeated interaction changes nothing."""
    players = begin(database, clock, TWO_PLACES)
    app, match = players.app, await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh")
    recent, seen = interaction(), (await app.lookup.hand(SOUTH.id, match.id)).match.version
    await app.turns.move(SOUTH.id, match.id, Shortcut.LAY_OFF_ALL, recent, version=seen)
    assert (await log(database))[2:] == ["1 l 3d>4d5d6d", "1 l 2d>4d5d6d", "1 done"]
    (deal,) = (await app.lookup.summary(match.id)).deals
    assert deal.deadwood(deal.seats[1]) == 5 + 6 + 7 + 8 + 9 + 9 + 10 + 10
    again = await app.turns.move(SOUTH.id, match.id, Shortcut.LAY_OFF_ALL, recent, version=seen)
    assert again == await app.lookup.hand(SOUTH.id, match.id)
    assert (await log(database))[2:5] == ["1 l 3d>4d5d6d", "1 l 2d>4d5d6d", "1 done"]


@pytest.mark.parametrize(("named", "went"), [(None, "4d5d6d"), ("3c3h3s", "3c3h3s"), ("4d5d6d", "4d5d6d")])
async def test_a_card_that_fits_twice(database: Database, clock: Clock, named: str | None, went: str) -> None:
    """The card goes on the named meld, or on the meld of the best layoffs."""
    players = begin(database, clock, TWO_PLACES)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh")
    move = Move(Verb.LAY_OFF, Card.parse("3d")) if named is None else Move.parse(f"l 3d>{named}")
    hand = await players.app.turns.move(SOUTH.id, match.id, move, interaction())
    assert (await log(database))[-1] == f"1 l 3d>{went}"
    assert [str(one.card) for one in hand.view.lay_offs] == (["2d"] if went == "4d5d6d" else [])


async def test_declining_to_lay_off(database: Database, clock: Clock) -> None:
    """If the opponent finishes without laying off, the remaining cards count and the knock wins."""
    players = begin(database, clock, UNDERCUT_AT_ONCE)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh", "done")
    (deal,) = (await players.app.lookup.summary(match.id)).deals
    assert (deal.outcome.kind, deal.outcome.winner, deal.outcome.points) == (OutcomeKind.KNOCK, 0, 4)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move(Verb.LAY_OFF, Card.parse("Ad")), "lay-off"),
        (Move(Verb.LAY_OFF, Card.parse("Qh")), "not-in-hand"),
        (DRAW, "lay-off-first"),
        (Shortcut.GIN, "no-gin"),
    ],
)
async def test_moves_that_do_not_answer_a_knock(
    database: Database, clock: Clock, move: Move | Shortcut, code: str
) -> None:
    """A card that fits nowhere, a card not in hand, and other kinds of moves are refused and not logged."""
    players = begin(database, clock, UNDERCUT_AT_ONCE)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh")
    before = await log(database)
    with pytest.raises(Illegal) as caught:
        await players.app.turns.move(SOUTH.id, match.id, move, interaction())
    assert caught.value.code == code
    assert await log(database) == before


async def test_laying_off_without_a_knock(players: Players) -> None:
    """Laying off everything before a knock is refused with its own code."""
    match = await players.begin("standard")
    with pytest.raises(Illegal) as caught:
        await players.move(match.id, "all")
    assert caught.value.code == "no-lay-off"


@pytest.mark.thorough
async def test_a_knock_notifies_the_opponent(database: Database, clock: Clock) -> None:
    """The opponent is notified of a knock, and again of the next deal."""
    players = begin(database, clock, UNDERCUT_AT_ONCE)
    courier = FakeCourier(players.app)
    await players.reach(NORTH, SOUTH)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take")
    await courier.deliver()
    await players.move(match.id, "k Qh")
    await courier.deliver()
    (south,) = courier.of(MessageKind.HAND, dm_of(SOUTH))
    assert south.notifies
    assert courier.of(MessageKind.SHOWDOWN) == []
    await players.move(match.id, "all")
    await courier.deliver()
    (again,) = courier.of(MessageKind.HAND, dm_of(SOUTH))
    assert (again.notifies, again.id != south.id, len(courier.of(MessageKind.SHOWDOWN))) == (True, True, 1)


@pytest.mark.thorough
async def test_several_opponents_answer_in_order(database: Database, clock: Clock) -> None:
    """With three players, the opponents lay off in turn order."""
    players = Players(Application(database, shuffler=RiggedShuffler(seed=3), clock=clock), (NORTH, SOUTH, EAST))
    match = await players.begin("penalty knock_limit=100 lay_off_mode=manual target=1000")
    turn = [str(one) for one in (await players.app.lookup.table(match.id)).view.seats]
    await players.move(match.id, "draw")
    first = await players.to_act(match.id)
    view = (await players.app.lookup.hand(first.id, match.id)).view
    knock = next(move for move in view.moves if move.verb is Verb.KNOCK)
    await players.app.turns.move(first.id, match.id, knock, interaction())
    await players.move(match.id, "all", "done")
    answers = [line.split()[0] for line in await log(database) if line.endswith(" done")]
    assert answers == turn[1:]
    assert len((await players.app.lookup.summary(match.id)).deals) == 1


@pytest.mark.thorough
async def test_big_gin(database: Database, clock: Clock) -> None:
    """With big gin in the rules, eleven cards in melds go out without a discard and count as a gin."""
    players = begin(database, clock, ELEVEN, ELEVEN)
    match = await players.begin("classic target=1000", channel_id=ELSEWHERE)
    await players.move(match.id, "take")
    with pytest.raises(Illegal) as caught:
        await players.move(match.id, "big")
    assert caught.value.code == "no-big-gin"
    match = await players.begin("express target=10")
    with pytest.raises(Illegal):
        await players.move(match.id, "big")
    hand = await players.move(match.id, "take")
    assert hand.view.can_go_big_gin
    hand = await players.move(match.id, "big")
    assert hand.view.public.score.scores == (90, 0)
    query = text("SELECT won, drawn, deals_won, points, gins FROM seat WHERE seat = 0 AND won IS NOT NULL")
    rows = await fetch(database, query)
    assert rows == [(1, 0, 1, 90, 1)]


async def use_up(players: Players, match_id: MatchId, phase: Phase, pile: int = 52) -> None:
    """Draw and discard until the deal is in the phase, with at most `pile` discards."""

    def is_reached(view: SeatView) -> bool:
        return view.public.phase is phase and len(view.public.discards) <= pile

    await play_deal(players.app, match_id, patient, until=is_reached)


@pytest.mark.thorough
async def test_the_wall(database: Database, clock: Clock) -> None:
    """After the stock is used up, the last discard can only be taken to go out; a pass voids the deal."""
    players = begin(database, clock)
    match = await players.begin("tournament")
    await use_up(players, match.id, Phase.WALL)
    for move, code in ((DRAW, "wall"), (Shortcut.LAY_OFF_ALL, "no-lay-off")):
        mover = await players.to_act(match.id)
        with pytest.raises(Illegal) as caught:
            await players.app.turns.move(mover.id, match.id, move, interaction())
        assert caught.value.code == code
    await players.move(match.id, "pass")
    (deal,) = (await players.app.lookup.summary(match.id)).deals
    assert deal.outcome.kind is OutcomeKind.VOID


@pytest.mark.thorough
async def test_the_reshuffle(database: Database, clock: Clock) -> None:
    """After the stock is used up, all discards but the top one are shuffled, and the next player draws."""
    players = Players(Application(database, shuffler=RiggedShuffler(seed=1), clock=clock), (NORTH, SOUTH, EAST))
    match = await players.begin("penalty")
    await use_up(players, match.id, Phase.DISCARD)
    await use_up(players, match.id, Phase.DRAW, pile=1)
    view = (await players.app.lookup.table(match.id)).view
    assert view.stock == 52 - 3 * 7 - 1
    query = text("SELECT text FROM action WHERE text LIKE 'stock %'")
    ((stock,),) = await fetch(database, query)
    assert len(stock) == len("stock ") + 2 * (view.stock - 2) + len(" event=3")
    with pytest.raises(Illegal):
        await players.move(match.id, "pass")
    assert TAKE in (await players.app.lookup.hand((await players.to_act(match.id)).id, match.id)).view.moves
