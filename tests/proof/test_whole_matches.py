"""Whole matches at once, played by people who know nothing but what they see."""

from collections import Counter
from pathlib import Path

import pytest

from bot.engine.showdown import OutcomeKind
from bot.values.ids import ChannelId, GuildId, PersonId
from tests.helpers.databases import Kind
from tests.helpers.living import living
from tests.helpers.players import Player, play_out, sit_down
from tests.helpers.scorekeeping import Tally, deal_results, match_winner, read_leaderboard, tallies
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.play.boards import standings

SEEDS = ("table 1 207", "table 2 107", "table 3 50")
"""Of short matches in which deals end in every way: knock and void, gin, undercut."""
MORE_SEEDS = tuple(f"table {table}" for table in range(4, 11))

DM_CLOSED = 50007
UNKNOWN_MESSAGE = 10008


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize("seeds", [SEEDS, pytest.param((*SEEDS, *MORE_SEEDS), marks=pytest.mark.nightly)], ids=len)
async def test_matches_at_once_are_played_to_the_end_and_the_leaderboard_adds_up(
    tmp_path: Path, seeds: tuple[str, ...], database_kind: Kind
) -> None:
    """Every match ends, deals end in every way there is, and the leaderboard is the sum of the deals."""
    shuffler = SeededShuffler("matches", seeds=seeds)
    async with living(tmp_path, world=hall(len(seeds)), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        sandbox, lookup = alive.sandbox, alive.app.lookup
        players: list[Player] = []
        for table, seed in enumerate(seeds, 1):
            channel = sandbox.channel(f"table-{table}")
            # Every third takes no direct messages, and plays from what only they see in the channel.
            two = [
                Player(sandbox, name, channel, seed, by_dm=number % 3 != 2)
                for number, name in enumerate(pair(table), 2 * table)
            ]
            await sit_down(sandbox, two[0], two[1], target=7 + 3 * table)
            players += two
        await play_out(sandbox, players)
        await alive.idle()

        kinds, sums = Counter[OutcomeKind](), dict[str, Tally]()
        for player in players[::2]:
            match = await lookup.last_ended_in(ChannelId(player.channel.id), PersonId(player.person.id))
            summary = await lookup.summary(match.id)
            deals = deal_results(summary)
            kinds.update(deal.kind for deal in deals)
            sums |= tallies(deals, match_winner(summary), [str(one.name) for one in match.players])
        # A transaction that is made again takes another deck.
        if database_kind is Kind.SQLITE:
            assert set(kinds) == {OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT, OutcomeKind.VOID}
        guild = sandbox.channel("table-1").guild
        assert guild is not None
        rows = await standings(alive.app, GuildId(guild.id))
        assert {standing.name: Tally.of(standing) for standing in rows} == sums
        spectator = alive.person(SPECTATOR)
        asked = await spectator.slash("gin leaderboard", sandbox.channel("table-1"))
        assert await read_leaderboard(spectator, asked) == sums
        # Direct messages that are closed, and clicks on hands that the courier had just replaced.
        assert set(sandbox.journal.refusals) <= {DM_CLOSED, UNKNOWN_MESSAGE}
