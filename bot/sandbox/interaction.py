"""One interaction from the click to its answer, and the register of all of them."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from bot.sandbox.changes import Changes
from bot.sandbox.clock import Clock
from bot.sandbox.errors import RefusalError
from bot.sandbox.message import Message
from bot.sandbox.wire import Json, rows
from bot.sandbox.world import Channel, User

# The types of options that are subcommands and groups of them.
_NESTED = (1, 2)


class InteractionKind(IntEnum):
    """What a person did: Discord's reference, "Interaction Type"."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class ResponseKind(IntEnum):
    """How an application answers first: Discord's reference, "Interaction Callback Type"."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(frozen=True, slots=True)
class Modal:
    """A dialog that one person has on the screen, and the interaction that opened it."""

    custom_id: str
    title: str
    components: list[Json]
    opened_by: "Interaction"


@dataclass(frozen=True, slots=True)
class Response:
    """The first answer; of `choices` and `modal` at most one is there."""

    kind: ResponseKind
    choices: list[Json] = field(default_factory=list[Json])
    modal: Modal | None = None


@dataclass(slots=True, eq=False, repr=False)
class Interaction:
    """What a person did and what came of it; `source` is the message that a component sits on."""

    id: int
    kind: InteractionKind
    token: str
    user: User
    channel: Channel
    data: Json
    created_at: float
    sent_at: float
    source: Message | None = None
    delivered: bool = False
    failed: bool = False
    response: Response | None = None
    answered_at: float | None = None
    latency: float | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list[Message])
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    changes: Changes = field(default_factory=Changes, repr=False)

    def __repr__(self) -> str:
        what = self.data.get("custom_id") or f"/{self.command}"
        state = "failed" if self.failed else self.response.kind.name.lower() if self.response else "pending"
        return f"<{self.kind.name.lower()} {what} by {self.user.display_name}: {state}>"

    @property
    def command(self) -> str:
        """The slash command with its groups, as one types it without the slash; empty for anything else."""
        names, row = [str(self.data.get("name") or "")], self.data
        while (inner := rows(row.get("options"))) and inner[0]["type"] in _NESTED:
            row = inner[0]
            names.append(row["name"])
        return " ".join(names)

    @property
    def messages(self) -> list[Message]:
        """The messages it brought about or changed: the original response first, then follow-ups."""
        found = [*([self.original] if self.original else []), *self.followups]
        return [message for message in found if not message.deleted]

    @property
    def message(self) -> Message:
        """The original response; raise `LookupError` when there is none."""
        if self.original is None:
            words = f"no message answered {self!r}"
            raise LookupError(words)
        return self.original

    @property
    def modal(self) -> Modal:
        """The dialog it opened; raise `LookupError` when there is none."""
        if self.response is None or self.response.modal is None:
            words = f"no modal answered {self!r}"
            raise LookupError(words)
        return self.response.modal

    @property
    def choices(self) -> list[Json]:
        """The completions it got, each with `name` and `value`."""
        return rows(self.response.choices) if self.response else []

    @property
    def text(self) -> str:
        """All the words of its messages."""
        return "\n".join(message.text for message in self.messages)

    async def answer(self) -> "Interaction":
        """Wait for the first response or for the failure; it always ends, because the deadline does."""
        await self.settled.wait()
        return self

    async def done(self, timeout: float = 10.0) -> "Interaction":
        """Wait until it has failed or its answer is no longer "thinking"; raise `TimeoutError`."""
        await self.answer()
        await self.changes.until(lambda: self.failed or self.original is None or not self.original.loading, timeout)
        return self


@dataclass(slots=True)
class Interactions:
    """Every interaction by id and by token, with the two deadlines that Discord sets.

    `answer_within` is in real seconds, `token_lifetime` in seconds of the simulated clock.
    """

    clock: Clock
    changes: Changes
    answer_within: float = 3.0
    token_lifetime: float = 900.0
    by_id: dict[int, Interaction] = field(default_factory=dict[int, Interaction])
    by_token: dict[str, Interaction] = field(default_factory=dict[str, Interaction])
    unanswered: list[Interaction] = field(default_factory=list[Interaction])
    observers: list[Callable[[Interaction], None]] = field(default_factory=list[Callable[[Interaction], None]])
    _deadlines: dict[int, asyncio.TimerHandle] = field(default_factory=dict[int, asyncio.TimerHandle])

    def open(
        self, kind: InteractionKind, user: User, channel: Channel, data: Json, source: Message | None
    ) -> Interaction:
        """Register what a person did; its time runs from now."""
        loop = asyncio.get_running_loop()
        token = secrets.token_urlsafe(96)
        interaction = Interaction(
            self.clock.snowflake(),
            kind,
            token,
            user,
            channel,
            data,
            self.clock.now(),
            loop.time(),
            source,
            changes=self.changes,
        )
        self.by_id[interaction.id] = self.by_token[token] = interaction
        self._deadlines[interaction.id] = loop.call_later(self.answer_within, self._expire, interaction)
        return interaction

    def respond(self, interaction: Interaction, response: Response) -> None:
        """Note the first answer."""
        self._deadlines.pop(interaction.id).cancel()
        interaction.response = response
        interaction.answered_at = self.clock.now()
        interaction.latency = asyncio.get_running_loop().time() - interaction.sent_at
        interaction.settled.set()

    def awaiting(self, interaction_id: int | None, token: str) -> Interaction:
        """Find an interaction that may be answered now; raise 10062 or 40060."""
        interaction = self.by_id.get(interaction_id or 0)
        if interaction is None or interaction.token != token or interaction.failed:
            raise RefusalError(10062)
        if interaction.response is not None:
            raise RefusalError(40060)
        return interaction

    def alive(self, token: str) -> Interaction:
        """Find the interaction of a token that still works; raise 50027 or 10015."""
        interaction = self.by_token.get(token)
        if interaction is None or interaction.response is None:
            raise RefusalError(10015)
        if self.clock.now() - interaction.created_at > self.token_lifetime:
            raise RefusalError(50027)
        return interaction

    def close(self) -> None:
        """Stop all clocks; what is still unanswered has failed."""
        for identity, handle in self._deadlines.items():
            handle.cancel()
            self.by_id[identity].failed = True
            self.by_id[identity].settled.set()
        self._deadlines.clear()

    def _expire(self, interaction: Interaction) -> None:
        del self._deadlines[interaction.id]
        interaction.failed = True
        self.unanswered.append(interaction)
        interaction.settled.set()
        self.changes.notify()
