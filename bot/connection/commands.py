"""The slash commands: the cogs that have them, their groups, and their registration with Discord."""

from __future__ import annotations

import hashlib
import json
import logging
from functools import partial
from typing import TYPE_CHECKING, Final

import discord
import structlog
from discord import app_commands

from bot.play.application import Application
from cogs.challenges.challenges import Challenges
from cogs.challenges.lobbies import Lobbies
from cogs.challenges.play import Play
from cogs.daily.daily import Daily
from cogs.daily.daily_calendar import DailyCalendar
from cogs.daily.daily_standings import DailyStandings
from cogs.delivery.feature import GROUP
from cogs.delivery.saving import retry_until_done
from cogs.fairness.shuffle_words import Words
from cogs.fairness.verification import Verification
from cogs.help.help import Help
from cogs.kit.failures import REQUEST_FAILURES
from cogs.people.blocks import Blocks
from cogs.people.me import Me
from cogs.people.own_times import OwnTimes
from cogs.practice.practice import Practice
from cogs.servers.admin import Admin
from cogs.showdowns.replays import Replays
from cogs.showdowns.reviews import Reviews
from cogs.standings.dealt_decks import DealtDecks
from cogs.standings.leaderboard import Leaderboard
from cogs.standings.past_match import PastMatch
from cogs.standings.stats import Stats
from cogs.tables.endings import Endings
from cogs.tables.tables import Tables
from cogs.tables.times import Times
from cogs.turns.arranging import Arranging
from cogs.turns.match_feature import MatchServices
from cogs.turns.orders import StandingOrders
from cogs.turns.taking_back import TakingBack
from cogs.turns.turns import Turns

if TYPE_CHECKING:
    from bot.connection.client import Client

log = structlog.get_logger(__name__)

COGS: Final = (
    *(Play, Challenges, Lobbies, Turns, Arranging, StandingOrders, TakingBack, Stats, Tables, Times, Reviews, Replays),
    *(DealtDecks, Endings, Practice, Daily, DailyStandings, Leaderboard, PastMatch, Help, Me, OwnTimes, Blocks),
    *(DailyCalendar, Admin, Verification, Words),
)
"""All cogs. A cog that adds commands to a group of another cog comes after that cog."""


class CommandTree(app_commands.CommandTree["Client"]):
    """The command tree. It only runs admitted commands, and sends all their errors to one handler."""

    async def interaction_check(self, interaction: discord.Interaction[Client], /) -> bool:
        """Return True if the interaction is admitted."""
        return await self.client.answering.admit(interaction)

    async def on_error(self, interaction: discord.Interaction[Client], error: app_commands.AppCommandError) -> None:
        await self.client.errors.answer(interaction, error)


async def load_commands(client: Client, services: MatchServices) -> None:
    """Add all cogs. A command goes below `/gin` unless it names another group or begins with `gin-`.

    `/gin` already has as many commands as Discord allows. CONTRIBUTING.md explains how to add one to a group.
    """
    gin = app_commands.Group(
        name="gin",
        description="Play gin rummy",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )
    for cog in COGS:
        added = cog(services)
        await client.add_cog(added)
        for command in added.get_app_commands():
            if not command.name.startswith("gin-"):
                client.tree.remove_command(command.name)
                _group(client.tree, gin, command.extras.get(GROUP)).add_command(command)
    client.tree.add_command(gin)


def _group(tree: app_commands.CommandTree[Client], gin: app_commands.Group, name: str | None) -> app_commands.Group:
    """Return the command group with this name, which an earlier cog must have added. None means `/gin`."""
    group = gin if name is None else gin.get_command(name) or tree.get_command(name)
    assert isinstance(group, app_commands.Group)
    return group


async def register_commands(
    tree: app_commands.CommandTree[Client], app: Application, application_id: int | None
) -> None:
    """Register the commands with Discord if they have changed since the last registration."""
    async with app.exclusive.locked("commands"):
        payload = json.dumps([command.to_dict(tree) for command in tree.get_commands()], sort_keys=True)
        key, digest = f"commands of {application_id}", hashlib.sha256(payload.encode()).hexdigest()
        if await app.key_values.get(key) == digest:
            return
        await tree.sync()
        await retry_until_done(partial(app.key_values.set, key, digest))
        log.info("commands registered")


def shorten_lost_suggestions(record: logging.LogRecord) -> bool:
    """Log autocomplete suggestions that could not be sent as a short warning: the next keystroke asks again."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, REQUEST_FAILURES):
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.msg, record.args, record.exc_info = "suggestions got lost: %s", (type(error).__name__,), None
    return True
