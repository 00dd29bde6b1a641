"""The luck in finished deals, compared with a slow computation that follows each card."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import melds_in, points
from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import RESIGN, Seat, Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Match
from bot.engine.records.record import replay_record
from bot.engine.rules import PRESETS, Rules
from bot.luck.measures import NO_LUCK, Luck, is_measured, luck_in, luck_of_deal
from bot.opponent.play.table import Table
from tests.helpers.processes import ROOT
from tests.opponent.helpers import mixed_move, move_without_going_out, play_through

NORTH, SOUTH = Seat(0), Seat(1)


def finished_match(seed: int, rules: str = "classic") -> Match:
    """Play a match with some random moves to its end, and return it."""
    table, random = Table(Rules.parse(rules), 2, f"luck/{seed}"), Random(seed)
    for _ in play_through(table, lambda position: mixed_move(position, random)):
        pass
    return table.match


def brute_force_least_deadwood(hand: Hand) -> int:
    """Return the least deadwood of a hand by trying all sets of up to three disjoint melds."""
    melds = melds_in(hand)
    ways = [way for size in range(4) for way in combinations(melds, size)]
    disjoint = [cards for way in ways if len(set(cards := [card for meld in way for card in meld.cards])) == len(cards)]
    return min(points(hand.without(cards)) for cards in disjoint)


def walk_through_deal(deal: Deal, seat: Seat) -> tuple[int, int, int]:
    """Return a seat's opening deadwood, draws and useful draws, following the cards from the deck."""
    players, index = len(deal.seats), deal.seats.index(seat)
    hand = set(deal.deck[index : 10 * players : players])
    stock, pile = list(deal.deck[10 * players + 1 :]), [deal.deck[10 * players]]
    opening, turn, draws, useful = brute_force_least_deadwood(Hand.of(hand)), 0, 0, 0
    for move in deal.history:
        card: Card | None = None
        if move.verb is Verb.TAKE:
            card = pile.pop()
        elif move.verb is Verb.DRAW:
            card = stock.pop(0)
            if turn == index:
                draws += 1
                deadwood = min(brute_force_least_deadwood(Hand.of({*hand, card} - {other})) for other in hand)
                useful += deadwood < brute_force_least_deadwood(Hand.of(hand))
        if turn == index and card is not None:
            hand.add(card)
        if move.verb is Verb.DISCARD:
            assert move.card is not None
            pile.append(move.card)
            if turn == index:
                hand.remove(move.card)
        if move.verb in (Verb.DISCARD, Verb.PASS):
            turn = 1 - turn
    return opening, draws, useful


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_match_is_the_sum_of_its_deals(seed: int) -> None:
    """The luck in a deal agrees with `walk_through_deal`, and the luck in a match is the sum over its deals."""
    match = finished_match(seed)
    assert sum(deal.is_laid_down for deal in match.finished) > 1
    for seat in (NORTH, SOUTH):
        deals = [deal for deal in match.finished if deal.is_laid_down][:4]
        for deal in deals:
            found = luck_of_deal(deal, seat)
            assert (found.opening, found.draws, found.useful) == walk_through_deal(deal, seat)
        kinds = [deal.outcome.kind for deal in match.finished if deal.outcome and deal.outcome.winner == seat]
        total = luck_in(match, seat)
        assert total.deals == sum(deal.is_laid_down for deal in match.finished)
        assert (total.gins, total.undercuts) == (kinds.count(OutcomeKind.GIN), kinds.count(OutcomeKind.UNDERCUT))
        assert total == Luck.total(luck_of_deal(deal, seat) for deal in match.finished if deal.is_laid_down)


def test_a_record_counted_by_hand() -> None:
    """A recorded gin on the upcard has ten points of opening deadwood, no draw from the stock, and one gin."""
    match = replay_record((ROOT / "tests/records/gin-on-the-upcard.gin").read_text())
    won, lost = luck_in(match, NORTH), luck_in(match, SOUTH)
    assert (won.deals, won.opening, won.draws, won.useful, won.gins, won.undercuts) == (1, 10, 0, 0, 1, 0)
    assert (lost.gins, lost.undercuts, lost.draws) == (0, 0, 0)


def test_void_and_broken_off_deals_are_excluded() -> None:
    """Broken-off and void deals do not count in a player's luck."""
    table = Table(Rules(), 2, "luck/resigned")
    table.play(NORTH, RESIGN)
    assert luck_in(table.match, NORTH) == NO_LUCK
    table, random = Table(Rules(), 2, "luck/void"), Random(1)
    for _ in play_through(table, lambda position: move_without_going_out(position, random)):
        if table.match.finished:
            break
    assert [deal.outcome and deal.outcome.kind for deal in table.match.finished] == [OutcomeKind.VOID]
    assert luck_in(table.match, NORTH) == NO_LUCK


def test_only_deals_played_as_in_classic_are_measured() -> None:
    """Options of the whole match do not matter, but with options that change the play, a deal is not measured."""
    measured = {name for name in PRESETS if is_measured(Rules.parse(name))}
    assert measured == {"classic", "research", "blitz", "hollywood"}
    assert is_measured(Rules.parse("classic target=150 next_dealer=winner"))
    for other in ("gin_bonus=20", "knock_limit=5", "undercut_on_tie=off", "big_gin_bonus=31", "lay_off_mode=manual"):
        assert not is_measured(Rules.parse(f"classic {other}"))


def test_total_of_no_deals() -> None:
    """The total luck of no deals is zero."""
    assert Luck.total([]) == NO_LUCK
