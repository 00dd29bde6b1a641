"""A deal move by move as text, as complete as fits in a message."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import count, groupby
from typing import Final

from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.views import ShowdownView
from bot.model import words
from bot.model.matches import Replay, Showdown
from cardart.text import phrases
from cardart.text.card_names import CardNames, card_names
from cogs.showdowns import showdown_text
from cogs.showdowns.showdown_text import HOW_WON, NO_WINNER
from cogs.words import table
from cogs.words.cards import moved
from cogs.words.names import monograms, name_then, plain, player_then

MAX_LENGTH: Final = 3_500
"""Maximum length of a replay. A message has up to 4,000 characters, including the title and notes."""
VERBS: Final = {**table.VERBS, Verb.DRAW: "drew", Verb.KNOCK: "knocked, discarding"}
WENT_GIN: Final = "went gin, discarding"


def moves(replay: Replay, room: int = MAX_LENGTH, *, with_end: bool = True) -> str:
    """Return the players' hands, every turn on its own line, and the showdown if `with_end` is True.

    If names take too much room, turns have monograms instead. If a deal is still too long, turns in the middle are
    omitted.
    """
    showdown, marks = replay.view.showdown, monograms(replay.match.players)
    language = replay.match.appearance.language
    before, after = f"{dealt(replay)}\n", f"\n\n{_end(replay)}" if with_end else ""
    room -= len(before) + len(after)

    def by_name(seat: Seat, move: int) -> str:
        return name_then(replay.match, showdown, seat, move)

    def by_mark(seat: Seat, _move: int) -> str:
        return marks[seat]

    for called in (by_name, by_mark):
        turns = _lines(_turns(replay, replay.view.action_count, called, card_names(language)))
        if len(turns) <= room:
            break
    return f"{before}{turns if len(turns) <= room else _without_middle(turns.splitlines(), room)}{after}"


def _end(replay: Replay) -> str:
    """Return the hands at the end of a deal and, if somebody went out, the lay-offs, the points and the score."""
    shown = Showdown(replay.match, replay.view.showdown)
    if shown.view.outcome.knocker is None:
        names = card_names(replay.match.appearance.language)
        return f"{_hands(replay, replay.view.action_count, names)}\n{showdown_text.title(shown.view, shown.match)}"
    return f"{showdown_text.hands(shown)}\n{showdown_text.running_score(shown)}"


def dealt(replay: Replay) -> str:
    """Return the players' first hands and the upcard."""
    first, names = replay.view.moments[0], card_names(replay.match.appearance.language)
    return f"{_hands(replay, 0, names)}\n-# Upcard {names.short(first.discards[0])}"


def step_name(replay: Replay, number: int) -> str:
    """Return the name of a step: `the cards`, `step 3 of 20`, `the showdown`."""
    actions = replay.view.action_count
    return "the cards" if number == 0 else f"step {number} of {actions}" if number <= actions else "the showdown"


def step(replay: Replay, number: int) -> str:
    """Return the turn that includes action `number`, up to this action."""
    names, marks = card_names(replay.match.appearance.language), monograms(replay.match.players)
    if number > replay.view.action_count:
        return showdown_text.title(replay.view.showdown, replay.match)
    if number == 0:
        return f"The cards are dealt. Upcard {names.short(replay.view.moments[0].discards[0])}."

    def called(seat: Seat, move: int) -> str:
        return f"**{marks[seat]}** {name_then(replay.match, replay.view.showdown, seat, move)}"

    *_, turn = _turns(replay, number, called, names)
    return phrases.RESHUFFLED if turn is None else turn


def step_in_words(replay: Replay, number: int) -> str:
    """Return the contents of a step's picture in words: all hands and the piles."""
    names = card_names(replay.match.appearance.language)
    if number > replay.view.action_count:
        return _end(replay)
    moment = replay.view.moments[number]
    top = names.short(moment.discards[-1]) if moment.discards else "none"
    new = "" if moment.new_card is None else f" · new card {names.short(moment.new_card)}"
    new += "" if moment.least_left is None else f", deadwood {moment.least_left} {phrases.AFTER_DISCARD}"
    return f"{_hands(replay, number, names)}\n-# Stock {moment.stock} · top of the pile {top}{new}"


def _hands(replay: Replay, number: int, names: CardNames) -> str:
    """Return all hands after `number` actions."""
    showdown, marks = replay.view.showdown, monograms(replay.match.players)
    last = sum(moment.move is not None for moment in replay.view.moments[: number + 1]) - 1
    players = {seat: f"**{marks[seat]}** {name_then(replay.match, showdown, seat, last)}" for seat in showdown.seats}
    hands = zip(showdown.seats, replay.view.moments[number].hands, strict=True)
    return "\n".join(f"{players[seat]}: {names.short_row(hand.cards)}" for seat, hand in hands)


def too_long(replay: Replay) -> str:
    """Explain why there is no animation."""
    return f"-# This deal is too long for an animation ({replay.view.action_count} actions)."


def completion(shown: Showdown) -> str:
    """Return the label of a deal in completions and menus: its number and result."""
    outcome, deal = shown.view.outcome, phrases.deal_name(shown.view)
    if outcome.winner is None:
        return f"{deal}: {NO_WINNER[outcome.kind]}"
    winner = player_then(shown.match, shown.view, outcome.winner, math.inf)
    return f"{deal}: {plain(winner)} {HOW_WON[outcome.kind]}"


def deal_number(showdown: ShowdownView) -> str:
    """Return a deal's number as people type it: `3`, or `3.2` for the second of two boards."""
    return f"{showdown.number}.{showdown.board}" if showdown.boards > 1 else str(showdown.number)


def _turns(replay: Replay, actions: int, called: Callable[[Seat, int], str], names: CardNames) -> list[str | None]:
    """Return the turns of the first `actions` actions of a deal as texts, with None for each reshuffle between turns.

    `called` returns the name for a seat at the time of a move. If a computer takes over during a turn, a new turn
    begins.
    """
    turns: list[str | None] = []
    number, happenings = count(), [moment.move for moment in replay.view.moments[1 : actions + 1]]
    verbs = VERBS | {Verb.KNOCK: WENT_GIN} if replay.view.showdown.outcome.kind is OutcomeKind.GIN else VERBS
    made = [(None if move is None else (move.seat, called(move.seat, next(number))), move) for move in happenings]
    for by, steps in groupby(made, key=lambda move: move[0]):
        did = [moved(move, verbs, names) for _, move in steps if move is not None]
        turns.append(None if by is None else f"{by[1]} {', '.join(did)}")
    return turns


def _numbered(turns: Sequence[str | None]) -> Iterator[str]:
    """Yield numbered turns. Reshuffles are not numbered."""
    number = 0
    for turn in turns:
        number += turn is not None
        yield f"-# {phrases.RESHUFFLED}" if turn is None else f"{number}. {turn}"


def _lines(turns: Sequence[str | None]) -> str:
    return "\n".join(_numbered(turns))


def _without_middle(lines: list[str], room: int) -> str:
    """Drop lines from the middle until the text fits in `room` characters."""
    dropped, kept = 0, list(lines)
    while len("\n".join(kept)) > room:
        dropped += 1
        half = (len(lines) - dropped) // 2
        kept = [*lines[:half], f"-# … {words.count(dropped, 'turn')} …", *lines[half + dropped :]]
    return "\n".join(kept)
