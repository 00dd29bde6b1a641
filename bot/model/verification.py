"""A deal with all data that people need to verify it: the commitment, the seeds, and the events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.engine.fairness.audit import Audit
from bot.model.fairness import DealEvent, Promise, SeatSeed
from bot.model.matches import MatchInfo


@dataclass(frozen=True, slots=True)
class VerifiedDeal:
    """A deal of a verifiable match, and the public part of the match's record.

    `number` and `board` identify the deal. `seeds` are the seeds that apply to it, by seat; `all_seeds` are all seeds
    of the match, in log order. `events` are the events of this deal; the cut belongs to the first deal.
    `unrecorded_events` is the number of events that are missing from the record because their deals are in play.
    `record` is the text of the record file. `audit` is the audit of that record, with the known seed texts, and with
    the commitment unless it was posted too late.
    """

    match: MatchInfo
    promise: Promise
    number: int
    board: int
    seeds: tuple[SeatSeed, ...]
    all_seeds: tuple[SeatSeed, ...]
    events: tuple[DealEvent, ...]
    unrecorded_events: int
    record: str
    audit: Audit

    @property
    def checked_events(self) -> int:
        """The number of events of the whole match that the audit checked."""
        return len(self.audit.checked)

    @property
    def known_texts(self) -> dict[int, list[str]]:
        """The texts that each seat added to the shuffles, as returned by the function `known_texts`."""
        return known_texts(self.all_seeds, {seat: len(recorded) for seat, recorded in enumerate(self.audit.seeds)})


def known_texts(given: Sequence[SeatSeed], recorded: Mapping[int, int]) -> dict[int, list[str]]:
    """Return the texts of each seat's player seeds in a record, oldest first.

    `given` has all player seeds of the match, and `recorded` has the number of seeds that the record has for each seat.
    Texts of seeds after the record are omitted. A seat with a deleted text is omitted, because its other texts would
    not match the record.
    """
    texts = dict[int, list[str]]()
    for seat, number in recorded.items():
        texts_of_seat = [words.text for words in given if words.seat == seat][:number]
        known = [text for text in texts_of_seat if text is not None]
        if known and len(known) == number:
            texts[seat] = known
    return texts
