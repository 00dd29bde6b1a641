"""Layoffs after a knock, one by one or all at once, and rarer events: big gin, the wall and reshuffles."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import DONE, DRAW, TAKE, Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.views import SeatView
from bot.model.ids import MatchId
from bot.model.matches import Shortcut
from bot.model.outbox import MessageKind
from bot.play.application import Application
from bot.play.refusals import Illegal, NotYourTurn
from bot.store.database import Database
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_UNDERCUT, Deck, RiggedShuffler
from tests.helpers.table import EAST, ELSEWHERE, NORTH, SOUTH, Players, dm_of, interaction, patient_move, play_deal

TWO_MELDS_DECK = deck("3c 3h 3s 4d 5d 6d Kc Kd Kh Qh", "2d 3d 5s 6h 7s 8h 9c 9h Jc Qd", "As")
"""A deck with which the first player can take the upcard and knock with 1 deadwood by discarding Qh.

Then the opponent can lay off 3d on the threes or on the run 4d 5d 6d, and 2d only on that run, after 3d.
"""

BIG_GIN_DECK = deck(f"{GIN_HAND} 7d", POOR_HAND, "Ks")
"""A deck with which the first player can take the upcard and meld eleven cards; the opponent has 60 deadwood."""


def players_with_decks(database: Database, clock: Clock, *decks: Deck) -> Players:
    """Return a helper that plays matches of two people with these decks."""
    return Players(Application(database, shuffler=RiggedShuffler(*decks), clock=clock))


async def player_actions(database: Database) -> list[str]:
    query = text("SELECT text FROM action ORDER BY number")
    return [line for (line,) in await fetch(database, query) if line[0].isdigit()]


@pytest.mark.thorough
async def test_laying_off_one_card_at_a_time(database: Database, clock: Clock) -> None:
    """The opponent sees how much each layoff saves, lays off, and finishes; only then is the deal over."""
    players = players_with_decks(database, clock, IMMEDIATE_UNDERCUT)
    app, match = players.app, await players.begin("standard target=1000")
    hand = await players.move(match.id, "take", "k Qh")
    assert (hand.view.is_to_act, hand.view.public.phase, hand.view.moves) == (False, Phase.LAY_OFF, ())
    with pytest.raises(NotYourTurn):
        await app.turns.move(NORTH.id, match.id, Shortcut.LAY_OFF_ALL, interaction())
    south = await app.lookup.hand(SOUTH.id, match.id)
    assert [(str(lay_off.card), lay_off.points_saved) for lay_off in south.view.lay_offs] == [("7d", 7)]
    hand = await app.turns.move(SOUTH.id, match.id, Move(Verb.LAY_OFF, Card.parse("7d")), interaction())
    assert (hand.view.is_to_act, hand.view.lay_offs, len(tuple(hand.view.hand))) == (True, (), 9)
    await app.turns.move(SOUTH.id, match.id, DONE, interaction())
    (deal,) = (await app.lookup.summary(match.id)).deals
    assert (deal.outcome.kind, deal.deadwood(deal.seats[1])) == (OutcomeKind.UNDERCUT, 6)
    assert (await player_actions(database))[2:] == ["1 l 7d>4d5d6d", "1 done"]


async def test_laying_off_all_at_once(database: Database, clock: Clock) -> None:
    """One click makes the best layoffs, as separate moves in the log, and a repeated interaction changes nothing."""
    players = players_with_decks(database, clock, TWO_MELDS_DECK)
    app, match = players.app, await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh")
    interaction_id, version = interaction(), (await app.lookup.hand(SOUTH.id, match.id)).match.version
    await app.turns.move(SOUTH.id, match.id, Shortcut.LAY_OFF_ALL, interaction_id, version=version)
    assert (await player_actions(database))[2:] == ["1 l 3d>4d5d6d", "1 l 2d>4d5d6d", "1 done"]
    (deal,) = (await app.lookup.summary(match.id)).deals
    assert deal.deadwood(deal.seats[1]) == 5 + 6 + 7 + 8 + 9 + 9 + 10 + 10
    repeated = await app.turns.move(SOUTH.id, match.id, Shortcut.LAY_OFF_ALL, interaction_id, version=version)
    assert repeated == await app.lookup.hand(SOUTH.id, match.id)
    assert (await player_actions(database))[2:5] == ["1 l 3d>4d5d6d", "1 l 2d>4d5d6d", "1 done"]


@pytest.mark.parametrize(
    ("named_meld", "expected_meld"), [(None, "4d5d6d"), ("3c3h3s", "3c3h3s"), ("4d5d6d", "4d5d6d")]
)
async def test_a_card_that_fits_two_melds(
    database: Database, clock: Clock, named_meld: str | None, expected_meld: str
) -> None:
    """A card that fits two melds goes on the named one or, if none is named, on the one that the best layoffs use."""
    players = players_with_decks(database, clock, TWO_MELDS_DECK)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh")
    move = Move(Verb.LAY_OFF, Card.parse("3d")) if named_meld is None else Move.parse(f"l 3d>{named_meld}")
    hand = await players.app.turns.move(SOUTH.id, match.id, move, interaction())
    assert (await player_actions(database))[-1] == f"1 l 3d>{expected_meld}"
    assert [str(lay_off.card) for lay_off in hand.view.lay_offs] == (["2d"] if expected_meld == "4d5d6d" else [])


async def test_declining_to_lay_off(database: Database, clock: Clock) -> None:
    """If the opponent finishes without laying off, the remaining cards count and the knock wins."""
    players = players_with_decks(database, clock, IMMEDIATE_UNDERCUT)
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
async def test_invalid_moves_after_a_knock(database: Database, clock: Clock, move: Move | Shortcut, code: str) -> None:
    """After a knock, a card that fits nowhere, a card not in hand, and other kinds of moves are refused."""
    players = players_with_decks(database, clock, IMMEDIATE_UNDERCUT)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take", "k Qh")
    before = await player_actions(database)
    with pytest.raises(Illegal) as caught:
        await players.app.turns.move(SOUTH.id, match.id, move, interaction())
    assert caught.value.code == code
    assert await player_actions(database) == before


async def test_laying_off_without_a_knock(players: Players) -> None:
    """The shortcut that lays off all cards is refused with its own error code if nobody has knocked."""
    match = await players.begin("standard")
    with pytest.raises(Illegal) as caught:
        await players.move(match.id, "all")
    assert caught.value.code == "no-lay-off"


@pytest.mark.thorough
async def test_a_knock_notifies_the_opponent(database: Database, clock: Clock) -> None:
    """The opponent gets a new message when the player knocks, and another one for the next deal."""
    players = players_with_decks(database, clock, IMMEDIATE_UNDERCUT)
    courier = FakeCourier(players.app)
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin("standard target=1000")
    await players.move(match.id, "take")
    await courier.deliver()
    await players.move(match.id, "k Qh")
    await courier.deliver()
    (south,) = courier.of_kind(MessageKind.HAND, dm_of(SOUTH))
    assert south.notifies
    assert courier.of_kind(MessageKind.SHOWDOWN) == []
    await players.move(match.id, "all")
    await courier.deliver()
    (again,) = courier.of_kind(MessageKind.HAND, dm_of(SOUTH))
    assert (again.notifies, again.id != south.id, len(courier.of_kind(MessageKind.SHOWDOWN))) == (True, True, 1)


@pytest.mark.thorough
async def test_several_opponents_answer_in_order(database: Database, clock: Clock) -> None:
    """With three players, the opponents lay off in turn order."""
    players = Players(Application(database, shuffler=RiggedShuffler(seed=3), clock=clock), (NORTH, SOUTH, EAST))
    match = await players.begin("penalty knock_limit=100 lay_off_mode=manual target=1000")
    turn = [str(seat) for seat in (await players.app.lookup.table(match.id)).view.seats]
    await players.move(match.id, "draw")
    first = await players.to_act(match.id)
    view = (await players.app.lookup.hand(first.id, match.id)).view
    knock = next(move for move in view.moves if move.verb is Verb.KNOCK)
    await players.app.turns.move(first.id, match.id, knock, interaction())
    await players.move(match.id, "all", "done")
    answers = [line.split()[0] for line in await player_actions(database) if line.endswith(" done")]
    assert answers == turn[1:]
    assert len((await players.app.lookup.summary(match.id)).deals) == 1


@pytest.mark.thorough
async def test_big_gin(database: Database, clock: Clock) -> None:
    """If the rules have big gin, a player who melds eleven cards goes out without a discard; it counts as a gin."""
    players = players_with_decks(database, clock, BIG_GIN_DECK, BIG_GIN_DECK)
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


async def play_until(players: Players, match_id: MatchId, phase: Phase, pile: int = 52) -> None:
    """Draw and discard until the deal is in this phase and its discard pile has at most `pile` cards."""

    def is_reached(view: SeatView) -> bool:
        return view.public.phase is phase and len(view.public.discards) <= pile

    await play_deal(players.app, match_id, patient_move, until=is_reached)


@pytest.mark.thorough
async def test_a_pass_at_the_wall_voids_the_deal(database: Database, clock: Clock) -> None:
    """After the stock is used up, the last discard can only be taken to go out; a pass voids the deal."""
    players = players_with_decks(database, clock)
    match = await players.begin("tournament")
    await play_until(players, match.id, Phase.WALL)
    for move, code in ((DRAW, "wall"), (Shortcut.LAY_OFF_ALL, "no-lay-off")):
        mover = await players.to_act(match.id)
        with pytest.raises(Illegal) as caught:
            await players.app.turns.move(mover.id, match.id, move, interaction())
        assert caught.value.code == code
    await players.move(match.id, "pass")
    (deal,) = (await players.app.lookup.summary(match.id)).deals
    assert deal.outcome.kind is OutcomeKind.VOID


@pytest.mark.thorough
async def test_discards_are_reshuffled(database: Database, clock: Clock) -> None:
    """After the stock is used up, all discards but the top one are shuffled, and the next player draws."""
    players = Players(Application(database, shuffler=RiggedShuffler(seed=1), clock=clock), (NORTH, SOUTH, EAST))
    match = await players.begin("penalty")
    await play_until(players, match.id, Phase.DISCARD)
    await play_until(players, match.id, Phase.DRAW, pile=1)
    view = (await players.app.lookup.table(match.id)).view
    assert view.stock == 52 - 3 * 7 - 1
    query = text("SELECT text FROM action WHERE text LIKE 'stock %'")
    ((stock,),) = await fetch(database, query)
    assert len(stock) == len("stock ") + 2 * (view.stock - 2) + len(" event=3")
    with pytest.raises(Illegal):
        await players.move(match.id, "pass")
    assert TAKE in (await players.app.lookup.hand((await players.to_act(match.id)).id, match.id)).view.moves
