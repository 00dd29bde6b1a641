"""The records of a server, to read."""

from __future__ import annotations

from collections.abc import Mapping

from bot.play.loading.unit_of_work import Service
from bot.play.records.filling import DONE, KEY
from bot.store import key_values, matches, records
from bot.values.ids import GuildId
from bot.values.records import HeldRecord, RecordKind


class ServerRecords(Service):
    """Questions about records. Whoever asks may read who holds them; their matches are not for everyone to see."""

    async def held(self, guild_id: GuildId) -> Mapping[RecordKind, tuple[HeldRecord, ...]]:
        """Return the records of a server by kind, the best first."""
        async with self._units.read() as unit:
            entries = sorted(await records.load(unit.transaction, guild_id), key=lambda entry: entry.rank)
            rows = await matches.several(unit.transaction, {entry.match_id for entry in entries})
        infos = {row.info.id: row.info for row in rows}
        return {
            kind: tuple(HeldRecord(entry, infos[entry.match_id]) for entry in entries if entry.kind is kind)
            for kind in RecordKind
        }

    async def complete(self) -> bool:
        """Return whether all matches that are over have been looked through."""
        async with self._units.read() as unit:
            return await key_values.load(unit.transaction, KEY) == DONE
