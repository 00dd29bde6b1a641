"""One match as text: headers, then every action, including cuts and decks. A record replays to the same match."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import islice, repeat
from typing import Final

from bot.engine.deals.moves import FORFEITS, Seat, Verb
from bot.engine.errors import GinError, NotationError, RecordError, RulesError, quote
from bot.engine.limits import MAX_ACTIONS, MAX_MOVES_PER_DEAL, MAX_TURNS_PER_PLAYER
from bot.engine.matches.actions import Action, Chance, Play, PlayerSeed, Replace, Reveal, Shuffle, TakeBack
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Match, apply_logged, new_match
from bot.engine.records.record_parser import (
    HEX_SEED_DESCRIPTION,
    TAKE_BACK_VERSION,
    TIME_LOSS_VERSION,
    TURN_LIMIT_VERSION,
    VERIFIABLE_VERSION,
    RecordParser,
    parse_hex_seed,
    parse_whole_number,
)
from bot.engine.rules import VERSIONS, Rules

UNFINISHED_RESULT: Final = "*"

_SEAT_HEADER: Final = re.compile("Seat[0-9]")
_DATE_PATTERN: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_RESULT_PATTERN: Final = re.compile("(0|[1-9][0-9]{0,8})(-(0|[1-9][0-9]{0,8}))+")
_MESSAGE_PATTERN: Final = re.compile(r"([1-9][0-9]{0,19})/([1-9][0-9]{0,19})")
"""Pattern for the ids of a channel and a message, which are 64-bit numbers."""


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a record.

    `names` are the players by seat, or empty. `result` is the claimed result: totals by seat, `()` for an unfinished
    match, or None for no claim. In a verifiable match, `commit` is the commitment to the server seeds, and
    `commit_message` has the ids of the channel and the message that showed it. `lines` are the line numbers of the
    rules, of each action and of the result, if the record was parsed from text.
    """

    rules: Rules
    actions: tuple[Action, ...]
    names: tuple[str, ...] = ()
    day: date | None = None
    result: tuple[int, ...] | None = None
    commit: bytes | None = None
    commit_message: tuple[int, int] | None = None
    lines: tuple[int, ...] = field(default=(), compare=False)

    @staticmethod
    def parse(text: str) -> Record:
        """Parse a record. Raise `RecordError` if it is invalid or its version is unknown."""
        parser = RecordParser(text)
        record = _read_headers(parser)
        rules_line, result_line = record.lines
        read = list(islice(parser.actions(), MAX_ACTIONS + 1))
        if len(read) > MAX_ACTIONS:
            raise RecordError("length", read[-1][1], f"no match has over {MAX_ACTIONS} actions")
        lines = (rules_line, *(line for _, line in read), result_line)
        return replace(record, actions=tuple(action for action, _ in read), lines=lines)

    @property
    def version(self) -> int:
        """The lowest version of the record format that supports this record."""
        if any(isinstance(action, TakeBack) for action in self.actions):
            return TAKE_BACK_VERSION
        if any(isinstance(action, Replace) for action in self.actions) or any(
            map(_reaches_turn_limit, _moves_by_deal(self.actions))
        ):
            return TURN_LIMIT_VERSION
        if self.commit is not None or self.commit_message is not None or any(map(_is_verifiable, self.actions)):
            return VERIFIABLE_VERSION
        if any(isinstance(action, Play) and action.move.verb is Verb.TIME for action in self.actions):
            return TIME_LOSS_VERSION
        return min(VERSIONS)

    def __str__(self) -> str:
        headers = {"Record": str(self.version), "Rules": str(self.rules)}
        headers |= {f"Seat{seat}": name for seat, name in enumerate(self.names)}
        if self.day is not None:
            headers["Date"] = self.day.isoformat()
        if self.result is not None:
            headers["Result"] = "-".join(map(str, self.result)) or UNFINISHED_RESULT
        if self.commit is not None:
            headers["Commit"] = self.commit.hex()
        if self.commit_message is not None:
            headers["CommitMessage"] = "/".join(map(str, self.commit_message))
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers.items()]
        turn: list[str] = []
        for action in _in_printing_order(self.actions):
            if turn and not isinstance(action, Play):
                lines.append(" ".join(turn))
                turn.clear()
            turn.append(str(action))
            if not (isinstance(action, Play) and action.move.verb in (Verb.TAKE, Verb.DRAW)):
                lines.append(" ".join(turn))
                turn.clear()
        return "\n".join((*lines, *turn, ""))

    def replay(self) -> Match:
        """Return the match after all actions.

        Raise `RecordError` if the number of players is not allowed by the rules or not clear from the record, an action
        is not legal in its position, a match or deal has too many actions, or the claimed result is wrong.
        """
        return _replay_actions(self, zip(self.actions, self.lines[1:] or repeat(1), strict=False))


