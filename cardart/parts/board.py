"""A board: people in the order of their places, each with a face, a name, and numbers in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

from bot.model.appearance import Appearance
from bot.model.ids import PersonId
from bot.model.standings import Movement
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, PanelStyle
from cardart.drawing.lettering import common_cap, fitted_text, shown_name, text_width
from cardart.drawing.painting import Sprite, disc, inked, tag
from cardart.drawing.palette import BLACK, FELT, GOLD, MIST, RECESS, TEXT, Colour
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, medal, name_crest, streak_flame
from cardart.parts.meters import meter
from cardart.parts.portraits import Avatar, draw_person
from cardart.text import phrases

_TITLE_CAP: Final = 28
_TITLE_BASELINE: Final = MARGIN + 48
"""Baseline of the title."""
_HEAD_HEIGHT: Final = 108
"""Height of the title and the column headings."""
_HEADING_BASELINE: Final = MARGIN + _HEAD_HEIGHT - 14
_ROW_HEIGHT: Final = 92
_GAP: Final = 8
_PLACE_CENTRE: Final = MARGIN + 45
"""Horizontal middle of the column of places."""
_PLACE_CAP: Final = 26
_MIN_PLACE_CAP: Final = 12
_MAX_PLACE_WIDTH: Final = 76
"""Cap height of places (`_PLACE_CAP`), the minimum if they are too wide (`_MIN_PLACE_CAP`), and their maximum width."""
_MEDAL_SIDE: Final = 42
_PLACE_RISE: Final = 15
"""Distance by which a place moves up from the middle of its row to make room for the movement below it."""
_MOVEMENT_BASELINE: Final = 79
"""Distance from the top of a row to the baseline of the movement."""
_MOVEMENT_CAP: Final = 16
_ARROW_SIZE: Final = 16
"""Width and height of the arrow of a movement."""
_ARROW_GAP: Final = 3
_FACE_SIDE: Final = 58
_FIRST_FACE_SIDE: Final = 68
"""Diameter of faces, and of those of the first three people (`_FIRST_FACE_SIDE`)."""
_FACE_CENTRE: Final = MARGIN + 128
_NAME_LEFT: Final = _FACE_CENTRE + _FIRST_FACE_SIDE // 2 + 14
_NAME_CAP: Final = 24
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names, which is the same in all rows. A name that is too wide at this height is cut off."""
_NAME_BASELINE: Final = 40
_NUMBER_BASELINE: Final = 74
"""Distance from the top of a row to the baselines of the name, and of the numbers below it."""
_NUMBER_CAP: Final = 19
_MIN_NOTE_CAP: Final = 14
"""Cap height of the numbers below the name, and the minimum for a note that is too wide (`_MIN_NOTE_CAP`)."""
_COLUMN_RIGHTS: Final = (WIDTH - MARGIN - 318, WIDTH - MARGIN - 178)
"""Right edges of the two columns below the name."""
_LAST_RIGHT: Final = WIDTH - MARGIN - 20
"""Right edge of the last column, whose large numbers sort the rows."""
_LAST_CAP: Final = 28
_MIN_LAST_CAP: Final = 20
"""Cap height of the numbers in the last column, and the minimum for numbers that are too wide (`_MIN_LAST_CAP`)."""
_MIN_COLUMN_GAP: Final = 18
"""Minimum space to the left of a number in the last column."""
_BAR_WIDTH: Final = 112
_BAR_HEIGHT: Final = 8
"""Size of a bar below a name."""
_SHARE_RIGHT: Final = _NAME_LEFT + _BAR_WIDTH + 66
"""Right edge of the text next to a bar."""
_UNDERLINE_TOP: Final = 7
_UNDERLINE_HEIGHT: Final = 3
"""Distance from the baseline to the line below the heading of the column that sorts the rows, and its thickness."""
_OWN_ROW_STYLE: Final = PanelStyle(RECESS, MIST, 4)
_YOU_CAP: Final = 13
_YOU_GAP: Final = 12
"""Space between a name and the tag of the viewer's own row."""
_STRIPE: Final = (6, 12)
_STRIPE_INSET: Final = 16
"""Left and right edge of the stripe of a first place in its row, and its distance from the top and the bottom."""
_FLAME_HEIGHT: Final = 22
_FLAME_GAP: Final = 7
_NOTE_GAP: Final = 16
"""Space between the flame of a streak and its length, and between the length and the note (`_NOTE_GAP`)."""
_PINNED_GAP: Final = 26
_DOT_RADIUS: Final = 3
_DOT_STEP: Final = 14
"""Space between the page and the viewer's own row, and the radius and the distance of the dots in it."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A person's row: place, names, and values in the columns, the last of which sorts the rows.

    `note` is below the name, to the right of a bar if there is one; `bar` is the part of it that is filled, and the
    whole. `movement` is below the place. Rows without a bar can have the length of a `streak` before the note.
    `is_muted` is True for a last value that is less than nothing.
    """

    place: int
    person_id: PersonId
    name: str
    username: str | None
    note: str
    values: tuple[str, ...]
    bar: tuple[int, int] | None = None
    movement: Movement | None = None
    streak: int = 0
    is_muted: bool = False

    @property
    def shown_name(self) -> str:
        """The name, or a stand-in if it cannot be written."""
        return shown_name(self.name, self.username, phrases.UNNAMED)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The cap heights of places, names and values, and the right edge of names. All rows share them.

    In rows without bars, names end before all numbers, and a long one does not make the others smaller.
    """

    place: int
    name: int
    last: int
    names_right: int

    @staticmethod
    def of(rows: Sequence[BoardRow], tag_width: int) -> _Sizes:
        """Return the sizes for these rows. `tag_width` is the width of the tag after the viewer's own name."""
        names, lasts = [row.shown_name for row in rows], [row.values[-1] for row in rows]
        numbers = [text for text in lasts if not text.isalpha()]
        last = common_cap(numbers, _LAST_CAP, _MIN_LAST_CAP, _LAST_RIGHT - _COLUMN_RIGHTS[-1] - _MIN_COLUMN_GAP)
        last_width = max(text_width(text, LABEL_CAP if text.isalpha() else last) for text in lasts)
        has_bars = rows[0].bar is not None
        names_right = (_LAST_RIGHT - last_width - tag_width if has_bars else _COLUMN_RIGHTS[-1]) - _MIN_COLUMN_GAP
        places = [f"{row.place:,}" for row in rows]
        return _Sizes(
            common_cap(places, _PLACE_CAP, _MIN_PLACE_CAP, _MAX_PLACE_WIDTH),
            common_cap(names, _NAME_CAP, _MIN_NAME_CAP, names_right - _NAME_LEFT) if has_bars else _NAME_CAP,
            last,
            names_right,
        )

    def name_width(self, row: BoardRow, tag_width: int) -> int:
        """Return the maximum width of the name in a row. `tag_width` is the width of the tag after the name."""
        taken = 0 if row.bar is not None else text_width(row.values[0], _NUMBER_CAP) + tag_width
        return self.names_right - taken - _NAME_LEFT


