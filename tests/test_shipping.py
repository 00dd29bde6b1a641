"""The deployment files: pinned dependencies, the image, the systemd unit and the wheel."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from asyncio.subprocess import Process
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from sqlite3 import connect
from typing import Any, Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.exit_codes import FILES_LOST, UNUSABLE
from bot.heartbeat import Heartbeat
from cogs.kit.actions import Action
from tests.helpers.players import Player, press, sit_down
from tests.helpers.processes import IS_ROOT, ROOT, powerless, sandbox_for_processes, settings_for, started
from tests.helpers.waiting import MAX_WAIT, beating

PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pinned(name: str) -> dict[str, str]:
    """Return the version of each package in a constraints file; fail if a line is anything but a pin with hashes."""
    text = (ROOT / "constraints" / name).read_text()
    found = re.findall(
        r"^([a-z0-9-]+)==(\S+)(?: ; [^\\\n]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert sum(1 + hashes.count("\n") for _, _, hashes in found) == text.count("\n")
    return {package: version for package, version, _ in found}


def test_constraints_pin_everything_with_hashes() -> None:
    """Constraints have names, versions and hashes only, and the image uses the same versions as CI."""
    image, ci = pinned("image.txt"), pinned("ci.txt")
    assert image.items() <= ci.items()
    extras = [one for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra]
    ours = PROJECT["project"]["name"]
    for wanted, there in (
        (PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"], image),
        (extras, ci),
    ):
        for requirement in map(Requirement, wanted):
            # An extra may contain another extra.
            assert requirement.name == ours or requirement.specifier.contains(
                there[canonicalize_name(requirement.name)]
            ), "update: .ci/renew"


def test_the_image_and_the_checks_install_what_is_pinned() -> None:
    """The image and CI install pinned packages with hashes only, and builds cannot download anything."""
    steps = re.findall(r"pip install [^\n]*", (ROOT / "Dockerfile").read_text())
    assert ["--require-hashes -r constraints/image.txt" in step for step in steps] == [True, False]
    assert "--no-deps --no-build-isolation" in steps[1]
    assert ".venv/bin/pip install -q --require-hashes -r constraints/ci.txt" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_is_hardened() -> None:
    """systemd accepts every line of the unit, and rates its exposure below the threshold."""
    unit = str(ROOT / "deploy" / "deadwood.service")
    said = subprocess.run(["systemd-analyze", "--man=no", "verify", unit], capture_output=True, text=True, check=False)
    assert [line for line in said.stderr.splitlines() if "is not executable" not in line] == []
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=15", unit]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def test_the_unit_restarts_the_bot_where_that_helps() -> None:
    """The unit does not restart the bot after an exit code that needs an operator."""
    lines = (ROOT / "deploy" / "deadwood.service").read_text().splitlines()
    (codes,) = [line.partition("=")[2] for line in lines if line.startswith("RestartPreventExitStatus=")]
    assert {*map(int, codes.split())} == {UNUSABLE, FILES_LOST}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and unpack it into a read-only folder."""
    folder = tmp_path_factory.mktemp("wheel")
    source, unpacked = folder / "source", folder / "site"
    source.mkdir()
    for name in ("bot", "cogs", "cardart"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    alone = ["--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "install", *alone, "--target", str(unpacked), str(source)], check=True)
    for path in (unpacked, *unpacked.rglob("*")):
        path.chmod(0o555)
    return unpacked


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def confined(data: Path) -> list[str]:
    """Return a command prefix that drops privileges and makes everything but `data` read-only, as in the image.

    If mounts are not allowed, file permissions alone protect the rest.
    """
    if not IS_ROOT or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        return powerless()
    mounts = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && cd "$0" && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", mounts, str(data), *powerless()]


def deadwood(wheel: Path, data: Path, *arguments: str, **settings: str) -> AbstractAsyncContextManager[Process]:
    """Start the wheel's `deadwood` in the data folder."""
    command = (*confined(data), sys.executable, str(wheel / "bin" / "deadwood"), *arguments)
    return started(data, command, settings | {"PYTHONPATH": str(wheel)})


@pytest.mark.thorough
async def test_the_wheel_needs_nothing_but_its_folder(wheel: Path, data: Path, tmp_path: Path) -> None:
    """With no privileges and only an empty folder, the bot plays, draws, backs up, forgets a person and stops."""
    async with sandbox_for_processes() as sandbox:
        database = data / "deadwood.db"
        settings = {"DEADWOOD_DATABASE_URL": f"sqlite:///{database}", "DEADWOOD_SANDBOX": "never"}
        settings |= settings_for(sandbox)
        async with deadwood(wheel, data, **settings) as bot:
            await sandbox.ready(MAX_WAIT)
            north, _ = players = [Player(sandbox, name, sandbox.channel("games"), 1) for name in ("North", "South")]
            await sit_down(sandbox, *players)
            drawn = await sandbox.until(lambda: north.panel, MAX_WAIT)
            assert drawn is not None
            assert drawn.images[0].alt
            await beating(Heartbeat(database))
            async with deadwood(wheel, data, "backup", "copy.db", **settings) as command:
                assert await command.communicate() == (b"", b"")
                assert command.returncode == 0
            panel = (await (await north.person.slash("gin me privacy", north.channel)).done()).message
            await press(north.person, panel, Action.FORGET)
            await press(north.person, panel, Action.FORGET_NOW)
            bot.send_signal(signal.SIGTERM)
            _, said = await bot.communicate()
            assert bot.returncode == 0
        with closing(connect(database)) as connection:
            assert connection.execute("SELECT 1 FROM person WHERE name = 'North'").fetchall() == []
            assert connection.execute("SELECT 1 FROM person WHERE name = 'South'").fetchall() == [(1,)]
    lines = said.decode().splitlines()
    assert not [line for line in lines if "level=warning" in line or "level=error" in line or "Traceback" in line]
    assert set(os.listdir(data)) == {"deadwood.db", "deadwood.db.lock", "copy.db"}
