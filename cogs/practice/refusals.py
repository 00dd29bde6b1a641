"""Texts of refused practice and hints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill

_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.NoPractice: "You have no practice match. `/gin practice start` begins one.",
    why.NotPractice: "Hints are for practice. After the deal, `/gin-deal review` tells what each choice cost.",
    why.NoAdvice: "I cannot think of anything just now. Please ask again in a minute; it is still your turn.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.TooMuchPractice(matches):
            return (
                f"You are practising {len(matches)} matches already, which is the limit. `/gin games` lists them, and "
                "`/gin resign` ends one."
            )
        case _:
            return fill(_TEXTS, refusal)
