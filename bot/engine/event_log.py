"""The seeds, reveals and events of a record, checked against the protocol in `docs/fair.md`.

The rules of the game are ignored, so reading continues past a card that makes later moves illegal. Time and memory are
linear in the size of the record, and no chain is longer than `CHAIN_LENGTH`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat, takewhile
from operator import itemgetter
from typing import Final

from bot.engine.actions import Chance, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle
from bot.engine.cards import DECK, Card
from bot.engine.errors import RecordError
from bot.engine.fair import CHAIN_LENGTH, Event, counts_from, hashed
from bot.engine.formats import FORMATS
from bot.engine.limits import MAX_SEEDS
from bot.engine.moves import FORFEITS, Verb
from bot.engine.record import Record, deals_of

MOST_DIFFERENCES: Final = 100
"""Maximum number of differences in the list."""

_CUT_BY_NOBODY: Final = ("challenger", "challenged")
"""Values of the rule `first_dealer` that need no cut."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A violation of the protocol: its text, the expected and found values, and the event and line if known."""

    what: str
    expected: str = ""
    found: str = ""
    event: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event as the record has it.

    `deal` is the number of its deal, 1 for the cut. `source` are the cards before the shuffle, in order, and `found`
    the cards in the record. `players` are the player seeds that apply, by seat.
    """

    action: Chance
    line: int | None
    deal: int
    source: tuple[Card, ...]
    found: tuple[Card, ...]
    players: tuple[bytes, ...]


class EventLog:
    """The seeds, reveals and events of a record, and their differences from the protocol.

    `given` are the seeds of each seat, in order; `events` and `reveals` are by event number. `dealt` is the number of
    the newest deal. The match is `over` if the record claims a result, or a seat resigned or lost on time.

    Raise `RecordError` if there are more seeds than a match can have, or a reveal is for an event beyond the chain.
    """

    def __init__(self, record: Record) -> None:
        self.given: list[list[PlayerSeed]] = []
        self.events: dict[int, LoggedEvent] = {}
        self.reveals: dict[int, Reveal] = {}
        self.dealt = 0
        self.over = bool(record.result)
        self.differences: list[Difference] = []
        self._rules, self._format = record.rules, FORMATS[record.rules.format]
        self._counting: list[list[tuple[int, bytes]]] = []
        """The seeds of each seat that may apply, each with the first deal it applies to, in increasing order."""
        self._begun, self._revealed = False, 0
        self._replaced: set[int] = set()
        """Seats that a computer took over."""
        self._piles: dict[int, list[Card]] = {}
        """The discard pile of each board."""
        self._newest: dict[int, int] = {}
        """The newest event of each board, in the order of the record."""
        if self._seats_fit(record):
            self._read(record)
            self._check_order()

    @property
    def seats(self) -> int:
        """The number of seats that gave a seed."""
        return len(self.given)

    def differs(
        self, what: str, expected: object = "", found: object = "", event: int | None = None, line: int | None = None
    ) -> None:
        """Add a difference, up to `MOST_DIFFERENCES`."""
        if len(self.differences) < MOST_DIFFERENCES:
            self.differences.append(Difference(what, str(expected), str(found), event, line))

    def server_seeds(self, commit: bytes) -> Mapping[int, bytes]:
        """Return the server seed of each event up to the newest reveal, and check the chain down to the commitment.

        A revealed seed also discloses the seeds of all earlier events.
        """
        seeds: dict[int, bytes] = {}
        seed, above = b"", 0
        for number in range(self._revealed, -1, -1):
            derived = hashed(seed)
            told = commit if number == 0 else self.reveals[number].seed if number in self.reveals else None
            if above and told not in (None, derived):
                what = f"its seed does not lead to {f'that of event {number}' if number else 'the commitment'}"
                self.differs(what, (told or b"").hex(), derived.hex(), above)
            seed = told or derived
            above = number if told else above
            if number in self.events:
                seeds[number] = seed
        return seeds

    def check_cards(self, number: int, seed: bytes) -> None:
        """Compare the cards of an event with the cards that its server seed and player seeds produce."""
        logged = self.events[number]
        expected = Event(number, seed, logged.players).stock(logged.source)
        if isinstance(logged.action, Cut):
            expected = expected[: self.seats]
        if expected != logged.found:
            what = "the cards are not what the seeds give"
            self.differs(what, _print(expected), _print(logged.found), number, logged.line)

    def _seats_fit(self, record: Record) -> bool:
        """Count the seats by the seeds before the first event. Return False and add a difference if they do not fit."""
        before = takewhile(lambda action: not isinstance(action, Chance), record.actions)
        seats = {action.seat for action in before if isinstance(action, PlayerSeed)}
        any_event = any(isinstance(action, Chance) for action in record.actions)
        allowed = self._format.seats if any_event else range(self._format.seats.stop)
        if seats != set(range(len(seats))) or len(seats) not in allowed:
            found = ", ".join(map(str, sorted(seats)[: self._format.seats.stop])) or "none"
            self.differs("each seat gives a seed before the first event", "", f"those of seats: {found}")
            return False
        self.given, self._counting = [[] for _ in seats], [[] for _ in seats]
        return True

    def _read(self, record: Record) -> None:
        lines = record.lines[1:-1] or repeat(None)
        for (action, (_, number, board)), line in zip(deals_of(record.actions), lines, strict=False):
            self.dealt = number
            match action:
                case PlayerSeed():
                    self._read_seed(action, line)
                case Reveal():
                    self._read_reveal(action, line)
                case Replace():
                    self._read_replace(action, line)
                case Play():
                    self._read_play(action, board)
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
        if sum(map(len, self.given)) == MAX_SEEDS:
            raise RecordError("length", line or 1, f"the players of no match give over {MAX_SEEDS} seeds")
        if not 0 <= seat < self.seats:
            self.differs("there is no such seat", "", action, line=line)
            return
        due = counts_from(seat, self.seats, self.dealt) if self._begun else None
        if seat in self._replaced:
            self.differs("a seat gives no more seeds once a computer plays it", "", action, line=line)
        elif not self._begun and self.given[seat]:
            self.differs("before the first event each seat gives one seed", "", action, line=line)
        elif action.counts_from != due:
            expected = "no from" if due is None else f"from={due}"
            self.differs("a seed counts from another deal", expected, action, line=line)
        else:
            counting, first = self._counting[seat], due or 0
            while counting and counting[-1][0] >= first:
                counting.pop()  # If several seeds would apply from the same deal on, the last one does.
            counting.append((first, action.seed))
        self.given[seat].append(action)

    def _read_replace(self, action: Replace, line: int | None) -> None:
        if not 0 <= action.seat < self.seats:
            self.differs("there is no such seat", "", action, line=line)
        self._replaced.add(action.seat)

    def _read_reveal(self, action: Reveal, line: int | None) -> None:
        if not 1 <= action.event <= CHAIN_LENGTH:
            why = f"a chain has no seed for event {action.event}, only for 1 to {CHAIN_LENGTH}"
            raise RecordError("event", line or 1, why)
        if action.event not in self.events:
            self.differs("a seed is revealed before its event", "", action, action.event, line)
        elif action.event <= self._revealed:
            self.differs("seeds are revealed in the order of their events, once", "", action, action.event, line)
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
            self.over = True

    def _read_deal(self, action: Shuffle, line: int | None) -> None:
        if action.seats is None and self._format.boards > 1:
            self.differs("where there are several boards, a deal says who plays", "seats=…", "", action.event, line)
        # As in `bot.engine.match.new_match`, two players get ten cards even if the rules deal seven.
        each = 10 if self.seats == 2 else self._rules.cards_dealt
        upcard = each * (len(action.seats) if action.seats else min(self.seats, self._format.at_table))
        self._piles[action.board] = list(action.deck[upcard : upcard + 1])
        self._read_event(action, line, action.board, DECK, action.deck)

    def _read_event(
        self, action: Chance, line: int | None, board: int, source: tuple[Card, ...], found: tuple[Card, ...]
    ) -> None:
        self._begun = True
        number, deal = action.event, max(self.dealt, 1)
        if number is None or not 1 <= number <= CHAIN_LENGTH:
            self.differs(f"events are numbered from 1 to {CHAIN_LENGTH}", "", number, line=line)
        elif number in self.events:
            self.differs("the event is there twice", "", "", number, line)
        else:
            if number < self._newest.get(board, 0):
                self.differs("the event comes after a later one", "", self._newest[board], number, line)
            self._newest[board] = number
            players = tuple(_counting(own, deal) for own in self._counting)
            self.events[number] = LoggedEvent(action, line, deal, source, found, players)

    def _check_order(self) -> None:
        """Check the order of the events: the cut, then for each round its deals by board and its reshuffles."""
        due, boards = (1, 1), self._format.boards
        is_cut = self._rules.first_dealer not in _CUT_BY_NOBODY
        for place, (number, logged) in enumerate(sorted(self.events.items()), 1):
            if number != place:
                self.differs(f"an event is missing: {place}", "", "", number, logged.line)
                return
            match logged.action:
                case Cut():
                    fits = is_cut and place == 1
                case Shuffle(deal, board=board):
                    fits = (deal, board) == due and (place > 1 or not is_cut)
                    due = (deal, board + 1) if board < boards else (deal + 1, 1)
                case Reshuffle():
                    fits = due == (logged.deal + 1, 1)
            if not fits:
                self.differs("the event is out of order", "", logged.action, number, logged.line)


def _counting(own: list[tuple[int, bytes]], deal: int) -> bytes:
    """Return the seed that applies to a deal, given all seeds of a seat that may apply; empty if none does."""
    index = bisect_right(own, deal, key=itemgetter(0))
    return own[index - 1][1] if index else b""


def _print(cards: tuple[Card, ...]) -> str:
    return "".join(map(str, cards))
