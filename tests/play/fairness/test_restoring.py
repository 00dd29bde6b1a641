"""After a restore from a backup, matches and offers whose secret seeds may be known are ended."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.model.challenges import ChallengeStatus
from bot.model.ids import ChannelId
from bot.model.matches import MatchStatus
from bot.model.outbox import MessageKind
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.fairness.restoring import CalledOff
from bot.store import tables
from bot.store.database import Database
from tests.helpers.databases import fetch
from tests.helpers.fair_play import FairPlay
from tests.helpers.table import EAST, NORTH, WEST, Players, interaction, place


@pytest.mark.thorough
async def test_everything_with_a_commitment_is_ended(app: Application, fair: FairPlay, database: Database) -> None:
    """Matches, practice, challenges and rematch offers with a commitment are ended; unverifiable matches continue."""
    finished = await fair.begin()
    await app.endings.resign(NORTH.id, finished.id, interaction())
    await app.endings.rematch(NORTH.id, finished.id)
    running, invitation_id = await fair.begin(), await fair.invite()
    practice, _ = await app.practice.start(EAST, None, interaction(), level=Level.NOVICE)
    old = await Players(app, (EAST, WEST), verifiable=False).begin(channel_id=ChannelId(99))
    draft = await app.challenges.issue(WEST, [], place(), interaction(), draft=True)
    assert await app.restoring.call_off() == CalledOff(2, 2)
    assert await app.restoring.call_off() == CalledOff(0, 0)
    for match in (running, practice.match):
        assert (await app.lookup.info(match.id)).status is MatchStatus.CANCELLED
    assert (await app.lookup.info(old.id)).status is MatchStatus.RUNNING
    for challenge_id in (invitation_id, draft.id):
        assert (await app.challenges.get(challenge_id)).status is ChallengeStatus.WITHDRAWN
    assert await fetch(database, select(tables.chain.c.id).where(tables.chain.c.checkpoints.is_not(None))) == []
    assert len(await fetch(database, select(tables.chain.c.id))) == 3
    assert ("post", MessageKind.END) in await fair.courier.deliver()
    await fair.verified(running.id)
