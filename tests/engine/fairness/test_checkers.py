"""Both record checkers compared: the same answers, the same limits, and work linear in the file size."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import DECK
from bot.engine.errors import RecordError
from bot.engine.fairness import verify
from bot.engine.fairness.audit import Answer, audit
from bot.engine.fairness.fair import CHAIN_LENGTH, MAX_WORDS_LENGTH, hashed, player_seed
from bot.engine.limits import MAX_ACTIONS, MAX_RECORD_BYTES, MAX_SEEDS
from bot.engine.records.record import Record
from tests.engine.cheats import CHAIN, Forgery, arguments, honest_match
from tests.engine.checkers import REFUSED, CheckerRun, measure_work, run_engine, run_script
from tests.engine.test_main import MEMORY_LIMIT
from tests.helpers.cases import nightly_after, thorough_after
from tests.records.test_records import RECORDS, WORDS

BOTH_CHECKERS: Final = pytest.mark.parametrize("checked", [run_script, run_engine])
DUEL: Final = Path(RECORDS[0]).with_name("verifiable-duel.gin")
DUEL_TEXT: Final = DUEL.read_text(encoding="utf-8")
DUEL_COMMIT: Final = f"--commit={hashed(player_seed('verifiable-duel'), CHAIN_LENGTH).hex()}"
DUEL_WORDS: Final = tuple(f"--words={seat}={text}" for seat, texts in WORDS["duel"].items() for text in texts)
DUEL_ARGUMENTS: Final = (DUEL_COMMIT, *DUEL_WORDS)
SEED: Final = "07" * 32


def agreed_answer(file: Path, arguments_: Sequence[str] = ()) -> str:
    """Check that both checkers give the same answer about a file, and return it."""
    script, engine = run_script(file, arguments_), run_engine(file, arguments_)
    assert script.answer == engine.answer, (script, engine)
    assert_safe(script)
    return script.answer


def assert_safe(run: CheckerRun) -> None:
    """Check that a run printed only printable ASCII characters."""
    for text in (run.out, run.err):
        assert all(line.isascii() and line.isprintable() for line in text.split("\n"))


def write_record(text: str | bytes, folder: Path) -> Path:
    """Write a text to a file and return its path."""
    file = folder / "record.gin"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


# Both checkers give the same answers.


@pytest.mark.parametrize("path", thorough_after(5, RECORDS), ids=lambda path: path.stem)
def test_a_golden_record_has_one_answer(path: Path) -> None:
    """Given commitment and words, both checkers answer `ok` to a verifiable record. They refuse other records."""
    is_verifiable = "\n[Commit " in path.read_text(encoding="utf-8")
    assert agreed_answer(path) == ("consistent" if is_verifiable else REFUSED)
    name = path.stem.removeprefix("verifiable-")
    if name not in WORDS:
        return
    commit = f"--commit={hashed(player_seed(path.stem), CHAIN_LENGTH).hex()}"
    words = [f"--words={seat}={text}" for seat, texts in WORDS[name].items() for text in texts]
    assert agreed_answer(path, [commit, *words]) == "ok"
    assert agreed_answer(path, words) == "consistent"
    assert agreed_answer(path, [commit, *words[1:]]) in ("consistent", "wrong")
    assert agreed_answer(path, [f"--commit={SEED}", *words]) == "wrong"


NAMES: Final = (
    *("", " ", "Süd ♠", "مرحبا بالعالم", "日本語", "🂡 👩‍👩‍👧‍👦", "\u202eleft", "\u200b", "e\u0301"),
    *('"quoted"', "back\\slash", "\\", '\\"', "two\nlines", "tab\there", "\x1b[2J\x1b[1;1Hok", "\x00", "\x7f\x85\x9b"),
    *("\u2028deal 1", "\u2029", "\ufeff", "; a comment", '"] ; "', '[Result "*"]', "]", "x" * 5000),
)
"""Names that are hard to print or parse."""


@pytest.mark.parametrize("name", thorough_after(8, NAMES))
def test_a_name_changes_no_answer(name: str, tmp_path: Path) -> None:
    """Names in any script, with quotes, escapes and control characters, do not change the answer."""
    match = honest_match()
    program_arguments = arguments(Forgery(replace(match.record, names=(name, "South")), match.words), tmp_path)
    assert agreed_answer(Path(program_arguments[0]), program_arguments[1:]) == "ok"
    assert agreed_answer(Path(program_arguments[0])) == "consistent"


FORMS: Final[dict[str, Callable[[str], str]]] = {
    "byte order mark": lambda text: f"\ufeff{text}",
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "byte order mark and CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "no end of the last line": lambda text: text.removesuffix("\n"),
    "empty lines": lambda text: text.replace("\n", "\n\n"),
    "comments": lambda text: text.replace("\n", "\n; ♠ 🂡 مرحبا \u202e \t deal 1\n"),
    "one header for the names": lambda text: re.sub(r"\[Seat0 .*\n\[Seat1 .*\n", '[Seats "North, South"]\n', text),
    "no names": lambda text: re.sub(r"\[Seat0 .*\n\[Seat1 .*\n", "", text),
    "headers in another order": lambda text: re.sub(r"(\[Record .*\n)((?:\[.*\n)+)", r"\2\1", text),
    "capital digits": lambda text: re.sub(r"[0-9a-f]{64}", lambda found: found[0].upper(), text),
    "escapes": lambda text: text.replace('"North"', r'"\u004eorth \ud83c\udca1 \ud800"'),
}
"""Functions that rewrite a record in another form, which both the engine and verify.py accept."""


@pytest.mark.parametrize("name", FORMS)
def test_a_form_changes_no_answer(name: str, tmp_path: Path) -> None:
    """Line ends, byte order marks, comments and empty lines do not change the answer."""
    file = write_record(FORMS[name](DUEL_TEXT), tmp_path)
    assert agreed_answer(file, DUEL_ARGUMENTS) == "ok"
    assert agreed_answer(file) == "consistent"


UNUSUAL: Final[dict[str, Callable[[str], str]]] = {
    "white space before an action": lambda text: text.replace("\ncut", "\n cut"),
    "white space after an action": lambda text: text.replace(" event=1\n", " event=1 \n"),
    "two spaces": lambda text: text.replace("cut ", "cut  "),
    "a tab": lambda text: text.replace("cut ", "cut\t"),
    "a space without break": lambda text: text.replace("cut ", "cut\u00a0"),
    "a line of white space": lambda text: text.replace("\ncut", "\n \t\ncut"),
    "a carriage return": lambda text: text.replace("\ncut", "\rcut"),
    "capitals": lambda text: text.replace("\ncut", "\nCUT"),
    "tens with two digits": lambda text: text.replace("x Td", "x 10d", 1).replace("x Th", "x 10h", 1),
    "suit symbols": lambda text: text.replace("x 8s", "x 8♠"),
    "zeros in front": lambda text: text.replace("reveal 1 ", "reveal 01 "),
    "two actions on a line": lambda text: text.replace("\ndeal 2", " deal 2"),
    "a comment after an action": lambda text: text.replace(" event=1\n", " event=1 ; the cut\n"),
    "a comment with a control character": lambda text: f"; \x1b[2J\x1b[1;1Hok\n{text}",
    "a comment with a line separator": lambda text: f"; \u2028deal 1\n{text}",
    "two headers on a line": lambda text: text.replace("]\n[Seat0", "] [Seat0"),
    "spaces in a header": lambda text: text.replace("[Seat0 ", "[ Seat0  "),
    "options in another order": lambda text: re.sub(r"cut 0=(..) 1=(..)", r"cut 1=\2 0=\1", text),
}
"""Functions that rewrite a record in a form that the engine accepts, although the bot never writes it."""


@pytest.mark.parametrize("name", UNUSUAL)
def test_a_form_that_the_bot_never_prints_is_refused_but_not_called_wrong(name: str, tmp_path: Path) -> None:
    """The script refuses unusual forms of a record, but never calls them `wrong`. The engine reads them."""
    text = UNUSUAL[name](DUEL_TEXT)
    assert text != DUEL_TEXT
    file = write_record(text, tmp_path)
    assert run_engine(file, DUEL_ARGUMENTS).answer == "ok"
    refused = run_script(file, DUEL_ARGUMENTS)
    assert refused.answer == REFUSED
    assert_safe(refused)


UNREADABLE: Final[dict[str, Callable[[str], str | bytes]]] = {
    "nothing": lambda _: "",
    "another version": lambda text: text.replace('[Record "3"]', '[Record "9"]'),
    "an old version": lambda text: text.replace('[Record "3"]', '[Record "2"]'),
    "no version": lambda text: text.replace('[Record "3"]\n', ""),
    "no rules": lambda text: re.sub(r"\[Rules .*\n", "", text),
    "empty rules": lambda text: re.sub(r"\[Rules .*\n", '[Rules " "]\n', text),
    "an option twice": lambda text: text.replace("classic ", "classic target=60 "),
    "an unknown format": lambda text: text.replace("classic ", "classic format=none "),
    "no commitment": lambda text: re.sub(r"\[Commit .*\n", "", text),
    "a short commitment": lambda text: text.replace('[Commit "92', '[Commit "'),
    "a header twice": lambda text: text.replace('[Result "', '[Result "*"]\n[Result "'),
    "a header below an action": lambda text: f'{text}[Result "*"]\n',
    "an unknown header": lambda text: f'[Event "x"]\n{text}',
    "a header without an end": lambda text: text.replace('"North"]', '"North"'),
    "a header that is no string": lambda text: text.replace('"North"', "1"),
    "nested lists": lambda text: text.replace('"North"', "[" * 100_000),
    "a raw control character in a header": lambda text: text.replace("North", "\x1b[2Jok"),
    "a third name": lambda text: text.replace("[Seat1 ", '[Seat2 "South"]\n[Seat1 '),
    "a gap between names": lambda text: text.replace("[Seat1 ", "[Seat2 "),
    "names twice": lambda text: text.replace("[Seat0 ", '[Seats "North, South"]\n[Seat0 '),
    "an unknown action": lambda text: f"{text}shuffle\n\x1b[2J\x1b[1;1Hok\n",
    "an unknown move": lambda text: f"{text}0 flies\n",
    "a move without a card": lambda text: f"{text}0 x\n",
    "a negative event": lambda text: text.replace("reveal 1 ", "reveal -1 "),
    "a digit of another script": lambda text: text.replace("reveal 1 ", "reveal ١ "),
    "a short seed": lambda text: re.sub(r"(reveal 1 .*).\n", r"\1\n", text),
    "a deck with a card twice": lambda text: text.replace("deck=Jd6h", "deck=JdJd"),
    "the commitment revealed": lambda text: f"{text}reveal 0 {SEED}\n",
    "a seed beyond the chain": lambda text: f"{text}reveal {CHAIN_LENGTH + 1} {'0' * 64}\n",
    "a seed far beyond the chain": lambda text: f"{text}reveal 999999999 {'0' * 64}\n",
    "a number with many digits": lambda text: f"{text}reveal {'9' * 100_000} {'0' * 64}\n",
    "a byte that is not UTF-8": lambda text: text.encode().replace(b"North", b"\xff"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "a surrogate": lambda text: text.encode().replace(b"North", b"\xed\xa0\x80"),
}
"""Functions that change a record so that both checkers refuse to read it."""


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_text_that_is_not_a_record_is_refused(name: str, tmp_path: Path) -> None:
    """If a text is not a record, both checkers exit with code 2, without standard output and without hashing."""
    text = UNREADABLE[name](DUEL_TEXT)
    assert text not in (DUEL_TEXT, DUEL_TEXT.encode())
    with measure_work(hashes_only=True) as work:
        assert agreed_answer(write_record(text, tmp_path), DUEL_ARGUMENTS) == REFUSED
    assert work.hashes == 0


def test_the_number_of_an_event_beyond_the_chain_is_wrong(tmp_path: Path) -> None:
    """An event number outside the hash chain is `wrong`, and makes the checkers compute only a few hashes."""
    for number in (0, CHAIN_LENGTH + 1, 999_999_999):
        with measure_work(hashes_only=True) as work:
            assert (
                agreed_answer(write_record(DUEL_TEXT.replace("event=5", f"event={number}"), tmp_path), DUEL_ARGUMENTS)
                == "wrong"
            )
        assert work.hashes < 200


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("limit", [100_000, *nightly_after(0, [MAX_RECORD_BYTES])])
def test_a_long_file_is_refused_by_its_size(
    limit: int, extra: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the maximum size, 16 MiB, is read. One byte more is refused."""
    for name in ("fairness.verify.MAX_BYTES", "__main__.MAX_RECORD_BYTES"):
        monkeypatch.setattr(f"bot.engine.{name}", limit)
    room = limit - len(DUEL_TEXT.encode())
    file = write_record(f"{DUEL_TEXT};{'x' * (room + extra - 1)}", tmp_path)
    assert agreed_answer(file, DUEL_ARGUMENTS) == (REFUSED if extra else "ok")


