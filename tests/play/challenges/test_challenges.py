"""Challenges: making, accepting, declining, withdrawing and expiry."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.engine.rules import PRESETS
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import ChallengeId, ChannelId
from bot.model.matches import MatchStatus
from bot.model.people import Challengers
from bot.model.statistics import Player
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.refusals import (
    ChallengeClosed,
    ChannelBusy,
    Frozen,
    NoChallenge,
    NotForYou,
    NotWelcome,
    NotWithYourself,
    TooManyChallenges,
    UnknownRules,
    WrongChannel,
)
from tests.helpers.clock import Clock
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    Person,
    Players,
    change_settings,
    interaction,
    place,
    prefer,
)


async def issue(
    app: Application,
    opponent: Person | None = None,
    *,
    challenger: Person = NORTH,
    channel_id: ChannelId = CHANNEL,
    rules: str | None = None,
    target: int | None = None,
) -> Challenge:
    named = [] if opponent is None else [opponent.id]
    return await app.challenges.issue(challenger, named, place(channel_id), interaction(), rules=rules, target=target)


async def test_a_challenge_by_name(app: Application, clock: Clock) -> None:
    """A challenge by name has both people's names, is pending for a day, and is offered to the named person only."""
    challenge = await issue(app, SOUTH)
    assert challenge.challenger == Player(NORTH.id, NORTH.name)
    assert challenge.opponent is not None
    assert challenge.opponent.id == SOUTH.id
    assert challenge.status is ChallengeStatus.PENDING
    assert challenge.expires_at == clock.now + timedelta(days=1)
    assert await app.challenges.open_to(SOUTH.id, GUILD) == (challenge,)
    assert await app.challenges.open_to(SOUTH.id, OTHER_GUILD) == ()
    assert await app.challenges.open_to(EAST.id, GUILD) == ()
    assert await app.challenges.open_to(NORTH.id, GUILD) == ()
    assert await app.challenges.own(NORTH.id) == (challenge,)


async def test_named_challenges_come_before_open_ones(app: Application) -> None:
    """Challenges to a person by name are listed before open ones."""
    anyone, named = await issue(app), await issue(app, SOUTH)
    assert await app.challenges.open_to(SOUTH.id, GUILD) == (named, anyone)


async def test_accepting_begins_a_match(app: Application) -> None:
    """Accepting starts a match with the challenge's rules and the challenger in the first seat."""
    challenge = await issue(app, SOUTH, rules="low", target=50)
    accepted, match = await app.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    assert accepted.status is ChallengeStatus.ACCEPTED
    assert accepted.match_id == match.id
    assert match.players == (Player(NORTH.id, NORTH.name), Player(SOUTH.id, SOUTH.name))
    assert str(match.rules).startswith("low ")
    assert match.rules.target == 50
    assert (match.guild_id, match.channel_id, match.status) == (GUILD, CHANNEL, MatchStatus.RUNNING)
    assert (await app.lookup.running_in(CHANNEL)) == match
    assert await app.challenges.own(NORTH.id) == ()


async def test_a_match_can_begin_in_another_channel(app: Application, players: Players) -> None:
    """If the channel is busy, the challenge stays pending and can be accepted in another channel."""
    running = await players.begin()
    challenge = await issue(app)
    with pytest.raises(ChannelBusy) as caught:
        await app.challenges.accept(EAST, challenge.id)
    assert caught.value.match.id == running.id
    assert await app.challenges.own(NORTH.id) == (challenge,)
    _, match = await app.challenges.accept(EAST, challenge.id, ELSEWHERE)
    assert match is not None
    assert match.channel_id == ELSEWHERE


async def test_simultaneous_acceptances_start_one_match(app: Application) -> None:
    """Of two simultaneous acceptances, one starts the match; the other gets an error that names the accepted player."""
    challenge = await issue(app)
    results = await asyncio.gather(
        app.challenges.accept(SOUTH, challenge.id),
        app.challenges.accept(EAST, challenge.id, ELSEWHERE),
        return_exceptions=True,
    )
    (success,) = [result for result in results if not isinstance(result, BaseException)]
    (refusal,) = [result for result in results if isinstance(result, ChallengeClosed)]
    assert refusal.challenge.status is ChallengeStatus.ACCEPTED
    assert refusal.challenge.opponent is not None
    assert success[1] is not None
    assert refusal.challenge.opponent.id == success[1].players[1].id
    assert len(await app.guilds.running(GUILD)) == 1


