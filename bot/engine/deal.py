"""One deal at one table: who may do what in each phase, and what it leads to.

A deal knows its players in order of play and nothing of matches: formats and scores live elsewhere. `legal_moves` and
`play` draw on the same rule functions, one for each phase, so what the one lists the other accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.engine.cards import DECK, Card, Hand
from bot.engine.errors import IllegalMove
from bot.engine.melds import Arrangement, arrangements, best_arrangement, least_deadwood
from bot.engine.moves import DRAW, PASS, TAKE, Move, Seat, Verb, discard, knock
from bot.engine.rules import Rules
from bot.engine.showdown import Kind, Outcome, settle

STOCK_LEFT = 2
"""A deal is void once a discard leaves this many cards in the stock."""


_MOST_SHED = max(card.points for card in DECK)
"""The most that one discard can take off the least deadwood, so that most hands need no closer look."""


class Phase(StrEnum):
    """Where a deal stands. `DISCARD` is discard, knock or gin, after a draw."""

    OFFER = "offer"
    DRAW = "draw"
    DISCARD = "discard"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal in play or over. `hands` and `outcome` follow `seats`, which is the order of play: the dealer is last.

    `deck[dealt:]` is the stock, its top first; `discards` the pile, its top last. `taken` is the card the player to
    move took from the pile in this turn, `drawn` the one from the stock.
    """

    rules: Rules
    number: int
    seats: tuple[Seat, ...]
    deck: tuple[Card, ...]
    dealt: int
    hands: tuple[Hand, ...]
    discards: tuple[Card, ...]
    phase: Phase
    turn: int
    passes: int
    taken: Card | None
    drawn: Card | None
    history: tuple[Move, ...]
    outcome: Outcome | None

    @property
    def dealer(self) -> Seat:
        """The seat that dealt."""
        return self.seats[-1]

    @property
    def to_act(self) -> Seat | None:
        """The seat whose move it is; None once the deal is over."""
        return None if self.phase is Phase.DONE else self.seats[self.turn]

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards face down, the next to be drawn first."""
        return self.deck[self.dealt :]

    @property
    def upcard(self) -> Card:
        """The card that was turned up when the deal began."""
        return self.deck[self.rules.cards_dealt * len(self.seats)]

    @property
    def knock_limit(self) -> int:
        """The most deadwood a knock may leave; 0 means that only gin goes out."""
        return int(self.rules.knock_limit)


def start(rules: Rules, number: int, seats: Sequence[Seat], deck: tuple[Card, ...]) -> Deal:
    """Deal the cards, one at a time in turn from the top of the deck, and turn the next one up.

    Args:
        rules: the rules, which say how many cards each player gets.
        number: the deal's number in the match, from 1.
        seats: the players in order of play: the dealer last.
        deck: 52 different cards, the top first.
    """
    players, dealt = len(seats), rules.cards_dealt * len(seats)
    return Deal(
        rules=rules,
        number=number,
        seats=tuple(seats),
        deck=deck,
        dealt=dealt + 1,
        hands=tuple(Hand.of(deck[place:dealt:players]) for place in range(players)),
        discards=(deck[dealt],),
        phase=Phase.OFFER,
        turn=0,
        passes=0,
        taken=None,
        drawn=None,
        history=(),
        outcome=None,
    )


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """The canonical moves of the seat to act: none once the deal is over. Resigning is a matter of the match.

    There is one knock for each discard and distinct legal arrangement.
    """
    if deal.phase is Phase.DISCARD:
        hand = deal.hands[deal.turn]
        allowed = [card for card in hand if _may_discard(deal, card)]
        moves = tuple([discard(card) for card in allowed])
        if least_deadwood(hand) > deal.knock_limit + _MOST_SHED:
            return moves
        return moves + tuple(knock(card, laid.melds) for card in allowed for laid in _knocks(deal, card))
    return _TURNS[deal.phase](deal)


def canonical(deal: Deal, move: Move) -> Move:
    """The move as `legal_moves` would list it: a knock that names no melds gets the default arrangement."""
    if deal.phase is Phase.DISCARD and move.verb is Verb.KNOCK and move.melds is None and move.card is not None:
        return knock(move.card, best_arrangement(deal.hands[deal.turn] - move.card).melds)
    return move


def play(deal: Deal, move: Move) -> Deal:
    """The deal after a move of the seat to act.

    Raises:
        IllegalMove: the move is none of `legal_moves`; the message says why and what was legal.
    """
    if deal.phase is not Phase.DISCARD:
        if move in _TURNS[deal.phase](deal):
            return _begun(deal, move)
    elif (card := move.card) is not None and card in deal.hands[deal.turn] and _may_discard(deal, card):
        if move.verb is Verb.DISCARD and move.melds is None:
            return _discarded(deal, card, move)
        if move.verb is Verb.KNOCK:
            move = canonical(deal, move)
            for laid in _knocks(deal, card):
                if laid.melds == move.melds:
                    return _knocked(deal, card, move, laid)
    code, why = _why_not(deal, move)
    raise IllegalMove(code, f"{str(move)!r} is not legal: {why}; legal: {_listed(deal)}")


def _offer(deal: Deal) -> tuple[Move, ...]:
    return PASS, TAKE


def _draw(deal: Deal) -> tuple[Move, ...]:
    refused_by_all = deal.passes == len(deal.seats)
    return (DRAW,) if refused_by_all else (DRAW, TAKE)


def _none(deal: Deal) -> tuple[Move, ...]:
    return ()


_TURNS = {Phase.OFFER: _offer, Phase.DRAW: _draw, Phase.DONE: _none}


def _may_discard(deal: Deal, card: Card) -> bool:
    """Whether a card of the hand may be discarded, in a knock too: not the one just taken from the pile."""
    return card is not deal.taken


def _knocks(deal: Deal, card: Card) -> tuple[Arrangement, ...]:
    """The arrangements that a knock with this discard may lay down."""
    hand = deal.hands[deal.turn] - card
    limit = deal.knock_limit
    return tuple(arrangements(hand, limit)) if least_deadwood(hand) <= limit else ()


def _begun(deal: Deal, move: Move) -> Deal:
    """After a pass, a take or a draw."""
    if move.verb is Verb.PASS:
        passes = deal.passes + 1
        phase = Phase.OFFER if passes < len(deal.seats) else Phase.DRAW
        return _moved(deal, move, phase, turn=_after(deal), passes=passes)
    if move.verb is Verb.TAKE:
        card = deal.discards[-1]
        hands = _with_hand(deal, deal.hands[deal.turn] + card)
        return _moved(deal, move, Phase.DISCARD, hands=hands, discards=deal.discards[:-1], turn=deal.turn, taken=card)
    card = deal.deck[deal.dealt]
    hands = _with_hand(deal, deal.hands[deal.turn] + card)
    return _moved(deal, move, Phase.DISCARD, hands=hands, dealt=deal.dealt + 1, turn=deal.turn, drawn=card)


def _discarded(deal: Deal, card: Card, move: Move) -> Deal:
    hands = _with_hand(deal, deal.hands[deal.turn] - card)
    pile = (*deal.discards, card)
    if len(deal.deck) - deal.dealt <= STOCK_LEFT:
        void = Outcome(Kind.VOID)
        return _moved(deal, move, Phase.DONE, hands=hands, discards=pile, turn=deal.turn, outcome=void)
    return _moved(deal, move, Phase.DRAW, hands=hands, discards=pile, turn=_after(deal))


def _knocked(deal: Deal, card: Card, move: Move, laid: Arrangement) -> Deal:
    hands = _with_hand(deal, deal.hands[deal.turn] - card)
    outcome = settle(deal.rules, deal.seats, hands, deal.turn, laid)
    pile = (*deal.discards, card)
    return _moved(deal, move, Phase.DONE, hands=hands, discards=pile, turn=deal.turn, outcome=outcome)


def _moved(
    deal: Deal,
    move: Move,
    phase: Phase,
    *,
    turn: int,
    hands: tuple[Hand, ...] | None = None,
    dealt: int | None = None,
    discards: tuple[Card, ...] | None = None,
    passes: int = 0,
    taken: Card | None = None,
    drawn: Card | None = None,
    outcome: Outcome | None = None,
) -> Deal:
    """The deal with a move in its history and what the move changed; `dataclasses.replace` would take twice as long."""
    return Deal(
        deal.rules,
        deal.number,
        deal.seats,
        deal.deck,
        deal.dealt if dealt is None else dealt,
        deal.hands if hands is None else hands,
        deal.discards if discards is None else discards,
        phase,
        turn,
        passes,
        taken,
        drawn,
        (*deal.history, move),
        outcome,
    )


def _after(deal: Deal) -> int:
    return (deal.turn + 1) % len(deal.seats)


def _with_hand(deal: Deal, hand: Hand) -> tuple[Hand, ...]:
    return (*deal.hands[: deal.turn], hand, *deal.hands[deal.turn + 1 :])


def _why_not(deal: Deal, move: Move) -> tuple[str, str]:
    """A code for those who have words of their own, and the reason in the engine's."""
    if deal.phase is Phase.DONE:
        return "over", "the deal is over"
    if deal.phase is Phase.OFFER:
        return "offer", "the upcard is taken or passed first"
    if deal.phase is Phase.DRAW:
        if move.verb is Verb.TAKE:
            return "refused", "all players passed the upcard, so the first card comes from the stock"
        return "draw-first", "a turn begins with a card from the stock or the pile"
    if move.card is None or move.verb not in (Verb.DISCARD, Verb.KNOCK):
        return "drawn", "a card is drawn already; now discard or knock"
    hand = deal.hands[deal.turn]
    if move.card not in hand:
        return "not-in-hand", f"{move.card} is not in the hand"
    if not _may_discard(deal, move.card):
        return "just-taken", f"{move.card} was taken from the pile in this turn"
    left = least_deadwood(hand - move.card)
    if left > deal.knock_limit:
        return "too-much", f"it would leave {left}, and the knock limit is {deal.knock_limit}"
    return "melds", "these melds are not in the hand, or leave too much"


def _listed(deal: Deal) -> str:
    return ", ".join(map(str, legal_moves(deal))) or "nothing"
