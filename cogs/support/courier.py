"""The courier delivers the outbox's messages to Discord and records the outcomes.

State is saved before messages are sent, so a failed delivery never harms a match, and each retry starts from the newest
state. All attempts at a post have the same nonce, so Discord keeps only one.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot import metrics
from bot.metrics import Delivery
from bot.play.application import Application
from bot.play.outbox.outbox import Failed, MessageGroup, Outcome, WasMissing, WasPosted, WasRemoved, WasShown
from bot.play.refusals import Unavailable
from bot.values.challenges import Challenge
from bot.values.discord_codes import DM_REFUSALS, Code, lasting
from bot.values.fairness import Commitment
from bot.values.ids import ChainId, ChannelId, MatchId, MessageId, PersonId
from bot.values.matches import LostSeat, MatchSummary, OwnHand, Ping, Reminder, Showdown, Table
from bot.values.outbox import Content, MessageKind, OutboxMessage, Posted, StaleMessage, Subject, Topic
from bot.values.seasons import Award, SeasonResult
from cogs.kit.failures import REQUEST_FAILURES, code_of
from cogs.kit.messages import Message, send_or_edit
from cogs.kit.refusals import Refusals
from cogs.kit.screens import Screens
from cogs.panels import match as panels
from cogs.panels.challenge import challenge as challenge_panel
from cogs.panels.hand import hand
from cogs.panels.layout import note
from cogs.panels.pictures import Pictures
from cogs.panels.reminder import reminder
from cogs.panels.season import season as season_panel
from cogs.panels.verification import commitment
from cogs.support.access import Access
from cogs.support.direct_messages import DirectMessages
from cogs.support.pace import Pace
from cogs.support.saving import until_done
from cogs.text.table import IN_THREAD

log = structlog.get_logger(__name__)

CONCURRENT_GROUPS: Final = 64
"""Maximum number of matches and challenges with messages in progress."""
FIRST_RETRY: Final = timedelta(seconds=1)
LAST_RETRY: Final = timedelta(minutes=10)
SEND_TIMEOUT: Final = 90.0
"""Timeout for a delivery, in seconds: longer than discord.py's own waits for a rate limit."""
RECORD_WITHIN: Final = 1.0
"""Maximum delay before outcomes are saved while other messages of the match are still being sent, in seconds."""
SHUTDOWN_TIMEOUT: Final = 2.0
"""Timeout for messages in progress when the bot stops, in seconds. The rest are sent after the next start."""
ANSWERS_FIRST: Final = 0.1
"""Maximum time that messages wait for answers to interactions, in seconds."""
FIRST_POST_TAKES: Final = 1.2
"""Maximum time that an answer waits for a post, in seconds: shorter than the time before it would be deferred."""
_REMEMBERED_POSTS: Final = 256
_OUTDATED: Final = "outdated"
_BROKEN: Final = "broken"
"""Problems that Discord did not cause."""
_DIRECT: Final = (MessageKind.HAND, MessageKind.REMINDER)
"""The kinds of messages that are sent as direct messages."""
_FINAL: Final = (400, 403, 404)
"""HTTP statuses that make a retry pointless. Only the results of seasons, which nobody waits for, are given up."""
LONGEST_SLEEP: Final = timedelta(seconds=30)
"""Maximum wait between two checks of the outbox. Clocks jump, and another process may have added messages."""


