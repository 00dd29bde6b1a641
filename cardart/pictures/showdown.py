"""The showdown of a deal: the hands laid down, with lay-offs on their melds, and the points. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches import facts
from bot.engine.matches.views import ShowdownView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MEDIUM_LARGE, back, index_height
from cardart.deck.faces import Size
from cardart.drawing.canvas import LABEL_CAP, MARGIN, PANEL, RAIL_WIDTH, WIDTH, Box, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import fitted_text, text_mask, text_width
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, FELT, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.card_rows import FRAME_PADDING, LEDGE_HEIGHT, LEDGE_OVERLAP, RING_WIDTH, CardRow, card_groups
from cardart.parts.celebration import draw_confetti
from cardart.parts.portraits import Portrait, draw_portrait, full_names, monograms, shown_names
from cardart.text import alt_text, phrases

_INSET: Final = 12
"""Space between the frame of the winner's section and its contents. All sections have this space."""
_LEFT: Final = MARGIN + _INSET
_RIGHT: Final = WIDTH - MARGIN - _INSET
_ROW_WIDTH: Final = _RIGHT - _LEFT

_BANNER_HEIGHT: Final = 76
_BANNER_MIDDLE: Final = (_BANNER_HEIGHT + RAIL_WIDTH) // 2
_RESULT_HEIGHT: Final = 62
"""Height of the line with the last deal's points, below the banner with the winner of the match."""
_RESULT_RISE: Final = 4
"""Distance by which the contents of this line are above its middle."""
_TITLE_CAP: Final = 28
_TEXT_CAP: Final = 23
_NOTE_CAP: Final = 20
_VALUE_CAP: Final = 27
_POINTS_CAP: Final = 29
_SMALL_CAP: Final = 17
"""Cap height of the calculation beneath points, and of the deal and the goal."""
_POINTS_GAP: Final = 8
"""Space between points and their calculation, and between the deal and the goal."""
_POINTS_SPACE: Final = 24
"""Minimum space between the cards of a hand and the penalty points on their right."""
PORTRAIT_SIDE: Final = 40
"""Side of the portraits in headers, in the line with the points, and in the score of a void deal."""
BANNER_PORTRAIT_SIDE: Final = 48
_MIN_NAME_WIDTH: Final = 80
"""Minimum width of a name that is cut off. If there is less room, the name is left out."""
_LIFT: Final = 12
_SECTION_TOP_PADDING: Final = 8
_SECTION_BOTTOM_PADDING: Final = 8
"""Space between the frame of a section and its portrait (`_SECTION_TOP_PADDING`) and its cards."""
_SECTION_GAP: Final = 4
"""Space between two sections, in addition to their padding."""
_HEADER_GAP: Final = 4
"""Space between a portrait and the frames of the melds beneath it, or the space above the cards if it is larger."""
_BOTTOM_SPACE: Final = 14
_WINNER_STYLE: Final = PanelStyle(RECESS, GOLD, 4)
_WINNER_MELD_STYLE: Final = PanelStyle(ground=RECESS)
_MAX_HEIGHTS: Final = {2: 440, 3: 480, 4: 600}
"""Maximum height of the picture by number of hands, without what is added at the end of the match."""
_MAX_FINAL_HEIGHT: Final = 680
"""Maximum height of the picture at the end of the match."""
CARD_SIZES: Final = (
    LARGE,
    MEDIUM_LARGE,
    MEDIUM,
    COMPACT,
    Size(64, 88),
    Size(56, 77),
    Size(50, 69),
    Size(44, 60),
    Size(40, 55),
)
"""Card sizes. All hands of a deal use one size, and the smallest sizes are for hands with many cards laid off."""
_SHOWN_FRACTIONS: Final = (0.6, 0.75, 0.46, 0.8)
"""Fractions of the height of cards to show, best first.

The first leaves enough room for a suit or a figure. Large indices need the second, or on the smallest cards the fourth.
The third shows little more than indices.
"""
_FOOT_HEIGHT: Final = 44
"""Height of the line for a player who sat out."""
_VOID_HEIGHT: Final = 172
"""Height of the panel that explains a void deal."""
_VOID_LINE_GAPS: Final = (16, 13)
"""Space beneath the first and the second line of the explanation of a void deal."""
_VOID_STOCK: Final = 2
"""Number of cards in the stock when a deal becomes void."""
_VOID_STEP: Final = 40
"""Distance between the left edges of these two cards."""
_SUM_HEIGHT: Final = 44
"""Height of a line that shows the calculation of a side's total, such as `105 + 100 match = 205`."""
_SUM_PORTRAIT: Final = 36
_SUM_CAPS: Final = (_TEXT_CAP, LABEL_CAP + 2, LABEL_CAP, LABEL_CAP - 2)
"""Cap heights to try for the calculations of totals. The first at which every line fits is used."""
_CONFETTI_DISTANCE: Final = 6
"""Distance from the area in which confetti falls to the hands below it."""


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
    foot_height = _FOOT_HEIGHT if facts.sitting_out(view) else 0
    max_height = min(_MAX_HEIGHTS[len(view.seats)], _MAX_FINAL_HEIGHT - result_height - sums_height)
    sections, shown_height = _sections(view, appearance, max_height - _BANNER_HEIGHT - foot_height - _BOTTOM_SPACE)
    sections_height = _sections_height([row for _, row in sections], shown_height)
    canvas = Canvas(WIDTH, sections_top + sections_height + sums_height + foot_height + _BOTTOM_SPACE, appearance)
    taken = _draw_match_banner(canvas, view, portraits) if view.score.is_over else []
    taken += _draw_outcome(canvas, view, portraits)
    top = sections_top
    for seat, row in sections:
        height = _section_height(row, shown_height)
        is_winner = seat == view.outcome.winner
        if is_winner:
            canvas.panel((MARGIN, top, WIDTH - MARGIN, top + height), _WINNER_STYLE)
        ground = RECESS if is_winner else FELT
        _draw_header(canvas, view, seat, portraits[seat], top + _SECTION_TOP_PADDING, ground)
        if row is not None:
            cards_top = top + _SECTION_TOP_PADDING + PORTRAIT_SIDE + _HEADER_GAP + _space_above(row)
            style = _WINNER_MELD_STYLE if is_winner else PANEL
            row.draw_standing(canvas, cards_top, shown_height, _LIFT, _LEFT, style)
            _draw_charge(canvas, view, seat, cards_top + shown_height // 2)
        top += height + _SECTION_GAP
    # A banner with the goal of a match with penalty points has no room for confetti.
    if view.score.is_over or (view.outcome.kind in facts.CELEBRATED_OUTCOMES and not view.penalty_points):
        _draw_confetti(canvas, sections_top - _CONFETTI_DISTANCE, taken)
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
    widths = {seat: _ROW_WIDTH - _charge_width(view, seat) for seat, _ in hands}
    sections: list[tuple[Seat, CardRow | None]] = []
    shown_height = 0
    for size, shown_height in _sizes_and_shown_heights(appearance):
        sections = [
            (seat, CardRow.of(groups, widths[seat], appearance, size) if groups else None) for seat, groups in hands
        ]
        rows = [row for _, row in sections]
        if _sections_height(rows, shown_height) <= max_height and all(
            row is None or row.is_readable(appearance) for row in rows
        ):
            break
    return sections, shown_height


@cache
def _sizes_and_shown_heights(appearance: Appearance) -> tuple[tuple[Size, int], ...]:
    """Return the sizes of cards to try, each with the height of their upper part, which shows the whole index."""
    looks = [(size, round(size.height * fraction)) for size in CARD_SIZES for fraction in _SHOWN_FRACTIONS]
    return tuple((size, height) for size, height in looks if index_height(appearance, size) <= height - LEDGE_OVERLAP)


def _sections_height(rows: Sequence[CardRow | None], shown_height: int) -> int:
    return sum(_section_height(row, shown_height) for row in rows) + (len(rows) - 1) * _SECTION_GAP


def _section_height(row: CardRow | None, shown_height: int) -> int:
    cards_height = 0 if row is None else _HEADER_GAP + _space_above(row) + shown_height + LEDGE_HEIGHT
    return _SECTION_TOP_PADDING + PORTRAIT_SIDE + cards_height + _SECTION_BOTTOM_PADDING


def _space_above(row: CardRow) -> int:
    """Return the space above the cards of a row that are not raised."""
    return _LIFT + RING_WIDTH if any(group.raised for group in row.groups) else FRAME_PADDING


def _draw_match_banner(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait]) -> list[Box]:
    """Draw the winner of the match, and both totals if there are two sides. Return the boxes that this covers."""
    score, x = view.score, _LEFT
    seats = () if score.winner is None else view.sides[score.winner]
    for seat in seats:
        draw_portrait(
            canvas, seat, portraits[seat], x, _BANNER_MIDDLE - BANNER_PORTRAIT_SIDE // 2, BANNER_PORTRAIT_SIDE
        )
        x += BANNER_PORTRAIT_SIDE
    x += FRAME_PADDING if x > _LEFT else 0
    right, taken = _RIGHT, list[Box]()
    if len(view.sides) == 2:
        totals = phrases.final_totals(view)
        right -= canvas.text(_RIGHT, _BANNER_MIDDLE + _VALUE_CAP // 2, totals, _VALUE_CAP, align="right")
        taken.append((right, 0, WIDTH, _BANNER_HEIGHT))
        right -= 2 * FRAME_PADDING
    headline = phrases.match_headline(view)
    name = portraits[seats[0]].shown_name if len(seats) == 1 else ""
    longest, cap = fitted_text(f"{name} {headline}".strip(), _TITLE_CAP - 2, _TEXT_CAP, right - x - _TITLE_CAP)
    title = tag(headline if longest.endswith("…") else longest, cap, GOLD, BLACK)
    canvas.put(title, x, _BANNER_MIDDLE - title.height // 2)
    return [*taken, (0, 0, x + title.width, _BANNER_HEIGHT)]


def _draw_outcome(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait]) -> list[Box]:
    """Draw the outcome, the deal, the goal and the points: in the banner or, at the end of the match, beneath it.

    The outcome of the last deal is smaller, because the match is more important. Return the boxes that this covers.
    """
    title, x = phrases.OUTCOME_TITLES[view.outcome.kind], _LEFT
    middle = _BANNER_HEIGHT + _RESULT_HEIGHT // 2 - _RESULT_RISE if view.score.is_over else _BANNER_MIDDLE
    if view.outcome.kind in facts.CELEBRATED_OUTCOMES and not view.score.is_over:
        label = tag(title, _TITLE_CAP, GOLD, BLACK)
        canvas.put(label, x, middle - label.height // 2)
        x += label.width
    else:
        cap = _TEXT_CAP if view.score.is_over else _TITLE_CAP
        x += canvas.text(x, middle + cap // 2, title, cap)
    left = _draw_earned(canvas, view, portraits, middle)
    x += 2 * FRAME_PADDING
    end = x + _draw_deal_and_goal(canvas, view, x, middle, left - 2 * FRAME_PADDING - x)
    top, bottom = middle - _BANNER_HEIGHT // 2, middle + _BANNER_HEIGHT // 2
    return [(0, top, end, bottom), (left, top, WIDTH, bottom)]


def _draw_deal_and_goal(canvas: Canvas, view: ShowdownView, x: int, middle: int, max_width: int) -> int:
    """Draw the deal, and beneath it the goal of the match. Return their width."""
    deal, goal = phrases.deal_name(view), phrases.goal_line(view.rules)
    cap = _SMALL_CAP
    while cap > _SMALL_CAP - 4 and max(text_width(deal, cap), text_width(goal, cap)) > max_width:
        cap -= 1
    top = middle - cap - _POINTS_GAP // 2
    first = canvas.text(x, top + cap, deal, cap, ink=MIST)
    return max(first, canvas.text(x, top + 2 * cap + _POINTS_GAP, goal, cap, ink=MIST))


def _draw_confetti(canvas: Canvas, bottom: int, taken: Sequence[Box]) -> None:
    """Draw confetti between the top of the picture and `bottom`, with a piece per pixel of height."""
    box = (RAIL_WIDTH + 4, RAIL_WIDTH + 4, WIDTH - RAIL_WIDTH - 4, bottom)
    draw_confetti(canvas, box, taken, box[3] - box[1])


def _draw_earned(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], middle: int) -> int:
    """Draw the points and the winner of the deal. Return the left edge.

    If players are charged penalty points, their own rows show these points, and the banner shows only the winner.
    """
    winner = view.outcome.winner
    if winner is None:
        return _RIGHT - canvas.text(
            _RIGHT, middle + _NOTE_CAP // 2, phrases.NO_POINTS, _NOTE_CAP, ink=MIST, align="right"
        )
    if view.penalty_points:
        x = _RIGHT - canvas.text(_RIGHT, middle + _TEXT_CAP // 2, phrases.WINS_DEAL, _TEXT_CAP, align="right")
    else:
        x = _RIGHT - _draw_points(canvas, phrases.points_sum(view), middle, GOLD)
    x -= BANNER_PORTRAIT_SIDE + FRAME_PADDING
    draw_portrait(canvas, winner, portraits[winner], x, middle - BANNER_PORTRAIT_SIDE // 2, BANNER_PORTRAIT_SIDE)
    return x


def _draw_points(canvas: Canvas, points_sum: str, middle: int, ink: Colour) -> int:
    """Draw the points of a sum such as `20 − 5 = 15`, and beneath them the calculation. Return their width.

    They are right-aligned. A sum such as `25` has no calculation.
    """
    calculation, _, points = points_sum.rpartition(" = ")
    height = _POINTS_CAP + (_POINTS_GAP + _SMALL_CAP if calculation else 0)
    baseline = middle - height // 2 + _POINTS_CAP
    width = canvas.text(_RIGHT, baseline, f"+{points}", _POINTS_CAP, ink=ink, align="right")
    if not calculation:
        return width
    baseline += _POINTS_GAP + _SMALL_CAP
    return max(width, canvas.text(_RIGHT, baseline, calculation, _SMALL_CAP, ink=MIST, align="right"))


def _charge_width(view: ShowdownView, seat: Seat) -> int:
    """Return the width of the space to the right of a player's cards for their penalty points; 0 if there are none."""
    charge = phrases.charge_sums(view).get(seat)
    if charge is None:
        return 0
    calculation, _, points = charge.rpartition(" = ")
    return _POINTS_SPACE + max(text_width(f"+{points}", _POINTS_CAP), text_width(calculation, _SMALL_CAP))


def _draw_charge(canvas: Canvas, view: ShowdownView, seat: Seat, middle: int) -> None:
    """Draw the penalty points that a player is charged, if any, to the right of the cards."""
    charge = phrases.charge_sums(view).get(seat)
    if charge is not None:
        _draw_points(canvas, charge, middle, TEXT)


def _draw_header(
    canvas: Canvas, view: ShowdownView, seat: Seat, portrait: Portrait, top: int, ground: Colour = FELT
) -> None:
    """Draw a player's portrait, name, result and score on a ground of one colour."""
    write = partial(canvas.text, background=ground)
    draw_portrait(canvas, seat, portrait, _LEFT, top, PORTRAIT_SIDE)
    middle, right = top + PORTRAIT_SIDE // 2, _RIGHT
    # The banner already has the totals of two sides.
    for label, number in [] if view.score.is_over and len(view.sides) == 2 else phrases.seat_standing(view, seat):
        right -= write(right, middle + _VALUE_CAP // 2, number, _VALUE_CAP, align="right") + FRAME_PADDING
        right -= write(right, middle + _VALUE_CAP // 2, label, LABEL_CAP, ink=MIST, align="right")
        right -= 2 * FRAME_PADDING
    outcome, x = phrases.seat_outcome(view, seat), _LEFT + PORTRAIT_SIDE + _INSET
    name = _fitted_name(portrait, right - x - text_width(outcome, _NOTE_CAP) - _INSET)
    baseline = middle + _TEXT_CAP // 2
    x += write(x, baseline, name, _TEXT_CAP) + _INSET if name else 0
    write(x, baseline, outcome, _NOTE_CAP, ink=MIST)


def _fitted_name(portrait: Portrait, max_width: int) -> str:
    """Return a player's name, cut off if it is too wide. Return an empty string if too little of it would be left."""
    name = portrait.shown_name
    if text_width(name, _TEXT_CAP) <= max_width:
        return name
    return fitted_text(name, _TEXT_CAP, _TEXT_CAP, max_width)[0] if max_width >= _MIN_NAME_WIDTH else ""


def _draw_foot(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], top: int) -> None:
    """Draw the score of a player who sat out."""
    for seat in facts.sitting_out(view):
        _draw_header(canvas, view, seat, portraits[seat], top)


def _sums_height(view: ShowdownView) -> int:
    """Return the height of the panel that shows how the final totals are calculated; 0 if there is no such panel."""
    lines = len(phrases.final_sums(view))
    return lines * _SUM_HEIGHT + FRAME_PADDING + _SECTION_GAP if lines else 0


def _draw_sums(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], top: int) -> int:
    """Draw the calculation of the final total of each side that earned bonuses. Return the bottom of the panel."""
    sums, end = phrases.final_sums(view, short=True), top + _sums_height(view)
    if not sums:
        return end
    canvas.panel((MARGIN, top, WIDTH - MARGIN, end - _SECTION_GAP))
    room = _RIGHT - _LEFT - max(map(len, view.sides)) * _SUM_PORTRAIT - FRAME_PADDING
    fitting_caps = (cap for cap in _SUM_CAPS if all(text_mask(added, cap).width + cap <= room for _, added in sums))
    cap = next(fitting_caps, _SUM_CAPS[-1])
    y = top + FRAME_PADDING // 2
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
    score_top = panel_top + _VOID_HEIGHT + FRAME_PADDING
    sums_top = score_top + PORTRAIT_SIDE + FRAME_PADDING
    canvas = Canvas(WIDTH, sums_top + _sums_height(view) + _BOTTOM_SPACE, appearance)
    if view.score.is_over:
        _draw_match_banner(canvas, view, portraits)
    _draw_outcome(canvas, view, portraits)
    canvas.panel((MARGIN, panel_top, WIDTH - MARGIN, panel_top + _VOID_HEIGHT))
    names = shown_names(portraits)
    lines = [
        (text, cap, ink)
        for text, cap, ink in zip(
            phrases.void_notes(view, names), (_VALUE_CAP, _NOTE_CAP, _NOTE_CAP), (TEXT, MIST, MIST), strict=True
        )
    ]
    text_left = (_VOID_STOCK - 1) * _VOID_STEP + MEDIUM_LARGE.width + 3 * _INSET
    lines = [(*fitted_text(text, cap, _SMALL_CAP, _ROW_WIDTH - text_left), ink) for text, cap, ink in lines]
    x = (WIDTH - text_left - max(text_width(text, cap) for text, cap, _ in lines)) // 2
    top = panel_top + (_VOID_HEIGHT - MEDIUM_LARGE.height) // 2
    for position in range(_VOID_STOCK):
        canvas.put(back(appearance, MEDIUM_LARGE), x + position * _VOID_STEP, top)
    y = panel_top + (_VOID_HEIGHT - sum(cap for _, cap, _ in lines) - sum(_VOID_LINE_GAPS)) // 2
    for (text, cap, ink), gap in zip(lines, (*_VOID_LINE_GAPS, 0), strict=True):
        canvas.text(x + text_left, y + cap, text, cap, ink=ink, background=RECESS)
        y += cap + gap
    _draw_score(canvas, view, portraits, score_top + PORTRAIT_SIDE // 2)
    _draw_sums(canvas, view, portraits, sums_top)
    return canvas.picture(_alt(view, portraits, appearance))


def _alt(view: ShowdownView, portraits: Sequence[Portrait], appearance: Appearance) -> str:
    return alt_text.named(
        lambda labels: alt_text.showdown(view, labels, appearance.language),
        full_names(portraits),
        monograms(portraits),
    )


def _draw_score(canvas: Canvas, view: ShowdownView, portraits: Sequence[Portrait], middle: int) -> None:
    """Draw every side's points in one centred line."""
    label, gap = phrases.score_label(view), 2 * _INSET
    points = [phrases.side_points(view, side) for side in range(len(view.sides))]
    portraits_width = sum(map(len, view.sides)) * (PORTRAIT_SIDE + FRAME_PADDING)
    points_width = sum(gap + text_width(number, _VALUE_CAP) for number in points)
    x = (WIDTH - text_width(label, LABEL_CAP) - portraits_width - points_width) // 2
    x += canvas.text(x, middle + LABEL_CAP // 2, label, LABEL_CAP, ink=MIST)
    for seats, number in zip(view.sides, points, strict=True):
        x += gap
        for seat in seats:
            draw_portrait(canvas, seat, portraits[seat], x, middle - PORTRAIT_SIDE // 2, PORTRAIT_SIDE)
            x += PORTRAIT_SIDE + FRAME_PADDING
        x += canvas.text(x, middle + _VALUE_CAP // 2, number, _VALUE_CAP)
