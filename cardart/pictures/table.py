"""The table as everyone sees it: the piles or an open knock, and the players with their face-down cards.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.matches import facts
from bot.engine.matches.views import PublicView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, SMALL, narrow_step
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Align, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.badges import badge
from cardart.parts.card_rows import FRAME_PADDING, CardRow, card_groups, wrap_rows
from cardart.parts.table_layout import (
    VISIBLE_DISCARDS,
    Place,
    draw_caption,
    draw_discards,
    draw_stock,
    player_places,
    seat_rows,
    small_back,
)
from cardart.text import alt_text, phrases

_VALUE_CAP: Final = 30
_TEXT_CAP: Final = 24
_TEXT_CAPS: Final = (_TEXT_CAP, LABEL_CAP, 16)
"""Cap heights for the text that replaces cards. The first that fits is used."""

_PLAYER_HEIGHT: Final = 108
_BADGE_SIZE: Final = 60
_PARTNER_BADGE_SIZE: Final = 40
_TAG_OVERLAP: Final = 14
"""Height by which the label with a player's next action overlaps the player's panel."""
_DEALER_LEFT: Final = 52
_FAN_LEFT: Final = 104
"""Distance from the left edge of a player's panel to the first card."""
_FAN_STEP: Final = 44
_SCORE_RIGHT_MARGIN: Final = 18
"""Distance from a score to the right edge of the player's panel."""
_MIN_SCORE_WIDTH: Final = 48
"""Minimum width of a score."""
_SCORE_GAP: Final = 14
"""Space to the left of a score."""
_GAME_STEP: Final = 116
"""Distance between the right edges of the scores of two games."""
_TAG_RIGHT: Final = 48
_NOTE_HEIGHT: Final = 48
"""Height for a note that concerns the whole table, such as a pause."""

_PILES_HEIGHT: Final = 236
_END_HEIGHT: Final = 150
"""Height of the space between the players when the match is over."""
_RESULT_CAP: Final = 28
"""Cap height of the result of the match."""
_SMALL_CAP: Final = 17
_INSET: Final = MARGIN + 14
_KNOCK_WIDTH: Final = WIDTH - 2 * MARGIN
_NOTES_RIGHT_MARGIN: Final = 4
"""Extra margin that aligns the notes on the right with the scores above and below them."""
_LINE_GAP: Final = 10
_MAX_NOTE_GAP: Final = 26
_MAX_NOTES_HEIGHT: Final = 188
"""Maximum height of a column of notes, which keeps it clear of the players above and below."""
_CARDS_IN_LAYER: Final = 8
_CARDS_TOP: Final = 30
"""Distance from the players above to the cards of the piles."""
_PILES_GAP: Final = 52
"""Distance from the stock to the discards."""

_KNOCK_HEADER_HEIGHT: Final = 66
_LIFT: Final = 14
_ROW_HEIGHT: Final = MEDIUM.height + 2 * FRAME_PADDING + _LIFT
_KNOCK_FOOT_HEIGHT: Final = 28

_Line = tuple[str, int, Colour]
"""A line of a note: its text, cap height and colour."""


