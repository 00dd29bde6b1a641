"""Who meets whom in each deal, and what the deals add up to: one class for each `format` of the rules.

A format sees finished deals and their outcomes only; a deal knows nothing of its format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from bot.engine.deal import Deal
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.showdown import Kind


@dataclass(frozen=True, slots=True)
class Score:
    """What a match stands at; every tuple is by seat, in points except `deals_won`.

    `totals` are `scores` (deal points) and the bonuses together. `winner` is None while the match runs and when it is
    drawn; `margin` is the winner's total less the best other's, None while it runs.
    """

    scores: tuple[int, ...]
    deals_won: tuple[int, ...]
    line: tuple[int, ...]
    game: tuple[int, ...]
    shutout: tuple[int, ...]
    over: bool
    winner: Seat | None
    margin: int | None

    @property
    def totals(self) -> tuple[int, ...]:
        """Deal points and bonuses together."""
        return tuple(map(sum, zip(self.scores, self.line, self.game, self.shutout, strict=True)))


class Format(Protocol):
    """What a format decides."""

    def seats(self) -> range:
        """How many players it may have."""
        ...

    def next_order(self, rules: Rules, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seat, ...]:
        """The players of the next deal in order of play, its dealer last."""
        ...

    def score(self, rules: Rules, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """What the finished deals add up to, and whether the match is over."""
        ...


class Duel:
    """Two players, and the deal alternates."""

    def seats(self) -> range:
        """Two."""
        return range(2, 3)

    def next_order(self, rules: Rules, finished: Sequence[Deal], first_dealer: Seat) -> tuple[Seat, ...]:
        """The other player deals after a scored deal, the same one after a void deal."""
        if not finished:
            dealer = first_dealer
        else:
            last = finished[-1]
            void = last.outcome is not None and last.outcome.kind is Kind.VOID
            dealer = last.dealer if void else _other(last.dealer)
        return _other(dealer), dealer

    def score(self, rules: Rules, finished: Sequence[Deal], resigned: Seat | None) -> Score:
        """Deal points, then lines and the game bonus once the match is over.

        The first to reach the target, or the one ahead after the last agreed deal, has the game bonus; the higher total
        wins; equal totals go to more deal points, then more deals won. A resignation gives no game bonus.
        """
        scores, won, scored_deals = [0, 0], [0, 0], 0
        for deal in finished:
            if deal.outcome is not None and deal.outcome.winner is not None:
                scores[deal.outcome.winner] += deal.outcome.points
                won[deal.outcome.winner] += 1
                scored_deals += 1
        line = tuple(rules.line_bonus * deals for deals in won)
        reached = rules.target is not None and max(scores) >= rules.target
        played_out = rules.deals is not None and scored_deals >= rules.deals
        game = [0, 0]
        if reached or (played_out and scores[0] != scores[1]):
            game[scores.index(max(scores))] = rules.game_bonus
        over = reached or played_out or resigned is not None
        totals = [scores[seat] + line[seat] + game[seat] for seat in range(2)]
        winner = _other(resigned) if resigned is not None else _leader(totals, scores, won) if over else None
        return Score(
            scores=tuple(scores),
            deals_won=tuple(won),
            line=line,
            game=tuple(game),
            shutout=(0, 0),
            over=over,
            winner=winner,
            margin=None if not over else 0 if winner is None else totals[winner] - totals[_other(winner)],
        )


def _other(seat: Seat) -> Seat:
    return Seat(1 - seat)


def _leader(totals: Sequence[int], scores: Sequence[int], won: Sequence[int]) -> Seat | None:
    first, second = ((totals[seat], scores[seat], won[seat]) for seat in range(2))
    return None if first == second else Seat(int(second > first))


FORMATS: Final[Mapping[str, Format]] = MappingProxyType({"duel": Duel()})
"""The formats that can be played, by the value of the rules' `format`."""
