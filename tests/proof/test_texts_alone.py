"""Matches can be played to the end by people who see no pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from bot.model.ids import MatchId, PersonId
from cogs.actions import Action
from tests.cogs.scenes import person_of
from tests.helpers.cases import nightly_after
from tests.helpers.living import RunningBot, running_bot
from tests.helpers.players import challenge_and_accept, play_out, start_lobby
from tests.helpers.readers import PlayStyle, Reader, compare_with_truth, version_of
from tests.helpers.scorekeeping import deal_results, read_deals, read_leaderboard, read_winner, tallies
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import prefer
from tests.helpers.worlds import stopped_world

MATCH: Final = MatchId(1)
STYLES: Final = (
    PlayStyle(language="de", order="suit", types_cards=True),
    PlayStyle(language="sv", order="rank", by_dm=False),
    PlayStyle(language="fr", order="melds", types_cards=True, by_dm=False),
    PlayStyle(language="pl", order="suit"),
)
"""The styles of the players, which cover all card orders, typing and clicking, direct messages and the channel."""
DM_CLOSED: Final = 50007
UNKNOWN_MESSAGE: Final = 10008


class CheckedReader(Reader):
    """A reader who checks at each move that the hand in the text is the real one."""

    alive: RunningBot
    reads = 0

    async def act(self) -> None:
        """Check the hand in the text, then make a move."""
        deed = self.choose()
        if deed is not None and deed.message is self.panel and deed.action is not Action.NEXT_DEAL:
            truth = await self.alive.app.lookup.hand(PersonId(self.person.id), MATCH)
            # The message might not yet show another player's latest move.
            if version_of(deed.message) == truth.match.version:
                compare_with_truth(self.read(deed.message), truth)
                self.reads += 1
        await super().act()
        assert not any(message.attachments for message in self.private_messages)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("rules", "seats", "target"),
    nightly_after(
        1, [("standard", 2, 10), ("hollywood", 2, 30), ("standard", 2, 30), ("penalty", 3, 30), ("partners", 4, 30)]
    ),
)
async def test_a_match_is_played_to_its_end_from_words_alone(
    tmp_path: Path, rules: str, seats: int, target: int
) -> None:
    """People without pictures can play to the end: all cards and numbers are in the text, and no file is sent."""
    shuffler = SeededShuffler(f"words {rules}", generous=0.5)
    async with running_bot(tmp_path, world=stopped_world(), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        players = await _seat_players(alive, rules, seats, target)
        await play_out(alive.sandbox, players)
        await alive.idle()
        reads = [player.reads for player in players]
        assert min(reads) > 1
        assert not any(message.attachments for player in players for message in player.private_messages)
        assert set(alive.sandbox.journal.refusals) <= {DM_CLOSED, UNKNOWN_MESSAGE}


@pytest.mark.thorough
async def test_a_spectator_follows_a_match_from_its_posts(tmp_path: Path) -> None:
    """The posts in a channel report each deal's result, and these results add up to the scores and the leaderboard."""
    shuffler = SeededShuffler("spectator", generous=0.5)
    async with running_bot(tmp_path, world=stopped_world(), shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        spectator = alive.person("West")
        players = await _seat_players(alive, "standard", 2, 30)
        await play_out(alive.sandbox, players)
        await alive.idle()
        summary = await alive.app.lookup.summary(MATCH)
        posts = [post for post in spectator.sees(alive.channel) if not post.ephemeral]
        deals = read_deals(posts)
        assert deals == deal_results(summary)
        names = ("North", "South")
        scores = tuple(sum(deal.points for deal in deals if deal.winner == name) for name in names)
        assert scores == summary.view.score.scores
        await prefer(alive.app, person_of(spectator), pictures=False)
        interaction = await spectator.slash("gin leaderboard", alive.channel)
        assert await read_leaderboard(spectator, interaction) == tallies(deals, read_winner(posts), names)


async def _seat_players(alive: RunningBot, rules: str, seats: int, target: int) -> Sequence[CheckedReader]:
    names = ("North", "South", "East", "West")[:seats]
    players = [CheckedReader(alive.sandbox, name, alive.channel, way) for name, way in zip(names, STYLES, strict=False)]
    for player in players:
        player.alive = alive
        await alive.sandbox.until(lambda player=player: player.person.commands(alive.channel))
    await asyncio.gather(*(player.set_preferences() for player in players))
    if seats == 2:
        await challenge_and_accept(alive.sandbox, players[0], players[1], rules=rules, target=target)
    else:
        await start_lobby(alive.sandbox, players, rules=rules, target=target)
    return players
