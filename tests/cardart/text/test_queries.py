"""The cards of a hand fill slots, five to a row: melds stay together, and cards move only if melds change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, islice, pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces, best_arrangement
from bot.engine.deals.moves import Seat
from bot.engine.matches.facts import least_deadwood_left
from bot.engine.matches.views import SeatView, seat_view
from bot.engine.rules import Rules
from bot.model.appearance import CardOrder, HandOrder
from cardart.text.queries import CARDS_PER_ROW, HAND_SUIT_ORDER, hand_in_order
from tests.cardart.views import SYSTEMS, match_after, view_with_hand
from tests.engine.decks import GIN_HAND, POOR_HAND, random_actions
from tests.engine.strategies import hands
from tests.helpers.examples import examples

ORDERS = tuple(HandOrder)
BY_MELDS = HandOrder.MELDS


def slot_text(cards: str, order: CardOrder = BY_MELDS, new: str | None = None) -> str:
    """Return the cards in the order of the slots, with ` / ` between the rows and ` + ` before the new card."""
    new_card = None if new is None else Card.parse(new)
    slots = [card.text for card in hand_in_order(view_with_hand(Hand.parse(cards), new_card), order)]
    rows = (
        [slots[:CARDS_PER_ROW], slots[CARDS_PER_ROW:]]
        if new is None
        else [slots[:CARDS_PER_ROW], slots[CARDS_PER_ROW:-1]]
    )
    return " / ".join(map(" ".join, rows)) + ("" if new is None else f" + {slots[-1]}")


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


@pytest.mark.parametrize(
    ("order", "cards", "slots"),
    [
        (HandOrder.SUIT, "4c 4h 4s Th Jh Qh Kh Ac 2s 8c", "Ac 4c 4h 4s 8c / 2s Th Jh Qh Kh"),
        (HandOrder.RANK, "4c 4h 4s Th Jh Qh Kh Ac 2s 8c", "Ac 2s 4c 4h 4s / 8c Th Jh Qh Kh"),
        (HandOrder.SUIT, "2c 3c 5d 3s 5s Ah 9h", "2c 3c 5d 3s 5s / Ah 9h"),
        (HandOrder.RANK, "2c 3c 5d 3s 5s Ah 9h", "Ah 2c 3c 3s 5d / 5s 9h"),
    ],
)
def test_by_suit_and_rank_melds_stay_together_among_the_deadwood(order: HandOrder, cards: str, slots: str) -> None:
    """By suit and by rank, a meld stays together where its first card belongs. Deadwood is sorted."""
    assert slot_text(cards, order) == slots


@pytest.mark.parametrize(
    ("cards", "new", "slots"),
    [
        ("4c 4h 4s 4d Th Jh Qh 2s 8c 9c Kd", "4d", "Th Jh Qh 2s 8c / 9c Kd 4c 4h 4s + 4d"),
        ("4c 4h 4s Th Jh Qh Kh Ac 2s 3s 8c", "Jh", "4c 4h 4s Ac 2s / 3s 8c Th Qh Kh + Jh"),
        ("4c 4h 4s Th Jh Qh Kh Ac 2s 3s 8c", "8c", "4c 4h 4s Ac 2s / Th Jh Qh Kh 3s + 8c"),
        ("7c 7h 7s 5d 4c 5c 6c 3c", "3c", "7c 7h 7s 5d 4c / 5c 6c + 3c"),
    ],
)
def test_the_meld_of_the_new_card_lies_next_to_it(cards: str, new: str, slots: str) -> None:
    """The meld that the new card makes or extends comes last, next to the new card."""
    assert slot_text(cards, new=new) == slots


def test_a_run_keeps_its_own_order() -> None:
    """A run round the corner is not sorted by rank: the ace follows the king."""
    hands = "Qs Ks As 4d 5d 7d 8c 8h Th 2c", "2s 3s 4s 7h Kd Kc 9c 9h 3h Jh"
    view = seat_view(match_after("round_the_corner", *hands), Seat(0))
    assert " ".join(card.text for card in hand_in_order(view, BY_MELDS)[:3]) == "Qs Ks As"


@pytest.mark.parametrize(
    ("cards", "new", "slots"),
    [
        ("8c Ks 4s 2d Qd 4c Jh 3d 4h Ad", None, "Ks 8c 4s 4c 2d / Qd Ad Jh 3d 4h"),
        ("8c Ks 4s 2d Qd 4c Jh 3d 4h 9d", None, "Ks 8c 4s 4c 2d / Qd Jh 3d 4h 9d"),
        ("8c Ks 4s 2d Qd 4c Jh 3d 4h 4d", None, "Ks 8c 4s 4c 2d / Qd Jh 3d 4d 4h"),
        ("8c Ks 4s 2d Kd 4c Jh 3d 4h Kh", None, "Ks Kd Kh 8c 4s / 4c 2d Jh 3d 4h"),
        ("8c Ks 4s 2d Qd 4c Jh 3d 4h Ad Kh", "Kh", "Ks 8c 4s 4c 2d / Qd Ad Jh 3d 4h + Kh"),
        ("8c Ks 4s 2d Qd 4c", None, "Ks 8c 4s 4c 2d / Qd"),
    ],
)
def test_cards_lie_as_the_player_arranged_them(cards: str, new: str | None, slots: str) -> None:
    """Arranged cards keep their order, even in melds. A card that came later is beside its meld, or else the last."""
    order = tuple(map(Card.parse, ("Ks", "8c", "4s", "4c", "2d", "Qd", "Ad", "Jh", "3d", "4h")))
    assert slot_text(cards, order, new) == slots


@given(hands(8, 11), st.data(), st.sampled_from(ORDERS))
def test_a_new_card_outside_melds_moves_nothing(hand: Hand, data: st.DataObject, order: HandOrder) -> None:
    """A new card comes last. If it is in no meld, it moves no other card when it comes and when it is discarded."""
    new = data.draw(st.sampled_from(list(hand)))
    before, after = hand_in_order(view_with_hand(hand - new), order), hand_in_order(view_with_hand(hand, new), order)
    assert after[-1] is new
    assert sorted(after) == list(hand)
    if new in best_arrangement(hand).unmatched:
        assert after == (*before, new)


@pytest.mark.nightly
@examples(2000)
@given(hands(7, 11), st.data(), st.sampled_from(ORDERS), st.sampled_from(get_args(Aces)))
def test_at_most_one_meld_lies_in_two_places(hand: Hand, data: st.DataObject, order: HandOrder, aces: Aces) -> None:
    """Each meld lies in one place, except that one meld lies in two places if there is no way to avoid that.

    The end of the first row separates cards. The new card touches the last card of the second row.
    """
    new = data.draw(st.sampled_from(list(hand) if len(hand) > 10 else [None, *hand][: len(hand) + (len(hand) > 7)]))
    view = with_aces(view_with_hand(hand, new, aces), aces)
    slots, melds = hand_in_order(view, order), view.arrangement.melds
    places = [number_of_places([slots.index(card) for card in meld.cards]) for meld in melds]
    assert sorted(slots) == list(hand)
    assert sum(number - 1 for number in places) <= 1
    in_slots = [len(meld.cards) for meld in melds if new not in meld.cards]
    open_meld = next((len(meld.cards) - 1 for meld in melds if new in meld.cards), 0)
    if fit_unsplit(in_slots, open_meld, len(hand) - (new is not None)):
        assert all(number == 1 for number in places)


def with_aces(view: SeatView, aces: Aces) -> SeatView:
    """Return a view under another rule for aces."""
    return replace(view, public=replace(view.public, rules=replace(view.public.rules, aces=aces)))


def number_of_places(slots: Sequence[int]) -> int:
    """Return the number of groups of neighbours among slots, of which five are in the first row."""
    return 1 + sum(after > slot + 1 or after == CARDS_PER_ROW for slot, after in pairwise(sorted(slots)))


def fit_unsplit(melds: Sequence[int], open_meld: int, slots: int) -> bool:
    """Return True if melds of these sizes fit into two rows without splitting any.

    The `open_meld`, which the new card completes, has to be in the second row. Its size is without the new card.
    """
    return any(
        sum(first) <= CARDS_PER_ROW and sum(melds) - sum(first) + open_meld <= slots - CARDS_PER_ROW
        for number in range(len(melds) + 1)
        for first in combinations(melds, number)
    )


@given(hands(7, 10), st.sampled_from(ORDERS))
def test_deadwood_is_in_order(hand: Hand, order: HandOrder) -> None:
    """Deadwood is sorted by suit in the order by suit, and otherwise by rank."""
    unmatched = best_arrangement(hand).unmatched
    slots = [card for card in hand_in_order(view_with_hand(hand), order) if card in unmatched]
    by_suit = [card for suit in HAND_SUIT_ORDER for card in unmatched if card.suit is suit]
    assert slots == (by_suit if order is HandOrder.SUIT else list(unmatched))


@pytest.mark.thorough
def test_cards_move_only_for_a_cause_in_real_deals() -> None:
    """Cards move to other slots only if melds change, or if the new card replaces another, and then few cards move.

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
    """Assert that cards changed slots only because of melds or because the new card replaced another.

    Return True if there was such a replacement.
    """
    old, new = ([card for card in hand_in_order(view, order) if card is not view.new_card] for view in (before, after))
    exchanged = set(old) != set(new)
    assert exchanged == (before.new_card is not None and after.new_card is None and before.new_card in new)
    was, now = ([meld.cards for meld in view.arrangement.melds] for view in (before, after))
    melded = {card for meld in (*was, *now) for card in meld}
    if was == now and melded.isdisjoint((before.new_card, after.new_card)):
        if not exchanged:
            assert old == new
        elif order is BY_MELDS:
            assert [card if card in melded else None for card in old] == [
                card if card in melded else None for card in new
            ]
    kept = [[card for card in cards if card not in melded and card in old and card in new] for cards in (old, new)]
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
