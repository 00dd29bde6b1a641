"""A person who challenges another player is first shown any open offers received from that player."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

import pytest

from bot.model.challenges import CHALLENGE_LIFETIME, Challenge, ChallengeStatus
from bot.model.ids import MatchId
from bot.model.matches import REMATCH_TIMEOUT, MatchInfo, Proposal
from bot.model.people import Challengers, Person
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.refusals import AlreadyOffered, NotWelcome, TooManyChallenges, WrongChannel
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
    ids, location = [person.id for person in named], options.pop("where", place())
    return await app.challenges.issue(challenger, ids, location, interaction(), **options)


async def already_offered(work: Awaitable[object]) -> AlreadyOffered:
    """Return the `AlreadyOffered` error that this call raises."""
    with pytest.raises(AlreadyOffered) as caught:
        await work
    return caught.value


async def draft_and_mark(work: Awaitable[object]) -> tuple[Challenge, str]:
    """Return the draft that is stored for a refused challenge, and the refusal's mark.

    The draft can be sent with the mark, which confirms that the challenger has seen the other person's offers.
    """
    refusal = await already_offered(work)
    assert refusal.draft is not None
    return refusal.draft, refusal.mark


async def ended_match(app: Application, *people: Person, rules: str = "classic target=10") -> MatchInfo:
    players = Players(app, people or (NORTH, SOUTH))
    match = await players.begin(rules)
    await app.endings.resign(players.people[0].id, match.id, interaction())
    return match


async def words_in(app: Application, person: Person, match_id: MatchId) -> str | None:
    """Return a player's shuffle words in a match, or None."""
    words = await app.words.of_match(person.id, match_id)
    return None if words is None else words.text


@pytest.mark.both_databases
async def test_a_challenge_back_is_stored_as_a_draft(app: Application, courier: FakeCourier) -> None:
    """If the challenged person challenges back, the new challenge is refused and stored as a private draft."""
    open_challenge = await issue(app, NORTH, SOUTH, rules="low", target=50)
    await courier.deliver()
    refusal = await already_offered(
        issue(app, SOUTH, NORTH, rules="hollywood", clock="2d", casual=True, words="red kite", where=place(ELSEWHERE))
    )
    assert [challenge.id for challenge in refusal.offers.challenges] == [open_challenge.id]
    assert refusal.offers.challenges[0].rules == open_challenge.rules
    assert refusal.draft is not None
    assert refusal.draft.status is ChallengeStatus.DRAFT
    assert (refusal.draft.ruleset, str(refusal.draft.clock), refusal.draft.casual) == ("hollywood", "2d", True)
    assert refusal.draft.channel_id == ELSEWHERE
    assert await app.drafts.words(SOUTH.id, refusal.draft.id) == "red kite"
    assert await app.drafts.words(NORTH.id, refusal.draft.id) is None
    assert await app.challenges.own(SOUTH.id) == ()
    assert await courier.deliver() == []


@pytest.mark.both_databases
async def test_simultaneous_mutual_challenges_make_one(app: Application) -> None:
    """If two people challenge each other simultaneously, one challenge is refused, even if both people are new."""
    done = await asyncio.gather(issue(app, NORTH, SOUTH), issue(app, SOUTH, NORTH), return_exceptions=True)
    assert sorted(type(result).__name__ for result in done) == ["AlreadyOffered", "Challenge"]
    assert len([*await app.challenges.own(NORTH.id), *await app.challenges.own(SOUTH.id)]) == 1


async def test_a_challenge_is_sent_anyway_once_its_challenger_knows(app: Application) -> None:
    """A challenger who has seen the other person's challenge can send the stored draft, with its shuffle words.

    The other person's challenge stays open.
    """
    theirs = await issue(app, NORTH, SOUTH)
    draft, mark = await draft_and_mark(issue(app, SOUTH, NORTH, rules="low", words="red kite"))
    sent = await app.drafts.send(SOUTH.id, draft.id, known_digest=mark)
    assert sent.status is ChallengeStatus.PENDING
    assert [challenge.id for challenge in await app.challenges.own(NORTH.id)] == [theirs.id]
    _, match = await app.challenges.accept(NORTH, sent.id)
    assert match is not None
    assert match.ruleset == "low"
    assert await words_in(app, SOUTH, match.id) == "red kite"


