"""Verifiable matches in which a computer takes over a seat: they verify, and the seat keeps the player's words."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest

from bot.engine import verify
from bot.engine.actions import PlayerSeed, Replace
from bot.engine.audit import Answer, SeedKind, audit
from bot.engine.formats import FORMATS
from bot.engine.record import Record, replay
from bot.play.application import Application
from bot.play.clocks.turn_time import WITHOUT_CLOCK_EVERY
from bot.play.refusals import NotSeated
from bot.store.database import Database
from bot.values.ids import MatchId
from bot.values.matches import MatchInfo, MatchStatus
from bot.values.people import Person
from bot.values.verification import VerifiedDeal
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.fair_play import FairPlay
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, NORTH, SOUTH, WEST, Players, interaction
from tests.helpers.thinkers import Mind

pytestmark = pytest.mark.thorough

TABLES = (("partners deals=2", 4), ("rotation deals=3", 3), ("winner_stays deals=2", 3), ("penalty deals=2", 4))


@pytest.fixture
async def app(database: Database, clock: Clock) -> AsyncIterator[Application]:
    """Run an application with real shuffles and moving computers."""
    app = Application(database, clock=clock, thinker=Mind())
    moving = asyncio.create_task(app.computers.run())
    yield app
    moving.cancel()
    with suppress(asyncio.CancelledError):
        await moving


@pytest.fixture
def fair(app: Application, courier: FakeCourier) -> FairPlay:
    """Make people ready to play verifiable matches."""
    return FairPlay(app, courier)


async def taken_over(fair: FairPlay, clock: Clock, rules: str, seats: int) -> tuple[MatchInfo, Person]:
    """Play a deal with words from everyone, then let a computer take over a seat; return the match and its leaver."""
    fair.people, app = (NORTH, SOUTH, EAST, WEST)[:seats], fair.app
    match = await fair.begin(rules)
    for person in fair.people:
        await app.words.give(person.id, match.id, f"words of {person.name}", interaction())
    await fair.play_deal(match.id)
    clock.pass_by(WITHOUT_CLOCK_EVERY)
    await Players(app).look_at_times()
    waiting = [one for one in fair.people if (await app.lookup.hand(one.id, match.id)).may_claim]
    claimed = await app.endings.claim(waiting[0].id, match.id, interaction())
    assert claimed.match.vacant_seat is not None
    lost = fair.people[claimed.match.vacant_seat]
    for person in fair.people:
        if person is not lost:
            await app.vacancies.play_on(person.id, match.id, interaction())
    return await app.lookup.info(match.id), lost


async def play_out(fair: FairPlay, match_id: MatchId) -> None:
    """Play a match with computers to its end."""
    app = fair.app
    while (match := await app.lookup.info(match_id)).status is MatchStatus.RUNNING:
        tables = [await app.lookup.table(match_id, board) for board in range(1, 1 + FORMATS[match.rules.format].boards)]
        turns = [(one.view.board, one.view.turn) for one in tables if one.view.turn is not None]
        own = [board for board, turn in turns if not match.computers_among([turn])]
        if own:
            await fair.move(match_id, own[0])
        else:
            person = next(one for one in fair.people if match.seat_of(one.id) is not None)
            await app.computers.answer(person.id, await app.lookup.hand(person.id, match_id))


def arguments(verified: VerifiedDeal) -> list[str]:
    """Return the script's arguments for a verification."""
    assert verified.promise.commitment
    words = [f"{one.seat}={one.text}" for one in verified.all_seeds]
    return ["--commit", verified.promise.commitment.hex(), *(part for text in words for part in ("--words", text))]


@pytest.mark.parametrize(("rules", "seats"), nightly_after(1, TABLES))
async def test_a_match_with_a_takeover_checks_out(
    fair: FairPlay, clock: Clock, tmp_path: Path, rules: str, seats: int
) -> None:
    """A match with a takeover verifies with both checkers, and the leaver's words stay and cannot be changed."""
    match, lost = await taken_over(fair, clock, f"{rules} target=none", seats)
    seat = match.seat_left_by(lost.id)
    assert seat is not None
    with pytest.raises(NotSeated):
        await fair.app.words.give(lost.id, match.id, "other words", interaction())
    await play_out(fair, match.id)
    verified = await fair.verified(match.id)
    assert verified.left_out == 0
    own = [(one.kind, one.text) for one in verified.all_seeds if one.seat == seat]
    assert own[-1] == (SeedKind.WORDS, f"words of {lost.name}")
    shared = await fair.app.match_records.record(match.id)
    record = Record.parse(verified.record)
    assert shared.until is None
    assert str(shared.record) == verified.record
    assert record.version == 4
    taken = record.actions.index(Replace(seat))
    assert not [one for one in record.actions[taken:] if isinstance(one, PlayerSeed) and one.seat == seat]
    result = replay(verified.record)
    assert result.replaced == (seat,)
    assert result.score.totals == (await fair.app.lookup.summary(match.id)).view.score.totals
    file = tmp_path / "record.txt"
    file.write_text(verified.record, encoding="utf-8")
    script = await asyncio.create_subprocess_exec(
        sys.executable, verify.__file__, str(file), *arguments(verified), stdout=PIPE
    )
    answer, _ = await script.communicate()
    assert answer.split()[0] == b"ok"


async def test_the_exports_of_all_players_have_the_same_record(fair: FairPlay, clock: Clock) -> None:
    """All players, including the leaver, export the same record, and the leaver exports their own words."""
    match, lost = await taken_over(fair, clock, "rotation target=none deals=2", 3)
    await play_out(fair, match.id)
    exports = [await fair.app.exports.export(person.id) for person in fair.people]
    assert len({one["matches"][0]["record"] for one in exports}) == 1
    own = exports[fair.people.index(lost)]
    assert [one["text"] for one in own["words"]] == [f"words of {lost.name}"]
    assert audit(Record.parse(own["matches"][0]["record"])).answer is Answer.CONSISTENT


async def test_a_forgotten_leaver_leaves_words_that_nobody_has(fair: FairPlay, clock: Clock) -> None:
    """A forgotten leaver's seed still counts as words, but without their text the record is only consistent."""
    match, lost = await taken_over(fair, clock, "rotation target=500", 3)
    seat = match.seat_left_by(lost.id)
    await fair.app.people.forget(lost.id)
    await fair.app.endings.resign(next(one for one in fair.people if one is not lost).id, match.id, interaction())
    verified = await fair.verified(match.id, Answer.CONSISTENT)
    own = [(one.kind, one.text) for one in verified.all_seeds if one.seat == seat]
    assert own[-1] == (SeedKind.WORDS, None)
    assert lost.name not in repr(verified)
