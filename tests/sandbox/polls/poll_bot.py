"""A bot for polls, written and tested as a user of the sandbox would do it.

It imports nothing from this project. The votes are in a SQLite file, and the ids of the components contain the poll's
number, so that polls continue after a restart.
"""

import re
import sqlite3
from pathlib import Path
from typing import Any, Self, cast

import discord
from discord import app_commands, ui

MAX_CHOICES = 5

Interaction = discord.Interaction[Any]


class PollBot(discord.Client):
    """A client with one command, `/poll`."""

    def __init__(self, path: Path) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("CREATE TABLE IF NOT EXISTS poll (id INTEGER PRIMARY KEY, author, question, is_open)")
        self.database.execute("CREATE TABLE IF NOT EXISTS choice (poll, position, label, PRIMARY KEY (poll, position))")
        self.database.execute("CREATE TABLE IF NOT EXISTS vote (poll, voter, position, PRIMARY KEY (poll, voter))")
        self.tree = app_commands.CommandTree(self)

        @self.tree.command(description="Ask everyone in this channel")
        async def poll(interaction: Interaction) -> None:
            await interaction.response.send_modal(PollForm(self))

    async def setup_hook(self) -> None:
        """Register the components and the command."""
        self.add_dynamic_items(Vote, Close)
        await self.tree.sync()

    async def close(self) -> None:
        """Disconnect, then close the database."""
        await super().close()
        self.database.close()

    def create_poll(self, author: int, question: str, labels: list[str]) -> int:
        query = "INSERT INTO poll (author, question, is_open) VALUES (?, ?, 1) RETURNING id"
        (poll,) = self.database.execute(query, (author, question)).fetchone()
        rows = [(poll, position, label) for position, label in enumerate(labels)]
        self.database.executemany("INSERT INTO choice VALUES (?, ?, ?)", rows)
        return poll

    def view(self, poll: int) -> ui.LayoutView:
        """Show a poll with its votes. While it is open, it has a menu and a button."""
        query = "SELECT question, is_open FROM poll WHERE id = ?"
        question, is_open = self.database.execute(query, (poll,)).fetchone()
        query = """
            SELECT choice.label, COUNT(vote.voter) FROM choice LEFT JOIN vote USING (poll, position)
            WHERE choice.poll = ? GROUP BY choice.position ORDER BY choice.position
        """
        counts: list[tuple[str, int]] = self.database.execute(query, (poll,)).fetchall()
        view = ui.LayoutView(timeout=None)
        lines = [f"## {question}", *(f"{label}: {count}" for label, count in counts)]
        view.add_item(ui.TextDisplay("\n".join(lines)))
        if is_open:
            for item in (Vote(poll, [label for label, _ in counts]), Close(poll)):
                row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
                row.add_item(item)
                view.add_item(row)
        return view


class PollForm(ui.Modal, title="New poll"):
    """A modal for the question and the choices, one a line."""

    def __init__(self, bot: PollBot) -> None:
        super().__init__()
        self.bot = bot
        self.question: ui.TextInput[Any] = ui.TextInput(max_length=100)
        self.choices: ui.TextInput[Any] = ui.TextInput(style=discord.TextStyle.paragraph)
        self.add_item(ui.Label(text="Question", component=self.question))
        self.add_item(ui.Label(text="Choices", component=self.choices))

    async def on_submit(self, interaction: Interaction, /) -> None:
        """Post the poll, or say why it is refused."""
        labels = self.choices.value.split("\n")
        if not 2 <= len(labels) <= MAX_CHOICES:
            await interaction.response.send_message(f"Give 2 to {MAX_CHOICES} choices.", ephemeral=True)
            return
        poll = self.bot.create_poll(interaction.user.id, self.question.value, labels)
        await interaction.response.send_message(view=self.bot.view(poll))


class Vote(ui.DynamicItem[ui.Select[ui.LayoutView]], template=r"vote:(?P<poll>\d+)"):
    """The menu of a poll's choices. Each person has one vote and can change it."""

    def __init__(self, poll: int, labels: list[str]) -> None:
        options = [discord.SelectOption(label=label, value=str(n)) for n, label in enumerate(labels)]
        super().__init__(ui.Select(custom_id=f"vote:{poll}", placeholder="Your vote", options=options))
        self.poll = poll

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Recreate the menu from its custom_id."""
        vote = cls(int(match["poll"]), [])
        vote.item = cast("ui.Select[Any]", item)
        return vote

    async def callback(self, interaction: Interaction) -> None:
        """Store the vote and update the counts."""
        bot = interaction.client
        assert isinstance(bot, PollBot)
        row = (self.poll, interaction.user.id, int(self.item.values[0]))
        bot.database.execute("INSERT OR REPLACE INTO vote VALUES (?, ?, ?)", row)
        await interaction.response.edit_message(view=bot.view(self.poll))


class Close(ui.DynamicItem[ui.Button[ui.LayoutView]], template=r"close:(?P<poll>\d+)"):
    """The button that closes a poll. Only the author can use it."""

    def __init__(self, poll: int) -> None:
        super().__init__(ui.Button(label="Close", custom_id=f"close:{poll}"))
        self.poll = poll

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Recreate the button from its custom_id."""
        return cls(int(match["poll"]))

    async def callback(self, interaction: Interaction) -> None:
        """Close the poll and remove its menu and button."""
        bot = interaction.client
        assert isinstance(bot, PollBot)
        query = "UPDATE poll SET is_open = 0 WHERE id = ? AND author = ?"
        if bot.database.execute(query, (self.poll, interaction.user.id)).rowcount == 0:
            await interaction.response.send_message("Only the author can close a poll.", ephemeral=True)
            return
        await interaction.response.edit_message(view=bot.view(self.poll))
