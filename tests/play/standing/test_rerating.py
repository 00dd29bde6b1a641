"""Ratings recomputed from the logs equal the stored ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from bot.engine.deals.showdown import OutcomeKind
from bot.model.ids import PersonId
from bot.model.people import Person
from bot.play.application import Application
from bot.play.standing import filling
from bot.play.standing.rerating import ReratingResult
from bot.store import key_values, tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.random_matches import FORMATS, RandomMatches
from tests.helpers.table import GUILD, OTHER_GUILD
from tests.play.standing.recomputed import BoardKey, Line, recompute_standings, stored_standings

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(12))
SEATS = (
    *(tables.seat.c.match_id, tables.seat.c.seat, tables.seat.c.place),
    *(tables.seat.c.mu_before, tables.seat.c.sigma_before, tables.seat.c.mu_after, tables.seat.c.sigma_after),
)


async def play_matches(
    app: Application, database: Database, clock: Clock, number: int, *, forget: bool = True
) -> RandomMatches:
    """Play matches of every format on two servers, with forgotten people and a reset in between."""
    matches = RandomMatches(database, clock, PEOPLE, Random(number))
    await matches.save_names()
    for index in range(number):
        clock.pass_by(timedelta(hours=-2 if index % 20 == 7 else 1))
        await matches.play(*FORMATS[index % len(FORMATS)], guild_id=OTHER_GUILD if index % 3 == 0 else GUILD)
        if forget and index % 30 in (7, 20):
            await app.people.forget(matches.random.choice(PEOPLE).id)
            await matches.save_names()
        if index == number // 2:
            await app.leaderboards.reset(GUILD)
    await app.leaderboards.run_upkeep()
    return matches


async def stored_numbers(database: Database) -> tuple[list[Any], dict[BoardKey, dict[int, Line]]]:
    """Return the stored places and ratings of all seats, and the stored leaderboards."""
    return sorted(await fetch(database, select(*SEATS))), await stored_standings(database)


@pytest.mark.nightly
@pytest.mark.parametrize("count", nightly_after(1, [14, 200, 10_000]))
async def test_recomputed_numbers_equal_the_stored_ones(
    app: Application, database: Database, clock: Clock, count: int
) -> None:
    """For random matches of all formats, recomputing ratings gives the stored numbers and changes nothing."""
    await play_matches(app, database, clock, count)
    before = await stored_numbers(database)
    rated = {match_id for match_id, _, place, *_ in before[0] if place is not None}
    assert len(rated) > count * 0.7
    assert await app.rerating.rerate() == ReratingResult(matches=len(rated))
    assert await stored_numbers(database) == before


@pytest.mark.nightly
async def test_wrong_numbers_are_replaced(app: Application, database: Database, clock: Clock) -> None:
    """Wrong ratings in seats and leaderboards are corrected from the logs. Forgotten people's seats stay unchanged."""
    await play_matches(app, database, clock, 12)
    before = await stored_numbers(database)
    seat, standing = tables.seat.c, tables.standing.c
    wrong = await fetch(database, select(seat.match_id).where(seat.place.is_not(None), seat.person_id.is_not(None)))
    update_seats = update(tables.seat).where(seat.match_id == wrong[0][0], seat.person_id.is_not(None))
    await execute(database, update_seats.values(mu_after=1.5, place=4))
    [(somebody,)] = await fetch(database, select(standing.person_id).where(standing.rated > 0).limit(1))
    rows = update(tables.standing).where(standing.person_id == somebody, standing.mu.is_not(None))
    await execute(database, rows.values(mu=1.5, rated=99))
    result = await app.rerating.rerate()
    assert (result.differing_matches, result.differing_people >= 1) == (1, True)
    assert await stored_numbers(database) == before
    second_result = await app.rerating.rerate()
    assert (second_result.differing_matches, second_result.differing_people) == (0, 0)


