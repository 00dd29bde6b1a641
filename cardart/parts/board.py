"""A board: people in the order of their places, each with a face, a name, and numbers in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from operator import add
from typing import Final

from bot.model.appearance import Appearance
from bot.model.ids import PersonId
from bot.model.standings import Movement
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, PanelStyle
from cardart.drawing.lettering import common_cap, fitted_text, shown_name, text_width
from cardart.drawing.painting import Sprite, disc, inked, tag
from cardart.drawing.palette import BLACK, FELT, GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, medal, name_crest, streak_flame
from cardart.parts.meters import meter
from cardart.parts.portraits import Avatar, draw_person
from cardart.text import phrases

_TEXT_LEFT: Final = MARGIN + 12
"""Left edge of the title, the subtitle and the line below the rows."""
_TITLE_CAP: Final = 28
_TITLE_BASELINE: Final = MARGIN + 48
"""Baseline of the title."""
_SUBTITLE_BASELINE: Final = _TITLE_BASELINE + 36
_HEAD_HEIGHT: Final = 108
"""Height of the title and the subtitle or the column headings."""
_HEADING_BASELINE: Final = MARGIN + _HEAD_HEIGHT - 14
_FOOTER_HEIGHT: Final = 40
_FOOTER_BASELINE: Final = 34
"""Height of the line below the rows, and the distance from the last row to its baseline."""
_ROW_HEIGHT: Final = 92
_FIRST_ROW_HEIGHT: Final = 108
_GAP: Final = 8
"""Height of rows, and of the row of a first place (`_FIRST_ROW_HEIGHT`), and the space between rows."""
_PLACE_CENTRE: Final = MARGIN + 45
"""Horizontal middle of the column of places."""
_PLACE_CAP: Final = 26
_MIN_PLACE_CAP: Final = 12
_MAX_PLACE_WIDTH: Final = 68
"""Cap height of places (`_PLACE_CAP`), the minimum if they are too wide (`_MIN_PLACE_CAP`), and their maximum width."""
_MEDAL_SIDES: Final = (48, 42, 42)
"""Diameters of the medals, by place."""
_PLACE_RISE: Final = 15
"""Distance by which a place moves up from the middle of its row to make room for the movement below it."""
_MOVEMENT_BASELINE: Final = 79
"""Distance from the top of a row to the baseline of the movement."""
_MOVEMENT_CAP: Final = 16
_ARROW_SIZE: Final = 16
"""Width and height of the arrow of a movement."""
_ARROW_GAP: Final = 3
_FACE_SIDES: Final = (80, 66, 66)
_FACE_SIDE: Final = 58
"""Diameters of the faces of the first three places, and of all others (`_FACE_SIDE`)."""
_FACE_CENTRE: Final = MARGIN + 127
_NAME_LEFT: Final = _FACE_CENTRE + _FACE_SIDES[0] // 2 + 12
_NAME_CAP: Final = 24
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names, which is the same in all rows. A name that is too wide at this height is cut off."""
_NAME_BASELINE: Final = 42
_NUMBER_BASELINE: Final = 75
"""Distance from the top of a row to the baselines of the name, and of the numbers below it."""
_NUMBER_CAP: Final = 19
_MIN_NUMBER_CAP: Final = 14
"""Cap height of the numbers below the name, and the minimum in rows without bars, if they are too wide
(`_MIN_NUMBER_CAP`)."""
_COLUMN_RIGHTS: Final = (WIDTH - MARGIN - 318, WIDTH - MARGIN - 178)
"""Right edges of the two columns below the name."""
_LAST_RIGHT: Final = WIDTH - MARGIN - 20
"""Right edge of the last column, whose large numbers sort the rows."""
_LAST_CAP: Final = 28
_MIN_LAST_CAP: Final = 20
_FIRST_LAST_RISE: Final = 4
"""Cap height of the numbers in the last column, the minimum for numbers that are too wide (`_MIN_LAST_CAP`), and the
difference of a first place's number (`_FIRST_LAST_RISE`)."""
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
_OWN_ROW_STYLE: Final = PanelStyle(RECESS, TEXT, 4)
_YOU_CAP: Final = 18
_YOU_GAP: Final = 12
"""Cap height of the tag of the viewer's own row, and the space between the name and the tag (`_YOU_GAP`)."""
_FLAME_HEIGHT: Final = 22
_FLAME_GAP: Final = 7
_NOTE_GAP: Final = 24
"""Space between the flame of a streak and the words after it, and between the notes and the flames (`_NOTE_GAP`)."""
_SPACE_BELOW: Final = 68
"""Width of the flame and of all spaces below the name in a row without a bar."""
_PINNED_GAP: Final = 40
_DOT_RADIUS: Final = 5
_DOT_STEP: Final = 22
_DOTS_WIDTH: Final = 6 * _DOT_STEP
"""Space between the page and the viewer's own row if others are between them, the radius and the distance of the dots
in it, and the width of the dots with the space beside them (`_DOTS_WIDTH`)."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A person's row: place, names, and values in the columns, the last of which sorts the rows.

    `note` is below the name, to the right of a bar if there is one; `bar` is the part of it that is filled, and the
    whole. `movement` is below the place. Rows without a bar have one value, a `detail` below it, and a `streak` after
    the note. The last three and the note may be empty. The first three places have medals if `earns_medal`.
    """

    place: int
    person_id: PersonId
    name: str
    username: str | None
    note: str
    values: tuple[str, ...]
    bar: tuple[int, int] | None = None
    movement: Movement | None = None
    streak: str = ""
    detail: str = ""
    earns_medal: bool = True

    @property
    def shown_name(self) -> str:
        """The name, or a stand-in if it cannot be written."""
        return shown_name(self.name, self.username, phrases.UNNAMED)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The cap heights of places, names, values and the numbers below names, and the right edge of names.

    All rows share them, except that a first place has a larger value (`first`). In rows without bars, a long name does
    not make the others smaller. `flame_left` is the left edge of the flames of streaks.
    """

    place: int
    name: int
    last: int
    first: int
    number: int
    names_right: int
    flame_left: int

    @staticmethod
    def of(rows: Sequence[BoardRow], tag_width: int) -> _Sizes:
        """Return the sizes for these rows. `tag_width` is the width of the tag after the viewer's own name."""
        numbers = [row for row in rows if not row.values[-1].isalpha()]
        room = _LAST_RIGHT - _COLUMN_RIGHTS[-1] - _MIN_COLUMN_GAP
        last = common_cap((row.values[-1] for row in numbers), _LAST_CAP, _MIN_LAST_CAP, room)
        firsts = (row.values[-1] for row in numbers if row.place == 1)
        first = common_cap(firsts, last + _FIRST_LAST_RISE, last, room)
        below = [(row.note, row.streak, row.detail) for row in rows if row.bar is None]
        longest = "".join(max(texts, key=len) for texts in zip(*below, strict=True))
        number = common_cap([longest], _NUMBER_CAP, _MIN_NUMBER_CAP, _LAST_RIGHT - _NAME_LEFT - _SPACE_BELOW)
        has_notes = all(row.note for row in rows)
        flame_left = max(text_width(row.note, number) for row in rows) + _NOTE_GAP if has_notes else 0
        sizes = _Sizes(
            common_cap((f"{row.place:,}" for row in rows), _PLACE_CAP, _MIN_PLACE_CAP, _MAX_PLACE_WIDTH),
            *(_NAME_CAP, last, first, number, 0, _NAME_LEFT + flame_left),
        )
        last_width = max(text_width(row.values[-1], sizes.last_cap(row)) for row in rows)
        detail_width = max(text_width(row.detail, number) for row in rows)
        names_right = _LAST_RIGHT - max(last_width, detail_width) - _MIN_COLUMN_GAP
        if rows[0].bar is None:
            return replace(sizes, names_right=names_right)
        names, room = (row.shown_name for row in rows), names_right - tag_width - _NAME_LEFT
        return replace(sizes, name=common_cap(names, _NAME_CAP, _MIN_NAME_CAP, room), names_right=names_right)

    def last_cap(self, row: BoardRow) -> int:
        """Return the cap height of the last value in a row, which can also be a word."""
        if row.values[-1].isalpha():
            return LABEL_CAP
        return self.first if row.place == 1 else self.last


