"""The steps of the lesson, played on the engine: the learner's view at each step, and the button to press."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from bot.engine.actions import Play, Shuffle
from bot.engine.cards import DECK, parse_cards
from bot.engine.match import Match, apply, new_match
from bot.engine.moves import DONE, Move, Seat, Verb, knock
from bot.engine.views import SeatView, ShowdownView, seat_view, showdown_view
from bot.lesson.script import DEALS, GIN, LAY_OFF_ALL, READ_ON, RULES, PreparedDeal, Step, Topic

LEARNER: Final = Seat(0)
OPPONENT: Final = Seat(1)


@dataclass(frozen=True, slots=True)
class Position:
    """A step of the lesson, with the table as the learner sees it, during a deal or after it.

    `press` is the press that leads to the next step.
    """

    topic: Topic
    press: str
    hand: SeatView
    showdown: ShowdownView | None


@cache
def positions() -> tuple[Position, ...]:
    """Return the steps of the lesson. Raise `IllegalMove` if the script breaks the rules."""
    return tuple(_play_all())


def _play_all() -> Iterator[Position]:
    match = new_match(RULES, seats=2)
    for number, prepared in enumerate(DEALS, 1):
        match = _deal(match, number, prepared)
        for step in prepared.steps:
            over = len(match.finished) == number
            showdown = showdown_view(match, number) if over else None
            view = seat_view(match, LEARNER)
            yield Position(step.topic, step.press, view, showdown)
            match = _take(match, view, step)


def _deal(match: Match, number: int, prepared: PreparedDeal) -> Match:
    """Return the match at the first step of its next deal."""
    (seating,) = match.due
    hands = [parse_cards(prepared.learner), parse_cards(prepared.opponent)]
    first, second = (hands[seat] for seat in seating.seats)
    told = parse_cards(f"{prepared.upcard} {prepared.stock}")
    known = (*chain.from_iterable(zip(first, second, strict=True)), *told)
    deck = (*known, *(card for card in DECK if card not in known))
    return _play(apply(match, Shuffle(number, seating.dealer, deck)), _moves_in(prepared.before))


def _take(match: Match, view: SeatView, step: Step) -> Match:
    return _play(match, (*_moves_of(step.press, view), *_moves_in(step.then)))


def _play(match: Match, moves: tuple[Move, ...]) -> Match:
    """Return the match after moves, each by the player whose turn it is."""
    for move in moves:
        (seat,) = match.to_act
        match = apply(match, Play(seat, move))
    return match


def _moves_in(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.parse, text.split(", "))) if text else ()


def _moves_of(press: str, view: SeatView) -> tuple[Move, ...]:
    """Return the moves that a press stands for."""
    if press == READ_ON:
        return ()
    if press == GIN:
        return tuple(knock(choice.card) for choice in view.discard_choices if choice.knocks and choice.leaves == 0)
    if press == LAY_OFF_ALL and view.best_response is not None:
        return (*(Move(Verb.LAY_OFF, one.card, (one.meld,)) for one in view.best_response.lay_offs), DONE)
    return (Move.parse(press),)
