"""Moves and their notation."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import Meld
from bot.engine.deals.moves import DRAW, PASS, RESIGN, TAKE, Move, Verb, discard, knock
from bot.engine.errors import NotationError
from tests.engine.strategies import cards, moves


@given(moves)
def test_a_move_round_trips(move: Move) -> None:
    """Every move round-trips through its text, in upper case too."""
    assert Move.parse(str(move)) == move
    assert Move.parse(str(move).upper()) == move


@given(cards)
def test_discard_and_knock_equal_parsed_moves(card: Card) -> None:
    """`discard` and `knock` equal the moves parsed from notation."""
    assert discard(card) == Move(Verb.DISCARD, card) == Move.parse(f"x {card}")
    assert knock(card) == Move.parse(f"k {card}")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("pass", "pass"),
        ("  Take ", "take"),
        ("DRAW", "draw"),
        ("x 10♦", "x Td"),
        ("k 9c", "k 9c"),
        ("k 9C 7s6s5s/4H4D4C", "k 9c 4c4d4h/5s6s7s"),
        ("k 9c -", "k 9c -"),
        ("big", "big"),
        ("m", "m"),
        ("m 9d10dJd/4c4d4h", "m 4c4d4h/9dTdJd"),
        ("l 8s>7s6s5s", "l 8s>5s6s7s"),
        ("done", "done"),
        ("resign", "resign"),
        ("time", "time"),
    ],
)
def test_reading_makes_a_move_canonical(text: str, printed: str) -> None:
    """Parsing accepts any case, alternative spellings, and any order of melds and cards."""
    assert str(Move.parse(text)) == printed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fold",
        "x",
        "x 1c",
        "x Td Kd",
        "x Td 4c4d4h",
        "k",
        "k 4c4d4h",
        "k 9c 4c4d",
        "k 9c 4c4d4h/4c5c6c",
        "k 9c 4c4d4h 5s6s7s",
        "take Td",
        "pass now",
        "l 8s",
        "l 8s>",
        "l >5s6s7s",
        "l 8s>5s6s",
        "m 4c",
        "resign 0",
    ],
)
def test_text_that_is_not_a_move_is_refused(text: str) -> None:
    """Unknown words, missing or superfluous parts, and invalid melds are notation errors."""
    with pytest.raises(NotationError):
        Move.parse(text)


def test_the_moves_without_a_card_are_constants() -> None:
    """The constants for moves without a card equal the parsed moves."""
    assert [Move.parse(word) for word in ("pass", "take", "draw", "resign")] == [PASS, TAKE, DRAW, RESIGN]


@pytest.mark.parametrize(
    ("verb", "card", "melds"),
    [
        (Verb.PASS, "Ac", None),
        (Verb.DRAW, None, ()),
        (Verb.DISCARD, None, None),
        (Verb.DISCARD, "Ac", ()),
        (Verb.KNOCK, None, ()),
        (Verb.MELD, "Ac", ()),
        (Verb.LAY_OFF, None, None),
        (Verb.LAY_OFF, "Ac", ()),
        (Verb.BIG_GIN, None, ()),
    ],
)
def test_a_verb_without_its_parts_is_not_a_move(verb: Verb, card: str | None, melds: tuple[Meld, ...] | None) -> None:
    """Constructing a move is a notation error if its verb lacks a required card or melds, or has superfluous ones."""
    with pytest.raises(NotationError):
        Move(verb, None if card is None else Card.parse(card), melds)
