"""Tests of the queries: saved values round-trip, and constraints and versions are enforced."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, insert, text, update
from sqlalchemy.exc import IntegrityError

from bot.engine.deals.showdown import VOID
from bot.engine.rules import Rules
from bot.model.appearance import Appearance
from bot.model.challenges import ChallengeStatus
from bot.model.clocks import Standstill
from bot.model.guilds import GuildSettings
from bot.model.ids import ChallengeId, ChannelId, GuildId, InteractionId, MatchId, MessageId, PersonId
from bot.model.matches import MatchKind, MatchStatus, Terms
from bot.model.outbox import MessageKind, PostedMessage, Topic
from bot.model.people import Challengers, Person, Preferences, Push
from bot.model.shards import ALL_SHARDS, ID_BITS, Shards
from bot.model.statistics import Category, Player, SeatResult
from bot.store import challenges, clocks, guilds, key_values, matches, outbox, people, tables
from bot.store.columns import MOMENT
from bot.store.database import Database
from bot.store.errors import ConflictError
from bot.store.removal import MAX_ROWS
from bot.store.rows import GuildRow, PersonRow, WantedMessage, columns_of
from bot.store.transaction import Transaction
from tests.helpers.databases import execute, fetch
from tests.helpers.queries import CALLS, POSTGRESQL_CALLS, Query, queries, run
from tests.helpers.writes import count_steps

AT = datetime(2026, 11, 21, 12, 30, 15, 123_000, tzinfo=UTC)
MAX_ID = 2**63 - 1
GUILD, CHANNEL, PERSON = GuildId(MAX_ID), ChannelId(MAX_ID - 1), PersonId(MAX_ID - 2)
OTHER_CHANNEL = ChannelId(7)
INTERACTION = InteractionId(MAX_ID)


async def create_match(
    database: Database, channel_id: ChannelId = CHANNEL, guild_id: GuildId = GUILD
) -> MatchId | None:
    """Create a running match of two people. Return None if the channel already has one."""
    terms = Terms(MatchKind.STANDARD, guild_id, channel_id, "low", Rules.parse("low"))
    players = [Player(PERSON, "North"), Player(PersonId(PERSON - 1), "South")]
    async with database.write() as transaction:
        return await matches.create(transaction, terms, Category.POINTS, players, AT)


async def created_match(database: Database, channel_id: ChannelId = CHANNEL, guild_id: GuildId = GUILD) -> MatchId:
    """Create a running match and return its id. Fail if the channel already has a running match."""
    match_id = await create_match(database, channel_id, guild_id)
    assert match_id is not None
    return match_id


async def create_challenge(
    database: Database, interaction_id: InteractionId | None, guild_id: GuildId = GUILD
) -> ChallengeId | None:
    """Create a pending challenge."""
    values: dict[str, Any] = {
        "guild_id": guild_id, "channel_id": CHANNEL, "challenger_id": PERSON, "rules": "classic",
        "status": ChallengeStatus.PENDING, "created_at": AT, "expires_at": AT, "interaction_id": interaction_id,
    }  # fmt: skip
    async with database.write() as transaction:
        return await challenges.create(transaction, values)


class _ChangedError(Exception):
    pass


async def append(database: Database, match_id: MatchId, version: int, interaction_id: InteractionId | None) -> bool:
    """Append one action to a log. Return False if the match has changed."""
    try:
        async with database.write() as transaction:
            matches.append(transaction, match_id, version, ["0 pass"], interaction_id, AT, changed=_ChangedError())
    except _ChangedError:
        return False
    return True


@given(
    st.datetimes(
        min_value=datetime(1970, 1, 2),  # noqa: DTZ001 - hypothesis adds the zone
        max_value=datetime(9999, 12, 31),  # noqa: DTZ001
        timezones=st.integers(-720, 840).map(lambda minutes: timezone(timedelta(minutes=minutes))),
    )
)
def test_times_round_trip(time: datetime) -> None:
    """Aware times of any zone round-trip as UTC, rounded down to a millisecond."""
    decoded = MOMENT.read(MOMENT.write(time))
    assert decoded.tzinfo is UTC
    assert timedelta() <= time - decoded < timedelta(milliseconds=1)


async def test_people_and_servers_round_trip(database: Database) -> None:
    """People and servers round-trip, including 64-bit ids, times, booleans, enum members and lists."""
    preferences = Preferences(False, Push.BOTH, Challengers.PLAYED, Appearance("dark", True, "de"), pictures=False)
    settings = GuildSettings("low", 60, (CHANNEL, OTHER_CHANNEL), ("low", "even"), Appearance("bold", True, "fr"))
    async with database.write() as transaction:
        people.save_name(transaction, Person(PERSON, "Nörth ♥"), AT)
        people.change(transaction, PERSON, **columns_of(preferences))
        people.change(transaction, PERSON, dm_channel_id=MAX_ID, dm_closed_at=AT)
        await guilds.change(transaction, GUILD, **columns_of(settings))
        await guilds.change(transaction, GUILD, left_at=AT)
    async with database.read() as transaction:
        person, guild = await people.load(transaction, PERSON), await guilds.load(transaction, GUILD)
        assert person == PersonRow(
            PERSON, "Nörth ♥", None, None, preferences, ChannelId(MAX_ID), AT, AT, None, None, None
        )
        assert guild == GuildRow(settings, era=0, left_at=AT)
        assert await guilds.that_left(transaction) == (GUILD,)
        assert await people.load(transaction, PersonId(5)) is None
        assert await guilds.load(transaction, GuildId(5)) == GuildRow(GuildSettings(), era=0, left_at=None)


async def test_matches_round_trip(database: Database) -> None:
    """A loaded match includes its seats, the known players, and the server's picture settings."""
    match_id = await created_match(database)
    async with database.write() as transaction:
        people.save_name(transaction, Person(PERSON, "North"), AT)
        await guilds.change(transaction, GUILD, **columns_of(Appearance("dark", True)))
    async with database.read() as transaction:
        row = await matches.load(transaction, match_id)
    assert row is not None
    match = row.info
    assert (match.guild_id, match.channel_id, match.channel_deleted, row.is_frozen) == (GUILD, CHANNEL, False, False)
    assert (match.started_at, match.ended_at, match.status) == (AT, None, MatchStatus.RUNNING)
    assert match.appearance == Appearance("dark", True)
    assert match.players == (Player(PERSON, "North"), Player(None, None))
    assert [seat.person and seat.person.id for seat in row.seats] == [PERSON, None]
    assert not any(seat.pinged for seat in row.seats)


