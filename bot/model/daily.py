"""The deal of the day: one deal for everybody, on all servers, for one day in UTC."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.engine.deals.moves import ENDS_OF_TURNS, Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Match
from bot.engine.matches.views import public_moves
from bot.engine.rules import Rules
from bot.model.ids import ChannelId, GuildId, MatchId
from bot.model.statistics import Player
from bot.opponent.play.levels import Level

LEVEL: Final = Level.STRONG
"""The level of the computer that everybody plays against."""
PLAYER: Final = Seat(0)
"""The seat of the person. The computer has the other one."""

UNFINISHED_AT_MOST: Final = -25
"""Maximum points of an unfinished try, so that it never pays to give up a bad hand: about the price of a lost deal."""

_DAY_ZERO: Final = date(2025, 12, 31)
_RULES: Final = "classic target=none deals=1 game_bonus=0 line_bonus=0 first_dealer="


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """The deal of a day, with the commitment to its cards."""

    day: date
    commitment: bytes


@dataclass(frozen=True, slots=True)
class DailyScore:
    """The result of a finished try: the points that the person won, negative if they lost them, and their turns.

    `kind` is how the deal ended.
    """

    points: int
    turns: int
    kind: OutcomeKind

    @staticmethod
    def of(match: Match) -> DailyScore | None:
        """Return the result of a match about a deal of the day; None if the person gave up before its end.

        Turns of a void deal count, because it is dealt again until a deal has a winner.
        """
        outcome = match.finished[-1].outcome if match.finished and match.forfeit is None else None
        if outcome is None or outcome.winner is None:
            return None
        moves = [move for deal in match.finished for move in public_moves(deal)]
        turns = sum(move.seat == PLAYER and move.verb in ENDS_OF_TURNS for move in moves)
        return DailyScore(outcome.points if outcome.winner == PLAYER else -outcome.points, turns, outcome.kind)


@dataclass(frozen=True, slots=True)
class DailyTry:
    """A person's try at a deal: its day and its match, and its result; None if it is not finished.

    It `was_called_off` if it ended before the day did without a result; see the function of this name. `price` are the
    points that an unfinished try counts as. It is None until the day is closed, and if people could not play.
    """

    day: date
    match_id: MatchId
    score: DailyScore | None
    was_called_off: bool = False
    price: int | None = None

    @property
    def is_over(self) -> bool:
        """True if the person can no longer play, even though the day may not be over."""
        return self.score is not None or self.was_called_off


@dataclass(frozen=True, slots=True)
class DailyServer:
    """A server on which people play the deal of the day, and the channel of its posts; None if it has none."""

    guild_id: GuildId
    channel_id: ChannelId | None


@dataclass(frozen=True, slots=True)
class DailyResult:
    """A person's result on a server in the deal of a day.

    `kind` is how the deal ended; None if the person has not finished it. Once the deal is closed, an unfinished try has
    the points and turns of `unfinished_result`. They are None until then, and if people could not play for much of the
    day.
    `is_running` is True while the person can still finish the deal.
    """

    day: date
    player: Player
    match_id: MatchId
    points: int | None
    turns: int | None
    kind: OutcomeKind | None
    is_running: bool

    @property
    def is_finished(self) -> bool:
        """True if the person finished the deal."""
        return self.kind is not None


@dataclass(frozen=True, slots=True)
class DailyTotal:
    """The sums of a person's results on a server over some days, and the numbers of finished and unfinished tries.

    Only tries with points count.
    """

    player: Player
    points: int
    turns: int
    finished: int
    unfinished: int

    @property
    def key(self) -> tuple[bool, int, int, int]:
        """The key by which people are sorted, the best first: points, then fewer turns, then fewer unfinished tries.

        People who have finished no deal come last, even if others lost more points.
        """
        return not self.finished, -self.points, self.turns, self.unfinished


@dataclass(frozen=True, slots=True)
class RankedDaily:
    """A person's place and sums. People with equal results share a place."""

    place: int
    total: DailyTotal


def totals(results: Iterable[DailyResult]) -> tuple[DailyTotal, ...]:
    """Return the sums of each person who has a result with points."""
    counted = defaultdict[Player, list[tuple[int, int, bool]]](list)
    for result in results:
        if result.points is not None and result.turns is not None:
            counted[result.player].append((result.points, result.turns, result.is_finished))
    return tuple(
        DailyTotal(
            player,
            sum(points for points, _, _ in own),
            sum(turns for _, turns, _ in own),
            sum(is_finished for _, _, is_finished in own),
            sum(not is_finished for _, _, is_finished in own),
        )
        for player, own in counted.items()
    )


