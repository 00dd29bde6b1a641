"""Answering interactions: every one gets exactly one first answer, in time, whatever happens to the handler.

Discord takes a first answer for three seconds. A timer defers after half of that; whatever is said later goes where the
deferral left room. All answers pass through here, so that two of them never race.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog
from discord import ui
from discord.utils import snowflake_time

log = structlog.get_logger(__name__)

DEFER_AFTER: Final = 1.5
"""Seconds until an interaction without an answer is deferred."""

TOKEN_LIVES: Final = 15 * 60
"""Seconds after which an interaction takes no answer of any kind."""

UNKNOWN_MESSAGE: Final = 10008
ACKNOWLEDGED: Final = 40060
UNKNOWN_INTERACTION: Final = 10062

NO_FILES: Final = frozenset((50013, 400001, 40005))
"""A permission is missing, which may be that for files; the server may upload none for now; or they are too large."""

Interaction = discord.Interaction[discord.Client]

Sent = TypeVar("Sent")


@dataclass(frozen=True, slots=True)
class Attached:
    """A file of a message, with the words that stand for it where it cannot be seen."""

    name: str
    content: bytes
    alt: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message to send: its layout, the files it refers to by name, and whom it may ping."""

    layout: ui.LayoutView
    attached: tuple[Attached, ...] = ()
    pings: tuple[int, ...] = ()

    def files(self) -> list[discord.File]:
        """The files; new ones for each try, since sending uses them up."""
        return list(map(_file, self.attached))

    def files_beside(self, there: Iterable[discord.Attachment]) -> list[discord.File | discord.Attachment]:
        """The files of a message that has some already: those of the same name stay, and are not sent again."""
        kept = {attachment.filename: attachment for attachment in there}
        return [kept.get(one.name) or _file(one) for one in self.attached]

    @property
    def illustrated(self) -> bool:
        """Whether it has files, and they are pictures whose facts are in its words too."""
        return bool(self.attached) and all(one.alt for one in self.attached)

    def in_words(self) -> Message:
        """The message without its pictures."""
        for item in list(self.layout.walk_children()):
            if isinstance(item, ui.MediaGallery) and isinstance(item.parent, ui.Container):
                item.parent.remove_item(item)
        return Message(self.layout, (), self.pings)

    @property
    def mentions(self) -> discord.AllowedMentions:
        """Exactly the people to ping."""
        users = [discord.Object(person) for person in self.pings]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def _file(one: Attached) -> discord.File:
    return discord.File(BytesIO(one.content), filename=one.name, description=one.alt)


class Answer:
    """The answer to one interaction. Get it with `Answer.to`; it is the same object for the same interaction."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._turn = asyncio.Lock()
        self._first: discord.InteractionResponseType | None = None
        self._there: Sequence[discord.Attachment] = interaction.message.attachments if interaction.message else ()
        self.settled = asyncio.Event()

    @staticmethod
    def to(interaction: Interaction) -> Answer:
        """The answer of an interaction."""
        answer: Answer = interaction.extras.setdefault("answer", Answer(interaction))
        return answer

    async def watch(self) -> None:
        """Wait for the answer; defer where it is not there in time. Gives up once nothing can be answered any more."""
        try:
            async with asyncio.timeout(DEFER_AFTER):
                await self.settled.wait()
        except TimeoutError:
            try:
                await self.defer()
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.warning("an answer could not be deferred", error=type(error).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TOKEN_LIVES):
                    await self.settled.wait()

    async def defer(self) -> None:
        """Tell Discord that an answer is coming: a click shows nothing yet, a command shows that the bot thinks."""
        async with self._turn:
            if self._first is not None:
                return
            click = self._interaction.type is discord.InteractionType.component
            response = self._interaction.response
            kind = discord.InteractionResponseType
            await self._begin(
                kind.deferred_message_update if click else kind.deferred_channel_message,
                lambda: response.defer() if click else response.defer(ephemeral=True, thinking=True),
            )

    async def say(self, message: Message) -> None:
        """Answer with a private message of its own."""
        await with_or_without_pictures(message, self._say)

    async def _say(self, message: Message) -> None:
        message.layout.stop()
        async with self._turn, self._settling():
            kind = discord.InteractionResponseType
            if self._first is None and await self._begin(
                kind.channel_message,
                lambda: self._interaction.response.send_message(
                    view=message.layout, files=message.files(), ephemeral=True, allowed_mentions=message.mentions
                ),
            ):
                return
            if self._first is kind.deferred_channel_message:
                self._first = kind.channel_message
                await self._edit(message, ())
                return
            await _tried_twice(
                lambda: self._interaction.followup.send(
                    view=message.layout, files=message.files(), ephemeral=True, allowed_mentions=message.mentions
                )
            )

    async def tell(self, message: Message) -> None:
        """Say something to everyone in the channel, beside the answer to whom the interaction is from."""
        await self.defer()
        await with_or_without_pictures(message, self._tell)

    async def _tell(self, message: Message) -> None:
        message.layout.stop()
        async with self._turn:
            await _tried_twice(
                lambda: self._interaction.followup.send(
                    view=message.layout, files=message.files(), allowed_mentions=message.mentions
                )
            )

    async def update(self, message: Message) -> None:
        """Answer a click by bringing the message it was on up to date; if that is gone, with a message of its own."""
        try:
            await with_or_without_pictures(message, self._update)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            await self.say(message)

    async def _update(self, message: Message) -> None:
        message.layout.stop()
        async with self._turn, self._settling():
            kind = discord.InteractionResponseType
            there, self._there = self._there, ()
            if self._first is None and await self._begin(
                kind.message_update,
                lambda: self._interaction.response.edit_message(
                    view=message.layout, attachments=message.files_beside(there), allowed_mentions=message.mentions
                ),
            ):
                return
            await self._edit(message, there if self._first is kind.deferred_message_update else ())

    async def _edit(self, message: Message, there: Iterable[discord.Attachment]) -> None:
        await _tried_twice(
            lambda: self._interaction.edit_original_response(
                view=message.layout, attachments=message.files_beside(there), allowed_mentions=message.mentions
            )
        )

    @contextlib.asynccontextmanager
    async def _settling(self) -> AsyncGenerator[None]:
        yield
        self.settled.set()

    async def _begin(self, kind: discord.InteractionResponseType, send: Callable[[], Awaitable[Any]]) -> bool:
        """Send the first answer; whether it is there now as sent.

        An answer that was taken while its confirmation got lost shows as "already acknowledged" at the second try.
        """
        try:
            await _tried_twice(send)
        except discord.HTTPException as error:
            if error.code == ACKNOWLEDGED:
                self._first = kind
                return kind is not discord.InteractionResponseType.message_update
            if error.code == UNKNOWN_INTERACTION:
                age = datetime.now(UTC) - snowflake_time(self._interaction.id)
                log.warning("too late to answer", age=round(age.total_seconds(), 3))
                self._first = kind
                return True
            raise
        self._first = kind
        return True


async def with_or_without_pictures(message: Message, send: Callable[[Message], Awaitable[Sent]]) -> Sent:
    """Send a message, in words alone where Discord refuses its pictures."""
    try:
        return await send(message)
    except discord.HTTPException as error:
        if error.code not in NO_FILES or not message.illustrated:
            raise
        return await send(message.in_words())


async def _tried_twice(send: Callable[[], Awaitable[Sent]]) -> Sent:
    """Send something again if the connection breaks, which discord.py does not do: better said twice than never."""
    try:
        return await send()
    except (aiohttp.ClientError, OSError):
        return await send()
