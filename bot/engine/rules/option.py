"""The declaration of a rule option: its values with their texts, its menu and its sources."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bot.engine.errors import NotationError, quote

if TYPE_CHECKING:
    from bot.engine.rules.rules import Rules

_Default = TypeVar("_Default")
Value = int | str | bool | None
"""A value of any option. A switch is True or False; None is written `none` or `off`."""


class Menu(StrEnum):
    """The menus in which players change options."""

    PLAY = "play"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value and its meaning: in a few words for a list, and in whole sentences (Markdown)."""

    value: Value
    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """Every whole number of a range; `{n}` in the texts stands for the number, `usual` are those that a menu offers."""

    range: range
    short: str
    long: str
    usual: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules.

    `menu` is None where only a preset sets the option. `values` are those with texts of their own, which may be among
    the `numbers` too. `sources` cites the publications at the end of `docs/rules.md` by labels in square brackets.
    `matters` tells whether the option has any effect beside the other values of some rules. `nothing` is how None is
    written. A full description of the rules leaves out the default of an option that is `optional`: that there is no
    such thing goes without saying.
    """

    title: str
    menu: Menu | None
    values: tuple[Choice, ...]
    numbers: Numbers
    sources: str
    matters: Callable[[Rules], bool]
    nothing: str
    optional: bool

    @property
    def named(self) -> tuple[Value, ...]:
        """The values outside `numbers`."""
        return tuple(one.value for one in self.values if one.value not in self.numbers.range)

    def allows(self, value: Value) -> bool:
        """Return whether the value is one of the option's."""
        is_number = type(value) is int and value in self.numbers.range
        return is_number or any(type(value) is type(one.value) and value == one.value for one in self.values)

    def text(self, value: Value) -> Choice:
        """Return a value with what it means."""
        for one in self.values:
            if type(value) is type(one.value) and value == one.value:
                return one
        return Choice(value, self.numbers.short.format(n=value), self.numbers.long.format(n=value))

    def print(self, value: Value) -> str:
        """Return a value in notation: `on`, `off`, `none`, a number or a name."""
        if value is None:
            return self.nothing
        if isinstance(value, bool):
            return "on" if value else "off"
        return str(value)

    def parse(self, text: str) -> Value:
        """Read a value. Raise `NotationError` if the text is none of the option's."""
        for value in self.named:
            if self.print(value) == text:
                return value
        if re.fullmatch("[0-9]{1,5}", text) and int(text) in self.numbers.range:
            return int(text)
        raise NotationError("knob-value", f"{quote(text)} is not {self.choices}")

    @property
    def choices(self) -> str:
        """The values in words: `on or off`, `0 to 100 or upcard`."""
        numbers = self.numbers.range
        span = [f"{numbers[0]} to {numbers[-1]}"] if numbers else []
        return " or ".join((*span, *map(self.print, self.named)))


def option(
    default: _Default,
    title: str,
    *values: Choice,
    menu: Menu | None = None,
    numbers: Numbers = Numbers(range(0), "", "", ()),
    sources: str,
    matters: Callable[[Rules], bool] = lambda _: True,
    nothing: str = "none",
    optional: bool = False,
) -> _Default:
    """Declare a field of `Rules` as an option with this default: it is in the metadata of the field, as `option`."""
    declared = Option(title, menu, values, numbers, sources, matters, nothing, optional)
    return field(default=default, metadata={"option": declared})


play_option = partial(option, menu=Menu.PLAY)
scoring_option = partial(option, menu=Menu.SCORING)
