"""The views of a match: the public one, the one of a seat, and the showdown of a finished deal.

All layers above the engine and the match services get only these values. No type here can carry a hidden card, so
hidden cards cannot leak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces, Arrangement, Meld, best_arrangement, least_deadwood, points
from bot.engine.deals.deal import Deal, Seating
from bot.engine.deals.lay_offs import remaining_hand, shown_arrangement, suggested_response
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import VOID, LayOff, Outcome, Response
from bot.engine.matches.match import Forfeit, Match, Takeover, legal
from bot.engine.matches.scoring import Score, charges, points_by_side
from bot.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class PublicMove:
    """One action as everyone at the table saw it. The card is None for a pass and for a draw from the stock."""

    seat: Seat
    verb: Verb
    card: Card | None


@dataclass(frozen=True, slots=True)
class KnockView:
    """A knock that the opponents are answering: the knocker's arrangement, and the lay-offs so far."""

    seat: Seat
    arrangement: Arrangement
    lay_offs: tuple[LayOff, ...]


@dataclass(frozen=True, slots=True)
class DealView(Seating):
    """A deal of a match, in play or over: its seating, its rules, the number of boards, and the score.

    `sides` are the seats that score together. `score` is the score right after a finished deal, or the current one.
    `takeovers` are all takeovers of the match.
    """

    rules: Rules
    boards: int
    sides: tuple[tuple[Seat, ...], ...]
    score: Score
    takeovers: tuple[Takeover, ...] = field(default=(), kw_only=True)

    def was_person(self, seat: Seat, move: float) -> bool:
        """Return True if a person still played a seat at this move of the deal, and a computer took it over later.

        Moves are numbered from 0. Use -1 for the beginning of the deal, and infinity for its end.
        """
        return any(
            takeover.seat == seat and (self.number, move) < (takeover.deal_number, takeover.move_count)
            for takeover in self.takeovers
        )


@dataclass(frozen=True, slots=True)
class PublicView(DealView):
    """The public view of one board of a match: its current or last deal.

    A draw from the stock appears together with the discard, except to the player who drew. `hand_sizes` is by seat, 0
    for a seat that sits out, and includes cards that the seat has laid off. `discards` is the discard pile, top last;
    `stock` is the number of face-down cards. `history` are the moves so far. `taken_back` are the seats that have taken
    a discard back; their discards are not in `history`.
    """

    phase: Phase
    turn: Seat | None
    hand_sizes: tuple[int, ...]
    stock: int
    discards: tuple[Card, ...]
    upcard: Card
    knock_limit: int
    knock: KnockView | None
    history: tuple[PublicMove, ...]
    cut: tuple[Card, ...] | None
    forfeit: Forfeit | None
    taken_back: tuple[Seat, ...] = field(default=(), kw_only=True)

    @property
    def top(self) -> Card | None:
        """The top of the discard pile; None if the pile is empty because its only card was just taken."""
        return self.discards[-1] if self.discards else None


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A card of the hand, the least deadwood after discarding it, and whether a discard or knock with it is legal."""

    card: Card
    deadwood: int
    is_allowed: bool
    can_knock: bool


@dataclass(frozen=True, slots=True)
class LayOffChoice:
    """A card that can be laid off on one of the knocker's melds, and the deadwood points that this saves."""

    card: Card
    meld: Meld
    points_saved: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """The view of one seat: the public view of its board with its own draw, its hand, and its legal moves.

    `new_card` is the card it drew or took this turn. `discard_choices` has one entry for each card if the seat must
    discard. While a knock is being answered, `hand` excludes the cards that the seat laid off, `lay_offs` has one entry
    for each card that it can lay off now, and `best_response` is the response with the least deadwood. `moves` are all
    its legal moves except resigning. A seat that sits out has no hand.
    """

    public: PublicView
    seat: Seat
    hand: Hand
    arrangement: Arrangement
    new_card: Card | None
    discard_choices: tuple[DiscardChoice, ...]
    lay_offs: tuple[LayOffChoice, ...]
    best_response: Response | None
    moves: tuple[Move, ...]

    @property
    def is_to_act(self) -> bool:
        """True if it is this seat's turn."""
        return self.public.turn == self.seat

    @property
    def sits_out(self) -> bool:
        """True if the seat does not play this deal."""
        return self.seat not in self.public.seats

    @property
    def can_go_gin(self) -> bool:
        """True if a discard leaves no deadwood."""
        return any(choice.can_knock and choice.deadwood == 0 for choice in self.discard_choices)

    @property
    def can_go_big_gin(self) -> bool:
        """True if the seat can go out without a discard."""
        return any(move.verb is Verb.BIG_GIN for move in self.moves)


