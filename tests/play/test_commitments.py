"""Commitments are posted once, after their challenge, and stay. Unused hash chains are deleted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.model.fairness import Commitment, Fairness
from bot.model.outbox import MessageKind
from bot.play.application import Application
from bot.play.outbox.outbox import Failed
from bot.store import tables
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, NORTH, SOUTH, Players, interaction, place

COMMITMENT, CHALLENGE = MessageKind.COMMITMENT, MessageKind.CHALLENGE


async def chain_count(database: Database) -> int:
    return len(await fetch(database, select(tables.chain.c.id)))


async def test_a_commitment_is_posted_once_and_silently(app: Application, courier: FakeCourier) -> None:
    """A commitment is posted after its challenge, notifies nobody, is never edited, and stays after a withdrawal."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    assert await courier.deliver() == [("post", CHALLENGE), ("post", COMMITMENT)]
    (commitment,) = courier.of_kind(COMMITMENT, CHANNEL)
    assert isinstance(commitment.shown.content, Commitment)
    assert not commitment.notifies
    await app.challenges.withdraw(NORTH.id, challenge.id)
    assert await courier.deliver() == [("edit", CHALLENGE)]
    assert courier.of_kind(COMMITMENT) == [commitment]
    assert commitment.edits == 0


async def test_a_commitment_does_not_wait_long_for_its_challenge(
    app: Application, courier: FakeCourier, clock: Clock
) -> None:
    """If the challenge cannot be posted, the commitment is posted two seconds later."""
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    (challenge,) = await courier.due()
    assert challenge.kind is CHALLENGE
    await app.outbox.record([Failed(challenge, "403", timedelta(minutes=1))])
    assert await courier.due() == []
    assert (await app.outbox.work()).next_due == clock.now + timedelta(seconds=2)
    clock.pass_by(timedelta(seconds=2))
    assert await courier.deliver() == [("post", COMMITMENT)]


async def test_a_match_may_begin_without_its_commitment(app: Application, courier: FakeCourier) -> None:
    """A commitment that cannot be posted does not delay its challenge, whose match is then unverifiable."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    (message,) = await courier.due()
    await courier.deliver_one(message)
    assert message.kind is CHALLENGE
    (commitment,) = await courier.due()
    assert commitment.kind is COMMITMENT
    await app.outbox.record([Failed(commitment, "403", timedelta(minutes=1))])
    assert (await app.challenges.opening(SOUTH, challenge.id)).unposted_chain is not None
    _, match = await app.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    assert match.fairness is Fairness.UNPOSTED


async def test_a_commitment_to_wait_for(app: Application, courier: FakeCourier) -> None:
    """A challenge's commitment must be waited for until it is posted."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    chain_id = (await app.challenges.opening(SOUTH, challenge.id)).unposted_chain
    await courier.deliver()
    contents = [message.shown.content for message in courier.of_kind(COMMITMENT, CHANNEL)]
    assert [content.id for content in contents if isinstance(content, Commitment)] == [chain_id]
    assert (await app.challenges.opening(SOUTH, challenge.id)).unposted_chain is None


@pytest.mark.thorough
async def test_a_late_commitment_is_posted_while_the_match_runs(app: Application, courier: FakeCourier) -> None:
    """A late commitment is posted only while the match runs. Words given after that post do not count as early."""
    running = await Players(app).begin()
    assert ("post", COMMITMENT) in await courier.deliver()
    words = await app.words.give(NORTH.id, running.id, "later", interaction())
    assert not words.early
    await app.endings.resign(NORTH.id, running.id, interaction())
    finished = await Players(app).begin()
    await app.endings.resign(NORTH.id, finished.id, interaction())
    await courier.deliver()
    assert len(courier.of_kind(COMMITMENT)) == 1


@pytest.mark.thorough
async def test_chains_are_deleted_with_their_invitations(app: Application, database: Database, clock: Clock) -> None:
    """A hash chain is deleted when its offer expires or is declined, withdrawn or dropped. A match keeps its chain."""
    declined = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.challenges.decline(SOUTH.id, declined.id)
    withdrawn = await app.challenges.issue(NORTH, [], place(), interaction())
    await app.challenges.withdraw(NORTH.id, withdrawn.id)
    draft = await app.challenges.issue(NORTH, [], place(), interaction(), draft=True, words="for later")
    await app.drafts.drop(NORTH.id, draft.id)
    assert await chain_count(database) == 0
    await app.challenges.issue(EAST, [], place(), interaction())
    match = await Players(app).begin()
    await app.endings.resign(NORTH.id, match.id, interaction())
    clock.pass_by(timedelta(hours=1))
    await app.endings.rematch(NORTH.id, match.id)
    await Players(app).open_dms(NORTH)
    await app.practice.commit(NORTH.id)
    assert await chain_count(database) == 4
    clock.pass_by(timedelta(hours=23, minutes=30))
    await app.challenges.expire()
    assert await chain_count(database) == 3
    clock.pass_by(timedelta(days=1))
    await app.challenges.expire()
    assert await chain_count(database) == 1
    assert await fetch(database, select(tables.chain.c.match_id)) == [(match.id,)]


async def test_a_drafts_commitment_is_posted_when_it_is_sent(app: Application, courier: FakeCourier) -> None:
    """A draft's commitment is posted when the draft is sent. Its shuffle words are kept until then."""
    draft = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), draft=True, words="for later")
    assert await courier.deliver() == []
    await app.drafts.send(NORTH.id, draft.id)
    assert await courier.deliver() == [("post", CHALLENGE), ("post", COMMITMENT)]
    words = await app.words.of_challenge(NORTH.id, draft.id)
    assert words is not None
    assert (words.text, words.early) == ("for later", True)


@pytest.mark.thorough
async def test_the_same_command_commits_once(app: Application, database: Database) -> None:
    """A repeated interaction does not create a second hash chain."""
    interaction_id = interaction()
    for _ in range(2):
        await app.challenges.issue(NORTH, [], place(), interaction_id)
    assert await chain_count(database) == 1
