"""A deal that is over: the hands laid down, cards laid off raised on the melds they joined, and the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.showdown import Kind
from bot.engine.views import ShowdownView
from cardart import words
from cardart.canvas import MARGIN, Canvas, Picture, tag
from cardart.cards import HEIGHT, back
from cardart.cards import WIDTH as CARD
from cardart.marks import badge
from cardart.palette import BLACK, GOLD, MIST, SEATS
from cardart.rows import PADDING, Group, Row, rows

WIDTH: Final = 1040
_ROOM: Final = WIDTH - 2 * MARGIN
_LEFT: Final = MARGIN + PADDING
_RIGHT: Final = WIDTH - MARGIN - PADDING

_BANNER: Final = 92
_TITLE: Final = 36
_TEXT: Final = 24
_HEADER: Final = 64
_BADGE: Final = 50
_LIFT: Final = 18
_ROW: Final = HEIGHT + 2 * PADDING + _LIFT
_SECTION_GAP: Final = 14
_LINE: Final = 42
_VOID_HEIGHT: Final = 330


def draw_showdown(view: ShowdownView, marks: Sequence[str]) -> Picture:
    """The showdown, with `marks[seat]` as each player's monogram; a void deal shows no hands, and says so.

    Raises:
        ValueError: a mark is not one or two of A-Z and 0-9.
    """
    if view.outcome.kind is Kind.VOID:
        return _draw_void(view, marks)
    laid = [(seat, rows(_groups(view, seat), _ROOM)) for seat in words.showdown_order(view)]
    height = _BANNER + sum(_HEADER + len(lines) * _ROW + _SECTION_GAP for _, lines in laid)
    canvas = Canvas(WIDTH, height)
    _draw_banner(canvas, view, marks)
    top = _BANNER
    for seat, lines in laid:
        _draw_section(canvas, view, seat, marks[seat], lines, top)
        top += _HEADER + len(lines) * _ROW + _SECTION_GAP
    return canvas.picture(words.showdown(view, marks))


def _groups(view: ShowdownView, seat: Seat) -> list[Group]:
    """A seat's melds with what was laid off on them, then its deadwood."""
    hand, knocked = view.hand(seat), seat == view.outcome.knocker
    colour = SEATS[next(other for other in view.seats if other != seat)]
    groups: list[Group] = []
    for meld in hand.melds:
        added = [one.card for one in view.outcome.lay_offs if knocked and one.meld == meld]
        groups.append(Group(tuple(sorted((*meld.cards, *added))), True, frozenset(added), colour))
    return [*groups, Group(hand.unmatched, False)] if hand.unmatched else groups


def _draw_banner(canvas: Canvas, view: ShowdownView, marks: Sequence[str]) -> None:
    outcome = view.outcome
    title = words.BANNERS[outcome.kind]
    baseline = (_BANNER + _TITLE) // 2
    if outcome.kind is Kind.KNOCK:
        canvas.text(_LEFT, baseline, title, _TITLE)
    else:
        label = tag(title, _TITLE, GOLD, BLACK)
        canvas.put(label, _LEFT, (_BANNER - label.height) // 2)
    if outcome.winner is not None:
        right = _RIGHT - canvas.text(_RIGHT, baseline, words.reckoning(view), _TITLE, align="right") - _BADGE - PADDING
        canvas.put(badge(outcome.winner, marks[outcome.winner], _BADGE), right, (_BANNER - _BADGE) // 2)


def _draw_section(canvas: Canvas, view: ShowdownView, seat: Seat, mark: str, lines: Sequence[Row], top: int) -> None:
    canvas.put(badge(seat, mark, _BADGE), _LEFT, top + (_HEADER - _BADGE) // 2)
    baseline = top + (_HEADER + _TEXT) // 2
    canvas.text(_LEFT + _BADGE + PADDING, baseline, words.went(view, seat), _TEXT)
    x = _RIGHT
    for label, number in ((words.SCORE, view.score.scores[seat]), (words.DEADWOOD, view.deadwood(seat))):
        x -= canvas.text(x, baseline, str(number), _TEXT + 4, align="right") + PADDING // 2
        x -= canvas.text(x, baseline, label, _TEXT, ink=MIST, align="right") + 3 * PADDING
    for place, line in enumerate(lines):
        line.draw(canvas, top + _HEADER + place * _ROW + _LIFT + PADDING, _LIFT)


def _draw_void(view: ShowdownView, marks: Sequence[str]) -> Picture:
    canvas = Canvas(WIDTH, _VOID_HEIGHT)
    canvas.text(_LEFT, (_BANNER + _TITLE) // 2, words.VOID, _TITLE)
    for place, line in enumerate(words.VOID_BECAUSE):
        canvas.text(_LEFT, _BANNER + (place + 1) * _LINE, line, _TEXT, ink=MIST)
    for place in range(2):
        canvas.put(back(), _RIGHT - CARD - (1 - place) * CARD // 2, (_VOID_HEIGHT - HEIGHT) // 2)
    x, middle = _LEFT, _VOID_HEIGHT - MARGIN - _BADGE // 2
    for seat in sorted(view.seats):
        canvas.put(badge(seat, marks[seat], _BADGE), x, middle - _BADGE // 2)
        x += _BADGE + PADDING
        x += canvas.text(x, middle + _TEXT // 2, str(view.score.scores[seat]), _TEXT + 4) + 3 * PADDING
    return canvas.picture(words.showdown(view, marks))
