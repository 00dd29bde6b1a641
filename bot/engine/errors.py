"""Errors of the engine: unreadable text, invalid rules, and illegal actions.

The messages are for records, logs and the command line. Texts for players belong in the layers above the engine.
"""

from typing import Final

QUOTED: Final = 80
"""Maximum length of a quotation, quotation marks included."""


def quote(text: str) -> str:
    """Return a text for use in an error: on one line, in quotation marks, truncated if it is long."""
    quoted = repr(text[:QUOTED])
    return quoted if len(quoted) <= QUOTED else f"{quoted[: QUOTED - 2]}…{quoted[0]}"


class GinError(ValueError):
    """Base class of the engine's errors: a code to distinguish cases, and a message that quotes the input."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotationError(GinError):
    """A text that cannot be parsed as a card, hand, meld, move, set of rules or record."""


class RulesError(GinError):
    """A value out of range, conflicting values, or rules that do not allow this number of players."""


class IllegalMove(GinError):  # noqa: N818 - the field's own term
    """A well-formed action that the rules do not allow in this position."""


class RecordError(GinError):
    """A record that cannot be parsed or replayed. The message begins with the number of the faulty line, from 1."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(code, f"line {line}: {message}")
        self.line = line
