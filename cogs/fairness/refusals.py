"""Texts of refused verifications and shuffle words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill

_UNFIT_WORDS: Final = {
    why.WordsProblem.EMPTY: "Type something that nobody would guess.",
    why.WordsProblem.TOO_LONG: f"Your shuffle words are too long. Use at most {MAX_WORDS_LENGTH} characters.",
    why.WordsProblem.UNREADABLE: "Your shuffle words have invisible characters. Type them again, on one line.",
}
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.NotVerifiable: (
        "{match} started before I began sealing shuffles, so its cards can't be checked. You can check new matches."
    ),
    why.NotCommitted: (
        "That challenge was sent before I began sealing shuffles, so you can't add shuffle words. "
        "You can still accept it."
    ),
    why.TooManyWords: (
        "You've changed your shuffle words too often in this deal of {match}, so I kept your previous ones. You can "
        "change them again in the next deal."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.InvalidWords(reason):
            return _UNFIT_WORDS[reason]
        case _:
            return fill(_TEXTS, refusal)
