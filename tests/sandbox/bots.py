"""A small discord.py client for the sandbox's tests, and functions that run the client and the sandbox."""

import asyncio
import io
import re
import struct
import zlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self, cast

import discord
import pytest
import yarl
from discord import app_commands, ui

from bot.sandbox import Channel, Clock, Sandbox, World
from bot.sandbox.server.changes import DEFAULT_TIMEOUT


def png(width: int, height: int) -> bytes:
    """Encode a white PNG of this size in pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = b"".join(b"\0" + b"\xff" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def picture_file(
    name: str = "dot.png", alt: str | None = "a white field", size: tuple[int, int] = (40, 30)
) -> discord.File:
    """Create a picture for an upload."""
    return discord.File(io.BytesIO(png(*size)), filename=name, description=alt)


class Count(ui.DynamicItem[ui.Button[ui.LayoutView]], template=r"count:(?P<n>\d+)"):
    """A button that counts how often it is pressed. The number is stored in its custom_id, not in memory."""

    def __init__(self, n: int) -> None:
        super().__init__(ui.Button(label=f"Count {n}", custom_id=f"count:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Recreate the button from its custom_id."""
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Increase the number in the message by one."""
        await interaction.response.edit_message(view=panel(self.n + 1), attachments=[picture_file()])


class Pick(ui.DynamicItem[ui.Select[ui.LayoutView]], template=r"pick"):
    """A menu of three colours."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=name, value=name.lower()) for name in ("Red", "Green", "Blue")]
        super().__init__(ui.Select(custom_id="pick", placeholder="Pick a colour", options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Recreate the menu from its custom_id."""
        menu = cls()
        menu.item = cast("ui.Select[Any]", item)
        return menu

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Reply privately with the choice."""
        await interaction.response.send_message(f"You picked {self.item.values[0]}", ephemeral=True)


def panel(n: int) -> ui.LayoutView:
    """Create a layout with a counter, a picture, a button and a menu."""
    view = ui.LayoutView(timeout=None)
    box: ui.Container[ui.LayoutView] = ui.Container(accent_colour=0x227755)
    box.add_item(ui.TextDisplay(f"# The count is {n}"))
    gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery()
    gallery.add_item(media="attachment://dot.png", description=f"picture {n}")
    box.add_item(gallery)
    for item in (Count(n), Pick()):
        row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
        row.add_item(item)
        box.add_item(row)
    view.add_item(box)
    return view


class Form(ui.Modal, title="A form"):
    """A modal with a text input and a menu."""

    def __init__(self) -> None:
        super().__init__()
        self.name: ui.TextInput[Any] = ui.TextInput(custom_id="name", max_length=20)
        sizes = [discord.SelectOption(label=size) for size in ("small", "large")]
        self.size: ui.Select[Any] = ui.Select(custom_id="size", options=sizes)
        self.add_item(ui.Label(text="Name", component=self.name))
        self.add_item(ui.Label(text="Size", component=self.size))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Reply with the fields' values."""
        await interaction.response.send_message(f"{self.name.value} is {self.size.values[0]}", ephemeral=True)


class TestBot(discord.Client):
    """A client with only the guilds intent, no member cache, and commands that it syncs at the start."""

    __test__ = False

    def __init__(self, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            max_messages=None,
            guild_ready_timeout=0.01,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            **options,
        )
        self.tree = app_commands.CommandTree(self)
        self.errors: list[BaseException] = []
        self._error = asyncio.Event()
        self.resumed = 0
        add_commands(self)

    async def setup_hook(self) -> None:
        """Register the dynamic items and sync the commands."""
        self.add_dynamic_items(Count, Pick)
        self.tree.error(self._record_error)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Skip discord.py's wait of five seconds before another identify."""

    async def _record_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        self.errors.append(getattr(error, "original", error))
        self._error.set()

    async def until_error(self) -> None:
        """Wait until a command has raised an error."""
        async with asyncio.timeout(DEFAULT_TIMEOUT):
            await self._error.wait()

    async def on_resumed(self) -> None:
        """Count resumed sessions."""
        self.resumed += 1


class ShardedBot(TestBot, discord.AutoShardedClient):
    """A client for the given shards of a bot. Without arguments, it runs all shards that Discord recommends."""

    def __init__(self, *shard_ids: int, shard_count: int | None = None) -> None:
        super().__init__(shard_ids=list(shard_ids) or None, shard_count=shard_count)


def add_commands(client: TestBot) -> None:
    """Add the commands that the tests use."""
    tree = client.tree
    demo = app_commands.Group(name="demo", description="Things to try")

    @demo.command(description="Answer at once")
    async def ping(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("pong")

    @demo.command(description="Answer privately with a picture")
    async def secret(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("for your eyes", file=picture_file(), ephemeral=True)

    @demo.command(description="Greet someone some times")
    @app_commands.choices(
        tone=[app_commands.Choice(name="Kind", value="k"), app_commands.Choice(name="Cold", value="c")]
    )
    async def greet(
        interaction: discord.Interaction[Any],
        who: discord.User,
        times: app_commands.Range[int, 1, 5] = 1,
        tone: str = "k",
        colour: str = "none",
    ) -> None:
        words = f"{who.mention} {times} {tone} {colour}"
        await interaction.response.send_message(words, allowed_mentions=discord.AllowedMentions(users=[who]))

    @greet.autocomplete("colour")
    async def colours(_: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        names = ("red", "green", "grey")
        return [app_commands.Choice(name=name, value=name) for name in names if name.startswith(typed)]

    @demo.command(description="Think, answer, add a word")
    async def slow(interaction: discord.Interaction[Any], private: bool = False) -> None:
        await interaction.response.defer(ephemeral=private, thinking=True)
        await interaction.edit_original_response(content="thought", attachments=[picture_file()])
        await interaction.followup.send("and more", ephemeral=private)

    @demo.command(description="Show the counter")
    async def counter(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(view=panel(0), file=picture_file())

    @demo.command(description="Open a form")
    async def form(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Form())

    @demo.command(description="Never answer")
    async def silent(interaction: discord.Interaction[Any]) -> None:
        del interaction

    @demo.command(description="Think forever")
    async def endless(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(thinking=True)

    deep = app_commands.Group(name="deep", description="Further down", parent=demo)

    @deep.command(description="Two levels down")
    async def dive(interaction: discord.Interaction[Any], value: str, option: bool = False) -> None:
        await interaction.response.send_message(f"{value} {option}")

    @dive.autocomplete("value")
    async def depths(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{typed} fathoms", value=typed)]

    tree.add_command(demo)

    @tree.command(description="For managers")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.guild_only()
    async def manage(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("managed", ephemeral=True)


@asynccontextmanager
async def running_client(sandbox: Sandbox, client: TestBot | None = None) -> AsyncGenerator[TestBot]:
    """Run a client on a sandbox until the end of the block. discord.py must already use the sandbox's addresses."""
    client = client or TestBot()
    async with client:
        task = asyncio.create_task(client.start(sandbox.token))
        ready = asyncio.create_task(client.wait_until_ready())
        await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            ready.cancel()
            task.result()
        try:
            yield client
        finally:
            await client.close()
            await task


def text_channel(client: TestBot, channel: Channel) -> discord.TextChannel:
    """Return discord.py's object for a channel of the sandbox."""
    result = client.get_channel(channel.id)
    assert isinstance(result, discord.TextChannel)
    return result


@asynccontextmanager
async def running_sandbox(
    world: World | None = None, *, greeting: str = "", keep: Path | None = None
) -> AsyncGenerator[Sandbox]:
    """Run a sandbox and make discord.py connect to it. Without `world`, use the default world with a stopped clock."""
    world = world or World.default(clock=Clock(running=False))
    with pytest.MonkeyPatch.context() as patch:
        async with Sandbox(world, greeting=greeting, keep=keep) as sandbox:
            patch.setattr("discord.http.Route.BASE", sandbox.api)
            patch.setattr("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", yarl.URL(sandbox.gateway_url))
            yield sandbox
