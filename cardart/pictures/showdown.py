"""The showdown of a deal: the hands laid down, with lay-offs on their melds, and the points. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches import facts
from bot.engine.matches.views import ShowdownView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MEDIUM_LARGE, back, index_height
from cardart.deck.faces import Size
from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Canvas, Picture
from cardart.drawing.lettering import fitted_text, text_mask, text_width, writable_name
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT
from cardart.parts.card_rows import FRAME_PADDING, LEDGE_HEIGHT, LEDGE_OVERLAP, RING_WIDTH, CardRow, card_groups
from cardart.parts.celebration import draw_confetti
from cardart.parts.portraits import Portrait, draw_portrait, full_names, monograms
from cardart.text import alt_text, phrases

_ROW_WIDTH: Final = WIDTH - 2 * MARGIN
_LEFT: Final = MARGIN + FRAME_PADDING
_RIGHT: Final = WIDTH - MARGIN - FRAME_PADDING

_BANNER_HEIGHT: Final = 72
_BANNER_MIDDLE: Final = (_BANNER_HEIGHT + RAIL_WIDTH) // 2
_RESULT_HEIGHT: Final = 54
"""Height of the line with the last deal's points, below the banner with the winner of the match."""
_TITLE_CAP: Final = 28
_TEXT_CAP: Final = 23
_POINTS_CAP: Final = 25
_HEADER_HEIGHT: Final = 42
PORTRAIT_SIDE: Final = 44
"""Side of the portraits in headers, in the line with the points, and in the score of a void deal."""
_BANNER_PORTRAIT: Final = 50
_MIN_NAME_WIDTH: Final = 80
"""Minimum width of a name that is cut off. If there is less room, the name is left out."""
_LIFT: Final = 12
_SECTION_GAP: Final = 10
_MAX_HEIGHTS: Final = {2: 480, 3: 480, 4: 600}
"""Maximum height of the picture by number of hands, without what is added at the end of the match."""
_MAX_FINAL_HEIGHT: Final = 680
"""Maximum height of the picture at the end of the match."""
CARD_SIZES: Final = (LARGE, MEDIUM_LARGE, MEDIUM, COMPACT, Size(64, 88), Size(56, 77), Size(50, 69), Size(44, 60))
"""Card sizes. All hands of a deal use one size, and the smallest sizes are for hands with many cards laid off."""
_SHOWN_FRACTIONS: Final = (0.6, 0.75, 0.46)
"""Fractions of the height of cards to show, best first.

The first ends between two rows of pips. Large indices need the second one. The third shows little more than indices.
"""
_LINE_HEIGHT: Final = 36
_FOOT_HEIGHT: Final = 37
"""Distance from the last section to the bottom of the picture."""
_FOOT_CAPS: Final = (LABEL_CAP, LABEL_CAP - 2, LABEL_CAP - 4)
"""Cap heights to try for the deal and the goal. The first that fits is used."""
FOOT_PORTRAIT_SIDE: Final = 32
"""Side of the portrait of a player who sat out."""
_VOID_HEIGHT: Final = 168
"""Height of the panel that explains a void deal."""
_VOID_TEXT_LEFT: Final = MARGIN + 190
_VOID_STOCK: Final = 2
"""Number of cards in the stock when a deal becomes void."""
_SUM_HEIGHT: Final = 44
"""Height of a line that shows the calculation of a side's total, such as `105 + 100 match = 205`."""
_SUM_PORTRAIT: Final = 36
_SUM_CAPS: Final = (_TEXT_CAP, LABEL_CAP + 2, LABEL_CAP, LABEL_CAP - 2)
"""Cap heights to try for the calculations of totals. The first at which every line fits is used."""
_CHARGE_CAPS: Final = (LABEL_CAP + 1, LABEL_CAP - 1, LABEL_CAP - 3)
"""Cap heights to try for the calculation of a player's penalty points. The first that fits is used."""
_CONFETTI_DENSITY: Final = 130
"""Pieces of confetti per 100,000 pixels of the banner."""


