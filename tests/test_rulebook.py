"""The rules page is up to date and cites its sources."""

import re
from pathlib import Path

from bot.engine.rules import PRESETS
from bot.model.rule_texts import RULE_TEXTS
from tests.rulebook import SOURCES, page

ROOT = Path(__file__).parents[1]


def test_the_page_of_rules_is_current() -> None:
    """`docs/rules.md` is identical to the generated page."""
    stored = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert stored == page(ROOT / "tests" / "records"), "update it: python -m tests.rulebook > docs/rules.md"


def test_every_source_is_cited() -> None:
    """Every option and preset cites sources; every cited source is listed, and every listed source is cited."""
    cited = [texts.sources for texts in RULE_TEXTS.values()] + [preset.source for preset in PRESETS.values()]
    assert all(cited)
    assert {label for text in cited for label in re.findall(r"\[([^]]+)\]", text)} == set(SOURCES)
