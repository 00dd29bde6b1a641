"""The declaration of a rule option: its values with their texts, its menu, its conflicts and its sources."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.engine.errors import NotationError

if TYPE_CHECKING:
    from bot.engine.rules.rules import Rules

Value = int | str | bool | None
"""A value of any option. A switch is True or False; None is written `none` or `off`."""

METADATA_KEY: Final = "option"
"""The key of the `Option` in the metadata of a field of `Rules`."""


class Menu(StrEnum):
    """The menus in which players change options."""

    PLAY = "play"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class Text:
    """The meaning of a value: in a few words for a list, and in whole sentences (Markdown)."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One value with texts of its own."""

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


def _always(_: Rules) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules.

    `menu` is None where only a preset sets the option. `sources` cites `SOURCES` by labels in square brackets.
    `matters` tells whether the option has any effect beside the other values of some rules. `conflicts` are pairs of a
    test and the reason why rules that meet it are refused; `{rules}` in a reason stands for those rules. `nothing` is
    how None is written. A full description of the rules leaves out the default of an option that is `optional`: that
    there is no such thing goes without saying.
    """

    title: str
    values: tuple[Choice | Numbers, ...]
    sources: str
    menu: Menu | None
    matters: Callable[[Rules], bool] = _always
    conflicts: tuple[tuple[Callable[[Rules], bool], str], ...] = ()
    nothing: str = "none"
    optional: bool = False

    @property
    def numbers(self) -> range:
        """The numbers that the option may be; empty where all of its values are named one by one."""
        return next((one.range for one in self.values if isinstance(one, Numbers)), range(0))

    @property
    def usual_numbers(self) -> tuple[int, ...]:
        """The numbers that a menu offers."""
        return next((one.usual for one in self.values if isinstance(one, Numbers)), ())

    @property
    def named(self) -> tuple[Value, ...]:
        """The values outside `numbers`."""
        return tuple(one.value for one in self.values if isinstance(one, Choice) and one.value not in self.numbers)

    def allows(self, value: Value) -> bool:
        """Return whether the value is one of the option's."""
        return any(
            type(value) is type(one.value) and value == one.value
            if isinstance(one, Choice)
            else isinstance(value, int) and not isinstance(value, bool) and value in one.range
            for one in self.values
        )

    def text(self, value: Value) -> Text:
        """Return what a value means."""
        for one in self.values:
            if isinstance(one, Choice) and type(value) is type(one.value) and value == one.value:
                return Text(one.short, one.long)
        numbers = next(one for one in self.values if isinstance(one, Numbers))
        return Text(numbers.short.format(n=value), numbers.long.format(n=value))

    def print(self, value: Value) -> str:
        """Return a value in notation: `on`, `off`, `none`, a number or a name."""
        if value is None:
            return self.nothing
        if isinstance(value, bool):
            return "on" if value else "off"
        return str(value)

    def parse(self, text: str) -> Value:
        """Read a value.

        Raises:
            NotationError: the text is none of the option's values.
        """
        for value in self.named:
            if self.print(value) == text:
                return value
        if re.fullmatch("[0-9]{1,5}", text) and int(text) in self.numbers:
            return int(text)
        raise NotationError("knob-value", f"{text!r} is not {self.choices}")

    @property
    def choices(self) -> str:
        """The values in words: `on or off`, `0 to 100 or upcard`."""
        numbers = [f"{self.numbers[0]} to {self.numbers[-1]}"] if self.numbers else []
        return " or ".join((*numbers, *map(self.print, self.named)))


def option(
    title: str,
    *values: Choice | Numbers,
    sources: str,
    menu: Menu | None,
    matters: Callable[[Rules], bool] = _always,
    conflicts: tuple[tuple[Callable[[Rules], bool], str], ...] = (),
    nothing: str = "none",
    optional: bool = False,
) -> dict[str, Option]:
    """Declare an option: return the metadata for its field of `Rules`. See `Option`."""
    return {METADATA_KEY: Option(title, values, sources, menu, matters, conflicts, nothing, optional)}
