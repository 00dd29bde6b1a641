"""After a restore from a backup, everything whose seeds may be known is ended."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.opponent.levels import Level
from bot.play.application import Application
from bot.play.fairness.restoring import CalledOff
from bot.store import tables
from bot.store.database import Database
from bot.values.challenges import ChallengeStatus
from bot.values.ids import ChannelId
from bot.values.matches import MatchStatus
from bot.values.outbox import MessageKind
from tests.helpers.databases import fetch
from tests.helpers.fair_play import FairPlay
from tests.helpers.table import EAST, NORTH, WEST, Players, interaction, place


@pytest.mark.thorough
async def test_what_was_committed_to_is_ended(app: Application, fair: FairPlay, database: Database) -> None:
    """Running matches, practice, open challenges and rematch offers with a commitment are ended; others continue."""
    over = await fair.begin()
    await app.endings.resign(NORTH.id, over.id, interaction())
    await app.endings.rematch(NORTH.id, over.id)
    running, invited = await fair.begin(), await fair.invite()
    practice, _ = await app.practice.start(EAST, None, interaction(), level=Level.NOVICE)
    old = await Players(app, (EAST, WEST), verifiable=False).begin(channel_id=ChannelId(99))
    draft = await app.challenges.issue(WEST, [], place(), interaction(), draft=True)
    assert await app.restoring.call_off() == CalledOff(2, 2)
    assert await app.restoring.call_off() == CalledOff(0, 0)
    for match in (running, practice.match):
        assert (await app.lookup.info(match.id)).status is MatchStatus.CANCELLED
    assert (await app.lookup.info(old.id)).status is MatchStatus.RUNNING
    for challenge_id in (invited, draft.id):
        assert (await app.challenges.get(challenge_id)).status is ChallengeStatus.WITHDRAWN
    assert await fetch(database, select(tables.chain.c.id).where(tables.chain.c.checkpoints.is_not(None))) == []
    assert len(await fetch(database, select(tables.chain.c.id))) == 3
    assert ("post", MessageKind.END) in await fair.courier.deliver()
    await fair.verified(running.id)
