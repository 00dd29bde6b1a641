"""Classic gin rummy by brute force, on nothing but text: what the engine is compared with.

Cards are `Td`, hands are tuples of cards, moves are their notation. Nothing here imports the code under test, and
nothing is clever: every way is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
LIMIT, GIN, UNDERCUT, STOCK_LEFT = 10, 25, 25, 2

Cards = tuple[str, ...]


def points(cards: Cards) -> int:
    """The pips of cards: ace 1, court cards 10."""
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def order(card: str) -> int:
    """A card's place by rank, then suit."""
    return DECK.index(card)


def in_order(cards: Cards | frozenset[str]) -> Cards:
    """The cards by rank, then suit."""
    return tuple(sorted(cards, key=order))


def is_meld(cards: Cards) -> bool:
    """Return whether cards are a set or a run."""
    if len(cards) < 3:
        return False
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    suits = {card[1] for card in cards}
    if len(set(ranks)) == 1:
        return len(suits) == len(cards)
    return len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(cards)))


def melds_with(first: str, others: Cards) -> tuple[Cards, ...]:
    """Every meld of a card with some of the others."""
    near = [card for card in others if card[0] == first[0]]
    suited = [card for card in others if card[1] == first[1]]
    groups = [some for size in (2, 3) for some in combinations(near, size)]
    groups += [some for size in range(2, len(suited) + 1) for some in combinations(suited, size)]
    return tuple(in_order((first, *group)) for group in groups if is_meld((first, *group)))


def ways_to_meld(hand: Cards) -> Iterator[tuple[tuple[Cards, ...], Cards]]:
    """Every set of disjoint melds of a hand, each with the cards that are left over."""
    if not hand:
        yield (), ()
        return
    first, others = hand[0], hand[1:]
    for melds, left in ways_to_meld(others):
        yield melds, (first, *left)
    for meld in melds_with(first, others):
        for melds, left in ways_to_meld(tuple(card for card in others if card not in meld)):
            yield (meld, *melds), left


def least_deadwood(hand: Cards) -> int:
    """The least points over all ways to meld."""
    return min(points(left) for _, left in ways_to_meld(in_order(hand)))


def least_after_lay_offs(hand: Cards, melds: tuple[Cards, ...]) -> int:
    """The least points that an opponent can be left with, over all own melds and all lay-offs on these melds."""
    return min(_lay_off(left, melds) for _, left in ways_to_meld(in_order(hand)))


def _lay_off(left: Cards, melds: tuple[Cards, ...]) -> int:
    least = points(left)
    for card in left:
        for place, meld in enumerate(melds):
            if is_meld((*meld, card)):
                rest = tuple(other for other in left if other != card)
                least = min(least, _lay_off(rest, (*melds[:place], (*meld, card), *melds[place + 1 :])))
    return least


def printed(melds: tuple[Cards, ...]) -> str:
    """Melds in notation: by first card, cards by rank, then suit."""
    ordered = sorted((in_order(meld) for meld in melds), key=lambda meld: order(meld[0]))
    return "/".join("".join(meld) for meld in ordered) or "-"


def default_melds(hand: Cards) -> str:
    """Return the default melds of a knock: least deadwood, then fewest cards invited, then smallest printed form."""

    def rank(way: tuple[tuple[Cards, ...], Cards]) -> tuple[int, int, str]:
        melds, left = way
        invited = [card for card in DECK if card not in hand and any(is_meld((*meld, card)) for meld in melds)]
        return points(left), len(invited), printed(melds)

    return printed(min(ways_to_meld(in_order(hand)), key=rank)[0])


@dataclass
class Deal:
    """One deal between two players by the classic rules. Place 0 acts first; place 1 is the dealer."""

    deck: Cards
    hands: list[list[str]] = field(default_factory=list[list[str]])
    pile: list[str] = field(default_factory=list[str])
    stock: list[str] = field(default_factory=list[str])
    turn: int = 0
    passes: int = 0
    phase: str = "offer"
    taken: str = ""
    result: tuple[str, int | None, tuple[int, ...], int] | None = None
    """Kind, winner's place, deadwood by place, points."""

    def __post_init__(self) -> None:
        self.hands = [list(self.deck[0:20:2]), list(self.deck[1:20:2])]
        self.pile = [self.deck[20]]
        self.stock = list(self.deck[21:])

    def legal(self) -> set[str]:
        """The moves of the player to act, in canonical notation."""
        if self.phase == "offer":
            return {"pass", "take"}
        if self.phase == "draw":
            return {"draw"} if self.passes == 2 else {"draw", "take"}
        if self.phase == "done":
            return set()
        moves: set[str] = set()
        for card in self.hands[self.turn]:
            if card != self.taken:
                moves.add(f"x {card}")
                rest = in_order(tuple(other for other in self.hands[self.turn] if other != card))
                moves |= {f"k {card} {printed(melds)}" for melds, left in ways_to_meld(rest) if points(left) <= LIMIT}
        return moves

    def play(self, move: str) -> None:
        """Make a canonical legal move."""
        verb, *rest = move.split()
        hand = self.hands[self.turn]
        if verb == "pass":
            self.passes += 1
            self.turn = 1 - self.turn
            self.phase = "draw" if self.passes == 2 else "offer"
            return
        self.passes = 0
        if verb == "take":
            self.taken = self.pile.pop()
            hand.append(self.taken)
            self.phase = "discard"
        elif verb == "draw":
            hand.append(self.stock.pop(0))
            self.phase = "discard"
        else:
            hand.remove(rest[0])
            self.pile.append(rest[0])
            self.taken = ""
            if verb == "k":
                self._show(tuple(_split(rest[1])))
            elif len(self.stock) <= STOCK_LEFT:
                self.phase, self.result = "done", ("void", None, (), 0)
            else:
                self.turn, self.phase = 1 - self.turn, "draw"

    def _show(self, melds: tuple[Cards, ...]) -> None:
        knocker, other = self.turn, 1 - self.turn
        own = points(tuple(card for card in self.hands[knocker] if not any(card in meld for meld in melds)))
        theirs = tuple(self.hands[other])
        against = least_after_lay_offs(theirs, melds) if own else least_deadwood(theirs)
        if not own:
            kind, winner, scored = "gin", knocker, against + GIN
        elif against <= own:
            kind, winner, scored = "undercut", other, own - against + UNDERCUT
        else:
            kind, winner, scored = "knock", knocker, against - own
        self.phase = "done"
        self.result = kind, winner, (own, against) if knocker == 0 else (against, own), scored


def _split(text: str) -> list[Cards]:
    return [tuple(meld[at : at + 2] for at in range(0, len(meld), 2)) for meld in text.split("/") if meld != "-"]
