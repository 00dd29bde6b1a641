"""Queries about matches, their seats, their move logs and their finished deals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Select, UpdateBase, bindparam, exists, false, func, insert, literal, select, union_all, update

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import Outcome, OutcomeKind
from bot.engine.matches.formats import FORMATS
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.fairness import Fairness
from bot.model.ids import ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.model.matches import MadeCasual, MatchInfo, MatchKind, MatchStatus, Proposal, Terms
from bot.model.namesakes import with_ambiguity
from bot.model.outbox import MessageKind
from bot.model.statistics import Category, Player, SeatResult, computers
from bot.store import tables
from bot.store.removal import remove_some
from bot.store.rows import MatchRow, PersonRow, SeatRow, columns_of, rating_change, read_row, select_columns, upsert
from bot.store.statements import Row, Statement
from bot.store.transaction import Transaction

SET_ASIDE_GUILD: Final = GuildId(0)
"""The server id that marks a match as set aside for removal."""
MAX_SEATS: Final = max(format_.seats[-1] for format_ in FORMATS.values())


class LogDisagreesError(RuntimeError):
    """The number of actions in a match's log differs from the match's version.

    The database was edited by hand, or the bot has a bug.
    """


_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_PERSON: Final = tables.person.c
_LEAVERS: Final = tables.person.alias("leaver")
_ACTION: Final = tables.action.c
_DEAL: Final = tables.deal.c
_GUILD: Final = tables.guild.c
_MESSAGE: Final = tables.outbox_message.c

_IS_PINGED: Final = exists().where(
    _MESSAGE.kind == MessageKind.PING,
    _MESSAGE.subject_id == _MATCH.id,
    _MESSAGE.part == _SEAT.seat,
    _MESSAGE.removed.is_(false()),
)

_OTHER_SEAT: Final = tables.seat.alias("other_seat")
_OTHER_MATCH: Final = tables.match.alias("other_match")
_OTHER_GUILD: Final = tables.guild.alias("other_guild")
_OTHER_TURNS: Final = (
    select(func.count())
    .select_from(
        _OTHER_SEAT.join(_OTHER_MATCH, _OTHER_MATCH.c.id == _OTHER_SEAT.c.match_id).outerjoin(
            _OTHER_GUILD, _OTHER_GUILD.c.id == _OTHER_MATCH.c.guild_id
        )
    )
    .where(
        _OTHER_SEAT.c.person_id == _SEAT.person_id,
        _OTHER_SEAT.c.match_id != _SEAT.match_id,
        tables.HAS_NO_RESULT,
        tables.HAS_CHANNEL,
        _OTHER_MATCH.c.to_act.op(">>")(_OTHER_SEAT.c.seat).op("&")(1) == 1,
        _OTHER_GUILD.c.left_at.is_(None),
    )
    .correlate(tables.seat)
    .scalar_subquery()
)
"""The number of other matches that wait for the person in a seat. See `clocks.waiting_for`."""

_MATCHES_WITH_SEATS: Final = (
    select(
        *select_columns(MatchInfo, tables.match),
        _GUILD.left_at,
        _GUILD.unavailable_since,
        _MATCH.time_due_at,
        *select_columns(Appearance, tables.guild, "guild_"),
        *select_columns(SeatRow, tables.seat, "seat_"),
        _IS_PINGED.label("pinged"),
        _SEAT.proposal,
        *(_SEAT.place, _SEAT.mu_before, _SEAT.sigma_before, _SEAT.mu_after, _SEAT.sigma_after),
        *select_columns(PersonRow, tables.person, "person_"),
        *(_LEAVERS.c[name].label(f"leaver_{name}") for name in ("id", "name", "username", "avatar")),
    )
    .select_from(
        tables.match.join(tables.seat)
        .outerjoin(tables.person, _PERSON.id == _SEAT.person_id)
        .outerjoin(_LEAVERS, _LEAVERS.c.id == _SEAT.leaver_id)
        .outerjoin(tables.guild, _GUILD.id == _MATCH.guild_id)
    )
    .order_by(_MATCH.id, _SEAT.seat)
)

_NOT_HALTED: Final = {"paused_at": None, "vacant_seat": None, "vacant_at": None}
"""Column values of a match that is neither paused nor has a vacant seat."""

_LATEST_ENDED_FIRST: Final = (_MATCH.ended_at.desc(), _MATCH.id.desc())
"""Sorts finished matches by their end, latest first. Of matches with the same end, the highest id is first."""

_RUNNING: Final = _MATCHES_WITH_SEATS.where(tables.IS_RUNNING)
_HAS_PLAYER: Final = _MATCH.id.in_(select(_SEAT.match_id).where(_SEAT.person_id == bindparam("person_id")))

_ONE_MATCH: Final = _MATCHES_WITH_SEATS.add_columns(_OTHER_TURNS.label("other_turns"))
_LOAD: Final = Statement(lambda _: _ONE_MATCH.where(_MATCH.id == bindparam("match_id")))
_RUNNING_IN: Final = Statement(
    lambda _: _ONE_MATCH.where(tables.HAS_CHANNEL, _MATCH.channel_id == bindparam("channel_id"))
)
_RUNNING_OF_PERSON: Final = Statement(
    lambda _: _RUNNING.where(
        _MATCH.id.in_(select(_SEAT.match_id).where(_SEAT.person_id == bindparam("person_id"), tables.HAS_NO_RESULT))
    )
)
_ADVANCE: Final = Statement(
    lambda _: (
        update(tables.match)
        .where(
            _MATCH.id == bindparam("match_id"),
            _MATCH.version == bindparam("seen_version"),
            tables.IS_RUNNING,
        )
        .values(
            version=bindparam("new_version"),
            revision=_MATCH.revision + 1,
            moved_at=bindparam("new_moved_at"),
            computer_due_at=bindparam("due_at"),
            to_act=bindparam("now_to_act"),
            turn_at=bindparam("new_turn_at"),
            time_due_at=bindparam("new_time_due_at"),
        )
    )
)
_ADD_ACTIONS: Final = Statement(lambda _: insert(tables.action), ("match_id", "number", "text", "interaction_id", "at"))
_ADD_SEATS: Final = Statement(lambda _: insert(tables.seat), ("match_id", "seat", "person_id", "computer"))


@cache
def _create(columns: tuple[str, ...]) -> Statement:
    """Return the statement that adds a match and returns its id. It adds none if its channel has a running match."""

    def build(dialect: str) -> UpdateBase:
        insertion = upsert(dialect, tables.match)
        unless_busy = insertion.on_conflict_do_nothing(index_elements=["channel_id"], index_where=tables.HAS_CHANNEL)
        return unless_busy.returning(_MATCH.id)

    return Statement(build, columns)


@cache
def _change_seat(columns: tuple[str, ...]) -> Statement:
    """Return the statement that updates some columns of one seat."""
    # Lock the match's row before its seats, in the same order as moves, to prevent deadlocks.
    locked_match_id = select(_MATCH.id).where(_MATCH.id == bindparam("of_match")).with_for_update(key_share=True)
    is_seat = _SEAT.match_id == locked_match_id.scalar_subquery(), _SEAT.seat == bindparam("of_seat")
    return Statement(lambda _: update(tables.seat).where(*is_seat), columns)


async def load(transaction: Transaction, match_id: MatchId) -> MatchRow | None:
    """Return a match with its seats."""
    return _first_match(await transaction.fetch(_LOAD, {"match_id": match_id}))


async def load_many(transaction: Transaction, match_ids: Collection[MatchId]) -> tuple[MatchRow, ...]:
    """Return these matches with their seats, in the order of their ids."""
    return await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(match_ids)))


async def running_in(transaction: Transaction, channel_id: ChannelId) -> MatchRow | None:
    """Return the running match of a channel. A paused match does not count."""
    return _first_match(await transaction.fetch(_RUNNING_IN, {"channel_id": channel_id}))


async def running_of(transaction: Transaction, person_id: PersonId) -> tuple[MatchRow, ...]:
    """Return a person's running matches, oldest first."""
    return _grouped(await transaction.fetch(_RUNNING_OF_PERSON, {"person_id": person_id}))


