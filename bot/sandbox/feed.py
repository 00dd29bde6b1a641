"""What one person's screen shows, as the page gets it: everything at first, then only what changed."""

from collections.abc import Iterator

from bot.sandbox.commands import leaves
from bot.sandbox.core import Core
from bot.sandbox.interaction import Interaction
from bot.sandbox.message import Message
from bot.sandbox.payloads import message_json
from bot.sandbox.permissions import Permission
from bot.sandbox.person import Person
from bot.sandbox.wire import Json, rows
from bot.sandbox.world import Channel

# Older messages stay in the world, but not on the screen.
SHOWN = 100


class Feed:
    """Compares a person's view with what their page has already got."""

    def __init__(self, core: Core, person: Person) -> None:
        self._core, self._person = core, person
        self._places: list[Json] = []
        self._read: dict[int, int] = {}
        self._messages: dict[int, dict[int, int]] = {}
        self._commands: dict[int, list[str]] = {}
        self._online: bool | None = None

    def greet(self) -> Json:
        """Write what never changes while the page is open."""
        world = self._core.world
        return {
            "t": "hello",
            "me": str(self._person.id),
            "bot": str(world.bot.id),
            "users": [{"id": str(u.id), "name": u.display_name, "bot": u.bot} for u in world.users.values()],
        }

    def changes(self) -> Iterator[Json]:
        """Yield what is new since the last call."""
        if self._online != self._core.gateway.connected:
            self._online = self._core.gateway.connected
            yield {"t": "bot", "online": self._online}
        channels = self._person.channels()
        places = [self._place(channel) for channel in channels]
        if places != self._places:
            self._places = places
            yield {"t": "channels", "channels": places}
        for channel_id, newest in list(self._person.newest_read.items()):
            if self._read.get(channel_id) != newest:
                self._read[channel_id] = newest
                yield {"t": "read", "channel": str(channel_id), "upto": str(newest)}
        for channel in channels:
            yield from self._command_changes(channel)
            yield from self._message_changes(channel)

    def _place(self, channel: Channel) -> Json:
        allowed = self._core.world.permissions(self._person.user, channel)
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
        archived = channel.thread is not None and channel.thread.archived
        return {
            "id": str(channel.id),
            "name": channel.name or self._core.world.bot.display_name,
            "kind": "direct" if channel.guild is None else "thread" if channel.thread else "text",
            "guild": channel.guild.name if channel.guild else None,
            "parent": str(channel.thread.parent_id) if channel.thread else None,
            "archived": archived,
            "writable": needed in allowed and not archived,
        }

    def _command_changes(self, channel: Channel) -> Iterator[Json]:
        offered = self._person.commands(channel)
        versions = [row["version"] for row in offered]
        if versions != self._commands.get(channel.id):
            self._commands[channel.id] = versions
            found = [
                {"name": " ".join(path), "description": leaf["description"], "options": rows(leaf.get("options"))}
                for row in offered
                for path, leaf in leaves(row)
            ]
            yield {"t": "commands", "channel": str(channel.id), "commands": found}

    def _message_changes(self, channel: Channel) -> Iterator[Json]:
        known = self._messages.setdefault(channel.id, {})
        visible = {message.id: message for message in self._person.sees(channel)[-SHOWN:]}
        for gone in [message for message in known if message not in visible]:
            del known[gone]
            yield {"t": "gone", "channel": str(channel.id), "id": str(gone)}
        for message in visible.values():
            if known.get(message.id) != message.revision:
                fresh = message.id not in known
                known[message.id] = message.revision
                yield {"t": "message", "fresh": fresh, "message": self._message(message)}

    def _message(self, message: Message) -> Json:
        row = message_json(self._core.world, message)
        row["pings"] = self._person.id in message.pinged
        if message.interaction is not None:
            source = self._core.interactions.by_id[int(message.interaction["id"])]
            if source.command:
                row["via"] = {"user": str(source.user.id), "command": source.command}
        return row


def outcome(interaction: Interaction, ref: object) -> Json:
    """Write how an interaction that this page began has ended."""
    row: Json = {"t": "outcome", "ref": ref, "failed": interaction.failed, "choices": interaction.choices}
    if interaction.response is not None and interaction.response.modal is not None:
        modal = interaction.response.modal
        row["modal"] = {"id": str(interaction.id), "title": modal.title, "components": modal.components}
    if interaction.original is not None and not interaction.failed:
        row["message"] = str(interaction.original.id)
    return row
