"""Buttons with which players arrange their cards."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards.cards import Card
from bot.engine.errors import NotationError
from bot.model.matches import OwnHand
from cogs.actions import Action
from cogs.delivery.feature import handles
from cogs.delivery.interactions import person_id_of
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.turns.arranging_panel import may_arrange, moved, parse
from cogs.turns.match_feature import MatchFeature


class Arranging(MatchFeature):
    """Arranges a player's own cards."""

    @handles(Action.ARRANGE)
    async def _pick(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the cards to pick, or the places for the picked cards."""
        picked, _ = _parse(event)
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        await self._ask(interaction, hand, picked if moved(hand, picked, None) is not None else ())

    @handles(Action.ARRANGE_BEFORE)
    async def _put(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Move the picked cards. If the hand has changed and lacks one of the cards, change nothing."""
        picked, before = _parse(event)
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        cards = moved(hand, picked, before)
        if cards is not None and may_arrange(hand):
            hand = await self._arrange(interaction, event, cards)
        await self._ask(interaction, hand)

    @handles(Action.ARRANGE_BY_DEFAULT)
    async def _sort(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._ask(interaction, await self._arrange(interaction, event, ()))

    async def _arrange(self, interaction: Interaction, event: ComponentEvent, cards: Sequence[Card]) -> OwnHand:
        return await self._app.arranging.arrange(person_id_of(interaction), event.match_id, cards)

    async def _ask(self, interaction: Interaction, hand: OwnHand, picked: Sequence[Card] = ()) -> None:
        """Show the cards to arrange. If they cannot be arranged any more, show the hand."""
        in_server = interaction.guild_id is not None
        if may_arrange(hand):
            self._app.arranging.note_press(hand, picked, in_server=in_server)
        await self._hands.show(interaction, hand, question=self._hands.arranging(hand, in_server=in_server))


def _parse(event: ComponentEvent) -> tuple[list[Card], Card | None]:
    """Parse the cards of a button. Raise `UnknownComponent` if they are not valid notation."""
    try:
        return parse(event.argument or "")
    except NotationError:
        raise UnknownComponent from None
