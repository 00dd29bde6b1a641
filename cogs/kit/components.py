"""Buttons and menus: what their custom ids say, and who handles a press.

A custom id is `gin:<subject>:<version>:<verb>[:<argument>]`, where the subject is a match, an invitation or a word.
Nothing else is remembered of a component, so each works after a restart and for ever.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import discord
import structlog
from discord import ui

from cogs.kit.answers import Interaction

log = structlog.get_logger(__name__)

PREFIX: Final = "gin:"
WHICH: Final = "which"
"""The subject of a menu that asks which match or invitation is meant."""
_BUTTON: Final = r"gin:(?P<subject>\w+):(?P<version>\d+):(?!choose:)(?P<verb>[a-z_]+)(?::(?P<argument>[^:]*))?"
_MENU: Final = r"gin:(?P<subject>\w+):(?P<version>\d+):choose:(?P<verb>[a-z_]+)(?::(?P<argument>[^:]*))?"


@dataclass(frozen=True, slots=True)
class ComponentEvent:
    """A button pressed or a menu chosen from; `values` are the chosen ones."""

    subject: str
    version: int
    verb: str
    argument: str | None = None
    values: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The match or invitation it is about: the one that was chosen, where a menu asked which."""
        return int(self.values[0] if self.subject == WHICH else self.subject)


Handler = Callable[[Interaction, ComponentEvent], Awaitable[None]]


class RecentInteractions:
    """The interactions that came lately: a gateway that resumes may tell of one twice, whose answer is on its way."""

    MOST: Final = 1_000

    def __init__(self) -> None:
        self._ids: OrderedDict[int, None] = OrderedDict()

    def claim(self, interaction_id: int) -> bool:
        """Whether it comes for the first time; it is known from now on."""
        if interaction_id in self._ids:
            return False
        self._ids[interaction_id] = None
        if len(self._ids) > self.MOST:
            self._ids.popitem(last=False)
        return True


class ComponentHandlers:
    """Who handles which verb. Cogs register at their loading; errors all go one way."""

    def __init__(self, failed: Callable[[Interaction, Exception], Awaitable[None]]) -> None:
        self._handlers: dict[str, Handler] = {}
        self._failed = failed
        self.recent = RecentInteractions()

    def on(self, **handlers: Handler) -> None:
        """Let these functions handle the verbs they are named by."""
        self._handlers |= handlers

    async def dispatch(self, interaction: Interaction, press: ComponentEvent) -> None:
        """Have a press handled; whatever goes wrong is answered. What nobody handles the client answers."""
        handler = self._handlers.get(press.verb)
        if handler is None or not self.recent.claim(interaction.id):
            return
        try:
            await handler(interaction, press)
        except Exception as error:
            await self._failed(interaction, error)

    def knows(self, custom_id: str) -> bool:
        """Whether a component is one of ours that somebody handles."""
        found = re.fullmatch(_MENU, custom_id) or re.fullmatch(_BUTTON, custom_id)
        return found is not None and found["verb"] in self._handlers


class _Pressed:
    """What a press needs of the client."""

    components: ComponentHandlers


async def _dispatch(interaction: Interaction, press: ComponentEvent) -> None:
    await cast(_Pressed, interaction.client).components.dispatch(interaction, press)


class Button(ui.DynamicItem[ui.Button[Any]], template=_BUTTON):
    """A button whose custom id holds all that is known of it."""

    def __init__(self, item: ui.Button[Any], press: ComponentEvent) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Button:
        """The button that was pressed."""
        return cls(cast(ui.Button[Any], item), _press(match))

    async def callback(self, interaction: Interaction) -> None:
        """Have the press handled."""
        await _dispatch(interaction, self.press)


class Menu(ui.DynamicItem[ui.Select[Any] | ui.ChannelSelect[Any]], template=_MENU):
    """A menu whose custom id holds all that is known of it."""

    def __init__(self, item: ui.Select[Any] | ui.ChannelSelect[Any], press: ComponentEvent) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Menu:
        """The menu that was chosen from."""
        return cls(cast(ui.Select[Any], item), _press(match))

    async def callback(self, interaction: Interaction) -> None:
        """Have the choice handled."""
        press = self.press
        values = tuple(str(getattr(value, "id", value)) for value in self.item.values)
        await _dispatch(interaction, ComponentEvent(press.subject, press.version, press.verb, press.argument, values))


COMPONENTS: Final = (Button, Menu)
"""What the client must know of before the first press."""


def button(
    subject: int | str,
    version: int,
    verb: str,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    argument: str | None = None,
) -> Button:
    """A button; its press comes back with the same subject, version, verb and argument."""
    press = ComponentEvent(str(subject), version, verb, argument)
    return Button(ui.Button(label=label, style=style, custom_id=_custom_id(press, "")), press)


def menu(
    subject: int | str,
    version: int,
    verb: str,
    placeholder: str,
    options: list[discord.SelectOption],
    *,
    argument: str | None = None,
    most: int = 1,
    least: int = 1,
) -> Menu:
    """A menu of at most 25 options; a choice comes back with their values."""
    press = ComponentEvent(str(subject), version, verb, argument)
    select: ui.Select[Any] = ui.Select(
        placeholder=placeholder,
        options=options[:25],
        custom_id=_custom_id(press, "choose:"),
        min_values=least,
        max_values=most,
    )
    return Menu(select, press)


def channel_menu(subject: str, verb: str, placeholder: str, chosen: tuple[int, ...]) -> Menu:
    """A menu of text channels, none to 25 of them; a choice comes back with their ids."""
    press = ComponentEvent(subject, 0, verb)
    select: ui.ChannelSelect[Any] = ui.ChannelSelect(
        channel_types=[discord.ChannelType.text],
        placeholder=placeholder,
        custom_id=_custom_id(press, "choose:"),
        min_values=0,
        max_values=25,
        default_values=[discord.Object(channel) for channel in chosen],
    )
    return Menu(select, press)


def _custom_id(press: ComponentEvent, way: str) -> str:
    argument = "" if press.argument is None else f":{press.argument}"
    return f"{PREFIX}{press.subject}:{press.version}:{way}{press.verb}{argument}"


def _press(match: re.Match[str]) -> ComponentEvent:
    return ComponentEvent(match["subject"], int(match["version"]), match["verb"], match["argument"])
