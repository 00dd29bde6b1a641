"""The look that all messages share: one container with an accent, then picture, facts and actions in that order."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from typing import Any, Final

import discord
from discord import ui

from cardart import Animation, Picture
from cogs.kit.answers import Attached, Message

_DIGITS: Final = 16
"""Of a digest: enough that no two pictures of one message are ever taken for the same."""

Row = Sequence[ui.Item[Any]]


class Accent(Enum):
    """The colour at a message's edge says what it wants of its reader."""

    YOURS = 0x2E9E5B
    WAITING = 0x6B7280
    OVER = 0xC9A227
    TROUBLE = 0xC8443C


def message(
    accent: Accent,
    *facts: str | None,
    title: str | None = None,
    said: str | None = None,
    picture: Picture | Animation | None = None,
    rows: Sequence[Row] = (),
    pings: tuple[int, ...] = (),
) -> Message:
    """A message: its title, what is to be said first, a picture, facts in words, and rows of buttons or a menu each.

    Empty parts are left out. A picture's file is named by what it shows, so that one that has not changed is known.
    """
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(accent.value))
    attached = None if picture is None else _attached(picture)
    if title:
        container.add_item(ui.TextDisplay(f"### {title}"))
    if said:
        container.add_item(ui.TextDisplay(f"**{said}**"))
    if attached is not None:
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        gallery.add_item(media=f"attachment://{attached.name}", description=attached.alt)
        container.add_item(gallery)
    for fact in facts:
        if fact:
            container.add_item(ui.TextDisplay(fact))
    for row in rows:
        if row:
            container.add_item(ui.ActionRow(*row))
    layout = ui.LayoutView(timeout=None)
    layout.add_item(container)
    return Message(layout, () if attached is None else (attached,), pings)


def _attached(picture: Picture | Animation) -> Attached:
    content, suffix = picture.file
    return Attached(f"{sha256(content).hexdigest()[:_DIGITS]}.{suffix}", content, picture.alt)


def note(text: str, accent: Accent = Accent.WAITING, rows: Sequence[Row] = ()) -> Message:
    """A few words on their own."""
    return message(accent, text, rows=rows)


def handing_over(text: str, name: str, content: bytes) -> Message:
    """A few words and a file."""
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(Accent.WAITING.value))
    container.add_item(ui.TextDisplay(text))
    container.add_item(ui.File(f"attachment://{name}"))
    layout = ui.LayoutView(timeout=None)
    layout.add_item(container)
    return Message(layout, (Attached(name, content),))
