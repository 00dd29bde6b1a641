"""One deal: its phases, what is legal in each, and how it ends."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from bot.engine.cards import DECK, Card, Hand
from bot.engine.deal import Deal, Phase, canonical, legal_moves, play, start
from bot.engine.errors import IllegalMove
from bot.engine.melds import arrangements
from bot.engine.moves import Move, Verb, discard, knock
from bot.engine.rules import Rules
from bot.engine.showdown import Kind
from tests import oracle
from tests.engine.decks import DEALER, FIRST, GIN_HAND, POOR_HAND, deal, deck, outcome, played, shuffled
from tests.engine.strategies import seeds

KNOCKER = f"{GIN_HAND} Qh"


def text(moves: tuple[Move, ...]) -> list[str]:
    """Moves in notation."""
    return list(map(str, moves))


def test_cards_are_dealt_one_at_a_time_from_the_player_after_the_dealer() -> None:
    """The first, third, … card go to the first player; the twenty-first is turned up; the rest is the stock."""
    before = start(Rules(), 1, (FIRST, DEALER), DECK)
    assert before.hands == (Hand.of(DECK[0:20:2]), Hand.of(DECK[1:20:2]))
    assert before.discards == (before.upcard,) == (DECK[20],)
    assert before.stock == DECK[21:]
    assert (before.phase, before.to_act, before.dealer) == (Phase.OFFER, FIRST, DEALER)


def test_the_first_player_takes_the_upcard_or_passes() -> None:
    """Before anything else the upcard is offered to the player after the dealer, then to the dealer."""
    before = deal(KNOCKER, POOR_HAND, "Ks")
    assert text(legal_moves(before)) == ["pass", "take"]
    after = played(before, "pass")
    assert after.to_act == DEALER
    assert text(legal_moves(after)) == ["pass", "take"]
    assert played(after, "take").hands[1] == Hand.parse(POOR_HAND) + Card.parse("Ks")


def test_after_two_passes_the_first_player_must_draw() -> None:
    """Once both have refused the upcard, the first card comes from the stock."""
    after = played(deal(KNOCKER, POOR_HAND, "Ks"), "pass", "pass")
    assert after.to_act == FIRST
    assert text(legal_moves(after)) == ["draw"]
    with pytest.raises(IllegalMove) as caught:
        played(after, "take")
    assert caught.value.code == "refused"


def test_a_turn_is_a_draw_and_a_discard() -> None:
    """After a draw the hand has eleven cards; after the discard ten again, and the other player may take it."""
    drawn = played(deal(KNOCKER, POOR_HAND, "Ks", stock="9c"), "pass", "pass", "draw")
    assert (len(drawn.hands[0]), drawn.drawn, drawn.taken) == (11, Card.parse("9c"), None)
    after = played(drawn, "x 9c")
    assert (len(after.hands[0]), after.drawn, after.to_act) == (10, None, DEALER)
    assert text(legal_moves(after)) == ["draw", "take"]
    assert played(after, "take").taken == Card.parse("9c")


def test_a_card_taken_from_the_pile_stays_for_a_turn() -> None:
    """The card just taken may be neither discarded nor knocked with, the upcard included; one from the stock may."""
    taken = played(deal(KNOCKER, POOR_HAND, "As", stock="7d 3s"), "take")
    assert not any(move.card == Card.parse("As") for move in legal_moves(taken))
    for move in ("x As", "k As"):
        with pytest.raises(IllegalMove) as caught:
            played(taken, move)
        assert caught.value.code == "just-taken"
    later = played(taken, "x Qh", "draw", "x 7d", "draw")
    assert {"x As", "x 3s"} <= set(text(legal_moves(later)))


@pytest.mark.parametrize("loose", ["Td", "Qh", "9s", "As"])
def test_ten_or_less_may_knock(loose: str) -> None:
    """A knock that leaves ten is legal; ten is the limit."""
    drawn = played(deal(f"{GIN_HAND} {loose}", POOR_HAND, "Js", stock="Qs"), "pass", "pass", "draw")
    assert any(move.verb is Verb.KNOCK and move.card == Card.parse("Qs") for move in legal_moves(drawn))


def test_eleven_may_not_knock() -> None:
    """A knock that leaves more than the limit is refused, and the message says how much it leaves."""
    drawn = played(
        deal("Ac 2c 3c 4d 5d 6d 9s Ts Ks Qh", POOR_HAND[:-3] + " 7c", "7s", stock="Qs"), "pass", "pass", "draw"
    )
    with pytest.raises(IllegalMove, match="it would leave 39, and the knock limit is 10") as caught:
        played(drawn, "k Qs")
    assert caught.value.code == "too-much"


def test_only_gin_goes_out_under_a_limit_of_nothing() -> None:
    """With the knock limit at 0 a hand with an ace left may not knock; one with nothing left goes gin."""
    straight = Rules.parse("straight")
    almost = played(deal(f"{GIN_HAND} As", POOR_HAND, "Js", "Qs", rules=straight), "pass", "pass", "draw")
    assert not any(move.verb is Verb.KNOCK for move in legal_moves(almost))
    gin = played(deal(f"{GIN_HAND} As", POOR_HAND, "Ks", rules=straight), "take")
    assert text(legal_moves(gin))[-1] == "k As Ac2c3c/4d5d6d/KcKdKhKs"


def test_a_knock_that_names_no_melds_gets_the_default_ones() -> None:
    """The canonical knock is in the history, and equals one that names the melds in any order."""
    drawn = played(
        deal("3c 3d 3h 3s 4s 5s Kc Kd Kh Qh", POOR_HAND.replace("4s", "Qd").replace("2h", "Qc"), "As", "Ac"),
        "pass",
        "pass",
        "draw",
    )
    assert str(canonical(drawn, Move.parse("k Qh"))) == "k Qh 3c3d3h/3s4s5s/KcKdKh"
    assert played(drawn, "k Qh") == played(drawn, "k Qh KhKdKc/3s4s5s/3c3d3h")
    chosen = played(drawn, "k Qh 3c3d3h3s/KcKdKh")
    assert outcome(chosen).deadwood[0] == 10
    assert played(drawn, "k Qh").history[-1].melds is not None


def test_a_deal_is_void_when_a_discard_leaves_two_in_the_stock() -> None:
    """Twenty-nine draws without a knock void the deal; the twenty-eighth discard does not yet."""
    after = played(deal(KNOCKER, POOR_HAND, "Ks"), "pass", "pass")
    for drawn in range(29):
        assert after.outcome is None
        assert len(after.stock) == 31 - drawn
        after = play(after, Move(Verb.DRAW))
        assert after.drawn is not None
        after = play(after, discard(after.drawn))
    assert len(after.stock) == 2
    assert (outcome(after).kind, outcome(after).points, outcome(after).winner) == (Kind.VOID, 0, None)
    assert legal_moves(after) == ()
    with pytest.raises(IllegalMove) as caught:
        played(after, "draw")
    assert caught.value.code == "over"


def test_a_knock_is_still_possible_with_the_last_draw() -> None:
    """The player who draws the third-last card may knock with it."""
    after = played(deal(KNOCKER, POOR_HAND, "Ks"), "pass", "pass")
    while len(after.stock) > 3:
        after = play(after, Move(Verb.DRAW))
        assert after.drawn is not None
        after = play(after, discard(after.drawn))
    after = played(after, "draw")
    assert after.to_act == FIRST
    assert outcome(played(after, "k Qh")).kind is not Kind.VOID


def every_move(before: Deal) -> list[Move]:
    """Every move that can be written about cards: each word, card, and way to lay down any ten of the hand's cards."""
    bare = [Move(verb) for verb in (Verb.PASS, Verb.TAKE, Verb.DRAW, Verb.BIG_GIN, Verb.DONE, Verb.MELD, Verb.RESIGN)]
    moves = [*bare, *map(discard, DECK), *map(knock, DECK)]
    for card in DECK:
        hand = before.hands[before.turn] - card
        moves += [knock(card, laid.melds) for laid in arrangements(hand, 30)]
    return moves


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_exactly_the_legal_moves_are_accepted(seed: int) -> None:
    """At points of a random deal each legal move is applied, and every other that can be written is refused."""
    rng = random.Random(seed)
    before = start(Rules(), 1, (FIRST, DEALER), shuffled(rng))
    while before.phase is not Phase.DONE:
        moves = legal_moves(before)
        assert len(set(moves)) == len(moves)
        if rng.random() < 0.15:
            for move in every_move(before):
                if canonical(before, move) in moves:
                    assert play(before, move).history[-1] == canonical(before, move)
                else:
                    with pytest.raises(IllegalMove):
                        play(before, move)
        before = play(before, rng.choice(moves))


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_cards_are_neither_lost_nor_made(seed: int) -> None:
    """After each move of a random deal the two hands, the pile and the stock are the 52 cards, each once."""
    rng = random.Random(seed)
    before = start(Rules(), 1, (FIRST, DEALER), shuffled(rng))
    while True:
        everywhere = [*before.hands[0], *before.hands[1], *before.discards, *before.stock]
        assert sorted(everywhere) == list(DECK)
        if before.phase is Phase.DONE:
            break
        before = play(before, rng.choice(legal_moves(before)))


