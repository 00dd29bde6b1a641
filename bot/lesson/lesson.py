"""The steps of the lesson, played on the engine: the learner's view at each step, and the button to press."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.moves import DONE, Move, Seat, Verb, knock
from bot.engine.matches.actions import Play, Shuffle
from bot.engine.matches.match import Match, apply, new_match
from bot.engine.matches.views import SeatView, ShowdownView, seat_view, showdown_view
from bot.lesson.script import CONTINUE, DEALS, GIN, LAY_OFF_ALL, RULES, PreparedDeal, Step, Topic

LEARNER: Final = Seat(0)
OPPONENT: Final = Seat(1)


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """A step of the lesson, with the table as the learner sees it.

    `press` is the button that leads to the next step, as in `Step`. `showdown` is None until the deal is over.
    """

    topic: Topic
    press: str
    hand: SeatView
    showdown: ShowdownView | None


@cache
def positions() -> tuple[LessonPosition, ...]:
    """Return the steps of the lesson. Raise `IllegalMove` if the script breaks the rules."""
    return tuple(_play_all())


def _play_all() -> Iterator[LessonPosition]:
    match = new_match(RULES, seats=2)
    for number, prepared in enumerate(DEALS, 1):
        match = _after_deal(match, number, prepared)
        for step in prepared.steps:
            is_over = len(match.finished) == number
            showdown = showdown_view(match, number) if is_over else None
            view = seat_view(match, LEARNER)
            yield LessonPosition(step.topic, step.press, view, showdown)
            match = _after_step(match, view, step)


def _after_deal(match: Match, number: int, prepared: PreparedDeal) -> Match:
    """Return the match after a prepared deal is dealt and the moves before its first step are made."""
    (seating,) = match.due_deals
    hands = [parse_cards(prepared.learner), parse_cards(prepared.opponent)]
    first, second = (hands[seat] for seat in seating.seats)
    listed = parse_cards(f"{prepared.upcard} {prepared.stock}")
    known_cards = (*chain.from_iterable(zip(first, second, strict=True)), *listed)
    deck = (*known_cards, *(card for card in DECK if card not in known_cards))
    return _after_moves(apply(match, Shuffle(number, seating.dealer, deck)), _parse_moves(prepared.before))


def _after_step(match: Match, view: SeatView, step: Step) -> Match:
    return _after_moves(match, (*_moves_of(step.press, view), *_parse_moves(step.then)))


def _after_moves(match: Match, moves: tuple[Move, ...]) -> Match:
    """Return the match after moves, each made by the player whose turn it is."""
    for move in moves:
        (seat,) = match.to_act
        match = apply(match, Play(seat, move))
    return match


def _parse_moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.parse, text.split(", "))) if text else ()


def _moves_of(press: str, view: SeatView) -> tuple[Move, ...]:
    """Return the moves that a button of the lesson makes."""
    if press == CONTINUE:
        return ()
    if press == GIN:
        return tuple(knock(choice.card) for choice in view.discard_choices if choice.can_knock and choice.deadwood == 0)
    if press == LAY_OFF_ALL and view.best_response is not None:
        return (*(Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,)) for lay_off in view.best_response.lay_offs), DONE)
    return (Move.parse(press),)
