"""Buttons, menus and dialogs: what their custom ids say, and which function handles their use.

A custom id is `gin:<subject>:<version>:<action>[:<argument>]`, with a match, a challenge or a word as the subject; in a
menu's, `choose:` stands before the action. Nothing else is stored about a component, so it keeps working after a
restart, however old it is.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ui

from bot.values.ids import ChallengeId, ChannelId, MatchId
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Interaction

MENU_SIZE: Final = 25
"""The most options a menu, or completions a command, can have."""

_CUSTOM_ID: Final = re.compile(
    r"gin:(?P<subject>[a-z]+|[0-9]+):(?P<version>[0-9]{1,18}):(?:choose:)?(?P<action>[a-z_]+)(?::(?P<argument>[^:]*))?"
)
_ID: Final = re.compile("[0-9]{1,18}|[0-8][0-9]{18}")
"""An id that fits into 64 bits."""

_ACTIONS: Final = frozenset(Action)


class UnknownComponent(Exception):  # noqa: N818 - it is no fault, and answered like an old button
    """A button or menu was used that the bot does not have, or with a value that it does not offer."""


def read_id(text: str) -> int:
    """Return an id that a component carries. Raise `UnknownComponent` if it is none."""
    if not _ID.fullmatch(text):
        raise UnknownComponent
    return int(text)


@dataclass(frozen=True, slots=True)
class ComponentEvent:
    """The use of a button, menu or dialog. `values` are those chosen in a menu, or `typed` in a dialog."""

    subject: str
    version: int
    action: Action
    argument: str | None = None
    values: tuple[str, ...] = ()
    typed: bool = False

    @staticmethod
    def parse(custom_id: str, values: Iterable[str] = (), *, typed: bool = False) -> ComponentEvent | None:
        """Return what a component is for, by its custom id; None if it is not one of ours."""
        found = _CUSTOM_ID.fullmatch(custom_id)
        if found is None or found["action"] not in _ACTIONS:
            return None
        action, version = Action(found["action"]), int(found["version"])
        return ComponentEvent(found["subject"], version, action, found["argument"], tuple(values), typed)

    @property
    def opens(self) -> bool:
        """True if the answer is a message of its own, and the one with the button stays."""
        return self.subject == Subject.MENU

    @property
    def value(self) -> str:
        """The value chosen in a menu, or typed. Raise `UnknownComponent` if there is none."""
        if not self.values:
            raise UnknownComponent
        return self.values[0]

    @property
    def text(self) -> str | None:
        """What was typed; None for buttons and menus."""
        return self.value if self.typed else None

    def typing(self, text: str | None) -> ComponentEvent:
        """Return the use of a dialog about the same, in which a text was typed, if there is one."""
        return self if text is None else replace(self, values=(text,), typed=True)

    @property
    def match_id(self) -> MatchId:
        """The match it is about: the chosen one, if a menu asked which. Raise `UnknownComponent` if there is none."""
        return MatchId(self._id)

    @property
    def challenge_id(self) -> ChallengeId:
        """The challenge it is about, as for `match_id`."""
        return ChallengeId(self._id)

    @property
    def _id(self) -> int:
        return read_id(self.value if self.subject == Subject.CHOSEN else self.subject)


Handler = Callable[[Interaction, ComponentEvent], Awaitable[None]]


class ComponentHandlers:
    """The functions that handle actions. Cogs register theirs when they load; all errors go one way."""

    def __init__(self, on_error: Callable[[Interaction, Exception], Awaitable[None]]) -> None:
        self._handlers: dict[Action, Handler] = {}
        self._on_error = on_error

    def register(self, handlers: Mapping[Action, Handler]) -> None:
        """Let functions handle actions. Raise `ValueError` if one of them has a handler."""
        if twice := self._handlers.keys() & handlers.keys():
            raise ValueError(f"two handlers for {twice}")
        self._handlers.update(handlers)

    async def handle(self, interaction: Interaction) -> bool:
        """Handle the use of a component, and answer whatever goes wrong. Return False if it is unknown."""
        data: Mapping[str, Any] = interaction.data or {}
        # Only dialogs have components of their own.
        typed = "components" in data
        values = _typed(data) if typed else data.get("values", ())
        event = ComponentEvent.parse(str(data.get("custom_id", "")), values, typed=typed)
        handler = None if event is None else self._handlers.get(event.action)
        if event is None or handler is None:
            return False
        try:
            await handler(interaction, event)
        except UnknownComponent:
            return False
        except Exception as error:
            await self._on_error(interaction, error)
        return True


def button(
    subject: int | Subject,
    version: int,
    action: Action,
    label: str | None,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    argument: str | None = None,
    emoji: discord.PartialEmoji | None = None,
    disabled: bool = False,
) -> ui.Button[Any]:
    """Return a button. Its use comes back with the same subject, version, action and argument.

    It needs a label or an emoji.
    """
    return ui.Button(
        label=label,
        style=style,
        custom_id=_custom_id(subject, version, action, argument),
        emoji=emoji,
        disabled=disabled,
    )


def menu(
    subject: int | Subject,
    version: int,
    action: Action,
    placeholder: str,
    options: list[discord.SelectOption],
    *,
    argument: str | None = None,
    most: int = 1,
) -> ui.Select[Any]:
    """Return a menu of at most 25 options. A choice comes back with their values."""
    return ui.Select(
        placeholder=placeholder,
        options=options[:MENU_SIZE],
        custom_id=_custom_id(subject, version, f"choose:{action}", argument),
        max_values=most,
    )


def channel_menu(
    subject: Subject,
    action: Action,
    placeholder: str,
    chosen: tuple[ChannelId, ...],
    most: int = MENU_SIZE,
    types: Sequence[discord.ChannelType] = (discord.ChannelType.text,),
) -> ui.ChannelSelect[Any]:
    """Return a menu of channels, to choose none or up to `most`. A choice comes back with their ids."""
    return ui.ChannelSelect(
        channel_types=[*types],
        placeholder=placeholder,
        custom_id=_custom_id(subject, 0, f"choose:{action}"),
        min_values=0,
        max_values=most,
        default_values=[discord.Object(channel) for channel in chosen],
    )


def dialog(
    subject: int | Subject,
    action: Action,
    title: str,
    label: str,
    *,
    about: str,
    placeholder: str,
    longest: int,
    given: str | None = None,
) -> ui.Modal:
    """Return a dialog that asks for one line of text, or to change what is `given`.

    What is typed comes back as the value.
    """
    made = ui.Modal(title=title, custom_id=_custom_id(subject, 0, action))
    line = ui.TextInput[ui.Modal](custom_id="text", placeholder=placeholder, max_length=longest, default=given)
    made.add_item(ui.Label(text=label, description=about, component=line))
    # Its custom id holds all that is needed: discord.py need not keep it.
    made.stop()
    return made


def _typed(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what was typed in a dialog."""
    rows: Iterable[Mapping[str, Any]] = data.get("components") or ()
    return tuple(str(row["component"]["value"]) for row in rows if "value" in row.get("component", {}))


def _custom_id(subject: int | Subject, version: int, action: str, argument: str | None = None) -> str:
    return f"gin:{subject}:{version}:{action}" + ("" if argument is None else f":{argument}")
