"""Cards, hands and decks, and their text."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from bot.engine.cards import DECK, Card, Hand, Rank, Suit, parse_cards, parse_deck
from bot.engine.errors import NotationError
from tests.engine.strategies import cards, hands
from tests.reference import deals


def test_the_deck_is_every_card_by_rank_then_suit() -> None:
    """The deck prints as the 52 cards in the notation's order."""
    assert tuple(map(str, DECK)) == deals.DECK
    assert all(lower < higher for lower, higher in pairwise(DECK))


def test_a_card_survives_printing() -> None:
    """Each card is read from its text and from its symbol, as the one object that it is."""
    for card in DECK:
        assert Card.parse(str(card)) is card
        assert Card.parse(card.symbol) is card
        assert Card.of(card.rank, card.suit) is card


@pytest.mark.parametrize("text", ["Td", "td", "TD", "tD", "10d", "10D", "T♦", "10♦", "10♦\ufe0f", " Td\r\n"])
def test_a_ten_is_read_in_every_spelling(text: str) -> None:
    """Upper case, `10` and suit symbols are all understood."""
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
def test_what_is_no_card_is_refused(text: str) -> None:
    """Anything but exactly one card is a notation error; look-alike letters that fold to K and s are none."""
    with pytest.raises(NotationError):
        Card.parse(text)


def test_the_refusal_of_a_card_quotes_it() -> None:
    """The message names the word that could not be read."""
    with pytest.raises(NotationError, match="'Zz'"):
        Hand.parse("4c Zz 5d")


def test_points_are_pips_with_courts_at_ten() -> None:
    """An ace counts 1, two to ten their pips, court cards 10."""
    assert [rank.points for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_a_card_stays_itself_when_copied() -> None:
    """Copies and pickles of a card are that card, so that identity may stand for equality."""
    card = Card.parse("Qh")
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card


@given(hands(most=52))
def test_a_hand_survives_printing(hand: Hand) -> None:
    """A hand is read from its text, whatever the spaces and the order."""
    text = str(hand)
    assert Hand.parse(text) == hand
    assert Hand.parse(text.replace(" ", "")) == hand
    assert Hand.of(reversed(tuple(hand))) == hand


@given(hands())
def test_a_hand_lists_its_cards_in_order(hand: Hand) -> None:
    """Iteration is by rank, then suit, and yields each card of the hand."""
    listed = list(hand)
    assert listed == sorted(listed)
    assert len(listed) == len(hand)
    assert [card for card in DECK if card in hand] == listed


@given(hands(), cards)
def test_a_card_comes_and_goes(hand: Hand, card: Card) -> None:
    """Adding a card and taking it away leaves the others alone."""
    assert card in hand + card
    assert card not in hand - card
    assert hand + card - card == hand - card
    assert hand.without([card]) == hand - card
    assert (hand + card).holds([card])
    assert not (hand - card).holds([card])


def test_a_hand_has_no_card_twice() -> None:
    """A card given twice is refused by name."""
    with pytest.raises(NotationError, match="4c is there twice"):
        Hand.parse("4c 5c 4C")


def test_a_deck_is_read_from_the_top() -> None:
    """A deck keeps its order."""
    text = "".join(reversed(deals.DECK))
    assert parse_deck(text) == tuple(reversed(DECK)) == parse_cards(text)


@pytest.mark.parametrize(
    "text", ["", "".join(deals.DECK[1:]), "".join((*deals.DECK[1:], "2c")), "".join(deals.DECK) + "Ac"]
)
def test_a_deck_is_each_card_once(text: str) -> None:
    """A deck with a card missing, doubled or too many is refused."""
    with pytest.raises(NotationError):
        parse_deck(text)
