"""The seeds, reveals and events of a record, checked against the protocol in `docs/fair-protocol.md`.

The rules of the game are not checked, so a wrong card does not end the check, even if it makes later moves illegal.
Time and memory are linear in the size of the record, and no more than `CHAIN_LENGTH` server seeds are computed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat, takewhile
from operator import itemgetter
from typing import Final

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import FORFEITS, Verb
from bot.engine.errors import RecordError
from bot.engine.fairness.fair import CHAIN_LENGTH, Event, counts_from, hashed
from bot.engine.limits import MAX_SEEDS
from bot.engine.matches.actions import Chance, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle, TakeBack
from bot.engine.matches.formats import FORMATS
from bot.engine.records.record import Record, with_deals

MAX_DIFFERENCES: Final = 100
"""Maximum number of differences that are listed."""

_DEALER_RULES_WITHOUT_CUT: Final = ("challenger", "challenged")
"""Values of the rule `first_dealer` that need no cut."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A violation of the protocol: its description, the expected and found values, and the event and line if known."""

    what: str
    expected: str = ""
    found: str = ""
    event: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """A cut, deal or reshuffle as recorded.

    `deal` is the number of its deal, 1 for the cut. `source` are the cards before the shuffle, in order, and `cards`
    the cards in the record. `player_seeds` are the player seeds that apply to the event, by seat.
    """

    action: Chance
    line: int | None
    deal: int
    source: tuple[Card, ...]
    cards: tuple[Card, ...]
    player_seeds: tuple[bytes, ...]


