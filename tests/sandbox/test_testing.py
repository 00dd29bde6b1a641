"""The fixture for other bots' tests, and the function that runs a discord.py bot on a sandbox."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Self

import discord
import pytest
from discord import app_commands, ui
from discord.http import Route

from bot.sandbox import Channel, Person, Sandbox
from bot.sandbox.testing import running


class SmallBot(discord.Client):
    """A bot with one command, whose callback is given."""

    def __init__(self, callback: Callable[[discord.Interaction[Any]], Awaitable[object]] | None = None) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

        @self.tree.command(description="Do it")
        async def act(interaction: discord.Interaction[Any]) -> None:
            if callback is not None:
                await callback(interaction)

    async def setup_hook(self) -> None:
        await self.tree.sync()


async def test_ready(sandbox: Sandbox, general: Channel) -> None:
    """The block begins when the bot is ready and its servers are cached. At its end, the bot is closed."""
    ready = asyncio.Event()

    class Bot(SmallBot):
        async def on_ready(self) -> None:
            ready.set()

    async with running(bot := Bot(), sandbox):
        assert bot.is_ready()
        await ready.wait()
        assert bot.get_channel(general.id) is not None
    assert bot.is_closed()
    assert not sandbox.gateway.connected


async def test_sync_when_ready(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """A bot that syncs its commands only in `on_ready` can be tested too: `until` waits for the commands."""

    class Bot(SmallBot):
        async def setup_hook(self) -> None:
            pass

        async def on_ready(self) -> None:
            await self.tree.sync()

    async with running(Bot(), sandbox):
        assert await sandbox.until(lambda: north.commands(general))


async def test_exception_at_the_start(sandbox: Sandbox) -> None:
    """If `setup_hook` raises an exception, `running` raises it and closes the bot."""

    class Bot(SmallBot):
        async def setup_hook(self) -> None:
            raise ZeroDivisionError

    base, bot = Route.BASE, Bot()
    with pytest.raises(ZeroDivisionError):
        async with running(bot, sandbox):
            pytest.fail("the block began")
    assert bot.is_closed()
    assert base == Route.BASE


@pytest.mark.parametrize("waits", [True, False])
async def test_never_ready(sandbox: Sandbox, *, waits: bool) -> None:
    """A bot that waits in `setup_hook` until it is ready does not hang the test, nor does one that closes itself."""

    class Bot(SmallBot):
        async def setup_hook(self) -> None:
            await (self.wait_until_ready() if waits else self.close())

    bot = Bot()
    with pytest.raises(TimeoutError if waits else RuntimeError):
        async with running(bot, sandbox, timeout=0.01 if waits else 60):
            pytest.fail("the block began")
    assert bot.is_closed()


class EndlessBot:
    """A bot that is always ready and cannot be closed."""

    stopped = False

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass

    async def start(self, token: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True

    async def wait_until_ready(self) -> None:
        pass

    async def close(self) -> None:
        pass


async def test_bot_that_does_not_stop(sandbox: Sandbox) -> None:
    """If closing the bot does not stop it, the end of the block stops it and raises an exception."""
    bot = EndlessBot()
    with pytest.raises(TimeoutError):
        async with running(bot, sandbox, timeout=0.01):
            pass
    assert bot.stopped


async def test_exception_after_the_start(sandbox: Sandbox) -> None:
    """If the bot stops with an exception after it was ready, the end of the block raises it."""
    closing = asyncio.Event()

    class Bot(SmallBot):
        async def close(self) -> None:
            closing.set()
            await super().close()

    async def run() -> None:
        async with running(Bot(), sandbox):
            await sandbox.gateway.close(4004)
            await closing.wait()

    with pytest.raises(discord.ConnectionClosed):
        await run()


async def fail(interaction: discord.Interaction[Any]) -> None:
    """Raise an exception before the first response."""
    raise ZeroDivisionError


async def defer_and_fail(interaction: discord.Interaction[Any]) -> None:
    """Raise an exception after a deferred response."""
    await interaction.response.defer(thinking=True)
    raise ZeroDivisionError


@pytest.mark.parametrize("callback", [fail, defer_and_fail])
async def test_exception_in_a_command(
    sandbox: Sandbox, north: Person, callback: Callable[[discord.Interaction[Any]], Awaitable[object]]
) -> None:
    """An exception in a command ends the waits of the interaction, which has the exception as its `error`."""
    async with running(SmallBot(callback), sandbox):
        interaction = await (await north.slash("act")).done()
        await sandbox.idle()
        assert isinstance(interaction.error, ZeroDivisionError)
        assert interaction.failed is (callback is fail)


class Broken(ui.DynamicItem[ui.Button[ui.View]], template="broken"):
    """A button with a callback that raises an exception."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Dynamic", custom_id="broken"))

    @classmethod
    async def from_custom_id(cls, *_: object) -> Self:
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        raise ZeroDivisionError


