"""One person's preferences, and what is kept about them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import app_commands

from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Answer, Interaction
from cogs.kit.archives import archives
from cogs.kit.components import ComponentEvent, UnknownComponent, button
from cogs.kit.messages import File, Message
from cogs.panels.layout import Accent, message, note
from cogs.panels.settings import PREFERENCES, WANTING_DMS, preferences_panel
from cogs.support.feature import Feature, handles
from cogs.support.interactions import person_id_of, person_of
from cogs.support.replies import show
from cogs.text import pages

TELL_EVERY: Final = 1.0
"""Seconds between two lines about how far an export is: the first comes before its answer would be deferred."""
_TRIED: Final = {
    True: "That worked: I have just sent you a direct message.",
    False: "I have just tried again, and Discord still lets me send you none.",
    None: "Discord did not say whether that worked. Please try again later.",
}
"""What came of trying direct messages."""
LARGEST_FILE: Final = 20 * 1024 * 1024
"""A request to Discord may have 25 MiB, however large a server allows files to be."""
ARCHIVE_SLACK: Final = 64 * 1024


class Me(Feature):
    """A person's own choices and data."""

    me = app_commands.Group(name="me", description="Your preferences, and what I keep about you")

    @me.command(description="Direct messages, pings, who may challenge you, and how cards are shown to you")
    async def preferences(self, interaction: Interaction) -> None:
        """Show the person's preferences, to change them."""
        await show(interaction, preferences_panel(await self._app.people.settings(person_id_of(interaction))))

    @handles(Action.OPEN_PREFERENCE)
    async def _open_preference(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the values of the chosen preference, or all preferences again."""
        opened = next((action for action in PREFERENCES if (action,) == event.values), None)
        if event.values and opened is None:
            raise UnknownComponent
        settings = await self._app.people.settings(person_id_of(interaction))
        await show(interaction, preferences_panel(settings, opened=opened))

    @handles(*PREFERENCES)
    async def _change_preference(self, interaction: Interaction, event: ComponentEvent) -> None:
        people, person = self._app.people, person_of(interaction)
        action, value = event.action, event.value
        preference = PREFERENCES[action]
        if value not in preference.labels:
            raise UnknownComponent
        settings = await people.change_preferences(
            person, lambda now: preference.change(now, value), retry_dms=(action, value) in WANTING_DMS
        )
        if settings.preferences.hand_by_dm:
            await self._direct_messages.open(interaction.user)
            settings = await people.settings(person.id)
        await show(interaction, preferences_panel(settings, "Saved."))

    @handles(Action.TRY_DMS)
    async def _try_dms(self, interaction: Interaction, event: ComponentEvent) -> None:
        works = await self._direct_messages.try_now(interaction.user)
        settings = await self._app.people.settings(person_id_of(interaction))
        await show(interaction, preferences_panel(settings, _TRIED[works]))

    @me.command(description="What I keep about you: see it, export it, or have it deleted")
    async def privacy(self, interaction: Interaction) -> None:
        """Say what is kept, with the export and the way to be forgotten."""
        await show(interaction, _privacy_panel())

    @handles(Action.PRIVACY)
    async def _privacy(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, _privacy_panel())

    @handles(Action.EXPORT)
    async def _export(self, interaction: Interaction, event: ComponentEvent) -> None:
        answer, shown = Answer.to(interaction), asyncio.get_running_loop().time()
        telling: asyncio.Task[None] | None = None

        def tell(done: int, there: int) -> None:
            nonlocal shown, telling
            now = asyncio.get_running_loop().time()
            if now - shown >= TELL_EVERY and (telling is None or telling.done()):
                shown = now
                text = f"I'm collecting what I keep about you: {done} of {there} matches so far."
                telling = asyncio.create_task(answer.replace(note(text, Accent.WAITING)))

        async with self._long_work.of(interaction):
            try:
                exported = await self._app.exports.export(person_id_of(interaction), tell)
                limit = min(interaction.filesize_limit, LARGEST_FILE) - ARCHIVE_SLACK
                made = await asyncio.to_thread(lambda: archives(_files(exported), limit))
            finally:
                if telling is not None:
                    await asyncio.wait([telling])
        for number, content in enumerate(made, 1):
            text = "Everything I keep about you:" if len(made) == 1 else f"Part {number} of {len(made)}:"
            name = "deadwood.zip" if len(made) == 1 else f"deadwood-{number}.zip"
            part = message(Accent.WAITING, text, download=File(name, content))
            await (answer.replace(part) if number == 1 else answer.reply(part))

    @handles(Action.FORGET)
    async def _forget(self, interaction: Interaction, event: ComponentEvent) -> None:
        forget = button(Subject.SELF, 0, Action.FORGET_NOW, "Forget me", discord.ButtonStyle.danger)
        keep = button(Subject.SELF, 0, Action.PRIVACY, "Keep everything")
        await show(interaction, note(pages.FORGET, Accent.TROUBLE, forget, keep))

    @handles(Action.FORGET_NOW)
    async def _forget_now(self, interaction: Interaction, event: ComponentEvent) -> None:
        resigned = await self._app.people.forget(person_id_of(interaction))
        matches = "1 running match was" if resigned == 1 else f"{resigned} running matches were"
        resignations = f" {matches} resigned." if resigned else ""
        await show(interaction, note(f"I have forgotten you.{resignations} If you play again, you start fresh."))


def _files(exported: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an export: one for each match, and one for the rest."""
    matches = exported.pop("matches")
    for name, entry in (("deadwood", exported), *((f"match-{match['id']}", match) for match in matches)):
        yield f"{name}.json", json.dumps(entry, indent=2, ensure_ascii=False).encode()


def _privacy_panel() -> Message:
    export = button(Subject.SELF, 0, Action.EXPORT, "Export")
    forget = button(Subject.SELF, 0, Action.FORGET, "Forget me")
    return message(Accent.WAITING, pages.PRIVACY, title="What I keep about you", rows=[[export, forget]])