@dataclass(frozen=True, slots=True)
class ShowdownView(DealView):
    """A finished deal: its outcome, and the score after it.

    `penalty_points` are the penalty points of each seat, if the rules use them.
    """

    outcome: Outcome
    discard: Card | None
    """The knocker's discard; None if nobody knocked."""
    penalty_points: tuple[tuple[Seat, int], ...]
    board_points: tuple[int, ...]
    """The points of each side in a round of several boards, once all its deals are over; empty otherwise."""

    def hand(self, seat: Seat) -> Arrangement:
        """Return the hand that a seat laid down.

        Raise `LookupError` if the deal was void, and `ValueError` if the seat sat it out.
        """
        return self.outcome.hands[self.seats.index(seat)]

    def deadwood(self, seat: Seat) -> int:
        """Return the deadwood of a seat, after lay-offs. Raise the same errors as `hand`."""
        return self.outcome.deadwood[self.seats.index(seat)]


def public_view(match: Match, board: int = 1) -> PublicView:
    """Return the public view of a board, in which a draw from the stock appears together with the discard.

    Raise `LookupError` before the first deal on the board.
    """
    deal = match.deal_on(board)
    return _without_open_draw(_full_view(match, deal), deal)


def seat_view(match: Match, seat: Seat) -> SeatView:
    """Return the view of one seat. Raise `LookupError` before the first deal."""
    deal, aces = match.deal_of(seat), match.rules.aces
    public = _full_view(match, deal)
    if seat != deal.to_act:
        public = _without_open_draw(public, deal)
    index = deal.seats.index(seat) if seat in deal.seats else None
    hand = Hand.of(()) if index is None else remaining_hand(deal, index)
    to_act = public.turn == seat
    laying_off = to_act and deal.phase is Phase.LAY_OFF
    moves = legal(match, seat)
    return SeatView(
        public=public,
        seat=seat,
        hand=hand,
        arrangement=best_arrangement(hand, aces) if index is None else shown_arrangement(deal, index),
        new_card=deal.new_card if to_act else None,
        discard_choices=tuple(_discard_choices(hand, moves, aces)) if to_act and deal.phase is Phase.DISCARD else (),
        lay_offs=tuple(_lay_offs(deal, hand, moves)) if laying_off else (),
        best_response=suggested_response(deal) if laying_off else None,
        moves=moves,
    )


def showdown_view(match: Match, number: int, board: int = 1) -> ShowdownView:
    """Return the showdown of a finished deal, given its number (from 1) and board.

    Raise `LookupError` if the deal is not finished.
    """
    index = match.finished_index(number, board)
    deal = match.finished[index]
    outcome = deal.outcome or VOID
    penalty = match.rules.format == "penalty"
    return ShowdownView(
        *deal_view_fields(match, deal, match.scores[index]),
        outcome=outcome,
        discard=_knock_discard(deal),
        penalty_points=tuple(charges(deal.seats, outcome).items()) if penalty else (),
        board_points=_board_points(match, index),
        takeovers=match.takeovers,
    )


def _board_points(match: Match, index: int) -> tuple[int, ...]:
    """Return the points of each side in a round of several boards if the deal at this index ended it, else `()`."""
    boards = match.format.boards
    round_ = match.finished[index - index % boards : index + 1]
    outcomes = [deal.outcome or VOID for deal in round_]
    return points_by_side(match.sides, outcomes) if len(outcomes) == boards > 1 else ()


def _knock_discard(deal: Deal) -> Card | None:
    """Return the card discarded with a knock; None after big gin, or if nobody knocked."""
    return next((move.card for move in reversed(deal.history) if move.verb in (Verb.KNOCK, Verb.BIG_GIN)), None)


def deal_view_fields(
    match: Match, deal: Deal, score: Score
) -> tuple[int, tuple[Seat, ...], Seat, int, Rules, int, tuple[tuple[Seat, ...], ...], Score]:
    """Return the positional fields of a `DealView`."""
    return deal.number, deal.seats, deal.dealer, deal.board, match.rules, match.format.boards, match.sides, score


