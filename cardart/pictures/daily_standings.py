"""The standings of a server in the deals of the day: place, name, streak, tries, turns and points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.ids import PersonId
from cardart.drawing.canvas import Picture
from cardart.parts.board import BoardRow, draw_board
from cardart.parts.portraits import NO_AVATARS, Avatar
from cardart.text import alt_text, phrases
from cardart.text import daily_standings as texts

_HEADINGS: Final = (phrases.TURNS, phrases.POINTS)


def draw_daily_standings(
    board: DailyBoard,
    own_id: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw a page of standings with at least one person. The row of the person `own_id` has a frame.

    If it is on another page, it is above or below the others. `avatars` may have some or all of the people.
    """
    rows = [_row(row, board.period) for row in board.rows]
    is_elsewhere = own_id is not None and all(row.person_id != own_id for row in rows)
    pinned = _row(board.own, board.period) if is_elsewhere and board.own is not None else None
    has_streak = any(row.streak for row in (*rows, *([] if pinned is None else [pinned])))
    canvas = draw_board(
        rows,
        texts.title(board.period, board.today),
        _HEADINGS,
        own_id,
        appearance,
        avatars,
        note_heading=phrases.DAYS_IN_A_ROW if has_streak else "",
        title_note=phrases.players(board.people),
        pinned=pinned,
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
        texts.days_played(total, period),
        texts.values(total),
        streak=row.streak,
        is_muted=total.points < 0,
    )
