"""Melds, the least deadwood of a hand, and the ways to arrange it.

The speed comes from one table: for each of the 8,192 subsets of a suit, the least deadwood that runs alone leave. The
least deadwood of a hand is then four look-ups, and four more for each way to take out sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bot.engine.cards import Card, Hand, Rank, Suit, parse_cards
from bot.engine.errors import NotationError

_SUBSETS = 1 << len(Rank)


@dataclass(frozen=True, slots=True)
class Meld:
    """A set (three or four of one rank) or a run (three or more in sequence of one suit), cards by rank, then suit."""

    cards: tuple[Card, ...]

    @staticmethod
    def of(cards: Iterable[Card]) -> Meld:
        """The meld of these cards, in any order.

        Raises:
            NotationError: they are no meld.
        """
        ordered = tuple(sorted(cards))
        if not _is_meld(ordered):
            text = "".join(card.text for card in ordered)
            raise NotationError("meld", f"{text!r} is neither a set nor a run")
        return Meld(ordered)

    @staticmethod
    def parse(text: str) -> Meld:
        """Read a meld: `4c4d4h` or `5s6s7s`.

        Raises:
            NotationError: it is no meld.
        """
        return Meld.of(parse_cards(text))

    @property
    def is_run(self) -> bool:
        """Whether it is a run; otherwise it is a set."""
        return self.cards[0].suit is self.cards[1].suit

    @property
    def takes(self) -> tuple[Card, ...]:
        """The cards that may be laid off on it in one step: a set's fourth, a run's neighbours."""
        first, last = self.cards[0], self.cards[-1]
        if not self.is_run:
            held = {card.suit for card in self.cards}
            return tuple(Card.of(first.rank, suit) for suit in Suit if suit not in held)
        below = (Card.of(first.rank - 1, first.suit),) if first.rank > Rank.ACE else ()
        above = (Card.of(last.rank + 1, last.suit),) if last.rank < Rank.KING else ()
        return below + above

    def __str__(self) -> str:
        return "".join(card.text for card in self.cards)

    def __lt__(self, other: Meld) -> bool:
        return self.cards < other.cards


def _is_meld(ordered: tuple[Card, ...]) -> bool:
    if len(ordered) < 3 or len(set(ordered)) < len(ordered):
        return False
    if all(card.rank is ordered[0].rank for card in ordered):
        return True
    return all(later.suit is earlier.suit and later.rank == earlier.rank + 1 for earlier, later in pairwise(ordered))


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand laid out: disjoint melds by their first card, and the cards in no meld by rank, then suit."""

    melds: tuple[Meld, ...]
    unmatched: tuple[Card, ...]

    @property
    def deadwood(self) -> int:
        """The points of the cards in no meld."""
        return sum(card.points for card in self.unmatched)

    @property
    def text(self) -> str:
        """The melds in notation, `4c4d4h/5s6s7s`; `-` where there is none."""
        return print_melds(self.melds)

    def __str__(self) -> str:
        return " ".join((*map(str, self.melds), "|", *map(str, self.unmatched)))


