"""How a person did on a server, and how much is played there, in words: all that the charts show."""

from __future__ import annotations

from collections.abc import Sequence

from bot.values.statistics import Category, Profile, Week
from cogs.text.categories import CATEGORIES
from cogs.text.people import joined, name

NOTHING = "You have finished no match here yet. `/gin challenge` begins one; once it is over, this shows how you do."


def title(profile: Profile) -> str:
    """Who did what."""
    return f"{name(profile.player)}: {CATEGORIES[profile.ladder]}"


def told(profile: Profile) -> str:
    """Matches, points, deals, and whom they met most."""
    penalty = profile.ladder is Category.PENALTY
    fewer = "so many fewer penalty points than the best of the others had"
    more = "what deals brought you, less what they brought the best of the others"
    points = f"{profile.points} {'penalty points' if penalty else 'points'}"
    lines = [
        _matches(profile),
        f"Net points **{profile.net:+}**: {fewer if penalty else more}",
        f"Best streak: **{profile.streak}** won in a row",
        f"Deals: **{profile.deals_won}** won{_ways(profile)}, {profile.deals_lost} lost · {points}",
    ]
    if profile.rival is not None:
        met = profile.rival
        lines.append(
            f"Most often against {name(met.player)}: {_count(met.matches)}, **{met.won}** won, {met.lost} lost"
        )
    return "\n".join(lines)


def _count(matches: int) -> str:
    return "1 match" if matches == 1 else f"{matches} matches"


def _matches(profile: Profile) -> str:
    drawn = f", {profile.drawn} drawn" if profile.drawn else ""
    open_ones = len(profile.played) - profile.won - profile.lost - profile.drawn
    open_told = f", {open_ones} without a result" if open_ones else ""
    share = "" if profile.share is None else f" ({profile.share} %)"
    played = f"**{len(profile.played)}** {'match' if len(profile.played) == 1 else 'matches'}"
    return f"{played}: **{profile.won}** won{share}, {profile.lost} lost{drawn}{open_told}"


def _ways(profile: Profile) -> str:
    knocks = profile.deals_won - profile.gins - profile.undercuts
    ways = ((knocks, "by knocking"), (profile.gins, "with gin"), (profile.undercuts, "by undercutting"))
    told = joined([f"{number} {way}" for number, way in ways if number])
    return f" ({told})" if told else ""


def activity(weeks: Sequence[Week]) -> str | None:
    """Matches and players of each week; nothing where nothing was played."""
    if not weeks:
        return None
    matches = " ".join(str(week.matches) for week in weeks)
    players = " ".join(str(week.players) for week in weeks)
    return f"-# Matches in each of the last {len(weeks)} weeks: {matches} · players: {players}"
