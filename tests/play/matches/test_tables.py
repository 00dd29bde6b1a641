"""Where tables stand: posted afresh on request, and moved when their channel is gone."""

from __future__ import annotations

import pytest

from bot.play.application import Application
from bot.play.refusals import ChannelBusy, MatchOver, NoMatch
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, Players


async def test_a_homeless_match_moves_where_a_player_asks(app: Application, players: Players) -> None:
    """Once its channel is gone a match goes on; a player's `/gin table` elsewhere is its new home, a stranger's not."""
    card = await players.begin()
    await app.outbox.channel_deleted(CHANNEL)
    assert (await app.lookup.table(card.id)).match.channel_deleted
    await players.move(card.id, "pass")
    assert (await app.tables.repost(card.id, EAST[0], ELSEWHERE)).channel_deleted
    busy = await Players(app, (EAST, SOUTH)).begin(channel_id=ELSEWHERE)
    with pytest.raises(ChannelBusy) as caught:
        await app.tables.repost(card.id, NORTH[0], ELSEWHERE)
    assert caught.value.match.id == busy.id
    moved = await app.tables.repost(card.id, NORTH[0], CHANNEL + 7)
    assert (moved.channel_id, moved.channel_deleted) == (CHANNEL + 7, False)
    assert (await app.tables.repost(card.id, NORTH[0], ELSEWHERE)).channel_id == CHANNEL + 7
    await players.move(card.id, "take")


async def test_a_table_that_is_over_is_not_shown(app: Application, players: Players) -> None:
    """The table of a match that is over, or of none, is not posted again."""
    card = await players.begin("classic target=10")
    await players.win(card.id)
    with pytest.raises(MatchOver):
        await app.tables.repost(card.id, NORTH[0], CHANNEL)
    with pytest.raises(NoMatch):
        await app.tables.repost(99, NORTH[0], CHANNEL)
