"""Matches in which a computer takes over a seat can be verified, and the seat keeps the player's shuffle words."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest

from bot.engine.fairness import verify
from bot.engine.fairness.audit import Answer, SeedKind, audit
from bot.engine.matches.actions import PlayerSeed, Replace
from bot.engine.matches.formats import FORMATS
from bot.engine.records.record import Record, replay_record
from bot.model.ids import MatchId
from bot.model.matches import MatchInfo, MatchStatus
from bot.model.people import Person
from bot.model.verification import VerifiedDeal
from bot.play.application import Application
from bot.play.clocks.turn_time import UNTIMED_REMINDER_INTERVAL
from bot.play.refusals import NotSeated
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.fair_play import FairPlay
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, NORTH, SOUTH, WEST, Players, interaction
from tests.helpers.thinkers import LocalThinker

pytestmark = pytest.mark.thorough

TABLES = (("partners deals=2", 4), ("rotation deals=3", 3), ("winner_stays deals=2", 3), ("penalty deals=2", 4))


@pytest.fixture
async def app(database: Database, clock: Clock) -> AsyncIterator[Application]:
    """Run an application with real shuffles and with computer players that make their moves."""
    app = Application(database, clock=clock, thinker=LocalThinker())
    moving = asyncio.create_task(app.computers.run())
    yield app
    moving.cancel()
    with suppress(asyncio.CancelledError):
        await moving


@pytest.fixture
def fair(app: Application, courier: FakeCourier) -> FairPlay:
    """Return a helper that plays verifiable matches."""
    return FairPlay(app, courier)


async def start_with_a_takeover(fair: FairPlay, clock: Clock, rules: str, seats: int) -> tuple[MatchInfo, Person]:
    """Play a deal with everyone's shuffle words, then let a computer take over a seat.

    Return the match and the player whose seat it was.
    """
    fair.people, app = (NORTH, SOUTH, EAST, WEST)[:seats], fair.app
    match = await fair.begin(rules)
    for person in fair.people:
        await app.words.give(person.id, match.id, f"words of {person.name}", interaction())
    await fair.play_deal(match.id)
    clock.pass_by(UNTIMED_REMINDER_INTERVAL)
    await Players(app).run_timekeeper()
    waiting = [person for person in fair.people if (await app.lookup.hand(person.id, match.id)).may_claim]
    claim_hand = await app.endings.claim(waiting[0].id, match.id, interaction())
    assert claim_hand.match.vacant_seat is not None
    leaver = fair.people[claim_hand.match.vacant_seat]
    for person in fair.people:
        if person is not leaver:
            await app.vacancies.play_on(person.id, match.id, interaction())
    return await app.lookup.info(match.id), leaver


async def play_out(fair: FairPlay, match_id: MatchId) -> None:
    """Play a match with computers to its end."""
    app = fair.app
    while (match := await app.lookup.info(match_id)).status is MatchStatus.RUNNING:
        tables = [await app.lookup.table(match_id, board) for board in range(1, 1 + FORMATS[match.rules.format].boards)]
        turns = [(table.view.board, table.view.turn) for table in tables if table.view.turn is not None]
        own = [board for board, turn in turns if not match.computer_seats([turn])]
        if own:
            await fair.move(match_id, own[0])
        else:
            person = next(person for person in fair.people if match.seat_of(person.id) is not None)
            await app.computers.answer(person.id, await app.lookup.hand(person.id, match_id))


def script_arguments(verified: VerifiedDeal) -> list[str]:
    """Return the arguments with which the verification script checks a match."""
    assert verified.promise.commitment
    words = [f"{seed.seat}={seed.text}" for seed in verified.all_seeds]
    return ["--commit", verified.promise.commitment.hex(), *(part for text in words for part in ("--words", text))]


@pytest.mark.parametrize(("rules", "seats"), nightly_after(1, TABLES))
async def test_a_match_with_a_takeover_verifies(
    fair: FairPlay, clock: Clock, tmp_path: Path, rules: str, seats: int
) -> None:
    """The bot and the script verify a match with a takeover. The leaver's shuffle words stay and cannot be changed."""
    match, leaver = await start_with_a_takeover(fair, clock, f"{rules} target=none", seats)
    seat = match.former_seat_of(leaver.id)
    assert seat is not None
    with pytest.raises(NotSeated):
        await fair.app.words.give(leaver.id, match.id, "other words", interaction())
    await play_out(fair, match.id)
    verified = await fair.verified(match.id)
    assert verified.unrecorded_events == 0
    own = [(seed.kind, seed.text) for seed in verified.all_seeds if seed.seat == seat]
    assert own[-1] == (SeedKind.WORDS, f"words of {leaver.name}")
    shared = await fair.app.match_records.record(match.id)
    record = Record.parse(verified.record)
    assert shared.ends_before_deal is None
    assert str(shared.record) == verified.record
    assert record.version == 4
    takeover_index = record.actions.index(Replace(seat))
    assert not [
        action for action in record.actions[takeover_index:] if isinstance(action, PlayerSeed) and action.seat == seat
    ]
    result = replay_record(verified.record)
    assert result.replaced_seats == (seat,)
    assert result.score.totals == (await fair.app.lookup.summary(match.id)).view.score.totals
    file = tmp_path / "record.txt"
    file.write_text(verified.record, encoding="utf-8")
    script = await asyncio.create_subprocess_exec(
        sys.executable, verify.__file__, str(file), *script_arguments(verified), stdout=PIPE
    )
    answer, _ = await script.communicate()
    assert answer.split()[0] == b"ok"


async def test_the_exports_of_all_players_have_the_same_record(fair: FairPlay, clock: Clock) -> None:
    """All players, even the one who left, export the same record; the leaver's export also has their shuffle words."""
    match, leaver = await start_with_a_takeover(fair, clock, "rotation target=none deals=2", 3)
    await play_out(fair, match.id)
    exports = [await fair.app.exports.export(person.id) for person in fair.people]
    assert len({export["matches"][0]["record"] for export in exports}) == 1
    own = exports[fair.people.index(leaver)]
    assert [words["text"] for words in own["words"]] == [f"words of {leaver.name}"]
    assert audit(Record.parse(own["matches"][0]["record"])).answer is Answer.CONSISTENT


async def test_a_forgotten_leavers_words_are_unknown(fair: FairPlay, clock: Clock) -> None:
    """If a leaver is forgotten, their words are unknown: verification only says that the record is consistent."""
    match, leaver = await start_with_a_takeover(fair, clock, "rotation target=500", 3)
    seat = match.former_seat_of(leaver.id)
    await fair.app.people.forget(leaver.id)
    await fair.app.endings.resign(
        next(person for person in fair.people if person is not leaver).id, match.id, interaction()
    )
    verified = await fair.verified(match.id, Answer.CONSISTENT)
    own = [(seed.kind, seed.text) for seed in verified.all_seeds if seed.seat == seat]
    assert own[-1] == (SeedKind.WORDS, None)
    assert leaver.name not in repr(verified)
