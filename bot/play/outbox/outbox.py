"""The outbox: the due messages, their current contents, and the results of delivering them. The courier uses it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import merge
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.daily import day_of
from bot.model.discord_codes import LASTING_REFUSALS, Code
from bot.model.fairness import Commitment
from bot.model.ids import ChainId, ChallengeId, ChannelId, GuildId, MatchId, MessageId, OutboxId, PersonId
from bot.model.matches import (
    LostSeat,
    MatchInfo,
    MatchStatus,
    OwnHand,
    Ping,
    Proposal,
    RematchOffer,
    RemindedTurn,
    Reminder,
)
from bot.model.outbox import (
    REMINDER_KINDS,
    Content,
    MessageKind,
    OutboxMessage,
    PostedMessage,
    StaleMessage,
    Subject,
    Topic,
)
from bot.model.people import Push
from bot.model.seasons import season_key
from bot.play.loading.loaded_match import LoadedMatch, dm_channel, hand_channel
from bot.play.loading.unit_of_work import Service, UnitOfWork, Units, shielded
from bot.play.outbox.changes import enqueue_hands, enqueue_ping, enqueue_pings, is_pinged, posted_message
from bot.play.outbox.daily_content import daily_content
from bot.play.outbox.daily_reminders import daily_reminder
from bot.play.refusals import Unavailable
from bot.play.standing.seasons import season_result
from bot.store import chains, challenges, erasures, guilds, matches, offer_pings, outbox, people
from bot.store.database import Lane
from bot.store.rows import MatchRow, OutboxRow, PersonRow

MAX_EDIT_AGE: Final = timedelta(hours=1)
"""Age from which tables and hands, which change often, are reposted instead of edited: Discord has a separate quota for
edits of older messages (error 30046)."""

REPOST_INTERVAL: Final = timedelta(minutes=1)
"""Minimum interval between reposts of a message that somebody keeps deleting. The first repost is immediate."""

_UNPOSTED_STATUSES: Final = (ChallengeStatus.WITHDRAWN, ChallengeStatus.EXPIRED)
_ROWS_PER_GROUP: Final = 4

MAX_LOADED_GROUPS: Final = 8
"""Maximum number of groups whose messages are loaded together with the search for due messages. More would delay the
first delivery."""


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """Messages of one match or challenge that are due, in the order to send them.

    `messages` are the messages as they are wanted now, without those that need no delivery; None if they must be
    loaded. `hands` are the hands of the people whose private messages show an older state; None if they must be loaded.
    """

    subject: Subject
    ids: tuple[OutboxId, ...]
    messages: tuple[OutboxMessage, ...] | None = None
    hands: Mapping[PersonId, OwnHand] | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """The messages to deliver now, the replaced messages to delete now, and the next due time, if any."""

    groups: tuple[MessageGroup, ...] = ()
    stale: tuple[StaleMessage, ...] = ()
    next_due: datetime | None = None


@dataclass(frozen=True, slots=True)
class WasPosted:
    """Outcome: a message was posted. The old message that it replaces, `stale`, must be deleted."""

    message: OutboxMessage
    posted: PostedMessage
    stale: PostedMessage | None = None


@dataclass(frozen=True, slots=True)
class WasShown:
    """Outcome: a message was edited and is up to date, or can never be delivered. It must not be tried again."""

    message: OutboxMessage


@dataclass(frozen=True, slots=True)
class WasRemoved:
    """Outcome: an unwanted message was deleted or never existed, or the channel of a message cannot be used."""

    message: OutboxMessage


@dataclass(frozen=True, slots=True)
class WasMissing:
    """Outcome: a message that should have been edited did not exist. It must be posted again."""

    message: OutboxMessage


@dataclass(frozen=True, slots=True)
class WasTooOld:
    """Outcome: Discord accepts no further edits of a message, because it is old. It must be replaced by a new post."""

    message: OutboxMessage


@dataclass(frozen=True, slots=True)
class Failed:
    """Outcome: a message could not be delivered. It must be retried later."""

    message: OutboxMessage
    problem: str
    retry_after: timedelta


Viewers = Callable[[MatchInfo], Collection[PersonId]]
"""A function that returns the people whose private messages show an older state of a match."""

Outcome = WasPosted | WasShown | WasRemoved | WasMissing | WasTooOld | Failed


@dataclass(frozen=True, slots=True)
class _AnsweredHand:
    """A hand message that the answer to a click has updated, and the revision that it shows since."""

    match_id: MatchId
    seat: Seat
    guild_id: GuildId | None
    message_id: MessageId
    revision: int


class Outbox(Service):
    """The messages that the courier delivers."""

    def __init__(self, units: Units) -> None:
        super().__init__(units)
        self._answered: dict[tuple[MatchId, Seat], _AnsweredHand] = {}
        """Hand messages that answers to clicks have updated. They are saved with the next outcomes of the match."""
        self._reposted_at: dict[OutboxId, datetime] = {}
        """Messages that were found deleted within the last `REPOST_INTERVAL`, and the time at which they became due
        again."""

    def notify(self) -> None:
        """Wake the courier, because there might be messages to deliver."""
        self._units.enqueued.set()

    @property
    def is_notified(self) -> bool:
        """True if the courier has been woken and has not looked for work yet."""
        return self._units.enqueued.is_set()

    async def wait(self, timeout: timedelta) -> None:
        """Wait until `notify` is called, or for `timeout`."""
        with contextlib.suppress(TimeoutError):
            # Not `wait_for`: before Python 3.12, it loses a cancellation that arrives together with the event.
            async with asyncio.timeout(timeout.total_seconds()):
                await self._units.enqueued.wait()
        self._units.enqueued.clear()

    async def work(
        self,
        busy: Collection[Subject] = (),
        busy_stale: Collection[int] = (),
        *,
        limit: int = 64,
        viewers: Viewers = lambda _: (),
    ) -> Work:
        """Return the messages to deliver and to delete now, at most `limit` of each, oldest first.

        Matches and challenges in `busy`, whose messages are being delivered, are skipped, and so are messages in
        `busy_stale`, which are being deleted.
        """
        try:
            return await self._find_work(busy, busy_stale, limit, viewers, loads=True)
        except Unavailable:
            raise
        except Exception:
            # A message cannot be loaded, for example because the log of its match is damaged. Load none, so that only
            # the delivery of this message fails.
            return await self._find_work(busy, busy_stale, limit, viewers, loads=False)

    async def _find_work(
        self, busy: Collection[Subject], busy_stale: Collection[int], limit: int, viewers: Viewers, *, loads: bool
    ) -> Work:
        shards, max_rows = self._units.share.shards, limit * _ROWS_PER_GROUP
        async with self._units.read(Lane.BACKGROUND) as unit:
            rows = await outbox.due(unit.transaction, shards, unit.now, busy, max_rows)
            by_subject, groups = _by_subject(rows), list[MessageGroup]()
            # Load no messages if there may be more rows: these could include a showdown that a table waits for.
            loads = loads and len(rows) < max_rows
            for number, (subject, its_rows) in enumerate([*by_subject.items()][:limit]):
                group = MessageGroup(subject, tuple(row.id for row in its_rows))
                is_loaded = loads and number < MAX_LOADED_GROUPS
                groups.append(await self._loaded(unit, group, its_rows, viewers) if is_loaded else group)
            due_at, stale_at = await outbox.next_due(
                unit.transaction, shards, unit.now, self._answered.keys(), busy_stale
            )
            stale: tuple[StaleMessage, ...] = ()
            if stale_at is not None and not unit.now < stale_at <= unit.now + outbox.MAX_DELAY:
                stale = await outbox.due_stale(unit.transaction, shards, unit.now, busy_stale, limit)
                busy_stale = [*busy_stale, *(message.id for message in stale)]
                _, stale_at = await outbox.next_due(unit.transaction, shards, unit.now, (), busy_stale)
        waiting_since = [row.due_at for its_rows in [*by_subject.values()][limit:] for row in its_rows]
        if len(rows) == max_rows > 0:
            waiting_since.append(rows[-1].due_at)
        due_times = [at for at in (due_at, stale_at, *waiting_since) if at is not None]
        return Work(tuple(group for group in groups if group.messages != ()), stale, min(due_times, default=None))

    async def _loaded(
        self, unit: UnitOfWork, group: MessageGroup, rows: Sequence[OutboxRow], viewers: Viewers
    ) -> MessageGroup:
        """Return a group with its messages."""
        topic, subject_id = group.subject
        loaded = await unit.load(MatchId(subject_id)) if topic is Topic.MATCH else None
        messages = [await self._message(unit, row, loaded) for row in rows if self._needs_delivery(row)]
        hands = {} if loaded is None else _hands(unit, loaded, viewers(loaded.info))
        return replace(group, messages=tuple(messages), hands=hands)

    async def current(self, outbox_ids: Sequence[OutboxId]) -> tuple[OutboxMessage, ...]:
        """Return the wanted states of some messages about one subject, without those that need no delivery now.

        A table waits until the showdown of the last deal was sent, unless `outbox_ids` has that showdown, too.
        """
        async with self._units.read(Lane.BACKGROUND) as unit:
            found = await outbox.load_all(unit.transaction, outbox_ids)
            rows = [row for row in _in_send_order(found) if self._needs_delivery(row)]
            kinds = {row.kind for row in rows}
            if MessageKind.TABLE in kinds and MessageKind.SHOWDOWN not in kinds:
                match_id = MatchId(rows[0].subject_id)
                if await outbox.awaits_showdown(unit.transaction, match_id):
                    rows = [row for row in rows if row.kind is not MessageKind.TABLE]
            is_of_match = bool(rows) and Topic.of(rows[0].kind) is Topic.MATCH
            loaded = await unit.load(MatchId(rows[0].subject_id)) if is_of_match else None
            return tuple([await self._message(unit, row, loaded) for row in rows])

    def _needs_delivery(self, row: OutboxRow) -> bool:
        """Return True if Discord does not show the wanted state of a message, as far as is known."""
        answered = (
            self._answered.get((MatchId(row.subject_id), Seat(row.part))) if row.kind is MessageKind.HAND else None
        )
        is_shown_by_answer = (
            answered is not None
            and answered.message_id == row.message_id
            and answered.revision >= row.wanted_revision
            and not _is_reposted(row)
        )
        return row.wanted_revision > row.shown_revision and not is_shown_by_answer

    async def record(self, outcomes: Sequence[Outcome]) -> None:
        """Save the outcomes for messages of a match, challenge or person, in the order in which they were sent.

        Also save the updates of the match's hand messages by answers to clicks.
        """
        subjects = [outcome.message.subject for outcome in outcomes]
        await self._save(outcomes, {MatchId(number) for topic, number in subjects if topic is Topic.MATCH})

    async def record_answered(self, busy: Collection[Subject] = ()) -> None:
        """Save the updates of hand messages by answers to clicks, except in matches in `busy`.

        In those, they are saved with the outcomes of the messages that are being delivered.
        """
        # The courier waits for this, so a transaction for each match would delay all messages when many people click.
        match_ids = {hand.match_id for hand in self._answered.values()}
        await self._save((), {match_id for match_id in match_ids if (Topic.MATCH, match_id) not in busy})

    @shielded
    async def _save(self, outcomes: Sequence[Outcome], answered_in: Collection[MatchId]) -> None:
        """Save outcomes, and the updates of hand messages in some matches by answers to clicks."""
        answered = [hand for hand in self._answered.values() if hand.match_id in answered_in]
        if not outcomes and not answered:
            return
        # Change the messages of several matches in the order of the matches, as everywhere, to avoid deadlocks.
        answered.sort(key=lambda hand: (hand.match_id, hand.seat))
        async with self._units.write() as unit:
            for step in merge(answered, outcomes, key=_step_order):
                await self._save_step(unit, step)
        for hand in answered:
            if self._answered.get((hand.match_id, hand.seat)) is hand:
                del self._answered[hand.match_id, hand.seat]
        if missing := [outcome.message.id for outcome in outcomes if isinstance(outcome, WasMissing)]:
            # Note the repost times only after the commit. Otherwise, recording the same outcomes again after a failed
            # commit would delay the reposts.
            now = self._units.clock()
            recent = {message_id: at for message_id, at in self._reposted_at.items() if at + REPOST_INTERVAL > now}
            self._reposted_at = recent | {message_id: self._repost_time(message_id, now) for message_id in missing}

    @shielded
    async def save_stale_removed(self, message: StaleMessage) -> None:
        """Save that a replaced message was deleted."""
        async with self._units.write() as unit:
            await outbox.remove_stale(unit.transaction, message.id)

    @shielded
    async def save_stale_failed(self, message: StaleMessage, problem: str, retry_after: timedelta) -> None:
        """Save that a replaced message could not be deleted."""
        async with self._units.write() as unit:
            await outbox.postpone_stale(unit.transaction, message.id, unit.now + retry_after, problem)

    async def find(self, kind: MessageKind, subject_id: int, part: int = 0) -> PostedMessage | None:
        """Return the location of a message; None if it is not posted. A table's `part` is its board minus one."""
        async with self._units.read() as unit:
            row = await outbox.find(unit.transaction, kind, subject_id, part)
        return None if row is None else posted_message(row)

    async def refusal_in(self, guild_id: GuildId, channel_id: ChannelId) -> Code | None:
        """Return the lasting refusal that keeps messages out of a channel; None if there is none."""
        codes = {str(code.value): code for code in LASTING_REFUSALS}
        async with self._units.read() as unit:
            problems = await outbox.problems_in(unit.transaction, guild_id, channel_id, codes)
        return codes[problems[0]] if problems else None

    @shielded
    async def forget_posts(self) -> None:
        """Request all needed messages again, because the sandbox has lost them."""
        async with self._units.write() as unit:
            await outbox.request_all_again(unit.transaction, unit.now)
            unit.guilds_with_messages.add(None)

    @shielded
    async def save_channel_deleted(self, channel_id: ChannelId) -> None:
        """Save that a channel was deleted. Its match has no table until a player moves it to another channel."""
        async with self._units.write() as unit:
            await matches.mark_channel_deleted(unit.transaction, channel_id)

    @shielded
    async def save_dm_refused(self, person_id: PersonId, hand_id: OutboxId | None = None) -> None:
        """Save that a person does not accept direct messages, and ping them in matches that wait for them.

        `hand_id` is the hand message that was refused. If its match is over, the person is pinged to see the end or the
        offer of a rematch.
        """
        async with self._units.write() as unit:
            person = await people.load(unit.transaction, person_id)
            if person is None:
                return
            # People with `Push.BOTH` were already pinged.
            gets_only_dms = person.preferences.push is Push.DM
            if person.dm_closed_at is None:
                people.close_dms(unit.transaction, person_id, unit.now)
                await enqueue_hands(unit, person_id)
                if gets_only_dms:
                    await enqueue_pings(unit, person_id)
            row = None if hand_id is None else await outbox.load(unit.transaction, hand_id)
            if row is not None and gets_only_dms:
                loaded = await unit.load(MatchId(row.subject_id))
                # A player whose seat a computer took over gets no more notifications.
                if not loaded.is_running and loaded.info.seat_of(person_id) is not None:
                    enqueue_ping(unit, loaded, person_id, always=_is_reposted(row))

    @shielded
    async def stop_daily_reminders(self, person_id: PersonId) -> None:
        """Stop reminding a person of the deal of the day, because they share no server with the bot any more."""
        async with self._units.write() as unit:
            people.change(unit.transaction, person_id, daily_hour=None)

    def note_hand_answered(self, hand: OwnHand, message_id: MessageId) -> None:
        """Note that the answer to a click has updated a player's own hand message, so that the courier can skip it."""
        match, seat = hand.match, hand.view.seat
        self._answered[match.id, seat] = _AnsweredHand(match.id, seat, match.guild_id, message_id, match.revision)

    async def _save_step(self, unit: UnitOfWork, step: Outcome | _AnsweredHand) -> None:
        transaction = unit.transaction
        match step:
            case _AnsweredHand(match_id, seat, guild_id, message_id, revision):
                is_own = self._units.share.has(guild_id)
                outbox.save_answered(transaction, match_id, seat, message_id, revision, unit.now, is_own=is_own)
            case WasPosted():
                await _save_post(unit, step)
            case WasShown(message):
                outbox.save_shown(transaction, message.id, message.post_count, message.revision)
            case WasRemoved(message):
                removed = await outbox.save_removed(transaction, message.id, message.post_count, message.revision)
                if removed and message.kind in (MessageKind.HAND, *REMINDER_KINDS) and message.person_id is None:
                    # Erase traces of the row: it contained the id of a forgotten person, or of their direct message
                    # channel.
                    await erasures.add_request(transaction)
                    if message.kind in REMINDER_KINDS:
                        await outbox.remove(transaction, message.id)
            case WasMissing(message) | WasTooOld(message):
                row = await outbox.load(transaction, message.id)
                if row is not None and row.posts == message.post_count and isinstance(message.content, Challenge):
                    # Do not ping again: the earlier message had already pinged people. Lock the challenge before its
                    # message, as everywhere, to avoid deadlocks.
                    await challenges.set_pinged(transaction, message.content.id, ())
                due_at = self._repost_time(message.id, unit.now) if isinstance(step, WasMissing) else unit.now
                problem = outbox.DELETED if isinstance(step, WasMissing) else outbox.TOO_OLD
                is_saved = await outbox.save_missing(transaction, message.id, message.post_count, due_at, problem)
                unit.guilds_with_messages.add(message.guild_id)
                if is_saved and isinstance(step, WasTooOld) and message.posted is not None:
                    await outbox.add_stale(transaction, message.guild_id, message.posted, unit.now)
            case Failed(message):
                retry_at = unit.now + min(step.retry_after, outbox.MAX_DELAY)
                await outbox.postpone(transaction, message.id, message.post_count, retry_at, step.problem)
                unit.guilds_with_messages.add(message.guild_id)

    def _repost_time(self, outbox_id: OutboxId, now: datetime) -> datetime:
        """Return the time at which to repost a deleted message.

        It is at most `REPOST_INTERVAL` from now, even if the system clock was set back.
        """
        last = self._reposted_at.get(outbox_id)
        return now if last is None or last + REPOST_INTERVAL <= now else min(last, now) + REPOST_INTERVAL

    async def _message(self, unit: UnitOfWork, row: OutboxRow, loaded: LoadedMatch | None) -> OutboxMessage:
        """Return the wanted state of a message. `loaded` is its match, if it is about one."""
        person = content = channel_id = subject = leaver = None
        # If the message became due before this process was responsible, the previous process may have delivered it.
        responsible_since = self._units.share.since(row.guild_id)
        may_be_there = row.attempts > 0 or responsible_since is None or row.due_at <= responsible_since
        if row.kind is MessageKind.REMINDER:
            person = await people.load(unit.transaction, PersonId(row.subject_id))
            channel_id = hand_channel(person)
            content = None if person is None else await _reminder(unit, person)
        elif row.kind is MessageKind.DAILY_REMINDER:
            person = await people.load(unit.transaction, PersonId(row.subject_id))
            channel_id = dm_channel(person)
            content = None if person is None else await daily_reminder(unit, person)
        elif row.kind is MessageKind.SEASON:
            guild_id = GuildId(row.subject_id)
            channel_id = (await guilds.load(unit.transaction, guild_id)).settings.season_channel
            content = await season_result(unit.transaction, guild_id, season_key(row.part))
        elif row.kind is MessageKind.DAILY:
            channel_id, content = await daily_content(unit, row, day_of(row.part))
        elif row.kind is MessageKind.COMMITMENT:
            channel_id, content, person = await _commitment(unit, ChainId(row.subject_id))
        elif row.kind is MessageKind.CHALLENGE:
            subject = await challenges.load(unit.transaction, ChallengeId(row.subject_id))
            if subject is not None:
                channel_id = subject.channel_id
                # A challenge that closed before anyone could see it is not posted.
                unseen = row.message_id is None and subject.status in _UNPOSTED_STATUSES
                content = None if unseen else subject
        elif loaded is not None:
            subject = loaded.info
            if row.kind in (MessageKind.HAND, MessageKind.PING):
                seat = loaded.row.seats[row.part]
                person = seat.person
                leaver = None if seat.leaver_id is None else await people.load(unit.transaction, seat.leaver_id)
            if row.kind is MessageKind.HAND:
                channel_id = hand_channel(person or leaver)
            elif row.kind is MessageKind.CARD:
                channel_id = subject.card_channel_id
            elif not subject.channel_deleted:
                channel_id = subject.channel_id
            if row.kind is MessageKind.HAND and leaver is not None:
                content = LostSeat(subject)
            elif row.kind is MessageKind.REMATCH:
                content = await _rematch_offer(unit, loaded)
            else:
                content = _match_content(unit, loaded, row, person, may_be_there=may_be_there)
            content = None if row.removed else content
        is_reposted = _is_reposted(row)
        often_edited = row.kind in (MessageKind.TABLE, MessageKind.HAND)
        # If the time of the post lies in the future, the clock was wrong, so the age of the post is unknown.
        is_old = row.posted_at is not None and not timedelta() <= unit.now - row.posted_at < MAX_EDIT_AGE
        return OutboxMessage(
            id=row.id,
            kind=row.kind,
            subject_id=row.subject_id,
            part=row.part,
            guild_id=row.guild_id or GuildId(0),
            revision=max(row.wanted_revision, 0 if subject is None else subject.revision),
            content=content,
            channel_id=channel_id,
            posted=posted_message(row),
            needs_post=row.message_id is None or is_reposted or (is_old and often_edited),
            post_count=row.posts,
            is_silent=row.kind in (MessageKind.COMMITMENT, MessageKind.CARD) or (often_edited and not is_reposted),
            was_deleted=row.problem in outbox.GONE and not is_reposted,
            may_be_posted=may_be_there,
            attempts=row.attempts,
            person_id=None if (addressed := person or leaver) is None else addressed.id,
        )


