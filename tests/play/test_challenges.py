"""Invitations: who may make, take up, turn down and take back which, and when they end."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.engine.rules import PRESETS
from bot.play.challenges import MOST_PENDING
from bot.play.house import House
from bot.play.refusals import (
    ChannelBusy,
    InvitationClosed,
    NoInvitation,
    NotForYou,
    NotWelcome,
    NotWithYourself,
    TooManyChallenges,
    UnknownRules,
    WrongChannel,
)
from bot.play.values import Challengers, ChallengeStatus, Invitation, MatchStatus
from tests.helpers.clock import Clock
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, GUILD, NORTH, SOUTH, Person, Players, interaction


async def issue(
    house: House,
    opponent: Person | None = None,
    *,
    challenger: Person = NORTH,
    channel_id: int = CHANNEL,
    rules: str | None = None,
    target: int | None = None,
) -> Invitation:
    """Make an invitation."""
    named = [] if opponent is None else [opponent[0]]
    return await house.challenges.issue(challenger, named, GUILD, channel_id, interaction(), rules=rules, target=target)


async def test_an_invitation_to_somebody(house: House, clock: Clock) -> None:
    """It names both, is pending for a day, and only the one it is to finds it."""
    made = await issue(house, SOUTH)
    assert (made.challenger.id, made.challenger.name) == NORTH
    assert made.opponent is not None
    assert made.opponent.id == SOUTH[0]
    assert made.status is ChallengeStatus.PENDING
    assert made.expires_at == clock.now + timedelta(days=1)
    assert await house.challenges.to_answer(SOUTH[0], GUILD) == (made,)
    assert await house.challenges.to_answer(SOUTH[0], GUILD + 1) == ()
    assert await house.challenges.to_answer(EAST[0], GUILD) == ()
    assert await house.challenges.to_answer(NORTH[0], GUILD) == ()
    assert await house.challenges.own(NORTH[0]) == (made,)


async def test_named_invitations_come_before_open_ones(house: House) -> None:
    """Whoever may answer several is shown those to them by name first."""
    anyone, named = await issue(house), await issue(house, SOUTH)
    assert await house.challenges.to_answer(SOUTH[0], GUILD) == (named, anyone)


async def test_accepting_begins_a_match(house: House) -> None:
    """The challenger sits first, the rules are those agreed, and the invitation leads to the match."""
    made = await issue(house, SOUTH, rules="low", target=50)
    accepted, card = await house.challenges.accept(SOUTH, made.id)
    assert card is not None
    assert accepted.status is ChallengeStatus.ACCEPTED
    assert accepted.match_id == card.id
    assert [(player.id, player.name) for player in card.players] == [NORTH, SOUTH]
    assert str(card.rules).startswith("low ")
    assert card.rules.target == 50
    assert (card.guild_id, card.channel_id, card.status) == (GUILD, CHANNEL, MatchStatus.RUNNING)
    assert (await house.lookup.in_channel(CHANNEL)) == card
    assert await house.challenges.own(NORTH[0]) == ()


async def test_a_match_can_begin_in_another_channel(house: House, players: Players) -> None:
    """In a busy channel nothing is lost: the invitation stays, and may be accepted for another channel."""
    running = await players.begin()
    made = await issue(house)
    with pytest.raises(ChannelBusy) as caught:
        await house.challenges.accept(EAST, made.id)
    assert caught.value.card.id == running.id
    assert await house.challenges.own(NORTH[0]) == (made,)
    _, card = await house.challenges.accept(EAST, made.id, ELSEWHERE)
    assert card is not None
    assert card.channel_id == ELSEWHERE


async def test_of_two_who_accept_at_once_one_plays(house: House) -> None:
    """An open invitation taken by two at the same moment begins one match; the other is told whom it went to."""
    made = await issue(house)
    results = await asyncio.gather(
        house.challenges.accept(SOUTH, made.id),
        house.challenges.accept(EAST, made.id, ELSEWHERE),
        return_exceptions=True,
    )
    (won,) = [result for result in results if not isinstance(result, BaseException)]
    (lost,) = [result for result in results if isinstance(result, InvitationClosed)]
    assert lost.invitation.status is ChallengeStatus.ACCEPTED
    assert lost.invitation.opponent is not None
    assert won[1] is not None
    assert lost.invitation.opponent.id == won[1].players[1].id
    assert len(await house.guilds.running(GUILD)) == 1


async def test_declining(house: House) -> None:
    """The one it is to may decline, and then nobody can accept; an open one cannot be declined."""
    made, anyone = await issue(house, SOUTH), await issue(house)
    with pytest.raises(NotForYou):
        await house.challenges.decline(EAST[0], made.id)
    with pytest.raises(NotForYou):
        await house.challenges.decline(SOUTH[0], anyone.id)
    declined = await house.challenges.decline(SOUTH[0], made.id)
    assert declined.status is ChallengeStatus.DECLINED
    with pytest.raises(InvitationClosed):
        await house.challenges.accept(SOUTH, made.id)


async def test_withdrawing(house: House) -> None:
    """Only the challenger may take an invitation back, once."""
    made = await issue(house, SOUTH)
    with pytest.raises(NotForYou):
        await house.challenges.withdraw(SOUTH[0], made.id)
    assert (await house.challenges.withdraw(NORTH[0], made.id)).status is ChallengeStatus.WITHDRAWN
    with pytest.raises(InvitationClosed):
        await house.challenges.withdraw(NORTH[0], made.id)


async def test_strangers_and_oneself_cannot_accept(house: House) -> None:
    """An invitation to another, one's own, and one that is not there are refused, each with its reason."""
    named, anyone = await issue(house, SOUTH), await issue(house)
    with pytest.raises(NotForYou):
        await house.challenges.accept(EAST, named.id)
    with pytest.raises(NotForYou):
        await house.challenges.accept(NORTH, anyone.id)
    with pytest.raises(NoInvitation):
        await house.challenges.accept(EAST, 99)
    assert await house.guilds.running(GUILD) == ()


