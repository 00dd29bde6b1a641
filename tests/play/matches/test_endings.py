"""Early endings of matches, and rematches."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.engine.deals.moves import PASS
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK, TimeLeft
from bot.model.ids import ChannelId, MatchId
from bot.model.matches import REMATCH_TIMEOUT, MatchStatus, Proposal
from bot.model.people import Challengers, Person
from bot.play.application import Application
from bot.play.refusals import (
    ChannelBusy,
    MatchOver,
    MatchRunning,
    NoMatch,
    NoOffer,
    NotSeated,
    NotWelcome,
    NotYourTurn,
    RematchBegun,
    TooSoon,
    WrongChannel,
)
from tests.helpers.clock import Clock
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    MANAGER,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    Players,
    change_settings,
    interaction,
    prefer,
)
from tests.play.boards import full_standings

THREAD = ChannelId(CHANNEL + 5)


async def test_resigning_loses_the_match(app: Application, players: Players) -> None:
    """A player who resigns loses, even out of turn or in the lead. The deal in play is not scored."""
    match = await players.begin()
    await players.win(match.id)
    hand = await app.endings.resign(NORTH.id, match.id, interaction())
    assert hand.match.status is MatchStatus.FINISHED
    score = hand.view.public.score
    assert (score.scores, score.winner, score.game) == ((85, 0), 1, (0, 0))
    rows = await full_standings(app, GUILD)
    assert [(row.name, row.won, row.lost, row.points) for row in rows] == [("South", 1, 0, 0), ("North", 0, 1, 85)]


async def test_resigning_twice_or_for_others_is_refused(app: Application, players: Players) -> None:
    """Only players can resign, and only before the end. Resigning with an interaction that made a move does nothing."""
    match = await players.begin()
    with pytest.raises(NotSeated):
        await app.endings.resign(EAST.id, match.id, interaction())
    with pytest.raises(NoMatch):
        await app.endings.resign(NORTH.id, MatchId(99), interaction())
    recent = interaction()
    await app.turns.move(NORTH.id, match.id, (await app.lookup.hand(NORTH.id, match.id)).view.moves[0], recent)
    assert (await app.endings.resign(NORTH.id, match.id, recent)).match.status is MatchStatus.RUNNING
    await app.endings.resign(SOUTH.id, match.id, interaction())
    with pytest.raises(MatchOver):
        await app.endings.resign(NORTH.id, match.id, interaction())


async def test_simultaneous_resignations_have_one_loser(app: Application, players: Players) -> None:
    """If both players resign simultaneously, the first one loses. The other gets an error that the match is over."""
    match = await players.begin()
    results = await asyncio.gather(
        *(app.endings.resign(person.id, match.id, interaction()) for person in players.people), return_exceptions=True
    )
    assert sum(isinstance(result, MatchOver) for result in results) == 1
    score = (await app.lookup.table(match.id)).view.score
    assert score.winner == [isinstance(result, MatchOver) for result in results].index(True)


async def test_claiming_after_seven_days(app: Application, players: Players, clock: Clock) -> None:
    """After exactly seven days in a turn, the waiting player can claim a win; the player whose turn it is cannot."""
    match = await players.begin()
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK - timedelta(seconds=1))
    await Players(app).run_timekeeper()
    assert not (await app.lookup.hand(SOUTH.id, match.id)).may_claim
    with pytest.raises(TooSoon) as caught:
        await app.endings.claim(SOUTH.id, match.id, interaction())
    assert caught.value.time == TimeLeft(timedelta(seconds=1), clock.now + timedelta(seconds=1))
    clock.pass_by(timedelta(seconds=1))
    await Players(app).run_timekeeper()
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim
    assert not (await app.lookup.hand(NORTH.id, match.id)).may_claim
    with pytest.raises(NotYourTurn):
        await app.endings.claim(NORTH.id, match.id, interaction())
    with pytest.raises(NotSeated):
        await app.endings.claim(EAST.id, match.id, interaction())
    hand = await app.endings.claim(SOUTH.id, match.id, interaction())
    assert (hand.match.status, hand.view.public.score.winner) == (MatchStatus.FINISHED, 1)
    with pytest.raises(MatchOver):
        await app.endings.claim(SOUTH.id, match.id, interaction())


async def test_a_move_starts_the_seven_days_again(app: Application, players: Players, clock: Clock) -> None:
    """A move restarts the seven days before a claim; a proposal to cancel does not."""
    match = await players.begin()
    clock.pass_by(timedelta(days=6))
    await Players(app).run_timekeeper()
    await app.endings.call_off(NORTH.id, match.id)
    clock.pass_by(timedelta(days=1))
    await Players(app).run_timekeeper()
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim
    await players.move(match.id, "pass")
    with pytest.raises(NotYourTurn):
        await app.endings.claim(SOUTH.id, match.id, interaction())
    with pytest.raises(TooSoon):
        await app.endings.claim(NORTH.id, match.id, interaction())


@pytest.mark.thorough
async def test_cancelling_needs_both_players(app: Application, players: Players) -> None:
    """A match is cancelled when both players agree, and then counts for nobody."""
    match = await players.begin()
    await players.win(match.id)
    hand = await app.endings.call_off(NORTH.id, match.id)
    assert (hand.match.status, hand.match.proposals) == (MatchStatus.RUNNING, (Proposal.CANCEL, None))
    assert (await app.endings.call_off(NORTH.id, match.id)).match.status is MatchStatus.RUNNING
    hand = await app.endings.call_off(SOUTH.id, match.id)
    assert (hand.match.status, hand.match.proposals) == (MatchStatus.CANCELLED, (None, None))
    assert not hand.may_claim
    assert await full_standings(app, GUILD) == ()
    assert await app.lookup.running_in(CHANNEL) is None
    for person in players.people:
        with pytest.raises(MatchOver):
            await app.turns.move(person.id, match.id, PASS, interaction())
        with pytest.raises(MatchOver):
            await app.endings.call_off(person.id, match.id)


async def test_agreeing_to_a_withdrawn_proposal_is_refused(app: Application, players: Players) -> None:
    """Agreeing to a proposal that was withdrawn is refused, and does not count as a new proposal."""
    match = await players.begin()
    await app.endings.call_off(NORTH.id, match.id)
    await app.endings.decline(NORTH.id, match.id)
    with pytest.raises(NoOffer):
        await app.endings.call_off(SOUTH.id, match.id, is_answer=True)
    assert (await app.lookup.info(match.id)).proposals == (None, None)
    await app.endings.call_off(NORTH.id, match.id)
    hand = await app.endings.call_off(SOUTH.id, match.id, is_answer=True)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.parametrize(("person", "answer"), [(NORTH, None), (SOUTH, Proposal.DECLINED)])
async def test_keep_playing_clears_the_proposal(
    app: Application, players: Players, person: Person, answer: Proposal | None
) -> None:
    """A proposal to cancel can be withdrawn, or declined by the opponent. A refusal is shown until the next move."""
    match = await players.begin()
    await app.endings.call_off(NORTH.id, match.id)
    hand = await app.endings.decline(person.id, match.id)
    assert hand.match.proposals == (None, answer)
    assert (await players.move(match.id, "take")).match.proposals == (None, None)
    assert (await app.endings.call_off(SOUTH.id, match.id)).match.status is MatchStatus.RUNNING
    with pytest.raises(NotSeated):
        await app.endings.decline(EAST.id, match.id)
    with pytest.raises(NotSeated):
        await app.endings.call_off(EAST.id, match.id)


async def test_cancelling_an_abandoned_match(app: Application, players: Players, clock: Clock) -> None:
    """After seven days without a move, the waiting player can cancel alone; the player to move cannot."""
    match = await players.begin()
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK)
    await Players(app).run_timekeeper()
    assert (await app.endings.call_off(NORTH.id, match.id)).match.status is MatchStatus.RUNNING
    await app.endings.decline(NORTH.id, match.id)
    assert (await app.endings.call_off(SOUTH.id, match.id)).match.status is MatchStatus.CANCELLED


async def test_a_cancelled_match_cannot_be_claimed(app: Application, players: Players, clock: Clock) -> None:
    """A cancelled match cannot be claimed."""
    match = await players.begin()
    await app.endings.cancel(match.id, GUILD, MANAGER)
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK * 10)
    assert not (await app.lookup.hand(SOUTH.id, match.id)).may_claim


async def test_managers_cancel_matches_of_their_server(app: Application, players: Players) -> None:
    """Managers can cancel matches of their own server only."""
    match = await players.begin()
    with pytest.raises(NoMatch):
        await app.endings.cancel(match.id, OTHER_GUILD, MANAGER)
    assert [running_match.id for running_match in await app.guilds.running(GUILD)] == [match.id]
    assert (await app.endings.cancel(match.id, GUILD, MANAGER)).status is MatchStatus.CANCELLED
    assert await app.guilds.running(GUILD) == ()
    with pytest.raises(MatchOver):
        await app.endings.cancel(match.id, GUILD, MANAGER)


@pytest.mark.thorough
async def test_a_rematch_needs_both_players_and_starts_once(app: Application, players: Players) -> None:
    """A rematch with the same rules starts when both agree; later agreement is refused."""
    match = await players.begin("low target=10")
    with pytest.raises(MatchRunning):
        await app.endings.rematch(NORTH.id, match.id)
    await players.win(match.id)
    with pytest.raises(NotSeated):
        await app.endings.rematch(EAST.id, match.id)
    waiting = await app.endings.rematch(SOUTH.id, match.id)
    assert (waiting.id, waiting.proposals) == (match.id, (None, Proposal.REMATCH))
    assert (await app.endings.rematch(SOUTH.id, match.id)).id == match.id
    rematch = await app.endings.rematch(NORTH.id, match.id)
    assert rematch.id != match.id
    assert (rematch.status, rematch.rules, rematch.players) == (MatchStatus.RUNNING, match.rules, match.players)
    with pytest.raises(RematchBegun):
        await app.endings.rematch(NORTH.id, match.id)
    assert [running_match.id for running_match in await app.guilds.running(GUILD)] == [rematch.id]


@pytest.mark.thorough
async def test_simultaneous_agreements_start_one_rematch(app: Application, players: Players) -> None:
    """Simultaneous agreement by both players starts one rematch."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    both = await asyncio.gather(*(app.endings.rematch(person.id, match.id) for person in players.people))
    assert sorted(running_match.id == match.id for running_match in both) == [False, True]
    assert len(await app.guilds.running(GUILD)) == 1


