"""A deal move by move, for everybody who reads: as complete as a message can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bot.engine.moves import Verb
from bot.engine.replay import Moment
from bot.engine.views import PublicMove, ShowdownView
from bot.play.values import Replay, ShowdownPost
from cardart import alt, words
from cardart.names import Names, names_of
from cogs.words.people import marked, marks, plain
from cogs.words.showdown import HOW, ended

ROOM: Final = 3_600
"""The characters of all that is told; a message has 4,000, and title and notes take some."""
_BETWEEN: Final = " · "


def title(replay: Replay) -> str:
    """Which deal it is, and how it ended."""
    return ended(replay.view.showdown, replay.card)


def told(replay: Replay, room: int = ROOM) -> str:
    """Who plays, what they were dealt, every turn, and the showdown.

    A very long deal lacks some turns in its middle.
    """
    showdown, named, language = replay.view.showdown, marks(replay.card), replay.card.look.language
    names = names_of(language)
    players = marked(replay.card)
    dealt = "\n".join(
        f"{players[seat]}: {names.row(hand.cards)}"
        for seat, hand in zip(showdown.seats, replay.view.moments[0].hands, strict=True)
    )
    upcard = f"Upcard {names.short(replay.view.moments[0].discards[0])}"
    end = alt.showdown(showdown, named, language)
    before, after = f"{dealt}\n-# {upcard}{_BETWEEN}", f"\n{end}"
    turns = _shortened(_turns(replay.view.moments, named, names), room - len(before) - len(after))
    return f"{before}{_BETWEEN.join(turns)}{after}"


def too_long(replay: Replay) -> str:
    """Why there is no picture."""
    return f"-# {replay.view.actions} actions are too many for a picture, so this deal is told in words."


def choice(post: ShowdownPost) -> str:
    """A deal as it is offered while somebody types, by its number and how it ended."""
    outcome = post.view.outcome
    if outcome.winner is None:
        return f"{words.deal(post.view)}: a tie"
    return f"{words.deal(post.view)}: {plain(post.card.players[outcome.winner])} {HOW[outcome.kind]}"


def place(showdown: ShowdownView) -> str:
    """A deal in few signs, as it is typed: `3`, or `3.2` on the second of two boards."""
    return f"{showdown.number}.{showdown.board}" if showdown.boards > 1 else str(showdown.number)


def _turns(moments: Sequence[Moment], named: Sequence[str], names: Names) -> list[str]:
    """What each player did in turn; reshuffles between."""
    turns: list[str] = []
    history = [moment.move for moment in moments[1:]]
    for seat, steps in groupby(history, key=lambda one: None if one is None else one.seat):
        did = ", ".join(words.RESHUFFLED.lower() if step is None else _did(step, names) for step in steps)
        turns.append(did if seat is None else f"{named[seat]} {did}")
    return turns


def _did(step: PublicMove, names: Names) -> str:
    if step.verb is Verb.KNOCK and step.card is not None:
        return f"goes out discarding {names.short(step.card)}"
    did = words.DID[step.verb]
    return did if step.card is None else f"{did} {names.short(step.card)}"


def _shortened(turns: list[str], room: int) -> list[str]:
    """As many turns as there is room for, from the beginning and from the end."""
    dropped, kept = 0, list(turns)
    while len(_BETWEEN.join(kept)) > room:
        dropped += 1
        half = (len(turns) - dropped) // 2
        kept = [*turns[:half], f"… {words.count(dropped, 'turn')} …", *turns[half + dropped :]]
    return kept
