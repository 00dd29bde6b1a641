"""Standing offers that a person can see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import compress
from typing import TypeVar

from bot.play.refusals import AlreadyOffered
from bot.values.offers import StandingOffers
from cogs.kit.answers import Interaction
from cogs.support.access import Access

_Made = TypeVar("_Made")


async def offer(
    interaction: Interaction, access: Access, make: Callable[[AlreadyOffered | None], Awaitable[_Made]]
) -> _Made:
    """Make an offer. Raise `AlreadyOffered` with the standing offers that the person can see, if there are any.

    If they can see none of them, call `make` again with the refusal.
    """
    unseen: AlreadyOffered | None = None
    while True:
        try:
            return await make(unseen)
        except AlreadyOffered as refusal:
            seen = await _seen(interaction, access, refusal.offers)
            if seen:
                raise AlreadyOffered(seen, refusal.draft, refusal.mark) from None
            unseen = refusal


async def _seen(interaction: Interaction, access: Access, offers: StandingOffers) -> StandingOffers:
    """Return the offers that a person can see. They can see all rematches, because they played in those matches."""
    seen = await asyncio.gather(*(access.sees_challenge(interaction, one) for one in offers.challenges))
    return StandingOffers(tuple(compress(offers.challenges, seen)), offers.rematches)
