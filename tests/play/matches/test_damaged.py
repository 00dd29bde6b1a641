"""Damaged matches, whose log cannot be read, can be ended."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from bot.model.ids import ChannelId, MatchId
from bot.model.matches import MatchInfo, MatchStatus
from bot.play.application import Application
from bot.play.refusals import Damaged, MatchOver, NoOffer, NotSeated
from bot.store import tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.databases import execute
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, GUILD, MANAGER, NORTH, SOUTH, Players

pytestmark = pytest.mark.thorough


async def start_damaged_match(players: Players, database: Database) -> tuple[Application, MatchInfo]:
    """Return an application that has just started, and a match that it cannot read."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await players.move(match.id, "take")
    action = tables.action.c
    broken = update(tables.action).where(action.match_id == match.id, action.text == "0 take")
    await execute(database, broken.values(text="0 draw"))
    return Application(database), match


@pytest.mark.parametrize("ended_by", nightly_after(1, ["player", "manager", "forgotten"]))
async def test_one_person_can_end_a_damaged_match(players: Players, database: Database, ended_by: str) -> None:
    """A player or a manager can end a damaged match, and forgetting a player ends it. Then its channel is free."""
    app, match = await start_damaged_match(players, database)
    courier = FakeCourier(players.app)
    with pytest.raises(Damaged):
        await app.lookup.hand(NORTH.id, match.id)
    match ended_by:
        case "player":
            await app.endings.call_off_damaged(NORTH.id, match.id)
        case "manager":
            await app.endings.cancel(match.id, GUILD, MANAGER)
        case _:
            await app.people.forget(NORTH.id)
    ended = await app.lookup.info(match.id)
    assert (ended.status, ended.ended_at is None, ended.proposals) == (MatchStatus.CANCELLED, False, (None, None))
    await courier.deliver()
    await Players(app).begin()
    with pytest.raises((MatchOver, NotSeated)):
        await app.endings.call_off_damaged(NORTH.id, match.id)


async def test_other_matches_of_its_players_are_listed(players: Players, database: Database) -> None:
    """The other matches of a damaged match's players are listed, even before it is ended."""
    app, match = await start_damaged_match(players, database)
    other = await Players(app).begin(channel_id=ChannelId(CHANNEL + 1))
    assert [hand.match.id for hand in await app.lookup.hands(SOUTH.id)] == [other.id]
    with pytest.raises(NotSeated):
        await app.lookup.hand(EAST.id, match.id)


async def test_holidays_work_despite_a_damaged_match(players: Players, database: Database) -> None:
    """Holidays, closed direct messages and the search for the next hand work for a player with a damaged match."""
    app, _ = await start_damaged_match(players, database)
    assert (await app.holidays.take(SOUTH, 2)).until is not None
    await app.holidays.end(SOUTH.id)
    await app.people.save_dm_closed(SOUTH.id)
    assert await app.lookup.next_hand(SOUTH.id, MatchId(0)) is None


async def test_a_match_that_can_be_read_is_not_ended(players: Players) -> None:
    """Ending a match as damaged is refused if the match can be read, or if the person is not a player in it."""
    match = await players.begin()
    with pytest.raises(NoOffer):
        await players.app.endings.call_off_damaged(NORTH.id, match.id)
    with pytest.raises(NotSeated):
        await players.app.endings.call_off_damaged(EAST.id, match.id)
    assert (await players.app.lookup.info(match.id)).status is MatchStatus.RUNNING