async def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    """Saving a naive time raises an error."""
    with pytest.raises(Exception, match="naive"):
        await execute(database, insert(tables.guild).values(id=GUILD, left_at=AT.replace(tzinfo=None)))


async def test_one_running_match_in_a_channel(database: Database) -> None:
    """A channel has at most one running match. Once it is over, another one can be created."""
    first = await created_match(database)
    assert await create_match(database) is None
    with pytest.raises((IntegrityError, ConflictError)):
        await execute(database, text(f"INSERT INTO match SELECT {first} + 1, {_columns_except_id()} FROM match"))
    async with database.write() as transaction:
        await matches.finish(transaction, first, [], AT)
    assert await created_match(database) > first


def _columns_except_id() -> str:
    return ", ".join(name for name in tables.match.c.keys() if name != "id")  # noqa: SIM118 - not a dictionary


async def test_interaction_is_logged_once(database: Database) -> None:
    """An interaction is logged only once across all matches, and not for an outdated version of a match."""
    first, second = await created_match(database), await created_match(database, OTHER_CHANNEL)
    assert await append(database, first, 0, INTERACTION)
    assert not await append(database, first, 0, InteractionId(5))
    assert not await append(database, second, 0, INTERACTION)
    async with database.read() as transaction:
        assert await matches.by_interaction(transaction, INTERACTION) == first
        assert await matches.by_interaction(transaction, InteractionId(5)) is None


async def test_log_that_is_too_long_raises(database: Database) -> None:
    """If the log already has an action with the next number, appending raises `LogDisagreesError`."""
    match_id = await created_match(database)
    await execute(database, insert(tables.action).values(match_id=match_id, number=1, text="0 pass", at=AT))
    with pytest.raises(matches.LogDisagreesError):
        await append(database, match_id, 0, InteractionId(5))