async def test_a_mark_is_valid_only_for_the_offers_shown(app: Application) -> None:
    """A refusal's mark confirms the offers that the refusal showed. It is not accepted if the offers have changed."""
    theirs = await issue(app, NORTH, SOUTH)
    draft, mark = await draft_and_mark(issue(app, SOUTH, NORTH))
    second_challenge = await issue(app, NORTH, SOUTH, rules="low")
    refusal = await already_offered(app.drafts.send(SOUTH.id, draft.id, known_digest=mark))
    assert [challenge.id for challenge in refusal.offers.challenges] == [theirs.id, second_challenge.id]
    await app.challenges.withdraw(NORTH.id, theirs.id)
    assert (
        len((await already_offered(app.drafts.send(SOUTH.id, draft.id, known_digest=refusal.mark))).offers.challenges)
        == 1
    )
    await app.challenges.withdraw(NORTH.id, second_challenge.id)
    assert (await app.drafts.send(SOUTH.id, draft.id, known_digest=mark)).status is ChallengeStatus.PENDING


async def test_the_same_interaction_is_refused_again(app: Application) -> None:
    """If a refused interaction is repeated, the refusal contains the same draft.

    After the draft was sent, the repeated interaction returns the challenge.
    """
    await issue(app, NORTH, SOUTH)
    cause = interaction()
    results = [
        await draft_and_mark(app.challenges.issue(SOUTH, [NORTH.id], place(), cause, words="red kite"))
        for _ in range(2)
    ]
    assert results[0] == results[1]
    draft, mark = results[0]
    sent = await app.drafts.send(SOUTH.id, draft.id, known_digest=mark)
    assert await app.challenges.issue(SOUTH, [NORTH.id], place(), cause) == sent


async def _table_challenge(app: Application) -> Challenge:
    return await issue(app, NORTH, EAST, SOUTH, **LOBBY)


async def _challenge_elsewhere(app: Application) -> Challenge:
    return await issue(app, NORTH, SOUTH, where=place(ELSEWHERE))


async def _later_invitation(app: Application) -> Challenge:
    lobby = await issue(app, NORTH, **LOBBY)
    return await app.lobbies.invite(NORTH.id, lobby.id, [SOUTH.id])


async def _sent_draft(app: Application) -> Challenge:
    draft = await issue(app, NORTH, SOUTH, draft=True)
    return await app.drafts.send(NORTH.id, draft.id)


async def _challenge(app: Application) -> Challenge:
    return await issue(app, NORTH, SOUTH)


async def _challenge_back(app: Application) -> object:
    return await issue(app, SOUTH, NORTH)


async def _table_challenge_back(app: Application) -> object:
    return await issue(app, SOUTH, EAST, NORTH, **LOBBY)


async def _sent_draft_back(app: Application) -> object:
    draft = await issue(app, SOUTH, NORTH, draft=True)
    return await app.drafts.send(SOUTH.id, draft.id)


async def _invitation_back(app: Application) -> object:
    lobby = await issue(app, SOUTH, **LOBBY)
    return await app.lobbies.invite(SOUTH.id, lobby.id, [EAST.id, NORTH.id])


@pytest.mark.parametrize(
    "make", nightly_after(2, [_challenge, _table_challenge, _challenge_elsewhere, _later_invitation, _sent_draft])
)
@pytest.mark.parametrize(
    "answer", [_challenge_back, *thorough_after(0, [_table_challenge_back, _sent_draft_back, _invitation_back])]
)
async def test_every_kind_of_offer_counts(
    app: Application,
    make: Callable[[Application], Awaitable[Challenge]],
    answer: Callable[[Application], Awaitable[object]],
) -> None:
    """Challenges, invitations and sent drafts all count as offers, in any channel of the server."""
    theirs = await make(app)
    refusal = await already_offered(answer(app))
    assert [challenge.id for challenge in refusal.offers.challenges] == [theirs.id]
    assert NORTH.id not in {player.id for challenge in await app.challenges.own(SOUTH.id) for player in challenge.named}


async def test_an_invitation_goes_ahead_once_its_host_knows(app: Application) -> None:
    """An invitation that was refused because of an open offer can be repeated with the refusal's mark.

    The mark confirms that the host has seen the offer. Inviting the same person again needs no mark.
    """
    await issue(app, NORTH, SOUTH)
    lobby = await issue(app, SOUTH, **LOBBY)
    refusal = await already_offered(app.lobbies.invite(SOUTH.id, lobby.id, [NORTH.id]))
    assert refusal.draft is None
    assert (await app.lobbies.invite(SOUTH.id, lobby.id, [NORTH.id], known_digest=refusal.mark)).named_ids == {NORTH.id}
    assert (await app.lobbies.invite(SOUTH.id, lobby.id, [NORTH.id])).named_ids == {NORTH.id}


