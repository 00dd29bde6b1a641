"""The podium of a season: its first three people on steps, and the superlatives. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.ids import PersonId
from bot.model.seasons import Awarded, Podium
from bot.model.standings import Standing
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import common_cap, fitted_text, shown_name, text_width
from cardart.drawing.palette import GOLD, MIST, RECESS, TEXT
from cardart.parts.badges import name_crest
from cardart.parts.celebration import draw_golden_rail
from cardart.parts.portraits import NO_AVATARS, Avatar, draw_person
from cardart.parts.winner import Winner
from cardart.parts.winners import Ceremony
from cardart.text import alt_text, phrases
from cardart.text import podium as podium_text

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

    People with equal results stand equally high. A person alone has a card instead of a step. Further people appear
    only in the text below the picture. People with equal values share a superlative. `avatars` may have some or all of
    the people.
    """
    winners = [
        Winner(
            row.place,
            _shown_name(row.standing),
            podium_text.short_won(row.standing),
            podium_text.not_won(row.standing),
            avatars.get(row.standing.person_id),
        )
        for row in podium.rows[: podium_text.MAX_ON_STEPS]
    ]
    ceremony = Ceremony(name, category, winners)
    height = ceremony.bottom + (_GAP + _SUPERLATIVE_HEIGHT if superlatives else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    draw_golden_rail(canvas, (WIDTH, height))
    ceremony.draw(canvas)
    shared = podium_text.shared_awards(superlatives)
    values = (podium_text.superlative_value(holders[0]) for holders in shared)
    value_cap = common_cap(values, _VALUE_CAP, _MIN_VALUE_CAP, _SUPERLATIVE_TEXT_WIDTH)
    left = (WIDTH - len(shared) * (_SUPERLATIVE_WIDTH + _GAP) + _GAP) // 2
    for position, holders in enumerate(shared):
        x, avatar = left + position * (_SUPERLATIVE_WIDTH + _GAP), avatars.get(holders[0].person_id)
        _draw_superlative(canvas, holders, avatar, x, ceremony.bottom + _GAP, value_cap)
    return canvas.picture(alt_text.podium(name, category, podium, superlatives))


def _shown_name(person: Standing | Awarded) -> str:
    return shown_name(person.name, person.username, phrases.UNNAMED)


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
