"""The Discord client: loads the cogs, registers changed commands, and makes sure that every interaction is answered."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import discord
import structlog
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.state import AutoShardedConnectionState

from bot.connections import Connections, IdentifyQueue
from bot.global_limit import release_if_cancelled
from bot.measurements import measure, trace_requests
from bot.model.ids import ChannelId, GuildId
from bot.model.shards import Shards
from bot.play.application import Application
from bot.play.refusals import Unavailable
from bot.shutdown import run_shutdown_step
from cogs.features.admin import Admin
from cogs.features.challenges import Challenges
from cogs.features.dealt_decks import DealtDecks
from cogs.features.endings import Endings
from cogs.features.help import Help
from cogs.features.leaderboard import Leaderboard
from cogs.features.lobbies import Lobbies
from cogs.features.me import Me
from cogs.features.own_times import OwnTimes
from cogs.features.past_matches import PastMatch
from cogs.features.practice import Practice
from cogs.features.replays import Replays
from cogs.features.reviews import Reviews
from cogs.features.stats import Stats
from cogs.features.tables import Tables
from cogs.features.times import Times
from cogs.features.turns import Turns
from cogs.features.verification import Verification
from cogs.features.words import Words
from cogs.kit.admission import Admission, AdmissionControl, FairQueue, Lane
from cogs.kit.answer_times import AnswerTimes
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, ComponentHandlers
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.refusals import Refusals
from cogs.kit.screens import Screens
from cogs.panels.layout import Accent, note
from cogs.panels.pictures import Pictures
from cogs.support.access import Access
from cogs.support.courier import Courier
from cogs.support.direct_messages import DirectMessages
from cogs.support.emoji_uploads import EmojiUploads
from cogs.support.error_replies import ErrorReplies
from cogs.support.feature import GROUP, Services
from cogs.support.hands import Hands
from cogs.support.interactions import person_id_of, person_of
from cogs.support.long_work import MAX_REVIEWS, LongWork
from cogs.support.saving import retry_until_done
from cogs.text.refusals import MANY_REVIEWS, OLD_BUTTON, ONE_AT_A_TIME, VERY_BUSY

log = structlog.get_logger(__name__)

COGS: Final = (
    *(Challenges, Lobbies, Turns, Tables, Times, Replays, Reviews, DealtDecks, Endings, Practice),
    *(Leaderboard, Stats, PastMatch, Help, Me, OwnTimes, Admin, Verification, Words),
)

MAX_RATE_LIMIT_WAIT: Final = 60.0
"""Maximum time that discord.py waits for a rate limit to end, in seconds. If the limit lasts longer, the request fails,
and the courier retries it later."""

SHUTDOWN_TIMEOUT: Final = 2.0
"""Time in which answers in progress at shutdown may end normally, in seconds. After that, moves are refused and long
work is cancelled."""
CANCEL_TIMEOUT: Final = 1.0
"""Time at shutdown to reply that moves were refused or work was cancelled, in seconds."""
ANSWERED_POLL_INTERVAL: Final = 0.02
"""Polling interval while waiting for the last answers at shutdown, in seconds."""
BACKGROUND_TIMEOUT: Final = 2.5
"""Time for the cancelled background tasks to end at shutdown, in seconds. Deliveries by the courier get less time."""
GATEWAY_TIMEOUT: Final = 1.0
LEASES_TIMEOUT: Final = 0.3
PICTURES_TIMEOUT: Final = 0.5
"""Time to finish drawings in progress at shutdown, in seconds.