def rank(people: Collection[DailyTotal]) -> tuple[RankedDaily, ...]:
    """Rank people by their sums, the best first, and those who share a place by name."""
    ranked: list[RankedDaily] = []
    for position, total in enumerate(sorted(people, key=lambda total: (total.key, _sort_name(total.player)))):
        is_tie = bool(ranked) and ranked[-1].total.key == total.key
        ranked.append(RankedDaily(ranked[-1].place if is_tie else position + 1, total))
    return tuple(ranked)


def _sort_name(player: Player) -> tuple[str, int]:
    return (player.name or "").casefold(), player.id or 0


@dataclass(frozen=True, slots=True)
class DailyPlace:
    """A person's place among all who finished a day's deal on a server, and their result."""

    place: int
    player: Player
    score: DailyScore


@dataclass(frozen=True, slots=True)
class DailyEndings:
    """The numbers of tries at a deal that ended in each way. Big gin counts as gin."""

    knocks: int
    gins: int
    undercuts: int
    lost: int
    unfinished: int

    @staticmethod
    def of(scores: Iterable[DailyScore | None]) -> DailyEndings:
        """Count the results of tries, which are None if a try is not finished."""
        results = list(scores)
        won = Counter(score.kind for score in results if score is not None and score.points > 0)
        gins = won[OutcomeKind.GIN] + won[OutcomeKind.BIG_GIN]
        unfinished = results.count(None)
        lost = len(results) - unfinished - won.total()
        return DailyEndings(won[OutcomeKind.KNOCK], gins, won[OutcomeKind.UNDERCUT], lost, unfinished)

    @property
    def wins(self) -> tuple[int, int, int]:
        """The numbers of deals won by knock, by gin and by undercut."""
        return self.knocks, self.gins, self.undercuts

    @property
    def players(self) -> int:
        """The number of people."""
        return sum(self.wins) + self.lost + self.unfinished


@dataclass(frozen=True, slots=True)
class DailyPodium:
    """The result of a day's deal on a server: the first places, the best first, and how all tries ended.

    People with equal results share a place.
    """

    day: date
    rows: tuple[DailyPlace, ...]
    endings: DailyEndings


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of a person's calendar, and their try; None if they did not begin it.

    The day `was_down` if people could not play, or if the person's try was called off, so that it ends no streak.
    """

    day: date
    own: DailyTry | None = None
    was_down: bool = False


@dataclass(frozen=True, slots=True)
class DailyCalendar:
    """Some consecutive days of a person, oldest first, and numbers about all of their days.

    `played` is the number of finished tries, `average` their average points, and `best` the best of them.
    """

    days: tuple[CalendarDay, ...]
    today: date
    streak: int
    longest_streak: int
    played: int
    average: float | None
    best: DailyTry | None


def unfinished_result(worst: tuple[int, int] | None) -> tuple[int, int]:
    """Return the points and turns of an unfinished try, given those of the worst finished one; None if there is none.

    They are the same, but for `UNFINISHED_AT_MOST`.
    """
    points, turns = worst or (UNFINISHED_AT_MOST, 0)
    return min(points, UNFINISHED_AT_MOST), turns


def number_of(day: date) -> int:
    """Return the number of a day's deal, which is the same for every bot: 1 on the first day of 2026."""
    return (day - _DAY_ZERO).days


def day_of(number: int) -> date:
    """Return the day of the deal with this number."""
    return _DAY_ZERO + timedelta(days=number)


def day_at(moment: datetime) -> date:
    """Return the day in UTC."""
    return moment.astimezone(UTC).date()


def end_of(day: date) -> datetime:
    """Return the end of a day in UTC."""
    return datetime.combine(day, time(), UTC) + timedelta(days=1)


def was_called_off(day: date, ended_at: datetime | None) -> bool:
    """Return True if an unfinished try at the deal of a day ended before the day did.

    People cannot end their tries. So something went wrong, such as a damaged log, and the try counts as nothing.
    """
    return ended_at is not None and ended_at < end_of(day)


def rules_of(day: date) -> Rules:
    """Return the rules of a day's deal: a single deal of `classic`, with the dealer alternating by day."""
    return Rules.parse(_RULES + ("challenger" if day.toordinal() % 2 else "challenged"))
