"""The protocol of verifiable deals: hash chains, seeds, and the cards derived from them."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.fairness.audit import Answer
from bot.engine.fairness.fair import (
    CHAIN_LENGTH,
    CHECKPOINT_INTERVAL,
    HOUSE_TEXT,
    NOT_POSTED_TEXT,
    SEED_BYTES,
    Chain,
    Event,
    _uniform_below,  # pyright: ignore[reportPrivateUsage]
    _words,  # pyright: ignore[reportPrivateUsage]
    counts_from,
    hashed,
    player_seed,
)

DOCS = Path(__file__).parents[3] / "docs"

CHAIN = Chain.ending_with(bytes([7] * 32))
NORTH = player_seed("north")
SOUTH = player_seed("süd ♠")

VECTORS = {
    "s_0": "b114b8bd52a43621d0c621058d920feb918100fb3e07e3f7b2792f0028d31357",
    "s_1": "ea25e65a78ad8c54d7c1083d1b61f75e8553ce9e1b96aa0a273337f4c9eced5b",
    "s_2": "d9315cddd3b44f8b553f31750acfed4ef7bf734216a64208dce13ddc74bafdfe",
    "L_0": "dc365e79d41cfae1c3c0d969319ae62165b81b1815a86c32bbc6c64cbdf2311b",
    "L_1": "3df371cd44e9e8709f6a531ae803a2b4e2c34363b023935299a9cf5e5c23cb92",
    "event 1": "Kh Qd",
    "event 2": (
        "Kh8cAh5cAc6c6sKd3s7s7h8h9d4d7cAsTs2sQd8s3cJc5d4c2dTh9hQsJs4h6d6hJh3h2cQhJdQc9s5s4sKsAdTd3d2h7dKc8d5hTc9c"
    ),
    "event 3": "2d3hAc6d5c4s",
}
"""The test vectors of docs/fair-protocol.md, which were computed with another program."""


def test_the_vectors_hold() -> None:
    """The hash chain that ends with 32 bytes of 0x07 and the words `north` and `süd ♠` give the documented vectors."""
    events = [Event(number, CHAIN.seed(number), (NORTH, SOUTH)) for number in (1, 2, 3)]
    found = {
        "s_0": CHAIN.commitment.hex(),
        "s_1": CHAIN.seed(1).hex(),
        "s_2": CHAIN.seed(2).hex(),
        "L_0": NORTH.hex(),
        "L_1": SOUTH.hex(),
        "event 1": " ".join(map(str, events[0].cut(2))),
        "event 2": "".join(map(str, events[1].deck())),
        "event 3": "".join(map(str, events[2].stock(parse_cards("Ac2d3h4s5c6d")))),
    }
    assert found == VECTORS


def test_the_protocol_has_the_vectors() -> None:
    """docs/fair-protocol.md contains the test vectors and explains each option of verify.py."""
    page = (DOCS / "fair-protocol.md").read_text(encoding="utf-8")
    assert all(vector in page for vector in VECTORS.values())
    assert all(f"| `{option} " in page for option in ("--commit", "--words", "--words-from"))


def test_both_pages_have_the_texts_and_answers() -> None:
    """The page for players and the protocol each mention every answer of verify.py, and the texts used for no words."""
    for name in ("fair.md", "fair-protocol.md"):
        page = (DOCS / name).read_text(encoding="utf-8")
        assert all(f"`{word}`" in page for word in (*Answer, HOUSE_TEXT, NOT_POSTED_TEXT))


@pytest.mark.nightly
def test_each_seed_is_the_hash_of_the_next() -> None:
    """Each server seed is the hash of the next, from the commitment to the last event."""
    seeds = [CHAIN.commitment, *(CHAIN.seed(event) for event in range(1, CHAIN_LENGTH + 1))]
    assert all(hashlib.sha256(later).digest() == earlier for earlier, later in pairwise(seeds))
    assert seeds[-1] == bytes([7] * 32)
    assert hashed(seeds[-1], CHAIN_LENGTH) == CHAIN.commitment


def test_a_chain_keeps_few_values_and_shows_none() -> None:
    """A hash chain stores every 128th value. Neither its repr nor an event's repr contains a seed."""
    assert len(CHAIN.checkpoints) == CHAIN_LENGTH // CHECKPOINT_INTERVAL + 1
    assert repr(CHAIN) == "Chain()"
    seed = CHAIN.seed(5)
    assert repr(seed) not in repr(Event(5, seed, (NORTH, SOUTH)))
    assert seed.hex() not in repr(Event(5, seed, (NORTH, SOUTH)))


