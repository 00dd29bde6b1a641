"""The engine's command line: exit codes and output streams."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from bot.engine.__main__ import main
from bot.engine.cards.cards import DECK
from bot.engine.limits import MAX_RECORD_BYTES
from tests.helpers.cases import nightly_after

CHECKOUT = Path(__file__).parents[2]
RECORDS = CHECKOUT / "tests" / "records"
HEAD = b'[Record "1"]\n[Rules "classic"]\n'
MEMORY_LIMIT = 128 << 20
"""Memory limit for reading a record, in bytes, including Python itself."""


def run(*arguments: str, stdin: bytes = b"", bare: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Run the engine's command in a subprocess. With `bare`, installed packages cannot be imported."""
    python = [sys.executable, "-S"] if bare else [sys.executable]
    command = [*python, "-m", "bot.engine", *arguments]
    return subprocess.run(command, cwd=CHECKOUT, input=stdin, capture_output=True, check=False, timeout=60)


@pytest.mark.thorough
def test_deadwood_runs_on_the_standard_library_alone() -> None:
    """Without any package, `deadwood` prints a line for each hand: its least deadwood, melds and unmatched cards."""
    hands = b"8c8h8s 5d6d7d 4c 4h 2s Ac\r\n4S 5S 6S\n\nks qd 10\xe2\x99\xa6\n"
    done = run("deadwood", stdin=hands, bare=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"11 5d6d7d 8c8h8s | Ac 2s 4c 4h\n0 4s5s6s |\n30 | Td Qd Ks\n"


def set_stdin(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `sys.stdin` read these bytes."""
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))


def test_empty_input_gives_empty_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`deadwood` prints nothing for empty input."""
    set_stdin(b"", monkeypatch)
    assert main(["deadwood"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("hands", "error"),
    [
        (b"4s5s6s\n4s5s\n", "line 2: a hand has 3 to 11 cards, this one has 2\n"),
        (b"4s5s6s 4s5s6s\n", "line 1: 4s is there twice\n"),
        (b"AcAdAhAs 2c2d2h2s 3c3d3h3s\n", "line 1: a hand has 3 to 11 cards, this one has 12\n"),
        (b"4s5s6s\nzz\n", "line 2: 'zz' is not a card; write a rank A23456789TJQK and a suit cdhs\n"),
        (b"4s5s6s\n\xff\xfe\n", "line 2: invalid start byte: the text is not UTF-8\n"),
    ],
)
def test_a_bad_hand_stops_everything(
    hands: bytes, error: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After an invalid hand there is one line on standard error, no output for valid hands, and exit code 2."""
    set_stdin(hands, monkeypatch)
    assert main(["deadwood"]) == 2
    assert capsys.readouterr() == ("", error)


def test_replay_reads_a_file_or_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A named file and standard input (`-`) give the same JSON object."""
    path = RECORDS / "004-score-sheet.gin"
    assert main(["replay", str(path)]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed) == json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    set_stdin(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"), monkeypatch)
    assert main(["replay", "-"]) == 0
    assert capsys.readouterr() == (printed, "")


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"", "line 1: the header [Record] is missing"),
        (bytes(range(256)) * 4, "line 3: invalid start byte: the text is not UTF-8"),
        (bytes(range(128)) * 4, "line 1: the header [Record] is missing"),
        (b"\0\1[\2", "line 1: the header [Record] is missing"),
        (b"[\2", 'line 1: a header is written as [Name "value"], with a value of at most 10000 characters'),
        (b"a\rb\r\nc\n\nd\xff", "line 5: invalid start byte: the text is not UTF-8"),
        (b"\xef\xbb\xbfa\r\xff", "line 2: invalid start byte: the text is not UTF-8"),
        (
            b'[Record "1"]\n[Rules "classic \nx"]',
            r"""line 2: '"classic \nx"' is not a JSON string""",
        ),
        (
            HEAD + b"0 draw",
            "line 3: '0 draw' is not legal: the cards are not dealt; legal: cut, deal 1, resign by any seat",
        ),
        (
            b'[Record "1"]\n[Rules "express lay_off=off lay_off_mode=manual"]',
            "line 2: [Rules]: lay_off_mode=manual needs lay_off=on",
        ),
        (b'[Record "1"]\n[Rules "partners"]\n[Seats "A, B"]', "line 3: these rules are not for 2 players"),
        (b'[Record "6"]', "line 1: record version '6' is not known here, only 1, 2, 3, 4 and 5"),
    ],
)
def test_a_bad_record_is_one_line_of_error(
    raw: bytes, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bad record gives one line on standard error, an empty standard output, and exit code 2."""
    file = tmp_path / "bad.gin"
    file.write_bytes(raw)
    assert main(["replay", str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"{error}\n"


HUGE: dict[str, Callable[[], bytes]] = {
    "header": lambda: HEAD + b'[Seat0 "' + b"x" * 10_000_000 + b'"]',
    "escapes": lambda: HEAD + b'[Date "' + rb"\n" * 5_000_000 + b'"]',
    "headers": lambda: b"".join(b'[H%d "x"]\n' % number for number in range(700_000)),
    "word": lambda: HEAD + b"x" * 10_000_000,
    "moves": lambda: HEAD + b"0 pass 1 pass\n" * 700_000,
    "options": lambda: HEAD + b"cut " + b"".join(b"%d=7h " % number for number in range(1_000_000)),
    "comments": lambda: b"; nothing\n" * 1_000_000,
    "no end": lambda: b" " * (MAX_RECORD_BYTES + 1),
}
"""Texts of about 10 MB, and one that exceeds the maximum size of a record. The keys name their contents."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", nightly_after(2, HUGE))
def test_a_huge_text_takes_little_memory(name: str, tmp_path: Path) -> None:
    """A huge text that cannot be a record is refused in one short line, with bounded memory."""
    file = tmp_path / "huge.gin"
    file.write_bytes(HUGE[name]())
    program = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_LIMIT}, {MEMORY_LIMIT}))"
    program += "; from bot.engine.__main__ import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "replay", str(file)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert re.match(rb"line \d+: ", done.stderr)
    assert len(done.stderr) < 500


