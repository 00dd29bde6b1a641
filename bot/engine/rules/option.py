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
"""The value of an option. On/off options are True or False; None is written `none` or `off`."""


class Menu(StrEnum):
    """The menu in which players can change an option."""

    PLAY = "play"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option with its texts: a few words for lists, and full sentences in Markdown."""

    value: Value
    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """All whole numbers of a range, as values of an option.

    `{n}` in the texts stands for the number. A menu offers the `usual` ones.
    """

    range: range
    short: str
    long: str
    usual: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules.

    `menu` is None if only presets set the option. `values` are the values with their own texts; some of them may be
    among the `numbers` too. `sources` cites the publications at the end of `docs/rules.md` by labels in square
    brackets. `matters` returns True if the option has any effect under the given rules. `nothing` is the notation of
    the value None. An `optional` option is an extra: a full description of the rules omits it if it has its default
    value.
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
    def named_values(self) -> tuple[Value, ...]:
        """The values that are not in `numbers`."""
        return tuple(choice.value for choice in self.values if choice.value not in self.numbers.range)

    def allows(self, value: Value) -> bool:
        """Return True if this is a valid value of the option."""
        is_number = type(value) is int and value in self.numbers.range
        return is_number or any(type(value) is type(choice.value) and value == choice.value for choice in self.values)

    def text(self, value: Value) -> Choice:
        """Return the texts of a value, as a `Choice`."""
        for choice in self.values:
            if type(value) is type(choice.value) and value == choice.value:
                return choice
        return Choice(value, self.numbers.short.format(n=value), self.numbers.long.format(n=value))

    def print(self, value: Value) -> str:
        """Return the notation of a value: `on`, `off`, `none`, a number or a name."""
        if value is None:
            return self.nothing
        if isinstance(value, bool):
            return "on" if value else "off"
        return str(value)

    def parse(self, text: str) -> Value:
        """Parse the notation of a value. Raise `NotationError` if it is not a valid value of the option."""
        for value in self.named_values:
            if self.print(value) == text:
                return value
        if re.fullmatch("[0-9]{1,5}", text) and int(text) in self.numbers.range:
            return int(text)
        raise NotationError("knob-value", f"{quote(text)} is not {self.allowed_text}")

    @property
    def allowed_text(self) -> str:
        """The allowed values in words: `on or off`, `0 to 100 or upcard`."""
        numbers = self.numbers.range
        number_range = [f"{numbers[0]} to {numbers[-1]}"] if numbers else []
        return " or ".join((*number_range, *map(self.print, self.named_values)))


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
    """Declare a field of `Rules` as an option with this default. The field's metadata holds the `Option`."""
    declared = Option(title, menu, values, numbers, sources, matters, nothing, optional)
    return field(default=default, metadata={"option": declared})


play_option = partial(option, menu=Menu.PLAY)
scoring_option = partial(option, menu=Menu.SCORING)
