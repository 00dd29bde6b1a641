"""Verifiable deals: a chain of server seeds, the players' own seeds, and the cards that follow from both.

The commitment to a chain is public before any card is dealt. A server seed alone decides nothing, since what the
players add enters too, and nobody who knows the one can choose the other. `docs/fair.md` describes the protocol to the
byte, and what it promises.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from struct import Struct
from typing import Final, TypeVar

from bot.engine.cards import DECK, Card

_Item = TypeVar("_Item")

SEED_BYTES: Final = 32
"""The bytes of a server seed and of a player seed."""
CHAIN_LENGTH: Final = 16_384
"""The number of events a chain has seeds for: the chain holds one more value, the commitment."""
CHECKPOINT_EVERY: Final = 128
"""The distance of the values of a chain that are kept. What lies between two is hashed anew when it is needed."""
MOST_WORDS: Final = 100
"""The most characters of the words that a player gives."""
NOT_POSTED: Final = "none"
"""The seed text of a player who gave no words in a match that began before its commitment was posted."""
HOUSE: Final = "house"
"""The seed text of a computer."""

_HEADING: Final = b"deadwood fair 1\n"
_ALL_WORDS: Final = 1 << 32
_AS_WORDS: Final = Struct(">8I").unpack
"""Take a block of 32 bytes apart."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of server seeds: each value is the hash of the next one.

    `checkpoints` are every 128th of its values, from the commitment to the last. They are secret, and so is the chain,
    which is why it is shown without them.
    """

    checkpoints: tuple[bytes, ...] = field(repr=False)

    @staticmethod
    def draw() -> Chain:
        """Return a new chain. This takes some 5 ms."""
        return Chain.ending_with(token_bytes(SEED_BYTES))

    @staticmethod
    def ending_with(last: bytes) -> Chain:
        """Return the chain whose last value is given."""
        checkpoints = [last]
        for _ in range(CHAIN_LENGTH // CHECKPOINT_EVERY):
            checkpoints.append(hashed(checkpoints[-1], CHECKPOINT_EVERY))
        return Chain(tuple(reversed(checkpoints)))

    @property
    def commitment(self) -> bytes:
        """The first value, which everybody may know."""
        return self.checkpoints[0]

    def seed(self, event: int) -> bytes:
        """Return the server seed of an event. Raise `LookupError` if the chain has none for it."""
        if not 1 <= event <= CHAIN_LENGTH:
            raise LookupError(f"a chain has no seed for event {event}")
        place = -(-event // CHECKPOINT_EVERY)
        return hashed(self.checkpoints[place], place * CHECKPOINT_EVERY - event)


def hashed(seed: bytes, times: int = 1) -> bytes:
    """Return a value of a chain so many places before another."""
    for _ in range(times):
        seed = sha256(seed).digest()
    return seed


def player_seed(text: str) -> bytes:
    """Return the player seed of a seed text, taken as it is: Unicode is not normalised."""
    return sha256(text.encode()).digest()


def counts_from(seat: int, seats: int, deals: int) -> int:
    """Return the first deal for which new words of a seat count, given the number of the newest deal that was dealt.

    One seat has the last word in each deal; what the others say counts one deal later, so that nobody answers it.
    """
    return deals + 1 if deals and seat == (deals - 1) % seats else deals + 2


@dataclass(frozen=True, slots=True)
class Event:
    """A chance event: its number from 1, its server seed, and the player seeds by seat that count for it."""

    number: int
    seed: bytes = field(repr=False)
    players: tuple[bytes, ...]

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return the card of each seat, all different."""
        return self.deck()[:seats]

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards, the top first."""
        return self.stock(DECK)

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return these cards reshuffled, the top first. They are given in the order of the pile, from its bottom."""
        return _shuffled(cards, _words(self))


def _words(event: Event) -> Iterator[int]:
    """Yield the 32-bit words of an event's stream."""
    players = "".join(f"{seed.hex()}\n" for seed in event.players)
    message = _HEADING + f"{event.number}\n{players}".encode()
    block = 0
    while True:
        yield from _AS_WORDS(hmac.digest(event.seed, message + str(block).encode(), "sha256"))
        block += 1


def _shuffled(items: Sequence[_Item], words: Iterator[int]) -> tuple[_Item, ...]:
    """Return items in the order that a stream of words gives them (Fisher and Yates, from the last place on)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _below(bound: int, words: Iterator[int]) -> int:
    """Return a number from 0 to `bound` - 1, each equally likely: words that would favour the low ones are left out."""
    limit = _ALL_WORDS - _ALL_WORDS % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound
