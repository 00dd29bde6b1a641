"""A hand as its owner sees it: the cards in slots, with melds marked, the piles, and the new card.

Lengths are in pixels. While a knock is being answered, the knocker's numbered melds are above the hand. Cards that fit
on a meld show its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Meld
from bot.engine.views import KnockView, SeatView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MIDDLE
from cardart.drawing.canvas import CAP, WIDTH, Canvas, Picture
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, tag
from cardart.drawing.palette import BLACK, EDGE, GOLD, MIST, RECESS, TEXT, Colour
from cardart.drawing.shapes import FIST, cut_mask, rounded_mask
from cardart.parts.card_rows import PADDING, CardGroup, CardRow, groups_of, wrap_rows
from cardart.parts.celebration import gild_rail
from cardart.parts.hand_grid import EDGES, HEIGHT, HandGrid
from cardart.text import alt_text, phrases, queries

LIFT: Final = 14
"""Height by which cards laid off are raised above their meld."""
_ROOM: Final = WIDTH - 2 * EDGES
_HEADER: Final = 64
"""Distance from the top of the picture to the tops of its cards."""
_SECOND: Final = 60
"""Height of the header of the hand while a knock is being answered."""
_FOOT: Final = 44
"""Distance from the lowest cards to the bottom of the picture, with room for labels."""
_LAST: Final = 24
"""Distance from the knocker's own cards, which have no labels, to the bottom of their picture."""
_NEXT: Final = 2 * PADDING + LIFT + 8
"""Space between two rows of the knocker's cards."""
_BENEATH: Final = 14
"""Space between the knocker's cards and the header of the hand."""

_LINE: Final = 43
"""Distance from the top of a section to the baseline of its header."""
_TEXT: Final = 20
_NUMBER: Final = 28
_SPACE: Final = 8
_FIST: Final = 22
_LABEL: Final = 32
"""Height of a label beneath a card."""


def draw_hand(
    view: SeatView, appearance: Appearance = DEFAULT_APPEARANCE, order: HandOrder = HandOrder.MELDS
) -> Picture:
    """Draw the hand of a seat, with its slots in the order of `queries.hand_in_order`.

    Cards that can be discarded to knock have a label with a fist and the remaining deadwood. If the player can go gin,
    only cards that leave no deadwood have a label. Raise `LookupError` if the seat sits the deal out and has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits out deal {view.public.number} and has no hand")
    knock = queries.open_knock(view.public)
    if knock is not None:
        return _draw_answer(view, knock, appearance, order)
    height = _HEADER + HEIGHT + _FOOT
    canvas = Canvas(WIDTH, height, appearance)
    gin = view.can_go_gin or view.can_go_big_gin
    least = queries.least_left(view)
    better = "" if least is None else phrases.at_best(least)
    _draw_header(canvas, 0, phrases.DEADWOOD, view.arrangement.deadwood, better)
    limit = "" if gin else phrases.limit_and_doubling(view.public)
    _draw_state(canvas, phrases.hand_state(view), limit, urgent=queries.is_urgent(view))
    if gin:
        gild_rail(canvas, (WIDTH, height))
    melded = {card for meld in view.arrangement.melds for card in meld.cards}
    framed = () if view.new_card is None or view.new_card in melded else (view.new_card,)
    replace(_grid(view, order), framed=framed, labels=_knock_labels(view)).draw(canvas, _HEADER)
    return canvas.picture(alt_text.hand(view, appearance.language, order))


def _grid(view: SeatView, order: HandOrder) -> HandGrid:
    """Return the slots, melds and piles of a hand, without frames and labels."""
    slots = [card for card in queries.hand_in_order(view, order) if card is not view.new_card]
    gone = [card for card in slots if card not in view.hand]
    public = view.public
    return HandGrid(slots, view.new_card, public.discards, public.stock, view.arrangement.melds, gone=gone)


def _knock_labels(view: SeatView) -> dict[Card, Sprite]:
    """Return the labels of cards that can be discarded to knock, or only of discards for gin if gin is possible."""
    able = [] if view.can_go_big_gin else queries.knock_choices(view)
    least = able[0].leaves if able else 0
    shown = [choice for choice in able if choice.leaves == 0 or least > 0]
    return {one.card: _knock_label(one.leaves, best=one.leaves == least) for one in shown}


def _draw_answer(view: SeatView, knock: KnockView, appearance: Appearance, order: HandOrder) -> Picture:
    """Draw the knocker's melds with the cards laid off on them, then the hand.

    The knocker sees only their own melds.
    """
    laid, mine = knock.laid, view.seat == knock.seat
    fits = {} if mine else _fitting(view, knock)
    rows = _fewest_rows(groups_of(laid, knock.lay_offs, labels=_numbers(view, knock, fits)), appearance, own=mine)
    high = sum(row.size.height + _NEXT for row in rows) - _NEXT + LIFT + PADDING
    below = _HEADER + high + _BENEATH
    canvas = Canvas(WIDTH, _HEADER + high + _LAST if mine else below + _SECOND + HEIGHT + _FOOT, appearance)
    _draw_header(canvas, 0, phrases.YOU_KNOCKED_WITH if mine else phrases.KNOCKED_WITH, laid.deadwood)
    _draw_state(canvas, phrases.lay_off_state(view), urgent=bool(queries.best_lay_offs(view)))
    y = _HEADER + LIFT
    for row in rows:
        row.draw(canvas, y, LIFT, EDGES)
        y += row.size.height + _NEXT
    if not mine:
        _draw_header(canvas, below + _SECOND - _HEADER, phrases.YOUR_HAND_DEADWOOD, view.arrangement.deadwood)
        framed = {one.card for one in queries.best_lay_offs(view)}
        labels = {card: meld_number_label("·".join(map(str, told)), best=card in framed) for card, told in fits.items()}
        replace(_grid(view, order), framed=framed, labels=labels).draw(canvas, below + _SECOND)
    return canvas.picture(alt_text.lay_off(view, knock, appearance.language, order))


def _fewest_rows(groups: list[CardGroup], appearance: Appearance, *, own: bool) -> list[CardRow]:
    """Return the knocker's cards in as few rows as possible, as large as that allows. Opponents see smaller cards."""
    sizes = (LARGE, MIDDLE, MEDIUM) if own else (MEDIUM, COMPACT)
    return min((wrap_rows(groups, _ROOM, appearance, size) for size in sizes), key=len)


