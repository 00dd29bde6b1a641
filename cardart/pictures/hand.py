"""A hand as its owner sees it: the cards in slots, with melds marked, the piles, and the new card.

Lengths are in pixels. While a knock is being answered, the knocker's numbered melds are above the hand. Cards that fit
on a meld show its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import Meld
from bot.engine.matches import facts
from bot.engine.matches.views import KnockView, SeatView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance, CardOrder, HandOrder
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MEDIUM_LARGE
from cardart.drawing.canvas import WIDTH, Canvas, Picture
from cardart.drawing.painting import Sprite, arrow, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.card_rows import FRAME_PADDING, CardGroup, CardRow, card_groups, wrap_rows
from cardart.parts.celebration import draw_golden_rail
from cardart.parts.hand_grid import GRID_HEIGHT, SIDE_MARGIN, HandGrid
from cardart.text import alt_text, phrases, queries

LAY_OFF_LIFT: Final = 14
"""Height by which cards laid off are raised above their meld."""
_CARDS_WIDTH: Final = WIDTH - 2 * SIDE_MARGIN
_HEADER_HEIGHT: Final = 68
"""Distance from the top of the picture to the tops of its cards."""
_HAND_HEADER_HEIGHT: Final = 60
"""Height of the header above the player's hand while a knock is being answered."""
_FOOT_HEIGHT: Final = 42
"""Distance from the lowest cards to the bottom of the picture, with room for labels."""
_KNOCKER_FOOT_HEIGHT: Final = 24
"""Distance from the cards, which have no labels, to the bottom of the picture that the knocker sees."""
_ROW_GAP: Final = 2 * FRAME_PADDING + LAY_OFF_LIFT + 8
"""Space between two rows of the knocker's cards."""
_SECTION_GAP: Final = 12
"""Space between the knocker's cards and the header of the hand."""

_HEADER_BASELINE: Final = 44
"""Distance from the top of a section to the baseline of its header."""
_TEXT_CAP: Final = 20
_NUMBER_CAP: Final = 28
_SPACE: Final = 8
_ARROW_SIZE: Final = 24
_LABEL_HEIGHT: Final = 32
"""Height of a label beneath a card."""