def replay_record(text: str) -> Match:
    """Return the match of a record, applying each action as soon as it is read. Raise `RecordError` if it is faulty."""
    parser = RecordParser(text)
    return _replay_actions(_read_headers(parser), parser.actions())


def parse_actions(text: str) -> tuple[Action, ...]:
    """Parse actions as they appear in a record below its headers. Raise `RecordError` if a part is not an action."""
    return tuple(action for action, _ in RecordParser(text).actions())


def with_deals(actions: Iterable[Action]) -> Iterator[tuple[Action, tuple[int, int, int]]]:
    """Yield each action with the round, number and board of its deal. A cut is in round 0.

    If a round has several boards, a move belongs to the board where its seat plays. A forfeit ends all boards and a
    reveal belongs to none, so both are assigned to the last board. A player seed and a takeover belong to no board
    either. They are assigned to the first board, because no seed or takeover is allowed after the end of the match, and
    the moves on the last board may end the match.
    """
    boards: dict[Seat, int] = {}
    round_, number, board = 0, 0, 1
    for action in actions:
        if isinstance(action, Shuffle):
            if action.number != number:
                round_, number, boards = round_ + 1, action.number, {}
            board = action.board
            boards |= dict.fromkeys(action.seats or (), board)
        elif isinstance(action, TakeBack) or (isinstance(action, Play) and action.move.verb not in FORFEITS):
            board = boards.get(action.seat, board)
        assigned_board = board
        if isinstance(action, PlayerSeed | Replace):
            assigned_board = min(boards.values(), default=board)
        elif isinstance(action, Reveal) or (isinstance(action, Play) and action.move.verb in FORFEITS):
            assigned_board = max((board, *boards.values()))
        yield action, (round_, number, assigned_board)


def _is_verifiable(action: Action) -> bool:
    """Return True if only a verifiable match can have this action."""
    return isinstance(action, PlayerSeed | Reveal) or (isinstance(action, Chance) and action.event is not None)


def _moves_by_deal(actions: Iterable[Action]) -> Iterable[Sequence[Play]]:
    """Return the moves of each deal, without forfeits."""
    moves: defaultdict[tuple[int, int, int], list[Play]] = defaultdict(list)
    for action, deal in with_deals(actions):
        if isinstance(action, Play) and action.move.verb not in FORFEITS:
            moves[deal].append(action)
    return moves.values()


def _reaches_turn_limit(moves: Sequence[Play]) -> bool:
    """Return True if the turn limit ends a deal with these moves."""
    passes = sum(move.move.verb is Verb.PASS for move in moves)
    turns, left = divmod(len(moves) - passes, 2)
    is_over = left == 0 and moves[-1].move.verb is Verb.DISCARD
    return is_over and turns > 0 and turns % (MAX_TURNS_PER_PLAYER * len({move.seat for move in moves})) == 0


def _in_printing_order(actions: Iterable[Action]) -> list[Action]:
    """Return actions in printing order: if a round has several boards, each deal is followed by its own moves.

    Player seeds and takeovers come after the first board's deal of their round, even if another board was dealt
    earlier.
    """
    with_positions = list(with_deals(actions))
    first_boards: dict[int, int] = {}
    for action, (round_, _, board) in with_positions:
        if isinstance(action, Shuffle):
            first_boards[round_] = min(board, first_boards.get(round_, board))

    def place(item: tuple[Action, tuple[int, int, int]]) -> tuple[int, int, int, bool]:
        action, (round_, number, board) = item
        if isinstance(action, PlayerSeed | Replace):
            board = first_boards.get(round_, board)
        return round_, number, board, not isinstance(action, Shuffle)

    return [action for action, _ in sorted(with_positions, key=place)]