def _fitting(view: SeatView, knock: KnockView) -> dict[Card, list[int]]:
    """Return the numbers of the melds on which each card can be laid off, now or later in the best answer."""
    fits: dict[Card, list[int]] = {}
    for number, meld in enumerate(knock.laid.melds, 1):
        for card in {one.card for one in (*view.lay_offs, *queries.best_lay_offs(view)) if one.meld == meld}:
            fits.setdefault(card, []).append(number)
    return fits


def _numbers(view: SeatView, knock: KnockView, fits: Mapping[Card, Sequence[int]]) -> dict[Meld, Sprite]:
    """Return number labels for the knocker's melds on which the hand can lay off cards."""
    used = {number for told in fits.values() for number in told}
    best = {one.meld for one in queries.best_lay_offs(view)}
    melds = enumerate(knock.laid.melds, 1)
    return {meld: meld_number_label(str(number), best=meld in best) for number, meld in melds if number in used}


def _draw_header(canvas: Canvas, top: int, text: str, points: int, more: str = "") -> None:
    """Draw the header of a row of cards: a text, their points, and an optional note."""
    x, y = EDGES, top + _LINE
    x += canvas.text(x, y, text, _TEXT, ink=MIST) + _SPACE
    x += canvas.text(x, y, str(points), _NUMBER) + _SPACE
    if more:
        canvas.text(x, y, more, _TEXT, ink=MIST)


def _draw_state(canvas: Canvas, state: str | None, limit: str = "", *, urgent: bool) -> None:
    """Draw the state of the hand at the top right, in gold if it is urgent, and the knock limit to its left."""
    x = WIDTH - EDGES
    if state is not None:
        label = tag(state, _TEXT, *_colours(urgent))
        x -= label.width
        canvas.put(label, x, _LINE - (_TEXT + label.height) // 2)
        x -= 2 * _SPACE
    if limit:
        canvas.text(x, _LINE, limit, _TEXT, ink=MIST, align="right")


def meld_number_label(text: str, *, best: bool) -> Sprite:
    """Return a label with the number of one or more melds. It stands out if the best answer uses that meld."""
    return tag(text, _LABEL // 2, *_colours(best))


@cache
def _knock_label(leaves: int, *, best: bool) -> Sprite:
    """Return the label of a card to knock with: a fist and the remaining deadwood. The best one stands out."""
    number, (fill, ink) = text_mask(str(leaves), CAP), _colours(best)
    size, inset = (_FIST + number.width + _LABEL // 2, _LABEL), (_LABEL - _FIST) // 2
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, _LABEL / 2, 2))
    painting.lay(ink, cut_mask((_FIST, _FIST), _FIST / 100, FIST), (inset + 2, inset))
    painting.lay(ink, number, (_FIST + inset + 4, (_LABEL + CAP) // 2 - baseline(CAP)))
    return cut_out(painting.image, rounded_mask(size, _LABEL / 2))


def _colours(stands_out: bool) -> tuple[Colour, Colour]:
    return (GOLD, BLACK) if stands_out else (RECESS, TEXT)
