"""A server's records are its best results, regardless of the order in which the results are entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.model.ids import GuildId, MatchId
from bot.model.matches import MatchKind
from bot.model.records import MAX_RECORDS_PER_KIND, Entry, RecordKind, Streak
from bot.play.application import Application
from bot.play.loading.loaded_match import MatchCache
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.records.entering import enter
from bot.store import records
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, RiggedShuffler
from tests.helpers.table import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, WEST, Players, interaction, place
from tests.play.finished import save_finished_match


async def records_held(
    app: Application, kind: RecordKind, guild_id: GuildId = GUILD
) -> list[tuple[int, int, int | None]]:
    """Return a server's records of one kind, each as match id, value and the holder's id."""
    records_of_kind = (await app.server_records.by_kind(guild_id))[kind]
    return [
        (record.match.id, record.entry.value, record.match.players[record.entry.seat].id) for record in records_of_kind
    ]


async def enter_all(database: Database, clock: Clock, entries: Sequence[Entry]) -> None:
    """Enter the entries in one unit of work."""
    async with database.write() as transaction:
        await enter(UnitOfWork(transaction, clock.now, MatchCache(), {}), GUILD, entries)


async def test_the_order_of_entering_does_not_matter(app: Application, database: Database, clock: Clock) -> None:
    """The best five of each kind are kept, however they are batched or repeated; equal values are sorted by time."""
    for _ in range(12):
        await save_finished_match(database, clock, NORTH, SOUTH)
    random = Random(5)
    times = [clock.now + timedelta(seconds=seconds) for seconds in range(5)]
    entries = [
        Entry(kind, MatchId(number), 0, seat, random.randrange(1, 9), random.choice(times))
        for kind in RecordKind
        for number in range(1, 13)
        for seat in (0, 1)
    ]
    expected = {
        kind: sorted((entry for entry in entries if entry.kind is kind), key=lambda entry: entry.sort_key)[
            :MAX_RECORDS_PER_KIND
        ]
        for kind in RecordKind
    }
    for _ in range(3):
        random.shuffle(entries)
        for start in range(0, len(entries), 7):
            await enter_all(database, clock, entries[start : start + 7])
        found = await app.server_records.by_kind(GUILD)
        assert {kind: [listed.entry for listed in best] for kind, best in found.items()} == expected
        async with database.write() as transaction:
            await records.clear(transaction, GUILD)


async def test_a_match_sets_records_as_it_ends(app: Application, players: Players, clock: Clock) -> None:
    """A match sets records when it ends, not before, and not if it is called off."""
    called_off = await players.begin("classic target=200")
    await players.win(called_off.id)
    for person in players.people:
        await app.endings.call_off(person.id, called_off.id)
    assert not any((await app.server_records.by_kind(GUILD)).values())
    match = await players.begin("classic target=200")
    first_at = clock.now
    await players.win(match.id)
    clock.pass_by(timedelta(hours=1))
    assert not any((await app.server_records.by_kind(GUILD)).values())
    await players.win(match.id)
    await app.endings.resign(SOUTH.id, match.id, interaction())
    winners = [player.id for player in players.people]
    for kind, value in ((RecordKind.FASTEST_GIN, 1), (RecordKind.LARGEST_DEAL, 85), (RecordKind.LONGEST_DEAL, 1)):
        found = (await app.server_records.by_kind(GUILD))[kind]
        assert [(listed.entry.number, listed.entry.value) for listed in found] == [(1, value), (2, value)]
        assert [listed.match.players[listed.entry.seat].id for listed in found] == winners
        assert [listed.entry.at for listed in found] == [first_at, clock.now]
    assert await records_held(app, RecordKind.COMEBACK) == []
    assert not any((await app.server_records.by_kind(OTHER_GUILD)).values())


async def test_a_comeback_needs_a_match_won_to_its_end(database: Database, clock: Clock) -> None:
    """A comeback counts only if the match was played to its end, not if the opponent resigned."""
    app = Application(database, shuffler=RiggedShuffler(*[IMMEDIATE_KNOCK, IMMEDIATE_GIN] * 2), clock=clock)
    table = Players(app)
    won = await table.begin("classic target=80")
    await table.move(won.id, "take", "k Qh", "take", "gin")
    resigned = await table.begin("classic target=300")
    await table.move(resigned.id, "take", "k Qh", "take", "gin")
    await app.endings.resign(NORTH.id, resigned.id, interaction())
    assert await records_held(app, RecordKind.COMEBACK) == [(won.id, 58, SOUTH.id)]


async def test_casual_matches_set_no_records(app: Application) -> None:
    """Casual matches and matches without a finished deal set no records."""
    challenge = await app.challenges.issue(
        NORTH, [SOUTH.id], place(), interaction(), rules="classic target=10", casual=True
    )
    _, match = await app.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    assert match.kind is MatchKind.CASUAL
    table = Players(app)
    await table.win(match.id)
    other = await table.begin()
    await app.endings.resign(SOUTH.id, other.id, interaction())
    assert not any((await app.server_records.by_kind(GUILD)).values())


@pytest.mark.nightly
async def test_streaks_grow_with_each_match_and_end_with_another_result(app: Application, clock: Clock) -> None:
    """A streak stays a single record while it grows, and the record remains when the streak ends."""
    table = Players(app)
    match_ids = list[MatchId]()
    for loser in (SOUTH, SOUTH, NORTH, SOUTH, SOUTH, SOUTH):
        match = await table.begin("classic target=300")
        await table.win(match.id)
        clock.pass_by(timedelta(minutes=1))
        await app.endings.resign(loser.id, match.id, interaction())
        match_ids.append(match.id)
    assert await records_held(app, RecordKind.STREAK) == [(match_ids[3], 3, NORTH.id), (match_ids[0], 2, NORTH.id)]
    exported = await app.exports.export(NORTH.id)
    assert exported["streaks"] == [{"server": GUILD, "length": 3, "since_match": match_ids[3]}]
    assert {(record["kind"], record["value"]) for record in exported["records"]} >= {("streak", 3), ("streak", 2)}


async def test_a_streak_includes_earlier_matches(app: Application, database: Database, clock: Clock) -> None:
    """A player's first stored streak also counts matches that ended before the streak table existed."""
    for _ in range(3):
        await save_finished_match(database, clock, NORTH, SOUTH)
        clock.pass_by(timedelta(minutes=1))
    table = Players(app)
    match = await table.begin("classic target=10")
    await table.win(match.id)
    assert await records_held(app, RecordKind.STREAK) == [(MatchId(1), 4, NORTH.id)]
    async with database.read() as transaction:
        assert await records.streak(transaction, GUILD, NORTH.id) == Streak(4, MatchId(1), 0)
        assert await records.streak(transaction, GUILD, SOUTH.id) == Streak(0)


