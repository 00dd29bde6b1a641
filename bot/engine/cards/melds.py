"""Melds, the arrangements of a hand, and the least deadwood.

For speed, a table lists the least deadwood for each of the 8,192 subsets of a suit, with runs alone. There is one table
for each value of the rule option `aces`. The least deadwood of a hand then takes four look-ups, one for each suit, and
four more for each way to take sets out of the hand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Final, Literal

from bot.engine.cards.cards import DECK, Card, Hand, Rank, Suit, cards_of, parse_cards
from bot.engine.errors import NotationError, quote

Aces = Literal["low", "high_low", "round_the_corner"]
"""Runs allowed with aces: `low` only A-2-3, `high_low` also Q-K-A, `round_the_corner` also K-A-2 (an ace counts 15)."""

ROUND_THE_CORNER_ACE_POINTS: Final = 15
"""The deadwood points of an ace if runs go round the corner."""

MAX_CARD_POINTS: Final[Mapping[Aces, int]] = {
    "low": 10,
    "high_low": 10,
    "round_the_corner": ROUND_THE_CORNER_ACE_POINTS,
}
"""Maximum deadwood points of one card."""

_RANKS: Final = len(Rank)
_SUBSETS: Final = 1 << _RANKS


def points(cards: Iterable[Card], aces: Aces = "low") -> int:
    """Return the deadwood points of cards: aces 1 (or 15 round the corner), court cards 10, others their pips."""
    if aces == "round_the_corner":
        return sum(ROUND_THE_CORNER_ACE_POINTS if card.rank is Rank.ACE else card.points for card in cards)
    return sum([card.points for card in cards])


@cache
def _runs(aces: Aces) -> tuple[tuple[int, ...], ...]:
    """Return all runs as subsets of a suit (bit 0 is the ace), grouped by lowest bit, shorter runs first."""
    last = {"low": _RANKS, "high_low": _RANKS + 1, "round_the_corner": 2 * _RANKS}[aces]
    runs = {
        sum(1 << (rank - 1) % _RANKS for rank in range(first, first + length))
        for first in range(1, _RANKS + 1)
        for length in range(3, _RANKS + 1)
        if first + length - 1 <= last
    }
    return tuple(
        tuple(sorted((run for run in runs if run & -run == 1 << lowest), key=lambda run: (run.bit_count(), run)))
        for lowest in range(_RANKS)
    )


@dataclass(frozen=True, slots=True)
class Meld:
    """A set (three or four of a rank) or a run (three or more in sequence of a suit).

    The cards are sorted by rank, then suit. Raise `NotationError` if they are not a meld, or not sorted.
    """

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        if not _is_meld(self.cards):
            raise NotationError("meld", f"{quote(str(self))} is neither a set nor a run")

    @staticmethod
    def of(cards: Iterable[Card]) -> Meld:
        """Return the meld of these cards, in any order. Raise `NotationError` if they are not a meld."""
        return Meld(tuple(sorted(cards)))

    @staticmethod
    def parse(text: str) -> Meld:
        """Parse a meld: `4c4d4h` or `5s6s7s`. Raise `NotationError` if the text is not a meld."""
        return Meld.of(parse_cards(text))

    @property
    def is_run(self) -> bool:
        """True for a run, False for a set."""
        return self.cards[0].suit is self.cards[1].suit

    def lay_off_cards(self, aces: Aces = "low") -> tuple[Card, ...]:
        """Return the cards that can be laid off directly: the fourth card of a set, or the neighbours of a run."""
        first = self.cards[0]
        if not self.is_run:
            suits = {card.suit for card in self.cards}
            return tuple(Card.of(first.rank, suit) for suit in Suit if suit not in suits)
        run = self._subset
        return tuple(card for card in cards_of(first.suit, ~run) if _is_run(run | card.bit, aces))

    @property
    def _subset(self) -> int:
        return sum(card.bit for card in self.cards)

    def extensions(self, hand: Hand, aces: Aces = "low", *, chain: bool = True) -> Iterator[tuple[Card, ...]]:
        """Yield each group of cards in the hand that can be laid off on this meld, in a legal order.

        The empty group comes first. Without `chain`, each card must fit the meld as it was laid down.
        """
        groups, seen = deque[tuple[Card, ...]]([()]), set[frozenset[Card]]()
        while groups:
            group = groups.popleft()
            yield group
            target = Meld(tuple(sorted((*self.cards, *group)))) if chain else self
            for card in target.lay_off_cards(aces):
                cards = frozenset((*group, card))
                if card in hand and card not in group and cards not in seen:
                    seen.add(cards)
                    groups.append((*group, card))

    def __str__(self) -> str:
        return "".join(card.text for card in self.cards)

    def __lt__(self, other: Meld) -> bool:
        return self.cards < other.cards


@lru_cache(maxsize=1024)
def _is_meld(cards: tuple[Card, ...]) -> bool:
    """Return True if sorted cards are a meld under at least one value of `aces`. The rules of a match may be stricter.

    The cache has room for all sets and runs, so that constructing a meld costs one look-up.
    """
    if len(cards) < 3 or any(not card < later for card, later in pairwise(cards)):
        return False
    if all(card.rank is cards[0].rank for card in cards):
        return True
    one_suit = all(card.suit is cards[0].suit for card in cards)
    return one_suit and _is_run(sum(card.bit for card in cards), "round_the_corner")


def _is_run(subset: int, aces: Aces) -> bool:
    return subset in _runs(aces)[(subset & -subset).bit_length() - 1]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand divided into disjoint melds and unmatched cards, with its deadwood.

    Melds are sorted by their first cards, unmatched cards by rank, then suit.
    """

    melds: tuple[Meld, ...]
    unmatched: tuple[Card, ...]
    deadwood: int

    @staticmethod
    def of(melds: tuple[Meld, ...], hand: Hand, aces: Aces = "low") -> Arrangement:
        """Return the arrangement of a hand with `melds`, which must be sorted by their first cards."""
        unmatched = tuple(hand.without(card for meld in melds for card in meld.cards))
        return Arrangement(melds, unmatched, points(unmatched, aces))

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the hand, by rank, then suit."""
        return tuple(sorted((*(card for meld in self.melds for card in meld.cards), *self.unmatched)))

    @property
    def text(self) -> str:
        """The melds in notation: `4c4d4h/5s6s7s`, or `-` for none."""
        return print_melds(self.melds)

    def __str__(self) -> str:
        return " ".join((*map(str, self.melds), "|", *map(str, self.unmatched)))


def print_melds(melds: Iterable[Meld]) -> str:
    """Return the melds in notation: `4c4d4h/5s6s7s`, or `-` for none."""
    return "/".join(map(str, melds)) or "-"


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Parse melds as `print_melds` writes them. Raise `NotationError` for an invalid meld, or a card in two melds."""
    if text == "-":
        return ()
    melds = tuple(sorted(Meld.parse(part) for part in text.split("/")))
    Hand.of(card for meld in melds for card in meld.cards)
    return melds