async def test_nobody_challenges_themselves(house: House) -> None:
    """A challenge to oneself is refused."""
    with pytest.raises(NotWithYourself):
        await issue(house, NORTH)


async def test_invitations_expire_after_a_day(house: House, clock: Clock) -> None:
    """To the moment: a second before the day is over it can be accepted, then it cannot, tidied up or not."""
    first = await issue(house, SOUTH)
    clock.pass_by(timedelta(hours=1))
    second = await issue(house, SOUTH)
    clock.now = first.expires_at - timedelta(seconds=1)
    await house.challenges.expire()
    assert await house.challenges.own(NORTH[0]) == (first, second)
    clock.now = first.expires_at
    with pytest.raises(InvitationClosed) as caught:
        await house.challenges.accept(SOUTH, first.id)
    assert caught.value.invitation.status is ChallengeStatus.EXPIRED
    await house.challenges.expire()
    assert await house.challenges.own(NORTH[0]) == (second,)
    await house.challenges.accept(SOUTH, second.id)


async def test_at_most_five_are_pending(house: House) -> None:
    """The sixth is refused with the five; once one is settled there is room again; others are not concerned."""
    made = [await issue(house) for _ in range(MOST_PENDING)]
    with pytest.raises(TooManyChallenges) as caught:
        await issue(house)
    assert caught.value.pending == tuple(made)
    await issue(house, challenger=SOUTH)
    await house.challenges.withdraw(NORTH[0], made[0].id)
    await issue(house)


async def test_an_interaction_invites_once(house: House) -> None:
    """The same interaction served again gives the same invitation, even once it is settled."""
    served = interaction()
    first = await house.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, served)
    again = await house.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, served)
    assert again == first
    await house.challenges.decline(SOUTH[0], first.id)
    assert (await house.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, served)).status is ChallengeStatus.DECLINED
    assert await house.challenges.own(NORTH[0]) == ()


async def test_who_may_challenge_is_up_to_them(house: House, players: Players) -> None:
    """`nobody` refuses everyone, `played` everyone they have not sat at a table with; open invitations stay free."""
    await house.people.prefer(SOUTH, challengers=Challengers.NOBODY)
    with pytest.raises(NotWelcome) as caught:
        await issue(house, SOUTH)
    assert caught.value.opponent_id == SOUTH[0]
    await house.people.prefer(SOUTH, challengers=Challengers.PLAYED)
    with pytest.raises(NotWelcome):
        await issue(house, SOUTH)
    anyone = await issue(house)
    await house.challenges.accept(SOUTH, anyone.id)
    await issue(house, SOUTH)
    with pytest.raises(NotWelcome):
        await issue(house, SOUTH, challenger=EAST)


async def test_a_server_says_where_and_by_which_rules(house: House) -> None:
    """Elsewhere is refused with the channels; a challenge that names no rules takes the server's, target included."""
    await house.guilds.set(GUILD, rules="low", target=60, channels=(ELSEWHERE,))
    with pytest.raises(WrongChannel) as caught:
        await issue(house)
    assert caught.value.channels == (ELSEWHERE,)

    async def agreed(rules: str | None, target: int | None) -> tuple[str, int | None]:
        made = await issue(house, rules=rules, target=target, channel_id=ELSEWHERE)
        return made.rules.preset, made.rules.target

    assert await agreed(None, None) == ("low", 60)
    assert await agreed(None, 70) == ("low", 70)
    assert await agreed("even", None) == ("even", 100)
    assert await agreed("even", 70) == ("even", 70)


@pytest.mark.parametrize("rules", ["chess", "classic target=0", "classic spade_doubles=on", "classic wings=2"])
async def test_rules_that_cannot_be_played_are_refused(house: House, rules: str) -> None:
    """Unknown presets, options and values are refused, and senseless combinations; an unknown name gets the list."""
    with pytest.raises(UnknownRules) as caught:
        await issue(house, rules=rules)
    assert caught.value.reason
    assert caught.value.offered == (tuple(PRESETS) if rules == "chess" else ())
    assert await house.challenges.own(NORTH[0]) == ()


async def test_an_empty_text_means_the_default(house: House) -> None:
    """Rules left empty are the server's own."""
    assert (await issue(house, rules="")).system == "classic"


@pytest.mark.parametrize("target", [-1, 10_001])
async def test_a_target_out_of_range_is_refused(house: House, target: int) -> None:
    """No match is played to a target that the rules do not know."""
    with pytest.raises(UnknownRules):
        await issue(house, target=target)
