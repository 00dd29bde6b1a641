"""The showdown of a deal: the hands laid down, with lay-offs on their melds, and the points. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.showdown import OutcomeKind
from bot.engine.views import ShowdownView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, MIDDLE, back
from cardart.drawing.canvas import CAP, MARGIN, RAIL, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardRow, groups_of, wrap_rows
from cardart.parts.celebration import draw_confetti
from cardart.text import alt_text, phrases, queries

_ROOM: Final = WIDTH - 2 * MARGIN
_LEFT: Final = MARGIN + PADDING
_RIGHT: Final = WIDTH - MARGIN - PADDING

_BANNER: Final = 104
_RESULT: Final = 72
"""Height of the line with the last deal's points, below the banner with the winner of the match."""
_TITLE: Final = 36
_TEXT: Final = 23
_POINTS: Final = 30
_HEADER: Final = 60
_BADGE: Final = 48
_LIFT: Final = 14
_SECTION_GAP: Final = 12
_CROWD: Final = 3
"""Number of hands from which cards are smaller."""
_LINE: Final = 42
_FOOT: Final = 58
"""Distance from the last section to the bottom of the picture."""
_VOID: Final = 232
"""Height of the panel that explains a void deal."""
_VOID_TEXT: Final = MARGIN + 270
_LEFT_OVER: Final = 2
"""Number of cards in the stock when a deal becomes void."""
_SUM: Final = 54
"""Height of a line with the sum behind a side's total."""
_SUM_BADGE: Final = 42
_SUM_CAPS: Final = (_TEXT, CAP + 2, CAP, CAP - 2)
"""Cap heights for these lines. The first at which every line fits is used."""
_CONFETTI: Final = 130
"""Pieces of confetti per 100,000 pixels of the banner."""