async def running_in_guild(transaction: Transaction, guild_id: GuildId) -> tuple[MatchRow, ...]:
    """Return a server's running matches, oldest first."""
    return await _matches(transaction, _RUNNING.where(_MATCH.guild_id == guild_id))


async def ended_of(transaction: Transaction, person_id: PersonId) -> tuple[MatchRow, ...]:
    """Return a person's finished and cancelled matches, oldest first."""
    query = _MATCHES_WITH_SEATS.where(_MATCH.status != MatchStatus.RUNNING)
    return await _matches(transaction, query.where(_HAS_PLAYER), person_id=person_id)


async def left_by_person(transaction: Transaction, person_id: PersonId) -> tuple[MatchRow, ...]:
    """Return all matches in which a computer took over a person's seat, oldest first."""
    match_ids = select(_SEAT.match_id).where(_SEAT.leaver_id == person_id)
    return await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(match_ids)))


async def offering_rematch(
    transaction: Transaction,
    guild_id: GuildId | None,
    proposer_ids: Collection[PersonId],
    person_id: PersonId,
    since: datetime,
) -> tuple[MatchRow, ...]:
    """From a person's ended matches, return those in which any of `proposer_ids` proposed a rematch after `since`.

    `guild_id` is the server of the matches; None for all servers.
    """
    proposed_ids = select(_SEAT.match_id).where(_SEAT.person_id.in_(proposer_ids), _SEAT.proposal == Proposal.REMATCH)
    query = _MATCHES_WITH_SEATS.where(_MATCH.status != MatchStatus.RUNNING)
    query = query if guild_id is None else query.where(_MATCH.guild_id == guild_id)
    query = query.where(_MATCH.moved_at > since, _MATCH.id.in_(proposed_ids), _HAS_PLAYER)
    return await _matches(transaction, query, person_id=person_id)