def _is_reposted(row: OutboxRow) -> bool:
    """Return True if a message must be posted again, which notifies its reader."""
    return row.repost_revision > row.posted_revision


async def _save_post(unit: UnitOfWork, outcome: WasPosted) -> None:
    """Save the location of a new post, or request its deletion if another process has posted or removed the message."""
    transaction, message, posted = unit.transaction, outcome.message, outcome.posted
    stale = [] if outcome.stale is None else [outcome.stale]
    if isinstance(message.content, Commitment) and not await _was_forgotten(unit, message):
        await _save_commitment(unit, message.content, posted)
    if isinstance(message.content, Challenge):
        await _send_commitment_of(unit, message.content.id, message.guild_id)
    if not await outbox.save_posted(transaction, message.id, message.post_count, message.revision, posted, unit.now):
        row = await outbox.load(transaction, message.id)
        # Keep the post if another process found it by its nonce and saved the same location.
        if row is None or posted_message(row) != posted:
            stale.append(posted)
    if stale and not await _was_forgotten(unit, message):
        for post in stale:
            await outbox.add_stale(transaction, message.guild_id, post, unit.now)
        unit.guilds_with_messages.add(message.guild_id)


async def _save_commitment(unit: UnitOfWork, commitment: Commitment, posted: PostedMessage) -> None:
    """Save the location of a commitment, unless it was saved before."""
    chain = await chains.load(unit.transaction, commitment.id)
    if chain is None or chain.is_posted:
        return
    await chains.save_posted(unit.transaction, chain.id, posted, unit.now)