def draw_showdown(view: ShowdownView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the showdown. A void deal shows no hands, but explains why it is void.

    Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    if view.outcome.kind is OutcomeKind.VOID:
        return _draw_void(view, monograms, appearance)
    sections = _sections(view, appearance)
    begin = _BANNER + (_RESULT if view.score.over else 0)
    high = begin + sum(_height(lines) for _, lines in sections) + _sums_height(view) + _FOOT
    canvas = Canvas(WIDTH, high, appearance)
    if view.score.over:
        _draw_match_banner(canvas, view, monograms)
        _draw_outcome(canvas, view, monograms, begin - _RESULT // 2 - 8)
    else:
        _draw_outcome(canvas, view, monograms, (_BANNER + 8) // 2)
    top = begin
    for seat, lines in sections:
        _draw_section(canvas, view, seat, monograms[seat], lines, top)
        top += _height(lines)
    top = _draw_sums(canvas, view, monograms, top)
    canvas.text(_LEFT, top + (_FOOT - MARGIN + CAP) // 2, phrases.deal_and_goal(view), CAP, ink=MIST)
    return canvas.picture(alt_text.showdown(view, monograms, appearance.language))


def _sections(view: ShowdownView, appearance: Appearance) -> list[tuple[Seat, list[CardRow]]]:
    """Return each player's hand as rows of cards, then the seats that sat out, without rows.

    Cards are as large as possible with one row for each hand.
    """
    knocker, *others = queries.knocker_first(view)
    hands = [(knocker, groups_of(view.hand(knocker), view.outcome.lay_offs, total=view.deadwood(knocker)))]
    hands += [(seat, groups_of(view.hand(seat), total=view.deadwood(seat))) for seat in others]
    laid: list[tuple[Seat, list[CardRow]]] = []
    # If some hand needs two rows even with the smallest cards, use larger ones.
    sizes = (LARGE, MIDDLE, MEDIUM, MIDDLE)
    for size in sizes[1:] if len(hands) >= _CROWD else sizes:
        laid = [(seat, wrap_rows(groups, _ROOM, appearance, size)) for seat, groups in hands]
        if all(len(lines) == 1 for _, lines in laid):
            break
    return [*laid, *((seat, list[CardRow]()) for seat in queries.sitting_out(view))]


def _height(lines: Sequence[CardRow]) -> int:
    return _HEADER + sum(map(_row_height, lines)) + _SECTION_GAP


def _row_height(line: CardRow) -> int:
    return line.size.height + 2 * PADDING + _lift(line)


def _lift(line: CardRow) -> int:
    """Return the space that raised cards need above the other cards of their row."""
    return _LIFT if any(group.raised for group in line.groups) else 0


def _draw_match_banner(canvas: Canvas, view: ShowdownView, monograms: Sequence[str]) -> None:
    """Draw the winner of the match on confetti, and both totals if there are two sides."""
    score, middle, x = view.score, (_BANNER + 8) // 2, _LEFT
    laid: list[tuple[Sprite, int]] = []
    for seat in () if score.winner is None else view.sides[score.winner]:
        laid.append((badge(seat, monograms[seat], _BADGE + PADDING), x))
        x += _BADGE + PADDING
    x += PADDING if laid else 0
    title = tag(phrases.match_headline(view), _TITLE - 4, GOLD, BLACK)
    laid.append((title, x))
    if len(view.sides) == 2:
        room = _RIGHT - x - title.width - PADDING
        totals = [tag(phrases.final_totals(view), cap, RECESS, TEXT) for cap in (_TITLE - 4, _TEXT, CAP)]
        fitting = next((one for one in totals if one.width <= room), totals[-1])
        laid.append((fitting, _RIGHT - fitting.width))
    _draw_confetti(canvas)
    _put(canvas, laid, middle)


def _draw_outcome(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], middle: int) -> None:
    """Draw the outcome and points of the deal, vertically centred on `middle`; smaller if the match is over."""
    title, x = phrases.OUTCOME_TITLES[view.outcome.kind], _LEFT
    laid = _earned(view, monograms)
    cap = _TEXT if view.score.over else _TITLE
    if view.outcome.kind in queries.CELEBRATED:
        if not view.score.over:
            _draw_confetti(canvas)
        label = tag(title, cap, GOLD, BLACK)
        laid.append((label, x))
        x += label.width
    else:
        x += canvas.text(x, middle + cap // 2, title, cap)
    if view.boards > 1:
        board = _board(view)
        laid.append((board, x + PADDING))
    _put(canvas, laid, middle)


def _draw_confetti(canvas: Canvas) -> None:
    """Draw confetti all over the banner, as a background for its labels."""
    draw_confetti(canvas, (RAIL, RAIL, WIDTH - 2 * RAIL, _BANNER - RAIL), [(0, WIDTH)], _CONFETTI)


def _put(canvas: Canvas, laid: Sequence[tuple[Sprite, int]], middle: int) -> None:
    """Draw sprites with the given left edges, vertically centred on `middle`."""
    for sprite, at in laid:
        canvas.put(sprite, at, middle - sprite.height // 2)


def _earned(view: ShowdownView, monograms: Sequence[str]) -> list[tuple[Sprite, int]]:
    """Return the points and the winner of the deal, as sprites with their left edges.

    If players are charged penalty points, their own rows show these points, and the banner shows only the winner.
    """
    winner = view.outcome.winner
    text = phrases.WINS_DEAL if view.charged else phrases.points_sum(view)
    label = tag(text, _TEXT if view.charged or view.score.over else _POINTS, RECESS, TEXT)
    x = _RIGHT - label.width
    laid = [(label, x)]
    if winner is not None:
        x -= _BADGE - PADDING
        laid.append((badge(winner, monograms[winner], _BADGE), x))
    return laid


def _board(view: ShowdownView) -> Sprite:
    return tag(f"{phrases.BOARD} {view.board}", CAP, RECESS, TEXT)


def _draw_section(
    canvas: Canvas, view: ShowdownView, seat: Seat, mark: str, lines: Sequence[CardRow], top: int
) -> None:
    canvas.put(badge(seat, mark, _BADGE), _LEFT, top + (_HEADER - _BADGE) // 2)
    baseline = top + (_HEADER + _TEXT) // 2
    begin, ink = _LEFT + _BADGE + PADDING, TEXT if seat in view.seats else MIST
    begin += canvas.text(begin, baseline, phrases.seat_outcome(view, seat), _TEXT, ink=ink) + PADDING
    x = _RIGHT
    for label, number in phrases.seat_standing(view, seat):
        x -= canvas.text(x, baseline, number, _TEXT + 4, align="right") + PADDING
        x -= canvas.text(x, baseline, label, _TEXT, ink=MIST, align="right") + 2 * PADDING
    charged = phrases.charge_sums(view).get(seat)
    if charged is not None:
        labels = [tag(charged, cap, RECESS, TEXT) for cap in _SUM_CAPS]
        label = next((one for one in labels if one.width <= x - begin), labels[-1])
        canvas.put(label, x - label.width, top + (_HEADER - label.height) // 2)
    y = top + _HEADER
    for line in lines:
        line.draw(canvas, y + _lift(line) + PADDING, _lift(line))
        y += _row_height(line)


def _sums_height(view: ShowdownView) -> int:
    """Return the height of the panel with the sums behind the totals at the end of a match; 0 if there are no sums."""
    lines = len(phrases.final_sums(view))
    return lines * _SUM + 2 * PADDING if lines else 0


def _draw_sums(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], top: int) -> int:
    """Draw the sum behind each side's total if the match is over. Return the bottom of the panel."""
    sums, end = phrases.final_sums(view, short=True), top + _sums_height(view)
    if not sums:
        return end
    canvas.panel((MARGIN, top, WIDTH - MARGIN, end))
    room = _RIGHT - _LEFT - max(map(len, view.sides)) * _SUM_BADGE - PADDING
    fitting = (cap for cap in _SUM_CAPS if all(text_mask(added, cap).width + cap <= room for _, added in sums))
    cap = next(fitting, _SUM_CAPS[-1])
    y = top + PADDING
    for place, added in sums:
        x, middle = _LEFT, y + _SUM // 2
        for seat in view.sides[place]:
            canvas.put(badge(seat, monograms[seat], _SUM_BADGE), x, middle - _SUM_BADGE // 2)
            x += _SUM_BADGE
        parts, _, total = added.rpartition(" = ")
        canvas.text(x + PADDING, middle + cap // 2, parts, cap, ink=MIST, ground=RECESS)
        ink = GOLD if place == view.score.winner else TEXT
        canvas.text(_RIGHT, middle + cap // 2, f"= {total}", cap, ink=ink, ground=RECESS, align="right")
        y += _SUM
    return end


def _draw_void(view: ShowdownView, monograms: Sequence[str], appearance: Appearance) -> Picture:
    """Draw why a deal is void, with the remaining cards of the stock, and the score."""
    begin = _BANNER + (_RESULT if view.score.over else 0)
    foot = begin + _VOID + _SECTION_GAP + _HEADER
    canvas = Canvas(WIDTH, foot + _sums_height(view) + _FOOT, appearance)
    middle = (_BANNER + 8) // 2
    if view.score.over:
        _draw_match_banner(canvas, view, monograms)
        middle = begin - _RESULT // 2 - 8
    x = _LEFT + canvas.text(_LEFT, middle + _TITLE // 2, phrases.VOID, _TITLE) + PADDING
    nothing = tag(phrases.NO_POINTS, _TEXT, RECESS, TEXT)
    canvas.put(nothing, _RIGHT - nothing.width, middle - nothing.height // 2)
    if view.boards > 1:
        board = _board(view)
        canvas.put(board, x, middle - board.height // 2)
    canvas.panel((MARGIN, begin, WIDTH - MARGIN, begin + _VOID))
    top = begin + (_VOID - LARGE.height) // 2
    for place in range(_LEFT_OVER):
        canvas.put(back(appearance), _LEFT + 2 * PADDING + place * LARGE.width // 2, top)
    if not view.outcome.too_long:
        left = tag(str(_LEFT_OVER), _TEXT, RECESS, TEXT)
        canvas.put(left, _LEFT + 2 * PADDING + LARGE.width - left.width // 2, top + (LARGE.height - left.height) // 2)
    lines = phrases.void_explanation(view, monograms)
    y = begin + (_VOID - (len(lines) - 1) * _LINE + _TEXT) // 2
    for line in lines:
        canvas.text(_VOID_TEXT, y, line, _TEXT, ground=RECESS)
        y += _LINE
    _draw_score(canvas, view, monograms, foot - _HEADER // 2)
    end = _draw_sums(canvas, view, monograms, foot)
    canvas.text(_LEFT, end + (_FOOT - MARGIN + CAP) // 2, phrases.deal_and_goal(view), CAP, ink=MIST)
    return canvas.picture(alt_text.showdown(view, monograms, appearance.language))


def _draw_score(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], middle: int) -> None:
    """Draw every side's points in one line."""
    label = phrases.score_label(view)
    x = _LEFT + canvas.text(_LEFT, middle + _TEXT // 2, label, _TEXT, ink=MIST) + 2 * PADDING
    for place, seats in enumerate(view.sides):
        for seat in seats:
            canvas.put(badge(seat, monograms[seat], _BADGE), x, middle - _BADGE // 2)
            x += _BADGE + PADDING
        x += canvas.text(x, middle + _TEXT // 2, phrases.side_points(view, place), _TEXT + 4) + 3 * PADDING
