"""A match: its rules, its deals so far, and the actions that change it.

Nothing here is random. Cuts, decks and reshuffles are actions without a seat, so the same actions always lead to the
same match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Final

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.deal import Deal, Seating, next_index, start_deal
from bot.engine.deals.moves import FORFEITS, Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import canonical, legal_moves, play, reshuffle, resumed, take_back
from bot.engine.errors import IllegalMove, RulesError, quote
from bot.engine.fairness.seeds import Seeds, new_seeds
from bot.engine.matches.actions import (
    Action,
    Awaiting,
    Chance,
    Cut,
    Play,
    PlayerSeed,
    Replace,
    Reshuffle,
    Reveal,
    Shuffle,
    TakeBack,
)
from bot.engine.matches.formats import FORMATS, Format
from bot.engine.matches.scoring import Score, new_score, score_after_forfeit
from bot.engine.rules import Rules

_RESHUFFLE: Final = Phase.RESHUFFLE


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The end of a match because a seat resigned or, if `on_time`, lost on time."""

    seat: Seat
    on_time: bool


@dataclass(frozen=True, slots=True)
class Takeover:
    """A seat that a computer took over, after `move_count` moves of deal `deal_number` on its board.

    `deal_number` is 0 if no deal had begun on that board.
    """

    seat: Seat
    deal_number: int
    move_count: int


