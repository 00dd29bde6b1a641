"""Views of real deals, played at random by the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

from bot.engine.rules import Rules
from bot.engine.showdown import Kind
from bot.engine.views import PublicView, SeatView, ShowdownView, public_view, seat_view, showdown_view
from tests.engine.decks import random_actions

View = TypeVar("View")

MARKS = ("S", "N")


def any_of(views: Callable[[int], Sequence[View]]) -> st.SearchStrategy[View]:
    """Views of a few random matches, which one of the functions below plays from a seed."""
    return st.integers(0, 2).flatmap(lambda seed: st.sampled_from(views(seed)))


@cache
def seat_views(seed: int) -> tuple[SeatView, ...]:
    """What each player saw whenever it was to act in a random match."""
    return tuple(seat_view(after, after.to_act) for _, _, after in random_actions(seed) if after.to_act is not None)


@cache
def public_views(seed: int) -> tuple[PublicView, ...]:
    """What everyone saw of a random match, from the first cards dealt to its end."""
    return tuple(public_view(after) for _, _, after in random_actions(seed) if after.deal or after.finished)


@cache
def showdown_views(seed: int) -> tuple[ShowdownView, ...]:
    """The showdowns of a random match."""
    *_, (_, _, over) = random_actions(seed, Rules(target=100))
    return tuple(showdown_view(over, number) for number in range(1, len(over.finished) + 1))


def showdown_of(kind: Kind, lay_offs: int = 0) -> ShowdownView:
    """A showdown of some kind with at least so many cards laid off."""
    return next(
        view
        for seed in range(100)
        for view in showdown_views(seed)
        if view.outcome.kind is kind and len(view.outcome.lay_offs) >= lay_offs
    )
