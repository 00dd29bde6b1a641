"""Buttons, menus and dialogs: their custom ids and their handlers.

A custom id is `gin:<subject>:<version>:<action>[:<argument>]`. The subject is the id of a match or challenge, or a
word from `Subject`. In menus, `choose:` precedes the action. The bot needs only the custom id to handle a component,
so components survive restarts and never expire.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import discord
from discord import ui

from bot.model.ids import ChallengeId, ChannelId, MatchId
from cogs.actions import Action, Subject
from cogs.kit.answers import Interaction
from cogs.kit.json_components import BUTTON, CHANNEL_MENU, STRING_MENU, USER_MENU, Component

MENU_SIZE: Final = 25
"""Maximum number of options in a menu, and of completions for a command."""

_CUSTOM_ID: Final = re.compile(
    r"gin:(?P<subject>[a-z]+|[0-9]+):(?P<version>[0-9]{1,18}):(?:choose:)?(?P<action>[a-z_]+)(?::(?P<argument>[^:]*))?"
)
_ID: Final = re.compile("[0-9]{1,18}|[0-8][0-9]{18}")
"""An id that fits into 64 bits."""

_ACTIONS: Final = frozenset(Action)


class UnknownComponent(Exception):  # noqa: N818 - not a fault: it is answered like an old button
    """The bot has no such button, menu or dialog, or the menu does not offer the chosen value."""


def link(label: str, url: str) -> Component:
    """Return a button that opens an address."""
    return {"type": BUTTON, "style": discord.ButtonStyle.link.value, "label": label, "url": url}


def parse_id(text: str) -> int:
    """Parse an id from a custom id or value. Raise `UnknownComponent` if the text is not an id."""
    if not _ID.fullmatch(text):
        raise UnknownComponent
    return int(text)


def parse_day(text: str) -> date:
    """Parse a day from a custom id or value. Raise `UnknownComponent` if the text is not a day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UnknownComponent from None


@dataclass(frozen=True, slots=True)
class ComponentEvent:
    """The use of a button, menu or dialog.

    `values` are the chosen values of a menu, or the text entered in a dialog if `typed` is True.
    """

    subject: str
    version: int
    action: Action
    argument: str | None = None
    values: tuple[str, ...] = ()
    typed: bool = False

    @staticmethod
    def parse(text: str, values: Iterable[str] = (), *, typed: bool = False) -> ComponentEvent | None:
        """Parse a custom id; return None if it does not belong to this bot."""
        matched = _CUSTOM_ID.fullmatch(text)
        if matched is None or matched["action"] not in _ACTIONS:
            return None
        action, version = Action(matched["action"]), int(matched["version"])
        return ComponentEvent(matched["subject"], version, action, matched["argument"], tuple(values), typed)

    @property
    def opens_new_message(self) -> bool:
        """True if the answer is a new message and the message with the button stays unchanged."""
        return self.subject == Subject.MENU

    @property
    def value(self) -> str:
        """The value chosen in a menu or typed in a dialog. Raise `UnknownComponent` if there is no value."""
        if not self.values:
            raise UnknownComponent
        return self.values[0]

    @property
    def text(self) -> str | None:
        """The text typed in a dialog; None for buttons and menus."""
        return self.value if self.typed else None

    def with_text(self, text: str | None) -> ComponentEvent:
        """Return this event as if `text` had been typed in its dialog; the unchanged event if `text` is None."""
        return self if text is None else replace(self, values=(text,), typed=True)

    @property
    def match_id(self) -> MatchId:
        """The match's id, from the subject or from the chosen value. Raise `UnknownComponent` if neither has one."""
        return MatchId(self._id)

    @property
    def challenge_id(self) -> ChallengeId:
        """The challenge's id, found in the same way as `match_id`."""
        return ChallengeId(self._id)

    @property
    def _id(self) -> int:
        return parse_id(self.value if self.subject == Subject.CHOSEN else self.subject)


Handler = Callable[[Interaction, ComponentEvent], Awaitable[None]]


