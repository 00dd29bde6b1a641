"""Command registration, with discord.py."""

from typing import Any

import discord
import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot


async def test_sync_keeps_ids(client: TestBot) -> None:
    """Syncing keeps the ids of commands that keep their name, and deletes missing commands."""
    before = {command.name: command.id for command in await client.tree.fetch_commands()}
    client.tree.remove_command("manage")
    after = {command.name: command.id for command in await client.tree.sync()}
    assert set(before) == {"demo", "manage"}
    assert after == {"demo": before["demo"]}


async def test_guild_commands(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """A guild command is offered only in its guild, where it replaces a global command of the same name."""
    guild = client.guilds[0]

    @client.tree.command(name="demo", description="Ours", guild=guild)
    async def guild_demo(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("ours")

    await client.tree.sync(guild=guild)
    assert [row["description"] for row in north.commands(general) if row["name"] == "demo"] == ["Ours"]
    assert [row["description"] for row in north.commands(north.dm)] == ["Things to try"]
    assert (await (await north.slash("demo", general)).answer()).text == "ours"


async def test_single_commands(sandbox: Sandbox, client: TestBot) -> None:
    """Single commands can be added, edited, fetched and deleted. Unknown ones are refused, and so are invalid ones."""
    application = sandbox.world.bot.id
    new: Any = {"name": "new", "description": "New", "type": 1}
    changes: Any = {"description": "Newer"}
    added = await client.http.upsert_global_command(application, new)
    changed: Any = await client.http.edit_global_command(application, added["id"], changes)
    assert (changed["id"], changed["name"], changed["description"]) == (added["id"], "new", "Newer")
    command = await client.tree.fetch_command(int(added["id"]))
    assert command.description == "Newer"
    with pytest.raises(discord.HTTPException) as caught:
        await command.edit(name="Not allowed")
    assert caught.value.code == 50035
    await command.delete()
    with pytest.raises(discord.NotFound) as missing:
        await command.delete()
    assert missing.value.code == 10063
