"""The post of the deal of the day on a server, and the result that it becomes when the day is over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.errors import GinError
from bot.model.appearance import Appearance
from bot.model.daily import (
    DailyDeal,
    DailyEndings,
    DailyPlace,
    DailyPodium,
    DailyResult,
    DailyScore,
    end_of,
    rank,
    totals,
)
from bot.model.ids import GuildId, PersonId
from bot.model.time_zones import zone_info
from bot.opponent.play.advice import AdvisedMove, advised_from_json, advised_to_json

INVITATION: Final = 1
"""The revision of a post while its deal can be played. The other two are revisions of the same message later."""
RESULT: Final = 2
REVIEWED: Final = 3

MAX_REVIEWED: Final = 20
"""Maximum number of a server's tries that are reviewed: the best ones of the day."""

_LAST_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """The choice in which the people on a server lost most points together, among all that several of them faced.

    `turn` is the person's turn in the deal, from 1, `top` the face-up card at that moment, and `best` the best move.
    `people` are all who faced the choice with the same moves before it, and `found` of them chose the best move. Those
    whose choice cost anything lost `points_lost` on average, as estimated by the review.
    """

    turn: int
    top: Card | None
    best: AdvisedMove
    people: int
    found: int
    points_lost: float


@dataclass(frozen=True, slots=True)
class DailyPost:
    """The post of a deal that can be played."""

    guild_id: GuildId
    deal: DailyDeal


@dataclass(frozen=True, slots=True)
class DailySummary:
    """The result of a day's deal on a server.

    `accuracies` are the accuracies of people's choices, in percent, as far as they are known. `next_deal` is the deal
    of the day after; None if that day is over too.
    """

    guild_id: GuildId
    day: date
    appearance: Appearance
    results: tuple[DailyResult, ...]
    accuracies: Mapping[PersonId, float]
    choice: KeyChoice | None
    next_deal: DailyDeal | None

    @property
    def podium(self) -> DailyPodium:
        """The people who finished the deal, the best first, and how everybody's deal ended."""
        rows = [DailyPlace(place, result.player, _score(result)) for place, result in ranked_results(self.results)]
        scores = [_score(result) if result.is_finished else None for result in self.results]
        return DailyPodium(self.day, tuple(rows), DailyEndings.of(scores))

    @property
    def best(self) -> DailyResult | None:
        """The best result; None if nobody has finished the deal."""
        return next(iter(best_results(self.results)), None)


def _score(result: DailyResult) -> DailyScore:
    """Return the score of a finished try."""
    assert result.points is not None
    assert result.turns is not None
    assert result.kind is not None
    return DailyScore(result.points, result.turns, result.kind)


def ranked_results(results: Iterable[DailyResult]) -> tuple[tuple[int, DailyResult], ...]:
    """Return the results of one day and server of those who finished the deal with their places, the best first."""
    finished = {result.player: result for result in results if result.is_finished}
    return tuple((row.place, finished[row.total.player]) for row in rank(totals(finished.values())))


def best_results(results: Iterable[DailyResult]) -> tuple[DailyResult, ...]:
    """Return the results of `ranked_results` without their places."""
    return tuple(result for _, result in ranked_results(results))


def posted_at(day: date, hour: int, time_zone: str) -> datetime:
    """Return the moment of a day in UTC at which clocks in a time zone show this hour, when the day's deal is posted.

    There may be little of the day left. If clocks are put back on that day, and show the hour only after its end, the
    moment is an hour before the end.
    """
    zone = zone_info(time_zone)
    begins = datetime.combine(day, time(), UTC).astimezone(zone)
    local_day = begins.date() if begins.time() <= time(hour) else begins.date() + timedelta(days=1)
    moment = datetime.combine(local_day, time(hour), zone).astimezone(UTC)
    return moment if moment < end_of(day) else end_of(day) - _LAST_HOUR


def choice_to_text(choice: KeyChoice) -> str:
    """Return a choice as JSON."""
    return json.dumps(
        {
            "turn": choice.turn,
            "top": None if choice.top is None else str(choice.top),
            "best": advised_to_json(choice.best),
            "people": choice.people,
            "found": choice.found,
            "lost": round(choice.points_lost, 2),
        }
    )


def choice_from_text(text: str) -> KeyChoice | None:
    """Parse a choice; return None if it is in another format."""
    try:
        data = json.loads(text)
        top = None if data["top"] is None else Card.parse(data["top"])
        best = advised_from_json(data["best"])
        return KeyChoice(data["turn"], top, best, data["people"], data["found"], data["lost"])
    except (GinError, KeyError, TypeError, ValueError):
        return None
