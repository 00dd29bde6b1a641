"""Both players click simultaneously, and one of them twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from bot.play.application import Application
from bot.sandbox import Interaction, Sandbox
from bot.values.ids import MatchId
from bot.values.matches import MatchSummary
from cogs.panels.layout import Accent
from tests.helpers.components import QUESTIONS, accent_of
from tests.helpers.players import Deed, Player, next_turn

MATCH = MatchId(1)


UPDATED_WITHIN: Final = 60.0
"""Timeout for a hand to show the last move, in seconds. Only a fault takes this long."""


async def _current_turn(
    sandbox: Sandbox, players: Sequence[Player], app: Application
) -> tuple[MatchSummary, Player, Deed]:
    """Return the match, the player whose turn it is, and that player's next move.

    A hand that was posted while its owner moved in an older one offers an outdated move until it is updated.
    """
    async with asyncio.timeout(UPDATED_WITHIN):
        while True:
            mover, deed = await next_turn(sandbox, players)
            before = await app.lookup.summary(MATCH)
            if deed.control.event.version == before.match.version:
                return before, mover, deed
            await asyncio.sleep(0.01)


async def double_click(sandbox: Sandbox, players: Sequence[Player], apps: Sequence[Application], times: int) -> None:
    """Make rounds of simultaneous clicks, of which exactly one counts, and check that each is answered.

    In each round, the player whose turn it is clicks twice, and the other player clicks on an old button. `apps` holds
    one application for each process. The first process sees the match before the clicks, the last one after them.
    """
    accents, earlier = dict[int, int | None](), dict[Player, Deed]()

    def note(made: Interaction) -> None:
        accents[made.id] = accent_of(made.message)

    sandbox.interactions.observers.append(note)
    for _ in range(times):
        before, mover, deed = await _current_turn(sandbox, players, apps[0])
        other = mover.choose()
        clicks = [mover.click(deed), mover.click(deed if other is None or other.action in QUESTIONS else other)]
        clicks += [
            player.click(past, late=True)
            for player, past in earlier.items()
            if player is not mover and not past.message.deleted
        ]
        earlier[mover] = deed
        made = await asyncio.gather(*clicks)
        await asyncio.gather(*(click.answer() for click in made))
        after = await apps[-1].lookup.summary(MATCH)
        # The end of a deal adds its seed and the next deck. The end of the first deal also adds the seed of the cut.
        ended = len(after.deals) - len(before.deals)
        seeds = ended if before.deals else 2 * ended
        assert after.match.version - before.match.version == 1 + ended + seeds
        assert sum(accents[click.id] != Accent.TROUBLE.value for click in made) == 1
