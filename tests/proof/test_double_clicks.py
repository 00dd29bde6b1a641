"""Simultaneous clicks by both players make exactly one move."""

from pathlib import Path

import pytest

from tests.helpers.cases import nightly_after
from tests.helpers.double_clicks import double_click
from tests.helpers.living import living
from tests.helpers.players import Player, sit_down
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair


@pytest.mark.thorough
@pytest.mark.parametrize("times", nightly_after(1, [5, 100]))
async def test_clicks_at_once_make_one_move_every_time(tmp_path: Path, times: int) -> None:
    """Of two clicks by the player whose turn it is and one by the opponent, one counts. Each is answered."""
    shuffler = SeededShuffler("clicks", generous=0)
    async with living(tmp_path, world=hall(1), shuffler=shuffler) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), "clicks", by_dm=False) for name in pair(1)]
        await sit_down(sandbox, players[0], players[1], target=1000)
        await double_click(sandbox, players, [alive.app], times)
