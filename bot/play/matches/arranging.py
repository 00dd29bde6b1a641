"""Saves the order in which players have arranged their cards."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards.cards import Card
from bot.engine.matches.views import seat_view
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.play.loading.arranged_hands import stored_cards
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.play.outbox.changes import Change
from bot.store import matches


class Arranging(MatchService):
    """Saves the order of players' cards."""

    def note_press(self, hand: OwnHand) -> None:
        """Note that a player arranges their cards, so that an update does not replace the buttons under their thumb."""
        self._units.note_arranging(hand.match, hand.view.seat)

    def note_end(self, hand: OwnHand) -> None:
        """Note that a player sees their hand again."""
        self._units.note_arranged(hand.match.id, hand.view.seat)

    def goes_on(self, hand: OwnHand) -> bool:
        """Return True if a player arranges their cards now."""
        return self._units.arranging_until(hand.match.id, hand.view.seat) is not None

    @shielded
    async def arrange(self, person_id: PersonId, match_id: MatchId, cards: Sequence[Card]) -> OwnHand:
        """Save the order of a player's cards until the end of the deal, and return their hand.

        Cards that are not in the hand are left out, and no cards restore the order that the player prefers. Messages
        with the hand show the order when they are updated the next time: an update now would put buttons that discard
        cards where the player is pressing. Raise `NoMatch`, `NotSeated`, `MatchOver` or `Frozen`.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            hand = seat_view(loaded.state, seat).hand
            held = [card for card in cards if card in hand]
            matches.change_some_seats(
                unit.transaction, match_id, [seat], arranged=stored_cards(loaded.state, seat, held)
            )
            loaded = await self._writer.revise(unit, loaded, Change(boards=()))
            return loaded.hand(seat, unit.now)
