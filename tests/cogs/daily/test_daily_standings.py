"""The standings in the deals of the day, by commands and presses."""

from __future__ import annotations

import pytest

from bot.model.daily_standings import DailyPeriod
from bot.model.ids import PersonId
from bot.model.streaks import Streaks
from bot.play.daily import standings
from bot.sandbox import Message, Person
from cardart.text.daily_standings import days_in_a_row
from cogs.actions import Action
from cogs.daily import daily_standings_text as texts
from cogs.daily.daily_calendar_panel import TITLE
from cogs.words.daily import CALLED_OFF, COUNTS_ELSEWHERE, PRICE_OF_STOPPING
from tests.cogs.scenes import Scene, buttons, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.forgery import click
from tests.helpers.table import prefer


async def show(scene: Scene, person: Person | None = None, **options: object) -> Message:
    """Have a person, by default North, use `/gin-stats daily`, and return the answer."""
    return (await scene.use(person or scene.north, "gin-stats daily", scene.channel, **options)).message


async def next_day(scene: Scene, clock: Clock) -> None:
    """Let a day pass, which has a deal, and close it."""
    await scene.bot.app.daily_deals.begin_today()
    await scene.advance(clock, DAY)
    await scene.bot.app.daily_deals.close_past()


async def own_streaks(scene: Scene) -> Streaks:
    board = await scene.bot.app.daily_standings.board(scene.guild_id, PersonId(scene.north.id))
    return board.streaks


def alt(message: Message) -> str:
    """Return the alt text of a message's picture."""
    (picture,) = message.images
    return str(picture.alt)


def periods(message: Message) -> list[str | None]:
    """Return the periods of a message's buttons, disabled ones included."""
    shown = controls(message, disabled=True)
    return [control.event.argument for control in shown if control.action is Action.DAILY_STANDINGS]


async def test_todays_standings_have_places_and_the_number_of_players(
    scene: Scene, daily_players: DailyPlayers
) -> None:
    """Today's standings have a row for each person who finished, and the number of people who still play."""
    empty = await show(scene)
    assert texts.NOBODY[DailyPeriod.TODAY] in empty.text
    assert empty.images == []
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    await daily_players.finish(person_of(scene.south), scene.guild_id)
    await daily_players.begin(person_of(scene.east), scene.guild_id)
    shown = await show(scene)
    rows = "1. North: +85, 1 turn, streak 1. 1. South: +85, 1 turn, streak 1. Your place: 1."
    assert alt(shown).endswith(f" 2 players. {rows}")
    board = await scene.bot.app.daily_standings.board(scene.guild_id, PersonId(scene.north.id))
    assert board.playing == 1
    assert str(texts.still_playing(board)) in shown.text
    assert str(texts.own_place(board, PersonId(scene.north.id))) in shown.text
    assert texts.NOT_FINISHED_YET in (await show(scene, scene.east)).text
    for period in DailyPeriod:
        board = await scene.bot.app.daily_standings.board(scene.guild_id, PersonId(scene.north.id), period)
        explained = texts.sums_explained(board)
        assert (explained is None) is (period is DailyPeriod.TODAY)
        assert (explained or "") in (await show(scene, period=period.value)).text


async def test_who_has_not_played_can_begin_there(scene: Scene, daily_players: DailyPlayers) -> None:
    """The standings lead to today's deal those who have not finished it, and nobody else."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    await daily_players.begin(person_of(scene.east), scene.guild_id)
    assert Action.DAILY not in buttons(await show(scene))
    assert Action.DAILY in buttons(await show(scene, scene.east))
    await daily_players.call_off(person_of(scene.east))
    shown = await show(scene, scene.east)
    assert Action.DAILY not in buttons(shown)
    assert CALLED_OFF in shown.text
    invitation = (await scene.press(scene.south, await show(scene, scene.south), Action.DAILY)).message
    assert Action.START_DAILY in buttons(invitation)


async def test_a_result_from_elsewhere_does_not_count(scene: Scene, daily_players: DailyPlayers) -> None:
    """A person who finished in direct messages reads that their result does not count here, and cannot change that."""
    await daily_players.finish(person_of(scene.north), None)
    shown = await show(scene)
    assert COUNTS_ELSEWHERE in shown.text
    assert Action.DAILY not in buttons(shown)


async def test_periods_have_buttons(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """Each period leads to all others, at fixed places, and only the longer ones count a day of last week."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    for _ in range(7):
        await next_day(scene, clock)
    shown = await show(scene)
    assert periods(shown) == [*DailyPeriod]
    await scene.press(scene.north, shown, Action.DAILY_STANDINGS, DailyPeriod.WEEK)
    assert texts.NOBODY[DailyPeriod.WEEK] in shown.text
    await scene.press(scene.north, shown, Action.DAILY_STANDINGS, DailyPeriod.ALL)
    assert "1. North: +85, 1 turn, 1 finished." in alt(shown)
    assert periods(shown) == [*DailyPeriod]
    by_option = await show(scene, period=DailyPeriod.ALL)
    assert alt(by_option) == alt(shown)


