"""People's interactions with the bot, the bot's responses, and the response deadlines."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from bot.sandbox.server.changes import DEFAULT_TIMEOUT, Changes
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.world.clock import Clock, Timer
from bot.sandbox.world.json_values import Json, as_objects
from bot.sandbox.world.messages import Message
from bot.sandbox.world.world import Channel, User

# The option types SUB_COMMAND and SUB_COMMAND_GROUP.
_SUBCOMMAND_TYPES = (1, 2)


class InteractionKind(IntEnum):
    """The type of an interaction. Source: Discord's API reference, "Interaction Type"."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class ResponseKind(IntEnum):
    """The type of a first response. Source: Discord's API reference, "Interaction Callback Type"."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal on one person's screen, and the interaction that opened it."""

    custom_id: str
    title: str
    components: list[Json]
    opened_by: "Interaction"


@dataclass(frozen=True, slots=True)
class Response:
    """The first response to an interaction. `choices` is set for CHOICES, `modal` for MODAL."""

    kind: ResponseKind
    choices: list[Json] = field(default_factory=list[Json])
    modal: Modal | None = None


@dataclass(slots=True, eq=False, repr=False)
class Interaction:
    """A person's action that the bot must respond to: a command, a press, a choice, a modal, or autocomplete.

    `source` is the message with the component that was used. `original` is the original response: the message that the
    first response created or updated. `delivered` is True if the interaction was sent to a connected bot; `failed` is
    True if the deadline for the first response passed. `error` is the exception that ended the bot's handling; only
    `bot.sandbox.testing` sets it. `created_at` and `answered_at` are in seconds of the simulated clock. `sent_at` is in
    real seconds of the event loop's clock, and `latency` is the real time to the first response.
    """

    id: int
    kind: InteractionKind
    token: str
    user: User
    channel: Channel
    data: Json
    created_at: float
    source: Message | None = None
    delivered: bool = False
    failed: bool = False
    error: BaseException | None = None
    response: Response | None = None
    answered_at: float | None = None
    latency: float | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list[Message])
    changes: Changes = field(default_factory=Changes, repr=False)
    sent_at: float = field(default_factory=lambda: asyncio.get_running_loop().time())

    def __repr__(self) -> str:
        subject = self.data.get("custom_id") or f"/{self.command}"
        outcome = "failed" if self.failed else self.response.kind.name.lower() if self.response else "pending"
        outcome += f", {self.error!r}" if self.error else ""
        return f"<{self.kind.name.lower()} {subject} by {self.user.display_name}: {outcome}>"

    @property
    def command(self) -> str:
        """The slash command with its group and subcommand, without the slash. Empty for other interactions."""
        names, row = [str(self.data.get("name") or "")], self.data
        while (inner := as_objects(row.get("options"))) and inner[0]["type"] in _SUBCOMMAND_TYPES:
            row = inner[0]
            names.append(row["name"])
        return " ".join(names)

    @property
    def pending(self) -> bool:
        """True while the bot can still send the first response."""
        return self.response is None and not self.failed

    @property
    def thinking(self) -> bool:
        """True while the response is a deferred message that the bot has not filled yet."""
        return self.original is not None and self.original.loading and not self.original.deleted

    @property
    def messages(self) -> list[Message]:
        """The messages that the bot created or updated in response: the original response, then the follow-ups."""
        found = [*([self.original] if self.original else []), *self.followups]
        return [message for message in found if not message.deleted]

    @property
    def message(self) -> Message:
        """The original response. Raises `LookupError` if there is no original response."""
        if self.original is None:
            words = f"the bot sent no message in response to {self!r}"
            raise LookupError(words)
        return self.original

    @property
    def modal(self) -> Modal:
        """The modal that the interaction opened. Raises `LookupError` if it did not open one."""
        if self.response is None or self.response.modal is None:
            words = f"the bot opened no modal in response to {self!r}"
            raise LookupError(words)
        return self.response.modal

    @property
    def choices(self) -> list[Json]:
        """The autocomplete choices, each with `name` and `value`."""
        return as_objects(self.response.choices) if self.response else []

    @property
    def text(self) -> str:
        """The text of all messages sent in response."""
        return "\n".join(message.text for message in self.messages)

    def record(self, response: Response, now: float) -> None:
        """Record the first response, which arrived at the simulated time `now`."""
        self.response = response
        self.answered_at = now
        self.latency = asyncio.get_running_loop().time() - self.sent_at

    async def answer(self, timeout: float = DEFAULT_TIMEOUT) -> "Interaction":
        """Wait for the first response or the deadline, and return the interaction.

        Raises `TimeoutError` after `timeout` real seconds, which happens only if the clock is stopped.
        """
        await self.changes.until(lambda: not self.pending, timeout)
        return self

    async def done(self, timeout: float = DEFAULT_TIMEOUT) -> "Interaction":
        """Wait until the interaction has failed, or is answered and no longer "thinking…". Raises `TimeoutError`.

        If the interaction has an `error`, do not wait for the end of "thinking…".
        """
        await self.changes.until(lambda: not self.pending and (self.error or not self.thinking), timeout)
        return self