async def test_declining(app: Application) -> None:
    """Only the named person can decline a challenge. Declining closes it. Open challenges cannot be declined."""
    made, anyone = await issue(app, SOUTH), await issue(app)
    with pytest.raises(NotForYou):
        await app.challenges.decline(EAST.id, made.id)
    with pytest.raises(NotForYou):
        await app.challenges.decline(SOUTH.id, anyone.id)
    declined = await app.challenges.decline(SOUTH.id, made.id)
    assert declined.status is ChallengeStatus.DECLINED
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, made.id)


async def test_withdrawing(app: Application) -> None:
    """Only the challenger can withdraw a challenge, and only once."""
    challenge = await issue(app, SOUTH)
    with pytest.raises(NotForYou):
        await app.challenges.withdraw(SOUTH.id, challenge.id)
    assert (await app.challenges.withdraw(NORTH.id, challenge.id)).status is ChallengeStatus.WITHDRAWN
    with pytest.raises(ChallengeClosed):
        await app.challenges.withdraw(NORTH.id, challenge.id)


async def test_refused_acceptances(app: Application) -> None:
    """Nobody can accept a challenge to somebody else, their own challenge, or one that does not exist."""
    named, anyone = await issue(app, SOUTH), await issue(app)
    with pytest.raises(NotForYou):
        await app.challenges.accept(EAST, named.id)
    with pytest.raises(NotForYou):
        await app.challenges.accept(NORTH, anyone.id)
    with pytest.raises(NoChallenge):
        await app.challenges.accept(EAST, ChallengeId(99))
    assert await app.guilds.running(GUILD) == ()


async def test_nobody_challenges_themselves(app: Application) -> None:
    """A challenge to oneself is refused."""
    with pytest.raises(NotWithYourself):
        await issue(app, NORTH)


async def test_challenges_expire_after_a_day(app: Application, clock: Clock) -> None:
    """A challenge expires after exactly a day, even before the housekeeping closes it."""
    first = await issue(app, SOUTH)
    clock.pass_by(timedelta(hours=1))
    second = await issue(app, SOUTH)
    clock.now = first.expires_at - timedelta(seconds=1)
    await app.challenges.expire()
    assert await app.challenges.own(NORTH.id) == (first, second)
    clock.now = first.expires_at
    with pytest.raises(ChallengeClosed) as caught:
        await app.challenges.accept(SOUTH, first.id)
    assert caught.value.challenge.status is ChallengeStatus.EXPIRED
    await app.challenges.expire()
    assert await app.challenges.own(NORTH.id) == (second,)
    await app.challenges.accept(SOUTH, second.id)


async def test_at_most_five_are_pending(app: Application) -> None:
    """A person can have five pending challenges. The error for a sixth one lists them."""
    pending = [await issue(app) for _ in range(MAX_PENDING)]
    with pytest.raises(TooManyChallenges) as caught:
        await issue(app)
    assert caught.value.pending == tuple(pending)
    await issue(app, challenger=SOUTH)
    await app.challenges.withdraw(NORTH.id, pending[0].id)
    await issue(app)


async def test_an_interaction_makes_one_challenge(app: Application) -> None:
    """Repeating an interaction returns the challenge that it made the first time, even if the challenge is closed."""
    interaction_id = interaction()
    first = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction_id)
    repeated = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction_id)
    assert repeated == first
    await app.challenges.decline(SOUTH.id, first.id)
    assert (await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction_id)).status is ChallengeStatus.DECLINED
    assert await app.challenges.own(NORTH.id) == ()


