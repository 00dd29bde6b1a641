"""The sandbox, stopped and started again."""

from pathlib import Path

import pytest

from tests.helpers.living import bot_on, living, sandbox_of, start_match

pytestmark = pytest.mark.slow


async def test_a_match_goes_on_in_a_sandbox_that_forgot_everything(tmp_path: Path) -> None:
    """After a restart the sandbox knows the commands again, and has the table and both hands of a running match."""
    async with living(tmp_path) as alive:
        url = alive.database.url
        await start_match(alive, target=10)
    async with sandbox_of() as anew, bot_on(anew, url) as again:
        await again.app.key_values.clear()
        await again.app.outbox.forget_posts()
        again.app.outbox.notify()
        north, south = again.person("North"), again.person("South")
        await anew.until(lambda: any("vs" in message.text for message in north.sees(again.channel)))
        await anew.until(lambda: north.direct_messages() and south.direct_messages())
        await again.idle()
        assert sum("vs" in message.text for message in north.sees(again.channel)) == 1
        assert [len(person.direct_messages()) for person in (north, south)] == [1, 1]
    async with sandbox_of() as third, bot_on(third, url) as known:
        commands = await third.until(lambda: known.person("South").commands(known.channel))
        assert [row["name"] for row in commands] == ["gin"]
