"""The messages with a person's calendar of deals of the day, and with one of its days."""

from __future__ import annotations

from datetime import date
from typing import Final

import discord

import cardart
from bot.model.daily import CalendarDay, DailyCalendar, DailyTry
from bot.model.people import Preferences
from bot.play.daily.calendars import CalendarPage
from cardart.text import phrases
from cardart.text.daily import calendar_facts, days_by_month, period, streak_words
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import MENU_SIZE, button, menu
from cogs.kit.layout import Accent, Item, Picture, Row, message, note, with_picture
from cogs.kit.messages import Message
from cogs.turns.daily_panel import look_back_buttons
from cogs.words import daily as texts

TITLE: Final = "Your daily calendar"
NOTHING: Final = "You haven't played a daily deal yet."


def nothing() -> Message:
    """Return the answer for a person who has not begun any deal of the day."""
    return note(NOTHING, Accent.WAITING, _today_button())


async def calendar(page: CalendarPage, name: str, preferences: Preferences, pictures: Pictures) -> Message:
    """Return some weeks of a person's calendar, with menus that open a day, and buttons for other weeks and for today.

    `name` is the person's. With the picture, there is no text but the title.
    """
    shown = page.calendar

    def compose(picture: Picture | None) -> Message:
        return message(
            Accent.OVER,
            *(_in_words(shown) if picture is None else ()),
            title=TITLE if picture is not None else f"{TITLE}: {period(shown)}",
            picture=picture,
            rows=[
                *_day_menus(shown),
                [
                    None if page.earlier is None else _page_button("Earlier", page.earlier),
                    None if page.later is None else _page_button("Later", page.later),
                    _today_button(),
                ],
            ],
        )

    picture = None
    if preferences.pictures:
        draw = cardart.draw_daily_calendar
        picture = await pictures.draw("daily calendar", draw, shown, preferences.appearance, name)
    return with_picture(compose, picture)


def past_day(day: CalendarDay) -> Message:
    """Return a person's result in the deal of a day that is over, with buttons that look back at it."""
    own = day.own
    assert own is not None
    fate = texts.unfinished(was_called_off=own.was_called_off, was_down=day.was_down, price=own.price)
    date_text = f"{phrases.weekday(own.day)} {phrases.short_date(own.day)}"
    return message(
        Accent.OVER,
        fate if own.score is None else texts.ending(own.score),
        f"-# {date_text}",
        title=texts.headline(own.day, own.score, own.price),
        rows=[] if own.was_called_off else [look_back_buttons(own.match_id, own.score)],
    )


def _in_words(shown: DailyCalendar) -> list[str]:
    """Return everything that the picture shows: the numbers about all days, an invitation, and the days by month."""
    facts = " · ".join(f"{label} **{value}**" for label, value in calendar_facts(shown))
    months = [f"**{month}** {days}" for month, days in days_by_month(shown)]
    invitation = [] if shown.streak else [f"{'. '.join(streak_words(shown))}."]
    return [facts, *invitation, "\n".join(months)]


def _day_menus(shown: DailyCalendar) -> list[Row]:
    """Return menus of the past days with a try, latest first. Each menu has one part of them."""
    tries = [day.own for day in reversed(shown.days) if day.own is not None and day.day < shown.today]
    parts = [tries[start : start + MENU_SIZE] for start in range(0, len(tries), MENU_SIZE)]
    return [[_day_menu(part, number, is_only=len(parts) == 1)] for number, part in enumerate(parts)]


def _day_menu(tries: list[DailyTry], number: int, *, is_only: bool) -> Item:
    """Return a menu of days. If there are several menus, the placeholder has the first and the last day of this one."""
    latest, first = tries[0].day, tries[-1].day
    span = f"{phrases.short_date(first, year=False)} – {phrases.short_date(latest, year=False)}"
    placeholder = "Open a day …" if is_only else f"Open a day: {span} …"
    options = [
        discord.SelectOption(
            label=f"{phrases.weekday(own.day)} {phrases.short_date(own.day)}",
            description=texts.headline(own.day, own.score, own.price),
            value=own.day.isoformat(),
        )
        for own in tries
    ]
    return menu(Subject.SELF, 0, Action.DAILY_DAY, placeholder, options, argument=str(number))


def _page_button(label: str, first: date) -> Item:
    return button(Subject.SELF, 0, Action.DAILY_CALENDAR, label, argument=first.isoformat())


def _today_button() -> Item:
    return button(Subject.MENU, 0, Action.DAILY, "Today's deal")
