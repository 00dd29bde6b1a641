"""A fake courier, which delivers the outbox to a dictionary of messages instead of Discord."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from bot.model.ids import ChannelId, MessageId, OutboxId
from bot.model.outbox import MessageKind, OutboxMessage, PostedMessage
from bot.play.application import Application
from bot.play.outbox.outbox import Outcome, WasMissing, WasPosted, WasRemoved, WasShown


@dataclass
class DeliveredMessage:
    """A delivered message in its latest state. `notifies` is true if its post was not silent."""

    id: MessageId
    channel_id: ChannelId
    shown: OutboxMessage
    notifies: bool
    edits: int = 0


@dataclass
class FakeCourier:
    """Delivers like the real courier: it posts, edits and removes messages, respects nonces, and records outcomes."""

    app: Application
    messages: dict[MessageId, DeliveredMessage] = field(default_factory=dict[MessageId, DeliveredMessage])
    log: list[tuple[str, MessageKind]] = field(default_factory=list[tuple[str, MessageKind]])
    nonces: dict[str, MessageId] = field(default_factory=dict[str, MessageId])
    cannot_delete_replaced: bool = False
    """True if messages that were replaced by a newer post stay in the channel and are recorded as stale."""
    _ids: Callable[[], int] = field(default_factory=lambda: count(10**18).__next__)

    async def deliver(self) -> list[tuple[str, MessageKind]]:
        """Deliver until nothing is due. Return each delivery: "post", "edit" or "remove", and the kind of the message.

        Raises:
            AssertionError: a message is still due after 50 rounds.
        """
        self.log.clear()
        for _ in range(50):
            work = await self.app.outbox.work()
            ids = [outbox_id for group in work.groups for outbox_id in group.ids]
            if not ids and not work.stale:
                return list(self.log)
            for outbox_id in ids:
                for message in await self.app.outbox.current([outbox_id]):
                    await self.deliver_one(message)
            for stale in (await self.app.outbox.work()).stale if ids else work.stale:
                self._remove(stale.posted)
                await self.app.outbox.save_stale_removed(stale)
        raise AssertionError(f"always due: {await self.due_ids()}")

    async def due_ids(self) -> list[OutboxId]:
        """Return the ids of all messages that are due, in the order in which they should be sent."""
        return [outbox_id for group in (await self.app.outbox.work()).groups for outbox_id in group.ids]

    async def due(self) -> list[OutboxMessage]:
        """Return all messages that are due, in the order in which they should be sent."""
        groups = (await self.app.outbox.work()).groups
        return [message for group in groups for message in await self.app.outbox.current(group.ids)]

    async def deliver_one(self, message: OutboxMessage) -> None:
        """Deliver one message and record the outcome."""
        await self.app.outbox.record([self.send(message)])

    def send(self, message: OutboxMessage) -> Outcome:
        """Post, edit or remove one message, whichever is due. Return the outcome without recording it."""
        if message.content is None or (message.needs_post and message.channel_id is None):
            if message.posted is not None:
                self._remove(message.posted)
            return WasRemoved(message)
        if message.needs_post and message.channel_id is not None:
            delivered = self.post(message, message.channel_id)
            if message.may_be_posted:
                delivered.shown = message
            posted = PostedMessage(delivered.channel_id, delivered.id)
            if message.posted is not None and self.cannot_delete_replaced:
                return WasPosted(message, posted, stale=message.posted)
            if message.posted is not None:
                self._remove(message.posted)
            return WasPosted(message, posted)
        assert message.posted is not None
        if message.posted.message_id not in self.messages:
            return WasMissing(message)
        delivered = self.messages[message.posted.message_id]
        delivered.shown, delivered.edits = message, delivered.edits + 1
        self.log.append(("edit", message.kind))
        return WasShown(message)

    def post(self, message: OutboxMessage, channel_id: ChannelId) -> DeliveredMessage:
        """Post a message as Discord does: if its nonce was used before, return the earlier message."""
        if message.nonce in self.nonces:
            return self.messages[self.nonces[message.nonce]]
        delivered = DeliveredMessage(MessageId(self._ids()), channel_id, message, notifies=not message.is_silent)
        self.messages[delivered.id] = delivered
        self.nonces[message.nonce] = delivered.id
        self.log.append(("post", message.kind))
        return delivered

    def of_kind(self, kind: MessageKind, channel_id: ChannelId | None = None) -> list[DeliveredMessage]:
        """Return the delivered messages of a kind, oldest first."""
        found = (message for message in self.messages.values() if message.shown.kind is kind)
        return [message for message in found if channel_id in (None, message.channel_id)]

    def _remove(self, posted: PostedMessage) -> None:
        removed = self.messages.pop(posted.message_id, None)
        if removed is not None:
            self.log.append(("remove", removed.shown.kind))
