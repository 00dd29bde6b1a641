"""One deal at one table as a value: the hands, the stock and the pile, the player to act, and the moves so far.

A deal knows its players in order of play and nothing of matches, formats or scores. The legal moves and what they lead
to are in `bot.engine.phases`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

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


class Deal(NamedTuple):
    """A seating once the cards are dealt, in play or over. `hands` and `outcome` are in the order of `seats`.

    `deck[dealt:]` is the stock, its top first; `discards` the pile, its top last. `new_card` is the one that the player
    to act has just drawn, or taken from the pile. A deal is a tuple because every move makes a new one, and a frozen
    dataclass is made in three times the time.
    """

    number: int
    seats: tuple[Seat, ...]
    dealer: Seat
    board: int
    rules: Rules
    deck: tuple[Card, ...]
    dealt: int
    hands: tuple[Hand, ...]
    discards: tuple[Card, ...]
    phase: Phase
    turn: int = 0
    new_card: Card | None = None
    knock: Knock | None = None
    history: tuple[Move, ...] = ()
    outcome: Outcome | None = None

    @property
    def to_act(self) -> Seat | None:
        """The seat to act; None while a reshuffle is due and once the deal is over."""
        return None if self.phase in (Phase.DONE, Phase.RESHUFFLE) else self.seats[self.turn]

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
    def upcard(self) -> Card:
        """The card that was turned up when the deal began."""
        return self.deck[self.rules.cards_dealt * len(self.seats)]

    @property
    def knock_limit(self) -> int:
        """The most deadwood a knock may leave; 0 means that only gin goes out.

        In Oklahoma gin it is the points of the upcard; an ace allows 1, or gin only.
        """
        limit = self.rules.knock_limit
        if isinstance(limit, int):
            return limit
        if self.upcard.rank is Rank.ACE:
            return 0 if self.rules.oklahoma_ace == "gin_only" else 1
        return self.upcard.points


def start(rules: Rules, seating: Seating | Deal, deck: tuple[Card, ...]) -> Deal:
    """Return a new deal: the cards go out one at a time in turn from the top of the deck, and the next is turned up.

    It is offered first, unless the rules begin with a turn like any other.
    """
    players = len(seating.seats)
    dealt = rules.cards_dealt * players
    hands = tuple(Hand.of(deck[place:dealt:players]) for place in range(players))
    pile, phase = (deck[dealt],), Phase.DRAW if rules.opening == "free" else Phase.OFFER
    return Deal(
        seating.number, seating.seats, seating.dealer, seating.board, rules, deck, dealt + 1, hands, pile, phase
    )


def update(
    deal: Deal,
    move: Move | None = None,
    *,
    phase: Phase | None = None,
    turn: int | None = None,
    hand: Hand | None = None,
    deck: tuple[Card, ...] | None = None,
    dealt: int | None = None,
    discards: tuple[Card, ...] | None = None,
    new_card: Card | None = None,
    knock: Knock | None = None,
    outcome: Outcome | None = None,
) -> Deal:
    """Return the deal with a move added to its history, and with these changes; `hand` is that of the player to act.

    Fields that are not given keep their values, except `new_card`, which belongs to one turn.
    """
    hands = deal.hands if hand is None else (*deal.hands[: deal.turn], hand, *deal.hands[deal.turn + 1 :])
    return Deal(
        deal.number,
        deal.seats,
        deal.dealer,
        deal.board,
        deal.rules,
        deal.deck if deck is None else deck,
        deal.dealt if dealt is None else dealt,
        hands,
        deal.discards if discards is None else discards,
        deal.phase if phase is None else phase,
        deal.turn if turn is None else turn,
        new_card,
        knock or deal.knock,
        deal.history if move is None else (*deal.history, move),
        outcome,
    )


def next_place(deal: Deal) -> int:
    """Return the place of the player after the one to act."""
    return (deal.turn + 1) % len(deal.hands)