def draw_showdown(
    view: ShowdownView, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw the showdown. A void deal shows no hands, but explains why it is void. `portraits` are by seat.

    Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    if view.outcome.kind is OutcomeKind.VOID:
        return _draw_void(view, portraits, appearance)
    result_height = _RESULT_HEIGHT if view.score.is_over else 0
    sections_top, sums_height = _BANNER_HEIGHT + result_height, _sums_height(view)
    max_height = min(_MAX_HEIGHTS[len(view.seats)], _MAX_FINAL_HEIGHT - result_height - sums_height)
    sections, shown_height = _sections(view, appearance, max_height - _BANNER_HEIGHT - _FOOT_HEIGHT)
    sections_height = sum(_section_height(row, shown_height) for _, row in sections)
    canvas = Canvas(WIDTH, sections_top + sections_height + sums_height + _FOOT_HEIGHT, appearance)
    if view.score.is_over:
        _draw_match_banner(canvas, view, portraits)
        _draw_outcome(canvas, view, portraits, sections_top - _RESULT_HEIGHT // 2)
    else:
        _draw_outcome(canvas, view, portraits, _BANNER_MIDDLE)
    top = sections_top
    for seat, row in sections:
        _draw_section(canvas, view, seat, portraits[seat], row, top, shown_height)
        top += _section_height(row, shown_height)
    _draw_foot(canvas, view, portraits, _draw_sums(canvas, view, portraits, top))
    return canvas.picture(_alt(view, portraits, appearance))


def _sections(
    view: ShowdownView, appearance: Appearance, max_height: int
) -> tuple[list[tuple[Seat, CardRow | None]], int]:
    """Return each player's hand as a row of cards, None if no card is left, and the height that is shown of each card.

    Cards have the largest size at which every index is visible and the hands fit into `max_height`, if there is one.
    """
    knocker, *others = facts.knocker_first(view)
    hands = [(knocker, card_groups(view.hand(knocker), view.outcome.lay_offs, total=view.deadwood(knocker)))]
    hands += [(seat, card_groups(view.hand(seat), total=view.deadwood(seat))) for seat in others]
    sections: list[tuple[Seat, CardRow | None]] = []
    shown_height = 0
    for size, shown_height in _sizes_and_shown_heights(appearance):
        sections = [
            (seat, CardRow.of(groups, _ROW_WIDTH, appearance, size) if groups else None) for seat, groups in hands
        ]
        if sum(_section_height(row, shown_height) for _, row in sections) <= max_height and all(
            row is None or row.is_readable(appearance) for _, row in sections
        ):
            break
    return sections, shown_height


@cache
def _sizes_and_shown_heights(appearance: Appearance) -> tuple[tuple[Size, int], ...]:
    """Return the sizes of cards to try, each with the height of their upper part, which shows the whole index."""
    looks = [(size, round(size.height * fraction)) for size in CARD_SIZES for fraction in _SHOWN_FRACTIONS]
    return tuple((size, height) for size, height in looks if index_height(appearance, size) <= height - LEDGE_OVERLAP)


def _section_height(row: CardRow | None, shown_height: int) -> int:
    return _HEADER_HEIGHT + _SECTION_GAP + (0 if row is None else _space_above(row) + shown_height + LEDGE_HEIGHT)


def _space_above(row: CardRow) -> int:
    """Return the space above the cards of a row that are not raised."""
    return _LIFT + RING_WIDTH if any(group.raised for group in row.groups) else FRAME_PADDING


def _draw_match_banner(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait]) -> None:
    """Draw the winner of the match on confetti, and both totals if there are two sides."""
    _draw_confetti(canvas)
    score, x = view.score, _LEFT
    for seat in () if score.winner is None else view.sides[score.winner]:
        draw_portrait(canvas, seat, portraits[seat], x, _BANNER_MIDDLE - _BANNER_PORTRAIT // 2, _BANNER_PORTRAIT)
        x += _BANNER_PORTRAIT
    x += FRAME_PADDING if x > _LEFT else 0
    title = tag(phrases.match_headline(view), _TITLE_CAP - 2, GOLD, BLACK)
    canvas.put(title, x, _BANNER_MIDDLE - title.height // 2)
    if len(view.sides) == 2:
        room = _RIGHT - x - title.width - FRAME_PADDING
        totals = [tag(phrases.final_totals(view), cap, RECESS, TEXT) for cap in (_TITLE_CAP - 2, _TEXT_CAP, LABEL_CAP)]
        totals_tag = next((total for total in totals if total.width <= room), totals[-1])
        canvas.put(totals_tag, _RIGHT - totals_tag.width, _BANNER_MIDDLE - totals_tag.height // 2)


def _draw_outcome(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], middle: int) -> None:
    """Draw the outcome and points of the deal, vertically centred on `middle`; smaller if the match is over."""
    title, x = phrases.OUTCOME_TITLES[view.outcome.kind], _LEFT
    cap = _TEXT_CAP if view.score.is_over else _TITLE_CAP
    if view.outcome.kind in facts.CELEBRATED_OUTCOMES:
        if not view.score.is_over:
            _draw_confetti(canvas)
        label = tag(title, cap, GOLD, BLACK)
        canvas.put(label, x, middle - label.height // 2)
        x += label.width
    else:
        x += canvas.text(x, middle + cap // 2, title, cap)
    if view.boards > 1:
        board = _board_tag(view)
        canvas.put(board, x + FRAME_PADDING, middle - board.height // 2)
    _draw_earned(canvas, view, portraits, middle)


def _draw_confetti(canvas: Canvas) -> None:
    """Draw confetti all over the banner, as a background for its labels."""
    draw_confetti(
        canvas,
        (RAIL_WIDTH, RAIL_WIDTH, WIDTH - 2 * RAIL_WIDTH, _BANNER_HEIGHT - RAIL_WIDTH),
        [(0, WIDTH)],
        _CONFETTI_DENSITY,
    )


def _draw_earned(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], middle: int) -> None:
    """Draw the points and the winner of the deal.

    If players are charged penalty points, their own rows show these points, and the banner shows only the winner.
    """
    winner = view.outcome.winner
    text = phrases.WINS_DEAL if view.penalty_points else phrases.points_sum(view)
    label = tag(text, _TEXT_CAP if view.penalty_points or view.score.is_over else _POINTS_CAP, RECESS, TEXT)
    x = _RIGHT - label.width
    canvas.put(label, x, middle - label.height // 2)
    if winner is not None:
        x -= PORTRAIT_SIDE - FRAME_PADDING
        draw_portrait(canvas, winner, portraits[winner], x, middle - PORTRAIT_SIDE // 2, PORTRAIT_SIDE)


def _board_tag(view: ShowdownView) -> Sprite:
    return tag(f"{phrases.BOARD} {view.board}", LABEL_CAP, RECESS, TEXT)


def _draw_section(
    canvas: Canvas,
    view: ShowdownView,
    seat: Seat,
    portrait: Portrait,
    row: CardRow | None,
    top: int,
    shown_height: int,
) -> None:
    """Draw a player's portrait, name, result and score, and the cards."""
    draw_portrait(canvas, seat, portrait, _LEFT, top + (_HEADER_HEIGHT - PORTRAIT_SIDE) // 2, PORTRAIT_SIDE)
    baseline = top + (_HEADER_HEIGHT + _TEXT_CAP) // 2
    text_left, right = _LEFT + PORTRAIT_SIDE + FRAME_PADDING, _RIGHT
    for label, number in phrases.seat_standing(view, seat):
        right -= canvas.text(right, baseline, number, _TEXT_CAP + 4, align="right") + FRAME_PADDING
        right -= canvas.text(right, baseline, label, _TEXT_CAP, ink=MIST, align="right") + 2 * FRAME_PADDING
    outcome, charge_text = phrases.seat_outcome(view, seat), phrases.charge_sums(view).get(seat)
    outcome_width = text_width(outcome, _TEXT_CAP)
    if charge_text is not None:
        labels = [tag(charge_text, cap, RECESS, TEXT) for cap in _CHARGE_CAPS]
        room = right - text_left - outcome_width - FRAME_PADDING
        charge_label = next((label for label in labels if label.width <= room), labels[-1])
        right -= charge_label.width
        canvas.put(charge_label, right, top + (_HEADER_HEIGHT - charge_label.height) // 2)
        right -= FRAME_PADDING
    # There is no room for names next to the calculations of penalty points.
    name = "" if view.penalty_points else _fitted_name(portrait, right - text_left - outcome_width - FRAME_PADDING)
    text_left += canvas.text(text_left, baseline, name, _TEXT_CAP, ink=MIST) + FRAME_PADDING if name else 0
    canvas.text(text_left, baseline, outcome, _TEXT_CAP)
    if row is not None:
        row.draw_standing(canvas, top + _HEADER_HEIGHT + _space_above(row), shown_height, _LIFT)


def _fitted_name(portrait: Portrait, max_width: int) -> str:
    """Return a player's name, cut off if it is too wide. Return an empty string if too little of it would be left."""
    name = writable_name(portrait.name)
    if not name or text_width(name, _TEXT_CAP) <= max_width:
        return name
    return fitted_text(name, _TEXT_CAP, _TEXT_CAP, max_width)[0] if max_width >= _MIN_NAME_WIDTH else ""


def _draw_foot(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], top: int) -> None:
    """Draw the deal and the goal of the match, and next to them the score of a player who sat out."""
    middle = top + (_FOOT_HEIGHT - _SECTION_GAP - RAIL_WIDTH) // 2 - 2
    baseline, x = middle + (LABEL_CAP + 1) // 2, _RIGHT
    for seat in () if view.outcome.kind is OutcomeKind.VOID else facts.sitting_out(view):
        for label, number in phrases.seat_standing(view, seat):
            x -= canvas.text(x, baseline, number, LABEL_CAP, align="right") + FRAME_PADDING
            x -= canvas.text(x, baseline, label, LABEL_CAP, ink=MIST, align="right") + 2 * FRAME_PADDING
        x -= canvas.text(x, baseline, phrases.seat_outcome(view, seat), LABEL_CAP, ink=MIST, align="right")
        x -= FOOT_PORTRAIT_SIDE + FRAME_PADDING
        draw_portrait(canvas, seat, portraits[seat], x, middle - FOOT_PORTRAIT_SIDE // 2, FOOT_PORTRAIT_SIDE)
        x -= FRAME_PADDING
    text = phrases.deal_and_goal(view)
    cap = next((cap for cap in _FOOT_CAPS if _LEFT + text_mask(text, cap).width <= x), _FOOT_CAPS[-1])
    canvas.text(_LEFT, baseline, text, cap, ink=MIST)


def _sums_height(view: ShowdownView) -> int:
    """Return the height of the panel that shows how the final totals are calculated; 0 if there is no such panel."""
    lines = len(phrases.final_sums(view))
    return lines * _SUM_HEIGHT + 2 * FRAME_PADDING + _SECTION_GAP if lines else 0


def _draw_sums(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], top: int) -> int:
    """Draw the calculation of the final total of each side that earned bonuses. Return the bottom of the panel."""
    sums, end = phrases.final_sums(view, short=True), top + _sums_height(view)
    if not sums:
        return end
    canvas.panel((MARGIN, top, WIDTH - MARGIN, end - _SECTION_GAP))
    room = _RIGHT - _LEFT - max(map(len, view.sides)) * _SUM_PORTRAIT - FRAME_PADDING
    fitting_caps = (cap for cap in _SUM_CAPS if all(text_mask(added, cap).width + cap <= room for _, added in sums))
    cap = next(fitting_caps, _SUM_CAPS[-1])
    y = top + FRAME_PADDING
    for side, added in sums:
        x, middle = _LEFT, y + _SUM_HEIGHT // 2
        for seat in view.sides[side]:
            draw_portrait(canvas, seat, portraits[seat], x, middle - _SUM_PORTRAIT // 2, _SUM_PORTRAIT)
            x += _SUM_PORTRAIT
        parts, _, total = added.rpartition(" = ")
        canvas.text(x + FRAME_PADDING, middle + cap // 2, parts, cap, ink=MIST, background=RECESS)
        ink = GOLD if side == view.score.winner else TEXT
        canvas.text(_RIGHT, middle + cap // 2, f"= {total}", cap, ink=ink, background=RECESS, align="right")
        y += _SUM_HEIGHT
    return end


def _draw_void(view: ShowdownView, portraits: Sequence[Portrait], appearance: Appearance) -> Picture:
    """Draw a void deal: the reason, the remaining cards of the stock, and the score."""
    panel_top = _BANNER_HEIGHT + (_RESULT_HEIGHT if view.score.is_over else 0)
    score_top = panel_top + _VOID_HEIGHT + 2 * _SECTION_GAP + _HEADER_HEIGHT
    canvas = Canvas(WIDTH, score_top + _sums_height(view) + _FOOT_HEIGHT, appearance)
    middle = _BANNER_MIDDLE
    if view.score.is_over:
        _draw_match_banner(canvas, view, portraits)
        middle = panel_top - _RESULT_HEIGHT // 2
    x = _LEFT + canvas.text(_LEFT, middle + _TITLE_CAP // 2, phrases.VOID, _TITLE_CAP) + FRAME_PADDING
    points_tag = tag(phrases.NO_POINTS, _TEXT_CAP, RECESS, TEXT)
    canvas.put(points_tag, _RIGHT - points_tag.width, middle - points_tag.height // 2)
    if view.boards > 1:
        board_tag = _board_tag(view)
        canvas.put(board_tag, x, middle - board_tag.height // 2)
    canvas.panel((MARGIN, panel_top, WIDTH - MARGIN, panel_top + _VOID_HEIGHT))
    top = panel_top + (_VOID_HEIGHT - MEDIUM_LARGE.height) // 2
    for position in range(_VOID_STOCK):
        canvas.put(back(appearance, MEDIUM_LARGE), _LEFT + FRAME_PADDING + position * MEDIUM_LARGE.width // 2, top)
    if not view.outcome.is_too_long:
        count_tag = tag(str(_VOID_STOCK), _TEXT_CAP, RECESS, TEXT)
        canvas.put(
            count_tag,
            _LEFT + FRAME_PADDING + MEDIUM_LARGE.width - count_tag.width // 2,
            top + (MEDIUM_LARGE.height - count_tag.height) // 2,
        )
    lines = phrases.void_explanation(view, [writable_name(shown.name) or shown.monogram for shown in portraits])
    if max(text_width(line, _TEXT_CAP) for line in lines) > _RIGHT - _VOID_TEXT_LEFT - FRAME_PADDING:
        lines = phrases.void_explanation(view, monograms(portraits))
    y = panel_top + (_VOID_HEIGHT - (len(lines) - 1) * _LINE_HEIGHT + _TEXT_CAP) // 2
    for line in lines:
        canvas.text(_VOID_TEXT_LEFT, y, line, _TEXT_CAP, background=RECESS)
        y += _LINE_HEIGHT
    _draw_score(canvas, view, portraits, score_top - _SECTION_GAP - _HEADER_HEIGHT // 2)
    _draw_foot(canvas, view, portraits, _draw_sums(canvas, view, portraits, score_top))
    return canvas.picture(_alt(view, portraits, appearance))


def _alt(view: ShowdownView, portraits: Sequence[Portrait], appearance: Appearance) -> str:
    return alt_text.named(
        lambda labels: alt_text.showdown(view, labels, appearance.language),
        full_names(portraits),
        monograms(portraits),
    )


def _draw_score(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], middle: int) -> None:
    """Draw every side's points in one line."""
    label = phrases.score_label(view)
    x = _LEFT + canvas.text(_LEFT, middle + _TEXT_CAP // 2, label, _TEXT_CAP, ink=MIST) + 2 * FRAME_PADDING
    for side, seats in enumerate(view.sides):
        for seat in seats:
            draw_portrait(canvas, seat, portraits[seat], x, middle - PORTRAIT_SIDE // 2, PORTRAIT_SIDE)
            x += PORTRAIT_SIDE + FRAME_PADDING
        x += canvas.text(x, middle + _TEXT_CAP // 2, phrases.side_points(view, side), _TEXT_CAP + 4) + 3 * FRAME_PADDING
