"""The standings of a server: place and movement, name, decided matches, wins, and net points, points or the rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.ids import PersonId
from bot.model.standings import Movement, Order, Ranked, Standing
from bot.model.statistics import Category
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import fitted_text, shown_name, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, inked
from cardart.drawing.palette import FELT, GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, MEDAL_SIZE, medal, name_crest
from cardart.parts.portraits import NO_AVATARS, Avatar, draw_person
from cardart.text import alt_text, phrases
from cardart.text import standings as standings_text

_TITLE_CAP: Final = 28
_TITLE_BASELINE: Final = MARGIN + 48
"""Baseline of the title."""
_HEAD_HEIGHT: Final = 108
"""Height of the title and the column headings."""
_HEADING_BASELINE: Final = MARGIN + _HEAD_HEIGHT - 14
_ROW_HEIGHT: Final = 92
_GAP: Final = 8
_PLACE_CENTRE: Final = MARGIN + 44
"""Horizontal middle of the column of places."""
_PLACE_CAP: Final = 26
_SMALL_PLACE_CAP: Final = 20
"""Cap height of places (`_PLACE_CAP`), and of those with more than two digits (`_SMALL_PLACE_CAP`)."""
_PLACE_RISE: Final = 15
"""Distance by which a place moves up from the middle of its row to make room for the movement below it."""
_MOVEMENT_BASELINE: Final = 80
"""Distance from the top of a row to the baseline of the movement."""
_ARROW_SIZE: Final = 16
"""Width and height of the arrow of a movement."""
_ARROW_GAP: Final = 3
_FACE_SIDE: Final = 60
_FACE_LEFT: Final = MARGIN + 86
_NAME_LEFT: Final = _FACE_LEFT + _FACE_SIDE + 12
_NAME_CAP: Final = 24
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names. A name that is too wide even at this height is cut off."""
_NAME_BASELINE: Final = 39
_NUMBER_BASELINE: Final = 74
"""Distance from the top of a row to the baselines of the name, and of the numbers below it."""
_COLUMN_RIGHTS: Final = (WIDTH - MARGIN - 318, WIDTH - MARGIN - 178)
"""Right edges of the two columns below the name."""
_LAST_RIGHT: Final = WIDTH - MARGIN - 20
"""Right edge of the last column, whose large numbers sort the rows."""
_LAST_CAP: Final = 28
_MIN_LAST_CAP: Final = 20
"""Cap height of the numbers in the last column, and the minimum for numbers that are too wide (`_MIN_LAST_CAP`)."""
_MIN_COLUMN_GAP: Final = 18
"""Minimum space to the left of a number in the last column."""
_BAR_RIGHT: Final = _NAME_LEFT + 124
"""Right edge of the bar, which shows the percentage of matches won."""
_BAR_HEIGHT: Final = 8
_SHARE_RIGHT: Final = _BAR_RIGHT + 76
"""Right edge of the percentage next to the bar."""
_MARK_SIZE: Final = 12
"""Width of the triangle next to the heading of the column that the rows are sorted by."""
_OWN_ROW_STYLE: Final = PanelStyle(RECESS, GOLD, 3)


