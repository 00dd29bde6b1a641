"""The cards of a hand fill slots, five to a row, and move to other slots only if they have to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import Hand
from bot.engine.cards.melds import best_arrangement
from bot.engine.deals.moves import Seat
from bot.engine.matches.facts import least_deadwood_left
from bot.engine.matches.views import SeatView, seat_view
from bot.engine.rules import Rules
from bot.model.appearance import HandOrder
from cardart.text.queries import CARDS_PER_ROW, hand_in_order, sorted_hand
from tests.cardart.views import SYSTEMS, match_after, view_with_hand
from tests.engine.decks import GIN_HAND, POOR_HAND, random_actions
from tests.engine.strategies import hands

ORDERS = tuple(HandOrder)
BY_MELDS = HandOrder.MELDS


def slot_text(cards: str, order: HandOrder = BY_MELDS) -> str:
    """Return the cards in the order of the slots, with ` / ` between the rows."""
    slots = hand_in_order(view_with_hand(Hand.parse(cards)), order)
    return " / ".join(
        " ".join(card.text for card in slots[start : start + CARDS_PER_ROW])
        for start in range(0, len(slots), CARDS_PER_ROW)
    )


@pytest.mark.parametrize(
    ("cards", "slots"),
    [
        ("4c 4h 4s Ad 2s 3s 8c Jh Qd Ks", "4c 4h 4s Ad 2s / 3s 8c Jh Qd Ks"),
        ("4c 4h 4s Th Jh Qh Ac 2s 3s 8c", "4c 4h 4s Ac 2s / Th Jh Qh 3s 8c"),
        ("4c 4h 4s 4d Th Jh Qh Kh 2s 8c", "4c 4d 4h 4s 2s / Th Jh Qh Kh 8c"),
        ("Ac Ad As 3h 4h 5h Js Qs Ks 9d", "Ac Ad As 3h 4h / 5h Js Qs Ks 9d"),
        ("2h 3h 4h 5h 6h 7h Jc Jd Js 9d", "2h 3h 4h 5h 6h / 7h Jc Jd Js 9d"),
        ("5c 5d 5h 9s Kd 2c 3c", "5c 5d 5h 2c 3c / 9s Kd"),
    ],
)
def test_melds_come_first_and_stay_in_one_row(cards: str, slots: str) -> None:
    """Melds come first. If the next meld does not fit into the first row, deadwood fills that row."""
    assert slot_text(cards) == slots


def test_a_run_keeps_its_own_order() -> None:
    """A run round the corner is not sorted by rank: the ace follows the king."""
    hands = "Qs Ks As 4d 5d 7d 8c 8h Th 2c", "2s 3s 4s 7h Kd Kc 9c 9h 3h Jh"
    view = seat_view(match_after("round_the_corner", *hands), Seat(0))
    assert " ".join(card.text for card in hand_in_order(view, BY_MELDS)[:3]) == "Qs Ks As"


@given(hands(8, 11), st.data(), st.sampled_from(ORDERS))
def test_a_new_card_moves_nothing_when_it_comes_and_when_it_goes(
    hand: Hand, data: st.DataObject, order: HandOrder
) -> None:
    """A draw puts the new card last and moves no other card, and discarding it restores the earlier order."""
    new = data.draw(st.sampled_from(list(hand)))
    before = hand_in_order(view_with_hand(hand - new), order)
    assert hand_in_order(view_with_hand(hand, new), order) == (*before, new)


@given(hands(7, 10))
def test_melds_are_split_only_if_necessary(hand: Hand) -> None:
    """A meld is split over two rows only if there is no way to fit all melds into the rows."""
    slots = hand_in_order(view_with_hand(hand), BY_MELDS)
    assert sorted(slots) == list(hand)
    melds = best_arrangement(hand).melds
    split = [meld for meld in melds if len({slots.index(card) // CARDS_PER_ROW for card in meld.cards}) > 1]
    assert not split or not fit_unsplit([len(meld.cards) for meld in melds], len(hand))


def fit_unsplit(melds: Sequence[int], cards: int) -> bool:
    """Return True if melds of these sizes fit into two rows of a hand without splitting any."""
    rows = (CARDS_PER_ROW, cards - CARDS_PER_ROW)
    return any(
        sum(first) <= rows[0] and sum(melds) - sum(first) <= rows[1]
        for number in range(len(melds) + 1)
        for first in combinations(melds, number)
    )


@given(hands(7, 10))
def test_melds_and_deadwood_are_in_order(hand: Hand) -> None:
    """The cards of a meld are consecutive, and deadwood is sorted by rank."""
    slots, laid = hand_in_order(view_with_hand(hand), BY_MELDS), best_arrangement(hand)
    for meld in laid.melds:
        first = min(slots.index(card) for card in meld.cards)
        assert set(slots[first : first + len(meld.cards)]) == set(meld.cards)
    assert tuple(card for card in slots if card in laid.unmatched) == laid.unmatched


@given(hands(7, 10), st.sampled_from((HandOrder.SUIT, HandOrder.RANK)))
def test_other_orders_ignore_melds(hand: Hand, order: HandOrder) -> None:
    """The orders by suit and by rank ignore melds."""
    assert hand_in_order(view_with_hand(hand), order) == sorted_hand(hand, order)


@pytest.mark.thorough
def test_cards_move_only_for_a_cause_in_real_deals() -> None:
    """Cards move to other slots only if the new card replaces a card of the hand, and then as little as possible.

    If the melds stay the same, melded cards keep their slots. Cards that remain deadwood keep their order.
    """
    turns = dict.fromkeys(ORDERS, 0)
    for rules, seats in SYSTEMS[::4]:
        before: dict[int, tuple[tuple[int, int], SeatView]] = {}
        for _, _, match in islice(random_actions(3, Rules.parse(rules), seats=seats), 80):
            for view in (seat_view(match, seat) for deal in match.playing for seat in deal.seats):
                deal = (view.public.number, view.public.board)
                last = before.get(view.seat)
                before[view.seat] = (deal, view)
                if last is not None and last[0] == deal:
                    for order in ORDERS:
                        turns[order] += assert_moved_for_a_cause(last[1], view, order)
    assert min(turns.values()) > 30


def assert_moved_for_a_cause(before: SeatView, after: SeatView, order: HandOrder) -> bool:
    """Assert that cards changed slots only if the new card replaced a card of the hand, and then as little as possible.

    Return True if there was such a replacement.
    """
    old, new = ([card for card in hand_in_order(view, order) if card is not view.new_card] for view in (before, after))
    exchanged = set(old) != set(new)
    assert exchanged == (before.new_card is not None and after.new_card is None and before.new_card in new)
    if not exchanged:
        assert old == new
    elif order is not BY_MELDS:
        assert [card for card in old if card in new] == [card for card in new if card in old]
    else:
        aces = after.public.rules.aces
        was, now = (best_arrangement(Hand.of(cards), aces) for cards in (old, new))
        if was.melds == now.melds:
            places = [[cards.index(card) for meld in was.melds for card in meld.cards] for cards in (old, new)]
            assert places[0] == places[1]
        kept = [[card for card in cards if card in was.unmatched and card in now.unmatched] for cards in (old, new)]
        assert kept[0] == kept[1]
    return exchanged


def test_cards_laid_off_keep_their_slots() -> None:
    """While a knock is being answered, the hand keeps the order that it had before the lay-offs."""
    hands = "4s 5s 6s 9c 9d 9h Jc Jd Jh 2c", "7s 8s 9s Ac Ad 3h 4h Kc Qd 6d"
    moves = "pass", "pass", "draw", "k Kh", "m -", "l 7s>4s5s6s", "l 8s>4s5s6s"
    answers = [
        seat_view(match_after("standard", *hands, *moves[:number], stock="Kh"), Seat(1)) for number in range(4, 8)
    ]
    assert {hand_in_order(view, BY_MELDS) for view in answers} == {hand_in_order(answers[0], BY_MELDS)}
    assert len(hand_in_order(answers[-1], BY_MELDS)) == 10
    assert len(answers[-1].hand) == 8


def test_least_deadwood_counts_only_legal_discards() -> None:
    """The card just taken from the pile is not considered as a discard, because discarding it is illegal."""
    view = seat_view(match_after("classic", f"{GIN_HAND} 5h", POOR_HAND, "take", upcard="Jc"), Seat(0))
    assert (view.arrangement.deadwood, least_deadwood_left(view)) == (15, 10)