async def _send_commitment_of(unit: UnitOfWork, challenge_id: ChallengeId, guild_id: GuildId) -> None:
    """Send the commitment that waits for its challenge to be posted."""
    chain = await chains.of_challenge(unit.transaction, challenge_id)
    if chain is not None and not chain.is_posted:
        await outbox.make_due_earlier(unit.transaction, MessageKind.COMMITMENT, chain.id, unit.now)
        unit.guilds_with_messages.add(guild_id)


async def _was_forgotten(unit: UnitOfWork, message: OutboxMessage) -> bool:
    """Return True if the reader of a message was forgotten while it was being sent."""
    return message.person_id is not None and await people.load(unit.transaction, message.person_id) is None


def _by_subject(rows: Sequence[OutboxRow]) -> dict[Subject, list[OutboxRow]]:
    """Return rows by subject, each in the order to send their messages."""
    by_subject: dict[Subject, list[OutboxRow]] = {}
    for row in rows:
        by_subject.setdefault((Topic.of(row.kind), row.subject_id), []).append(row)
    return {subject: _in_send_order(its_rows) for subject, its_rows in by_subject.items()}


def _in_send_order(rows: Iterable[OutboxRow]) -> list[OutboxRow]:
    return sorted(rows, key=lambda row: outbox.send_order(row.kind, row.part))


