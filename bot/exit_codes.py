"""The exit codes of the program, for whoever supervises it."""

from __future__ import annotations

from typing import Final

UNUSABLE: Final = 2
"""A setting or a file cannot be used, or the database is damaged: starting again does not help."""

FILES_LOST: Final = 3
"""An open file was removed or replaced. The bot saved a copy, and a person must choose the file to continue with."""

LOST: Final = 1
"""The gateway stayed away, something broke, or the database cannot be used yet: a supervisor starts the bot again."""
