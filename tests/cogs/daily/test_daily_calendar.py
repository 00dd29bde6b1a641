"""A person's calendar of deals of the day, by presses."""

from __future__ import annotations

from datetime import date

import pytest

from bot.model.daily import day_at, end_of
from bot.model.ids import PersonId
from bot.sandbox import Message
from cardart.text.daily import calendar_facts, days_by_month, streak_words
from cogs.actions import Action, Subject
from cogs.daily.daily_calendar_panel import NOTHING, TITLE
from cogs.words.daily import CALLED_OFF, PRICE_OF_STOPPING, WAS_DOWN, headline
from tests.cogs.scenes import Scene, buttons, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.forgery import click
from tests.helpers.table import prefer


async def next_day(scene: Scene, clock: Clock) -> None:
    """Let a day pass, which has a deal, and close it."""
    await scene.bot.app.daily_deals.begin_today()
    await scene.advance(clock, DAY)
    await scene.bot.app.daily_deals.close_past()


async def open_calendar(scene: Scene) -> Message:
    """Have North open their calendar from the standings, and return the answer."""
    standings = (await scene.use(scene.north, "gin-stats daily", scene.channel)).message
    return (await scene.press(scene.north, standings, Action.DAILY_CALENDAR)).message


async def played_days(scene: Scene, daily_players: DailyPlayers, days: int) -> None:
    """Let North finish the deals of some days. Then it is the next day."""
    for _ in range(days):
        await daily_players.finish(person_of(scene.north), scene.guild_id)
        await next_day(scene, daily_players.clock)


def alt(message: Message) -> str:
    """Return the alt text of a message's picture."""
    (picture,) = message.images
    return str(picture.alt)


def days_to_open(message: Message) -> list[list[str]]:
    """Return the days that each menu of a message offers."""
    return [list(control.values) for control in controls(message) if control.action is Action.DAILY_DAY]


async def test_the_calendar_is_a_private_picture(scene: Scene, daily_players: DailyPlayers) -> None:
    """The button in the standings answers with the person's own days as a picture, which only they see."""
    await played_days(scene, daily_players, 2)
    await daily_players.finish(person_of(scene.south), scene.guild_id)
    shown = await open_calendar(scene)
    assert shown.ephemeral
    page = await scene.bot.app.daily_calendars.page(PersonId(scene.north.id))
    assert page is not None
    assert page.calendar.streak == 2
    assert all(value in alt(shown) for _, value in calendar_facts(page.calendar))
    assert all(days in alt(shown) for _, days in days_by_month(page.calendar))


async def test_without_pictures_the_calendar_is_text(scene: Scene, daily_players: DailyPlayers) -> None:
    """For a person who wants no pictures, the calendar has the same numbers and days as text."""
    await played_days(scene, daily_players, 2)
    await prefer(scene.bot.app, person_of(scene.north), pictures=False)
    shown = await open_calendar(scene)
    page = await scene.bot.app.daily_calendars.page(PersonId(scene.north.id))
    assert page is not None
    assert shown.images == []
    assert all(value in shown.text for _, value in calendar_facts(page.calendar))
    assert all(days in shown.text for _, days in days_by_month(page.calendar))


async def test_without_a_streak_the_text_invites_to_start_one(
    scene: Scene, daily_players: DailyPlayers, clock: Clock
) -> None:
    """After a missed day, the calendar without a picture has the same invitation as the picture."""
    await played_days(scene, daily_players, 1)
    await next_day(scene, clock)
    await prefer(scene.bot.app, person_of(scene.north), pictures=False)
    page = await scene.bot.app.daily_calendars.page(PersonId(scene.north.id))
    assert page is not None
    assert page.calendar.streak == 0
    shown = await open_calendar(scene)
    assert all(word in shown.text for word in streak_words(page.calendar))


async def test_who_has_not_played_reads_so(scene: Scene) -> None:
    """A person without a try gets no picture, but the button for today's deal."""
    shown = await open_calendar(scene)
    assert NOTHING in shown.text
    assert shown.images == []
    assert Action.START_DAILY in buttons((await scene.press(scene.north, shown, Action.DAILY)).message)


async def test_a_finished_try_and_the_invitation_lead_to_the_calendar(
    scene: Scene, daily_players: DailyPlayers, clock: Clock
) -> None:
    """The calendar opens from a finished try, on a server and in direct messages, and from the next invitation."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    for channel in (scene.channel, None):
        result = (await scene.use(scene.north, "gin daily", channel)).message
        opened = (await scene.press(scene.north, result, Action.DAILY_CALENDAR)).message
        assert opened.images
        assert opened.id != result.id
    await next_day(scene, clock)
    invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
    assert (await scene.press(scene.north, invitation, Action.DAILY_CALENDAR)).message.images
    first_time = (await scene.use(scene.south, "gin daily", scene.channel)).message
    assert Action.DAILY_CALENDAR not in buttons(first_time)


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["gin-stats history", "gin-stats profile"])
async def test_past_matches_and_profiles_lead_to_the_calendar_of_those_who_have_one(
    scene: Scene, daily_players: DailyPlayers, command: str
) -> None:
    """A person's own history and profile have a button for their calendar, if they have begun a deal of the day."""
    await daily_players.begin(person_of(scene.north), scene.guild_id)
    answers = [(await scene.use(person, command, scene.channel)).message for person in (scene.north, scene.south)]
    assert [buttons(shown) for shown in answers] == [[Action.DAILY_CALENDAR], []]
    calendar = (await scene.press(scene.north, answers[0], Action.DAILY_CALENDAR)).message
    assert TITLE in calendar.text


