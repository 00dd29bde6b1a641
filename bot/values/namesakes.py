"""Disambiguation of different people whose names look the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from bot.values.matches import MatchInfo
from bot.values.names import appearance
from bot.values.seasons import Awarded
from bot.values.standings import Standing
from bot.values.statistics import Player

_Listed = TypeVar("_Listed", Standing, Awarded)

_UNSEEN: Final = "someone"
_FORGOTTEN: Final = "someone who left"
"""Texts show these for an invisible name and for a forgotten person."""


def told_apart(players: Sequence[Player], *others: Iterable[Player]) -> tuple[Player, ...]:
    """Return players, marked as ambiguous if their names look alike in a text that may name `others` too.

    A name with its disambiguating addition may look like a third player's name. That player is then marked as well.
    """
    people: dict[Hashable, Player] = {}
    for player in (*players, *(one for group in others for one in group)):
        people.setdefault(_identity(player), player)
    ambiguous = set[Hashable]()
    while True:
        looks = {key: _look(replace(one, ambiguous=key in ambiguous)) for key, one in people.items()}
        counts = Counter(looks.values())
        found = {key for key, look in looks.items() if counts[look] > 1} - ambiguous
        if not found:
            return tuple(replace(one, ambiguous=_identity(one) in ambiguous) for one in players)
        ambiguous |= found


def matches_told_apart(matches: Sequence[MatchInfo]) -> tuple[MatchInfo, ...]:
    """Return matches for a text about all of them, with ambiguous players marked."""
    players = [match.players for match in matches]
    return tuple(replace(match, players=told_apart(match.players, *players)) for match in matches)


def listed_told_apart(listed: Sequence[_Listed], *others: Iterable[Player]) -> tuple[_Listed, ...]:
    """Return entries of a list, marked as in `told_apart`."""
    players = told_apart([one.player for one in listed], *others)
    return tuple(replace(one, ambiguous=player.ambiguous) for one, player in zip(listed, players, strict=True))


def _identity(player: Player) -> Hashable:
    return (player.name, player.computer) if player.id is None else player.id


def _look(player: Player) -> str:
    name = player.name
    if name is None:
        name = _FORGOTTEN if player.id is None else _UNSEEN
    shown = appearance(name) or _UNSEEN
    return shown if player.account is None else appearance(f"{shown} ({player.account})")
