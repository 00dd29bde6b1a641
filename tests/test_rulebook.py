"""The page of rules is what the code makes."""

from pathlib import Path

from tests.rulebook import page

ROOT = Path(__file__).parents[1]


def test_the_page_of_rules_is_current() -> None:
    """`docs/rules.md` is what the options, presets and golden records make now."""
    kept = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert kept == page(ROOT / "tests" / "records"), "write it anew: python -m tests.rulebook > docs/rules.md"
