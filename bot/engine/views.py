"""What may be seen of a match: by everyone, by one seat, and by everyone once a deal is over.

Nothing above the engine and the services that keep matches holds more than these values, so a hidden card cannot leak:
the type that would carry it is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.cards import Card, Hand
from bot.engine.deal import Deal, Phase
from bot.engine.formats import Score
from bot.engine.match import Match, legal
from bot.engine.melds import Arrangement, best_arrangement, least_deadwood
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules
from bot.engine.showdown import Kind, Outcome


@dataclass(frozen=True, slots=True)
class Happening:
    """One action as everyone at the table saw it: the card is None for a pass and for a draw from the stock."""

    seat: Seat
    verb: Verb
    card: Card | None


@dataclass(frozen=True, slots=True)
class PublicView:
    """What anyone may see of a match and the deal in play (or the last one). `hand_sizes` is by seat.

    `discards` is the pile with its top last; `stock` counts the cards face down.
    """

    rules: Rules
    number: int
    dealer: Seat
    phase: Phase
    turn: Seat | None
    hand_sizes: tuple[int, ...]
    stock: int
    discards: tuple[Card, ...]
    knock_limit: int
    happenings: tuple[Happening, ...]
    cut: tuple[Card, ...] | None
    score: Score
    resigned: Seat | None

    @property
    def top(self) -> Card | None:
        """The card that may be taken; None while the player to move has just taken the only one."""
        return self.discards[-1] if self.discards else None


@dataclass(frozen=True, slots=True)
class Choice:
    """A card of the hand as a discard: the least deadwood it would leave, and whether the rules let it go, or knock."""

    card: Card
    leaves: int
    allowed: bool
    knocks: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat sees: the public view, its own hand, and what it may do now.

    `fresh` is the card it drew or took in this turn. `choices` has one entry for each card while it is to discard, and
    is empty otherwise; `moves` are all its legal moves but resigning.
    """

    public: PublicView
    seat: Seat
    hand: Hand
    arrangement: Arrangement
    fresh: Card | None
    choices: tuple[Choice, ...]
    moves: tuple[Move, ...]

    @property
    def to_act(self) -> bool:
        """Whether it is this seat's turn."""
        return self.public.turn == self.seat

    @property
    def can_go_gin(self) -> bool:
        """Whether some discard leaves no deadwood."""
        return any(choice.knocks and choice.leaves == 0 for choice in self.choices)


@dataclass(frozen=True, slots=True)
class ShowdownView:
    """A deal that is over: how it ended, and the score with it. `seats` is the order of play, as in the outcome."""

    rules: Rules
    number: int
    dealer: Seat
    seats: tuple[Seat, ...]
    outcome: Outcome
    discard: Card | None
    """The card the knocker discarded; None where nobody knocked."""
    score: Score

    def hand(self, seat: Seat) -> Arrangement:
        """What a seat laid down; a void deal shows no hands.

        Raises:
            LookupError: the deal was void, or the seat was not in it.
        """
        return self.outcome.hands[self.seats.index(seat)]

    def deadwood(self, seat: Seat) -> int:
        """What counts against a seat, after lay-offs.

        Raises:
            LookupError: the deal was void, or the seat was not in it.
        """
        return self.outcome.deadwood[self.seats.index(seat)]


def public_view(match: Match) -> PublicView:
    """What anyone may see of a match whose first deal has begun."""
    deal = _current(match)
    sizes = {seat: len(hand) for seat, hand in zip(deal.seats, deal.hands, strict=True)}
    return PublicView(
        rules=match.rules,
        number=deal.number,
        dealer=deal.dealer,
        phase=Phase.DONE if match.to_act is None else deal.phase,
        turn=match.to_act,
        hand_sizes=tuple(sizes.get(Seat(seat), 0) for seat in range(match.seats)),
        stock=len(deal.deck) - deal.dealt,
        discards=deal.discards,
        knock_limit=deal.knock_limit,
        happenings=tuple(_happenings(deal)),
        cut=match.cut,
        score=match.score,
        resigned=match.resigned,
    )


def seat_view(match: Match, seat: Seat) -> SeatView:
    """What one seat sees of a match whose first deal has begun."""
    deal = _current(match)
    hand = deal.hands[deal.seats.index(seat)]
    moves = legal(match, seat)
    fresh = (deal.taken or deal.drawn) if match.to_act == seat else None
    return SeatView(
        public=public_view(match),
        seat=seat,
        hand=hand,
        arrangement=best_arrangement(hand),
        fresh=fresh,
        choices=tuple(_choices(hand, moves)) if match.to_act == seat and deal.phase is Phase.DISCARD else (),
        moves=moves,
    )


def showdown_view(match: Match, number: int) -> ShowdownView:
    """A finished deal, by its number from 1.

    Raises:
        LookupError: that deal is not over.
    """
    if not 1 <= number <= len(match.finished):
        raise LookupError(f"deal {number} is not over")
    deal = match.finished[number - 1]
    outcome = deal.outcome or Outcome(Kind.VOID)
    return ShowdownView(
        rules=match.rules,
        number=number,
        dealer=deal.dealer,
        seats=deal.seats,
        outcome=outcome,
        discard=None if outcome.knocker is None else deal.discards[-1],
        score=match.format.score(match.rules, match.finished[:number], None),
    )


def _current(match: Match) -> Deal:
    return match.deal or match.finished[-1]


def _choices(hand: Hand, moves: tuple[Move, ...]) -> Iterator[Choice]:
    allowed = {move.card for move in moves if move.verb is Verb.DISCARD}
    knocks = {move.card for move in moves if move.verb is Verb.KNOCK}
    for card in hand:
        yield Choice(card, least_deadwood(hand - card), card in allowed, card in knocks)


def _happenings(deal: Deal) -> Iterator[Happening]:
    """The deal's moves with the cards that everyone saw."""
    turn, pile = 0, [deal.upcard]
    for move in deal.history:
        seat = deal.seats[turn]
        match move.verb:
            case Verb.TAKE:
                yield Happening(seat, move.verb, pile.pop())
            case Verb.DISCARD | Verb.KNOCK if move.card is not None:
                pile.append(move.card)
                yield Happening(seat, move.verb, move.card)
            case _:
                yield Happening(seat, move.verb, None)
        if move.verb not in (Verb.TAKE, Verb.DRAW):
            turn = (turn + 1) % len(deal.seats)
