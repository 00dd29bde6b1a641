"""The seeds of a verifiable match, from its log: the player seeds by seat, and the events whose seed is secret."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import CHAIN_LENGTH, Event, counts_from
from bot.engine.limits import MAX_SEEDS, MAX_SEEDS_PER_DEAL
from bot.engine.matches.actions import PlayerSeed, Reveal

_FIRST_DEAL: Final = (1, 1)
"""The first deal, as (number, board). The cut's server seed must stay secret while this deal is in play."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds of a match, as an immutable value.

    `by_seat` has the seeds of each seat, in order, each with the first deal it applies to. `newest_event` is the number
    of the newest event. `sealed` has, in order, (event number, (deal number, board)) for each event with a secret
    server seed. An event's seed must stay secret while the deal of this event, or of an earlier event, is in play.
    `newest_revealed` is the newest event whose seed is public, and `is_exposed` is True if a seed was revealed too
    early, which ends the match for good. `change_counts` has, for each seat, the number of seeds that apply from the
    same deal as the seat's newest seed. `seed_count` is the number of seeds of all seats.
    """

    by_seat: tuple[tuple[tuple[int, bytes], ...], ...]
    newest_event: int = 0
    sealed: tuple[tuple[int, tuple[int, int]], ...] = ()
    newest_revealed: int = 0
    is_exposed: bool = False
    change_counts: tuple[int, ...] = ()
    seed_count: int = 0

    @property
    def is_complete(self) -> bool:
        """True if every seat gave a seed."""
        return all(self.by_seat)

    @property
    def is_used_up(self) -> bool:
        """True if the hash chain has no seed for another event."""
        return self.newest_event == CHAIN_LENGTH

    def for_deal(self, deal: int) -> tuple[bytes, ...]:
        """Return the player seeds that apply to a deal, by seat."""
        return tuple(next(seed for since, seed in reversed(given) if since <= deal) for given in self.by_seat)

    def next_event(self, seed: bytes, deal: int) -> Event:
        """Return the next event, given its server seed and the number of the deal that it belongs to."""
        return Event(self.newest_event + 1, seed, self.for_deal(deal))

    def reason_against_event(self, event: int) -> str | None:
        """Return why an event cannot have this number; None if it can.

        The number need not be the next one: a record lists the boards of a round one after the other, but events on
        different boards may alternate.
        """
        if not self.is_complete:
            return "each seat must give a seed before the first event"
        if not 1 <= event <= CHAIN_LENGTH:
            return f"it needs an event number, up to {CHAIN_LENGTH}"
        is_taken = event <= self.newest_revealed or any(event == other for other, _ in self.sealed)
        return f"there is an event {event} already" if is_taken else None

    def with_event(self, event: int, number: int, board: int) -> Seeds:
        """Return the seeds after one more event, which belongs to deal `number`, or is the cut if `number` is 0."""
        deal = (number, board) if number else _FIRST_DEAL
        return replace(
            self, newest_event=max(self.newest_event, event), sealed=tuple(sorted((*self.sealed, (event, deal))))
        )

    def revealable_events(self, playing: tuple[Deal, ...]) -> tuple[int, ...]:
        """Return the events whose seeds may be revealed while only these deals are in play."""
        secret = {(deal.number, deal.board) for deal in playing}
        return tuple(event for event, _ in takewhile(lambda sealed: sealed[1] not in secret, self.sealed))

    def reason_against_seed(self, action: PlayerSeed, deals: int) -> str | None:
        """Return why a seat cannot give a seed when `deals` deals have been dealt; None if it can."""
        seats = len(self.by_seat)
        if not 0 <= action.seat < seats:
            return "there is no such seat"
        if not self.newest_event:
            if action.counts_from is not None or self.by_seat[action.seat]:
                return "before the first event each seat gives one seed, which counts immediately"
            return None
        first_deal = counts_from(action.seat, seats, deals)
        if action.counts_from != first_deal:
            return f"it counts from={first_deal}"
        if self.may_change(action.seat, first_deal):
            return None
        return f"a seat gives {MAX_SEEDS_PER_DEAL} seeds for one deal at most, and all give {MAX_SEEDS} in a match"

    def may_change(self, seat: Seat, first_deal: int) -> bool:
        """Return True if a seat may give another seed that applies from the deal `first_deal` on."""
        is_first = self.by_seat[seat][-1][0] != first_deal
        return self.seed_count < MAX_SEEDS and (is_first or self.change_counts[seat] < MAX_SEEDS_PER_DEAL)

    def with_seed(self, action: PlayerSeed) -> Seeds:
        """Return the seeds after a seat gives one."""
        added = (action.counts_from or 0, action.seed)
        earlier = self.by_seat[action.seat]
        kept = tuple(own for own in earlier if own[0] != added[0])
        changes = list(self.change_counts)
        changes[action.seat] = 1 if kept == earlier else changes[action.seat] + 1
        given = tuple((*kept, added) if seat == action.seat else own for seat, own in enumerate(self.by_seat))
        return replace(self, by_seat=given, change_counts=tuple(changes), seed_count=self.seed_count + 1)

    def is_sealed(self, event: int) -> bool:
        """Return True if the seed of an event is still secret."""
        return any(event == other for other, _ in self.sealed)

    def with_reveal(self, action: Reveal, playing: tuple[Deal, ...]) -> Seeds:
        """Return the seeds after a reveal, which also discloses the seeds of all earlier events."""
        exposed = action.event not in self.revealable_events(playing)
        sealed = tuple(entry for entry in self.sealed if entry[0] > action.event)
        return replace(self, sealed=sealed, newest_revealed=action.event, is_exposed=self.is_exposed or exposed)


def new_seeds(seats: int) -> Seeds:
    """Return the seeds of a match before any seat gives one."""
    return Seeds(((),) * seats, change_counts=(0,) * seats)
