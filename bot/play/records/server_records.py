"""Reading the records of a server."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model.ids import GuildId
from bot.model.records import HeldRecord, RecordKind
from bot.play.loading.unit_of_work import Service
from bot.play.records.filling import DONE, KEY
from bot.store import key_values, matches, records


class ServerRecords(Service):
    """Queries about records. Anyone may see who holds a record, but not necessarily the match behind it."""

    async def by_kind(self, guild_id: GuildId) -> Mapping[RecordKind, tuple[HeldRecord, ...]]:
        """Return the records of a server by kind, the best first."""
        async with self._units.read() as unit:
            entries = sorted(await records.load(unit.transaction, guild_id), key=lambda entry: entry.sort_key)
            rows = await matches.load_many(unit.transaction, {entry.match_id for entry in entries})
        infos = {row.info.id: row.info for row in rows}
        return {
            kind: tuple(HeldRecord(entry, infos[entry.match_id]) for entry in entries if entry.kind is kind)
            for kind in RecordKind
        }

    async def is_complete(self) -> bool:
        """Return True if the backfill from old matches is done."""
        async with self._units.read() as unit:
            return await key_values.load(unit.transaction, KEY) == DONE