async def test_pages_show_everybody(scene: Scene, daily_players: DailyPlayers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buttons lead to the other pages, on which the viewer's own row is shown, too."""
    monkeypatch.setattr(standings, "PAGE_SIZE", 1)
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    await daily_players.finish(person_of(scene.south), scene.guild_id)
    shown = await show(scene)
    assert "South" not in alt(shown)
    await scene.press(scene.north, shown, Action.DAILY_STANDINGS, DailyPeriod.TODAY)
    board = await scene.bot.app.daily_standings.board(scene.guild_id, PersonId(scene.north.id), page=1)
    assert all(name in alt(shown) for name in ("North", "South"))
    assert str(texts.own_place(board, PersonId(scene.north.id))) in shown.text
    await scene.press(scene.north, shown, Action.DAILY_STANDINGS, DailyPeriod.TODAY)
    assert "South" not in alt(shown)


async def test_unfinished_tries_are_marked(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """A try that was not finished counts as the day's worst result, and is marked and explained."""
    for _ in range(2):  # The bot was not there for half of the first day, so nothing counts as unfinished then.
        await next_day(scene, clock)
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    await daily_players.begin(person_of(scene.south), scene.guild_id)
    await next_day(scene, clock)
    shown = await show(scene, period=DailyPeriod.ALL)
    assert "2. South: −25, 1 turn, 0 of 1 finished." in alt(shown)
    assert PRICE_OF_STOPPING in shown.text


async def test_the_viewers_streaks_are_shown(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """The viewer's current and longest streak are below the standings, even if they have no place."""
    for _ in range(3):
        await daily_players.finish(person_of(scene.north), None)
        await next_day(scene, clock)
    await next_day(scene, clock)
    await daily_players.finish(person_of(scene.north), None)
    streaks = await own_streaks(scene)
    assert streaks == Streaks(1, 3)
    assert str(texts.own_streaks(streaks)) in (await show(scene)).text


async def test_without_pictures_the_standings_are_text(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """For a person who wants no pictures, the standings are text."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    await prefer(scene.bot.app, person_of(scene.north), pictures=False)
    for period in DailyPeriod:
        shown = await show(scene, period=period)
        board = await scene.bot.app.daily_standings.board(scene.guild_id, PersonId(scene.north.id), period)
        assert shown.images == []
        assert texts.lines(board) in shown.text


async def test_in_direct_messages_the_command_shows_the_calendar(scene: Scene, daily_players: DailyPlayers) -> None:
    """In direct messages, where there are no standings, the person sees their own days."""
    await daily_players.finish(person_of(scene.north), None)
    shown = (await scene.use(scene.north, "gin-stats daily")).message
    assert TITLE in shown.text
    assert shown.images


async def test_other_periods_are_refused(scene: Scene, daily_players: DailyPlayers) -> None:
    """A button with a forged period is answered like an old button."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    shown = await show(scene)
    before = shown.text
    await click(scene.north, shown, Action.DAILY_STANDINGS, "standing", argument="tomorrow")
    assert shown.text == before


async def test_the_result_leads_to_the_standings(scene: Scene, daily_players: DailyPlayers, clock: Clock) -> None:
    """A finished try shows the streak, and has a button for the standings on a server only."""
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    await next_day(scene, clock)
    streak = str(days_in_a_row(2))
    await daily_players.finish(person_of(scene.north), scene.guild_id)
    result = (await scene.use(scene.north, "gin daily", scene.channel)).message
    assert streak in result.text
    assert "North" in alt((await scene.press(scene.north, result, Action.DAILY_STANDINGS)).message)
    by_dm = (await scene.use(scene.north, "gin daily")).message
    assert streak in by_dm.text
    assert Action.DAILY_STANDINGS not in buttons(by_dm)


async def test_the_invitation_shows_the_streak_to_continue(
    scene: Scene, daily_players: DailyPlayers, clock: Clock
) -> None:
    """Before a try, a person reads how many days in a row they have finished."""
    for _ in range(2):
        await daily_players.finish(person_of(scene.north), scene.guild_id)
        await next_day(scene, clock)
    invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
    assert str(days_in_a_row(2)) in invitation.text
    other = (await scene.use(scene.south, "gin daily", scene.channel)).message
    assert str(days_in_a_row(2)) not in other.text
