"""Movements on leaderboards equal the difference between the leaderboards now and a week ago."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import ratings
from bot.model.ids import PersonId
from bot.model.matches import MatchKind
from bot.model.people import Person
from bot.model.ratings import FIRST_RATING, Rating
from bot.model.seasons import Seasons
from bot.model.standings import ALL_TIME, NO_SUMS, RECENT, Leaderboard, Movement, Order, Sums
from bot.model.statistics import Category
from bot.play.application import Application
from bot.play.standing import leaderboards
from bot.play.standing.movements import WEEK
from bot.store import earlier_standings, standings
from bot.store.database import Database
from tests.helpers import random_matches
from tests.helpers.clock import Clock
from tests.helpers.databases import open_new_database
from tests.helpers.examples import examples
from tests.helpers.random_matches import RandomMatches
from tests.helpers.table import EAST, GUILD, NORTH, SOUTH, WEST, change_settings
from tests.play.finished import save_finished_match

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(5))
FORMATS = (*[("classic target=10", 2)] * 5, ("low target=10", 2), ("penalty target=10", 3), ("partners target=10", 4))
"""Rules and numbers of players for short matches, mostly of one kind, so that few matches move people."""

Event = tuple[str, int]
BoardKey = tuple[Category, str | None, str, Order]
"""The category, ruleset, period and order of a leaderboard."""
Boards = Mapping[BoardKey, Leaderboard]
"""Leaderboards with everyone on one page."""

play = st.tuples(st.just("play"), st.integers(0, 2**32))
forget = st.tuples(st.just("forget"), st.integers(0, len(PEOPLE) - 1))
reset = st.tuples(st.just("reset"), st.just(0))
history = st.lists(
    st.one_of(*[play] * 6, st.tuples(st.just("wait"), st.integers(1, 9)), forget), min_size=10, max_size=16
)
weeks = st.lists(
    st.tuples(st.integers(1, 23), st.one_of(play, play, play, play, forget, reset)), min_size=2, max_size=6
)
"""Events of a week, each with the hours that pass before it."""


async def apply_event(app: Application, matches: RandomMatches, clock: Clock, event: str, number: int) -> None:
    """Apply one event that changes standings."""
    match event:
        case "play":
            matches.random = Random(number)
            kind = MatchKind.CASUAL if number % 8 == 7 else MatchKind.STANDARD
            await matches.play(*matches.random.choice(FORMATS), kind=kind)
        case "wait":
            clock.pass_by(timedelta(days=number))
        case "forget":
            await app.people.forget(PEOPLE[number].id)
            await matches.save_names()
        case _:
            await app.leaderboards.reset(GUILD)


async def all_boards(app: Application, own_id: PersonId) -> Boards:
    """Return all current leaderboards of a server, as a person sees them."""
    shown, played = await app.leaderboards.seasons(GUILD), await app.leaderboards.categories_played(GUILD)
    periods = [period for period in (ALL_TIME, RECENT, shown.current, shown.last) if period is not None]
    rulesets = {*played, *((category, None) for category in Category)}
    return {
        (category, ruleset, period, order): await app.leaderboards.page(
            GUILD, own_id, category=category, ruleset=ruleset, period=period, order=order
        )
        for category, ruleset in rulesets
        for period in periods
        for order in Order
    }


def expected_movements(
    then: Boards, now: Boards, key: BoardKey, gone: Collection[PersonId]
) -> dict[PersonId, Movement] | None:
    """Return everyone's movement on a leaderboard; None if nobody had a place a week ago or has played since."""
    before = [row for row in then[key].rows if row.standing.person_id not in gone] if key in then else []
    everyone = *key[:3], Order.WINS
    matches = {row.standing.person_id: row.standing.matches for row in then[everyone].rows} if key in then else {}
    has_played = any(
        row.standing.person_id in gone or row.standing.matches > matches.get(row.standing.person_id, 0)
        for row in now[everyone].rows
    )
    if not before or not has_played:
        return None
    earlier = {row.standing.person_id: 1 + sum(other.place < row.place for other in before) for row in before}
    return {
        person_id: Movement(earlier[person_id] - row.place if person_id in earlier else None)
        for row in now[key].rows
        for person_id in (row.standing.person_id,)
    }


@pytest.mark.nightly
@examples(4)
@given(history, weeks)
def test_movements_are_the_difference_to_a_week_ago(
    happened: Sequence[Event], week: Sequence[tuple[int, Event]]
) -> None:
    """Movements compare the leaderboards now and a week ago, without people who were forgotten since.

    The 30-day leaderboards and finished seasons have none, and after a reset nothing is compared.
    """

    async def run(folder: str) -> None:
        clock = Clock()
        async with open_new_database(Path(folder) / "deadwood.db") as database:
            app = Application(database, clock=clock)
            await change_settings(app, seasons=Seasons.MONTHLY)
            matches = RandomMatches(database, clock, PEOPLE, Random(0))
            await matches.save_names()
            for event in happened:
                await apply_event(app, matches, clock, *event)
            own, began_at = PEOPLE[0].id, clock.now
            then = await all_boards(app, own)
            for hours, event in week:
                clock.pass_by(timedelta(hours=hours))
                await apply_event(app, matches, clock, *event)
            clock.now = began_at + WEEK
            await app.leaderboards.run_upkeep()
            is_reset = any(event == "reset" for _, (event, _) in week)
            gone = {PEOPLE[number].id for _, (event, number) in week if event == "forget"}
            current = (await app.leaderboards.seasons(GUILD)).current
            now = await all_boards(app, own)
            for key, board in now.items():
                is_compared = key[2] in (ALL_TIME, current) and not is_reset
                expected = expected_movements(then, now, key, gone) if is_compared else None
                shown = {row.standing.person_id: row.movement for row in board.rows}
                assert shown == (expected or dict.fromkeys(shown)), key
                assert board.own_movement == shown.get(own)

    # Ratings settle after two short matches.
    settled_early = patch.object(ratings, "SETTLED_DEVIATION", 249.0)
    with TemporaryDirectory() as folder, settled_early, patch.object(leaderboards, "PAGE_SIZE", len(PEOPLE)):
        asyncio.run(run(folder))


