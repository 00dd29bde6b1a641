"""An animation of a deal with all hands face up: a frame for each action, and the showdown. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.engine.cards import Card
from bot.engine.moves import Seat, Verb
from bot.engine.replay import Moment, ReplayView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MIDDLE, Size, narrow_step
from cardart.drawing.animation import Frame, encode_animation
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture, encode_picture
from cardart.drawing.lettering import rank_mask, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, tag
from cardart.drawing.palette import (
    BLACK,
    EDGE,
    FACE,
    FELT,
    GOLD,
    MIST,
    RECESS,
    RED,
    SEAT_COLOURS,
    SUIT_INKS,
    TEXT,
)
from cardart.drawing.shapes import rounded_mask, suit_mask
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, RING, CardGroup, CardRow, groups_of
from cardart.parts.table_layout import PEEKING, Place, around, draw_caption, draw_discards, draw_stock
from cardart.text import alt_text, phrases, queries
from cardart.text.card_names import names_of

MOST_ACTIONS: Final = 240
"""Maximum number of actions in a replay. More actions would be too fast to follow within `LONGEST`."""
LONGEST: Final = 90_000
"""Maximum duration of an animation, in milliseconds."""
_FIRST: Final = 2_000
_LAST: Final = 5_000
_TIME: Final = 1_200
_TIMES: Final = {Verb.PASS: 800, Verb.DRAW: 900, Verb.TAKE: 900, Verb.KNOCK: 2_500, Verb.BIG_GIN: 2_500}
"""Duration of each frame in milliseconds, before all are shortened to fit into `LONGEST`."""

SIZES: Final = (LARGE, Size(105, 144), MIDDLE, Size(91, 125), MEDIUM, COMPACT, Size(67, 92), Size(50, 69))
"""Card sizes. A deal uses one size for all frames, and the smallest sizes are for hands with many cards laid off."""
_TALLEST: Final = 960
"""Maximum height of the picture, unless even the smallest cards need more. Phones show 350 by 420 pixels."""
_MANY: Final = 120
"""Number of actions above which cards are at most `MEDIUM`, because encoding many large frames takes long."""
_INSET: Final = 10
_HEADER: Final = 52
"""Distance from the top of a player's place to the frames of the cards."""
_DOWN: Final = 1
"""Distance by which the header is below its middle, closer to the cards."""
_BELOW: Final = 10
"""Distance from the frames to the bottom of a player's place."""
_LIFT: Final = 7
"""Height by which cards laid off are raised above their meld."""
_BADGE: Final = 42
_VALUE: Final = 28
_ACTING: Final = PanelStyle(FELT, GOLD, 4)

_PILES: Final = 66
"""Height between the players, in addition to the height of a card."""
_LOWEST: Final = 172
"""Minimum height between the players, for which the caption is designed."""
_CARDS: Final = 20
"""Distance from the players above to the cards of the piles."""
_APART: Final = 146
"""Distance between the left edges of stock and discards, for any size, because their captions need this width."""
_STOCK: Final = 110
"""Width of the caption of the stock."""
_CARDS_IN_LAYER: Final = 8

