"""Texts of refusals about the deal of the day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.daily import end_of
from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.words.clocks import date_of
from cogs.words.daily import CALLED_OFF

_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.DayOver: "That day is over. `/gin daily` has the new deal.",
    why.TryCalledOff: CALLED_OFF,
    why.NewDaily: "There's a new deal. `/gin daily` has it.",
    why.NotInDaily: (
        "That isn't possible in the daily deal: everyone plays the same cards, once and alone. You can stop, and come "
        "back until the day ends."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.Sealed(match):
            assert match.day is not None
            return f"The cards of the daily deal are sealed until {date_of(end_of(match.day))}."
        case why.NoDaily(until):
            return f"There's no deal today. The next one comes on {date_of(until)}."
        case _:
            return fill(_TEXTS, refusal)