def _replay_actions(record: Record, actions: Iterable[tuple[Action, int]]) -> Match:
    """Apply actions, given with their line numbers, under a record's headers, and return the match.

    If the headers do not give the number of players, exactly one number must make all actions legal. Raise
    `RecordError` for an illegal action, a wrong result, or an ambiguous number of players.
    """
    rules_line, *_, result_line = record.lines or (1, 1)
    seats = (len(record.names),) if record.names else FORMATS[record.rules.format].seats
    try:
        matches = [new_match(record.rules, number) for number in seats]
    except RulesError as error:
        raise RecordError(error.code, rules_line, str(error)) from None
    for number, (action, line) in enumerate(actions, 1):
        after = _apply_where_legal(matches, action, line)
        if not after:
            break  # The action is illegal for every number of players that was still possible: report this below.
        matches = after
        if number > MAX_ACTIONS or any(len(deal.history) > MAX_MOVES_PER_DEAL for deal in matches[0].playing):
            raise RecordError(
                "length", line, f"no match has over {MAX_ACTIONS} actions, no deal over {MAX_MOVES_PER_DEAL}"
            )
    if len(matches) > 1:
        possible = " or ".join(str(match.seats) for match in matches)
        message = f"{possible} players may be playing, and the record does not say how many"
        raise RecordError("seats", rules_line, f'{message}: add [Seats "North, South"], with a name for each')
    match = matches[0]
    actual_result = match.score.totals if match.score.is_over else ()
    if record.result not in (None, actual_result):
        claim, truth = (
            ("-".join(map(str, totals or ())) or UNFINISHED_RESULT) for totals in (record.result, actual_result)
        )
        explanation = f"the result {quote(claim)} is not what the moves lead to: {quote(truth)}"
        raise RecordError("result", result_line, explanation)
    return match


def _apply_where_legal(matches: Sequence[Match], action: Action, line: int) -> list[Match]:
    """Apply an action to each match in which it is legal, and return the resulting matches.

    If there is only one match and the action is illegal in it, raise `RecordError`.
    """
    after: list[Match] = []
    for match in matches:
        try:
            after.append(apply_logged(match, action))
        except GinError as error:
            if len(matches) == 1:
                raise RecordError(error.code, line, str(error)) from None
    return after


def _read_headers(parser: RecordParser) -> Record:
    """Return a `Record` with the headers, but no actions: `lines` has only the line numbers of rules and result."""
    text, line = parser.take_header("Record")
    version = parse_whole_number(text)
    if version is None or version not in VERSIONS:
        *others, newest = map(str, VERSIONS)
        known = f"{', '.join(others)} and {newest}"
        raise RecordError("version", line, f"record version {quote(text)} is not known here, only {known}")
    parser.version = version
    lines = parser.line_of("Rules"), parser.line_of("Result")
    rules = parser.parse_header("Rules", partial(Rules.parse, version=version))
    names = _take_names(parser, FORMATS[rules.format].seats)
    day = parser.parse_header("Date", _parse_date) if "Date" in parser.headers else None
    result = parser.parse_header("Result", _parse_result) if "Result" in parser.headers else None
    commit, message = None, None
    if version >= VERIFIABLE_VERSION:
        commit = parser.parse_header("Commit", _parse_commit) if "Commit" in parser.headers else None
        message = (
            parser.parse_header("CommitMessage", _parse_message_ids) if "CommitMessage" in parser.headers else None
        )
    for name, (_, line) in parser.headers.items():
        raise RecordError("header", line, f"there is no header {quote(name)}")
    return Record(rules, (), names, day, result, commit, message, lines)


def _take_names(parser: RecordParser, seats: range) -> tuple[str, ...]:
    """Take the names from the header `Seats` or from one header for each seat. Return `()` if there are none."""
    if "Seats" in parser.headers:
        text, line = parser.take_header("Seats")
        names = tuple(name.strip() for name in text.split(","))
    else:
        seat_headers = sorted(name for name in parser.headers if _SEAT_HEADER.fullmatch(name))
        if not seat_headers:
            return ()
        line = parser.line_of(seat_headers[0])
        if seat_headers != [f"Seat{seat}" for seat in range(len(seat_headers))]:
            raise RecordError("header", line, "seats are named from [Seat0] on, without gaps")
        names = tuple(parser.take_header(name)[0] for name in seat_headers)
    if len(names) not in seats:
        raise RecordError("header", line, f"these rules are not for {len(names)} players")
    return names


def _parse_date(text: str) -> date:
    try:
        if _DATE_PATTERN.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise NotationError("date", f"{quote(text)} is not a date: write 2026-11-21")


def _parse_result(text: str) -> tuple[int, ...]:
    if text == UNFINISHED_RESULT:
        return ()
    if not _RESULT_PATTERN.fullmatch(text):
        raise NotationError(
            "result", f"{quote(text)} is not a result: write totals by seat, as in 335-131, or {UNFINISHED_RESULT}"
        )
    return tuple(map(int, text.split("-")))


def _parse_commit(text: str) -> bytes:
    commit = parse_hex_seed(text)
    if commit is None:
        raise NotationError("commit", f"{quote(text)} is not a commitment: {HEX_SEED_DESCRIPTION}")
    return commit


def _parse_message_ids(text: str) -> tuple[int, int]:
    ids = _MESSAGE_PATTERN.fullmatch(text)
    if ids is None:
        raise NotationError("commit", f"{quote(text)} is not a message: write CHANNEL/MESSAGE with ids, as in 123/456")
    return int(ids[1]), int(ids[2])
