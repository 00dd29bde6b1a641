"""The standings of a server as text: all that their picture shows, and what deals brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.values.ids import PersonId
from bot.values.statistics import Category, Standing
from cardart.text.phrases import signed
from cogs.text.people import safe
from cogs.text.profile import CATEGORIES, not_won
from cogs.text.rules import bold, titled

NOBODY = "No match has ended here yet. `/gin challenge` starts one, and its winner will lead this list."
NOBODY_LATELY = "No match has ended here in the last 30 days. `/gin challenge` starts one."
NOTHING_PLAYED = "No match has ended here in the last twelve weeks. `/gin challenge` starts one."

_ONE_MATCH: Final = {
    Category.POINTS: "a match for points",
    Category.TEAMS: "a team match",
    Category.PENALTY: "a match for penalty points",
}


def compared(category: Category, ruleset: str | None) -> str:
    """Return which matches are compared."""
    return CATEGORIES[category] if ruleset is None else titled(ruleset)


def nothing_with(rules: str) -> str:
    """Return that no match with rules that somebody typed has ended."""
    asked = titled(rules, lambda typed: f"**{safe(typed)}**")
    return f"No match with {asked} has ended here. Leave the filter out, or choose from its list."


def not_listed(category: Category, ruleset: str | None, *, recent: bool) -> str:
    """Return why somebody is not among the standings: they may have played, but not what is compared."""
    kind = _ONE_MATCH[category] if ruleset is None else f"a match with {titled(ruleset, bold)}"
    return f"You have not finished {kind} here {'in the last 30 days' if recent else 'yet'}."


def lines(standings: Sequence[Standing], first: int, category: Category) -> str:
    """Return these standings, the first of which has the place `first`."""
    return "\n".join(line(rank, one, category) for rank, one in enumerate(standings, first))


def line(rank: int, standing: Standing, category: Category) -> str:
    """Return how somebody stands."""
    kind = "penalty points" if category is Category.PENALTY else "points"
    facts = [
        f"{standing.points} {kind}",
        f"net {signed(standing.net)}",
        f"deals {standing.deals_won}–{standing.deals_lost}",
    ]
    if standing.gins:
        facts.append(f"{standing.gins} gin")
    if standing.undercuts:
        facts.append(f"{standing.undercuts} undercut")
    head = f"**{rank}.** {safe(standing.name)}: **{standing.won}** won, {not_won(standing.results)}"
    return f"{head}\n-# {' · '.join(facts)}"


def own_rank(standings: Sequence[Standing], person_id: PersonId) -> int | None:
    """Return a person's place; None if they have none."""
    return next((rank for rank, one in enumerate(standings, 1) if one.person_id == person_id), None)
