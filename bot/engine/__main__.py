"""Command line of the engine: score a record, verify its cards, or print the least deadwood of hands."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from unicodedata import category

from bot.engine.cards.cards import Hand
from bot.engine.cards.melds import best_arrangement
from bot.engine.errors import GinError, NotationError
from bot.engine.fairness.audit import Answer, Audit, audit
from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.engine.limits import MAX_RECORD_BYTES, MAX_SEEDS
from bot.engine.records.record import Record, replay_record
from bot.engine.records.record_parser import HEX_SEED_DESCRIPTION, LINE_END, parse_hex_seed
from bot.engine.to_json import audit_to_json, match_to_json

EXIT_WRONG = 1
EXIT_UNREADABLE = 2
STANDARD_INPUT = "-"


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    The code is 0 for success and 1 if a record fails verification. For unreadable input, print one line about the error
    to standard error and return 2.
    """
    parser = argparse.ArgumentParser(prog="python -m bot.engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    replay_parser = commands.add_parser("replay", help="print the scores of a record as one JSON object")
    replay_parser.add_argument("file", help="the record, or - for standard input")
    verify_help = "check a record's cards against its seeds; print one JSON object"
    verify_parser = commands.add_parser("verify", help=verify_help, allow_abbrev=False)
    verify_parser.add_argument("file", help="the record, or - for standard input")
    commit = "the commitment, as shown by its message in the channel"
    verify_parser.add_argument("--commit", type=_parse_commit, action="append", default=[], metavar="HEX", help=commit)
    words = "a text that a seat added to the shuffles; repeat the option for each of its texts, in the order given"
    verify_parser.add_argument(
        "--words", type=_parse_words, action="append", default=[], metavar="SEAT=TEXT", help=words
    )
    words_from = "a file with SEAT=TEXT on each line, instead of --words"
    verify_parser.add_argument(
        "--words-from", type=_read_words_file, action="extend", dest="words", metavar="FILE", help=words_from
    )
    commands.add_parser("deadwood", help="read hands of 3 to 11 cards, one a line; print the least deadwood of each")
    options = parser.parse_args(arguments)
    if options.command == "verify" and len(options.commit) > 1:
        verify_parser.error("argument --commit: give it once")
    code = 0
    try:
        if options.command == "verify":
            result = _run_audit(options)
            lines = [json.dumps(audit_to_json(result))]
            code = EXIT_WRONG if result.answer is Answer.WRONG else 0
        elif options.command == "replay":
            lines = [json.dumps(match_to_json(replay_record(_read(options.file, MAX_RECORD_BYTES))))]
        else:
            lines = _deadwood_lines(_read(STANDARD_INPUT))
    except (GinError, OSError) as error:
        print(error, file=sys.stderr)
        return EXIT_UNREADABLE
    for line in lines:
        print(line)
    return code


def _run_audit(options: argparse.Namespace) -> Audit:
    words: dict[int, list[str]] = {}
    for seat, text in options.words:
        words.setdefault(seat, []).append(text)
    commit = options.commit[0] if options.commit else None
    return audit(Record.parse(_read(options.file, MAX_RECORD_BYTES)), commit, words)


def _parse_commit(text: str) -> bytes:
    commit = parse_hex_seed(text)
    if commit is None:
        raise argparse.ArgumentTypeError(f"a commitment is {HEX_SEED_DESCRIPTION}")
    return commit


def _parse_words(text: str) -> tuple[int, str]:
    words = text[2:]
    if not re.match("[0-9]=", text) or words != words.encode(errors="replace").decode():
        raise argparse.ArgumentTypeError("words are written SEAT=TEXT, in UTF-8, and a seat is one digit")
    if len(words) > MAX_WORDS_LENGTH:
        raise argparse.ArgumentTypeError(f"a text has at most {MAX_WORDS_LENGTH} characters")
    return int(text[0]), words


def _read_words_file(file: str) -> list[tuple[int, str]]:
    """Return the (seat, text) pairs of a file with one `SEAT=TEXT` on each line. Refuse control characters."""
    try:
        # Make the path absolute: `-` alone means standard input, but here it is the name of a file.
        content = _read(str(Path(file).absolute()), MAX_RECORD_BYTES)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"the file cannot be read: {error.strerror}") from None
    except NotationError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if content.count("\n") > MAX_SEEDS:
        raise argparse.ArgumentTypeError(f"the file has more than {MAX_SEEDS} lines")
    words: list[tuple[int, str]] = []
    for number, line in enumerate(content.split("\n"), 1):
        text = line.removesuffix("\r")
        try:
            words += [_parse_words(text)] if text else []
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"line {number} of the file: {error}") from None
        if any(category(character) in ("Cc", "Zl", "Zp") for character in text):
            raise argparse.ArgumentTypeError(f"line {number} of the file has a control character")
    return words


def _read(file: str, max_bytes: int | None = None) -> str:
    """Return the text of a file or of standard input.

    Raise `NotationError` if it has more than `max_bytes` bytes or is not UTF-8.
    """
    size = -1 if max_bytes is None else max_bytes + 1
    if file == STANDARD_INPUT:
        raw = sys.stdin.buffer.read(size)
    else:
        with Path(file).open("rb") as stream:
            raw = stream.read(size)
    if max_bytes is not None and len(raw) > max_bytes:
        raise NotationError("length", f"line 1: the text is longer than any record: it has more than {max_bytes} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(LINE_END.findall(error.object[: error.start].decode())) + 1
        raise NotationError("encoding", f"line {line}: {error.reason}: the text is not UTF-8") from None


def _deadwood_lines(text: str) -> list[str]:
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
