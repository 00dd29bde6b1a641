"""A deal from its first card to its showdown as an animation: a frame for each action, with every hand face up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.engine.cards import Card, Hand
from bot.engine.melds import best_arrangement
from bot.engine.moves import Seat, Verb
from bot.engine.replay import Moment, ReplayView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, halo, narrow_step
from cardart.drawing.animation import Frame, encode_animation
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture, encode_picture
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, tag
from cardart.drawing.palette import BLACK, EDGE, FACE, GOLD, MIST, RECESS, RED, SEAT_COLOURS, SUIT_INKS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask, suit_mask
from cardart.parts.badges import badge
from cardart.parts.card_rows import HAND_LIFT, PADDING, UNDER, CardGroup, HandRow, groups_of
from cardart.parts.table_layout import PEEKING, around, draw_discards, draw_stock, places
from cardart.text import alt_text, phrases, queries
from cardart.text.card_names import names_of

MOST_ACTIONS: Final = 240
"""The most actions that are drawn. Nobody could follow more in the time there is."""
LONGEST: Final = 90_000
"""The longest that an animation takes, in milliseconds."""
_FIRST: Final = 2_000
_LAST: Final = 5_000
_TIME: Final = 1_200
_TIMES: Final = {Verb.PASS: 800, Verb.DRAW: 900, Verb.TAKE: 900, Verb.KNOCK: 2_500, Verb.BIG_GIN: 2_500}
"""How many milliseconds each frame is shown, unless all of them take too long together."""

_FACING: Final = 680
"""The width for two players."""
_INSET: Final = 14
_HEADER: Final = 60
"""From the top of a player's place to their cards."""
_BADGE: Final = 42
_VALUE: Final = 28

_PILES: Final = LARGE.height + 40
_STOCK: Final = 150
"""From the left of the first visible discard back to the left of the stock."""
_CARDS_IN_LAYER: Final = 6

