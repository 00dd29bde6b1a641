"""verify.py, the script for players, gives the engine's answers and needs only Python."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.engine.cards.cards import DECK
from bot.engine.errors import RecordError
from bot.engine.fairness import verify
from bot.engine.fairness.audit import Answer, Audit, audit
from bot.engine.fairness.fair import CHAIN_LENGTH, MAX_WORDS_LENGTH
from bot.engine.limits import MAX_ACTIONS, MAX_RECORD_BYTES, MAX_SEEDS
from bot.engine.matches.actions import Chance, PlayerSeed
from bot.engine.matches.formats import FORMATS
from bot.engine.records.record import Record
from bot.engine.records.record_parser import MAX_HEADER_LENGTH
from bot.engine.rules import OPTIONS, PRESETS, Rules
from tests.engine.cheats import (
    CHAIN,
    DISGUISES,
    WORDS,
    Forgery,
    arguments,
    card_swapped,
    honest_match,
    result_taken_back,
    script_answer,
)
from tests.engine.decks import TABLES
from tests.engine.fair_matches import FairMatch, random_fair_matches
from tests.helpers.cases import thorough_after
from tests.records.test_records import RECORDS

SCRIPT: Final = Path(verify.__file__)


OLD_PYTHON = """
import argparse, dataclasses, hashlib, hmac, itertools, json, pathlib, runpy, sys