def print_melds(melds: Iterable[Meld]) -> str:
    """Melds in notation: `4c4d4h/5s6s7s`, or `-` for none."""
    return "/".join(map(str, melds)) or "-"


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Read melds as `print_melds` writes them, in any order.

    Raises:
        NotationError: a part is no meld, or a card is in two of them.
    """
    if text == "-":
        return ()
    melds = tuple(sorted(Meld.parse(part) for part in text.split("/")))
    Hand.of(card for meld in melds for card in meld.cards)
    return melds


def _least_by_runs() -> bytes:
    """For each subset of a suit (bit 0 the ace), the least deadwood that runs alone leave (85 at most)."""
    table = bytearray(_SUBSETS)
    for subset in range(1, _SUBSETS):
        lowest = subset & -subset
        least = table[subset ^ lowest] + min(lowest.bit_length(), 10)
        run, following = lowest, lowest << 1
        while subset & following:
            run |= following
            following <<= 1
            if run.bit_count() >= 3:
                least = min(least, table[subset & ~run])
        table[subset] = least
    return bytes(table)


_RUNS = _least_by_runs()


def least_deadwood(hand: Hand) -> int:
    """The least points over all ways to meld the hand, exactly, for any number of cards.

    A card belongs to one meld only; deadwood is every card in no meld.
    """
    clubs, diamonds, hearts, spades = hand.suits
    least = _RUNS[clubs] + _RUNS[diamonds] + _RUNS[hearts] + _RUNS[spades]
    minors, majors = clubs & diamonds, hearts & spades
    triples = minors & (hearts | spades) | majors & (clubs | diamonds)
    if triples:
        return _least_with_sets(clubs, diamonds, hearts, spades, triples, least)
    return least


def _least_with_sets(clubs: int, diamonds: int, hearts: int, spades: int, triples: int, least: int) -> int:
    """The same where the ranks in `triples` are there three or four times; `least` is what runs alone leave."""
    rank = triples & -triples
    others = triples ^ rank
    if others:
        least = min(least, _least_with_sets(clubs, diamonds, hearts, spades, others, least))
    c, d, h, s = clubs & ~rank, diamonds & ~rank, hearts & ~rank, spades & ~rank
    ways = [(c, d, h, s)]
    if clubs & diamonds & hearts & spades & rank:
        ways += (clubs, d, h, s), (c, diamonds, h, s), (c, d, hearts, s), (c, d, h, spades)
    for c, d, h, s in ways:
        left = _RUNS[c] + _RUNS[d] + _RUNS[h] + _RUNS[s]
        if others:
            left = _least_with_sets(c, d, h, s, others, left)
        if left < least:
            least = left
    return least


@cache
def _runs_in(suit: Suit, subset: int) -> tuple[Meld, ...]:
    runs: list[Meld] = []
    for first in Rank:
        run: list[Card] = []
        for rank in range(first, Rank.KING + 1):
            if not subset >> (rank - 1) & 1:
                break
            run.append(Card.of(rank, suit))
            if len(run) >= 3:
                runs.append(Meld(tuple(run)))
    return tuple(runs)


@cache
def _of_rank(rank: Rank) -> tuple[Card, ...]:
    return tuple(Card.of(rank, suit) for suit in Suit)


@cache
def _sets_in(held: tuple[Card, ...]) -> tuple[Meld, ...]:
    if len(held) < 3:
        return ()
    threes = tuple(Meld(tuple(card for card in held if card is not left_out)) for left_out in held)
    return (Meld(held), *threes) if len(held) == 4 else (Meld(held),)


def melds_in(hand: Hand) -> tuple[Meld, ...]:
    """Every meld that the hand's cards can make, by first card."""
    runs = [run for suit in Suit for run in _runs_in(suit, hand.suits[suit])]
    sets = [found for rank in Rank for found in _sets_in(tuple(card for card in _of_rank(rank) if card in hand))]
    return tuple(sorted(runs + sets))


def arrangements(hand: Hand, limit: int) -> Iterator[Arrangement]:
    """Every distinct arrangement of the hand that leaves at most `limit` points of deadwood."""
    melds = melds_in(hand)

    def extend(start: int, chosen: tuple[Meld, ...], rest: Hand) -> Iterator[Arrangement]:
        if rest.points <= limit:
            yield Arrangement(chosen, tuple(rest))
        for index in range(start, len(melds)):
            meld = melds[index]
            if rest.holds(meld.cards):
                left = rest.without(meld.cards)
                if least_deadwood(left) <= limit:
                    yield from extend(index + 1, (*chosen, meld), left)

    yield from extend(0, (), hand)


def best_arrangement(hand: Hand) -> Arrangement:
    """The arrangement a knocker makes who names none.

    The least deadwood; then the fewest cards outside the hand that could be laid off on it in one
    step; then the smallest printed form.
    """

    def rank(arrangement: Arrangement) -> tuple[int, str]:
        invited = {card for meld in arrangement.melds for card in meld.takes if card not in hand}
        return len(invited), arrangement.text

    return min(arrangements(hand, least_deadwood(hand)), key=rank)
