"""Cards have the names that people use in each language."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import DECK, Card, Rank, Suit
from cardart.drawing.lettering import rank_mask
from cardart.text.card_names import ENGLISH, NAMES, CardNames, card_names

each_language = pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)


@each_language
def test_card_names_are_unique(names: CardNames) -> None:
    """No two cards have the same written or spoken name. Every rank and suit has a name."""
    assert len({names.short(card) for card in DECK}) == len({names.full(card).casefold() for card in DECK}) == len(DECK)
    assert (len(names.ranks), len(names.suits)) == (len(Rank), len(Suit))


@pytest.mark.parametrize(
    ("code", "court", "seven", "king"),
    [
        ("en", "A♠ K♠ Q♠ J♠", "seven of hearts", "king of diamonds"),
        ("da", "E♠ K♠ D♠ Kn♠", "hjerter syv", "ruder konge"),
        ("de", "A♠ K♠ D♠ B♠", "Herz-Sieben", "Karo-König"),
        ("es", "A♠ K♠ Q♠ J♠", "siete de corazones", "rey de diamantes"),
        ("fr", "A♠ R♠ D♠ V♠", "sept de cœur", "roi de carreau"),
        ("it", "A♠ K♠ Q♠ J♠", "sette di cuori", "re di quadri"),
        ("nl", "A♠ H♠ V♠ B♠", "hartenzeven", "ruitenheer"),
        ("pl", "A♠ K♠ D♠ W♠", "siódemka kier", "król karo"),
        ("sv", "E♠ K♠ D♠ Kn♠", "hjärter sju", "ruter kung"),
    ],
)
def test_each_language_has_its_own_letters_and_names(code: str, court: str, seven: str, king: str) -> None:
    """Each language has the letters printed on its country's cards and the names that its players use."""
    names = card_names(code)
    assert names.short_row(map(Card.parse, ("As", "Ks", "Qs", "Js"))) == court
    assert (names.full(Card.parse("7h")), names.full(Card.parse("Kd"))) == (seven, king)


def test_english_writes_cards_as_the_rules_do() -> None:
    """English texts, pictures and the engine all write `10♦` and `K♠`."""
    assert [ENGLISH.short(card) for card in DECK] == [card.symbol for card in DECK]


def test_unknown_languages_fall_back_to_english() -> None:
    """The card names for an unknown or removed language are English."""
    assert card_names("tlh") is card_names("") is ENGLISH


@each_language
def test_letters_are_drawn_and_fit_into_the_corner(names: CardNames) -> None:
    """The font has the letters of every rank, and the letters fit into the corner of a card."""
    unknown = rank_mask("\U0010ffff", 34, 34)
    masks = {letters: rank_mask(letters, 34, 34) for letters in map(names.rank_letters, Rank)}
    assert len({mask.tobytes() for mask in masks.values()} | {unknown.tobytes()}) == len(masks) + 1 == len(Rank) + 1
    assert all(mask.width <= 34 for mask in masks.values())
