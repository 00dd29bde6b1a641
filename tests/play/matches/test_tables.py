"""Table messages are reposted on request, and matches move if their channel was deleted."""

from __future__ import annotations

import pytest

from bot.model.ids import ChannelId, MatchId
from bot.play.application import Application
from bot.play.refusals import ChannelBusy, MatchOver, NoMatch, WrongChannel
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, Players, change_settings, place

THIRD = ChannelId(CHANNEL + 7)


@pytest.mark.thorough
async def test_a_player_can_move_a_match_without_a_channel(app: Application, players: Players) -> None:
    """After its channel was deleted, a match continues, and a player can move it to a free channel."""
    match = await players.begin()
    await app.outbox.save_channel_deleted(CHANNEL)
    assert (await app.lookup.table(match.id)).match.channel_deleted
    await players.move(match.id, "pass")
    assert (await app.tables.repost(match.id, EAST.id, place(ELSEWHERE))).channel_deleted
    busy = await Players(app, (EAST, SOUTH)).begin(channel_id=ELSEWHERE)
    with pytest.raises(ChannelBusy) as caught:
        await app.tables.repost(match.id, NORTH.id, place(ELSEWHERE))
    assert caught.value.match.id == busy.id
    moved = await app.tables.repost(match.id, NORTH.id, place(THIRD))
    assert (moved.channel_id, moved.channel_deleted) == (THIRD, False)
    assert (await app.tables.repost(match.id, NORTH.id, place(ELSEWHERE))).channel_id == THIRD
    await players.move(match.id, "take")


async def test_no_table_after_the_end(app: Application, players: Players) -> None:
    """The table of a finished or unknown match is not reposted."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    with pytest.raises(MatchOver):
        await app.tables.repost(match.id, NORTH.id, place())
    with pytest.raises(NoMatch):
        await app.tables.repost(MatchId(99), NORTH.id, place())


async def test_a_match_moves_to_allowed_channels_only(app: Application, players: Players) -> None:
    """A match can only move to a channel that the server allows, or to a thread of such a channel."""
    match = await players.begin()
    await change_settings(app, channels=(CHANNEL,))
    await app.outbox.save_channel_deleted(CHANNEL)
    for forbidden in (place(ELSEWHERE), place(THIRD, parent_id=ELSEWHERE)):
        with pytest.raises(WrongChannel) as caught:
            await app.tables.repost(match.id, NORTH.id, forbidden)
        assert caught.value.channels == (CHANNEL,)
    assert (await app.lookup.table(match.id)).match.channel_deleted
    moved = await app.tables.repost(match.id, NORTH.id, place(THIRD, parent_id=CHANNEL))
    assert (moved.channel_id, moved.channel_deleted) == (THIRD, False)


async def test_reposting_in_the_same_channel_is_always_allowed(app: Application, players: Players) -> None:
    """A table can be reposted in its own channel even if the server no longer allows matches there."""
    match = await players.begin()
    await change_settings(app, channels=(ELSEWHERE,))
    assert (await app.tables.repost(match.id, NORTH.id, place())).channel_id == CHANNEL
