"""The ways an input can be wrong: it cannot be read, its rules make no sense, or the rules do not allow it.

Words for people live above the engine; these messages are for records, logs and the command line.
"""


class GinError(ValueError):
    """What every error of the engine is: a code to tell cases apart, and a message that quotes the input."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotationError(GinError):
    """A text that is no card, hand, meld, move, rules or record."""


class RulesError(GinError):
    """A rule value out of range, a combination without sense, or one that so many cannot play."""


class IllegalMove(GinError):  # noqa: N818 - the field's own term
    """A well-formed action that the rules do not allow in this position."""


class RecordError(GinError):
    """A record that cannot be read or replayed; the message begins with the line (from 1) where it goes wrong."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(code, f"line {line}: {message}")
        self.line = line
