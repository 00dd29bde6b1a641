"""Texts of refused verifications and shuffle words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill

_UNFIT_WORDS: Final = {
    why.WordsProblem.EMPTY: "You typed no words. Type anything that nobody would guess.",
    why.WordsProblem.TOO_LONG: f"Those words are too long. They may have {MAX_WORDS_LENGTH} characters.",
    why.WordsProblem.UNREADABLE: "Those words have characters that cannot be seen. Type them again, in one line.",
}
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.NotVerifiable: (
        "{match} was agreed on before my deals could be checked, so there is nothing to verify, and it takes no words. "
        "Every new match can be checked."
    ),
    why.NotCommitted: (
        "That challenge was made before my deals could be checked, so it takes no words. *Accept* still begins the "
        "match; every new challenge takes words."
    ),
    why.TooManyWords: (
        "You have changed your words very often in this deal of {match}. Please wait for the next deal; your last ones "
        "count."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.InvalidWords(reason):
            return _UNFIT_WORDS[reason]
        case _:
            return fill(_TEXTS, refusal)
