"""Messages and attachments, and the parts of them that a person sees."""

from dataclasses import dataclass, field
from enum import IntFlag
from typing import TYPE_CHECKING

from bot.sandbox.world import components as tree
from bot.sandbox.world.json_values import Json, as_object, as_objects

if TYPE_CHECKING:
    from bot.sandbox.world.world import Channel, User


class MessageFlag(IntFlag):
    """The message flags that the sandbox supports. Source: Discord's API reference, "Message Flags"."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


NO_FLAGS = MessageFlag(0)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message. `width` and `height`, in pixels, are known only for PNG and extended WebP files."""

    id: int
    filename: str
    content: bytes = field(repr=False)
    content_type: str
    url: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in a message, with its alt text."""

    content: bytes = field(repr=False)
    alt: str | None
    filename: str


@dataclass(slots=True, eq=False, repr=False)
class Message:
    """A message as Discord stores it.

    `interaction` describes the interaction that the message answers; `command` is that interaction's slash command, or
    empty. `only_for` is the id of the one user who sees an ephemeral message. `past_components` maps the custom_id of
    every button and menu that the message ever had to the latest components that contained it.
    """

    id: int
    channel: "Channel"
    author: "User"
    created_at: float
    content: str = ""
    flags: MessageFlag = NO_FLAGS
    kind: int = 0
    components: list[Json] = field(default_factory=list[Json])
    embeds: list[Json] = field(default_factory=list[Json])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    mentions: list[int] = field(default_factory=list[int])
    mentions_everyone: bool = False
    pinged: frozenset[int] = frozenset()
    nonce: str | int | None = None
    only_for: int | None = None
    reply_to: int | None = None
    interaction: Json | None = None
    command: str = ""
    thread: int | None = None
    edited_at: float | None = None
    past_components: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    late_edits: list[float] = field(default_factory=list[float])
    revision: int = 0
    dismissed: bool = False
    deleted: bool = False

    def __repr__(self) -> str:
        return f"<Message {self.id} by {self.author.display_name}: {self.text[:60]!r}>"

    @property
    def ephemeral(self) -> bool:
        """True if only one user sees the message."""
        return self.only_for is not None

    @property
    def loading(self) -> bool:
        """True while the message is a deferred response that shows "thinking…"."""
        return MessageFlag.LOADING in self.flags

    @property
    def text(self) -> str:
        """All text of the message: content, text displays and embeds, joined by newlines."""
        texts = [self.content, *tree.texts(self.components)]
        for embed in self.embeds:
            texts += [embed.get("title") or "", embed.get("description") or ""]
            texts += [f"{row['name']}\n{row['value']}" for row in as_objects(embed.get("fields"))]
            texts.append(as_object(embed.get("footer")).get("text") or "")
        return "\n".join(word for word in texts if word)

    @property
    def buttons(self) -> list[tree.Button]:
        """The buttons in reading order."""
        return tree.buttons(self.components)

    @property
    def selects(self) -> list[tree.Select]:
        """The select menus in reading order."""
        return tree.selects(self.components)

    @property
    def images(self) -> list[Image]:
        """The pictures that clients show. With Components V2, those are the pictures that a component refers to."""
        pictures = {a.id: a for a in self.attachments if a.content_type.startswith("image/")}
        if MessageFlag.COMPONENTS_V2 not in self.flags:
            return [Image(a.content, a.description, a.filename) for a in pictures.values()]
        result: list[Image] = []
        for _, item, owner in tree.media(self.components):
            picture = pictures.get(int(item.get("attachment_id") or 0))
            if picture is not None:
                result.append(Image(picture.content, owner.get("description") or picture.description, picture.filename))
        return result

    def visible_to(self, user_id: int) -> bool:
        """Return True if a user who sees the channel also sees this message."""
        return not self.deleted and not self.dismissed and self.was_visible_to(user_id)

    def was_visible_to(self, user_id: int) -> bool:
        """Return True if a user who sees the channel also sees this message, or saw it until it was removed."""
        return self.only_for in (None, user_id)
