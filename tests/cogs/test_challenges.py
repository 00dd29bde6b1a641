"""Challenges in Discord."""

from pathlib import Path

from tests.helpers.living import living, start_match


async def test_a_challenge_accepted_sets_a_table_and_sends_both_hands(tmp_path: Path) -> None:
    """Once the opponent accepts, the channel has a table and each player a hand by direct message."""
    async with living(tmp_path) as alive:
        await start_match(alive, target=10)
        north, south = alive.person("North"), alive.person("South")
        await alive.sandbox.until(lambda: north.direct_messages() and south.direct_messages())
        assert "Your hand against" in north.direct_messages()[-1].text
        assert "Your hand against" in south.direct_messages()[-1].text
