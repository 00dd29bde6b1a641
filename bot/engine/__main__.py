"""The engine on the command line: the score of a record, and the least deadwood of hands."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bot.engine.cards import Hand
from bot.engine.errors import GinError, NotationError
from bot.engine.melds import best_arrangement
from bot.engine.record import replay
from bot.engine.record_parser import LINE_END
from bot.engine.to_json import match_to_json

FAILED = 2
STANDARD_INPUT = "-"
LONGEST_RECORD = 16 << 20
"""The most bytes of a record: 80 for each of the most actions that a match has."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Return 0, or 2 for wrong input, with one line on standard error that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bot.engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    replaying = commands.add_parser("replay", help="print what a record scores, as one JSON object")
    replaying.add_argument("file", help="the record, or - for standard input")
    commands.add_parser("deadwood", help="read hands of 3 to 11 cards, one a line; print the least deadwood of each")
    options = parser.parse_args(arguments)
    try:
        if options.command == "replay":
            lines = [json.dumps(match_to_json(replay(_read(options.file, LONGEST_RECORD))))]
        else:
            lines = _deadwood(_read(STANDARD_INPUT))
    except (GinError, OSError) as error:
        print(error, file=sys.stderr)
        return FAILED
    for line in lines:
        print(line)
    return 0


def _read(file: str, most: int | None = None) -> str:
    """Return the text of a file or of standard input. Raise `NotationError` if it has more bytes, or is not UTF-8."""
    size = -1 if most is None else most + 1
    if file == STANDARD_INPUT:
        raw = sys.stdin.buffer.read(size)
    else:
        with Path(file).open("rb") as opened:
            raw = opened.read(size)
    if most is not None and len(raw) > most:
        raise NotationError("length", f"line 1: the text is longer than any record: it has more than {most} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(LINE_END.findall(error.object[: error.start].decode())) + 1
        raise NotationError("encoding", f"line {line}: {error.reason}: the text is not UTF-8") from None


def _deadwood(text: str) -> list[str]:
    lines: list[str] = []
    for number, line in enumerate(LINE_END.split(text), 1):
        if not line.strip():
            continue
        try:
            hand = Hand.parse(line)
            if not 3 <= len(hand) <= 11:
                raise NotationError("hand", f"a hand has 3 to 11 cards, this one has {len(hand)}")
        except NotationError as error:
            raise NotationError(error.code, f"line {number}: {error}") from None
        arrangement = best_arrangement(hand)
        lines.append(f"{arrangement.deadwood} {arrangement}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
