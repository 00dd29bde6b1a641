"""What holds for every proof."""

import pytest

from cogs.kit import answers


@pytest.fixture(autouse=True)
def _never_defer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a busy machine from turning answers into deferrals."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 600)
