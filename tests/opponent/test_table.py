"""Simulated matches, and the positions in them."""

from __future__ import annotations

import pytest

from bot.engine.rules import Rules
from bot.engine.views import seat_view, showdown_view
from bot.opponent.position import PastDeal, Position
from tests.helpers.cases import slow_after
from tests.opponent.helpers import TABLES, positions


@pytest.mark.parametrize(("preset", "seats"), slow_after(1, TABLES))
def test_a_position_is_what_the_seat_may_see(preset: str, seats: int) -> None:
    """It is made of the match as `Position.of` makes it of the seat's view and the showdowns so far."""
    histories = dict[tuple[int, int], PastDeal]()
    for table, seat, position in positions(Rules.parse(preset), seats, preset, most=250):
        for deal, past in zip(table.match.finished, table.past, strict=True):
            histories.setdefault((deal.number, deal.board), past)
        past = tuple(
            PastDeal.of(showdown_view(table.match, number, board), one.history)
            for (number, board), one in histories.items()
        )
        assert position == Position.of(seat_view(table.match, seat), past)


def test_the_same_seed_has_the_same_cards() -> None:
    """Whatever is played, the n-th deal has the same deck."""
    decks = list[dict[int, str]]()
    for seed in ("one", "one", "another"):
        found = dict[int, str]()
        for table, _, _ in positions(Rules.parse("research target=60"), 2, seed):
            found |= {deal.number: "".join(map(str, deal.deck)) for deal in table.match.playing}
        decks.append(found)
    assert decks[0] == decks[1]
    assert decks[0][1] != decks[2][1]
