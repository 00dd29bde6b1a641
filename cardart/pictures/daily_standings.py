"""The standings of a server in the deals of the day: place, name, streak, finished tries, points and turns."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.ids import PersonId
from cardart.drawing.canvas import Picture
from cardart.parts.board import BoardRow, draw_board
from cardart.parts.portraits import NO_AVATARS, Avatar
from cardart.text import alt_text, phrases
from cardart.text import daily_standings as texts


def draw_daily_standings(
    board: DailyBoard,
    own_id: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw a page of standings with at least one person. The row of the person `own_id` has a frame.

    If it is on another page, it is above or below the others. `avatars` may have some or all of the people.
    """
    pinned = texts.pinned(board, own_id)
    canvas = draw_board(
        [_row(row, board.period) for row in board.rows],
        phrases.DAILY_STANDINGS,
        (phrases.POINTS,),
        own_id,
        appearance,
        avatars,
        subtitle=texts.subtitle(board),
        pinned=None if pinned is None else _row(pinned, board.period),
        footer=texts.broken_ties(board, own_id),
    )
    return canvas.picture(alt_text.daily_standings(board, own_id))


def _row(row: DailyStanding, period: DailyPeriod) -> BoardRow:
    total, player = row.total, row.total.player
    assert player.id is not None
    return BoardRow(
        row.place,
        player.id,
        player.name or "",
        player.username,
        texts.finished(total, period),
        (phrases.signed_short(total.points),),
        streak=texts.streak(row.streak),
        detail=texts.turns(total),
        earns_medal=total.finished > 0,
    )