async def test_yesterdays_deal_can_be_opened_after_todays_has_begun(
    scene: Scene, daily_players: DailyPlayers, clock: Clock
) -> None:
    """The menu opens the result of a past day, with its replay, review and verification, although a new try runs."""
    await played_days(scene, daily_players, 1)
    yesterday = day_at(clock.now) - DAY
    await daily_players.begin(person_of(scene.north), scene.guild_id)
    shown = await open_calendar(scene)
    assert days_to_open(shown) == [[yesterday.isoformat()]]
    opened = (await scene.choose(scene.north, shown, Action.DAILY_DAY, yesterday.isoformat())).message
    past = await scene.bot.app.daily_calendars.past_day(PersonId(scene.north.id), yesterday)
    assert past is not None
    assert past.own is not None
    assert headline(past.day, past.own.score) in opened.text
    assert opened.ephemeral
    assert (await scene.press(scene.north, opened, Action.REPLAY)).message.images
    for action in (Action.REVIEW, Action.VERIFY):
        interaction = await scene.press(scene.north, opened, action)
        assert scene.error_type(interaction) is None


async def test_the_menu_offers_only_past_tries(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """Today's try and missed days are not in the menu; an unfinished try of a past day has no review."""
    await daily_players.begin(person_of(scene.north), scene.guild_id)
    began = day_at(clock.now)
    for _ in range(2):
        await next_day(scene, clock)
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    shown = await open_calendar(scene)
    assert days_to_open(shown) == [[began.isoformat()]]
    opened = (await scene.choose(scene.north, shown, Action.DAILY_DAY, began.isoformat())).message
    assert headline(began, None) in opened.text
    assert Action.REVIEW not in buttons(opened)


async def test_an_unfinished_day_says_how_it_counts(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """An unfinished day names its price, unless the bot was down for half of it or called the try off."""
    days = list[date]()
    for number in range(3):  # The bot was not there for half of the first day.
        await daily_players.begin(person_of(scene.north), scene.guild_id)
        days.append(day_at(clock.now))
        if number == 2:
            await daily_players.call_off(person_of(scene.north))
        for _ in range(2):  # People act first on every other day.
            await next_day(scene, clock)
    shown, told = await open_calendar(scene), (WAS_DOWN, PRICE_OF_STOPPING, CALLED_OFF)
    for number, day in enumerate(days):
        opened = (await scene.choose(scene.north, shown, Action.DAILY_DAY, day.isoformat())).message
        assert [text in opened.text for text in told] == [place == number for place in range(3)]


@pytest.mark.thorough
async def test_many_days_have_several_menus_and_pages(scene: Scene, daily_players: DailyPlayers) -> None:
    """Days that do not fit into one menu have a second one, and buttons lead to earlier and later weeks."""
    await played_days(scene, daily_players, 48)
    shown = await open_calendar(scene)
    page = await scene.bot.app.daily_calendars.page(PersonId(scene.north.id))
    assert page is not None
    past = [day.day.isoformat() for day in reversed(page.calendar.days) if day.day < page.calendar.today]
    assert days_to_open(shown) == [past[:25], past[25:]]
    latest = alt(shown)
    await scene.press(scene.north, shown, Action.DAILY_CALENDAR, str(page.earlier))
    assert alt(shown) != latest
    await scene.press(scene.north, shown, Action.DAILY_CALENDAR)
    assert alt(shown) == latest


async def test_forged_days_are_refused(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """Days that the menu does not offer, such as today, days of others and nonsense, open nothing."""
    await daily_players.finish(person_of(scene.south), scene.guild_id)
    await next_day(scene, clock)
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    shown, today = await open_calendar(scene), day_at(clock.now)
    for value in (today.isoformat(), (today - DAY).isoformat(), "2026-13-01", "-5"):
        answer = await click(scene.north, shown, Action.DAILY_DAY, Subject.SELF, argument="0", values=[value])
        assert "Daily" not in answer.text
    before = alt(shown)
    await click(scene.north, shown, Action.DAILY_CALENDAR, Subject.SELF, argument="yesterday")
    assert alt(shown) == before


async def test_the_calendar_of_a_day_that_is_not_over_shows_no_cards(
    scene: Scene, daily_players: DailyPlayers, clock: Clock
) -> None:
    """The button for today's deal leads to the sealed result until the day is over, and then the menu has the day."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    today, shown = day_at(clock.now), await open_calendar(scene)
    assert days_to_open(shown) == []
    result = (await scene.press(scene.north, shown, Action.DAILY)).message
    assert result.images == []
    clock.now = end_of(today)
    assert days_to_open(await open_calendar(scene)) == [[today.isoformat()]]
