"""The errors of the engine: a text cannot be read, rules make no sense, or the rules do not allow an action.

These messages are for records, logs and the command line. Texts for players live above the engine.
"""

from typing import Final

QUOTED: Final = 80
"""The most characters of a quotation, quotation marks and all."""


def quote(text: str) -> str:
    """Return a text as errors quote it: on one line, in quotation marks, cut if it is long."""
    quoted = repr(text[:QUOTED])
    return quoted if len(quoted) <= QUOTED else f"{quoted[: QUOTED - 2]}…{quoted[0]}"


class GinError(ValueError):
    """The base of all errors of the engine: a code that tells cases apart, and a message that quotes the input."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotationError(GinError):
    """A text that cannot be read as a card, hand, meld, move, set of rules or record."""


class RulesError(GinError):
    """A value out of range, values that make no sense together, or rules that are not for this number of players."""


class IllegalMove(GinError):  # noqa: N818 - the field's own term
    """A well-formed action that the rules do not allow in this position."""


class RecordError(GinError):
    """A record that cannot be read or replayed; the message begins with the line (from 1) where it goes wrong."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(code, f"line {line}: {message}")
        self.line = line