@cache
def least_by_runs(aces: Aces) -> tuple[int, ...]:
    """Return a table of the least deadwood with runs alone, indexed by subset of a suit (bit 0 is the ace)."""
    table = [0] * _SUBSETS
    runs = _runs(aces)
    counts = [points((Card.of(rank, Suit.CLUBS),), aces) for rank in Rank]
    for subset in range(1, _SUBSETS):
        lowest = subset & -subset
        index = lowest.bit_length() - 1
        least = table[subset ^ lowest] + counts[index]
        for run in runs[index]:
            if run & ~subset == 0:
                least = min(least, table[subset ^ run])
        table[subset] = least
    return tuple(table)


_LEAST_BY_RUNS_ACES_LOW: Final = least_by_runs("low")


def least_deadwood(hand: Hand, aces: Aces = "low") -> int:
    """Return the least deadwood over all ways to meld the hand. It is exact for any number of cards.

    A card belongs to at most one meld. Deadwood is the points of all cards outside melds.
    """
    runs = _LEAST_BY_RUNS_ACES_LOW if aces == "low" else least_by_runs(aces)
    clubs, diamonds, hearts, spades = hand >> 52 & 8191, hand >> 65 & 8191, hand >> 78 & 8191, hand >> 91
    least = runs[clubs] + runs[diamonds] + runs[hearts] + runs[spades]
    minors, majors = clubs & diamonds, hearts & spades
    triples = minors & (hearts | spades) | majors & (clubs | diamonds)
    if triples:
        return _least_with_sets(runs, clubs, diamonds, hearts, spades, triples, least)
    return least


