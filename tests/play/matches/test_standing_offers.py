"""A person who makes an offer to somebody with an open offer to them is shown that offer first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

import pytest

from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.refusals import AlreadyOffered, NotWelcome, TooManyChallenges, WrongChannel
from bot.values.challenges import EXPIRES_AFTER, Challenge, ChallengeStatus
from bot.values.ids import MatchId
from bot.values.matches import REMATCH_OPEN_FOR, MatchInfo, Proposal
from bot.values.people import Challengers, Person
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import (
    EAST,
    ELSEWHERE,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    Players,
    change_settings,
    interaction,
    place,
    prefer,
)

LOBBY: Final = {"rules": "penalty"}


async def issue(app: Application, challenger: Person, *named: Person, **options: Any) -> Challenge:
    ids, where = [person.id for person in named], options.pop("where", place())
    return await app.challenges.issue(challenger, ids, where, interaction(), **options)


async def refused(work: Awaitable[object]) -> AlreadyOffered:
    """Return the `AlreadyOffered` error that the work raises."""
    with pytest.raises(AlreadyOffered) as caught:
        await work
    return caught.value


async def kept(work: Awaitable[object]) -> tuple[Challenge, str]:
    """Return the draft of a refused challenge, and the mark needed to send it anyway."""
    refusal = await refused(work)
    assert refusal.draft is not None
    return refusal.draft, refusal.mark


async def ended_match(app: Application, *people: Person, rules: str = "classic target=10") -> MatchInfo:
    players = Players(app, people or (NORTH, SOUTH))
    match = await players.begin(rules)
    await app.endings.resign(players.people[0].id, match.id, interaction())
    return match


async def words_in(app: Application, person: Person, match_id: MatchId) -> str | None:
    """Return the person's words in the match, or None."""
    given = await app.words.of_match(person.id, match_id)
    return None if given is None else given.text


@pytest.mark.both_databases
async def test_a_challenge_back_is_kept_as_a_draft(app: Application, courier: FakeCourier) -> None:
    """A refused challenge is stored as a draft with all its options, and only its challenger sees it."""
    theirs = await issue(app, NORTH, SOUTH, rules="low", target=50)
    await courier.deliver()
    refusal = await refused(
        issue(app, SOUTH, NORTH, rules="hollywood", clock="2d", casual=True, words="red kite", where=place(ELSEWHERE))
    )
    assert [one.id for one in refusal.offers.challenges] == [theirs.id]
    assert refusal.offers.challenges[0].rules == theirs.rules
    assert refusal.draft is not None
    assert refusal.draft.status is ChallengeStatus.DRAFT
    assert (refusal.draft.ruleset, str(refusal.draft.clock), refusal.draft.casual) == ("hollywood", "2d", True)
    assert refusal.draft.channel_id == ELSEWHERE
    assert await app.drafts.words(SOUTH.id, refusal.draft.id) == "red kite"
    assert await app.drafts.words(NORTH.id, refusal.draft.id) is None
    assert await app.challenges.own(SOUTH.id) == ()
    assert await courier.deliver() == []


