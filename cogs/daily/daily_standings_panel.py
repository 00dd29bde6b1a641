"""The message with a server's standings in the deals of the day, with buttons for other periods and pages."""

from __future__ import annotations

from dataclasses import replace

from discord import ButtonStyle

import cardart
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.ids import PersonId
from bot.model.namesakes import with_ambiguity
from bot.model.people import Preferences
from bot.model.statistics import Player
from cogs.actions import Action, Subject
from cogs.daily import daily_standings_text as texts
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Picture, message, with_picture
from cogs.kit.messages import Message
from cogs.turns.daily_panel import calendar_button, open_button
from cogs.words.names import pictured


async def standings(board: DailyBoard, person_id: PersonId, preferences: Preferences, pictures: Pictures) -> Message:
    """Return a page of the standings, with the viewer's own place and streaks.

    With the picture, the text does not list the page's people again.
    """
    board = _with_ambiguity(board)

    def compose(picture: Picture | None) -> Message:
        return message(
            Accent.OVER,
            (texts.lines(board) or texts.NOBODY[board.period]) if picture is None else None,
            texts.ties_explained(board, person_id) if picture is None else None,
            texts.own_place(board, person_id),
            texts.own_streaks(board.streaks),
            texts.still_playing(board),
            texts.sums_explained(board),
            texts.unfinished_explained(board),
            title=texts.title(board.period),
            picture=picture,
            rows=[
                [
                    _play_button(board),
                    _button(board.period, "Back", board.page - 1) if board.page > 0 else None,
                    _button(board.period, "More", board.page + 1) if board.page + 1 < board.pages else None,
                    calendar_button(),
                ],
                [_period_button(period, board) for period in texts.PERIODS],
            ],
        )

    picture = None
    if preferences.pictures and board.rows:
        own = None if board.own is None else _pictured(board.own)
        named = replace(board, rows=tuple(map(_pictured, board.rows)), own=own)
        people = [row.total.player for row in (*named.rows, *([] if own is None else [own]))]
        avatars = pictures.avatars.of_people(people)
        draw, appearance = cardart.draw_daily_standings, preferences.appearance
        picture = await pictures.draw("standings", draw, named, person_id, appearance, avatars)
    return with_picture(compose, picture)


def _play_button(board: DailyBoard) -> Item | None:
    """Return the button to play or continue today's deal; None if the person can no longer play it."""
    if not board.is_open or (board.own_try is not None and board.own_try.is_over):
        return None
    return open_button(ButtonStyle.success, has_begun=board.own_try is not None)


def _period_button(period: DailyPeriod, board: DailyBoard) -> Item:
    """Return the button for a period. That of the shown period is disabled, so that the others keep their places."""
    is_shown = period is board.period
    # Two buttons of a message must not lead to the same page.
    return _button(period, texts.PERIODS[period], board.page if is_shown else 0, disabled=is_shown)


def _button(period: DailyPeriod, label: str, page: int = 0, *, disabled: bool = False) -> Item:
    return button(Subject.LEADERBOARD, page, Action.DAILY_STANDINGS, label, argument=period, disabled=disabled)


def _with_ambiguity(board: DailyBoard) -> DailyBoard:
    """Mark people whose names look alike, so that their account names are shown too."""
    players = with_ambiguity([row.total.player for row in board.rows])
    rows = tuple(_renamed(row, player) for row, player in zip(board.rows, players, strict=True))
    return replace(board, rows=rows)


def _pictured(row: DailyStanding) -> DailyStanding:
    return _renamed(row, replace(row.total.player, name=pictured(row.total.player)))


def _renamed(row: DailyStanding, player: Player) -> DailyStanding:
    return replace(row, total=replace(row.total, player=player))