def draw_standings(
    rows: Sequence[Ranked],
    order: Order = Order.WINS,
    category: Category = Category.POINTS,
    own_id: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw standings of at least one person, with a frame around the row of the person `own_id`.

    If the rows have movements, each is below its place. `avatars` may have some or all of the people.
    """
    canvas = Canvas(WIDTH, MARGIN + _HEAD_HEIGHT + len(rows) * (_ROW_HEIGHT + _GAP) - _GAP + MARGIN, appearance)
    canvas.text(MARGIN + 12, _TITLE_BASELINE, standings_text.standings_title(order, category), _TITLE_CAP)
    _draw_headings(canvas, standings_text.headings(order, category))
    if any(row.movement is not None for row in rows):
        _draw_movement_heading(canvas)
    for position, row in enumerate(rows):
        top = MARGIN + _HEAD_HEIGHT + position * (_ROW_HEIGHT + _GAP)
        values, avatar = standings_text.values(row.standing, order, category), avatars.get(row.standing.person_id)
        _draw_row(canvas, row, values, avatar, top, own_id)
    return canvas.picture(alt_text.standings(rows, order, category, own_id))


def _draw_movement_heading(canvas: Canvas) -> None:
    """Write the meaning of the arrows above the column of places."""
    x = MARGIN + 14
    for up, colour in ((True, GOLD), (False, MIST)):
        canvas.put(_arrow(up, colour), x, _HEADING_BASELINE - (LABEL_CAP + _ARROW_SIZE) // 2)
        x += _ARROW_SIZE + _ARROW_GAP
    canvas.text(x + 4, _HEADING_BASELINE, phrases.LAST_SEVEN_DAYS, LABEL_CAP, ink=MIST)


def _draw_headings(canvas: Canvas, headings: Sequence[str]) -> None:
    for heading, right in zip(headings, (*_COLUMN_RIGHTS, _LAST_RIGHT), strict=True):
        ink = TEXT if right == _LAST_RIGHT else MIST
        width = canvas.text(right, _HEADING_BASELINE, heading, LABEL_CAP, ink=ink, align="right")
        if right == _LAST_RIGHT:
            canvas.put(_sort_mark(), right - width - _MARK_SIZE - 4, _HEADING_BASELINE - _MARK_SIZE - 2)


def _draw_row(
    canvas: Canvas,
    row: Ranked,
    values: tuple[str, str, str],
    avatar: Avatar | None,
    top: int,
    own_id: PersonId | None,
) -> None:
    box, standing = (MARGIN, top, WIDTH - MARGIN, top + _ROW_HEIGHT), row.standing
    canvas.panel(box, _OWN_ROW_STYLE) if standing.person_id == own_id else canvas.panel(box)
    middle = top + _ROW_HEIGHT // 2
    if row.movement is None:
        _draw_place(canvas, row.place, middle)
    else:
        _draw_place(canvas, row.place, middle - _PLACE_RISE)
        _draw_movement(canvas, row.movement, top + _MOVEMENT_BASELINE)
    draw_person(canvas, avatar, name_crest(standing.name, _FACE_SIDE), _FACE_LEFT, middle - _FACE_SIDE // 2)
    *numbers, last = values
    last, cap = fitted_text(last, _LAST_CAP, _MIN_LAST_CAP, _LAST_RIGHT - _COLUMN_RIGHTS[-1] - _MIN_COLUMN_GAP)
    last_width = canvas.text(_LAST_RIGHT, middle + cap // 2, last, cap, background=RECESS, align="right")
    room = _LAST_RIGHT - last_width - _MIN_COLUMN_GAP - _NAME_LEFT
    name = shown_name(standing.name, standing.username, phrases.UNNAMED)
    name, cap = fitted_text(name, _NAME_CAP, _MIN_NAME_CAP, room)
    canvas.text(_NAME_LEFT, top + _NAME_BASELINE, name, cap, background=RECESS)
    baseline = top + _NUMBER_BASELINE
    _draw_share(canvas, standing, baseline)
    for number, right in zip(numbers, _COLUMN_RIGHTS, strict=True):
        canvas.text(right, baseline, number, LABEL_CAP, ink=MIST, background=RECESS, align="right")


def _draw_place(canvas: Canvas, place: int, middle: int) -> None:
    """Draw a place, the first three as medals. `middle` is its vertical middle."""
    if place <= len(MEDAL_COLOURS):
        canvas.put(medal(place), _PLACE_CENTRE - MEDAL_SIZE // 2, middle - MEDAL_SIZE // 2)
        return
    cap, text = _PLACE_CAP if place < 100 else _SMALL_PLACE_CAP, phrases.shortest_place(place)
    canvas.text(_PLACE_CENTRE, middle + cap // 2, text, cap, ink=MIST, background=RECESS, align="centre")


def _draw_movement(canvas: Canvas, movement: Movement, baseline: int) -> None:
    """Draw a movement in the middle of the column of places: an arrow with a number, a dash, or `new`."""
    places = movement.places
    if not places:
        text, ink = (phrases.NEW, GOLD) if places is None else ("–", MIST)
        canvas.text(_PLACE_CENTRE, baseline, text, LABEL_CAP, ink=ink, background=RECESS, align="centre")
        return
    ink = GOLD if places > 0 else MIST
    number = f"{abs(places)}"
    left = _PLACE_CENTRE - (_ARROW_SIZE + _ARROW_GAP + text_mask(number, LABEL_CAP).width) // 2
    canvas.put(_arrow(places > 0, ink, RECESS), left, baseline - (LABEL_CAP + _ARROW_SIZE) // 2)
    canvas.text(left + _ARROW_SIZE + _ARROW_GAP, baseline, number, LABEL_CAP, ink=ink, background=RECESS)


def _draw_share(canvas: Canvas, standing: Standing, baseline: int) -> None:
    """Draw a bar whose gold part shows the share of decided matches that were won, and the percentage."""
    results, top = standing.results, baseline - (LABEL_CAP + _BAR_HEIGHT) // 2
    won_right = _NAME_LEFT + (_BAR_RIGHT - _NAME_LEFT) * results.won // max(1, results.decided_matches)
    canvas.fill((_NAME_LEFT, top, _BAR_RIGHT, top + _BAR_HEIGHT), SEAM)
    canvas.fill((_NAME_LEFT, top, won_right, top + _BAR_HEIGHT), GOLD)
    percentage = phrases.percentage(results.win_percentage)
    canvas.text(_SHARE_RIGHT, baseline, percentage, LABEL_CAP, ink=GOLD, background=RECESS, align="right")


@cache
def _sort_mark() -> Sprite:
    """Return a triangle that points down."""
    coverage = path_mask((_MARK_SIZE, _MARK_SIZE), 1, [f"M 0 2 L {_MARK_SIZE} 2 L {_MARK_SIZE / 2} {_MARK_SIZE} Z"])
    return cut_out(Painting((_MARK_SIZE, _MARK_SIZE), TEXT).image, coverage)


@cache
def _arrow(up: bool, colour: Colour, background: Colour = FELT) -> Sprite:
    """Return the arrow of a movement on a background of one colour."""
    path = "M 1 14 L 8 2 L 15 14 Z" if up else "M 1 2 L 15 2 L 8 14 Z"
    return Sprite(inked(path_mask((_ARROW_SIZE, _ARROW_SIZE), 1, [path]), colour, background))
