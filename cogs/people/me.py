"""`/gin me`: a person's preferences, data export and deletion."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.model.words import count
from bot.play.matches.holidays import MAX_DAYS
from bot.play.people.people import NO_QUIET_HOURS, PersonalSettings
from cogs.actions import Action, Subject
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import channel_id_of, person_id_of, person_of
from cogs.delivery.replies import show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.archives import archives
from cogs.kit.components import ComponentEvent, UnknownComponent, button
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import Accent, message, note
from cogs.kit.messages import File, Message
from cogs.people.blocks_panel import blocked_panel
from cogs.people.own_times_panel import holiday_panel, quiet_hours_panel
from cogs.people.preferences_panel import (
    OTHER_ENTRIES,
    PREFERENCES,
    VALUES_WITH_DMS,
    end_holiday_button,
    preferences_panel,
)
from cogs.people.privacy_text import FORGET, PRIVACY
from cogs.people.time_zones import MAX_TIME_ZONE_LENGTH, time_zone_choices
from cogs.words.holidays import taken

log = structlog.get_logger(__name__)

MAX_HOUR_LENGTH: Final = 5
FIRST_HOUR: Final = 20
PROGRESS_INTERVAL: Final = 1.0
"""Interval between progress messages of an export, in seconds: shorter than the time before an answer is deferred."""
DM_TEST_ANSWERS: Final = {
    True: "That worked: I just sent you a DM.",
    False: "Discord still doesn't let me send you DMs.",
    None: "I can't tell whether my DM reached you. Please try again later.",
}
"""Answers to a test of direct messages, by the result: sent, refused or unknown."""
MAX_ARCHIVE_SIZE: Final = 20 * 1024 * 1024
"""Maximum size of an archive in bytes. Discord limits requests to 25 MiB, even on servers that allow larger files."""
ARCHIVE_SLACK: Final = 64 * 1024


class Me(Feature):
    """Commands for a person's own preferences and data, and their buttons and menus."""

    me = app_commands.Group(name="me", description="Your preferences, holidays and data")

    @me.command(description="DMs, reminders, challenges, and how cards look")
    @app_commands.describe(
        time_zone="Your time zone, for quiet hours",
        quiet_from="When quiet hours start, such as 22:00, or “off” for no quiet hours",
        quiet_to="When quiet hours end, such as 8:00",
    )
    async def preferences(
        self,
        interaction: Interaction,
        time_zone: app_commands.Range[str, 1, MAX_TIME_ZONE_LENGTH] | None = None,
        quiet_from: app_commands.Range[str, 1, MAX_HOUR_LENGTH] | None = None,
        quiet_to: app_commands.Range[str, 1, MAX_HOUR_LENGTH] | None = None,
    ) -> None:
        """Save the given quiet hours, if any, and show the person's preferences."""
        people, notice = self._app.people, None
        if not time_zone and not quiet_from and not quiet_to:
            settings = await people.settings(person_id_of(interaction))
        else:
            settings = await people.set_quiet_hours(person_of(interaction), time_zone, quiet_from, quiet_to)
            notice = "Saved."
        await show(interaction, preferences_panel(settings, notice))

    @preferences.autocomplete("time_zone")
    async def complete_time_zone(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return time_zone_choices(typed)

    @preferences.autocomplete("quiet_from")
    @preferences.autocomplete("quiet_to")
    async def complete_hour(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the completions that start with the typed text: "off", then the hours of the day from 20:00."""
        hours = [f"{hour % 24}:00" for hour in range(FIRST_HOUR, FIRST_HOUR + 24)]
        offered = [NO_QUIET_HOURS, *hours]
        return [
            app_commands.Choice(name=hour, value=hour) for hour in offered if hour.startswith(typed.strip().lower())
        ]

    @me.command(description="Take a holiday: your clocks pause, except live clocks")
    @app_commands.describe(days="How many days, starting now; your holiday ends early if you move or press “I'm back”")
    async def away(self, interaction: Interaction, days: app_commands.Range[int, 1, MAX_DAYS]) -> None:
        holiday = await self._app.holidays.take(person_of(interaction), days)
        await show(interaction, note(taken(holiday), Accent.WAITING, end_holiday_button()))

    @handles(Action.OPEN_PREFERENCE)
    async def _open_preference(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the values of the chosen preference, or all preferences again."""
        person_id = person_id_of(interaction)
        opened = next(
            (preference for preference in (*PREFERENCES, *OTHER_ENTRIES) if (preference,) == event.values), None
        )
        if event.values and opened is None:
            raise UnknownComponent
        if opened is Action.TAKE_HOLIDAY:
            panel = holiday_panel(await self._app.holidays.current(person_id))
        elif opened is Action.PREFER_QUIET_HOURS:
            panel = quiet_hours_panel((await self._app.people.preferences(person_id)).quiet)
        elif opened is Action.CHANGE_BLOCKED:
            panel = blocked_panel(await self._app.blocks.blocked_by(person_id))
        else:
            settings = await self._app.people.settings(person_id)
            panel = await self._panel(settings, opened=opened)
        await show(interaction, panel, as_new_message=event.opens_new_message)

    @handles(*PREFERENCES)
    async def _change_preference(self, interaction: Interaction, event: ComponentEvent) -> None:
        people, person = self._app.people, person_of(interaction)
        action, value = event.action, event.value
        preference = PREFERENCES[action]
        if value not in preference.labels:
            raise UnknownComponent
        settings = await people.change_preferences(
            person, lambda now: preference.change(now, value), retry_dms=(action, value) in VALUES_WITH_DMS
        )
        if not settings.preferences.shows_avatar:
            self._pictures.avatars.forget(person.id)
        with after_saving():
            if settings.preferences.hand_by_dm:
                await self._direct_messages.open(interaction.user)
                settings = await people.settings(person.id)
            elif settings.preferences.daily_hour is not None and interaction.context.dm_channel:
                # The bot opens no channel for a reminder, but this one is open.
                await people.save_dm_opened(person.id, channel_id_of(interaction))
                settings = await people.settings(person.id)
            # The appearance stays open, so that its picture shows the change.
            opened = action if action is Action.PREFER_APPEARANCE else None
            await show(interaction, await self._panel(settings, "Saved.", opened=opened))

    async def _panel(
        self, settings: PersonalSettings, notice: str | None = None, *, opened: Action | None = None
    ) -> Message:
        """Return a person's preferences, or only the `opened` one, with a picture of the themes if it needs one."""
        picture = None
        if opened is Action.PREFER_APPEARANCE:
            picture = await self._pictures.themes(settings.preferences, settings.preferences.appearance)
        return preferences_panel(settings, notice, opened=opened, picture=picture)

    @handles(Action.TRY_DMS)
    async def _try_dms(self, interaction: Interaction, event: ComponentEvent) -> None:
        works = await self._direct_messages.try_now(interaction.user)
        settings = await self._app.people.settings(person_id_of(interaction))
        await show(interaction, preferences_panel(settings, DM_TEST_ANSWERS[works]))

    @me.command(description="See, export or delete what I keep about you")
    async def privacy(self, interaction: Interaction) -> None:
        """Explain which data is stored, with buttons to export and delete it."""
        await show(interaction, _privacy_panel())

    @handles(Action.PRIVACY)
    async def _privacy(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, _privacy_panel())

    @handles(Action.EXPORT)
    async def _export(self, interaction: Interaction, event: ComponentEvent) -> None:
        answer, shown = Answer.to(interaction), asyncio.get_running_loop().time()
        progress_task: asyncio.Task[None] | None = None

        def show_progress(done: int, total: int) -> None:
            nonlocal shown, progress_task
            now = asyncio.get_running_loop().time()
            if now - shown >= PROGRESS_INTERVAL and (progress_task is None or progress_task.done()):
                shown = now
                text = f"Collecting your data … {done} of {total} matches"
                progress_task = asyncio.create_task(_show_progress(answer, text))

        async with self._long_work.slot(interaction):
            try:
                exported = await self._app.exports.export(person_id_of(interaction), show_progress)
                limit = min(interaction.filesize_limit, MAX_ARCHIVE_SIZE) - ARCHIVE_SLACK
                archive_contents = await asyncio.to_thread(lambda: archives(_files(exported), limit))
            finally:
                if progress_task is not None:
                    await asyncio.wait([progress_task])
        for number, content in enumerate(archive_contents, 1):
            text = (
                "Everything I keep about you:"
                if len(archive_contents) == 1
                else f"Your data, part {number} of {len(archive_contents)}:"
            )
            name = "deadwood.zip" if len(archive_contents) == 1 else f"deadwood-{number}.zip"
            part = message(Accent.WAITING, text, downloads=[File(name, content)])
            await (answer.replace(part) if number == 1 else answer.reply(part))

    @handles(Action.FORGET)
    async def _forget(self, interaction: Interaction, event: ComponentEvent) -> None:
        forget = button(Subject.SELF, 0, Action.FORGET_NOW, "Forget me", discord.ButtonStyle.danger)
        keep = button(Subject.SELF, 0, Action.PRIVACY, "Keep everything")
        await show(interaction, note(FORGET, Accent.TROUBLE, forget, keep))

    @handles(Action.FORGET_NOW)
    async def _forget_now(self, interaction: Interaction, event: ComponentEvent) -> None:
        resigned = await self._app.people.forget(person_id_of(interaction))
        self._pictures.avatars.forget(person_id_of(interaction))
        matches = count(resigned, "match in progress", "matches in progress")
        resignations = f" You resigned {matches}." if resigned else ""
        await show(interaction, note(f"I've forgotten you.{resignations} If you play again, you'll start fresh."))


async def _show_progress(answer: Answer, text: str) -> None:
    """Show the progress of an export. A failure is logged and does not stop the export."""
    try:
        await answer.replace(note(text, Accent.WAITING))
    except REQUEST_FAILURES as error:
        log.warning("export progress could not be shown", error=type(error).__name__)
    except Exception:
        log.exception("export progress could not be shown")


def _files(exported: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of an export's files: one without the matches, then one for each match."""
    matches = exported.pop("matches")
    for name, entry in (("deadwood", exported), *((f"match-{match['id']}", match) for match in matches)):
        yield f"{name}.json", json.dumps(entry, indent=2, ensure_ascii=False).encode()


def _privacy_panel() -> Message:
    export = button(Subject.SELF, 0, Action.EXPORT, "Export")
    forget = button(Subject.SELF, 0, Action.FORGET, "Forget me")
    return message(Accent.WAITING, PRIVACY, title="What I keep about you", rows=[[export, forget]])
