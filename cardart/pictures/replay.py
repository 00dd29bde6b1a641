"""An animation of a deal with all hands face up: a frame for each action, and the showdown. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from PIL import Image

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat, Verb
from bot.engine.matches import facts
from bot.engine.matches.replay import Moment, ReplayView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MEDIUM_LARGE, Size, narrow_step
from cardart.drawing.animation import Frame, encode_animation
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture, encode_picture
from cardart.drawing.lettering import baseline, fitted_text, text_mask, text_width
from cardart.drawing.painting import Sprite, arrow, inked, tag
from cardart.drawing.palette import BLACK, FELT, GOLD, MIST, RECESS, RED, SEAT_COLOURS, TEXT, Colour
from cardart.parts.card_chips import card_chip
from cardart.parts.card_rows import FRAME_PADDING, RING_WIDTH, CardGroup, CardRow, card_groups
from cardart.parts.portraits import Portrait, draw_portrait, monograms, portrait_without_avatar
from cardart.parts.table_layout import VISIBLE_DISCARDS, Place, draw_caption, draw_discards, draw_stock, seat_rows
from cardart.text import alt_text, phrases

MAX_ACTIONS: Final = 240
"""Maximum number of actions in a replay. More actions would be too fast to follow within `MAX_MILLISECONDS`."""
MAX_MILLISECONDS: Final = 90_000
"""Maximum duration of an animation, in milliseconds."""
_FIRST_MILLISECONDS: Final = 2_000
_LAST_MILLISECONDS: Final = 5_000
_ACTION_MILLISECONDS: Final = 1_300
_MILLISECONDS_BY_VERB: Final = {Verb.KNOCK: 2_500, Verb.BIG_GIN: 2_500}
"""Durations of frames after certain actions, in milliseconds. In long deals, all durations are reduced."""

CARD_SIZES: Final = (LARGE, Size(105, 144), MEDIUM_LARGE, Size(91, 125), MEDIUM, COMPACT, Size(67, 92), Size(50, 69))
"""Card sizes. A deal uses one size for all frames, and the smallest sizes are for hands with many cards laid off."""
_MAX_HEIGHT: Final = 960
"""Maximum height of the picture, unless even the smallest cards need more. Phones show 350 by 420 pixels."""
_MANY_ACTIONS: Final = 120
"""Number of actions above which cards are at most `MEDIUM`, because encoding many large frames takes long."""
_INSET: Final = 12
"""Space between the frame of the winner's or acting player's place and the cards. All places have this space."""
_HEADER_HEIGHT: Final = 52
"""Distance from the top of a player's place to the frames of the cards."""
_HEADER_SHIFT: Final = 1
"""Distance by which the contents of a header are below its middle, closer to the cards."""
_PLACE_BOTTOM_MARGIN: Final = 10
"""Distance from the borders around the cards to the bottom edge of a player's place."""
_LIFT: Final = 7
"""Height by which cards laid off are raised above their meld."""
_BADGE_SIZE: Final = 42
_NAME_CAP: Final = 23
_NOTE_CAP: Final = 20
_VALUE_CAP: Final = 28
_ARROW_SIZE: Final = 22
_POINTS_CAP: Final = 34
"""Cap height of the points of the winner, at the showdown."""
_MIN_NAME_WIDTH: Final = 120
"""Minimum width of a name in the caption, unless it is shorter. If there is less room, the name is left out."""
_ACTING_STYLE: Final = PanelStyle(FELT, MIST, 2)
_WINNER_STYLE: Final = PanelStyle(FELT, GOLD, 3)

_PILES_EXTRA_HEIGHT: Final = 66
"""Height of the area between the players, in addition to the height of a card."""
_MIN_PILES_HEIGHT: Final = 172
"""Minimum height of the area between the players, for which the caption is designed."""
_CARDS_TOP_MARGIN: Final = 20
"""Distance from the players above to the cards of the piles."""
_PILES_DISTANCE: Final = 146
"""Distance between the left edges of the stock and the discards. It does not depend on the size of the cards, because
the captions of the stock and the discards need this width."""
_STOCK_CAPTION_WIDTH: Final = 110
"""Width of the caption of the stock."""
_CARDS_IN_LAYER: Final = 8