All shutdown timeouts, here and in `bot.running`, add up to less than `bot.shutdown.SHUTDOWN_LIMIT`.
"""

HOUSEKEEPING_INTERVAL: Final = 60.0
HEARTBEAT_INTERVAL: Final = 10.0

IDENTIFY_TURN_TIMEOUT: Final = 8.0
"""Maximum time that a reconnecting shard waits to identify, in seconds. No other shard can resume during the wait."""

MAX_TRY_LATER_TASKS: Final = 16
"""Maximum number of simultaneous "try again later" replies: each needs a connection to Discord."""
TRY_LATER_SECONDS: Final = 0.5
"""Estimated time to send a "try again later" reply under load, in seconds. An interaction that expires sooner gets no
reply."""

_TRY_LATER_TEXTS: Final = {Admission.PERSON_BUSY: ONE_AT_A_TIME, Admission.ALL_BUSY: VERY_BUSY}


class CommandTree(app_commands.CommandTree["Client"]):
    """The command tree. It only runs admitted commands, and sends all their errors to one handler."""

    async def interaction_check(self, interaction: discord.Interaction[Client], /) -> bool:
        """Return True if the interaction is admitted."""
        return await self.client.admit(interaction)

    async def on_error(self, interaction: discord.Interaction[Client], error: app_commands.AppCommandError) -> None:
        await self.client.errors.answer(interaction, error)


class _State(AutoShardedConnectionState["Client"]):
    """discord.py's event handling, which drops rejected interactions early and forgets servers that are gone.

    Without this, discord.py would create objects and tasks for each interaction, and read more events before any of
    them runs: 40 MB for 10,000 simultaneous interactions.
    """

    def parse_ready(self, data: Any) -> None:
        # Forget servers that have removed the bot: with shards, discord.py keeps all servers of the previous session.
        guild_ids = {int(guild["id"]) for guild in data["guilds"]}
        for guild in self.guilds:
            if guild.shard_id == data["shard"][0] and guild.id not in guild_ids:
                self._remove_guild(guild)
        super().parse_ready(data)

    def parse_interaction_create(self, data: Any) -> None:
        user: Any = data.get("member", data)["user"]
        lane = Lane(int(user["id"]), data["type"] == discord.InteractionType.autocomplete.value)
        if self._get_client().admission_control.register(int(data["id"]), lane):
            super().parse_interaction_create(data)


class Client(commands.AutoShardedBot):
    """The bot on Discord, connected as all shards or some of them. Its only gateway intent is `guilds`."""

    def __init__(
        self,
        app: Application,
        *,
        shards: Shards | None = None,
        emojis: bool = True,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        """Create a client that serves an application.

        `shards` are the shards to connect as; None means all that Discord recommends. With `emojis`, upload the bot's
        own emojis. `clock` returns seconds and measures the age of interactions.
        """
        # The bot does not use voice: silence the warnings about missing voice libraries.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        logging.getLogger("discord.app_commands.tree").addFilter(_shorten_lost_suggestions)
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=trace_requests(),
            max_ratelimit_timeout=MAX_RATE_LIMIT_WAIT,
            **options,
        )
        release_if_cancelled(self.http)
        self.app = app
        self.pictures = Pictures()
        self.access = Access(self, app)
        self.hands = Hands(app, self.pictures)
        self.errors = ErrorReplies(app, self.hands, self.access)
        self.components = ComponentHandlers(self.errors.answer)
        self.connections = Connections()
        self._shards = shards
        self._identify_queue = IdentifyQueue(app.exclusive, self.connections, self._fetch_session_limits)
        self.background_failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Receives the error of a background task that failed."""
        self.answer_times = AnswerTimes()
        self.admission_control = AdmissionControl(clock)
        self.long_work = LongWork("work", app.exclusive)
        self.reviewing = LongWork("review", app.exclusive, MAX_REVIEWS, MAX_REVIEWS, MANY_REVIEWS)
        self._try_later_queue = FairQueue[tuple[Interaction, str]]()
        """Interactions that get a "try again later" reply, each with the text of the reply."""
        self._try_later_tasks = 0
        self._tasks_in_progress: dict[asyncio.Task[Any], int] = {}
        """The tasks that answer people's interactions, each with the id of its interaction."""
        self.screens, self.refusals = Screens(), Refusals(clock)
        self.direct_messages = DirectMessages(app)
        self.courier = Courier(
            self,
            app,
            self.access,
            self.direct_messages,
            self.pictures,
            self.screens,
            self.refusals,
            self._tasks_in_progress,
        )
        self._gin = app_commands.Group(
            name="gin",
            description="Play gin rummy",
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        self._uploads = EmojiUploads(self, self.pictures.emojis, app.exclusive, app.clock) if emojis else None
        self._background: list[asyncio.Task[None]] = []
        self._save_lock = asyncio.Lock()
        self._save_tasks = set[asyncio.Task[Any]]()

    def _get_state(self, **options: Any) -> AutoShardedConnectionState[Client]:
        return _State(dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options)

    async def setup_hook(self) -> None:
        """Load the cogs, register commands that changed, and start the background tasks.

        If another process is connected as one of the same shards, wait first until that process ends.
        """
        await self._choose_shards()
        services = Services(
            self.app,
            self.pictures,
            self.courier,
            self.direct_messages,
            self.components,
            self.access,
            self.long_work,
            self.reviewing,
            self.hands,
            self.refusals,
        )
        for cog in COGS:
            await self.add_cog(cog(services))
        self.tree.add_command(self._gin)
        await retry_until_done(self._register_commands)
        coroutines = [
            self.courier.run(),
            self.app.computers.run(),
            self.app.timekeeper.run(self.access),
            self.app.leases.run(),
            retry_until_done(self._fill_records),
            self.app.luck_counting.run(),
            self._save_heartbeats(),
            self._run_chores(),
            measure(self, self.app, self.connections),
            *(() if self._uploads is None else (self._uploads.run(),)),
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

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Wait until a shard may identify. Only then connect it: discord.py cannot close a waiting connection."""
        await self._wait_for_turn(shard_id)
        await super().launch_shard(gateway, shard_id, initial=True)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a reconnecting shard may identify.

        Raise `TimeoutError` if that takes long: discord.py retries later, and resumes other shards in between.
        """
        if not initial:
            async with asyncio.timeout(IDENTIFY_TURN_TIMEOUT):
                await self._wait_for_turn(shard_id or 0)

    async def _wait_for_turn(self, shard_id: int) -> None:
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

    async def add_cog(self, cog: commands.Cog, /, **options: Any) -> None:
        """Add a cog. Its commands become subcommands of `/gin` unless they name another group or begin with `gin-`."""
        await super().add_cog(cog, **options)
        for command in cog.get_app_commands():
            if not command.name.startswith("gin-"):
                self.tree.remove_command(command.name)
                self._group(command.extras.get(GROUP)).add_command(command)

    def _group(self, name: str | None) -> app_commands.Group:
        """Return the command group with this name, which an earlier cog must have added. None means `/gin`."""
        group = self._gin if name is None else self._gin.get_command(name) or self.tree.get_command(name)
        assert isinstance(group, app_commands.Group)
        return group

    async def _register_commands(self) -> None:
        """Register the commands with Discord if they have changed since the last registration."""
        async with self.app.exclusive.locked("commands"):
            await self._register_changed_commands()

    async def _register_changed_commands(self) -> None:
        payload = json.dumps([command.to_dict(self.tree) for command in self.tree.get_commands()], sort_keys=True)
        key, digest = f"commands of {self.application_id}", hashlib.sha256(payload.encode()).hexdigest()
        if await self.app.key_values.get(key) == digest:
            return
        await self.tree.sync()
        await retry_until_done(partial(self.app.key_values.set, key, digest))
        log.info("commands registered")

    async def _fill_records(self) -> None:
        """Backfill the record tables, in one process at a time."""
        async with self.app.exclusive.locked("records"):
            await self.app.records_backfill.run()

    async def _run_chores(self) -> None:
        """Every minute, repair stored times that a wrong clock produced. The leading process also does all chores.

        Each process repairs times, because its own clock may have been wrong.
        """
        while True:
            with suppress(Unavailable):
                await self.app.time_repair.repair()
            if self.app.share.is_leader:
                await self._run_chores_once()
            await asyncio.sleep(HOUSEKEEPING_INTERVAL)

    async def _run_chores_once(self) -> None:
        """Do all chores, such as expiring challenges, even if the database refuses some of them."""
        for chore in (
            self.app.challenges.expire,
            self.app.guilds.purge,
            self.app.leaderboards.run_upkeep,
            self.app.erasure.run,
            self.app.outages.forget_old,
        ):
            with suppress(Unavailable):
                await chore()

    async def _save_heartbeats(self) -> None:
        """Save a heartbeat when a shard becomes ready, and every few seconds. Without heartbeats, all clocks stop."""
        while True:
            self.connections.changed.clear()
            ready, wait = self.connections.ready, HEARTBEAT_INTERVAL
            if ready - self.app.connected.shards.numbers:
                await self._wait_until_saved()
            if ready:
                try:
                    await self.app.require_database()
                    newly = ready - self.app.connected.shards.numbers
                    await self.app.outages.beat(ready, self.app.leases.home.count, newly=newly)
                    self._run_clocks(ready)
                except Unavailable:
                    # Stop the clocks even if only the check of the database failed: people cannot move then.
                    self.app.connected.interrupt()
                    wait /= 10
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self.connections.changed.wait()

    def _run_clocks(self, shards: Collection[int]) -> None:
        """Run the clocks in matches of the given shards, except shards that are no longer ready."""
        ready = Shards(self.connections.ready.intersection(shards), self.app.leases.home.count)
        if ready != self.app.connected.shards:
            self.app.connected.change(ready)
            self.app.timekeeper.check_soon()

    async def _save(self, save: Callable[[], Awaitable[None]]) -> None:
        """Save an event from the gateway, in order of arrival, and retry until that succeeds."""
        task = asyncio.current_task()
        assert task is not None
        self._save_tasks.add(task)
        try:
            async with self._save_lock:
                await retry_until_done(save)
        finally:
            self._save_tasks.discard(task)

    async def _wait_until_saved(self) -> None:
        """Wait until all gateway events so far are saved, such as the outage of a server."""
        async with self._save_lock:
            pass

    def _background_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not self.background_failure.done():
            self.background_failure.set_exception(error)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a click on a component, or a submitted dialog. If the component is out of date, reply that it is.

        Commands and autocompletion arrive through `CommandTree.interaction_check`.
        """
        if interaction.type in (discord.InteractionType.application_command, discord.InteractionType.autocomplete):
            return
        if await self.admit(interaction) and not await self.components.handle(interaction):
            await Answer.to(interaction).reply(note(OLD_BUTTON, Accent.TROUBLE))

    async def admit(self, interaction: Interaction) -> bool:
        """Return True if the calling task should handle an interaction, and start to watch for its answer.

        If the bot or the person is busy, queue a "try again later" reply instead.
        """
        self.app.requests.begin()
        Answer.to(interaction, self.screens, self.refusals)
        admission = await self.admission_control.admit(interaction)
        self._track(asyncio.current_task(), interaction)
        if admission is Admission.ADMITTED:
            if interaction.type is not discord.InteractionType.autocomplete:
                self._track(asyncio.create_task(self._watch(interaction)), interaction)
            return True
        if admission in (Admission.ALL_BUSY, Admission.TOO_LATE):
            self._interrupt_clocks(interaction)
        if (text := _TRY_LATER_TEXTS.get(admission)) is not None:
            self._try_later_queue.add(Lane.of(interaction), (interaction, text))
            if self._try_later_tasks < MAX_TRY_LATER_TASKS:
                self._try_later_tasks += 1
                self._track(asyncio.create_task(self._send_try_later_replies()), interaction)
        return False

    def _interrupt_clocks(self, interaction: Interaction) -> None:
        """Stop all clocks until the bot's next heartbeat, because the person could not play.

        Do nothing for an autocompletion.
        """
        if interaction.type is not discord.InteractionType.autocomplete:
            self.app.connected.interrupt()

    async def _send_try_later_replies(self) -> None:
        """Send the queued "try again later" replies in fair order: one for each person, then a second, and so on."""
        try:
            while self._try_later_queue:
                interaction, text = self._try_later_queue.take()
                try:
                    if self.admission_control.is_late(interaction.id, TRY_LATER_SECONDS):
                        self.admission_control.count_dropped()
                    else:
                        await _reply_try_later(interaction, text)
                finally:
                    self.admission_control.release(interaction.id)
        finally:
            self._try_later_tasks -= 1

    def _track(self, task: asyncio.Task[Any] | None, interaction: Interaction) -> None:
        assert task is not None
        self._tasks_in_progress[task] = interaction.id
        task.add_done_callback(self._tasks_in_progress.pop)

    async def _watch(self, interaction: Interaction) -> None:
        """Measure the time until an interaction is answered, then save the person's name and note their activity."""
        answer = Answer.to(interaction)
        with self.answer_times.measure(answer, _control_name(interaction)):
            await answer.watch()
        with suppress(Unavailable):
            await self.app.people.save_name(person_of(interaction))
            await self.app.timekeeper.note_active(person_id_of(interaction))
            await self.direct_messages.note_interaction(interaction)

    @property
    def is_idle(self) -> bool:
        """True if no answer, no computer's move and no delivery of a message is in progress."""
        return not self._tasks_in_progress and self.app.computers.is_idle and self.courier.is_idle

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event unless the client is closed: discord.py may still be about to dispatch `ready`."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_shard_connect(self, shard_id: int) -> None:
        self.connections.note_connected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Record that a shard is ready, and save its current servers, including which of them are unavailable."""
        self.connections.note_ready(shard_id)
        log.info("ready", shard=shard_id, guilds=len(self._guilds_of(shard_id)))
        await self._save(partial(self._save_guilds_of, shard_id))

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.connections.note_ready(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Record that a shard was lost, and stop the clocks of its matches."""
        self.connections.note_lost(shard_id)
        self._run_clocks(self.app.connected.shards.numbers)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Save whether a server has the bot and is available. Also called for removals and for the server's outages."""
        await self._save(partial(self._save_guild, GuildId(guild.id)))

    on_guild_remove = on_guild_unavailable = on_guild_available = on_guild_join

    async def _save_guild(self, guild_id: GuildId) -> None:
        """Save the current state of a server, whatever the event was: discord.py can report an outage as joining."""
        guild = self.get_guild(guild_id)
        if guild is None:
            await self.app.guilds.save_left(guild_id)
        elif guild.unavailable:
            await self.app.guilds.save_unavailable(guild_id)
        else:
            await self.app.guilds.save_joined(guild_id)

    async def _save_guilds_of(self, shard_id: int) -> None:
        """Save the current servers of a shard, and which of them are unavailable."""
        shards, guilds = Shards(frozenset((shard_id,)), self.app.leases.home.count), self._guilds_of(shard_id)
        await self.app.guilds.save_all_joined({GuildId(guild.id) for guild in guilds}, shards)
        unavailable = {GuildId(guild.id) for guild in guilds if guild.unavailable}
        await self.app.guilds.save_all_unavailable(unavailable, shards)

    def _guilds_of(self, shard_id: int) -> list[discord.Guild]:
        return [guild for guild in self.guilds if guild.shard_id == shard_id]

    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel) -> None:
        """Forget why Discord refused messages and files in a channel: its permissions may have changed."""
        self.refusals.of(channel.id).clear()

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Save the deletion of a channel, which may have contained a table."""
        await self._save(lambda: self.app.outbox.save_channel_deleted(ChannelId(channel.id)))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Save the deletion of a thread, which may have contained a table."""
        await self._save(lambda: self.app.outbox.save_channel_deleted(ChannelId(payload.thread_id)))

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log the error of a listener, without the arguments: they contain tokens."""
        log.exception("a listener failed", listener=event_method)

    async def close(self) -> None:
        """Finish the answers in progress, stop the background tasks, and disconnect; abandon steps that take too long.

        From the beginning of the shutdown, new interactions are ignored.
        """
        self.admission_control.close()
        if not await self._wait_for_answers(SHUTDOWN_TIMEOUT):
            # A move whose answer can no longer be sent must not be saved.
            self.app.requests.refuse()
            self.app.computers.stop()
            self.long_work.stop()
            self.reviewing.stop()
            await self._wait_for_answers(CANCEL_TIMEOUT)
        tasks = {*self._background, *self._tasks_in_progress}
        if self._tasks_in_progress:
            log.warning("abandoned at shutdown", what="answers", count=len({*self._tasks_in_progress.values()}))
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
        # Discord reports the unsaved changes again at the next start.
        for save in self._save_tasks:
            save.cancel()
        await run_shutdown_step(PICTURES_TIMEOUT, "pictures", self.pictures.close())

    async def _wait_for_answers(self, seconds: float) -> bool:
        """Wait until all admitted interactions are answered. Return False after the given number of seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                # Ask the admission control, too: an interaction that was just admitted has no task yet.
                while self._tasks_in_progress or not self.admission_control.is_idle:  # noqa: ASYNC110 - no event exists
                    await asyncio.sleep(ANSWERED_POLL_INTERVAL)
        return not self._tasks_in_progress and self.admission_control.is_idle


def _control_name(interaction: Interaction) -> str:
    """Return the name of the command or button that was used, for the metrics."""
    if interaction.command is not None:
        return interaction.command.qualified_name
    event = ComponentEvent.parse(str((interaction.data or {}).get("custom_id", "")))
    return "old button" if event is None else f"button {event.action}"


async def _reply_try_later(interaction: Interaction, text: str) -> None:
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await Answer.to(interaction).reply(note(text, Accent.TROUBLE))
    except REQUEST_FAILURES as error:
        log.warning("a try-again-later reply could not be sent", error=type(error).__name__)


def _shorten_lost_suggestions(record: logging.LogRecord) -> bool:
    """Log lost suggestions as one warning without a traceback: the next keystroke asks for suggestions again."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, REQUEST_FAILURES):
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.msg, record.args, record.exc_info = "suggestions got lost: %s", (type(error).__name__,), None
    return True


def use_server(api: str | None, gateway: str | None) -> None:
    """Use other servers for Discord's HTTP API v10 and gateway. None means Discord itself."""
    if api is not None:
        Route.BASE = api
    if gateway is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
