"""A match: chance from outside, whose turn it is, and whole random matches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bot.engine.cards import DECK, parse_cards
from bot.engine.errors import IllegalMove, RulesError
from bot.engine.match import (
    Chance,
    Cut,
    Match,
    Play,
    Shuffle,
    apply,
    apply_all,
    canonical_action,
    legal,
    may_resign,
    new_match,
)
from bot.engine.moves import DRAW, PASS, RESIGN, Move, Seat
from bot.engine.record import Record
from bot.engine.rules import Rules
from bot.engine.showdown import Kind
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_actions
from tests.engine.strategies import seeds

SEATS = (Seat(0), Seat(1))
FRESH = new_match(Rules(), 2)
CARDS = deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")
CUT = Cut(parse_cards("Kd 7h"))
BEGUN = apply_all(FRESH, [CUT, Shuffle(1, Seat(1), CARDS)])


def play(match: Match, seat: int, move: str) -> Match:
    """The match after a seat's move in notation."""
    return apply(match, Play(Seat(seat), Move.parse(move)))


def test_a_match_begins_with_the_cut() -> None:
    """A fresh match waits for the cut, then for a deck, and nobody is to act."""
    assert (FRESH.awaits, FRESH.to_act, FRESH.next_dealer) == (Chance.CUT, None, None)
    cut = apply(FRESH, CUT)
    assert (cut.awaits, cut.to_act, cut.next_dealer, cut.cut) == (Chance.DECK, None, 1, CUT.cards)
    assert (BEGUN.awaits, BEGUN.to_act, BEGUN.next_dealer) == (None, 0, 1)


@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [("7h Kd", 0), ("Kd 7h", 1), ("As Ks", 0), ("7s 7c", 1), ("7c 7d", 0), ("7h 7d", 1), ("7h 7s", 0)],
)
def test_the_lowest_card_deals(drawn: str, dealer: int) -> None:
    """The ace is lowest; of equal ranks clubs are lowest, then diamonds, hearts, spades."""
    assert apply(FRESH, Cut(parse_cards(drawn))).next_dealer == dealer


@pytest.mark.parametrize("action", [Cut(parse_cards("7h")), Cut(parse_cards("7h 7h")), Cut(parse_cards("7h 8h 9h"))])
def test_a_cut_is_one_card_a_seat(action: Cut) -> None:
    """Too few, too many and equal cards are refused."""
    with pytest.raises(IllegalMove):
        apply(FRESH, action)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Shuffle(2, Seat(1), DECK), "deal"),
        (Shuffle(1, Seat(0), DECK), "dealer"),
        (Shuffle(1, Seat(2), DECK), "dealer"),
        (Shuffle(1, Seat(1), DECK[1:]), "deck"),
        (Shuffle(1, Seat(1), (*DECK[1:], DECK[1])), "deck"),
        (CUT, "cut"),
        (Play(Seat(0), DRAW), "turn"),
    ],
)
def test_a_deal_that_is_not_next_is_refused(action: Cut | Shuffle | Play, code: str) -> None:
    """After the cut only the next deal, by the right dealer, with a whole deck, is accepted."""
    with pytest.raises(IllegalMove) as caught:
        apply(apply(FRESH, CUT), action)
    assert caught.value.code == code


def test_no_deck_comes_while_a_deal_is_in_play() -> None:
    """A second deck during a deal is refused."""
    with pytest.raises(IllegalMove, match="a deal is in play"):
        apply(BEGUN, Shuffle(1, Seat(1), DECK))


def test_rules_and_seats_must_be_playable() -> None:
    """A match is not begun under rules that are not played yet, nor with other than two players."""
    with pytest.raises(RulesError, match="lay_off=off is not played yet"):
        new_match(Rules(lay_off=False), 2)
    for seats in (0, 1, 3):
        with pytest.raises(RulesError, match=f"not for {seats} players"):
            new_match(Rules(), seats)