@pytest.mark.thorough
async def test_a_log_that_cannot_be_read_keeps_its_numbers(app: Application, database: Database, clock: Clock) -> None:
    """A match whose log cannot be read is reported and keeps its ratings. Later ratings are computed from these."""
    matches = await play_matches(app, database, clock, 12, forget=False)
    before = await stored_numbers(database)
    broken = matches.played[4]
    action = tables.action.c
    await execute(
        database, update(tables.action).where(action.match_id == broken, action.number == 3).values(text="0 pass")
    )
    fresh = Application(database, clock=clock)
    result = await fresh.rerating.rerate()
    assert (result.unreadable, result.differing_matches, result.differing_people) == ([broken], 0, 0)
    assert await stored_numbers(database) == before


async def test_a_match_too_short_is_not_rated(app: Application, database: Database, clock: Clock) -> None:
    """A match that ends by resignation is not rated if all its finished deals are void."""
    matches = replace(RandomMatches(database, clock, PEOPLE[:2], Random(5)), resigns=0.0)
    await matches.save_names()
    long = await matches.play("classic target=10", 2)
    assert all(change is not None for change in long.ratings)
    short = replace(matches, resigns=1.0, played=list(matches.played))
    unrated = await short.play("classic target=10", 2)
    assert unrated.ratings == (None, None)
    deal = {"match_id": unrated.id, "number": 1, "kind": OutcomeKind.VOID, "points": 0, "version": 1}
    await execute(database, insert(tables.deal).values(**deal, ended_at=clock.now))
    assert (await app.rerating.rerate()).matches == 1


async def reset_to_migrated_state(database: Database) -> None:
    """Reset ratings and leaderboards to their state in a newly migrated database."""
    await execute(database, delete(tables.board))
    nothing = dict.fromkeys(["place", "mu_before", "sigma_before", "mu_after", "sigma_after"])
    await execute(database, update(tables.seat).values(**nothing))
    await execute(database, update(tables.match).values(recent_until=None))
    async with database.write() as transaction:
        await key_values.save(transaction, "standings to fill", "0 0")


class ProcessKilledError(Exception):
    """Raised to simulate a crash of the process."""


@pytest.mark.nightly
async def test_a_backfill_reproduces_the_original_numbers(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backfill that crashes in each batch and is restarted ends with the original numbers."""
    await play_matches(app, database, clock, 12, forget=False)
    recent = select(tables.match.c.id, tables.match.c.recent_until).order_by(tables.match.c.id)
    original_numbers, original_recent = await stored_numbers(database), await fetch(database, recent)
    await reset_to_migrated_state(database)
    monkeypatch.setattr(filling, "BATCH_SIZE", 3)
    count = filling.count
    kills = 0
    while True:
        calls = 0

        async def killed_count(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise ProcessKilledError
            return await count(*args, **options)

        fresh = Application(database, clock=clock)
        with monkeypatch.context() as killing:
            killing.setattr(filling, "count", killed_count)
            try:
                await fresh.standings_backfill.do_batch()
            except ProcessKilledError:
                kills += 1
        if not await fresh.standings_backfill.do_batch():
            break
    assert kills > 2
    await app.leaderboards.run_upkeep()
    assert await stored_numbers(database) == original_numbers
    assert await fetch(database, recent) == original_recent
    assert await stored_standings(database) == await recompute_standings(database, clock.now)
    assert await fresh.rerating.rerate() == ReratingResult(
        matches=len({row[0] for row in original_numbers[0] if row[2] is not None})
    )


@pytest.mark.nightly
async def test_rerating_after_a_backfill_with_forgotten_people(
    app: Application, database: Database, clock: Clock
) -> None:
    """In a backfill, forgotten people count as new players in each match. Recomputing gives the same ratings."""
    await play_matches(app, database, clock, 12)
    await reset_to_migrated_state(database)
    while await app.standings_backfill.do_batch():
        pass
    await app.leaderboards.run_upkeep()
    before = await stored_numbers(database)
    result = await app.rerating.rerate()
    assert (result.differing_matches, result.differing_people) == (0, 0)
    assert await stored_numbers(database) == before
    assert before[1] == await recompute_standings(database, clock.now)
