"""A person's calendar of deals of the day: its buttons, and the menu that opens a past day."""

from __future__ import annotations

from datetime import date

from bot.play.application import Application
from cogs.actions import Action
from cogs.daily import daily_calendar_panel as panels
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import person_id_of
from cogs.delivery.pictures import Pictures
from cogs.delivery.replies import show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent, parse_day
from cogs.kit.messages import Message


async def own_calendar(
    interaction: Interaction, app: Application, pictures: Pictures, first: date | None = None
) -> Message:
    """Return the weeks of the person's calendar from the day `first`, by default the last weeks."""
    person_id = person_id_of(interaction)
    page = await app.daily_calendars.page(person_id, first)
    if page is None:
        return panels.nothing()
    preferences = await app.people.preferences(person_id)
    return await panels.calendar(page, interaction.user.display_name, preferences, pictures)


class DailyCalendar(Feature):
    """Buttons and menus that show people their own results in the deals of the day."""

    @handles(Action.DAILY_CALENDAR)
    async def _turn_page(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the weeks from a day on, or the last weeks."""
        first = None if event.argument is None else parse_day(event.argument)
        message = await own_calendar(interaction, self._app, self._pictures, first)
        await show(interaction, message, as_new_message=event.opens_new_message)

    @handles(Action.DAILY_DAY)
    async def _open_day(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with a past day in a new message: the calendar stays unchanged."""
        day = await self._app.daily_calendars.past_day(person_id_of(interaction), parse_day(event.value))
        if day is None:
            raise UnknownComponent
        await Answer.to(interaction).reply(panels.past_day(day))
