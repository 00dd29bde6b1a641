"""A person at a Discord client: what they see, and their actions."""

from collections.abc import Mapping

from bot.sandbox.people import component_data
from bot.sandbox.people.command_data import command_data
from bot.sandbox.people.errors import NotOfferedError
from bot.sandbox.server.interactions import Interaction, InteractionKind, Modal
from bot.sandbox.server.message_actions import post
from bot.sandbox.server.payloads import interaction_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json
from bot.sandbox.world.messages import Message
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel, User


class Person:
    """A person who uses Discord with the account `user`.

    Every action raises `NotOfferedError` if the real client would not offer it to this person.
    """

    def __init__(self, state: ServerState, user: User) -> None:
        self._state = state
        self.user = user

    def __repr__(self) -> str:
        return f"<Person {self.user.display_name}>"

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The user's display name."""
        return self.user.display_name

    @property
    def newest_read(self) -> dict[int, int]:
        """The id of the newest message that this person has read, by channel id."""
        return self.user.newest_read

    @property
    def dm(self) -> Channel:
        """The DM channel with the bot."""
        return self._state.world.dm_channel(self.user)

    @property
    def pushes(self) -> list[Message]:
        """The messages that notified this person, oldest first, including deleted ones."""
        return [message for message in self._state.pushes if self.id in message.pinged]

    def sees(self, channel: Channel) -> list[Message]:
        """List the messages that this person sees in a channel, oldest first, including their own ephemeral ones."""
        if not self._state.world.can_see(self.user, channel):
            return []
        return [message for message in channel.messages.values() if message.visible_to(self.id)]

    def direct_messages(self) -> list[Message]:
        """List the messages in the DM channel with the bot, oldest first."""
        return self.sees(self.dm)

    def channels(self) -> list[Channel]:
        """List the channels, threads and DM channels that this person sees."""
        world = self._state.world
        return [channel for channel in world.channels.values() if world.can_see(self.user, channel)]

    def commands(self, channel: Channel) -> list[Json]:
        """List the slash commands that this person can use in a channel."""
        return self._state.commands.offered_to(self._state.world, self.user, channel)

    async def slash(self, command: str, channel: Channel | None = None, /, **options: object) -> Interaction:
        """Use a slash command, such as "games start". Without a `channel`, use it in the DM channel.

        Options for users, channels and roles take objects or ids. Options with choices take names or values.
        """
        target = self._check_usable(channel or self.dm)
        data = command_data(self._state, self.user, target, command, _with_ids(options))
        return self._interact(InteractionKind.COMMAND, target, data)

    async def complete(
        self, command: str, channel: Channel | None = None, /, *, option: str, value: str = "", **others: object
    ) -> Interaction:
        """Type `value` into an option with autocomplete. Once the bot has answered, the interaction has `choices`."""
        target = self._check_usable(channel or self.dm)
        data = command_data(self._state, self.user, target, command, _with_ids(others), focused=(option, value))
        return self._interact(InteractionKind.AUTOCOMPLETE, target, data)

    async def press(self, message: Message, button: str, *, late: bool = False) -> Interaction:
        """Press a button, identified by custom_id, label or emoji.

        With `late`, simulate a click that reaches the bot after it has edited or deleted the message: the interaction
        has the components from before. The button is then identified by any custom_id that the message has or once had.
        """
        self._check_visible(message, late=late)
        data = component_data.late_data(message, button) if late else component_data.button_data(message, button)
        return self._interact(InteractionKind.COMPONENT, message.channel, data, message)

    async def choose(self, message: Message, menu: str, *values: object, late: bool = False) -> Interaction:
        """Choose values in a menu, identified by custom_id or placeholder.

        Options are identified by label or value; users, roles and channels by object or id. With `late`, the menu is
        identified by any custom_id that the message has or once had, and options by value.
        """
        self._check_visible(message, late=late)
        data = (
            component_data.late_data(message, menu, values)
            if late
            else component_data.select_data(self._state, message, menu, values)
        )
        return self._interact(InteractionKind.COMPONENT, message.channel, data, message)

    async def submit(self, modal: Modal, fields: Mapping[str, object]) -> Interaction:
        """Submit a modal. `fields` maps the custom_id or label of each filled field to its value."""
        opened = modal.opened_by
        if opened.user is not self.user:
            words = "this modal is on someone else's screen"
            raise NotOfferedError(words)
        data = component_data.modal_data(self._state, opened.channel, modal.custom_id, modal.components, fields)
        return self._interact(InteractionKind.MODAL_SUBMIT, opened.channel, data, opened.source)

    async def forge(
        self, kind: InteractionKind, channel: Channel, data: Json, message: Message | None = None
    ) -> Interaction:
        """Send an interaction whose `data` no real client would send: values that were never offered, made-up ids.

        `message` is the message with the component. Discord sets the channel and the message, so they cannot be forged.
        """
        return self._interact(kind, self._check_usable(channel), data, message)

    async def say(self, channel: Channel, text: str) -> Message:
        self._check_usable(channel)
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
        if needed not in self._state.world.permissions(self.user, channel):
            words = f"{self.name} may not write here"
            raise NotOfferedError(words)
        return post(self._state, channel, self.user, {"content": text})

    def dismiss(self, message: Message) -> None:
        """Dismiss an ephemeral message permanently."""
        self._check_visible(message)
        if not message.ephemeral:
            words = "only one's own ephemeral messages can be dismissed"
            raise NotOfferedError(words)
        message.dismissed = True
        self._state.changes.notify()

    def read(self, message: Message) -> None:
        """Mark a message and all older messages in its channel as read."""
        self.newest_read[message.channel.id] = max(message.id, self.newest_read.get(message.channel.id, 0))
        self._state.changes.notify()

    def _check_usable(self, channel: Channel) -> Channel:
        if not self._state.world.can_see(self.user, channel):
            words = f"{self.name} does not see {channel.name or 'this DM channel'}"
            raise NotOfferedError(words)
        # Commands do not work in an archived thread (Discord's API reference, "Threads").
        if channel.thread is not None and channel.thread.archived:
            words = f"the thread {channel.name} is archived"
            raise NotOfferedError(words)
        return channel

    def _check_visible(self, message: Message, *, late: bool = False) -> None:
        self._check_usable(message.channel)
        if not (message.was_visible_to(self.id) if late else message.visible_to(self.id)):
            words = f"{self.name} does not see this message"
            raise NotOfferedError(words)

    def _interact(
        self, kind: InteractionKind, channel: Channel, data: Json, source: Message | None = None
    ) -> Interaction:
        interaction = self._state.interactions.open(kind, self.user, channel, data, source)
        guild = channel.guild
        if guild is None or self._state.world.bot.id in guild.members:
            payload = interaction_json(self._state.world, interaction)
            interaction.delivered = self._state.gateway.dispatch(
                "INTERACTION_CREATE", payload, guild_id=guild.id if guild else None
            )
        self._state.changes.notify()
        return interaction


def _with_ids(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value.id if isinstance(value, Person) else value for name, value in options.items()}
