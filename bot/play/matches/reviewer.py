"""Reviews one deal: weighs each choice in a few determinizations at a time, until its value is clear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.engine.deals.moves import Seat
from bot.opponent.review.choices import Choice, PlayedDeal
from bot.opponent.review.reviews import (
    DETERMINIZATIONS_PER_ROUND,
    MAX_ROUNDS_PER_CHOICE,
    ROUNDS,
    ChoiceEvaluation,
    Review,
    Verdict,
)
from bot.play.matches.thinker import Thinker

MAX_ROUNDS_PER_DEAL: Final = 100
"""Maximum number of evaluation rounds for all choices of a deal together.

A deal with more choices than this gets one round for each choice.
"""


class Reviewer:
    """Reviews deals with the help of the computer player."""

    def __init__(self, thinker: Thinker, *, in_background: bool = False) -> None:
        """With `in_background`, reviews wait for everything that people wait for."""
        self._thinker = thinker
        self._in_background = in_background

    async def review(
        self,
        played: Mapping[Seat, PlayedDeal],
        seat: Seat,
        seed: int,
        report_progress: Callable[[float], None] = lambda _: None,
    ) -> Review:
        """Return the review of a deal for one seat. `played` has all players' actions.

        With the same seed, a deal gets the same review. `report_progress` is called with the completed fraction. Raise
        `ThinkerError`.
        """
        mine, verdicts = played[seat], list[Verdict]()
        count = len(mine.choices)
        rounds = ROUNDS if ROUNDS * count <= MAX_ROUNDS_PER_DEAL else 1
        spare = max(0, MAX_ROUNDS_PER_DEAL - rounds * count)
        for choice in mine.choices:
            verdict, used = await self._evaluate_choice(choice, seed, rounds, spare)
            verdicts.append(verdict)
            spare -= used - rounds
            report_progress(len(verdicts) / (count + 1))
        cards = {
            other: [
                await self._thinker.card_luck(luck_position, seed, in_background=self._in_background)
                for luck_position in did.luck_positions
            ]
            for other, did in played.items()
        }
        opening, *drawn = cards.pop(seat) or [0.0]
        opponents_luck = sum(map(sum, cards.values())) / len(cards)
        all_verdicts = sorted((*verdicts, *mine.responses), key=lambda verdict: verdict.step)
        return Review(tuple(all_verdicts), opening, sum(drawn), opponents_luck, mine.points)

    async def _evaluate_choice(self, choice: Choice, seed: int, rounds: int, spare: int) -> tuple[Verdict, int]:
        """Return the verdict on a choice and the rounds used. An apparent mistake gets up to `spare` extra rounds."""
        weighing, used = ChoiceEvaluation(choice.step, choice.move), 0
        while used < min(MAX_ROUNDS_PER_CHOICE, rounds + spare) and (
            not used or weighing.needs_round(is_due=used < rounds)
        ):
            weighing.add(
                await self._thinker.evaluate_move(
                    choice.position,
                    choice.move,
                    DETERMINIZATIONS_PER_ROUND,
                    seed=seed + used,
                    in_background=self._in_background,
                )
            )
            used += 1
        return weighing.verdict, used
