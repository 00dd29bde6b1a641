"""Players' words for the shuffle: who can give them, for which deals they count, and that buttons stay valid."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.engine.deals.moves import PASS
from bot.engine.fairness.fair import MAX_WORDS_LENGTH, player_seed
from bot.engine.limits import MAX_SEEDS_PER_DEAL
from bot.model.ids import MatchId
from bot.play.application import Application
from bot.play.refusals import (
    ChallengeClosed,
    InvalidWords,
    MatchOver,
    NotCommitted,
    NotForYou,
    NotSeated,
    NotVerifiable,
    Stale,
    TooManyWords,
    WordsProblem,
)
from bot.store import matches, tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.fair_play import FairPlay
from tests.helpers.table import EAST, NORTH, SOUTH, WEST, Players, interaction, place, remove_chain


async def logged_seeds(database: Database, match_id: MatchId) -> list[str]:
    """Return the seed actions in a match's log."""
    async with database.read() as transaction:
        texts = await matches.actions(transaction, match_id)
    return [text for text in texts if text.startswith("seed")]


async def test_words_count_from_a_later_deal(fair: FairPlay, database: Database) -> None:
    """The first seat's new words apply from the next deal, the second seat's one deal later. Only hashes are logged."""
    match = await fair.begin()
    mine = await fair.app.words.give(NORTH.id, match.id, " mine ", interaction())
    theirs = await fair.app.words.give(SOUTH.id, match.id, "theirs", interaction())
    assert (mine.text, mine.counts_from, theirs.counts_from) == ("mine", 2, 3)
    assert (await logged_seeds(database, match.id))[2:] == [
        f"seed 0 {player_seed('mine').hex()} from=2",
        f"seed 1 {player_seed('theirs').hex()} from=3",
    ]
    assert await fair.app.words.of_match(NORTH.id, match.id) == mine
    texts = await fetch(database, select(tables.action.c.text))
    assert not [text for (text,) in texts if "mine" in text or "theirs" in text]


async def test_one_interaction_changes_words_once(fair: FairPlay, database: Database) -> None:
    """A repeated interaction changes a player's words once and returns the same answer."""
    match, interaction_id = await fair.begin(), interaction()
    first = await fair.app.words.give(NORTH.id, match.id, "once", interaction_id)
    assert await fair.app.words.give(NORTH.id, match.id, "once", interaction_id) == first
    assert len(await logged_seeds(database, match.id)) == 3


async def test_new_words_do_not_make_buttons_stale(fair: FairPlay, clock: Clock) -> None:
    """After a player gives new words, buttons stay valid; after a move, they are stale."""
    match = await fair.begin()
    before = await fair.app.lookup.hand(NORTH.id, match.id)
    mover = await Players(fair.app).to_act(match.id)
    clock.pass_by(timedelta(minutes=1))
    for person in (NORTH, SOUTH):
        await fair.app.words.give(person.id, match.id, "while they think", interaction())
    after = await fair.app.lookup.hand(NORTH.id, match.id)
    assert after.moved_at == before.moved_at
    assert (await fair.app.lookup.table(match.id)).moved_at == before.moved_at
    moved = await fair.app.turns.move(mover.id, match.id, PASS, interaction(), version=match.version)
    with pytest.raises(Stale):
        await fair.app.turns.move(mover.id, match.id, PASS, interaction(), version=match.version)
    assert moved.match.version == match.version + 3
    other = await Players(fair.app).to_act(match.id)
    assert other != mover
    await fair.app.words.give(mover.id, match.id, "again", interaction())
    await fair.app.turns.move(other.id, match.id, PASS, interaction(), version=moved.match.version)


@pytest.mark.thorough
async def test_new_words_do_not_make_buttons_stale_on_two_boards(fair: FairPlay) -> None:
    """After a player gives new words, buttons stay valid on both boards."""
    fair.people = (NORTH, SOUTH, EAST, WEST)
    match = await fair.begin("partners")
    movers = [await Players(fair.app, fair.people).to_act(match.id, board) for board in (1, 2)]
    await fair.app.words.give(WEST.id, match.id, "from the west", interaction())
    for mover in movers:
        await fair.app.turns.move(mover.id, match.id, PASS, interaction(), version=match.version)
    for board, mover in enumerate(movers, 1):
        assert await Players(fair.app, fair.people).to_act(match.id, board) != mover


async def test_new_words_change_no_message(fair: FairPlay) -> None:
    """New words of a player change no message and no open proposal."""
    match = await fair.begin()
    await fair.app.endings.call_off(NORTH.id, match.id)
    await fair.app.endings.decline(SOUTH.id, match.id)
    await fair.courier.deliver()
    before = (await fair.app.lookup.info(match.id)).proposals
    await fair.app.words.give(NORTH.id, match.id, "quietly", interaction())
    assert await fair.courier.deliver() == []
    assert (await fair.app.lookup.info(match.id)).proposals == before != (None, None)


