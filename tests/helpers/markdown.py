"""Parsing a line of Markdown with the patterns of the sandbox's page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import bot.sandbox

_PAGE: Final = (Path(bot.sandbox.__file__).parent / "page" / "static" / "markdown.js").read_text(encoding="utf-8")
_TRANSLATIONS: Final = (
    (r"([^\p{L}\p{N}\s])", r"([^\w\s]|_)"),
    (r"[\p{L}\p{N}_]", r"\w"),
    (r"[\p{L}\p{N}]", r"[^\W_]"),
    ("[^]", r"[\s\S]"),
)
"""Parts of regular expressions in JavaScript, and their equivalents in Python."""


def _patterns(line: str) -> list[re.Pattern[str]]:
    found: list[str] = re.findall(line, _PAGE, re.MULTILINE)
    for javascript, python in _TRANSLATIONS:
        found = [pattern.replace(javascript, python) for pattern in found]
    return [re.compile(pattern) for pattern in found]


_ESCAPED, *_MARKED = _patterns(r"^  \[/(.+)/u?, \(m")
(_PLAIN,) = _patterns(r"^const PLAIN = /(.+)/u")


def split_markup(line: str) -> tuple[str, list[str]]:
    """Return a line's plain text without its markup, and a list of the markup: bold, links, mentions and so on."""
    shown, marked = "", list[str]()
    while line:
        escaped = _ESCAPED.match(line)
        found = (
            escaped
            or next((match for pattern in _MARKED if (match := pattern.match(line))), None)
            or _PLAIN.match(line)
        )
        assert found is not None
        if found.re in _MARKED:
            marked.append(found[0])
        else:
            shown += found[1] if escaped else found[0]
        line = line[found.end() :]
    return shown, marked
