"""The load test of the deal of the day notices people who cannot continue, and gives its verdict."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.hosting import logs
from bot.sandbox import Refuse
from tests.helpers.clock import Clock
from tests.helpers.databases import DatabaseKind
from tests.helpers.living import running_bot
from tests.helpers.thinkers import use_local_thinker
from tests.helpers.worlds import hall
from tests.load import daily
from tests.load.daily import Rush, add_people, faults, play_daily
from tests.load.driving import LoadResults
from tests.proof.mortal import GenerousShuffler

PEOPLE: Final = 2
SOON: Final = [0.1] * 99
"""Times of answers that are in time."""


async def rush_of(folder: Path, monkeypatch: pytest.MonkeyPatch, stuck_after: float, refused: int = 0) -> Rush:
    """Let people play the deal of the day without pauses, until each has finished or is stuck.

    Discord refuses the first few answers.
    """
    for name, value in (("START_SECONDS", 0.0), ("PRESS_INTERVAL", 0.0), ("STUCK_AFTER", stuck_after)):
        monkeypatch.setattr(daily, name, value)
    clock, world, rush = Clock(), hall(1), Rush()
    clock.pass_by(timedelta(days=1))  # On this day, the person acts first.
    crowd = add_people(world, PEOPLE)
    async with running_bot(folder, world=world, shuffler=GenerousShuffler(), clock=clock) as alive:
        user, channel = crowd[0]
        await alive.sandbox.until(lambda: alive.person(user.display_name).commands(channel))
        if refused:
            alive.sandbox.faults.requests(Refuse(50035), on="POST /interactions/*/callback", times=refused)
        await play_daily(alive.sandbox, crowd, rush, math.inf)
    return rush


@pytest.mark.thorough
async def test_people_finish_if_the_bot_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the computer moves, everybody finishes, and nobody is stuck."""
    use_local_thinker(monkeypatch)
    rush = await rush_of(tmp_path, monkeypatch, stuck_after=600)
    assert (rush.finished, rush.playing, rush.stuck, rush.failed) == (PEOPLE, 0, 0, 0)
    assert len(rush.answers) == len(rush.turns) > 2 * PEOPLE


@pytest.mark.thorough
async def test_a_failed_press_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """People whose first command fails try again, and finish."""
    use_local_thinker(monkeypatch)
    monkeypatch.setattr(daily, "RETRY_INTERVAL", 0.0)
    rush = await rush_of(tmp_path, monkeypatch, stuck_after=600, refused=PEOPLE)
    assert (rush.finished, rush.stuck) == (PEOPLE, 0)


@pytest.mark.thorough
async def test_people_are_stuck_if_the_computer_never_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the computer does not move, nobody counts as having finished."""
    use_local_thinker(monkeypatch).fails = True
    rush = await rush_of(tmp_path, monkeypatch, stuck_after=3)
    assert (rush.finished, rush.playing, rush.stuck) == (0, 0, PEOPLE)
    # The bot answered each person's last press, but they never got another turn.
    assert len(rush.answers) - len(rush.turns) == PEOPLE


def test_a_run_without_faults_is_ok() -> None:
    """One late answer in a hundred is allowed, and matches may be answered almost half as fast as usual."""
    rush = Rush(answers=[*SOON, 9.0], turns=[*SOON, 9.0], finished=1, playing=1)
    assert faults(rush, LoadResults([0.1]), LoadResults([0.19])) == []


FAULTY: Final = {
    "late answers": (Rush([*SOON, 9.0, 9.0], SOON), LoadResults([0.1]), LoadResults([0.1])),
    "late computers": (Rush(SOON, [*SOON, 9.0, 9.0]), LoadResults([0.1]), LoadResults([0.1])),
    "stuck people": (Rush(SOON, SOON, stuck=1), LoadResults([0.1]), LoadResults([0.1])),
    "slow matches": (Rush(SOON, SOON), LoadResults([0.1]), LoadResults([0.3])),
    "matches without answers": (Rush(SOON, SOON), LoadResults([0.1]), LoadResults()),
    "failing matches": (Rush(SOON, SOON), LoadResults([0.1]), LoadResults([0.1], failed=2)),
}


@pytest.mark.parametrize("why", FAULTY)
def test_each_unmet_demand_is_a_fault(why: str) -> None:
    """Each demand that is not met has a line."""
    assert len(faults(*FAULTY[why])) == 1


def test_presses_without_an_answer_count_as_late() -> None:
    """Presses that failed count as late, both for answers and for the computer's moves."""
    assert len(faults(Rush(SOON, SOON, failed=2), LoadResults([0.1]), LoadResults([0.1]))) == 2


@pytest.mark.parametrize(("found", "code"), [([], 0), (["slow"], 1)])
def test_the_exit_code_is_the_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: list[str], code: int
) -> None:
    """The program prints all faults, and its exit code says if there are any."""

    async def run(kind: DatabaseKind, people: int, seconds: float) -> tuple[str, list[str]]:
        return kind, found

    def set_up(level: str) -> None:
        """Leave the log of the tests as it is."""

    monkeypatch.setattr(daily, "run", run)
    monkeypatch.setattr(logs, "set_up", set_up)
    assert daily.main(["--database", "sqlite"]) == code
    assert all(fault in capsys.readouterr().out for fault in found)
