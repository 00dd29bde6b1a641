"""One deal at one table as a value: the hands, the stock and the pile, the player to act, and the moves so far.

A deal knows its players in order of play and nothing of matches, formats or scores. The legal moves and what they lead
to are in `bot.engine.phases`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.engine.cards import Card, Hand, Rank
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules
from bot.engine.showdown import LayOff, Outcome, OutcomeKind, Response

STOCK_LEFT: Final = 2
"""The stock is used up once a discard leaves this many cards in it."""


class Phase(StrEnum):
    """The phases of a deal.

    In `DISCARD` the player who drew discards, knocks or goes gin. At the `WALL` the last discard may be taken, but only
    to go out. `RESHUFFLE` awaits the new order of the stock, `LAY_OFF` an opponent of the knocker.
    """

    OFFER = "offer"
    DRAW = "draw"
    DISCARD = "discard"
    WALL = "wall"
    RESHUFFLE = "reshuffle"
    LAY_OFF = "lay_off"
    DONE = "done"


_WAITING: Final = (Phase.DONE, Phase.RESHUFFLE)
"""The phases in which no seat is to act."""


@dataclass(frozen=True, slots=True)
class Knock:
    """A knock that is being answered: the knocker's place in the order of play, what was laid down, and the answers.

    `responses` are those of the players after the knocker who are done, and `lay_offs` everybody's so far. `own` are
    the melds that the player to act chose, None until then.
    """

    place: int
    laid: Arrangement
    responses: tuple[Response, ...] = ()
    lay_offs: tuple[LayOff, ...] = ()
    own: tuple[Meld, ...] | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """The place of a deal in its match: its number from 1, its players in order of play, its dealer and its board."""

    number: int
    seats: tuple[Seat, ...]
    dealer: Seat
    board: int


@dataclass(slots=True)
class Deal:
    """A deal once its cards are dealt, in play or over. `hands` and `outcome` are in the order of `seats`.

    `deck[dealt:]` is the stock, its top first; `discards` the pile, its top last. A knock may leave `knock_limit` of
    deadwood, or none where that is 0. `new_card` is the card that the player to act has just drawn, or taken from the
    pile; `barred` is the same if the rules keep it from being discarded in this turn. A player who `must_go_out` took
    the last discard once the stock was used up. Every move makes a new deal, and no deal ever changes. That is for type
    checkers to see to: a frozen dataclass would be made in three times the time.
    """

    seating: Final[Seating]
    rules: Final[Rules]
    knock_limit: Final[int]
    deck: Final[tuple[Card, ...]]
    dealt: Final[int]
    hands: Final[tuple[Hand, ...]]
    discards: Final[tuple[Card, ...]]
    phase: Final[Phase]
    turn: Final[int] = 0
    new_card: Final[Card | None] = None
    barred: Final[Card | None] = None
    must_go_out: Final[bool] = False
    knock: Final[Knock | None] = None
    history: Final[tuple[Move, ...]] = ()
    outcome: Final[Outcome | None] = None

    @property
    def number(self) -> int:
        """The number of the deal in its match, from 1."""
        return self.seating.number

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players in order of play."""
        return self.seating.seats

    @property
    def dealer(self) -> Seat:
        """The seat that dealt."""
        return self.seating.dealer

    @property
    def board(self) -> int:
        """The board, from 1."""
        return self.seating.board

    @property
    def to_act(self) -> Seat | None:
        """The seat to act; None while a reshuffle is due and once the deal is over."""
        return None if self.phase in _WAITING else self.seating.seats[self.turn]

    @property
    def laid_down(self) -> bool:
        """True if it ended with all hands laid down: it is over, and not void."""
        return self.outcome is not None and self.outcome.kind is not OutcomeKind.VOID

    @property
    def is_from_pile(self) -> bool:
        """True if the new card was taken from the pile."""
        return self.history[-1].verb is Verb.TAKE

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards face down, the next to be drawn first."""
        return self.deck[self.dealt :]

    @property
    def stock_used_up(self) -> bool:
        """True once no more cards may be drawn: the next discard is the last one, or already was."""
        return len(self.deck) - self.dealt <= STOCK_LEFT

    @property
    def too_long(self) -> bool:
        """True if it is void because it had as many turns as a deal may have."""
        return self.outcome is not None and self.outcome.too_long

    @property
    def upcard(self) -> Card:
        """The card that was turned up when the deal began."""
        return self.deck[self.rules.cards_dealt * len(self.seats)]


def start(rules: Rules, seating: Seating, deck: tuple[Card, ...]) -> Deal:
    """Return a new deal: the cards go out one at a time in turn from the top of the deck, and the next is turned up.

    It is offered first, unless the rules begin with a turn like any other.
    """
    players = len(seating.seats)
    dealt = rules.cards_dealt * players
    hands = tuple(Hand.of(deck[place:dealt:players]) for place in range(players))
    upcard, phase = deck[dealt], Phase.DRAW if rules.opening == "free" else Phase.OFFER
    return Deal(seating, rules, _knock_limit(rules, upcard), deck, dealt + 1, hands, (upcard,), phase)


def _knock_limit(rules: Rules, upcard: Card) -> int:
    """Return the most deadwood a knock may leave.

    In Oklahoma gin it is the points of the upcard; an ace allows 1, or gin only.
    """
    if isinstance(rules.knock_limit, int):
        return rules.knock_limit
    if upcard.rank is Rank.ACE:
        return 0 if rules.oklahoma_ace == "gin_only" else 1
    return upcard.points


def with_move(deal: Deal, move: Move, phase: Phase, turn: int) -> Deal:
    """Return the deal after a move that moves no card to or from a hand; nobody holds a new card then."""
    history = (*deal.history, move)
    return replace(deal, phase=phase, turn=turn, history=history, new_card=None, barred=None, must_go_out=False)


def with_hand(
    deal: Deal,
    move: Move,
    phase: Phase,
    turn: int,
    hand: Hand,
    dealt: int,
    discards: tuple[Card, ...],
    new_card: Card | None = None,
    barred: Card | None = None,
    must_go_out: bool = False,
) -> Deal:
    """Return the deal after a card was drawn, taken or discarded, with the new hand of the player who moved."""
    place, hands = deal.turn, deal.hands
    if len(hands) == 2:
        hands = (hands[0], hand) if place else (hand, hands[1])
    else:
        hands = (*hands[:place], hand, *hands[place + 1 :])
    return Deal(
        deal.seating,
        deal.rules,
        deal.knock_limit,
        deal.deck,
        dealt,
        hands,
        discards,
        phase,
        turn,
        new_card,
        barred,
        must_go_out,
        deal.knock,
        deal.history + (move,),  # noqa: RUF005 - an unpacked tuple becomes a list first
        deal.outcome,
    )


def next_place(deal: Deal) -> int:
    """Return the place of the player after the one to act."""
    return (deal.turn + 1) % len(deal.hands)
