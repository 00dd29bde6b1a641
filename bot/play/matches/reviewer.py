"""The review of one deal: its choices are weighed a few worlds at a time, until it is clear what they were worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.engine.moves import Seat
from bot.opponent.choices import Choice, Played
from bot.opponent.reviews import Review, Verdict, Weighing
from bot.play.matches.thinker import Thinker

WORLDS: Final = 16
"""The worlds in which a choice is weighed at a time."""
ROUNDS: Final = 2
"""How often that is done for each choice, unless the move played is better than all others by `CLEARLY_BEST` points."""
CLEARLY_BEST: Final = 4.0
MORE_ROUNDS: Final = 8
"""How often as long as another move seems better by `WORTH_ANOTHER_LOOK` points."""
WORTH_ANOTHER_LOOK: Final = 1.0
MOST_ROUNDS: Final = 100
"""The most rounds for all choices of a deal together, unless there are more choices than that: each gets one."""


class Reviewer:
    """Reviews deals with the help of a thinker."""

    def __init__(self, thinker: Thinker) -> None:
        """Let a thinker weigh moves and cards."""
        self._thinker = thinker

    async def review(
        self, played: Mapping[Seat, Played], seat: Seat, seed: int, tell: Callable[[float], None] = lambda _: None
    ) -> Review:
        """Return the review of a deal for one seat, given what everybody did. The same seed brings the same review.

        `tell` is called with the share that is done. Raise `ThinkerError`.
        """
        mine, verdicts = played[seat], list[Verdict]()
        count = len(mine.choices)
        rounds = ROUNDS if ROUNDS * count <= MOST_ROUNDS else 1
        spare = max(0, MOST_ROUNDS - rounds * count)
        for choice in mine.choices:
            verdict, used = await self._weigh(choice, seed, rounds, spare)
            verdicts.append(verdict)
            spare -= used - rounds
            tell(len(verdicts) / (count + 1))
        cards = {other: [await self._thinker.fortune(one, seed) for one in did.dealt] for other, did in played.items()}
        opening, *drawn = cards.pop(seat) or [0.0]
        theirs = sum(map(sum, cards.values())) / len(cards)
        every = sorted((*verdicts, *mine.answers), key=lambda one: one.step)
        return Review(tuple(every), opening, sum(drawn), theirs, mine.points)

    async def _weigh(self, choice: Choice, seed: int, rounds: int, spare: int) -> tuple[Verdict, int]:
        """Return what a choice was worth, and in how many rounds that was found, with some to spare."""
        weighing, used = Weighing(choice.step, choice.played), 0
        while used < min(MORE_ROUNDS, rounds + spare) and (not used or _is_open(weighing, used < rounds)):
            weighing.add(await self._thinker.weigh(choice.position, choice.played, WORLDS, seed=seed + used))
            used += 1
        return weighing.verdict, used


def _is_open(weighing: Weighing, is_due: bool) -> bool:
    """Return whether a choice is to be weighed again, which `is_due` unless the move played was clearly the best."""
    return weighing.lead < (CLEARLY_BEST if is_due else -WORTH_ANOTHER_LOOK)