@dataclass(slots=True)
class Match:
    """A match of gin rummy. It never changes: `apply` returns the match after an action.

    `playing` are the deals in play, in order of their boards, or the deals broken off by a forfeit. `finished` are the
    finished deals in the order in which they ended, and `scores` the score after each of them. `score` is the current
    score, stored so that it need not be computed from all rounds after each move. `seeds` is None unless the match is
    verifiable. `takeovers` are ordered by seat.
    """

    rules: Final[Rules]
    seats: Final[int]
    first_dealer: Final[Seat | None]
    score: Final[Score]
    cut: Final[tuple[Card, ...] | None] = None
    finished: Final[tuple[Deal, ...]] = ()
    playing: Final[tuple[Deal, ...]] = ()
    scores: Final[tuple[Score, ...]] = ()
    forfeit: Final[Forfeit | None] = None
    seeds: Final[Seeds | None] = None
    takeovers: Final[tuple[Takeover, ...]] = ()

    @property
    def replaced_seats(self) -> tuple[Seat, ...]:
        """The seats that a computer took over, in ascending order."""
        return tuple(takeover.seat for takeover in self.takeovers)

    @property
    def format(self) -> Format:
        """The format, which decides seating and scoring."""
        return FORMATS[self.rules.format]

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side, in the order of the score's tuples."""
        return self.format.sides(self.seats)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose turn it is, one for each board in play; none while a reshuffle is due and after the match."""
        if self.forfeit is not None or self.reshuffling is not None:
            return ()
        return tuple(deal.to_act for deal in self.playing if deal.to_act is not None)

    @property
    def reshuffling(self) -> Deal | None:
        """The deal whose stock must be reshuffled now, or None. Before the reshuffle, players can only resign."""
        return next((deal for deal in self.playing if deal.phase is Phase.RESHUFFLE), None)

    @property
    def due_deals(self) -> tuple[Seating, ...]:
        """The deals to be dealt now, with their seats; empty if the first dealer is unknown or no deal is due."""
        return () if self.first_dealer is None else self.due_deals_for(self.first_dealer)

    def due_deals_for(self, first_dealer: Seat) -> tuple[Seating, ...]:
        """Return the deals to be dealt now, with their seats, if `first_dealer` deals first."""
        boards = self.format.boards
        if self.score.is_over or self.reshuffling is not None or len(self.playing) == boards:
            return ()
        recent = (*self.finished[-boards:], *self.playing)
        number = max((deal.number for deal in recent), default=1)
        dealt_boards = {deal.board for deal in recent if deal.number == number}
        if len(dealt_boards) == boards:
            if self.playing:
                return ()
            number, dealt_boards = number + 1, set[int]()
        previous = next((deal for deal in reversed(self.finished) if deal.number < number), None)
        seatings = self.format.next_round(self.rules, self.seats, previous, first_dealer)
        return tuple(seating for seating in seatings if seating.board not in dealt_boards)

    @property
    def awaits(self) -> Awaiting | None:
        """The chance action that the match awaits; None after the match, and while only players can act."""
        if self.forfeit is not None:
            return None
        if self.reshuffling is not None:
            return Awaiting.RESHUFFLE
        if self.first_dealer is None:
            # A verifiable match draws its random dealer by a cut, so that everyone can check it.
            return Awaiting.CUT if self.rules.first_dealer == "lowest_card" or self.seeds is not None else Awaiting.DECK
        return Awaiting.DECK if self.due_deals else None

    @property
    def newest_deal(self) -> int:
        """The number of the newest deal, or 0 before the first."""
        return max((deal.number for deal in (*self.finished[-1:], *self.playing)), default=0)

    @property
    def revealable_events(self) -> tuple[int, ...]:
        """The events whose server seeds may be revealed now: those before the first event of any deal in play.

        The cut counts as an event of deal 1. After the match, all seeds may be revealed.
        """
        if self.seeds is None or not (self.newest_deal or self.score.is_over):
            return ()
        return self.seeds.revealable_events(() if self.score.is_over else self.playing)

    def deal_of(self, seat: Seat) -> Deal:
        """Return the current or last deal on a seat's board, even if the seat sits it out.

        Raise `LookupError` before the first deal there.
        """
        return self._latest(lambda deal: seat in deal.seats or self.format.boards == 1)

    def deal_on(self, board: int) -> Deal:
        """Return the current or last deal on a board. Raise `LookupError` before the first deal there."""
        return self._latest(lambda deal: deal.board == board)

    def _latest(self, predicate: Callable[[Deal], bool]) -> Deal:
        for deal in chain(self.playing, reversed(self.finished)):
            if predicate(deal):
                return deal
        raise LookupError("nothing was dealt yet")

    def is_open(self, deal: Deal) -> bool:
        """Return True if all hands of a deal are public: they were laid down, or the seeds are revealed."""
        if deal.is_laid_down:
            return True
        deal_key = (deal.number, deal.board)
        return self.seeds is not None and all(deal_key != sealed for _, sealed in self.seeds.sealed)

    def finished_index(self, number: int, board: int = 1) -> int:
        """Return the index of a deal in `finished` and `scores`. Raise `LookupError` if it is not finished."""
        boards = self.format.boards
        first = (number - 1) * boards
        for index, deal in enumerate(self.finished[max(first, 0) : first + boards], first):
            if (deal.number, deal.board) == (number, board):
                return index
        raise LookupError(f"deal {number} is not over")


def new_match(rules: Rules, seats: int) -> Match:
    """Return a match before its first action. Two players get ten cards even if the rules deal seven.

    Raise `RulesError` if the format does not allow this number of players.
    """
    if seats not in FORMATS[rules.format].seats:
        raise RulesError("seats", f"format={rules.format} is not for {seats} players")
    if seats == 2 and rules.cards_dealt == 7:
        rules = replace(rules, cards_dealt=10)
    first_dealer = {"challenger": Seat(0), "challenged": Seat(1)}.get(rules.first_dealer)
    return Match(rules, seats, first_dealer, new_score(rules, sides=len(FORMATS[rules.format].sides(seats))))


def legal(match: Match, seat: Seat) -> tuple[Move, ...]:
    """Return the legal moves of a seat in canonical form; none if it is not the seat's turn.

    Resigning is always legal and not listed.
    """
    deal = _deal_to_play(match, seat)
    return () if deal is None else legal_moves(deal)


def canonical_action(match: Match, action: Action) -> Action:
    """Return the action as `legal` lists it: a knock without melds gets the default arrangement."""
    if isinstance(action, Play) and (deal := _deal_to_play(match, action.seat)) is not None:
        return Play(action.seat, canonical(deal, action.move))
    return action


def apply(match: Match, action: Action) -> Match:
    """Return the match after an action. If it is illegal, raise `IllegalMove` with the action and the legal ones."""
    if match.seeds is not None and match.seeds.is_exposed and not isinstance(action, Reveal):
        raise _illegal(match, "reveal", action, "seeds of a deal in play were revealed, so nothing else may follow")
    match action:
        case Play():
            return _apply_forfeit(match, action) if action.move.verb in FORFEITS else _apply_play(match, action)
        case Cut():
            return _apply_cut(match, action)
        case Shuffle():
            return _apply_shuffle(match, action)
        case Reshuffle():
            return _apply_reshuffle(match, action)
        case PlayerSeed():
            return _apply_seed(match, action)
        case Reveal():
            return _apply_reveal(match, action)
        case Replace():
            return _apply_replace(match, action)
        case TakeBack():
            return _apply_take_back(match, action)


def apply_all(match: Match, actions: Iterable[Action]) -> Match:
    """Return the match after several actions. Raise `IllegalMove` if one is not legal in its position."""
    return reduce(apply, actions, match)


def apply_logged(match: Match, action: Action) -> Match:
    """Return the match after an action from a log. Raise `IllegalMove` as `apply` does.

    In old logs, which were written when deals had no turn limit, play may continue in a deal that the limit now ends.
    Such a deal is resumed.
    """
    try:
        return apply(match, action)
    except IllegalMove:
        deal = next(
            (finished for finished in match.finished[-match.format.boards :] if _continues(match, finished, action)),
            None,
        )
        if deal is None:
            raise
    return apply(_with_deal_resumed(match, deal), action)


def apply_log(match: Match, actions: Iterable[Action]) -> Match:
    """Return the match after all actions of a log. Raise `IllegalMove` as `apply_logged` does."""
    return reduce(apply_logged, actions, match)


def with_long_deals_resumed(match: Match) -> Match:
    """Resume the deals of the newest round that the turn limit ended, and return the match.

    An old log, written when deals had no turn limit, may stop in the middle of such a deal.
    """
    for deal in match.finished[-match.format.boards :]:
        if deal.is_too_long and deal.number == match.newest_deal:
            match = _with_deal_resumed(match, deal)
    return match


def _continues(match: Match, deal: Deal, action: Action) -> bool:
    """Return True if an action of an old log continues a deal of the newest round that the turn limit now ends."""
    if not deal.is_too_long or deal.number != match.newest_deal:
        return False
    if isinstance(action, Reshuffle):
        return deal.is_stock_used_up
    return isinstance(action, Play) and action.seat == deal.seats[next_index(deal)] and not deal.is_stock_used_up


def _with_deal_resumed(match: Match, deal: Deal) -> Match:
    """Resume a finished deal of the newest round, restore the score at the start of the round, and return the match."""
    others = tuple(other for other in match.finished if other is not deal)
    earlier_count = sum(other.number < deal.number for other in others)
    score = match.scores[earlier_count - 1] if earlier_count else new_score(match.rules, len(match.sides))
    scores = (*match.scores[:earlier_count], *(score for _ in others[earlier_count:]))
    playing = tuple(sorted((*match.playing, resumed(deal)), key=lambda deal: deal.board))
    return replace(match, finished=others, scores=scores, score=score, playing=playing)


def _deal_to_play(match: Match, seat: Seat) -> Deal | None:
    """Return the deal in which it is a seat's turn, or None."""
    playable: Deal | None = None
    for deal in match.playing:
        if deal.phase is _RESHUFFLE:
            return None
        if deal.to_act == seat:
            playable = deal
    return playable if match.forfeit is None else None


