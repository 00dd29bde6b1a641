"""All players get the same record of a match. The bot and the script can verify it, and it hides the deal in play."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from bot.engine.fairness import verify
from bot.engine.fairness.audit import Answer, audit
from bot.engine.matches.actions import PlayerSeed, Reveal, Shuffle
from bot.engine.records.record import Record
from bot.model.ids import MatchId, PersonId
from bot.play.application import Application
from bot.store import chains, matches
from bot.store.database import Database
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.fair_play import FairPlay
from tests.helpers.table import EAST, NORTH, SOUTH, WEST, interaction


async def exported_match(app: Application, person_id: PersonId, match_id: MatchId) -> dict[str, Any]:
    exported = await app.exports.export(person_id)
    return next(match for match in exported["matches"] if match["id"] == match_id)


async def shared_record_text(fair: FairPlay, match_id: MatchId) -> str:
    """Return the match's record, and check that it is the same in every export and in the verification."""
    verified = (await fair.app.verification.deal(match_id)).record
    for person in fair.people:
        assert (await exported_match(fair.app, person.id, match_id))["record"] == verified
    return verified


def script_answer(text: str) -> str:
    """Return the answer of the stand-alone verification script for a record."""
    return verify.check(text, None, [])[0]


def revealed_events(record: Record) -> list[int]:
    """Return the numbers of the cuts and shuffles whose seeds a record reveals."""
    return [action.event for action in record.actions if isinstance(action, Reveal)]


def deals_in(record: Record) -> list[tuple[int, int]]:
    return [(action.number, action.board) for action in record.actions if isinstance(action, Shuffle)]


async def secrets_of(database: Database, match_id: MatchId) -> list[str]:
    """Return the decks and server seeds in a match's log that are still secret."""
    async with database.read() as transaction:
        log = await matches.actions(transaction, match_id)
        chain = await chains.secrets(transaction, match_id)
    assert chain is not None
    used = sum("event=" in text for text in log)
    last_revealed = max((int(text.split()[1]) for text in log if text.startswith("reveal ")), default=0)
    sealed_events = {f"event={event}" for event in range(last_revealed + 1, used + 1)}
    decks = [
        text.partition("deck=")[2].split()[0] for text in log if "deck=" in text and sealed_events & {*text.split()}
    ]
    assert decks
    # The next unused seed is secret too: all earlier seeds can be computed from it.
    return [*decks, *(chain.seed(event).hex() for event in range(last_revealed + 1, used + 2))]


async def test_an_export_has_the_revealed_seeds(fair: FairPlay) -> None:
    """While deal 2 is in play, the record has the whole of deal 1 and its revealed seeds."""
    match = await fair.begin("classic target=500")
    await fair.play_deal(match.id)
    text = await shared_record_text(fair, match.id)
    record = Record.parse(text)
    assert (revealed_events(record), deals_in(record)) == ([1, 2], [(1, 1)])
    assert audit(record).answer is Answer.CONSISTENT
    assert audit(record).checked == (1, 2)
    assert script_answer(text) == "consistent"


async def test_changed_words_are_recorded_after_their_deal(fair: FairPlay) -> None:
    """Shuffle words that a player changes during a deal appear in the record once that deal is over."""
    match = await fair.begin("classic target=500")
    await fair.play_deal(match.id)
    await fair.app.words.give(NORTH.id, match.id, "later", interaction())
    before = await shared_record_text(fair, match.id)
    await fair.play_deal(match.id)
    after = await shared_record_text(fair, match.id)
    starts = [
        [action.counts_from for action in Record.parse(text).actions if isinstance(action, PlayerSeed)]
        for text in (before, after)
    ]
    assert starts == [[None, None], [None, None, 4]]
    assert script_answer(before) == script_answer(after) == "consistent"


@pytest.mark.thorough
@pytest.mark.parametrize("first", nightly_after(1, [1, 2]))
async def test_a_round_is_recorded_once_both_boards_are_over(fair: FairPlay, first: int) -> None:
    """A round is in the record once both boards have finished; until then, players export the deal as they saw it."""
    fair.people = (NORTH, SOUTH, EAST, WEST)
    match = await fair.begin("partners target=500")
    for complete in ([], [(1, 1), (1, 2)]):
        await fair.play_board(match.id, first)
        text = await shared_record_text(fair, match.id)
        record = Record.parse(text)
        assert deals_in(record) == complete
        assert revealed_events(record) == ([1, 2, 3] if complete else [])
        assert audit(record).answer is Answer.CONSISTENT
        assert script_answer(text) == "consistent"
        number = len(complete) // 2 + 1
        for person in fair.people:
            assert (await exported_match(fair.app, person.id, match.id))["deal_in_play"]["deal"] == number
        await fair.play_deal(match.id)


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        *thorough_after(1, [("classic", 2), ("partners", 4)]),
        *nightly_after(0, [("tournament", 2), ("penalty", 3), ("rotation", 3)]),
    ],
)
async def test_no_secret_of_a_running_deal_is_public(
    fair: FairPlay, database: Database, rules: str, players: int
) -> None:
    """No deck or seed of a deal in play is in an export or a verification, and the record is consistent."""
    fair.people = (NORTH, SOUTH, EAST, WEST)[:players]
    match = await fair.begin(f"{rules} target=1000")
    for _ in range(2):
        for _ in range(3):
            # Some deals end after one or two moves. Then nobody has a turn, and no more moves are made.
            if (await fair.app.lookup.table(match.id)).view.turn is not None:
                await fair.move(match.id)
        in_play = (await fair.app.lookup.table(match.id)).view.number
        verified = await fair.app.verification.deal(match.id)
        exports = [await fair.app.exports.export(person.id) for person in fair.people]
        assert {export["matches"][0]["record"] for export in exports} == {verified.record}
        public_texts = [repr(verified), *map(json.dumps, exports)]
        for secret in await secrets_of(database, match.id):
            assert not any(secret in public_text for public_text in public_texts)
        record = Record.parse(verified.record)
        assert record.replay().playing == ()
        assert {number for number, _ in deals_in(record)} == {*range(1, in_play)}
        assert audit(record).answer is Answer.CONSISTENT
        assert script_answer(verified.record) == "consistent"
        await fair.play_deal(match.id)


@pytest.mark.thorough
async def test_a_record_grows_only_at_its_end(fair: FairPlay) -> None:
    """The record of a running match is a prefix of its final record."""
    match = await fair.begin("classic target=500")
    texts = list[str]()
    for _ in range(2):
        await fair.play_deal(match.id)
        texts.append(await shared_record_text(fair, match.id))
    await fair.app.endings.resign(NORTH.id, match.id, interaction())
    texts.append(await shared_record_text(fair, match.id))
    assert str((await fair.app.match_records.record(match.id)).record) == texts[-1]
    actions = [Record.parse(text).actions for text in texts]
    for shorter, longer in pairwise(actions):
        assert longer[: len(shorter)] == shorter
        assert len(longer) > len(shorter)
