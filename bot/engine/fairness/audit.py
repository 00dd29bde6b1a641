"""Verification of a record: do its cards follow from the committed server seeds and the players' seeds?

A record alone proves only that it is consistent, because a forger can forge a whole record. The commitment (from its
message in the channel) and the seed texts of all seats must come from another source. See `docs/fair-protocol.md`.
`bot.engine.fairness.verify` makes the same checks as a standalone script, except for the legality of moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from bot.engine.errors import RecordError
from bot.engine.fairness.event_log import Difference, EventLog
from bot.engine.fairness.fair import HOUSE_TEXT, NOT_POSTED_TEXT, player_seed
from bot.engine.matches.formats import FORMATS
from bot.engine.records.record import Record


class Answer(StrEnum):
    """The verdict of an audit.

    `WRONG` means that the audit found a difference. `OK` means that the commitment and all seed texts were supplied and
    match, at least one event was checked, and no seed is withheld. Anything else is `CONSISTENT`.
    """

    OK = "ok"
    CONSISTENT = "consistent"
    WRONG = "wrong"


class SeedKind(StrEnum):
    """The kind of text that was hashed to make a player seed."""

    WORDS = "words"
    MESSAGE = "message"
    """The text is the id of the message with the commitment: the player gave no shuffle words."""
    NONE = "none"
    """The text is `none`: the player gave no shuffle words, and the match began before the commitment was posted."""
    HOUSE = "house"
    """The text is `house`: the player is a computer."""


@dataclass(frozen=True, slots=True)
class GivenSeed:
    """A seed that a seat gave, and its kind.

    `counts_from` is the first deal that the seed applies to, or None if it applies from the cut on.
    """

    seed: bytes
    counts_from: int | None
    kind: SeedKind


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of an audit.

    `checked` are the events whose cards were compared with the seeds. `sealed` are the events whose server seed is
    still secret. `withheld` are the sealed events whose seed should be public, because a later round was dealt or the
    match is over. `seeds` are the seeds of each seat, in order. `confirmed` are the seats for which the caller supplied
    all seed texts, and all of them match.
    """

    answer: Answer
    commit: bytes
    commit_message: tuple[int, int] | None
    checked: tuple[int, ...]
    sealed: tuple[int, ...]
    withheld: tuple[int, ...]
    differences: tuple[Difference, ...]
    seeds: tuple[tuple[GivenSeed, ...], ...]
    confirmed: tuple[int, ...]


def audit(record: Record, commit: bytes | None = None, words: Mapping[int, Sequence[str]] | None = None) -> Audit:
    """Check a record against a commitment and seed texts that are known from another source.

    `words` maps a seat to all texts that were hashed into its seeds, in order: its player's words for the shuffle, or
    the fallback text. Raise `RecordError` if the record has no commitment, is longer than any match can be, or lacks a
    seat named in `words`.
    """
    if record.commit is None:
        raise RecordError("commit", 1, "the header [Commit] is missing: there is nothing to compare with")
    log = EventLog(record)
    seats = _number_of_seats(record, log)
    for seat in words or ():
        if not 0 <= seat < seats:
            raise RecordError("seat", 1, f"the record has no seat {seat}: its seats are 0 to {seats - 1}")
    seeds = log.server_seeds(record.commit)
    for number, seed in seeds.items():
        log.check_cards(number, seed)
    if commit is not None and commit != record.commit:
        log.add_difference("the commitment differs from the given one", commit.hex(), record.commit.hex())
    confirmed = tuple(seat for seat, texts in (words or {}).items() if _seeds_match(log, seat, texts))
    if not log.differences:
        _check_moves(log, record)
    sealed = tuple(sorted(log.events.keys() - seeds.keys()))
    withheld = tuple(number for number in sealed if log.is_over or log.events[number].deal < log.newest_deal)
    answer = Answer.CONSISTENT
    if log.differences:
        answer = Answer.WRONG
    elif seeds and not withheld and commit is not None and len(confirmed) == log.seats:
        answer = Answer.OK
    return Audit(
        answer,
        record.commit,
        record.commit_message,
        tuple(sorted(seeds)),
        sealed,
        withheld,
        tuple(log.differences),
        _given_seeds(log, record),
        confirmed,
    )


def _number_of_seats(record: Record, log: EventLog) -> int:
    """Return the number of names in the record or, without names, the number of seats that gave a seed.

    If the rules do not allow that number of players, return the maximum that they allow.
    """
    possible = FORMATS[record.rules.format].seats
    if record.names:
        return len(record.names)
    return log.seats if log.seats in possible else max(possible)


def _seeds_match(log: EventLog, seat: int, texts: Sequence[str]) -> bool:
    """Compare a seat's texts with its seeds in the record, and list every difference. Return True if there are none."""
    all_match, seeds = True, log.player_seeds[seat] if seat < log.seats else ()
    for number, (text, given) in enumerate(zip_longest(texts, seeds), 1):
        expected = "nothing" if text is None else player_seed(text).hex()
        actual = "nothing" if given is None else given.seed.hex()
        if expected != actual:
            log.add_difference(f"seed {number} of seat {seat} is not what was given", expected, actual)
            all_match = False
    return all_match


def _check_moves(log: EventLog, record: Record) -> None:
    """Replay the record. If a move is illegal or the claimed result is wrong, add a `Difference` to the log."""
    try:
        record.replay()
    except RecordError as error:
        if error.code == "length":
            raise
        log.add_difference("the record cannot be replayed", "", error, line=error.line if record.lines else None)


def _given_seeds(log: EventLog, record: Record) -> tuple[tuple[GivenSeed, ...], ...]:
    kinds = {player_seed(HOUSE_TEXT): SeedKind.HOUSE, player_seed(NOT_POSTED_TEXT): SeedKind.NONE}
    if record.commit_message is not None:
        kinds[player_seed(str(record.commit_message[1]))] = SeedKind.MESSAGE
    return tuple(
        tuple(
            GivenSeed(given_seed.seed, given_seed.counts_from, kinds.get(given_seed.seed, SeedKind.WORDS))
            for given_seed in given
        )
        for given in log.player_seeds
    )
