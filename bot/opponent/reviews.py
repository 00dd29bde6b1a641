"""Reviews of deals: what each choice of a player cost, and how much of the result was dealt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, hypot, inf, sqrt
from statistics import fmean, stdev
from typing import Any, Final

from bot.engine.moves import Move
from bot.opponent.advice import Advised, advised_from_json, advised_to_json

VERSION: Final = 1
"""The way in which reviews are made and written: with other weights, worlds or figures comes another number."""
CLEAR: Final = 2.0
"""The standard errors by which a move must be worse than the best to count as worse."""
SCALE: Final = 10.0
"""The points whose loss leaves 37 % (1/e) of a choice's accuracy."""
BLUNDER: Final = 10.0
"""The points that a blunder costs, or more."""
BLUNDER_CLEAR: Final = 3.0
"""The standard errors by which a blunder is worse than the best move."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a choice was worth: the move played and the best one, each with the points that the deal brought on average.

    `step` is its place among the moves of the deal, from 0, and `error` the standard error of the difference; where the
    move played is the best, of the difference to the next best.
    """

    step: int
    played: Advised
    best: Advised
    error: float

    @property
    def lost(self) -> float:
        """The points that the move cost; 0 where it cannot be told from the best."""
        difference = self.best.worth - self.played.worth
        return difference if difference > CLEAR * self.error else 0.0

    @property
    def blunder(self) -> bool:
        """True if the move cost 10 points or more, by 3 standard errors."""
        difference = self.best.worth - self.played.worth
        return difference >= BLUNDER and difference > BLUNDER_CLEAR * self.error


@dataclass(frozen=True, slots=True)
class Weighed:
    """A move, and the points that it brought in each of some worlds."""

    advised: Advised
    worths: tuple[float, ...]


class Weighing:
    """A choice that is being weighed: what the move played and others brought in the worlds so far."""

    def __init__(self, step: int, played: Move) -> None:
        """Weigh a move, which was made at some step of a deal."""
        self._step, self._played = step, played
        self._moves = dict[Move, Advised]()
        self._worths = dict[Move, list[float]]()

    def add(self, sample: Iterable[Weighed]) -> None:
        """Add what moves brought in more worlds, the same worlds for each."""
        for one in sample:
            self._moves[one.advised.move] = one.advised
            self._worths.setdefault(one.advised.move, []).extend(one.worths)

    @property
    def verdict(self) -> Verdict:
        """What is known so far. There must be two worlds."""
        played, rival = self._worth(self._played), self._rival
        if rival is None:
            return Verdict(self._step, played, played, 0.0)
        pairs = zip(self._worths[rival.move], self._worths[played.move], strict=True)
        differences = [theirs - mine for theirs, mine in pairs]
        best = rival if rival.worth > played.worth else played
        return Verdict(self._step, played, best, stdev(differences) / sqrt(len(differences)))

    @property
    def lead(self) -> float:
        """By how many points the move played is better than the best other, so far; endless if there is no other."""
        rival = self._rival
        return inf if rival is None else self._worth(self._played).worth - rival.worth

    @property
    def _rival(self) -> Advised | None:
        """The best other move so far."""
        others = [self._worth(move) for move in self._worths if move != self._played]
        return max(others, key=lambda one: one.worth, default=None)

    def _worth(self, move: Move) -> Advised:
        return replace(self._moves[move], worth=fmean(self._worths[move]))


@dataclass(frozen=True, slots=True)
class Review:
    """What a player's choices in one or more deals cost, and how much of the result was dealt.

    `points` is the result for the player. `opening` and `drawn` are the points by which their first hand and the cards
    that they drew from the stock were better than others that might have come, and `theirs` the same for the others'
    together, on average.
    """

    verdicts: tuple[Verdict, ...]
    opening: float
    drawn: float
    theirs: float
    points: float

    @staticmethod
    def sum(reviews: Iterable[Review]) -> Review:
        """Return reviews of several deals as one."""
        total = Review((), 0, 0, 0, 0)
        for one in reviews:
            total = Review(
                total.verdicts + one.verdicts,
                total.opening + one.opening,
                total.drawn + one.drawn,
                total.theirs + one.theirs,
                total.points + one.points,
            )
        return total

    @property
    def lost(self) -> float:
        """The points that all choices cost together."""
        return sum(verdict.lost for verdict in self.verdicts)

    @property
    def dealt(self) -> float:
        """The points of the result that were dealt."""
        return self.opening + self.drawn - self.theirs


def accuracy(verdicts: Sequence[Verdict]) -> tuple[float, float] | None:
    """Return the accuracy of choices in percent, and its standard error; None without any choice.

    It is the mean of 100 · e^(-lost/10), which is 100 for the best move and 37 for one that costs 10 points.
    """
    if not verdicts:
        return None
    kept = [exp(-verdict.lost / SCALE) for verdict in verdicts]
    errors = [share * verdict.error / SCALE for share, verdict in zip(kept, verdicts, strict=True)]
    return 100 * sum(kept) / len(kept), 100 * hypot(*errors) / len(kept)


def costliest(verdicts: Sequence[Verdict], count: int = 3) -> tuple[Verdict, ...]:
    """Return the choices that cost most, the worst first, without those that cost nothing."""
    worst = sorted((one for one in verdicts if one.lost), key=lambda one: -one.lost)
    return tuple(worst[:count])


def weighed_to_json(weighed: Weighed) -> dict[str, Any]:
    """Return a move and what it brought as plain data for JSON."""
    return {**advised_to_json(weighed.advised), "worths": weighed.worths}


def weighed_from_json(data: Mapping[str, Any]) -> Weighed:
    """Read what a move brought. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for what is none."""
    return Weighed(advised_from_json(data), tuple(map(float, data["worths"])))


def review_to_json(review: Review) -> dict[str, Any]:
    """Return a review as plain data for JSON; points with two decimals."""
    return {
        "version": VERSION,
        "choices": [
            [one.step, advised_to_json(one.played), advised_to_json(one.best), round(one.error, 3)]
            for one in review.verdicts
        ],
        "opening": round(review.opening, 2),
        "drawn": round(review.drawn, 2),
        "theirs": round(review.theirs, 2),
        "points": round(review.points, 2),
    }


def review_from_json(data: Mapping[str, Any]) -> Review:
    """Read a review. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for what is none of this version."""
    if data["version"] != VERSION:
        raise ValueError("the review was made in another way")
    verdicts = tuple(
        Verdict(step, advised_from_json(played), advised_from_json(best), error)
        for step, played, best, error in data["choices"]
    )
    return Review(verdicts, data["opening"], data["drawn"], data["theirs"], data["points"])
