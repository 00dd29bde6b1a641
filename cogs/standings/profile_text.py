"""A person's results and a server's activity as text: everything in the charts, and what goes below their pictures."""

from __future__ import annotations

from typing import Final

from bot.model.statistics import Activity, Category, Player, Profile, Rank, Results
from bot.model.words import count, signed
from cardart.text.phrases import busiest_text, last_results, not_won, place_name, spans_title
from cardart.text.queries import wins_by_kind
from cardart.text.seasons import champion_text
from cogs.words.names import joined, name
from cogs.words.ratings import appears_after

CATEGORIES: Final = {
    Category.POINTS: "matches for points",
    Category.TEAMS: "team matches",
    Category.PENALTY: "matches for penalty points",
}
"""The names of leaderboard categories. Any other filter of a leaderboard is the name of a ruleset."""

NOTHING = "You haven't finished a match here yet. Start one with `/gin play`."


def nothing_of(player: Player) -> str:
    """Say that another person has not finished a match on the server."""
    return f"{name(player)} hasn't finished a match here yet."


def title(profile: Profile) -> str:
    """Return the title of a profile: the person and the category."""
    return f"{name(profile.player)}: {CATEGORIES[profile.category]}"


def facts(profile: Profile, *, own: bool = True) -> str:
    """Return titles, matches, rating, points, deals and the most frequent opponent.

    Say "you" instead of "they" if `own` is True.
    """
    lines = [
        *_titles(profile),
        _matches(profile.results),
        *([] if profile.rank is None else [_rank(profile.rank, own=own)]),
        f"Net points **{signed(profile.net)}** ({_net(profile, own=own)})",
        f"Best streak: **{profile.streak}** won in a row",
        f"Deals: **{profile.deals_won}** won{_ways(profile)}, {profile.deals_lost} lost · {_points(profile)}",
        last_results(profile.played_matches),
    ]
    if profile.rival is not None:
        rival, matches = profile.rival, count(profile.rival.matches, "match", "matches")
        lines.append(f"Most often against {name(rival.player)}: {matches}, **{rival.won}** won, {rival.lost} lost")
    return "\n".join(lines)


def below_picture(profile: Profile, *, own: bool = True) -> str:
    """Return the facts that a profile's picture leaves out: titles in full, results, points and a missing rating.

    The last line explains net points. Say "you" instead of "they" if `own` is True.
    """
    rank, results = profile.rank, profile.results
    place, missing = list[str](), list[str]()
    if rank is not None and not rank.rating.is_settled:
        missing = [_rank(rank, own=own)]
    elif rank is not None and rank.place is not None:
        place = [f"{place_name(rank.place)} of {rank.people:,}"]
    facts = (f"{results.won} won, {not_won(results)}", _points(profile), *place)
    return "\n".join(
        (*_titles(profile), *missing, f"-# {' · '.join(facts)}", f"-# Net points: {_net(profile, own=own)}.")
    )


def _titles(profile: Profile) -> list[str]:
    return [f"**{champion_text(profile.titles)}**"] if profile.titles else []


def _net(profile: Profile, *, own: bool) -> str:
    """Say how net points are computed."""
    mine, best = f"{'your' if own else 'their'} points", "the best opponent's points"
    return f"{best} minus {mine}" if profile.category is Category.PENALTY else f"{mine} minus {best}"


def _points(profile: Profile) -> str:
    return f"{profile.points} {'penalty points' if profile.category is Category.PENALTY else 'points'}"


def practice(profile: Profile) -> str | None:
    """Return the practice results by level; None if no practice match is finished."""
    levels = [f"*{level}* {results.won} of {results.matches} won" for level, results in profile.practice.items()]
    return f"Practice: {', '.join(levels)}" if levels else None


def _rank(rank: Rank, *, own: bool) -> str:
    place = "" if rank.place is None else f", place **{rank.place:,}** of {rank.people:,}"
    if not rank.rating.is_settled:
        return f"{'Your' if own else 'Their'} rating appears after {appears_after(rank.rating)}."
    return f"Rating **{rank.rating}**{place}"


def _matches(results: Results) -> str:
    share = "" if results.win_percentage is None else f" ({results.win_percentage}%)"
    played = f"**{results.decided_matches}** {'match' if results.decided_matches == 1 else 'matches'}"
    return f"{played}: **{results.won}** won{share}, {not_won(results)}"


def _ways(profile: Profile) -> str:
    ways = zip(wins_by_kind(profile), ("by knocking", "with gin", "by undercutting"), strict=True)
    counts = joined([f"{number} {way}" for number, way in ways if number])
    return f" ({counts})" if counts else ""


def activity_text(activity: Activity) -> str:
    """Return the numbers of matches and players by day or week, in all, and the busiest day or week."""
    lines = [
        f"{spans_title(activity)}: {count(activity.matches, 'match', 'matches')}, {count(activity.deals, 'deal')}, "
        f"{count(activity.players, 'player')}"
    ]
    if activity.busiest is not None:
        name, value = busiest_text(activity)
        each = "day" if activity.is_daily else "week"
        lines += [
            f"{name}: {value}",
            f"Matches each {each}: {' '.join(str(span.matches) for span in activity.spans)}",
            f"Players each {each}: {' '.join(str(span.players) for span in activity.spans)}",
        ]
    return "\n".join(lines)
