"""A courier without Discord: it delivers what the outbox holds into channels that are lists of messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from bot.play.application import Application
from bot.values.outbox import MessageKind, OutboxMessage


@dataclass
class Posted:
    """A message in a channel, and the notice as it was shown last; `calls` tells whether it notified anybody."""

    id: int
    channel_id: int
    notice: OutboxMessage
    calls: bool
    edits: int = 0


@dataclass
class Post:
    """Delivers like the real courier: posts, edits and removes, keeps nonces single, and reports back."""

    app: Application
    messages: dict[int, Posted] = field(default_factory=dict[int, Posted])
    log: list[tuple[str, MessageKind]] = field(default_factory=list[tuple[str, MessageKind]])
    nonces: dict[str, int] = field(default_factory=dict[str, int])
    _ids: Callable[[], int] = field(default_factory=lambda: count(10**18).__next__)

    async def deliver(self) -> list[tuple[str, MessageKind]]:
        """Deliver all that is due until nothing is, and give what was done: "post", "edit" or "remove" of what.

        Raises:
            AssertionError: something stays due however often it is delivered.
        """
        self.log.clear()
        for _ in range(50):
            groups = await self.app.outbox.due()
            if not groups:
                return list(self.log)
            for group in groups:
                for notice_id in group:
                    notice = await self.app.outbox.current(notice_id)
                    if notice is not None:
                        await self.send(notice)
        raise AssertionError(f"always due: {await self.app.outbox.due()}")

    async def send(self, notice: OutboxMessage) -> None:
        """Deliver one message, and say so."""
        outbox = self.app.outbox
        if notice.content is None or (notice.post and notice.channel_id is None):
            self._remove(notice)
            await outbox.removed(notice)
        elif notice.post and notice.channel_id is not None:
            message = self.post(notice, notice.channel_id)
            if notice.doubtful:
                message.notice = notice
            await outbox.posted(notice, message.channel_id, message.id)
        elif notice.message_id not in self.messages:
            await outbox.lost(notice)
        else:
            message = self.messages[notice.message_id]
            message.notice, message.edits = notice, message.edits + 1
            self.log.append(("edit", notice.kind))
            await outbox.shown(notice)

    def post(self, notice: OutboxMessage, channel_id: int) -> Posted:
        """Post a message as Discord does: a nonce that was used gives the message that it made."""
        if notice.nonce in self.nonces:
            return self.messages[self.nonces[notice.nonce]]
        message = Posted(self._ids(), channel_id, notice, calls=not notice.silent)
        self.messages[message.id] = message
        self.nonces[notice.nonce] = message.id
        self.log.append(("post", notice.kind))
        return message

    def of(self, kind: MessageKind, channel_id: int | None = None) -> list[Posted]:
        """The messages there are of a kind, oldest first."""
        found = (one for one in self.messages.values() if one.notice.kind is kind)
        return [one for one in found if channel_id in (None, one.channel_id)]

    def _remove(self, notice: OutboxMessage) -> None:
        if notice.message_id is not None and self.messages.pop(notice.message_id, None) is not None:
            self.log.append(("remove", notice.kind))
