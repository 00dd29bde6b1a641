"""Names that people choose, for themselves or for rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufff0-\ufff8"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Invisible letters, marks and symbols: Unicode's ignorable characters, fillers, the empty braille pattern."""

_WIDE_INVISIBLE: Final = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")
"""Invisible characters that are at least as wide as a space."""

_VARIATION_SELECTORS: Final = re.compile("[\u180b-\u180f\ufe00-\ufe0f]")
"""Variation selectors, which only choose the shape of the previous letter."""

_KEYBOARD_FORMS: Final = str.maketrans(dict.fromkeys("’‘ʼ`´", "'") | dict.fromkeys("‐‑–—", "-"))
"""Apostrophes and dashes that phones insert, mapped to their keyboard equivalents."""

_LETTER_REPLACEMENTS: Final = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŧ": "t"}
)
"""Replacements for letters that Unicode does not decompose."""

_MIN_ACCENT_CLASS: Final = 200
"""Lowest Unicode combining class of accents: https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values."""

_MARKS_AND_SPACES: Final = frozenset(("Cc", "Cf", "Co", "Cs", "Mc", "Me", "Mn", "Zl", "Zp", "Zs"))


def is_visible(name: str) -> bool:
    """Return True if a name has at least one visible letter, digit or symbol."""
    return any(unicodedata.category(char) not in _MARKS_AND_SPACES and not _INVISIBLE.match(char) for char in name)


@lru_cache(maxsize=4096)
def appearance(name: str) -> str:
    """Return a form of a name that is the same for all names that look the same.

    It ignores case, width, kinds of spaces and invisible characters.
    """
    spaced = _WIDE_INVISIBLE.sub(" ", name)
    visible = "".join(
        char
        for char in spaced
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and not _INVISIBLE.match(char)
        and not _VARIATION_SELECTORS.match(char)
    )
    normalized = unicodedata.normalize("NFKC", visible).translate(_KEYBOARD_FORMS).casefold()
    return " ".join(unicodedata.normalize("NFKC", normalized).split())


def name_key(name: str) -> str:
    """Return a key for comparing names, which ignores case, extra spaces, and kinds of apostrophes and dashes."""
    return " ".join(unicodedata.normalize("NFKC", name).translate(_KEYBOARD_FORMS).casefold().split())


@lru_cache(maxsize=4096)
def search_key(text: str) -> str:
    """Return a key for searching, which ignores case, accents, spaces, hyphens, underscores and other punctuation.

    Symbols such as card suits stay, and so do marks that are more than accents, such as vowels in Indic scripts.
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_LETTER_REPLACEMENTS))
    visible = (char for char in decomposed if not (_INVISIBLE.match(char) or _VARIATION_SELECTORS.match(char)))
    return "".join(char for char in visible if _is_searched(char))


def _is_searched(char: str) -> bool:
    category = unicodedata.category(char)
    return (
        category[0] in "LN"
        or category == "So"
        or (category[0] == "M" and unicodedata.combining(char) < _MIN_ACCENT_CLASS)
    )


def find_name(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that matches the typed text. Return None if none matches, or several do.

    Case, accents and punctuation are ignored, unless they decide between several matching names.
    """
    candidates = list(names)
    for fold in (str, name_key, search_key):
        key = fold(typed)
        matches = {name for name in candidates if fold(name) == key}
        if matches and key:
            return matches.pop() if len(matches) == 1 else None
    return None
