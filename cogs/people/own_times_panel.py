"""The preferences for quiet hours (hours without reminders) and for holidays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import discord
from discord import ui

from bot.model.people import QuietHours
from bot.model.time_zones import UTC_NAME
from bot.model.words import count
from bot.play.matches.holidays import MAX_DAYS, Holiday
from bot.play.people.people import NO_QUIET_HOURS
from cogs.actions import Action, Subject
from cogs.kit.components import MENU_SIZE, button, dialog, menu
from cogs.kit.layout import Item, Row, WithButton
from cogs.kit.messages import Message
from cogs.people.preferences_panel import preference_panel
from cogs.turns.games_panel import end_holiday_button
from cogs.words import clocks
from cogs.words import holidays as texts
from cogs.words.names import safe

BEGIN: Final = "begin"
END: Final = "end"
"""`BEGIN` and `END` are the arguments of the two menus for quiet hours."""

HOURS: Final = tuple(f"{hour}:00" for hour in range(24))

_EVENING: Final = 18
_MORNING: Final = 5
"""The first hours in the menus for the beginning (`_EVENING`) and the end (`_MORNING`) of quiet hours."""
_USUAL_DAYS: Final = (1, 2, 3, 5, 7, 10, MAX_DAYS)

_ABOUT_QUIET_HOURS: Final = (
    "You won't get reminders or nudges during quiet hours, but I'll still tell you when your turn starts."
)
_ZONE_FIRST: Final = "Choose your time zone first. Your quiet hours will be 22:00 to 8:00 until you change them."


def quiet_hours_panel(now: QuietHours, notice: str | None = None) -> Message:
    """Return a person's quiet hours, with menus of the hours if their time zone is known."""
    if now.time_zone is None:
        ask = zone_button("Choose your time zone", discord.ButtonStyle.primary)
        return _quiet_hours([_ABOUT_QUIET_HOURS, _ZONE_FIRST], [], ask, notice)
    begins, ends = (None if limit is None else clocks.hour(limit) for limit in (now.quiet_from, now.quiet_to))
    rows = [_hours_menu(BEGIN, "From", _EVENING, begins, excluded=ends)]
    if begins is not None:
        rows.append(_hours_menu(END, "Until", _MORNING, ends, excluded=begins))
    facts = [_ABOUT_QUIET_HOURS, f"Now: {clocks.quiet_hours(now)}"]
    if begins is None:
        facts.append(f"Time zone: {now.time_zone}")
    return _quiet_hours(facts, rows, zone_button("Change time zone"), notice)


def zones_panel(typed: str, zones: list[str]) -> Message:
    """Return a menu of the time zones that match a typed text."""
    more = " If your time zone isn't listed, type more of its name." if len(zones) > MENU_SIZE else ""
    options = [discord.SelectOption(label=zone.replace("_", " "), value=zone) for zone in zones[:MENU_SIZE]]
    choice = menu(Subject.SELF, 0, Action.PREFER_TIME_ZONE, "Your time zone …", options)
    found = f"Time zones that match **{safe(typed)}**.{more}"
    return _quiet_hours([found], [[choice]], zone_button("Type again"), None)


def zone_button(label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> Item:
    """Return the button that opens the dialog for a time zone."""
    return button(Subject.SELF, 0, Action.ASK_TIME_ZONE, label, style)


def zone_dialog(longest: int) -> ui.Modal:
    return dialog(
        Subject.SELF,
        Action.PREFER_TIME_ZONE,
        "Your time zone",
        "A large city in your time zone",
        description=f"You can also type the name of the time zone, such as America/New York or {UTC_NAME}.",
        placeholder="Paris",
        max_length=longest,
    )


def holiday_panel(now: Holiday, notice: str | None = None) -> Message:
    """Return a person's current holiday, if any, with a menu of lengths for a new one."""
    away = None if now.until is None else WithButton(texts.away(now.until), end_holiday_button(Action.TAKE_HOLIDAY))
    if now.max_days <= 0:
        pause = "To pause one match, press *Pause or leave* at its table."
        return preference_panel("Holiday", [texts.ABOUT, away, f"{texts.days_left(now)} {pause}"], [], notice)
    replaces = " A new holiday replaces this one." if away is not None else ""
    days = sorted({*(usual_day for usual_day in _USUAL_DAYS if usual_day <= now.max_days), now.max_days})
    options = [discord.SelectOption(label=count(day, "day"), value=str(day)) for day in days]
    placeholder = "Start a holiday …" if away is None else "Start a new holiday …"
    choice = menu(Subject.SELF, 0, Action.TAKE_HOLIDAY, placeholder, options)
    return preference_panel("Holiday", [texts.ABOUT, away, f"{texts.days_left(now)}{replaces}"], [[choice]], notice)


def _quiet_hours(facts: list[str], rows: Iterable[Row], ask: Item, notice: str | None) -> Message:
    return preference_panel("Quiet hours", ["\n".join(facts)], rows, notice, beside_back=ask)


def _hours_menu(argument: str, word: str, first_hour: int, chosen: str | None, *, excluded: str | None) -> Row:
    """Return a menu of the hours of a day, without the hour `excluded`: the other end of the quiet hours."""
    hours = [hour for hour in (*HOURS[first_hour:], *HOURS[:first_hour]) if hour != excluded]
    options = [discord.SelectOption(label=f"{word} {hour}", value=hour, default=hour == chosen) for hour in hours]
    if argument == BEGIN:
        options.insert(0, discord.SelectOption(label="No quiet hours", value=NO_QUIET_HOURS, default=chosen is None))
    # The command can set a time such as 22:30, which this menu lacks. Then only the placeholder shows the time.
    placeholder = f"{word} …" if chosen is None else f"{word} {chosen} …"
    return [menu(Subject.SELF, 0, Action.PREFER_QUIET_HOURS, placeholder, options, argument=argument)]
