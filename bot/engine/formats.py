"""The formats: the seating of each deal and the way deals are scored, one class for each `format` of the rules.

A format sees only finished deals, and a deal knows nothing of its format. The score is carried from round to round: a
format adds one round to it and never looks further back. To add a format, write a class and its row in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from bot.engine.deal import Deal, Seating
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.scoring import Entry, Score, add_charges, add_entry, earned
from bot.engine.showdown import VOID, Outcome


class Format(Protocol):
    """The decisions of a format."""

    seats: range
    """The numbers of players it allows."""

    boards: int
    """The number of deals in a round, all played at the same time."""

    says_seats: bool
    """True if a record names the players of each deal."""

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats that score together, one tuple for each side."""
        ...

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Return the deals of the round after the one that ended with `previous` (None: of the first round)."""
        ...

    def add(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        """Return the score after one more round, given its finished deals, one for each board."""
        ...


class Duel:
    """Two players, one against the other."""

    seats = range(2, 3)
    boards = 1
    says_seats = False

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Put each player on a side of their own."""
        return _each(seats)

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Let `next_dealer` choose the dealer after a scored deal, and `void_redeal` after a void or tied one."""
        dealer = _pass_deal(rules, seats, previous, first_dealer)
        winner = None if previous is None else _outcome(previous).winner
        if winner is not None and rules.next_dealer != "alternate":
            dealer = winner if rules.next_dealer == "winner" else _after(winner, seats)
        return _seat_after(previous, dealer, seats, 2)

    def add(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        """Enter the deal in a race to the target, or in the columns of Hollywood."""
        outcome = _outcome(deals[0])
        return add_entry(rules, score, Entry(outcome.winner, outcome.points, outcome.boxes))


class Rotation(Duel):
    """Three players: the dealer sits the deal out, and the deal passes on."""

    seats = range(3, 4)
    says_seats = True

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Let the two others play, the one after the dealer first."""
        return _seat_after(previous, _pass_deal(rules, seats, previous, first_dealer), seats, 2)


class WinnerStays(Rotation):
    """Three players: the loser of a deal sits the next one out, and deals it."""

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Let the winner meet the one who sat out; after a void or tied deal the same two play again."""
        dealer = first_dealer
        if previous is not None:
            winner = _outcome(previous).winner
            dealer = previous.dealer if winner is None else next(seat for seat in previous.seats if seat != winner)
        return _seat_after(previous, dealer, seats, 2)


class Partners:
    """Four players in two teams, 0 and 2 against 1 and 3; two boards at once, and opponents change each round."""

    seats = range(4, 5)
    boards = 2
    says_seats = True

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Return the two teams."""
        return (Seat(0), Seat(2)), (Seat(1), Seat(3))

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Let one team deal on both boards; the teams take turns in dealing, and opponents swap each round."""
        number = _next_number(previous)
        swap = (number - 1) % 2
        dealing = (first_dealer + number - 1) % 2
        pairs = [(Seat(0), Seat(1 + 2 * swap)), (Seat(2), Seat(3 - 2 * swap))]
        return tuple(
            Seating(number, (pair[1 - dealing], pair[dealing]), pair[dealing], board)
            for board, pair in enumerate(pairs, 1)
        )

    def add(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        """Enter a round: both boards won by a team earn their sum, split boards their difference, equal ones nothing.

        Either way it is one box. Source: Pagat.
        """
        outcomes = [_outcome(deal) for deal in deals]
        scores = earned(self.sides(4), outcomes)
        if scores[0] == scores[1]:
            return add_entry(rules, score, Entry(None))
        side = int(scores[1] > scores[0])
        all_won = all(outcome.winner is not None for outcome in outcomes)
        return add_entry(rules, score, Entry(side, scores[side] - scores[1 - side], 1, all_won))


class Penalty:
    """Two to four players at one table, charged penalty points; the fewest win."""

    seats = range(2, 5)
    boards = 1
    says_seats = False

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Put each player on a side of their own."""
        return _each(seats)

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Pass the deal on, unless a void or tied deal is dealt again; the player after the dealer leads."""
        return _seat_after(previous, _pass_deal(rules, seats, previous, first_dealer), seats, seats)

    def add(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        """Charge the penalty points of the deal."""
        return add_charges(rules, score, deals[0].seats, _outcome(deals[0]))


def _each(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((Seat(seat),) for seat in range(seats))


def _after(seat: Seat, seats: int) -> Seat:
    return Seat((seat + 1) % seats)


def _pass_deal(rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> Seat:
    """Return the next dealer where the deal passes on, except that a void or tied deal may be dealt again."""
    if previous is None:
        return first_dealer
    again = _outcome(previous).winner is None and rules.void_redeal == "same_dealer"
    return previous.dealer if again else _after(previous.dealer, seats)


def _next_number(previous: Deal | None) -> int:
    return 1 if previous is None else previous.number + 1


def _seat_after(previous: Deal | None, dealer: Seat, seats: int, players: int) -> tuple[Seating, ...]:
    """Return the next deal, on one board, for this many players in turn after the dealer."""
    order = tuple(Seat((dealer + 1 + step) % seats) for step in range(players))
    return (Seating(_next_number(previous), order, dealer, 1),)


def _outcome(deal: Deal) -> Outcome:
    return deal.outcome or VOID


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
