"""The positions of a match."""

from __future__ import annotations

from bot.engine.rules import Rules
from bot.engine.views import seat_view, showdown_view
from bot.opponent.position import PastDeal, Position
from bot.opponent.seeing import past_deals
from tests.opponent.helpers import each_table, positions


@each_table(2)
def test_a_position_is_what_the_seat_may_see(preset: str, seats: int) -> None:
    """A position from the match equals the position from the seat's view and the earlier showdowns."""
    histories = dict[tuple[int, int], PastDeal]()
    for table, seat, position in positions(Rules.parse(preset), seats, preset, most=250):
        for deal, one in zip(table.match.finished, table.past, strict=True):
            histories.setdefault((deal.number, deal.board), one)
        past = tuple(
            PastDeal.of(showdown_view(table.match, number, board), one.history)
            for (number, board), one in histories.items()
        )
        assert position == Position.of(seat_view(table.match, seat), past)
        assert past_deals(table.match) == past