class Courier:
    """Delivers the messages in the outbox while `run` is running."""

    def __init__(
        self,
        client: discord.Client,
        app: Application,
        access: Access,
        direct_messages: DirectMessages,
        pictures: Pictures,
        screens: Screens,
        refusals: Refusals,
        answering: Collection[asyncio.Task[None]],
    ) -> None:
        """`answering` is a live collection of the tasks that answer interactions.

        `screens` and `refusals` are shared with those answers.
        """
        self._client = client
        self._app = app
        self._access = access
        self._direct_messages = direct_messages
        self._pictures = pictures
        self._screens = screens
        self._refusals = refusals
        self._answering = answering
        self._pace = Pace(lambda: app.leases.processes)
        self._groups: dict[Subject, asyncio.Task[None]] = {}
        self._stale: dict[int, asyncio.Task[None]] = {}
        self._sleeping = False
        self._posts: dict[Subject, asyncio.Event] = {}
        """Events that are set when the first messages of a match, or a commitment, are posted: an LRU cache."""
        self._post_wanted = asyncio.Event()
        """Set if an answer is waiting for a post."""

    async def wait_for_first_post(self, match_id: MatchId) -> None:
        """Wait until a new match is posted, for at most `POST_TIMEOUT` seconds.

        A match posts its tables. Practice posts the hand, and a refusal of that direct message ends the wait too.
        """
        await self._wait_for_post((Topic.MATCH, match_id))

    async def wait_for_commitment(self, chain_id: ChainId | None) -> None:
        """Wait until a commitment, if any, is posted, for at most `POST_TIMEOUT` seconds."""
        if chain_id is not None:
            await self._wait_for_post((Topic.CHAIN, chain_id))

    async def _wait_for_post(self, subject: Subject) -> None:
        self._post_wanted.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_POST_TAKES):
                await self._posted(subject).wait()

    def _posted(self, subject: Subject) -> asyncio.Event:
        event = self._posts.pop(subject, None) or asyncio.Event()
        self._posts[subject] = event
        if len(self._posts) > _REMEMBERED_POSTS:
            del self._posts[next(iter(self._posts))]
        return event

    def _note_first_post(self, content: Content | None) -> None:
        """Release the answers that wait for the first messages of a match, if this was the last of those."""
        match content:
            case Table(match, view) if view.board == view.boards:
                self._posted((Topic.MATCH, match.id)).set()
            case OwnHand(match) if match.practice:
                self._posted((Topic.MATCH, match.id)).set()
            case _:
                pass

    def _note_commitment(self, content: Content | None) -> None:
        """Release the answers that wait for a commitment. Call this after the position of its message is saved."""
        if isinstance(content, Commitment):
            self._posted((Topic.CHAIN, content.id)).set()

    async def run(self) -> None:
        """Deliver until cancelled, then wait up to `SHUTDOWN_TIMEOUT` for the messages in progress."""
        outbox = self._app.outbox
        try:
            while True:
                longest = await until_done(self._begin_deliveries)
                self._sleeping = True
                await outbox.wait(longest)
                self._sleeping = False
        finally:
            under_way = {*self._groups.values(), *self._stale.values()}
            if under_way:
                _, pending = await asyncio.wait(under_way, timeout=SHUTDOWN_TIMEOUT)
                if pending:
                    log.warning("abandoned at the stop", what="messages of matches", count=len(pending))
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
            with suppress(Unavailable):
                await outbox.record()

    async def _begin_deliveries(self) -> timedelta:
        """Start to deliver the due messages, and return the maximum time to sleep."""
        outbox = self._app.outbox
        if self._answering:
            await self._let_answers_go_first()
        room = CONCURRENT_GROUPS - len(self._groups) - len(self._stale)
        if room <= 0:
            return LONGEST_SLEEP
        work = await outbox.work(self._groups, self._stale, room=room)
        for group in work.groups:
            self._groups[group.subject] = asyncio.create_task(self._deliver_group(group))
        for message in work.stale:
            self._stale[message.id] = asyncio.create_task(self._remove_stale(message))
        if not self._groups:
            # Otherwise the groups record it together with their outcomes.
            await outbox.record()
        if work.next_due is None or len(self._groups) + len(self._stale) >= CONCURRENT_GROUPS:
            return LONGEST_SLEEP
        return min(max(work.next_due - self._app.clock(), timedelta()), LONGEST_SLEEP)

    async def _let_answers_go_first(self) -> None:
        """Wait for answers in progress, which messages would delay, unless an answer is waiting for a message."""
        answers = asyncio.ensure_future(asyncio.wait(set(self._answering)))
        wanted = asyncio.ensure_future(self._post_wanted.wait())
        try:
            await asyncio.wait({answers, wanted}, timeout=ANSWERS_FIRST, return_when=asyncio.FIRST_COMPLETED)
        finally:
            answers.cancel()
            wanted.cancel()
            self._post_wanted.clear()

    @property
    def idle(self) -> bool:
        """True if no message is due or in progress."""
        return self._sleeping and not self._app.outbox.notified and not self._groups and not self._stale

    async def _deliver_group(self, group: MessageGroup) -> None:
        """Deliver the messages of one match or challenge in order."""
        try:
            await self._deliver_all(group)
        except Exception:
            # This is a bug in the bot. Pause before the retry.
            log.exception("messages could not be delivered", messages=group.ids)
            metrics.DELIVERIES.labels(Delivery.BROKEN).inc()
            await asyncio.sleep(LONGEST_SLEEP.total_seconds())
        finally:
            del self._groups[group.subject]
            self._app.outbox.notify()

    async def _deliver_all(self, group: MessageGroup) -> None:
        """Deliver messages in order and record the outcomes, in batches if that is safe.

        The outcome of a post must not be lost: it would be posted twice.
        """
        outbox = self._app.outbox
        outcomes: list[Outcome] = []
        first_unsaved = time.monotonic()
        try:
            for outbox_id in group.ids:
                message = await until_done(partial(outbox.current, outbox_id))
                if message is None:
                    continue
                outcome = await self._deliver(message)
                if outcome is None:
                    # Another process delivers this server's messages now.
                    break
                outcomes.append(outcome)
                metrics.DELIVERIES.labels(_result(outcome)).inc()
                if isinstance(outcome, WasMissing):
                    # Post it again before the rest, which may take long.
                    break
                # A table waits until the showdown is recorded, and a match until its commitment is.
                is_lasting = message.kind in (MessageKind.SHOWDOWN, MessageKind.END, MessageKind.COMMITMENT)
                if is_lasting or time.monotonic() - first_unsaved > RECORD_WITHIN:
                    outcomes = await self._delete_replaced(outcomes)
                    await until_done(partial(outbox.record, outcomes))
                    outcomes, first_unsaved = [], time.monotonic()
                    self._note_commitment(message.content)
            outcomes = await self._delete_replaced(outcomes)
        finally:
            await until_done(partial(outbox.record, outcomes))

    async def _delete_replaced(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Delete the messages that were replaced by new posts. Return the outcomes without the deleted messages."""
        return [
            replace(one, stale=None)
            if isinstance(one, WasPosted) and one.stale is not None and await self._try_delete(one.stale)
            else one
            for one in outcomes
        ]

    async def _try_delete(self, posted: Posted) -> bool:
        """Delete a message. Return False if that failed."""
        try:
            await self._delete(posted)
        except REQUEST_FAILURES:
            return False
        return True

    async def _deliver(self, message: OutboxMessage) -> Outcome | None:
        """Deliver a message and return the outcome; None if another process is responsible for the server."""
        try:
            async with self._app.share.at_work_for(message.guild_id) as is_own, asyncio.timeout(SEND_TIMEOUT):
                outcome = await self._send(message) if is_own else None
            if isinstance(outcome, WasPosted | WasShown) and (place := _place_of(message)) is not None:
                self._refusals.of(place).note_success()
            return outcome
        except REQUEST_FAILURES as error:
            return await self._after_failure(message, error)
        except Exception:
            log.exception("a message could not be made", message=message.id, kind=message.kind)
            return Failed(message, _BROKEN, LAST_RETRY)

    async def _send(self, message: OutboxMessage) -> Outcome:
        content, channel_id = message.content, message.channel_id
        if isinstance(content, Ping) and channel_id is not None:
            reaches = await self._access.may_be_mentioned(content.person_id, message.guild_id, channel_id)
            content = content if reaches else None
        if isinstance(content, SeasonResult):
            content = await self._for_everyone(content)
        if content is None or (message.post and channel_id is None):
            # Delete the last known post, and also a repost that may have reached Discord unconfirmed.
            for posted in (await self._find_lost_post(message), message.posted):
                if posted is not None:
                    await self._delete(posted)
            return WasRemoved(message)
        if message.post and channel_id is not None:
            composed = await self._compose(content)
            pings = await self._who_to_ping(message, channel_id, composed)
            posted = await self._post(message, channel_id, replace(composed, pings=pings))
            # A commitment is never edited.
            if message.may_be_there and not isinstance(content, Commitment):
                await self._edit(posted, await self._compose(content))
            self._note_first_post(content)
            stale = message.posted
            if stale is not None and stale.message_id == posted.channel_id and await self._point_below(stale):
                stale = None
            return WasPosted(message, posted, stale)
        assert message.posted is not None
        if not await self._edit(message.posted, await self._compose(content)):
            return Failed(message, _OUTDATED, timedelta())
        return WasShown(message)

    async def _for_everyone(self, result: SeasonResult) -> SeasonResult:
        """Drop all deal awards except the largest one in a channel that everybody on the server can see."""
        others = tuple(one for one in result.superlatives if one.award is not Award.DEAL)
        deals = (one for one in result.superlatives if one.award is Award.DEAL)
        for one in deals:
            if one.channel_id is not None and await self._access.everyone_sees(result.guild_id, one.channel_id):
                return replace(result, superlatives=(*others, one))
        return replace(result, superlatives=others)

    async def _who_to_ping(
        self, message: OutboxMessage, channel_id: ChannelId, composed: Message
    ) -> tuple[PersonId, ...]:
        """Return the people to ping: nobody for a reposted message, and nobody that a mention would add to a thread."""
        if message.came_back:
            return ()
        if message.kind is MessageKind.PING:
            # `_send` has already checked that the person may be mentioned.
            return composed.pings
        may_be_mentioned = self._access.may_be_mentioned
        return tuple([one for one in composed.pings if await may_be_mentioned(one, message.guild_id, channel_id)])

    async def _post(self, message: OutboxMessage, channel_id: ChannelId, composed: Message) -> Posted:
        channel = self._client.get_partial_messageable(channel_id)
        await self._pace.wait()
        sent = await send_or_edit(
            composed,
            lambda one, _: one.send(channel.send, nonce=message.nonce, silent=message.silent),
            self._refusals.of(channel_id),
        )
        self._screens.of(sent.id).saw(sent)
        return Posted(channel_id, MessageId(sent.id))

    async def _point_below(self, posted: Posted) -> bool:
        """Edit the old table to say that the match continues in its thread. Return False if that failed."""
        target = self._client.get_partial_messageable(posted.channel_id).get_partial_message(posted.message_id)
        try:
            await self._pace.wait()
            await note(IN_THREAD).edit(target.edit, ())
        except REQUEST_FAILURES:
            return False
        return True

    async def _find_lost_post(self, message: OutboxMessage) -> Posted | None:
        """Find an unwanted post that may exist on Discord although no attempt was confirmed.

        Posting with the same nonce returns the existing message. If no message exists, this creates a silent one.
        """
        if not (message.post and message.may_be_there) or message.channel_id is None:
            return None
        channel = self._client.get_partial_messageable(message.channel_id)
        try:
            await self._pace.wait()
            sent = await note("…").send(channel.send, nonce=message.nonce, silent=True)
        except (discord.Forbidden, discord.NotFound):
            return None
        return Posted(message.channel_id, MessageId(sent.id))

    async def _edit(self, posted: Posted, composed: Message) -> bool:
        """Edit a message. Return False if the answer to a click has shown a newer state by then."""
        target = self._client.get_partial_messageable(posted.channel_id).get_partial_message(posted.message_id)
        await self._pace.wait()
        return await self._screens.of(posted.message_id).edit(
            composed, lambda one, kept: one.edit(target.edit, kept), self._refusals.of(posted.channel_id)
        )

    async def _remove_stale(self, message: StaleMessage) -> None:
        try:
            await self._delete(message.posted)
            await until_done(partial(self._app.outbox.stale_removed, message))
        except REQUEST_FAILURES as error:
            problem, wait = _setback(message.attempts, error)
            log.warning("a replaced message must wait", problem=problem, seconds=wait.seconds)
            await until_done(partial(self._app.outbox.stale_failed, message, problem, wait))
        except Exception:
            log.exception("a replaced message could not be removed", message=message.id)
            await asyncio.sleep(LONGEST_SLEEP.total_seconds())
        finally:
            del self._stale[message.id]
            self._app.outbox.notify()

    async def _delete(self, posted: Posted) -> None:
        """Delete a message. Ignore that it is already gone or permanently out of reach."""
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                channel = self._client.get_partial_messageable(posted.channel_id)
                await self._pace.wait()
                await channel.get_partial_message(posted.message_id).delete()
        except discord.HTTPException as error:
            if (
                error.code not in (Code.UNKNOWN_MESSAGE, Code.UNKNOWN_CHANNEL, Code.THREAD_ARCHIVED)
                and error.status != 403
            ):
                raise

    async def _after_failure(self, message: OutboxMessage, error: Exception) -> Outcome:
        code, place = code_of(error), _place_of(message)
        if place is not None and (reason := lasting(code)) is not None:
            self._refusals.of(place).note_message(reason)
        # An edit does not reopen an archived thread. A new message does.
        if code == Code.UNKNOWN_MESSAGE or (code == Code.THREAD_ARCHIVED and message.posted is not None):
            return WasMissing(message)
        if code in DM_REFUSALS and message.kind in _DIRECT and message.person_id is not None:
            hand_id = message.id if message.kind is MessageKind.HAND else None
            await until_done(partial(self._direct_messages.refused, message.person_id, hand_id))
            self._note_first_post(message.content)
            return WasShown(message)
        if code == Code.UNKNOWN_CHANNEL:
            if message.kind not in _DIRECT and message.channel_id is not None:
                await until_done(partial(self._app.outbox.channel_deleted, message.channel_id))
            return WasRemoved(message)
        if message.kind is MessageKind.SEASON and isinstance(error, discord.HTTPException) and error.status in _FINAL:
            log.warning("the result of a season cannot be posted", server=message.guild_id, code=code)
            return WasRemoved(message)
        problem, wait = _setback(message.attempts, error)
        log.warning("a message must wait", message=message.id, kind=message.kind, code=code, seconds=wait.seconds)
        return Failed(message, problem, wait)

    async def _compose(self, content: Content) -> Message:
        match content:
            case Table():
                return await panels.table(content, self._pictures)
            case OwnHand():
                return await hand(content, self._pictures)
            case LostSeat(match):
                return panels.lost_seat(match)
            case Showdown():
                return await panels.showdown(content, self._pictures)
            case MatchSummary():
                return await panels.end(content, self._pictures)
            case Ping():
                return panels.ping(content)
            case Reminder():
                return reminder(content)
            case Commitment():
                return commitment(content)
            case Challenge():
                return challenge_panel(content)
            case SeasonResult():
                return await season_panel(content, self._pictures)


def _place_of(message: OutboxMessage) -> ChannelId | None:
    """Return the server channel of a message; None for direct messages."""
    if message.kind in _DIRECT:
        return None
    posted = message.posted
    return posted.channel_id if posted is not None and not message.post else message.channel_id


def _result(outcome: Outcome) -> Delivery:
    """Return the metrics label of an outcome."""
    match outcome:
        case WasPosted():
            return Delivery.POSTED
        case WasShown():
            return Delivery.SHOWN
        case WasRemoved():
            return Delivery.REMOVED
        case WasMissing():
            return Delivery.MISSING
        case Failed():
            return {_OUTDATED: Delivery.OUTDATED, _BROKEN: Delivery.BROKEN}.get(outcome.problem, Delivery.FAILED)


def _setback(attempts: int, error: Exception) -> tuple[str, timedelta]:
    """Return the problem and the time before the retry: Discord's `retry_after`, or exponential backoff with jitter."""
    wait = min(FIRST_RETRY * 2 ** min(attempts, 16), LAST_RETRY) * random.uniform(0.5, 1)
    if isinstance(error, discord.RateLimited):
        wait = timedelta(seconds=error.retry_after)
    return str(code_of(error) or type(error).__name__), wait
