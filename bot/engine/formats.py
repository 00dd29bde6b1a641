"""Who meets whom in each deal, and how the deals are added up: one class for each `format` of the rules.

A format sees finished deals and their outcomes only; a deal knows nothing of its format. Another format is another
class here and its row in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final, Protocol

from bot.engine.deal import Deal, Seating
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.scoring import Entry, Score, earned, hollywood, penalties, race, resigned
from bot.engine.showdown import VOID, Outcome


class Format(Protocol):
    """What a format decides."""

    seats: range
    """How many players it may have."""

    boards: int
    """How many deals are played at the same time."""

    says_seats: bool
    """Whether a record tells who plays in each deal."""

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Who scores together."""
        ...

    def next_round(self, rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seating, ...]:
        """The deals to be dealt when none is in play, played at the same time."""
        ...

    def score(self, rules: Rules, seats: int, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """What the finished deals add up to, and whether the match is over."""
        ...


class Duel:
    """Two players, one against the other."""

    seats = range(2, 3)
    boards = 1
    says_seats = False

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Each for themselves."""
        return _each(seats)

    def next_round(self, rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seating, ...]:
        """The next dealer is as the rules say after a scored deal; after a void or tied one as they say of those."""
        dealer = _passed_on(rules, seats, finished, first_dealer)
        winner = _outcome(finished[-1]).winner if finished else None
        if winner is not None and rules.next_dealer != "alternate":
            dealer = winner if rules.next_dealer == "winner" else _after(winner, seats)
        return _after_the_dealer(finished, dealer, seats, 2)

    def score(self, rules: Rules, seats: int, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """A race to the target, or three at once."""
        count = hollywood if rules.scoring == "hollywood" else race
        score = count(rules, seats, [_entry(deal) for deal in finished])
        return _given_up(score, resigned, None if resigned is None else _after(resigned, seats))


class Rotation(Duel):
    """Three players: the dealer sits the deal out, and the deal passes on."""

    seats = range(3, 4)
    says_seats = True

    def next_round(self, rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seating, ...]:
        """The two others play, the one after the dealer first."""
        return _after_the_dealer(finished, _passed_on(rules, seats, finished, first_dealer), seats, 2)

    def score(self, rules: Rules, seats: int, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """A race of three; a resignation ends it without a result for the others."""
        return _given_up(race(rules, seats, [_entry(deal) for deal in finished]), resigned, None)


class WinnerStays(Rotation):
    """Three players: the loser of a deal sits the next one out, and deals it."""

    def next_round(self, rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seating, ...]:
        """The winner meets the one who sat out; after a void or tied deal the same two play again."""
        dealer = first_dealer
        if finished:
            last = finished[-1]
            winner = _outcome(last).winner
            dealer = last.dealer if winner is None else next(seat for seat in last.seats if seat != winner)
        return _after_the_dealer(finished, dealer, seats, 2)


class Partners:
    """Four players in two teams, 0 and 2 against 1 and 3; two boards at once, and opponents change each round."""

    seats = range(4, 5)
    boards = 2
    says_seats = True

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """The two teams."""
        return (Seat(0), Seat(2)), (Seat(1), Seat(3))

    def next_round(self, rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seating, ...]:
        """Each player of one team deals to the opponent of the round; the teams take turns in dealing."""
        number = len(finished) // 2 + 1
        swap = (number - 1) % 2
        dealing = (first_dealer + number - 1) % 2
        pairs = [(Seat(0), Seat(1 + 2 * swap)), (Seat(2), Seat(3 - 2 * swap))]
        return tuple(
            Seating(number, (pair[1 - dealing], pair[dealing]), pair[dealing], board)
            for board, pair in enumerate(pairs, 1)
        )

    def score(self, rules: Rules, seats: int, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """A race of the two teams, one entry for each round whose boards are both over."""
        rounds = [list(boards) for _, boards in groupby(finished, key=lambda deal: deal.number)]
        entries = [self._entry([_outcome(deal) for deal in boards]) for boards in rounds if len(boards) == 2]
        score = race(rules, 2, entries)
        return score if resigned is None else _given_up(score, resigned % 2, 1 - resigned % 2)

    def _entry(self, boards: Sequence[Outcome]) -> Entry:
        """Both boards won: their sum and a box; split: the difference and the box to the higher side; equal: nobody."""
        scores = earned(self.sides(4), boards)
        if scores[0] == scores[1]:
            return Entry(None)
        side = int(scores[1] > scores[0])
        return Entry(side, scores[side] - scores[1 - side], 1, any(board.winner is None for board in boards))


class Penalty:
    """Two to four players at one table, charged penalty points; the fewest win."""

    seats = range(2, 5)
    boards = 1
    says_seats = False

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Each for themselves."""
        return _each(seats)

    def next_round(self, rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seating, ...]:
        """The deal passes on, except after a void or tied deal where the rules say so; the player after it is first."""
        return _after_the_dealer(finished, _passed_on(rules, seats, finished, first_dealer), seats, seats)

    def score(self, rules: Rules, seats: int, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """Penalty points; a resignation gives the match to the other of two, and no result where more are left."""
        score = penalties(rules, seats, [(deal.seats, _outcome(deal)) for deal in finished])
        other = _after(resigned, seats) if resigned is not None and seats == 2 else None
        return _given_up(score, resigned, other)


def _each(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((Seat(seat),) for seat in range(seats))


def _after(seat: Seat, seats: int) -> Seat:
    return Seat((seat + 1) % seats)


def _passed_on(rules: Rules, seats: int, finished: Sequence[Deal], first_dealer: Seat) -> Seat:
    """The dealer of the next deal where the deal passes on, but for one that is dealt again by the same dealer."""
    if not finished:
        return first_dealer
    last = finished[-1]
    again = _outcome(last).winner is None and rules.void_redeal == "same_dealer"
    return last.dealer if again else _after(last.dealer, seats)


def _after_the_dealer(finished: Sequence[Deal], dealer: Seat, seats: int, playing: int) -> tuple[Seating, ...]:
    """The next deal, on one board: so many play as come after the dealer, in that order."""
    order = tuple(Seat((dealer + 1 + step) % seats) for step in range(playing))
    return (Seating(len(finished) + 1, order, dealer),)


def _outcome(deal: Deal) -> Outcome:
    return deal.outcome or VOID


def _entry(deal: Deal) -> Entry:
    outcome = _outcome(deal)
    return Entry(outcome.winner, outcome.points, outcome.boxes)


def _given_up(score: Score, loser: int | None, winner: int | None) -> Score:
    return score if loser is None else resigned(score, loser, winner)


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "duel": Duel(),
        "rotation": Rotation(),
        "winner_stays": WinnerStays(),
        "partners": Partners(),
        "penalty": Penalty(),
    }
)
"""The formats by the value of the rules' `format`."""