def test_chains_are_drawn_from_the_system() -> None:
    """Each new hash chain is made from the system's random numbers: two chains share no values."""
    first, second = Chain.random(), Chain.random()
    assert len(first.commitment) == SEED_BYTES
    assert not {*first.checkpoints} & {*second.checkpoints}


@pytest.mark.parametrize("event", [0, -1, CHAIN_LENGTH + 1])
def test_a_chain_has_no_seed_for_other_events(event: int) -> None:
    """A hash chain has seeds for events 1 to `CHAIN_LENGTH`. All other numbers are errors, including 0."""
    with pytest.raises(LookupError, match=f"no seed for event {event}"):
        CHAIN.seed(event)


def test_the_stream_is_of_numbered_blocks() -> None:
    """A block gives eight 32-bit numbers. Its HMAC message has the protocol, event, player seeds and block number."""
    event = Event(12, CHAIN.seed(12), (NORTH, SOUTH, NORTH))
    message = f"deadwood fair 1\n12\n{NORTH.hex()}\n{SOUTH.hex()}\n{NORTH.hex()}\n".encode()
    blocks = [hmac.new(CHAIN.seed(12), message + text, hashlib.sha256).digest() for text in (b"0", b"1", b"2")]
    expected = [int.from_bytes(block[place : place + 4], "big") for block in blocks for place in range(0, 32, 4)]
    words = _words(event)
    assert [next(words) for _ in expected] == expected


@pytest.mark.parametrize(
    ("bound", "words", "drawn"),
    [
        (52, [51], 51),
        (52, [52], 0),
        (3, [2**32 - 1, 5], 2),
        (3, [2**32 - 2], 2),
        (52, [2**32 - 1, 2**32 - 48, 2**32 - 49], 51),
        (1 << 16, [2**32 - 1], 65535),
    ],
)
def test_biased_words_are_rejected(bound: int, words: list[int], drawn: int) -> None:
    """Words at or above the largest multiple of `bound` up to 2**32 are rejected, so all results are equally likely."""
    assert _uniform_below(bound, iter(words)) == drawn


def test_every_seed_matters_to_every_event() -> None:
    """A different server seed, event number, player seed or order of seats gives a different deck."""
    decks = [
        Event(2, CHAIN.seed(2), (NORTH, SOUTH)).deck(),
        Event(2, CHAIN.seed(3), (NORTH, SOUTH)).deck(),
        Event(3, CHAIN.seed(2), (NORTH, SOUTH)).deck(),
        Event(2, CHAIN.seed(2), (SOUTH, NORTH)).deck(),
        Event(2, CHAIN.seed(2), (NORTH, NORTH)).deck(),
        Event(2, CHAIN.seed(2), (NORTH, SOUTH, NORTH)).deck(),
    ]
    assert len({*decks}) == len(decks)
    assert all(set(deck) == set(DECK) for deck in decks)


def test_words_are_not_normalized() -> None:
    """A player's words are not trimmed or normalized: texts that look the same may give different seeds."""
    composed, taken_apart = (unicodedata.normalize(form, "süd") for form in ("NFC", "NFD"))
    assert len({player_seed(text) for text in (composed, taken_apart, "süd ", "Süd", "")}) == 5


@pytest.mark.parametrize(
    ("seats", "deals", "firsts"),
    [
        (2, 0, [2, 2]),
        (2, 1, [2, 3]),
        (2, 2, [4, 3]),
        (2, 3, [4, 5]),
        (3, 3, [5, 5, 4]),
        (4, 6, [8, 7, 8, 8]),
    ],
)
def test_one_seat_has_the_last_word(seats: int, deals: int, firsts: list[int]) -> None:
    """New words given during deal d count from deal d + 1 for seat (d - 1) mod n, and from deal d + 2 for others."""
    assert [counts_from(seat, seats, deals) for seat in range(seats)] == firsts
