"""Clocks and times as text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.engine.deals.moves import Seat
from bot.model.clocks import FLAG_WORD, LIVE_CLOCKS, NO_CLOCK, TURN_TIMES, Clock, TimeLeft
from bot.model.matches import MatchInfo
from bot.model.people import QuietHours
from bot.model.words import count
from cogs.words.names import name
from cogs.words.table import relative_time

UNITS = (
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
    (timedelta(seconds=1), "second"),
)


def usual_clocks() -> list[Clock]:
    """Return the clocks to suggest: no clock, the usual times, and the same times with an automatic loss (`flag`)."""
    texts = (*TURN_TIMES, *LIVE_CLOCKS)
    return [NO_CLOCK, *(Clock.parse(text) for text in texts), *(Clock.parse(f"{text} {FLAG_WORD}") for text in texts)]


def duration(length: timedelta) -> str:
    """Format a duration in one unit or two adjacent units, rounded down: `1 day 6 hours`, `5 minutes`."""
    first_unit = next((index for index, (unit, _) in enumerate(UNITS) if length >= unit), len(UNITS) - 1)
    parts, rest = list[str](), length
    for unit, label in UNITS[first_unit : first_unit + 2]:
        number, rest = divmod(rest, unit)
        if number or not parts:
            parts.append(count(number, label))
    return " ".join(parts)


def short(clock: Clock) -> str:
    """Format a clock in a few words: `2 days per turn`."""
    if clock.time is None:
        return "no clock"
    if clock.increment is None:
        return f"{duration(clock.time)} per turn"
    adds = f", plus {duration(clock.increment)} per turn" if clock.increment else ""
    return f"{duration(clock.time)} each{adds}"


def with_ending(clock: Clock) -> str:
    """Format a clock in a few words, with the consequence of running out of time."""
    if clock.time is None:
        return short(clock)
    return f"{short(clock)}; if time runs out, {'you lose' if clock.flags else 'the others can claim the match'}"


def of_match(clock: Clock) -> str | None:
    if clock.time is None:
        return None
    return f"Clock: {with_ending(clock)}."


def times(match: MatchInfo, left: Mapping[Seat, TimeLeft], own: Seat | None = None) -> str | None:
    """Return the players' remaining times, addressed to everyone or to the seat `own`.

    Return None without a clock, unless a player is away, has left, or cannot reach the table.
    """
    told = [
        _time(match, seat, time, own)
        for seat, time in left.items()
        if match.clock.time is not None
        or time.away_until is not None
        or time.has_left_server
        or time.call_off_at is not None
    ]
    return "\n".join(filter(None, told)) or None


def away_until(match: MatchInfo, time: TimeLeft) -> datetime | None:
    """Return the end of a player's holiday if the match waits for that player; otherwise None."""
    return None if match.is_halted or time.is_used_up else time.away_until


def _time(match: MatchInfo, seat: Seat, time: TimeLeft, own: Seat | None) -> str | None:
    is_own = seat == own
    who = "You" if is_own else name(match.players[seat])
    has = f"{who} {'have' if is_own else 'has'}"
    if match.is_halted:
        # A player without time gets enough for a move when the match resumes, so do not show zero.
        return None if time.is_used_up else f"{has} {duration(time.left)} left."
    if time.call_off_at is not None:
        return _shut_out(match, who, time, time.call_off_at, is_own=is_own)
    if time.has_left_server:
        return f"{who} left the server. {_running(match, seat, time, own)}"
    return _running(match, seat, time, own)


def _shut_out(match: MatchInfo, who: str, time: TimeLeft, call_off_at: datetime, *, is_own: bool) -> str:
    """Say that a player cannot reach the table, and when the others may call the match off."""
    told = f"{_clock_paused(who, time, is_own=is_own)} " if match.clock.time and time.left else ""
    again = "They" if told and not is_own else who
    others = "The other player" if len(match.players) == 2 else "The others"
    return (
        f"{told}{again} can no longer play in the channel. {others} can call the match off from {date_of(call_off_at)}."
    )


def _clock_paused(who: str, time: TimeLeft, *, is_own: bool) -> str:
    whose, left = "Your" if is_own else f"{who}'s", "no time" if time.is_used_up else duration(time.left)
    return f"{whose} clock is paused with {left} left."


def _running(match: MatchInfo, seat: Seat, time: TimeLeft, own: Seat | None) -> str:
    """Return a sentence about the remaining time of a player who can reach the table."""
    is_own = seat == own
    who = "You" if is_own else name(match.players[seat])
    has = f"{who} {'have' if is_own else 'has'}"
    if (until := away_until(match, time)) is not None:
        who_is = "You're" if is_own else f"{who} is"
        keeps_time = match.clock.time is not None and time.ends_at is not None
        kept = f" and then {'have' if is_own else 'has'} {duration(time.left)} left" if keeps_time else ""
        return f"{who_is} away until {date_of(until)}{kept}."
    if time.is_cut_off:
        return _clock_paused(who, time, is_own=is_own)
    if time.is_used_up:
        return f"{has} no time left.{_consequence(match, seat, own)}"
    if time.ends_at is None:
        return f"{has} {duration(time.left)} left." if match.clock.is_live else _clock_paused(who, time, is_own=is_own)
    whose = "Your" if is_own else f"{who}'s"
    return f"{whose} time runs out {relative_time(time.ends_at)}."


def _consequence(match: MatchInfo, late: Seat, own: Seat | None) -> str:
    """Return a sentence about the consequences of running out of time; empty if the reader does not need the sentence.

    A waiting player's hand has no sentence, because it has buttons for the consequences. If the match ends
    automatically, only the late player needs the sentence.
    """
    if match.clock.flags:
        return " You can still move until the match ends." if own == late else ""
    others = [player for seat, player in enumerate(match.players) if seat != late]
    waiting = name(others[0]) if len(others) == 1 else "The others"
    claim, call_off = (
        ("claim the match", "call it off") if len(match.players) == 2 else ("claim the seat", "call the match off")
    )
    if own is None:
        return f" {waiting} can {claim}, {call_off}, or keep waiting."
    return f" {waiting} can now {claim}. Until that happens, you can still move." if own == late else ""


def date_of(moment: datetime) -> str:
    """Return a Discord timestamp that shows date and time in each reader's time zone."""
    return f"<t:{int(moment.timestamp())}:f>"


def quiet_hours(quiet: QuietHours) -> str:
    """Format a person's quiet hours: `22:00 to 7:00, Europe/Paris`."""
    if quiet.time_zone is None or quiet.quiet_from is None or quiet.quiet_to is None:
        return "none"
    return f"{hour(quiet.quiet_from)} to {hour(quiet.quiet_to)}, {quiet.time_zone}"


def hour(minutes: int) -> str:
    """Format a time of day, given in minutes since midnight: `7:30`."""
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02}"
