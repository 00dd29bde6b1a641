"""Verifiable deals: a hash chain of server seeds, the players' own seeds, and the cards that follow from these seeds.

The cards depend on the server seed and the player seeds together. The commitment to the chain is public before any card
is dealt, so nobody can adapt the server seeds to player seeds given after the commitment. The players do not know the
server seeds when they choose their own seeds. `docs/fair-protocol.md` specifies the protocol, byte for byte, and
explains its guarantees.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from struct import Struct
from typing import Final, TypeVar

from bot.engine.cards.cards import DECK, Card

_Item = TypeVar("_Item")

SEED_BYTES: Final = 32
"""Length of a server seed or player seed, in bytes."""
CHAIN_LENGTH: Final = 16_384
"""Number of events for which a hash chain has server seeds. The chain has one more value, the commitment."""
CHECKPOINT_INTERVAL: Final = 128
"""Interval between the stored values of a hash chain. The values between them are computed when needed."""
MAX_WORDS_LENGTH: Final = 100
"""Maximum length of a player's words for the shuffle, in characters."""
NOT_POSTED_TEXT: Final = "none"
"""Text hashed into the seed of a player who gave no words, if the commitment was not posted before the match began."""
HOUSE_TEXT: Final = "house"
"""Text hashed into the seed of a computer player."""

_HEADING: Final = b"deadwood fair 1\n"
_WORD_COUNT: Final = 1 << 32
_unpack_words: Final = Struct(">8I").unpack
"""Split a block of 32 bytes into eight 32-bit words."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A hash chain of server seeds: each value is the hash of the next one.

    `checkpoints` are every 128th value, from the commitment to the last value. They are secret, so `repr` omits them.
    """

    checkpoints: tuple[bytes, ...] = field(repr=False)

    @staticmethod
    def random() -> Chain:
        """Return a hash chain with a random last value. This takes about 5 ms."""
        return Chain.ending_with(token_bytes(SEED_BYTES))

    @staticmethod
    def ending_with(last: bytes) -> Chain:
        """Return the hash chain with this last value."""
        checkpoints = [last]
        for _ in range(CHAIN_LENGTH // CHECKPOINT_INTERVAL):
            checkpoints.append(hashed(checkpoints[-1], CHECKPOINT_INTERVAL))
        return Chain(tuple(reversed(checkpoints)))

    @property
    def commitment(self) -> bytes:
        """The first value of the chain, which is public."""
        return self.checkpoints[0]

    def seed(self, event: int) -> bytes:
        """Return the server seed of an event. Raise `LookupError` if the chain is too short."""
        if not 1 <= event <= CHAIN_LENGTH:
            raise LookupError(f"a chain has no seed for event {event}")
        index = -(-event // CHECKPOINT_INTERVAL)
        return hashed(self.checkpoints[index], index * CHECKPOINT_INTERVAL - event)


def hashed(seed: bytes, times: int = 1) -> bytes:
    """Hash a value `times` times with SHA-256. The result is the value `times` steps earlier in the hash chain."""
    for _ in range(times):
        seed = sha256(seed).digest()
    return seed


def player_seed(text: str) -> bytes:
    """Return the player seed: the SHA-256 hash of a text. Unicode is not normalised."""
    return sha256(text.encode()).digest()


def counts_from(seat: int, seats: int, deals: int) -> int:
    """Return the first deal that a seat's new words for the shuffle apply to, given the number of the newest deal.

    From deal 1 on, the new words of one seat, in rotation, apply to the next deal. The new words of all other seats
    apply one deal later, so that nobody can choose words for the next deal in answer to that seat's words.
    """
    return deals + 1 if deals and seat == (deals - 1) % seats else deals + 2


@dataclass(frozen=True, slots=True)
class Event:
    """A chance event: its number from 1, its server seed, and the player seeds that apply to it, by seat."""

    number: int
    seed: bytes = field(repr=False)
    player_seeds: tuple[bytes, ...]

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return the card of each seat, all different."""
        return self.deck()[:seats]

    def deck(self) -> tuple[Card, ...]:
        """Return a shuffled deck of 52 cards, top first."""
        return self.stock(DECK)

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle discards into a new stock, and return it, top first. `cards` are in pile order, bottom first."""
        return _shuffled(cards, _words(self))


def _words(event: Event) -> Iterator[int]:
    """Yield an endless stream of 32-bit words, which are derived from the seeds of an event."""
    players = "".join(f"{seed.hex()}\n" for seed in event.player_seeds)
    message = _HEADING + f"{event.number}\n{players}".encode()
    block = 0
    while True:
        yield from _unpack_words(hmac.digest(event.seed, message + str(block).encode(), "sha256"))
        block += 1


def _shuffled(items: Sequence[_Item], words: Iterator[int]) -> tuple[_Item, ...]:
    """Return the items shuffled with a stream of 32-bit numbers (Fisher-Yates, from the last index down)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = _uniform_below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _uniform_below(bound: int, words: Iterator[int]) -> int:
    """Return a uniform number from 0 to `bound` - 1, by rejection sampling."""
    limit = _WORD_COUNT - _WORD_COUNT % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound
