"""The position of a seat whose turn it is: everything it may know, and the whole input of the computer player."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.cards.cards import Card, Hand
from bot.engine.deals.moves import Move, Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.views import KnockView, PublicMove, SeatView, ShowdownView
from bot.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A finished deal of the match: its result, and its moves as everyone saw them.

    `deadwood` is in the order of `seats`, after lay-offs, and empty if no hand was laid down.
    """

    number: int
    seats: tuple[Seat, ...]
    kind: OutcomeKind
    knocker: Seat | None
    winner: Seat | None
    deadwood: tuple[int, ...]
    history: tuple[PublicMove, ...]

    @staticmethod
    def of(showdown: ShowdownView, history: tuple[PublicMove, ...]) -> PastDeal:
        """Return the deal of a showdown, with its moves."""
        outcome = showdown.outcome
        return PastDeal(
            showdown.number, showdown.seats, outcome.kind, outcome.knocker, outcome.winner, outcome.deadwood, history
        )


@dataclass(frozen=True, slots=True)
class Position:
    """The view of a seat whose turn it is, without derived data.

    `seats` are the players of the deal in order of play. `hand_sizes` is by seat, and `score` by side; `side` is the
    seat's own side. `new_card` is the card drawn or taken this turn. `discards` is the discard pile, top last.
    """

    rules: Rules
    number: int
    seats: tuple[Seat, ...]
    seat: Seat
    side: int
    score: tuple[int, ...]
    phase: Phase
    hand: Hand
    new_card: Card | None
    upcard: Card
    discards: tuple[Card, ...]
    stock: int
    hand_sizes: tuple[int, ...]
    knock_limit: int
    knock: KnockView | None
    history: tuple[PublicMove, ...]
    past: tuple[PastDeal, ...]
    moves: tuple[Move, ...]

    @staticmethod
    def of(view: SeatView, past: tuple[PastDeal, ...] = ()) -> Position:
        """Return the position that a seat's view shows, given the finished deals of the match."""
        public, seat = view.public, view.seat
        return Position(
            rules=public.rules,
            number=public.number,
            seats=public.seats,
            seat=seat,
            side=next(index for index, seats in enumerate(public.sides) if seat in seats),
            score=public.score.scores,
            phase=public.phase,
            hand=view.hand,
            new_card=view.new_card,
            upcard=public.upcard,
            discards=public.discards,
            stock=public.stock,
            hand_sizes=public.hand_sizes,
            knock_limit=public.knock_limit,
            knock=public.knock,
            history=public.history,
            past=past,
            moves=view.moves,
        )
