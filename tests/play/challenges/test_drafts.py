"""Drafts: only their challenger sees and changes them, and sending one is limited like any challenge."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.rules import Rules
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.refusals import (
    ChallengeClosed,
    NoChallenge,
    NotForYou,
    NotOffered,
    TooManyChallenges,
    TooManyNamed,
    UnknownRules,
    WrongChannel,
)
from bot.values.challenges import EXPIRES_AFTER, Challenge, ChallengeStatus
from bot.values.fairness import Commitment
from bot.values.guilds import Place
from bot.values.ids import ChallengeId, ChannelId
from bot.values.people import Person
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, GUILD, NORTH, SOUTH, change_settings, interaction, place

THREAD = ChannelId(CHANNEL + 5)


async def draft(
    app: Application, *named: Person, rules: str | None = None, where: Place | None = None, of: Person = NORTH
) -> Challenge:
    ids = [person.id for person in named]
    return await app.challenges.issue(of, ids, where or place(), interaction(), rules=rules, draft=True)


async def send_challenge(app: Application) -> Challenge:
    """Make a challenge by North and send it immediately."""
    return await app.challenges.issue(NORTH, [], place(), interaction())


async def test_only_its_challenger_sees_a_draft(app: Application, courier: FakeCourier) -> None:
    """Before it is sent, a draft is not posted and only its challenger can see it; nobody can accept it."""
    made = await draft(app, SOUTH)
    assert made.status is ChallengeStatus.DRAFT
    assert await app.drafts.get(NORTH.id, made.id) == made
    assert await app.challenges.open_to(SOUTH.id, GUILD) == await app.challenges.own(NORTH.id) == ()
    assert await courier.deliver() == []
    with pytest.raises(NotForYou):
        await app.drafts.get(SOUTH.id, made.id)
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, made.id)
    with pytest.raises(NoChallenge):
        await app.drafts.get(NORTH.id, ChallengeId(99))


async def test_a_draft_is_sent_once(app: Application, courier: FakeCourier) -> None:
    """A draft can be sent once and then is a pending challenge."""
    made = await draft(app, SOUTH)
    sent = await app.drafts.send(NORTH.id, made.id)
    assert sent.status is ChallengeStatus.PENDING
    assert await app.challenges.open_to(SOUTH.id, GUILD) == (sent,)
    await courier.deliver()
    commitment, message = courier.messages.values()
    assert isinstance(commitment.shown.content, Commitment)
    assert message.shown.content == sent
    with pytest.raises(ChallengeClosed):
        await app.drafts.send(NORTH.id, made.id)
    with pytest.raises(ChallengeClosed):
        await app.drafts.drop(NORTH.id, made.id)


async def test_rules_and_options_can_be_changed(app: Application) -> None:
    """Choosing rules resets all options; changing an option keeps the others. Invalid changes are refused."""
    made = await draft(app, SOUTH)
    changed = await app.drafts.change_option(NORTH.id, made.id, "target", "60")
    assert (changed.ruleset, changed.rules) == ("classic", Rules.parse("classic target=60"))
    low = await app.drafts.use_rules(NORTH.id, made.id, "low")
    assert (low.ruleset, low.rules) == ("low", Rules.parse("low"))
    for option, value in (("wings", "2"), ("target", "many"), ("target", "none")):
        with pytest.raises(UnknownRules):
            await app.drafts.change_option(NORTH.id, made.id, option, value)
    with pytest.raises(UnknownRules):
        await app.drafts.use_rules(NORTH.id, made.id, "chess")
    await change_settings(app, rules="low", offered=("low",))
    with pytest.raises(NotOffered):
        await app.drafts.use_rules(NORTH.id, made.id, "classic")
    with pytest.raises(NotForYou):
        await app.drafts.change_option(SOUTH.id, made.id, "target", "60")
    assert await app.drafts.get(NORTH.id, made.id) == low


async def test_rules_need_places_for_the_named(app: Application) -> None:
    """Rules with too few seats for the named people are refused."""
    made = await draft(app, SOUTH, EAST, rules="rotation")
    with pytest.raises(TooManyNamed) as caught:
        await app.drafts.use_rules(NORTH.id, made.id, "classic")
    assert caught.value.most == 1
    assert (await app.drafts.use_rules(NORTH.id, made.id, "penalty")).ruleset == "penalty"


async def test_a_new_draft_replaces_the_last_one(app: Application) -> None:
    """A person has one draft; a new one does not affect other people's drafts or sent challenges."""
    other, first = await draft(app, of=SOUTH), await draft(app)
    sent = await send_challenge(app)
    second = await draft(app)
    with pytest.raises(NoChallenge):
        await app.drafts.get(NORTH.id, first.id)
    await app.drafts.drop(NORTH.id, second.id)
    with pytest.raises(NoChallenge):
        await app.drafts.get(NORTH.id, second.id)
    assert await app.drafts.get(SOUTH.id, other.id) == other
    assert await app.challenges.own(NORTH.id) == (sent,)


async def test_an_old_draft_cannot_be_sent(app: Application, clock: Clock) -> None:
    """A draft expires after a day, even before it is deleted."""
    made = await draft(app)
    clock.pass_by(timedelta(days=1))
    with pytest.raises(NoChallenge):
        await app.challenges.get(made.id)
    with pytest.raises(NoChallenge):
        await app.drafts.send(NORTH.id, made.id)
    await app.challenges.expire()
    with pytest.raises(NoChallenge):
        await app.drafts.send(NORTH.id, made.id)


async def test_a_challenge_is_as_old_as_its_message(app: Application, clock: Clock) -> None:
    """A challenge's age and expiry count from when it was sent, not from when it was drafted."""
    made = await draft(app)
    clock.pass_by(timedelta(hours=20))
    sent = await app.drafts.send(NORTH.id, made.id)
    assert (sent.created_at, sent.expires_at) == (clock(), clock() + EXPIRES_AFTER)


@pytest.mark.thorough
async def test_sending_respects_the_limit_of_pending_challenges(app: Application) -> None:
    """With five pending challenges, a draft cannot be sent but is kept."""
    made = await draft(app)
    pending = [await send_challenge(app) for _ in range(MAX_PENDING)]
    with pytest.raises(TooManyChallenges) as caught:
        await app.drafts.send(NORTH.id, made.id)
    assert caught.value.pending == tuple(pending)
    assert await app.drafts.get(NORTH.id, made.id) == made
    await app.challenges.withdraw(NORTH.id, pending[0].id)
    assert (await app.drafts.send(NORTH.id, made.id)).status is ChallengeStatus.PENDING


async def test_sending_respects_the_allowed_channels(app: Application) -> None:
    """A draft is not sent in a channel that is no longer allowed."""
    made = await draft(app)
    await change_settings(app, channels=(ELSEWHERE,))
    with pytest.raises(WrongChannel) as caught:
        await app.drafts.send(NORTH.id, made.id)
    assert caught.value.channels == (ELSEWHERE,)
    await change_settings(app, channels=(ELSEWHERE, CHANNEL))
    assert (await app.drafts.send(NORTH.id, made.id)).status is ChallengeStatus.PENDING


async def test_sending_works_in_a_thread_of_an_allowed_channel(app: Application) -> None:
    """A thread is allowed if its channel is."""
    await change_settings(app, channels=(CHANNEL,))
    made = await draft(app, where=place(THREAD, parent_id=CHANNEL))
    for parent_id in (None, ELSEWHERE):
        with pytest.raises(WrongChannel):
            await app.drafts.send(NORTH.id, made.id, parent_id)
    assert (await app.drafts.send(NORTH.id, made.id, CHANNEL)).channel_id == THREAD
