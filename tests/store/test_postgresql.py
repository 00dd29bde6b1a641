"""Every table and every query compiles for PostgreSQL, and uses nothing that only SQLite knows.

There is no PostgreSQL here to run them on: a transaction that compiles what it is told to execute stands in for it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final, cast

import pytest
from sqlalchemy import Executable
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

import bot.store
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.showdown import Outcome, OutcomeKind
from bot.store import (
    challenges,
    guilds,
    key_values,
    matches,
    outbox,
    people,
    rows,
    statistics,
    tables,
)
from bot.store.database import Transaction
from bot.store.rows import WantedMessage, columns_of
from bot.values.appearance import Appearance
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.guilds import GuildSettings, NamedRules
from bot.values.ids import (
    ChallengeId,
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    MessageId,
    OutboxId,
    PersonId,
)
from bot.values.matches import MatchInfo, MatchStatus, Proposal
from bot.values.outbox import MessageKind, Posted
from bot.values.people import Person, Preferences
from bot.values.statistics import Category, SeatResult

Query = Callable[..., Coroutine[Any, Any, Any]]

AT: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
GUILD, CHANNEL, MESSAGE = GuildId(1), ChannelId(2), MessageId(3)
NORTH, SOUTH = PersonId(4), PersonId(5)
MATCH, CHALLENGE, OUTBOX, INTERACTION = MatchId(6), ChallengeId(7), OutboxId(8), InteractionId(9)
POSTED: Final = Posted(CHANNEL, MESSAGE)
SHOWN: Final = Challenge(
    CHALLENGE, GUILD, CHANNEL, "classic", Rules(), 0, (), (), ChallengeStatus.PENDING, 1, AT, AT, None
)
MATCH_INFO: Final = MatchInfo(
    MATCH, GUILD, CHANNEL, False, MatchStatus.RUNNING, 1, 2, "classic", Rules(), (), (), AT, AT, None, Appearance()
)
NEW_CHALLENGE: Final = {
    "guild_id": GUILD,
    "channel_id": CHANNEL,
    "challenger_id": NORTH,
    "ruleset": "classic",
    "rules": Rules(),
    "created_at": AT,
    "expires_at": AT,
    "interaction_id": INTERACTION,
    "status": ChallengeStatus.PENDING,
}
NEW_MATCH: Final = {
    "guild_id": GUILD,
    "channel_id": CHANNEL,
    "ruleset": "classic",
    "rules": Rules(),
    "category": Category.POINTS,
}
RESULT: Final = SeatResult(1, 0, 85, 1, 0, won=True, drawn=False)
WANTED: Final = WantedMessage(MessageKind.TABLE, MATCH, 0, 2, 2, False, AT)

CALLS: Final[Sequence[tuple[Query, tuple[Any, ...], dict[str, Any]]]] = (
    (challenges.load, (CHALLENGE,), {}),
    (challenges.by_interaction, (INTERACTION,), {}),
    (challenges.pending_from, (NORTH,), {}),
    (challenges.pending_in, (GUILD,), {}),
    (challenges.joined_by, (NORTH,), {}),
    (challenges.concerning, (NORTH,), {}),
    (challenges.overdue, (AT,), {}),
    (challenges.create, (NEW_CHALLENGE, [SOUTH]), {}),
    (challenges.save_guest, (CHALLENGE, SOUTH), {"joined": True}),
    (challenges.remove_guest, (CHALLENGE, SOUTH), {}),
    (challenges.remove_absent_guests, (CHALLENGE,), {}),
    (challenges.revise, (SHOWN,), {"status": ChallengeStatus.ACCEPTED, "match_id": MATCH}),
    (challenges.remove, (CHALLENGE,), {}),
    (challenges.remove_drafts, (), {"challenger_id": NORTH}),
    (challenges.remove_drafts, (), {"until": AT}),
    (guilds.load, (GUILD,), {}),
    (guilds.change, (GUILD,), {"left_at": AT}),
    (guilds.change, (GUILD,), columns_of(GuildSettings(channels=(CHANNEL,)))),
    (guilds.house_rules, (GUILD,), {}),
    (guilds.save_house_rule, (GUILD, "ours", NamedRules("Ours", Rules(), house=True)), {}),
    (guilds.remove_house_rule, (GUILD, "ours"), {}),
    (guilds.left, (), {}),
    (guilds.left, (AT,), {}),
    (guilds.known, (), {}),
    (guilds.purge, (GUILD,), {}),
    (key_values.load, ("key",), {}),
    (key_values.save, ("key", "value"), {}),
    (key_values.clear, (), {}),
    (statistics.standings, (GUILD, Category.POINTS), {"ruleset": "classic", "since": AT}),
    (statistics.standings, (GUILD, Category.PENALTY), {"fewest_points": True}),
    (statistics.played, (GUILD, AT), {}),
    (statistics.played, (GUILD, None), {}),
    (matches.load, (MATCH,), {}),
    (matches.running_in, (CHANNEL,), {}),
    (matches.running_of, (NORTH,), {}),
    (matches.running_in_guild, (GUILD,), {}),
    (matches.ended_of, (NORTH,), {}),
    (matches.last_ended_in, (CHANNEL,), {}),
    (matches.by_interaction, (INTERACTION,), {}),
    (matches.create, (NEW_MATCH, [NORTH, SOUTH], AT), {}),
    (matches.actions, (MATCH,), {}),
    (matches.actions, (MATCH, 1), {}),
    (matches.action_times, (MATCH,), {}),
    (matches.append, (MATCH, 1, ["0 pass", "1 pass"], INTERACTION, AT), {}),
    (matches.revise, (MATCH,), {"status": MatchStatus.CANCELLED, "ended_at": AT}),
    (matches.change_seats, (MATCH, [0, 1]), {"version": 5, "moved_at": AT}),
    (matches.mark_channel_deleted, (CHANNEL,), {}),
    (matches.change_seats, (MATCH,), {"proposal": Proposal.CANCEL}),
    (matches.add_deal, (MATCH, 1, Outcome(OutcomeKind.GIN, winner=Seat(0)), 4, AT), {}),
    (matches.finish, (MATCH, [RESULT, RESULT], AT), {}),
    (outbox.want, ([WANTED, WANTED],), {}),
    (outbox.want_removed, (MATCH_INFO, MessageKind.PING, (), AT), {}),
    (outbox.want_removed, (MATCH_INFO, MessageKind.HAND, (0, 1), AT), {}),
    (outbox.forget_posts, (AT,), {}),
    (outbox.due, (AT, (), 5), {}),
    (outbox.due, (AT, ((False, 1), (True, 3)), 5), {}),
    (outbox.next_due, ((), ()), {}),
    (outbox.next_due, (((False, 1), (True, 3)), (4,)), {}),
    (outbox.load, (OUTBOX,), {}),
    (outbox.find, (MessageKind.TABLE, MATCH), {}),
    (outbox.awaits_showdown, (MATCH,), {}),
    (outbox.save_posted, (OUTBOX, 2, POSTED, AT), {}),
    (outbox.save_shown, (OUTBOX, 2), {}),
    (outbox.clear_post, (OUTBOX,), {}),
    (outbox.postpone, (OUTBOX, AT, "503"), {}),
    (outbox.remove, (OUTBOX,), {}),
    (outbox.add_stale, (GUILD, POSTED, AT), {}),
    (outbox.due_stale, (AT, (1, 2), 5), {}),
    (outbox.remove_stale, (1,), {}),
    (outbox.postpone_stale, (1, AT, "503"), {}),
    (people.load, (NORTH,), {}),
    (people.save_name, (Person(NORTH, "North"), AT), {}),
    (people.change, (NORTH,), columns_of(Preferences())),
    (people.change, (NORTH,), {"dm_closed_at": AT}),
    (people.have_met, (NORTH, SOUTH), {}),
    (people.forget, (NORTH,), {}),
    (statistics.categories, (NORTH, GUILD, AT), {}),
    (statistics.finished_seats, (NORTH, GUILD, Category.TEAMS, AT), {}),
    (statistics.weeks, (GUILD, Category.POINTS, "classic", AT), {}),
    (rows.save, (tables.guild, {"id": GUILD}, {"left_at": AT}), {}),
)
"""A call of every query, and of those with options one for each way in which they differ."""

KNOWN_FUNCTIONS: Final = {"CAST", "coalesce", "count", "lower", "max", "min", "nullif", "sum"}
"""The functions that queries may use: those that mean the same on both databases, with these arguments."""

KNOWN_TYPES: Final = {"BIGINT", "BIGSERIAL", "BOOLEAN", "INTEGER", "TEXT"}


class NoRows:
    """The result of a statement that found nothing, and changed one row, with the id 1."""

    rowcount = 1

    def scalar(self) -> int:
        """Return an id."""
        return 1

    def first(self) -> None:
        """Return no row."""

    def all(self) -> list[Any]:
        """Return no rows."""
        return []

    def scalars(self) -> NoRows:
        """Return no values."""
        return self

    def mappings(self) -> NoRows:
        """Return no rows by name."""
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class CompilingTransaction:
    """Compiles statements for PostgreSQL instead of executing them."""

    def __init__(self) -> None:
        self.dialect = postgresql.dialect()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportAttributeAccessIssue]
        self.compiled: list[str] = []

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> NoRows:
        """Compile a statement as `AsyncConnection.execute` does, and find nothing."""
        first = parameters[0] if isinstance(parameters, Sequence) else parameters
        keys = None if first is None else list(first)
        compiled = cast(Any, statement).compile(dialect=self.dialect, column_keys=keys)
        # What is bound to each parameter must have a value that the column's type takes.
        compiled.construct_params(first)
        self.compiled.append(str(compiled))
        return NoRows()


def queries() -> list[Query]:
    """Return every public coroutine function of the store's modules that takes a transaction first."""
    found: list[Query] = []
    for module_info in pkgutil.iter_modules(bot.store.__path__):
        module = import_module(f"{bot.store.__name__}.{module_info.name}")
        for name, function in inspect.getmembers(module, inspect.iscoroutinefunction):
            parameters = list(inspect.signature(function).parameters)
            own = function.__module__ == module.__name__
            if own and not name.startswith("_") and parameters[:1] == ["transaction"]:
                found.append(function)
    return found