async def last_ended_in(transaction: Transaction, channel_id: ChannelId) -> MatchRow | None:
    """Return the match that ended last in a channel."""
    last_id = select(_MATCH.id).where(_MATCH.channel_id == channel_id, _MATCH.ended_at.is_not(None))
    last_id = last_id.order_by(*_LATEST_ENDED_FIRST).limit(1)
    rows = await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(last_id)))
    return rows[0] if rows else None


async def last_with_card_in(
    transaction: Transaction, channel_id: ChannelId, person_id: PersonId, *, ended: bool = False
) -> MatchRow | None:
    """Return a person's latest match in the threads of a channel: a running match, or else the match that ended last.

    With `ended`, running matches do not count.
    """
    last_id = select(_MATCH.id).where(_HAS_PLAYER, _MATCH.card_channel_id == channel_id)
    last_id = last_id.where(_MATCH.ended_at.is_not(None)) if ended else last_id
    last_id = last_id.order_by(_MATCH.ended_at.is_not(None), *_LATEST_ENDED_FIRST).limit(1)
    rows = await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(last_id)), person_id=person_id)
    return rows[0] if rows else None


async def last_ended_of(transaction: Transaction, person_id: PersonId) -> MatchRow | None:
    """Return the match that ended last among a person's matches, without deals of the day."""
    last_id = select(_MATCH.id).where(_HAS_PLAYER, _MATCH.ended_at.is_not(None), _MATCH.day.is_(None))
    last_id = last_id.order_by(*_LATEST_ENDED_FIRST).limit(1)
    rows = await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(last_id)), person_id=person_id)
    return rows[0] if rows else None


