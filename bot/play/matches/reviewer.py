"""Reviews one deal: weighs each choice in a few determinizations at a time, until its value is clear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.engine.moves import Seat
from bot.opponent.choices import Choice, Played
from bot.opponent.reviews import Review, Verdict, Weighing
from bot.play.matches.thinker import Thinker

WORLDS: Final = 16
"""Number of determinizations in one round of weighing a choice."""
ROUNDS: Final = 2
"""Number of rounds for each choice. A move that leads all others by `CLEARLY_BEST` points gets fewer."""
CLEARLY_BEST: Final = 4.0
MORE_ROUNDS: Final = 8
"""Maximum number of rounds for a choice in which another move seems better by `WORTH_ANOTHER_LOOK` points."""
WORTH_ANOTHER_LOOK: Final = 1.0
MOST_ROUNDS: Final = 100
"""Maximum number of rounds for all choices of a deal together, but each choice gets at least one."""


class Reviewer:
    """Reviews deals, using a thinker."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker

    async def review(
        self, played: Mapping[Seat, Played], seat: Seat, seed: int, tell: Callable[[float], None] = lambda _: None
    ) -> Review:
        """Return the review of a deal for one seat. `played` has all players' actions. A seed makes it repeatable.

        `tell` is called with the completed fraction. Raise `ThinkerError`.
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
        """Return the verdict on a choice, and the number of rounds used. `spare` are extra rounds that it may use."""
        weighing, used = Weighing(choice.step, choice.played), 0
        while used < min(MORE_ROUNDS, rounds + spare) and (not used or _is_open(weighing, used < rounds)):
            weighing.add(await self._thinker.weigh(choice.position, choice.played, WORLDS, seed=seed + used))
            used += 1
        return weighing.verdict, used


def _is_open(weighing: Weighing, is_due: bool) -> bool:
    """Return True if a choice needs another round. `is_due` is True during its regular rounds."""
    return weighing.lead < (CLEARLY_BEST if is_due else -WORTH_ANOTHER_LOOK)
