"""A deal from its first card to its showdown, as an animation: a frame for each action, with every hand face up."""

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
from cardart import alt, facts, words
from cardart.canvas import Sprite, tag
from cardart.motion import Animation, Frame, animation
from cardart.palette import BLACK, GOLD, RED, SEATS, TEXT, Colour
from cardart.rows import Group
from cardart.stage import Stage
from cardart.themes import USUAL, Look

MOST_ACTIONS: Final = 240
"""A deal of more is not drawn: nobody could follow so many in the time there is."""
LONGEST: Final = 90_000
"""Milliseconds that an animation takes at most."""

_FIRST: Final = 2_000
_LAST: Final = 5_000
_TIME: Final = 1_200
_TIMES: Final = {Verb.PASS: 800, Verb.DRAW: 900, Verb.TAKE: 900, Verb.KNOCK: 2_500, Verb.BIG_GIN: 2_500}
"""For how many milliseconds each frame is shown, unless all take too long together."""
_TITLE: Final = 26

_Part = Sprite | Card | str
"""What a caption is made of; nothing at all is a gap."""


def draw_replay(view: ReplayView, marks: Sequence[str], look: Look = USUAL) -> Animation:
    """The whole deal, with `marks[seat]` as each player's monogram; what was moved last wears its player's colour.

    Raises:
        ValueError: the deal took more than `MOST_ACTIONS`, or a mark is not one or two of A-Z and 0-9.
    """
    if view.actions > MOST_ACTIONS:
        raise ValueError(f"a deal of {view.actions} actions is not drawn: at most {MOST_ACTIONS} are")
    return animation(frames(view, marks, look), alt.replay(view, marks, look.language))


def times(view: ReplayView) -> list[int]:
    """The milliseconds of each frame: the beginning, every action, and the end."""
    verbs = [None if moment.move is None else moment.move.verb for moment in view.moments[1:]]
    actions = [_TIME if verb is None else _TIMES.get(verb, _TIME) for verb in verbs]
    room, whole = LONGEST - _FIRST - _LAST, sum(actions)
    return [_FIRST, *(time if whole <= room else time * room // whole for time in actions), _LAST]


def frames(view: ReplayView, marks: Sequence[str], look: Look = USUAL) -> Iterator[Frame]:
    """The frames one by one: the cards as they were dealt, the table after each action, the hands laid down."""
    held = len(view.moments[0].hands[0].cards)
    stage = Stage.of(look, marks, view.showdown.seats, view.showdown.sides, held + 1)
    *moments, end = times(view)
    for place, milliseconds in enumerate(moments):
        yield _moment(stage, view, place), milliseconds
    yield _end(stage, view), end


def _moment(stage: Stage, view: ReplayView, place: int) -> Image.Image:
    """The table after so many actions."""
    moment, canvas = view.moments[place], stage.canvas()
    move = moment.move
    mover = None if move is None else move.seat
    for seat, hand in zip(view.showdown.seats, moment.hands, strict=True):
        lay_offs = moment.lay_offs if seat == view.showdown.outcome.knocker else ()
        raised: dict[Card, Colour] = {}
        if moment.new_card is not None and seat == mover:
            hand = best_arrangement(Hand.of((*hand.cards, moment.new_card)), view.showdown.rules.aces)
            raised[moment.new_card] = SEATS[seat]
        stage.draw_hand(canvas, seat, _groups(hand, lay_offs, raised), hand.deadwood, acting=seat == mover)
    stage.draw_piles(canvas, moment.stock, moment.discards, _told(view))
    if move is not None and move.verb is Verb.DRAW:
        stage.mark_stock(canvas, moment.stock, SEATS[move.seat])
    elif move is not None and move.verb in (Verb.DISCARD, Verb.KNOCK):
        stage.mark_pile(canvas, SEATS[move.seat])
    stage.draw_caption(canvas, _caption(stage, view, place), place, view.actions)
    return canvas.frame()


def _end(stage: Stage, view: ReplayView) -> Image.Image:
    """The hands laid down, with what was laid off, and the points."""
    showdown, canvas = view.showdown, stage.canvas()
    for seat in showdown.seats:
        lay_offs = showdown.outcome.lay_offs if seat == showdown.outcome.knocker else ()
        groups, winner = _groups(showdown.hand(seat), lay_offs, {}), seat == showdown.outcome.winner
        stage.draw_hand(canvas, seat, groups, showdown.deadwood(seat), acting=winner)
    last = view.moments[-1]
    stage.draw_piles(canvas, last.stock, last.discards, _told(view))
    kind, winner = showdown.outcome.kind, showdown.outcome.winner
    title = words.BANNERS[kind]
    parts: list[_Part] = [tag(title, _TITLE, GOLD, BLACK) if kind in facts.CELEBRATED else title]
    if showdown.charged and winner is not None:
        parts += [stage.mark(winner), ""]
    for seat, text in words.earned(showdown):
        parts += [] if seat is None else [stage.mark(seat)]
        parts += [tag(text, _TITLE - 4, RED, TEXT), ""] if showdown.charged else [text]
    stage.draw_caption(canvas, parts, view.actions, view.actions)
    return canvas.frame()


def _groups(hand: Arrangement, lay_offs: Sequence[LayOff], raised: Mapping[Card, Colour]) -> list[Group]:
    """A hand's melds, then the rest; raised are cards laid off on it, and others."""
    rest = [Group(hand.unmatched, False, raised)] if hand.unmatched else []
    laid = (Group.of(meld, lay_offs) for meld in hand.melds)
    return [*(replace(group, raised={**group.raised, **raised}) for group in laid), *rest]


def _told(view: ReplayView) -> list[str]:
    """Which deal it is."""
    board = [f"{words.BOARD} {view.showdown.board}"] if view.showdown.boards > 1 else []
    return [f"{words.DEAL} {view.showdown.number}", *board]


def _caption(stage: Stage, view: ReplayView, place: int) -> list[_Part]:
    """What happens, in few words."""
    move = view.moments[place].move
    if move is None:
        return [words.DEALT if place == 0 else words.RESHUFFLED]
    return [stage.mark(move.seat), *_did(view, move)]


def _did(view: ReplayView, move: PublicMove) -> list[_Part]:
    if move.verb in (Verb.KNOCK, Verb.BIG_GIN):
        out = words.out(view.showdown)
        return [out] if move.card is None else [f"{out}, {words.DID[Verb.DISCARD]}", move.card]
    return [words.DID[move.verb], *([] if move.card is None else [move.card])]
