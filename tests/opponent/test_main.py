"""The command line of the computer player."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import pytest

from bot.engine.deals.moves import Move
from bot.engine.rules import Rules
from bot.opponent.__main__ import EXIT_INVALID_INPUT, main
from bot.opponent.play.levels import Level
from bot.opponent.play.position_json import position_to_json
from bot.opponent.play.table import Table
from bot.opponent.training.baselines import simple
from tests.helpers.cases import nightly_after
from tests.helpers.processes import ROOT
from tests.opponent.helpers import RESEARCH, play_through

SHORT = Rules.parse("research target=25")


def _ask(level: Level, questions: list[dict[str, Any]]) -> dict[int, str]:
    """Start a process that plays at a level, ask it questions, and return its answers by question id."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    command = [sys.executable, "-m", "bot.opponent", "--level", level]
    process = subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [question["id"] for question in questions]
    return {answer["id"]: answer["move"] for answer in answers}


@pytest.mark.nightly
@pytest.mark.parametrize(("rules", "games"), [(SHORT, 2), *nightly_after(0, [(RESEARCH, 20)])], ids=str)
def test_a_referee_is_answered_in_any_order(rules: Rules, games: int) -> None:
    """Every answer is legal, and another process gives the same answers to the same questions in another order."""
    questions, legal = list[dict[str, Any]](), dict[int, set[tuple[str, object]]]()
    for game in range(games):
        for position, _ in play_through(Table(rules, 2, f"referee {game}"), partial(simple, random=Random(game))):
            if position.seat == game % 2 and len(position.moves) > 1:
                number = len(questions)
                # A referee gives knocks without their melds, and the dealer instead of the seats.
                moves = list(dict.fromkeys(_move_text(move) for move in position.moves))
                question = position_to_json(position) | {"id": number, "seed": game, "moves": moves}
                question["dealer"] = position.seats[1]
                del question["seats"], question["side"], question["knock"]
                questions.append(question)
                legal[number] = {(move.verb, move.card) for move in position.moves}
    first = _ask(Level.EXPERT, questions)
    assert first == _ask(Level.EXPERT, Random(1).sample(questions, len(questions)))
    for number, text in first.items():
        move = Move.parse(text)
        assert (move.verb, move.card) in legal[number]


def _move_text(move: Move) -> str:
    return f"{move.verb}" if move.card is None else f"{move.verb} {move.card}"


def test_an_invalid_position_exits_with_2(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Invalid input gives exit code 2, and one line on standard error."""
    monkeypatch.setattr(sys, "stdin", StringIO('{"id": 1, "seed": 1}\n'))
    assert main([]) == EXIT_INVALID_INPUT
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == "KeyError: 'seat'\n"


def test_the_arena_prints_results(capsys: pytest.CaptureFixture[str]) -> None:
    """The arena prints wins and points with their intervals. With one process, it also prints the time per decision."""
    assert main(["arena", "patient", "simple", "--pairs", "4", "--rules", "research target=25"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "patient against simple: 4 pairs of matches, 95 % intervals"
    assert [line.split(":")[0] for line in lines[1:]] == [
        "matches won",
        "points a deal",
        "processor time a decision",
    ]
