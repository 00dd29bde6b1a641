"""Cards, hands and decks, and their text."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, Card, Hand, Rank, Suit, parse_cards, parse_deck
from bot.engine.errors import NotationError
from tests.engine.strategies import cards, hands
from tests.reference import deals


def test_the_deck_is_every_card_by_rank_then_suit() -> None:
    """The deck lists the 52 cards by rank, then suit."""
    assert tuple(map(str, DECK)) == deals.DECK
    assert all(lower < higher for lower, higher in pairwise(DECK))


def test_a_card_round_trips() -> None:
    """Each card parses from its text and from its symbol, always to the same object."""
    for card in DECK:
        assert Card.parse(str(card)) is card
        assert Card.parse(card.symbol) is card
        assert Card.of(card.rank, card.suit) is card


@pytest.mark.parametrize("text", ["Td", "td", "TD", "tD", "10d", "10D", "T♦", "10♦", "10♦\ufe0f", " Td\r\n"])
def test_a_ten_is_read_in_every_spelling(text: str) -> None:
    """A ten parses in upper and lower case, as `T` or `10`, with a letter or a suit symbol."""
    assert Card.parse(text) is Card.of(Rank.TEN, Suit.DIAMONDS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "T",
        "d",
        "dT",
        "1d",
        "0d",
        "11d",
        "100d",
        "Xd",
        "Td!",
        "T d",
        "Tdd",
        "Td Kd",
        "T-d",
        "\u212ad",
        "K\u017f",
        "²d",
    ],
)
def test_text_that_is_not_a_card_is_refused(text: str) -> None:
    """Text that is not exactly one card is a notation error, as is the Kelvin sign for K or the long s for s."""
    with pytest.raises(NotationError):
        Card.parse(text)


def test_the_refusal_of_a_card_quotes_it() -> None:
    """The error for an invalid card quotes it."""
    with pytest.raises(NotationError, match="'Zz'"):
        Hand.parse("4c Zz 5d")


def test_points_are_pips_with_courts_at_ten() -> None:
    """An ace counts 1, two to ten count their pips, and court cards count 10."""
    assert [rank.points for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_copies_of_a_card_are_the_same_object() -> None:
    """Copying and pickling return the same object, so that cards can be compared by identity."""
    card = Card.parse("Qh")
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card


@given(hands(max_cards=52))
def test_a_hand_round_trips(hand: Hand) -> None:
    """A hand round-trips through its text, regardless of spaces and order."""
    text = str(hand)
    assert Hand.parse(text) == hand
    assert Hand.parse(text.replace(" ", "")) == hand
    assert Hand.of(reversed(tuple(hand))) == hand


@given(hands())
def test_a_hand_lists_its_cards_in_order(hand: Hand) -> None:
    """Iteration yields the cards of the hand by rank, then suit."""
    listed = list(hand)
    assert listed == sorted(listed)
    assert len(listed) == len(hand)
    assert [card for card in DECK if card in hand] == listed


@given(hands(), cards)
def test_adding_and_removing_a_card(hand: Hand, card: Card) -> None:
    """A hand contains an added card and not a removed one. Its other cards stay."""
    assert card in hand + card
    assert card not in hand - card
    assert hand + card - card == hand - card
    assert hand.without([card]) == hand - card
    assert (hand + card).holds([card])
    assert not (hand - card).holds([card])


def test_a_hand_has_no_card_twice() -> None:
    """A hand with a duplicate card is refused, and the error names the card."""
    with pytest.raises(NotationError, match="4c is there twice"):
        Hand.parse("4c 5c 4C")


def test_a_deck_is_read_from_the_top() -> None:
    """A deck parses in its written order, with the top card first."""
    text = "".join(reversed(deals.DECK))
    assert parse_deck(text) == tuple(reversed(DECK)) == parse_cards(text)


@pytest.mark.parametrize(
    "text", ["", "".join(deals.DECK[1:]), "".join((*deals.DECK[1:], "2c")), "".join(deals.DECK) + "Ac"]
)
def test_a_deck_is_each_card_once(text: str) -> None:
    """A deck with a missing, duplicate or extra card is refused."""
    with pytest.raises(NotationError):
        parse_deck(text)
