"""Posts a match's table again, and moves a match whose channel was deleted."""

from __future__ import annotations

from bot.model.guilds import Place
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchInfo
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.play.outbox.changes import Change
from bot.play.refusals import ChannelBusy
from bot.store import matches


class Tables(MatchService):
    """The tables of running matches."""

    @shielded
    async def repost(self, match_id: MatchId, person_id: PersonId, place: Place) -> MatchInfo:
        """Post the table again. If its channel was deleted and a player asks, move the match to the player's channel.

        Raise `NoMatch`, `MatchOver`, `Frozen`, `WrongChannel` or `ChannelBusy`.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id, even_vacant=True)
            moved: dict[str, object] = {}
            if loaded.info.channel_deleted and loaded.info.seat_of(person_id) is not None:
                await require_allowed_channel(unit, place)
                busy = await matches.running_in(unit.transaction, place.channel_id)
                if busy is not None and busy.info.id != match_id:
                    raise ChannelBusy(busy.info)
                moved = {"channel_id": place.channel_id, "channel_deleted": False}
            return (await self._writer.revise(unit, loaded, Change(repost_table=True), **moved)).info