async def places_and_movements(app: Application, **filters: Any) -> list[tuple[int, str, Movement | None]]:
    """Return the place, name and movement in each row of a leaderboard."""
    board = await app.leaderboards.page(GUILD, NORTH.id, **filters)
    return [(row.place, row.standing.name, row.movement) for row in board.rows]


@pytest.mark.both_databases
async def test_people_rise_fall_and_appear(app: Application, database: Database, clock: Clock) -> None:
    """Within a week, people gain and lose places, or get their first one. A week after the last match, nobody moves."""
    for _ in range(2):
        await save_finished_match(database, clock, NORTH, SOUTH)
    clock.pass_by(timedelta(days=3))
    assert [movement for _, _, movement in await places_and_movements(app, order=Order.WINS)] == [None, None]
    clock.pass_by(WEEK - timedelta(days=3))
    for loser in (NORTH, EAST, WEST):
        await save_finished_match(database, clock, SOUTH, loser)
    expected = [
        (1, "South", Movement(1)),
        (2, "North", Movement(-1)),
        *((3, name, Movement(None)) for name in ("East", "West")),
    ]
    assert await places_and_movements(app, order=Order.WINS) == expected
    assert (await app.leaderboards.page(GUILD, NORTH.id, order=Order.WINS)).own_movement == Movement(-1)
    recent = await places_and_movements(app, period=RECENT, order=Order.WINS)
    assert [movement for _, _, movement in recent] == [None] * 4
    clock.pass_by(WEEK)
    assert [movement for _, _, movement in await places_and_movements(app, order=Order.WINS)] == [None] * 4


async def test_a_season_is_compared_with_itself(app: Application, database: Database, clock: Clock) -> None:
    """Only matches of the running season move people on its leaderboard. A finished season has no movements."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    clock.now = datetime(2026, 11, 29, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now = datetime(2026, 12, 2, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH)
    assert await places_and_movements(app, period="2026-12") == [(1, "North", None), (2, "South", None)]
    assert await places_and_movements(app, period="2026-11") == [(1, "North", None), (2, "South", None)]
    clock.pass_by(WEEK)
    for _ in range(2):
        await save_finished_match(database, clock, SOUTH, NORTH)
    expected = [(1, "South", Movement(1)), (2, "North", Movement(-1))]
    assert await places_and_movements(app, period="2026-12") == expected


async def test_large_leaderboards_are_not_compared(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A leaderboard with too many people has no movements."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.pass_by(WEEK)
    await save_finished_match(database, clock, NORTH, SOUTH)
    for maximum, is_compared in ((2, True), (1, False)):
        monkeypatch.setattr(leaderboards, "MAX_PEOPLE", maximum)
        rows = await places_and_movements(app, order=Order.WINS)
        assert [movement is not None for _, _, movement in rows] == [is_compared] * 2


async def current_sums(database: Database) -> dict[tuple[Category, PersonId], tuple[Sums, Rating | None]]:
    """Return the stored sums and rating of everyone on the all-time boards."""
    stored = dict[tuple[Category, PersonId], tuple[Sums, Rating | None]]()
    async with database.read() as transaction:
        for category in Category:
            board_id = await standings.find_board(transaction, GUILD, category, None, ALL_TIME)
            assert board_id is not None
            for row in await standings.next_standings(transaction, board_id, 0, len(PEOPLE)):
                stored[category, row.person_id] = row.sums, row.rating
    return stored


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_earlier_sums_equal_those_stored_then(database: Database, clock: Clock) -> None:
    """In every format, the sums and ratings computed for a time equal those that were stored at that time."""
    matches = RandomMatches(database, clock, PEOPLE, Random(1))
    await matches.save_names()
    for rules, seats in random_matches.FORMATS:
        await matches.play(rules, seats)
    then, at = await current_sums(database), clock.now
    clock.pass_by(timedelta(hours=1))
    for rules, seats in random_matches.FORMATS:
        await matches.play(rules, seats)
    async with database.read() as transaction:
        for category in Category:
            board_id = await standings.find_board(transaction, GUILD, category, None, ALL_TIME)
            assert board_id is not None
            computed = await earlier_standings.before(transaction, board_id, category, at)
            assert computed
            for person_id, (sums, rating) in computed.items():
                assert (sums, rating) == then.get((category, person_id), (NO_SUMS, FIRST_RATING))