_TEXT_CAPS: Final = (26, 23, 20, 17)
"""Cap heights for a line of the caption. The first at which the line fits is used."""
_MAX_TEXT_CAP: Final = _TEXT_CAPS[0]
_CHARGE_CAPS: Final = {1: LABEL_CAP, 2: LABEL_CAP, 3: 16}
"""Cap heights for penalty points, by the number of players charged. The labels of all charged players share a line."""
_TITLE_CAPS: Final = (LABEL_CAP, 17, 15)
"""Cap heights for the title of the caption. The first that fits is used."""
_SPACE: Final = 12
_TITLE_MIDDLE: Final = 29
"""Distance from the top of the caption to the middle of its title (the deal and the step)."""
_LINE_MIDDLES: Final = (91, 143)
"""Distances from the top of the caption to the middles of the two lines below its title."""
_BAR_TOP: Final = 46
_BAR_HEIGHT: Final = 6
_TRACK_STYLE: Final = PanelStyle(RECESS, RECESS, 1, _BAR_HEIGHT // 2)
_PROGRESS_STYLE: Final = PanelStyle(MIST, MIST, 1, _BAR_HEIGHT // 2)

_CaptionPart = Sprite | Card | str
"""A part of a line in the caption: a badge or label, a card, or a text."""


def draw_replay(
    view: ReplayView, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw a whole deal. The card that was moved last is framed in its player's colour.

    `portraits` are by seat. Their avatars are not shown, because a frame has only the colours of its appearance.

    Raise `ValueError` if the deal has more than `MAX_ACTIONS` actions, or if a monogram is not one or two characters
    of A-Z and 0-9.
    """
    if view.action_count > MAX_ACTIONS:
        raise ValueError(
            f"a deal of {view.action_count} actions is too long to draw: at most {MAX_ACTIONS} are allowed"
        )
    alt = alt_text.replay(view, monograms(portraits), appearance.language)
    return encode_animation(frames(view, portraits, appearance), alt)


def draw_step(
    view: ReplayView, step: int, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw the frame of the animation after `step` actions. The step after the last action is the showdown.

    Raise `ValueError` if there is no such step, or if a monogram is not one or two characters of A-Z and 0-9.
    """
    if not 0 <= step <= view.action_count + 1:
        raise ValueError(f"a deal of {view.action_count} actions has no step {step}")
    scene = ReplayScene(view, portraits, appearance)
    drawn = scene.showdown_frame() if step > view.action_count else scene.moment_frame(step)
    return encode_picture(drawn, alt_text.replay_step(view, step, monograms(portraits), appearance.language))


def frame_durations(view: ReplayView) -> list[int]:
    """Return the duration of each frame in milliseconds: the start, every action, and the end."""
    verbs = [None if moment.move is None else moment.move.verb for moment in view.moments[1:]]
    actions = [
        _ACTION_MILLISECONDS if verb is None else _MILLISECONDS_BY_VERB.get(verb, _ACTION_MILLISECONDS)
        for verb in verbs
    ]
    action_milliseconds, total = MAX_MILLISECONDS - _FIRST_MILLISECONDS - _LAST_MILLISECONDS, sum(actions)
    return [
        _FIRST_MILLISECONDS,
        *(time if total <= action_milliseconds else time * action_milliseconds // total for time in actions),
        _LAST_MILLISECONDS,
    ]


def frames(
    view: ReplayView, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE
) -> Iterator[Frame]:
    """Yield the frames: the cards as dealt, the table after each action, and the showdown."""
    scene = ReplayScene(view, portraits, appearance)
    *moments, end = frame_durations(view)
    for index, milliseconds in enumerate(moments):
        yield scene.moment_frame(index), milliseconds
    yield scene.showdown_frame(), end


class ReplayScene:
    """The layout of a replay: a place for each player's cards, and between them a caption and the piles.

    Only cards move from frame to frame, and all cards have the same size.
    """

    def __init__(self, view: ReplayView, portraits: Sequence[Portrait], appearance: Appearance) -> None:
        self._view, self._appearance = view, appearance
        self._portraits = [replace(portrait, avatar=None) for portrait in portraits]
        self._showdown = view.showdown
        self._card_size, self._card_steps = self._card_size_and_steps()
        self._player_height = _place_height(self._card_size)
        self._piles_height = _middle_area_height(self._card_size)
        self._narrow_step = narrow_step(appearance, self._card_size)
        discards_width = (VISIBLE_DISCARDS - 1) * self._narrow_step + self._card_size.width + RING_WIDTH
        self._discards_left = WIDTH - MARGIN - _INSET - RING_WIDTH - discards_width
        """The left edge of the discards."""
        self.stock_left = self._discards_left - _PILES_DISTANCE
        """The left edge of the stock."""
        self.caption_right = self.stock_left - max(0, _STOCK_CAPTION_WIDTH - self._card_size.width) // 2 - _SPACE
        """The right edge of the caption between the players. To its right are the stock and the stock's caption."""
        above, below = seat_rows(view.showdown.seats, view.showdown.sides)
        self._piles_top = MARGIN + len(above) * self._player_height
        tops = [MARGIN + row * self._player_height for row in range(len(above))]
        tops += [self._piles_top + self._piles_height + row * self._player_height for row in range(len(below))]
        self.places = {
            seat: Place(MARGIN, top, WIDTH - 2 * MARGIN) for seat, top in zip([*above, *below], tops, strict=True)
        }

    def canvas(self) -> Canvas:
        """Return an empty canvas of the scene's size."""
        return Canvas(WIDTH, _picture_height(len(self.places), self._card_size), self._appearance)

    def badge(self, seat: Seat) -> Sprite:
        """Return a player's badge or face, for captions."""
        portrait = self._portraits[seat]
        return portrait_without_avatar(seat, portrait.monogram, portrait.level, _BADGE_SIZE)

    def moment_frame(self, index: int) -> Image.Image:
        """Draw the table after `index` actions."""
        moment, canvas = self._view.moments[index], self.canvas()
        for seat, hand, groups in zip(self._showdown.seats, moment.hands, self._groups_at(moment), strict=True):
            is_acting = moment.move is not None and seat == moment.move.seat
            row = CardRow(tuple(groups), self._card_steps[seat], self._card_size)
            if is_acting:
                self._draw_frame(canvas, seat, _ACTING_STYLE)
            best, ink = (moment.least_left, TEXT) if is_acting else (None, MIST)
            self._draw_hand(canvas, seat, row, hand.deadwood, best, ink=ink)
        self.draw_piles(canvas, moment)
        self.draw_caption(canvas, self._action_caption(index), index)
        return canvas.frame()

    def showdown_frame(self) -> Image.Image:
        """Draw the showdown: the hands laid down, with lay-offs, and the points."""
        showdown, outcome, canvas = self._showdown, self._showdown.outcome, self.canvas()
        for seat, groups in zip(showdown.seats, self._showdown_groups(), strict=True):
            if seat == outcome.winner:
                self._draw_frame(canvas, seat, _WINNER_STYLE)
            row = self._row(groups, self._card_size, self._card_steps[seat])
            self._draw_hand(canvas, seat, row, showdown.deadwood(seat), note=phrases.seat_outcome(showdown, seat))
        self.draw_piles(canvas, replace(self._view.moments[-1], move=None))
        self.draw_caption(canvas, self._showdown_caption(), self._view.action_count + 1)
        return canvas.frame()

    def _showdown_caption(self) -> list[list[_CaptionPart]]:
        """Return the caption of the showdown, in two lines: the points earned, and how they add up."""
        showdown, outcome = self._showdown, self._showdown.outcome
        title, winner = phrases.OUTCOME_TITLES[outcome.kind], outcome.winner
        sum_ = "" if showdown.penalty_points or winner is None else phrases.points_sum(showdown)
        is_celebrated = outcome.kind in facts.CELEBRATED_OUTCOMES
        outcome_part = self._outcome_tag(title, text_width(sum_, _TEXT_CAPS[-1])) if is_celebrated else title
        if winner is None:
            return [[outcome_part], [phrases.NO_POINTS]]
        winner_badge = self.badge(winner)
        if not showdown.penalty_points:
            calculation, _, points = sum_.rpartition(" = ")
            points_part = _golden_text(f"+{points}", _POINTS_CAP)
            name = self._caption_name(winner, self.caption_right - MARGIN - _INSET - points_part.width)
            return [[winner_badge, *name, points_part], [outcome_part, calculation]]
        charges: list[_CaptionPart] = []
        for seat, text in phrases.points_earned(showdown):
            charges += [] if seat is None else [self.badge(seat)]
            charges.append(tag(text, _CHARGE_CAPS[len(showdown.penalty_points)], RED, TEXT))
        name = self._portraits[winner].shown_name
        name_width = _BADGE_SIZE + _SPACE + min(_MIN_NAME_WIDTH, text_width(name, _MAX_TEXT_CAP))
        part = self._outcome_tag(title, name_width) if is_celebrated else title
        width = text_width(part, _TEXT_CAPS[-1]) if isinstance(part, str) else part.width
        return [
            [winner_badge, *self._caption_name(winner, self.caption_right - MARGIN - _INSET - width), part],
            charges,
        ]

    def _caption_name(self, seat: Seat, max_width: int) -> list[str]:
        """Return a player's name to write after the badge, cut off if it is too wide, or an empty list.

        `max_width` is for the badge, the name and the space after each of them.
        """
        name, room = self._portraits[seat].shown_name, max_width - _BADGE_SIZE - 2 * _SPACE
        if room < min(_MIN_NAME_WIDTH, text_width(name, _MAX_TEXT_CAP)):
            return []
        return [fitted_text(name, _MAX_TEXT_CAP, _MAX_TEXT_CAP, room)[0]]

    def _outcome_tag(self, title: str, other_width: int) -> Sprite:
        """Return the outcome as a label, as large as possible next to other contents of the given width."""
        max_width = self.caption_right - MARGIN - _INSET
        if other_width:
            max_width -= other_width + _SPACE
        tags = [tag(title, cap, GOLD, BLACK) for cap in _TEXT_CAPS]
        return next((tag for tag in tags if tag.width <= max_width), tags[-1])

    def _groups_at(self, moment: Moment) -> Iterator[list[CardGroup]]:
        """Yield the groups of cards of each hand at a moment. A new card is raised, in its meld or at the end."""
        for seat, hand in zip(self._showdown.seats, moment.hands, strict=True):
            lay_offs, new = moment.lay_offs if seat == self._showdown.outcome.knocker else (), moment.new_card
            if new is None or moment.move is None or seat != moment.move.seat:
                yield card_groups(hand, lay_offs)
                continue
            raised, other_unmatched = (
                {new: SEAT_COLOURS[seat]},
                tuple(card for card in hand.unmatched if card is not new),
            )
            unmatched = (*other_unmatched, new) if new in hand.unmatched else other_unmatched
            yield card_groups(replace(hand, unmatched=unmatched), lay_offs, raised)

    def _showdown_groups(self) -> Iterator[list[CardGroup]]:
        """Yield the groups of cards of each hand at the showdown."""
        showdown = self._showdown
        for seat in showdown.seats:
            lay_offs = showdown.outcome.lay_offs if seat == showdown.outcome.knocker else ()
            yield card_groups(showdown.hand(seat), lay_offs)

    def _card_size_and_steps(self) -> tuple[Size, dict[Seat, int]]:
        """Return the largest size at which every index of the deal is visible, or else the smallest size.

        Also return each player's distance between cards, which is the same in every frame before the showdown.
        """
        moments = [list(self._groups_at(moment)) for moment in self._view.moments]
        all_groups = [groups for hands in (*moments, self._showdown_groups()) for groups in hands]
        players = len(self._showdown.seats)
        sizes = [size for size in CARD_SIZES if _picture_height(players, size) <= _MAX_HEIGHT]
        if self._view.action_count > _MANY_ACTIONS:
            sizes = [size for size in sizes if size.width <= MEDIUM.width]
        fitting_sizes = (
            size
            for size in sizes
            if all(self._row(groups, size).is_readable(self._appearance) for groups in all_groups)
        )
        size = next(fitting_sizes, sizes[-1])
        groups_by_seat = zip(self._showdown.seats, zip(*moments, strict=True), strict=True)
        return size, {seat: min(self._row(groups, size).step for groups in hands) for seat, hands in groups_by_seat}

    def _row(self, groups: Sequence[CardGroup], size: Size, max_step: int | None = None) -> CardRow:
        """Return a row of cards. By default, at most half of each covered card is visible."""
        return CardRow.of(groups, WIDTH - 2 * MARGIN - 2 * _INSET, self._appearance, size, max_step or size.width // 2)

    def _draw_frame(self, canvas: Canvas, seat: Seat, style: PanelStyle) -> None:
        """Draw a frame around a player's place."""
        place = self.places[seat]
        canvas.panel((place.left, place.top, place.left + place.width, place.top + self._player_height), style)

    def _draw_hand(
        self,
        canvas: Canvas,
        seat: Seat,
        row: CardRow,
        deadwood: int,
        best: int | None = None,
        *,
        note: str = "",
        ink: Colour = TEXT,
    ) -> None:
        """Draw a player's portrait, name in the colour `ink`, note and deadwood, and their cards.

        An arrow leads from the deadwood to the `best` after a discard, if given.
        """
        place, portrait = self.places[seat], self._portraits[seat]
        left, right = place.left + _INSET, place.left + place.width - _INSET
        middle = place.top + _HEADER_SHIFT + _HEADER_HEIGHT // 2
        draw_portrait(canvas, seat, portrait, left, middle - _BADGE_SIZE // 2, _BADGE_SIZE)
        bottom = middle + _NAME_CAP // 2
        if best is not None:
            sign = arrow(_ARROW_SIZE)
            right -= canvas.text(right, bottom, str(best), _VALUE_CAP, ink=MIST, align="right")
            right -= sign.width + FRAME_PADDING
            canvas.put(sign, right, bottom - (_VALUE_CAP + sign.height) // 2)
            right -= FRAME_PADDING
        right -= canvas.text(right, bottom, str(deadwood), _VALUE_CAP, align="right") + FRAME_PADDING
        right -= canvas.text(right, bottom, phrases.DEADWOOD, LABEL_CAP, ink=MIST, align="right") + 2 * _SPACE
        x = left + _BADGE_SIZE + _SPACE
        name, _ = fitted_text(
            portrait.shown_name, _NAME_CAP, _NAME_CAP, right - x - text_width(note, _NOTE_CAP) - _SPACE
        )
        x += canvas.text(x, bottom, name, _NAME_CAP, ink=ink) + _SPACE
        canvas.text(x, bottom, note, _NOTE_CAP, ink=MIST)
        row.draw(canvas, place.top + _HEADER_HEIGHT + FRAME_PADDING, _LIFT, left)

    def draw_piles(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the stock and the last discards, each with its number of cards, and mark the pile of the last move.

        A card that was just taken leaves an empty place to the right of the new top card.
        """
        y, size = self._piles_top + _CARDS_TOP_MARGIN, self._card_size
        verb, ring = (None, None) if moment.move is None else (moment.move.verb, SEAT_COLOURS[moment.move.seat])
        draw_stock(canvas, moment.stock, _CARDS_IN_LAYER, self.stock_left, y, size, ring if verb is Verb.DRAW else None)
        was_taken = verb is Verb.TAKE
        visible_discards = moment.discards[1 - VISIBLE_DISCARDS if was_taken else -VISIBLE_DISCARDS :]
        if was_taken:
            x = self._discards_left + len(visible_discards) * self._narrow_step
            canvas.panel((x, y, x + size.width, y + size.height))
        if visible_discards or not was_taken:
            on_discards = verb in (Verb.DISCARD, Verb.KNOCK)
            draw_discards(canvas, visible_discards, self._discards_left, y, size, ring if on_discards else None)
        bottom, discards_width = (
            y + size.height,
            max(0, len(visible_discards) + was_taken - 1) * self._narrow_step + size.width,
        )
        draw_caption(canvas, self.stock_left + size.width // 2, bottom, phrases.STOCK, moment.stock)
        draw_caption(canvas, self._discards_left + discards_width // 2, bottom, phrases.DISCARDS, len(moment.discards))

    def draw_caption(self, canvas: Canvas, lines: Sequence[Sequence[_CaptionPart]], step: int) -> None:
        """Draw the deal and the step, a progress bar, and lines of texts, cards and badges."""
        left, right = MARGIN + _INSET, self.caption_right
        top = self._piles_top + (self._piles_height - _MIN_PILES_HEIGHT) // 2
        self._draw_title(canvas, step, left, top + _TITLE_MIDDLE + LABEL_CAP // 2, right - left)
        bar = top + _BAR_TOP
        canvas.panel((left, bar, right, bar + _BAR_HEIGHT), _TRACK_STYLE)
        if step:
            # A deal that was broken off might have no actions: avoid a division by zero.
            actions = self._view.action_count or 1
            progress_width = max(2 * _BAR_HEIGHT, (right - left) * min(step, actions) // actions)
            canvas.panel((left, bar, left + progress_width, bar + _BAR_HEIGHT), _PROGRESS_STYLE)
        for middle, parts in zip(_LINE_MIDDLES, lines, strict=False):
            self._draw_line(canvas, parts, top + middle)

    def _draw_title(self, canvas: Canvas, step: int, x: int, y: int, max_width: int) -> None:
        """Draw the deal and the step, with a cap height at which the longest title of this deal fits."""
        showdown, actions = self._showdown, self._view.action_count
        longest = "".join(phrases.deal_step(showdown, actions, actions))
        cap = next((cap for cap in _TITLE_CAPS if text_mask(longest, cap).width <= max_width), _TITLE_CAPS[-1])
        for part, ink in zip(phrases.deal_step(showdown, step, actions), (MIST, TEXT, MIST), strict=False):
            x += canvas.text(x, y, part, cap, ink=ink)

    def _draw_line(self, canvas: Canvas, parts: Sequence[_CaptionPart], middle: int) -> None:
        """Draw texts, cards and badges side by side."""
        sprites_and_texts = [
            card_chip(part, self._appearance, _MAX_TEXT_CAP) if isinstance(part, Card) else part for part in parts
        ]
        max_width, spaces = self.caption_right - MARGIN - _INSET, max(1, len(parts) - 1)

        def width(cap: int) -> int:
            return sum(
                text_mask(part, cap).width if isinstance(part, str) else part.width for part in sprites_and_texts
            )

        cap = next((cap for cap in _TEXT_CAPS if width(cap) + spaces * _SPACE <= max_width), _TEXT_CAPS[-1])
        space = min(_SPACE, (max_width - width(cap)) // spaces)
        x = MARGIN + _INSET
        for part in sprites_and_texts:
            if isinstance(part, str):
                x += canvas.text(x, middle + cap // 2, part, cap) + space
            else:
                canvas.put(part, x, middle - part.height // 2)
                x += part.width + space

    def _action_caption(self, index: int) -> list[list[_CaptionPart]]:
        """Return the caption after an action: one line, or two for a knock and its discard."""
        move = self._view.moments[index].move
        if move is None:
            return [[phrases.DEALT if index == 0 else phrases.RESHUFFLED]]
        verb_text, card = phrases.ACTION_VERBS[move.verb], [] if move.card is None else [move.card]
        if move.verb in (Verb.KNOCK, Verb.BIG_GIN):
            discard_line: list[list[_CaptionPart]] = [[phrases.ACTION_VERBS[Verb.DISCARD], *card]] if card else []
            return [[self.badge(move.seat), phrases.knock_or_gin(self._showdown)], *discard_line]
        return [[self.badge(move.seat), verb_text, *card]]


@cache
def _golden_text(text: str, cap: int) -> Sprite:
    """Return golden writing on felt, without the space above and below it."""
    mask = text_mask(text, cap)
    return Sprite(inked(mask.crop((0, baseline(cap) - cap, mask.width, baseline(cap) + 2)), GOLD, FELT))


def _place_height(size: Size) -> int:
    return _HEADER_HEIGHT + 2 * FRAME_PADDING + size.height + _PLACE_BOTTOM_MARGIN


def _middle_area_height(size: Size) -> int:
    return max(_MIN_PILES_HEIGHT, size.height + _PILES_EXTRA_HEIGHT)


def _picture_height(players: int, size: Size) -> int:
    """Return the height of a picture with this number of players."""
    return 2 * MARGIN + players * _place_height(size) + _middle_area_height(size)
