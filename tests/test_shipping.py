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
from bot.hosting.heartbeat import Heartbeat
from cogs.actions import Action
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, challenge_and_accept, press
from tests.helpers.processes import IS_ROOT, ROOT, sandbox_for_processes, settings_for, started, unprivileged_prefix
from tests.helpers.waiting import MAX_WAIT, wait_for_heartbeat

PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pinned_versions(name: str) -> dict[str, str]:
    """Return the version of each package in a constraints file; fail if it contains anything but pins with hashes."""
    text = (ROOT / "constraints" / name).read_text()
    pins = re.findall(
        r"^([a-z0-9-]+)==(\S+)(?: ; [^\\\n]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert sum(1 + hashes.count("\n") for _, _, hashes in pins) == text.count("\n")
    return {package: version for package, version, _ in pins}


def test_constraints_pin_everything_with_hashes() -> None:
    """Each requirement is pinned to an allowed version with hashes, and the image uses the same versions as CI."""
    image, ci = pinned_versions("image.txt"), pinned_versions("ci.txt")
    assert image.items() <= ci.items()
    extras = [requirement for extra in PROJECT["project"]["optional-dependencies"].values() for requirement in extra]
    project_name = PROJECT["project"]["name"]
    for requirements, versions in (
        (PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"], image),
        (extras, ci),
    ):
        for requirement in map(Requirement, requirements):
            # An extra can require another extra of this project.
            assert requirement.name == project_name or requirement.specifier.contains(
                versions[canonicalize_name(requirement.name)]
            ), "update: .ci/renew"


def test_image_and_ci_install_pinned_packages() -> None:
    """The image and CI install only pinned packages with hashes, and building the bot downloads nothing."""
    steps = re.findall(r"pip install [^\n]*", (ROOT / "Dockerfile").read_text())
    assert ["--require-hashes -r constraints/image.txt" in step for step in steps] == [True, False]
    assert "--no-deps --no-build-isolation" in steps[1]
    assert ".venv/bin/pip install -q --require-hashes -r constraints/ci.txt" in (ROOT / ".ci" / "run").read_text()


def test_images_have_exact_versions() -> None:
    """The bot's image starts from an exact version of Python and Debian; the compose files name exact versions too."""
    (base,) = re.findall(r"^FROM ([^ \n]*:[^ \n]*)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+", base)
    composed = "\n".join(path.read_text() for path in ROOT.glob("deploy/compose*.yaml"))
    others = set(re.findall(r"^ +image: (.+)", composed, re.MULTILINE)) - {PROJECT["project"]["name"]}
    assert others
    assert [image for image in others if not re.fullmatch(r"[a-z/]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?", image)] == []


def test_image_labels_agree_with_the_metadata() -> None:
    """The labels of the image have the project's name, description, version and licence."""
    labels = dict(re.findall(r'org\.opencontainers\.image\.([a-z]+)="([^"]*)"', (ROOT / "Dockerfile").read_text()))
    labels["title"] = canonicalize_name(labels["title"])
    keys = {"title": "name", "description": "description", "version": "version", "licenses": "license"}
    assert labels == {label: PROJECT["project"][key] for label, key in keys.items()}


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_is_hardened() -> None:
    """systemd accepts every line of the unit, and rates its exposure below the threshold."""
    unit = str(ROOT / "deploy" / "deadwood.service")
    verification = subprocess.run(
        ["systemd-analyze", "--man=no", "verify", unit], capture_output=True, text=True, check=False
    )
    assert [line for line in verification.stderr.splitlines() if "is not executable" not in line] == []
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=15", unit]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def test_unit_does_not_restart_after_errors_that_need_an_operator() -> None:
    """The unit does not restart the bot after an exit code that needs an operator."""
    lines = (ROOT / "deploy" / "deadwood.service").read_text().splitlines()
    (codes,) = [line.partition("=")[2] for line in lines if line.startswith("RestartPreventExitStatus=")]
    assert {*map(int, codes.split())} == {UNUSABLE, FILES_LOST}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the project, built from its sources, into a read-only folder without using the network."""
    folder = tmp_path_factory.mktemp("wheel")
    source, unpacked = folder / "source", folder / "site"
    source.mkdir()
    for name in ("bot", "cogs", "cardart"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    offline_options = ["--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "install", *offline_options, "--target", str(unpacked), str(source)], check=True)
    for path in (unpacked, *unpacked.rglob("*")):
        path.chmod(0o555)
    return unpacked


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def confinement_prefix(data: Path) -> list[str]:
    """Return a command prefix that drops privileges and makes every folder but `data` read-only, as in the image.

    If mounts are not allowed, only file permissions protect the other folders.
    """
    if not IS_ROOT or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        return unprivileged_prefix()
    mounts = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && cd "$0" && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", mounts, str(data), *unprivileged_prefix()]


def running_deadwood(wheel: Path, data: Path, *arguments: str, **settings: str) -> AbstractAsyncContextManager[Process]:
    """Run the installed `deadwood` command in the data folder."""
    command = (*confinement_prefix(data), sys.executable, str(wheel / "bin" / "deadwood"), *arguments)
    return started(data, command, settings | {"PYTHONPATH": str(wheel)})


@pytest.mark.nightly
async def test_wheel_runs_without_privileges_in_an_empty_folder(wheel: Path, data: Path, tmp_path: Path) -> None:
    """Unprivileged in an empty folder, the bot starts a match, draws pictures, backs up, forgets a person and stops."""
    async with sandbox_for_processes() as sandbox:
        database = data / "deadwood.db"
        settings = {"DEADWOOD_DATABASE_URL": f"sqlite:///{database}", "DEADWOOD_SANDBOX": "never"}
        settings |= settings_for(sandbox)
        async with running_deadwood(wheel, data, **settings) as bot:
            await sandbox.ready(MAX_WAIT)
            home = "INSERT INTO guild (id, match_home) VALUES (:id, 'channel')"
            for guild_id in sandbox.world.guilds:
                DatabaseInspector(settings["DEADWOOD_DATABASE_URL"]).change(home, id=guild_id)
            north, _ = players = [Player(sandbox, name, sandbox.channel("games"), 1) for name in ("North", "South")]
            await challenge_and_accept(sandbox, *players)
            first_panel = await sandbox.until(lambda: north.panel, MAX_WAIT)
            assert first_panel is not None
            assert first_panel.images[0].alt
            await wait_for_heartbeat(Heartbeat(database))
            async with running_deadwood(wheel, data, "backup", "copy.db", **settings) as command:
                assert await command.communicate() == (b"", b"")
                assert command.returncode == 0
            panel = (await (await north.person.slash("gin me privacy", north.channel)).done()).message
            await press(north.person, panel, Action.FORGET)
            await press(north.person, panel, Action.FORGET_NOW)
            bot.send_signal(signal.SIGTERM)
            _, stderr = await bot.communicate()
            assert bot.returncode == 0
        with closing(connect(database)) as connection:
            assert connection.execute("SELECT 1 FROM person WHERE name = 'North'").fetchall() == []
            assert connection.execute("SELECT 1 FROM person WHERE name = 'South'").fetchall() == [(1,)]
    lines = stderr.decode().splitlines()
    assert not [line for line in lines if "level=warning" in line or "level=error" in line or "Traceback" in line]
    assert set(os.listdir(data)) == {"deadwood.db", "deadwood.db.lock", "copy.db"}
