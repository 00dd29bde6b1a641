"""The Discord client: loads the cogs, registers changed commands, and makes sure that every interaction is answered."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import discord
import structlog
from discord.ext import commands

from bot.connection.answering import Answering
from bot.connection.commands import CommandTree, load_commands, register_commands, shorten_lost_suggestions
from bot.connection.connections import Connections, IdentifyQueue
from bot.connection.connector import WholeBodyConnector
from bot.connection.discord_internals import ShardedBot, release_if_cancelled
from bot.connection.guild_events import GuildEvents
from bot.connection.housekeeping import Heartbeats, fill_records, run_chores
from bot.connection.measurements import measure, trace_requests
from bot.connection.shutdown import run_shutdown_step
from bot.model.ids import GuildId
from bot.model.shards import Shards
from bot.play.application import Application
from bot.play.refusals import Unavailable
from cogs.contents import compose
from cogs.delivery.access import Access
from cogs.delivery.avatars import Avatars
from cogs.delivery.courier import Courier
from cogs.delivery.direct_messages import DirectMessages
from cogs.delivery.drawing import DrawingProcess
from cogs.delivery.emoji_uploads import EmojiUploads
from cogs.delivery.long_work import MAX_REVIEWS, LongWork
from cogs.delivery.pictures import Pictures
from cogs.delivery.refusals import OLD_BUTTON
from cogs.delivery.saving import retry_until_done
from cogs.errors import ErrorReplies
from cogs.kit.admission import Lane
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentHandlers
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import Accent, note
from cogs.kit.refusals import Refusals
from cogs.kit.screens import Screens
from cogs.showdowns.refusals import MANY_REVIEWS
from cogs.turns.hands import Hands
from cogs.turns.match_feature import MatchServices

log = structlog.get_logger(__name__)

MAX_RATE_LIMIT_WAIT: Final = 60.0
"""Maximum time that discord.py waits for a rate limit to end, in seconds. If the limit lasts longer, the request fails,
and the courier retries it later."""

SHUTDOWN_TIMEOUT: Final = 2.0
"""Time in which answers in progress at shutdown may end normally, in seconds. After that, moves are refused and long
work is cancelled."""
CANCEL_TIMEOUT: Final = 1.0
"""Time at shutdown to reply that moves were refused or work was cancelled, in seconds."""
BACKGROUND_TIMEOUT: Final = 2.5
"""Time for the cancelled background tasks to end at shutdown, in seconds. Deliveries by the courier get less time."""
GATEWAY_TIMEOUT: Final = 1.0
LEASES_TIMEOUT: Final = 0.3
PICTURES_TIMEOUT: Final = 0.5
"""Time to finish drawings in progress at shutdown, in seconds.

