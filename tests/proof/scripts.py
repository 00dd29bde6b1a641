"""Scripts of moves, each with several decks. The decks differ only in cards that nobody but their owners sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import Seat, Verb
from bot.engine.errors import IllegalMove
from bot.engine.matches.match import Cut, Match, Play, Shuffle, apply, apply_all, legal, new_match
from bot.engine.matches.views import public_view, seat_view
from bot.engine.rules import Rules
from tests.helpers.shufflers import NORTH_ACTS_FIRST

Deck = tuple[Card, ...]
Swap = tuple[int, int]

SWAPS = 4
PAIRS = SWAPS * 2 ** (SWAPS - 1)
"""Number of pairs of decks in a test case that differ by one swap: for each swap, all sets of the other swaps."""


@dataclass(frozen=True)
class Case:
    """A script of moves, and decks with which it can be played.

    The first deck has no cards swapped. Each other deck has a different set of pairs of cards swapped. While the script
    is played, nobody except the players in `owners` sees any of the swapped cards.
    """

    owners: frozenset[Seat]
    script: tuple[Play, ...]
    decks: tuple[Deck, ...]


def cases(seed: object, moves: int) -> Iterator[Case]:
    """Yield test cases endlessly. The swapped cards belong to the first player, the second player and both, in turn."""
    random = Random(f"{seed}")
    while True:
        for owners in (frozenset((Seat(0),)), frozenset((Seat(1),)), frozenset((Seat(0), Seat(1)))):
            case = None
            while case is None:
                case = _case(random, owners, moves)
            yield case


def _case(random: Random, owners: frozenset[Seat], moves: int) -> Case | None:
    deck = tuple(random.sample(DECK, len(DECK)))
    match, script = _start(deck), list[Play]()
    for _ in range(moves):
        if not match.to_act:
            return None
        (seat,) = match.to_act
        quiet = [move for move in legal(match, seat) if move.verb is not Verb.KNOCK]
        script.append(Play(seat, random.choice(quiet)))
        match = apply(match, script[-1])
    swaps = _swaps(random, deck, match, script, owners)
    if swaps is None:
        return None
    sets = [chosen for size in range(SWAPS + 1) for chosen in combinations(swaps, size)]
    decks = tuple(_swapped(deck, chosen) for chosen in sets)
    alike = all(_plays_alike(match, other, script, owners) for other in decks)
    return Case(owners, tuple(script), decks) if alike else None


def _start(deck: Deck) -> Match:
    cut = Cut(NORTH_ACTS_FIRST[:2])
    return apply_all(new_match(Rules(), 2), (cut, Shuffle(1, Seat(1), deck)))


def _swaps(random: Random, deck: Deck, match: Match, script: list[Play], owners: frozenset[Seat]) -> list[Swap] | None:
    """Return pairs of deck positions to swap, or None if there are too few. Only `owners` may see the cards there."""
    if not match.playing:
        return None
    (deal,) = match.playing
    seen = {play.move.card for play in script} | set(deal.discards) | {deck[20]}
    held = {
        seat: [deck.index(card) for card in hand if card not in seen]
        for seat, hand in zip(deal.seats, deal.hands, strict=True)
    }
    stock = list(range(deal.dealt, len(deck)))
    drawn = [place for seat in owners for place in held[seat] if place > 20]
    kept = [[place for place in held[seat] if place < 20] for seat in owners]
    if not drawn or any(len(places) < SWAPS for places in kept):
        return None
    random.shuffle(stock)
    for places in kept:
        random.shuffle(places)
    between = (kept[0][0], kept[1][0]) if len(owners) == 2 else (kept[0][0], stock[0])
    return [between, (drawn[0], stock[1]), (stock[2], stock[3]), (kept[-1][1], stock[4])]


def _swapped(deck: Deck, swaps: tuple[Swap, ...]) -> Deck:
    cards = list(deck)
    for one, other in swaps:
        cards[one], cards[other] = cards[other], cards[one]
    return tuple(cards)


def _plays_alike(match: Match, deck: Deck, script: list[Play], owners: frozenset[Seat]) -> bool:
    """Return True if the moves of the script are also legal with this deck.

    If so, check that after these moves, everyone except the `owners` of the swapped cards sees the same as in `match`.
    """
    try:
        other = apply_all(_start(deck), script)
    except IllegalMove:
        return False
    assert public_view(other) == public_view(match)
    assert all(seat_view(other, Seat(seat)) == seat_view(match, Seat(seat)) for seat in {0, 1} - owners)
    return True
