"""Buttons and the menu that block people."""

from __future__ import annotations

from bot.model.ids import PersonId
from cogs.actions import Action
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import chosen_bots, person_id_of, person_of, shown_choices
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent, parse_id
from cogs.kit.layout import note
from cogs.people.blocks_panel import NOT_BLOCKED, UNBLOCKED, blocked_note, blocked_panel


class Blocks(Feature):
    """Blocks people, and takes that back."""

    @handles(Action.BLOCK)
    async def _block(self, interaction: Interaction, event: ComponentEvent) -> None:
        blocked_id = _other_person(interaction, event.argument)
        await self._app.blocks.block(person_of(interaction), blocked_id)
        await show(interaction, blocked_note(blocked_id), as_new_message=True)

    @handles(Action.UNBLOCK)
    async def _unblock(self, interaction: Interaction, event: ComponentEvent) -> None:
        blocked_id = _other_person(interaction, event.argument)
        await self._app.blocks.unblock(person_of(interaction), blocked_id)
        await show(interaction, note(UNBLOCKED.format(blocked_id)))

    @handles(Action.CHANGE_BLOCKED)
    async def _change_blocked(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Block people that were added to the menu's choices, and unblock those that were removed.

        Choosing oneself or a bot does nothing.
        """
        nobody = {person_id_of(interaction), *chosen_bots(interaction)}
        chosen = {PersonId(parse_id(value)) for value in event.values}
        # People who were blocked or unblocked elsewhere since the menu was shown stay so.
        shown = {PersonId(chosen_id) for chosen_id in shown_choices(interaction)}
        await self._app.blocks.change(person_of(interaction), blocked=chosen - shown - nobody, unblocked=shown - chosen)
        with after_saving():
            blocked = await self._app.blocks.blocked_by(person_id_of(interaction))
            await show(interaction, blocked_panel(blocked, NOT_BLOCKED if nobody & chosen else "Saved."))


def _other_person(interaction: Interaction, argument: str | None) -> PersonId:
    """Return the person that a button names. Raise `UnknownComponent` if it names nobody else than the user."""
    person_id = PersonId(parse_id(argument or ""))
    if person_id == person_id_of(interaction):
        raise UnknownComponent
    return person_id
