"""The pages of decisions are numbered, and the index lists them."""

import re
from pathlib import Path

DECISIONS = Path(__file__).parents[1] / "docs" / "decisions"
PAGES = sorted(DECISIONS.glob("[0-9]*.md"))


def test_every_decision_is_in_the_index() -> None:
    """The index links to every page once, in order, with its number."""
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"^\| \[([0-9]+)\]\(([^)]+)\) \|", index, re.MULTILINE)
    assert links == [(str(number), page.name) for number, page in enumerate(PAGES, 1)]


def test_every_decision_has_the_same_form() -> None:
    """A page's title begins with the number in its file name, and one of its headings is `Decision`."""
    for number, page in enumerate(PAGES, 1):
        text = page.read_text(encoding="utf-8")
        assert page.name.startswith(f"{number:04d}-")
        assert text.startswith(f"# {number}. "), page
        assert text.count("\n## Decision\n") == 1, page
