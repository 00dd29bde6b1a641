"""The menu of standing orders below a waiting player's hand, and the button that takes them back."""

from __future__ import annotations

from bot.engine.errors import NotationError
from bot.model.orders import NO_ORDERS, Orders
from cogs.actions import Action
from cogs.delivery.feature import handles
from cogs.delivery.interactions import clicked_direct_message, person_id_of
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.turns.match_feature import MatchFeature


class StandingOrders(MatchFeature):
    """Orders for a player's next turn."""

    @handles(Action.GIVE_ORDERS)
    async def _give(self, interaction: Interaction, event: ComponentEvent) -> None:
        try:
            orders = Orders.parse(event.values)
        except NotationError:
            raise UnknownComponent from None
        await self._save(interaction, event, orders)

    @handles(Action.UNDO_ORDERS)
    async def _undo(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._save(interaction, event, NO_ORDERS)

    async def _save(self, interaction: Interaction, event: ComponentEvent, orders: Orders) -> None:
        in_own_message = clicked_direct_message(interaction)
        person_id, give = person_id_of(interaction), self._app.orders.give
        hand = await give(person_id, event.match_id, orders, event.argument, in_own_message=in_own_message)
        await self._hands.show(interaction, hand)
        # The player may have the hand open in a private answer as well as in the direct message.
        await self._hands.refresh(event.match_id, {person_id: hand})
