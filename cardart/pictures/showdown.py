"""The showdown of a deal: the hands laid down, with lay-offs on their melds, and the points. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches import facts
from bot.engine.matches.views import ShowdownView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, MEDIUM_LARGE, back
from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT
from cardart.parts.badges import badge
from cardart.parts.card_rows import FRAME_PADDING, CardRow, card_groups, wrap_rows
from cardart.parts.celebration import draw_confetti
from cardart.text import alt_text, phrases

_ROW_WIDTH: Final = WIDTH - 2 * MARGIN
_LEFT: Final = MARGIN + FRAME_PADDING
_RIGHT: Final = WIDTH - MARGIN - FRAME_PADDING

_BANNER_HEIGHT: Final = 104
_RESULT_HEIGHT: Final = 72
"""Height of the line with the last deal's points, below the banner with the winner of the match."""
_TITLE_CAP: Final = 36
_TEXT_CAP: Final = 23
_POINTS_CAP: Final = 30
_HEADER_HEIGHT: Final = 60
_BADGE_SIZE: Final = 48
_LIFT: Final = 14
_SECTION_GAP: Final = 12
_MIN_CROWDED_HANDS: Final = 3
"""Minimum number of hands for which smaller cards are used."""
_LINE_HEIGHT: Final = 42
_FOOT_HEIGHT: Final = 58
"""Distance from the last section to the bottom of the picture."""
_VOID_HEIGHT: Final = 232
"""Height of the panel that explains a void deal."""
_VOID_TEXT_LEFT: Final = MARGIN + 270
_VOID_STOCK: Final = 2
"""Number of cards in the stock when a deal becomes void."""
_SUM_HEIGHT: Final = 54
"""Height of a line that shows the calculation of a side's total, such as `105 + 100 match = 205`."""
_SUM_BADGE_SIZE: Final = 42
_SUM_CAPS: Final = (_TEXT_CAP, LABEL_CAP + 2, LABEL_CAP, LABEL_CAP - 2)
"""Cap heights to try for the calculations of totals. The first at which every line fits is used."""
_CONFETTI_DENSITY: Final = 130
"""Pieces of confetti per 100,000 pixels of the banner."""