def _step_order(step: Outcome | _AnsweredHand) -> tuple[int, int]:
    """Return the key that sorts what is saved about messages in the order in which they are sent."""
    if isinstance(step, _AnsweredHand):
        return outbox.send_order(MessageKind.HAND, step.seat)
    return outbox.send_order(step.message.kind, step.message.part)


def _hands(unit: UnitOfWork, loaded: LoadedMatch, people: Iterable[PersonId]) -> dict[PersonId, OwnHand]:
    seats = {person_id: loaded.info.seat_of(person_id) for person_id in people}
    return {person_id: loaded.hand(seat, unit.now) for person_id, seat in seats.items() if seat is not None}


def _match_content(
    unit: UnitOfWork, loaded: LoadedMatch, row: OutboxRow, person: PersonRow | None, *, may_be_there: bool
) -> Content | None:
    match row.kind:
        case MessageKind.TABLE:
            return loaded.table(row.part + 1, unit.now) if loaded.is_running else None
        case MessageKind.CARD:
            return loaded.card()
        case MessageKind.SHOWDOWN:
            return loaded.showdown(row.part)
        case MessageKind.END:
            return loaded.summary()
        case MessageKind.HAND:
            # Once a match is over, a missing hand message is posted only to notify the player of the end or of a
            # rematch. In a practice match, a hand message that was never deleted is posted too: a computer may win
            # before the first post.
            missing = row.problem in outbox.GONE or not (may_be_there or loaded.info.is_practice)
            is_unneeded = not loaded.is_running and row.message_id is None and missing and not _is_reposted(row)
            if is_unneeded or person is None:
                return None
            # Leave out the number of other turns: this message is not updated when it changes.
            return replace(loaded.hand(Seat(row.part), unit.now), other_turns=0)
        case MessageKind.PING:
            seat = Seat(row.part)
            to_act, asked = seat in loaded.to_act and not loaded.info.is_paused, seat in loaded.seats_to_answer
            claims = loaded.may_claim(seat, unit.now)
            may_call_off = not loaded.info.is_paused and loaded.may_call_off(seat, unit.now)
            # When a match ends, all pings are deleted except those that announce the end.
            is_over = not loaded.is_running and not asked
            lost_on_time = seat == loaded.info.vacant_seat
            if person is None or not (to_act or asked or may_call_off or is_over or lost_on_time):
                return None
            deal = loaded.state.deal_of(seat)
            opponents = tuple(other for other in deal.seats if other != seat)
            reminder = _reminded_turn(loaded, seat, unit.now) if to_act and _is_reminded(loaded, seat) else None
            return Ping(
                loaded.public_info(deal.board),
                seat,
                person.id,
                to_act,
                opponents,
                reminder,
                claims,
                may_call_off,
                is_over,
                lost_on_time,
                loaded.unseen_deal(seat),
            )
        case _:
            return None


