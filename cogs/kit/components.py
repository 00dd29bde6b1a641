"""Buttons and menus: what their custom ids say, and which function handles their use.

A custom id is `gin:<subject>:<version>:<action>[:<argument>]`, with a match, a challenge or a word as the subject.
Nothing else is stored about a component, so it keeps working after a restart, however old it is.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import discord
from discord import ui

from bot.values.ids import ChallengeId, ChannelId, MatchId
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Answer, Interaction

PREFIX: Final = "gin:"
MENU_SIZE: Final = 25
"""The most options a menu, or completions a command, can have."""

_BUTTON: Final = r"gin:(?P<subject>\w+):(?P<version>\d+):(?!choose:)(?P<action>[a-z_]+)(?::(?P<argument>[^:]*))?"
_MENU: Final = r"gin:(?P<subject>\w+):(?P<version>\d+):choose:(?P<action>[a-z_]+)(?::(?P<argument>[^:]*))?"


@dataclass(frozen=True, slots=True)
class ComponentEvent:
    """The use of a button or menu. `values` are those chosen in a menu."""

    subject: str
    version: int
    action: str
    argument: str | None = None
    values: tuple[str, ...] = ()

    @property
    def match_id(self) -> MatchId:
        """The match it is about: the chosen one, if a menu asked which."""
        return MatchId(self._id)

    @property
    def challenge_id(self) -> ChallengeId:
        """The challenge it is about: the chosen one, if a menu asked which."""
        return ChallengeId(self._id)

    @property
    def _id(self) -> int:
        return int(self.values[0] if self.subject == Subject.CHOSEN else self.subject)


Handler = Callable[[Interaction, ComponentEvent], Awaitable[None]]


class RecentInteractions:
    """The ids of recent interactions. A gateway that resumes may deliver one twice while it is being answered."""

    CAPACITY: Final = 1_000

    def __init__(self) -> None:
        self._ids: OrderedDict[int, None] = OrderedDict()

    def claim(self, interaction: Interaction) -> bool:
        """Record an interaction. Return False for a replayed one, which then needs no answer."""
        if interaction.id in self._ids:
            Answer.to(interaction).settled.set()
            return False
        self._ids[interaction.id] = None
        if len(self._ids) > self.CAPACITY:
            self._ids.popitem(last=False)
        return True


class ComponentHandlers:
    """The functions that handle actions. Cogs register theirs when they load; all errors go one way."""

    def __init__(self, on_error: Callable[[Interaction, Exception], Awaitable[None]]) -> None:
        self.recent = RecentInteractions()
        self._handlers: dict[Action, Handler] = {}
        self._on_error = on_error

    def register(self, handlers: Mapping[Action, Handler]) -> None:
        """Let functions handle actions."""
        self._handlers.update(handlers)

    async def dispatch(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Call the handler of an event, and answer whatever goes wrong. The client answers what has no handler."""
        handler = self._handlers.get(cast(Action, event.action))
        if handler is None or not self.recent.claim(interaction):
            return
        try:
            await handler(interaction, event)
        except Exception as error:
            await self._on_error(interaction, error)

    def has_handler(self, custom_id: str) -> bool:
        """Return whether a component is ours and has a handler."""
        found = re.fullmatch(_MENU, custom_id) or re.fullmatch(_BUTTON, custom_id)
        return found is not None and found["action"] in self._handlers


class _WithComponents:
    """What a component needs of the client."""

    components: ComponentHandlers


async def _dispatch(interaction: Interaction, event: ComponentEvent) -> None:
    await cast(_WithComponents, interaction.client).components.dispatch(interaction, event)


class Button(ui.DynamicItem[ui.Button[Any]], template=_BUTTON):
    """A button whose custom id holds everything about it."""

    def __init__(self, item: ui.Button[Any], event: ComponentEvent) -> None:
        super().__init__(item)
        self.event = event

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Button:
        """Return the button that was pressed."""
        return cls(cast(ui.Button[Any], item), _event(match))

    async def callback(self, interaction: Interaction) -> None:
        """Handle the press."""
        await _dispatch(interaction, self.event)


class Menu(ui.DynamicItem[ui.Select[Any] | ui.ChannelSelect[Any]], template=_MENU):
    """A menu whose custom id holds everything about it."""

    def __init__(self, item: ui.Select[Any] | ui.ChannelSelect[Any], event: ComponentEvent) -> None:
        super().__init__(item)
        self.event = event

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Menu:
        """Return the menu that was used."""
        return cls(cast(ui.Select[Any], item), _event(match))

    async def callback(self, interaction: Interaction) -> None:
        """Handle the choice."""
        values = tuple(str(getattr(value, "id", value)) for value in self.item.values)
        await _dispatch(interaction, replace(self.event, values=values))


COMPONENTS: Final = (Button, Menu)
"""The types of components that the client must know."""


def button(
    subject: int | Subject,
    version: int,
    action: Action,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    argument: str | None = None,
) -> Button:
    """Return a button. Its use comes back with the same subject, version, action and argument."""
    event = ComponentEvent(str(subject), version, action, argument)
    return Button(ui.Button(label=label, style=style, custom_id=_custom_id(event, "")), event)


def menu(
    subject: int | Subject,
    version: int,
    action: Action,
    placeholder: str,
    options: list[discord.SelectOption],
    *,
    argument: str | None = None,
    most: int = 1,
    least: int = 1,
) -> Menu:
    """Return a menu of at most 25 options. A choice comes back with their values."""
    event = ComponentEvent(str(subject), version, action, argument)
    select: ui.Select[Any] = ui.Select(
        placeholder=placeholder,
        options=options[:MENU_SIZE],
        custom_id=_custom_id(event, "choose:"),
        min_values=least,
        max_values=most,
    )
    return Menu(select, event)


def channel_menu(subject: Subject, action: Action, placeholder: str, chosen: tuple[ChannelId, ...]) -> Menu:
    """Return a menu of text channels, to choose up to 25. A choice comes back with their ids."""
    event = ComponentEvent(subject, 0, action)
    select: ui.ChannelSelect[Any] = ui.ChannelSelect(
        channel_types=[discord.ChannelType.text],
        placeholder=placeholder,
        custom_id=_custom_id(event, "choose:"),
        min_values=0,
        max_values=MENU_SIZE,
        default_values=[discord.Object(channel) for channel in chosen],
    )
    return Menu(select, event)


def _custom_id(event: ComponentEvent, kind: str) -> str:
    argument = "" if event.argument is None else f":{event.argument}"
    return f"{PREFIX}{event.subject}:{event.version}:{kind}{event.action}{argument}"


def _event(match: re.Match[str]) -> ComponentEvent:
    return ComponentEvent(match["subject"], int(match["version"]), match["action"], match["argument"])
