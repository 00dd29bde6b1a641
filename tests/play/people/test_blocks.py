"""Blocks between two people: refused offers, and offers that a block ends."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.guilds import Place
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Person
from bot.play.application import Application
from bot.play.people.blocks import MAX_BLOCKED
from bot.play.refusals import AlreadyOffered, Blocked, NoNudge, NotWelcome, NudgeRefusal, TooManyBlocked
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import (
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    WEST,
    Players,
    interaction,
    place,
    prefer,
)

STRANGER = Person(PersonId(77), "Stranger")


async def issue(
    app: Application, challenger: Person, *named: Person, rules: str = "classic", here: Place | None = None
) -> Challenge:
    names = [person.id for person in named]
    return await app.challenges.issue(challenger, names, here or place(), interaction(), rules=rules)


async def status_of(app: Application, challenge: Challenge) -> ChallengeStatus:
    return (await app.challenges.get(challenge.id)).status


async def test_blocked_people_cannot_challenge(app: Application) -> None:
    """A blocked person can neither challenge the blocker nor accept their challenges, as if they took none.

    A draft that was written before the block is not sent either.
    """
    draft = await app.challenges.issue(SOUTH, [NORTH.id], place(), interaction(), draft=True)
    await app.blocks.block(NORTH, SOUTH.id)
    for refused in (issue(app, SOUTH, NORTH), app.drafts.send(SOUTH.id, draft.id)):
        with pytest.raises(NotWelcome) as caught:
            await refused
        assert caught.value.opponent_id == NORTH.id
    anyone = await issue(app, NORTH)
    with pytest.raises(NotWelcome):
        await app.challenges.accept(SOUTH, anyone.id)
    await issue(app, EAST, NORTH)
    await app.blocks.unblock(NORTH, SOUTH.id)
    _, match = await app.challenges.accept(SOUTH, anyone.id)
    assert match is not None


async def test_people_do_not_play_with_those_they_blocked(app: Application) -> None:
    """The blocker is reminded of the block when they challenge the other person or accept their challenge.

    The other person's challenges are not offered to them.
    """
    await app.blocks.block(NORTH, SOUTH.id)
    anyone = await issue(app, SOUTH)
    for refused in (issue(app, NORTH, SOUTH), app.challenges.accept(NORTH, anyone.id)):
        with pytest.raises(Blocked) as caught:
            await refused
        assert caught.value.blocked_id == SOUTH.id
    assert await app.challenges.open_to(NORTH.id, GUILD) == ()
    assert await app.challenges.open_to(EAST.id, GUILD) == (anyone,)


async def test_blocked_people_do_not_meet_in_lobbies(app: Application) -> None:
    """Nobody can join or be invited to a lobby if they and one of its players have a block between them."""
    await app.blocks.block(NORTH, SOUTH.id)
    lobby = await issue(app, NORTH, rules="rotation")
    with pytest.raises(NotWelcome):
        await app.challenges.accept(SOUTH, lobby.id)
    with pytest.raises(Blocked):
        await app.lobbies.invite(NORTH.id, lobby.id, [SOUTH.id])
    others = await issue(app, EAST, rules="rotation")
    await app.challenges.accept(SOUTH, others.id)
    with pytest.raises(Blocked):
        await app.challenges.accept(NORTH, others.id)
    await app.lobbies.leave(SOUTH.id, others.id)
    await app.challenges.accept(NORTH, others.id)
    with pytest.raises(NotWelcome) as caught:
        await app.challenges.accept(SOUTH, others.id)
    assert caught.value.opponent_id == NORTH.id


async def test_a_block_holds_on_every_server(app: Application) -> None:
    """A block ends the offers between the two on another server, and refuses new ones there."""
    here = place(ELSEWHERE, OTHER_GUILD)
    from_them, lobby = await issue(app, SOUTH, NORTH, here=here), await issue(app, NORTH, rules="rotation", here=here)
    await app.challenges.accept(SOUTH, lobby.id)
    await app.blocks.block(NORTH, SOUTH.id)
    assert await status_of(app, from_them) is ChallengeStatus.DECLINED
    assert len((await app.challenges.get(lobby.id)).players) == 1
    anyone = await issue(app, NORTH, here=here)
    for refused in (
        issue(app, SOUTH, NORTH, here=here),
        app.challenges.accept(SOUTH, anyone.id),
        app.challenges.accept(SOUTH, lobby.id),
    ):
        with pytest.raises(NotWelcome):
            await refused
    with pytest.raises(Blocked):
        await issue(app, NORTH, SOUTH, here=here)


async def test_no_rematch_with_blocked_people_on_another_server(app: Application, players: Players) -> None:
    """A block that was made on one server also refuses a rematch and a nudge on another one."""
    over = await players.begin("classic target=10", ELSEWHERE, OTHER_GUILD)
    await players.win(over.id)
    running = await players.begin("classic", ELSEWHERE, OTHER_GUILD)
    await app.blocks.block(NORTH, SOUTH.id)
    with pytest.raises(NotWelcome):
        await app.endings.rematch(SOUTH.id, over.id)
    assert await nudge_refusal(app, SOUTH, running.id) == (NudgeRefusal.UNWANTED, False)


@pytest.mark.both_databases
async def test_a_block_survives_a_restart(database: Database, clock: Clock) -> None:
    """A block that was made before a restart refuses challenges after it, until it is taken back."""
    await Application(database, clock=clock).blocks.block(NORTH, SOUTH.id)
    app = Application(database, clock=clock)
    assert await app.blocks.blocked_by(NORTH.id) == (SOUTH.id,)
    with pytest.raises(NotWelcome):
        await issue(app, SOUTH, NORTH)
    await app.blocks.unblock(NORTH, SOUTH.id)
    await issue(Application(database, clock=clock), SOUTH, NORTH)


async def test_a_block_ends_challenges_between_the_two(app: Application) -> None:
    """A block declines the other person's challenge, withdraws one's own, and takes both out of each other's lobbies.

    Challenges to and from other people stay open.
    """
    from_them, from_east = await issue(app, SOUTH, NORTH), await issue(app, EAST, NORTH)
    saved_place = await issue(app, SOUTH, NORTH, EAST, rules="rotation")
    with pytest.raises(AlreadyOffered) as offered:
        await issue(app, NORTH, SOUTH)
    assert offered.value.draft is not None
    to_them = await app.drafts.send(NORTH.id, offered.value.draft.id, known_digest=offered.value.mark)
    own_lobby, their_lobby = await issue(app, NORTH, rules="rotation"), await issue(app, SOUTH, rules="rotation")
    await app.challenges.accept(SOUTH, own_lobby.id)
    await app.challenges.accept(NORTH, their_lobby.id)
    await app.blocks.block(NORTH, SOUTH.id)
    assert await status_of(app, from_them) is ChallengeStatus.DECLINED
    assert await status_of(app, to_them) is ChallengeStatus.WITHDRAWN
    for lobby in (own_lobby, their_lobby):
        assert len((await app.challenges.get(lobby.id)).players) == 1
    assert (await app.challenges.get(saved_place.id)).named_ids == {EAST.id}
    assert await status_of(app, from_east) is ChallengeStatus.PENDING


async def test_no_rematch_with_blocked_people(app: Application, players: Players) -> None:
    """A running match goes on after a block. Once it is over, neither of the two can offer a rematch."""
    match = await players.begin("classic target=10")
    await app.blocks.block(NORTH, SOUTH.id)
    await players.win(match.id)
    assert (await app.lookup.info(match.id)).status is MatchStatus.FINISHED
    with pytest.raises(NotWelcome):
        await app.endings.rematch(SOUTH.id, match.id)
    with pytest.raises(Blocked):
        await app.endings.rematch(NORTH.id, match.id)


async def test_a_block_declines_a_rematch(app: Application, players: Players) -> None:
    """A block declines the rematch that the other person has offered, and nobody can agree to one's own offer."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await app.endings.rematch(SOUTH.id, match.id)
    await app.blocks.block(NORTH, SOUTH.id)
    assert not (await app.lookup.table(match.id)).match.open_proposal
    await app.blocks.unblock(NORTH, SOUTH.id)
    await app.endings.rematch(NORTH.id, match.id)
    await app.blocks.block(NORTH, SOUTH.id)
    with pytest.raises(NotWelcome):
        await app.endings.rematch(SOUTH.id, match.id)


