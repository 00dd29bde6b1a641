"""Facts about every card for a seat: where it is or may be, and the next player's actions with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.engine.moves import Seat, Verb
from bot.engine.showdown import OutcomeKind
from bot.opponent.many_hands import mask_of, place_of
from bot.opponent.position import PastDeal, Position

_DRAW, _TAKE, _DISCARD, _KNOCK, _PASS = Verb.DRAW, Verb.TAKE, Verb.DISCARD, Verb.KNOCK, Verb.PASS
_ENDS_TURN: Final = (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN)
_GIN: Final = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)
RECENT: Final = 2
"""Number of last discards or refusals that count as recent."""


@dataclass(frozen=True, slots=True)
class Habits:
    """The next player's ways of going out in the match's earlier deals.

    `times` is the number of times they went out, `gins` the number with gin. `deadwood` and `turns` are sums over these
    times.
    """

    deals: int
    times: int
    gins: int
    deadwood: int
    turns: int

    @staticmethod
    def of(past: tuple[PastDeal, ...], player: Seat) -> Habits:
        """Return the habits of a player in finished deals."""
        times = gins = deadwood = turns = 0
        for deal in past:
            if deal.knocker == player:
                times += 1
                gins += deal.kind in _GIN
                deadwood += deal.deadwood[deal.seats.index(player)]
                turns += sum(move.seat == player and move.verb in _ENDS_TURN for move in deal.history)
        return Habits(len(past), times, gins, deadwood, turns)


@dataclass(frozen=True, slots=True)
class Facts:
    """A position as numbers. A set of cards is a mask, as returned by `mask_of`.

    `known_by` are the cards that each other player is known to hold, `known` the next player's, and `known_elsewhere`
    the other players'. `thrown` are the next player's discards, `refused` the cards they declined to take, `taken` the
    cards they took; `thrown_recently` and `refused_recently` are the last ones. `turns` and `their_turns` count
    finished turns.
    """

    mine: int
    known_by: Mapping[Seat, int]
    known: int
    known_elsewhere: int
    pile: int
    top: int
    thrown: int
    thrown_recently: int
    refused: int
    refused_recently: int
    taken: int
    their_size: int
    others_size: int
    stock: int
    turns: int
    their_turns: int
    knock_limit: int
    habits: Habits

    @staticmethod
    def of(position: Position) -> Facts:
        seat, seats = position.seat, position.seats
        following = seats[(seats.index(seat) + 1) % len(seats)]
        known = dict.fromkeys(seats, 0)
        top = 1 << place_of(position.upcard)
        pile: list[int] = [top]
        thrown: list[int] = []
        refused: list[int] = []
        taken = turns = their_turns = 0
        for move in position.history:
            verb, mover = move.verb, move.seat
            if verb is _DISCARD or verb is _KNOCK:
                if move.card is None:
                    continue
                card = 1 << place_of(move.card)
                pile.append(card)
                known[mover] &= ~card
                if mover == following:
                    thrown.append(card)
                    their_turns += 1
                elif mover == seat:
                    turns += 1
            elif verb is _TAKE:
                card = pile.pop()
                known[mover] |= card
                if mover == following:
                    taken |= card
            elif mover == following and verb in (_DRAW, _PASS) and pile:
                refused.append(pile[-1])
        mine = mask_of(position.hand)
        elsewhere = 0
        for other in seats:
            if other not in (seat, following):
                elsewhere |= known[other]
        sizes = position.hand_sizes
        return Facts(
            mine=mine,
            known_by=known,
            known=known[following],
            known_elsewhere=elsewhere,
            pile=_union([1 << place_of(card) for card in position.discards]),
            top=place_of(position.discards[-1]) if position.discards else -1,
            thrown=_union(thrown),
            thrown_recently=_union(thrown[-RECENT:]),
            refused=_union(refused),
            refused_recently=_union(refused[-RECENT:]),
            taken=taken,
            their_size=sizes[following],
            others_size=sum(sizes[other] for other in seats) - sizes[seat] - sizes[following],
            stock=position.stock,
            turns=turns,
            their_turns=their_turns,
            knock_limit=position.knock_limit,
            habits=Habits.of(position.past, following),
        )


def _union(cards: list[int]) -> int:
    union = 0
    for card in cards:
        union |= card
    return union
