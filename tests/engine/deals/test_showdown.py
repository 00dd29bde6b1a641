"""The end of a deal: melds, lay-offs and points."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces, Arrangement, Meld, parse_melds, points
from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import Outcome, OutcomeKind, Response, best_response, settle
from bot.engine.rules import Rules
from tests.engine.decks import DEALER, FIRST, arrangement, knock_outcome
from tests.reference import deals, scores

CLASSIC = scores.options("classic")
POOLS = {
    "the whole deck": deals.DECK,
    "five ranks": deals.DECK[8:28],
    "two suits": tuple(card for card in deals.DECK if card[1] in "hs"),
    "three suits of eight ranks": tuple(card for card in deals.DECK[:32] if card[1] != "d"),
}


def test_the_reference_knows_that_lay_offs_may_break_a_set() -> None:
    """The brute-force reference for these tests finds that breaking up a set to lay off a card can pay."""
    hand, melds = ("4s", "4h", "4d", "5s", "5h"), (("As", "2s", "3s"), ("Ah", "2h", "3h"))
    assert deals.least_deadwood(hand) == 10
    assert deals.least_after_lay_offs(hand, melds, CLASSIC) == 4


@pytest.mark.thorough
@pytest.mark.parametrize("pool", POOLS.values(), ids=POOLS)
def test_the_best_response_matches_brute_force(pool: deals.Cards) -> None:
    """Melds and lay-offs leave the least possible deadwood, and the lay-offs can be made one after the other."""
    rng = random.Random(f"response {len(pool)}")
    compared = 0
    while compared < 60:
        cards = rng.sample(pool, 20)
        melds, _ = rng.choice([*deals.ways_to_meld(deals.sorted_cards(tuple(cards[:10])))])
        if melds:
            compare_with_brute_force(tuple(cards[10:]), melds)
            compared += 1


@pytest.mark.nightly
@pytest.mark.thorough
@pytest.mark.parametrize("pool", POOLS.values(), ids=POOLS)
def test_the_best_response_is_exact_over_many_hands(pool: deals.Cards) -> None:
    """The best response is exact over thousands of knocks."""
    rng = random.Random(f"many responses {len(pool)}")
    for _ in range(1000):
        cards = rng.sample(pool, 20)
        melds, _ = rng.choice([*deals.ways_to_meld(deals.sorted_cards(tuple(cards[:10])))])
        compare_with_brute_force(tuple(cards[10:]), melds)


def compare_with_brute_force(hand: deals.Cards, melds: tuple[deals.Cards, ...]) -> None:
    """Compare the best response to a knock with brute force, and check that its lay-offs are legal."""
    response = best_response(Hand.parse(" ".join(hand)), parse_melds(deals.print_melds(melds)), DEALER)
    assert response.arrangement.deadwood == deals.least_after_lay_offs(hand, melds, CLASSIC), (hand, melds)
    grown = {deals.print_melds((meld,)): meld for meld in melds}
    for lay_off in response.lay_offs:
        grown[str(lay_off.meld)] = (*grown[str(lay_off.meld)], str(lay_off.card))
        assert deals.is_meld(grown[str(lay_off.meld)]), (hand, melds, lay_off)
    assert cards_of_response(response) == sorted(Hand.parse(" ".join(hand)))


def cards_of_response(response: Response) -> list[Card]:
    """Return every card of a response: melded, laid off or unmatched."""
    melded = chain.from_iterable(meld.cards for meld in response.arrangement.melds)
    return sorted([*melded, *response.arrangement.unmatched, *(lay_off.card for lay_off in response.lay_offs)])


@pytest.mark.parametrize(
    ("melds", "hand", "lay_offs", "left"),
    [
        ("4s5s6s", "3s", "3s>4s5s6s", ""),
        ("4s5s6s", "7s", "7s>4s5s6s", ""),
        ("4s5s6s", "2s 3s 7s 8s", "3s>4s5s6s 2s>4s5s6s 7s>4s5s6s 8s>4s5s6s", ""),
        ("4s5s6s", "2s 8s", "", "2s 8s"),
        ("7c7d7h", "7s", "7s>7c7d7h", ""),
        ("7c7d7h7s", "6s 8s", "", "6s 8s"),
        ("JsQsKs", "As 2s Ts", "Ts>JsQsKs", "As 2s"),
        ("As2s3s", "Ks 4s", "4s>As2s3s", "Ks"),
        ("KcKdKh", "As", "", "As"),
        ("3s4s5s/7s8s9s", "6s", "6s>3s4s5s", ""),
        ("4s5s6s/7c7d7h", "7s 8s 9d", "7s>4s5s6s 8s>4s5s6s", "9d"),
        ("4s5s6s/8c8d8h", "7s 8s 9s", "", ""),
        ("As2s3s", "4d 4h 4s 5s 6s", "", "4d 4h"),
        ("As2s3s", "4d 4h 4s 5s", "", "5s"),
        ("Ah2h3h/As2s3s", "4d 4h 4s 5h 5s", "4h>Ah2h3h 5h>Ah2h3h 4s>As2s3s 5s>As2s3s", "4d"),
    ],
)
def test_lay_offs_go_where_the_rules_let_them(melds: str, hand: str, lay_offs: str, left: str) -> None:
    """A set takes its fourth card, a run adjacent cards. A hand's melds are broken up only to lower the deadwood."""
    response = best_response(Hand.parse(hand), parse_melds(melds), DEALER)
    assert " ".join(map(str, response.lay_offs)) == lay_offs
    assert response.arrangement.unmatched == tuple(Hand.parse(left))