async def nudge_refusal(app: Application, person: Person, match_id: MatchId) -> tuple[NudgeRefusal, bool]:
    """Have a person nudge. Return the reason of the refusal, and whether their hand offered the nudge."""
    offered = (await app.lookup.hand(person.id, match_id)).may_nudge
    with pytest.raises(NoNudge) as caught:
        await app.times.nudge(person.id, match_id)
    return caught.value.reason, offered


async def test_no_nudges_from_blocked_people(app: Application, players: Players, clock: Clock) -> None:
    """A blocked person's nudge is offered and refused as it is with the preference against nudges."""
    match = await players.begin("classic")
    turn = (await app.lookup.table(match.id)).view.turn
    assert turn is not None
    awaited, other = (NORTH, SOUTH) if match.players[turn].id == NORTH.id else (SOUTH, NORTH)
    await app.blocks.block(awaited, other.id)
    for days in (0, 2):
        clock.pass_by(timedelta(days=days))
        blocked = await nudge_refusal(app, other, match.id)
        await app.blocks.unblock(awaited, other.id)
        await prefer(app, awaited, nudges=False)
        assert await nudge_refusal(app, other, match.id) == blocked == (NudgeRefusal.UNWANTED, days > 0)
        await prefer(app, awaited, nudges=True)
        await app.blocks.block(awaited, other.id)
    await app.blocks.unblock(awaited, other.id)
    await app.times.nudge(other.id, match.id)