def test_only_the_seat_to_act_has_moves() -> None:
    """The other seat has none, nor has anyone between deals; anyone may resign."""
    assert legal(BEGUN, Seat(0)) != ()
    assert legal(BEGUN, Seat(1)) == legal(FRESH, Seat(0)) == ()
    assert [may_resign(BEGUN, Seat(seat)) for seat in (-1, 0, 1, 2)] == [False, True, True, False]


def test_a_finished_deal_makes_way_for_the_next() -> None:
    """After gin the match waits for the next deck, dealt by the other seat."""
    after = play(play(BEGUN, 0, "take"), 0, "k Qh")
    assert (after.deal, len(after.finished), after.awaits, after.next_dealer) == (None, 1, Chance.DECK, 0)
    assert after.score.scores == (85, 0)


def test_a_knock_is_canonical_with_its_melds() -> None:
    """An action that leaves the melds open is completed as it will be kept; others stay as they are."""
    taken = play(BEGUN, 0, "take")
    assert str(canonical_action(taken, Play(Seat(0), Move.parse("k Qh")))) == "0 k Qh Ac2c3c/4d5d6d/KcKdKhKs"
    assert canonical_action(taken, Play(Seat(0), PASS)) == Play(Seat(0), PASS)
    assert canonical_action(FRESH, CUT) == CUT


@pytest.mark.parametrize("before", [FRESH, BEGUN, play(BEGUN, 0, "take"), play(play(BEGUN, 0, "take"), 0, "k Qh")])
@pytest.mark.parametrize("seat", SEATS)
def test_a_resignation_ends_the_match_anywhere(before: Match, seat: Seat) -> None:
    """Every seat may resign at any time; the other wins; nothing goes on after it."""
    after = apply(before, Play(seat, RESIGN))
    assert (after.resigned, after.score.winner, after.to_act, after.awaits) == (seat, 1 - seat, None, None)
    assert after.score.scores == before.score.scores
    for action in (Play(seat, RESIGN), Play(SEATS[0], DRAW), Shuffle(len(before.finished) + 1, Seat(0), DECK), CUT):
        with pytest.raises(IllegalMove):
            apply(after, action)


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_a_random_match_keeps_the_rules(seed: int) -> None:
    """Each listed move of the seat to act is accepted and of the other refused; deals, scores and dealers add up."""
    rules = Rules(target=30)
    made: list[Cut | Shuffle | Play] = []
    for number, (before, action, _) in enumerate(random_actions(seed, rules)):
        made.append(action)
        if before.to_act is not None and number % 7 == 0:
            for move in legal(before, before.to_act):
                assert apply(before, Play(before.to_act, move)) != before
                with pytest.raises(IllegalMove):
                    apply(before, Play(Seat(1 - before.to_act), move))
        if isinstance(action, Shuffle) and before.finished:
            last = before.finished[-1]
            assert last.outcome is not None
            assert (action.dealer == last.dealer) == (last.outcome.kind is Kind.VOID)
    after = apply_all(new_match(rules, 2), made)
    check_score(after)
    assert Record.parse(str(Record(rules, tuple(made)))).replay() == after


def check_score(match: Match) -> None:
    """The scores of a finished match are the sums of its deals, and only its last deal reached the target."""
    sums, boxes = [0, 0], [0, 0]
    for deal in match.finished:
        assert max(sums) < 30
        assert deal.outcome is not None
        if deal.outcome.winner is not None:
            sums[deal.outcome.winner] += deal.outcome.points
            boxes[deal.outcome.winner] += 1
    score = match.score
    assert max(sums) >= 30
    assert (score.over, list(score.scores), list(score.deals_won)) == (True, sums, boxes)
    assert list(score.totals) == [sums[seat] + 20 * boxes[seat] + 100 * (sums[seat] >= 30) for seat in SEATS]
    assert score.winner is not None
    assert score.margin == score.totals[score.winner] - score.totals[1 - score.winner] >= 0