async def _rematch_offer(unit: UnitOfWork, loaded: LoadedMatch) -> RematchOffer | None:
    """Return the offer of a rematch that is open or was declined.

    Return None if there is none, or if the players to answer it were forgotten.

    It pings the players for whom a ping was granted at the time of the offer, unless their hands notify them.
    """
    match = loaded.info
    if match.seats_proposing(Proposal.DECLINED):
        return RematchOffer(match, (), ())
    if not match.offers_rematch:
        return None
    proposers = [match.players[seat].id for seat in match.seats_proposing(Proposal.REMATCH)]
    granted = {
        to_id
        for proposer in proposers
        if proposer is not None
        for to_id, at in await offer_pings.sent_by(unit.transaction, proposer)
        if at >= match.moved_at
    }
    asked = [person for seat in loaded.seats_to_answer if (person := loaded.row.seats[seat].person) is not None]
    if not asked:
        return None
    pinged = tuple(person.id for person in asked if person.id in granted and is_pinged(person))
    return RematchOffer(match, tuple(person.id for person in asked), pinged)


async def _commitment(
    unit: UnitOfWork, chain_id: ChainId
) -> tuple[ChannelId | None, Commitment | None, PersonRow | None]:
    """Return the channel for a commitment's message, the commitment and, for a practice match, the person.

    The channel is None if nothing must be posted, for example because the match is over or will not begin.
    """
    chain = await chains.load(unit.transaction, chain_id)
    if chain is None:
        return None, None, None
    content = Commitment(chain.id, chain.commitment)
    if chain.person_id is not None:
        person = await people.load(unit.transaction, chain.person_id)
        return hand_channel(person), content, person
    if chain.challenge_id is not None:
        challenge = await challenges.load(unit.transaction, chain.challenge_id)
        return None if challenge is None else challenge.channel_id, content, None
    match_id = chain.match_id or chain.rematch_of
    row = None if match_id is None else await matches.load(unit.transaction, match_id)
    if row is None or (chain.match_id is not None and row.info.status is not MatchStatus.RUNNING):
        return None, None, None
    if not row.info.is_practice:
        return None if row.info.channel_deleted else row.info.channel_id, content, None
    person = next((seat.person for seat in row.seats if seat.person is not None), None)
    return hand_channel(person), content, person


