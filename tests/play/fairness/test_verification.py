"""Verification in every format: finished deals are verified, deals in play are sealed, old matches are refused."""

from __future__ import annotations

import pytest

from bot.engine.fairness.audit import Answer, SeedKind
from bot.engine.fairness.fair import HOUSE_TEXT, NOT_POSTED_TEXT, Chain
from bot.engine.limits import MAX_ACTIONS_PER_ROUND
from bot.engine.records.record import replay_record
from bot.model.fairness import EventKind, Fairness
from bot.model.matches import MatchStatus
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.refusals import NoReplay, NoReplayReason, NotVerifiable
from bot.store import chains
from bot.store.database import Database
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.fair_play import FairPlay
from tests.helpers.table import CHANNEL, EAST, NORTH, SOUTH, WEST, Players, interaction

FORMATS = (
    ("classic", 2),
    ("tournament", 2),
    ("penalty", 3),
    ("rotation", 3),
    ("winner_stays", 3),
    ("partners", 4),
)


@pytest.mark.parametrize(("rules", "seats"), thorough_after(1, FORMATS))
async def test_a_finished_match_verifies(fair: FairPlay, rules: str, seats: int) -> None:
    """A finished match's shuffles follow from its commitment and the posted message's id. Its record has the result."""
    fair.people = (NORTH, SOUTH, EAST, WEST)[:seats]
    match = await fair.begin(f"{rules} target=none deals=2")
    assert match.fairness is Fairness.VERIFIABLE
    await fair.play_out(match.id)
    verified = await fair.verified(match.id)
    assert verified.unrecorded_events == 0
    assert verified.checked_events == len(verified.audit.checked) > 2
    assert {seed.kind for seed in verified.seeds} == {SeedKind.MESSAGE}
    assert verified.promise.channel_id == CHANNEL
    assert {seed.text for seed in verified.seeds} == {str(verified.promise.message_id)}
    scores = (await fair.app.lookup.summary(match.id)).view.score.totals
    assert replay_record(verified.record).score.totals == scores


async def test_the_deal_in_play_is_sealed(fair: FairPlay) -> None:
    """The deal in play is sealed: the verification does not show its cards, and the record does not have it."""
    match = await fair.begin("classic target=500")
    first = await fair.verified(match.id, Answer.CONSISTENT)
    assert (first.number, first.checked_events, first.audit.sealed, first.unrecorded_events) == (1, 0, (1,), 1)
    assert [event.kind for event in first.events] == [EventKind.CUT, EventKind.DECK]
    assert all(event.is_sealed and event.cards is None for event in first.events)
    await fair.play_deal(match.id)
    finished = await fair.verified(match.id)
    assert (finished.number, finished.audit.sealed, finished.unrecorded_events) == (1, (), 1)
    assert not any(event.is_sealed for event in finished.events)
    sealed = await fair.app.verification.deal(match.id, 2)
    assert [(event.kind, event.cards) for event in sealed.events] == [(EventKind.DECK, None)]
    assert "deal 2" not in sealed.record
    with pytest.raises(NoReplay) as refusal:
        await fair.app.verification.deal(match.id, 3)
    assert refusal.value.reason is NoReplayReason.UNKNOWN


@pytest.mark.thorough
@pytest.mark.parametrize("first", nightly_after(1, [1, 2]))
async def test_a_round_is_sealed_until_both_boards_are_over(fair: FairPlay, first: int) -> None:
    """A round stays sealed until both boards have finished, whichever finishes first."""
    fair.people = (NORTH, SOUTH, EAST, WEST)
    match = await fair.begin("partners target=500")
    for played in (0, 3):
        await fair.play_board(match.id, first)
        verified = await fair.verified(match.id, Answer.OK if played else Answer.CONSISTENT)
        assert (verified.number, verified.checked_events, verified.unrecorded_events) == (1, played, 2)
        of_board = await fair.app.verification.deal(match.id, 2 if played else 1, first)
        assert all(event.is_sealed and event.cards is None for event in of_board.events)
        assert of_board.audit.checked == tuple(range(1, played + 1))
        await fair.play_deal(match.id)
    verified = await fair.verified(match.id)
    assert (verified.number, verified.board, verified.checked_events, verified.unrecorded_events) == (
        2,
        3 - first,
        5,
        2,
    )


