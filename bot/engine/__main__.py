"""The engine on the command line: what a record scores, and the least deadwood of hands."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bot.engine.cards import Hand
from bot.engine.errors import GinError, NotationError
from bot.engine.melds import best_arrangement
from bot.engine.record import Record
from bot.engine.summary import summary

FAILED = 2


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit code is 0, or 2 where the input is wrong (one line on standard error says how)."""
    parser = argparse.ArgumentParser(prog="python -m bot.engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    replaying = commands.add_parser("replay", help="print what a record scores, as one JSON object")
    replaying.add_argument("file", help="the record, or - for standard input")
    commands.add_parser("deadwood", help="read hands of 3 to 11 cards, one a line; print the least deadwood of each")
    chosen = parser.parse_args(arguments)
    try:
        print(_replay(chosen.file) if chosen.command == "replay" else _deadwood())
    except (GinError, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return FAILED
    return 0


def _replay(file: str) -> str:
    raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return json.dumps(summary(Record.parse(raw.decode()).replay()))


def _deadwood() -> str:
    lines: list[str] = []
    for number, line in enumerate(sys.stdin, 1):
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
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
