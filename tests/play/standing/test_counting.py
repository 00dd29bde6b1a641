"""Stored standings equal a sum over all seats, after any events."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.application import Application
from bot.store import standing_chunks
from bot.store.database import Database
from bot.values.ids import PersonId
from bot.values.matches import MatchKind
from bot.values.people import Person
from bot.values.standings import FEWEST_RATED, Order, Ranked
from bot.values.statistics import Category
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import opened
from tests.helpers.examples import examples
from tests.helpers.random_matches import RandomMatches
from tests.helpers.table import GUILD, OTHER_GUILD
from tests.play.boards import ranked
from tests.play.standing.recomputed import Line, recomputed, stored

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(9))

small_chunks = [patch.object(standing_chunks, "LARGEST", 4), patch.object(standing_chunks, "SMALLEST", 2)]

events = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(0, 2**32)),
        st.tuples(st.just("play"), st.integers(0, 2**32)),
        st.tuples(st.just("play"), st.integers(0, 2**32)),
        st.tuples(st.just("forget"), st.integers(0, len(PEOPLE) - 1)),
        st.tuples(st.just("wait"), st.integers(1, 25)),
        st.tuples(st.just("back"), st.integers(1, 40)),
        st.tuples(st.just("reset"), st.just(0)),
    ),
    min_size=5,
    max_size=25,
)


async def happen(app: Application, matches: RandomMatches, clock: Clock, what: str, number: int) -> None:
    """Apply one event that changes standings."""
    match what:
        case "play":
            matches.random = Random(number)
            kind = MatchKind.CASUAL if number % 7 == 0 else MatchKind.STANDARD
            guild_id = OTHER_GUILD if number % 5 == 0 else GUILD
            await matches.play(kind=kind, guild_id=guild_id)
        case "forget":
            await app.people.forget(PEOPLE[number].id)
            await matches.meet()
        case "wait":
            clock.pass_by(timedelta(days=number))
        case "back":
            clock.pass_by(-timedelta(hours=number))
        case _:
            await app.leaderboards.reset(GUILD)


async def check(app: Application, database: Database, clock: Clock) -> None:
    """Check every board, every rank and every page against the sum over all seats."""
    await app.leaderboards.tidy()
    expected = await recomputed(database, clock.now)
    assert await stored(database) == expected
    for (guild_id, category, ruleset, period), lines in expected.items():
        for order in Order if ruleset == "" else (Order.WINS, Order.POINTS):
            filters: dict[str, Any] = {"category": category, "ruleset": ruleset or None}
            rows = await ranked(app, guild_id, recent=period == "recent", order=order, **filters)
            _check_order(rows, lines, category, order)
            for row in rows[:3] + rows[-3:]:
                found = await app.leaderboards.page(
                    guild_id, row.standing.person_id, period=period, order=order, **filters
                )
                assert (found.own, found.own_place) == (row.standing, row.place)


def _check_order(rows: list[Ranked], lines: dict[int, Line], category: Category, order: Order) -> None:
    def merit(person_id: int) -> tuple[float, ...]:
        line, sums = lines[person_id], lines[person_id].sums
        points = -sums["points"] if category is Category.PENALTY else sums["points"]
        decided = sums["won"] + sums["lost"] + sums["drawn"]
        if order is Order.RATING:
            assert line.rating is not None
            return (round(line.rating.mu),)
        if order is Order.POINTS:
            return sums["net"] if category is Category.PENALTY else points, sums["won"]
        return sums["won"], sums["won"] / decided if decided else 0, points

    ranked_people = [one for one, line in lines.items() if order is not Order.RATING or line.rated >= FEWEST_RATED]
    merits = sorted(map(merit, ranked_people), reverse=True)
    assert sorted(row.standing.person_id for row in rows) == sorted(ranked_people)
    for row in rows:
        assert row.place == 1 + merits.index(merit(row.standing.person_id))
    assert all(one.place <= other.place for one, other in pairwise(rows))


@pytest.mark.thorough
@examples(3)
@given(events)
def test_standings_are_the_sum_over_all_seats(happened: list[tuple[str, int]]) -> None:
    """Standings, ranks and pages are correct after matches, forgotten people, resets, time and clocks set back."""

    async def run(folder: str) -> None:
        clock = Clock()
        async with opened(Path(folder) / "deadwood.db") as database:
            app = Application(database, clock=clock)
            matches = RandomMatches(database, clock, PEOPLE, Random(0))
            await matches.meet()
            for what, number in happened:
                await happen(app, matches, clock, what, number)
            await check(app, database, clock)

    with TemporaryDirectory() as folder, small_chunks[0], small_chunks[1]:
        asyncio.run(run(folder))


@pytest.mark.parametrize(
    ("count", "matches"), [pytest.param(10, 20, marks=pytest.mark.thorough), *nightly_after(0, [(60, 150)])]
)
async def test_places_of_many_people(
    app: Application, database: Database, clock: Clock, count: int, matches: int
) -> None:
    """A leaderboard of many chunks, some starting with a forgotten person, has correct ranks and pages."""
    people = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(count))
    with small_chunks[0], small_chunks[1]:
        played = RandomMatches(database, clock, people, Random(1))
        await played.meet()
        for _ in range(matches):
            await played.play("classic target=10", 2)
        await check(app, database, clock)
        for person in people[::3]:
            await app.people.forget(person.id)
        await check(app, database, clock)
        clock.pass_by(timedelta(days=31))
        await played.meet()
        for _ in range(matches // 5):
            await played.play("classic target=10", 2)
        await check(app, database, clock)