def draw_table(view: PublicView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the table. Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9."""
    knock, middle_top = facts.open_knock(view), MARGIN + _PLAYER_HEIGHT
    is_over = facts.is_match_over(view)
    knock_rows = (
        []
        if knock is None
        else wrap_rows(card_groups(knock.arrangement, knock.lay_offs), _KNOCK_WIDTH, appearance, MEDIUM)
    )
    middle_height = (
        _END_HEIGHT
        if is_over
        else _PILES_HEIGHT
        if knock is None
        else _KNOCK_HEADER_HEIGHT + len(knock_rows) * _ROW_HEIGHT + _KNOCK_FOOT_HEIGHT
    )
    bottom = middle_top + middle_height + (_NOTE_HEIGHT if view.turn is None and not is_over else 0)
    canvas = Canvas(WIDTH, bottom + _PLAYER_HEIGHT + MARGIN, appearance)
    if is_over:
        _draw_end(canvas, view, monograms, middle_top)
    elif knock is None:
        _draw_piles(canvas, view, middle_top)
    else:
        _draw_knock(canvas, view, middle_top, knock_rows)
    above, below = seat_rows(facts.seats_at_table(view), view.sides)
    for seat, place in (player_places(above, MARGIN, WIDTH) | player_places(below, bottom, WIDTH)).items():
        _draw_player(canvas, view, seat, monograms, place)
        if seat == view.turn:
            label = tag(phrases.NEXT_ACTIONS[view.phase], LABEL_CAP, GOLD, BLACK)
            y = middle_top - _TAG_OVERLAP if seat in above else bottom - label.height + _TAG_OVERLAP
            canvas.put(label, place.left + place.width - _TAG_RIGHT - label.width, y)
    if view.turn is None and not is_over:
        label = tag(phrases.table_state(view, monograms), LABEL_CAP, GOLD, BLACK)
        canvas.put(label, (WIDTH - label.width) // 2, bottom - (_NOTE_HEIGHT + label.height) // 2)
    return canvas.picture(alt_text.table(view, monograms, view.discards[-VISIBLE_DISCARDS:], appearance.language))


def _draw_end(canvas: Canvas, view: PublicView, monograms: Sequence[str], top: int) -> None:
    """Draw the result and the end condition of the match."""
    label, middle = tag(phrases.table_state(view, monograms), _RESULT_CAP, GOLD, BLACK), top + _END_HEIGHT // 2
    canvas.put(label, (WIDTH - label.width) // 2, middle - label.height + _LINE_GAP)
    canvas.text(
        WIDTH // 2, middle + 2 * _LINE_GAP + LABEL_CAP, phrases.deal_and_goal(view), LABEL_CAP, ink=MIST, align="centre"
    )


def _draw_piles(canvas: Canvas, view: PublicView, top: int) -> None:
    """Draw the stock, the last discards, and notes on the deal, the end condition of the match and the knock limit."""
    label, value, goal_lines = phrases.goal(view.rules)
    amount, *unit = value.split()
    goal = [_label(label), _value(amount), *((line, _SMALL_CAP, MIST) for line in (*unit, *goal_lines))]
    deal = [_label(phrases.DEAL), _value(str(view.number))]
    _draw_notes(canvas, [deal, goal], top + _PILES_HEIGHT // 2, "left")
    knock_limit = view.knock_limit
    limit = (
        [_label(phrases.KNOCK_AT), _value(str(knock_limit))]
        if knock_limit
        else [_label(phrases.ONLY), _value(phrases.GIN)]
    )
    limit += [(phrases.COUNTS_DOUBLE, LABEL_CAP, GOLD)] if facts.counts_double(view) else []
    board = [[_label(phrases.BOARD), _value(str(view.board))]] if view.boards > 1 else []
    _draw_notes(canvas, [*board, limit], top + _PILES_HEIGHT // 2, "right")
    visible_discards, (stock_on_offer, discards_on_offer) = (
        view.discards[-VISIBLE_DISCARDS:],
        facts.piles_on_offer(view),
    )
    discards_width = (VISIBLE_DISCARDS - 1) * narrow_step(canvas.appearance, LARGE) + LARGE.width
    stock_left = (WIDTH - LARGE.width - _PILES_GAP - discards_width) // 2
    discards_left, cards_top = stock_left + LARGE.width + _PILES_GAP, top + _CARDS_TOP
    draw_stock(canvas, view.stock, _CARDS_IN_LAYER, stock_left, cards_top, ring=GOLD if stock_on_offer else None)
    draw_discards(canvas, visible_discards, discards_left, cards_top, ring=GOLD if discards_on_offer else None)
    draw_caption(canvas, stock_left + LARGE.width // 2, cards_top + LARGE.height, phrases.STOCK, view.stock)
    discards_width = (max(1, len(visible_discards)) - 1) * narrow_step(canvas.appearance, LARGE) + LARGE.width
    draw_caption(
        canvas, discards_left + discards_width // 2, cards_top + LARGE.height, phrases.DISCARDS, len(view.discards)
    )


def _draw_knock(canvas: Canvas, view: PublicView, top: int, rows: Sequence[CardRow]) -> None:
    """Draw the knocker's melds with the cards laid off on them, the deadwood, and a note on the deal."""
    note = f"{phrases.deal_and_goal(view)} · {phrases.STOCK.lower()} {view.stock}"
    note += f" · {phrases.COUNTS_DOUBLE}" if facts.counts_double(view) else ""
    canvas.text(_INSET, top + _KNOCK_HEADER_HEIGHT - _LINE_GAP, note, LABEL_CAP, ink=MIST)
    for index, row in enumerate(rows):
        row.draw(canvas, top + _KNOCK_HEADER_HEIGHT + index * _ROW_HEIGHT + FRAME_PADDING + _LIFT, _LIFT)


def _label(text: str) -> _Line:
    return text, LABEL_CAP, MIST


def _value(text: str) -> _Line:
    return text, _VALUE_CAP, TEXT


def _draw_notes(canvas: Canvas, notes: Sequence[Sequence[_Line]], middle: int, align: Align) -> None:
    """Draw notes of a few lines each, one below the other, vertically centred on `middle`."""
    notes_height = sum(cap + _LINE_GAP for note in notes for _, cap, _ in note) - _LINE_GAP * len(notes)
    gap = min(_MAX_NOTE_GAP, _MAX_NOTES_HEIGHT - notes_height)
    y = middle - (notes_height + gap * (len(notes) - 1)) // 2
    x = _INSET if align == "left" else WIDTH - _INSET - _NOTES_RIGHT_MARGIN
    for note in notes:
        for text, cap, ink in note:
            y += cap
            canvas.text(x, y, text, cap, ink=ink, align=align)
            y += _LINE_GAP
        y += gap - _LINE_GAP


def _draw_player(canvas: Canvas, view: PublicView, seat: Seat, monograms: Sequence[str], place: Place) -> None:
    """Draw a player's badge, cards and score, and the badge of a partner, who plays on another board."""
    left, top, right = place.left, place.top, place.left + place.width - _SCORE_RIGHT_MARGIN
    place.draw(canvas, _PLAYER_HEIGHT, is_acting=seat == view.turn or facts.has_won(view, seat))
    canvas.put(badge(seat, monograms[seat], _BADGE_SIZE), left + 14, top + (_PLAYER_HEIGHT - _BADGE_SIZE) // 2)
    if seat == view.dealer:
        dealer_tag = tag(phrases.DEALER, LABEL_CAP, TEXT, BLACK)
        canvas.put(dealer_tag, left + _DEALER_LEFT, top + _PLAYER_HEIGHT - dealer_tag.height - 8)
    score_width = _draw_score(canvas, view, seat, right, top)
    for other in view.sides[facts.side_index(seat, view.sides)]:
        if other != seat:
            x, y = right - score_width - _PARTNER_BADGE_SIZE, top + (_PLAYER_HEIGHT - _PARTNER_BADGE_SIZE) // 2
            canvas.put(badge(other, monograms[other], _PARTNER_BADGE_SIZE), x, y)
            score_width += _PARTNER_BADGE_SIZE + _SCORE_GAP
    card_count, note = facts.face_down_count(view, seat), phrases.cards_replacement(view, seat)
    if note is not None:
        max_width = right - score_width - left - _FAN_LEFT
        cap = next((cap for cap in _TEXT_CAPS if text_mask(note, cap).width <= max_width), _TEXT_CAPS[-1])
        ink = GOLD if facts.has_won(view, seat) else MIST
        canvas.text(left + _FAN_LEFT, top + (_PLAYER_HEIGHT + cap) // 2, note, cap, ink=ink, background=RECESS)
    else:
        step = min(_FAN_STEP, (right - left - _FAN_LEFT - score_width - SMALL.width) // max(1, card_count - 1))
        x, y = left + _FAN_LEFT, top + (_PLAYER_HEIGHT - SMALL.height) // 2
        for number in range(card_count):
            canvas.put(small_back(SMALL), x + number * step, y)
        count_tag = tag(str(card_count), LABEL_CAP, RECESS, TEXT)
        x += (card_count - 1) * step + SMALL.width - count_tag.width + 4
        canvas.put(count_tag, x, y + SMALL.height - count_tag.height - 4)


def _draw_score(canvas: Canvas, view: PublicView, seat: Seat, right: int, top: int) -> int:
    """Draw the points of a player's side below a label. Return the width of the score.

    With three games, the label of a finished game shows the side's result, and its points have another colour.
    """
    side = facts.side_index(seat, view.sides)
    numbers = facts.side_points(view.rules, view.score, side)
    labels = phrases.game_labels(view, side) if len(numbers) > 1 else [phrases.score_label(view)]
    width = _MIN_SCORE_WIDTH
    for index, (name, number) in enumerate(zip(labels, numbers, strict=True)):
        x, ink = right - (len(numbers) - 1 - index) * _GAME_STEP, TEXT
        if len(numbers) > 1 and view.score.columns[index].is_over:
            ink = GOLD if view.score.columns[index].winner == side else MIST
        width = max(width, canvas.text(x, top + 42, name, LABEL_CAP, ink=MIST, background=RECESS, align="right"))
        width = max(width, canvas.text(x, top + 85, str(number), _VALUE_CAP, ink=ink, background=RECESS, align="right"))
    return width + _SCORE_GAP + (len(numbers) - 1) * _GAME_STEP
