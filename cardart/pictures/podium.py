"""The podium of a season: its first three people on steps, and the superlatives. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.ids import PersonId
from bot.model.seasons import Awarded, Podium
from bot.model.standings import Ranked, Standing
from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Box, Canvas, Picture
from cardart.drawing.lettering import common_cap, fitted_text, shown_name, text_width
from cardart.drawing.painting import Sprite, cut_out, inked
from cardart.drawing.palette import EDGE, FELT, GOLD, MIST, RECESS, SEAM, TEXT
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, MEDAL_SIZE, medal, name_crest
from cardart.parts.celebration import crown, draw_confetti, draw_golden_rail, rays
from cardart.parts.portraits import NO_AVATARS, Avatar, draw_person
from cardart.text import alt_text, phrases
from cardart.text import podium as podium_text

_TITLE_CAP: Final = 34
_TITLE_BASELINE: Final = MARGIN + 48
_CATEGORY_BASELINE: Final = _TITLE_BASELINE + 32
_TITLE_MARGIN: Final = 24
"""Space around the title without confetti."""
_HEADS_TOP: Final = _CATEGORY_BASELINE + 22
"""Top of the winner's crown."""
_COLUMN_WIDTH: Final = 246
_TEXT_WIDTH: Final = _COLUMN_WIDTH - 28
"""Maximum width of the texts on a step."""
_FACE_SIDES: Final = (136, 112, 112)
"""Diameters of the faces, by place."""
_RINGS: Final = (GOLD, TEXT, MEDAL_COLOURS[2])
"""Colours of the rings around the faces, by place."""
_RAYS_DIAMETER: Final = 236
_CROWN_WIDTH: Final = 84
_CROWN_OVERLAP: Final = 16
"""Height by which the crown overlaps the winner's face."""
_FACE_GAP: Final = 10
"""Distance from a face to the front of its step. The face stands on the top of the step."""
_FIRST_STEP_TOP: Final = _HEADS_TOP + _CROWN_WIDTH * 7 // 10 - _CROWN_OVERLAP + _FACE_SIDES[0] + _FACE_GAP
_STEP_HEIGHTS: Final = (264, 214, 164)
"""Heights of the fronts of the steps, by place."""
_STEP_DEPTH: Final = 20
"""Height of the visible top of a step."""
_STEP_SLANT: Final = 16
"""Distance by which the top of a step is narrower at the back, on each side."""
_STEP_EDGE: Final = 5
"""Thickness of the edge of a step, in the colour of its medal."""
_BASE_HEIGHT: Final = 12
_BASE_OVERHANG: Final = 11
"""Height of the base below the steps, and the distance by which it is wider on each side."""
_MEDAL_TOP: Final = -10
"""Distance from the top of a step's front to its medal, which overlaps the face."""
_NAME_BASELINE: Final = _MEDAL_TOP + MEDAL_SIZE + 40
_NAME_CAP: Final = 27
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names and of numbers of wins. A name that is too wide even at this height is cut off."""
_WON_BASELINE: Final = _NAME_BASELINE + 40
_WON_CAP: Final = 27
_LOST_BASELINE: Final = _WON_BASELINE + 30
_MIN_LOST_CAP: Final = 15
"""Minimum cap height of the number of losses."""
_CONFETTI_PIECES: Final = 210

_GAP: Final = 14
_SUPERLATIVE_WIDTH: Final = 244
_SUPERLATIVE_HEIGHT: Final = 120
_SUPERLATIVE_BASELINES: Final = (35, 71, 102)
"""Baselines in the panel of a superlative: its title, its value, and the person's name."""
_SUPERLATIVE_FACE: Final = 56
_SUPERLATIVE_INSET: Final = 12
_SUPERLATIVE_TEXT_WIDTH: Final = _SUPERLATIVE_WIDTH - _SUPERLATIVE_FACE - 3 * _SUPERLATIVE_INSET
_VALUE_CAP: Final = 24
_MIN_VALUE_CAP: Final = 16
"""Cap height of the values of superlatives, and the minimum if a value is too wide (`_MIN_VALUE_CAP`)."""


