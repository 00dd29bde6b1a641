"""Invented profiles, rivals, standings and weeks, for samples of the charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import cycle

from bot.model.daily import DailyTotal, rank
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.history import Ending, Meeting, Versus
from bot.model.ids import MatchId, PersonId
from bot.model.ratings import Rating
from bot.model.seasons import Award, Awarded, Podium
from bot.model.standings import Movement, Ranked, Standing
from bot.model.statistics import Activity, ActivitySpan, Category, PlayedMatch, Player, Profile, Results, Rival
from bot.model.streaks import NO_STREAKS

USERNAMES = {"李明": "li.ming"}
"""Names of accounts, for names that the font cannot write."""
_NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
_TODAY = _NOW.date()


def profile(results: str, nets: tuple[int, ...], rival: tuple[int, int, int] | None = None) -> Profile:
    """Return a player's profile with a match for each letter of `results`: `w` is won, `l` lost and `d` drawn.

    `nets` are the matches' net points, used cyclically. `rival` has three numbers: matches against the most
    frequent opponent, and how many of them were won and lost.
    """
    played = tuple(
        PlayedMatch(
            ended_at=_NOW - timedelta(days=2 * (len(results) - 1 - place)),
            won={"w": True, "l": False}.get(result),
            drawn=result == "d",
            net=nets[place % len(nets)] * {"w": 1, "l": -1}.get(result, 0),
        )
        for place, result in enumerate(results)
    )
    won = results.count("w")
    return Profile(
        player=Player(PersonId(1), "North"),
        category=Category.POINTS,
        categories=(Category.POINTS,),
        played_matches=played,
        deals_won=5 * won,
        deals_lost=3 * won + 5 * (len(results) - won),
        points=0,
        gins=won,
        undercuts=won // 2,
        rival=None if rival is None else Rival(Player(PersonId(2), "South"), *rival),
        practice={},
    )


def versus(results: str, points: tuple[int, ...], names: tuple[str, str] = ("North", "South")) -> Versus:
    """Return the matches that two people played, one for each character of `results`.

    `1` is won by the first person, `2` by the second, `o` by another player; `d` is drawn. Any other character gives
    a match without a result. Each match takes the next two numbers of `points`, which repeat cyclically.
    """
    endings = {"1": Ending.FIRST, "2": Ending.SECOND, "d": Ending.DRAWN, "o": Ending.OTHERS}
    meetings = tuple(
        Meeting(
            MatchId(place + 1),
            _NOW - timedelta(days=3 * (len(results) - 1 - place)),
            endings.get(result, Ending.NONE),
            (points[2 * place % len(points)], points[(2 * place + 1) % len(points)]),
        )
        for place, result in enumerate(results)
    )
    return Versus(
        players=(Player(PersonId(1), names[0]), Player(PersonId(2), names[1])),
        category=Category.POINTS,
        categories=(Category.POINTS,),
        meetings=meetings,
        points=(sum(meeting.points[0] for meeting in meetings), sum(meeting.points[1] for meeting in meetings)),
        gins=(results.count("1"), results.count("2") // 2),
        together=Results(0, 0, 0, 0),
    )


def activity(*played: tuple[int, int], is_daily: bool = False) -> Activity:
    """Return weeks or days with these numbers of matches and players. The last one is the current one."""
    length = timedelta(days=1 if is_daily else 7)
    first = _NOW.date() - length * (len(played) - 1)
    spans = tuple(ActivitySpan(first + length * place, *numbers) for place, numbers in enumerate(played))
    matches, players = zip(*played, strict=True)
    return Activity(spans, is_daily, deals=sum(matches) * 6, players=max(*players, sum(players) // 2))


def moved(rows: Sequence[Ranked], *places: int | None) -> tuple[Ranked, ...]:
    """Return the rows with these numbers of gained places, used cyclically; None for people who are new."""
    return tuple(replace(row, movement=Movement(gained)) for row, gained in zip(rows, cycle(places), strict=False))


def standings(*rows: str, first: int = 1, sigma: float = 100.0) -> tuple[Ranked, ...]:
    """Return standings from rows of the form `name matches wins net-points`. `first` is the place of the first row.

    Each rating is 1500 plus the net points.
    """
    told = [row.split() for row in rows]
    found = [
        Standing(
            *(int(won) * 4, int(matches) * 3, int(won) * 130, 0, 0),
            person_id=PersonId(place),
            name=name,
            matches=int(matches),
            won=int(won),
            lost=int(matches) - int(won),
            drawn=0,
            net=int(net),
            rating=Rating(1500.0 + int(net), sigma),
            rated=int(matches),
            username=USERNAMES.get(name),
        )
        for place, (name, matches, won, net) in enumerate(told, 1)
    ]
    return tuple(Ranked(place, standing) for place, standing in enumerate(found, first))


def daily_standings(*rows: str, first: int = 1, person: int = 1) -> tuple[DailyStanding, ...]:
    """Return standings in the deals of the day from rows of the form `name points turns finished unfinished streak`.

    `first` is the place of the first row, and `person` the id of its person. The others have the ids after it.
    """
    found, streaks = list[DailyTotal](), dict[PersonId | None, int]()
    for person_id, row in enumerate(rows, person):
        name, *numbers = row.split()
        points, turns, finished, unfinished, streak = map(int, numbers)
        player = Player(PersonId(person_id), name, username=USERNAMES.get(name))
        found.append(DailyTotal(player, points, turns, finished, unfinished))
        streaks[player.id] = streak
    return tuple(DailyStanding(first + row.place - 1, row.total, streaks[row.total.player.id]) for row in rank(found))


def daily_board(
    rows: tuple[DailyStanding, ...],
    period: DailyPeriod = DailyPeriod.TODAY,
    own: DailyStanding | None = None,
    people: int | None = None,
    today: date = _TODAY,
) -> DailyBoard:
    """Return a page of standings in the deals of the day with these rows and the viewer's standing."""
    number = len(rows) if people is None else people
    return DailyBoard(period, today, number, 0, 0, 1, rows, own, None, True, NO_STREAKS)


def podium(*rows: Ranked, category: Category = Category.POINTS) -> Podium:
    return Podium(category, rows, 10)


def superlative(award: Award, name: str, value: int, person: int = 1) -> Awarded:
    """Return a season's award for the player with the highest value, for example the most gins."""
    return Awarded(award, None, 1, PersonId(person), name, value, username=USERNAMES.get(name))
