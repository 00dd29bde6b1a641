"""The standings of a server in the deals of the day: place, name, streak, days played, turns and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily_standings import DailyPeriod, DailyStanding
from bot.model.ids import PersonId
from cardart.drawing.canvas import Picture
from cardart.parts.board import BoardRow, draw_board
from cardart.parts.portraits import NO_AVATARS, Avatar
from cardart.text import alt_text, phrases
from cardart.text import daily_standings as texts


def draw_daily_standings(
    rows: Sequence[DailyStanding],
    period: DailyPeriod = DailyPeriod.TODAY,
    own_id: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw standings of at least one person. The row of the person `own_id` has a frame.

    `avatars` may have some or all of the people.
    """
    shown = [_row(row, period) for row in rows]
    headings = texts.headings(period)
    canvas = draw_board(
        shown, phrases.MOST_POINTS, headings, own_id, appearance, avatars, note_heading=phrases.CURRENT_STREAK
    )
    return canvas.picture(alt_text.daily_standings(rows, period, own_id))


def _row(row: DailyStanding, period: DailyPeriod) -> BoardRow:
    player = row.total.player
    assert player.id is not None
    note, values = texts.streak(row.streak), texts.values(row.total, period)
    return BoardRow(row.place, player.id, player.name or "", player.username, note, values)