@pytest.mark.parametrize(
    ("melds", "loose", "against", "kind", "winner", "deadwood", "points"),
    [
        ("Ac2c3c/KcKdKh", "4d", "9c 9d Ts Qs", OutcomeKind.KNOCK, FIRST, (4, 38), 34),
        ("Ac2c3c/KcKdKh", "4d", "2d 2s", OutcomeKind.UNDERCUT, DEALER, (4, 4), 25),
        ("Ac2c3c/KcKdKh", "9d", "As 2d", OutcomeKind.UNDERCUT, DEALER, (9, 3), 31),
        ("Ac2c3c/KcKdKh", "9d", "4c 5c 6c 7c Ks", OutcomeKind.UNDERCUT, DEALER, (9, 0), 34),
        ("Ac2c3c/KcKdKh", "", "4c 9d Ks", OutcomeKind.GIN, FIRST, (0, 23), 48),
        ("Ac2c3c/KcKdKh", "", "5s 6s 7s", OutcomeKind.GIN, FIRST, (0, 0), 25),
    ],
)
def test_a_deal_scores_exactly(
    melds: str, loose: str, against: str, kind: OutcomeKind, winner: int, deadwood: tuple[int, int], points: int
) -> None:
    """Knocks, undercuts (including ties) and gin score correctly. Gin allows no lay-offs and cannot be undercut."""
    end = knock_outcome(arrangement(melds, loose), against)
    assert (end.kind, end.winner, end.deadwood, end.points) == (kind, winner, deadwood, points)
    assert end.knocker == FIRST
    assert not (kind is OutcomeKind.GIN and end.lay_offs)


def test_the_bonuses_are_those_of_the_rules() -> None:
    """The rules set the gin and undercut bonuses."""
    low = Rules.parse("low")
    assert knock_outcome(arrangement("Ac2c3c/KcKdKh"), "9d", low).points == 29
    assert knock_outcome(arrangement("Ac2c3c/KcKdKh", "9d"), "As", low).points == 18


@pytest.mark.parametrize(
    ("rules", "loose", "against", "kind", "winner", "scored"),
    [
        ("classic undercut_on_tie=off", "4d", "2d 2s", OutcomeKind.TIE, None, 0),
        ("classic undercut_on_tie=off", "4d", "2d As", OutcomeKind.UNDERCUT, DEALER, 26),
        ("classic undercut_on_tie=off", "4d", "2d 3s", OutcomeKind.KNOCK, FIRST, 1),
        ("even", "4d", "2d As", OutcomeKind.UNDERCUT, DEALER, 21),
        ("quick", "9d", "4c Ks", OutcomeKind.KNOCK, FIRST, 5),
        ("classic lay_off_chain=off", "9d", "4c 5c Ks", OutcomeKind.UNDERCUT, DEALER, 29),
        ("classic aces=round_the_corner", "4d", "Ad", OutcomeKind.KNOCK, FIRST, 11),
        ("classic aces=high_low", "4d", "Ad", OutcomeKind.UNDERCUT, DEALER, 28),
    ],
)
def test_options_change_a_deals_score(
    rules: str, loose: str, against: str, kind: OutcomeKind, winner: int | None, scored: int
) -> None:
    """Options change the score of a deal in which Ac2c3c and KcKdKh are laid down."""
    end = knock_outcome(arrangement("Ac2c3c/KcKdKh", loose), against, Rules.parse(rules))
    assert (end.kind, end.winner, end.points) == (kind, winner, scored)


