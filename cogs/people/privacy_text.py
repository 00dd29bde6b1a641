"""Texts about the data that is stored about a person."""

from __future__ import annotations

from typing import Final

PRIVACY: Final = """\
I keep your Discord id, your last known names and when I saw them, your preferences and holidays, how far you are in \
the lesson, your challenges, the words you add to shuffles, and the matches you played with their moves, results and \
reviews. I keep no messages and nothing about you from elsewhere. Nobody but you sees your cards until a deal is over.
*Export* sends you all of it as a file. *Forget me* deletes it at once: running matches are resigned, and finished \
ones keep a seat without a name."""
FORGET: Final = """\
Should I forget you? Your running matches will be resigned, your challenges withdrawn, and your preferences and your \
place on every leaderboard deleted. Finished matches keep a seat without a name. This cannot be undone."""
