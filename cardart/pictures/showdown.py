"""The end of a deal: the hands laid down, cards laid off raised on the melds they joined, and the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.showdown import OutcomeKind
from bot.engine.views import ShowdownView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MIDDLE, back
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, RED, TEXT
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardRow, groups_of, wrap_rows
from cardart.parts.celebration import draw_celebration
from cardart.text import alt_text, phrases, queries

_ROOM: Final = WIDTH - 2 * MARGIN
_LEFT: Final = MARGIN + PADDING
_RIGHT: Final = WIDTH - MARGIN - PADDING

_BANNER: Final = 104
_FIELD: Final = (12, 86)
"""The top of the field of a celebration, and its height."""
_TITLE: Final = 36
_TEXT: Final = 23
_POINTS: Final = 30
_CROWD: Final = 3
"""From this many charged players on, their points are written smaller."""
_HEADER: Final = 60
_BADGE: Final = 48
_LIFT: Final = 14
_SECTION_GAP: Final = 12
_LINE: Final = 42
_FOOT: Final = 58
"""From the last section to the lower edge."""
_VOID_HEIGHT: Final = 390
_SUM: Final = 48
"""The height of a line that says how a side's total adds up."""
_SUM_BADGE: Final = 38
_SUM_CAPS: Final = (_TEXT, CAP + 2, CAP, CAP - 2)
"""The heights of its capitals: the first with which every line fits."""


