"""A person's calendar has their own results in the deals of the day, on all servers."""

from __future__ import annotations

from datetime import date

import pytest

from bot.model.daily import UNFINISHED_AT_MOST, CalendarDay, DailyScore, day_at
from bot.play.daily.calendars import WEEKS, CalendarPage
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.table import GUILD, NORTH, OTHER_GUILD, SOUTH

pytestmark = pytest.mark.both_databases


async def page_of(players: DailyPlayers, first: date | None = None) -> CalendarPage:
    """Return a page of North's calendar, which must exist."""
    page = await players.app.daily_calendars.page(NORTH.id, first)
    assert page is not None
    return page


def told(day: CalendarDay) -> str:
    """Return a day as one word."""
    if day.own is not None and day.own.score is not None:
        return "finished"
    if day.was_down:
        return "down"
    return "missed" if day.own is None else "unfinished"


async def test_a_calendar_begins_with_the_first_try(daily_players: DailyPlayers) -> None:
    """A person without a try has no calendar. After that, it has each day from their first try until today."""
    await daily_players.run()
    assert await daily_players.app.daily_calendars.page(NORTH.id) is None
    await daily_players.finish()
    for _ in range(3):
        await daily_players.run()
    shown = (await page_of(daily_players)).calendar
    today = day_at(daily_players.clock.now)
    assert [day.day for day in shown.days] == [today - ago * DAY for ago in (3, 2, 1, 0)]
    assert shown.today == today
    assert await daily_players.app.daily_calendars.page(SOUTH.id) is None


async def test_each_day_has_its_fate(daily_players: DailyPlayers) -> None:
    """Finished, unfinished and missed days differ, and days on which people could not play are not missed."""
    await daily_players.run()
    await daily_players.finish()
    await daily_players.run()
    await daily_players.begin()
    await daily_players.run()
    await daily_players.run()
    await daily_players.be_down(2 * DAY)  # From noon to noon, so there are two halves of days as well.
    await daily_players.run()
    await daily_players.run()
    fates = [told(day) for day in (await page_of(daily_players)).calendar.days]
    assert fates == ["finished", "unfinished", "missed", "down", "down", "down", "missed", "missed"]


async def test_an_unfinished_try_has_its_price_once_the_day_is_closed(daily_players: DailyPlayers) -> None:
    """A calendar has the points that an unfinished try counts as, and none for today or a day with an outage."""
    await daily_players.run()
    await daily_players.begin()
    await daily_players.run()
    await daily_players.begin()
    await daily_players.be_down()
    await daily_players.run()
    await daily_players.begin()
    tries = [day.own for day in (await page_of(daily_players)).calendar.days]
    assert [None if own is None else own.price for own in tries] == [UNFINISHED_AT_MOST, None, None, None]


async def test_a_try_that_was_called_off_is_not_unfinished(daily_players: DailyPlayers) -> None:
    """A try that was called off looks like a day on which people could not play, on that day and later."""
    await daily_players.run()
    await daily_players.begin()
    today = day_at(daily_players.clock.now)
    await daily_players.call_off()
    assert [told(day) for day in (await page_of(daily_players)).calendar.days] == ["down"]
    await daily_players.run()
    assert [told(day) for day in (await page_of(daily_players)).calendar.days] == ["down", "missed"]
    past = await daily_players.app.daily_calendars.past_day(NORTH.id, today)
    assert past == (await page_of(daily_players)).calendar.days[0]


async def test_results_count_wherever_they_were_played(daily_players: DailyPlayers) -> None:
    """A calendar has the tries on all servers and in direct messages, but nobody else's."""
    for guild_id in (GUILD, OTHER_GUILD, None):
        await daily_players.run()
        await daily_players.finish(NORTH, guild_id)
        await daily_players.finish(SOUTH, GUILD)
    shown = (await page_of(daily_players)).calendar
    assert [told(day) for day in shown.days] == ["finished"] * 3
    assert (shown.streak, shown.longest_streak, shown.played) == (3, 3, 3)
    own_days = {day.own.match_id for day in shown.days if day.own is not None}
    others = await daily_players.app.daily_calendars.page(SOUTH.id)
    assert others is not None
    assert own_days.isdisjoint(day.own.match_id for day in others.calendar.days if day.own is not None)