async def test_one_challenge_for_an_interaction(database: Database) -> None:
    """An interaction creates only one challenge. Challenges without an interaction are not limited."""
    first = await create_challenge(database, INTERACTION)
    assert first is not None
    assert await create_challenge(database, INTERACTION) is None
    assert await create_challenge(database, None) is not None
    assert await create_challenge(database, None) is not None


async def test_challenge_revision_is_checked(database: Database) -> None:
    """Revising a challenge at an older revision returns False and changes nothing."""
    challenge_id = await create_challenge(database, INTERACTION)
    assert challenge_id is not None
    async with database.write() as transaction:
        row = await challenges.load(transaction, challenge_id)
        assert row is not None
        assert await challenges.revise(transaction, row, pairing=1)
        assert not await challenges.revise(transaction, row, pairing=2)
        revised = await challenges.load(transaction, challenge_id)
    assert revised is not None
    assert (revised.pairing, revised.revision) == (1, row.revision + 1)


async def test_ids_are_not_reused(database: Database) -> None:
    """The id of a deleted match is not reused, so an old button cannot reach a new match."""
    first = await created_match(database)
    await execute(database, delete(tables.match))
    assert await created_match(database) > first


@pytest.mark.parametrize(
    "wrong",
    [
        "INSERT INTO seat (match_id, seat) VALUES (99, 0)",
        "INSERT INTO guest (challenge_id, person_id, number, joined) VALUES (99, 1, 1, '1')",
        "INSERT INTO house_rule VALUES (99, 'ours', 'Ours', 'classic')",
        "INSERT INTO challenge (guild_id, channel_id, challenger_id, rules, status, revision, created_at, expires_at)"
        " VALUES (1, 1, 1, 'classic', 'lost', 1, 1, 1)",
        pytest.param("INSERT INTO guild (id, target) VALUES (1, 'high')", marks=pytest.mark.sqlite),
    ],
)
async def test_constraints_are_enforced(database: Database, wrong: str) -> None:
    """A dangling foreign key, an unknown status and a text in a numeric column are rejected."""
    with pytest.raises(IntegrityError):
        await execute(database, text(wrong))


async def test_deleting_a_match_cascades(database: Database) -> None:
    """Deleting a match deletes its seats, its log and its deals."""
    match_id = await created_match(database)
    await append(database, match_id, 0, None)
    async with database.write() as transaction:
        await matches.add_deal(transaction, match_id, 1, VOID, 1, AT)
        await transaction.execute(delete(tables.match))
    for table in (tables.seat, tables.action, tables.deal):
        assert await fetch(database, table.select()) == []


async def test_key_values(database: Database) -> None:
    """A value replaces an earlier one with the same key, and `clear` deletes all values."""
    async with database.write() as transaction:
        for key, value in (("one", "1"), ("two", "2"), ("one", "3")):
            await key_values.save(transaction, key, value)
        assert [await key_values.load(transaction, key) for key in ("one", "two", "three")] == ["3", "2", None]
        await key_values.clear(transaction)
        assert await key_values.load(transaction, "one") is None


async def request_messages(
    transaction: Transaction,
    *subjects: int,
    kind: MessageKind = MessageKind.TABLE,
    guild_id: GuildId | None = None,
) -> None:
    """Request messages about these subjects."""
    outbox.request(transaction, [WantedMessage(kind, subject, 0, guild_id, 1, 0, False, AT) for subject in subjects])


async def test_due_messages_are_limited(database: Database) -> None:
    """`due` returns at most `limit` messages, and no messages of busy subjects."""
    async with database.write() as transaction:
        await request_messages(transaction, *range(1, 301))
        await request_messages(transaction, *range(1, 11), kind=MessageKind.CHALLENGE)
        rows = await outbox.due(
            transaction,
            ALL_SHARDS,
            AT,
            ((Topic.MATCH, 1), (Topic.MATCH, 2), (Topic.MATCH, 3), (Topic.CHALLENGE, 4)),
            20,
        )
        assert [row.subject_id for row in rows] == list(range(4, 24))
        rows = await outbox.due(
            transaction,
            ALL_SHARDS,
            AT,
            [(Topic.CHALLENGE, 4), *((Topic.MATCH, number) for number in range(1, 301))],
            20,
        )
        assert [row.subject_id for row in rows] == [1, 2, 3, *range(5, 11)]
        assert await outbox.due(transaction, ALL_SHARDS, AT - timedelta(milliseconds=1), (), 20) == ()