AFTER_REPLACE: Final = {
    "seed 0 {seed} from=6": "wrong",
    "seed 1 {seed} from=5": "consistent",
    "replace 0": "wrong",
    "replace 7": "wrong",
    "replace 1": "consistent",
    "replace": REFUSED,
    "replace 00": REFUSED,
    "replace 1 2": REFUSED,
}
"""Lines that are added to a record below `replace 0`, each with the answer of verify.py."""


@pytest.mark.parametrize("line", AFTER_REPLACE)
def test_the_script_reads_takeovers(line: str, tmp_path: Path) -> None:
    """verify.py reads takeovers in version 4: each seat is replaced at most once, and then gives no more seeds."""
    text = f"{DUEL_TEXT}replace 0\n"
    assert run_script(write_record(text, tmp_path), DUEL_ARGUMENTS).answer == REFUSED
    newer = text.replace('[Record "3"]', '[Record "4"]')
    assert run_script(write_record(newer, tmp_path), DUEL_ARGUMENTS).answer == "ok"
    assert run_script(write_record(f"{newer}{line.format(seed=SEED)}\n", tmp_path)).answer == AFTER_REPLACE[line]


# Command-line arguments.


WRONG_ARGUMENTS: Final = (
    *(["--words", text] for text in ("", "north", "x=north", "0:north", "0north wind", "=north", "-1=north")),
    *(["--words", text] for text in ("00=north", "10=north", "٣=north", " 0=north", "0 =north", "+0=north", "0")),
    *(["--words", text] for text in ("7=north", "2=north", f"0={'x' * (MAX_WORDS_LENGTH + 1)}", "0=\udcff")),
    *(["--commit", text] for text in ("", "xyz", SEED[1:], f"{SEED}0", f"0x{SEED}", f"0x{SEED[2:]}", f" {SEED[1:]}")),
    *(["--commit", text] for text in (f"{SEED} ", f"{SEED}\n", SEED.replace("7", "٧"), f"{SEED[:32]}-{SEED[33:]}")),
    *(["--commit", SEED, "--commit", SEED], ["--commit"], ["--words"], ["--comm", SEED], ["--word", "0=north"]),
    *(["--seed", SEED], ["another.gin"], ["--words-from"], ["--words-from", "missing.txt"], ["--words-from", "."]),
    *(["--words-from", ""], ["--words-from", "-"], ["--words-fro", "missing.txt"]),
)
"""Invalid command-line arguments for the checkers."""


