"""One match as text: headers, then every action, chance included. A record replays to the same match.

White space separates tokens, and `;` starts a comment that runs to the end of its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final, TypeVar, cast

from bot.engine.cards import Card, parse_cards, parse_deck
from bot.engine.errors import GinError, NotationError, RulesError
from bot.engine.formats import FORMATS
from bot.engine.match import Action, Cut, Match, Play, Restock, Shuffle, apply, new_match
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules

VERSION: Final = 1
"""The notation's version; a reader refuses a higher one."""

UNFINISHED: Final = "*"

_Value = TypeVar("_Value")


class RecordError(GinError):
    """A record that cannot be read or replayed; the message begins with the line (from 1) where it goes wrong."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(code, f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Record:
    """A match as text has it.

    `names` are the players by seat, or empty. `result` is what the writer claims: totals by seat, `()` that the match
    is unfinished, None where nothing is claimed. `lines` says on which line the rules stood, then each action, then
    the result, where it was read from text.
    """

    rules: Rules
    actions: tuple[Action, ...]
    names: tuple[str, ...] = ()
    day: date | None = None
    result: tuple[int, ...] | None = None
    lines: tuple[int, ...] = field(default=(), compare=False)

    @staticmethod
    def parse(text: str) -> Record:
        """Read a record.

        Raises:
            RecordError: it is no record of a version that is known here.
        """
        return _Reader(text).record()

    def __str__(self) -> str:
        headers = {"Record": str(VERSION), "Rules": str(self.rules)}
        headers |= {f"Seat{seat}": name for seat, name in enumerate(self.names)}
        if self.day is not None:
            headers["Date"] = self.day.isoformat()
        if self.result is not None:
            headers["Result"] = "-".join(map(str, self.result)) or UNFINISHED
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers.items()]
        turn: list[str] = []
        for action in self.actions:
            turn.append(str(action))
            if not (isinstance(action, Play) and action.move.verb in (Verb.TAKE, Verb.DRAW)):
                lines.append(" ".join(turn))
                turn.clear()
        return "\n".join((*lines, *turn, ""))

    def replay(self) -> Match:
        """The match these actions lead to.

        Raises:
            RecordError: the rules cannot be played by so many; an action is not allowed where it stands; or the claimed
                result is another.
        """
        try:
            match = new_match(self.rules, self.seats)
        except RulesError as error:
            raise RecordError(error.code, self._line(0), str(error)) from None
        for index, action in enumerate(self.actions, 1):
            try:
                match = apply(match, action)
            except GinError as error:
                raise RecordError(error.code, self._line(index), str(error)) from None
        score = match.score
        reached = score.totals if score.over else ()
        if self.result not in (None, reached):
            claim, truth = (("-".join(map(str, totals or ())) or UNFINISHED) for totals in (self.result, reached))
            raise RecordError(
                "result", self._line(-1), f"the result {claim!r} is not what the moves lead to: {truth!r}"
            )
        return match

    @property
    def seats(self) -> int:
        """How many play: by their names, else by the cut, else as many as the actions tell of."""
        told = [0]
        for action in self.actions:
            match action:
                case Cut(cards):
                    told.append(len(cards))
                case Shuffle():
                    told.append(max((action.dealer, *(action.seats or ()))) + 1)
                case Play(seat):
                    told.append(seat + 1)
                case Restock():
                    pass
        possible = FORMATS[self.rules.format].seats
        return len(self.names) or min(max(*told, possible[0]), possible[-1])

    def _line(self, index: int) -> int:
        return self.lines[index] if self.lines else 1


def parse_actions(text: str) -> tuple[Action, ...]:
    """Read actions alone, as they stand in a record below its headers.

    Raises:
        RecordError: something in the text is no action.
    """
    return tuple(action for action, _ in _Reader(text).actions())


_TOKENS: Final = re.compile(
    r"""(?P<space>\s+|;[^\r\n]*)|\[\s*(?P<header>\w+)\s+(?P<value>"(?:[^"\\]|\\.)*")\s*\]|(?P<word>[^\s;\[\]]+)""",
    re.DOTALL,
)
_WITH_ARGUMENT: Final = frozenset((Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF))
_TAKES_MELDS: Final = frozenset((Verb.KNOCK, Verb.MELD))
_MELDS: Final = re.compile(r"-$|(10|[^\W\d]|\d)[cdhs♣♦♥♠]", re.IGNORECASE)
"""How melds begin, which sets them apart from the seat of the next move."""
_SEAT_HEADER: Final = re.compile(r"Seat(\d)")


