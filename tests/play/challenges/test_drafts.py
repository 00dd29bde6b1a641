"""Drafts of challenges: only the challenger sees and changes them. The limits on challenges apply on sending."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.rules import Rules
from bot.model.challenges import CHALLENGE_LIFETIME, Challenge, ChallengeStatus
from bot.model.fairness import Commitment
from bot.model.guilds import Place
from bot.model.ids import ChallengeId, ChannelId
from bot.model.people import Person
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.refusals import (
    ChallengeClosed,
    NoChallenge,
    NotForYou,
    NotOffered,
    NotWithYourself,
    TooManyChallenges,
    TooManyNamed,
    UnknownRules,
    WrongChannel,
    WrongNumber,
)
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, GUILD, NORTH, SOUTH, WEST, change_settings, interaction, place

THREAD = ChannelId(CHANNEL + 5)


async def make_draft(
    app: Application,
    *named: Person,
    rules: str | None = None,
    location: Place | None = None,
    challenger: Person = NORTH,
) -> Challenge:
    ids = [person.id for person in named]
    return await app.challenges.issue(challenger, ids, location or place(), interaction(), rules=rules, draft=True)


async def send_challenge(app: Application) -> Challenge:
    """Make a challenge by North and send it immediately."""
    return await app.challenges.issue(NORTH, [], place(), interaction())


async def test_only_its_challenger_sees_a_draft(app: Application, courier: FakeCourier) -> None:
    """Before it is sent, a draft is not posted and only its challenger can see it; nobody can accept it."""
    new_draft = await make_draft(app, SOUTH)
    assert new_draft.status is ChallengeStatus.DRAFT
    assert await app.drafts.get(NORTH.id, new_draft.id) == new_draft
    assert await app.challenges.open_to(SOUTH.id, GUILD) == await app.challenges.own(NORTH.id) == ()
    assert await courier.deliver() == []
    with pytest.raises(NotForYou):
        await app.drafts.get(SOUTH.id, new_draft.id)
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, new_draft.id)
    with pytest.raises(NoChallenge):
        await app.drafts.get(NORTH.id, ChallengeId(99))


async def test_a_draft_is_sent_once(app: Application, courier: FakeCourier) -> None:
    """A draft can be sent once and then is a pending challenge."""
    new_draft = await make_draft(app, SOUTH)
    sent = await app.drafts.send(NORTH.id, new_draft.id)
    assert sent.status is ChallengeStatus.PENDING
    assert await app.challenges.open_to(SOUTH.id, GUILD) == (sent,)
    await courier.deliver()
    message, commitment = courier.messages.values()
    assert isinstance(commitment.shown.content, Commitment)
    assert message.shown.content == sent
    with pytest.raises(ChallengeClosed):
        await app.drafts.send(NORTH.id, new_draft.id)
    with pytest.raises(ChallengeClosed):
        await app.drafts.drop(NORTH.id, new_draft.id)


async def test_rules_and_options_can_be_changed(app: Application) -> None:
    """Choosing rules resets all options but a chosen target; changing an option keeps the others.

    Invalid changes are refused.
    """
    new_draft = await make_draft(app, SOUTH)
    changed = await app.drafts.change_option(NORTH.id, new_draft.id, "target", "60")
    assert (changed.ruleset, changed.rules) == ("classic", Rules.parse("classic target=60"))
    low = await app.drafts.use_rules(NORTH.id, new_draft.id, "low")
    assert (low.ruleset, low.rules) == ("low", Rules.parse("low target=60"))
    for option, value in (("wings", "2"), ("target", "many"), ("target", "none")):
        with pytest.raises(UnknownRules):
            await app.drafts.change_option(NORTH.id, new_draft.id, option, value)
    with pytest.raises(UnknownRules):
        await app.drafts.use_rules(NORTH.id, new_draft.id, "chess")
    await change_settings(app, rules="low", offered=("low",))
    with pytest.raises(NotOffered):
        await app.drafts.use_rules(NORTH.id, new_draft.id, "classic")
    with pytest.raises(NotForYou):
        await app.drafts.change_option(SOUTH.id, new_draft.id, "target", "60")
    assert await app.drafts.get(NORTH.id, new_draft.id) == low


async def test_rules_need_seats_for_the_named(app: Application) -> None:
    """A draft's rules must have enough seats for the people named in the draft."""
    new_draft = await make_draft(app, SOUTH, EAST, rules="rotation")
    with pytest.raises(TooManyNamed) as caught:
        await app.drafts.use_rules(NORTH.id, new_draft.id, "classic")
    assert caught.value.maximum == 1
    assert (await app.drafts.use_rules(NORTH.id, new_draft.id, "penalty")).ruleset == "penalty"


async def test_a_new_draft_replaces_the_last_one(app: Application) -> None:
    """A person's new draft replaces their earlier one, but not sent challenges or other people's drafts."""
    other, first = await make_draft(app, challenger=SOUTH), await make_draft(app)
    sent = await send_challenge(app)
    second = await make_draft(app)
    with pytest.raises(NoChallenge):
        await app.drafts.get(NORTH.id, first.id)
    await app.drafts.drop(NORTH.id, second.id)
    with pytest.raises(NoChallenge):
        await app.drafts.get(NORTH.id, second.id)
    assert await app.drafts.get(SOUTH.id, other.id) == other
    assert await app.challenges.own(NORTH.id) == (sent,)


