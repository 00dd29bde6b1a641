"""The rules page is up to date and cites its sources."""

import re
from pathlib import Path

from bot.engine.rules import PRESETS, Rules
from bot.engine.rules.rules import DEFAULTS
from bot.model.rule_texts import RULE_TEXTS
from tests.rulebook import IN_SHORT_ASSUMES, SOURCES, page

ROOT = Path(__file__).parents[1]


def test_the_page_of_rules_is_current() -> None:
    """`docs/rules.md` is identical to the generated page."""
    stored = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert stored == page(ROOT / "tests" / "records"), "update it: python -m tests.rulebook > docs/rules.md"


def test_the_summary_is_about_the_usual_rules() -> None:
    """The values that the summary describes in words are the defaults, and so are those of the preset `classic`."""
    assert IN_SHORT_ASSUMES.items() <= DEFAULTS.items()
    assert Rules.parse("classic") == Rules()


def test_every_source_is_cited() -> None:
    """Every option and preset cites sources; every cited source is listed, and every listed source is cited."""
    cited = [texts.sources for texts in RULE_TEXTS.values()] + [preset.source for preset in PRESETS.values()]
    assert all(cited)
    assert {label for text in cited for label in re.findall(r"\[([^]]+)\]", text)} == set(SOURCES)
