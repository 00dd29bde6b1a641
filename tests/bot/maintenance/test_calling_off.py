"""`deadwood call-off`: its output, and its refusal while a bot runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.play.application import Application
from bot.store.opening import open_database
from tests.helpers.databases import new_database, without_fsync
from tests.helpers.table import NORTH, Players, interaction, place

pytestmark = pytest.mark.thorough


async def start_match_and_challenge(url: str) -> None:
    """Start a match and make a challenge in a database."""
    with without_fsync():
        database = await open_database(url)
        app = Application(database)
        await Players(app).begin()
        await app.challenges.issue(NORTH, [], place(), interaction())
        await database.close()


def test_call_off_counts_matches_and_challenges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], restored_logging: None
) -> None:
    """The command prints how many matches and challenges it ended, none in a second run. It fails while a bot runs."""
    monkeypatch.chdir(tmp_path)
    url = new_database(tmp_path / "deadwood.db")
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", url)
    asyncio.run(start_match_and_challenge(url))
    assert main(["call-off"]) == 0
    assert capsys.readouterr().out == (
        "1 match called off and 1 challenge withdrawn: players are told once the bot runs\n"
    )
    assert main(["call-off"]) == 0
    assert capsys.readouterr().out.startswith("0 matches called off and 0 challenges withdrawn")

    async def while_running() -> int:
        database = await open_database(url)
        try:
            return await asyncio.to_thread(main, ["call-off"])
        finally:
            await database.close()

    assert asyncio.run(while_running()) == 2
    assert "another bot is running" in capsys.readouterr().err
