"""Names that people choose, for themselves or for rules."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufff0-\ufff8"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Letters, marks and symbols that are drawn as nothing: Unicode's ignorable characters, fillers, the empty braille."""

_SAME: Final = str.maketrans(dict.fromkeys("’‘ʼ`´", "'") | dict.fromkeys("‐‑–—", "-"))
"""Phones write these where keyboards have others: they count as the same."""

_MARKS_AND_SPACES: Final = frozenset(("Cc", "Cf", "Co", "Cs", "Mc", "Me", "Mn", "Zl", "Zp", "Zs"))


def is_visible(name: str) -> bool:
    """Return whether anything of a name can be seen: at least one letter, digit or symbol that is not blank."""
    return any(unicodedata.category(char) not in _MARKS_AND_SPACES and not _BLANK.match(char) for char in name)


def folded(name: str) -> str:
    """Return a name without regard to case, extra spaces, and the form of apostrophes and dashes."""
    return " ".join(unicodedata.normalize("NFKC", name).translate(_SAME).casefold().split())
