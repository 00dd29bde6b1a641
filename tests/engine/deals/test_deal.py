"""How cards are dealt, and the properties of a new deal."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.deals.deal import Seating, start_deal
from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.engine.rules import Rules
from tests.engine.decks import DEALER, FIRST, POOR_HAND, deal, played, table

HAND = "Ac 3c 5c 7c 9c Jc Kc 3d 5d 7d"


def test_cards_are_dealt_one_at_a_time_from_the_player_after_the_dealer() -> None:
    """Cards are dealt one at a time, first player first. The 21st card is the upcard, and the rest is the stock."""
    before = start_deal(Rules(), Seating(1, (FIRST, DEALER), DEALER, 1), DECK)
    assert before.hands == (Hand.of(DECK[0:20:2]), Hand.of(DECK[1:20:2]))
    assert before.discards == (before.upcard,) == (DECK[20],)
    assert before.stock == DECK[21:]
    assert (before.phase, before.to_act, before.dealer) == (Phase.OFFER, FIRST, DEALER)


@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_get_seven_each(players: int) -> None:
    """Three or four players get seven cards each, dealt in order of play. The next card is the upcard."""
    seats = tuple(Seat((2 + step) % players) for step in range(players))
    before = start_deal(Rules.parse("penalty"), Seating(5, seats, seats[-1], 1), DECK)
    assert before.hands == tuple(Hand.of(DECK[place : 7 * players : players]) for place in range(players))
    assert (before.upcard, len(before.stock)) == (DECK[7 * players], 52 - 7 * players - 1)
    assert (before.number, before.seats, before.dealer, before.to_act) == (5, seats, seats[-1], seats[0])


def test_a_dealer_may_sit_out() -> None:
    """The dealer may be a player who takes no part in the deal."""
    before = start_deal(Rules(), Seating(2, (Seat(2), Seat(0)), Seat(1), board=2), DECK)
    assert (before.dealer, before.seats, before.to_act, before.board) == (1, (2, 0), 2, 2)


@pytest.mark.parametrize(
    ("rules", "upcard", "limit"),
    [
        ("classic", "Ks", 10),
        ("classic knock_limit=7", "As", 7),
        ("straight", "Ks", 0),
        ("oklahoma", "Ks", 10),
        ("oklahoma", "Js", 10),
        ("oklahoma", "Td", 10),
        ("oklahoma", "7h", 7),
        ("oklahoma", "2d", 2),
        ("oklahoma", "Ad", 0),
        ("oklahoma oklahoma_ace=1", "Ad", 1),
        ("oklahoma aces=round_the_corner", "Ad", 0),
        ("oklahoma aces=round_the_corner oklahoma_ace=1", "Ad", 1),
    ],
)
def test_the_knock_limit_is_agreed_or_turned_up(rules: str, upcard: str, limit: int) -> None:
    """The rules set the knock limit. In Oklahoma it is the upcard's points; an ace means gin only or, by option, 1."""
    before = deal(HAND, POOR_HAND.replace("2h", "Kd"), upcard, rules=Rules.parse(rules))
    assert before.knock_limit == limit
    assert played(before, "take").knock_limit == limit


def test_discards_do_not_change_the_knock_limit() -> None:
    """If the upcard sets the knock limit, later discards do not change it."""
    before = table(HAND, POOR_HAND, upcard="5h", rules="penalty knock_limit=upcard")
    assert played(before, "take", "x Kc").upcard == Card.parse("5h")
