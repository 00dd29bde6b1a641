"""Ratings recomputed from the logs equal the stored ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from bot.engine.showdown import OutcomeKind
from bot.play.application import Application
from bot.play.standing import filling
from bot.play.standing.rerating import Rerated
from bot.store import key_values, tables
from bot.store.database import Database
from bot.values.ids import PersonId
from bot.values.people import Person
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.random_matches import FORMATS, RandomMatches
from tests.helpers.table import GUILD, OTHER_GUILD
from tests.play.standing.recomputed import Key, Line, recomputed, stored

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(12))
SEATS = (
    *(tables.seat.c.match_id, tables.seat.c.seat, tables.seat.c.place),
    *(tables.seat.c.mu_before, tables.seat.c.sigma_before, tables.seat.c.mu_after, tables.seat.c.sigma_after),
)


async def play(
    app: Application, database: Database, clock: Clock, number: int, *, forget: bool = True
) -> RandomMatches:
    """Play matches of every format on two servers, with forgotten people and a reset in between."""
    matches = RandomMatches(database, clock, PEOPLE, Random(number))
    await matches.meet()
    for place in range(number):
        clock.pass_by(timedelta(hours=-2 if place % 20 == 7 else 1))
        await matches.play(*FORMATS[place % len(FORMATS)], guild_id=OTHER_GUILD if place % 3 == 0 else GUILD)
        if forget and place % 30 in (7, 20):
            await app.people.forget(matches.random.choice(PEOPLE).id)
            await matches.meet()
        if place == number // 2:
            await app.leaderboards.reset(GUILD)
    await app.leaderboards.tidy()
    return matches


async def numbers(database: Database) -> tuple[list[Any], dict[Key, dict[int, Line]]]:
    """Return the computed numbers of all seats, and the boards."""
    return sorted(await fetch(database, select(*SEATS))), await stored(database)


@pytest.mark.thorough
@pytest.mark.parametrize("count", nightly_after(1, [14, 200, 10_000]))
async def test_the_stored_numbers_come_again(app: Application, database: Database, clock: Clock, count: int) -> None:
    """For random matches of all formats, recomputing gives the same numbers and writes nothing."""
    await play(app, database, clock, count)
    before = await numbers(database)
    rated = {match_id for match_id, _, place, *_ in before[0] if place is not None}
    assert len(rated) > count * 0.7
    assert await app.rerating.rerate() == Rerated(matches=len(rated))
    assert await numbers(database) == before


@pytest.mark.thorough
async def test_wrong_numbers_are_replaced(app: Application, database: Database, clock: Clock) -> None:
    """Wrong numbers of seats and boards are corrected from the logs; forgotten seats keep theirs."""
    await play(app, database, clock, 12)
    before = await numbers(database)
    seat, standing = tables.seat.c, tables.standing.c
    wrong = await fetch(database, select(seat.match_id).where(seat.place.is_not(None), seat.person_id.is_not(None)))
    theirs = update(tables.seat).where(seat.match_id == wrong[0][0], seat.person_id.is_not(None))
    await execute(database, theirs.values(mu_after=1.5, place=4))
    [(somebody,)] = await fetch(database, select(standing.person_id).where(standing.rated > 0).limit(1))
    rows = update(tables.standing).where(standing.person_id == somebody, standing.mu.is_not(None))
    await execute(database, rows.values(mu=1.5, rated=99))
    found = await app.rerating.rerate()
    assert (found.differing_matches, found.differing_people >= 1) == (1, True)
    assert await numbers(database) == before
    again = await app.rerating.rerate()
    assert (again.differing_matches, again.differing_people) == (0, 0)


@pytest.mark.thorough
async def test_a_log_that_cannot_be_read_keeps_its_numbers(app: Application, database: Database, clock: Clock) -> None:
    """A match whose log cannot be read keeps its numbers and is reported; later matches build on them."""
    matches = await play(app, database, clock, 12, forget=False)
    before = await numbers(database)
    broken = matches.played[4]
    action = tables.action.c
    await execute(
        database, update(tables.action).where(action.match_id == broken, action.number == 3).values(text="0 pass")
    )
    fresh = Application(database, clock=clock)
    found = await fresh.rerating.rerate()
    assert (found.unreadable, found.differing_matches, found.differing_people) == ([broken], 0, 0)
    assert await numbers(database) == before


async def test_a_match_too_short_is_not_rated(app: Application, database: Database, clock: Clock) -> None:
    """A match whose finished deals are all void counts as won and lost but is not rated."""
    matches = replace(RandomMatches(database, clock, PEOPLE[:2], Random(5)), resigns=0.0)
    await matches.meet()
    long = await matches.play("classic target=10", 2)
    assert all(change is not None for change in long.ratings)
    short = replace(matches, resigns=1.0, played=list(matches.played))
    unrated = await short.play("classic target=10", 2)
    assert unrated.ratings == (None, None)
    deal = {"match_id": unrated.id, "number": 1, "kind": OutcomeKind.VOID, "points": 0, "version": 1}
    await execute(database, insert(tables.deal).values(**deal, ended_at=clock.now))
    assert (await app.rerating.rerate()).matches == 1


async def empty(database: Database) -> None:
    """Reset ratings and boards to their state in a newly migrated database."""
    await execute(database, delete(tables.board))
    nothing = dict.fromkeys(["place", "mu_before", "sigma_before", "mu_after", "sigma_after"])
    await execute(database, update(tables.seat).values(**nothing))
    await execute(database, update(tables.match).values(recent_until=None))
    async with database.write() as transaction:
        await key_values.save(transaction, "standings to fill", "0 0")


class Killed(Exception):  # noqa: N818
    """Stands for a crash of the process."""


@pytest.mark.thorough
async def test_an_older_database_is_filled_as_it_would_have_grown(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backfill that crashes in each batch and is restarted ends with the original numbers."""
    await play(app, database, clock, 12, forget=False)
    recent = select(tables.match.c.id, tables.match.c.recent_until).order_by(tables.match.c.id)
    grown, old = await numbers(database), await fetch(database, recent)
    await empty(database)
    monkeypatch.setattr(filling, "BATCH", 3)
    count = filling.count
    kills = 0
    while True:
        calls = 0

        async def dying(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise Killed
            return await count(*args, **options)

        fresh = Application(database, clock=clock)
        with monkeypatch.context() as killing:
            killing.setattr(filling, "count", dying)
            try:
                await fresh.filling.fill_some()
            except Killed:
                kills += 1
        if not await fresh.filling.fill_some():
            break
    assert kills > 2
    await app.leaderboards.tidy()
    assert await numbers(database) == grown
    assert await fetch(database, recent) == old
    assert await stored(database) == await recomputed(database, clock.now)
    assert await fresh.rerating.rerate() == Rerated(matches=len({row[0] for row in grown[0] if row[2] is not None}))


@pytest.mark.nightly
async def test_a_filled_database_with_forgotten_people_can_be_rated_again(
    app: Application, database: Database, clock: Clock
) -> None:
    """People who were forgotten count as new in each match; recomputing keeps those numbers."""
    await play(app, database, clock, 12)
    await empty(database)
    while await app.filling.fill_some():
        pass
    await app.leaderboards.tidy()
    before = await numbers(database)
    found = await app.rerating.rerate()
    assert (found.differing_matches, found.differing_people) == (0, 0)
    assert await numbers(database) == before
    assert before[1] == await recomputed(database, clock.now)
