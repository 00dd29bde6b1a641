"""The content of one open page as JSON: first everything, then only the changes."""

from collections.abc import Iterator

from bot.sandbox.people.person import Person
from bot.sandbox.server.commands import invocable
from bot.sandbox.server.interactions import Interaction
from bot.sandbox.server.payloads import message_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_objects
from bot.sandbox.world.messages import Message
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel

MESSAGE_LIMIT = 100
"""Maximum number of messages that a page shows in a channel. Older messages are left out."""


class Screen:
    """Finds the changes between the content already sent to an open page and the content that its person sees now."""

    def __init__(self, state: ServerState, person: Person) -> None:
        self._state, self._person = state, person
        self._sent_channels: list[Json] = []
        self._sent_read: dict[int, int] = {}
        self._sent_revisions: dict[int, dict[int, int]] = {}
        self._sent_command_versions: dict[int, list[str]] = {}
        self._sent_online: bool | None = None

    def hello(self) -> Json:
        """Return the data that never changes while the page is open."""
        world = self._state.world
        return {
            "t": "hello",
            "me": str(self._person.id),
            "bot": str(world.bot.id),
            "users": [{"id": str(u.id), "name": u.display_name, "bot": u.bot} for u in world.users.values()],
        }

    def updates(self) -> Iterator[Json]:
        """Yield one JSON object for each change since the last call."""
        if self._sent_online != self._state.gateway.connected:
            self._sent_online = self._state.gateway.connected
            yield {"t": "bot", "online": self._sent_online}
        channels = self._person.channels()
        rows = [self._channel_json(channel) for channel in channels]
        if rows != self._sent_channels:
            self._sent_channels = rows
            yield {"t": "channels", "channels": rows}
        for channel_id, newest in list(self._person.newest_read.items()):
            if self._sent_read.get(channel_id) != newest:
                self._sent_read[channel_id] = newest
                yield {"t": "read", "channel": str(channel_id), "up_to": str(newest)}
        for channel in channels:
            yield from self._command_changes(channel)
            yield from self._message_changes(channel)

    def _channel_json(self, channel: Channel) -> Json:
        allowed = self._state.world.permissions(self._person.user, channel)
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
        archived = channel.thread is not None and channel.thread.archived
        guild = channel.guild
        return {
            "id": str(channel.id),
            "name": channel.name or self._state.world.bot.display_name,
            "kind": "dm" if guild is None else "thread" if channel.thread else "text",
            "guild": guild.name if guild else None,
            "online": self._state.gateway.reaches(guild.id if guild else None),
            "parent": str(channel.thread.parent_id) if channel.thread else None,
            "archived": archived,
            "writable": needed in allowed and not archived,
        }

    def _command_changes(self, channel: Channel) -> Iterator[Json]:
        offered = self._person.commands(channel)
        versions = [row["version"] for row in offered]
        if versions != self._sent_command_versions.get(channel.id):
            self._sent_command_versions[channel.id] = versions
            found = [
                {"name": " ".join(path), "description": leaf["description"], "options": as_objects(leaf.get("options"))}
                for row in offered
                for path, leaf in invocable(row)
            ]
            yield {"t": "commands", "channel": str(channel.id), "commands": found}

    def _message_changes(self, channel: Channel) -> Iterator[Json]:
        sent = self._sent_revisions.setdefault(channel.id, {})
        visible = {message.id: message for message in self._person.sees(channel)[-MESSAGE_LIMIT:]}
        for message_id in [message for message in sent if message not in visible]:
            del sent[message_id]
            yield {"t": "gone", "channel": str(channel.id), "id": str(message_id)}
        for message in visible.values():
            if sent.get(message.id) != message.revision:
                fresh = message.id not in sent
                sent[message.id] = message.revision
                yield {"t": "message", "fresh": fresh, "message": self._message_json(message)}

    def _message_json(self, message: Message) -> Json:
        row = message_json(self._state.world, message)
        row["pings"] = self._person.id in message.pinged
        if message.interaction is not None and message.command:
            row["via"] = {"user": message.interaction["user"]["id"], "command": message.command}
        return row


def outcome_json(interaction: Interaction, ref: object) -> Json:
    """Return an interaction's outcome for the page that started it: a failure, choices, a modal or a message."""
    row: Json = {"t": "outcome", "ref": ref, "failed": interaction.failed, "choices": interaction.choices}
    if interaction.response is not None and interaction.response.modal is not None:
        modal = interaction.response.modal
        row["modal"] = {"id": str(interaction.id), "title": modal.title, "components": modal.components}
    if interaction.original is not None and not interaction.failed:
        row["message"] = str(interaction.original.id)
    return row