class BrokenView(ui.View):
    """A view with two buttons whose callbacks raise exceptions."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(Broken())

    @ui.button(label="Plain")
    async def press(self, interaction: discord.Interaction[Any], _: ui.Button[Any]) -> None:
        raise ZeroDivisionError


class BrokenForm(ui.Modal, title="Form"):
    """A modal without fields that raises an exception when it is submitted."""

    text: ui.TextInput[Any] = ui.TextInput(label="Text", required=False)

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        raise ZeroDivisionError


async def test_exception_in_a_component(sandbox: Sandbox, north: Person) -> None:
    """An exception in a button of a view or in a dynamic item makes the interaction fail."""
    bot = SmallBot(lambda interaction: interaction.response.send_message(view=BrokenView()))
    bot.add_dynamic_items(Broken)
    async with running(bot, sandbox):
        message = (await (await north.slash("act")).answer()).message
        for label in ("Plain", "Dynamic"):
            pressed = await (await north.press(message, label)).answer()
            assert pressed.failed
            assert isinstance(pressed.error, ZeroDivisionError)


async def test_exception_in_a_modal(sandbox: Sandbox, north: Person) -> None:
    """An exception in a modal makes the interaction fail."""
    async with running(SmallBot(lambda interaction: interaction.response.send_modal(BrokenForm())), sandbox):
        modal = (await (await north.slash("act")).answer()).modal
        submitted = await (await north.submit(modal, {})).answer()
        assert submitted.failed
        assert isinstance(submitted.error, ZeroDivisionError)


async def test_error_handler_that_responds(sandbox: Sandbox, north: Person) -> None:
    """If the bot's error handler responds after discord.py has logged the exception, the response counts."""

    class Tree(app_commands.CommandTree[Any]):
        async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
            await super().on_error(interaction, error)
            await asyncio.sleep(0)
            await interaction.response.send_message("Sorry")

    bot = discord.Client(intents=discord.Intents(guilds=True))
    tree = Tree(bot)

    @tree.command(description="Do it")
    async def act(interaction: discord.Interaction[Any]) -> None:
        raise ZeroDivisionError

    async with running(bot, sandbox):
        await tree.sync()
        interaction = await (await north.slash("act")).answer()
        assert interaction.text == "Sorry"
        assert not interaction.failed


def outcome(pytester: pytest.Pytester, *lines: str) -> dict[str, int]:
    """Run a test file in an empty folder, in this process, and count the outcomes."""
    start = """
import pytest
from bot.sandbox import World
from bot.sandbox.testing import sandbox as sandbox
from tests.sandbox.test_testing import SmallBot, fail

pytestmark = pytest.mark.asyncio

@pytest.fixture
def bot():
    return SmallBot()
"""
    pytester.makepyfile(start + "\n".join(lines))
    options = ["-pno:cacheprovider", "-pno:xdist", "-oasyncio_default_fixture_loop_scope=function"]
    return pytester.runpytest_inprocess(*options).parseoutcomes()


def test_fixture(pytester: pytest.Pytester) -> None:
    """Without a fixture `world`, the fixture uses the default world with a stopped clock."""
    lines = (
        "async def test(sandbox):",
        "    interaction = await sandbox.person('North').slash('act')",
        "    sandbox.world.clock.advance(2.9)",
        "    assert not interaction.failed",
        "    sandbox.world.clock.advance(0.1)",
        "    assert interaction.failed",
    )
    assert outcome(pytester, *lines) == {"passed": 1}


@pytest.mark.parametrize(("argument", "expected"), [("", {"passed": 1}), ("missing", {"errors": 1})])
def test_fixture_with_a_world(pytester: pytest.Pytester, argument: str, expected: dict[str, int]) -> None:
    """With a fixture `world`, the fixture uses that world. An error in that fixture is not hidden."""
    lines = (
        "@pytest.fixture",
        f"def world({argument}):",
        "    return World('Dealer')",
        "async def test(sandbox):",
        "    assert sandbox.world.bot.display_name == 'Dealer'",
    )
    assert outcome(pytester, *lines) == expected


def test_unknown_route(pytester: pytest.Pytester) -> None:
    """A test fails if the bot requested a route that the sandbox does not have, unless the test forgets the route."""
    lines = (
        "import discord",
        "async def test(bot, sandbox):",
        "    with pytest.raises(discord.NotFound):",
        "        await bot.fetch_stage_instance(1)",
    )
    assert outcome(pytester, *lines) == {"passed": 1, "errors": 1}
    assert outcome(pytester, *lines, "    sandbox.journal.unknown_routes.clear()") == {"passed": 1}


def test_failing_test(pytester: pytest.Pytester) -> None:
    """The bot is closed if the test fails, and the failure is the only one."""
    lines = (
        "bots = []",
        "async def test(bot, sandbox):",
        "    bots.append(bot)",
        "    assert not bot.is_ready()",
        "async def test_closed():",
        "    assert bots[0].is_closed()",
    )
    assert outcome(pytester, *lines) == {"passed": 1, "failed": 1}
