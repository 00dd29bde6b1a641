"""The page of rules is up to date."""

from pathlib import Path

from tests.rulebook import page

ROOT = Path(__file__).parents[1]


def test_the_page_of_rules_is_current() -> None:
    """`docs/rules.md` is what the options, presets and records make now."""
    stored = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert stored == page(ROOT / "tests" / "records"), "update it: python -m tests.rulebook > docs/rules.md"