def _apply_cut(match: Match, action: Cut) -> Match:
    cards = action.cards
    if match.awaits is not Awaiting.CUT:
        raise _illegal(match, "cut", action, "the cut comes once, before the first deal, if the lowest card deals")
    if len(cards) != match.seats or len(set(cards)) != len(cards):
        raise _illegal(match, "cut", action, f"each of the {match.seats} seats draws one card, all different")
    seeds = _seeds_after_event(match, action, 0, 1)
    return replace(match, cut=cards, first_dealer=Seat(cards.index(min(cards))), seeds=seeds)


def _apply_shuffle(match: Match, action: Shuffle) -> Match:
    first_dealer, seating = _find_seating(match, action)
    if len(action.deck) != len(DECK) or set(action.deck) != set(DECK):
        raise _illegal(match, "deck", action, "a deck has 52 different cards")
    seeds = _seeds_after_event(match, action, seating.number, seating.board)
    deal = start_deal(match.rules, seating, action.deck)
    playing = tuple(sorted((*match.playing, deal), key=lambda deal: deal.board))
    return replace(match, first_dealer=first_dealer, playing=playing, seeds=seeds)


def _find_seating(match: Match, action: Shuffle) -> tuple[Seat, Seating]:
    """Return the first dealer of the match, and the seating of the due deal that a deck is for.

    If the first dealer is random and no cut decided it, the first deck names the dealer. In a verifiable match only a
    cut may decide it, so that nobody can choose the dealer. Raise `IllegalMove` if the deck is for no due deal.
    """
    known_dealer = match.first_dealer
    if known_dealer is None and match.seeds is not None:
        raise _illegal(match, "cut", action, "in a verifiable match, the cut comes before the first deal")
    candidates = [known_dealer] if known_dealer is not None else [Seat(seat) for seat in range(match.seats)]
    due = [(first, seating) for first in candidates for seating in match.due_deals_for(first)]
    if not due:
        raise _illegal(match, "deal", action, "the match is over" if match.score.is_over else "a deal is in play")
    if action.number != due[0][1].number:
        raise _illegal(match, "deal", action, f"deal {due[0][1].number} is next")
    due = [(first, seating) for first, seating in due if seating.board == action.board]
    if not due:
        raise _illegal(match, "board", action, "no deal is due on that board")
    for first, seating in due:
        if seating.dealer == action.dealer:
            if action.seats not in (None, seating.seats):
                raise _illegal(match, "seats", action, f"seats={','.join(map(str, seating.seats))} play")
            return first, seating
    dealers = " or ".join(map(str, sorted({seating.dealer for _, seating in due})))
    raise _illegal(match, "dealer", action, f"{dealers} deals")


