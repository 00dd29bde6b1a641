"""The text of any refusal. Each room has a `refusals` module for its own refusals."""

from __future__ import annotations

from typing import Final

from bot.model.ids import PersonId
from bot.play.refusals import Refusal
from cogs.challenges import refusals as challenges
from cogs.daily import refusals as daily
from cogs.delivery import refusals as delivery
from cogs.fairness import refusals as fairness
from cogs.people import refusals as people
from cogs.practice import refusals as practice
from cogs.rules import refusals as rules
from cogs.servers import refusals as servers
from cogs.showdowns import refusals as showdowns
from cogs.standings import refusals as standings
from cogs.tables import refusals as tables
from cogs.turns import refusals as turns

_ROOMS: Final = (
    *(delivery, turns, tables, challenges, practice, rules),
    *(showdowns, fairness, standings, people, servers, daily),
)


def text(refusal: Refusal, person_id: PersonId) -> str:
    """Return the text of a refusal and the next step, addressed to the person who asked."""
    for room in _ROOMS:
        found = room.text(refusal, person_id)
        if found is not None:
            return found
    return delivery.FAULT
