"""Interactions that arrive a second time."""

from __future__ import annotations

from bot.play.loading.unit_of_work import Units
from bot.play.matches.match_writer import MovedOn
from bot.play.refusals import Refusal, Stale
from bot.store import matches
from bot.values.ids import InteractionId, PersonId
from bot.values.matches import OwnHand


async def answer_again(
    units: Units, person_id: PersonId, interaction_id: InteractionId | None, reason: Refusal | MovedOn
) -> OwnHand:
    """Return the present hand if an interaction that was refused has already changed a match.

    If it has not, raise the refusal, or `Stale` if the match moved on in the meantime.
    """
    async with units.read() as unit:
        changed = None if interaction_id is None else await matches.by_interaction(unit.transaction, interaction_id)
        if changed is None and isinstance(reason, Refusal):
            raise reason
        match_id = reason.match_id if isinstance(reason, MovedOn) else changed
        assert match_id is not None
        loaded = await unit.load(match_id)
        hand = loaded.hand(loaded.seat_of(person_id), unit.now)
    if changed is None:
        raise Stale(hand)
    return hand
