"""Child processes of the program inherit the environment variables that they need, but no secrets."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from bot.child_processes import child_environment, process_pool
from bot.engine.rules import Rules
from bot.luck import simulation
from bot.opponent.training import arena, training
from bot.opponent.training.arena import compare
from bot.opponent.training.learner import new_weights
from bot.workers import worker_process
from bot.workers.worker_process import WorkerProcess

SECRET_VARIABLES: Final = (
    "DISCORD_TOKEN",
    "DEADWOOD_DATABASE_URL",
    "PGPASSWORD",
    "PGPASSFILE",
    "PGSERVICEFILE",
    "DATABASE_URL",
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "HTTPS_PROXY",
    "SSH_AUTH_SOCK",
    "CREDENTIALS_DIRECTORY",
    "LC_PASSWORD",
    "PYTHON_KEYRING_BACKEND",
    "COVERAGE_TOKEN",
)
NEEDED_VARIABLES: Final = (
    "PATH",
    "HOME",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "PYTHONUTF8",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
    "LD_LIBRARY_PATH",
    "COVERAGE_PROCESS_START",
)
REPORT: Final = """
import json, os, sys
for line in sys.stdin:
    print(json.dumps({"job": json.loads(line)["job"], "environment": dict(os.environ)}), flush=True)
"""
"""A worker program that answers each job with its environment variables."""
ENVIRONMENT: Final = Path("/proc/self/environ")


@pytest.fixture
def planted_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Set every secret variable to the same text, and return the text. Also set the variables that a process needs."""
    for name in SECRET_VARIABLES:
        monkeypatch.setenv(name, "planted")
    for name in NEEDED_VARIABLES:
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONUTF8", "1")
    return "planted"


def initial_environment(_: int = 0) -> bytes:
    """Return the environment with which this process was started."""
    return ENVIRONMENT.read_bytes()


async def test_a_worker_has_no_secrets(planted_secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process has the needed variables but no secrets, both in its own `os.environ` and in /proc."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker_process, "MODULE", "reporter")
    (tmp_path / "reporter.py").write_text(REPORT)
    worker = WorkerProcess()
    try:
        reported = (await worker.ask(1, b'{"job": 1}\n'))["environment"]
        started_with = await asyncio.to_thread(Path(f"/proc/{worker.pid}/environ").read_bytes)
    finally:
        await worker.close()
    assert {name: reported.get(name) for name in NEEDED_VARIABLES} == {
        name: os.environ[name] for name in NEEDED_VARIABLES
    }
    assert reported["OMP_NUM_THREADS"] == reported["OPENBLAS_NUM_THREADS"] == "1"
    assert reported.keys().isdisjoint(SECRET_VARIABLES)
    assert planted_secret not in reported.values()
    assert planted_secret.encode() not in started_with


def test_an_unlisted_variable_is_not_inherited() -> None:
    """The allow list decides which variables are inherited: an unlisted name is dropped."""
    assert child_environment({"PATH": "/bin", "MY_OWN_SECRET": "planted", "path": "/"}) == {"PATH": "/bin"}


@pytest.mark.thorough
def test_a_pool_has_no_secret(planted_secret: str) -> None:
    """The processes of a pool start without secrets, and the program's own environment is unchanged afterwards."""
    before = dict(os.environ)
    with process_pool(1) as pool:
        started_with = list(pool.map(initial_environment, range(4)))
    assert all(b"PATH=" in environment and planted_secret.encode() not in environment for environment in started_with)
    assert dict(os.environ) == before


def report_and_end(*_: object) -> Any:
    """Save the environment with which this process was started, and end the program with an EOFError."""
    save_initial_environment()
    raise EOFError


def save_initial_environment() -> None:
    """Save the environment with which this process was started to a file named after the process id."""
    folder = Path(os.environ["TMPDIR"])
    (folder / f"{os.getpid()}.inherited").write_bytes(initial_environment())


def run_arena() -> None:
    """Compare two players in several processes."""
    compare("simple", "simple", Rules(), arena.BATCH_SIZE + 1, 2, "secrets")


def run_simulation() -> None:
    """Simulate some deals in several processes."""
    simulation.main(["--shares", "2", "--jobs", "2", "--seed", "secrets"])


def run_training() -> None:
    """Train in several processes."""
    next(training.train(new_weights(1), training.Plan(deals=2, deals_played=0, jobs=2, seed=1)))


@pytest.mark.nightly
@pytest.mark.parametrize("run", [run_arena, run_simulation, run_training])
def test_programs_play_without_secrets(
    planted_secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[[], None]
) -> None:
    """The processes of the arena, the luck simulation and the training inherit no secrets."""
    for program, work in ((arena, "play_pairs"), (simulation, "play_batch"), (training, "_play")):
        monkeypatch.setattr(program, work, report_and_end)
    monkeypatch.setattr(simulation, "DATA_PATH", tmp_path / "bands.json")
    with pytest.raises(EOFError):
        run()
    saved = [file.read_bytes() for file in tmp_path.glob("*.inherited")]
    assert saved
    assert all(b"PATH=" in environment and planted_secret.encode() not in environment for environment in saved)
