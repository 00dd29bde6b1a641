"""Of simultaneous clicks by both players, exactly one makes a move, and one answers a request."""

from pathlib import Path

import pytest

from tests.helpers.cases import nightly_after
from tests.helpers.double_clicks import double_click, double_request
from tests.helpers.living import running_bot
from tests.helpers.players import Player, allow_take_backs, challenge_and_accept, let_the_bot_draw
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair


@pytest.mark.thorough
@pytest.mark.parametrize("times", nightly_after(1, [5, 100]))
async def test_simultaneous_clicks_make_one_move(tmp_path: Path, times: int) -> None:
    """Of two simultaneous clicks by one player and one by the opponent, exactly one makes a move. All are answered."""
    shuffler = SeededShuffler("clicks", generous=0)
    async with running_bot(tmp_path, world=hall(1), shuffler=shuffler) as alive:
        sandbox, channel = alive.sandbox, alive.sandbox.channel("table-1")
        players = [Player(sandbox, name, channel, "clicks", by_dm=False, plans_ahead=True) for name in pair(1)]
        await challenge_and_accept(sandbox, players[0], players[1], target=1000)
        await let_the_bot_draw(players[1])
        for player in players:
            await allow_take_backs(player)
        await double_click(sandbox, players, [alive.app], times)


@pytest.mark.thorough
@pytest.mark.parametrize("times", nightly_after(1, [2, 20]))
async def test_simultaneous_requests_and_answers_count_once(tmp_path: Path, times: int) -> None:
    """Of two simultaneous requests to take a discard back, one counts. Of two answers and a move, one counts."""
    shuffler = SeededShuffler("requests", generous=0)
    async with running_bot(tmp_path, world=hall(1), shuffler=shuffler) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), "requests", by_dm=False) for name in pair(1)]
        await challenge_and_accept(sandbox, players[0], players[1], target=1000)
        for player in players:
            await allow_take_backs(player)
        await double_request(sandbox, players, [alive.app], times)
