"""Double clicks and both players at once: one move, whoever clicks how often."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import Interaction
from bot.values.ids import MatchId
from cogs.panels.layout import Accent
from tests.helpers.components import QUESTIONS, accent_of
from tests.helpers.living import living
from tests.helpers.players import Deed, Player, next_turn, sit_down
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair

MATCH = MatchId(1)


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize("times", [15, pytest.param(100, marks=pytest.mark.nightly)])
async def test_clicks_at_once_make_one_move_every_time(tmp_path: Path, times: int) -> None:
    """Of two clicks by whose turn it is and one by the other player, all at once, one counts; each is answered."""
    shuffler = SeededShuffler("clicks", generous=0)
    async with living(tmp_path, world=hall(1), shuffler=shuffler) as alive:
        sandbox, accents = alive.sandbox, dict[int, int | None]()

        def note(made: Interaction) -> None:
            accents[made.id] = accent_of(made.message)

        players = [Player(sandbox, name, sandbox.channel("table-1"), "clicks", by_dm=False) for name in pair(1)]
        await sit_down(sandbox, players[0], players[1], target=1000)
        sandbox.interactions.observers.append(note)
        earlier: dict[Player, Deed] = {}
        for _ in range(times):
            mover, deed = await next_turn(sandbox, players)
            before = await alive.app.lookup.summary(MATCH)
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
            after = await alive.app.lookup.summary(MATCH)
            # The end of a deal brings the next deck with it.
            dealt = len(after.deals) - len(before.deals)
            assert after.match.version - before.match.version == 1 + dealt
            assert sum(accents[click.id] != Accent.TROUBLE.value for click in made) == 1