async def test_an_old_draft_cannot_be_sent(app: Application, clock: Clock) -> None:
    """A draft expires after a day, even before it is deleted."""
    new_draft = await make_draft(app)
    clock.pass_by(timedelta(days=1))
    with pytest.raises(NoChallenge):
        await app.challenges.get(new_draft.id)
    with pytest.raises(NoChallenge):
        await app.drafts.send(NORTH.id, new_draft.id)
    await app.challenges.expire()
    with pytest.raises(NoChallenge):
        await app.drafts.send(NORTH.id, new_draft.id)


async def test_a_challenges_age_counts_from_sending(app: Application, clock: Clock) -> None:
    """A challenge's age and expiry count from when it was sent, not from when it was drafted."""
    new_draft = await make_draft(app)
    clock.pass_by(timedelta(hours=20))
    sent = await app.drafts.send(NORTH.id, new_draft.id)
    assert (sent.created_at, sent.expires_at) == (clock(), clock() + CHALLENGE_LIFETIME)


@pytest.mark.thorough
async def test_sending_respects_the_limit_of_pending_challenges(app: Application) -> None:
    """With five pending challenges, a draft cannot be sent but is kept."""
    new_draft = await make_draft(app)
    pending = [await send_challenge(app) for _ in range(MAX_PENDING)]
    with pytest.raises(TooManyChallenges) as caught:
        await app.drafts.send(NORTH.id, new_draft.id)
    assert caught.value.pending == tuple(pending)
    assert await app.drafts.get(NORTH.id, new_draft.id) == new_draft
    await app.challenges.withdraw(NORTH.id, pending[0].id)
    assert (await app.drafts.send(NORTH.id, new_draft.id)).status is ChallengeStatus.PENDING


async def test_sending_respects_the_allowed_channels(app: Application) -> None:
    """A draft is not sent in a channel that is no longer allowed."""
    new_draft = await make_draft(app)
    await change_settings(app, channels=(ELSEWHERE,))
    with pytest.raises(WrongChannel) as caught:
        await app.drafts.send(NORTH.id, new_draft.id)
    assert caught.value.channels == (ELSEWHERE,)
    await change_settings(app, channels=(ELSEWHERE, CHANNEL))
    assert (await app.drafts.send(NORTH.id, new_draft.id)).status is ChallengeStatus.PENDING


async def test_sending_works_in_a_thread_of_an_allowed_channel(app: Application) -> None:
    """A draft can be sent in a thread if the thread's parent channel is allowed."""
    await change_settings(app, channels=(CHANNEL,))
    new_draft = await make_draft(app, location=place(THREAD, parent_id=CHANNEL))
    for parent_id in (None, ELSEWHERE):
        with pytest.raises(WrongChannel):
            await app.drafts.send(NORTH.id, new_draft.id, parent_id)
    assert (await app.drafts.send(NORTH.id, new_draft.id, CHANNEL)).channel_id == THREAD


async def test_naming_people_chooses_rules_with_enough_places(app: Application) -> None:
    """A new choice of people replaces the earlier one. If the rules have too few places, others are used."""
    draft = await make_draft(app, EAST)
    two = await app.drafts.use_guests(NORTH.id, draft.id, [SOUTH.id])
    assert ([player.id for player in two.named], two.rules) == ([SOUTH.id], draft.rules)
    for guests in ([SOUTH.id, EAST.id], [SOUTH.id, EAST.id, WEST.id]):
        several = await app.drafts.use_guests(NORTH.id, draft.id, guests)
        assert sorted(player.id or 0 for player in several.named) == guests
        assert (several.is_lobby, len(guests) + 1 in several.seats) == (True, True)
        assert several.ruleset != draft.ruleset
    nobody = await app.drafts.use_guests(NORTH.id, draft.id, [])
    assert (nobody.named, nobody.ruleset) == ((), several.ruleset)
    with pytest.raises(NotWithYourself):
        await app.drafts.use_guests(NORTH.id, draft.id, [NORTH.id])
    with pytest.raises(NotForYou):
        await app.drafts.use_guests(SOUTH.id, draft.id, [EAST.id])
    assert await app.drafts.get(NORTH.id, draft.id) == nobody


async def test_a_number_of_players_chooses_rules_that_allow_it(app: Application) -> None:
    """A number of players keeps rules that allow it, else uses offered ones, and must leave places for the named."""
    draft = await make_draft(app)
    for count in (3, 4, 2):
        changed = await app.drafts.use_player_count(NORTH.id, draft.id, count)
        assert (changed.seats[0], changed.seats[-1]) == (count, count)
    kept = await app.drafts.use_player_count(NORTH.id, draft.id, 2)
    assert (kept.ruleset, kept.rules) == (changed.ruleset, changed.rules)
    await app.drafts.use_guests(NORTH.id, draft.id, [SOUTH.id, EAST.id])
    with pytest.raises(TooManyNamed) as refusal:
        await app.drafts.use_player_count(NORTH.id, draft.id, 2)
    assert refusal.value.maximum == 1
    await change_settings(app, rules="low", offered=("low",))
    other = await make_draft(app)
    with pytest.raises(WrongNumber):
        await app.drafts.use_player_count(NORTH.id, other.id, 4)
    assert await app.drafts.get(NORTH.id, other.id) == other