@pytest.mark.nightly
async def test_a_rematch_proposal_expires(app: Application, players: Players, clock: Clock) -> None:
    """A rematch proposal expires after a day; agreement then counts as a new proposal."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    clock.pass_by(timedelta(days=3))
    await app.endings.rematch(NORTH.id, match.id)
    clock.pass_by(REMATCH_TIMEOUT)
    assert (await app.endings.rematch(SOUTH.id, match.id)).proposals == (None, Proposal.REMATCH)
    clock.pass_by(REMATCH_TIMEOUT - timedelta(seconds=1))
    rematch = await app.endings.rematch(NORTH.id, match.id)
    assert (rematch.id > match.id, rematch.status) == (True, MatchStatus.RUNNING)
    clock.pass_by(REMATCH_TIMEOUT * 2)
    with pytest.raises(RematchBegun):
        await app.endings.rematch(NORTH.id, match.id)


@pytest.mark.nightly
async def test_a_proposed_rematch_can_be_withdrawn(app: Application, players: Players) -> None:
    """Withdrawing a proposed rematch is idempotent and does not withdraw the opponent's proposal."""
    match = await players.begin("classic target=10")
    with pytest.raises(MatchRunning):
        await app.endings.withdraw_rematch(NORTH.id, match.id)
    await players.win(match.id)
    await app.endings.rematch(NORTH.id, match.id)
    for _ in range(2):
        assert (await app.endings.withdraw_rematch(NORTH.id, match.id)).proposals == (None, None)
    assert (await app.endings.rematch(SOUTH.id, match.id)).proposals == (None, Proposal.REMATCH)
    assert (await app.endings.withdraw_rematch(NORTH.id, match.id)).proposals == (None, Proposal.REMATCH)
    with pytest.raises(NotSeated):
        await app.endings.withdraw_rematch(EAST.id, match.id)
    await app.endings.rematch(NORTH.id, match.id)
    with pytest.raises(RematchBegun):
        await app.endings.withdraw_rematch(NORTH.id, match.id)


