"""The declaration of a rule option: its values, their notation, and when it matters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from bot.engine.errors import NotationError, quote

if TYPE_CHECKING:
    from bot.engine.rules.rules import Rules

_Default = TypeVar("_Default")
Value = int | str | bool | None
"""The value of an option. On/off options are True or False; None is written `none` or `off`."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules.

    Its values are the `named_values` and the `numbers`, which have none in common. `matters` returns True if the option
    has any effect under the given rules. `nothing` is the notation of the value None.
    """

    named_values: tuple[Value, ...]
    numbers: range
    matters: Callable[[Rules], bool]
    nothing: str

    def allows(self, value: Value) -> bool:
        """Return True if this is a valid value of the option."""
        is_number = type(value) is int and value in self.numbers
        return is_number or any(type(value) is type(named) and value == named for named in self.named_values)

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
        if re.fullmatch("[0-9]{1,5}", text) and int(text) in self.numbers:
            return int(text)
        raise NotationError("knob-value", f"{quote(text)} is not {self.allowed_text}")

    @property
    def allowed_text(self) -> str:
        """The allowed values in words: `on or off`, `0 to 100 or upcard`."""
        number_range = [f"{self.numbers[0]} to {self.numbers[-1]}"] if self.numbers else []
        return " or ".join((*number_range, *map(self.print, self.named_values)))


def option(
    default: _Default,
    named_values: tuple[Value, ...] = (),
    *,
    numbers: range = range(0),
    matters: Callable[[Rules], bool] = lambda _: True,
    nothing: str = "none",
) -> _Default:
    """Declare a field of `Rules` as an option with this default. The field's metadata holds the `Option`."""
    return field(default=default, metadata={"option": Option(named_values, numbers, matters, nothing)})
