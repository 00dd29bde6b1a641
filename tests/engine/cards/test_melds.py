"""Melds, the least deadwood, and the arrangements of a hand."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, Card, Hand, parse_cards
from bot.engine.cards.melds import (
    Aces,
    Arrangement,
    Meld,
    arrangements,
    best_arrangement,
    least_deadwood,
    melds_in,
    parse_melds,
    points,
    print_melds,
)
from bot.engine.errors import NotationError
from tests.engine.strategies import ALL_MELDS, hands, meld_groups, seeds
from tests.helpers.cases import nightly_after
from tests.helpers.examples import examples
from tests.reference import deals

POOLS = {
    "the whole deck": deals.DECK,
    "four ranks": deals.DECK[:16],
    "five middle ranks": deals.DECK[16:36],
    "two suits": tuple(card for card in deals.DECK if card[1] in "cd"),
    "three suits of seven ranks": tuple(card for card in deals.DECK[:28] if card[1] != "s"),
}


def to_reference(hand: Hand) -> deals.Cards:
    """Return a hand in the form that the reference implementation takes."""
    return tuple(map(str, hand))


@pytest.mark.parametrize(
    "text", ["4c4d4h", "4h4c4d", "4s4h4d4c", "As2s3s", "3s2sAs", "JsQsKs", "9d10dJd", "5♥6♥7♥8♥9♥"]
)
def test_sets_and_runs_are_melds(text: str) -> None:
    """Three or four of a rank, and three or more of a suit in sequence, are melds in any order."""
    meld = Meld.parse(text)
    assert list(meld.cards) == sorted(meld.cards)
    assert Meld.parse(str(meld)) == meld


@pytest.mark.parametrize(
    "text",
    ["", "4c", "4c4d", "4c5c", "4c4d5h", "4c5c6d", "4c5c7c", "4c4c4d", "QsKsAs2d", "KsAs3s", "JhKhAh2h", "8c8d8h9h"],
)
def test_other_cards_are_not_melds(text: str) -> None:
    """Fewer than three cards, mixed ranks or suits, gaps and duplicate cards do not make a meld."""
    with pytest.raises(NotationError):
        Meld.parse(text)


def test_a_full_deck_makes_every_meld() -> None:
    """There are 65 sets and 264 runs, in sorted order, and each round-trips through its text."""
    assert len(ALL_MELDS) == len(set(ALL_MELDS)) == 329
    assert sum(meld.is_run for meld in ALL_MELDS) == 264
    assert list(ALL_MELDS) == sorted(ALL_MELDS)
    assert all(Meld.parse(str(meld)) == meld for meld in ALL_MELDS)


ACES: tuple[Aces, ...] = ("low", "high_low", "round_the_corner")
each_aces = pytest.mark.parametrize("aces", ACES)


@pytest.mark.parametrize(
    ("aces", "melds", "high", "around"),
    [
        ("low", 329, False, False),
        ("high_low", 329 + 4 * 10, True, False),
        ("round_the_corner", 65 + 4 * 131, True, True),
    ],
)
def test_aces_follow_the_option(aces: Aces, melds: int, high: bool, around: bool) -> None:
    """An ace goes below a two. Depending on the option, it also goes above a king, or joins both ends."""
    found = melds_in(Hand.of(DECK), aces)
    assert len(set(found)) == len(found) == melds
    assert all(Meld.parse(str(meld)) == meld for meld in found)
    assert (Meld.parse("QsKsAs") in found, Meld.parse("KsAs2s") in found) == (high, around)
    assert Meld.parse("As2s3s") in found


@pytest.mark.thorough
@each_aces
def test_a_meld_takes_what_makes_it_a_longer_meld(aces: Aces) -> None:
    """`lay_off_cards` lists exactly the cards that make a meld longer, as brute force confirms."""
    for meld in melds_in(Hand.of(DECK), aces):
        cards = tuple(map(str, meld.cards))
        assert [str(card) for card in meld.lay_off_cards(aces)] == [
            card for card in deals.DECK if card not in cards and deals.is_meld((*cards, card), aces)
        ]


@pytest.mark.thorough
@each_aces
@given(hands(max_cards=10), seeds)
def test_extensions_of_a_meld_are_every_group_that_fits(aces: Aces, hand: Hand, seed: int) -> None:
    """Each group of hand cards that extends a meld is listed once, in an order in which they can be laid off."""
    meld = random.Random(seed).choice([found for found in melds_in(Hand.of(DECK), aces) if not hand.holds(found.cards)])
    rest = hand.without(meld.cards)
    for chain in (True, False):
        listed = list(meld.extensions(rest, aces, chain=chain))
        groups = [
            group
            for size in range(len(rest) + 1)
            for group in combinations(rest, size)
            if deals.is_meld(tuple(map(str, (*meld.cards, *group))), aces)
            and (chain or set(group) <= set(meld.lay_off_cards(aces)))
        ]
        assert sorted(map(sorted, listed)) == sorted(map(list, groups))
        for group in listed:
            for end in range(len(group)):
                assert group[end] in Meld.of((*meld.cards, *group[:end])).lay_off_cards(aces)


@each_aces
@examples(8, nightly=200)
@given(hands(max_cards=11))
def test_arrangements_are_those_of_the_reference(aces: Aces, hand: Hand) -> None:
    """Least deadwood, arrangements within a limit and the default arrangement agree with brute force."""
    cards = to_reference(hand)
    ways = deals.ways_to_meld(cards, aces)
    for limit in (0, 10, 40):
        listed = [arrangement.text for arrangement in arrangements(hand, limit, aces)]
        within = {deals.print_melds(melds) for melds, left in ways if deals.points(left, aces) <= limit}
        assert len(listed) == len(within)
        assert {*listed} == within
    best = best_arrangement(hand, aces)
    assert best.text == deals.print_melds(deals.default_melding(cards, aces)[0])
    assert Arrangement.of(best.melds, hand, aces) == best
    assert best.deadwood == points(best.unmatched, aces) == least_deadwood(hand, aces)
    assert best.deadwood == deals.least_deadwood(cards, aces)
    assert Hand.of([*best.unmatched, *(card for meld in best.melds for card in meld.cards)]) == hand


@pytest.mark.parametrize("pool", POOLS.values(), ids=POOLS)
@pytest.mark.parametrize("number", [40, *nightly_after(0, [10_000])])
def test_least_deadwood_matches_brute_force(pool: deals.Cards, number: int) -> None:
    """For many hands of 3 to 11 cards, the least deadwood equals the result of brute force."""
    rng = random.Random(f"{number} {len(pool)}")
    for _ in range(number):
        cards = tuple(rng.sample(pool, rng.randint(3, 11)))
        assert least_deadwood(Hand.parse(" ".join(cards))) == deals.least_deadwood(cards), cards


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("", 0),
        ("Ks", 10),
        ("4s5s6s 5c2c 3d6d 3h4h5h6h", 16),
        ("4s5s6s 5c2c 3d 3h4h5h6h", 10),
        ("Ac2c3c4c 4d4h 4s5s6s 7s", 0),
        ("AcAdAhAs 2c2d2h2s 3c3d3h", 0),
        ("As2s3s 3c3d", 3),
    ],
)
def test_least_deadwood_of_hands_known_to_be_hard(text: str, least: int) -> None:
    """Least deadwood is correct for hands whose possible melds share cards. Another engine gets one of them wrong."""
    assert least_deadwood(Hand.parse(text)) == least


def test_least_deadwood_holds_for_any_number_of_cards() -> None:
    """A hand of all cards of one suit, two suits or four ranks has no deadwood."""
    assert least_deadwood(Hand.of(DECK[::4])) == 0
    assert least_deadwood(Hand.of(card for card in DECK if card.suit < 2)) == 0
    assert least_deadwood(Hand.of(DECK[:16])) == 0


@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("2c 2d 3c 3d 3s 4c Tc Td Th Ts", "3c3d3s/TcTdThTs"),
        ("As 3s 5d 9c 9d 9h 9s Ts Js Qs", "9c9d9h9s/TsJsQs"),
        ("Ac Ah 2c 2d 2h 3c 3d Qd Qh Qs", "2c2d2h/QdQhQs"),
        ("Ad As 5c 5d 6d 7d 8d 9d Td Jd", "5d6d7d/8d9dTdJd"),
        ("Ac 3c 5c 7c 9c Jc Kc 2d 4d 6d", "-"),
    ],
)
def test_ties_between_arrangements_are_broken(text: str, melds: str) -> None:
    """Among arrangements with equal deadwood, the best is the one on which the fewest other cards can be laid off."""
    assert best_arrangement(Hand.parse(text)).text == melds


@given(meld_groups)
def test_melds_round_trip_in_any_order(group: tuple[Meld, ...]) -> None:
    """Melds round-trip through their text in any order."""
    assert parse_melds(print_melds(group)) == group
    assert parse_melds(print_melds(reversed(group))) == group


@pytest.mark.parametrize("text", ["", "/", "4c4d4h/", "4c4d4h/4c5c6c", "4c4d4h 5s6s7s", "4c4d4h//5s6s7s", "--"])
def test_invalid_melds_are_refused(text: str) -> None:
    """Empty melds, separators other than a slash, and melds that share a card are notation errors."""
    with pytest.raises(NotationError):
        parse_melds(text)


def test_a_meld_cannot_be_constructed_from_other_cards() -> None:
    """Constructing a meld from unsorted cards, or from cards that form no meld, is a notation error."""
    for text in ("Ac2d", "4s6s5s", "4s4s4s", "4s5s", "9s9c9d"):
        with pytest.raises(NotationError):
            Meld(parse_cards(text) if text != "4s4s4s" else (Card.parse("4s"),) * 3)


def test_a_hand_lists_all_its_melds() -> None:
    """A hand lists each of its melds once: a set of four contains four more, a run of five contains five more."""
    assert len(melds_in(Hand.parse("4c4d4h4s"))) == 5
    assert len(melds_in(Hand.parse("5s6s7s8s9s"))) == 6
    assert melds_in(Hand.parse("4c4d 5s6s")) == ()