@pytest.mark.nightly
async def test_a_proposed_rematch_can_be_declined(app: Application, players: Players) -> None:
    """A declined rematch is shown until somebody proposes again. Nobody can decline their own proposal."""
    match = await players.begin("classic target=10")
    with pytest.raises(MatchRunning):
        await app.endings.decline_rematch(NORTH.id, match.id)
    await players.win(match.id)
    assert (await app.endings.decline_rematch(SOUTH.id, match.id)).match.proposals == (None, None)
    for person, proposals in ((NORTH, (Proposal.REMATCH, None)), (SOUTH, (None, Proposal.REMATCH))):
        await app.endings.rematch(NORTH.id, match.id)
        hand = await app.endings.decline_rematch(SOUTH.id, match.id)
        assert hand.match.proposals == (None, Proposal.DECLINED)
        assert (await app.endings.withdraw_rematch(SOUTH.id, match.id)).proposals == (None, Proposal.DECLINED)
        assert (await app.endings.rematch(person.id, match.id)).proposals == proposals
        await app.endings.withdraw_rematch(person.id, match.id)
    await app.endings.rematch(NORTH.id, match.id)
    assert (await app.endings.decline_rematch(NORTH.id, match.id)).match.proposals == (None, None)
    with pytest.raises(NotSeated):
        await app.endings.decline_rematch(EAST.id, match.id)


