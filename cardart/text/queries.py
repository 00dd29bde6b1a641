"""The order of a hand's cards, and facts about a person's results, for both pictures and texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, permutations
from typing import Final

from bot.engine.cards.cards import Card, Hand, Suit
from bot.engine.cards.melds import Arrangement, best_arrangement
from bot.engine.matches.facts import meld_in_order, open_knock
from bot.engine.matches.views import SeatView
from bot.model.appearance import HandOrder
from bot.model.statistics import Profile, Week

HAND_SUIT_ORDER: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
"""The suits in the order of a sorted hand, which alternates black and red."""
CARDS_PER_ROW: Final = 5
"""Number of cards in a row of a hand, both in its picture and on its buttons."""
MIN_WEEKS: Final = 6
"""Minimum number of weeks in the chart of a server's activity."""


def sorted_hand(hand: Hand, order: HandOrder) -> tuple[Card, ...]:
    """Return the cards of a hand sorted by suit if `order` says so, and otherwise by rank."""
    if order is HandOrder.SUIT:
        return tuple(card for suit in HAND_SUIT_ORDER for card in hand if card.suit is suit)
    return tuple(hand)


def hand_in_order(view: SeatView, order: HandOrder) -> tuple[Card, ...]:
    """Return the cards of a hand in slot order, with the card drawn or taken this turn last.

    A row has five slots. The new card does not affect the order of the other cards, so they stay in place when the new
    card arrives or is discarded again. With `HandOrder.MELDS`, the melds come before the deadwood, unless deadwood
    between melds keeps a meld from being split over two rows.

    While a knock is being answered, the result still includes the cards that the seat has laid off, which `view.hand`
    no longer has. So the other cards stay in their slots.
    """
    knock = open_knock(view.public)
    laid_off = () if knock is None else (lay_off.card for lay_off in knock.lay_offs if lay_off.seat == view.seat)
    new_cards = () if view.new_card is None else (view.new_card,)
    slots_hand = Hand.of((*view.hand.without(new_cards), *laid_off))
    if order is not HandOrder.MELDS:
        return (*sorted_hand(slots_hand, order), *new_cards)
    return (*_melds_in_rows(best_arrangement(slots_hand, view.public.rules.aces)), *new_cards)


def _melds_in_rows(hand: Arrangement) -> tuple[Card, ...]:
    """Return the melds, then the deadwood by rank, in the first order that splits the fewest melds over two rows."""
    melds, deadwood = [meld_in_order(meld.cards) for meld in hand.melds], hand.unmatched
    candidates = [_concatenated(melds, deadwood)]
    # Two melds never fit in one row, so try each meld in the first row, with deadwood in the remaining slots.
    for first_meld, *other_melds in permutations(melds) if melds else ():
        free_slots = max(0, CARDS_PER_ROW - len(first_meld))
        candidates.append((*first_meld, *deadwood[:free_slots], *_concatenated(other_melds, deadwood[free_slots:])))
    return min(candidates, key=lambda cards: sum(_is_split(meld, cards) for meld in melds))


def _concatenated(melds: Iterable[tuple[Card, ...]], deadwood: tuple[Card, ...]) -> tuple[Card, ...]:
    return (*(card for meld in melds for card in meld), *deadwood)


def _is_split(meld: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    return cards.index(meld[0]) // CARDS_PER_ROW != cards.index(meld[-1]) // CARDS_PER_ROW


def cumulative_net(profile: Profile) -> list[int]:
    """Return the cumulative net points before the first match and after each match."""
    return [0, *accumulate(match.net for match in profile.played_matches)]


def wins_by_kind(profile: Profile) -> tuple[int, int, int]:
    """Return the numbers of deals won by knock, by gin and by undercut."""
    return profile.deals_won - profile.gins - profile.undercuts, profile.gins, profile.undercuts


def weeks_since_first_match(weeks: Sequence[Week]) -> Sequence[Week]:
    """Return the weeks from the first match on, but at least the last `MIN_WEEKS` weeks."""
    first_played = next((index for index, week in enumerate(weeks) if week.matches), 0)
    return weeks[min(first_played, max(0, len(weeks) - MIN_WEEKS)) :]
