"""Actions and their text."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.moves import DRAW, Move, Seat
from bot.engine.matches.actions import Action, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle

CARDS = "".join(map(str, DECK))
SEED = bytes(range(32))


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Cut(parse_cards("7h Kd")), "cut 0=7h 1=Kd"),
        (Cut(parse_cards("7h Kd As")), "cut 0=7h 1=Kd 2=As"),
        (Shuffle(1, Seat(1), DECK), f"deal 1 dealer=1 deck={CARDS}"),
        (Shuffle(4, Seat(2), DECK, (Seat(0), Seat(1))), f"deal 4 dealer=2 seats=0,1 deck={CARDS}"),
        (Shuffle(2, Seat(3), DECK, (Seat(2), Seat(3)), 2), f"deal 2 dealer=3 seats=2,3 board=2 deck={CARDS}"),
        (Reshuffle(parse_cards("4c9d")), "stock 4c9d"),
        (Cut(parse_cards("7h Kd"), 1), "cut 0=7h 1=Kd event=1"),
        (Shuffle(1, Seat(1), DECK, event=2), f"deal 1 dealer=1 event=2 deck={CARDS}"),
        (
            Shuffle(2, Seat(3), DECK, (Seat(2), Seat(3)), 2, 7),
            f"deal 2 dealer=3 seats=2,3 board=2 event=7 deck={CARDS}",
        ),
        (Reshuffle(parse_cards("4c9d"), 9), "stock 4c9d event=9"),
        (PlayerSeed(Seat(0), SEED), f"seed 0 {SEED.hex()}"),
        (PlayerSeed(Seat(2), SEED, 3), f"seed 2 {SEED.hex()} from=3"),
        (Reveal(16384, SEED), f"reveal 16384 {SEED.hex()}"),
        (Replace(Seat(2)), "replace 2"),
        (Play(Seat(0), DRAW), "0 draw"),
        (Play(Seat(3), Move.parse("k 9c 4c4d4h")), "3 k 9c 4c4d4h"),
    ],
)
def test_an_action_prints_in_record_notation(action: Action, text: str) -> None:
    """Actions print in record notation. A deal names its board only if it is not the first.

    The event number comes last, except in a deal, where the long deck comes last.
    """
    assert str(action) == text