async def test_one_of_three_players_can_decline(app: Application) -> None:
    """Of three players, one can decline a proposal for all. A player who withdraws removes only their own agreement."""
    players = Players(app, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, match.id)
    hand = await app.endings.decline(NORTH.id, match.id)
    assert hand.match.proposals == (None, Proposal.CANCEL, None)
    hand = await app.endings.decline(EAST.id, match.id)
    assert hand.match.proposals == (None, None, Proposal.DECLINED)


@pytest.mark.nightly
async def test_rematches_respect_challenge_preferences(app: Application, players: Players, clock: Clock) -> None:
    """A rematch with a person who accepts no challenges is refused, unless that person's own proposal is still open."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await prefer(app, SOUTH, challengers=Challengers.NOBODY)
    with pytest.raises(NotWelcome):
        await app.endings.rematch(NORTH.id, match.id)
    assert (await app.lookup.table(match.id)).match.proposals == (None, None)
    await app.endings.rematch(SOUTH.id, match.id)
    clock.pass_by(REMATCH_TIMEOUT)
    with pytest.raises(NotWelcome):
        await app.endings.rematch(NORTH.id, match.id)
    await app.endings.rematch(SOUTH.id, match.id)
    assert (await app.endings.rematch(NORTH.id, match.id)).status is MatchStatus.RUNNING


@pytest.mark.nightly
async def test_a_rematch_in_a_busy_channel(app: Application, players: Players) -> None:
    """A rematch in a busy channel is refused, and the error names the match there. Another channel can be used."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    other_match = await Players(app, (EAST, SOUTH)).begin()
    await app.endings.rematch(NORTH.id, match.id)
    with pytest.raises(ChannelBusy) as caught:
        await app.endings.rematch(SOUTH.id, match.id)
    assert caught.value.match.id == other_match.id
    rematch = await app.endings.rematch(SOUTH.id, match.id, ELSEWHERE)
    assert (rematch.channel_id, rematch.status) == (ELSEWHERE, MatchStatus.RUNNING)


@pytest.mark.thorough
async def test_no_rematch_with_a_forgotten_person(app: Application, players: Players) -> None:
    """A rematch with a forgotten person is refused."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await app.people.forget(SOUTH.id)
    with pytest.raises(NotSeated):
        await app.endings.rematch(NORTH.id, match.id)


@pytest.mark.thorough
async def test_a_rematch_respects_the_allowed_channels(app: Application, players: Players) -> None:
    """A rematch starts only in a channel that the server allows, or in a thread of such a channel."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await change_settings(app, channels=(ELSEWHERE,))
    for channel_id in (None, CHANNEL, THREAD):
        with pytest.raises(WrongChannel) as caught:
            await app.endings.rematch(NORTH.id, match.id, channel_id)
        assert caught.value.channels == (ELSEWHERE,)
    assert (await app.lookup.table(match.id)).match.proposals == (None, None)
    await app.endings.rematch(NORTH.id, match.id, ELSEWHERE)
    with pytest.raises(WrongChannel):
        await app.endings.rematch(SOUTH.id, match.id, THREAD, CHANNEL)
    rematch = await app.endings.rematch(SOUTH.id, match.id, THREAD, ELSEWHERE)
    assert (rematch.status, rematch.channel_id) == (MatchStatus.RUNNING, THREAD)


@pytest.mark.nightly
async def test_a_rematch_in_a_thread_of_an_allowed_channel(app: Application, players: Players) -> None:
    """A match in a thread can have its rematch in the same thread if the thread's channel is allowed."""
    match = await players.begin("classic target=10", channel_id=THREAD)
    await players.win(match.id)
    await change_settings(app, channels=(CHANNEL,))
    with pytest.raises(WrongChannel):
        await app.endings.rematch(NORTH.id, match.id)
    await app.endings.rematch(NORTH.id, match.id, parent_id=CHANNEL)
    assert (await app.endings.rematch(SOUTH.id, match.id, parent_id=CHANNEL)).channel_id == THREAD
