"""A store for values that must survive restarts."""

from __future__ import annotations

from bot.play.loading.unit_of_work import Service, shielded
from bot.store import key_values


class KeyValueStore(Service):
    """A persistent key-value store."""

    async def get(self, key: str) -> str | None:
        """Return a value; None if it is not set."""
        async with self._units.read() as unit:
            return await key_values.load(unit.transaction, key)

    @shielded
    async def set(self, key: str, value: str) -> None:
        """Save a value, replacing an earlier one."""
        async with self._units.write() as unit:
            await key_values.save(unit.transaction, key, value)

    @shielded
    async def clear(self) -> None:
        """Delete all values."""
        async with self._units.write() as unit:
            await key_values.clear(unit.transaction)
