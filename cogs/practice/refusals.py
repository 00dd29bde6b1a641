"""Texts of refused practice and hints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill

_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.NoPractice: "You have no practice match. Start one with `/gin practice start`.",
    why.NotPractice: (
        "Hints are only for practice. After a deal, use `/gin-deal review` to see what your choices cost you."
    ),
    why.NoAdvice: "I can't give you a hint right now. Please ask again in a minute.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.TooMuchPractice(matches):
            return (
                f"You already have {len(matches)} practice matches, which is the limit. See them with `/gin games`, "
                "or end one with `/gin resign`."
            )
        case _:
            return fill(_TEXTS, refusal)
