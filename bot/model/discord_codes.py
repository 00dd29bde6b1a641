"""Discord's error codes that the bot handles, grouped by their meaning.

Source: Discord's API reference, "Opcodes and Status Codes", JSON error codes.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Code(IntEnum):
    """A JSON error code of Discord."""

    UNKNOWN_CHANNEL = 10003
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_INTERACTION = 10062
    EXPLICIT_CONTENT = 20009
    SLOW_MODE = 20016
    CHANNEL_WRITE_LIMIT = 20028
    SERVER_WRITE_LIMIT = 20029
    THREAD_PARTICIPANTS = 30033
    OLD_MESSAGE_EDITS = 30046
    DMS_OPENED_TOO_FAST = 40003
    REQUEST_TOO_LARGE = 40005
    FORUM_NEEDS_POST = 40058
    ALREADY_ACKNOWLEDGED = 40060
    NO_ACCESS = 50001
    DMS_CLOSED = 50007
    NOT_A_TEXT_CHANNEL = 50008
    NO_PERMISSION = 50013
    WRONG_KIND_OF_CHANNEL = 50024
    INVALID_FORM = 50035
    FILE_TOO_LARGE = 50045
    FILE_INVALID = 50046
    THREAD_ARCHIVED = 50083
    FILE_NOT_FOUND = 50146
    NO_MUTUAL_SERVER = 50278
    THREAD_EXISTS = 160004
    THREAD_LOCKED = 160005
    ACTIVE_THREADS = 160006
    ACTIVE_ANNOUNCEMENT_THREADS = 160007
    AUTOMOD = 200000
    AUTOMOD_TITLE = 200001
    HARMFUL_LINK = 240000
    UPLOADS_LIMITED = 400001


FILE_REFUSALS: Final = frozenset(
    (
        Code.EXPLICIT_CONTENT,
        Code.REQUEST_TOO_LARGE,
        Code.NO_PERMISSION,
        Code.FILE_TOO_LARGE,
        Code.FILE_INVALID,
        Code.FILE_NOT_FOUND,
        Code.UPLOADS_LIMITED,
    )
)
"""Codes for refusals that a file in the message may have caused. Retry the message without the file.

`NO_PERMISSION` is one of them, because the missing permission may be *Attach Files*.
"""

SIZE_REFUSALS: Final = frozenset((Code.REQUEST_TOO_LARGE, Code.FILE_TOO_LARGE))
"""Those of the `FILE_REFUSALS` that smaller files would avoid."""

DM_REFUSALS: Final = frozenset((Code.DMS_CLOSED, Code.EXPLICIT_CONTENT))
"""Codes that mean that a person cannot get direct messages from the bot, if the refused message had no files.

`NO_MUTUAL_SERVER` is not included, because the bot and the person may share a server again later.
"""

LASTING_REFUSALS: Final = frozenset(
    (
        Code.SLOW_MODE,
        Code.CHANNEL_WRITE_LIMIT,
        Code.SERVER_WRITE_LIMIT,
        Code.FORUM_NEEDS_POST,
        Code.NO_ACCESS,
        Code.NOT_A_TEXT_CHANNEL,
        Code.NO_PERMISSION,
        Code.THREAD_ARCHIVED,
        Code.THREAD_LOCKED,
        Code.AUTOMOD,
        Code.AUTOMOD_TITLE,
        Code.HARMFUL_LINK,
    )
)
"""Codes of refusals that last for a long time, or until someone changes something on the server."""


def lasting_refusal(code: int) -> Code | None:
    """Return the code if it is a lasting refusal, else None."""
    return next((refusal for refusal in LASTING_REFUSALS if refusal == code), None)