def _least_with_sets(
    runs: tuple[int, ...], clubs: int, diamonds: int, hearts: int, spades: int, triples: int, least: int
) -> int:
    """Return the least deadwood of a hand, using runs and the sets in the ranks `triples`.

    `least` is the least deadwood with runs alone.
    """
    rank = triples & -triples
    others = triples ^ rank
    if others:
        least = min(least, _least_with_sets(runs, clubs, diamonds, hearts, spades, others, least))
    c, d, h, s = clubs & ~rank, diamonds & ~rank, hearts & ~rank, spades & ~rank
    ways = [(c, d, h, s)]
    if clubs & diamonds & hearts & spades & rank:
        ways += (clubs, d, h, s), (c, diamonds, h, s), (c, d, hearts, s), (c, d, h, spades)
    for c, d, h, s in ways:
        deadwood = runs[c] + runs[d] + runs[h] + runs[s]
        if others:
            deadwood = _least_with_sets(runs, c, d, h, s, others, deadwood)
        if deadwood < least:
            least = deadwood
    return least


@lru_cache(2048)
def _runs_in(suit: Suit, subset: int, aces: Aces) -> tuple[Meld, ...]:
    return tuple(_run(suit, run) for place in _runs(aces) for run in place if run & ~subset == 0)


@cache
def _run(suit: Suit, cards: int) -> Meld:
    return Meld(cards_of(suit, cards))


@cache
def _sets_in(held: tuple[Card, ...]) -> tuple[Meld, ...]:
    return tuple(Meld(cards) for size in (3, 4) for cards in combinations(held, size))


def joins_meld(card: Card, hand: Hand, aces: Aces = "low") -> bool:
    """Return True if a card makes or extends a meld with cards of a hand."""
    if sum(other.rank is card.rank for other in hand) >= 2:
        return True
    runs = _runs_in(card.suit, (hand + card).suits[card.suit], aces)
    return any(card in run.cards for run in runs)


def melds_in(hand: Hand, aces: Aces = "low") -> tuple[Meld, ...]:
    """Return all melds that the hand contains, sorted by their first card."""
    runs = [run for suit in Suit for run in _runs_in(suit, hand.suits[suit], aces)]
    ranks = [DECK[first : first + len(Suit)] for first in range(0, len(DECK), len(Suit))]
    sets = [found for rank in ranks for found in _sets_in(tuple(card for card in rank if card in hand))]
    return tuple(sorted(runs + sets))


def arrangements(hand: Hand, limit: int, aces: Aces = "low") -> Iterator[Arrangement]:
    """Yield every distinct arrangement of the hand with at most `limit` deadwood."""
    melds = melds_in(hand, aces)

    def extend(start: int, chosen: tuple[Meld, ...], rest: Hand) -> Iterator[Arrangement]:
        deadwood = points(rest, aces)
        if deadwood <= limit:
            yield Arrangement(chosen, tuple(rest), deadwood)
        for index in range(start, len(melds)):
            meld = melds[index]
            if rest.holds(meld.cards):
                remaining = rest.without(meld.cards)
                if least_deadwood(remaining, aces) <= limit:
                    yield from extend(index + 1, (*chosen, meld), remaining)

    yield from extend(0, (), hand)


@lru_cache(maxsize=1024)
def best_arrangement(hand: Hand, aces: Aces = "low") -> Arrangement:
    """Return the default arrangement, which a knock without named melds gets.

    It has the least deadwood. Ties go to the arrangement on which the fewest other cards could be laid off directly,
    then to the first in alphabetical order of the notation.
    """

    def rank(arrangement: Arrangement) -> tuple[int, str]:
        outside_cards = {card for meld in arrangement.melds for card in meld.lay_off_cards(aces) if card not in hand}
        return len(outside_cards), arrangement.text

    return min(arrangements(hand, least_deadwood(hand, aces), aces), key=rank)