class _Reader:
    """Reads a record's text, keeping count of the line for what it complains of."""

    def __init__(self, text: str) -> None:
        self.headers: dict[str, tuple[str, int]] = {}
        self.words: list[tuple[str, int]] = []
        self._split(text)
        self.at = 0

    def record(self) -> Record:
        version, line = self._header("Record")
        if _number(version) != VERSION:
            raise RecordError("version", line, f"record version {version!r} is not known here, only {VERSION}")
        lines = [self.headers["Rules"][1] if "Rules" in self.headers else 1]
        rules = self._read("Rules", Rules.parse)
        actions: list[Action] = []
        for action, line in self.actions():
            actions.append(action)
            lines.append(line)
        names = self._names(FORMATS[rules.format].seats)
        day = self._read("Date", date.fromisoformat) if "Date" in self.headers else None
        lines.append(self.headers["Result"][1] if "Result" in self.headers else 1)
        result = self._read("Result", _result) if "Result" in self.headers else None
        for name, (_, line) in self.headers.items():
            raise RecordError("header", line, f"there is no header {name!r}")
        return Record(rules, tuple(actions), names, day, result, tuple(lines))

    def actions(self) -> Iterator[tuple[Action, int]]:
        """Every action, with the line it begins on."""
        while self.at < len(self.words):
            line = self.words[self.at][1]
            yield self._action(), line

    def _split(self, text: str) -> None:
        position, line = 0, 1
        while position < len(text):
            found = _TOKENS.match(text, position)
            if found is None:
                raise RecordError("header", line, 'a header is written [Name "value"]')
            if name := found["header"]:
                if self.words or name in self.headers:
                    raise RecordError("header", line, f"the header {name!r} is there twice, or after the first action")
                try:
                    self.headers[name] = cast(str, json.loads(found["value"])), line
                except ValueError:
                    raise RecordError("header", line, f"{found['value']} is no JSON string") from None
            elif found["word"]:
                self.words.append((found["word"], line))
            line += text.count("\n", position, found.end())
            position = found.end()

    def _header(self, name: str) -> tuple[str, int]:
        if name not in self.headers:
            raise RecordError("header", 1, f"the header [{name}] is missing")
        return self.headers.pop(name)

    def _read(self, name: str, parse: Callable[[str], _Value]) -> _Value:
        text, line = self._header(name)
        try:
            return parse(text)
        except ValueError as error:
            raise RecordError(getattr(error, "code", "header"), line, f"[{name}]: {error}") from None

    def _names(self, seats: range) -> tuple[str, ...]:
        if "Seats" in self.headers:
            line = self.headers["Seats"][1]
            names = tuple(name.strip() for name in self._header("Seats")[0].split(","))
        else:
            given = {int(found[1]): name for name in self.headers if (found := _SEAT_HEADER.fullmatch(name))}
            if not given:
                return ()
            line = self.headers[given[min(given)]][1]
            if sorted(given) != list(range(len(given))):
                raise RecordError("header", line, "seats are named from [Seat0] on, without gaps")
            names = tuple(self._header(given[seat])[0] for seat in range(len(given)))
        if len(names) not in seats:
            raise RecordError("header", line, f"these rules are not for {len(names)} players")
        return names

    def _action(self) -> Action:
        word, line = self._next()
        try:
            if word.lower() == "cut":
                return self._cut(line)
            if word.lower() == "deal":
                return self._deal(line)
            if word.lower() == "stock":
                return self._stock(line)
            if (seat := _number(word)) is not None:
                return self._play(Seat(seat), line)
        except RecordError:
            raise
        except GinError as error:
            raise RecordError(error.code, line, str(error)) from None
        raise RecordError("action", line, f"{word!r} begins no action: cut, deal, stock, or a seat and its move")

    def _next(self) -> tuple[str, int]:
        self.at += 1
        return self.words[self.at - 1]

    def _options(self) -> dict[str, str]:
        """The `key=value` words that follow."""
        options: dict[str, str] = {}
        while self.at < len(self.words) and "=" in self.words[self.at][0]:
            word, line = self.words[self.at]
            key, _, value = word.partition("=")
            key = key.lower()
            if key in options:
                raise RecordError("action", line, f"{key!r} is there twice")
            options[key] = value
            self.at += 1
        return options

    def _cut(self, line: int) -> Cut:
        cards = {key: Card.parse(value) for key, value in self._options().items()}
        if sorted(cards) != [str(seat) for seat in range(len(cards))]:
            raise RecordError("action", line, "a cut is written cut 0=CARD 1=CARD, one for each seat")
        return Cut(tuple(cards[key] for key in sorted(cards)))

    def _deal(self, line: int) -> Shuffle:
        number = _number(self._next()[0]) if self.at < len(self.words) else None
        options = self._options()
        deck = options.pop("deck", None)
        dealer = _number(options.pop("dealer", ""))
        seats = [_number(seat) for seat in options.pop("seats").split(",")] if "seats" in options else None
        board = _number(options.pop("board", "1"))
        if number is None or dealer is None or deck is None or board is None or options or (seats and None in seats):
            raise RecordError("action", line, "a deal is written deal NUMBER dealer=SEAT [seats=SEATS] deck=CARDS")
        playing = None if seats is None else tuple(Seat(seat) for seat in seats if seat is not None)
        return Shuffle(number, Seat(dealer), parse_deck(deck), playing, board)

    def _stock(self, line: int) -> Restock:
        cards: list[Card] = []
        while self.at < len(self.words) and _MELDS.match(self.words[self.at][0]):
            cards += parse_cards(self._next()[0])
        if not cards:
            raise RecordError("action", line, "a reshuffle is written stock CARDS")
        return Restock(tuple(cards))

    def _play(self, seat: Seat, line: int) -> Play:
        if self.at == len(self.words):
            raise RecordError("action", line, f"seat {seat} has no move")
        words = [self._next()[0]]
        if words[0].lower() in _WITH_ARGUMENT and self.at < len(self.words):
            words.append(self._next()[0])
        if words[0].lower() in _TAKES_MELDS and self.at < len(self.words) and _MELDS.match(self.words[self.at][0]):
            words.append(self._next()[0])
        return Play(seat, Move.parse(" ".join(words)))


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None


def _result(text: str) -> tuple[int, ...]:
    if text == UNFINISHED:
        return ()
    if not re.fullmatch(r"\d+(-\d+)+", text):
        raise NotationError("result", f"{text!r} is no result: totals by seat as 335-131, or {UNFINISHED}")
    return tuple(map(int, text.split("-")))