async def test_a_reset_deletes_records_and_streaks(app: Application, players: Players, clock: Clock) -> None:
    """A reset deletes records and streaks; later matches start new ones."""
    for _ in range(2):
        match = await players.begin("classic target=10")
        await players.win(match.id)
    assert await records_held(app, RecordKind.STREAK) == [(1, 2, NORTH.id)]
    clock.pass_by(timedelta(minutes=1))
    await app.leaderboards.reset(GUILD)
    assert not any((await app.server_records.by_kind(GUILD)).values())
    clock.pass_by(timedelta(minutes=1))
    match = await players.begin("classic target=10")
    await players.win(match.id)
    assert await records_held(app, RecordKind.STREAK) == []
    assert await records_held(app, RecordKind.FASTEST_GIN) == [(match.id, 1, NORTH.id)]


async def test_records_of_forgotten_people_are_nameless(
    app: Application, courier: FakeCourier, database: Database
) -> None:
    """A forgotten person's records stay, but name nobody."""
    table = Players(app)
    for _ in range(2):
        match = await table.begin("classic target=10")
        await table.win(match.id)
    await app.people.forget(NORTH.id)
    assert await records_held(app, RecordKind.STREAK) == [(1, 2, None)]
    assert [holder for *_, holder in await records_held(app, RecordKind.FASTEST_GIN)] == [None, None]
    async with database.read() as transaction:
        assert await records.streaks_of(transaction, NORTH.id) == ()
        assert await records.records_of(transaction, NORTH.id) == ()


@pytest.mark.thorough
async def test_each_partner_has_a_streak(app: Application) -> None:
    """Both partners of a team have a record for a streak that they won together."""
    table = Players(app, (NORTH, SOUTH, EAST, WEST))
    for _ in range(2):
        match = await table.begin("partners target=10")
        for board in (1, 2):
            await table.move_on_board(board, match.id, "take", "gin")
    found = await records_held(app, RecordKind.STREAK)
    assert [(match_id, length) for match_id, length, _ in found] == [(1, 2), (1, 2)]
    first, second = (holder for *_, holder in found)
    partners = [{NORTH.id, EAST.id}, {SOUTH.id, WEST.id}]
    assert {first, second} in partners


async def test_a_purge_deletes_records(app: Application, players: Players, clock: Clock, database: Database) -> None:
    """Purging a server deletes its records and streaks."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await app.guilds.save_left(GUILD)
    clock.pass_by(timedelta(days=31))
    await app.guilds.purge()
    rows: list[Any] = []
    async with database.read() as transaction:
        rows += await records.load(transaction, GUILD)
        rows += await records.streaks_of(transaction, NORTH.id)
    assert rows == []