_TEXTS: Final = (26, 23, 20, 17)
"""Cap heights for lines of the caption. The first at which a line ends before the stock is used."""
_TEXT: Final = _TEXTS[0]
_CHARGES: Final = {1: CAP, 2: CAP, 3: 16}
"""Cap heights for penalty points, by the number of players that are charged, which are side by side."""
_TITLES: Final = (CAP, 17, 15)
"""Cap heights for the title of the caption. The first that fits is used."""
_SPACE: Final = 12
_TITLE: Final = 29
"""Distance from the top of the caption to the middle of its title, which has the deal and the step."""
_LINES: Final = (91, 143)
"""Distances from the top of the caption to the middles of its other lines."""
_BAR_TOP: Final = 46
_BAR: Final = 6
_TRACK: Final = PanelStyle(RECESS, RECESS, 1, _BAR // 2)
_DONE: Final = PanelStyle(MIST, MIST, 1, _BAR // 2)
_CHIP: Final = 6
"""Space around and between the rank and the suit of a card in the caption."""
_CHIP_RADIUS: Final = 8

_Part = Sprite | Card | str
"""A part of a caption."""


def draw_replay(view: ReplayView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a whole deal. The card that was moved last is framed in its player's colour.

    Raise `ValueError` if the deal has more than `MOST_ACTIONS` actions, or if a monogram is not one or two characters
    of A-Z and 0-9.
    """
    if view.actions > MOST_ACTIONS:
        raise ValueError(f"a deal of {view.actions} actions is too long to draw: at most {MOST_ACTIONS} are allowed")
    return encode_animation(frames(view, monograms, appearance), alt_text.replay(view, monograms, appearance.language))


def draw_step(
    view: ReplayView, step: int, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw the frame of the animation after `step` actions. One step after the last action is the showdown.

    Raise `ValueError` if there is no such step, or if a monogram is not one or two characters of A-Z and 0-9.
    """
    if not 0 <= step <= view.actions + 1:
        raise ValueError(f"a deal of {view.actions} actions has no step {step}")
    scene = ReplayScene(view, monograms, appearance)
    drawn = scene.end() if step > view.actions else scene.moment(step)
    return encode_picture(drawn, alt_text.replay_step(view, step, monograms, appearance.language))


def times(view: ReplayView) -> list[int]:
    """Return the duration of each frame in milliseconds: the start, every action, and the end."""
    verbs = [None if moment.move is None else moment.move.verb for moment in view.moments[1:]]
    actions = [_TIME if verb is None else _TIMES.get(verb, _TIME) for verb in verbs]
    room, whole = LONGEST - _FIRST - _LAST, sum(actions)
    return [_FIRST, *(time if whole <= room else time * room // whole for time in actions), _LAST]


def frames(view: ReplayView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Iterator[Frame]:
    """Yield the frames: the cards as dealt, the table after each action, and the showdown."""
    scene = ReplayScene(view, monograms, appearance)
    *moments, end = times(view)
    for place, milliseconds in enumerate(moments):
        yield scene.moment(place), milliseconds
    yield scene.end(), end


class ReplayScene:
    """The layout of a replay: a place for each player's cards, and between them a caption and the piles.

    Only cards move from frame to frame, and all cards have the same size.
    """

    def __init__(self, view: ReplayView, monograms: Sequence[str], appearance: Appearance) -> None:
        self._view, self._monograms, self._appearance = view, monograms, appearance
        self._showdown = view.showdown
        self._size, self._steps = self._largest()
        self._high = _place_height(self._size)
        self._between = _middle_height(self._size)
        self._narrow = narrow_step(appearance, self._size)
        most = (PEEKING - 1) * self._narrow + self._size.width + RING
        self._discards = WIDTH - MARGIN - _INSET - RING - most
        """The left edge of the discards."""
        self.stock = self._discards - _APART
        """The left edge of the stock."""
        self.end_of_caption = self.stock - max(0, _STOCK - self._size.width) // 2 - _SPACE
        """The right edge of the caption, before the stock and its own caption."""
        above, below = around(view.showdown.seats, view.showdown.sides)
        self._middle = MARGIN + len(above) * self._high
        tops = [MARGIN + row * self._high for row in range(len(above))]
        tops += [self._middle + self._between + row * self._high for row in range(len(below))]
        self.places = {
            seat: Place(MARGIN, top, WIDTH - 2 * MARGIN) for seat, top in zip([*above, *below], tops, strict=True)
        }

    def canvas(self) -> Canvas:
        """Return a canvas of the scene's size, with nothing on it."""
        return Canvas(WIDTH, _height(len(self.places), self._size), self._appearance)

    def badge(self, seat: Seat) -> Sprite:
        return badge(seat, self._monograms[seat], _BADGE)

    def moment(self, place: int) -> Image.Image:
        """Draw the table after `place` actions."""
        moment, canvas = self._view.moments[place], self.canvas()
        for seat, hand, groups in zip(self._showdown.seats, moment.hands, self._laid(moment), strict=True):
            acting = moment.move is not None and seat == moment.move.seat
            row = CardRow(tuple(groups), self._steps[seat], self._size)
            if acting and moment.least_left is not None:
                self._draw_hand(canvas, seat, row, moment.least_left, phrases.AFTER_DISCARD, acting=True)
            else:
                self._draw_hand(canvas, seat, row, hand.deadwood, acting=acting)
        self.draw_piles(canvas, moment)
        self.draw_caption(canvas, self._told(place), place)
        return canvas.frame()

    def end(self) -> Image.Image:
        """Draw the showdown: the hands laid down, with lay-offs, and the points."""
        showdown, outcome, canvas = self._showdown, self._showdown.outcome, self.canvas()
        for seat, groups in zip(showdown.seats, self._laid_down(), strict=True):
            did, row = phrases.seat_outcome(showdown, seat), self._row(groups, self._size, self._steps[seat])
            self._draw_hand(canvas, seat, row, showdown.deadwood(seat), f"· {did}", acting=seat == outcome.winner)
        self.draw_piles(canvas, replace(self._view.moments[-1], move=None))
        self.draw_caption(canvas, self._result(), self._view.actions + 1)
        return canvas.frame()

    def _result(self) -> list[list[_Part]]:
        """Return the caption of the showdown, in two lines: the points earned, and how they add up."""
        showdown, outcome = self._showdown, self._showdown.outcome
        title, winner = phrases.OUTCOME_TITLES[outcome.kind], outcome.winner
        sum_ = "" if showdown.charged or winner is None else phrases.points_sum(showdown)
        how: _Part = self._celebration(title, sum_) if outcome.kind in queries.CELEBRATED else title
        if winner is None:
            return [[how], [phrases.NO_POINTS]]
        by = self.badge(winner)
        if not showdown.charged:
            return [[by, phrases.points_won(outcome.points)], [how, sum_]]
        charges: list[_Part] = []
        for seat, text in phrases.points_earned(showdown):
            charges += [] if seat is None else [self.badge(seat)]
            charges.append(tag(text, _CHARGES[len(showdown.charged)], RED, TEXT))
        return [[how, by], charges]

    def _celebration(self, title: str, beside: str) -> Sprite:
        """Return the outcome as a label, as large as possible next to the given text."""
        room = self.end_of_caption - MARGIN - _INSET
        if beside:
            room -= text_mask(beside, _TEXTS[-1]).width + _SPACE
        tags = [tag(title, cap, GOLD, BLACK) for cap in _TEXTS]
        return next((one for one in tags if one.width <= room), tags[-1])

    def _laid(self, moment: Moment) -> Iterator[list[CardGroup]]:
        """Yield the groups of each hand at a moment, in turn. A new card is raised, in its meld or at the end."""
        for seat, hand in zip(self._showdown.seats, moment.hands, strict=True):
            lay_offs, new = moment.lay_offs if seat == self._showdown.outcome.knocker else (), moment.new_card
            if new is None or moment.move is None or seat != moment.move.seat:
                yield groups_of(hand, lay_offs)
                continue
            raised, rest = {new: SEAT_COLOURS[seat]}, tuple(card for card in hand.unmatched if card is not new)
            last = (*rest, new) if new in hand.unmatched else rest
            yield groups_of(replace(hand, unmatched=last), lay_offs, raised)

    def _laid_down(self) -> Iterator[list[CardGroup]]:
        """Yield the groups of each hand at the showdown, in turn."""
        showdown = self._showdown
        for seat in showdown.seats:
            lay_offs = showdown.outcome.lay_offs if seat == showdown.outcome.knocker else ()
            yield groups_of(showdown.hand(seat), lay_offs)

    def _largest(self) -> tuple[Size, dict[Seat, int]]:
        """Return the largest size at which every index of the deal is visible, or else the smallest size.

        Also return each player's distance between cards, which is the same in every frame before the showdown.
        """
        moments = [list(self._laid(moment)) for moment in self._view.moments]
        every = [groups for hands in (*moments, self._laid_down()) for groups in hands]
        players = len(self._showdown.seats)
        sizes = [size for size in SIZES if _height(players, size) <= _TALLEST]
        if self._view.actions > _MANY:
            sizes = [size for size in sizes if size.width <= MEDIUM.width]
        fitting = (size for size in sizes if all(self._row(groups, size).reads(self._appearance) for groups in every))
        size = next(fitting, sizes[-1])
        held = zip(self._showdown.seats, zip(*moments, strict=True), strict=True)
        return size, {seat: min(self._row(groups, size).step for groups in hands) for seat, hands in held}

    def _row(self, groups: Sequence[CardGroup], size: Size, widest: int | None = None) -> CardRow:
        """Return a row of cards. By default, at most half of each covered card is visible."""
        return CardRow.of(groups, WIDTH - 2 * MARGIN - 2 * _INSET, self._appearance, size, widest or size.width // 2)

    def _draw_hand(
        self, canvas: Canvas, seat: Seat, row: CardRow, deadwood: int, note: str = "", *, acting: bool
    ) -> None:
        """Draw a player's badge, their deadwood with a note, and their cards."""
        place = self.places[seat]
        left = place.left + _INSET
        if acting:
            canvas.panel((place.left, place.top, place.left + place.width, place.top + self._high), _ACTING)
        middle = place.top + _DOWN + _HEADER // 2
        x, baseline = left + _BADGE + PADDING, middle + _VALUE // 2
        canvas.put(self.badge(seat), left, middle - _BADGE // 2)
        x += canvas.text(x, baseline, phrases.DEADWOOD, CAP, ink=MIST) + PADDING
        x += canvas.text(x, baseline, str(deadwood), _VALUE) + PADDING
        canvas.text(x, baseline, note, CAP, ink=MIST)
        row.draw(canvas, place.top + _HEADER + PADDING, _LIFT, left)

    def draw_piles(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the stock and the last discards, each with its number of cards, and mark the pile of the last move.

        A card that was just taken leaves an empty place to the right of the new top card.
        """
        y, size = self._middle + _CARDS, self._size
        verb, ring = (None, None) if moment.move is None else (moment.move.verb, SEAT_COLOURS[moment.move.seat])
        draw_stock(canvas, moment.stock, _CARDS_IN_LAYER, self.stock, y, size, ring if verb is Verb.DRAW else None)
        taken = verb is Verb.TAKE
        shown = moment.discards[1 - PEEKING if taken else -PEEKING :]
        if taken:
            x = self._discards + len(shown) * self._narrow
            canvas.panel((x, y, x + size.width, y + size.height))
        if shown or not taken:
            on_discards = verb in (Verb.DISCARD, Verb.KNOCK)
            draw_discards(canvas, shown, self._discards, y, size, ring if on_discards else None)
        bottom, wide = y + size.height, max(0, len(shown) + taken - 1) * self._narrow + size.width
        draw_caption(canvas, self.stock + size.width // 2, bottom, phrases.STOCK, moment.stock)
        draw_caption(canvas, self._discards + wide // 2, bottom, phrases.DISCARDS, len(moment.discards))

    def draw_caption(self, canvas: Canvas, lines: Sequence[Sequence[_Part]], step: int) -> None:
        """Draw the deal and the step, a progress bar, and lines of texts, cards and badges."""
        left, right = MARGIN + _INSET, self.end_of_caption
        top = self._middle + (self._between - _LOWEST) // 2
        self._draw_title(canvas, step, left, top + _TITLE + CAP // 2, right - left)
        bar = top + _BAR_TOP
        canvas.panel((left, bar, right, bar + _BAR), _TRACK)
        if step:
            # A deal that was broken off may have no actions.
            actions = self._view.actions or 1
            reached = max(2 * _BAR, (right - left) * min(step, actions) // actions)
            canvas.panel((left, bar, left + reached, bar + _BAR), _DONE)
        for middle, parts in zip(_LINES, lines, strict=False):
            self._draw_line(canvas, parts, top + middle)

    def _draw_title(self, canvas: Canvas, step: int, x: int, y: int, room: int) -> None:
        """Draw the deal and the step, with a cap height at which the longest title of this deal fits."""
        over, actions = self._showdown, self._view.actions
        longest = "".join(phrases.deal_step(over, actions, actions))
        cap = next((cap for cap in _TITLES if text_mask(longest, cap).width <= room), _TITLES[-1])
        for part, ink in zip(phrases.deal_step(over, step, actions), (MIST, TEXT, MIST), strict=False):
            x += canvas.text(x, y, part, cap, ink=ink)

    def _draw_line(self, canvas: Canvas, parts: Sequence[_Part], middle: int) -> None:
        """Draw texts, cards and badges side by side."""
        drawn = [card_chip(part, self._appearance) if isinstance(part, Card) else part for part in parts]
        room, spaces = self.end_of_caption - MARGIN - _INSET, max(1, len(parts) - 1)

        def width(cap: int) -> int:
            return sum(text_mask(part, cap).width if isinstance(part, str) else part.width for part in drawn)

        cap = next((cap for cap in _TEXTS if width(cap) + spaces * _SPACE <= room), _TEXTS[-1])
        space = min(_SPACE, (room - width(cap)) // spaces)
        x = MARGIN + _INSET
        for part in drawn:
            if isinstance(part, str):
                x += canvas.text(x, middle + cap // 2, part, cap) + space
            else:
                canvas.put(part, x, middle - part.height // 2)
                x += part.width + space

    def _told(self, place: int) -> list[list[_Part]]:
        """Return the caption after an action: one line, or two for a knock and its discard."""
        move = self._view.moments[place].move
        if move is None:
            return [[phrases.DEALT if place == 0 else phrases.RESHUFFLED]]
        did, card = phrases.ACTION_VERBS[move.verb], [] if move.card is None else [move.card]
        if move.verb in (Verb.KNOCK, Verb.BIG_GIN):
            discarded: list[list[_Part]] = [[phrases.ACTION_VERBS[Verb.DISCARD], *card]] if card else []
            return [[self.badge(move.seat), phrases.knock_or_gin(self._showdown)], *discarded]
        return [[self.badge(move.seat), did, *card]]


def _place_height(size: Size) -> int:
    return _HEADER + 2 * PADDING + size.height + _BELOW


def _middle_height(size: Size) -> int:
    return max(_LOWEST, size.height + _PILES)


def _height(players: int, size: Size) -> int:
    """Return the height of a picture with this number of players."""
    return 2 * MARGIN + players * _place_height(size) + _middle_height(size)


def card_chip(card: Card, appearance: Appearance) -> Sprite:
    """Return a chip with a card's rank and suit, the size of a word."""
    return _printed_chip(card, names_of(appearance.language).rank_letters(card.rank))


@lru_cache(256)
def _printed_chip(card: Card, letters: str) -> Sprite:
    rank, suit = rank_mask(letters, _TEXT, _TEXT), suit_mask(card.suit, _TEXT)
    size = (rank.width + suit.width + 4 * _CHIP, _TEXT + 4 * _CHIP)
    painting = Painting(size, EDGE).lay(FACE, rounded_mask(size, _CHIP_RADIUS, 2))
    for x, mask in ((3 * _CHIP // 2, rank), (size[0] - suit.width - 3 * _CHIP // 2, suit)):
        painting.lay(SUIT_INKS[card.suit], mask, (x, (size[1] - mask.height) // 2))
    return cut_out(painting.image, rounded_mask(size, _CHIP_RADIUS))