@pytest.mark.parametrize(
    ("loose", "against", "upcard", "points", "boxes"),
    [
        ("4d", "9d", "Kh", 5, 1),
        ("4d", "9d", "Ks", 10, 1),
        ("4d", "2d", "Kh", 27, 2),
        ("4d", "2d", "Ks", 54, 3),
        ("", "9d", "Kh", 34, 3),
        ("", "9d", "Ks", 68, 5),
    ],
)
def test_a_spade_doubles_a_deal_of_oklahoma(loose: str, against: str, upcard: str, points: int, boxes: int) -> None:
    """In Oklahoma, options let a spade upcard double a deal, and give extra boxes for an undercut or gin."""
    rules = Rules.parse("oklahoma spade_doubles=on oklahoma_boxes=on")
    end = knock_outcome(arrangement("Ac2c3c/KcKdKh", loose), against, rules, upcard)
    assert (end.points, end.boxes) == (points, boxes)
    plain = knock_outcome(arrangement("Ac2c3c/KcKdKh", loose), against, Rules.parse("oklahoma"), upcard)
    assert (plain.points, plain.boxes) == (points // (2 if upcard == "Ks" else 1), 1)


def settle_penalty_knock(rules: str, knocker: int, *deadwood: str) -> Outcome:
    """Return the outcome of a knock in the penalty game. `deadwood` has each player's unmatched cards in turn order."""
    agreed = Rules.parse(rules)
    hands = [Arrangement((), tuple(Hand.parse(text)), points(Hand.parse(text), agreed.aces)) for text in deadwood]
    seats = tuple(Seat((2 + place) % len(hands)) for place in range(len(hands)))
    return settle(agreed, seats, knocker, [Response(hand) for hand in hands], Card.parse("Ks"))


@pytest.mark.parametrize(
    ("rules", "deadwood", "kind", "winner"),
    [
        ("penalty", ("5s", "9d", "Kd", "7d"), OutcomeKind.KNOCK, 2),
        ("penalty", ("5s", "5d", "Kd", "7d"), OutcomeKind.KNOCK, 2),
        ("penalty", ("5s", "5d", "5h", "5c"), OutcomeKind.TIE, None),
        ("penalty", ("5s", "9d", "4h", "3c"), OutcomeKind.UNDERCUT, 1),
        ("penalty", ("5s", "9d", "3h", "3c"), OutcomeKind.UNDERCUT, 0),
        ("penalty undercut_on_tie=on", ("5s", "9d", "5h", "5c"), OutcomeKind.UNDERCUT, 0),
    ],
)
def test_the_least_of_several_opponents_undercuts(
    rules: str, deadwood: tuple[str, ...], kind: OutcomeKind, winner: int | None
) -> None:
    """The opponent with the least deadwood undercuts.

    If ties do not undercut, a knocker who ties with only some opponents wins. If all of them tie, nobody wins.
    """
    end = settle_penalty_knock(rules, 0, *deadwood)
    assert (end.kind, end.winner, end.knocker) == (kind, winner, 2)


def test_turn_order_begins_after_the_knocker() -> None:
    """Of equal undercutters, the first after the knocker wins. Here the third player knocks and the fourth wins."""
    assert settle_penalty_knock("penalty", 2, "3s", "9d", "5h", "3c").winner == 1


@pytest.mark.parametrize(("aces", "lay_offs"), [("low", ""), ("high_low", "As"), ("round_the_corner", "As 2s")])
def test_lay_offs_follow_the_aces(aces: Aces, lay_offs: str) -> None:
    """JsQsKs takes an ace if aces are high, and the next two cards if runs go round the corner."""
    response = best_response(Hand.parse("As 2s 4s"), parse_melds("JsQsKs"), DEALER, aces=aces)
    assert " ".join(str(lay_off.card) for lay_off in response.lay_offs) == lay_offs


def test_a_lay_off_prints_its_card_and_meld() -> None:
    """The text of a lay-off has its card and the meld as it was laid down."""
    response = best_response(Hand.parse("7s 8s"), (Meld.parse("4s5s6s"),), DEALER)
    assert [str(lay_off) for lay_off in response.lay_offs] == ["7s>4s5s6s", "8s>4s5s6s"]


def test_an_arrangement_prints_melds_and_the_rest() -> None:
    """The text of an arrangement has its melds, a bar, and the unmatched cards."""
    assert str(arrangement("Ac2c3c/KcKdKh", "9d 4s")) == "Ac2c3c KcKdKh | 4s 9d"
    assert str(Arrangement((), (), 0)) == "|"
