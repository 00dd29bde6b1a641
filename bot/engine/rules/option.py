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
"""The value of an option. A switch is True or False; None is written `none` or `off`."""


class Menu(StrEnum):
    """The menus for changing options."""

    PLAY = "play"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value and its meaning: a few words for a list, and full sentences in Markdown."""

    value: Value
    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """All whole numbers of a range. `{n}` in the texts stands for the number. A menu offers the `usual` ones."""

    range: range
    short: str
    long: str
    usual: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules.

    `menu` is None if only presets set the option. `values` have their own texts; some may be among the `numbers` too.
    `sources` cites the publications at the end of `docs/rules.md` by labels in square brackets. `matters` returns True
    if the option has any effect under the given rules. `nothing` is the notation of None. A full description of the
    rules omits an `optional` option at its default, because the absence of such an extra needs no mention.
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
        """The values that are not in `numbers`."""
        return tuple(one.value for one in self.values if one.value not in self.numbers.range)

    def allows(self, value: Value) -> bool:
        """Return True if the option has this value."""
        is_number = type(value) is int and value in self.numbers.range
        return is_number or any(type(value) is type(one.value) and value == one.value for one in self.values)

    def text(self, value: Value) -> Choice:
        """Return a value with its texts."""
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
        """Parse a value. Raise `NotationError` if the option does not have it."""
        for value in self.named:
            if self.print(value) == text:
                return value
        if re.fullmatch("[0-9]{1,5}", text) and int(text) in self.numbers.range:
            return int(text)
        raise NotationError("knob-value", f"{quote(text)} is not {self.choices}")

    @property
    def choices(self) -> str:
        """The allowed values in words: `on or off`, `0 to 100 or upcard`."""
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
    """Declare a field of `Rules` as an option with this default. The metadata of the field has it as `option`."""
    declared = Option(title, menu, values, numbers, sources, matters, nothing, optional)
    return field(default=default, metadata={"option": declared})


play_option = partial(option, menu=Menu.PLAY)
scoring_option = partial(option, menu=Menu.SCORING)