@dataclass(slots=True)
class InteractionRegistry:
    """All interactions by id and by token, with Discord's two deadlines in seconds of the simulated clock.

    `response_timeout` is the deadline for the first response, `token_lifetime` the deadline for edits of that
    response and for follow-ups. Every observer is called with every interaction after its first response.
    """

    clock: Clock
    changes: Changes
    response_timeout: float = 3.0
    token_lifetime: float = 900.0
    by_id: dict[int, Interaction] = field(default_factory=dict[int, Interaction])
    by_token: dict[str, Interaction] = field(default_factory=dict[str, Interaction])
    unanswered: list[Interaction] = field(default_factory=list[Interaction])
    observers: list[Callable[[Interaction], None]] = field(default_factory=list[Callable[[Interaction], None]])
    _deadlines: dict[int, Timer] = field(default_factory=dict[int, Timer])
    _deferred: list[Interaction] = field(default_factory=list[Interaction])

    def open(
        self, kind: InteractionKind, user: User, channel: Channel, data: Json, source: Message | None
    ) -> Interaction:
        """Register a new interaction and start the deadline for its first response."""
        token = secrets.token_urlsafe(96)
        interaction = Interaction(
            self.clock.snowflake(), kind, token, user, channel, data, self.clock.now(), source, changes=self.changes
        )
        self.by_id[interaction.id] = self.by_token[token] = interaction
        self._deadlines[interaction.id] = self.clock.call_later(self.response_timeout, lambda: self._fail(interaction))
        return interaction

    def respond(self, interaction: Interaction, response: Response) -> None:
        """Record the first response."""
        self._deadlines.pop(interaction.id).cancel()
        interaction.record(response, self.clock.now())
        if response.kind is ResponseKind.DEFERRED_MESSAGE:
            self._deferred.append(interaction)
        for observer in self.observers:
            observer(interaction)
        self.changes.notify()

    def find_pending(self, interaction_id: int | None, token: str) -> Interaction:
        """Return an interaction that can still get its first response.

        Raises `RefusalError` 10062 if it is unknown or has failed, and 40060 if it was already answered.
        """
        interaction = self.by_id.get(interaction_id or 0)
        if interaction is None or interaction.token != token or interaction.failed:
            raise RefusalError(10062)
        if interaction.response is not None:
            raise RefusalError(40060)
        return interaction

    def find_by_token(self, token: str) -> Interaction:
        """Return the answered interaction with this token.

        Raises `RefusalError` 10015 if there is no such interaction, and 50027 if the token has expired.
        """
        interaction = self.by_token.get(token)
        if interaction is None or interaction.response is None:
            raise RefusalError(10015)
        if self._is_expired(interaction):
            raise RefusalError(50027)
        return interaction

    def expire(self, token: str) -> None:
        """Let a pending interaction fail now, as if its first response had arrived too late."""
        interaction = self.by_token.get(token)
        if interaction is not None and interaction.pending:
            self._deadlines.pop(interaction.id).cancel()
            interaction.failed = True
            self.changes.notify()

    def crash(self, interaction: Interaction, error: BaseException) -> None:
        """Record that an exception ended the bot's handling. If the interaction is pending, it fails."""
        interaction.error = error
        self.expire(interaction.token)
        self.changes.notify()

    def pending(self) -> list[Interaction]:
        """List the interactions that are still waiting for their first response."""
        return [self.by_id[interaction_id] for interaction_id in self._deadlines]

    def thinking(self) -> list[Interaction]:
        """List the interactions that show "thinking…" and can still be filled: no expired token, no `error`."""
        self._deferred = [
            deferred
            for deferred in self._deferred
            if deferred.thinking and deferred.error is None and not self._is_expired(deferred)
        ]
        return self._deferred

    def close(self) -> None:
        """Cancel all deadlines, and let all pending interactions fail."""
        for interaction in self.pending():
            interaction.failed = True
        for timer in self._deadlines.values():
            timer.cancel()
        self._deadlines.clear()
        self.changes.notify()

    def _fail(self, interaction: Interaction) -> None:
        del self._deadlines[interaction.id]
        interaction.failed = True
        self.unanswered.append(interaction)
        self.changes.notify()

    def _is_expired(self, interaction: Interaction) -> bool:
        return self.clock.now() - interaction.created_at > self.token_lifetime
