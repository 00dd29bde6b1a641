"""The courier: takes messages from the outbox to Discord, and tells the outbox what became of them.

State comes first and messages second: whatever happens here, the match is safe, and the next try starts from the newest
state. Every try of the same post carries the same nonce, so Discord keeps it single.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

import aiohttp
import discord
import structlog

from bot.play.application import Application
from bot.values.challenges import Challenge
from bot.values.matches import MatchSummary, OwnHand, Ping, Showdown, Table
from bot.values.outbox import MessageKind, OutboxMessage
from cogs.kit.answers import Message, with_or_without_pictures
from cogs.panels import match as panels
from cogs.panels.invitation import invitation
from cogs.panels.pictures import Pictures

log = structlog.get_logger(__name__)

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
INVALID_FORM: Final = 50035
ARCHIVED: Final = 50083
DM_REFUSED: Final = frozenset((50007, 50278, 20009))
"""Direct messages are closed, no server is shared any more, or a filter stopped them."""
OPENING_TOO_FAST: Final = 40003

SOONEST: Final = timedelta(seconds=1)
LATEST: Final = timedelta(minutes=10)
LONGEST: Final = 90.0
"""Seconds after which a message under way has failed: longer than discord.py waits out a rate limit by itself."""
LEAVE_TIME: Final = 3.0
"""Seconds that messages under way are given when the bot stops; what is left is sent at the next start."""
ANSWERS_FIRST: Final = 0.1
"""Seconds that messages wait, at most, for the answers that are on their way."""
REST: Final = timedelta(seconds=30)
"""How long to sleep at most: clocks jump, and another process may have asked for messages."""

_MOST_HANGING: Final = 4096
"""Of so many messages the files are remembered; of others they are sent again."""

BREAK: Final = timedelta(hours=1)
"""How long no direct message channel is opened once Discord says that it goes too fast."""

_Failures = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)


class Courier:
    """Delivers what the outbox holds, for as long as `run` runs."""

    def __init__(
        self,
        client: discord.Client,
        app: Application,
        pictures: Pictures,
        answering: Collection[asyncio.Task[None]] = (),
    ) -> None:
        """Deliver for a client; `answering` are the answers to people that are not out yet, as they come and go."""
        self._client = client
        self._answering = answering
        self._app = app
        self._pictures = pictures
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._no_openings_until: datetime | None = None
        self._hanging: dict[int, Sequence[discord.Attachment]] = {}

    async def run(self) -> None:
        """Deliver until cancelled, then finish what is under way, unless it takes too long."""
        outbox = self._app.outbox
        try:
            while True:
                await self._let_answers_out()
                for group in await outbox.due(self._under_way):
                    self._begin(group)
                await outbox.wait(await self._rest())
        finally:
            under_way = set(self._under_way.values())
            if under_way:
                await asyncio.wait(under_way, timeout=LEAVE_TIME)
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _let_answers_out(self) -> None:
        """Let those who clicked have their answers first: they wait for them, and messages take as much work again."""
        if self._answering:
            await asyncio.wait(set(self._answering), timeout=ANSWERS_FIRST)

    async def _rest(self) -> timedelta:
        due = await self._app.outbox.next_due()
        if due is None:
            return REST
        if self._under_way:
            return SOONEST
        return min(max(due - self._app.clock(), timedelta()), REST)

    def _begin(self, group: tuple[int, ...]) -> None:
        """Deliver the messages of one match in their order, beside other matches'."""

        async def deliver() -> None:
            try:
                for notice_id in group:
                    await self._deliver(notice_id)
            except Exception:
                # Trouble with the database or a fault of ours: not to be tried again without a pause.
                log.exception("messages could not be delivered", notices=group)
                await asyncio.sleep(REST.total_seconds())
            finally:
                for notice_id in group:
                    self._under_way.pop(notice_id, None)
                self._app.outbox.stir()

        task = asyncio.create_task(deliver())
        for notice_id in group:
            self._under_way[notice_id] = task

    async def _deliver(self, notice_id: int) -> None:
        notice = await self._app.outbox.current(notice_id)
        if notice is None:
            return
        try:
            async with asyncio.timeout(LONGEST):
                await self._send(notice)
        except _Failures as error:
            await self._failed(notice, error)
        except Exception:
            log.exception("a message could not be made", notice=notice.id, kind=notice.kind)
            await self._app.outbox.failed(notice, "broken", LATEST)

    async def _send(self, notice: OutboxMessage) -> None:
        outbox = self._app.outbox
        if notice.content is None or (notice.post and notice.channel_id is None):
            await self._remove(notice)
            await outbox.removed(notice)
        elif notice.post and notice.channel_id is not None:
            message_id = await self._post(notice, notice.channel_id)
            if notice.doubtful:
                await self._edit(notice.channel_id, message_id, await self._compose(notice))
            await outbox.posted(notice, notice.channel_id, message_id)
        elif notice.message_id is not None and notice.message_channel_id is not None:
            await self._edit(notice.message_channel_id, notice.message_id, await self._compose(notice))
            await outbox.shown(notice)

    async def _post(self, notice: OutboxMessage, channel_id: int) -> int:
        channel = self._client.get_partial_messageable(channel_id)

        async def post(message: Message) -> discord.Message:
            message.layout.stop()
            return await channel.send(
                view=message.layout,
                files=message.files(),
                nonce=notice.nonce,
                allowed_mentions=message.mentions,
                silent=notice.silent,
            )

        posted = await with_or_without_pictures(await self._compose(notice), post)
        self._hang(posted)
        return posted.id

    async def _edit(self, channel_id: int, message_id: int, message: Message) -> None:
        there = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

        async def edit(message: Message) -> discord.Message:
            message.layout.stop()
            files = message.files_beside(self._hanging.pop(message_id, ()))
            return await there.edit(view=message.layout, attachments=files, allowed_mentions=message.mentions)

        self._hang(await self._with_all_files(message, edit))

    async def _with_all_files(
        self, message: Message, edit: Callable[[Message], Awaitable[discord.Message]]
    ) -> discord.Message:
        """Edit; once more with every file where one thought to be there is not, since a click may have changed it."""
        try:
            return await with_or_without_pictures(message, edit)
        except discord.HTTPException as error:
            if error.code != INVALID_FORM or not message.attached:
                raise
            return await with_or_without_pictures(message, edit)

    def forget_files(self, message_id: int) -> None:
        """Believe nothing of a message's files any more: somebody clicked on it, and the answer may change them."""
        self._hanging.pop(message_id, None)

    def _hang(self, message: discord.Message) -> None:
        """Remember what files a message has, to leave them there for as long as they do not change."""
        self._hanging[message.id] = message.attachments
        if len(self._hanging) > _MOST_HANGING:
            del self._hanging[next(iter(self._hanging))]

    async def _remove(self, notice: OutboxMessage) -> None:
        """Remove the message that is there, if one is."""
        if notice.message_id is None or notice.message_channel_id is None:
            return
        try:
            channel = self._client.get_partial_messageable(notice.message_channel_id)
            await channel.get_partial_message(notice.message_id).delete()
        except discord.HTTPException as error:
            # Gone already, or out of reach for good: either way it is not ours to remove any more.
            if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, ARCHIVED) and error.status != 403:
                raise

    async def _failed(self, notice: OutboxMessage, error: Exception) -> None:
        outbox = self._app.outbox
        code = error.code if isinstance(error, discord.HTTPException) else 0
        if code == UNKNOWN_MESSAGE:
            await outbox.lost(notice)
        elif code in DM_REFUSED and notice.kind is MessageKind.HAND and notice.person_id is not None:
            await outbox.shown(notice)
            await outbox.dm_refused(notice.person_id)
        elif code == UNKNOWN_CHANNEL:
            await outbox.removed(notice)
            if notice.kind is not MessageKind.HAND and notice.channel_id is not None:
                await outbox.channel_deleted(notice.channel_id)
        elif code == ARCHIVED and notice.message_id is not None:
            # An edit does not wake an archived thread, a new message does.
            await outbox.lost(notice)
        else:
            wait = _wait(notice, error)
            log.warning("a message must wait", notice=notice.id, kind=notice.kind, code=code, seconds=wait.seconds)
            await outbox.failed(notice, str(code or type(error).__name__), wait)

    async def _compose(self, notice: OutboxMessage) -> Message:
        """The message that shows a notice's present content."""
        match notice.content:
            case Table():
                return await panels.table(notice.content, self._pictures)
            case OwnHand():
                return await panels.hand(notice.content, self._pictures)
            case Showdown():
                return await panels.showdown(notice.content, self._pictures)
            case MatchSummary():
                return await panels.end(notice.content, self._pictures)
            case Ping():
                return panels.ping(notice.content)
            case Challenge():
                return invitation(notice.content)
            case None:
                raise LookupError("nothing to show")

    async def open_dm(self, user: discord.User | discord.Member) -> None:
        """Within an interaction of a person, learn their direct message channel if it is wanted and not known."""
        people, now = self._app.people, self._app.clock()
        if self._no_openings_until is not None and now < self._no_openings_until:
            return
        if not await people.may_open_dm(user.id):
            return
        try:
            channel = await user.create_dm()
        except _Failures as error:
            if isinstance(error, discord.HTTPException) and error.code == OPENING_TOO_FAST:
                self._no_openings_until = now + BREAK
                log.error("Discord refuses new direct messages: none are opened for an hour")
            elif isinstance(error, discord.HTTPException) and error.code in DM_REFUSED:
                await people.dm_closed(user.id)
            return
        await people.dm_opened((user.id, user.display_name), channel.id)


def _wait(notice: OutboxMessage, error: Exception) -> timedelta:
    """How long to wait before the next try: what Discord asks for, else longer each time, with some chance in it."""
    if isinstance(error, discord.RateLimited):
        return timedelta(seconds=error.retry_after)
    longer = min(SOONEST * 2 ** min(notice.attempts, 16), LATEST)
    return longer * random.uniform(0.5, 1)