SEED = b"07" * 32
FAIR_HEAD = b'[Record "3"]\n[Rules "classic"]\n[Commit "%s"]\nseed 0 %s\nseed 1 %s\n' % (SEED, SEED, SEED)
DECK_TEXT = "".join(map(str, DECK)).encode()
HUGE_VERIFIABLE: dict[str, Callable[[], bytes]] = {
    "far event": lambda: b"cut 0=7h 1=Kd event=999999999\nreveal 999999999 " + SEED,
    "events": lambda: b"".join(b"cut 0=7h 1=Kd event=%d\n" % event for event in range(1, 16385)),
    "seeds": lambda: b"cut 0=7h 1=Kd event=1\n" + b"seed 0 %s from=2\n" % SEED * 180_000,
    "deals": lambda: b"".join(b"deal %d dealer=1 event=%d deck=%s\n" % (n, n, DECK_TEXT) for n in range(1, 110_000)),
    "discards": lambda: b"0 x Kd 1 take\n" * 99_000,
}
"""Bodies of verifiable records of up to 16 MB. The test appends a line that reveals the seed of event 16384."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", nightly_after(1, HUGE_VERIFIABLE))
def test_a_huge_verifiable_record_takes_little_memory(name: str, tmp_path: Path) -> None:
    """The audit of a huge record gives a short answer with bounded memory."""
    file = tmp_path / "huge.gin"
    file.write_bytes(FAIR_HEAD + HUGE_VERIFIABLE[name]() + b"\nreveal 16384 " + SEED)
    program = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_LIMIT}, {MEMORY_LIMIT}))"
    program += "; from bot.engine.__main__ import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "verify", str(file)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=False, timeout=60)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr
    assert len(done.stdout) < 300_000


@pytest.mark.parametrize("name", ["missing.gin", "."])
def test_a_file_that_cannot_be_read_is_one_line_of_error(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file or a folder gives one line that names it, and exit code 2."""
    assert main(["replay", str(tmp_path / name)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert str(tmp_path) in printed.err


def test_a_call_without_a_command_is_refused() -> None:
    """Without a command, the usage goes to standard error, with exit code 2."""
    done = run(bare=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"usage: ")
