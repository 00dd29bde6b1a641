"""Clocks and times as text."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.engine.deals.moves import Seat
from bot.model.clocks import Clock, TimeLeft
from bot.model.people import QuietHours
from cogs.words import clocks
from tests.cogs.samples import NOW, match_between

IN_AN_HOUR, HOUR = NOW + timedelta(hours=1), timedelta(hours=1)


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(days=1, hours=6, minutes=59), "1 day 6 hours"),
        (timedelta(days=2, minutes=30), "2 days"),
        (timedelta(hours=23, minutes=59), "23 hours 59 minutes"),
        (timedelta(minutes=9, seconds=20), "9 minutes 20 seconds"),
        (timedelta(minutes=5), "5 minutes"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(), "0 seconds"),
    ],
)
def test_a_span_has_at_most_two_units(length: timedelta, text: str) -> None:
    """A time span is written with its largest unit and the next smaller one; anything smaller is dropped."""
    assert clocks.duration(length) == text


def test_every_usual_clock_is_described_and_fits_a_menu() -> None:
    """The usual clocks have distinct descriptions that fit a menu, and their values can be parsed again."""
    usual = clocks.usual_clocks()
    described = [f"{clock}: {clocks.with_ending(clock)}" for clock in usual]
    assert len(set(map(clocks.with_ending, usual))) == len(usual) <= 25
    assert max(map(len, described)) <= 100
    assert [Clock.parse(str(clock)) for clock in usual] == usual


@pytest.mark.parametrize(
    ("time", "theirs", "own"),
    [
        (TimeLeft(HOUR, IN_AN_HOUR), "⁨A⁩'s time runs out <t:1795266000:R>.", "Your time runs out <t:1795266000:R>."),
        (
            TimeLeft(timedelta(), NOW),
            "⁨A⁩ has no time left. ⁨B⁩ can claim the match, call it off, or keep waiting.",
            "You have no time left. ⁨B⁩ can now claim the match. Until that happens, you can still move.",
        ),
        (TimeLeft(HOUR, None), "⁨A⁩'s clock is paused with 1 hour left.", None),
        (
            TimeLeft(timedelta(), None, is_cut_off=True),
            "⁨A⁩'s clock is paused with no time left.",
            "Your clock is paused with no time left.",
        ),
        (
            TimeLeft(HOUR, IN_AN_HOUR, IN_AN_HOUR),
            "⁨A⁩ is away until <t:1795266000:f> and then has 1 hour left.",
            "You're away until <t:1795266000:f> and then have 1 hour left.",
        ),
        (TimeLeft(HOUR, None, IN_AN_HOUR), "⁨A⁩ is away until <t:1795266000:f>.", None),
    ],
)
def test_time_left_is_a_sentence(time: TimeLeft, theirs: str, own: str | None) -> None:
    """In a text about a player's time left, that player reads *you*, and everyone else reads the player's name."""
    match = replace(match_between("A", "B"), clock=Clock.parse("2d"))
    assert clocks.times(match, {Seat(0): time}) == theirs
    if own is not None:
        assert clocks.times(match, {Seat(0): time}, Seat(0)) == own


def test_used_up_time_names_the_options() -> None:
    """If a player's time is up, that player and spectators read what the others may do. The others have buttons."""
    match, used_up = replace(match_between("A", "B"), clock=Clock.parse("2d")), {Seat(0): TimeLeft(timedelta(), NOW)}
    assert clocks.times(match, used_up, Seat(1)) == "⁨A⁩ has no time left."
    three = replace(match_between("A", "B", "C", rules="rotation"), clock=match.clock)
    they_may = "⁨A⁩ has no time left. The others can claim the seat, call the match off, or keep waiting."
    assert clocks.times(three, used_up) == they_may
    flagging = replace(match, clock=Clock.parse("2d flag"))
    assert clocks.times(flagging, used_up) == "⁨A⁩ has no time left."
    about_to_end = "You have no time left. You can still move until the match ends."
    assert clocks.times(flagging, used_up, Seat(0)) == about_to_end


def test_without_a_clock_only_holidays_are_shown() -> None:
    """Without a clock no time limit is shown, but a holiday is, because it explains the delay."""
    match = match_between("A", "B")
    assert clocks.times(match, {Seat(0): TimeLeft(HOUR, IN_AN_HOUR)}) is None
    away = TimeLeft(HOUR, NOW + 2 * HOUR, IN_AN_HOUR)
    assert clocks.times(match, {Seat(0): away}) == "⁨A⁩ is away until <t:1795266000:f>."


def test_a_paused_match_shows_only_remaining_time() -> None:
    """In a paused match, a player without time left is not mentioned: they get some time when the match continues."""
    match = replace(match_between("A", "B"), clock=Clock.parse("10m+20s"), paused_at=NOW)
    left = {Seat(0): TimeLeft(timedelta(), None), Seat(1): TimeLeft(HOUR, None)}
    assert clocks.times(match, left) == "⁨B⁩ has 1 hour left."


def test_quiet_hours_are_shown_as_entered() -> None:
    """Quiet hours are shown as entered, with their time zone; a time zone without hours means no quiet hours."""
    assert clocks.quiet_hours(QuietHours("Europe/Paris", 22 * 60, 7 * 60 + 5)) == "22:00 to 7:05, Europe/Paris"
    assert clocks.quiet_hours(QuietHours("Europe/Paris")) == "none"


def test_leavers_and_absent_players_have_different_texts() -> None:
    """The texts say that a player who left can lose on time, and that an absent player's match can be called off."""
    match = match_between("North", "South")
    gone = TimeLeft(timedelta(days=1), NOW + timedelta(days=1), has_left_server=True)
    assert str(clocks.times(match, {Seat(0): gone})).startswith("⁨North⁩ left the server. ⁨North⁩'s time runs out <t:")
    shut_out = TimeLeft(timedelta(), None, call_off_at=NOW)
    line = str(clocks.times(match, {Seat(1): shut_out}))
    assert line.startswith("⁨South⁩ can no longer play in the channel. The other player can call the match off from <t:")
