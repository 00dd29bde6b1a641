"""A finished deal, action by action, with every hand face up.

Deals in play have no replay. A void or broken-off deal has one only if its seeds are revealed, because the cards follow
from them. Otherwise its hands stay hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import Aces, Arrangement, best_arrangement, least_deadwood
from bot.engine.deals.deal import Deal, start_deal
from bot.engine.deals.lay_offs import shown_arrangement
from bot.engine.deals.moves import Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import play, reshuffle, resumed
from bot.engine.deals.showdown import LayOff, Outcome, OutcomeKind
from bot.engine.matches.match import Match
from bot.engine.matches.scoring import Score, new_score
from bot.engine.matches.views import PublicMove, SeatView, ShowdownView, deal_view_fields, seat_view, showdown_view


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one moment of a deal.

    `move` is the move before this moment, or None at the start and after a reshuffle. For a draw, it includes the card.
    `hands` are in order of play, without cards laid off. Each hand is in its best arrangement, or as its player laid it
    down. While a player holds `new_card`, a card just drawn or taken, that player's hand is arranged for the best
    discard, which is among its unmatched cards, and `least_left` is the deadwood after that discard. At other moments,
    `new_card` and `least_left` are None. `discards` is the discard pile, top last, and `stock` the number of face-down
    cards.
    """

    move: PublicMove | None
    hands: tuple[Arrangement, ...]
    new_card: Card | None
    least_left: int | None
    stock: int
    discards: tuple[Card, ...]
    lay_offs: tuple[LayOff, ...]


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The replay of a deal: the table at the start and after each move or reshuffle, and the end of the deal."""

    moments: tuple[Moment, ...]
    showdown: ShowdownView

    @property
    def action_count(self) -> int:
        return len(self.moments) - 1


def replay_view(match: Match, number: int, board: int = 1) -> ReplayView:
    """Return the replay of a deal. Raise `LookupError` unless all of its cards are public."""
    return ReplayView(tuple(_moments(_open_deal(match, number, board))), end_view(match, number, board))


def end_view(match: Match, number: int, board: int = 1) -> ShowdownView:
    """Return the end of a deal: its showdown, or else the hands in their best arrangements.

    Raise `LookupError` unless all of its cards are public.
    """
    deal = _open_deal(match, number, board)
    if deal.is_laid_down:
        return showdown_view(match, number, board)
    hands = tuple(best_arrangement(hand, deal.rules.aces) for hand in deal.hands)
    deadwood = tuple(hand.deadwood for hand in hands)
    if deal.outcome is not None:
        view = showdown_view(match, number, board)
        return replace(view, outcome=replace(deal.outcome, hands=hands, deadwood=deadwood))
    outcome = Outcome(OutcomeKind.BROKEN_OFF, hands=hands, deadwood=deadwood)
    fields, takeovers = deal_view_fields(match, deal, match.score), match.takeovers
    return ShowdownView(*fields, outcome=outcome, discard=None, penalty_points=(), board_points=(), takeovers=takeovers)


def _open_deal(match: Match, number: int, board: int) -> Deal:
    for deal in (*match.finished, *match.playing):
        if (deal.number, deal.board) == (number, board) and match.is_open(deal):
            return deal
    match.finished_index(number, board)
    raise LookupError(f"deal {number} was void: its hands stay hidden")


def view_before_move(match: Match, number: int, board: int, step: int) -> SeatView:
    """Return the view that a player had before their move in a finished deal. The first move is step 0.

    Raise `LookupError` if the deal is not finished or has no such move.
    """
    index = match.finished_index(number, board)
    for at, (deal, _) in enumerate(moves_with_deals(match.finished[index])):
        if at == step:
            match_before = replace(match, finished=match.finished[:index], scores=match.scores[:index], playing=(deal,))
            return seat_view(
                replace(match_before, score=score_before(match, number), forfeit=None), deal.seats[deal.turn]
            )
    raise LookupError(f"deal {number} has no move {step}")


def score_before(match: Match, number: int) -> Score:
    """Return the score before round `number`. The first round is number 1."""
    before = [score for score, deal in zip(match.scores, match.finished, strict=True) if deal.number < number]
    return before[-1] if before else new_score(match.rules, len(match.sides))


def moves_with_deals(finished: Deal) -> Iterator[tuple[Deal, Move]]:
    """Yield the moves of a finished deal, each with the state of the deal before it."""
    deal = start_deal(finished.rules, finished.seating, finished.deck[: len(DECK)])
    for move in finished.history:
        if deal.phase is Phase.RESHUFFLE:
            deal = _reshuffled(deal, finished)
        yield deal, move
        deal = _after_move(deal, move, finished)


def _after_move(before: Deal, move: Move, finished: Deal) -> Deal:
    """Return the state of a replayed deal after its next move.

    If the turn limit ends the deal too early, resume it: old logs were written when deals had no turn limit.
    """
    deal = play(before, move)
    return resumed(deal) if deal.is_too_long and len(deal.history) < len(finished.history) else deal


def _reshuffled(deal: Deal, finished: Deal) -> Deal:
    """Return the state of a replayed deal after a reshuffle, with the same stock as in the finished deal."""
    dealt_count = len(deal.deck)
    return reshuffle(deal, finished.deck[dealt_count : dealt_count + len(deal.discards) - 1])


def _moments(finished: Deal) -> Iterator[Moment]:
    # Cached, because a hand stays the same for many moments, and arranging it is the slowest step.
    arrange = cache(partial(best_arrangement, aces=finished.rules.aces))
    yield _moment(start_deal(finished.rules, finished.seating, finished.deck[: len(DECK)]), None, arrange)
    for before, move in moves_with_deals(finished):
        deal = _after_move(before, move, finished)
        yield _moment(deal, PublicMove(before.seats[before.turn], move.verb, move.card or deal.new_card), arrange)
        if deal.phase is Phase.RESHUFFLE:
            yield _moment(_reshuffled(deal, finished), None, arrange)


def _moment(deal: Deal, move: PublicMove | None, arrange: Callable[[Hand], Arrangement]) -> Moment:
    hands, least_left = [arrange(hand) for hand in deal.hands], None
    lay_offs: tuple[LayOff, ...] = ()
    if deal.phase is Phase.DISCARD:
        hands[deal.turn], least_left = for_best_discard(
            deal.hands[deal.turn], deal.new_card, deal.barred, deal.rules.aces
        )
    if deal.knock is not None:
        hands[deal.knock.index] = deal.knock.arrangement
        if deal.phase is Phase.LAY_OFF:
            hands = [shown_arrangement(deal, index) for index in range(len(hands))]
            lay_offs = deal.knock.lay_offs
        elif deal.outcome is not None and move is not None and move.verb is Verb.DONE:
            hands, lay_offs = list(deal.outcome.hands), deal.outcome.lay_offs
    return Moment(move, tuple(hands), deal.new_card, least_left, len(deal.stock), deal.discards, lay_offs)


def for_best_discard(
    hand: Hand, new_card: Card | None, barred: Card | None = None, aces: Aces = "low"
) -> tuple[Arrangement, int]:
    """Return a hand arranged for the discard that leaves the least deadwood, and that deadwood.

    Ties go to `new_card`. A `barred` card is never the discard.
    """
    allowed = [card for card in hand if card is not barred]
    discard = min(allowed, key=lambda card: (least_deadwood(hand - card, aces), card is not new_card))
    arrangement = best_arrangement(hand - discard, aces)
    return Arrangement.of(arrangement.melds, hand, aces), arrangement.deadwood