async def compiled(query: Query, args: tuple[Any, ...], options: dict[str, Any]) -> list[str]:
    """Return the statements of a query as PostgreSQL would get them."""
    transaction = CompilingTransaction()
    await query(cast(Transaction, transaction), *args, **options)
    return transaction.compiled


def name_of(value: object) -> str | None:
    """Return the name of a query for the name of its test."""
    return f"{value.__module__.split('.')[-1]}.{value.__name__}" if inspect.isfunction(value) else ""


def test_every_query_is_called_here() -> None:
    """A query that is new in the store needs a call in `CALLS`."""
    called = [query for query, _, _ in CALLS]
    assert len(queries()) > 60
    assert [query for query in queries() if query not in called] == []
    assert {query.__module__ for query in called} == {query.__module__ for query in queries()}


@pytest.mark.parametrize(("query", "args", "options"), CALLS, ids=name_of)
async def test_queries_compile_for_postgresql(query: Query, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Each has at least one statement, and none has what only SQLite knows or takes for a truth value."""
    statements = await compiled(query, args, options)
    assert statements
    for statement in statements:
        assert problems(statement) == []


def problems(statement: str) -> list[str]:
    """Return what PostgreSQL would not understand in a statement."""
    found: list[str] = []
    if re.search(r"\bIS (NOT )?[01]\b", statement):
        found.append("a number as a truth value")
    if re.search(r"= (true|false)\b", statement, re.IGNORECASE):
        found.append("a comparison with a truth value, which SQLite's numbers would answer differently")
    if re.search(r"\bOR (REPLACE|IGNORE|ABORT|FAIL)\b|\bGLOB\b|\browid\b", statement, re.IGNORECASE):
        found.append("syntax of SQLite")
    found += [f"function {name}" for name in {*re.findall(r"\b(\w+)\(", statement)} - KNOWN_FUNCTIONS]
    found += [f"{name} of several values" for name, args in _calls(statement) if name in ("max", "min") and "," in args]
    return found


def _calls(statement: str) -> list[tuple[str, str]]:
    """Return each function that is called with its arguments, those of calls inside left out."""
    calls: list[tuple[str, str]] = []
    innermost = re.compile(r"\b(\w+)\(([^()]*)\)|\(([^()]*)\)")
    while match := innermost.search(statement):
        if match[1] is not None:
            calls.append((match[1], match[2]))
        statement = statement[: match.start()] + " _ " + statement[match.end() :]
    return calls


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("SELECT 1 WHERE joined IS 1", "a number as a truth value"),
        ("SELECT 1 WHERE joined IS NOT 0", "a number as a truth value"),
        ("SELECT max(coalesce(a, 1), b)", "max of several values"),
        ("SELECT min(a, b)", "min of several values"),
        ("SELECT strftime('%s')", "function strftime"),
        ("INSERT OR IGNORE INTO guild", "syntax of SQLite"),
    ],
)
def test_problems_are_found(statement: str, problem: str) -> None:
    """The check itself sees each kind of problem."""
    assert problem in problems(statement)


@pytest.mark.parametrize("name", tables.metadata.tables)
def test_tables_compile_for_postgresql(name: str) -> None:
    """Each table and its indexes have types that PostgreSQL knows, and partial indexes keep their condition."""
    table, dialect = tables.metadata.tables[name], CompilingTransaction().dialect
    created = str(CreateTable(table).compile(dialect=dialect))
    assert not re.search(r"\bSTRICT\b|\bAUTOINCREMENT\b", created)
    columns = re.findall(r"^\t\"?(\w+)\"? ([A-Z]+)", created, re.MULTILINE)
    kinds = {column: kind for column, kind in columns if column not in ("PRIMARY", "UNIQUE", "FOREIGN", "CONSTRAINT")}
    assert kinds.keys() == {*table.c.keys()}
    assert {*kinds.values()} <= KNOWN_TYPES
    for index in table.indexes:
        sqlite_where = index.dialect_options["sqlite"]["where"]
        made = str(CreateIndex(index).compile(dialect=dialect))
        assert (" WHERE " in made) == (sqlite_where is not None)
