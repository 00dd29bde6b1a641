"""After a knock: the opponents' answers, one after the other, and the settlement of the deal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, Hand
from bot.engine.cards.melds import least_deadwood, print_melds
from bot.engine.deals.deal import Deal, Seating, start_deal
from bot.engine.deals.lay_offs import remaining_hand, shown_arrangement, suggested_response
from bot.engine.deals.moves import DONE, Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import legal_moves, play
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.errors import IllegalMove
from bot.engine.rules import Rules
from tests.engine.decks import DEALER, FIRST, GIN_HAND, POOR_HAND, deal, outcome, played, table
from tests.engine.strategies import seeds
from tests.helpers.examples import examples

MANUAL = Rules(lay_off_mode="manual")
DEALT = deal(f"{GIN_HAND} 9s", "4c 4h 5c 6c 7d 8d 9d Ks Ts Js", "Qd", rules=MANUAL)
"""A deal in which seat 0 can take the upcard Qd and knock by discarding 9s. Only the queen is then unmatched."""
AFTER_KNOCK = played(DEALT, "take", "k 9s")


def legal_texts(before: Deal) -> list[str]:
    """Return the legal moves in notation."""
    return list(map(str, legal_moves(before)))


def test_a_knock_waits_for_its_answer() -> None:
    """After a knock, the opponent may choose melds, lay off single cards, or finish. The knocker cannot move."""
    assert (AFTER_KNOCK.phase, AFTER_KNOCK.to_act, AFTER_KNOCK.outcome) == (Phase.LAY_OFF, DEALER, None)
    assert legal_texts(AFTER_KNOCK) == [
        "m -",
        "m 4c5c6c",
        "m 4c5c6c/7d8d9d",
        "m 7d8d9d",
        "l 4c>Ac2c3c",
        "l 7d>4d5d6d",
        "l Ks>KcKdKh",
        "done",
    ]
    with pytest.raises(IllegalMove) as caught:
        played(AFTER_KNOCK, "draw")
    assert caught.value.code == "lay-off-first"


def test_each_lay_off_makes_room_for_the_next() -> None:
    """A card that was laid off leaves the hand, and the next card of its suit may then extend the same run."""
    after = played(AFTER_KNOCK, "l 4c>Ac2c3c", "l 5c>Ac2c3c")
    assert after.to_act == DEALER
    assert "l 6c>Ac2c3c" in legal_texts(after)
    assert "m 7d8d9d" in legal_texts(after)
    assert remaining_hand(after, 1) == Hand.parse("4h 6c 7d 8d 9d Ks Ts Js")
    assert remaining_hand(after, 0) == after.hands[0]


@pytest.mark.parametrize(
    ("moves", "card", "code"),
    [
        ((), "4h", "lay-off"),
        ((), "3d", "not-in-hand"),
        (("l 4c>Ac2c3c",), "4c", "laid-off"),
        (("m 7d8d9d",), "7d", "own-meld"),
    ],
)
def test_a_refused_lay_off_names_the_reason(moves: tuple[str, ...], card: str, code: str) -> None:
    """The error gives the reason: the card fits no meld, is not in the hand, or is already laid off or melded."""
    with pytest.raises(IllegalMove) as caught:
        played(AFTER_KNOCK, *moves, f"l {card}>4d5d6d")
    assert caught.value.code == code


def test_without_a_chain_cards_go_next_to_the_original_meld() -> None:
    """Without `lay_off_chain`, a run takes only one card at each end, and a set its fourth card."""
    rules = Rules(lay_off_mode="manual", lay_off_chain=False)
    after = played(deal(f"{GIN_HAND} 9s", "4c 4h 5c 6c 7d 8d 9d Ks Ts 3d", "Qd", rules=rules), "take", "k 9s")
    assert [move for move in legal_texts(after) if move[0] == "l"] == [
        "l 4c>Ac2c3c",
        "l 3d>4d5d6d",
        "l 7d>4d5d6d",
        "l Ks>KcKdKh",
    ]
    for move in ("l 4c>Ac2c3c", "l 7d>4d5d6d", "l 3d>4d5d6d"):
        after = played(after, move)
    assert [move for move in legal_texts(after) if move[0] == "l"] == ["l Ks>KcKdKh"]


def test_the_opponent_may_decline() -> None:
    """An opponent who lays off nothing is charged for the hand's least possible deadwood."""
    end = outcome(played(AFTER_KNOCK, "done"))
    assert (end.kind, end.winner, end.lay_offs, end.deadwood) == (OutcomeKind.KNOCK, FIRST, (), (10, 34))
    assert str(end.hands[1]) == "4c5c6c 7d8d9d | 4h Ts Js Ks"
    assert end.points == 24


def test_manual_lay_offs_match_the_automatic_response() -> None:
    """Laying off the suggested cards by hand has the same outcome as the automatic response."""
    by_hand = AFTER_KNOCK
    for lay_off in suggested_response(AFTER_KNOCK).lay_offs:
        by_hand = play(by_hand, Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,)))
    at_once = played(deal(f"{GIN_HAND} 9s", "4c 4h 5c 6c 7d 8d 9d Ks Ts Js", "Qd"), "take", "k 9s")
    assert outcome(play(by_hand, DONE)) == outcome(at_once)
    assert outcome(at_once).deadwood == (10, 24)