def _full_view(match: Match, deal: Deal) -> PublicView:
    """Return the public view of a deal as the player to act sees it, including a draw from the stock this turn."""
    sizes = {seat: len(hand) for seat, hand in zip(deal.seats, deal.hands, strict=True)}
    knock = deal.knock if deal.phase is Phase.LAY_OFF else None
    return PublicView(
        *deal_view_fields(match, deal, match.score),
        phase=Phase.DONE if match.forfeit is not None else deal.phase,
        turn=deal.to_act if deal.to_act in match.to_act else None,
        hand_sizes=tuple(sizes.get(Seat(seat), 0) for seat in range(match.seats)),
        stock=len(deal.stock),
        discards=deal.discards,
        upcard=deal.upcard,
        knock_limit=deal.knock_limit,
        knock=None if knock is None else KnockView(deal.seats[knock.index], knock.arrangement, knock.lay_offs),
        history=public_moves(deal),
        cut=match.cut,
        forfeit=match.forfeit,
        taken_back=deal.taken_back,
        takeovers=match.takeovers,
    )


def has_open_draw(deal: Deal) -> bool:
    """Return True if the player to act has drawn from the stock, which only that player sees until the discard."""
    return deal.phase is Phase.DISCARD and not (deal.is_from_pile or deal.draw_is_known)


def _without_open_draw(view: PublicView, deal: Deal) -> PublicView:
    """Return a view without the open draw, if there is one. See `has_open_draw`.

    Other players cannot tell whether the player has drawn yet, so a draw made in advance looks like any other.
    """
    if view.phase is not Phase.DISCARD or not has_open_draw(deal):
        return view
    sizes = tuple(size - (seat == deal.to_act) for seat, size in enumerate(view.hand_sizes))
    return replace(view, phase=Phase.DRAW, stock=view.stock + 1, hand_sizes=sizes, history=view.history[:-1])


def _discard_choices(hand: Hand, moves: tuple[Move, ...], aces: Aces) -> Iterator[DiscardChoice]:
    allowed = {move.card for move in moves if move.verb is Verb.DISCARD}
    knocks = {move.card for move in moves if move.verb is Verb.KNOCK}
    for card in hand:
        yield DiscardChoice(card, least_deadwood(hand - card, aces), card in allowed, card in knocks)


def _lay_offs(deal: Deal, hand: Hand, moves: tuple[Move, ...]) -> Iterator[LayOffChoice]:
    """Yield each legal lay-off with the points it saves.

    A lay-off saves the card's points if the player has chosen melds; otherwise, the reduction of the least deadwood.
    """
    aces = deal.rules.aces
    chosen = deal.knock is not None and deal.knock.chosen_melds is not None
    for move in moves:
        if move.verb is Verb.LAY_OFF and move.card is not None and move.melds:
            reduction = least_deadwood(hand, aces) - least_deadwood(hand - move.card, aces)
            yield LayOffChoice(move.card, move.melds[0], points((move.card,), aces) if chosen else reduction)


# Looking up members of an enumeration is slow before Python 3.12, and each view lists all moves of its deal.
_TAKE: Final = Verb.TAKE
_DISCARDING: Final = frozenset((Verb.DISCARD, Verb.KNOCK))
VERBS_WITHIN_TURNS: Final = frozenset((Verb.TAKE, Verb.DRAW, Verb.MELD, Verb.LAY_OFF))
"""The verbs of moves after which the turn continues."""


def public_moves(deal: Deal) -> tuple[PublicMove, ...]:
    """Return the moves of a deal with the cards that everyone saw."""
    seats, turn, pile, moves = deal.seats, 0, [deal.upcard], list[PublicMove]()
    for move in deal.history:
        verb, card = move.verb, move.card
        if verb in _DISCARDING and card is not None:
            pile.append(card)
        elif verb is _TAKE:
            card = pile.pop()
        moves.append(_public_move(seats[turn], verb, card))
        if verb not in VERBS_WITHIN_TURNS:
            turn = (turn + 1) % len(seats)
    return tuple(moves)


@cache
def _public_move(seat: Seat, verb: Verb, card: Card | None) -> PublicMove:
    """Return a cached public move.

    Few different moves are possible, and every view lists all moves of its deal.
    """
    return PublicMove(seat, verb, card)
