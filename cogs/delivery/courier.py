"""The courier delivers the outbox's messages to Discord and records the outcomes.

State is saved before messages are sent, so a failed delivery never harms a match, and each retry starts from the newest
state. All attempts to post a message have the same nonce, so Discord posts it only once.
"""

from __future__ import annotations

import asyncio
import hmac
import random
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final, Protocol

import discord
import structlog

from bot import metrics
from bot.metrics import Delivery
from bot.model.daily_posts import DailyPost
from bot.model.discord_codes import DM_REFUSALS, Code, lasting_refusal
from bot.model.fairness import Commitment
from bot.model.ids import ChainId, ChannelId, MatchId, MessageId, PersonId
from bot.model.matches import MatchInfo, OwnHand, Ping, Table
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
from bot.model.seasons import Award, Awarded, SeasonResult
from bot.play.application import Application
from bot.play.outbox.outbox import (
    Failed,
    MessageGroup,
    Outcome,
    WasMissing,
    WasPosted,
    WasRemoved,
    WasShown,
    WasTooOld,
)
from bot.play.refusals import Unavailable
from cogs.delivery.access import Access
from cogs.delivery.direct_messages import DirectMessages
from cogs.delivery.pace import SharedRateLimiter
from cogs.delivery.saving import retry_until_done
from cogs.kit.failures import REQUEST_FAILURES, code_of
from cogs.kit.layout import note
from cogs.kit.messages import Message, send_or_edit
from cogs.kit.refusals import Refusals
from cogs.kit.screens import Screens
from cogs.words.table import IN_THREAD

log = structlog.get_logger(__name__)

MAX_CONCURRENT_GROUPS: Final = 64
"""Maximum number of matches and challenges whose messages are delivered at the same time."""
MIN_RETRY_DELAY: Final = timedelta(seconds=1)
MAX_RETRY_DELAY: Final = timedelta(minutes=10)
SEND_TIMEOUT: Final = 90.0
"""Timeout for a delivery, in seconds: longer than discord.py's own waits for a rate limit."""
RECORD_INTERVAL: Final = 1.0
"""Maximum delay before outcomes are saved while other messages of the match are still being sent, in seconds."""
SHUTDOWN_TIMEOUT: Final = 2.0
"""Timeout for messages in progress when the bot stops, in seconds. The rest are sent after the next start."""
MAX_MESSAGE_AGE: Final = 0.25
"""Maximum age of a loaded message when its delivery begins, in seconds. Older ones are loaded again."""
MAX_ANSWER_WAIT: Final = 0.1
"""Maximum time that due messages wait until answers to interactions are sent, in seconds."""
POST_TIMEOUT: Final = 1.2
"""Maximum time that an answer waits for a post, in seconds: less than `DEFER_AFTER`, so it is not deferred."""
_MAX_POST_EVENTS: Final = 256
_OUTDATED: Final = "outdated"
_BROKEN: Final = "broken"
"""`_OUTDATED` and `_BROKEN` are the recorded problems of deliveries that failed, but not because of Discord."""
_DIRECT_MESSAGE_KINDS: Final = (MessageKind.HAND, *REMINDER_KINDS)
"""The kinds of messages that are sent as direct messages."""
_PERMANENT_STATUSES: Final = (400, 403, 404)
"""HTTP statuses after which dispensable posts and reminders of the deal of the day are dropped."""
FORBIDDEN_POST_INTERVAL: Final = timedelta(minutes=30)
"""Maximum time between two attempts to post the deal of the day while permissions are missing."""
_DISPENSABLE_KINDS: Final = (MessageKind.SEASON, MessageKind.DAILY)
"""The kinds of posts that are dropped if Discord refuses them. Other messages are retried because players need them."""
_RARELY_EDITED_KINDS: Final = (MessageKind.CARD, MessageKind.DAILY)
MAX_SLEEP: Final = timedelta(seconds=30)
"""Maximum time between two checks of the outbox: the clock can jump, and other processes can add messages."""


class PrivateHands(Protocol):
    """The private answers that show hands of matches."""

    def viewers(self, match: MatchInfo) -> Collection[PersonId]:
        """Return the people whose answers show an older state of a match."""
        ...

    async def refresh(self, match_id: MatchId, hands: Mapping[PersonId, OwnHand] | None) -> None:
        """Update the answers. `hands` are the current hands of `viewers`; None if they are not loaded."""
        ...


