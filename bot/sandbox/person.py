"""A person at the client: what they see and what they do."""

from collections.abc import Mapping

from bot.sandbox import forms
from bot.sandbox.core import Core
from bot.sandbox.errors import NotOfferedError
from bot.sandbox.interaction import Interaction, InteractionKind, Modal
from bot.sandbox.invocation import command_data
from bot.sandbox.message import Message
from bot.sandbox.payloads import UPLOAD_LIMIT, channel_json, member_json, message_json, user_json
from bot.sandbox.permissions import Permission
from bot.sandbox.posting import post
from bot.sandbox.wire import Json
from bot.sandbox.world import Channel, User


class Person:
    """The eyes and hands of one user; each deed raises `NotOfferedError` where the real client would not allow it."""

    def __init__(self, core: Core, user: User) -> None:
        self._core = core
        self.user = user
        self.newest_read: dict[int, int] = {}
        """By channel, the id of the last message that was on this person's screen."""

    def __repr__(self) -> str:
        return f"<Person {self.user.display_name}>"

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name others see."""
        return self.user.display_name

    @property
    def dm(self) -> Channel:
        """The direct conversation with the bot."""
        return self._core.world.direct_channel(self.user)

    @property
    def pushes(self) -> list[Message]:
        """Every message that notified this person, oldest first, also those that are gone."""
        return [message for message in self._core.pushes if self.id in message.pinged]

    def sees(self, channel: Channel) -> list[Message]:
        """List what is on this person's screen in a channel: public messages and their own ephemeral ones, in order."""
        if not self._core.world.can_see(self.user, channel):
            return []
        return [message for message in channel.messages.values() if message.visible_to(self.id)]

    def direct_messages(self) -> list[Message]:
        """List the direct conversation with the bot, in order."""
        return self.sees(self.dm)

    def channels(self) -> list[Channel]:
        """List the channels, threads and direct conversations that are there for this person."""
        world = self._core.world
        return [channel for channel in world.channels.values() if world.can_see(self.user, channel)]

    def commands(self, channel: Channel) -> list[Json]:
        """List the slash commands that are offered in a channel."""
        return self._core.commands.offered(self._core.world, self.user, channel)

    async def slash(self, command: str, channel: Channel | None = None, /, **options: object) -> Interaction:
        """Use a slash command ("games start"), in the direct conversation unless a channel is given.

        Users, channels and roles are given as objects or ids, choices by name or value.
        """
        place = self._enter(channel or self.dm)
        data = command_data(self._core, self.user, place, command, _ids(options))
        return self._act(InteractionKind.COMMAND, place, data)

    async def complete(
        self, command: str, channel: Channel | None = None, /, *, option: str, value: str = "", **others: object
    ) -> Interaction:
        """Type into an option that completes; the interaction's `choices` are what is then offered."""
        place = self._enter(channel or self.dm)
        data = command_data(self._core, self.user, place, command, _ids(others), focused=(option, value))
        return self._act(InteractionKind.AUTOCOMPLETE, place, data)

    async def press(self, message: Message, button: str, *, late: bool = False) -> Interaction:
        """Press a button, named by custom_id, label or emoji.

        With `late` it is a custom_id that the message once had: the click crossed an edit on its way, and arrives
        with the message as it was.
        """
        self._touch(message)
        data = forms.late_data(message, button) if late else forms.button_data(message, button)
        return self._act(InteractionKind.COMPONENT, message.channel, data, message)

    async def choose(self, message: Message, menu: str, *values: object, late: bool = False) -> Interaction:
        """Choose in a menu, named by custom_id or placeholder: texts by label or value, users by object or id.

        With `late` it is a custom_id that the message once had, and texts are values.
        """
        self._touch(message)
        data = forms.late_data(message, menu, values) if late else forms.select_data(self._core, message, menu, values)
        return self._act(InteractionKind.COMPONENT, message.channel, data, message)

    async def submit(self, modal: Modal, fields: Mapping[str, object]) -> Interaction:
        """Fill a dialog, by custom_id or label, and send it."""
        opened = modal.opened_by
        if opened.user is not self.user:
            words = "this dialog is on someone else's screen"
            raise NotOfferedError(words)
        data = forms.modal_data(self._core, opened.channel, modal.custom_id, modal.components, fields)
        return self._act(InteractionKind.MODAL_SUBMIT, opened.channel, data, opened.source)

    async def say(self, channel: Channel, text: str) -> Message:
        """Write an ordinary message."""
        self._enter(channel)
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
        if needed not in self._core.world.permissions(self.user, channel):
            words = f"{self.name} may not write here"
            raise NotOfferedError(words)
        return post(self._core, channel, self.user, {"content": text})

    def dismiss(self, message: Message) -> None:
        """Clear an ephemeral message off the screen for good."""
        self._touch(message)
        if not message.ephemeral:
            words = "only one's own ephemeral messages can be dismissed"
            raise NotOfferedError(words)
        message.dismissed = True
        self._core.changes.notify()

    def read(self, message: Message) -> None:
        """Have seen a channel's messages up to this one."""
        self.newest_read[message.channel.id] = max(message.id, self.newest_read.get(message.channel.id, 0))
        self._core.changes.notify()

    def _enter(self, channel: Channel) -> Channel:
        if not self._core.world.can_see(self.user, channel):
            words = f"{self.name} does not see {channel.name or 'this conversation'}"
            raise NotOfferedError(words)
        # Source: Discord's reference, "Threads": nobody uses commands in an archived thread.
        if channel.thread is not None and channel.thread.archived:
            words = f"the thread {channel.name} is archived"
            raise NotOfferedError(words)
        return channel

    def _touch(self, message: Message) -> None:
        self._enter(message.channel)
        if not message.visible_to(self.id):
            words = f"{self.name} does not see this message"
            raise NotOfferedError(words)

    def _act(self, kind: InteractionKind, channel: Channel, data: Json, source: Message | None = None) -> Interaction:
        interaction = self._core.interactions.open(kind, self.user, channel, data, source)
        guild = channel.guild
        if guild is None or self._core.world.bot.id in guild.members:
            payload = interaction_json(self._core, interaction)
            interaction.delivered = self._core.gateway.dispatch(
                "INTERACTION_CREATE", payload, guild_id=guild.id if guild else None
            )
        self._core.changes.notify()
        return interaction


def _ids(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value.id if isinstance(value, Person) else value for name, value in options.items()}


def interaction_json(core: Core, interaction: Interaction) -> Json:
    """Write an interaction as INTERACTION_CREATE does."""
    world, user, channel, guild = core.world, interaction.user, interaction.channel, interaction.channel.guild
    permissions = str(int(world.permissions(user, channel)))
    row: Json = {
        "id": str(interaction.id),
        "application_id": str(world.bot.id),
        "type": int(interaction.kind),
        "data": interaction.data,
        "channel": channel_json(channel) | {"permissions": permissions},
        "channel_id": str(channel.id),
        "token": interaction.token,
        "version": 1,
        "app_permissions": str(int(world.permissions(world.bot, channel))),
        "locale": "en-US",
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
        "context": 0 if guild else 1,
        "attachment_size_limit": UPLOAD_LIMIT,
    }
    if guild is None:
        row["user"] = user_json(user)
    else:
        row |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
            "member": member_json(guild.members[user.id]) | {"permissions": permissions},
        }
    if interaction.source is not None:
        shown = interaction.source.past.get(str(interaction.data.get("custom_id")), interaction.source.components)
        row["message"] = message_json(world, interaction.source) | {"components": shown}
    return row