def draw_showdown(view: ShowdownView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the showdown. A void deal shows no hands, and says why it is void.

    Raise `ValueError` for a monogram that is not one or two of A-Z and 0-9.
    """
    if view.outcome.kind is OutcomeKind.VOID:
        return _draw_void(view, monograms, appearance)
    sections, sums = _sections(view, appearance), phrases.final_sums(view, short=True)
    high = _BANNER + sum(_height(lines) for _, lines in sections) + len(sums) * _SUM + _FOOT
    canvas = Canvas(WIDTH, high, appearance)
    _draw_banner(canvas, view, monograms)
    top = _BANNER
    for seat, lines in sections:
        _draw_section(canvas, view, seat, monograms[seat], lines, top)
        top += _height(lines)
    top = _draw_sums(canvas, view, monograms, top)
    canvas.text(_LEFT, top + (_FOOT - MARGIN + CAP) // 2, phrases.deal_and_goal(view), CAP, ink=MIST)
    return canvas.picture(alt_text.showdown(view, monograms, appearance.language))


def _sections(view: ShowdownView, appearance: Appearance) -> list[tuple[Seat, list[CardRow]]]:
    """Return each player's hand as rows of cards, as large as possible with one row each; then those who sat out."""
    knocker, *others = queries.knocker_first(view)
    hands = [(knocker, groups_of(view.hand(knocker), view.outcome.lay_offs, total=view.deadwood(knocker)))]
    hands += [(seat, groups_of(view.hand(seat), total=view.deadwood(seat))) for seat in others]
    laid: list[tuple[Seat, list[CardRow]]] = []
    # If even the smallest cards need two rows for somebody, they can as well be larger.
    for size in (LARGE, MIDDLE, MEDIUM, COMPACT, MIDDLE):
        laid = [(seat, wrap_rows(groups, _ROOM, appearance, size)) for seat, groups in hands]
        if all(len(lines) == 1 for _, lines in laid):
            break
    return [*laid, *((seat, list[CardRow]()) for seat in queries.sitting_out(view))]


def _height(lines: Sequence[CardRow]) -> int:
    return _HEADER + sum(map(_row_height, lines)) + _SECTION_GAP


def _row_height(line: CardRow) -> int:
    return line.size.height + 2 * PADDING + _LIFT


def _draw_banner(canvas: Canvas, view: ShowdownView, monograms: Sequence[str]) -> None:
    outcome = view.outcome
    title = phrases.OUTCOME_TITLES[outcome.kind]
    middle = (_BANNER + 8) // 2
    laid, right = _earned(view, monograms)
    celebrated = outcome.kind in queries.CELEBRATED
    x, label = _LEFT, tag(title, _TITLE, GOLD, BLACK)
    if celebrated:
        laid.append((label, x))
        x += label.width
    else:
        x += canvas.text(x, middle + _TITLE // 2, title, _TITLE)
    beside = [_board(view)] if view.boards > 1 else []
    if view.charged and outcome.winner is not None:
        beside.append(badge(outcome.winner, monograms[outcome.winner], _BADGE))
    for sprite in beside:
        laid.append((sprite, x + PADDING))
        x += PADDING + sprite.width
    if celebrated:
        top, high = _FIELD
        about = _LEFT - top + label.width // 2
        draw_celebration(canvas, (top, top, WIDTH - 2 * top, high), about, [(x - top, right - top)])
    for sprite, at in laid:
        canvas.put(sprite, at, middle - sprite.height // 2)


def _earned(view: ShowdownView, monograms: Sequence[str]) -> tuple[list[tuple[Sprite, int]], int]:
    """Return who gets how many points, as sprites with their left edges, and the left edge of them all."""
    laid: list[tuple[Sprite, int]] = []
    x, points = _RIGHT, _POINTS if len(view.charged) < _CROWD else _TEXT
    for seat, text in reversed(phrases.points_earned(view)):
        label = tag(text, points, RED if view.charged else RECESS, TEXT)
        x -= label.width
        laid.append((label, x))
        if seat is not None:
            x -= _BADGE - PADDING
            laid.append((badge(seat, monograms[seat], _BADGE), x))
            x -= PADDING
    return laid, x


def _board(view: ShowdownView) -> Sprite:
    return tag(f"{phrases.BOARD} {view.board}", CAP, RECESS, TEXT)


def _draw_section(
    canvas: Canvas, view: ShowdownView, seat: Seat, mark: str, lines: Sequence[CardRow], top: int
) -> None:
    canvas.put(badge(seat, mark, _BADGE), _LEFT, top + (_HEADER - _BADGE) // 2)
    baseline = top + (_HEADER + _TEXT) // 2
    x, ink = _LEFT + _BADGE + PADDING, TEXT if lines else MIST
    canvas.text(x, baseline, phrases.seat_outcome(view, seat), _TEXT, ink=ink)
    x = _RIGHT
    for label, number in phrases.seat_standing(view, seat):
        x -= canvas.text(x, baseline, number, _TEXT + 4, align="right") + PADDING
        x -= canvas.text(x, baseline, label, _TEXT, ink=MIST, align="right") + 3 * PADDING
    y = top + _HEADER + _LIFT + PADDING
    for line in lines:
        line.draw(canvas, y, _LIFT)
        y += _row_height(line)


def _draw_sums(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], top: int) -> int:
    """Draw how each side's total adds up, if the match is over. Return where the lines end."""
    sums = phrases.final_sums(view, short=True)
    room = _RIGHT - _LEFT - max(map(len, view.sides)) * _SUM_BADGE - PADDING
    fitting = (cap for cap in _SUM_CAPS if all(text_mask(added, cap).width <= room for _, added in sums))
    cap = next(fitting, _SUM_CAPS[-1])
    for place, added in sums:
        x, middle = _LEFT, top + _SUM // 2
        for seat in view.sides[place]:
            canvas.put(badge(seat, monograms[seat], _SUM_BADGE), x, middle - _SUM_BADGE // 2)
            x += _SUM_BADGE
        canvas.text(x + PADDING, middle + cap // 2, added, cap)
        top += _SUM
    return top


def _draw_void(view: ShowdownView, monograms: Sequence[str], appearance: Appearance) -> Picture:
    canvas = Canvas(WIDTH, _VOID_HEIGHT + len(phrases.final_sums(view)) * _SUM, appearance)
    title = canvas.text(_LEFT, (_BANNER + _TITLE) // 2, phrases.VOID, _TITLE)
    if view.boards > 1:
        board = _board(view)
        canvas.put(board, _LEFT + title + 2 * PADDING, (_BANNER - board.height) // 2)
    for place, line in enumerate(phrases.void_explanation(view, monograms)):
        canvas.text(_LEFT, _BANNER + (place + 1) * _LINE, line, _TEXT, ink=MIST)
    for place in range(2):
        canvas.put(back(appearance, MEDIUM), _RIGHT - MEDIUM.width - (1 - place) * MEDIUM.width // 2, _BANNER)
    middle = _VOID_HEIGHT - MARGIN - _BADGE // 2
    label = phrases.score_label(view)
    x = _LEFT + canvas.text(_LEFT, middle + _TEXT // 2, label, _TEXT, ink=MIST) + 2 * PADDING
    for place, seats in enumerate(view.sides):
        for seat in seats:
            canvas.put(badge(seat, monograms[seat], _BADGE), x, middle - _BADGE // 2)
            x += _BADGE + PADDING
        x += canvas.text(x, middle + _TEXT // 2, phrases.side_points(view, place), _TEXT + 4) + 3 * PADDING
    _draw_sums(canvas, view, monograms, _VOID_HEIGHT - MARGIN // 2)
    return canvas.picture(alt_text.showdown(view, monograms, appearance.language))
