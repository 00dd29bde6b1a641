"""What all messages share: a container with an accent, and title, notice, picture, facts and actions in this order."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from typing import Any, Final

import discord
from discord import ui

from bot.values.ids import PersonId
from cardart import Animation, Picture
from cogs.kit.messages import File, Message

_DIGEST_LENGTH: Final = 16
"""Enough hexadecimal digits that two pictures of one message never get the same name."""

Row = Sequence[ui.Item[Any]]


class Accent(Enum):
    """The colour at a message's edge: what the message wants of its reader."""

    YOURS = 0x2E9E5B
    WAITING = 0x6B7280
    OVER = 0xC9A227
    TROUBLE = 0xC8443C


def message(
    accent: Accent,
    *facts: str | None,
    title: str | None = None,
    notice: str | None = None,
    picture: Picture | Animation | None = None,
    rows: Sequence[Row] = (),
    pings: tuple[PersonId, ...] = (),
) -> Message:
    """Return a message. Empty parts are left out.

    A picture's file is named after its content, so that an edit need not send an unchanged one again.
    """
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(accent.value))
    file = None if picture is None else _file(picture)
    if title:
        container.add_item(ui.TextDisplay(f"### {title}"))
    if notice:
        # All of it is bold: bold inside bold would end it.
        container.add_item(ui.TextDisplay(f"**{notice.replace('**', '')}**"))
    if file is not None:
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        gallery.add_item(media=f"attachment://{file.name}", description=file.alt)
        container.add_item(gallery)
    for fact in facts:
        if fact:
            container.add_item(ui.TextDisplay(fact))
    for row in rows:
        if row:
            container.add_item(ui.ActionRow(*row))
    return _message(container, file, pings)


def note(text: str, accent: Accent = Accent.WAITING, rows: Sequence[Row] = ()) -> Message:
    """Return a message of text, with rows of buttons or menus."""
    return message(accent, text, rows=rows)


def file_message(text: str, name: str, content: bytes) -> Message:
    """Return a message of text and a file."""
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(Accent.WAITING.value))
    container.add_item(ui.TextDisplay(text))
    container.add_item(ui.File(f"attachment://{name}"))
    return _message(container, File(name, content))


def _file(picture: Picture | Animation) -> File:
    content, suffix = picture.file
    return File(f"{sha256(content).hexdigest()[:_DIGEST_LENGTH]}.{suffix}", content, picture.alt)


def _message(container: ui.Container[Any], file: File | None, pings: tuple[PersonId, ...] = ()) -> Message:
    layout = ui.LayoutView(timeout=None)
    layout.add_item(container)
    return Message(layout, () if file is None else (file,), pings)
