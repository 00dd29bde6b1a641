"""One match as text: headers, then every action, cuts and decks included. A record replays to the same match."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from operator import itemgetter
from typing import Final

from bot.engine.actions import Action, Cut, Play, Shuffle
from bot.engine.errors import GinError, NotationError, RecordError, RulesError
from bot.engine.formats import FORMATS
from bot.engine.match import Match, apply, new_match
from bot.engine.moves import Seat, Verb
from bot.engine.record_parser import RecordParser, whole_number
from bot.engine.rules import VERSION, VERSIONS, Rules

UNFINISHED: Final = "*"

_SEAT_HEADER: Final = re.compile(r"Seat\d")


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a record.

    `names` are the players by seat, or empty. `result` is the claimed one: totals by seat, `()` for an unfinished
    match, None for no claim. `lines` are the line numbers of the rules, of each action and of the result, if the
    record was read from text.
    """

    rules: Rules
    actions: tuple[Action, ...]
    names: tuple[str, ...] = ()
    day: date | None = None
    result: tuple[int, ...] | None = None
    lines: tuple[int, ...] = field(default=(), compare=False)

    @staticmethod
    def parse(text: str) -> Record:
        """Read a record. Raise `RecordError` if it is none of a version that is known here."""
        parser = RecordParser(text)
        text, line = parser.take("Record")
        version = whole_number(text)
        if version is None or version not in VERSIONS:
            known = " and ".join(map(str, VERSIONS))
            raise RecordError("version", line, f"record version {text!r} is not known here, only {known}")
        lines = [parser.line_of("Rules")]
        rules = parser.read("Rules", partial(Rules.parse, version=version))
        actions: list[Action] = []
        for action, line in parser.actions():
            actions.append(action)
            lines.append(line)
        names = _names(parser, FORMATS[rules.format].seats)
        day = parser.read("Date", date.fromisoformat) if "Date" in parser.headers else None
        lines.append(parser.line_of("Result"))
        result = parser.read("Result", _result) if "Result" in parser.headers else None
        for name, (_, line) in parser.headers.items():
            raise RecordError("header", line, f"there is no header {name!r}")
        return Record(rules, tuple(actions), names, day, result, tuple(lines))

    def __str__(self) -> str:
        headers = {"Record": str(VERSION), "Rules": str(self.rules)}
        headers |= {f"Seat{seat}": name for seat, name in enumerate(self.names)}
        if self.day is not None:
            headers["Date"] = self.day.isoformat()
        if self.result is not None:
            headers["Result"] = "-".join(map(str, self.result)) or UNFINISHED
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers.items()]
        turn: list[str] = []
        for action in _by_board(self.actions):
            turn.append(str(action))
            if not (isinstance(action, Play) and action.move.verb in (Verb.TAKE, Verb.DRAW)):
                lines.append(" ".join(turn))
                turn.clear()
        return "\n".join((*lines, *turn, ""))

    def replay(self) -> Match:
        """Return the match that these actions lead to.

        Raise `RecordError` if the rules are not for this number of players, an action is not legal where it stands, or
        the claimed result is wrong.
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
            words = f"the result {claim!r} is not what the moves lead to: {truth!r}"
            raise RecordError("result", self._line(-1), words)
        return match

    @property
    def seats(self) -> int:
        """The number of players: by their names, else by the cut, else by the seats that the actions mention."""
        mentioned = [0]
        for action in self.actions:
            if isinstance(action, Cut):
                mentioned.append(len(action.cards))
            elif isinstance(action, Shuffle):
                mentioned.append(max((action.dealer, *(action.seats or ()))) + 1)
            elif isinstance(action, Play):
                mentioned.append(action.seat + 1)
        possible = FORMATS[self.rules.format].seats
        return len(self.names) or min(max(*mentioned, possible[0]), possible[-1])

    def _line(self, index: int) -> int:
        return self.lines[index] if self.lines else 1


def parse_actions(text: str) -> tuple[Action, ...]:
    """Read actions as they stand in a record below its headers. Raise `RecordError` if something is no action."""
    return tuple(action for action, _ in RecordParser(text).actions())


def _by_board(actions: Iterable[Action]) -> list[Action]:
    """Return the actions in printing order: if a round has several boards, each deal is followed by its own moves.

    What tells the boards apart are the players of each deal; a resignation ends them all, and so comes last.
    """
    placed: list[tuple[tuple[int, int], Action]] = []
    boards: dict[Seat, int] = {}
    deal, round_, board = 0, 0, 1
    for action in actions:
        if isinstance(action, Shuffle):
            if action.number != deal:
                deal, round_, boards = action.number, round_ + 1, {}
            board = action.board
            boards |= dict.fromkeys(action.seats or (), board)
        elif isinstance(action, Play):
            resigns = action.move.verb is Verb.RESIGN
            board = max((board, *boards.values())) if resigns else boards.get(action.seat, board)
        placed.append(((round_, board), action))
    return [action for _, action in sorted(placed, key=itemgetter(0))]


def _names(parser: RecordParser, seats: range) -> tuple[str, ...]:
    """Take the players' names, from one header or from one each; empty if they are not named."""
    if "Seats" in parser.headers:
        text, line = parser.take("Seats")
        names = tuple(name.strip() for name in text.split(","))
    else:
        given = sorted(name for name in parser.headers if _SEAT_HEADER.fullmatch(name))
        if not given:
            return ()
        line = parser.line_of(given[0])
        if given != [f"Seat{seat}" for seat in range(len(given))]:
            raise RecordError("header", line, "seats are named from [Seat0] on, without gaps")
        names = tuple(parser.take(name)[0] for name in given)
    if len(names) not in seats:
        raise RecordError("header", line, f"these rules are not for {len(names)} players")
    return names


def _result(text: str) -> tuple[int, ...]:
    if text == UNFINISHED:
        return ()
    if not re.fullmatch(r"\d+(-\d+)+", text):
        raise NotationError("result", f"{text!r} is no result: totals by seat as 335-131, or {UNFINISHED}")
    return tuple(map(int, text.split("-")))