async def test_purge_removes_only_own_rows(database: Database) -> None:
    """Purging a server keeps another server's messages, even if a match and a challenge share an id."""
    ours, theirs = GUILD, GuildId(5)
    match_id = await created_match(database, guild_id=ours)
    challenge_id = await create_challenge(database, None, guild_id=theirs)
    assert match_id == challenge_id == 1
    async with database.write() as transaction:
        await request_messages(transaction, match_id, guild_id=ours)
        await request_messages(transaction, match_id, kind=MessageKind.CHALLENGE, guild_id=theirs)
        for message_id, guild_id in enumerate((ours, theirs), 1):
            await outbox.add_stale(transaction, guild_id, PostedMessage(CHANNEL, MessageId(message_id)), AT)
        while await guilds.purge_some(transaction, ours, AT, MAX_ROWS):
            pass
        (left,) = await outbox.due_stale(transaction, ALL_SHARDS, AT, (), 9)
        assert left.posted.message_id == 2
        assert [row.kind for row in await outbox.due(transaction, ALL_SHARDS, AT, (), 9)] == [MessageKind.CHALLENGE]
        assert await guilds.with_data(transaction, ALL_SHARDS) == {theirs}


async def test_purge_removes_avatars_of_people_who_played_nowhere_else(database: Database) -> None:
    """Purging a server removes the avatars of its players, except those of players on another server."""
    everywhere, only_here = PERSON, PersonId(PERSON - 1)
    await created_match(database)
    async with database.write() as transaction:
        for person_id in (everywhere, only_here):
            people.save_name(transaction, Person(person_id, "Somebody", avatar="1f"), AT)
        terms = Terms(MatchKind.STANDARD, GuildId(5), OTHER_CHANNEL, "low", Rules.parse("low"))
        players = [Player(everywhere, "North"), Player(PersonId(4), "East")]
        await matches.create(transaction, terms, Category.POINTS, players, AT)
        while await guilds.purge_some(transaction, GUILD, AT, MAX_ROWS):
            pass
        avatars = [await people.load(transaction, person_id) for person_id in (everywhere, only_here)]
        assert [row.avatar for row in avatars if row is not None] == ["1f", None]


async def test_servers_with_data_by_shard(database: Database) -> None:
    """`with_data` returns the servers of these shards that have a match, a challenge or settings."""
    on_second = [GuildId(number << ID_BITS) for number in (1, 3, 5)]
    on_first = [GuildId(number << ID_BITS) for number in (2, 4, 6)]
    for with_match, with_challenge, with_settings in (on_first, on_second):
        await create_match(database, ChannelId(with_match), with_match)
        await create_challenge(database, None, with_challenge)
        async with database.write() as transaction:
            await guilds.change(transaction, with_settings, target=50)
    async with database.read() as transaction:
        assert await guilds.with_data(transaction, Shards.parse("1/2")) == {*on_second}
        assert await guilds.with_data(transaction, Shards.all(2)) == {*on_first, *on_second}