@pytest.mark.thorough
async def test_words_are_shown_with_the_deal_they_count_for(fair: FairPlay) -> None:
    """The verification of a deal shows its shuffle words, and whether they were given before the commitment."""
    challenge_id = await fair.invite("classic target=500", words="north wind")
    _, match = await fair.app.challenges.accept(SOUTH, challenge_id, words="süd ♠")
    assert match is not None
    given = await fair.app.words.give(NORTH.id, match.id, "later", interaction())
    assert (given.counts_from, given.early) == (2, False)
    await fair.play_deal(match.id)
    await fair.play_deal(match.id)
    verified = await fair.verified(match.id)
    first_deal, second_deal = [await fair.app.verification.deal(match.id, number) for number in (1, 2)]
    assert [(seed.text, seed.early) for seed in first_deal.seeds] == [("north wind", True), ("süd ♠", False)]
    assert [(seed.text, seed.counts_from) for seed in second_deal.seeds] == [("later", 2), ("süd ♠", None)]
    assert [seed.text for seed in verified.all_seeds] == ["north wind", "süd ♠", "later"]


@pytest.mark.thorough
async def test_forgotten_words_leave_a_consistent_record(fair: FairPlay) -> None:
    """If a player is forgotten, their words are unknown: verification only says that the record is consistent."""
    challenge_id = await fair.invite("classic target=500", words="north wind")
    _, match = await fair.app.challenges.accept(SOUTH, challenge_id)
    assert match is not None
    await fair.play_deal(match.id)
    await fair.verified(match.id)
    await fair.app.people.forget(NORTH.id)
    verified = await fair.verified(match.id, Answer.CONSISTENT)
    assert (verified.seeds[0].kind, verified.seeds[0].text) == (SeedKind.WORDS, None)
    assert verified.seeds[1].kind is SeedKind.MESSAGE
    assert "north wind" not in repr(verified)


async def test_a_match_before_its_commitment_is_only_consistent(app: Application, fair: FairPlay) -> None:
    """If a match was accepted before its commitment was posted, verification can only say that it is consistent."""
    match = await Players(app).begin("classic target=500")
    assert match.fairness is Fairness.UNPOSTED
    await fair.courier.deliver()
    await fair.play_deal(match.id)
    verified = await fair.verified(match.id, Answer.CONSISTENT)
    assert {(seed.kind, seed.text) for seed in verified.seeds} == {(SeedKind.NONE, NOT_POSTED_TEXT)}
    assert verified.promise.message_id is not None


async def test_an_old_match_cannot_be_verified(app: Application) -> None:
    """A match that an older version started without a commitment cannot be verified."""
    match = await Players(app, verifiable=False).begin()
    assert match.fairness is Fairness.NONE
    with pytest.raises(NotVerifiable):
        await app.verification.deal(match.id)


@pytest.mark.thorough
async def test_all_seeds_are_revealed_after_an_early_end(fair: FairPlay) -> None:
    """After a resignation or cancellation all seeds are revealed, and the unfinished deal can be verified."""
    resigned = await fair.begin("classic target=500")
    await fair.app.endings.resign(NORTH.id, resigned.id, interaction())
    called_off = await fair.begin("classic target=500")
    await fair.move(called_off.id)
    for person in (NORTH, SOUTH):
        await fair.app.endings.call_off(person.id, called_off.id)
    assert (await fair.app.lookup.info(called_off.id)).status is MatchStatus.CANCELLED
    for match in (resigned, called_off):
        verified = await fair.verified(match.id)
        assert (verified.checked_events, verified.unrecorded_events) == (2, 0)
        replayed = await fair.app.replays.replay(match.id)
        assert replayed.view.showdown.outcome.kind == "broken_off"


@pytest.mark.thorough
async def test_the_chain_of_a_finished_match_is_deleted(fair: FairPlay, database: Database) -> None:
    """A match's hash chain is stored while it is running, and deleted when it ends."""
    match = await fair.begin("classic target=500")
    async with database.read() as transaction:
        chain = await chains.secrets(transaction, match.id)
    assert chain is not None
    assert chain.commitment == (await fair.app.verification.deal(match.id)).promise.commitment
    await fair.app.endings.resign(NORTH.id, match.id, interaction())
    async with database.read() as transaction:
        assert await chains.secrets(transaction, match.id) is None


