"""What goes in comes out, and what must be unique is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, insert, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError

from bot.store import challenges, guilds, matches, people, tables
from bot.store.database import Database, Transaction
from bot.store.rows import MatchStatus

AT = datetime(2026, 11, 21, 12, 30, 15, 123_000, tzinfo=UTC)
BIGGEST = 2**63 - 1
GUILD, CHANNEL, PERSON = BIGGEST, BIGGEST - 1, BIGGEST - 2


async def make_match(transaction: Transaction, channel_id: int = CHANNEL) -> int:
    """Make a running match of two people."""
    values = {"guild_id": GUILD, "channel_id": channel_id, "system": "low", "ladder": "points", "rules": "low"}
    return await matches.create(transaction, values, [PERSON, PERSON - 1], AT)


@given(
    st.datetimes(
        min_value=datetime(1970, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
        max_value=datetime(9999, 12, 31),  # noqa: DTZ001
        timezones=st.integers(-720, 840).map(lambda minutes: timezone(timedelta(minutes=minutes))),
    )
)
def test_times_survive_to_the_millisecond(time: datetime) -> None:
    """Any aware time comes back as the same moment in UTC, less what is below a millisecond."""
    moment, dialect = tables.Moment(), sqlite.dialect()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if time < datetime(1970, 1, 2, tzinfo=UTC):
        return
    back = moment.process_result_value(moment.process_bind_param(time, dialect), dialect)  # pyright: ignore[reportUnknownArgumentType]
    assert back is not None
    assert back.tzinfo is UTC
    assert timedelta() <= time - back < timedelta(milliseconds=1)


async def test_rows_survive(database: Database) -> None:
    """Ids of 64 bits, times, flags and lists of channels come back from the file as they went in."""

    async def work(transaction: Transaction) -> int:
        await people.meet(transaction, PERSON, "Nörth ♥", AT)
        await people.change(transaction, PERSON, hand_by_dm=False, dm_channel_id=BIGGEST, dm_closed_at=AT)
        await guilds.change(transaction, GUILD, channels=(CHANNEL, 7), left_at=AT)
        return await make_match(transaction)

    match_id = await database.write(work)
    person = await database.read(lambda transaction: people.load(transaction, PERSON))
    assert person is not None
    assert (person.id, person.name, person.hand_by_dm) == (PERSON, "Nörth ♥", False)
    assert (person.dm_channel_id, person.dm_closed_at) == (BIGGEST, AT)
    guild = await database.read(lambda transaction: guilds.load(transaction, GUILD))
    assert (guild.id, guild.channels, guild.left_at) == (GUILD, (CHANNEL, 7), AT)
    match = await database.read(lambda transaction: matches.load(transaction, match_id))
    assert match is not None
    assert (match.guild_id, match.channel_id, match.channel_deleted) == (GUILD, CHANNEL, False)
    assert (match.started_at, match.ended_at, match.status) == (AT, None, MatchStatus.RUNNING)
    assert [seat.person and seat.person.id for seat in match.seats] == [PERSON, None]


async def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    """A naive time is a mistake of ours, and stops the transaction."""
    naive = AT.replace(tzinfo=None)
    with pytest.raises(Exception, match="naive"):
        await database.write(lambda transaction: guilds.change(transaction, GUILD, left_at=naive))


async def test_one_running_match_in_a_channel(database: Database) -> None:
    """The database itself refuses a second running match in a channel, and allows one once the first is over."""
    first = await database.write(make_match)
    with pytest.raises(IntegrityError):
        await database.write(make_match)
    await database.write(lambda transaction: matches.finish(transaction, first, [], AT))
    assert await database.write(make_match) != first


async def test_an_interaction_moves_once(database: Database) -> None:
    """The log takes an interaction once, even in another match, and only at the version that was seen."""
    first = await database.write(make_match)
    second = await database.write(lambda transaction: make_match(transaction, 7))

    async def append(match_id: int, version: int, interaction_id: int | None) -> bool:
        return await database.write(
            lambda transaction: matches.append(transaction, match_id, version, ["0 pass"], interaction_id, AT)
        )

    assert await append(first, 0, BIGGEST)
    assert not await append(first, 0, 5)
    assert not await append(second, 0, BIGGEST)


async def test_a_log_that_disagrees_with_its_match_is_an_error(database: Database) -> None:
    """An entry where the next one belongs is no repeated interaction, and is not taken for one."""
    match_id = await database.write(make_match)
    stray = insert(tables.action).values(match_id=match_id, number=1, text="0 pass", at=AT)
    await database.write(lambda transaction: transaction.execute(stray))
    with pytest.raises(IntegrityError, match="number"):
        await database.write(lambda transaction: matches.append(transaction, match_id, 0, ["0 pass"], 5, AT))


async def test_one_invitation_for_an_interaction(database: Database) -> None:
    """The database itself refuses two invitations from one interaction."""
    values = {
        "guild_id": GUILD, "channel_id": CHANNEL, "challenger_id": PERSON, "rules": "classic",
        "status": "pending",
        "created_at": AT, "expires_at": AT, "interaction_id": BIGGEST,
    }  # fmt: skip
    await database.write(lambda transaction: challenges.create(transaction, values))
    with pytest.raises(IntegrityError):
        await database.write(lambda transaction: challenges.create(transaction, values))


async def test_no_id_is_given_twice(database: Database) -> None:
    """The id of a match that was removed is not given to the next one: an old button must not reach it."""
    first = await database.write(make_match)
    await database.write(lambda transaction: transaction.execute(delete(tables.match)))
    assert await database.write(make_match) > first


async def test_the_file_keeps_the_rules_of_its_tables(database: Database) -> None:
    """A seat of no match, a status of no kind and a text for a number are refused."""
    for wrong in (
        "INSERT INTO seat (match_id, seat) VALUES (99, 0)",
        "INSERT INTO guest VALUES (99, 1, 1, 1)",
        "INSERT INTO house_rule VALUES (99, 'ours', 'Ours', 'classic')",
        "INSERT INTO challenge (guild_id, channel_id, challenger_id, rules, status, revision, created_at, expires_at)"
        " VALUES (1, 1, 1, 'classic', 'lost', 1, 1, 1)",
        "INSERT INTO guild (id, target) VALUES (1, 'high')",
    ):
        with pytest.raises(IntegrityError):
            await database.write(lambda transaction, wrong=wrong: transaction.execute(text(wrong)))


async def test_a_match_takes_its_rows_with_it(database: Database) -> None:
    """Removing a match removes its seats, its log and its deals."""
    match_id = await database.write(make_match)

    async def work(transaction: Transaction) -> list[int]:
        await matches.append(transaction, match_id, 0, ["0 pass"], None, AT)
        await matches.add_deal(transaction, match_id, 1, "void", None, 0, 1, AT)
        await transaction.execute(delete(tables.match))
        counts = [text(f"SELECT count(*) FROM {name}") for name in ("seat", "action", "deal")]
        return [int((await transaction.execute(query)).scalar_one()) for query in counts]

    assert await database.write(work) == [0, 0, 0]