def draw_board(
    rows: Sequence[BoardRow],
    title: str,
    headings: tuple[str, ...],
    own_id: PersonId | None,
    appearance: Appearance,
    avatars: Mapping[PersonId, Avatar],
    *,
    note_heading: str = "",
    subtitle: str = "",
    pinned: BoardRow | None = None,
    footer: str = "",
) -> Canvas:
    """Draw a board of at least one person, with a frame and a mark on the row of the person `own_id`.

    Either all rows have a bar, or none has. If people have moved, their movements are below their places.
    `note_heading` is above the bars. Boards without bars may have a `subtitle`, and a `footer` below the rows. `pinned`
    is a row of another page, to draw above or below the others. `avatars` may have some or all of the people.
    """
    gaps = [_GAP] * (len(rows) - 1)
    if pinned is not None:
        rows, gaps = _with_pinned(rows, pinned, gaps)
    heights = [_FIRST_ROW_HEIGHT if row.place == 1 else _ROW_HEIGHT for row in rows]
    tops = list(accumulate(map(add, heights, gaps), initial=MARGIN + _HEAD_HEIGHT))
    bottom = tops[-1] + heights[-1]
    canvas = Canvas(WIDTH, bottom + (_FOOTER_HEIGHT if footer else 0) + MARGIN, appearance)
    canvas.text(_TEXT_LEFT, _TITLE_BASELINE, title, _TITLE_CAP)
    for text, baseline in ((subtitle, _SUBTITLE_BASELINE), (footer, bottom + _FOOTER_BASELINE)):
        if text:
            canvas.text(_TEXT_LEFT, baseline, text, LABEL_CAP, ink=MIST)
    _draw_headings(canvas, _SUBTITLE_BASELINE if subtitle else _HEADING_BASELINE, headings, note_heading)
    if any(row.movement is not None for row in rows):
        _draw_movement_heading(canvas)
    for top, gap in zip(tops[1:], gaps, strict=True):
        if gap == _PINNED_GAP:
            _draw_dots(canvas, top - gap // 2)
    you = tag(phrases.YOU, _YOU_CAP, TEXT, BLACK, BLACK)
    is_own = [row.person_id == own_id for row in rows]
    sizes = _Sizes.of(rows, any(is_own) * (you.width + _YOU_GAP))
    for row, panel_top, height, own in zip(rows, tops, heights, is_own, strict=True):
        box = (MARGIN, panel_top, WIDTH - MARGIN, panel_top + height)
        canvas.panel(box, _OWN_ROW_STYLE) if own else canvas.panel(box)
        top = panel_top + (height - _ROW_HEIGHT) // 2
        _draw_person(canvas, row, row.shown_name, avatars.get(row.person_id), top, sizes)
        room = sizes.names_right - own * (you.width + _YOU_GAP) - _NAME_LEFT
        name, cap = fitted_text(row.shown_name, sizes.name, sizes.name, room)
        name_width = canvas.text(_NAME_LEFT, top + _NAME_BASELINE, name, cap, background=RECESS)
        if own:
            y = top + _NAME_BASELINE - (cap + you.height) // 2
            canvas.put(you, _NAME_LEFT + name_width + _YOU_GAP, y)
        _draw_values(canvas, row, top, sizes)
    return canvas


def _with_pinned(
    rows: Sequence[BoardRow], pinned: BoardRow, gaps: Sequence[int]
) -> tuple[Sequence[BoardRow], Sequence[int]]:
    """Return the rows with a row of another page, and the gaps below them.

    There is a larger gap unless its place follows the last one of the page, or the page follows it.
    """
    if pinned.place <= rows[0].place:
        return [pinned, *rows], [_GAP if pinned.place == rows[0].place - 1 else _PINNED_GAP, *gaps]
    return [*rows, pinned], [*gaps, _GAP if pinned.place == rows[-1].place + 1 else _PINNED_GAP]


def _draw_movement_heading(canvas: Canvas) -> None:
    """Write the meaning of the arrows above the column of places."""
    x = MARGIN + 14
    for up, colour in ((True, GOLD), (False, MIST)):
        canvas.put(_arrow(up, colour), x, _HEADING_BASELINE - (LABEL_CAP + _ARROW_SIZE) // 2)
        x += _ARROW_SIZE + _ARROW_GAP
    canvas.text(x + 4, _HEADING_BASELINE, phrases.LAST_SEVEN_DAYS, LABEL_CAP, ink=MIST)


def _draw_headings(canvas: Canvas, baseline: int, headings: Sequence[str], note_heading: str) -> None:
    """Write the headings. If there are several, that of the last column, which sorts the rows, is underlined.

    A single one is level with the subtitle.
    """
    if note_heading:
        middle = (_NAME_LEFT + _SHARE_RIGHT) // 2
        canvas.text(middle, baseline, note_heading, LABEL_CAP, ink=MIST, align="centre")
    for heading, right in zip(headings, _column_rights(len(headings)), strict=True):
        is_underlined = right == _LAST_RIGHT and len(headings) > 1
        ink = TEXT if is_underlined else MIST
        width = canvas.text(right, baseline, heading, LABEL_CAP, ink=ink, align="right")
        if is_underlined:
            top = baseline + _UNDERLINE_TOP
            canvas.fill((right - width, top, right, top + _UNDERLINE_HEIGHT), GOLD)


def _column_rights(columns: int) -> tuple[int, ...]:
    """Return the right edges of the last columns."""
    return (*_COLUMN_RIGHTS, _LAST_RIGHT)[-columns:]


def _draw_dots(canvas: Canvas, middle: int) -> None:
    """Draw a line, with three dots in its middle, for the rows between the page and a row of another page."""
    left, right = (WIDTH - _DOTS_WIDTH) // 2, (WIDTH + _DOTS_WIDTH) // 2
    for start, end in ((_TEXT_LEFT, left), (right, WIDTH - _TEXT_LEFT)):
        canvas.fill((start, middle - 1, end, middle + 1), SEAM)
    dot = disc(_DOT_RADIUS, MIST, FELT, 0)
    for step in (-1, 0, 1):
        canvas.put(dot, WIDTH // 2 + step * _DOT_STEP - _DOT_RADIUS, middle - _DOT_RADIUS)


def _draw_person(canvas: Canvas, row: BoardRow, name: str, avatar: Avatar | None, top: int, sizes: _Sizes) -> None:
    """Draw the place, the movement and the face of a person. Those with medals have larger faces."""
    middle = top + _ROW_HEIGHT // 2
    place_middle = middle
    if row.movement is not None and row.movement.places != 0:
        place_middle -= _PLACE_RISE
        _draw_movement(canvas, row.movement, top + _MOVEMENT_BASELINE)
    if row.place > len(MEDAL_COLOURS) or not row.earns_medal:
        y, text = place_middle + sizes.place // 2, f"{row.place:,}"
        canvas.text(_PLACE_CENTRE, y, text, sizes.place, ink=MIST, background=RECESS, align="centre")
        side, ring, shield = _FACE_SIDE, TEXT, name_crest(name, _FACE_SIDE)
    else:
        sign = medal(row.place, _MEDAL_SIDES[row.place - 1])
        canvas.put(sign, _PLACE_CENTRE - sign.width // 2, place_middle - sign.height // 2)
        side, ring = _FACE_SIDES[row.place - 1], MEDAL_COLOURS[row.place - 1]
        shield = name_crest(name, side, ring)
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
    """Draw the values of the columns, and the note below the name, with its bar or its streak."""
    *numbers, last = row.values
    cap = sizes.last_cap(row)
    y, baseline = top + _ROW_HEIGHT // 2 + cap // 2, top + _NUMBER_BASELINE
    if row.bar is None:
        y = top + _NAME_BASELINE
        canvas.text(_LAST_RIGHT, baseline, row.detail, sizes.number, ink=MIST, background=RECESS, align="right")
        _draw_note_and_streak(canvas, row, baseline, sizes)
    else:
        filled, whole = row.bar
        bar = meter(_BAR_WIDTH, _BAR_HEIGHT, ((0, _BAR_WIDTH * filled // max(1, whole), GOLD),))
        canvas.put(bar, _NAME_LEFT, baseline - (_NUMBER_CAP + _BAR_HEIGHT) // 2)
        canvas.text(_SHARE_RIGHT, baseline, row.note, _NUMBER_CAP, ink=MIST, background=RECESS, align="right")
    ink = MIST if last.isalpha() else GOLD if row.place == 1 else TEXT
    canvas.text(_LAST_RIGHT, y, last, cap, ink=ink, background=RECESS, align="right")
    for text, right in zip(numbers, _column_rights(len(row.values)), strict=False):
        canvas.text(right, baseline, text, _NUMBER_CAP, ink=MIST, background=RECESS, align="right")


def _draw_note_and_streak(canvas: Canvas, row: BoardRow, baseline: int, sizes: _Sizes) -> None:
    """Write the note, and the streak with its flame, which is in the same place in all rows if all have a note."""
    x, cap = _NAME_LEFT, sizes.number
    if row.note:
        x += canvas.text(x, baseline, row.note, cap, ink=MIST, background=RECESS) + _NOTE_GAP
    if row.streak:
        x = max(x, sizes.flame_left)
        flame = streak_flame(_FLAME_HEIGHT, GOLD, RECESS)
        canvas.put(flame, x, baseline - (cap + flame.height) // 2)
        x += flame.width + _FLAME_GAP
        canvas.text(x, baseline, row.streak, cap, ink=MIST, background=RECESS)


@cache
def _arrow(up: bool, colour: Colour, background: Colour = FELT) -> Sprite:
    """Return the arrow of a movement on a background of one colour."""
    path = "M 1 14 L 8 2 L 15 14 Z" if up else "M 1 2 L 15 2 L 8 14 Z"
    return Sprite(inked(path_mask((_ARROW_SIZE, _ARROW_SIZE), 1, [path]), colour, background))
