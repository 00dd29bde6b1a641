"""The record of a finished match can be replayed, and hides cards that nobody laid down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.deals.moves import LOSE_ON_TIME, Seat
from bot.engine.matches.actions import Play, Replace, Shuffle
from bot.engine.records.record import Record, replay_record
from bot.model.ids import MatchId
from bot.play.application import Application
from bot.play.loading.unit_of_work import Units
from bot.play.matches.match_writer import MatchWriter
from bot.play.matches.shuffler import Shuffler
from bot.play.refusals import NoMatch, NotOver
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction, patient_move, play_deal


def deck_numbers(record: Record) -> list[int]:
    """Return the numbers of the deals whose decks are in the record."""
    return [action.number for action in record.actions if isinstance(action, Shuffle)]


def record_text(record: Record) -> str:
    """Return the record's text, with the players' names added."""
    return str(replace(record, names=("North", "South")))


@pytest.mark.thorough
async def test_the_record_of_a_match_replays_to_its_result(app: Application, players: Players) -> None:
    """The record of a finished match replays to its result; a running match has no record."""
    match = await players.begin("classic target=100")
    await players.win(match.id)
    with pytest.raises(NotOver):
        await app.match_records.record(match.id)
    for _ in range(2):
        await players.win(match.id)
    shared = await app.match_records.record(match.id)
    assert shared.ends_before_deal is None
    replayed = replay_record(record_text(shared.record))
    assert replayed.score.totals == (await app.lookup.summary(match.id)).view.score.totals
    assert deck_numbers(shared.record) == [1, 2, 3]
    with pytest.raises(NoMatch):
        await app.match_records.record(MatchId(99))


@pytest.mark.thorough
async def test_an_unfinished_deal_is_omitted(app: Application, unverifiable: Players) -> None:
    """The record of a resigned, unverifiable match omits the unfinished deal but has the result."""
    match = await unverifiable.begin("classic target=1000")
    await unverifiable.win(match.id)
    await unverifiable.move(match.id, "pass")
    await app.endings.resign(NORTH.id, match.id, interaction())
    shared = await app.match_records.record(match.id)
    assert (shared.ends_before_deal, deck_numbers(shared.record)) == (None, [1])
    replayed = replay_record(record_text(shared.record))
    assert replayed.forfeit is not None
    assert replayed.score.winner == 1


@pytest.mark.thorough
async def test_a_void_deal_ends_the_record(app: Application, unverifiable: Players) -> None:
    """In an unverifiable match, the record ends before a void deal and has no result."""
    match = await unverifiable.begin("classic target=120")
    await unverifiable.win(match.id)
    await play_deal(app, match.id, patient_move)
    await unverifiable.win(match.id)
    await unverifiable.win(match.id)
    assert (await app.lookup.info(match.id)).ended_at is not None
    shared = await app.match_records.record(match.id)
    assert (shared.ends_before_deal, deck_numbers(shared.record), shared.record.result) == (2, [1], ())
    assert len(replay_record(record_text(shared.record)).finished) == 1


@pytest.mark.thorough
async def test_a_match_lost_on_time_ends_with_its_last_showdown(app: Application, unverifiable: Players) -> None:
    """The record of an unverifiable match lost on time ends with its last showdown."""
    match = await unverifiable.begin("classic target=1000")
    await unverifiable.win(match.id)
    turn = (await app.lookup.table(match.id)).view.turn
    assert turn is not None
    units = app.lookup._units  # pyright: ignore[reportPrivateUsage]
    async with units.write() as unit:
        loaded = await unit.load(match.id)
        await MatchWriter(Shuffler()).advance(unit, loaded, [Play(Seat(turn), LOSE_ON_TIME)])
    shared = await app.match_records.record(match.id)
    assert (shared.ends_before_deal, deck_numbers(shared.record), shared.record.result) == (2, [1], ())
    assert len(replay_record(record_text(shared.record)).finished) == 1


@pytest.mark.thorough
async def test_a_called_off_match_has_its_finished_deals(app: Application, unverifiable: Players) -> None:
    """The record of a called-off, unverifiable match has its finished deals and no result."""
    match = await unverifiable.begin("classic target=1000")
    await unverifiable.win(match.id)
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, match.id)
    shared = await app.match_records.record(match.id)
    assert (shared.ends_before_deal, deck_numbers(shared.record), shared.record.result) == (2, [1], ())
    assert len(replay_record(record_text(shared.record)).finished) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("verifiable", [True, False])
async def test_a_takeover_is_in_the_record(
    app: Application, database: Database, clock: Clock, verifiable: bool
) -> None:
    """A takeover by a computer is in the log and in the record, even if the deal in which it happened is omitted."""
    players = Players(app, (NORTH, SOUTH, EAST), verifiable=verifiable)
    match = await players.begin("rotation target=1000")
    await players.win(match.id)
    units = Units(database, clock)
    async with units.write() as unit:
        loaded = await unit.load(match.id)
        after = await MatchWriter(Shuffler()).advance(unit, loaded, [Replace(Seat(2))])
    async with Units(database, clock).read() as unit:
        assert (await unit.load(match.id)).state == after.state
    assert after.state.replaced_seats == (2,)
    await app.endings.resign(NORTH.id, match.id, interaction())
    record = (await app.match_records.record(match.id)).record
    assert (record.version, deck_numbers(record)) == (4, [1, 2] if verifiable else [1])
    assert replay_record(str(replace(record, names=("North", "South", "East")))).replaced_seats == (2,)