def draw_podium(
    name: str,
    category: str,
    podium: Podium,
    superlatives: Sequence[Awarded],
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw the first three people on steps below the names of a season and a category, and up to three superlatives.

    People with equal results stand equally high. Further people appear only in the text below the picture. People with
    equal values share a superlative. `avatars` may have some or all of the people.
    """
    rows = podium.rows[: podium_text.MAX_ON_STEPS]
    steps_bottom = _FIRST_STEP_TOP + _STEP_HEIGHTS[0]
    bottom = steps_bottom + _BASE_HEIGHT
    height = bottom + (_GAP + _SUPERLATIVE_HEIGHT if superlatives else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    draw_golden_rail(canvas, (WIDTH, height))
    # The second person stands to the left of the first, and the third to the right.
    columns = (rows[1], rows[0], rows[2]) if len(rows) > 2 else rows
    left = (WIDTH - len(columns) * _COLUMN_WIDTH) // 2
    lefts = [left + position * _COLUMN_WIDTH for position in range(len(columns))]
    title_width = max(text_width(name, _TITLE_CAP), text_width(category, LABEL_CAP)) + 2 * _TITLE_MARGIN
    _draw_confetti(canvas, columns, lefts, title_width)
    canvas.text(WIDTH // 2, _TITLE_BASELINE, name, _TITLE_CAP, align="centre")
    canvas.text(WIDTH // 2, _CATEGORY_BASELINE, category, LABEL_CAP, ink=MIST, align="centre")
    caps = _StepCaps.of([row.standing for row in rows])
    places = (None, *(row.place for row in columns), None)
    for position, (row, left) in enumerate(zip(columns, lefts, strict=True)):
        if row.place == 1:
            _draw_rays(canvas, left)
        _draw_step(canvas, row, left, steps_bottom, (places[position], places[position + 2]))
        _draw_winner(canvas, row, left, avatars)
        _draw_result(canvas, row, left + _COLUMN_WIDTH // 2, caps)
    _draw_base(canvas, lefts[0] - _BASE_OVERHANG, steps_bottom, lefts[-1] + _COLUMN_WIDTH + _BASE_OVERHANG)
    shared = podium_text.shared_awards(superlatives)
    values = (podium_text.superlative_value(holders[0]) for holders in shared)
    value_cap = common_cap(values, _VALUE_CAP, _MIN_VALUE_CAP, _SUPERLATIVE_TEXT_WIDTH)
    left = (WIDTH - len(shared) * (_SUPERLATIVE_WIDTH + _GAP) + _GAP) // 2
    for position, holders in enumerate(shared):
        x, avatar = left + position * (_SUPERLATIVE_WIDTH + _GAP), avatars.get(holders[0].person_id)
        _draw_superlative(canvas, holders, avatar, x, bottom + _GAP, value_cap)
    return canvas.picture(alt_text.podium(name, category, podium, superlatives))


@dataclass(frozen=True, slots=True)
class _StepCaps:
    """The cap heights of names, wins and losses, which are the same on all steps."""

    name: int
    won: int
    lost: int

    @staticmethod
    def of(standings: Sequence[Standing]) -> _StepCaps:
        """Return the cap heights for these people."""
        return _StepCaps(
            common_cap(map(_shown_name, standings), _NAME_CAP, _MIN_NAME_CAP, _TEXT_WIDTH),
            common_cap(map(podium_text.short_won, standings), _WON_CAP, _MIN_NAME_CAP, _TEXT_WIDTH),
            common_cap(map(podium_text.not_won, standings), LABEL_CAP, _MIN_LOST_CAP, _TEXT_WIDTH),
        )


def _shown_name(person: Standing | Awarded) -> str:
    return shown_name(person.name, person.username, phrases.UNNAMED)


def _step_top(place: int) -> int:
    """Return the y coordinate of the top of the front of a step."""
    return _FIRST_STEP_TOP + _STEP_HEIGHTS[0] - _STEP_HEIGHTS[place - 1]


def _face_top(place: int) -> int:
    return _step_top(place) - _FACE_GAP - _FACE_SIDES[place - 1]


def _rays_box(left: int) -> Box:
    """Return the box of the rays behind the face of a first place, whose step begins at `left`.

    The rays end above the top of the step.
    """
    x, y = left + (_COLUMN_WIDTH - _RAYS_DIAMETER) // 2, _face_top(1) + (_FACE_SIDES[0] - _RAYS_DIAMETER) // 2
    return x, y, x + _RAYS_DIAMETER, _step_top(1) - _STEP_DEPTH


def _draw_rays(canvas: Canvas, left: int) -> None:
    x, top, _, bottom = _rays_box(left)
    canvas.put(rays(_RAYS_DIAMETER, bottom - top), x, top)


def _draw_confetti(canvas: Canvas, columns: Sequence[Ranked], lefts: Sequence[int], title_width: int) -> None:
    """Draw confetti behind the people, over the full width but for the title and the faces."""
    inside, half = RAIL_WIDTH + 2, title_width // 2
    clear: list[Box] = [(WIDTH // 2 - half, 0, WIDTH // 2 + half, _CATEGORY_BASELINE + _TITLE_MARGIN // 2)]
    for row, left in zip(columns, lefts, strict=True):
        clear += [_rays_box(left)] if row.place == 1 else []
    bottom = max(_step_top(row.place) for row in columns) - _STEP_DEPTH
    draw_confetti(canvas, (inside, inside, WIDTH - inside, bottom), clear, _CONFETTI_PIECES)


def _draw_step(canvas: Canvas, row: Ranked, left: int, bottom: int, places: tuple[int | None, int | None]) -> None:
    """Draw a step: its top, the edge in the colour of its medal, and its front.

    `places` are those of the steps on the left and on the right, or None.
    """
    top, right = _step_top(row.place), left + _COLUMN_WIDTH
    slants = [_STEP_SLANT if place is None or place > row.place else 0 for place in places]
    canvas.put(_step_surface(*slants), left, top - _STEP_DEPTH)
    canvas.fill((left, top, right, bottom), EDGE)
    canvas.fill((left + 2, top, right - 2, bottom), RECESS)
    canvas.fill((left, top, right, top + _STEP_EDGE), MEDAL_COLOURS[row.place - 1])


def _draw_base(canvas: Canvas, left: int, top: int, right: int) -> None:
    """Draw the base that all steps stand on."""
    canvas.fill((left, top, right, top + _BASE_HEIGHT), EDGE)
    canvas.fill((left + 2, top + 2, right - 2, top + _BASE_HEIGHT - 2), SEAM)


def _draw_result(canvas: Canvas, row: Ranked, middle: int, caps: _StepCaps) -> None:
    """Draw the medal, the name and the results of a person on the front of their step."""
    top, standing = _step_top(row.place), row.standing
    canvas.put(medal(row.place), middle - MEDAL_SIZE // 2, top + _MEDAL_TOP)
    for text, cap, ink, line in (
        (_shown_name(standing), caps.name, TEXT, _NAME_BASELINE),
        (podium_text.short_won(standing), caps.won, GOLD, _WON_BASELINE),
        (podium_text.not_won(standing), caps.lost, MIST, _LOST_BASELINE),
    ):
        text, cap = fitted_text(text, cap, cap, _TEXT_WIDTH)
        canvas.text(middle, top + line, text, cap, ink=ink, background=RECESS, align="centre")


@cache
def _step_surface(left_slant: int, right_slant: int) -> Sprite:
    """Return the top of a step, which is narrower at the back, but not at a side where a step is at least as high."""
    path = f"M {left_slant} 0 L {_COLUMN_WIDTH - right_slant} 0 L {_COLUMN_WIDTH} {_STEP_DEPTH} L 0 {_STEP_DEPTH} Z"
    coverage = path_mask((_COLUMN_WIDTH, _STEP_DEPTH), 1, [path])
    return cut_out(inked(coverage, SEAM, FELT), coverage)


def _draw_winner(canvas: Canvas, row: Ranked, left: int, avatars: Mapping[PersonId, Avatar]) -> None:
    """Draw a person on their step, with a crown in the first place."""
    side, top, middle = _FACE_SIDES[row.place - 1], _face_top(row.place), left + _COLUMN_WIDTH // 2
    ring = _RINGS[row.place - 1]
    shield = name_crest(_shown_name(row.standing), side, ring)
    draw_person(canvas, avatars.get(row.standing.person_id), shield, middle - side // 2, top, ring)
    if row.place == 1:
        sign = crown(_CROWN_WIDTH)
        canvas.put(sign, middle - sign.width // 2, top - sign.height + _CROWN_OVERLAP)


def _draw_superlative(
    canvas: Canvas, holders: Sequence[Awarded], avatar: Avatar | None, left: int, top: int, value_cap: int
) -> None:
    """Draw the panel of a superlative: the first holder's face, the title, the value, the name and `+2` for others."""
    awarded, others = holders[0], f" +{len(holders) - 1}" if len(holders) > 1 else ""
    name_width = _SUPERLATIVE_TEXT_WIDTH - text_width(others, LABEL_CAP)
    canvas.panel((left, top, left + _SUPERLATIVE_WIDTH, top + _SUPERLATIVE_HEIGHT))
    face_top = top + (_SUPERLATIVE_HEIGHT - _SUPERLATIVE_FACE) // 2
    draw_person(
        canvas, avatar, name_crest(_shown_name(awarded), _SUPERLATIVE_FACE), left + _SUPERLATIVE_INSET, face_top
    )
    x = left + 2 * _SUPERLATIVE_INSET + _SUPERLATIVE_FACE
    lines = (
        (podium_text.SUPERLATIVE_TITLES[awarded.award], LABEL_CAP - 1, MIST),
        (podium_text.superlative_value(awarded), value_cap, GOLD),
        (fitted_text(_shown_name(awarded), LABEL_CAP, LABEL_CAP, name_width)[0] + others, LABEL_CAP, TEXT),
    )
    for (text, cap, ink), baseline in zip(lines, _SUPERLATIVE_BASELINES, strict=True):
        text, cap = fitted_text(text, cap, cap, _SUPERLATIVE_TEXT_WIDTH)
        canvas.text(x, top + baseline, text, cap, ink=ink, background=RECESS)