@pytest.mark.thorough
async def test_practice_is_verifiable(fair: FairPlay) -> None:
    """A practice match's commitment is sent to the player before the match. The computer's seed is a known constant."""
    await Players(fair.app).open_dms(NORTH)
    chain_id = await fair.app.practice.commit(NORTH.id)
    assert chain_id is not None
    assert await fair.app.practice.commit(NORTH.id) == chain_id
    await fair.courier.deliver()
    assert await fair.app.practice.commit(NORTH.id) is None
    hand, _ = await fair.app.practice.start(NORTH, None, interaction(), level=Level.NOVICE, words="alone")
    assert hand.match.fairness is Fairness.VERIFIABLE
    await fair.app.endings.resign(NORTH.id, hand.match.id, interaction())
    verified = await fair.verified(hand.match.id)
    assert [(seed.kind, seed.text) for seed in verified.seeds] == [
        (SeedKind.WORDS, "alone"),
        (SeedKind.HOUSE, HOUSE_TEXT),
    ]
    rematch_chain_id = await fair.app.endings.commit_rematch(NORTH.id, hand.match.id)
    assert rematch_chain_id not in (None, chain_id)
    await fair.courier.deliver()
    assert await fair.app.endings.commit_rematch(NORTH.id, hand.match.id) is None
    rematch = await fair.app.endings.rematch(NORTH.id, hand.match.id)
    assert rematch.fairness is Fairness.VERIFIABLE
    await fair.app.endings.resign(NORTH.id, rematch.id, interaction())
    await fair.verified(rematch.id)


async def test_practice_without_direct_messages_is_unposted(fair: FairPlay) -> None:
    """If the player cannot get direct messages, practice starts without a posted commitment."""
    assert await fair.app.practice.commit(NORTH.id) is None
    hand, _ = await fair.app.practice.start(NORTH, None, interaction(), level=Level.NOVICE)
    assert hand.match.fairness is Fairness.UNPOSTED


@pytest.mark.thorough
async def test_a_rematch_has_a_chain_of_its_own(fair: FairPlay) -> None:
    """A rematch has its own commitment, which is posted with the first proposal, and its own shuffle words."""
    match = await fair.begin()
    await fair.app.endings.resign(NORTH.id, match.id, interaction())
    await fair.app.endings.rematch(SOUTH.id, match.id, words="early bird")
    await fair.courier.deliver()
    given = await fair.app.words.give(SOUTH.id, match.id, "south again", interaction())
    assert (given.counts_from, given.early) == (None, False)
    rematch = await fair.app.endings.rematch(NORTH.id, match.id, words="north again")
    assert rematch.fairness is Fairness.VERIFIABLE
    await fair.play_deal(rematch.id)
    verified, first = await fair.verified(rematch.id), await fair.verified(match.id)
    assert verified.promise.commitment != first.promise.commitment
    assert [seed.text for seed in verified.seeds] == ["north again", "south again"]


async def test_a_chain_that_is_used_up_ends_the_match(
    fair: FairPlay, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that has used its whole hash chain is called off after its last deal, with all seeds revealed."""
    monkeypatch.setattr("bot.engine.fairness.seeds.CHAIN_LENGTH", 3)
    match = await fair.begin("classic target=1000")
    await fair.play_deal(match.id)
    assert (await fair.app.lookup.info(match.id)).status is MatchStatus.RUNNING
    await fair.play_deal(match.id)
    summary = await fair.app.lookup.summary(match.id)
    assert (summary.match.status, summary.seeds_used_up) == (MatchStatus.CANCELLED, True)
    verified = await fair.verified(match.id)
    assert (verified.checked_events, verified.unrecorded_events) == (3, 0)
    async with database.read() as transaction:
        assert await chains.matches_and_challenges_with_chains(transaction) == ((), ())


async def test_a_match_whose_log_is_full_is_called_off(fair: FairPlay, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match whose log has no room for another round is called off after a deal, and its summary says why."""
    match = await fair.begin("classic target=1000")
    version = (await fair.app.lookup.info(match.id)).version
    monkeypatch.setattr("bot.engine.limits.MAX_ACTIONS", MAX_ACTIONS_PER_ROUND + version + 3)
    assert not (await fair.app.lookup.summary(match.id)).is_full
    await fair.play_deal(match.id)
    summary = await fair.app.lookup.summary(match.id)
    assert (summary.match.status, len(summary.deals)) == (MatchStatus.CANCELLED, 1)
    assert (summary.is_full, summary.seeds_used_up) == (True, False)
    verified = await fair.verified(match.id)
    assert (verified.checked_events, verified.unrecorded_events) == (2, 0)


def test_a_chain_does_not_print_its_values() -> None:
    """Printing a hash chain does not show its secret values."""
    chain = Chain.random()
    assert not any(value.hex() in repr(chain) or repr(value) in repr(chain) for value in chain.checkpoints)
