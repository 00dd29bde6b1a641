"""Values that the program remembers between runs."""

from __future__ import annotations

from bot.play.loading.unit_of_work import Service, shielded
from bot.store import key_values


class KeyValueStore(Service):
    """Values by a key."""

    async def get(self, key: str) -> str | None:
        """Return a value; None if there is none."""
        async with self._units.read() as unit:
            return await key_values.load(unit.transaction, key)

    @shielded
    async def set(self, key: str, value: str) -> None:
        """Save a value in place of an earlier one."""
        async with self._units.write() as unit:
            await key_values.save(unit.transaction, key, value)

    @shielded
    async def clear(self) -> None:
        """Forget every value."""
        async with self._units.write() as unit:
            await key_values.clear(unit.transaction)
