"""The exit codes of the program."""

from __future__ import annotations

from typing import Final

UNUSABLE: Final = 2
"""A setting or a file cannot be used, or the database is damaged: a restart does not help."""

FILES_LOST: Final = 3
"""An open file was removed or replaced. The bot saved a copy, and a person must choose the file to continue with."""

RETRY: Final = 1
"""The gateway was lost, something broke, or the database cannot be used yet: a supervisor should restart the bot."""