class EventLog:
    """The seeds, reveals and events of a record, and their differences from the protocol.

    `player_seeds` are the seeds of each seat, in order; `events` and `reveals` are by event number. `newest_deal` is
    the number of the newest deal. `is_over` is True if the record claims a result, or a seat resigned or lost on time.

    Raise `RecordError` if there are more seeds than a match can have, or a reveal is for an event beyond the hash
    chain.
    """

    def __init__(self, record: Record) -> None:
        self.player_seeds: list[list[PlayerSeed]] = []
        self.events: dict[int, LoggedEvent] = {}
        self.reveals: dict[int, Reveal] = {}
        self.newest_deal = 0
        self.is_over = bool(record.result)
        self.differences: list[Difference] = []
        self._rules, self._format = record.rules, FORMATS[record.rules.format]
        self._seeds_by_seat: list[list[tuple[int, bytes]]] = []
        """For each seat, its (first deal that the seed applies to, seed) pairs in order.

        A newer seed for the same deal replaces the older one.
        """
        self._has_event, self._revealed = False, 0
        self._replaced: set[int] = set()
        """Seats that a computer took over."""
        self._piles: dict[int, list[Card]] = {}
        """The discard pile of each board."""
        self._newest_events: dict[int, int] = {}
        """For each board, the number of the last event that was read."""
        if self._count_seats(record):
            self._read(record)
            self._check_order()

    @property
    def seats(self) -> int:
        """The number of seats that gave a seed before the first event; 0 if the format does not allow these seats."""
        return len(self.player_seeds)

    def add_difference(
        self, what: str, expected: object = "", found: object = "", event: int | None = None, line: int | None = None
    ) -> None:
        """Add a `Difference`, unless there are already `MAX_DIFFERENCES`."""
        if len(self.differences) < MAX_DIFFERENCES:
            self.differences.append(Difference(what, str(expected), str(found), event, line))

    def server_seeds(self, commit: bytes) -> Mapping[int, bytes]:
        """Return the server seed of each event up to the newest reveal.

        All earlier seeds follow from a revealed one by hashing. If a seed does not hash to an earlier reveal or to the
        commitment, add a `Difference`.
        """
        seeds: dict[int, bytes] = {}
        seed, later_event = b"", 0
        for number in range(self._revealed, -1, -1):
            derived = hashed(seed)
            revealed = commit if number == 0 else self.reveals[number].seed if number in self.reveals else None
            if later_event and revealed not in (None, derived):
                what = f"its seed does not lead to {f'that of event {number}' if number else 'the commitment'}"
                self.add_difference(what, (revealed or b"").hex(), derived.hex(), later_event)
            seed = revealed or derived
            later_event = number if revealed else later_event
            if number in self.events:
                seeds[number] = seed
        return seeds

    def check_cards(self, number: int, seed: bytes) -> None:
        """Compare the cards of an event with the cards that its server seed and player seeds produce."""
        logged = self.events[number]
        expected = Event(number, seed, logged.player_seeds).stock(logged.source)
        if isinstance(logged.action, Cut):
            expected = expected[: self.seats]
        if expected != logged.cards:
            what = "the cards are not what the seeds give"
            self.add_difference(what, _card_text(expected), _card_text(logged.cards), number, logged.line)

    def _count_seats(self, record: Record) -> bool:
        """Find the seats: those that gave a seed before the first event.

        If the format does not allow these seats, add a `Difference` and return False.
        """
        actions_before_events = takewhile(lambda action: not isinstance(action, Chance), record.actions)
        seats = {action.seat for action in actions_before_events if isinstance(action, PlayerSeed)}
        any_event = any(isinstance(action, Chance) for action in record.actions)
        allowed = self._format.seats if any_event else range(self._format.seats.stop)
        if seats != set(range(len(seats))) or len(seats) not in allowed:
            seat_list = ", ".join(map(str, sorted(seats)[: self._format.seats.stop])) or "none"
            self.add_difference(
                "each seat must give a seed before the first event", "", f"seats with seeds: {seat_list}"
            )
            return False
        self.player_seeds, self._seeds_by_seat = [[] for _ in seats], [[] for _ in seats]
        return True

    def _read(self, record: Record) -> None:
        lines = record.lines[1:-1] or repeat(None)
        for (action, (_, number, board)), line in zip(with_deals(record.actions), lines, strict=False):
            self.newest_deal = number
            match action:
                case PlayerSeed():
                    self._read_seed(action, line)
                case Reveal():
                    self._read_reveal(action, line)
                case Replace():
                    self._read_replace(action, line)
                case Play():
                    self._read_play(action, board)
                case TakeBack():
                    del self._piles.get(board, [])[-1:]
                case Cut():
                    self._read_event(action, line, 1, DECK, action.cards)
                case Shuffle():
                    self._read_deal(action, line)
                case Reshuffle():
                    pile = self._piles.get(board, [])
                    self._read_event(action, line, board, tuple(pile[:-1]), action.cards)
                    del pile[:-1]

    def _read_seed(self, action: PlayerSeed, line: int | None) -> None:
        seat = action.seat
        if sum(map(len, self.player_seeds)) == MAX_SEEDS:
            raise RecordError("length", line or 1, f"a match has at most {MAX_SEEDS} player seeds")
        if not 0 <= seat < self.seats:
            self.add_difference("there is no such seat", "", action, line=line)
            return
        due = counts_from(seat, self.seats, self.newest_deal) if self._has_event else None
        if seat in self._replaced:
            self.add_difference("a seat gives no more seeds once a computer plays it", "", action, line=line)
        elif not self._has_event and self.player_seeds[seat]:
            self.add_difference("before the first event each seat gives one seed", "", action, line=line)
        elif action.counts_from != due:
            expected = "no from" if due is None else f"from={due}"
            self.add_difference("a seed counts from the wrong deal", expected, action, line=line)
        else:
            seeds, first_deal = self._seeds_by_seat[seat], due or 0
            while seeds and seeds[-1][0] >= first_deal:
                seeds.pop()  # Of several seeds for the same deal, the last one counts.
            seeds.append((first_deal, action.seed))
        self.player_seeds[seat].append(action)

    def _read_replace(self, action: Replace, line: int | None) -> None:
        if not 0 <= action.seat < self.seats:
            self.add_difference("there is no such seat", "", action, line=line)
        self._replaced.add(action.seat)

    def _read_reveal(self, action: Reveal, line: int | None) -> None:
        if not 1 <= action.event <= CHAIN_LENGTH:
            message = f"a chain has no seed for event {action.event}, only for 1 to {CHAIN_LENGTH}"
            raise RecordError("event", line or 1, message)
        if action.event not in self.events:
            self.add_difference("a seed is revealed before its event", "", action, action.event, line)
        elif action.event <= self._revealed:
            self.add_difference("seeds are revealed in the order of their events, once", "", action, action.event, line)
        else:
            self._revealed = action.event
            self.reveals[action.event] = action

    def _read_play(self, action: Play, board: int) -> None:
        pile = self._piles.get(board, [])
        if action.move.verb is Verb.TAKE:
            del pile[-1:]
        elif action.move.verb is Verb.DISCARD and action.move.card is not None:
            pile.append(action.move.card)
        elif action.move.verb in FORFEITS:
            self.is_over = True

    def _read_deal(self, action: Shuffle, line: int | None) -> None:
        if action.seats is None and self._format.boards > 1:
            self.add_difference("with several boards, a deal must list its seats", "seats=…", "", action.event, line)
        # As in `bot.engine.matches.match.new_match`, two players get ten cards even if the rules deal seven.
        hand_size = 10 if self.seats == 2 else self._rules.cards_dealt
        upcard_index = hand_size * (
            len(action.seats) if action.seats else min(self.seats, self._format.max_players_per_deal)
        )
        self._piles[action.board] = list(action.deck[upcard_index : upcard_index + 1])
        self._read_event(action, line, action.board, DECK, action.deck)

    def _read_event(
        self, action: Chance, line: int | None, board: int, source: tuple[Card, ...], cards: tuple[Card, ...]
    ) -> None:
        self._has_event = True
        number, deal = action.event, max(self.newest_deal, 1)
        if number is None or not 1 <= number <= CHAIN_LENGTH:
            self.add_difference(f"events are numbered from 1 to {CHAIN_LENGTH}", "", number, line=line)
        elif number in self.events:
            self.add_difference("the event is there twice", "", "", number, line)
        else:
            if number < self._newest_events.get(board, 0):
                self.add_difference("the event comes after a later one", "", self._newest_events[board], number, line)
            self._newest_events[board] = number
            players = tuple(_seed_for_deal(own, deal) for own in self._seeds_by_seat)
            self.events[number] = LoggedEvent(action, line, deal, source, cards, players)

    def _check_order(self) -> None:
        """Check that the cut comes first and then, for each round, its deals (by board) and its reshuffles."""
        due, boards = (1, 1), self._format.boards
        is_cut = self._rules.first_dealer not in _DEALER_RULES_WITHOUT_CUT
        for expected_number, (number, logged) in enumerate(sorted(self.events.items()), 1):
            if number != expected_number:
                self.add_difference(f"an event is missing: {expected_number}", "", "", number, logged.line)
                return
            match logged.action:
                case Cut():
                    is_in_order = is_cut and expected_number == 1
                case Shuffle(deal, board=board):
                    is_in_order = (deal, board) == due and (expected_number > 1 or not is_cut)
                    due = (deal, board + 1) if board < boards else (deal + 1, 1)
                case Reshuffle():
                    is_in_order = due == (logged.deal + 1, 1)
            if not is_in_order:
                self.add_difference("the event is out of order", "", logged.action, number, logged.line)


def _seed_for_deal(seeds: list[tuple[int, bytes]], deal: int) -> bytes:
    """Return the seed that applies to a deal, given a seat's (first deal, seed) pairs; empty if none applies."""
    index = bisect_right(seeds, deal, key=itemgetter(0))
    return seeds[index - 1][1] if index else b""


def _card_text(cards: tuple[Card, ...]) -> str:
    return "".join(map(str, cards))
