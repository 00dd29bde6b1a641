"""Ten whole matches at once, played by people who know nothing but what they see."""

from collections import Counter
from pathlib import Path

import pytest

from tests.helpers.living import living
from tests.helpers.players import Player, play_out, sit_down
from tests.helpers.scorekeeping import Tally, leaderboard, showdowns, tallies
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair

TABLES = range(1, 11)
SEED = "first light 61"


@pytest.mark.slow
async def test_ten_matches_at_once_are_played_to_the_end_and_the_standing_adds_up(tmp_path: Path) -> None:
    """Every match ends, deals end in every way there is, and the leaderboard is the sum of what the posts said."""
    shuffler = SeededShuffler(SEED)
    async with living(tmp_path, world=hall(len(TABLES)), shuffler=shuffler) as alive:
        chance.follow(alive.app)
        sandbox = alive.sandbox
        players: list[Player] = []
        for table in TABLES:
            channel = sandbox.channel(f"table-{table}")
            # Every third takes no direct messages, and plays from what only they see in the channel.
            two = [
                Player(sandbox, name, channel, SEED, by_dm=number % 3 != 2)
                for number, name in enumerate(pair(table), 2 * table)
            ]
            await sit_down(sandbox, two[0], two[1], target=7 + 3 * table)
            players += two
        await play_out(sandbox, players)
        await sandbox.settled()

        spectator, kinds, sums = alive.person(SPECTATOR), Counter[str](), dict[str, Tally]()
        for table in TABLES:
            posts = spectator.sees(sandbox.channel(f"table-{table}"))
            kinds.update(deal.kind for deal in showdowns(posts))
            sums |= tallies(posts, pair(table))
        assert set(kinds) == {"knock", "gin", "undercut", "void"}
        asked = await spectator.slash("gin leaderboard", sandbox.channel("table-1"))
        assert await leaderboard(spectator, asked) == sums
        # Direct messages that are closed, and clicks on hands that the courier had just replaced.
        assert set(sandbox.journal.refusals) <= {50007, 10008}