def draw_hand(
    view: SeatView, appearance: Appearance = DEFAULT_APPEARANCE, order: CardOrder = HandOrder.MELDS
) -> Picture:
    """Draw the hand of a seat, with its slots in the order of `queries.hand_in_order`.

    Cards that can be discarded to knock have a label with the remaining deadwood. If the player can go gin,
    only cards that leave no deadwood have a label. Raise `LookupError` if the seat sits the deal out and has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits out deal {view.public.number} and has no hand")
    knock = facts.open_knock(view.public)
    if knock is not None:
        return _draw_knock_answer(view, knock, appearance, order)
    height = _HEADER_HEIGHT + GRID_HEIGHT + _FOOT_HEIGHT
    canvas = Canvas(WIDTH, height, appearance)
    has_gin = view.can_go_gin or view.can_go_big_gin
    least_deadwood = facts.least_deadwood_left(view)
    _draw_header(canvas, 0, phrases.DEADWOOD, view.arrangement.deadwood, least_deadwood)
    limit = "" if has_gin else phrases.limit_and_doubling(view.public)
    _draw_state(canvas, phrases.hand_state(view), limit, urgent=facts.is_urgent(view))
    if has_gin:
        draw_golden_rail(canvas, (WIDTH, height))
    melded = {card for meld in view.arrangement.melds for card in meld.cards}
    framed = () if view.new_card is None or view.new_card in melded else (view.new_card,)
    replace(_grid(view, order), framed=framed, labels=_knock_labels(view)).draw(canvas, _HEADER_HEIGHT)
    return canvas.picture(alt_text.hand(view, appearance.language, order))


def _grid(view: SeatView, order: CardOrder) -> HandGrid:
    """Return the slots, melds and piles of a hand, without frames and labels."""
    slots = [card for card in queries.hand_in_order(view, order) if card is not view.new_card]
    laid_off = [card for card in slots if card not in view.hand]
    public = view.public
    return HandGrid(slots, view.new_card, public.discards, public.stock, view.arrangement.melds, laid_off=laid_off)


def _knock_labels(view: SeatView) -> dict[Card, Sprite]:
    """Return the labels of cards that can be discarded to knock, or only of discards for gin if gin is possible."""
    choices = [] if view.can_go_big_gin else facts.knock_choices(view)
    least_deadwood = choices[0].deadwood if choices else 0
    shown = [choice for choice in choices if choice.deadwood == 0 or least_deadwood > 0]
    return {choice.card: _knock_label(choice.deadwood, is_best=choice.deadwood == least_deadwood) for choice in shown}


def _draw_knock_answer(view: SeatView, knock: KnockView, appearance: Appearance, order: CardOrder) -> Picture:
    """Draw the picture for a player while a knock is being answered.

    It shows the knocker's hand, with the cards laid off on its melds. Every player except the knocker sees their own
    hand below it.
    """
    knocker_hand, is_knocker = knock.arrangement, view.seat == knock.seat
    fits = {} if is_knocker else _fitting_melds(view, knock)
    rows = _fewest_rows(
        card_groups(knocker_hand, knock.lay_offs, labels=_meld_labels(view, knock, fits)),
        appearance,
        is_knocker=is_knocker,
    )
    rows_height = sum(row.size.height + _ROW_GAP for row in rows) - _ROW_GAP + LAY_OFF_LIFT + FRAME_PADDING
    hand_header_top = _HEADER_HEIGHT + rows_height + _SECTION_GAP
    canvas = Canvas(
        WIDTH,
        _HEADER_HEIGHT + rows_height + _KNOCKER_FOOT_HEIGHT
        if is_knocker
        else hand_header_top + _HAND_HEADER_HEIGHT + GRID_HEIGHT + _FOOT_HEIGHT,
        appearance,
    )
    _draw_header(canvas, 0, phrases.YOU_KNOCKED_WITH if is_knocker else phrases.KNOCKED_WITH, knocker_hand.deadwood)
    _draw_state(canvas, phrases.lay_off_state(view), urgent=bool(facts.best_lay_offs(view)))
    y = _HEADER_HEIGHT + LAY_OFF_LIFT
    for row in rows:
        row.draw(canvas, y, LAY_OFF_LIFT, SIDE_MARGIN)
        y += row.size.height + _ROW_GAP
    if not is_knocker:
        _draw_header(
            canvas,
            hand_header_top + _HAND_HEADER_HEIGHT - _HEADER_HEIGHT,
            phrases.YOUR_HAND_DEADWOOD,
            view.arrangement.deadwood,
        )
        framed = {best_lay_off.card for best_lay_off in facts.best_lay_offs(view)}
        labels = {
            card: meld_number_label("·".join(map(str, told)), is_best=card in framed) for card, told in fits.items()
        }
        replace(_grid(view, order), framed=framed, labels=labels).draw(canvas, hand_header_top + _HAND_HEADER_HEIGHT)
    return canvas.picture(alt_text.lay_off(view, knock, appearance.language, order))


def _fewest_rows(groups: list[CardGroup], appearance: Appearance, *, is_knocker: bool) -> list[CardRow]:
    """Return the knocker's cards in as few rows as possible, at the largest size for that many rows.

    Opponents see the cards smaller than the knocker does.
    """
    sizes = (LARGE, MEDIUM_LARGE, MEDIUM, COMPACT) if is_knocker else (MEDIUM, COMPACT)
    return min((wrap_rows(groups, _CARDS_WIDTH, appearance, size) for size in sizes), key=len)


def _fitting_melds(view: SeatView, knock: KnockView) -> dict[Card, list[int]]:
    """Return the numbers of the melds on which each card can be laid off.

    A card that fits only after another lay-off is included if the best lay-offs contain that card.
    """
    fits: dict[Card, list[int]] = {}
    for number, meld in enumerate(knock.arrangement.melds, 1):
        for card in {lay_off.card for lay_off in (*view.lay_offs, *facts.best_lay_offs(view)) if lay_off.meld == meld}:
            fits.setdefault(card, []).append(number)
    return fits


def _meld_labels(view: SeatView, knock: KnockView, fits: Mapping[Card, Sequence[int]]) -> dict[Meld, Sprite]:
    """Return number labels for the knocker's melds on which the hand can lay off cards."""
    used_numbers = {number for told in fits.values() for number in told}
    best = {best_lay_off.meld for best_lay_off in facts.best_lay_offs(view)}
    melds = enumerate(knock.arrangement.melds, 1)
    return {
        meld: meld_number_label(str(number), is_best=meld in best) for number, meld in melds if number in used_numbers
    }


def _draw_header(canvas: Canvas, top: int, text: str, points: int, best: int | None = None) -> None:
    """Draw the header of a row of cards: a text and their points, with an arrow to the `best` points if given."""
    x, y = SIDE_MARGIN, top + _HEADER_BASELINE
    x += canvas.text(x, y, text, _TEXT_CAP, ink=MIST) + _SPACE
    x += canvas.text(x, y, str(points), _NUMBER_CAP) + _SPACE
    if best is not None:
        sign = arrow(_ARROW_SIZE)
        canvas.put(sign, x, y - (_NUMBER_CAP + sign.height) // 2)
        canvas.text(x + sign.width + _SPACE, y, str(best), _NUMBER_CAP, ink=MIST)


def _draw_state(canvas: Canvas, state: str | None, limit: str = "", *, urgent: bool) -> None:
    """Draw the state of the hand at the top right, in gold if it is urgent, and the knock limit to its left."""
    x = WIDTH - SIDE_MARGIN
    if state is not None:
        label = tag(state, _TEXT_CAP, *_label_colours(urgent))
        x -= label.width
        canvas.put(label, x, _HEADER_BASELINE - (_TEXT_CAP + label.height) // 2)
        x -= 2 * _SPACE
    if limit:
        canvas.text(x, _HEADER_BASELINE, limit, _TEXT_CAP, ink=MIST, align="right")


def meld_number_label(text: str, *, is_best: bool) -> Sprite:
    """Return a label with the numbers of one or more melds: `1` or `1·2`. If `is_best`, the label is gold."""
    return tag(text, _LABEL_HEIGHT // 2, *_label_colours(is_best))


def _knock_label(deadwood: int, *, is_best: bool) -> Sprite:
    """Return the label of a card to knock with, which has the remaining deadwood. If `is_best`, the label is gold."""
    return tag(phrases.knock_label(deadwood), _LABEL_HEIGHT // 2, *_label_colours(is_best))


def _label_colours(is_highlighted: bool) -> tuple[Colour, Colour]:
    return (GOLD, BLACK) if is_highlighted else (RECESS, TEXT)
