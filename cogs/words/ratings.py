"""New players' ratings in words: they appear after some matches to 100 points, because short matches count less."""

from __future__ import annotations

from bot.model.ratings import Rating
from bot.model.words import count


def appears_after(rating: Rating) -> str:
    """Return about how many matches are missing until a rating is shown: `about 10 more matches to 100 points`."""
    return f"about {count(rating.matches_until_settled, 'more match', 'more matches')} to 100 points"