async def _declined_challenge(app: Application, clock: Clock) -> None:
    await app.challenges.decline(SOUTH.id, (await issue(app, NORTH, SOUTH)).id)


async def _withdrawn_challenge(app: Application, clock: Clock) -> None:
    await app.challenges.withdraw(NORTH.id, (await issue(app, NORTH, SOUTH)).id)


async def _expired_challenge(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH)
    clock.pass_by(CHALLENGE_LIFETIME)


async def _accepted_challenge(app: Application, clock: Clock) -> None:
    await app.challenges.accept(SOUTH, (await issue(app, NORTH, SOUTH)).id)


async def _open_challenge(app: Application, clock: Clock) -> None:
    await issue(app, NORTH)


async def _challenge_to_another(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, EAST)


async def _challenge_from_another(app: Application, clock: Clock) -> None:
    await issue(app, EAST, SOUTH)


async def _challenge_on_another_server(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH, where=place(guild_id=OTHER_GUILD))


async def _unsent_draft(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH, draft=True)


async def _joined_table(app: Application, clock: Clock) -> None:
    await app.challenges.accept(SOUTH, (await issue(app, NORTH, SOUTH, **LOBBY)).id)


async def _challenge_of_a_forgotten_person(app: Application, clock: Clock) -> None:
    await issue(app, NORTH, SOUTH)
    await app.people.forget(NORTH.id)


@pytest.mark.parametrize(
    "make",
    [
        *(_declined_challenge, _challenge_to_another, _unsent_draft),
        *thorough_after(0, (_withdrawn_challenge, _expired_challenge, _accepted_challenge, _open_challenge)),
        *thorough_after(
            0, (_challenge_from_another, _challenge_on_another_server, _joined_table, _challenge_of_a_forgotten_person)
        ),
    ],
)
async def test_other_challenges_do_not_count(
    app: Application, clock: Clock, make: Callable[[Application, Clock], Awaitable[None]]
) -> None:
    """Challenges that are closed, unsent or for somebody else do not count as open offers."""
    await make(app, clock)
    assert (await issue(app, SOUTH, NORTH, where=place(ELSEWHERE))).status is ChallengeStatus.PENDING


async def test_challenges_by_people_who_take_none_can_be_accepted(app: Application) -> None:
    """A challenger who accepts no challenges cannot be challenged back, but their open challenge can be accepted."""
    theirs = await issue(app, NORTH, SOUTH)
    await prefer(app, NORTH, challengers=Challengers.NOBODY)
    draft, mark = await draft_and_mark(issue(app, SOUTH, NORTH))
    with pytest.raises(NotWelcome):
        await app.drafts.send(SOUTH.id, draft.id, known_digest=mark)
    assert await app.drafts.get(SOUTH.id, draft.id) == draft
    assert (await app.challenges.accept(SOUTH, theirs.id))[1] is not None


async def test_the_limit_applies_when_sending_anyway(app: Application) -> None:
    """The limit on pending challenges also applies to a draft that is sent despite an offer of the other player."""
    for _ in range(MAX_PENDING):
        await issue(app, SOUTH)
    await issue(app, NORTH, SOUTH)
    draft, mark = await draft_and_mark(issue(app, SOUTH, NORTH))
    with pytest.raises(TooManyChallenges):
        await app.drafts.send(SOUTH.id, draft.id, known_digest=mark)


async def test_a_challenge_meets_a_rematch(app: Application) -> None:
    """Before a person challenges somebody who offered them a rematch, they are shown that offer."""
    match = await ended_match(app)
    await app.endings.rematch(NORTH.id, match.id)
    refusal = await already_offered(issue(app, SOUTH, NORTH, words="red kite"))
    assert (refusal.offers.challenges, [rematch.id for rematch in refusal.offers.rematches]) == ((), [match.id])
    assert refusal.draft is not None
    assert (
        await app.drafts.send(SOUTH.id, refusal.draft.id, known_digest=refusal.mark)
    ).status is ChallengeStatus.PENDING


async def _expired_rematch(app: Application, clock: Clock, match: MatchInfo) -> None:
    clock.pass_by(REMATCH_TIMEOUT)


