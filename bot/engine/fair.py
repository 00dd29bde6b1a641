"""Verifiable deals: a chain of server seeds, the players' own seeds, and the cards that follow from both.

The commitment to the chain is public before any card is dealt. The cards depend on server seed and player seeds
together, and nobody who knows one of them can choose the other. `docs/fair.md` specifies the protocol to the byte, and
its guarantees.
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
"""Length of a server seed or player seed, in bytes."""
CHAIN_LENGTH: Final = 16_384
"""Number of events that a chain has seeds for. The chain holds one more value, the commitment."""
CHECKPOINT_EVERY: Final = 128
"""Number of chain values between two stored ones. Values in between are hashed again when needed."""
MOST_WORDS: Final = 100
"""Maximum length of a player's words."""
NOT_POSTED: Final = "none"
"""The seed text of a player without words, in a match that began before its commitment was posted."""
HOUSE: Final = "house"
"""The seed text of a computer."""

_HEADING: Final = b"deadwood fair 1\n"
_ALL_WORDS: Final = 1 << 32
_AS_WORDS: Final = Struct(">8I").unpack
"""Split a block of 32 bytes into eight words."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of server seeds: each value is the hash of the next one.

    `checkpoints` are every 128th value, from the commitment to the last. They are secret, so `repr` omits them.
    """

    checkpoints: tuple[bytes, ...] = field(repr=False)

    @staticmethod
    def draw() -> Chain:
        """Return a random chain. This takes about 5 ms."""
        return Chain.ending_with(token_bytes(SEED_BYTES))

    @staticmethod
    def ending_with(last: bytes) -> Chain:
        """Return the chain with this last value."""
        checkpoints = [last]
        for _ in range(CHAIN_LENGTH // CHECKPOINT_EVERY):
            checkpoints.append(hashed(checkpoints[-1], CHECKPOINT_EVERY))
        return Chain(tuple(reversed(checkpoints)))

    @property
    def commitment(self) -> bytes:
        """The first value of the chain, which is public."""
        return self.checkpoints[0]

    def seed(self, event: int) -> bytes:
        """Return the server seed of an event. Raise `LookupError` if the chain is too short."""
        if not 1 <= event <= CHAIN_LENGTH:
            raise LookupError(f"a chain has no seed for event {event}")
        place = -(-event // CHECKPOINT_EVERY)
        return hashed(self.checkpoints[place], place * CHECKPOINT_EVERY - event)


def hashed(seed: bytes, times: int = 1) -> bytes:
    """Return the SHA-256 hash of a value, applied `times` times: the value that many steps earlier in the chain."""
    for _ in range(times):
        seed = sha256(seed).digest()
    return seed


def player_seed(text: str) -> bytes:
    """Return the player seed of a seed text. Unicode is not normalised."""
    return sha256(text.encode()).digest()


def counts_from(seat: int, seats: int, deals: int) -> int:
    """Return the first deal that new words of a seat apply to, given the number of the newest deal.

    For each deal one seat has the last word. Words from other seats apply one deal later, so that nobody can choose
    words in answer to theirs.
    """
    return deals + 1 if deals and seat == (deals - 1) % seats else deals + 2


@dataclass(frozen=True, slots=True)
class Event:
    """A chance event: its number from 1, its server seed, and the player seeds that apply to it, by seat."""

    number: int
    seed: bytes = field(repr=False)
    players: tuple[bytes, ...]

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return the card of each seat, all different."""
        return self.deck()[:seats]

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards, top first."""
        return self.stock(DECK)

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return these cards reshuffled, top first. They are given from the bottom of the pile to its top."""
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
    """Return the items shuffled by a stream of words (Fisher-Yates, from the last index down)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _below(bound: int, words: Iterator[int]) -> int:
    """Return a uniform number from 0 to `bound` - 1, by rejection sampling."""
    limit = _ALL_WORDS - _ALL_WORDS % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound
