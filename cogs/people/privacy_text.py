"""Texts about the data that is stored about a person."""

from __future__ import annotations

from typing import Final

PRIVACY: Final = """\
I keep your Discord id, your latest names and avatar and when I saw them, your preferences, holidays and progress in \
the lesson, your challenges and shuffle words, and your matches with moves, results and reviews. I keep no \
messages. Only you see your cards until a deal is over.
Press *Export* to get all of it, or *Forget me* to delete it at once. That also resigns your running matches; finished \
ones keep a seat without a name."""
FORGET: Final = """\
Should I forget you? That resigns your running matches, withdraws your challenges, and deletes your preferences and \
leaderboard places. Finished matches keep a seat without a name. You can't undo this."""
