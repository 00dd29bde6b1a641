"""Texts of refused requests for results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill

BOTS_HAVE_NONE: Final = "Bots have no results. Choose a person."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.ProfileHidden: (
        "<@{refusal.person_id}> shows results only to people they've played with. Play a match against them first: "
        "`/gin play`."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    return fill(_TEXTS, refusal)