All shutdown timeouts, here and in `bot.hosting.running`, add up to less than `bot.connection.shutdown.SHUTDOWN_LIMIT`.
"""

IDENTIFY_TURN_TIMEOUT: Final = 8.0
"""Maximum time that a reconnecting shard waits to identify, in seconds. No other shard can resume during the wait."""


class Client(ShardedBot):
    """The bot on Discord, connected as all shards or some of them. Its only gateway intent is `guilds`."""

    def __init__(
        self,
        app: Application,
        *,
        shards: Shards | None = None,
        emojis: bool = True,
        avatar_host: str | None = None,
        drawing_process: bool = False,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        """Create a client that serves an application.

        `shards` are the shards to connect as; None means all that Discord recommends. With `emojis`, upload the bot's
        own emojis. `avatar_host` is the address of the server with people's avatars; without it, pictures show none.
        With `drawing_process`, pictures are drawn by a process of their own. `clock` returns seconds and measures the
        age of interactions.
        """
        # The bot does not use voice: silence the warnings about missing voice libraries.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        logging.getLogger("discord.app_commands.tree").addFilter(shorten_lost_suggestions)
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            connector=WholeBodyConnector(limit=0),
            http_trace=trace_requests(),
            max_ratelimit_timeout=MAX_RATE_LIMIT_WAIT,
            **options,
        )
        release_if_cancelled(self.http)
        self.app = app
        self._drawing = DrawingProcess() if drawing_process else None
        self.pictures = Pictures(avatars=Avatars(avatar_host), process=self._drawing)
        self.access = Access(self, app)
        self.screens, self.refusals = Screens(), Refusals(clock)
        self.hands = Hands(app, self.pictures, self.screens)
        self.errors = ErrorReplies(app, self.hands, self.access)
        self.components = ComponentHandlers(self.errors.answer)
        self.connections = Connections()
        self._shards = shards
        self._identify_queue = IdentifyQueue(app.exclusive, self.connections, self._fetch_session_limits)
        self.background_failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Receives the error of a background task that failed."""
        self.long_work = LongWork("work", app.exclusive)
        self.reviewing = LongWork("review", app.exclusive, MAX_REVIEWS, MAX_REVIEWS, MANY_REVIEWS)
        self.direct_messages = DirectMessages(app)
        self.answering = Answering(app, self.screens, self.refusals, self.direct_messages, clock)
        self.courier = Courier(
            self,
            app,
            self.access,
            self.direct_messages,
            partial(compose, pictures=self.pictures, hands=self.hands),
            self.screens,
            self.refusals,
            self.answering.tasks,
            self.hands,
        )
        self.guild_events = GuildEvents(app, self)
        self.heartbeats = Heartbeats(app, self.connections, self.guild_events.wait_until_saved)
        self._uploads = EmojiUploads(self, self.pictures.emojis, app.exclusive, app.clock) if emojis else None
        self._background: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        """Load the cogs, register commands that changed, and start the background tasks.

        If another process is connected as one of the same shards, wait first until that process ends.
        """
        await self._choose_shards()
        services = MatchServices(
            self.app,
            self.pictures,
            self.courier,
            self.direct_messages,
            self.components,
            self.access,
            self.long_work,
            self.reviewing,
            self.refusals,
            self.hands,
        )
        await load_commands(self, services)
        await retry_until_done(partial(register_commands, self.tree, self.app, self.application_id))
        coroutines = [
            self.courier.run(),
            self.app.computers.run(),
            self.app.timekeeper.run(self.access),
            self.app.leases.run(),
            retry_until_done(partial(fill_records, self.app)),
            self.app.luck_counting.run(),
            self.app.daily_reviews.run(),
            self.heartbeats.run(),
            run_chores(self.app),
            measure(self, self.app, self.connections),
            *(() if self._uploads is None else (self._uploads.run(),)),
            *(() if self._drawing is None else (self._drawing.run(),)),
        ]
        self._background = [asyncio.create_task(coroutine) for coroutine in coroutines]
        for task in self._background:
            task.add_done_callback(self._background_ended)

    async def _choose_shards(self) -> None:
        """Determine the shards to connect as, and wait until no other process is connected as one of them."""
        if self._shards is None:
            count, _, _ = await self.http.get_bot_gateway()
            self._shards = Shards.all(count)
        self.shard_count, self.shard_ids = self._shards.count, sorted(self._shards.numbers)
        self.connections.begin(self._shards)
        with self.connections.waiting():
            await retry_until_done(partial(self.app.leases.begin, self._shards))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a reconnecting shard may identify.

        Raise `TimeoutError` if that takes long: discord.py retries later, and resumes other shards in between.
        """
        if not initial:
            async with asyncio.timeout(IDENTIFY_TURN_TIMEOUT):
                await self.wait_for_turn(shard_id or 0)

    async def wait_for_turn(self, shard_id: int) -> None:
        """Wait until a shard may identify, and retry after temporary failures."""
        step = partial(self._identify_queue.wait_for_turn, shard_id)
        await retry_until_done(step, (Unavailable, *REQUEST_FAILURES, discord.GatewayNotFound))

    async def _fetch_session_limits(self) -> discord.SessionStartLimits:
        """Return Discord's limits on session starts. Raise `LoginFailure` if Discord no longer accepts the token."""
        try:
            return await self.fetch_session_start_limits()
        except discord.GatewayNotFound as error:
            cause = error.__cause__
            if isinstance(cause, discord.HTTPException) and cause.status == HTTPStatus.UNAUTHORIZED:
                raise discord.LoginFailure("the token is no longer valid") from cause
            raise

    def _background_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not self.background_failure.done():
            self.background_failure.set_exception(error)

    def register_interaction(self, interaction_id: int, user_id: int, *, is_autocomplete: bool) -> bool:
        return self.answering.admission_control.register(interaction_id, Lane(user_id, is_autocomplete))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a click on a component, or a submitted dialog. If the component is out of date, reply that it is.

        Commands and autocompletion arrive through `CommandTree.interaction_check`.
        """
        if interaction.type in (discord.InteractionType.application_command, discord.InteractionType.autocomplete):
            return
        if await self.answering.admit(interaction) and not await self.components.handle(interaction):
            await Answer.to(interaction).reply(note(OLD_BUTTON, Accent.TROUBLE))

    @property
    def is_idle(self) -> bool:
        """True if no answer, no computer's move and no delivery of a message is in progress."""
        return not self.answering.tasks and self.app.computers.is_idle and self.courier.is_idle

    async def on_shard_connect(self, shard_id: int) -> None:
        self.connections.note_connected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Record that a shard is ready, and save its current servers, including which of them are unavailable."""
        self.connections.note_ready(shard_id)
        log.info("ready", shard=shard_id, guilds=len(self.guild_events.guilds_of(shard_id)))
        await self.guild_events.save_guilds_of(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.connections.note_ready(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Record that a shard was lost, and stop the clocks of its matches."""
        self.connections.note_lost(shard_id)
        self.heartbeats.run_clocks(self.app.connected.shards.numbers)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Save whether a server has the bot and is available. Also called for removals and for the server's outages."""
        await self.guild_events.save_guild(GuildId(guild.id))

    on_guild_remove = on_guild_unavailable = on_guild_available = on_guild_join

    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel) -> None:
        """Forget why Discord refused messages and files in a channel: its permissions may have changed."""
        self.refusals.of(channel.id).clear()

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Save the deletion of a channel, which may have contained a table."""
        await self.guild_events.save_channel_deleted(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Save the deletion of a thread, which may have contained a table."""
        await self.guild_events.save_channel_deleted(payload.thread_id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log the error of a listener, without the arguments: they contain tokens."""
        log.exception("a listener failed", listener=event_method)

    async def close(self) -> None:
        """Finish the answers in progress, stop the background tasks, and disconnect; abandon steps that take too long.

        From the beginning of the shutdown, new interactions are ignored.
        """
        self.answering.admission_control.close()
        if not await self.answering.wait(SHUTDOWN_TIMEOUT):
            # A move whose answer can no longer be sent must not be saved.
            self.app.requests.refuse()
            self.app.computers.stop()
            self.long_work.stop()
            self.reviewing.stop()
            await self.answering.wait(CANCEL_TIMEOUT)
        tasks = {*self._background, *self.answering.tasks}
        if self.answering.tasks:
            log.warning("abandoned at shutdown", what="answers", count=len({*self.answering.tasks.values()}))
        for task in tasks:
            task.cancel()
        if tasks:
            _, pending = await asyncio.wait(tasks, timeout=BACKGROUND_TIMEOUT)
            if pending:
                log.warning("abandoned at shutdown", what="work that did not end", count=len(pending))
        self.access.close()
        self._identify_queue.close()
        await run_shutdown_step(LEASES_TIMEOUT, "leases", self.app.leases.end())
        await run_shutdown_step(GATEWAY_TIMEOUT, "the gateway", super().close())
        self.guild_events.cancel()
        await run_shutdown_step(PICTURES_TIMEOUT, "pictures", self.pictures.close())