async def _reminder(unit: UnitOfWork, person: PersonRow) -> Reminder | None:
    """Return a person's reminder: the open turns of which they were reminded; None if there are none."""
    rows = [
        row
        for row in await matches.running_of(unit.transaction, person.id)
        if not (row.is_frozen or row.info.is_paused) and _was_reminded(row, person.id)
    ]
    turns = list[RemindedTurn]()
    for loaded in await unit.restore_readable(rows):
        seat = loaded.seat_of(person.id)
        if _is_reminded(loaded, seat):
            turns.append(_reminded_turn(loaded, seat, unit.now))
    return Reminder(person.id, tuple(sorted(turns, key=_urgency_key))) if turns else None


def _was_reminded(row: MatchRow, person_id: PersonId) -> bool:
    """Return True if a player was reminded in a match, even of an earlier turn."""
    own = [seat for seat in row.seats if seat.person is not None and seat.person.id == person_id]
    return any(seat.reminded_at is not None for seat in own)


def _is_reminded(loaded: LoadedMatch, seat: Seat) -> bool:
    """Return True if a player was reminded of their current turn and has not acted since."""
    reminded_at = loaded.row.seats[seat].reminded_at
    return seat in loaded.to_act and reminded_at is not None and reminded_at >= loaded.changed_at(seat)[1]


def _reminded_turn(loaded: LoadedMatch, seat: Seat, now: datetime) -> RemindedTurn:
    """Return a player's turn as a reminder shows it."""
    row = loaded.row.seats[seat]
    nudged = row.nudged_at is not None and row.nudged_at == row.reminded_at
    time = None if loaded.info.clock.time is None else loaded.time_left(seat, now)
    return RemindedTurn(loaded.info_for(seat), seat, loaded.turn_started_at(seat), time, nudged)


def _urgency_key(turn: RemindedTurn) -> tuple[bool, datetime]:
    """Return a sort key for turns: those with a deadline first, by deadline, then the others, oldest first."""
    ends_at = None if turn.time is None else turn.time.ends_at
    return ends_at is None, ends_at or turn.turn_at
