"""Complete simultaneous matches, played by people who see only their screens."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.engine.showdown import OutcomeKind
from bot.store.sqlite import SqliteDatabase
from bot.values.ids import ChannelId, GuildId, MatchId, PersonId
from bot.values.matches import MatchStatus
from bot.values.statistics import Results
from cogs.kit.actions import Action
from tests.helpers.components import has_button
from tests.helpers.databases import Kind
from tests.helpers.living import living
from tests.helpers.players import Player, play_out, press, sit_down
from tests.helpers.postgres import programs
from tests.helpers.scorekeeping import Tally, deal_results, match_winner, read_leaderboard, tallies
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.play.boards import standings

SEEDS = ("table 1 12", "table 2 34")
"""Seeds of matches to ten points whose deals end soon, by gin and by an undercut."""
MORE_SEEDS = ("table 1 207", "table 2 107", "table 3 50", *(f"table {table}" for table in range(4, 11)))
"""Seeds of matches to increasing targets whose deals end in every way, including void."""
ENDS = frozenset((OutcomeKind.GIN, OutcomeKind.UNDERCUT))


def _lack_of_postgresql() -> str:
    """Return the reason why PostgreSQL cannot be used here, or an empty string."""
    try:
        programs()
    except FileNotFoundError as error:
        return str(error)
    return ""


DM_CLOSED = 50007
UNKNOWN_MESSAGE = 10008


@pytest.mark.whole_process
@pytest.mark.postgresql
@pytest.mark.skipif(bool(_lack_of_postgresql()), reason=_lack_of_postgresql())
async def test_a_match_on_postgresql(tmp_path: Path) -> None:
    """A match on PostgreSQL can be played by clicks to its end and counts on the leaderboard."""
    async with living(tmp_path, world=hall(1), shuffler=RiggedShuffler(GIN_AT_ONCE)) as alive:
        channel = alive.sandbox.channel("table-1")
        first, second = (Player(alive.sandbox, name, channel, "postgresql") for name in pair(1))
        await sit_down(alive.sandbox, first, second, target=10)
        for action in (Action.TAKE, Action.GIN):
            await alive.sandbox.until(lambda action=action: first.panel and has_button(first.panel, action))
            assert first.panel is not None
            await press(first.person, first.panel, action)
        await alive.idle()
        assert not isinstance(alive.database, SqliteDatabase)
        assert (await alive.app.lookup.info(MatchId(1))).status is MatchStatus.FINISHED
        assert channel.guild is not None
        rows = await standings(alive.app, GuildId(channel.guild.id))
        assert {one.person_id: one.results for one in rows} == {
            first.person.id: Results(1, 1, 0, 0),
            second.person.id: Results(1, 0, 1, 0),
        }


@pytest.mark.thorough
async def test_two_matches_are_played_to_the_end_and_the_leaderboard_adds_up(
    tmp_path: Path, database_kind: Kind
) -> None:
    """Both matches end, one deal by gin and one by an undercut, and the leaderboard is the sum of the deals."""
    kinds = await play_all(tmp_path, SEEDS, 0)
    # On PostgreSQL, a retried transaction gets another deck.
    assert database_kind is not Kind.SQLITE or kinds == ENDS


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_many_matches_are_played_to_the_end_and_the_leaderboard_adds_up(
    tmp_path: Path, database_kind: Kind
) -> None:
    """Ten simultaneous matches end, with knocks and void deals, and the leaderboard is the sum of the deals."""
    kinds = await play_all(tmp_path, MORE_SEEDS, 3)
    assert database_kind is not Kind.SQLITE or kinds == ENDS | {OutcomeKind.KNOCK, OutcomeKind.VOID}


async def play_all(folder: Path, seeds: Sequence[str], more: int) -> set[OutcomeKind]:
    """Play a match at each table and check it. Return how deals ended.

    The first match is to 10 points, and each following one to `more` more.
    """
    shuffler = SeededShuffler("matches", seeds=seeds)
    async with living(folder, world=hall(len(seeds)), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        sandbox, lookup = alive.sandbox, alive.app.lookup
        players: list[Player] = []
        for table, seed in enumerate(seeds, 1):
            channel = sandbox.channel(f"table-{table}")
            # Every third player accepts no direct messages, and plays from private messages in the channel.
            two = [
                Player(sandbox, name, channel, seed, by_dm=number % 3 != 2)
                for number, name in enumerate(pair(table), 2 * table)
            ]
            await sit_down(sandbox, two[0], two[1], target=10 + more * (table - 1))
            players += two
        await play_out(sandbox, players)
        await alive.idle()

        kinds, sums = set[OutcomeKind](), dict[str, Tally]()
        for player in players[::2]:
            match = await lookup.last_ended_in(ChannelId(player.channel.id), PersonId(player.person.id))
            summary = await lookup.summary(match.id)
            deals = deal_results(summary)
            kinds.update(deal.kind for deal in deals)
            sums |= tallies(deals, match_winner(summary), [str(one.name) for one in match.players])
        guild = sandbox.channel("table-1").guild
        assert guild is not None
        rows = await standings(alive.app, GuildId(guild.id))
        assert {standing.name: Tally.of(standing) for standing in rows} == sums
        spectator = alive.person(SPECTATOR)
        asked = await spectator.slash("gin leaderboard", sandbox.channel("table-1"))
        assert await read_leaderboard(spectator, asked) == sums
        # Closed direct messages, and clicks on hands that the courier had just replaced.
        assert set(sandbox.journal.refusals) <= {DM_CLOSED, UNKNOWN_MESSAGE}
        return kinds