async def _withdrawn_rematch(app: Application, clock: Clock, match: MatchInfo) -> None:
    await app.endings.withdraw_rematch(NORTH.id, match.id)


async def _declined_rematch(app: Application, clock: Clock, match: MatchInfo) -> None:
    await app.endings.decline_rematch(SOUTH.id, match.id)


async def _started_rematch(app: Application, clock: Clock, match: MatchInfo) -> None:
    await app.endings.rematch(SOUTH.id, match.id)


@pytest.mark.parametrize(
    "change", thorough_after(1, [_expired_rematch, _withdrawn_rematch, _declined_rematch, _started_rematch])
)
async def test_closed_rematch_offers_do_not_count(
    app: Application, clock: Clock, change: Callable[[Application, Clock, MatchInfo], Awaitable[None]]
) -> None:
    """A rematch offer that expired, was withdrawn or declined, or was accepted, is not an open offer."""
    match = await ended_match(app)
    await app.endings.rematch(NORTH.id, match.id)
    await change(app, clock, match)
    assert (await issue(app, SOUTH, NORTH, where=place(ELSEWHERE))).status is ChallengeStatus.PENDING


async def test_a_rematch_of_three_does_not_count(app: Application) -> None:
    """A rematch offer among three players does not affect a challenge between two of them."""
    match = await ended_match(app, NORTH, SOUTH, EAST, rules="rotation target=10")
    await app.endings.rematch(NORTH.id, match.id)
    assert (await issue(app, SOUTH, NORTH)).status is ChallengeStatus.PENDING


async def test_a_rematch_meets_a_challenge(app: Application, courier: FakeCourier) -> None:
    """An offer of a rematch is refused if the opponent has sent a challenge. Any shuffle words are kept in a draft.

    The offer can be repeated with the refusal's mark, which confirms that the challenge was seen.
    """
    match = await ended_match(app)
    theirs = await issue(app, NORTH, SOUTH, rules="low")
    await courier.deliver()
    assert (await already_offered(app.endings.rematch(SOUTH.id, match.id))).draft is None
    refusal = await already_offered(app.endings.rematch(SOUTH.id, match.id, words="red kite"))
    assert [challenge.id for challenge in refusal.offers.challenges] == [theirs.id]
    assert (await app.lookup.info(match.id)).open_proposal is None
    assert await courier.deliver() == []
    assert refusal.draft is not None
    assert await app.drafts.words(SOUTH.id, refusal.draft.id) == "red kite"
    offered = await app.endings.rematch(SOUTH.id, match.id, words="red kite", known_digest=refusal.mark)
    assert offered.seats_proposing(Proposal.REMATCH) == [1]


async def test_agreeing_to_a_rematch_is_not_an_offer(app: Application) -> None:
    """Agreeing to a rematch is not an offer, so a challenge by the opponent does not prevent it."""
    match = await ended_match(app)
    await app.endings.rematch(NORTH.id, match.id)
    await app.challenges.issue(NORTH, [SOUTH.id], place(ELSEWHERE), interaction())
    rematch = await app.endings.rematch(SOUTH.id, match.id)
    assert rematch.id != match.id


async def test_offers_of_two_rematches_meet(app: Application) -> None:
    """If the opponent has offered a rematch of another match, a new offer is refused and the error contains theirs."""
    first, second = await ended_match(app), await ended_match(app)
    await app.endings.rematch(NORTH.id, first.id)
    refusal = await already_offered(app.endings.rematch(SOUTH.id, second.id))
    assert [rematch.id for rematch in refusal.offers.rematches] == [first.id]


async def test_a_forbidden_channel_is_refused_first(app: Application) -> None:
    """If the channel is not allowed, a challenge is refused because of that, before open offers are checked."""
    await issue(app, NORTH, SOUTH)
    await change_settings(app, channels=(ELSEWHERE,))
    with pytest.raises(WrongChannel):
        await issue(app, SOUTH, NORTH)


async def test_a_stored_draft_expires(app: Application, clock: Clock) -> None:
    """The draft of a refused challenge and its shuffle words are deleted after a day."""
    await issue(app, NORTH, SOUTH)
    draft, _ = await draft_and_mark(issue(app, SOUTH, NORTH, words="red kite"))
    clock.pass_by(CHALLENGE_LIFETIME + timedelta(seconds=1))
    await app.challenges.expire()
    assert await app.drafts.words(SOUTH.id, draft.id) is None