def draw_board(
    rows: Sequence[BoardRow],
    title: str,
    headings: tuple[str, ...],
    own_id: PersonId | None,
    appearance: Appearance,
    avatars: Mapping[PersonId, Avatar],
    *,
    note_heading: str,
    title_note: str = "",
    pinned: BoardRow | None = None,
) -> Canvas:
    """Draw a board of at least one person, with a frame and a mark on the row of the person `own_id`.

    Either all rows have a bar, or none has. If people have moved, their movements are below their places. `title_note`
    is to the right of the title. `pinned` is a row of another page, to draw above or below the others. `avatars` may
    have some or all of the people.
    """
    gaps = [_GAP] * (len(rows) - 1)
    if pinned is not None:
        is_before = pinned.place < rows[0].place
        rows, gaps = ([pinned, *rows], [_PINNED_GAP, *gaps]) if is_before else ([*rows, pinned], [*gaps, _PINNED_GAP])
    tops = list(accumulate(gaps, lambda top, gap: top + _ROW_HEIGHT + gap, initial=MARGIN + _HEAD_HEIGHT))
    canvas = Canvas(WIDTH, tops[-1] + _ROW_HEIGHT + MARGIN, appearance)
    canvas.text(MARGIN + 12, _TITLE_BASELINE, title, _TITLE_CAP)
    canvas.text(_LAST_RIGHT, _TITLE_BASELINE, title_note, LABEL_CAP, ink=MIST, align="right")
    _draw_headings(canvas, headings, note_heading, has_bars=rows[0].bar is not None)
    for top, gap in zip(tops, gaps, strict=False):
        if gap == _PINNED_GAP:
            _draw_dots(canvas, top + _ROW_HEIGHT + gap // 2)
    if any(row.movement is not None for row in rows):
        _draw_movement_heading(canvas)
    you = tag(phrases.YOU, _YOU_CAP, TEXT, BLACK)
    is_own = [row.person_id == own_id for row in rows]
    sizes = _Sizes.of(rows, any(is_own) * (you.width + _YOU_GAP))
    for position, (row, top) in enumerate(zip(rows, tops, strict=True)):
        box = (MARGIN, top, WIDTH - MARGIN, top + _ROW_HEIGHT)
        canvas.panel(box, _OWN_ROW_STYLE) if is_own[position] else canvas.panel(box)
        if row.bar is None and row.place <= len(MEDAL_COLOURS):
            left, right = (MARGIN + edge for edge in _STRIPE)
            stripe = (left, top + _STRIPE_INSET, right, top + _ROW_HEIGHT - _STRIPE_INSET)
            canvas.fill(stripe, MEDAL_COLOURS[row.place - 1])
        _draw_person(canvas, row, row.shown_name, avatars.get(row.person_id), top, sizes)
        room = sizes.name_width(row, is_own[position] * (you.width + _YOU_GAP))
        name, cap = fitted_text(row.shown_name, sizes.name, sizes.name, room)
        name_width = canvas.text(_NAME_LEFT, top + _NAME_BASELINE, name, cap, background=RECESS)
        if is_own[position]:
            y = top + _NAME_BASELINE - (cap + you.height) // 2
            canvas.put(you, _NAME_LEFT + name_width + _YOU_GAP, y)
        _draw_values(canvas, row, top, sizes)
    return canvas


def _draw_movement_heading(canvas: Canvas) -> None:
    """Write the meaning of the arrows above the column of places."""
    x = MARGIN + 14
    for up, colour in ((True, GOLD), (False, MIST)):
        canvas.put(_arrow(up, colour), x, _HEADING_BASELINE - (LABEL_CAP + _ARROW_SIZE) // 2)
        x += _ARROW_SIZE + _ARROW_GAP
    canvas.text(x + 4, _HEADING_BASELINE, phrases.LAST_SEVEN_DAYS, LABEL_CAP, ink=MIST)


def _draw_headings(canvas: Canvas, headings: Sequence[str], note_heading: str, *, has_bars: bool) -> None:
    """Write the headings. That of the last column, which sorts the rows, is underlined."""
    if has_bars:
        middle = (_NAME_LEFT + _SHARE_RIGHT) // 2
        canvas.text(middle, _HEADING_BASELINE, note_heading, LABEL_CAP, ink=MIST, align="centre")
    elif note_heading:
        flame = streak_flame(_FLAME_HEIGHT, GOLD, FELT)
        canvas.put(flame, _NAME_LEFT, _HEADING_BASELINE - (LABEL_CAP + flame.height) // 2)
        canvas.text(_NAME_LEFT + flame.width + _FLAME_GAP, _HEADING_BASELINE, note_heading, LABEL_CAP, ink=MIST)
    for heading, right in zip(headings, _column_rights(len(headings)), strict=True):
        ink = TEXT if right == _LAST_RIGHT else MIST
        width = canvas.text(right, _HEADING_BASELINE, heading, LABEL_CAP, ink=ink, align="right")
        if right == _LAST_RIGHT:
            top = _HEADING_BASELINE + _UNDERLINE_TOP
            canvas.fill((right - width, top, right, top + _UNDERLINE_HEIGHT), GOLD)


def _column_rights(columns: int) -> tuple[int, ...]:
    """Return the right edges of the last columns."""
    return (*_COLUMN_RIGHTS, _LAST_RIGHT)[-columns:]


def _draw_dots(canvas: Canvas, middle: int) -> None:
    """Draw three dots for the rows between the page and the row below it."""
    for step in (-1, 0, 1):
        dot = disc(_DOT_RADIUS, MIST, FELT, 0)
        canvas.put(dot, _PLACE_CENTRE + step * _DOT_STEP - _DOT_RADIUS, middle - _DOT_RADIUS)


def _draw_person(canvas: Canvas, row: BoardRow, name: str, avatar: Avatar | None, top: int, sizes: _Sizes) -> None:
    """Draw the place, the movement and the face of a person. The first three have medals, and larger faces."""
    middle, is_first = top + _ROW_HEIGHT // 2, row.place <= len(MEDAL_COLOURS)
    place_middle = middle
    if row.movement is not None and row.movement.places != 0:
        place_middle -= _PLACE_RISE
        _draw_movement(canvas, row.movement, top + _MOVEMENT_BASELINE)
    if is_first:
        canvas.put(medal(row.place, _MEDAL_SIDE), _PLACE_CENTRE - _MEDAL_SIDE // 2, place_middle - _MEDAL_SIDE // 2)
    else:
        y, text = place_middle + sizes.place // 2, f"{row.place:,}"
        canvas.text(_PLACE_CENTRE, y, text, sizes.place, ink=MIST, background=RECESS, align="centre")
    side, ring = (_FIRST_FACE_SIDE, MEDAL_COLOURS[row.place - 1]) if is_first else (_FACE_SIDE, TEXT)
    shield = name_crest(name, side, ring if is_first else None)
    draw_person(canvas, avatar, shield, _FACE_CENTRE - side // 2, middle - side // 2, ring)


def _draw_movement(canvas: Canvas, movement: Movement, baseline: int) -> None:
    """Draw a movement in the middle of the column of places: an arrow with a number, or `new`."""
    places = movement.places
    if places is None:
        canvas.text(_PLACE_CENTRE, baseline, phrases.NEW, _MOVEMENT_CAP, ink=GOLD, background=RECESS, align="centre")
        return
    ink = GOLD if places > 0 else MIST
    number = f"{abs(places)}"
    left = _PLACE_CENTRE - (_ARROW_SIZE + _ARROW_GAP + text_width(number, _MOVEMENT_CAP)) // 2
    canvas.put(_arrow(places > 0, ink, RECESS), left, baseline - (_MOVEMENT_CAP + _ARROW_SIZE) // 2)
    canvas.text(left + _ARROW_SIZE + _ARROW_GAP, baseline, number, _MOVEMENT_CAP, ink=ink, background=RECESS)


def _draw_values(canvas: Canvas, row: BoardRow, top: int, sizes: _Sizes) -> None:
    """Draw the values of the columns, and the note below the name, with its bar.

    In rows without bars, all values have one baseline.
    """
    *numbers, last = row.values
    cap = LABEL_CAP if last.isalpha() else sizes.last
    y = top + _ROW_HEIGHT // 2 + cap // 2
    ink = MIST if last.isalpha() or row.is_muted else TEXT
    canvas.text(_LAST_RIGHT, y, last, cap, ink=ink, background=RECESS, align="right")
    baseline = top + _NUMBER_BASELINE
    number_y = y if row.bar is None else baseline
    for text, right in zip(numbers, _column_rights(len(row.values)), strict=False):
        canvas.text(right, number_y, text, _NUMBER_CAP, ink=MIST, background=RECESS, align="right")
    if row.bar is None:
        x = _NAME_LEFT
        if row.streak:
            flame = streak_flame(_FLAME_HEIGHT, GOLD, RECESS)
            canvas.put(flame, x, baseline - (_NUMBER_CAP + flame.height) // 2)
            x += flame.width + _FLAME_GAP
            x += canvas.text(x, baseline, f"{row.streak:,}", _NUMBER_CAP, background=RECESS) + _NOTE_GAP
        room = _COLUMN_RIGHTS[-1] - text_width(numbers[0], _NUMBER_CAP) - _MIN_COLUMN_GAP - x
        note, cap = fitted_text(row.note, _NUMBER_CAP, _MIN_NOTE_CAP, room)
        canvas.text(x, baseline, note, cap, ink=MIST, background=RECESS)
        return
    filled, whole = row.bar
    bar = meter(_BAR_WIDTH, _BAR_HEIGHT, ((0, _BAR_WIDTH * filled // max(1, whole), GOLD),))
    canvas.put(bar, _NAME_LEFT, baseline - (_NUMBER_CAP + _BAR_HEIGHT) // 2)
    canvas.text(_SHARE_RIGHT, baseline, row.note, _NUMBER_CAP, ink=MIST, background=RECESS, align="right")


@cache
def _arrow(up: bool, colour: Colour, background: Colour = FELT) -> Sprite:
    """Return the arrow of a movement on a background of one colour."""
    path = "M 1 14 L 8 2 L 15 14 Z" if up else "M 1 2 L 15 2 L 8 14 Z"
    return Sprite(inked(path_mask((_ARROW_SIZE, _ARROW_SIZE), 1, [path]), colour, background))