class ComponentHandlers:
    """The registry of action handlers. Cogs register their handlers when they load. All errors go to `on_error`."""

    def __init__(self, on_error: Callable[[Interaction, Exception], Awaitable[None]]) -> None:
        self._handlers: dict[Action, Handler] = {}
        self._on_error = on_error

    def register(self, handlers: Mapping[Action, Handler]) -> None:
        """Register handlers. Raise `ValueError` if an action already has one."""
        if duplicates := self._handlers.keys() & handlers.keys():
            raise ValueError(f"Actions with more than one handler: {duplicates}")
        self._handlers.update(handlers)

    async def handle(self, interaction: Interaction) -> bool:
        """Handle the use of a component, and answer any error. Return False if the component is unknown."""
        data: Mapping[str, Any] = interaction.data or {}
        # Only a dialog's data has "components".
        typed = "components" in data
        values = _typed_values(data) if typed else data.get("values", ())
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
) -> Component:
    """Return a button whose event has the given subject, version, action and argument.

    It needs a label or an emoji.
    """
    component: dict[str, Any] = {
        "type": BUTTON,
        "style": style.value,
        "custom_id": custom_id(subject, version, action, argument),
        "disabled": disabled,
    }
    if label is not None:
        component["label"] = label
    if emoji is not None:
        component["emoji"] = emoji.to_dict()
    return component


def menu(
    subject: int | Subject,
    version: int,
    action: Action,
    placeholder: str,
    options: list[discord.SelectOption],
    *,
    argument: str | None = None,
    max_values: int = 1,
) -> Component:
    """Return a menu of at most `MENU_SIZE` options. Its event has the chosen values."""
    return {
        "type": STRING_MENU,
        "custom_id": custom_id(subject, version, f"choose:{action}", argument),
        "placeholder": placeholder,
        "options": [option.to_dict() for option in options[:MENU_SIZE]],
        "min_values": 1,
        "max_values": max_values,
    }


def channel_menu(
    subject: Subject,
    action: Action,
    placeholder: str,
    chosen: tuple[ChannelId, ...],
    max_values: int = MENU_SIZE,
    types: Sequence[discord.ChannelType] = (discord.ChannelType.text,),
) -> Component:
    """Return a menu of channels with zero to `max_values` choices. Its event has the chosen channel ids as values."""
    return {
        "type": CHANNEL_MENU,
        "channel_types": [kind.value for kind in types],
        "custom_id": custom_id(subject, 0, f"choose:{action}"),
        "placeholder": placeholder,
        "min_values": 0,
        "max_values": max_values,
        "default_values": [{"id": str(channel), "type": "channel"} for channel in chosen],
    }


def user_menu(
    subject: int | Subject, action: Action, placeholder: str, chosen: Sequence[int], max_values: int
) -> Component:
    """Return a menu of people with zero to `max_values` choices. Its event has the chosen people's ids as values."""
    return {
        "type": USER_MENU,
        "custom_id": custom_id(subject, 0, f"choose:{action}"),
        "placeholder": placeholder,
        "min_values": 0,
        "max_values": max_values,
        "default_values": [{"id": str(person), "type": "user"} for person in chosen],
    }


def dialog(
    subject: int | Subject,
    action: Action,
    title: str,
    label: str,
    *,
    description: str,
    placeholder: str,
    max_length: int,
    default: str | None = None,
) -> ui.Modal:
    """Return a dialog with one text field, prefilled with `default`. Its event has the typed text as its value."""
    modal = ui.Modal(title=title, custom_id=custom_id(subject, 0, action))
    text_input = ui.TextInput[ui.Modal](
        custom_id="text", placeholder=placeholder, max_length=max_length, default=default
    )
    modal.add_item(ui.Label(text=label, description=description, component=text_input))
    # The custom id has all the state, so discord.py need not keep the dialog.
    modal.stop()
    return modal


def _typed_values(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the values of a dialog's text fields."""
    rows: Iterable[Mapping[str, Any]] = data.get("components") or ()
    return tuple(str(row["component"]["value"]) for row in rows if "value" in row.get("component", {}))


def custom_id(subject: int | Subject, version: int, action: str, argument: str | None = None) -> str:
    """Return the custom id from which `ComponentEvent.parse` reads these parts."""
    return f"gin:{subject}:{version}:{action}" + ("" if argument is None else f":{argument}")