@pytest.mark.thorough
async def test_changes_of_words_are_limited(fair: FairPlay) -> None:
    """Each player can give new words at most `MAX_SEEDS_PER_DEAL` times during a deal."""
    match = await fair.begin()
    for number in range(MAX_SEEDS_PER_DEAL):
        await fair.app.words.give(NORTH.id, match.id, f"words {number}", interaction())
    with pytest.raises(TooManyWords):
        await fair.app.words.give(NORTH.id, match.id, "once more", interaction())
    await fair.app.words.give(SOUTH.id, match.id, "mine", interaction())
    await fair.play_deal(match.id)
    await fair.app.words.give(NORTH.id, match.id, "once more", interaction())
    await fair.play_deal(match.id)
    await fair.verified(match.id)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "reason"),
    nightly_after(
        3,
        [
            ("  \n ", WordsProblem.EMPTY),
            ("x" * (MAX_WORDS_LENGTH + 1), WordsProblem.TOO_LONG),
            ("one\ntwo", WordsProblem.UNREADABLE),
            ("", WordsProblem.EMPTY),
            ("one\u2028two", WordsProblem.UNREADABLE),
            ("half \ud83c", WordsProblem.UNREADABLE),
            ("\x00", WordsProblem.UNREADABLE),
        ],
    ),
)
async def test_invalid_words_are_refused(fair: FairPlay, text: str, reason: WordsProblem) -> None:
    """Invalid words are refused with the reason wherever words can be given."""
    match, challenge_id = await fair.begin(), await fair.invite()
    calls = (
        fair.app.words.give(NORTH.id, match.id, text, interaction()),
        fair.app.words.give_for_challenge(NORTH.id, challenge_id, text),
        fair.app.challenges.issue(EAST, [], place(), interaction(), words=text),
        fair.app.challenges.accept(SOUTH, challenge_id, words=text),
    )
    for call in calls:
        with pytest.raises(InvalidWords) as refusal:
            await call
        assert refusal.value.reason is reason


async def test_any_script_may_be_used(fair: FairPlay) -> None:
    """Words can have the maximum length and any script, including multi-character emoji."""
    challenge_id = await fair.invite()
    for text in ("x" * MAX_WORDS_LENGTH, "👩‍👩‍👧 süd ♠ 北風"):
        assert (await fair.app.words.give_for_challenge(NORTH.id, challenge_id, text)).text == text


async def test_words_before_a_match_are_replaced(fair: FairPlay, database: Database) -> None:
    """Before the match, people who joined can replace their words. Leaving deletes the words."""
    fair.people = (NORTH, SOUTH, EAST)
    challenge_id = await fair.invite("penalty", words="early")
    first_words = await fair.app.words.of_challenge(NORTH.id, challenge_id)
    assert first_words is not None
    assert (first_words.text, first_words.counts_from, first_words.early) == ("early", None, True)
    replaced = await fair.app.words.give_for_challenge(NORTH.id, challenge_id, "in time")
    assert (replaced.text, replaced.early) == ("in time", False)
    with pytest.raises(NotForYou):
        await fair.app.words.give_for_challenge(SOUTH.id, challenge_id, "not yet")
    await fair.app.challenges.accept(SOUTH, challenge_id, words="south")
    await fair.app.challenges.accept(EAST, challenge_id)
    assert await fair.app.words.of_challenge(EAST.id, challenge_id) is None
    await fair.app.lobbies.leave(SOUTH.id, challenge_id)
    await fair.app.challenges.accept(SOUTH, challenge_id)
    _, match = await fair.app.lobbies.start(NORTH.id, challenge_id)
    assert [row for (row,) in await fetch(database, select(tables.player_words.c.text))] == ["in time"]
    assert (await logged_seeds(database, match.id))[0] == f"seed 0 {player_seed('in time').hex()}"
    with pytest.raises(ChallengeClosed):
        await fair.app.words.give_for_challenge(NORTH.id, challenge_id, "late")


async def test_words_without_effect_are_refused(app: Application, fair: FairPlay) -> None:
    """Words for finished, unverifiable or others' matches and for challenges without a commitment are refused."""
    old = await Players(app, (EAST, WEST), verifiable=False).begin()
    with pytest.raises(NotVerifiable):
        await app.words.give(EAST.id, old.id, "mine", interaction())
    with pytest.raises(NotSeated):
        await app.words.give(NORTH.id, old.id, "mine", interaction())
    await app.endings.resign(EAST.id, old.id, interaction())
    with pytest.raises(MatchOver):
        await app.words.give(EAST.id, old.id, "mine", interaction())
    challenge_id = await fair.invite()
    await remove_chain(app, challenge_id)
    assert not (await app.challenges.get(challenge_id)).committed
    with pytest.raises(NotCommitted):
        await app.challenges.accept(SOUTH, challenge_id, words="mine")
    _, match = await app.challenges.accept(SOUTH, challenge_id)
    assert match is not None
