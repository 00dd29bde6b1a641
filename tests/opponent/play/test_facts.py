"""The facts that a seat knows about every card."""

from __future__ import annotations

from bot.engine.cards.cards import Hand
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.views import PublicMove
from bot.engine.rules import Rules
from bot.opponent.play.facts import Facts, Habits
from bot.opponent.play.hand_arrays import CARDS_BY_INDEX
from bot.opponent.play.position import PastDeal
from tests.opponent.helpers import RESEARCH, each_table, positions


def cards_in(mask: int) -> Hand:
    """Return the cards of a mask made by `mask_of`."""
    return Hand.of(card for index, card in enumerate(CARDS_BY_INDEX) if mask >> index & 1)


@each_table(3)
def test_known_cards_are_held(preset: str, seats: int) -> None:
    """The next player really holds the cards in `Facts.known`, and no card is in two places."""
    known = 0
    for table, seat, position in positions(Rules.parse(preset), seats, preset, limit=200):
        facts, deal = Facts.of(position), table.match.deal_of(seat)
        next_player = deal.seats[(deal.turn + 1) % len(deal.seats)]
        hands = dict(zip(deal.seats, deal.hands, strict=True))
        assert cards_in(facts.own_cards) == position.hand
        assert cards_in(facts.pile) == Hand.of(position.discards)
        assert hands[next_player].holds(cards_in(facts.known))
        for card in cards_in(facts.known_elsewhere):
            assert any(card in hand for other, hand in hands.items() if other not in (seat, next_player))
        assert facts.own_cards + facts.known + facts.known_elsewhere + facts.pile == (
            facts.own_cards | facts.known | facts.known_elsewhere | facts.pile
        )
        known += bool(facts.known)
    assert known


def test_the_next_players_actions_are_distinguished() -> None:
    """The facts distinguish the next player's discards, taken cards and refused cards."""
    thrown, taken, refused = Hand.of(()), Hand.of(()), Hand.of(())
    number = 0
    for _, seat, position in positions(RESEARCH, 2, "deeds"):
        facts = Facts.of(position)
        if position.number != number:
            number = position.number
        theirs = [move for move in position.history if move.seat != seat]
        thrown = Hand.of({move.card for move in theirs if move.verb is Verb.DISCARD and move.card})
        taken = Hand.of({move.card for move in theirs if move.verb is Verb.TAKE and move.card})
        assert cards_in(facts.discarded) == thrown
        assert cards_in(facts.taken) == taken
        refused = cards_in(facts.refused)
        assert len(refused) <= sum(move.verb in (Verb.DRAW, Verb.PASS) for move in theirs)
        assert facts.next_turns == sum(move.verb is Verb.DISCARD for move in theirs)
    assert number > 1
    assert refused


def test_habits() -> None:
    """`Habits` counts all finished deals. Turns, deadwood and gins come only from deals where the player went out."""
    first, second = Seat(0), Seat(1)
    turns = tuple(PublicMove(second, Verb.DISCARD, None) for _ in range(3))
    knock = PastDeal(1, (first, second), OutcomeKind.UNDERCUT, second, first, (3, 8), turns)
    gin = PastDeal(2, (second, first), OutcomeKind.GIN, second, second, (0, 31), turns[:2])
    other = PastDeal(3, (first, second), OutcomeKind.KNOCK, first, first, (2, 40), turns)
    void = PastDeal(4, (second, first), OutcomeKind.VOID, None, None, (), turns)
    assert Habits.of((knock, gin, other, void), second) == Habits(4, 2, 1, 8, 5)
    assert Habits.of((), second) == Habits(0, 0, 0, 0, 0)
