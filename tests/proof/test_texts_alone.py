"""Matches can be played to the end by people who see no pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from bot.values.ids import MatchId, PersonId
from tests.helpers.cases import nightly_after
from tests.helpers.living import Living, living
from tests.helpers.players import gather, play_out, sit_down
from tests.helpers.readers import Reader, Way, check, version_of
from tests.helpers.scorekeeping import deal_results, read_deals, read_leaderboard, read_winner, tallies
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import stopped_world

MATCH: Final = MatchId(1)
WAYS: Final = (
    Way(language="de", order="suit", types=True),
    Way(language="sv", order="rank", by_dm=False),
    Way(language="fr", order="melds", types=True, by_dm=False),
    Way(language="pl", order="suit"),
)
"""The players' styles, which cover all card orders, typing and choosing, and direct messages and the channel."""
DM_CLOSED: Final = 50007
UNKNOWN_MESSAGE: Final = 10008


class CheckedReader(Reader):
    """A reader whose parsed hand is compared with the real one at each move."""

    alive: Living
    reads = 0

    async def act(self) -> None:
        """Make a move, after checking the parsed hand."""
        deed = self.choose()
        if deed is not None and deed.message is self.panel:
            truth = await self.alive.app.lookup.hand(PersonId(self.person.id), MATCH)
            # Another player's move may not be on the screen yet.
            if version_of(deed.message) == truth.match.version:
                check(self.read(deed.message), truth)
                self.reads += 1
        await super().act()
        assert not any(message.attachments for message in self.private)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "seats", "target"),
    nightly_after(
        1, [("standard", 2, 10), ("hollywood", 2, 30), ("standard", 2, 30), ("penalty", 3, 30), ("partners", 4, 30)]
    ),
)
async def test_a_match_is_played_to_its_end_from_words_alone(
    tmp_path: Path, rules: str, seats: int, target: int
) -> None:
    """Every card, number and choice appears correctly in text. People without pictures receive no files."""
    shuffler = SeededShuffler(f"words {rules}", generous=0.5)
    async with living(tmp_path, world=stopped_world(), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        players = await _seated(alive, rules, seats, target)
        await play_out(alive.sandbox, players)
        await alive.idle()
        reads = [player.reads for player in players]
        assert min(reads) > 1
        assert not any(message.attachments for player in players for message in player.private)
        assert set(alive.sandbox.journal.refusals) <= {DM_CLOSED, UNKNOWN_MESSAGE}


@pytest.mark.thorough
async def test_a_spectator_follows_a_match_from_its_posts(tmp_path: Path) -> None:
    """The posts in the channel report how each deal ended, and add up to the scores and the leaderboard."""
    shuffler = SeededShuffler("spectator", generous=0.5)
    async with living(tmp_path, world=stopped_world(), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        spectator = alive.person("West")
        players = await _seated(alive, "standard", 2, 30)
        await play_out(alive.sandbox, players)
        await alive.idle()
        summary = await alive.app.lookup.summary(MATCH)
        posts = [post for post in spectator.sees(alive.channel) if not post.ephemeral]
        deals = read_deals(posts)
        assert deals == deal_results(summary)
        names = ("North", "South")
        scores = tuple(sum(deal.points for deal in deals if deal.winner == name) for name in names)
        assert scores == summary.view.score.scores
        asked = await spectator.slash("gin leaderboard", alive.channel)
        assert await read_leaderboard(spectator, asked) == tallies(deals, read_winner(posts), names)


async def _seated(alive: Living, rules: str, seats: int, target: int) -> Sequence[CheckedReader]:
    names = ("North", "South", "East", "West")[:seats]
    players = [CheckedReader(alive.sandbox, name, alive.channel, way) for name, way in zip(names, WAYS, strict=False)]
    for player in players:
        player.alive = alive
        await alive.sandbox.until(lambda player=player: player.person.commands(alive.channel))
    await asyncio.gather(*(player.settle_in() for player in players))
    if seats == 2:
        await sit_down(alive.sandbox, players[0], players[1], rules=rules, target=target)
    else:
        await gather(alive.sandbox, players, rules=rules, target=target)
    return players