async def test_people_choose_who_may_challenge_them(app: Application, players: Players) -> None:
    """People can refuse challenges by name from everyone or from strangers, and can still accept open challenges."""
    await prefer(app, SOUTH, challengers=Challengers.NOBODY)
    with pytest.raises(NotWelcome) as caught:
        await issue(app, SOUTH)
    assert caught.value.opponent_id == SOUTH.id
    await prefer(app, SOUTH, challengers=Challengers.PLAYED)
    with pytest.raises(NotWelcome):
        await issue(app, SOUTH)
    anyone = await issue(app)
    await app.challenges.accept(SOUTH, anyone.id)
    await issue(app, SOUTH)
    with pytest.raises(NotWelcome):
        await issue(app, SOUTH, challenger=EAST)


async def test_a_server_chooses_channels_and_default_rules(app: Application) -> None:
    """A server's allowed channels are enforced, and its default rules and target apply to challenges."""
    await change_settings(app, rules="low", target=60, channels=(ELSEWHERE,))
    with pytest.raises(WrongChannel) as caught:
        await issue(app)
    assert caught.value.channels == (ELSEWHERE,)

    async def preset_and_target(rules: str | None, target: int | None) -> tuple[str, int | None]:
        made = await issue(app, rules=rules, target=target, channel_id=ELSEWHERE)
        return made.rules.preset, made.rules.target

    assert await preset_and_target(None, None) == ("low", 60)
    assert await preset_and_target(None, 70) == ("low", 70)
    assert await preset_and_target("even", None) == ("even", 100)
    assert await preset_and_target("even", 70) == ("even", 70)


@pytest.mark.parametrize("rules", ["chess", "classic target=0", "classic spade_doubles=on", "classic wings=2"])
async def test_rules_that_cannot_be_played_are_refused(app: Application, rules: str) -> None:
    """Unknown presets, options and values, and contradictory options, are refused."""
    with pytest.raises(UnknownRules) as caught:
        await issue(app, rules=rules)
    assert caught.value.reason
    assert caught.value.offered == (tuple(PRESETS) if rules == "chess" else ())
    assert await app.challenges.own(NORTH.id) == ()


async def test_an_empty_text_means_the_default(app: Application) -> None:
    """An empty text as rules means the server's default rules."""
    assert (await issue(app, rules="")).ruleset == "classic"


@pytest.mark.parametrize("target", [-1, 10_001])
async def test_a_target_out_of_range_is_refused(app: Application, target: int) -> None:
    """A target outside the allowed range is refused."""
    with pytest.raises(UnknownRules):
        await issue(app, target=target)


async def test_accepting_does_not_turn_direct_messages_on(app: Application) -> None:
    """Accepting a challenge does not change the person's preference for direct messages."""
    await prefer(app, SOUTH, hand_by_dm=False)
    await app.challenges.accept(SOUTH, (await issue(app)).id)
    assert not (await app.people.preferences(SOUTH.id)).hand_by_dm


async def test_require_open_to_refuses_like_accepting(app: Application) -> None:
    """`require_open_to` raises the same errors as accepting a challenge, and changes nothing."""
    named, anyone = await issue(app, SOUTH), await issue(app)
    await app.challenges.require_open_to(SOUTH.id, named.id)
    await app.challenges.require_open_to(EAST.id, anyone.id)
    with pytest.raises(NotForYou):
        await app.challenges.require_open_to(EAST.id, named.id)
    with pytest.raises(NotForYou):
        await app.challenges.require_open_to(NORTH.id, anyone.id)
    with pytest.raises(NoChallenge):
        await app.challenges.require_open_to(EAST.id, ChallengeId(99))
    assert await app.challenges.get(named.id) == named
    await app.challenges.withdraw(NORTH.id, named.id)
    with pytest.raises(ChallengeClosed):
        await app.challenges.require_open_to(SOUTH.id, named.id)


async def test_accepting_is_refused_on_servers_without_the_bot(app: Application) -> None:
    """While the bot is removed from the server, a challenge cannot be accepted but stays pending."""
    challenge = await issue(app)
    await app.guilds.save_left(GUILD)
    with pytest.raises(Frozen):
        await app.challenges.accept(SOUTH, challenge.id)
    assert await app.challenges.own(NORTH.id) == (challenge,)
    await app.guilds.save_joined(GUILD)
    await app.challenges.accept(SOUTH, challenge.id)
