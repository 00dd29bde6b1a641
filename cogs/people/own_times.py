"""Buttons and menus for a person's quiet hours and holidays."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.model.time_zones import find_time_zone, matching_time_zones, time_zones
from bot.play.matches.holidays import MAX_DAYS
from bot.play.people.people import NO_QUIET_HOURS
from cogs.actions import Action, Subject
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import handles
from cogs.delivery.interactions import clicked_direct_message, person_id_of, person_of
from cogs.delivery.replies import show, show_dialog
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.kit.layout import Accent, note
from cogs.kit.messages import Message
from cogs.people.own_times_panel import BEGIN, END, HOURS, holiday_panel, quiet_hours_panel, zone_dialog, zones_panel
from cogs.people.preferences_panel import preferences_panel
from cogs.people.time_zones import MAX_TIME_ZONE_LENGTH
from cogs.turns.games_panel import games_button
from cogs.turns.match_feature import MatchFeature
from cogs.words.holidays import WELCOME_BACK, begun

_DAYS: Final = frozenset(str(days) for days in range(1, MAX_DAYS + 1))


class OwnTimes(MatchFeature):
    """Buttons and menus for quiet hours (without reminders) and holidays (in which a person's clocks stand still)."""

    @handles(Action.PREFER_QUIET_HOURS)
    async def _prefer_quiet_hours(self, interaction: Interaction, event: ComponentEvent) -> None:
        hour, begins = event.value, event.argument == BEGIN
        if event.argument not in (BEGIN, END) or (hour not in HOURS and not (begins and hour == NO_QUIET_HOURS)):
            raise UnknownComponent
        await self._set_quiet_hours(interaction, None, hour if begins else None, None if begins else hour)

    @handles(Action.ASK_TIME_ZONE)
    async def _ask_time_zone(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show_dialog(interaction, zone_dialog(MAX_TIME_ZONE_LENGTH))

    @handles(Action.PREFER_TIME_ZONE)
    async def _prefer_time_zone(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Save the typed or chosen time zone. If several names contain the typed text, show a menu of those zones."""
        typed = event.value
        if not event.typed and typed not in time_zones():
            raise UnknownComponent
        zone = find_time_zone(typed)
        matching = matching_time_zones(typed) if zone is None and typed.strip() else []
        if len(matching) > 1:
            await show(interaction, zones_panel(typed, matching))
        else:
            await self._set_quiet_hours(interaction, zone or (matching or [typed])[0], None, None)

    async def _set_quiet_hours(
        self, interaction: Interaction, zone: str | None, begins: str | None, ends: str | None
    ) -> None:
        settings = await self._app.people.set_quiet_hours(person_of(interaction), zone, begins, ends)
        await show(interaction, quiet_hours_panel(settings.preferences.quiet, "Saved."))

    @handles(Action.TAKE_HOLIDAY)
    async def _take_holiday(self, interaction: Interaction, event: ComponentEvent) -> None:
        if event.value not in _DAYS:
            raise UnknownComponent
        holiday = await self._app.holidays.take(person_of(interaction), int(event.value))
        await show(interaction, holiday_panel(holiday, begun(holiday)))

    @handles(Action.COME_BACK)
    async def _come_back(self, interaction: Interaction, event: ComponentEvent) -> None:
        """End the person's holiday, and update the message that the button was on."""
        if event.subject == Subject.SELF:
            await self._app.holidays.end(person_id_of(interaction))
            with after_saving():
                await show(interaction, await self._after_holiday(interaction, event.argument))
            return
        person_id, match_id = person_id_of(interaction), event.match_id
        await self._app.lookup.hand(person_id, match_id)
        await self._app.holidays.end(person_id, match_id if clicked_direct_message(interaction) else None)
        with after_saving():
            hand = await self._app.lookup.hand(person_id, match_id)
            await self._hands.show(interaction, replace(hand, returned_from_holiday=True))

    async def _after_holiday(self, interaction: Interaction, shown: str | None) -> Message:
        person_id = person_id_of(interaction)
        match shown:
            case Action.OPEN_PREFERENCE:
                return preferences_panel(await self._app.people.settings(person_id), WELCOME_BACK)
            case Action.TAKE_HOLIDAY:
                return holiday_panel(await self._app.holidays.current(person_id), WELCOME_BACK)
            case _:
                text = f"{WELCOME_BACK} Your clock is running again in matches where it's your turn."
                return note(text, Accent.YOURS, games_button())
