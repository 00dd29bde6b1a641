"""The buttons, menus and texts in messages that have not been sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from discord import Button, SelectMenu

from cogs.kit.json_components import BUTTON, MENUS, TEXT, Component
from cogs.kit.messages import Message


def parts(message: Message) -> list[Component]:
    """Return all components of a message, at any depth."""
    return list(_with_parts(message.components))


def _with_parts(components: Iterable[Component]) -> Iterator[Component]:
    for component in components:
        yield component
        yield from _with_parts(component.get("components", ()))
        if "accessory" in component:
            yield component["accessory"]


def as_button(component: Component) -> Button:
    """Return a button as discord.py reads it."""
    assert component["type"] == BUTTON
    return Button(cast(Any, component))


def as_menu(component: Component) -> SelectMenu:
    """Return a menu as discord.py reads it."""
    assert component["type"] in MENUS
    return SelectMenu(cast(Any, component))


def buttons_in(message: Message) -> list[Button]:
    """Return the buttons of a message."""
    return [as_button(part) for part in parts(message) if part["type"] == BUTTON]


def menus_in(message: Message) -> list[SelectMenu]:
    """Return the menus of a message."""
    return [as_menu(part) for part in parts(message) if part["type"] in MENUS]


def texts_in(message: Message) -> list[str]:
    """Return the texts of a message."""
    return [part["content"] for part in parts(message) if part["type"] == TEXT]
