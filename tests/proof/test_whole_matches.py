"""Complete simultaneous matches by players who know only the messages on their screens."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.model.ids import ChannelId, GuildId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.statistics import Results
from bot.store.sqlite import SqliteDatabase
from cogs.actions import Action
from tests.cogs.scenes import person_of
from tests.helpers.components import has_button
from tests.helpers.databases import DatabaseKind
from tests.helpers.living import running_bot
from tests.helpers.players import Player, challenge_and_accept, play_out, press
from tests.helpers.postgres import programs
from tests.helpers.scorekeeping import Tally, deal_results, match_winner, read_leaderboard, tallies
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import prefer
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.play.boards import full_standings

SEEDS = ("table 1 12", "table 2 34")
"""Seeds of two short matches to ten points. Their deals end by gin or an undercut, each at least once."""
MORE_SEEDS = ("table 1 207", "table 2 107", "table 3 50", *(f"table {table}" for table in range(4, 11)))
"""Seeds of ten matches to increasing targets. Their deals end in every way, including void."""
DEAL_ENDS = frozenset((OutcomeKind.GIN, OutcomeKind.UNDERCUT))


def _missing_postgresql() -> str:
    """Return the reason why PostgreSQL cannot run on this machine, or an empty string if it can."""
    try:
        programs()
    except FileNotFoundError as error:
        return str(error)
    return ""


DM_CLOSED = 50007
UNKNOWN_MESSAGE = 10008


@pytest.mark.whole_process
@pytest.mark.postgresql
@pytest.mark.skipif(bool(_missing_postgresql()), reason=_missing_postgresql())
async def test_a_match_on_postgresql(tmp_path: Path) -> None:
    """A match on PostgreSQL can be played by clicks to its end and counts on the leaderboard."""
    async with running_bot(tmp_path, world=hall(1), shuffler=RiggedShuffler(IMMEDIATE_GIN)) as alive:
        channel = alive.sandbox.channel("table-1")
        first, second = (Player(alive.sandbox, name, channel, "postgresql") for name in pair(1))
        await challenge_and_accept(alive.sandbox, first, second, target=10)
        for action in (Action.TAKE, Action.GIN):
            await alive.sandbox.until(lambda action=action: first.panel and has_button(first.panel, action))
            assert first.panel is not None
            await press(first.person, first.panel, action)
        await alive.idle()
        assert not isinstance(alive.database, SqliteDatabase)
        assert (await alive.app.lookup.info(MatchId(1))).status is MatchStatus.FINISHED
        assert channel.guild is not None
        rows = await full_standings(alive.app, GuildId(channel.guild.id))
        assert {row.person_id: row.results for row in rows} == {
            first.person.id: Results(1, 1, 0, 0),
            second.person.id: Results(1, 0, 1, 0),
        }


@pytest.mark.nightly
async def test_two_matches_are_played_to_the_end_and_the_leaderboard_adds_up(
    tmp_path: Path, database_kind: DatabaseKind
) -> None:
    """Two matches can be played to their end, and the leaderboard shows the sums of their deals."""
    kinds = await play_all(tmp_path, SEEDS, 0)
    # On PostgreSQL, a transaction that is retried deals another deck, so deals may end in another way.
    assert database_kind is not DatabaseKind.SQLITE or kinds == DEAL_ENDS


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_many_matches_are_played_to_the_end_and_the_leaderboard_adds_up(
    tmp_path: Path, database_kind: DatabaseKind
) -> None:
    """Ten simultaneous matches can be played to their end, and the leaderboard shows the sums of their deals."""
    kinds = await play_all(tmp_path, MORE_SEEDS, 3)
    assert database_kind is not DatabaseKind.SQLITE or kinds == DEAL_ENDS | {OutcomeKind.KNOCK, OutcomeKind.VOID}


async def play_all(folder: Path, seeds: Sequence[str], target_step: int) -> set[OutcomeKind]:
    """Play a match at each table, and check the leaderboard. Return the ways in which deals ended.

    The first match is to 10 points, and each further match to `target_step` points more than the previous one.
    """
    shuffler = SeededShuffler("matches", seeds=seeds)
    async with running_bot(folder, world=hall(len(seeds)), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        sandbox, lookup = alive.sandbox, alive.app.lookup
        players: list[Player] = []
        for table, seed in enumerate(seeds, 1):
            channel = sandbox.channel(f"table-{table}")
            # Every third player refuses direct messages, and plays from private messages in the channel.
            two = [
                Player(sandbox, name, channel, seed, by_dm=number % 3 != 2)
                for number, name in enumerate(pair(table), 2 * table)
            ]
            await challenge_and_accept(sandbox, two[0], two[1], target=10 + target_step * (table - 1))
            players += two
        await play_out(sandbox, players)
        await alive.idle()

        kinds, sums = set[OutcomeKind](), dict[str, Tally]()
        for player in players[::2]:
            match = await lookup.last_ended_in(ChannelId(player.channel.id), PersonId(player.person.id))
            summary = await lookup.summary(match.id)
            deals = deal_results(summary)
            kinds.update(deal.kind for deal in deals)
            sums |= tallies(deals, match_winner(summary), [str(player.name) for player in match.players])
        guild = sandbox.channel("table-1").guild
        assert guild is not None
        rows = await full_standings(alive.app, GuildId(guild.id))
        assert {standing.name: Tally.of(standing) for standing in rows} == sums
        spectator = alive.person(SPECTATOR)
        await prefer(alive.app, person_of(spectator), pictures=False)
        interaction = await spectator.slash("gin leaderboard", sandbox.channel("table-1"))
        assert await read_leaderboard(spectator, interaction) == sums
        # Only two refusals are expected: direct messages to people who refuse them, and answers to clicks on replaced
        # hands.
        assert set(sandbox.journal.refusals) <= {DM_CLOSED, UNKNOWN_MESSAGE}
        return kinds