async def last_with_showdown_in(
    transaction: Transaction, channel_id: ChannelId, person_id: PersonId, *, own: bool = False
) -> MatchRow | None:
    """Return the match with the most recent showdown in a channel, or in a person's threads of it.

    With `own`, only the person's matches in the channel count.
    """
    has_showdown = exists().where(_DEAL.match_id == _MATCH.id, _DEAL.kind != OutcomeKind.VOID)
    here = select(_MATCH.id).where(_MATCH.channel_id == channel_id, has_showdown)
    here = here.where(_HAS_PLAYER) if own else here
    in_threads = select(_MATCH.id).where(_HAS_PLAYER, _MATCH.card_channel_id == channel_id, has_showdown)
    running = [place.where(_MATCH.ended_at.is_(None)) for place in (here, in_threads)]
    ended = [
        place.where(_MATCH.ended_at.is_not(None)).order_by(*_LATEST_ENDED_FIRST).limit(1).subquery(name)
        for place, name in ((here, "last_here"), (in_threads, "last_in_threads"))
    ]
    found = union_all(*running, *(select(last.c.id) for last in ended)).subquery("found")
    showdown_at = select(func.max(_DEAL.ended_at)).where(_DEAL.match_id == found.c.id, _DEAL.kind != OutcomeKind.VOID)
    last_id = select(found.c.id).order_by(showdown_at.scalar_subquery().desc(), found.c.id.desc()).limit(1)
    rows = await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(last_id)), person_id=person_id)
    return rows[0] if rows else None


async def last_with_showdown_of(transaction: Transaction, person_id: PersonId) -> MatchRow | None:
    """Return the match with a person's most recent showdown. The match may still be running."""
    last_id = select(_DEAL.match_id).join(tables.seat, _SEAT.match_id == _DEAL.match_id)
    last_id = last_id.where(_SEAT.person_id == person_id, _DEAL.kind != OutcomeKind.VOID)
    last_id = last_id.order_by(_DEAL.ended_at.desc(), _DEAL.match_id.desc()).limit(1)
    rows = await _matches(transaction, _MATCHES_WITH_SEATS.where(_MATCH.id.in_(last_id)))
    return rows[0] if rows else None


async def count_of(
    transaction: Transaction,
    guild_id: GuildId | None,
    person_ids: Collection[PersonId],
    seats: int,
    until: MatchId | None = None,
) -> int:
    """Return the number of a server's matches with this many seats in which all these people play.

    Count matches up to and including `until`.
    """
    seat_count = select(func.count()).where(_SEAT.match_id == _MATCH.id).scalar_subquery()
    query = select(func.count()).select_from(tables.match).where(_MATCH.guild_id == guild_id, seat_count == seats)
    for person_id in person_ids:
        query = query.where(_MATCH.id.in_(select(_SEAT.match_id).where(_SEAT.person_id == person_id)))
    if until is not None:
        query = query.where(_MATCH.id <= until)
    return (await transaction.execute(query)).scalar() or 0


async def by_interaction(transaction: Transaction, interaction_id: InteractionId) -> MatchId | None:
    """Return the id of the match whose log contains an interaction. None if no log does."""
    query = select(_ACTION.match_id).where(_ACTION.interaction_id == interaction_id)
    return (await transaction.execute(query)).scalar()


async def create(
    transaction: Transaction,
    terms: Terms,
    category: Category,
    players: Sequence[Player],
    at: datetime,
    fairness: Fairness = Fairness.NONE,
    card_channel_id: ChannelId | None = None,
    day: date | None = None,
) -> MatchId | None:
    """Create a running match without actions and return its id. `players` are in the order of the seats.

    `day` is the day of a try at the deal of the day.
    Return None if the channel already has a running match.
    """
    initial_values = {
        "channel_deleted": False,
        "status": MatchStatus.RUNNING,
        "version": 0,
        "revision": 0,
        "category": category,
    }
    values = columns_of(terms) | initial_values | {"started_at": at, "moved_at": at, "fairness": fairness}
    values |= {"card_channel_id": card_channel_id, "day": day}
    created = await transaction.fetch(_create(tuple(sorted(values))), values)
    if not created:
        return None
    match_id: MatchId = created[0]["id"]
    seats = [
        {"match_id": match_id, "seat": seat, "person_id": player.id, "computer": player.computer}
        for seat, player in enumerate(players)
    ]
    transaction.queue(_ADD_SEATS, seats)
    return match_id


