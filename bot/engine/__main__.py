"""The engine on the command line: the score of a record, and the least deadwood of hands."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bot.engine.cards import Hand
from bot.engine.errors import GinError, NotationError
from bot.engine.melds import best_arrangement
from bot.engine.record import Record
from bot.engine.to_json import match_to_json

FAILED = 2
STANDARD_INPUT = "-"


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
            lines = [json.dumps(match_to_json(Record.parse(_read(options.file)).replay()))]
        else:
            lines = _deadwood(_read(STANDARD_INPUT))
    except (GinError, OSError) as error:
        print(error, file=sys.stderr)
        return FAILED
    for line in lines:
        print(line)
    return 0


def _read(file: str) -> str:
    raw = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise NotationError("encoding", f"line {line}: {error.reason}: the text is not UTF-8") from None


def _deadwood(text: str) -> list[str]:
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
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
