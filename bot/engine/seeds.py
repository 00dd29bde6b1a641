"""The seeds of a verifiable match, from its log: the player seeds by seat, and the events whose seed is secret."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from bot.engine.actions import PlayerSeed, Reveal
from bot.engine.deal import Deal
from bot.engine.fair import CHAIN_LENGTH, Event, counts_from
from bot.engine.limits import MAX_CHANGES, MAX_SEEDS
from bot.engine.moves import Seat

_FIRST_DEAL: Final = (1, 1)
"""The deal, as (number, board), whose reveal allows the reveal of the cut."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds of a match. It never changes.

    `given` has the seeds of each seat, in order, each with the first deal it applies to. `events` is the number of the
    newest event. `sealed` are the events whose server seed is secret, in order, each with the (number, board) of its
    deal; a seed must stay secret while a deal that uses it, or an earlier one, is in play. `revealed` is the newest
    event whose seed is public, and `exposed` is True if a seed was revealed too early, which ends the match for good.
    `changes` is, by seat, the number of its seeds that apply from the same deal as its newest one. `total` is the
    number of seeds of all seats.
    """

    given: tuple[tuple[tuple[int, bytes], ...], ...]
    events: int = 0
    sealed: tuple[tuple[int, tuple[int, int]], ...] = ()
    revealed: int = 0
    exposed: bool = False
    changes: tuple[int, ...] = ()
    total: int = 0

    @property
    def complete(self) -> bool:
        """True if every seat gave a seed."""
        return all(self.given)

    @property
    def used_up(self) -> bool:
        """True if the chain has no seed for another event."""
        return self.events == CHAIN_LENGTH

    def counting(self, deal: int) -> tuple[bytes, ...]:
        """Return the player seeds that apply to a deal, by seat."""
        return tuple(next(seed for since, seed in reversed(given) if since <= deal) for given in self.given)

    def next_event(self, seed: bytes, deal: int) -> Event:
        """Return the next event of a deal, given its server seed."""
        return Event(self.events + 1, seed, self.counting(deal))

    def reason_against_event(self, event: int) -> str | None:
        """Return why an event cannot have this number; None if it can.

        A record prints the boards of a round one below the other, so the numbers may come out of order.
        """
        if not self.complete:
            return "each seat gives a seed before the first event"
        if not 1 <= event <= CHAIN_LENGTH:
            return f"its event is numbered, up to {CHAIN_LENGTH}"
        taken = event <= self.revealed or any(event == other for other, _ in self.sealed)
        return f"there is an event {event} already" if taken else None

    def with_event(self, event: int, number: int, board: int) -> Seeds:
        """Return the seeds after one more event of a deal. The number 0 stands for the cut."""
        deal = (number, board) if number else _FIRST_DEAL
        return replace(self, events=max(self.events, event), sealed=tuple(sorted((*self.sealed, (event, deal)))))

    def to_reveal(self, playing: tuple[Deal, ...]) -> tuple[int, ...]:
        """Return the events whose seeds may be revealed while only these deals are in play."""
        secret = {(deal.number, deal.board) for deal in playing}
        return tuple(event for event, _ in takewhile(lambda sealed: sealed[1] not in secret, self.sealed))

    def reason_against_seed(self, action: PlayerSeed, deals: int) -> str | None:
        """Return why a seat cannot give a seed when `deals` deals have been dealt; None if it can."""
        seats = len(self.given)
        if not 0 <= action.seat < seats:
            return "there is no such seat"
        if not self.events:
            if action.counts_from is not None or self.given[action.seat]:
                return "before the first event each seat gives one seed, which counts at once"
            return None
        first = counts_from(action.seat, seats, deals)
        if action.counts_from != first:
            return f"it counts from={first}"
        if self.may_change(action.seat, first):
            return None
        return f"a seat gives {MAX_CHANGES} seeds for one deal at most, and all give {MAX_SEEDS} in a match"

    def may_change(self, seat: Seat, first: int) -> bool:
        """Return True if a seat may give another seed that applies from the deal `first` on."""
        is_first = self.given[seat][-1][0] != first
        return self.total < MAX_SEEDS and (is_first or self.changes[seat] < MAX_CHANGES)

    def with_seed(self, action: PlayerSeed) -> Seeds:
        """Return the seeds after a seat gives one."""
        added = (action.counts_from or 0, action.seed)
        before = self.given[action.seat]
        kept = tuple(own for own in before if own[0] != added[0])
        changes = list(self.changes)
        changes[action.seat] = 1 if kept == before else changes[action.seat] + 1
        given = tuple((*kept, added) if seat == action.seat else own for seat, own in enumerate(self.given))
        return replace(self, given=given, changes=tuple(changes), total=self.total + 1)

    def may_reveal(self, event: int) -> bool:
        """Return True if the seed of an event is still secret."""
        return any(event == other for other, _ in self.sealed)

    def with_reveal(self, action: Reveal, playing: tuple[Deal, ...]) -> Seeds:
        """Return the seeds after a reveal, which also discloses the seeds of all earlier events."""
        exposed = action.event not in self.to_reveal(playing)
        sealed = tuple(one for one in self.sealed if one[0] > action.event)
        return replace(self, sealed=sealed, revealed=action.event, exposed=self.exposed or exposed)


def no_seeds(seats: int) -> Seeds:
    """Return the seeds of a match before any seat gives one."""
    return Seeds(((),) * seats, changes=(0,) * seats)
