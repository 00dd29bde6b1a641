"""Admits interactions, measures the time until each is answered, and keeps track of answers in progress."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import discord
import structlog

from bot.play.application import Application
from bot.play.refusals import Unavailable
from cogs.delivery.direct_messages import DirectMessages
from cogs.delivery.interactions import person_id_of, person_of
from cogs.delivery.refusals import ONE_AT_A_TIME, VERY_BUSY
from cogs.kit.admission import Admission, AdmissionControl, FairQueue, Lane
from cogs.kit.answer_times import AnswerTimes
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import Accent, note
from cogs.kit.refusals import Refusals
from cogs.kit.screens import Screens

log = structlog.get_logger(__name__)

MAX_TRY_LATER_TASKS: Final = 16
"""Maximum number of simultaneous "try again later" replies: each needs a connection to Discord."""
TRY_LATER_SECONDS: Final = 0.5
"""Estimated time to send a "try again later" reply under load, in seconds. An interaction that expires sooner gets no
reply."""
ANSWERED_POLL_INTERVAL: Final = 0.02
"""Polling interval while waiting for the last answers at shutdown, in seconds."""

_TRY_LATER_TEXTS: Final = {Admission.PERSON_BUSY: ONE_AT_A_TIME, Admission.ALL_BUSY: VERY_BUSY}


class Answering:
    """Admits interactions and watches their answers."""

    def __init__(
        self,
        app: Application,
        screens: Screens,
        refusals: Refusals,
        direct_messages: DirectMessages,
        clock: Callable[[], float],
    ) -> None:
        """`clock` returns seconds and measures the age of interactions."""
        self._app = app
        self._screens, self._refusals = screens, refusals
        self._direct_messages = direct_messages
        self.times = AnswerTimes()
        self.admission_control = AdmissionControl(clock)
        self._try_later_queue = FairQueue[tuple[Interaction, str]]()
        """Interactions that get a "try again later" reply, each with the text of the reply."""
        self._try_later_tasks = 0
        self.tasks: dict[asyncio.Task[Any], int] = {}
        """The tasks that answer people's interactions, each with the id of its interaction."""

    async def admit(self, interaction: Interaction) -> bool:
        """Return True if the calling task should handle an interaction, and start to watch for its answer.

        If the bot or the person is busy, queue a "try again later" reply instead.
        """
        self._app.requests.begin()
        Answer.to(interaction, self._screens, self._refusals)
        admission = await self.admission_control.admit(interaction)
        self._track(asyncio.current_task(), interaction)
        if admission is Admission.ADMITTED:
            if interaction.type is not discord.InteractionType.autocomplete:
                self._track(asyncio.create_task(self._watch(interaction)), interaction)
                with suppress(Unavailable):
                    await self._app.people.save_changed_name(person_of(interaction))
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
        """Stop all clocks until the bot's next heartbeat, because the bot turned away a person who wanted to play.

        Do nothing for an autocompletion.
        """
        if interaction.type is not discord.InteractionType.autocomplete:
            self._app.connected.interrupt()

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
        self.tasks[task] = interaction.id
        task.add_done_callback(self.tasks.pop)

    async def _watch(self, interaction: Interaction) -> None:
        """Measure the time until an interaction is answered, then save the person's name and note their activity."""
        answer = Answer.to(interaction)
        with self.times.measure(answer, _control_name(interaction)):
            await answer.watch()
        with suppress(Unavailable):
            # A person without a row has neither matches nor closed direct messages.
            if await self._app.people.save_name(person_of(interaction)):
                await self._app.timekeeper.note_active(person_id_of(interaction))
                await self._direct_messages.note_interaction(interaction)

    async def wait(self, seconds: float) -> bool:
        """Wait until all admitted interactions are answered. Return False if they are not within this time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                # Ask the admission control, too: an interaction that was just admitted has no task yet.
                while self.tasks or not self.admission_control.is_idle:  # noqa: ASYNC110 - no event exists
                    await asyncio.sleep(ANSWERED_POLL_INTERVAL)
        return not self.tasks and self.admission_control.is_idle


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
