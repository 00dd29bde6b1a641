"""A hand as its owner sees it: melds framed, deadwood apart with its points, the card just drawn raised."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, Literal

from bot.engine.cards import Card
from bot.engine.deal import Phase
from bot.engine.showdown import OutcomeKind
from bot.engine.views import SeatView
from cardart import alt, facts, words
from cardart.answer import draw_answer
from cardart.canvas import MARGIN, Canvas, Picture, Sprite, tag
from cardart.captions import CARDS, LIFT, ROOM, WIDTH, as_large, draw_caption, draw_state
from cardart.cards import LARGE
from cardart.festive import celebrate
from cardart.labels import knocking
from cardart.palette import BLACK, GOLD, MELDS
from cardart.rows import PADDING, Group
from cardart.themes import USUAL, Look

Order = Literal["melds", "suit", "rank"]
"""How the cards of a hand are sorted."""

_BANNER: Final = 40
_CLOSE: Final = 84
_BETWEEN: Final = 34
"""From the top to a first row of two that belong together, and from there to the second."""
_HALF: Final = CARDS + LARGE.height + PADDING


def draw_hand(view: SeatView, look: Look = USUAL, order: Order = "melds") -> Picture:
    """The hand of a seat in two rows: its melds above its deadwood, or all its cards in another order.

    Cards that one may knock with are labelled with a fist and the deadwood left then. In another order than by melds,
    cards of melds are marked. While a knock is being answered the knocker's melds are above the hand.

    Raises:
        LookupError: the seat sits the deal out, and so has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits deal {view.public.number} out: there is no hand to draw")
    knock = facts.open_knock(view.public)
    if knock is not None:
        return draw_answer(view, knock, look)
    canvas = Canvas(WIDTH, 2 * _HALF + PADDING, look)
    apart = order == "melds" and bool(view.arrangement.melds)
    tops = (CARDS, _HALF + CARDS) if apart else (_CLOSE, _CLOSE + LARGE.height + _BETWEEN)
    for top, groups in zip(tops, _rows(view, look, order), strict=True):
        if not groups:
            _draw_nothing_left(canvas, view, top)
            continue
        row = as_large(groups, look)
        row.draw(canvas, top + (LARGE.height - row.size.height) // 2, LIFT)
    if apart:
        draw_caption(canvas, 0, words.MELDS)
    least = min((choice.leaves for choice in view.discard_choices), default=view.arrangement.deadwood)
    better = words.at_best(least) if least < view.arrangement.deadwood else None
    draw_caption(canvas, _HALF if apart else 0, words.DEADWOOD, view.arrangement.deadwood, better)
    wall = view.public.phase is Phase.WALL and facts.can_take(view)
    urgent = wall or view.can_go_big_gin or any(choice.knocks for choice in view.discard_choices)
    draw_state(canvas, words.hand_state(view), urgent=urgent, beside=words.limit_of(view.public))
    return canvas.picture(alt.hand(view, look.language, order))


def _draw_nothing_left(canvas: Canvas, view: SeatView, top: int) -> None:
    """What stands in the place of deadwood where there is none."""
    label = tag(words.BANNERS[OutcomeKind.BIG_GIN if view.can_go_big_gin else OutcomeKind.GIN], _BANNER, GOLD, BLACK)
    left = (ROOM - label.width) // 2
    celebrate(canvas, (MARGIN, top, ROOM, LARGE.height), ROOM // 2, [(0, left), (left + label.width, ROOM)])
    canvas.put(label, MARGIN + left, top + (LARGE.height - label.height) // 2)


def _rows(view: SeatView, look: Look, order: Order) -> list[list[Group]]:
    """The groups of cards in each of the two rows."""
    melds, unmatched = view.arrangement.melds, view.arrangement.unmatched
    by_melds = order == "melds" and bool(melds)
    melded = {card: colour for meld, colour in zip(melds, MELDS, strict=False) for card in meld.cards}
    marked = {} if by_melds else melded
    raised = {view.new_card: marked.get(view.new_card, GOLD)} if view.new_card else {}
    labels = _labels(view, look)

    def group(cards: Iterable[Card], *, framed: bool = False) -> Group:
        return Group(tuple(cards), framed, raised, marked, labels)

    if by_melds:
        framed = [group(facts.in_order(meld.cards), framed=True) for meld in melds]
        return [framed, [group(unmatched)] if unmatched else []]
    cards = facts.sorted_hand(view.hand, order)
    if order == "suit":
        groups = [group(cards) for _, cards in groupby(cards, key=lambda card: card.suit)]
        cut = min(range(1, len(groups) + 1), key=lambda cut: max(map(_cards, (groups[:cut], groups[cut:]))))
        return [groups[:cut], groups[cut:]]
    half = (len(cards) + 1) // 2
    return [[group(cards[:half])], [group(cards[half:])]]


def _labels(view: SeatView, look: Look) -> dict[Card, Sprite]:
    """What each card that one may knock with is known by."""
    able = [choice for choice in view.discard_choices if choice.knocks]
    least = min((choice.leaves for choice in able), default=0)
    # Where big gin is there, no discard is the best.
    return {one.card: knocking(one.leaves, look, best=one.leaves == least and not view.can_go_big_gin) for one in able}


def _cards(groups: list[Group]) -> int:
    return sum(len(group.cards) for group in groups)
