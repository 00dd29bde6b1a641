"""One deal at one table, as a value: who holds what, whose turn it is, and what has happened.

A deal knows its players in order of play and nothing of matches: formats and scores live elsewhere. What may happen
next is told by `bot.engine.phases`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.cards import Card, Hand, Rank
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Move, Seat
from bot.engine.rules import Rules
from bot.engine.showdown import LayOff, Outcome, Response

STOCK_LEFT: Final = 2
"""The stock is used up once a discard leaves this many cards in it."""


class Phase(StrEnum):
    """Where a deal stands.

    `DISCARD` is discard, knock or gin, after a draw. At the `WALL` the last discard may be taken, only to go out.
    `RESHUFFLE` waits for chance, `LAY_OFF` for an opponent of the knocker.
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
    """Who meets whom: a deal's number in the match (from 1), its players in order of play, its dealer, its board."""

    number: int
    seats: tuple[Seat, ...]
    dealer: Seat
    board: int = 1


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal in play or over. `hands` and `outcome` follow `seats`, which is the order of play.

    `deck[dealt:]` is the stock, its top first; `discards` the pile, its top last. `taken` is the card the player to
    move took from the pile in this turn, `drawn` the one from the stock.
    """

    rules: Rules
    seating: Seating
    deck: tuple[Card, ...]
    dealt: int
    hands: tuple[Hand, ...]
    discards: tuple[Card, ...]
    phase: Phase
    turn: int
    passes: int
    taken: Card | None
    drawn: Card | None
    knock: Knock | None
    history: tuple[Move, ...]
    outcome: Outcome | None

    @property
    def number(self) -> int:
        """The deal's number in the match, from 1."""
        return self.seating.number

    @property
    def board(self) -> int:
        """Which board it is played on, where a round is played on several."""
        return self.seating.board

    @property
    def dealer(self) -> Seat:
        """Who dealt; some formats let the dealer sit out."""
        return self.seating.dealer

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players in order of play."""
        return self.seating.seats

    @property
    def to_act(self) -> Seat | None:
        """The seat whose move it is; None while chance is awaited and once the deal is over."""
        return None if self.phase in (Phase.DONE, Phase.RESHUFFLE) else self.seats[self.turn]

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards face down, the next to be drawn first."""
        return self.deck[self.dealt :]

    @property
    def stock_used_up(self) -> bool:
        """Whether nothing more is drawn: the next discard is the last, or was it."""
        return len(self.deck) - self.dealt <= STOCK_LEFT

    @property
    def upcard(self) -> Card:
        """The card that was turned up when the deal began."""
        return self.deck[self.rules.cards_dealt * len(self.seats)]

    @property
    def knock_limit(self) -> int:
        """The most deadwood a knock may leave; 0 means that only gin goes out.

        In Oklahoma it is what the upcard counts; an ace allows 1, or gin only.
        """
        limit = self.rules.knock_limit
        if isinstance(limit, int):
            return limit
        if self.upcard.rank is Rank.ACE:
            return 0 if self.rules.oklahoma_ace == "gin_only" else 1
        return self.upcard.points


def start(rules: Rules, seating: Seating, deck: tuple[Card, ...]) -> Deal:
    """Deal the cards, one at a time in turn from the top of a deck of 52, and turn the next one up."""
    players = len(seating.seats)
    dealt = rules.cards_dealt * players
    return Deal(
        rules=rules,
        seating=seating,
        deck=deck,
        dealt=dealt + 1,
        hands=tuple(Hand.of(deck[place:dealt:players]) for place in range(players)),
        discards=(deck[dealt],),
        phase=Phase.OFFER,
        turn=0,
        passes=0,
        taken=None,
        drawn=None,
        knock=None,
        history=(),
        outcome=None,
    )


def changed(
    deal: Deal,
    move: Move | None = None,
    *,
    phase: Phase | None = None,
    turn: int | None = None,
    hands: tuple[Hand, ...] | None = None,
    deck: tuple[Card, ...] | None = None,
    dealt: int | None = None,
    discards: tuple[Card, ...] | None = None,
    passes: int = 0,
    taken: Card | None = None,
    drawn: Card | None = None,
    knock: Knock | None = None,
    outcome: Outcome | None = None,
) -> Deal:
    """The deal with a move in its history, and with what the move changed.

    What is not named stays, but for what belongs to the turn alone (passes, the card taken or drawn), which goes.
    Spelled out, since `dataclasses.replace` would take twice as long.
    """
    return Deal(
        deal.rules,
        deal.seating,
        deal.deck if deck is None else deck,
        deal.dealt if dealt is None else dealt,
        deal.hands if hands is None else hands,
        deal.discards if discards is None else discards,
        deal.phase if phase is None else phase,
        deal.turn if turn is None else turn,
        passes,
        taken,
        drawn,
        knock or deal.knock,
        deal.history if move is None else (*deal.history, move),
        outcome,
    )


def with_hand(deal: Deal, hand: Hand) -> tuple[Hand, ...]:
    """Everybody's hands, with this one for the player to act."""
    hands = list(deal.hands)
    hands[deal.turn] = hand
    return tuple(hands)


def after(deal: Deal) -> int:
    """The place of the player after the one to act."""
    return (deal.turn + 1) % len(deal.hands)
