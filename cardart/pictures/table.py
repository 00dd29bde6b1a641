"""The table as everyone sees it: the piles or an open knock, and the players with their last turns.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat, Verb
from bot.engine.matches import facts
from bot.engine.matches.views import PublicView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, narrow_step
from cardart.deck.faces import Size
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Align, Box, Canvas, Picture
from cardart.drawing.lettering import fitted_text, text_width
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.card_chips import card_chip
from cardart.parts.card_rows import FRAME_PADDING, RING_WIDTH, CardRow, card_groups, wrap_rows
from cardart.parts.celebration import crown, draw_confetti
from cardart.parts.portraits import Portrait, draw_portrait, full_names, monograms, shown_names
from cardart.parts.table_layout import (
    VISIBLE_DISCARDS,
    Place,
    draw_caption,
    draw_discards,
    draw_stock,
    fan_of_backs,
    player_places,
    seat_rows,
    small_back,
)
from cardart.text import alt_text, phrases

_VALUE_CAP: Final = 30
_NOTE_CAPS: Final = (24, LABEL_CAP, 16)
"""Cap heights for the text that replaces a player's cards and last turn. The first that fits is used."""

_WIDE_HEIGHT: Final = 118
"""Height of a player's panel that is as wide as the picture: two lines next to the portrait."""
_TALL_HEIGHT: Final = 156
"""Height of a panel that shares its row with another, or has the scores of three games: the last turn has its own line
below the portrait."""
_WIDE_PORTRAIT: Final = 92
_TALL_PORTRAIT: Final = 84
_PORTRAIT_MARGIN: Final = 13
"""Distance of a portrait from the left and the top of its panel, and of the line below it from both sides."""
_PORTRAIT_GAP: Final = 18
_PARTNER_PORTRAIT: Final = 56
_TAG_CAP: Final = 17
_TAG_OVERLAP: Final = 12
"""Height by which the label with a player's next action overlaps the player's panel."""
_TAG_LEFT: Final = _PORTRAIT_MARGIN + _TALL_PORTRAIT + _PORTRAIT_GAP - 8
"""Distance from the left of a panel to that label, below or above the name, where it covers nothing."""
_NAME_CAP: Final = 27
_SMALLER_NAME_CAP: Final = 22
"""Cap height of all names if some panels are only half as wide as the picture. A name that is too wide is cut off."""
_NAME_BASELINE: Final = 49
_SECOND_LINE: Final = 83
_TALL_SECOND_LINE: Final = 78
"""Distance from the top of a wide and of a tall panel to the middle of the line below the name."""
_TURN_LINE: Final = 121
"""Distance from the top of a tall panel to the middle of the line with the last turn."""
_TURN_CAPS: Final = (20, 19, 18, 17, 16, 15)
"""Cap heights for a last turn. The first that fits is used."""
_WORD_SPACE: Final = 7
_MOVE_SPACE: Final = 14
"""Space within a move (`_WORD_SPACE`) and between two moves of a turn (`_MOVE_SPACE`)."""
_DRAWN_CARD: Final = Size(20, 28)
"""Size of the face-down card after the word for a draw."""
_COUNT_CARD: Final = Size(24, 33)
"""Size of the face-down card before the number of cards in a tall panel."""
_COUNT_CAP: Final = 22
_DEALER_CAP: Final = 15
_DEALER_MARGIN: Final = 8
"""Distance of the dealer's label from the left and the top of the panel. It overlaps the portrait."""
_SCORE_RIGHT_MARGIN: Final = 18
"""Distance from a score to the right edge of the player's panel."""
_SCORE_BASELINES: Final = (46, 90)
_TALL_SCORE_BASELINES: Final = (38, 80)
"""Baselines of the label and the points of a score, in wide panels and in tall ones."""
_MIN_SCORE_WIDTH: Final = 48
"""Minimum width of a score."""
_SCORE_GAP: Final = 18
"""Space to the left of a score."""
_GAME_STEP: Final = 116
"""Distance between the right edges of the scores of two games."""
_GAME_CAP: Final = 16
"""Cap height of the label of a game that a player won."""
_NOTE_HEIGHT: Final = 48
"""Height for a note that concerns the whole table, such as a pause."""

