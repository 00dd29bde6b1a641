"""The layout of all messages: a container with an accent, a title, a notice, a picture, facts, rows and details."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import sha256
from typing import Final, Protocol

from bot.model.ids import PersonId
from cogs.kit import json_components
from cogs.kit.json_components import Component
from cogs.kit.messages import File, Message

_DIGEST_LENGTH: Final = 16
"""Number of hexadecimal digits in a picture's name: enough that the pictures of a message never share a name."""


class Picture(Protocol):
    """A picture to show: its file's content and suffix, and its alt text."""

    @property
    def content(self) -> bytes: ...

    @property
    def suffix(self) -> str: ...

    @property
    def alt(self) -> str: ...


Item = Component
"""A button or a menu."""

Row = Sequence[Item | None]
"""A row of a message: a menu, or up to five buttons. Items that are None are skipped."""


@dataclass(frozen=True, slots=True)
class WithButton:
    """A text in a message, with a button to its right."""

    text: str
    button: Item


@dataclass(frozen=True, slots=True)
class WithPicture:
    """A text in a message, with its own picture below it."""

    text: str
    picture: Picture


Fact = str | WithButton | WithPicture
"""A piece of information in a message: a text in Discord's Markdown, optionally with a button or a picture."""


class Accent(Enum):
    """The colour at a message's edge: it shows whether the reader should act, can wait, or has a problem."""

    YOURS = 0x2E9E5B
    WAITING = 0x6B7280
    OVER = 0xC9A227
    TROUBLE = 0xC8443C


def message(
    accent: Accent,
    *facts: Fact | None,
    title: str | None = None,
    notice: str | None = None,
    picture: Picture | None = None,
    downloads: Sequence[File] = (),
    rows: Sequence[Row] = (),
    details: Sequence[Fact | None] = (),
    pings: tuple[PersonId, ...] = (),
) -> Message:
    """Return a message with its files. Empty parts are omitted. `details` are facts below the rows of buttons."""
    parts, files = list[Component](), list[File]()
    if title:
        parts.append(json_components.text(f"### {title}"))
    if notice:
        # The whole notice is bold already; bold markers inside it would end the bold text early.
        parts.append(json_components.text(f"**{notice.replace('**', '')}**"))
    if picture is not None:
        _add_picture(parts, files, picture)
    _add_facts(parts, files, facts)
    for download in downloads:
        files.append(download)
        parts.append(json_components.download(download.name))
    for row in rows:
        items = [item for item in row if item is not None]
        if items:
            parts.append(json_components.row(items))
    _add_facts(parts, files, details)
    return Message((json_components.container(accent.value, parts),), tuple(files), pings)


def _add_facts(parts: list[Component], files: list[File], facts: Sequence[Fact | None]) -> None:
    """Add the facts, and the image files that they need as attachments."""
    for fact in facts:
        match fact:
            case WithButton():
                parts.append(json_components.section(fact.text, fact.button))
            case WithPicture():
                parts.append(json_components.text(fact.text))
                _add_picture(parts, files, fact.picture)
            case str() if fact:
                parts.append(json_components.text(fact))
            case _:
                pass


def _add_picture(parts: list[Component], files: list[File], picture: Picture) -> None:
    """Add a picture and its file."""
    # A name derived from the content lets an edit reuse an unchanged picture.
    digest = sha256(picture.content).hexdigest()[:_DIGEST_LENGTH]
    file = File(f"{digest}.{picture.suffix}", picture.content, picture.alt)
    files.append(file)
    parts.append(json_components.gallery(file.name, file.alt))


def with_picture(compose: Callable[[Picture | None], Message], picture: Picture | None) -> Message:
    """Return a message with a picture, and with a version in words for channels that refuse the picture.

    `compose` is called with None for the version in words, which is also the message if `picture` is None.
    """
    return compose(None) if picture is None else replace(compose(picture), in_words=lambda: compose(None))


def line(text: str, button: Item) -> Message:
    """Return a message without a container: a text with a button to its right."""
    return Message((json_components.section(text, button),))


def note(text: str, accent: Accent = Accent.WAITING, *row: Item | None) -> Message:
    """Return a message with a text and one row of buttons or a menu."""
    return message(accent, text, rows=[row])
