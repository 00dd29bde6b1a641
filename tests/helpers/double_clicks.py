"""Both players click at once, and one of them twice."""

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
"""Seconds in which a hand shows the last move: only a fault takes so long."""


async def _current_turn(
    sandbox: Sandbox, players: Sequence[Player], app: Application
) -> tuple[MatchSummary, Player, Deed]:
    """Return the match, who has a move to make now, and which.

    A hand that is posted while its owner moves in an older one offers what has been done, until it is updated.
    """
    async with asyncio.timeout(UPDATED_WITHIN):
        while True:
            mover, deed = await next_turn(sandbox, players)
            before = await app.lookup.summary(MATCH)
            if deed.control.event.version == before.match.version:
                return before, mover, deed
            await asyncio.sleep(0.01)


async def double_click(sandbox: Sandbox, players: Sequence[Player], apps: Sequence[Application], times: int) -> None:
    """Let whose turn it is click twice, and the other on an old button, all at once: one counts, and each is answered.

    `apps` has that of each process: what the last one sees of the match must follow from what the first one saw.
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
        # The end of a deal brings its seed and the next deck with it, that of the first the seed of the cut, too.
        ended = len(after.deals) - len(before.deals)
        seeds = ended if before.deals else 2 * ended
        assert after.match.version - before.match.version == 1 + ended + seeds
        assert sum(accents[click.id] != Accent.TROUBLE.value for click in made) == 1
