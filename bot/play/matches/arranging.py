"""Saves the order in which players have arranged their cards, and remembers who is arranging cards now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.engine.matches.views import seat_view
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.play.loading.arranged_hands import stored_cards
from bot.play.loading.unit_of_work import Units, shielded
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.outbox.changes import Change
from bot.store import matches

ARRANGING_TIME: Final = timedelta(minutes=2)
"""Time since the last press after which a player counts as having stopped arranging cards."""


class Arranging(MatchService):
    """Saves the order of players' cards.

    While a player arranges them, updates of their hand must keep the buttons for that: otherwise a press could discard
    a card. This applies either to their hands `in_server` or to those in direct messages. Only the process in which
    the player presses knows it.
    """

    def __init__(self, units: Units, writer: MatchWriter) -> None:
        super().__init__(units, writer)
        self._picked: dict[tuple[MatchId, Seat, bool], tuple[tuple[Card, ...], datetime]] = {}
        """The cards that players have picked, and the times of their last presses."""

    def note_press(self, hand: OwnHand, picked: Sequence[Card], *, in_server: bool) -> None:
        """Note that a player arranges their cards and has picked some of them, or none yet."""
        now = self._units.clock()
        recent = {key: value for key, value in self._picked.items() if now < value[1] + ARRANGING_TIME}
        self._picked = recent | {(hand.match.id, hand.view.seat, in_server): (tuple(picked), now)}

    def note_end(self, hand: OwnHand, *, in_server: bool) -> None:
        """Note that a player sees their hand again."""
        self._picked.pop((hand.match.id, hand.view.seat, in_server), None)

    def picked(self, hand: OwnHand, *, in_server: bool) -> tuple[Card, ...] | None:
        """Return the cards that a player has picked to move; None if they are not arranging cards now."""
        picked, at = self._picked.get((hand.match.id, hand.view.seat, in_server), ((), None))
        return None if at is None or self._units.clock() >= at + ARRANGING_TIME else picked

    @shielded
    async def arrange(self, person_id: PersonId, match_id: MatchId, cards: Sequence[Card]) -> OwnHand:
        """Save the order of a player's cards until the end of the deal, and return their hand.

        Cards that are not in the hand are left out, and no cards restore the order that the player prefers. Other
        messages with the hand show the order when they are updated the next time. Raise `NoMatch`, `NotSeated`,
        `MatchOver` or `Frozen`.
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