async def actions(transaction: Transaction, match_id: MatchId) -> tuple[str, ...]:
    """Return a match's move log, in notation."""
    query = select(_ACTION.text).where(_ACTION.match_id == match_id).order_by(_ACTION.number)
    return tuple((await transaction.execute(query)).scalars())


async def action_times(transaction: Transaction, match_id: MatchId) -> tuple[datetime, ...]:
    """Return the time of each action in a match's log."""
    query = select(_ACTION.at).where(_ACTION.match_id == match_id).order_by(_ACTION.number)
    return tuple((await transaction.execute(query)).scalars())


def append(
    transaction: Transaction,
    match_id: MatchId,
    version: int,
    actions: Sequence[str],
    interaction_id: InteractionId | None,
    at: datetime,
    *,
    changed: Exception,
    moved_at: datetime | None = None,
    computer_is_due: bool = False,
    to_act: Iterable[Seat] = (),
    turn_at: datetime | None = None,
    time_due_at: datetime | None = None,
) -> None:
    """Append actions to the log of a match, and have its messages updated. See `Transaction.queue`.

    Args:
        transaction: the transaction.
        match_id: the match.
        version: the version of the match before these actions.
        actions: the actions in notation.
        interaction_id: the interaction that caused the actions. It is saved with the first of them.
        at: the time of the actions.
        changed: raised by the next statement or by the commit if the match is not running or has another version, or if
            any match's log already contains the interaction.
        moved_at: time of the last change that everyone sees; None for `at`.
        computer_is_due: True if it is a computer's turn next.
        to_act: the seats whose turn it is next.
        turn_at: start of that turn.
        time_due_at: time at which the timekeeper must next check the match.

    Raises:
        LogDisagreesError: the log already has an action with the number of the first new action. It is raised by the
            next statement or by the commit.
    """

    def on_violation(message: str) -> Exception:
        if _ACTION.interaction_id.name in message:
            return changed
        # The log already has an action with one of the new numbers. A race cannot cause this, because every
        # transaction updates the row of the match before it appends to the log.
        return LogDisagreesError(f"the log of match {match_id} has more actions than its version counts")

    values: dict[str, Any] = {
        "match_id": match_id,
        "seen_version": version,
        "new_version": version + len(actions),
        "new_moved_at": at if moved_at is None else moved_at,
        "due_at": at if computer_is_due else None,
        "now_to_act": sum(1 << seat for seat in to_act),
        "new_turn_at": turn_at,
        "new_time_due_at": time_due_at,
    }
    transaction.queue(_ADVANCE, [values], must_change=changed)
    rows = [
        {
            "match_id": match_id,
            "number": version + number,
            "text": text,
            "interaction_id": interaction_id if number == 1 else None,
            "at": at,
        }
        for number, text in enumerate(actions, 1)
    ]
    transaction.queue(_ADD_ACTIONS, rows, on_violation=on_violation)


async def revise(transaction: Transaction, match_id: MatchId, **values: object) -> None:
    """Update columns of a match and increment its revision."""
    statement = update(tables.match).where(_MATCH.id == match_id)
    await transaction.execute(statement.values(revision=_MATCH.revision + 1, **values))


async def cancel(transaction: Transaction, match_id: MatchId, at: datetime) -> None:
    """Call a match off without reading its log. Clear its due times, turns and proposals."""
    nothing_due = {"computer_due_at": None, "time_due_at": None, "to_act": 0}
    await revise(transaction, match_id, status=MatchStatus.CANCELLED, ended_at=at, **nothing_due, **_NOT_HALTED)
    await change_seats(transaction, match_id, proposal=None)


async def make_casual(transaction: Transaction, match_id: MatchId, reason: MadeCasual) -> None:
    """Turn a running match into a casual one, and save the reason."""
    statement = update(tables.match).where(_MATCH.id == match_id)
    await transaction.execute(statement.values(kind=MatchKind.CASUAL, made_casual=reason))


