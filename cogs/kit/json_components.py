"""The parts of messages as JSON objects, as Discord's API takes them.

The objects of `discord.ui` keep state and callbacks, which messages here do not need: custom ids have all the state.
Building each message from them took longer than building the JSON objects.

Source: "Component Reference" of Discord's developer documentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from discord import ComponentType

Component = Mapping[str, Any]
"""A part of a message: a container, text, picture, row, button, menu …"""

_ROW: Final = ComponentType.action_row.value
BUTTON: Final = ComponentType.button.value
STRING_MENU: Final = ComponentType.string_select.value
USER_MENU: Final = ComponentType.user_select.value
CHANNEL_MENU: Final = ComponentType.channel_select.value
MENUS: Final = frozenset((STRING_MENU, USER_MENU, CHANNEL_MENU))
TEXT: Final = ComponentType.text_display.value
_SECTION: Final = ComponentType.section.value
_GALLERY: Final = ComponentType.media_gallery.value
_FILE: Final = ComponentType.file.value
_CONTAINER: Final = ComponentType.container.value


def container(accent_colour: int, parts: Sequence[Component]) -> Component:
    """Return a box with a coloured edge around other parts."""
    return {"type": _CONTAINER, "accent_color": accent_colour, "components": parts}


def text(content: str) -> Component:
    """Return a text in Discord's Markdown."""
    return {"type": TEXT, "content": content}


def section(content: str, button: Component) -> Component:
    """Return a text with a button to its right."""
    return {"type": _SECTION, "components": [text(content)], "accessory": button}


def row(items: Sequence[Component]) -> Component:
    """Return a row with a menu, or with up to five buttons."""
    return {"type": _ROW, "components": items}


def gallery(file_name: str, alt: str | None) -> Component:
    """Return an attached picture."""
    return {"type": _GALLERY, "items": [{"media": {"url": f"attachment://{file_name}"}, "description": alt}]}


def download(file_name: str) -> Component:
    """Return an attached file to download."""
    return {"type": _FILE, "file": {"url": f"attachment://{file_name}"}}


def without_files(parts: Sequence[Component], *last: Component) -> Sequence[Component]:
    """Return the parts without pictures and downloads, and with `last` at the end of each container."""
    return [
        {**part, "components": [*_without_files(part["components"]), *last]} if part["type"] == _CONTAINER else part
        for part in parts
    ]


def _without_files(parts: Sequence[Component]) -> Iterator[Component]:
    return (part for part in parts if part["type"] not in (_GALLERY, _FILE))
