"""The messages of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.moves import Seat
from bot.play.values import Ping
from cogs.panels.match import leaving, ping
from tests.cogs.words.samples import begun, buttons, card_for, hand_of, words


def test_a_call_names_who_is_at_the_board() -> None:
    """Of three, who sits the deal out is not named; nor is anyone where the call is about an offer alone."""
    card = card_for(begun("rotation", 3))
    call = Ping(card, Seat(1), 10**18 + 1, to_act=True, against=(Seat(2),))
    assert words(ping(call)) == f"<@{10**18 + 1}>, it is your turn against ⁨East⁩."
    assert "against" not in words(ping(replace(call, to_act=False)))


@pytest.mark.parametrize(
    ("rules", "seats", "label"),
    [("classic", 2, "Claim the match"), ("partners", 4, "Claim the match"), ("rotation", 3, "End the match")],
)
def test_who_is_kept_waiting_has_a_way_out(rules: str, seats: int, label: str) -> None:
    """It wins the match where there are two sides; among three nobody wins then, so it is not called that."""
    shown = hand_of(begun(rules, seats), 0)
    assert label not in buttons(leaving(shown))
    assert label in buttons(leaving(replace(shown, may_claim=True)))