_CAPTION: Final = 74
_TEXT: Final = 26
_SPACE: Final = 14
_BAR: Final = 6
_TRACK: Final = PanelStyle(RECESS, RECESS, 1, _BAR // 2)
_DONE: Final = PanelStyle(GOLD, GOLD, 1, _BAR // 2)
_CHIP: Final = 6
"""The room around and between rank and suit of a card in the caption."""
_CHIP_RADIUS: Final = 8

_Part = Sprite | Card | str
"""A part of a caption; an empty text is a gap."""


def draw_replay(view: ReplayView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a whole deal. What was moved last is framed in its player's colour.

    Raise `ValueError` if it has more than `MOST_ACTIONS`, or if a monogram is not one or two of A-Z and 0-9.
    """
    if view.actions > MOST_ACTIONS:
        raise ValueError(f"a deal of {view.actions} actions is not drawn: at most {MOST_ACTIONS} are")
    return encode_animation(frames(view, monograms, appearance), alt_text.replay(view, monograms, appearance.language))


def draw_step(
    view: ReplayView, step: int, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw a deal after `step` actions, as the animation shows it; after one more, the hands laid down.

    Raise `ValueError` if there is no such step, or if a monogram is not one or two of A-Z and 0-9.
    """
    if not 0 <= step <= view.actions + 1:
        raise ValueError(f"a deal of {view.actions} actions has no step {step}")
    scene = ReplayScene(view, monograms, appearance)
    drawn = scene.end() if step > view.actions else scene.moment(step)
    return encode_picture(drawn, alt_text.replay_step(view, step, monograms, appearance.language))


def times(view: ReplayView) -> list[int]:
    """Return the milliseconds of each frame: the beginning, every action, and the end."""
    verbs = [None if moment.move is None else moment.move.verb for moment in view.moments[1:]]
    actions = [_TIME if verb is None else _TIMES.get(verb, _TIME) for verb in verbs]
    room, whole = LONGEST - _FIRST - _LAST, sum(actions)
    return [_FIRST, *(time if whole <= room else time * room // whole for time in actions), _LAST]


def frames(view: ReplayView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Iterator[Frame]:
    """Yield the frames: the cards as they were dealt, the table after each action, the hands laid down."""
    scene = ReplayScene(view, monograms, appearance)
    *moments, end = times(view)
    for place, milliseconds in enumerate(moments):
        yield scene.moment(place), milliseconds
    yield scene.end(), end


class ReplayScene:
    """The scene of a replay: a place for each player's cards, the piles between them, and a caption.

    Nothing but the cards moves from frame to frame.
    """

    def __init__(self, view: ReplayView, monograms: Sequence[str], appearance: Appearance) -> None:
        self._view, self._monograms, self._appearance = view, monograms, appearance
        self._showdown = view.showdown
        self._cards = len(view.moments[0].hands[0].cards) + 1
        """The most cards that a hand holds."""
        self._width, self._size = (_FACING, LARGE) if len(view.showdown.seats) == 2 else (WIDTH, MEDIUM)
        self._high = _HEADER + self._size.height + UNDER + PADDING
        above, below = around(view.showdown.seats, view.showdown.sides)
        lower = MARGIN + self._high + _CAPTION + _PILES
        self.places = places(above, MARGIN, self._width) | places(below, lower, self._width)

    def canvas(self) -> Canvas:
        """Return a bare scene."""
        return Canvas(self._width, 2 * (MARGIN + self._high) + _CAPTION + _PILES, self._appearance)

    def badge(self, seat: Seat) -> Sprite:
        """Return a player's badge."""
        return badge(seat, self._monograms[seat], _BADGE)

    def moment(self, place: int) -> Image.Image:
        """Draw the table after `place` actions."""
        moment, canvas = self._view.moments[place], self.canvas()
        mover = None if moment.move is None else moment.move.seat
        for seat, hand in zip(self._showdown.seats, moment.hands, strict=True):
            lay_offs = moment.lay_offs if seat == self._showdown.outcome.knocker else ()
            raised: dict[Card, Colour] = {}
            if moment.new_card is not None and seat == mover:
                hand = best_arrangement(Hand.of((*hand.cards, moment.new_card)), self._showdown.rules.aces)
                raised[moment.new_card] = SEAT_COLOURS[seat]
            self._draw_hand(canvas, seat, groups_of(hand, lay_offs, raised), hand.deadwood, acting=seat == mover)
        self.draw_piles(canvas, moment)
        self.draw_caption(canvas, self._told(place), place)
        return canvas.frame()

    def end(self) -> Image.Image:
        """Draw the hands laid down, with lay-offs, and the points."""
        showdown, outcome, canvas = self._showdown, self._showdown.outcome, self.canvas()
        for seat in showdown.seats:
            groups = groups_of(showdown.hand(seat), outcome.lay_offs if seat == outcome.knocker else ())
            self._draw_hand(canvas, seat, groups, showdown.deadwood(seat), acting=seat == outcome.winner)
        self.draw_piles(canvas, replace(self._view.moments[-1], move=None))
        title = phrases.OUTCOME_TITLES[outcome.kind]
        parts: list[_Part] = [tag(title, _TEXT, GOLD, BLACK) if outcome.kind in queries.CELEBRATED else title]
        if showdown.charged and outcome.winner is not None:
            parts += [self.badge(outcome.winner), ""]
        for seat, text in phrases.points_earned(showdown):
            parts += [] if seat is None else [self.badge(seat)]
            parts += [tag(text, _TEXT - 4, RED, TEXT), ""] if showdown.charged else [text]
        self.draw_caption(canvas, parts, self._view.actions)
        return canvas.frame()

    def _draw_hand(
        self, canvas: Canvas, seat: Seat, groups: Sequence[CardGroup], deadwood: int, *, acting: bool
    ) -> None:
        """Draw a player's badge, deadwood and cards."""
        place = self.places[seat]
        left, top = place.left + _INSET, place.top
        place.draw(canvas, self._high, acting=acting)
        middle = top + (_HEADER - HAND_LIFT) // 2 + 3
        canvas.put(self.badge(seat), left, middle - _BADGE // 2)
        x, baseline = left + _BADGE + PADDING, middle + _VALUE // 2
        x += canvas.text(x, baseline, phrases.DEADWOOD, CAP, ink=MIST, ground=RECESS) + PADDING
        canvas.text(x, baseline, str(deadwood), _VALUE, ground=RECESS)
        held = sum(len(group.cards) for group in groups)
        parts = max(len(groups), (self._cards - 1) // 3 + 2)
        row = HandRow.of(max(held, self._cards), parts, place.width - 2 * _INSET, self._appearance, self._size)
        row.draw(canvas, groups, left, top + _HEADER + (self._size.height + row.size.height) // 2)

    def draw_piles(self, canvas: Canvas, moment: Moment) -> None:
        """Draw which deal it is, the stock and its number of cards, and the last discards.

        The pile's top card never moves; the other discards peep out to its left.
        """
        y = MARGIN + self._high + _CAPTION + (_PILES - LARGE.height) // 2
        board = [f"{phrases.BOARD} {self._showdown.board}"] if self._showdown.boards > 1 else []
        baseline = y + (LARGE.height + _VALUE - len(board) * 2 * _VALUE) // 2
        for line, text in enumerate((f"{phrases.DEAL} {self._showdown.number}", *board)):
            canvas.text(MARGIN + _INSET, baseline + line * 2 * _VALUE, text, _VALUE)
        shown, step = moment.discards[-PEEKING:], narrow_step(self._appearance, LARGE)
        top = self._width - MARGIN - _INSET - LARGE.width
        stock = top - (PEEKING - 1) * step - _STOCK
        lift = draw_stock(canvas, moment.stock, _CARDS_IN_LAYER, stock, y)
        draw_discards(canvas, shown, top - max(0, len(shown) - 1) * step, y)
        if moment.move is not None and moment.move.verb is Verb.DRAW:
            canvas.put(halo(SEAT_COLOURS[moment.move.seat]), stock + lift, y - lift)
        elif moment.move is not None and moment.move.verb in (Verb.DISCARD, Verb.KNOCK):
            canvas.put(halo(SEAT_COLOURS[moment.move.seat]), top, y)

    def draw_caption(self, canvas: Canvas, parts: Sequence[_Part], done: int) -> None:
        """Draw texts, cards and badges in a line, and a bar that shows how many of the actions are done."""
        top = MARGIN + self._high
        middle, x = top + (_CAPTION - _BAR + 2) // 2, MARGIN
        for part in parts:
            if isinstance(part, str):
                x += canvas.text(x, middle + _TEXT // 2, part, _TEXT) + _SPACE
                continue
            sprite = card_chip(part, self._appearance) if isinstance(part, Card) else part
            canvas.put(sprite, x, middle - sprite.height // 2)
            x += sprite.width + _SPACE
        right, bottom = self._width - MARGIN, top + _CAPTION
        canvas.panel((MARGIN, bottom - _BAR, right, bottom), _TRACK)
        if done:
            reached = max(2 * _BAR, (right - MARGIN) * done // self._view.actions)
            canvas.panel((MARGIN, bottom - _BAR, MARGIN + reached, bottom), _DONE)

    def _told(self, place: int) -> list[_Part]:
        """Return what happens, in a few words."""
        move = self._view.moments[place].move
        if move is None:
            return [phrases.DEALT if place == 0 else phrases.RESHUFFLED]
        did = phrases.ACTION_VERBS[move.verb]
        if move.verb in (Verb.KNOCK, Verb.BIG_GIN):
            did = phrases.knock_or_gin(self._showdown)
            did += "" if move.card is None else f", {phrases.ACTION_VERBS[Verb.DISCARD]}"
        return [self.badge(move.seat), did, *([] if move.card is None else [move.card])]


def card_chip(card: Card, appearance: Appearance) -> Sprite:
    """Return a card in the size of a word: its rank and its suit."""
    return _printed_chip(card, names_of(appearance.language).rank_letters(card.rank))


@lru_cache(256)
def _printed_chip(card: Card, letters: str) -> Sprite:
    rank, suit = rank_mask(letters, _TEXT, _TEXT), suit_mask(card.suit, _TEXT)
    size = (rank.width + suit.width + 4 * _CHIP, _TEXT + 4 * _CHIP)
    painting = Painting(size, EDGE).lay(FACE, rounded_mask(size, _CHIP_RADIUS, 2))
    for x, mask in ((3 * _CHIP // 2, rank), (size[0] - suit.width - 3 * _CHIP // 2, suit)):
        painting.lay(SUIT_INKS[card.suit], mask, (x, (size[1] - mask.height) // 2))
    return cut_out(painting.image, rounded_mask(size, _CHIP_RADIUS))
