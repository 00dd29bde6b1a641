"""Facts about every card for a seat: where the card is or might be, and the next player's actions with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.opponent.play.hand_arrays import index_of, mask_of
from bot.opponent.play.position import PastDeal, Position

_DRAW, _TAKE, _DISCARD, _KNOCK, _PASS = Verb.DRAW, Verb.TAKE, Verb.DISCARD, Verb.KNOCK, Verb.PASS
_ENDS_TURN: Final = (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN)
_GIN: Final = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)
RECENT_CARDS: Final = 2
"""Number of last discards, and of last refused cards, that count as recent."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Statistics about how the next player went out in the finished deals of the match.

    `deals` is the number of finished deals, `times_out` the number in which that player went out, and `gins` the number
    of these with gin. `deadwood` and `turns` are that player's sums over the `times_out` deals.
    """

    deals: int
    times_out: int
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
    the other players'. `discarded` are the next player's discards, `refused` the cards they declined to take, `taken`
    the cards they took; `discarded_recently` and `refused_recently` are the last `RECENT_CARDS` of each. `turns` and
    `next_turns` are the numbers of turns that the seat and the next player have finished.
    """

    own_cards: int
    known_by: Mapping[Seat, int]
    known: int
    known_elsewhere: int
    pile: int
    top: int
    discarded: int
    discarded_recently: int
    refused: int
    refused_recently: int
    taken: int
    next_hand_size: int
    other_hands_size: int
    stock: int
    turns: int
    next_turns: int
    knock_limit: int
    habits: Habits

    @staticmethod
    def of(position: Position) -> Facts:
        seat, seats = position.seat, position.seats
        next_player = seats[(seats.index(seat) + 1) % len(seats)]
        known = dict.fromkeys(seats, 0)
        top = 1 << index_of(position.upcard)
        pile: list[int] = [top]
        thrown: list[int] = []
        refused: list[int] = []
        taken = turns = their_turns = 0
        for move in position.history:
            verb, mover = move.verb, move.seat
            if verb is _DISCARD or verb is _KNOCK:
                if move.card is None:
                    continue
                card = 1 << index_of(move.card)
                pile.append(card)
                known[mover] &= ~card
                if mover == next_player:
                    thrown.append(card)
                    their_turns += 1
                elif mover == seat:
                    turns += 1
            elif verb is _TAKE:
                card = pile.pop()
                known[mover] |= card
                if mover == next_player:
                    taken |= card
            elif mover == next_player and verb in (_DRAW, _PASS) and pile:
                refused.append(pile[-1])
        mine = mask_of(position.hand)
        elsewhere = 0
        for other in seats:
            if other not in (seat, next_player):
                elsewhere |= known[other]
        sizes = position.hand_sizes
        return Facts(
            own_cards=mine,
            known_by=known,
            known=known[next_player],
            known_elsewhere=elsewhere,
            pile=_union([1 << index_of(card) for card in position.discards]),
            top=index_of(position.discards[-1]) if position.discards else -1,
            discarded=_union(thrown),
            discarded_recently=_union(thrown[-RECENT_CARDS:]),
            refused=_union(refused),
            refused_recently=_union(refused[-RECENT_CARDS:]),
            taken=taken,
            next_hand_size=sizes[next_player],
            other_hands_size=sum(sizes[other] for other in seats) - sizes[seat] - sizes[next_player],
            stock=position.stock,
            turns=turns,
            next_turns=their_turns,
            knock_limit=position.knock_limit,
            habits=Habits.of(position.past, next_player),
        )


def _union(cards: list[int]) -> int:
    union = 0
    for card in cards:
        union |= card
    return union