async def lock_matches(transaction: Transaction, match_ids: Collection[MatchId]) -> None:
    """Lock these matches until the end of the transaction.

    A transaction that changes several matches must call this before it changes any. The matches are always locked in
    the same order, which prevents deadlocks. On SQLite this has no effect, because there is only one writer at a time.
    """
    if match_ids:
        query = select(_MATCH.id).where(_MATCH.id.in_(match_ids)).order_by(_MATCH.id)
        await transaction.execute(query.with_for_update(key_share=True))


async def change_seats(transaction: Transaction, match_id: MatchId, **values: object) -> None:
    """Update columns of all seats of a match."""
    # Lock the match's row before its seats, in the same order as moves, to prevent deadlocks.
    locked_match_id = select(_MATCH.id).where(_MATCH.id == match_id).with_for_update(key_share=True)
    statement = update(tables.seat).where(_SEAT.match_id == locked_match_id.scalar_subquery())
    await transaction.execute(statement.values(**values))


def change_some_seats(transaction: Transaction, match_id: MatchId, seats: Iterable[int], **values: object) -> None:
    """Update columns of these seats of a match. See `Transaction.queue`."""
    rows = [{"of_match": match_id, "of_seat": seat, **values} for seat in seats]
    transaction.queue(_change_seat(tuple(sorted(values))), rows)


async def mark_channel_deleted(transaction: Transaction, channel_id: ChannelId) -> None:
    statement = update(tables.match).where(_MATCH.channel_id == channel_id, tables.IS_RUNNING)
    await transaction.execute(statement.values(channel_deleted=True))


async def next_ids(transaction: Transaction, match_id: int, limit: int) -> tuple[MatchId, ...]:
    """Return up to `limit` match ids above `match_id`, in ascending order. The matches may have any status."""
    query = select(_MATCH.id).where(_MATCH.id > match_id).order_by(_MATCH.id).limit(limit)
    return tuple((await transaction.execute(query)).scalars())


async def deal_results(transaction: Transaction, match_id: MatchId) -> tuple[tuple[int, str, int | None, int], ...]:
    """Return the number, kind of outcome, winner and points of each finished deal of a match, in playing order."""
    query = select(_DEAL.number, _DEAL.kind, _DEAL.winner, _DEAL.points).where(_DEAL.match_id == match_id)
    rows = await transaction.execute(query.order_by(_DEAL.number))
    return tuple((row.number, row.kind, row.winner, row.points) for row in rows)


async def add_deal(
    transaction: Transaction, match_id: MatchId, number: int, outcome: Outcome, version: int, at: datetime
) -> None:
    """Save the result of a finished deal. See `tables.deal`."""
    insertion = insert(tables.deal).values(kind=outcome.kind, winner=outcome.winner, points=outcome.points)
    await transaction.execute(insertion.values(match_id=match_id, number=number, version=version, ended_at=at))


async def finish(transaction: Transaction, match_id: MatchId, results: Sequence[SeatResult], at: datetime) -> None:
    """Mark a match as finished, save the result of each seat, and clear all proposals."""
    statement = update(tables.match).where(_MATCH.id == match_id)
    await transaction.execute(statement.values(status=MatchStatus.FINISHED, ended_at=at, **_NOT_HALTED))
    for seat, result in enumerate(results):
        change_some_seats(transaction, match_id, [seat], **columns_of(result), proposal=None)