def _apply_reshuffle(match: Match, action: Reshuffle) -> Match:
    reshuffling = match.reshuffling
    if match.forfeit is not None or reshuffling is None:
        raise _illegal(match, "stock", action, "the stock is not reshuffled now")
    seeds = _seeds_after_event(match, action, reshuffling.number, reshuffling.board)
    try:
        return replace(_replace_deal(match, reshuffle(reshuffling, action.cards)), seeds=seeds)
    except IllegalMove as error:
        raise _illegal(match, error.code, action, str(error)) from None


def _seeds_after_event(match: Match, action: Chance, number: int, board: int) -> Seeds | None:
    """Return the seeds of a match after a chance event of deal `number`, which is 0 for the cut."""
    seeds = match.seeds
    if seeds is None:
        if action.event is not None:
            raise _illegal(match, "event", action, "a match has events only if its players have given seeds")
        return None
    event = action.event or 0
    if (reason := seeds.reason_against_event(event)) is not None:
        raise _illegal(match, "event", action, reason)
    return seeds.with_event(event, number, board)


def _apply_seed(match: Match, action: PlayerSeed) -> Match:
    seeds = match.seeds
    if seeds is None:
        if match.cut or match.newest_deal or match.replaced_seats:
            why = "the first seeds are given before anything is cut or dealt, and before any seat is taken over"
            raise _illegal(match, "seed", action, why)
        seeds = new_seeds(match.seats)
    if action.seat in match.replaced_seats:
        raise _illegal(match, "seed", action, "a computer plays that seat, and keeps the seed that it has")
    reason = "the match is over" if match.score.is_over else seeds.reason_against_seed(action, match.newest_deal)
    if reason is not None:
        raise _illegal(match, "seed", action, reason)
    return replace(match, seeds=seeds.with_seed(action))


def _apply_reveal(match: Match, action: Reveal) -> Match:
    seeds = match.seeds
    if seeds is None:
        raise _illegal(match, "reveal", action, "there is no such event")
    if not seeds.is_sealed(action.event):
        raise _illegal(match, "reveal", action, f"there is no event {action.event} whose seed is still secret")
    return replace(match, seeds=seeds.with_reveal(action, () if match.score.is_over else match.playing))


def _apply_replace(match: Match, action: Replace) -> Match:
    reason = _reason_against_replacing(match, action.seat)
    if reason:
        raise _illegal(match, "replace", action, reason)
    try:
        deal = match.deal_of(action.seat)
        takeover = Takeover(action.seat, deal.number, len(deal.history))
    except LookupError:
        takeover = Takeover(action.seat, 0, 0)
    takeovers = (*match.takeovers, takeover)
    return replace(match, takeovers=tuple(sorted(takeovers, key=lambda takeover: takeover.seat)))


