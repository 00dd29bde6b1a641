"""Simulated matches."""

from __future__ import annotations

from bot.engine.rules import Rules
from tests.opponent.helpers import positions


def test_the_same_seed_has_the_same_cards() -> None:
    """The n-th deal has the same deck, whatever is played."""
    decks = list[dict[int, str]]()
    for seed in ("one", "one", "another"):
        found = dict[int, str]()
        for table, _, _ in positions(Rules.parse("research target=60"), 2, seed):
            found |= {deal.number: "".join(map(str, deal.deck)) for deal in table.match.playing}
        decks.append(found)
    assert decks[0] == decks[1]
    assert decks[0][1] != decks[2][1]
