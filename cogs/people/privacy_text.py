"""Texts about the data that is stored about a person."""

from __future__ import annotations

from typing import Final

PRIVACY: Final = """\
- Your Discord ID
- Your latest names and avatar, and when I saw them
- Your preferences, blocked people, holidays and progress in the lesson
- Your challenges and shuffle words
- Your matches, with moves, results and reviews
I don't keep messages. Only you see your cards until a deal is over.
Press *Export* to download everything. Press *Forget me* to delete your data right away. That also resigns your \
matches in progress. Finished matches stay, but without your name. Messages already in channels keep it."""
FORGET: Final = """\
Should I forget you? That resigns your matches in progress, withdraws your challenges, and deletes your preferences \
and your places on leaderboards. Finished matches stay, but without your name. \
Messages already in channels keep it. You can't undo this."""