class _PostEvent(asyncio.Event):
    """Set once the first messages of a match, or a commitment, are posted. `hand` was sent by direct message."""

    hand: OwnHand | None = None


class Courier:
    """Delivers the messages in the outbox while `run` is running."""

    def __init__(
        self,
        client: discord.Client,
        app: Application,
        access: Access,
        direct_messages: DirectMessages,
        compose: Callable[[Content], Awaitable[Message]],
        screens: Screens,
        refusals: Refusals,
        answering: Collection[asyncio.Task[None]],
        private_hands: PrivateHands,
    ) -> None:
        """`compose` returns the message that shows a content.

        `answering` is a live collection of the tasks that answer interactions. `screens` and `refusals` are the objects
        that these answers use too.
        """
        self._client = client
        self._app = app
        self._access = access
        self._direct_messages = direct_messages
        self._compose = compose
        self._screens = screens
        self._refusals = refusals
        self._answer_tasks = answering
        self._private_hands = private_hands
        self._rate_limiter = SharedRateLimiter(lambda: app.leases.process_count)
        self._group_tasks: dict[Subject, asyncio.Task[None]] = {}
        self._stale_tasks: dict[int, asyncio.Task[None]] = {}
        self._skipped: set[Subject] = set()
        """The subjects whose messages were being delivered during a later search for due messages."""
        self._is_full = False
        """True if the latest search for due messages may have left some out because too many were being delivered."""
        self._is_sleeping = False
        self._post_events: dict[Subject, _PostEvent] = {}
        """An LRU cache of events, each set once a match's first messages or a hash chain's commitment are posted."""
        self._answer_awaits_post = asyncio.Event()
        """Set when an answer starts to wait for a post. The courier then stops waiting for answers."""

    async def wait_for_first_post(self, match_id: MatchId) -> OwnHand | None:
        """Wait until a new match's tables are posted, for at most `POST_TIMEOUT` seconds.

        For a practice match, wait until the hand is sent by direct message, or until Discord refuses it. Return the
        hand that was sent.
        """
        return (await self._wait_for_post((Topic.MATCH, match_id))).hand

    async def wait_for_commitment(self, chain_id: ChainId | None, timeout: float | None = None) -> None:
        """Wait until a hash chain's commitment is posted, for at most `timeout` seconds, by default `POST_TIMEOUT`.

        If `chain_id` is None, return immediately.
        """
        if chain_id is not None:
            await self._wait_for_post((Topic.CHAIN, chain_id), timeout)

    async def _wait_for_post(self, subject: Subject, timeout: float | None = None) -> _PostEvent:
        """Wait for an event, which may not be set yet after `timeout` seconds. Return it."""
        self._answer_awaits_post.set()
        event = self._post_event(subject)
        with suppress(TimeoutError):
            async with asyncio.timeout(POST_TIMEOUT if timeout is None else timeout):
                await event.wait()
        return event

    def _post_event(self, subject: Subject) -> _PostEvent:
        event = self._post_events.pop(subject, None) or _PostEvent()
        self._post_events[subject] = event
        if len(self._post_events) > _MAX_POST_EVENTS:
            del self._post_events[next(iter(self._post_events))]
        return event

    def _note_first_post(self, content: Content | None, *, is_refused: bool = False) -> None:
        """If `content` is the last of a match's first messages, let the answers that wait for them continue."""
        match content:
            case Table(match, view) if view.board == view.boards:
                self._post_event((Topic.MATCH, match.id)).set()
            case OwnHand(match) if match.is_practice:
                event = self._post_event((Topic.MATCH, match.id))
                event.hand = None if is_refused else content
                event.set()
            case _:
                pass

    def _note_commitment(self, content: Content | None) -> None:
        """If `content` is a commitment, let the answers that wait for it continue.

        Call this only after the post of the commitment has been recorded.
        """
        if isinstance(content, Commitment):
            self._post_event((Topic.CHAIN, content.id)).set()

    async def run(self) -> None:
        """Deliver until cancelled, then wait up to `SHUTDOWN_TIMEOUT` for the messages in progress."""
        outbox = self._app.outbox
        try:
            while True:
                max_sleep = await retry_until_done(self._start_deliveries)
                self._is_sleeping = True
                await outbox.wait(max_sleep)
                self._is_sleeping = False
        finally:
            tasks = {*self._group_tasks.values(), *self._stale_tasks.values()}
            if tasks:
                _, pending = await asyncio.wait(tasks, timeout=SHUTDOWN_TIMEOUT)
                if pending:
                    log.warning("abandoned at shutdown", what="messages of matches", count=len(pending))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(Unavailable):
                await outbox.record_answered()

    async def _start_deliveries(self) -> timedelta:
        """Start to deliver the due messages. Return the maximum time before the next call."""
        outbox = self._app.outbox
        if self._answer_tasks:
            await self._wait_for_answers()
        room = MAX_CONCURRENT_GROUPS - len(self._group_tasks) - len(self._stale_tasks)
        self._is_full = room <= 0
        if self._is_full:
            return MAX_SLEEP
        self._skipped.update(self._group_tasks)
        work = await outbox.work(self._group_tasks, self._stale_tasks, limit=room, viewers=self._private_hands.viewers)
        for group in work.groups:
            self._group_tasks[group.subject] = asyncio.create_task(self._deliver_group(group))
        for message in work.stale:
            self._stale_tasks[message.id] = asyncio.create_task(self._remove_stale(message))
        await outbox.record_answered(self._group_tasks)
        self._is_full = len(work.groups) == room or len(work.stale) == room
        if work.next_due is None or self._is_full:
            return MAX_SLEEP
        return min(max(work.next_due - self._app.clock(), timedelta()), MAX_SLEEP)

    async def _wait_for_answers(self) -> None:
        """Wait up to `MAX_ANSWER_WAIT` seconds for answers in progress, because sending messages would delay them.

        Stop waiting as soon as an answer itself waits for a post by the courier.
        """
        answers = asyncio.ensure_future(asyncio.wait(set(self._answer_tasks)))
        wanted = asyncio.ensure_future(self._answer_awaits_post.wait())
        try:
            await asyncio.wait({answers, wanted}, timeout=MAX_ANSWER_WAIT, return_when=asyncio.FIRST_COMPLETED)
        finally:
            answers.cancel()
            wanted.cancel()
            self._answer_awaits_post.clear()

    @property
    def is_idle(self) -> bool:
        """True if no message is due or in progress."""
        return (
            self._is_sleeping and not self._app.outbox.is_notified and not self._group_tasks and not self._stale_tasks
        )

    async def _deliver_group(self, group: MessageGroup) -> None:
        """Deliver the messages of one match or challenge in order."""
        try:
            await self._deliver_all(group)
        except Exception:
            # This is a bug in the bot. Pause before the retry.
            log.exception("messages could not be delivered", messages=group.ids)
            metrics.DELIVERIES.labels(Delivery.BROKEN).inc()
            await asyncio.sleep(MAX_SLEEP.total_seconds())
            self._app.outbox.notify()
        finally:
            del self._group_tasks[group.subject]
            # Search again only if the subject may have new messages, or others may wait for this delivery to end.
            if group.subject in self._skipped or self._is_full:
                self._skipped.discard(group.subject)
                self._app.outbox.notify()

    async def _deliver_all(self, group: MessageGroup) -> None:
        """Deliver messages in order and record the outcomes, in batches if that is safe.

        The outcome of a post must not be lost, or the message would be posted twice.
        """
        outbox = self._app.outbox
        outcomes: list[Outcome] = []
        ids, messages = group.ids, group.messages
        loaded_at = first_unsaved = time.monotonic()
        topic, subject_id = group.subject
        if topic is Topic.MATCH:
            await self._private_hands.refresh(MatchId(subject_id), group.hands)
        try:
            while ids:
                if messages is None or time.monotonic() - loaded_at > MAX_MESSAGE_AGE:
                    loaded_at = time.monotonic()
                    messages = await retry_until_done(partial(outbox.current, ids))
                if not messages:
                    break
                message, *later = messages
                ids, messages = tuple(others.id for others in later), tuple(later)
                outcome = await self._deliver(message)
                if outcome is None:
                    # Another process delivers this server's messages now.
                    break
                outcomes.append(outcome)
                metrics.DELIVERIES.labels(_delivery_label(outcome)).inc()
                if isinstance(outcome, WasMissing):
                    # Stop here, so that this message is posted again before the other messages, which can take long.
                    break
                # Record some outcomes immediately: tables wait for showdowns, and new matches wait for commitments.
                is_lasting = message.kind in (MessageKind.SHOWDOWN, MessageKind.END, MessageKind.COMMITMENT)
                if is_lasting or time.monotonic() - first_unsaved > RECORD_INTERVAL:
                    outcomes = await self._delete_replaced(outcomes)
                    await retry_until_done(partial(outbox.record, outcomes))
                    outcomes, first_unsaved = [], time.monotonic()
                    self._note_commitment(message.content)
            outcomes = await self._delete_replaced(outcomes)
        finally:
            await retry_until_done(partial(outbox.record, outcomes))

    async def _delete_replaced(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Delete the messages that were replaced by new posts.

        Return the outcomes. `stale`, an outcome's replaced message, is set to None if it was deleted.
        """
        return [
            replace(outcome, stale=None)
            if isinstance(outcome, WasPosted) and outcome.stale is not None and await self._try_delete(outcome.stale)
            else outcome
            for outcome in outcomes
        ]

    async def _try_delete(self, posted: PostedMessage) -> bool:
        """Delete a message. Return False if that failed."""
        try:
            await self._delete(posted)
        except REQUEST_FAILURES:
            return False
        return True

    async def _deliver(self, message: OutboxMessage) -> Outcome | None:
        """Deliver a message and return the outcome; None if another process is responsible for the server."""
        try:
            async with self._app.share.working_for(message.guild_id) as is_own, asyncio.timeout(SEND_TIMEOUT):
                outcome = await self._send(message) if is_own else None
            if isinstance(outcome, WasPosted | WasShown) and (place := _server_channel_of(message)) is not None:
                self._refusals.of(place).record_success()
            return outcome
        except REQUEST_FAILURES as error:
            return await self._after_failure(message, error)
        except Exception:
            log.exception("a message could not be made", message=message.id, kind=message.kind)
            return Failed(message, _BROKEN, MAX_RETRY_DELAY)

    async def _send(self, message: OutboxMessage) -> Outcome:
        content, channel_id = message.content, message.channel_id
        if isinstance(content, Ping) and channel_id is not None:
            may_mention = await self._access.may_be_mentioned(content.person_id, message.guild_id, channel_id)
            content = content if may_mention else None
        if isinstance(content, SeasonResult):
            content = await self._without_hidden_deals(content)
        if content is None or (message.needs_post and channel_id is None):
            # Delete the last known post, and also a newer post that Discord may have made without confirming it.
            for posted in (await self._find_lost_post(message), message.posted):
                if posted is not None:
                    await self._delete(posted)
            return WasRemoved(message)
        if message.needs_post and channel_id is not None:
            composed = await self._compose(content)
            pings = await self._pings(message, channel_id, composed)
            posted = await self._post(message, channel_id, replace(composed, pings=pings))
            # A post with a commitment is never edited, so that its time proves that it preceded the match.
            if message.may_be_posted and not isinstance(content, Commitment):
                await self._edit(posted, await self._compose(content))
            self._note_first_post(content)
            stale = message.posted
            if stale is not None and stale.message_id == posted.channel_id and await self._link_to_thread(stale):
                stale = None
            return WasPosted(message, posted, stale)
        assert message.posted is not None
        if not await self._edit(message.posted, await self._compose(content)):
            return Failed(message, _OUTDATED, timedelta())
        return WasShown(message)

    async def _without_hidden_deals(self, result: SeasonResult) -> SeasonResult:
        """Keep the awards for the largest deals in channels that everybody on the server can see."""
        others = tuple(superlative for superlative in result.superlatives if superlative.award is not Award.DEAL)
        largest = list[Awarded]()
        for deal in (superlative for superlative in result.superlatives if superlative.award is Award.DEAL):
            if largest and deal.value < largest[0].value:
                break
            if deal.channel_id is not None and await self._access.is_visible_to_all(result.guild_id, deal.channel_id):
                largest.append(deal)
        return replace(result, superlatives=(*others, *largest))

    async def _pings(self, message: OutboxMessage, channel_id: ChannelId, composed: Message) -> tuple[PersonId, ...]:
        """Return the people to ping: nobody for a reposted message, and nobody that a mention would add to a thread."""
        if message.was_deleted:
            return ()
        if message.kind is MessageKind.PING:
            # `_send` has already checked that the person may be mentioned.
            return composed.pings
        may_be_mentioned = self._access.may_be_mentioned
        return tuple([ping for ping in composed.pings if await may_be_mentioned(ping, message.guild_id, channel_id)])

    async def _post(self, message: OutboxMessage, channel_id: ChannelId, composed: Message) -> PostedMessage:
        channel = self._client.get_partial_messageable(channel_id)
        await self._rate_limiter.wait()
        sent = await send_or_edit(
            composed,
            lambda content, _: content.send(channel.send, nonce=self._nonce(message), silent=message.is_silent),
            self._refusals.of(channel_id),
        )
        self._screens.of(sent.id).remember_files(sent)
        return PostedMessage(channel_id, MessageId(sent.id))

    def _nonce(self, message: OutboxMessage) -> str:
        """Return a keyed hash of a message's nonce, of 24 characters; Discord allows 25.

        Everybody sees nonces. The plain ones count all wanted messages, so they would show that somebody made a move
        that nobody may see yet.
        """
        token = (self._client.http.token or "").encode()
        return hmac.digest(token, message.nonce.encode(), "sha256")[:12].hex()

    async def _link_to_thread(self, posted: PostedMessage) -> bool:
        """Edit the old table to say that the match continues in its thread. Return False if that failed."""
        target = self._client.get_partial_messageable(posted.channel_id).get_partial_message(posted.message_id)
        try:
            await self._rate_limiter.wait()
            await note(IN_THREAD).edit(target.edit, ())
        except REQUEST_FAILURES:
            return False
        return True

    async def _find_lost_post(self, message: OutboxMessage) -> PostedMessage | None:
        """Find an unwanted message that Discord may have posted without confirming it.

        To find it, send a message with the same nonce: Discord returns the existing post, or else makes a silent one.
        """
        if not (message.needs_post and message.may_be_posted) or message.channel_id is None:
            return None
        channel = self._client.get_partial_messageable(message.channel_id)
        try:
            await self._rate_limiter.wait()
            sent = await note("…").send(channel.send, nonce=self._nonce(message), silent=True)
        except (discord.Forbidden, discord.NotFound):
            return None
        return PostedMessage(message.channel_id, MessageId(sent.id))

    async def _edit(self, posted: PostedMessage, composed: Message) -> bool:
        """Edit a message. Return False if an answer to a click has already shown a newer state."""
        target = self._client.get_partial_messageable(posted.channel_id).get_partial_message(posted.message_id)
        await self._rate_limiter.wait()
        return await self._screens.of(posted.message_id).edit(
            composed, lambda content, kept: content.edit(target.edit, kept), self._refusals.of(posted.channel_id)
        )

    async def _remove_stale(self, message: StaleMessage) -> None:
        try:
            await self._delete(message.posted)
            await retry_until_done(partial(self._app.outbox.save_stale_removed, message))
        except REQUEST_FAILURES as error:
            problem, wait = _problem_and_delay(message.attempts, error)
            log.warning("deleting a replaced message will be retried", problem=problem, seconds=wait.seconds)
            await retry_until_done(partial(self._app.outbox.save_stale_failed, message, problem, wait))
        except Exception:
            log.exception("a replaced message could not be deleted", message=message.id)
            await asyncio.sleep(MAX_SLEEP.total_seconds())
        finally:
            del self._stale_tasks[message.id]
            self._app.outbox.notify()

    async def _delete(self, posted: PostedMessage) -> None:
        """Delete a message. Do nothing if it is already gone, or if the bot is not allowed to delete it."""
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                channel = self._client.get_partial_messageable(posted.channel_id)
                await self._rate_limiter.wait()
                await channel.get_partial_message(posted.message_id).delete()
        except discord.HTTPException as error:
            if (
                error.code not in (Code.UNKNOWN_MESSAGE, Code.UNKNOWN_CHANNEL, Code.THREAD_ARCHIVED)
                and error.status != 403
            ):
                raise

    async def _after_failure(self, message: OutboxMessage, error: Exception) -> Outcome:
        code, place = code_of(error), _server_channel_of(message)
        if place is not None and (reason := lasting_refusal(code)) is not None:
            self._refusals.of(place).record_message_refusal(reason)
        # Discord refuses edits in an archived thread, but a new message reopens the thread.
        if code == Code.UNKNOWN_MESSAGE or (code == Code.THREAD_ARCHIVED and message.posted is not None):
            return WasMissing(message)
        if not message.needs_post and _allows_no_edits(message, error):
            return WasTooOld(message)
        if code in DM_REFUSALS and message.kind in _DIRECT_MESSAGE_KINDS and message.person_id is not None:
            hand_id = message.id if message.kind is MessageKind.HAND else None
            await retry_until_done(partial(self._direct_messages.record_refusal, message.person_id, hand_id))
            self._note_first_post(message.content, is_refused=True)
            return WasShown(message)
        if code == Code.UNKNOWN_CHANNEL:
            if message.kind not in _DIRECT_MESSAGE_KINDS and message.channel_id is not None:
                await retry_until_done(partial(self._app.outbox.save_channel_deleted, message.channel_id))
            return WasRemoved(message)
        if isinstance(message.content, DailyPost) and isinstance(error, discord.Forbidden):
            log.warning("a post will be retried", kind=message.kind, server=message.guild_id, code=code)
            return Failed(message, str(code), FORBIDDEN_POST_INTERVAL * random.uniform(0.8, 1))
        if isinstance(error, discord.HTTPException) and error.status in _PERMANENT_STATUSES:
            if message.kind in _DISPENSABLE_KINDS:
                log.warning("a post is given up", kind=message.kind, server=message.guild_id, code=code)
                return WasRemoved(message)
            if message.kind is MessageKind.DAILY_REMINDER and message.person_id is not None:
                if code == Code.NO_MUTUAL_SERVER:
                    await retry_until_done(partial(self._app.outbox.stop_daily_reminders, message.person_id))
                else:
                    log.warning("a reminder of the deal of the day cannot be posted", code=code)
                # Not `WasRemoved`: the next reminder replaces the last one that was posted.
                return WasShown(message)
        problem, wait = _problem_and_delay(message.attempts, error)
        log.warning("a message will be retried", message=message.id, kind=message.kind, code=code, seconds=wait.seconds)
        return Failed(message, problem, wait)


def _server_channel_of(message: OutboxMessage) -> ChannelId | None:
    """Return the server channel of a message; None for direct messages."""
    if message.kind in _DIRECT_MESSAGE_KINDS:
        return None
    posted = message.posted
    return posted.channel_id if posted is not None and not message.needs_post else message.channel_id


def _delivery_label(outcome: Outcome) -> Delivery:
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
        case WasTooOld():
            return Delivery.OUTDATED
        case Failed():
            return {_OUTDATED: Delivery.OUTDATED, _BROKEN: Delivery.BROKEN}.get(outcome.problem, Delivery.FAILED)


def _allows_no_edits(message: OutboxMessage, error: Exception) -> bool:
    """Return True if an edit failed because Discord allows only a few edits per hour of an old message.

    If Discord asks for a long wait, discord.py raises `RateLimited` without the code of the refusal. Cards and deals of
    the day are edited too rarely to meet any other limit with a long wait.
    """
    is_rare = message.kind in _RARELY_EDITED_KINDS
    return code_of(error) == Code.OLD_MESSAGE_EDITS or (is_rare and isinstance(error, discord.RateLimited))


def _problem_and_delay(attempts: int, error: Exception) -> tuple[str, timedelta]:
    """Return the problem and the time before the retry: Discord's `retry_after`, or exponential backoff with jitter."""
    wait = min(MIN_RETRY_DELAY * 2 ** min(attempts, 16), MAX_RETRY_DELAY) * random.uniform(0.5, 1)
    if isinstance(error, discord.RateLimited):
        wait = timedelta(seconds=error.retry_after)
    return str(code_of(error) or type(error).__name__), wait
