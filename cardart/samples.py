"""Made-up views that show each kind of picture in its different states, to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.engine.cards import Card, Hand, parse_cards
from bot.engine.deal import Phase
from bot.engine.formats import Score
from bot.engine.melds import best_arrangement, least_deadwood
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.showdown import Kind, Outcome, settle
from bot.engine.views import Choice, PublicView, SeatView, ShowdownView
from cardart import Picture, draw_hand, draw_primer, draw_showdown, draw_table

MARKS: Final = ("S", "N", "E2", "W")
_SEATS: Final = (Seat(1), Seat(0))


def samples() -> Iterator[tuple[str, Picture]]:
    """Each picture with a name for its file."""
    yield "hand-dealt", draw_hand(_hand("Ad 2c 2d 6c 7c 8d 9d 9s Jd Qs"))
    yield "hand-drawn", draw_hand(_hand("10h Jh Qh Ac 2s 3s 4c 4h Js Qc Ks", "3s"))
    yield "hand-may-knock", draw_hand(_hand("4c 4h 4s 10h Jh Qh Kh Ac 2s 3s 8c", "Kh"))
    yield "hand-gin", draw_hand(_hand("Ac Ad As 3h 4h 5h 10s Js Qs Ks 3d", "5h"))
    yield "hand-all-melded", draw_hand(_hand("Ac Ad As 3h 4h 5h 6h 10s Js Qs Ks", "6h"))
    yield "hand-of-seven", draw_hand(_hand("5c 5d 5h 9s Kd 2c 3c"))
    yield "table-offer", draw_table(_table("Jc"), MARKS)
    yield "table-taken", draw_table(_table("", hand_sizes=(10, 11), turn=Seat(1)), MARKS)
    pile = "Qd 8c 9s 6c 7h"
    yield "table-later", draw_table(_table(pile, number=4, stock=16, score=_score(37, 61)), MARKS)
    yield "table-over", draw_table(_table(pile, turn=None, score=_score(112, 61, winner=Seat(0))), MARKS)
    yield "table-three", draw_table(_table(pile, hand_sizes=(7, 7, 7), score=_score(12, 45, 8), turn=Seat(2)), MARKS)
    yield "table-four", draw_table(_table(pile, hand_sizes=(7,) * 4, score=_score(12, 45, 8, 100), turn=Seat(2)), MARKS)
    yield (
        "showdown-knock",
        draw_showdown(_showdown("3d 4d 5d 4s 5s 6s 9c 9d 9s Jh", "Ah 2h 3h Ac 3c 4c 6d 7d 5h 7c"), MARKS),
    )
    yield (
        "showdown-undercut",
        draw_showdown(_showdown("Ac 2c 3c Ah 2h 3h 4d 5d 6d Kc", "As 2s 3s 4s 5s 9s 4h 5h 2d 3d"), MARKS),
    )
    yield (
        "showdown-gin",
        draw_showdown(_showdown("3d 4d 5d 4h 5h 6h 7h Qc Qd Qs", "6c 7c 8c 2h 2s 3h 3s 4c 5s Ks"), MARKS),
    )
    yield (
        "showdown-many-lay-offs",
        draw_showdown(_showdown("5d 6d 7d 8s 9s 10s Qh Qc Qd Ac", "4d 3d 2d 8d 9d Js Qs 7s 6s Kh"), MARKS),
    )
    void = replace(_showdown("3d 4d 5d", "Ks"), outcome=Outcome(Kind.VOID), discard=None)
    yield "showdown-void", draw_showdown(void, MARKS)
    yield "primer", draw_primer()


def _score(*scores: int, winner: Seat | None = None) -> Score:
    none = (0,) * len(scores)
    return Score(
        scores=scores,
        deals_won=none,
        line=none,
        game=none,
        shutout=none,
        over=winner is not None,
        winner=winner,
        margin=None,
    )


def _table(
    discards: str,
    *,
    hand_sizes: tuple[int, ...] = (10, 10),
    turn: Seat | None = _SEATS[1],
    score: Score | None = None,
    number: int = 1,
    stock: int = 31,
) -> PublicView:
    return PublicView(
        rules=Rules(),
        number=number,
        dealer=Seat(1),
        phase=Phase.DONE if turn is None else Phase.DRAW,
        turn=turn,
        hand_sizes=hand_sizes,
        stock=stock,
        discards=parse_cards(discards),
        knock_limit=10,
        happenings=(),
        cut=None,
        score=score or _score(0, 0),
        resigned=None,
    )


def _hand(cards: str, fresh: str | None = None) -> SeatView:
    hand, public = Hand.parse(cards), _table("9h")
    leaves = {card: least_deadwood(hand - card) for card in hand} if fresh else {}
    return SeatView(
        public=public,
        seat=Seat(0),
        hand=hand,
        arrangement=best_arrangement(hand),
        fresh=Card.parse(fresh) if fresh else None,
        choices=tuple(Choice(card, left, True, left <= public.knock_limit) for card, left in leaves.items()),
        moves=(),
    )


def _showdown(knocker: str, other: str) -> ShowdownView:
    hands = (Hand.parse(other), Hand.parse(knocker))
    outcome = settle(Rules(), _SEATS, hands, 1, best_arrangement(hands[1]))
    score = _score(49, 60)
    return ShowdownView(
        rules=Rules(), number=5, dealer=Seat(0), seats=_SEATS, outcome=outcome, discard=Card.parse("Kd"), score=score
    )
