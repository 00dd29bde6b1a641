"""The order of a hand's cards, and facts about a person's results, for both pictures and texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, permutations
from typing import Final

from bot.engine.cards.cards import Card, Hand, Suit
from bot.engine.cards.melds import Arrangement, best_arrangement
from bot.engine.matches.facts import meld_in_order, open_knock
from bot.engine.matches.views import SeatView
from bot.model.appearance import CardOrder, HandOrder
from bot.model.statistics import Profile

HAND_SUIT_ORDER: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
"""The suits in the order of a sorted hand, which alternates black and red."""
CARDS_PER_ROW: Final = 5
"""Number of cards in a row of a hand, both in its picture and on its buttons."""


def _sorted_hand(hand: Hand, order: HandOrder) -> tuple[Card, ...]:
    """Return the cards of a hand sorted by suit if `order` says so, and otherwise by rank."""
    if order is HandOrder.SUIT:
        return tuple(card for suit in HAND_SUIT_ORDER for card in hand if card.suit is suit)
    return tuple(hand)


def hand_in_order(view: SeatView, order: CardOrder) -> tuple[Card, ...]:
    """Return the cards of a hand in slot order, with the card drawn or taken this turn last.

    A row has five slots, and the new card lies at the end of the second row. The cards of a meld are neighbours, and at
    most one meld is split by the end of the first row. Apart from that, `HandOrder.MELDS` puts melds before deadwood;
    the other orders sort melds, by their first cards, among the deadwood. A new card that changes no meld moves no
    other card. If the player has arranged their cards, `order` has these cards, and a card that came later lies beside
    its meld or at the end.

    While a knock is being answered, the result still includes the cards that the seat has laid off, which `view.hand`
    no longer has. So the other cards stay in their slots.
    """
    knock = open_knock(view.public)
    laid_off = () if knock is None else (lay_off.card for lay_off in knock.lay_offs if lay_off.seat == view.seat)
    arrangement = best_arrangement(Hand.of((*view.hand, *laid_off)), view.public.rules.aces)
    new_cards = () if view.new_card is None else (view.new_card,)
    if isinstance(order, HandOrder):
        return (*_in_slots(arrangement, view.new_card, order), *new_cards)
    return (*_as_arranged(arrangement, view.new_card, order), *new_cards)


def _as_arranged(arrangement: Arrangement, new_card: Card | None, arranged: Sequence[Card]) -> list[Card]:
    """Return all cards except the new one as the player has arranged them, with later cards beside their melds."""
    melds = [meld.cards for meld in arrangement.melds]
    held = {card for cards in (*melds, arrangement.unmatched) for card in cards} - {new_card}
    slots = [card for card in arranged if card in held]
    for card in sorted(held.difference(slots)):
        meld = next((cards for cards in melds if card in cards), ())
        ends = [place for place, other in enumerate(slots, 1) if other in meld]
        slots.insert(ends[-1] if ends else len(slots), card)
    return slots


@lru_cache(256)
def _in_slots(arrangement: Arrangement, new_card: Card | None, order: HandOrder) -> tuple[Card, ...]:
    """Return all cards except the new one, with melds kept together, the fewest splits, and then the closest order.

    There is at most one split: if the meld of the new card comes last, only the end of the first row can split a meld.
    """
    melds = [tuple(card for card in meld_in_order(meld.cards) if card is not new_card) for meld in arrangement.melds]
    deadwood = [(card,) for card in arrangement.unmatched if card is not new_card]
    open_meld = next(
        (cards for cards, meld in zip(melds, arrangement.melds, strict=True) if new_card in meld.cards), ()
    )
    groups = [*melds, *deadwood]
    if order is not HandOrder.MELDS:
        in_order = _sorted_hand(Hand.of(card for group in groups for card in group), order)
        for unsorted in (melds, deadwood, groups):
            unsorted.sort(key=lambda group: min(map(in_order.index, group)))
    places = {group: place for place, group in enumerate(groups)}

    def cost(groups: Sequence[tuple[Card, ...]]) -> tuple[int, int]:
        moved = sum(abs(place - places[group]) for place, group in enumerate(groups))
        return _splits(groups, open_meld), moved

    return tuple(card for group in min(_mixtures(melds, deadwood), key=cost) for card in group)


def _mixtures(
    melds: Sequence[tuple[Card, ...]], deadwood: Sequence[tuple[Card, ...]]
) -> Iterator[list[tuple[Card, ...]]]:
    """Yield all sequences of the melds, in any order, and the deadwood, in its order."""
    for permutation in permutations(melds):
        for places in combinations(range(len(melds) + len(deadwood)), len(melds)):
            groups = list(deadwood)
            for place, meld in zip(places, permutation, strict=True):
                groups.insert(place, meld)
            yield groups


def _splits(groups: Sequence[tuple[Card, ...]], open_meld: tuple[Card, ...]) -> int:
    """Return the number of gaps within melds: at the end of the first row, and before the new card of `open_meld`."""
    ends = list(accumulate(map(len, groups)))
    is_cut = any(end - len(group) < CARDS_PER_ROW < end for end, group in zip(ends, groups, strict=True))
    return is_cut + (open_meld != () and groups[-1] != open_meld)


def cumulative_net(profile: Profile) -> list[int]:
    """Return the cumulative net points before the first match and after each match."""
    return [0, *accumulate(match.net for match in profile.played_matches)]


def wins_by_kind(profile: Profile) -> tuple[int, int, int]:
    """Return the numbers of deals won by knock, by gin and by undercut."""
    return profile.deals_won - profile.gins - profile.undercuts, profile.gins, profile.undercuts