@pytest.mark.parametrize("seed", range(20))
def test_a_deal_goes_as_brute_force_says(seed: int) -> None:
    """Move by move, the engine and the oracle list the same moves and come to the same result."""
    compare_with_brute_force(random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_deals_go_as_brute_force_says(seed: int) -> None:
    """The same over three hundred deals."""
    compare_with_brute_force(random.Random(seed))


def compare_with_brute_force(rng: random.Random) -> None:
    """Play one deal on both sides, with discards that leave little, so that most end in a knock."""
    cards = shuffled(rng)
    fast, slow = start(Rules(), 1, (FIRST, DEALER), cards), oracle.Deal(tuple(map(str, cards)))
    while fast.phase is not Phase.DONE:
        moves = legal_moves(fast)
        assert set(text(moves)) == slow.legal()
        knocks = [move for move in moves if move.verb is Verb.KNOCK]
        discards = sorted((move for move in moves if move.verb is Verb.DISCARD), key=lambda move: _left(fast, move))
        move = rng.choice(knocks if knocks and rng.random() < 0.5 else discards[:2] or moves)
        fast = play(fast, move)
        slow.play(str(move))
    end = outcome(fast)
    assert (end.kind.value, end.winner, end.deadwood, end.points) == slow.result
    assert slow.legal() == set()


def _left(before: Deal, move: Move) -> int:
    return oracle.least_deadwood(tuple(str(card) for card in before.hands[before.turn] if card is not move.card))


def test_the_deck_of_a_chosen_deal_is_whole() -> None:
    """The tests' own decks hold each card once."""
    assert sorted(deck(KNOCKER, POOR_HAND, "Ks", "9c")) == list(DECK)