def test_chosen_melds_are_final() -> None:
    """After choosing melds, the opponent can lay off only unmatched cards, and cannot choose other melds."""
    chosen = played(AFTER_KNOCK, "m 7d8d9d")
    assert legal_texts(chosen) == ["l 4c>Ac2c3c", "l Ks>KcKdKh", "done"]
    assert str(shown_arrangement(chosen, 1)) == "7d8d9d | 4c 4h 5c 6c Ts Js Ks"
    answer = suggested_response(chosen)
    assert print_melds(answer.arrangement.melds) == "7d8d9d"
    assert [str(lay_off.card) for lay_off in answer.lay_offs] == ["4c", "5c", "6c", "Ks"]
    assert outcome(played(chosen, "done")).deadwood == (10, 49)
    with pytest.raises(IllegalMove) as caught:
        played(chosen, "m")
    assert caught.value.code == "melds"
    with pytest.raises(IllegalMove):
        played(chosen, "l 7d>4d5d6d")
    assert played(AFTER_KNOCK, "m") == played(AFTER_KNOCK, "m 7d8d9d/4c5c6c")


def test_gin_and_knocks_without_lay_offs_settle_immediately() -> None:
    """Gin is scored immediately, and so is every knock if the rules have no lay-offs."""
    ginned = played(deal(f"{GIN_HAND} 7d", POOR_HAND, "Qd", stock="Qs", rules=MANUAL), "pass", "pass", "draw", "k Qs")
    assert (outcome(ginned).kind, outcome(ginned).lay_offs) == (OutcomeKind.GIN, ())
    quick = deal(f"{GIN_HAND} 9s", "4c 4h 5c 6c 7d 8d 9d Ks Ts Js", "Qd", rules=Rules.parse("quick"))
    end = outcome(played(quick, "take", "k 9s"))
    assert (end.deadwood, end.lay_offs) == ((10, 34), ())


THREE_HANDS = "7h 8h 9h 2c 2d 2s Ac", "6h Th Kc Qd 9s 5c 3c", "5h Jh Kd Qs 8s 4c 3d"


@pytest.mark.parametrize(
    ("rules", "second", "third"),
    [
        ("penalty", "6h>7h8h9h Th>7h8h9h", ""),
        ("penalty lay_off_chain=on", "6h>7h8h9h Th>7h8h9h", "5h>7h8h9h Jh>7h8h9h"),
        ("penalty lay_off=off", "", ""),
    ],
)
def test_opponents_answer_in_turn(rules: str, second: str, third: str) -> None:
    """Opponents lay off in turn order. Without `lay_off_chain`, a used end of a run is closed to the next opponent."""
    before = table(*THREE_HANDS, upcard="Ks", rules=rules)
    end = outcome(played(before, "take", "k Ac"))
    by_seat = [" ".join(str(lay_off) for lay_off in end.lay_offs if lay_off.seat == seat) for seat in (1, 2)]
    assert by_seat == [second, third]
    loose = [53 - (16 if second else 0), 50 - (15 if third else 0)]
    assert (end.kind, end.deadwood) == (OutcomeKind.KNOCK, (10, *loose))


def test_opponents_choose_in_turn() -> None:
    """With manual lay-offs, the third player lays off after the second and may extend the second player's lay-offs."""
    rules = "penalty lay_off_mode=manual lay_off_chain=on"
    before = table(*THREE_HANDS, upcard="Ks", rules=rules)
    first = played(before, "take", "k Ac")
    assert first.to_act == 1
    second = played(first, "l 6h>7h8h9h", "done")
    assert (second.to_act, second.phase) == (2, Phase.LAY_OFF)
    assert [move for move in legal_texts(second) if move[0] == "l"] == ["l 5h>7h8h9h"]
    assert remaining_hand(second, 1) == Hand.parse("Th Kc Qd 9s 5c 3c")
    assert [str(shown_arrangement(second, place)) for place in (0, 1)] == [
        "2c2d2s 7h8h9h | Ks",
        "| 3c 5c 9s Th Qd Kc",
    ]
    assert legal_texts(played(second, "l 5h>7h8h9h"))[-1] == "done"
    end = outcome(played(second, "l 5h>7h8h9h", "done"))
    assert (end.deadwood, [int(lay_off.seat) for lay_off in end.lay_offs]) == ((10, 47, 45), [1, 2])


@pytest.mark.thorough
@examples(25)
@given(seeds)
def test_no_answer_beats_the_best(seed: int) -> None:
    """The suggested lay-offs can be played, and no other lay-offs leave less deadwood."""
    rng = random.Random(seed)
    few = rng.sample(DECK[:28], 28)
    rules = Rules(lay_off_mode="manual", knock_limit=100, lay_off_chain=rng.random() < 0.5)
    before = played(start_deal(rules, Seating(1, (FIRST, DEALER), DEALER, 1), (*few, *DECK[28:])), "take")
    before = play(before, rng.choice([move for move in legal_moves(before) if move.verb is Verb.KNOCK]))
    if before.outcome is not None:
        return
    promised = suggested_response(before).arrangement.deadwood
    best, any_way = before, before
    for lay_off in suggested_response(before).lay_offs:
        best = play(best, Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,)))
    assert outcome(play(best, DONE)).deadwood[1] == promised == least_deadwood(remaining_hand(best, 1))
    while any_way.outcome is None:
        assert suggested_response(any_way).arrangement.deadwood >= promised
        any_way = play(any_way, rng.choice(legal_moves(any_way)))
    assert outcome(any_way).deadwood[1] >= promised
