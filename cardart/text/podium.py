"""Texts of a season's podium: the wins of each person, and the superlatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.model.ids import PersonId
from bot.model.seasons import Award, Awarded
from bot.model.standings import Standing
from cardart.text import phrases

SUPERLATIVE_TITLES: Final = {Award.GINS: "Most gins", Award.STREAK: phrases.STREAK, Award.DEAL: "Largest deal"}
"""The titles of the superlatives, in display order."""

_UNITS: Final = {
    Award.GINS: ("gin", "gins"),
    Award.STREAK: (phrases.WON, phrases.WON),
    Award.DEAL: ("point", "points"),
}


MAX_ON_STEPS: Final = 3
"""Maximum number of people in the picture of a podium."""
_MAX_NAMED: Final = 3
"""Maximum number of people to name who share a superlative."""


def shared_awards(superlatives: Sequence[Awarded]) -> list[tuple[Awarded, ...]]:
    """Return the holders of each superlative, each person once. The superlatives keep their order."""
    by_award = dict[Award, dict[PersonId, Awarded]]()
    for awarded in superlatives:
        by_award.setdefault(awarded.award, {}).setdefault(awarded.person_id, awarded)
    return [tuple(holders.values()) for holders in by_award.values()]


def people_named(names: Sequence[str]) -> str:
    """Join the names of people who share a superlative: `A`, `A and B`, `A, B, C and 2 more`."""
    more = [f"{len(names) - _MAX_NAMED} more"] if len(names) > _MAX_NAMED else []
    *first_names, last = [*names[:_MAX_NAMED], *more]
    return f"{', '.join(first_names)} and {last}" if first_names else last


def each(holders: Sequence[Awarded]) -> str:
    """Return the word that follows the value of a shared superlative; empty if one person holds it."""
    return " each" if len(holders) > 1 else ""


def won(standing: Standing) -> str:
    """Return a person's number of wins: `15 matches won`."""
    return f"{standing.won:,} {'match' if standing.won == 1 else 'matches'} {phrases.WON}"


def short_won(standing: Standing) -> str:
    """Return a person's number of wins: `15 won`."""
    return f"{standing.won:,} {phrases.WON}"


def not_won(standing: Standing) -> str:
    """Return a person's number of losses, and the number of drawn matches if there are any: `9 lost, 1 drawn`."""
    drawn = f", {standing.drawn:,} drawn" if standing.drawn else ""
    return f"{standing.lost:,} {phrases.LOST}{drawn}"


def superlative_value(awarded: Awarded) -> str:
    """Return the value of a superlative with its unit: `12 gins`."""
    return f"{awarded.value:,} {_UNITS[awarded.award][awarded.value != 1]}"