class _Counting:
    """A transaction that counts the rows that were read in it."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self.read = 0

    async def fetch(self, *args: Any) -> list[dict[str, Any]]:
        rows = await self._transaction.fetch(*args)
        self.read += len(rows)
        return rows


async def test_only_the_standstills_of_a_server_are_read(database: Database) -> None:
    """`pauses` reads no rows of other servers or shards, even if the number of shards has changed."""
    guild, hour = GuildId((7 << ID_BITS) + 5), timedelta(hours=1)
    spans = [(AT + number * hour, AT + (number + 0.5) * hour) for number in range(9)]
    async with database.write() as transaction:
        for span in spans:
            for shard in range(4):
                await clocks.add_standstill(transaction, Standstill.SHARD, shard, 4, *span)
            for other in (guild, GUILD, GuildId(3)):
                await clocks.add_standstill(transaction, Standstill.GUILD, other, 0, *span)
        await clocks.add_standstill(transaction, Standstill.SHARD, 0, 1, *spans[0])
        await clocks.add_standstill(transaction, Standstill.SHARD, 7, 16, *spans[8])
        await clocks.add_standstill(transaction, Standstill.SHARD, 5, 16, *spans[8])
    async with database.read() as transaction:
        counting: Any = _Counting(transaction)
        found = (await clocks.pauses(counting, MatchId(1), guild, AT)).standstills
        assert sorted(found) == sorted([*spans, *spans, spans[0], spans[8]])
        assert counting.read == 20
        found = (await clocks.pauses(counting, MatchId(1), guild, spans[6][1])).standstills
        assert sorted(found) == sorted([*spans[7:], *spans[7:], spans[8]])


async def test_consecutive_standstills_are_merged(database: Database) -> None:
    """Consecutive standstills of a shard are merged into one row. Other shards are not affected."""
    minute = timedelta(minutes=1)
    async with database.write() as transaction:
        for number in range(5):
            for shard in (0, 1) if number != 2 else (0,):
                span = AT + number * minute, AT + (number + 1) * minute
                await clocks.add_standstill(transaction, Standstill.SHARD, shard, 2, *span)
    async with database.read() as transaction:
        first, second = [
            (await clocks.pauses(transaction, MatchId(1), GuildId((shard << ID_BITS) + 5), AT)).standstills
            for shard in (0, 1)
        ]
    assert first == ((AT, AT + 5 * minute),)
    assert sorted(second) == [(AT, AT + 2 * minute), (AT + 3 * minute, AT + 5 * minute)]


@pytest.mark.sqlite
@pytest.mark.parametrize("query", [clocks.waiting_for, matches.running_of])
async def test_finished_matches_do_not_slow_turns(database: Database, query: Query) -> None:
    """The cost of finding a person's running matches does not grow with their finished matches."""

    async def steps() -> int:
        async with database.write() as transaction, count_steps(transaction) as counted:
            assert len(await query(transaction, PERSON)) == 1
        return counted.count

    running = await created_match(database)
    async with database.write() as transaction:
        await transaction.execute(update(tables.match).where(tables.match.c.id == running).values(to_act=1))
    before = await steps()
    result = SeatResult(1, 0, 85, 1, 0, won=None, drawn=True)
    terms = Terms(MatchKind.STANDARD, GUILD, OTHER_CHANNEL, "low", Rules.parse("low"))
    players = [Player(PERSON, "North"), Player(PersonId(PERSON - 1), "South")]
    async with database.write() as transaction:
        for _ in range(60):
            over = await matches.create(transaction, terms, Category.POINTS, players, AT)
            assert over is not None
            await matches.finish(transaction, over, [result, result], AT)
    # Allow SQLite a few more instructions, because larger indexes are deeper.
    assert await steps() < before + 50


def test_every_query_has_a_call() -> None:
    """Every query of the store has a call in `CALLS` or `POSTGRESQL_CALLS`."""
    called = [query for query, _, _ in (*CALLS, *POSTGRESQL_CALLS)]
    assert len(queries()) > 60
    assert [query for query in queries() if query not in called] == []
    assert {query.__module__ for query in called} == {query.__module__ for query in queries()}


class _RollbackError(Exception):
    """Raised to roll a transaction back."""


@pytest.mark.nightly
@pytest.mark.postgresql
async def test_every_query_runs_on_postgresql(database: Database) -> None:
    """PostgreSQL accepts every query, and all written values fit their columns."""
    for query, args, options in (*CALLS, *POSTGRESQL_CALLS):
        with suppress(_RollbackError):
            async with database.write() as transaction:
                # Do not check foreign keys: the query may write references to rows that do not exist.
                await transaction.exec_driver_sql("SET LOCAL session_replication_role = replica")
                await run(query, transaction, *args, **options)
                raise _RollbackError
