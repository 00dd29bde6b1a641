"""The formats, one class for each value of the rule option `format`.

A format decides who plays in each deal and how deals are scored. It sees only finished deals, and a deal does not know
its format. The score is carried from round to round: a format adds one round to it and never looks further back. To add
a format, write a class and add it to `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.deals.deal import Deal, Seating
from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import VOID, Outcome
from bot.engine.matches.scoring import Entry, Score, add_charges, add_entry, points_by_side
from bot.engine.rules import Rules


class Format:
    """The rules of a format: who plays, who deals, and how a round is scored.

    By default, two players play one deal at a time, each for themselves.
    """

    seats: range
    """Allowed numbers of players."""
    max_players_per_deal = 2
    """Maximum number of players in a deal. Any further players sit it out."""
    boards = 1
    """Number of deals in a round, all played simultaneously."""
    names_seats = False
    """True if a record lists the seats that play in each deal."""

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats that score together, one tuple for each side."""
        return tuple((Seat(seat),) for seat in range(seats))

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Return the seatings of the deals in the next round.

        `previous` is the last deal of the round before, or None for the first round. By default, one deal is
        played at a time, by the players who come after the dealer, starting with the dealer's neighbour.
        """
        number, dealer = 1, first_dealer
        if previous is not None:
            number, dealer = previous.number + 1, self.next_dealer(rules, seats, previous)
        order = tuple(Seat((dealer + 1 + step) % seats) for step in range(min(seats, self.max_players_per_deal)))
        return (Seating(number, order, dealer, 1),)

    def next_dealer(self, rules: Rules, seats: int, previous: Deal) -> Seat:
        """Return the next dealer: the next player or, after a void or tied deal, possibly the same dealer again."""
        same_dealer = _outcome(previous).winner is None and rules.void_redeal == "same_dealer"
        return previous.dealer if same_dealer else Seat((previous.dealer + 1) % seats)

    def add_round(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        """Return the score after one more round, given its finished deals, one for each board.

        By default, a round is one deal, which is one line on the score sheet.
        """
        outcome = _outcome(deals[0])
        return add_entry(rules, score, Entry(outcome.winner, outcome.points, outcome.boxes))


class Duel(Format):
    """Two players against each other."""

    seats = range(2, 3)

    def next_dealer(self, rules: Rules, seats: int, previous: Deal) -> Seat:
        """Follow the rule `next_dealer` after a scored deal, and `void_redeal` after a void or tied one."""
        winner = _outcome(previous).winner
        if winner is None or rules.next_dealer == "alternate":
            return super().next_dealer(rules, seats, previous)
        return winner if rules.next_dealer == "winner" else Seat((winner + 1) % seats)


class Rotation(Format):
    """Three players, who take turns to deal. The dealer sits out."""

    seats = range(3, 4)
    names_seats = True


class WinnerStays(Rotation):
    """Three players: the loser of a deal sits the next one out and deals it."""

    def next_dealer(self, rules: Rules, seats: int, previous: Deal) -> Seat:
        """Return the loser: the dealer sits out, so the winner meets the player who sat out before.

        Without a winner, return the last dealer.
        """
        winner = _outcome(previous).winner
        return previous.dealer if winner is None else next(seat for seat in previous.seats if seat != winner)


class Partners(Format):
    """Four players in two teams, seats 0 and 2 against seats 1 and 3, on two boards. Opponents change each round."""

    seats = range(4, 5)
    boards = 2
    names_seats = True

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        return (Seat(0), Seat(2)), (Seat(1), Seat(3))

    def next_round(self, rules: Rules, seats: int, previous: Deal | None, first_dealer: Seat) -> tuple[Seating, ...]:
        """Return the seatings of the next round: two deals, both dealt by the same team.

        After each round, the other team deals, and each player meets the other opponent.
        """
        number = 1 if previous is None else previous.number + 1
        swap = (number - 1) % 2
        dealing_team = (first_dealer + number - 1) % 2
        pairs = [(Seat(0), Seat(1 + 2 * swap)), (Seat(2), Seat(3 - 2 * swap))]
        return tuple(
            Seating(number, (pair[1 - dealing_team], pair[dealing_team]), pair[dealing_team], board)
            for board, pair in enumerate(pairs, 1)
        )

    def add_round(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        """Return the score after one more round of two boards. Source: Pagat.

        A team that won both boards scores the sum of the two. Otherwise the team with more points scores the
        difference. The winner of the round gets one line bonus. If both teams have equal points, nobody scores.
        """
        outcomes = [_outcome(deal) for deal in deals]
        scores = points_by_side(self.sides(4), outcomes)
        if scores[0] == scores[1]:
            return add_entry(rules, score, Entry(None))
        side = int(scores[1] > scores[0])
        all_won = all(outcome.winner is not None for outcome in outcomes)
        return add_entry(rules, score, Entry(side, scores[side] - scores[1 - side], 1, all_won))


class Penalty(Format):
    """Two to four players at one table, charged penalty points. The fewest points win."""

    seats = range(2, 5)
    max_players_per_deal = 4

    def add_round(self, rules: Rules, score: Score, deals: Sequence[Deal]) -> Score:
        return add_charges(rules, score, deals[0].seats, _outcome(deals[0]))


def _outcome(deal: Deal) -> Outcome:
    return deal.outcome or VOID


FORMATS: Final[Mapping[str, Format]] = {
    "duel": Duel(),
    "rotation": Rotation(),
    "winner_stays": WinnerStays(),
    "partners": Partners(),
    "penalty": Penalty(),
}
"""The formats, by the value of the rule option `format`."""
