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

from bot.model.ids import PersonId
from bot.model.matches import MatchKind
from bot.model.people import Person
from bot.model.standings import Order, Ranked
from bot.model.statistics import Category
from bot.play.application import Application
from bot.store import standing_chunks
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import open_new_database
from tests.helpers.examples import examples
from tests.helpers.random_matches import RandomMatches
from tests.helpers.table import GUILD, OTHER_GUILD
from tests.play.boards import full_leaderboard
from tests.play.standing.recomputed import Line, recompute_standings, stored_standings

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(9))

small_chunks = [patch.object(standing_chunks, "MAX_CHUNK_SIZE", 4), patch.object(standing_chunks, "MIN_CHUNK_SIZE", 2)]

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


async def apply_event(app: Application, matches: RandomMatches, clock: Clock, event: str, number: int) -> None:
    """Apply one event that changes standings."""
    match event:
        case "play":
            matches.random = Random(number)
            kind = MatchKind.CASUAL if number % 7 == 0 else MatchKind.STANDARD
            guild_id = OTHER_GUILD if number % 5 == 0 else GUILD
            await matches.play(kind=kind, guild_id=guild_id)
        case "forget":
            await app.people.forget(PEOPLE[number].id)
            await matches.save_names()
        case "wait":
            clock.pass_by(timedelta(days=number))
        case "back":
            clock.pass_by(-timedelta(hours=number))
        case _:
            await app.leaderboards.reset(GUILD)


async def check_leaderboards(app: Application, database: Database, clock: Clock) -> None:
    """Check every leaderboard, every rank and every page against the sum over all seats."""
    await app.leaderboards.run_upkeep()
    expected = await recompute_standings(database, clock.now)
    assert await stored_standings(database) == expected
    for (guild_id, category, ruleset, period), lines in expected.items():
        for order in Order if ruleset == "" else (Order.WINS, Order.POINTS):
            filters: dict[str, Any] = {"category": category, "ruleset": ruleset or None}
            rows = await full_leaderboard(app, guild_id, recent=period == "recent", order=order, **filters)
            _check_order(rows, lines, category, order)
            for row in rows[:3] + rows[-3:]:
                page = await app.leaderboards.page(
                    guild_id, row.standing.person_id, period=period, order=order, **filters
                )
                assert (page.own, page.own_place) == (row.standing, row.place)


def _check_order(rows: list[Ranked], lines: dict[int, Line], category: Category, order: Order) -> None:
    def sort_key(person_id: int) -> tuple[float, ...]:
        line, sums = lines[person_id], lines[person_id].sums
        points = -sums["points"] if category is Category.PENALTY else sums["points"]
        decided = sums["won"] + sums["lost"] + sums["drawn"]
        if order is Order.RATING:
            assert line.rating is not None
            return (round(line.rating.mu),)
        if order is Order.POINTS:
            return sums["net"] if category is Category.PENALTY else points, sums["won"]
        return sums["won"], sums["won"] / decided if decided else 0, points

    ranked_people = [
        person_id
        for person_id, line in lines.items()
        if order is not Order.RATING or (line.rating is not None and line.rating.is_settled)
    ]
    merits = sorted(map(sort_key, ranked_people), reverse=True)
    assert sorted(row.standing.person_id for row in rows) == sorted(ranked_people)
    for row in rows:
        assert row.place == 1 + merits.index(sort_key(row.standing.person_id))
    assert all(one.place <= other.place for one, other in pairwise(rows))


@pytest.mark.nightly
@examples(3)
@given(events)
def test_standings_are_the_sum_over_all_seats(happened: list[tuple[str, int]]) -> None:
    """Standings, ranks and pages are correct after matches, forgetting, resets, passing time and clocks set back."""

    async def run(folder: str) -> None:
        clock = Clock()
        async with open_new_database(Path(folder) / "deadwood.db") as database:
            app = Application(database, clock=clock)
            matches = RandomMatches(database, clock, PEOPLE, Random(0))
            await matches.save_names()
            for event, number in happened:
                await apply_event(app, matches, clock, event, number)
            await check_leaderboards(app, database, clock)

    with TemporaryDirectory() as folder, small_chunks[0], small_chunks[1]:
        asyncio.run(run(folder))


@pytest.mark.parametrize(
    ("count", "matches"), [pytest.param(10, 20, marks=pytest.mark.thorough), *nightly_after(0, [(60, 150)])]
)
async def test_ranks_on_a_large_leaderboard(
    app: Application, database: Database, clock: Clock, count: int, matches: int
) -> None:
    """A leaderboard of many chunks, some starting with a forgotten person, has correct ranks and pages."""
    people = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(count))
    with small_chunks[0], small_chunks[1]:
        random_matches = RandomMatches(database, clock, people, Random(1))
        await random_matches.save_names()
        for _ in range(matches):
            await random_matches.play("classic target=10", 2)
        await check_leaderboards(app, database, clock)
        for person in people[::3]:
            await app.people.forget(person.id)
        await check_leaderboards(app, database, clock)
        clock.pass_by(timedelta(days=31))
        await random_matches.save_names()
        for _ in range(matches // 5):
            await random_matches.play("classic target=10", 2)
        await check_leaderboards(app, database, clock)