@pytest.mark.both_databases
async def test_two_who_challenge_each_other_at_once_make_one_challenge(app: Application) -> None:
    """Of two simultaneous mutual challenges one is refused, even if neither person used the bot before."""
    done = await asyncio.gather(issue(app, NORTH, SOUTH), issue(app, SOUTH, NORTH), return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == ["AlreadyOffered", "Challenge"]
    assert len([*await app.challenges.own(NORTH.id), *await app.challenges.own(SOUTH.id)]) == 1


async def test_a_challenge_is_sent_anyway_once_its_challenger_knows(app: Application) -> None:
    """A draft that is sent anyway is a pending challenge with its words, and the other challenge stays open."""
    theirs = await issue(app, NORTH, SOUTH)
    draft, mark = await kept(issue(app, SOUTH, NORTH, rules="low", words="red kite"))
    sent = await app.drafts.send(SOUTH.id, draft.id, known=mark)
    assert sent.status is ChallengeStatus.PENDING
    assert [one.id for one in await app.challenges.own(NORTH.id)] == [theirs.id]
    _, match = await app.challenges.accept(NORTH, sent.id)
    assert match is not None
    assert match.ruleset == "low"
    assert await words_in(app, SOUTH, match.id) == "red kite"


async def test_what_has_changed_meanwhile_is_told_again(app: Application) -> None:
    """A mark is valid only for the offers that were shown: not after a new offer or a withdrawal."""
    theirs = await issue(app, NORTH, SOUTH)
    draft, mark = await kept(issue(app, SOUTH, NORTH))
    again = await issue(app, NORTH, SOUTH, rules="low")
    refusal = await refused(app.drafts.send(SOUTH.id, draft.id, known=mark))
    assert [one.id for one in refusal.offers.challenges] == [theirs.id, again.id]
    await app.challenges.withdraw(NORTH.id, theirs.id)
    assert len((await refused(app.drafts.send(SOUTH.id, draft.id, known=refusal.mark))).offers.challenges) == 1
    await app.challenges.withdraw(NORTH.id, again.id)
    assert (await app.drafts.send(SOUTH.id, draft.id, known=mark)).status is ChallengeStatus.PENDING


async def test_the_same_interaction_is_refused_again(app: Application) -> None:
    """A repeated interaction returns the same draft, or the challenge once it was sent."""
    await issue(app, NORTH, SOUTH)
    cause = interaction()
    again = [await kept(app.challenges.issue(SOUTH, [NORTH.id], place(), cause, words="red kite")) for _ in range(2)]
    assert again[0] == again[1]
    draft, mark = again[0]
    sent = await app.drafts.send(SOUTH.id, draft.id, known=mark)
    assert await app.challenges.issue(SOUTH, [NORTH.id], place(), cause) == sent


async def _to_a_table(app: Application) -> Challenge:
    return await issue(app, NORTH, EAST, SOUTH, **LOBBY)


async def _elsewhere(app: Application) -> Challenge:
    return await issue(app, NORTH, SOUTH, where=place(ELSEWHERE))


async def _invited_later(app: Application) -> Challenge:
    lobby = await issue(app, NORTH, **LOBBY)
    return await app.lobbies.invite(NORTH.id, lobby.id, [SOUTH.id])


async def _sent_draft(app: Application) -> Challenge:
    draft = await issue(app, NORTH, SOUTH, draft=True)
    return await app.drafts.send(NORTH.id, draft.id)


async def _challenge(app: Application) -> Challenge:
    return await issue(app, NORTH, SOUTH)


async def _back(app: Application) -> object:
    return await issue(app, SOUTH, NORTH)


async def _back_with_others(app: Application) -> object:
    return await issue(app, SOUTH, EAST, NORTH, **LOBBY)


async def _draft_back(app: Application) -> object:
    draft = await issue(app, SOUTH, NORTH, draft=True)
    return await app.drafts.send(SOUTH.id, draft.id)


async def _invitation_back(app: Application) -> object:
    lobby = await issue(app, SOUTH, **LOBBY)
    return await app.lobbies.invite(SOUTH.id, lobby.id, [EAST.id, NORTH.id])


@pytest.mark.parametrize("make", nightly_after(2, [_challenge, _to_a_table, _elsewhere, _invited_later, _sent_draft]))
@pytest.mark.parametrize("answer", [_back, *thorough_after(0, [_back_with_others, _draft_back, _invitation_back])])
async def test_every_way_to_name_somebody_counts(
    app: Application,
    make: Callable[[Application], Awaitable[Challenge]],
    answer: Callable[[Application], Awaitable[object]],
) -> None:
    """Challenges, invitations and sent drafts all count as offers, in any channel of the server."""
    theirs = await make(app)
    refusal = await refused(answer(app))
    assert [one.id for one in refusal.offers.challenges] == [theirs.id]
    assert NORTH.id not in {player.id for one in await app.challenges.own(SOUTH.id) for player in one.named}


async def test_an_invitation_goes_ahead_once_its_host_knows(app: Application) -> None:
    """An invitation can be repeated with the mark; a person who is already invited needs none."""
    await issue(app, NORTH, SOUTH)
    lobby = await issue(app, SOUTH, **LOBBY)
    refusal = await refused(app.lobbies.invite(SOUTH.id, lobby.id, [NORTH.id]))
    assert refusal.draft is None
    assert (await app.lobbies.invite(SOUTH.id, lobby.id, [NORTH.id], known=refusal.mark)).named_ids == {NORTH.id}
    assert (await app.lobbies.invite(SOUTH.id, lobby.id, [NORTH.id])).named_ids == {NORTH.id}


async def _declined(app: Application, clock: Clock) -> None:
    await app.challenges.decline(SOUTH.id, (await issue(app, NORTH, SOUTH)).id)


async def _withdrawn(app: Application, clock: Clock) -> None:
    await app.challenges.withdraw(NORTH.id, (await issue(app, NORTH, SOUTH)).id)


async def _expired(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH)
    clock.pass_by(EXPIRES_AFTER)


async def _accepted(app: Application, clock: Clock) -> None:
    await app.challenges.accept(SOUTH, (await issue(app, NORTH, SOUTH)).id)


async def _to_anyone(app: Application, clock: Clock) -> None:
    await issue(app, NORTH)


async def _to_another(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, EAST)


async def _from_another(app: Application, clock: Clock) -> None:
    await issue(app, EAST, SOUTH)


async def _on_another_server(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH, where=place(guild_id=OTHER_GUILD))


async def _draft(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH, draft=True)


async def _joined(app: Application, clock: Clock) -> None:
    await app.challenges.accept(SOUTH, (await issue(app, NORTH, SOUTH, **LOBBY)).id)


async def _forgotten(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH)
    await app.people.forget(NORTH.id)


@pytest.mark.parametrize(
    "make",
    [
        *(_declined, _to_another, _draft),
        *thorough_after(0, (_withdrawn, _expired, _accepted, _to_anyone)),
        *thorough_after(0, (_from_another, _on_another_server, _joined, _forgotten)),
    ],
)
async def test_other_challenges_keep_nothing_back(
    app: Application, clock: Clock, make: Callable[[Application, Clock], Awaitable[None]]
) -> None:
    """Challenges that are closed, unsent or for somebody else do not count."""
    await make(app, clock)
    assert (await issue(app, SOUTH, NORTH, where=place(ELSEWHERE))).status is ChallengeStatus.PENDING


async def test_who_takes_no_challenges_may_still_be_accepted(app: Application) -> None:
    """An open challenge by a person who takes none is shown; sending anyway is refused and keeps the draft."""
    theirs = await issue(app, NORTH, SOUTH)
    await prefer(app, NORTH, challengers=Challengers.NOBODY)
    draft, mark = await kept(issue(app, SOUTH, NORTH))
    with pytest.raises(NotWelcome):
        await app.drafts.send(SOUTH.id, draft.id, known=mark)
    assert await app.drafts.get(SOUTH.id, draft.id) == draft
    assert (await app.challenges.accept(SOUTH, theirs.id))[1] is not None


async def test_who_has_sent_many_challenges_still_learns_of_one(app: Application) -> None:
    """The limit on pending challenges applies when the draft is sent anyway."""
    for _ in range(MAX_PENDING):
        await issue(app, SOUTH)
    await issue(app, NORTH, SOUTH)
    draft, mark = await kept(issue(app, SOUTH, NORTH))
    with pytest.raises(TooManyChallenges):
        await app.drafts.send(SOUTH.id, draft.id, known=mark)


async def test_a_challenge_meets_a_rematch(app: Application) -> None:
    """A person with an open rematch offer is shown it before they challenge."""
    match = await ended_match(app)
    await app.endings.rematch(NORTH.id, match.id)
    refusal = await refused(issue(app, SOUTH, NORTH, words="red kite"))
    assert (refusal.offers.challenges, [one.id for one in refusal.offers.rematches]) == ((), [match.id])
    assert refusal.draft is not None
    assert (await app.drafts.send(SOUTH.id, refusal.draft.id, known=refusal.mark)).status is ChallengeStatus.PENDING


async def _lapsed(app: Application, clock: Clock, match: MatchInfo) -> None:
    clock.pass_by(REMATCH_OPEN_FOR)


async def _taken_back(app: Application, clock: Clock, match: MatchInfo) -> None:
    await app.endings.withdraw_rematch(NORTH.id, match.id)


async def _refused_rematch(app: Application, clock: Clock, match: MatchInfo) -> None:
    await app.endings.decline_rematch(SOUTH.id, match.id)


async def _begun(app: Application, clock: Clock, match: MatchInfo) -> None:
    await app.endings.rematch(SOUTH.id, match.id)


@pytest.mark.parametrize("change", thorough_after(1, [_lapsed, _taken_back, _refused_rematch, _begun]))
async def test_a_rematch_that_cannot_begin_keeps_nothing_back(
    app: Application, clock: Clock, change: Callable[[Application, Clock, MatchInfo], Awaitable[None]]
) -> None:
    """A rematch offer that expired, was withdrawn or declined, or has started, does not count."""
    match = await ended_match(app)
    await app.endings.rematch(NORTH.id, match.id)
    await change(app, clock, match)
    assert (await issue(app, SOUTH, NORTH, where=place(ELSEWHERE))).status is ChallengeStatus.PENDING


async def test_a_rematch_of_three_is_another_thing(app: Application) -> None:
    """A rematch between three does not affect a challenge between two of them."""
    match = await ended_match(app, NORTH, SOUTH, EAST, rules="rotation target=10")
    await app.endings.rematch(NORTH.id, match.id)
    assert (await issue(app, SOUTH, NORTH)).status is ChallengeStatus.PENDING


async def test_a_rematch_meets_a_challenge(app: Application, courier: FakeCourier) -> None:
    """A person with an open challenge is shown it before they offer a rematch; their words are kept in a draft."""
    match = await ended_match(app)
    theirs = await issue(app, NORTH, SOUTH, rules="low")
    await courier.deliver()
    assert (await refused(app.endings.rematch(SOUTH.id, match.id))).draft is None
    refusal = await refused(app.endings.rematch(SOUTH.id, match.id, words="red kite"))
    assert [one.id for one in refusal.offers.challenges] == [theirs.id]
    assert (await app.lookup.info(match.id)).proposed is None
    assert await courier.deliver() == []
    assert refusal.draft is not None
    assert await app.drafts.words(SOUTH.id, refusal.draft.id) == "red kite"
    offered = await app.endings.rematch(SOUTH.id, match.id, words="red kite", known=refusal.mark)
    assert offered.proposing(Proposal.REMATCH) == [1]


async def test_a_rematch_that_is_offered_may_be_agreed_to(app: Application) -> None:
    """Agreeing to a rematch is not an offer, so an open challenge does not matter."""
    match = await ended_match(app)
    await app.endings.rematch(NORTH.id, match.id)
    await app.challenges.issue(NORTH, [SOUTH.id], place(ELSEWHERE), interaction())
    begun = await app.endings.rematch(SOUTH.id, match.id)
    assert begun.id != match.id


async def test_offers_of_two_rematches_meet(app: Application) -> None:
    """A rematch offer for another match between the same people is shown first."""
    first, second = await ended_match(app), await ended_match(app)
    await app.endings.rematch(NORTH.id, first.id)
    refusal = await refused(app.endings.rematch(SOUTH.id, second.id))
    assert [one.id for one in refusal.offers.rematches] == [first.id]


async def test_a_channel_that_is_not_for_playing_is_refused_first(app: Application) -> None:
    """A challenge in a channel that is not allowed is refused and not stored."""
    await issue(app, NORTH, SOUTH)
    await change_settings(app, channels=(ELSEWHERE,))
    with pytest.raises(WrongChannel):
        await issue(app, SOUTH, NORTH)


async def test_a_draft_that_is_kept_lapses(app: Application, clock: Clock) -> None:
    """A stored draft and its words are deleted after a day."""
    await issue(app, NORTH, SOUTH)
    draft, _ = await kept(issue(app, SOUTH, NORTH, words="red kite"))
    clock.pass_by(EXPIRES_AFTER + timedelta(seconds=1))
    await app.challenges.expire()
    assert await app.drafts.words(SOUTH.id, draft.id) is None
