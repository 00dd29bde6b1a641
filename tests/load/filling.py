"""Creation of a sandbox world with many servers, and of a database with many open matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, InteractionId, PersonId
from bot.model.people import Person
from bot.model.shards import ID_BITS
from bot.play.application import Application
from bot.sandbox import Channel, World
from bot.sandbox.world.world import User
from bot.store.opening import open_database
from tests.helpers.onlooker import DatabaseInspector

FIRST_GUILD: Final = 350_000_000_000 << ID_BITS
FIRST_CHANNEL: Final = FIRST_GUILD + (1 << 52)
FIRST_PERSON: Final = FIRST_GUILD + (1 << 53)
DM_CHANNEL_OFFSET: Final = 1 << 52
"""Number added to a person's id to get the id of the person's direct message channel."""
RULES: Final = "classic target=500"
"""Rules under which a match lasts longer than a run of the load test."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match that people play: its channel and its two players."""

    channel: Channel
    people: tuple[User, User]


def guild_of(match: int, servers: int) -> int:
    """Return the server id of a match. Matches are numbered from 1."""
    return FIRST_GUILD + (((match - 1) % servers) << ID_BITS)


def build_world(servers: int, played: int) -> tuple[World, list[Table]]:
    """Return a world with servers spread evenly over the shards, and a `Table` for each match from 1 to `played`."""
    world = World("Deadwood", bot_id=FIRST_GUILD - 1)
    people = {
        match: (
            world.add_user(f"Person {2 * match}", user_id=FIRST_PERSON + 2 * match),
            world.add_user(f"Person {2 * match + 1}", user_id=FIRST_PERSON + 2 * match + 1),
        )
        for match in range(1, played + 1)
    }
    for user in [user for two in people.values() for user in two]:
        world.dm_channel(user, channel_id=user.id + DM_CHANNEL_OFFSET)
    tables, owner = dict[int, Table](), world.add_user("Owner", user_id=FIRST_PERSON)
    for number in range(servers):
        here = range(number + 1, played + 1, servers)
        members = [owner, *(user for match in here for user in people[match])]
        guild = world.add_guild(f"Server {number}", members, guild_id=FIRST_GUILD + (number << ID_BITS))
        for match in here:
            channel = world.add_channel(guild, f"table-{match}", channel_id=FIRST_CHANNEL + match)
            tables[match] = Table(channel, people[match])
    return world, [tables[match] for match in sorted(tables)]


async def fill(url: str, servers: int, matches: int, played: int) -> None:
    """Fill an empty database with open matches. Only the messages of the first `played` matches are due.

    Half of the matches are played in direct messages, the other half in channels.
    """
    database = await open_database(url)
    app = Application(database)
    first, second = (Person(PersonId(FIRST_PERSON + 2 + seat), f"Person {2 + seat}") for seat in (0, 1))
    place = Place(GuildId(guild_of(1, servers)), ChannelId(FIRST_CHANNEL + 1), None)
    challenge = await app.challenges.issue(first, [second.id], place, InteractionId(1), rules=RULES)
    await app.challenges.accept(second, challenge.id)
    # Complete the backfill of records, as after a bot has been running for a while.
    while await app.records_backfill.step() is not None:
        pass
    await database.close()
    _multiply(DatabaseInspector(url), servers, matches, played)


def _multiply(database: DatabaseInspector, servers: int, matches: int, played: int) -> None:
    """Copy the database's only match until there are `matches` matches. Each has two players of its own."""
    numbers = (
        "WITH RECURSIVE numbers(n) AS (SELECT CAST(2 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < :matches)"
    )
    if database.dialect == "sqlite":
        numbers = numbers.replace("CAST(2 AS BIGINT)", "2")
    replaced_columns = {
        "person": {"id": ":person + 2 * n + person.id - :person - 2", "name": "'Person'"},
        "match": {
            "id": "n",
            "guild_id": ":guild + (((n - 1) % :servers) << :bits)",
            "channel_id": ":channel + n",
        },
        "seat": {"match_id": "n", "person_id": ":person + 2 * n + seat.seat"},
        "action": {"match_id": "n", "interaction_id": "NULL"},
    }
    parameters: dict[str, object] = {
        "matches": matches,
        "person": FIRST_PERSON,
        "guild": FIRST_GUILD,
        "servers": servers,
        "bits": ID_BITS,
        "channel": FIRST_CHANNEL,
    }
    database.change("DELETE FROM outbox_message")
    database.change("DELETE FROM challenge")
    if matches > 1:
        for table, columns in replaced_columns.items():
            names = database.columns(table)
            selected = ", ".join(columns.get(name, f'{table}."{name}"') for name in names)
            listed = ", ".join(f'"{name}"' for name in names)
            used = {name: value for name, value in parameters.items() if f":{name}" in selected or name == "matches"}
            database.change(
                f'{numbers} INSERT INTO "{table}" ({listed}) SELECT {selected} FROM numbers, "{table}"', **used
            )
    by_dm = "(person.id - :person) / 2 % 2 = 0"
    database.change(
        "UPDATE person SET hand_by_dm = :off, push = 'channel' WHERE NOT " + by_dm,
        off=False,
        person=FIRST_PERSON,
    )
    database.change(
        "UPDATE person SET dm_channel_id = id + :direct WHERE " + by_dm, direct=DM_CHANNEL_OFFSET, person=FIRST_PERSON
    )
    for kind, parts in (("table", (0,)), ("hand", (0, 1))):
        for part in parts:
            # The messages of the first `played` matches are due. All other messages count as delivered.
            database.change(
                "INSERT INTO outbox_message (kind, subject_id, part, guild_id, wanted_revision, shown_revision,"
                " repost_revision, posted_revision, removed, posts, attempts, due_at)"
                " SELECT :kind, match.id, :part, guild_id, revision, CASE WHEN match.id <= :played THEN 0 ELSE revision"
                " END, CASE WHEN match.id <= :played THEN revision ELSE 0 END, 0, :no, 0, 0, moved_at FROM match"
                " WHERE :kind = 'table' OR match.id % 2 = 0",
                kind=kind,
                part=part,
                no=False,
                played=played,
            )
    database.change("ANALYZE")
