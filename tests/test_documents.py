"""The documents: their links lead somewhere, and each sentence of their prose has a line of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "bot/**/*.md", "cogs/**/*.md", "deploy/**/*.md", ".github/**/*.md")
    for path in ROOT.glob(pattern)
)

_NO_TEXT: Final = re.compile(
    r"\A---$.*?^---$|^ *(?P<fence>`{3,}|~{3,}).*?^ *(?P=fence)[`~]*$|<!--.*?-->", re.DOTALL | re.MULTILINE
)
"""Front matter, code blocks and comments."""
_CODE: Final = re.compile(r"`[^`\n]*`")
_TARGET: Final = re.compile(r"\]\(<?([^)>\s]+)|\bsrc=\"([^\"]+)\"|^\[[^\]]+\]: (\S+)", re.MULTILINE)
_ELSEWHERE: Final = re.compile(r"[a-z]+:|//")
_HEADING: Final = re.compile(r"#{1,6} +(.*?)\s*#*$")
_LIST_MARKER: Final = re.compile(r"^ *(?:[-*+]|[0-9]+[.)]) +")
_NO_PROSE: Final = re.compile(r"\s*(?:$|[#|<!]|---|\[[^\]]+\]: )")
_SENTENCE_END: Final = re.compile(r"[.!?:][)\]*_\"”`]*$")
_TWO_SENTENCES: Final = re.compile(r"[^\W_A-Z][)\]*_\"”`]*[.!?][)\]*_\"”`]* +[(\[*_\"“`]*[A-Z]")


def _text(path: Path) -> str:
    """Return a document with empty lines in place of `_NO_TEXT`."""
    return _NO_TEXT.sub(lambda block: "\n" * block[0].count("\n"), path.read_text(encoding="utf-8"))


@cache
def _anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a document's headings, in the way GitHub makes them."""
    uses = Counter[str]()
    anchors = set[str]()
    for line in _text(path).splitlines():
        if heading := _HEADING.fullmatch(line):
            shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
            anchors.add(f"{name}-{uses[name]}" if uses[name] else name)
            uses[name] += 1
    return frozenset(anchors)


def _broken_links(path: Path) -> Iterator[str]:
    for match in _TARGET.finditer(_CODE.sub("", _text(path))):
        target = next(filter(None, match.groups()))
        if _ELSEWHERE.match(target):
            continue
        name, _, anchor = target.partition("#")
        file = path if not name else path.parent / name
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
            yield target


def _misplaced_sentences(path: Path) -> Iterator[str]:
    """Yield the lines of prose that end within a sentence, or contain more than one."""
    lines = _text(path).splitlines()
    for number, (line, following) in enumerate(zip(lines, [*lines[1:], ""], strict=True), 1):
        if _NO_PROSE.match(line):
            continue
        prose = _CODE.sub("`x`", _LIST_MARKER.sub("", line, count=1))
        continues = not _NO_PROSE.match(following) and not _LIST_MARKER.match(following)
        if _TWO_SENTENCES.search(prose) or (continues and not _SENTENCE_END.search(prose.rstrip())):
            yield f"{number}: {line.strip()}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    """Each relative link in a document leads to a file in the repository, and its anchor to a heading in it."""
    assert not list(_broken_links(path))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_sentence_has_a_line_of_its_own(path: Path) -> None:
    """No line of prose contains two sentences, or ends before its sentence does."""
    assert not list(_misplaced_sentences(path))
