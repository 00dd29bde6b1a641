"""The files that the next start reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.needed_files import NeededFiles
from bot.settings import read_settings


def test_a_file_that_is_gone_is_told_once(tmp_path: Path) -> None:
    """A missing file is logged once until it is back. A file that never existed or was replaced is not reported."""
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


@pytest.mark.usefixtures("alone")
def test_what_a_start_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start reads the token file, `.env` and PostgreSQL's password file. Changing the directory does not matter."""
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
