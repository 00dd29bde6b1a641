"""Positions taken directly from matches, without a seat's view."""

from __future__ import annotations

from bot.engine.matches.views import seat_view, showdown_view
from bot.engine.rules import Rules
from bot.opponent.play.observation import past_deals
from bot.opponent.play.position import PastDeal, Position
from tests.opponent.helpers import each_table, positions


@each_table(2)
def test_a_position_equals_the_one_of_the_view(preset: str, seats: int) -> None:
    """A position taken from the match equals the one created from the seat's view and the earlier showdowns."""
    histories = dict[tuple[int, int], PastDeal]()
    for table, seat, position in positions(Rules.parse(preset), seats, preset, limit=250):
        for deal, past_deal in zip(table.match.finished, table.past, strict=True):
            histories.setdefault((deal.number, deal.board), past_deal)
        past = tuple(
            PastDeal.of(showdown_view(table.match, number, board), history.history)
            for (number, board), history in histories.items()
        )
        assert position == Position.of(seat_view(table.match, seat), past)
        assert past_deals(table.match) == past
