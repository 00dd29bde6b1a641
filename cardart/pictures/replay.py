"""A deal from its first card to its showdown as an animation: a frame for each action, with every hand face up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from PIL import Image

from bot.engine.cards import Card, Hand
from bot.engine.melds import Arrangement, best_arrangement
from bot.engine.moves import Verb
from bot.engine.replay import ReplayView
from bot.engine.showdown import LayOff
from bot.engine.views import PublicMove
from bot.values.appearance import Appearance
from cardart.drawing.animation import Animation, Frame, encode_animation
from cardart.drawing.palette import BLACK, GOLD, RED, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.sprites import Sprite, tag
from cardart.drawing.themes import DEFAULT
from cardart.parts.card_rows import CardGroup
from cardart.parts.replay_scene import ReplayScene
from cardart.text import alt_text, phrases, queries

MOST_ACTIONS: Final = 240
"""The most actions that are drawn. Nobody could follow more in the time there is."""
LONGEST: Final = 90_000
"""The longest that an animation takes, in milliseconds."""

_FIRST: Final = 2_000
_LAST: Final = 5_000
_TIME: Final = 1_200
_TIMES: Final = {Verb.PASS: 800, Verb.DRAW: 900, Verb.TAKE: 900, Verb.KNOCK: 2_500, Verb.BIG_GIN: 2_500}
"""How many milliseconds each frame is shown, unless all of them take too long together."""
_TITLE: Final = 26

_Part = Sprite | Card | str
"""A part of a caption; an empty text is a gap."""


def draw_replay(view: ReplayView, monograms: Sequence[str], appearance: Appearance = DEFAULT) -> Animation:
    """Draw a whole deal. What was moved last is framed in its player's colour.

    Raises:
        ValueError: the deal has more than `MOST_ACTIONS`, or a monogram is not one or two of A-Z and 0-9.
    """
    if view.actions > MOST_ACTIONS:
        raise ValueError(f"a deal of {view.actions} actions is not drawn: at most {MOST_ACTIONS} are")
    return encode_animation(frames(view, monograms, appearance), alt_text.replay(view, monograms, appearance.language))


def times(view: ReplayView) -> list[int]:
    """Return the milliseconds of each frame: the beginning, every action, and the end."""
    verbs = [None if moment.move is None else moment.move.verb for moment in view.moments[1:]]
    actions = [_TIME if verb is None else _TIMES.get(verb, _TIME) for verb in verbs]
    room, whole = LONGEST - _FIRST - _LAST, sum(actions)
    return [_FIRST, *(time if whole <= room else time * room // whole for time in actions), _LAST]


def frames(view: ReplayView, monograms: Sequence[str], appearance: Appearance = DEFAULT) -> Iterator[Frame]:
    """Yield the frames: the cards as they were dealt, the table after each action, the hands laid down."""
    held = len(view.moments[0].hands[0].cards)
    scene = ReplayScene.of(appearance, monograms, view.showdown.seats, view.showdown.sides, held + 1)
    *moments, end = times(view)
    for place, milliseconds in enumerate(moments):
        yield _moment(scene, view, place), milliseconds
    yield _end(scene, view), end


def _moment(scene: ReplayScene, view: ReplayView, place: int) -> Image.Image:
    """Draw the table after `place` actions."""
    moment, canvas = view.moments[place], scene.canvas()
    happening = moment.move
    mover = None if happening is None else happening.seat
    for seat, hand in zip(view.showdown.seats, moment.hands, strict=True):
        lay_offs = moment.lay_offs if seat == view.showdown.outcome.knocker else ()
        raised: dict[Card, Colour] = {}
        if moment.new_card is not None and seat == mover:
            hand = best_arrangement(Hand.of((*hand.cards, moment.new_card)), view.showdown.rules.aces)
            raised[moment.new_card] = SEAT_COLOURS[seat]
        scene.draw_hand(canvas, seat, _groups(hand, lay_offs, raised), hand.deadwood, acting=seat == mover)
    scene.draw_piles(canvas, moment.stock, moment.discards, _notes(view))
    if happening is not None and happening.verb is Verb.DRAW:
        scene.mark_stock(canvas, moment.stock, SEAT_COLOURS[happening.seat])
    elif happening is not None and happening.verb in (Verb.DISCARD, Verb.KNOCK):
        scene.mark_pile(canvas, SEAT_COLOURS[happening.seat])
    scene.draw_caption(canvas, _caption(scene, view, place), place, view.actions)
    return canvas.frame()


def _end(scene: ReplayScene, view: ReplayView) -> Image.Image:
    """Draw the hands laid down, with lay-offs, and the points."""
    showdown, canvas = view.showdown, scene.canvas()
    for seat in showdown.seats:
        lay_offs = showdown.outcome.lay_offs if seat == showdown.outcome.knocker else ()
        groups, winner = _groups(showdown.hand(seat), lay_offs, {}), seat == showdown.outcome.winner
        scene.draw_hand(canvas, seat, groups, showdown.deadwood(seat), acting=winner)
    last = view.moments[-1]
    scene.draw_piles(canvas, last.stock, last.discards, _notes(view))
    kind, winner = showdown.outcome.kind, showdown.outcome.winner
    title = phrases.OUTCOME_TITLES[kind]
    parts: list[_Part] = [tag(title, _TITLE, GOLD, BLACK) if kind in queries.CELEBRATED else title]
    if showdown.charged and winner is not None:
        parts += [scene.badge(winner), ""]
    for seat, text in phrases.points_earned(showdown):
        parts += [] if seat is None else [scene.badge(seat)]
        parts += [tag(text, _TITLE - 4, RED, TEXT), ""] if showdown.charged else [text]
    scene.draw_caption(canvas, parts, view.actions, view.actions)
    return canvas.frame()


def _groups(hand: Arrangement, lay_offs: Sequence[LayOff], raised: Mapping[Card, Colour]) -> list[CardGroup]:
    """Return a hand's melds, then the rest. Cards laid off on it are raised, and so are those in `raised`."""
    rest = [CardGroup(hand.unmatched, False, raised)] if hand.unmatched else []
    laid = (CardGroup.of(meld, lay_offs) for meld in hand.melds)
    return [*(replace(group, raised={**group.raised, **raised}) for group in laid), *rest]


def _notes(view: ReplayView) -> list[str]:
    """Return which deal it is."""
    board = [f"{phrases.BOARD} {view.showdown.board}"] if view.showdown.boards > 1 else []
    return [f"{phrases.DEAL} {view.showdown.number}", *board]


def _caption(scene: ReplayScene, view: ReplayView, place: int) -> list[_Part]:
    """Return what happens, in a few words."""
    happening = view.moments[place].move
    if happening is None:
        return [phrases.DEALT if place == 0 else phrases.RESHUFFLED]
    return [scene.badge(happening.seat), *_did(view, happening)]


def _did(view: ReplayView, happening: PublicMove) -> list[_Part]:
    if happening.verb in (Verb.KNOCK, Verb.BIG_GIN):
        out = phrases.knock_or_gin(view.showdown)
        return [out] if happening.card is None else [f"{out}, {phrases.ACTION_VERBS[Verb.DISCARD]}", happening.card]
    return [phrases.ACTION_VERBS[happening.verb], *([] if happening.card is None else [happening.card])]
