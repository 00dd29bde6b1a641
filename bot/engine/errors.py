"""Errors of the engine: unreadable text, invalid rules, and illegal actions.

The messages are for records, logs and the command line. Texts for players belong in the layers above the engine.
"""

from typing import Final

MAX_QUOTE_LENGTH: Final = 80
"""Maximum length of a quotation, quotation marks included."""


def quote(text: str) -> str:
    """Return a text for use in an error: on one line, in quotation marks, truncated if it is long."""
    quoted = repr(text[:MAX_QUOTE_LENGTH])
    return quoted if len(quoted) <= MAX_QUOTE_LENGTH else f"{quoted[: MAX_QUOTE_LENGTH - 2]}…{quoted[0]}"


class GinError(ValueError):
    """Base class of the engine's errors, with a code that identifies the error and a message that quotes the input."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotationError(GinError):
    """A text cannot be parsed as a card, hand, meld, move, set of rules or record."""


class RulesError(GinError):
    """A value is out of range, values conflict, or the rules do not allow this number of players."""


class IllegalMove(GinError):  # noqa: N818 - the field's own term
    """An action is well-formed, but the rules do not allow it in this position."""


class RecordError(GinError):
    """A record cannot be parsed or replayed. The message begins with the number of the faulty line, from 1."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(code, f"line {line}: {message}")
        self.line = line