sys.version_info = (3, 9, 6)
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def test_an_old_python_gets_no_verdict() -> None:
    """Under an old Python, verify.py exits with code 2. A traceback would exit with code 1, which means `wrong`."""
    command = [sys.executable, "-c", OLD_PYTHON, verify.__file__, "match-1.gin"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "3.11" in done.stderr


@pytest.mark.thorough
def test_the_standalone_script_gives_the_audits_answer(tmp_path: Path) -> None:
    """Alone in a folder and without packages, verify.py gives the audit's answer in its first line and exit code."""
    script = tmp_path / "verify.py"
    script.write_bytes(SCRIPT.read_bytes())
    command = [sys.executable, "-I", "-S", str(script)]
    forgeries = {
        "wrong": card_swapped(3),
        "ok": Forgery(honest_match().record, honest_match().words),
        "unreadable": None,
    }
    for answer, forgery in forgeries.items():
        program_arguments = [str(tmp_path / "missing.gin")] if forgery is None else arguments(forgery, tmp_path)
        assert forgery is None or script_answer(forgery.record, forgery.commit, forgery.words) == answer
        done = subprocess.run(
            [*command, *program_arguments], cwd=tmp_path, capture_output=True, check=False, timeout=60
        )
        assert done.returncode == {"ok": 0, "wrong": 1, "unreadable": 2}[answer]
        assert done.stdout.startswith(b"" if forgery is None else f"{answer}\n".encode())
        assert (CHAIN.commitment.hex().encode() in done.stdout) is (answer == "ok")
        assert (b": expected " in done.stdout) is (answer == "wrong")
        assert (b"error: " in done.stderr) is (forgery is None) is bool(done.stderr)
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("name", thorough_after(3, DISGUISES))
def test_no_disguised_line_is_ok(name: str) -> None:
    """A record with a line that some checkers might skip or misread is never `ok`."""
    text = DISGUISES[name]()
    for first in ([WORDS[0], "changed"], [WORDS[0]]):
        words = {0: first, 1: [WORDS[1]], 2: [WORDS[2]], 3: [WORDS[3]]}
        given = {seat: texts for seat, texts in words.items() if f"seed {seat} " in text}
        assert script_answer(text, CHAIN.commitment, given) in ("wrong", "unreadable")
        with suppress(RecordError):
            assert audit(Record.parse(text), CHAIN.commitment, given).answer != Answer.OK


def test_a_second_result_is_refused() -> None:
    """Engine and verify.py refuse a record with two results, even if the second is below the actions."""
    taken_back = result_taken_back()
    for text in (taken_back, taken_back.replace('[Result "', '[Result "*"]\n[Result "', 1)):
        assert script_answer(text, CHAIN.commitment, {0: [WORDS[0], "changed"], 1: [WORDS[1]]}) == "unreadable"
        with pytest.raises(RecordError, match="is there twice"):
            Record.parse(text)


def check_both_agree(match: FairMatch) -> Answer:
    """Check that engine and verify.py agree on a match, also after parsing its record. Return the answer."""
    for commit in (match.chain.commitment, None):
        found = [audit(record, commit, match.words) for record in (match.record, Record.parse(str(match.record)))]
        assert found[0] == found[1]
        assert found[0].answer == script_answer(match.record, commit, match.words)
        assert found[0].answer != Answer.WRONG, (match.match.rules, found[0].differences)
    assert script_answer(match.record, CHAIN.commitment, match.words) == Answer.WRONG
    return audit(match.record, match.chain.commitment, match.words).answer


@pytest.mark.nightly
def test_the_script_and_the_engine_agree_on_random_records() -> None:
    """Engine and verify.py agree on random records of all presets and numbers of players."""
    answers = [check_both_agree(match) for match in random_fair_matches(len(TABLES))]
    assert answers.count(Answer.OK) > 0.8 * len(TABLES)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_the_script_and_the_engine_agree_on_ten_thousand_records(part: int) -> None:
    """Engine and verify.py agree on ten thousand random records."""
    answers = [check_both_agree(match) for match in random_fair_matches(1000, seed=part + 1)]
    assert answers.count(Answer.OK) > 800


def test_the_rules_are_read_as_the_engine_reads_them() -> None:
    """verify.py knows the engine's presets and formats, and the options that affect cuts, deals and reshuffles."""
    for preset in PRESETS:
        rules = Rules.parse(preset)
        expected = {name: rules.option_text(name).partition("=")[2] for name in verify.OPTIONS}
        assert verify.read_rules(preset) == verify.read_rules(str(rules)) == expected
    assert {name: tuple(format_.seats) for name, format_ in FORMATS.items()} == verify.FORMATS
    for name, values in verify.OPTIONS.items():
        assert {*values} == {OPTIONS[name].print(value) for value in OPTIONS[name].named_values}


def test_the_longest_rules_are_printed_completely() -> None:
    """verify.py prints even the longest valid rules, with every option, in full. It truncates anything longer."""
    values = {name: max(map(option.print, option.named_values or (1000,)), key=len) for name, option in OPTIONS.items()}
    longest = "house " + " ".join(f"{name}={value}" for name, value in values.items())
    assert len(longest) <= verify.MAX_RULES_SHOWN
    record = Path(RECORDS[0]).with_name("verifiable-duel.gin").read_text("utf-8")
    for rules, ending in ((values | {"format": "duel"}, ""), ({"x" * 500: "y" * 5_000}, "...")):
        written = "classic " + " ".join(f"{name}={value}" for name, value in rules.items())
        match = verify.read(re.sub("Rules .*", f'Rules "{written}"]', record, count=1))
        (line,) = (finding for finding in verify.findings(match) if finding.startswith("rules: "))
        assert line == f"rules: {written[: verify.MAX_RULES_SHOWN] + ending!a}"


def test_the_limits_are_those_of_the_engine() -> None:
    """Engine and verify.py have the same limits, so that they refuse the same records."""
    assert verify.MAX_BYTES == MAX_RECORD_BYTES
    assert verify.CHAIN_LENGTH == CHAIN_LENGTH
    assert verify.MAX_TEXT_LENGTH == MAX_WORDS_LENGTH
    assert verify.MAX_ACTIONS == MAX_ACTIONS
    assert verify.MAX_SEEDS == MAX_SEEDS
    assert verify.MAX_HEADER_LENGTH == MAX_HEADER_LENGTH


def evidence(record: Record, checked: Sequence[int]) -> tuple[Any, ...]:
    """Return the facts that an audit proves: the commitment, the seats' seeds, and the events that were checked.

    The order of different seats' seeds proves nothing.
    """
    given = [action for action in record.actions if isinstance(action, PlayerSeed)]
    return (
        record.commit,
        sorted(given, key=lambda action: action.seat),
        [action for action in record.actions if isinstance(action, Chance) and action.event in checked],
    )


def cards_by_event(text: str) -> dict[int, list[str]]:
    """Return the cards of each event in a text, which need not be a valid record."""
    lines = re.findall(r"^((?:cut|deal|stock) .*\bevent=([0-9]+).*)", text, re.MULTILINE)
    cards = {int(event): re.findall("[A2-9TJQK][cdhs]", line.partition("deck=")[2] or line) for line, event in lines}
    return {event: found[: len(DECK)] for event, found in cards.items()}


def mutate(text: str, rng: Random) -> str:
    """Return a text with one random change."""
    lines = text.splitlines(keepends=True)
    kind, index = rng.randrange(8), rng.randrange(len(text))
    line, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    if kind == 0:
        return text[:index] + rng.choice('0123456789abcdefAKQJTcdhs =\n;[]"x-') + text[index + 1 :]
    if kind == 1:
        return text[:index] + text[index + rng.randrange(1, 4) :]
    if kind == 2:
        return text[:index] + text[index : index + 2] * 2 + text[index + 2 :]
    if kind == 3:
        lines[line], lines[other] = lines[other], lines[line]
    elif kind == 4:
        del lines[line]
    elif kind == 5:
        lines.insert(other, lines[line])
    elif kind == 6:
        words = lines[line].split(" ")
        words[rng.randrange(len(words))] = rng.choice(rng.choice(lines).split(" "))
        lines[line] = " ".join(words)
    else:
        card, next_card = (2 * rng.randrange(len(lines[line]) // 2) for _ in range(2))
        letters = list(lines[line])
        letters[card : card + 2], letters[next_card : next_card + 2] = (
            letters[next_card : next_card + 2],
            letters[card : card + 2],
        )
        lines[line] = "".join(letters)
    return "".join(lines)


def check_mutation(match: FairMatch, text: str) -> str:
    """Check that audit and verify.py answer `ok` to a changed record only if the cards of checked events are unchanged.

    The audit must also detect changed seeds and illegal moves. Return the audit's answer, or `unreadable`.
    """
    answer, original = "unreadable", str(match.record)
    try:
        record = Record.parse(text)
        found = audit(record, match.chain.commitment, match.words)
        answer = str(found.answer)
        if answer == "ok":
            assert evidence(record, found.checked) == evidence(Record.parse(original), found.checked)
            record.replay()
        check_agreement(match, record, found)
    except RecordError:
        assert answer != "ok"
    if script_answer(text, match.chain.commitment, match.words) == "ok":
        checked = max(int(event) for event in re.findall(r"^reveal ([0-9]+) ", text, re.MULTILINE))
        dealt = cards_by_event(original)
        assert all(cards == dealt[event] for event, cards in cards_by_event(text).items() if event <= checked)
    return answer


def check_agreement(match: FairMatch, record: Record, found: Audit) -> None:
    """Check that verify.py agrees with the audit of a changed record, except about illegal moves."""
    answer = script_answer(record, match.chain.commitment, match.words)
    if found.answer != Answer.WRONG:
        assert answer == found.answer
    elif any(difference.what != "the record cannot be replayed" for difference in found.differences):
        assert answer in ("wrong", "unreadable")


def check_mutations(number: int, seed: int, matches: int = 60) -> list[str]:
    """Check the answers to this many random changes of records of all presets. Return the answers of the audit."""
    rng, changeable = (
        Random(seed),
        [
            random_fair_match
            for random_fair_match in random_fair_matches(matches, seed)
            if is_fully_verifiable(random_fair_match)
        ],
    )
    answers: list[str] = []
    while len(answers) < number:
        match = rng.choice(changeable)
        text = str(match.record)
        changed = mutate(text, rng)
        if changed != text:
            answers.append(check_mutation(match, changed))
    return answers


def is_fully_verifiable(match: FairMatch) -> bool:
    """Return True if the audit of the unchanged match answers `ok`."""
    return audit(match.record, match.chain.commitment, match.words).answer == Answer.OK


@pytest.mark.thorough
def test_no_change_goes_unnoticed() -> None:
    """If a random change of a record alters a card or seed that is checked, the answer is not `ok`."""
    answers = check_mutations(60, 1, matches=10)
    assert answers.count("wrong") > 16


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 10))
def test_none_of_four_thousand_changes_goes_unnoticed(seed: int) -> None:
    """If any of four thousand random changes alters a card or seed that is checked, the answer is not `ok`."""
    answers = check_mutations(500, seed)
    assert answers.count("wrong") > 140


def test_the_script_can_be_handed_out() -> None:
    """verify.py is one file that imports only the standard library, so that players can run it alone."""
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {name for node in imports for name in _modules(node)}
    assert modules
    assert modules <= {*sys.stdlib_module_names}


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return [name.partition(".")[0] for name in names]


def test_each_rule_has_a_function() -> None:
    """For each of rules 1 to 10 of the protocol, in order, verify.py has a function whose docstring names the rule."""
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    texts = [ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)]
    rules = [int(found[1]) for text in texts if (found := re.match("Apply rule ([0-9]+): ", text))]
    assert rules == sorted(rules)
    assert {*rules} == {*range(1, 11)}
