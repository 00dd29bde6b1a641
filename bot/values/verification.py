"""A deal as anybody can verify it: the promise before the match, the seeds, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.engine.audit import Audit
from bot.values.fairness import DealEvent, Promise, SeatSeed
from bot.values.matches import MatchInfo


@dataclass(frozen=True, slots=True)
class VerifiedDeal:
    """A deal of a verifiable match, and the record of the match as far as its cards are open.

    `number` and `board` name the deal. `seeds` are those that count for it, by seat, and `all_seeds` all that were
    given, in the order of the log. `events` are the deal's own, the cut among those of the first. `left_out` is the
    number of events that are not in the record, since their deals are in play. `record` is the text of a file, and
    `audit` what the check of it found, given the commitment, unless that was posted too late, and the seed texts that
    are known.
    """

    match: MatchInfo
    promise: Promise
    number: int
    board: int
    seeds: tuple[SeatSeed, ...]
    all_seeds: tuple[SeatSeed, ...]
    events: tuple[DealEvent, ...]
    left_out: int
    record: str
    audit: Audit

    @property
    def checked(self) -> int:
        """The number of events of the whole match that the audit checked."""
        return len(self.audit.checked)

    @property
    def known_texts(self) -> dict[int, list[str]]:
        """The texts that each seat added, as `known_texts` of the record has them."""
        return known_texts(self.all_seeds, {seat: len(recorded) for seat, recorded in enumerate(self.audit.seeds)})


def known_texts(given: Sequence[SeatSeed], recorded: Mapping[int, int]) -> dict[int, list[str]]:
    """Return what each seat added, in order, given how many of its seeds are in a record: the newest may not be yet.

    Seats of which something was removed are left out: what is left of it would not fit the record.
    """
    texts = dict[int, list[str]]()
    for seat, number in recorded.items():
        own = [one.text for one in given if one.seat == seat][:number]
        known = [text for text in own if text is not None]
        if known and len(known) == number:
            texts[seat] = known
    return texts
