"""Facts about the public moves of a deal."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat, Verb
from bot.engine.matches.facts import adds_to_melds, last_turn
from bot.engine.matches.views import public_view, seat_view
from tests.cardart.views import SYSTEMS, match_after, public_views


@pytest.mark.parametrize(
    ("moves", "first", "second"),
    [
        ((), [], []),
        (("pass",), ["pass"], []),
        (("pass", "pass"), ["pass"], ["pass"]),
        (("pass", "pass", "draw"), ["draw"], ["pass"]),
        (("take", "x 9s", "draw", "x Td"), ["take", "x"], ["draw", "x"]),
        (("take", "x 9s", "draw", "x Td", "take"), ["take"], ["draw", "x"]),
    ],
)
def test_a_turn_begins_with_a_card_and_ends_with_a_discard(
    moves: tuple[str, ...], first: list[str], second: list[str]
) -> None:
    """The last turn has all moves since the player's previous discard, also while the turn continues."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Td"
    # Of both players, only the first draws from the stock without a discard, and sees that draw.
    view = seat_view(match_after("classic", *hands, *moves, stock="Qd"), Seat(0)).public
    assert [[move.verb for move in last_turn(view, Seat(seat))] for seat in (0, 1)] == [first, second]


@pytest.mark.parametrize(
    ("card", "adds"),
    [("8h", True), ("7c", True), ("Td", False), ("Js", False)],
    ids=["extends a set", "extends a run", "breaks a set", "fits nothing"],
)
def test_a_card_adds_to_melds_unless_it_breaks_one(card: str, adds: bool) -> None:
    """A card that makes a run only with a card of a set adds nothing, even if it lowers the deadwood."""
    hands = "8c 8d 8s 9d 4c 5c 6c Kh 2h Qs", "2s 4h 6h Th 3d 4s 6s 8h Td Jh"
    view = seat_view(match_after("classic", *hands), Seat(0))
    assert adds_to_melds(view, Card.parse(card)) is adds


def test_lay_offs_are_one_turn() -> None:
    """All lay-offs of a player belong to one turn, which does not include the draw before."""
    hands = "4s 5s 6s 9c 9d 9h Jc Jd Jh 2c", "7s 8s 9s Ac Ad 3h 4h Kc Qd 6d"
    moves = "pass", "pass", "draw", "x Kh", "draw", "x 3d", "draw", "k Ks", "l 9s>9c9d9h", "l 7s>4s5s6s"
    view = public_view(match_after("standard", *hands, *moves, stock="Kh 3d Ks"))
    assert [move.verb for move in last_turn(view, Seat(0))] == [Verb.DRAW, Verb.KNOCK]
    assert [str(move.card) for move in last_turn(view, Seat(1))] == ["9s", "7s"]


@pytest.mark.parametrize(("rules", "seats"), SYSTEMS[::4])
def test_a_last_turn_ends_with_the_seats_last_move(rules: str, seats: int) -> None:
    """In every format, a last turn is the end of the seat's own moves, and never shows a card drawn from the stock."""
    for view in public_views(1, rules, seats):
        for seat in map(Seat, range(seats)):
            own, turn = [move for move in view.history if move.seat == seat], last_turn(view, seat)
            assert list(turn) == own[len(own) - len(turn) :]
            assert bool(turn) == bool(own)
            assert all(move.card is None for move in turn if move.verb is Verb.DRAW)
