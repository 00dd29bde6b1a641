"""One deal at one table: the hands, the stock, the discard pile, whose turn it is, and the moves so far.

A deal knows its players in order of play, but not its match, format or score. `phases` has the legal moves and
their effects.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from bot.engine.cards.cards import Card, Hand, Rank
from bot.engine.cards.melds import Arrangement, Meld
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import LayOff, Outcome, OutcomeKind, Response
from bot.engine.rules import Rules

MIN_STOCK: Final = 2
"""Number of cards left in the stock when it counts as used up."""


_DISCARD: Final = Verb.DISCARD
_IDLE_PHASES: Final = (Phase.DONE, Phase.RESHUFFLE)
"""Phases in which it is nobody's turn."""


@dataclass(frozen=True, slots=True)
class Knock:
    """A knock that the opponents are answering.

    `index` is the knocker's index in the order of play, and `arrangement` the hand that the knocker laid down.
    `responses` has one entry for each opponent who is done, in order of play after the knocker. `lay_offs` are all
    cards laid off so far. `chosen_melds` are the melds that the current player has chosen, or None.
    """

    index: int
    arrangement: Arrangement
    responses: tuple[Response, ...] = ()
    lay_offs: tuple[LayOff, ...] = ()
    chosen_melds: tuple[Meld, ...] | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """A deal's number in its match, from 1, its players in order of play, its dealer, and its board."""

    number: int
    seats: tuple[Seat, ...]
    dealer: Seat
    board: int


@dataclass(slots=True)
class Deal:
    """A deal whose cards have been dealt, in play or over. `hands` and `outcome` are in the order of `seats`.

    `deck[dealt:]` is the stock, top first; `discards` is the discard pile, top last. A knock may leave up to
    `knock_limit` deadwood. `new_card` is the card that the current player has just drawn or taken; `barred` is the same
    card if the rules forbid discarding it this turn. A player who `must_go_out` took the last discard after the stock
    was used up.

    `taken_back` are the seats that have taken a discard back. `history` does not have such discards. `before_discard`
    is the deal before its last move if that was a discard, else None. After a discard was taken back, `draw_is_known`
    until the next one: everybody has seen that the player had drawn.

    A deal never changes: each move makes a new one. Only type checkers enforce this, because creating a frozen
    dataclass takes three times as long.
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
    taken_back: Final[tuple[Seat, ...]] = ()
    before_discard: Final[Deal | None] = field(default=None, compare=False, repr=False)
    draw_is_known: Final[bool] = False

    @property
    def number(self) -> int:
        """The number of the deal in its match, from 1."""
        return self.seating.number

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the players, in order of play."""
        return self.seating.seats

    @property
    def dealer(self) -> Seat:
        return self.seating.dealer

    @property
    def board(self) -> int:
        """The number of the board: 1, or 2 for the second of the two simultaneous deals in the partners format."""
        return self.seating.board

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is; None while a reshuffle is due and after the deal."""
        return None if self.phase in _IDLE_PHASES else self.seating.seats[self.turn]

    @property
    def is_laid_down(self) -> bool:
        """True if the deal is over and its hands were laid down; a void deal has no hands laid down."""
        return self.outcome is not None and self.outcome.kind is not OutcomeKind.VOID

    @property
    def is_from_pile(self) -> bool:
        """True if the current player took `new_card` from the discard pile, False if it came from the stock."""
        return self.history[-1].verb is Verb.TAKE

    @property
    def stock(self) -> tuple[Card, ...]:
        """The face-down cards, top first."""
        return self.deck[self.dealt :]

    @property
    def is_stock_used_up(self) -> bool:
        """True if only the last two cards, which may not be drawn, are left in the stock."""
        return len(self.deck) - self.dealt <= MIN_STOCK

    @property
    def follows_reshuffle(self) -> bool:
        """True if the stock was reshuffled after the last discard, even if the next player has drawn a card since.

        A reshuffle leaves a single discard. Any other turn that begins with a draw leaves more than one.
        """
        has_drawn = bool(self.history) and self.history[-1].verb is Verb.DRAW
        last_turn = self.history[-3:-1] if has_drawn else self.history[-2:]
        return len(self.discards) == 1 and [move.verb for move in last_turn] == [Verb.DRAW, Verb.DISCARD]

    @property
    def is_too_long(self) -> bool:
        """True if the deal is void because it reached the turn limit."""
        return self.outcome is not None and self.outcome.is_too_long

    @property
    def upcard(self) -> Card:
        """The card turned up at the start of the deal."""
        return self.deck[self.rules.cards_dealt * len(self.seats)]


def start_deal(rules: Rules, seating: Seating, deck: tuple[Card, ...]) -> Deal:
    """Deal cards one at a time from the top of the deck, turn up the next card, and return the new deal.

    The deal begins with an offer of the upcard, unless the rules have no offer.
    """
    players = len(seating.seats)
    dealt = rules.cards_dealt * players
    hands = tuple(Hand.of(deck[index:dealt:players]) for index in range(players))
    upcard, phase = deck[dealt], Phase.DRAW if rules.opening == "free" else Phase.OFFER
    return Deal(seating, rules, _knock_limit(rules, upcard), deck, dealt + 1, hands, (upcard,), phase)


def _knock_limit(rules: Rules, upcard: Card) -> int:
    """Return the maximum deadwood for a knock.

    In Oklahoma gin, it is the points of the upcard: 1 for an ace, or 0 if the rules require gin after an ace.
    """
    if isinstance(rules.knock_limit, int):
        return rules.knock_limit
    if upcard.rank is Rank.ACE:
        return 0 if rules.oklahoma_ace == "gin_only" else 1
    return upcard.points


def with_move(deal: Deal, move: Move, phase: Phase, turn: int) -> Deal:
    """Return the deal after a move that changes no hand. Reset `new_card`."""
    history = (*deal.history, move)
    return replace(
        deal,
        phase=phase,
        turn=turn,
        history=history,
        new_card=None,
        barred=None,
        must_go_out=False,
        before_discard=None,
    )


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
    """Return the deal after a draw, take, discard or knock, with the new hand of the player who moved."""
    index, hands = deal.turn, deal.hands
    if len(hands) == 2:
        hands = (hands[0], hand) if index else (hand, hands[1])
    else:
        hands = (*hands[:index], hand, *hands[index + 1 :])
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
        deal.taken_back,
        deal if move.verb is _DISCARD else None,
    )


def next_index(deal: Deal) -> int:
    """Return the index of the next player in the order of play."""
    return (deal.turn + 1) % len(deal.hands)
