"""Values that the program keeps between runs."""

from __future__ import annotations

from bot.play.application import Application


async def test_values_are_stored(app: Application) -> None:
    """A key returns its last saved value until all values are cleared."""
    assert await app.key_values.get("commands") is None
    await app.key_values.set("commands", "1")
    await app.key_values.set("commands", "2")
    assert await app.key_values.get("commands") == "2"
    await app.key_values.clear()
    assert await app.key_values.get("commands") is None
