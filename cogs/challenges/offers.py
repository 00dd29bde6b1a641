"""Standing offers that a person can see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import compress
from typing import TypeVar

from bot.model.offers import StandingOffers
from bot.play.refusals import AlreadyOffered
from cogs.delivery.access import Access
from cogs.kit.answers import Interaction

_Made = TypeVar("_Made")


async def make_offer(
    interaction: Interaction, access: Access, make: Callable[[AlreadyOffered | None], Awaitable[_Made]]
) -> _Made:
    """Make an offer with `make`. Raise `AlreadyOffered` if the person can see a standing offer to accept instead.

    The error lists only the offers that the person can see. If `make` raises `AlreadyOffered` but the person can see
    none of the offers, call `make` again with that error, so that `make` ignores those offers.
    """
    hidden: AlreadyOffered | None = None
    while True:
        try:
            return await make(hidden)
        except AlreadyOffered as refusal:
            visible = await _visible(interaction, access, refusal.offers)
            if visible:
                raise AlreadyOffered(visible, refusal.draft, refusal.mark) from None
            hidden = refusal


async def _visible(interaction: Interaction, access: Access, offers: StandingOffers) -> StandingOffers:
    """Return the offers that a person can see. Offers of rematches are visible: the person played in those matches."""
    is_visible = await asyncio.gather(
        *(access.sees_challenge(interaction, challenge) for challenge in offers.challenges)
    )
    return StandingOffers(tuple(compress(offers.challenges, is_visible)), offers.rematches)