def _reason_against_replacing(match: Match, seat: Seat) -> str | None:
    """Return why a computer cannot take over a seat now; None if it can."""
    if match.score.is_over:
        return "the match is over"
    if match.seats == 2:
        return "only a table of three or four allows it"
    if not 0 <= seat < match.seats:
        return "there is no such seat"
    if seat in match.replaced_seats:
        return "a computer plays that seat already"
    if len(match.replaced_seats) == match.seats - 1:
        return "at least one seat must keep its player"
    if match.seeds is not None and not match.seeds.is_complete:
        return "each seat must give a seed first"
    return None


def _apply_take_back(match: Match, action: TakeBack) -> Match:
    deal = next((deal for deal in match.playing if action.seat in deal.seats), None)
    if deal is None or match.forfeit is not None:
        raise _illegal(match, "back", action, "the seat is in no deal in play")
    try:
        return _replace_deal(match, take_back(deal, action.seat))
    except IllegalMove as error:
        raise _illegal(match, error.code, action, str(error)) from None


def _apply_play(match: Match, action: Play) -> Match:
    deal = _deal_to_play(match, action.seat)
    if deal is None:
        raise _illegal(match, "turn", action, _reason_not_to_act(match))
    return _replace_deal(match, play(deal, action.move))


def _reason_not_to_act(match: Match) -> str:
    if match.score.is_over:
        return "the match is over"
    if match.reshuffling is not None:
        return "the stock is reshuffled first"
    return f"it is the turn of {' or '.join(map(str, match.to_act))}" if match.to_act else "the cards are not dealt"


def _replace_deal(match: Match, deal: Deal) -> Match:
    """Return the match with a deal replaced by its new state. If this completes the round, score the round."""
    if deal.outcome is None:
        return replace(match, playing=tuple(deal if other.board == deal.board else other for other in match.playing))
    playing = tuple(other for other in match.playing if other.board != deal.board)
    boards = match.format.boards
    round_ = [played for played in (*match.finished[-boards:], deal) if played.number == deal.number]
    score = match.format.add_round(match.rules, match.score, round_) if len(round_) == boards else match.score
    return replace(match, finished=(*match.finished, deal), playing=playing, scores=(*match.scores, score), score=score)


def _apply_forfeit(match: Match, action: Play) -> Match:
    seat, verb = action.seat, action.move.verb
    if match.score.is_over or not 0 <= seat < match.seats:
        raise _illegal(match, verb, action, "only a seat of a running match can do this")
    if seat in match.replaced_seats:
        raise _illegal(match, verb, action, "a computer plays that seat and cannot do this")
    if verb is Verb.TIME and seat not in match.to_act:
        raise _illegal(match, verb, action, "only a seat whose turn it is can lose on time")
    side = next(index for index, seats in enumerate(match.sides) if seat in seats)
    return replace(match, forfeit=Forfeit(seat, verb is Verb.TIME), score=score_after_forfeit(match.score, side))


def _illegal(match: Match, code: str, action: Action, why: str) -> IllegalMove:
    return IllegalMove(code, f"{quote(str(action))} is not legal: {why}; legal: {_list_legal(match)}")


def _list_legal(match: Match) -> str:
    if match.score.is_over:
        return "nothing"
    moves = [str(Play(seat, move)) for seat in match.to_act for move in legal(match, seat)]
    awaited = {
        Awaiting.CUT: ["cut"] if match.seeds is not None else ["cut", "deal 1"],
        Awaiting.DECK: [f"deal {due_deal.number} dealer={due_deal.dealer}" for due_deal in match.due_deals]
        or ["deal 1"],
        Awaiting.RESHUFFLE: ["stock"],
        None: [],
    }
    resigning_seats = " or ".join(str(seat) for seat in range(match.seats) if seat not in match.replaced_seats)
    resigning = f"resign by {resigning_seats}" if match.replaced_seats else "resign by any seat"
    return ", ".join([*moves, *awaited[match.awaits], resigning])
