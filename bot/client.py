"""The Discord client: loads the cogs, registers changed commands, and sees every interaction answered."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Coroutine
from typing import Any, Final

import discord
import structlog
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.play.application import Application
from cogs.features.admin import Admin
from cogs.kit.answers import Answer, Interaction
from cogs.features.challenges import Challenges
from cogs.support.courier import Courier
from cogs.features.endings import Endings
from cogs.features.help import Help
from cogs.features.lobbies import Lobbies
from cogs.features.me import Me
from cogs.features.options import Options
from cogs.panels.layout import Accent, note
from cogs.panels.pictures import Pictures
from cogs.kit.components import COMPONENTS, ComponentHandlers
from cogs.features.replays import Replays
from cogs.support.replies import Failures
from cogs.support.services import Services
from cogs.features.leaderboard import Standings
from cogs.features.tables import Tables
from cogs.features.turns import Turns
from cogs.text import refusals as texts

log = structlog.get_logger(__name__)

COGS: Final = (Challenges, Lobbies, Options, Turns, Tables, Replays, Endings, Standings, Help, Me, Admin)

LONGEST_WAIT: Final = 60.0
"""Seconds that discord.py may wait out a rate limit by itself; beyond, the courier tries again later."""

LEAVE_TIME: Final = 5.0
"""Seconds that answers under way are given when the bot stops."""


class Tree(app_commands.CommandTree["Client"]):
    """Commands, with one way for everything that goes wrong."""

    async def interaction_check(self, interaction: discord.Interaction[Client], /) -> bool:
        """Whether a command is told of for the first time."""
        return self.client.components.recent.claim(interaction.id)

    async def on_error(self, interaction: discord.Interaction[Client], error: app_commands.AppCommandError) -> None:
        """Answer a command that failed."""
        await self.client.failures.answer(interaction, error)


class Client(commands.Bot):
    """The bot as Discord sees it. It needs no intent but that of guilds."""

    def __init__(self, app: Application, **options: Any) -> None:
        # This bot has no voice, and needs no warning of it.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            **options,
        )
        self.app = app
        self.pictures = Pictures()
        self.failures = Failures(app, self.pictures)
        self.components = ComponentHandlers(self.failures.answer)
        self._answering: set[asyncio.Task[None]] = set()
        self.courier = Courier(self, app, self.pictures, self._answering)
        self.lost_at: float | None = asyncio.get_running_loop().time()
        """When the gateway was lost, by the loop's clock; None while it is there."""
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Gets the error of a background task that failed, which none should."""
        self._gin = app_commands.Group(
            name="gin",
            description="Play gin rummy",
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        self._working: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        """Load the cogs, register commands that changed, and let the courier go."""
        self.add_dynamic_items(*COMPONENTS)
        services = Services(self.app, self.pictures, self.courier, self.components)
        for cog in COGS:
            await self.add_cog(cog(services))
        self.tree.add_command(self._gin)
        await self._register_commands()
        self._working = [asyncio.create_task(self.courier.run()), asyncio.create_task(self._tidy())]
        for task in self._working:
            task.add_done_callback(self._ended)

    async def add_cog(self, cog: commands.Cog, /, **options: Any) -> None:
        """Add a cog; its commands go below `/gin`, unless their name begins with `gin-`."""
        await super().add_cog(cog, **options)
        for command in cog.get_app_commands():
            if not command.name.startswith("gin-"):
                self.tree.remove_command(command.name)
                self._gin.add_command(command)

    async def _register_commands(self) -> None:
        """Tell Discord of the commands, if they are not those it was told of last."""
        payload = json.dumps([command.to_dict(self.tree) for command in self.tree.get_commands()], sort_keys=True)
        name, print_ = f"commands of {self.application_id}", hashlib.sha256(payload.encode()).hexdigest()
        if await self.app.memory.recall(name) == print_:
            return
        await self.tree.sync()
        await self.app.memory.keep(name, print_)
        log.info("commands registered")

    async def _tidy(self) -> None:
        """Close invitations when their time is over, and remove what servers that left had."""
        while True:
            await self.app.challenges.expire()
            await self.app.guilds.purge()
            await asyncio.sleep(60)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not self.broken.done():
            self.broken.set_exception(error)

    async def on_interaction(self, interaction: Interaction) -> None:
        """See that an interaction is answered in time, and answer those that nobody handles."""
        if interaction.type is discord.InteractionType.autocomplete:
            return
        answer = Answer.to(interaction)
        self._track(self._watch(answer, interaction))
        if interaction.type is discord.InteractionType.component:
            custom_id = str((interaction.data or {}).get("custom_id", ""))
            if not self.components.knows(custom_id):
                await answer.say(note(texts.OLD_BUTTON, Accent.TROUBLE))
        elif interaction.type is discord.InteractionType.modal_submit:
            await answer.say(note(texts.OLD_BUTTON, Accent.TROUBLE))
        await self.app.people.refresh(interaction.user.id, interaction.user.display_name)

    async def _watch(self, answer: Answer, interaction: Interaction) -> None:
        """Wait for the answer. In direct messages it may change the files of the message that was clicked on."""
        clicked = interaction.message if interaction.guild_id is None else None
        if clicked is not None:
            self.courier.forget_files(clicked.id)
        await answer.watch()
        if clicked is not None:
            self.courier.forget_files(clicked.id)

    def _track(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def on_ready(self) -> None:
        """The gateway is there."""
        self.lost_at = None
        log.info("ready", guilds=len(self.guilds))
        await self.app.guilds.present_only({guild.id for guild in self.guilds})

    async def on_resumed(self) -> None:
        """The gateway is back."""
        self.lost_at = None

    async def on_disconnect(self) -> None:
        """The gateway is lost."""
        if self.lost_at is None:
            self.lost_at = asyncio.get_running_loop().time()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server added the bot, perhaps again."""
        await self.app.guilds.present({guild.id})

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage, or after the bot was removed and invited again."""
        await self.app.guilds.present({guild.id})

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server removed the bot; an outage is not told this way."""
        await self.app.guilds.left(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, perhaps with a table in it."""
        await self.app.outbox.channel_deleted(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, perhaps with a table in it."""
        await self.app.outbox.channel_deleted(payload.thread_id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log what went wrong in a listener, without its arguments: they hold tokens."""
        log.exception("a listener failed", listener=event_method)

    async def close(self) -> None:
        """Finish the answers under way, stop the courier, and leave."""
        if self._answering:
            await asyncio.wait(self._answering, timeout=LEAVE_TIME)
        for task in (*self._working, *self._answering):
            task.cancel()
        await asyncio.gather(*self._working, *self._answering, return_exceptions=True)
        await super().close()
        self.pictures.close()


def use_server(api: str | None, gateway: str | None) -> None:
    """Talk to another server that speaks Discord's HTTP API v10 and gateway; None is Discord itself."""
    if api is not None:
        Route.BASE = api
    if gateway is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
