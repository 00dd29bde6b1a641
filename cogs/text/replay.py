"""A deal move by move as text, as complete as a message can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bot.engine.moves import Verb
from bot.engine.replay import Moment
from bot.engine.views import ShowdownView
from bot.values.matches import Replay, Showdown
from cardart.text import alt_text, phrases
from cardart.text.card_names import Names, names_of
from cogs.text.cards import moved
from cogs.text.people import monograms, names_with_monograms, plain
from cogs.text.showdown import HOW_WON

MAX_LENGTH: Final = 3_600
"""A message has 4,000 characters, of which title and notes take some."""
_SEPARATOR: Final = " · "
VERBS: Final = {**phrases.ACTION_VERBS, Verb.KNOCK: "goes out discarding"}


def moves(replay: Replay, room: int = MAX_LENGTH) -> str:
    """Return who plays, what they were dealt, every turn, and the showdown.

    From a very long deal some turns in the middle are left out.
    """
    showdown, marks, language = replay.view.showdown, monograms(replay.match.players), replay.match.appearance.language
    names = names_of(language)
    players = names_with_monograms(replay.match)
    dealt = "\n".join(
        f"{players[seat]}: {names.row(hand.cards)}"
        for seat, hand in zip(showdown.seats, replay.view.moments[0].hands, strict=True)
    )
    upcard = f"Upcard {names.short(replay.view.moments[0].discards[0])}"
    end = alt_text.showdown(showdown, marks, language)
    before, after = f"{dealt}\n-# {upcard}{_SEPARATOR}", f"\n{end}"
    turns = _shortened(_turns(replay.view.moments, marks, names), room - len(before) - len(after))
    return f"{before}{_SEPARATOR.join(turns)}{after}"


def too_long(replay: Replay) -> str:
    """Return why there is no picture."""
    return f"-# {replay.view.actions} actions are too many for an animation, so here is the deal as text."


def completion(shown: Showdown) -> str:
    """Return a deal as completions offer it: its number and how it ended."""
    outcome, deal = shown.view.outcome, phrases.deal_name(shown.view)
    if outcome.winner is None:
        return f"{deal}: a tie"
    return f"{deal}: {plain(shown.match.players[outcome.winner])} {HOW_WON[outcome.kind]}"


def deal_number(showdown: ShowdownView) -> str:
    """Return a deal as people type it: `3`, or `3.2` on the second of two boards."""
    return f"{showdown.number}.{showdown.board}" if showdown.boards > 1 else str(showdown.number)


def _turns(moments: Sequence[Moment], marks: Sequence[str], names: Names) -> list[str]:
    """Return what each player did in turn, with reshuffles between."""
    turns: list[str] = []
    happenings = [moment.move for moment in moments[1:]]
    for seat, steps in groupby(happenings, key=lambda one: None if one is None else one.seat):
        did = ", ".join(phrases.RESHUFFLED.lower() if step is None else moved(step, VERBS, names) for step in steps)
        turns.append(did if seat is None else f"{marks[seat]} {did}")
    return turns


def _shortened(turns: list[str], room: int) -> list[str]:
    """Return as many turns as there is room for, from the beginning and from the end."""
    dropped, kept = 0, list(turns)
    while len(_SEPARATOR.join(kept)) > room:
        dropped += 1
        half = (len(turns) - dropped) // 2
        kept = [*turns[:half], f"… {phrases.count(dropped, 'turn')} …", *turns[half + dropped :]]
    return kept