@BOTH_CHECKERS
@pytest.mark.parametrize(
    "wrong",
    [pytest.param(case, marks=pytest.mark.thorough if place % 3 else ()) for place, case in enumerate(WRONG_ARGUMENTS)],
)
def test_a_wrong_argument_is_an_error(
    wrong: Sequence[str], checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """An invalid argument makes a checker exit with code 2."""
    program_arguments = arguments(Forgery(honest_match().record, {}), tmp_path)
    assert checked(Path(program_arguments[0]), wrong).answer == REFUSED


@BOTH_CHECKERS
def test_any_text_that_a_player_can_give_is_a_right_argument(
    checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """Words may be empty, contain equals signs, dashes and line ends, and have the maximum length."""
    file = write_record(str(honest_match().record), tmp_path)
    for text in ("", "=", "a=b", "-x", "--commit", " north ", "a\nb", "🂡" * MAX_WORDS_LENGTH, "0=north"):
        assert checked(file, [f"--words=0={text}"]).answer == "wrong"
        assert checked(file, ["--words", f"0={text}"]).answer == "wrong"
    assert checked(file, ["--words", "0=north", "--words", "0=changed"]).answer == "consistent"
    assert checked(file, ["--commit", CHAIN.commitment.hex().upper()]).answer == "consistent"


@BOTH_CHECKERS
@pytest.mark.parametrize("name", ["missing.gin", ".", "missing\x1b[2J.gin"])
def test_a_file_that_cannot_be_read_is_refused(
    name: str, checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """For a missing file or a folder, a checker exits with code 2 and prints no control characters from the name."""
    found = checked(tmp_path / name, [])
    assert found.answer == REFUSED
    assert "\x1b" not in found.err


WORDS_FILES: Final = {
    "as the bot sends it": "0=north\n1=süd ♠\n0=\u200d=\n",
    "saved on Windows": "\ufeff0=north\r\n1=süd ♠\r\n0=\u200d=\r\n",
    "without a last line end": "0=north\n1=süd ♠\n0=\u200d=",
    "with empty lines": "\n0=north\n\n1=süd ♠\n0=\u200d=\n\n",
    "in another order of seats": "1=süd ♠\n0=north\n0=\u200d=\n",
}
"""Files that all contain the same words."""


@BOTH_CHECKERS
@pytest.mark.parametrize("name", WORDS_FILES)
def test_a_file_gives_the_words_as_arguments_do(
    name: str, checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """Words from a file give the same result as typed words. Combined, they count in the order of the arguments."""
    file, words = write_record(str(honest_match().record), tmp_path), tmp_path / "words.txt"
    words.write_bytes(WORDS_FILES[name].encode())
    typed = ["--words=0=north", "--words=1=süd ♠", "--words=0=\u200d="]
    assert checked(file, ["--words-from", str(words)]) == checked(file, typed)
    words.write_text("0=\u200d=\n", "utf-8")
    assert checked(file, [*typed[:2], f"--words-from={words}"]) == checked(file, typed)
    assert checked(file, [f"--words-from={words}", *typed[:2]]) != checked(file, typed)


@BOTH_CHECKERS
def test_a_file_with_all_words_is_as_good_as_arguments(
    checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """The record of a duel is `ok` with a file of its words, and `wrong` if the file adds words that nobody gave."""
    words = tmp_path / "words.txt"
    lines = "".join(f"{duel_word.removeprefix('--words=')}\n" for duel_word in DUEL_WORDS)
    words.write_text(lines, "utf-8")
    assert checked(DUEL, [DUEL_COMMIT, f"--words-from={words}"]).answer == "ok"
    words.write_text(f"{lines}1=one more\n", "utf-8")
    assert checked(DUEL, [DUEL_COMMIT, f"--words-from={words}"]).answer == "wrong"


WRONG_WORDS_FILES: Final[dict[str, bytes]] = {
    "no seat": b"north\n",
    "a line of spaces": b"0=north\n  \n",
    "a seat that is no digit": "٣=north\n".encode(),
    "a seat that the record lacks": b"2=north\n",
    "too long a text": b"0=" + b"x" * (MAX_WORDS_LENGTH + 1),
    "another encoding": "0=süd\n".encode("latin-1"),
    "UTF-16": "0=north\n".encode("utf-16"),
    "UTF-16 without its mark": "0=north\n".encode("utf-16-le"),
    "line ends of another kind": b"0=north\r1=south\r",
    "another end of a line": "0=north\u20281=south\n".encode(),
    "a control character": b"0=\x1b[2Jnorth\n",
    "more lines than a match has seeds": b"0=x\n" * (MAX_SEEDS + 1),
    "a long line": b"0=" + b"x" * 1_000_000,
    "a long line of control characters": b"0=" + b"\x00" * 1_000_000,
    "more bytes than a record": b"0=x" + b"\n" * MAX_RECORD_BYTES,
    "a record": DUEL_TEXT.encode(),
}
"""Invalid words files."""


@BOTH_CHECKERS
@pytest.mark.parametrize("name", WRONG_WORDS_FILES)
def test_an_invalid_words_file_is_an_error(
    name: str, checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """If the words file is invalid, a checker exits with code 2 and prints no control characters from the file."""
    words = tmp_path / "words.txt"
    words.write_bytes(WRONG_WORDS_FILES[name])
    found = checked(DUEL, [DUEL_COMMIT, f"--words-from={words}"])
    assert found.answer == REFUSED
    assert_safe(found)


@BOTH_CHECKERS
def test_a_file_has_room_for_all_words_of_a_match(
    checked: Callable[[Path, Sequence[str]], CheckerRun], tmp_path: Path
) -> None:
    """A words file may have as many texts as a match may have seeds."""
    words = tmp_path / "words.txt"
    words.write_text("0=x\n" * MAX_SEEDS, "utf-8")
    assert checked(DUEL, [f"--words-from={words}"]).answer == "wrong"


# The work of both checkers grows at most linearly with the file size.

HEAD: Final = (
    f'[Record "3"]\n[Rules "classic stock_out=reshuffle"]\n[Commit "{SEED}"]\nseed 0 {SEED}\nseed 1 {SEED}\n'
    "cut 0=7h 1=Kd event=1\n"
)
DECK_TEXT: Final = "".join(map(str, DECK))


def deal_line(number: int, event: int, seats: str = "") -> str:
    """Return a line that deals a sorted deck."""
    return f"deal {number} dealer=1{seats} event={event} deck={DECK_TEXT}\n"


def seed_lines(number: int, since: int) -> str:
    """Return lines with this many seeds of seat 0, all for the same deal."""
    return f"seed 0 {SEED} from={since}\n" * number


GROWING_TEXTS: Final[dict[str, Callable[[int], str]]] = {
    "reveals": lambda n: HEAD + "".join(f"reveal {1 + index} {SEED}\n" for index in range(n)),
    "reveals of one event": lambda n: HEAD + f"reveal 1 {SEED}\n" * n,
    "seeds": lambda n: HEAD + seed_lines(n, 2),
    "seeds before reshuffles": lambda n: (
        HEAD + deal_line(1, 2) + seed_lines(n, 2) + "".join(f"stock 2c3c event={3 + index}\n" for index in range(n))
    ),
    "seeds before deals": lambda n: (
        HEAD + seed_lines(n, 2) + "".join(deal_line(1 + index, 2 + index) for index in range(n))
    ),
    "deals that count down": lambda n: (
        HEAD
        + "".join(
            deal_line(n - index, 2 + index) + seed_lines(1, n - index + 1) + seed_lines(1, n - index + 2)
            for index in range(n)
        )
        + "".join(f"stock 2c event={2 + n + index}\n" for index in range(n))
    ),
    "deals of one number": lambda n: HEAD + "".join(deal_line(1, 2 + index) for index in range(n)),
    "seats": lambda n: (
        HEAD
        + "".join(deal_line(1, 2 + index, f" seats={index % 10},{index // 10 % 10}") for index in range(n))
        + f"reveal 1 {SEED}\n" * n
    ),
    "many seats": lambda n: (
        HEAD
        + "".join(deal_line(1, 2 + index, f" seats={1000 + index}") for index in range(n))
        + f"reveal 1 {SEED}\n" * n
    ),
    "moves on a line": lambda n: HEAD + deal_line(1, 2) + "0 draw 0 x 2c " * n + "0 draw\n",
    "discards": lambda n: HEAD + deal_line(1, 2) + "0 x 2c\n" * n + f"stock 2c event=3\nreveal 3 {SEED}\n",
    "discards before reshuffles": lambda n: (
        HEAD + deal_line(1, 2) + "".join(f"0 x 2c\n1 x 3c\nstock 2c event={3 + index}\n" for index in range(n))
    ),
    "takes": lambda n: HEAD + deal_line(1, 2) + "0 take\n" * n,
    "comments": lambda n: HEAD + "; nothing\n" * n,
    "a long comment": lambda n: HEAD + ";" + " ;" * n,
    "empty lines": lambda n: HEAD + "\n" * n,
    "white space": lambda n: HEAD + " " * n,
    "a long word": lambda n: HEAD + "x" * n,
    "a long header": lambda n: f'[Seat0 "{"x" * n}"]\n{HEAD}',
    "escapes": lambda n: f'[Seat0 "{chr(92) * 2 * n}"]\n{HEAD}',
    "a header without an end": lambda n: f'[Seat0 "{"x" * n}\n{HEAD}',
    "white space in a header": lambda n: f'[Seat0 {" " * n}"x"]\n{HEAD}',
    "options": lambda n: HEAD.replace("classic", "classic" + " target=60" * n),
    "names": lambda n: f'[Seats "{"," * n}"]\n{HEAD}',
    "headers": lambda n: "".join(f'[H{index} "x"]\n' for index in range(n)) + HEAD,
    "brackets": lambda n: f"{HEAD}{'[' * n}",
    "melds": lambda n: f"{HEAD}{deal_line(1, 2)}0 k 2c {'4c5c6c/' * n}4c5c6c\n",
    "cards": lambda n: f"{HEAD}{deal_line(1, 2)}stock {'2c' * n} event=3\n",
}
"""Functions that return texts of a given size, for which a checker might do more than linear work."""


RefusalCheck = Callable[[str, Mapping[int, Sequence[str]]], bool]


def refused_by_script(text: str, words: Mapping[int, Sequence[str]]) -> bool:
    """Return True if the script refuses a text or does not answer `ok`."""
    try:
        return verify.check(text, None, [(seat, text) for seat, texts in words.items() for text in texts])[0] != "ok"
    except verify.NotARecordError:
        return True


def refused_by_engine(text: str, words: Mapping[int, Sequence[str]]) -> bool:
    """Return True if the engine refuses a text or does not answer `ok`."""
    try:
        return audit(Record.parse(text), None, words).answer != Answer.OK
    except RecordError:
        return True


def assert_growth(refused: RefusalCheck, small: tuple[str, Any], large: tuple[str, Any]) -> None:
    """Check that four times the input takes at most about four times the work: executed lines, hashes and memory."""
    assert refused(*small)
    with measure_work() as few:
        assert refused(*small)
    with measure_work() as many:
        assert refused(*large)
    assert many.lines <= 4.6 * few.lines + 500
    assert many.hashes <= 4.6 * few.hashes + 50
    assert many.memory <= 4.6 * few.memory + 50_000


BOTH_REFUSALS: Final = pytest.mark.parametrize("refused", [refused_by_script, refused_by_engine])


@BOTH_REFUSALS
@pytest.mark.parametrize("length", [*thorough_after(0, [16]), *nightly_after(0, [50])])
@pytest.mark.parametrize("name", GROWING_TEXTS)
def test_work_grows_with_the_file(name: str, length: int, refused: RefusalCheck) -> None:
    """Four times the text takes at most about four times the work."""
    assert_growth(refused, (GROWING_TEXTS[name](length), {}), (GROWING_TEXTS[name](4 * length), {}))


@BOTH_REFUSALS
def test_work_grows_with_the_texts(refused: RefusalCheck) -> None:
    """Four times as many words for a seat take at most about four times the work."""
    assert_growth(refused, (DUEL_TEXT, {0: ["x"] * 250}), (DUEL_TEXT, {0: ["x"] * 1000}))


# Files with arbitrary bytes.


def check_bytes(content: bytes, folder: Path) -> None:
    """Check a file with both checkers. Neither may fail with an internal error.

    If only the script answers `ok`, the fault must be in the moves, rules or date, which the script does not check.
    """
    file = write_record(content, folder)
    script, engine = run_script(file, DUEL_ARGUMENTS), run_engine(file, DUEL_ARGUMENTS)
    assert_safe(script)
    if script.answer == "ok" and engine.answer == "wrong":
        assert {load["what"] for load in json.loads(engine.out)["differences"]} == {"the record cannot be replayed"}
    elif script.answer == "ok" and engine.answer == REFUSED:
        assert re.match(r"line [0-9]+: \[(Rules|Date)\]", engine.err)


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return bytes with a few random changes."""
    lines = content.split(b"\n")
    for _ in range(rng.randrange(1, 4)):
        place, kind = rng.randrange(len(lines)), rng.randrange(6)
        line = lines[place]
        index = rng.randrange(len(line) + 1)
        if kind == 0:
            lines[place] = line[:index] + rng.randbytes(rng.randrange(4)) + line[index:]
        elif kind == 1:
            lines[place] = line[:index] + line[index + rng.randrange(4) :]
        elif kind == 2:
            lines.insert(place, rng.choice(lines))
        elif kind == 3:
            other = rng.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == 4:
            lines[place] = re.sub(rb"[0-9]+", lambda _: b"%d" % rng.choice((0, 1, 2, 5, 16385, 10**9)), line, count=1)
        else:
            words = line.split(b" ")
            words[rng.randrange(len(words))] = rng.choice(rng.choice(lines).split(b" "))
            lines[place] = b" ".join(words)
    return b"\n".join(lines)


def check_changes(number: int, seed: int, folder: Path) -> None:
    """Check this many randomly changed verifiable records with both checkers."""
    rng = random.Random(seed)
    originals = [path.read_bytes() for path in RECORDS if path.stem.startswith("verifiable")]
    for _ in range(number):
        check_bytes(mutate_bytes(rng.choice(originals), rng), folder)


@pytest.mark.thorough
def test_no_bytes_stop_a_checker(tmp_path: Path) -> None:
    """For a file with any bytes, both checkers end with an answer or exit code 2, and verify.py prints safe text."""
    check_changes(50, 1, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 10))
def test_four_thousand_mutations_stop_no_checker(seed: int, tmp_path: Path) -> None:
    """For each of four thousand changed records, both checkers end with an answer or exit code 2."""
    check_changes(500, seed, tmp_path)


@pytest.mark.thorough
@given(st.text(), st.text(alphabet='[]";\\ \n\r0123456789=abcdefTK'))
def test_no_text_stops_the_script(first: str, second: str) -> None:
    """Random text causes no crash. It is refused or, after a valid beginning, leaves the answer `consistent`."""
    for text in (first, second, first + second):
        for before in ("", HEAD):
            try:
                answer, _ = verify.check(before + text, None, [])
            except verify.NotARecordError:
                continue
            assert before
            assert answer == "consistent"


# Limits, memory and hints.


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("limit", [500, *nightly_after(0, [MAX_ACTIONS])])
def test_a_record_with_too_many_actions_is_refused(
    limit: int, extra: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both checkers read a record with as many actions as a match may have, and refuse one more."""
    for module in ("fairness.verify", "records.record"):
        monkeypatch.setattr(f"bot.engine.{module}.MAX_ACTIONS", limit)
    room = limit - len(Record.parse(DUEL_TEXT).actions)
    file = write_record(DUEL_TEXT + "0 resign\n" * (room + extra), tmp_path)
    assert (run_script(file).answer == REFUSED, run_engine(file).answer == REFUSED) == (extra == 1, extra == 1)


LARGE_TEXTS: Final = ("seeds", "discards", "comments", "empty lines", "reveals of one event", "deals of one number")
"""Names of the `GROWING_TEXTS` that are extended to 16 MiB."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", nightly_after(1, LARGE_TEXTS))
def test_the_script_takes_little_memory(name: str, tmp_path: Path) -> None:
    """A text of 16 MiB is checked or refused with a short answer and bounded memory."""
    text, longer = GROWING_TEXTS[name](10), GROWING_TEXTS[name](11)
    file = write_record(GROWING_TEXTS[name](16_000_000 // (len(longer) - len(text))), tmp_path)
    program = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_LIMIT}, {MEMORY_LIMIT}))"
    program += "; import runpy, sys; sys.argv[:] = sys.argv[1:]; runpy.run_path(sys.argv[0], None, '__main__')"
    command = [sys.executable, "-c", program, verify.__file__, str(file)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert b"Traceback" not in done.stderr
    assert len(done.stdout) < 30_000
    assert len(done.stderr) < 1_000


@pytest.mark.parametrize(
    "arguments",
    [
        (f"--commit={'0' * 64}", *DUEL_WORDS),
        (DUEL_COMMIT, *DUEL_WORDS, "--words=1=one text too many"),
        (DUEL_COMMIT, *(duel_word.upper().replace("--WORDS", "--words") for duel_word in DUEL_WORDS)),
    ],
    ids=["commitment", "too many texts", "capitals"],
)
def test_a_typing_mistake_ends_with_a_hint(arguments: tuple[str, ...]) -> None:
    """If mistyped arguments make the answer `wrong`, its last line is a hint to check them."""
    checked = run_script(DUEL, arguments)
    assert checked.answer == "wrong"
    *faults, hint = checked.out.splitlines()[1:]
    assert faults
    assert ": expected " not in hint