async def test_the_numbers_are_about_all_finished_tries(daily_players: DailyPlayers) -> None:
    """Average and best result leave out unfinished tries, and are the same on every page."""
    await daily_players.run()
    await daily_players.begin()
    await daily_players.run()
    numbers = (await page_of(daily_players)).calendar
    assert (numbers.played, numbers.average, numbers.best) == (0, None, None)
    # People act first on every other day. On the others, the computer goes gin at once.
    scores: list[DailyScore] = []
    for _ in range(2):
        await daily_players.finish()
        today = (await daily_players.app.daily_tries.today(NORTH.id)).own
        assert today is not None
        assert today.score is not None
        scores.append(today.score)
        await daily_players.run()
    numbers = (await page_of(daily_players)).calendar
    assert numbers.played == 2
    assert numbers.average == sum(score.points for score in scores) / 2
    assert numbers.best is not None
    assert numbers.best.score == max(scores, key=lambda score: score.points)


async def test_pages_reach_back_to_the_first_try(daily_players: DailyPlayers) -> None:
    """Pages have six weeks from a Monday, the last one up to today, and lead to each other and no further."""
    await daily_players.run()
    await daily_players.finish()
    first = day_at(daily_players.clock.now)
    daily_players.clock.pass_by(17 * 7 * DAY)
    await daily_players.do_chores()
    latest = await page_of(daily_players)
    assert latest.later is None
    assert latest.calendar.days[-1].day == latest.calendar.today
    pages = [latest]
    while (earlier := pages[-1].earlier) is not None:
        pages.append(await page_of(daily_players, earlier))
    assert len(pages) == 3
    assert pages[-1].calendar.days[0].day == first
    assert pages[1].calendar.days[0].day.weekday() == 0
    assert len(pages[1].calendar.days) == WEEKS * 7
    for page, previous in zip(pages[1:], pages, strict=False):
        assert page.later is not None
        assert (await page_of(daily_players, page.later)).calendar.days == previous.calendar.days


@pytest.mark.parametrize("first", [date.min, date(2000, 1, 1), date(2999, 12, 31), date.max])
async def test_any_day_leads_to_a_page(daily_players: DailyPlayers, first: date) -> None:
    """A day before the first try or in the future, as in a forged button, leads to the nearest page."""
    await daily_players.run()
    await daily_players.finish()
    assert await page_of(daily_players, first) == await page_of(daily_players)


async def test_a_calendar_survives_a_clock_that_was_ahead(daily_players: DailyPlayers) -> None:
    """If the clock is set back, later days are not shown until they come again."""
    await daily_players.run()
    await daily_players.finish()
    before = day_at(daily_players.clock.now)
    daily_players.clock.pass_by(3 * DAY)
    await daily_players.finish()
    daily_players.clock.pass_by(-3 * DAY)
    assert [day.day for day in (await page_of(daily_players)).calendar.days] == [before]
    daily_players.clock.pass_by(-1 * DAY)
    assert await daily_players.app.daily_calendars.page(NORTH.id) is None


async def test_a_past_day_can_be_opened_once_it_is_over(daily_players: DailyPlayers) -> None:
    """A person finds their own try at a past deal, but not today's, and nobody else's."""
    await daily_players.run()
    await daily_players.finish()
    day, calendars = day_at(daily_players.clock.now), daily_players.app.daily_calendars
    assert await calendars.past_day(NORTH.id, day) is None
    await daily_players.run()
    past = await calendars.past_day(NORTH.id, day)
    assert past is not None
    assert past == (await page_of(daily_players)).calendar.days[0]
    assert await calendars.past_day(SOUTH.id, day) is None


async def test_a_forgotten_person_has_no_calendar(daily_players: DailyPlayers) -> None:
    """Forgetting a person empties their calendar."""
    await daily_players.run()
    await daily_players.finish()
    await daily_players.run()
    await daily_players.app.people.forget(NORTH.id)
    assert await daily_players.app.daily_calendars.page(NORTH.id) is None
