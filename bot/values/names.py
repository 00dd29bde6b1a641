"""Names that people choose, for themselves or for rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufff0-\ufff8"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Invisible letters, marks and symbols: Unicode's ignorable characters, fillers, the empty braille pattern."""

_WIDE_BLANK: Final = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")
"""Invisible characters that are at least as wide as a space."""

_SELECTORS: Final = re.compile("[\u180b-\u180f\ufe00-\ufe0f]")
"""Variation selectors, which only choose the shape of the previous letter."""

_SAME: Final = str.maketrans(dict.fromkeys("’‘ʼ`´", "'") | dict.fromkeys("‐‑–—", "-"))
"""Apostrophes and dashes that phones insert, mapped to their keyboard equivalents."""

_UNDECOMPOSED: Final = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŧ": "t"}
)
"""Letters that Unicode does not decompose."""

_ACCENTS: Final = 200
"""Lowest combining class of accents: https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values."""

_MARKS_AND_SPACES: Final = frozenset(("Cc", "Cf", "Co", "Cs", "Mc", "Me", "Mn", "Zl", "Zp", "Zs"))


def is_visible(name: str) -> bool:
    """Return True if a name has at least one letter, digit or symbol that is not invisible."""
    return any(unicodedata.category(char) not in _MARKS_AND_SPACES and not _BLANK.match(char) for char in name)


@lru_cache(maxsize=4096)
def appearance(name: str) -> str:
    """Return a name as it looks: without case, width, kinds of spaces and invisible characters."""
    spaced = _WIDE_BLANK.sub(" ", name)
    seen = "".join(
        char
        for char in spaced
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and not _BLANK.match(char)
        and not _SELECTORS.match(char)
    )
    alike = unicodedata.normalize("NFKC", seen).translate(_SAME).casefold()
    return " ".join(unicodedata.normalize("NFKC", alike).split())


def folded(name: str) -> str:
    """Return the key of a name: without case, extra spaces, and differences between apostrophes and dashes."""
    return " ".join(unicodedata.normalize("NFKC", name).translate(_SAME).casefold().split())


@lru_cache(maxsize=4096)
def searchable(text: str) -> str:
    """Return a text for searching: without case, accents, spaces, hyphens, underscores and other punctuation.

    Symbols such as card suits stay, and so do marks that are more than accents, such as vowels in Indic scripts.
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_UNDECOMPOSED))
    kept = (char for char in decomposed if not (_BLANK.match(char) or _SELECTORS.match(char)))
    return "".join(char for char in kept if _is_searched(char))


def _is_searched(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] in "LN" or category == "So" or (category[0] == "M" and unicodedata.combining(char) < _ACCENTS)


def find_named(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that matches the typed text. Return None if none matches, or several do.

    Case, accents and punctuation only matter between names that differ in nothing else.
    """
    listed = list(names)
    for fold in (str, folded, searchable):
        wanted = fold(typed)
        found = {name for name in listed if fold(name) == wanted}
        if found and wanted:
            return found.pop() if len(found) == 1 else None
    return None