async def test_blocks_can_be_listed_and_changed(app: Application) -> None:
    """Blocked people can be listed and changed together. A change that exceeds the limit changes nothing."""
    await app.blocks.block(NORTH, SOUTH.id)
    await app.blocks.block(NORTH, SOUTH.id)
    await app.blocks.change(NORTH, blocked=[EAST.id, STRANGER.id], unblocked=[SOUTH.id])
    assert await app.blocks.blocked_by(NORTH.id) == (STRANGER.id, EAST.id)
    assert (await app.people.settings(NORTH.id)).blocked == 2
    assert await app.blocks.blocked_by(EAST.id) == ()
    many = [PersonId(1000 + number) for number in range(MAX_BLOCKED + 1)]
    with pytest.raises(TooManyBlocked):
        await app.blocks.change(NORTH, blocked=many)
    assert await app.blocks.blocked_by(NORTH.id) == (STRANGER.id, EAST.id)
    await app.blocks.change(NORTH, blocked=many[1:], unblocked=[EAST.id, STRANGER.id])
    with pytest.raises(TooManyBlocked):
        await app.blocks.block(NORTH, WEST.id)


async def test_only_the_blockers_export_has_a_block(app: Application) -> None:
    """A block is part of the blocker's export, but not of the blocked person's."""
    await issue(app, SOUTH)
    await app.blocks.block(NORTH, SOUTH.id)
    assert (await app.exports.export(NORTH.id))["blocked"] == [{"person": SOUTH.id}]
    theirs = await app.exports.export(SOUTH.id)
    assert theirs["blocked"] == []
    assert str(NORTH.id) not in str(theirs)


@pytest.mark.parametrize("forgotten", [NORTH, SOUTH])
async def test_a_block_goes_with_either_person(app: Application, forgotten: Person) -> None:
    """A block is deleted when the blocker or the blocked person is forgotten."""
    await app.blocks.block(NORTH, SOUTH.id)
    await app.people.forget(forgotten.id)
    assert await app.blocks.blocked_by(NORTH.id) == ()
    await issue(app, SOUTH, NORTH)