async def set_aside(transaction: Transaction, guild_id: GuildId, at: datetime, limit: int) -> int:
    """Detach a server's matches from the server, channel and people. Change up to `limit` rows and return their number.

    The matches are removed later, in several transactions, because a long match has more rows than one transaction is
    allowed to remove. A detached match cannot be reached, so nobody sees it partly removed.
    """
    selected = select(_MATCH.id).where(_MATCH.guild_id == guild_id).limit(limit // (1 + MAX_SEATS))
    match_ids: Sequence[MatchId] = (await transaction.execute(selected)).scalars().all()
    if not match_ids:
        return 0
    ended_at = func.coalesce(_MATCH.ended_at, literal(at, _MATCH.ended_at.type))
    due_columns = ("computer_due_at", "turn_at", "time_due_at", "paused_at", "vacant_seat", "vacant_at")
    cleared_columns = (*due_columns, "card_channel_id", "era", "number", "recent_until", "season")
    values = {"guild_id": SET_ASIDE_GUILD, "channel_id": 0, "channel_deleted": True, "status": MatchStatus.CANCELLED}
    values |= {"to_act": 0, "ended_at": ended_at, **dict.fromkeys(cleared_columns)}
    match_result = await transaction.execute(update(tables.match).where(_MATCH.id.in_(match_ids)).values(values))
    no_person = {"person_id": None, "leaver_id": None, "proposal": None, "orders": None, "arranged": None}
    clear_seats = update(tables.seat).where(_SEAT.match_id.in_(match_ids)).values(no_person)
    return match_result.rowcount + (await transaction.execute(clear_seats)).rowcount


async def any_set_aside(transaction: Transaction) -> bool:
    """Return True if any match that was set aside has not been removed yet."""
    query = select(_MATCH.id).where(_MATCH.guild_id == SET_ASIDE_GUILD).limit(1)
    return (await transaction.execute(query)).first() is not None


async def remove_set_aside(transaction: Transaction, limit: int) -> int:
    """Remove up to `limit` rows of matches that were set aside. Return the number of removed rows."""
    # A match has many rows, so select only a few matches. Rows beyond the limit remain for the next call.
    parents = max(1, limit // 100)
    return await remove_some(
        transaction, tables.match, _MATCH.guild_id == SET_ASIDE_GUILD, limit=limit, max_parents=parents
    )


async def _matches(transaction: Transaction, query: Select[Any], **values: object) -> tuple[MatchRow, ...]:
    return _grouped((await transaction.execute(query, values)).mappings().all())


def _grouped(rows: Sequence[Row]) -> tuple[MatchRow, ...]:
    """Return the matches of rows that each belong to one seat."""
    return tuple(_match(list(seats)) for _, seats in groupby(rows, key=lambda row: row["id"]))


def _first_match(rows: Sequence[Row]) -> MatchRow | None:
    return _match(rows) if rows else None


def _match(rows: Sequence[Row]) -> MatchRow:
    first_row, (players, leavers) = rows[0], _players(rows)
    info = read_row(
        MatchInfo,
        first_row,
        players=players,
        proposals=tuple(row["proposal"] for row in rows),
        leavers=leavers,
        ratings=tuple(rating_change(row) for row in rows),
        appearance=DEFAULT_APPEARANCE
        if first_row["guild_theme"] is None
        else read_row(Appearance, first_row, "guild_"),
    )
    guild_times = first_row["left_at"], first_row["unavailable_since"]
    return MatchRow(info, *guild_times, first_row["time_due_at"], tuple(map(_seat, rows)))


def _players(rows: Sequence[Row]) -> tuple[tuple[Player, ...], tuple[Player | None, ...]]:
    """Return the players, and the people that computers replaced, both in the order of the seats.

    The second tuple is empty if nobody was replaced.
    """
    computer_players = iter(computers([row["seat_computer"] for row in rows if row["seat_computer"] is not None]))
    players = [
        read_row(Player, row, "person_", computer=None, ambiguous=False)
        if row["seat_computer"] is None
        else next(computer_players)
        for row in rows
    ]
    leavers_by_seat = {
        row["seat_seat"]: read_row(Player, row, "leaver_", computer=None, ambiguous=False)
        for row in rows
        if row["leaver_id"] is not None
    }
    if not leavers_by_seat:
        return with_ambiguity(players), ()
    leavers = dict(zip(leavers_by_seat, with_ambiguity([*leavers_by_seat.values()], players), strict=True))
    return with_ambiguity(players, leavers_by_seat.values()), tuple(leavers.get(row["seat_seat"]) for row in rows)


def _seat(row: Row) -> SeatRow:
    person = None if row["person_id"] is None else read_row(PersonRow, row, "person_")
    return read_row(SeatRow, row, "seat_", person=person, pinged=row["pinged"], other_turns=row.get("other_turns", 0))