def draw_showdown(view: ShowdownView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the showdown. A void deal shows no hands, but explains why it is void.

    Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    if view.outcome.kind is OutcomeKind.VOID:
        return _draw_void(view, monograms, appearance)
    sections = _sections(view, appearance)
    sections_top = _BANNER_HEIGHT + (_RESULT_HEIGHT if view.score.is_over else 0)
    height = sections_top + sum(_section_height(lines) for _, lines in sections) + _sums_height(view) + _FOOT_HEIGHT
    canvas = Canvas(WIDTH, height, appearance)
    if view.score.is_over:
        _draw_match_banner(canvas, view, monograms)
        _draw_outcome(canvas, view, monograms, sections_top - _RESULT_HEIGHT // 2 - 8)
    else:
        _draw_outcome(canvas, view, monograms, (_BANNER_HEIGHT + 8) // 2)
    top = sections_top
    for seat, rows in sections:
        _draw_section(canvas, view, seat, monograms[seat], rows, top)
        top += _section_height(rows)
    top = _draw_sums(canvas, view, monograms, top)
    canvas.text(_LEFT, top + (_FOOT_HEIGHT - MARGIN + LABEL_CAP) // 2, phrases.deal_and_goal(view), LABEL_CAP, ink=MIST)
    return canvas.picture(alt_text.showdown(view, monograms, appearance.language))


def _sections(view: ShowdownView, appearance: Appearance) -> list[tuple[Seat, list[CardRow]]]:
    """Return each player's hand as rows of cards, then the seats that sat out, without rows.

    Cards have the largest size at which each hand fits into one row, if there is such a size.
    """
    knocker, *others = facts.knocker_first(view)
    hands = [(knocker, card_groups(view.hand(knocker), view.outcome.lay_offs, total=view.deadwood(knocker)))]
    hands += [(seat, card_groups(view.hand(seat), total=view.deadwood(seat))) for seat in others]
    sections: list[tuple[Seat, list[CardRow]]] = []
    # Try smaller and smaller cards. If a hand needs two rows even with the smallest cards, use a larger size again.
    sizes = (LARGE, MEDIUM_LARGE, MEDIUM, MEDIUM_LARGE)
    for size in sizes[1:] if len(hands) >= _MIN_CROWDED_HANDS else sizes:
        sections = [(seat, wrap_rows(groups, _ROW_WIDTH, appearance, size)) for seat, groups in hands]
        if all(len(lines) == 1 for _, lines in sections):
            break
    return [*sections, *((seat, list[CardRow]()) for seat in facts.sitting_out(view))]


def _section_height(rows: Sequence[CardRow]) -> int:
    return _HEADER_HEIGHT + sum(map(_row_height, rows)) + _SECTION_GAP


def _row_height(row: CardRow) -> int:
    return row.size.height + 2 * FRAME_PADDING + _lift(row)


def _lift(row: CardRow) -> int:
    """Return the space that raised cards need above the other cards of their row."""
    return _LIFT if any(group.raised for group in row.groups) else 0


def _draw_match_banner(canvas: Canvas, view: ShowdownView, monograms: Sequence[str]) -> None:
    """Draw the winner of the match on confetti, and both totals if there are two sides."""
    score, middle, x = view.score, (_BANNER_HEIGHT + 8) // 2, _LEFT
    sprites: list[tuple[Sprite, int]] = []
    for seat in () if score.winner is None else view.sides[score.winner]:
        sprites.append((badge(seat, monograms[seat], _BADGE_SIZE + FRAME_PADDING), x))
        x += _BADGE_SIZE + FRAME_PADDING
    x += FRAME_PADDING if sprites else 0
    title = tag(phrases.match_headline(view), _TITLE_CAP - 4, GOLD, BLACK)
    sprites.append((title, x))
    if len(view.sides) == 2:
        room = _RIGHT - x - title.width - FRAME_PADDING
        totals = [tag(phrases.final_totals(view), cap, RECESS, TEXT) for cap in (_TITLE_CAP - 4, _TEXT_CAP, LABEL_CAP)]
        totals_tag = next((total for total in totals if total.width <= room), totals[-1])
        sprites.append((totals_tag, _RIGHT - totals_tag.width))
    _draw_confetti(canvas)
    _put_sprites(canvas, sprites, middle)


def _draw_outcome(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], middle: int) -> None:
    """Draw the outcome and points of the deal, vertically centred on `middle`; smaller if the match is over."""
    title, x = phrases.OUTCOME_TITLES[view.outcome.kind], _LEFT
    sprites = _earned_sprites(view, monograms)
    cap = _TEXT_CAP if view.score.is_over else _TITLE_CAP
    if view.outcome.kind in facts.CELEBRATED_OUTCOMES:
        if not view.score.is_over:
            _draw_confetti(canvas)
        label = tag(title, cap, GOLD, BLACK)
        sprites.append((label, x))
        x += label.width
    else:
        x += canvas.text(x, middle + cap // 2, title, cap)
    if view.boards > 1:
        board = _board_tag(view)
        sprites.append((board, x + FRAME_PADDING))
    _put_sprites(canvas, sprites, middle)


def _draw_confetti(canvas: Canvas) -> None:
    """Draw confetti all over the banner, as a background for its labels."""
    draw_confetti(
        canvas,
        (RAIL_WIDTH, RAIL_WIDTH, WIDTH - 2 * RAIL_WIDTH, _BANNER_HEIGHT - RAIL_WIDTH),
        [(0, WIDTH)],
        _CONFETTI_DENSITY,
    )


def _put_sprites(canvas: Canvas, sprites: Sequence[tuple[Sprite, int]], middle: int) -> None:
    """Draw sprites with the given left edges, vertically centred on `middle`."""
    for sprite, left in sprites:
        canvas.put(sprite, left, middle - sprite.height // 2)


def _earned_sprites(view: ShowdownView, monograms: Sequence[str]) -> list[tuple[Sprite, int]]:
    """Return the points and the winner of the deal, as sprites with their left edges.

    If players are charged penalty points, their own rows show these points, and the banner shows only the winner.
    """
    winner = view.outcome.winner
    text = phrases.WINS_DEAL if view.penalty_points else phrases.points_sum(view)
    label = tag(text, _TEXT_CAP if view.penalty_points or view.score.is_over else _POINTS_CAP, RECESS, TEXT)
    x = _RIGHT - label.width
    sprites = [(label, x)]
    if winner is not None:
        x -= _BADGE_SIZE - FRAME_PADDING
        sprites.append((badge(winner, monograms[winner], _BADGE_SIZE), x))
    return sprites


def _board_tag(view: ShowdownView) -> Sprite:
    return tag(f"{phrases.BOARD} {view.board}", LABEL_CAP, RECESS, TEXT)


def _draw_section(
    canvas: Canvas, view: ShowdownView, seat: Seat, monogram: str, rows: Sequence[CardRow], top: int
) -> None:
    canvas.put(badge(seat, monogram, _BADGE_SIZE), _LEFT, top + (_HEADER_HEIGHT - _BADGE_SIZE) // 2)
    baseline = top + (_HEADER_HEIGHT + _TEXT_CAP) // 2
    text_left, ink = _LEFT + _BADGE_SIZE + FRAME_PADDING, TEXT if seat in view.seats else MIST
    text_left += canvas.text(text_left, baseline, phrases.seat_outcome(view, seat), _TEXT_CAP, ink=ink) + FRAME_PADDING
    x = _RIGHT
    for label, number in phrases.seat_standing(view, seat):
        x -= canvas.text(x, baseline, number, _TEXT_CAP + 4, align="right") + FRAME_PADDING
        x -= canvas.text(x, baseline, label, _TEXT_CAP, ink=MIST, align="right") + 2 * FRAME_PADDING
    charge_text = phrases.charge_sums(view).get(seat)
    if charge_text is not None:
        labels = [tag(charge_text, cap, RECESS, TEXT) for cap in _SUM_CAPS]
        label = next((label for label in labels if label.width <= x - text_left), labels[-1])
        canvas.put(label, x - label.width, top + (_HEADER_HEIGHT - label.height) // 2)
    y = top + _HEADER_HEIGHT
    for row in rows:
        row.draw(canvas, y + _lift(row) + FRAME_PADDING, _lift(row))
        y += _row_height(row)


def _sums_height(view: ShowdownView) -> int:
    """Return the height of the panel that shows how the final totals are calculated; 0 if there is no such panel."""
    lines = len(phrases.final_sums(view))
    return lines * _SUM_HEIGHT + 2 * FRAME_PADDING if lines else 0


def _draw_sums(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], top: int) -> int:
    """Draw the calculation of the final total of each side that earned bonuses. Return the bottom of the panel."""
    sums, end = phrases.final_sums(view, short=True), top + _sums_height(view)
    if not sums:
        return end
    canvas.panel((MARGIN, top, WIDTH - MARGIN, end))
    room = _RIGHT - _LEFT - max(map(len, view.sides)) * _SUM_BADGE_SIZE - FRAME_PADDING
    fitting_caps = (cap for cap in _SUM_CAPS if all(text_mask(added, cap).width + cap <= room for _, added in sums))
    cap = next(fitting_caps, _SUM_CAPS[-1])
    y = top + FRAME_PADDING
    for side, added in sums:
        x, middle = _LEFT, y + _SUM_HEIGHT // 2
        for seat in view.sides[side]:
            canvas.put(badge(seat, monograms[seat], _SUM_BADGE_SIZE), x, middle - _SUM_BADGE_SIZE // 2)
            x += _SUM_BADGE_SIZE
        parts, _, total = added.rpartition(" = ")
        canvas.text(x + FRAME_PADDING, middle + cap // 2, parts, cap, ink=MIST, background=RECESS)
        ink = GOLD if side == view.score.winner else TEXT
        canvas.text(_RIGHT, middle + cap // 2, f"= {total}", cap, ink=ink, background=RECESS, align="right")
        y += _SUM_HEIGHT
    return end


def _draw_void(view: ShowdownView, monograms: Sequence[str], appearance: Appearance) -> Picture:
    """Draw a void deal: the reason, the remaining cards of the stock, and the score."""
    panel_top = _BANNER_HEIGHT + (_RESULT_HEIGHT if view.score.is_over else 0)
    score_top = panel_top + _VOID_HEIGHT + _SECTION_GAP + _HEADER_HEIGHT
    canvas = Canvas(WIDTH, score_top + _sums_height(view) + _FOOT_HEIGHT, appearance)
    middle = (_BANNER_HEIGHT + 8) // 2
    if view.score.is_over:
        _draw_match_banner(canvas, view, monograms)
        middle = panel_top - _RESULT_HEIGHT // 2 - 8
    x = _LEFT + canvas.text(_LEFT, middle + _TITLE_CAP // 2, phrases.VOID, _TITLE_CAP) + FRAME_PADDING
    points_tag = tag(phrases.NO_POINTS, _TEXT_CAP, RECESS, TEXT)
    canvas.put(points_tag, _RIGHT - points_tag.width, middle - points_tag.height // 2)
    if view.boards > 1:
        board_tag = _board_tag(view)
        canvas.put(board_tag, x, middle - board_tag.height // 2)
    canvas.panel((MARGIN, panel_top, WIDTH - MARGIN, panel_top + _VOID_HEIGHT))
    top = panel_top + (_VOID_HEIGHT - LARGE.height) // 2
    for position in range(_VOID_STOCK):
        canvas.put(back(appearance), _LEFT + 2 * FRAME_PADDING + position * LARGE.width // 2, top)
    if not view.outcome.is_too_long:
        count_tag = tag(str(_VOID_STOCK), _TEXT_CAP, RECESS, TEXT)
        canvas.put(
            count_tag,
            _LEFT + 2 * FRAME_PADDING + LARGE.width - count_tag.width // 2,
            top + (LARGE.height - count_tag.height) // 2,
        )
    lines = phrases.void_explanation(view, monograms)
    y = panel_top + (_VOID_HEIGHT - (len(lines) - 1) * _LINE_HEIGHT + _TEXT_CAP) // 2
    for line in lines:
        canvas.text(_VOID_TEXT_LEFT, y, line, _TEXT_CAP, background=RECESS)
        y += _LINE_HEIGHT
    _draw_score(canvas, view, monograms, score_top - _HEADER_HEIGHT // 2)
    sums_bottom = _draw_sums(canvas, view, monograms, score_top)
    canvas.text(
        _LEFT, sums_bottom + (_FOOT_HEIGHT - MARGIN + LABEL_CAP) // 2, phrases.deal_and_goal(view), LABEL_CAP, ink=MIST
    )
    return canvas.picture(alt_text.showdown(view, monograms, appearance.language))


def _draw_score(canvas: Canvas, view: ShowdownView, monograms: Sequence[str], middle: int) -> None:
    """Draw every side's points in one line."""
    label = phrases.score_label(view)
    x = _LEFT + canvas.text(_LEFT, middle + _TEXT_CAP // 2, label, _TEXT_CAP, ink=MIST) + 2 * FRAME_PADDING
    for side, seats in enumerate(view.sides):
        for seat in seats:
            canvas.put(badge(seat, monograms[seat], _BADGE_SIZE), x, middle - _BADGE_SIZE // 2)
            x += _BADGE_SIZE + FRAME_PADDING
        x += canvas.text(x, middle + _TEXT_CAP // 2, phrases.side_points(view, side), _TEXT_CAP + 4) + 3 * FRAME_PADDING
