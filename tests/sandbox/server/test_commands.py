"""The registration of commands, through the real client."""

from typing import Any

import discord
import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot


async def test_sync_keeps_ids(client: TestBot) -> None:
    """A command that keeps its name keeps its id, and one that is gone is gone."""
    before = {command.name: command.id for command in await client.tree.fetch_commands()}
    client.tree.remove_command("manage")
    after = {command.name: command.id for command in await client.tree.sync()}
    assert set(before) == {"demo", "manage"}
    assert after == {"demo": before["demo"]}


async def test_guild_commands(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """A server's own command is offered there only, and beats a global one of its name."""
    guild = client.guilds[0]

    @client.tree.command(name="demo", description="Ours", guild=guild)
    async def ours(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("ours")

    await client.tree.sync(guild=guild)
    assert [row["description"] for row in north.commands(general) if row["name"] == "demo"] == ["Ours"]
    assert [row["description"] for row in north.commands(north.dm)] == ["Things to try"]
    assert (await (await north.slash("demo", general)).answer()).text == "ours"


async def test_single_commands(sandbox: Sandbox, client: TestBot) -> None:
    """One command can be added, changed, read and deleted; an unknown one is 10063 and a wrong one 50035."""
    application = sandbox.world.bot.id
    new: Any = {"name": "new", "description": "New", "type": 1}
    newer: Any = {"description": "Newer"}
    added = await client.http.upsert_global_command(application, new)
    changed: Any = await client.http.edit_global_command(application, added["id"], newer)
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
