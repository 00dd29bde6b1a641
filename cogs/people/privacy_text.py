"""Texts about the data that is stored about a person."""

from __future__ import annotations

from typing import Final

PRIVACY: Final = """\
I keep your Discord id, your last names, your avatar and when I saw them, your preferences, holidays and progress in \
the lesson, your challenges and words for shuffles, and your matches with moves, results and reviews. I keep no \
messages. Only you see your cards until a deal is over.
*Export* sends you all of it. *Forget me* deletes it at once: running matches are resigned, and finished ones keep a \
seat without a name."""
FORGET: Final = """\
Forget you? Your running matches are resigned, your challenges withdrawn, and your preferences and leaderboard places \
deleted. Finished matches keep a seat without a name. This can't be undone."""
