"""The files that the bot needs at its next start, and the report if one is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.files.needed_files import NeededFiles
from bot.hosting.settings import read_settings


def test_a_missing_file_is_logged_once(tmp_path: Path) -> None:
    """A file that goes missing is logged once, and so is its return. A file that never existed is not reported."""
    token, other = tmp_path / "token", tmp_path / "other"
    token.touch()
    needed = NeededFiles((token, other))
    with capture_logs() as lines:
        assert needed.trouble() is None
        token.rename(other)
        for _ in range(3):
            assert str(token) in str(needed.trouble())
        token.touch()
        assert needed.trouble() is None
    assert [line["log_level"] for line in lines] == ["error", "info"]


@pytest.mark.usefixtures("clean_environment")
def test_files_read_by_a_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start reads the token file, `.env` and PostgreSQL's password file, and a missing one is reported.

    Their paths stay correct even if the working directory changes.
    """
    monkeypatch.delenv("PGPASSFILE", raising=False)
    files = {name: tmp_path / name for name in (".env", "token", "pgpass")}
    for file in files.values():
        file.touch()
    assert {*read_settings().files} == {Path(".env")}
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "token")
    monkeypatch.setenv("PGPASSFILE", "pgpass")
    needed = NeededFiles(read_settings().files)
    os.chdir("/")
    assert needed.trouble() is None
    for file in files.values():
        file.rename(tmp_path / "elsewhere")
        assert str(file) in str(needed.trouble())
        (tmp_path / "elsewhere").rename(file)
