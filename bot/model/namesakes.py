"""Disambiguation of different people whose names look the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from bot.model.matches import MatchInfo
from bot.model.names import appearance
from bot.model.seasons import Awarded
from bot.model.standings import Standing
from bot.model.statistics import Player

_Listed = TypeVar("_Listed", Standing, Awarded)

_INVISIBLE_NAME: Final = "someone"
"""The text that is shown instead of a missing or invisible name."""
_FORGOTTEN_NAME: Final = "someone who left"
"""The text that is shown instead of the name of a forgotten person."""


def with_ambiguity(players: Sequence[Player], *others: Iterable[Player]) -> tuple[Player, ...]:
    """Return `players`, each marked as ambiguous if its name looks like another name in `players` or `others`.

    `others` are further people in the same text. Ambiguous names are shown with an addition (`Player.account`). If a
    name with its addition looks like a third person's name, the third person is marked as well.
    """
    players_by_identity: dict[Hashable, Player] = {}
    for player in (*players, *(player for group in others for player in group)):
        players_by_identity.setdefault(_identity(player), player)
    ambiguous = set[Hashable]()
    while True:
        looks = {
            key: _displayed_name(replace(player, ambiguous=key in ambiguous))
            for key, player in players_by_identity.items()
        }
        counts = Counter(looks.values())
        newly_ambiguous = {key for key, look in looks.items() if counts[look] > 1} - ambiguous
        if not newly_ambiguous:
            return tuple(replace(player, ambiguous=_identity(player) in ambiguous) for player in players)
        ambiguous |= newly_ambiguous


def matches_with_ambiguity(matches: Sequence[MatchInfo]) -> tuple[MatchInfo, ...]:
    """Return matches that are shown together, with players marked as ambiguous as in `with_ambiguity`."""
    players = [match.players for match in matches]
    return tuple(replace(match, players=with_ambiguity(match.players, *players)) for match in matches)


def entries_with_ambiguity(listed: Sequence[_Listed], *others: Iterable[Player]) -> tuple[_Listed, ...]:
    """Return the entries of a list, with people marked as ambiguous as in `with_ambiguity`."""
    players = with_ambiguity([entry.player for entry in listed], *others)
    return tuple(replace(entry, ambiguous=player.ambiguous) for entry, player in zip(listed, players, strict=True))


def _identity(player: Player) -> Hashable:
    return (player.name, player.computer) if player.id is None else player.id


def _displayed_name(player: Player) -> str:
    name = player.name
    if name is None:
        name = _FORGOTTEN_NAME if player.id is None else _INVISIBLE_NAME
    shown = appearance(name) or _INVISIBLE_NAME
    return shown if player.account is None else appearance(f"{shown} ({player.account})")
