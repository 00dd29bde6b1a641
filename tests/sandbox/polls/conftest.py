"""The fixtures of the poll bot's tests."""

from pathlib import Path

import pytest

from bot.sandbox.testing import sandbox as sandbox
from tests.sandbox.polls.poll_bot import PollBot


@pytest.fixture
def bot(tmp_path: Path) -> PollBot:
    return PollBot(tmp_path / "polls.db")