_PILES_HEIGHT: Final = 260
_END_HEIGHT: Final = 188
"""Height of the space between the players when the match is over."""
_RESULT_CAP: Final = 28
"""Cap height of the result of the match."""
_CROWN_WIDTH: Final = 70
_CONFETTI_PIECES: Final = 110
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
_CARDS_TOP: Final = 42
"""Distance from the players above to the cards of the piles."""
_PILES_GAP: Final = 52
"""Distance from the stock to the discards."""

_KNOCK_HEADER_HEIGHT: Final = 66
_LIFT: Final = 14
_RAISED_PADDING: Final = FRAME_PADDING + _LIFT + RING_WIDTH
"""Space between the tops of cards and the frame around them if cards are raised."""
_ROW_HEIGHT: Final = MEDIUM.height + FRAME_PADDING + _RAISED_PADDING
_KNOCK_FOOT_HEIGHT: Final = 28

_Line = tuple[str, int, Colour]
"""A line of a note: its text, cap height and colour."""


def draw_table(view: PublicView, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the table. `portraits` are by seat.

    Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    knock, is_over = facts.open_knock(view), facts.is_match_over(view)
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
    above, below = seat_rows(facts.seats_at_table(view), view.sides)
    middle_top = MARGIN + _panel_height(view, above)
    bottom = middle_top + middle_height + (_NOTE_HEIGHT if view.turn is None and not is_over else 0)
    canvas = Canvas(WIDTH, bottom + _panel_height(view, below) + MARGIN, appearance)
    if is_over:
        _draw_end(canvas, view, portraits, middle_top)
    elif knock is None:
        _draw_piles(canvas, view, middle_top)
    else:
        _draw_knock(canvas, view, middle_top, knock_rows)
    for row, top in ((above, MARGIN), (below, bottom)):
        for seat, place in player_places(row, top, WIDTH).items():
            name_cap = _NAME_CAP if len(above) == len(below) == 1 else _SMALLER_NAME_CAP
            _draw_player(canvas, view, seat, portraits, place, _panel_height(view, row), name_cap)
            if seat == view.turn:
                label = tag(phrases.NEXT_ACTIONS[view.phase], _TAG_CAP, GOLD, BLACK)
                y = middle_top - _TAG_OVERLAP if row is above else bottom - label.height + _TAG_OVERLAP
                canvas.put(label, place.left + _TAG_LEFT, y)
    if view.turn is None and not is_over:
        label = _state_tag(view, portraits, LABEL_CAP)
        canvas.put(label, (WIDTH - label.width) // 2, bottom - (_NOTE_HEIGHT + label.height) // 2)
    shown, language = view.discards[-VISIBLE_DISCARDS:], appearance.language
    alt = alt_text.named(
        lambda labels: alt_text.table(view, labels, shown, language), full_names(portraits), monograms(portraits)
    )
    return canvas.picture(alt)


def _panel_height(view: PublicView, row: Sequence[Seat]) -> int:
    """Return the height of the panels of a row of players."""
    return _TALL_HEIGHT if len(row) > 1 or _has_several_scores(view) else _WIDE_HEIGHT


def _has_several_scores(view: PublicView) -> bool:
    return len(facts.side_points(view.rules, view.score, 0)) > 1


def _state_tag(view: PublicView, portraits: Sequence[Portrait], cap: int) -> Sprite:
    """Return a label with the state or the result, with names if they fit."""
    words = phrases.match_end if facts.is_match_over(view) else phrases.table_state
    label = tag(words(view, shown_names(portraits)), cap, GOLD, BLACK)
    if label.width <= WIDTH - 2 * MARGIN:
        return label
    return tag(words(view, monograms(portraits)), cap, GOLD, BLACK)


def _draw_end(canvas: Canvas, view: PublicView, portraits: Sequence[Portrait], top: int) -> None:
    """Draw the result and the end condition of the match; above a winner's name a crown, among confetti."""
    label, has_winner = _state_tag(view, portraits, _RESULT_CAP), view.score.winner is not None
    crown_height = crown(_CROWN_WIDTH).height + _LINE_GAP if has_winner else 0
    y = top + (_END_HEIGHT - crown_height - label.height - 2 * _LINE_GAP - LABEL_CAP) // 2
    if has_winner:
        canvas.put(crown(_CROWN_WIDTH), (WIDTH - _CROWN_WIDTH) // 2, y)
        clear: list[Box] = [((WIDTH - _CROWN_WIDTH) // 2, y, (WIDTH + _CROWN_WIDTH) // 2, y + crown_height)]
        y += crown_height
        note_width, bottom = text_width(phrases.deal_and_goal(view), LABEL_CAP), top + _END_HEIGHT
        half_width = max(label.width, note_width) // 2
        clear.append((WIDTH // 2 - half_width, y, WIDTH // 2 + half_width, bottom))
        draw_confetti(canvas, (MARGIN, top + _LINE_GAP, WIDTH - MARGIN, bottom - _LINE_GAP), clear, _CONFETTI_PIECES)
    canvas.put(label, (WIDTH - label.width) // 2, y)
    y += label.height + 2 * _LINE_GAP + LABEL_CAP
    canvas.text(WIDTH // 2, y, phrases.deal_and_goal(view), LABEL_CAP, ink=MIST, align="centre")


def _draw_piles(canvas: Canvas, view: PublicView, top: int) -> None:
    """Draw the stock, the last discards, and notes on the deal, the end condition of the match and the knock limit."""
    label, value, goal_lines = phrases.goal(view.rules)
    amount, *unit = value.split()
    goal = [_label(label), _value(amount), *map(_label, (*unit, *goal_lines))]
    knock_limit = view.knock_limit
    limit = (
        [_label(phrases.KNOCK_AT), _value(str(knock_limit))]
        if knock_limit
        else [_label(phrases.ONLY), _value(phrases.GIN)]
    )
    limit += [(phrases.COUNTS_DOUBLE, LABEL_CAP, GOLD)] if facts.counts_double(view) else []
    deal = [_label(phrases.DEAL), _value(str(view.number))]
    notes_end = _INSET + _draw_notes(canvas, [deal, limit], top + _PILES_HEIGHT // 2, "left")
    board = [[_label(phrases.BOARD), _value(str(view.board))]] if view.boards > 1 else []
    notes_start = WIDTH - _INSET - _draw_notes(canvas, [*board, goal], top + _PILES_HEIGHT // 2, "right")
    visible_discards, (stock_on_offer, discards_on_offer) = (
        view.discards[-VISIBLE_DISCARDS:],
        facts.piles_on_offer(view),
    )
    discards_width = (max(1, len(visible_discards)) - 1) * narrow_step(canvas.appearance, LARGE) + LARGE.width
    # Centre the piles between the notes, which can be of very different widths.
    stock_left = (notes_end + notes_start - LARGE.width - _PILES_GAP - discards_width) // 2
    discards_left, cards_top = stock_left + LARGE.width + _PILES_GAP, top + _CARDS_TOP
    draw_stock(canvas, view.stock, _CARDS_IN_LAYER, stock_left, cards_top, ring=GOLD if stock_on_offer else None)
    draw_discards(canvas, visible_discards, discards_left, cards_top, ring=GOLD if discards_on_offer else None)
    draw_caption(canvas, stock_left + LARGE.width // 2, cards_top + LARGE.height, phrases.STOCK, view.stock)
    draw_caption(
        canvas, discards_left + discards_width // 2, cards_top + LARGE.height, phrases.DISCARDS, len(view.discards)
    )


def _draw_knock(canvas: Canvas, view: PublicView, top: int, rows: Sequence[CardRow]) -> None:
    """Draw the knocker's melds with the cards laid off on them, the deadwood, and a note on the deal."""
    note = f"{phrases.deal_and_goal(view)} · {phrases.STOCK.lower()} {view.stock}"
    note += f" · {phrases.COUNTS_DOUBLE}" if facts.counts_double(view) else ""
    canvas.text(WIDTH // 2, top + _KNOCK_HEADER_HEIGHT - _LINE_GAP, note, LABEL_CAP, ink=MIST, align="centre")
    for index, row in enumerate(rows):
        padding = _RAISED_PADDING if any(group.raised for group in row.groups) else FRAME_PADDING
        y = top + _KNOCK_HEADER_HEIGHT + index * _ROW_HEIGHT + _RAISED_PADDING
        row.draw(canvas, y, _LIFT, (WIDTH - row.width()) // 2, padding)


def _label(text: str) -> _Line:
    return text, LABEL_CAP, MIST


def _value(text: str) -> _Line:
    return text, _VALUE_CAP, TEXT


def _draw_notes(canvas: Canvas, notes: Sequence[Sequence[_Line]], middle: int, align: Align) -> int:
    """Draw notes of a few lines each, one below the other, vertically centred on `middle`. Return their width."""
    notes_height = sum(cap + _LINE_GAP for note in notes for _, cap, _ in note) - _LINE_GAP * len(notes)
    gap = min(_MAX_NOTE_GAP, _MAX_NOTES_HEIGHT - notes_height)
    y = middle - (notes_height + gap * (len(notes) - 1)) // 2
    x, width = _INSET if align == "left" else WIDTH - _INSET - _NOTES_RIGHT_MARGIN, 0
    for note in notes:
        for text, cap, ink in note:
            y += cap
            width = max(width, canvas.text(x, y, text, cap, ink=ink, align=align))
            y += _LINE_GAP
        y += gap - _LINE_GAP
    return width


def _draw_player(
    canvas: Canvas,
    view: PublicView,
    seat: Seat,
    portraits: Sequence[Portrait],
    place: Place,
    height: int,
    name_cap: int,
) -> None:
    """Draw a player's panel: portrait, name, score, cards and last turn, and a partner, who plays on another board."""
    left, top, right = place.left, place.top, place.left + place.width - _SCORE_RIGHT_MARGIN
    is_wide, note = height == _WIDE_HEIGHT, phrases.cards_replacement(view, seat)
    place.draw(canvas, height, is_acting=seat == view.turn or facts.has_won(view, seat))
    portrait_side = _WIDE_PORTRAIT if is_wide else _TALL_PORTRAIT
    draw_portrait(canvas, seat, portraits[seat], left + _PORTRAIT_MARGIN, top + _PORTRAIT_MARGIN, portrait_side)
    if seat == view.dealer:
        canvas.put(tag(phrases.DEALER, _DEALER_CAP, TEXT, BLACK), left + _DEALER_MARGIN, top + _DEALER_MARGIN)
    text_left = left + _PORTRAIT_MARGIN + portrait_side + _PORTRAIT_GAP
    second_line = top + (_SECOND_LINE if is_wide else _TALL_SECOND_LINE)
    if is_wide or _has_several_scores(view):
        right -= _draw_score(canvas, view, seat, right, top, _SCORE_BASELINES if is_wide else _TALL_SCORE_BASELINES)
    else:
        _draw_score_line(canvas, view, seat, right, second_line)
    for other in view.sides[facts.side_index(seat, view.sides)]:
        if other != seat:
            right -= _PARTNER_PORTRAIT
            y = top + (height - _PARTNER_PORTRAIT) // 2
            draw_portrait(canvas, other, portraits[other], right, y, _PARTNER_PORTRAIT)
            right -= _SCORE_GAP
    if note is None and is_wide:
        right -= _draw_fan(canvas, facts.face_down_count(view, seat), right, top + height // 2) + _SCORE_GAP
    elif note is None:
        _draw_count(canvas, facts.face_down_count(view, seat), text_left, second_line)
    name = portraits[seat].shown_name
    name, _ = fitted_text(name, name_cap, name_cap, right - text_left)
    canvas.text(text_left, top + _NAME_BASELINE, name, name_cap, background=RECESS)
    line_left, line_right = text_left, right
    if not is_wide:
        line_left, line_right = left + _PORTRAIT_MARGIN, left + place.width - _PORTRAIT_MARGIN
    line_middle = second_line if is_wide else top + _TURN_LINE
    if note == phrases.NO_WINNER:
        return  # The label between the players says so.
    if note is not None:
        cap = next((cap for cap in _NOTE_CAPS if text_width(note, cap) <= line_right - line_left), _NOTE_CAPS[-1])
        ink = GOLD if facts.has_won(view, seat) else MIST
        canvas.text(line_left, line_middle + cap // 2, note, cap, ink=ink, background=RECESS)
    else:
        _draw_turn(canvas, view, seat, line_left, line_middle, line_right - line_left)


def _draw_turn(canvas: Canvas, view: PublicView, seat: Seat, x: int, middle: int, max_width: int) -> None:
    """Draw a player's last turn: words, each with the cards that it is about."""
    drew, moves = phrases.PAST_VERBS[Verb.DRAW], phrases.last_turn(view, seat)
    line: list[tuple[str, list[Sprite]]] = []
    cap = _TURN_CAPS[-1]
    for cap in _TURN_CAPS:
        line = [
            (text, [small_back(_DRAWN_CARD)] if text == drew else _chips(canvas, cards, cap)) for text, cards in moves
        ]
        width = sum(text_width(text, cap) for text, _ in line) + (len(line) - 1) * _MOVE_SPACE
        if width + sum(chip.width + _WORD_SPACE for _, chips in line for chip in chips) <= max_width:
            break
    for text, chips in line:
        x += canvas.text(x, middle + cap // 2, text, cap, ink=MIST, background=RECESS)
        for chip in chips:
            canvas.put(chip, x + _WORD_SPACE, middle - chip.height // 2)
            x += _WORD_SPACE + chip.width
        x += _MOVE_SPACE


def _chips(canvas: Canvas, cards: Sequence[Card], cap: int) -> list[Sprite]:
    return [card_chip(card, canvas.appearance, cap - 2) for card in cards]


def _draw_fan(canvas: Canvas, count: int, right: int, middle: int) -> int:
    """Draw a small fan of face-down cards with their number, right-aligned at `right`. Return its width."""
    fan = fan_of_backs(min(3, count))
    canvas.put(fan, right - fan.width, middle - fan.height // 2)
    label = tag(str(count), LABEL_CAP, MIST, BLACK)
    canvas.put(label, right - (fan.width + label.width) // 2, middle + fan.height // 2 - label.height // 2 - 6)
    return fan.width


def _draw_count(canvas: Canvas, count: int, x: int, middle: int) -> None:
    """Draw a face-down card and the number of a player's cards, on the line of the player's score."""
    canvas.put(small_back(_COUNT_CARD), x, middle - _COUNT_CARD.height // 2)
    x += _COUNT_CARD.width + _WORD_SPACE
    canvas.text(x, middle + _VALUE_CAP // 2, str(count), _COUNT_CAP, background=RECESS)


def _draw_score_line(canvas: Canvas, view: PublicView, seat: Seat, right: int, middle: int) -> None:
    """Draw the points of a player's side after their label, right-aligned at `right`."""
    points = phrases.side_points(view, facts.side_index(seat, view.sides))
    baseline = middle + _VALUE_CAP // 2
    right -= canvas.text(right, baseline, points, _VALUE_CAP, background=RECESS, align="right") + _WORD_SPACE
    canvas.text(right, baseline, phrases.score_label(view), _SMALL_CAP, ink=MIST, background=RECESS, align="right")


def _draw_score(canvas: Canvas, view: PublicView, seat: Seat, right: int, top: int, baselines: tuple[int, int]) -> int:
    """Draw the points of a player's side below a label. Return the width of the score and the space to its left.

    With three games, a finished game has points in another colour, and its label is golden if the side won it.
    """
    side, (label_baseline, value_baseline) = facts.side_index(seat, view.sides), (top + line for line in baselines)
    numbers = facts.side_points(view.rules, view.score, side)
    width = _MIN_SCORE_WIDTH
    for index, number in enumerate(numbers):
        name = phrases.game_name(index) if len(numbers) > 1 else phrases.score_label(view)
        x, ink, is_won = right - (len(numbers) - 1 - index) * _GAME_STEP, TEXT, False
        if len(numbers) > 1 and view.score.columns[index].is_over:
            is_won = view.score.columns[index].winner == side
            ink = GOLD if is_won else MIST
        if is_won:
            label = tag(name, _GAME_CAP, GOLD, BLACK)
            canvas.put(label, x - label.width + _GAME_CAP // 2, label_baseline - (LABEL_CAP + label.height) // 2)
        else:
            canvas.text(x, label_baseline, name, LABEL_CAP, ink=MIST, background=RECESS, align="right")
        width = max(width, text_width(name, LABEL_CAP))
        width = max(
            width, canvas.text(x, value_baseline, str(number), _VALUE_CAP, ink=ink, background=RECESS, align="right")
        )
    return width + _SCORE_GAP + (len(numbers) - 1) * _GAME_STEP
