"""Texts of refused rules."""

from __future__ import annotations

from difflib import get_close_matches
from textwrap import shorten
from typing import Final

from bot.model.ids import PersonId
from bot.model.names import search_key
from bot.play import refusals as why
from cogs.words.names import joined
from cogs.words.rules import bold

MAX_REASON: Final = 300
"""Maximum length of the reason in a text, since a reason can quote very long user input."""
MAX_NAMES: Final = 8
"""Maximum number of names of rules that a text lists."""


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.UnknownRules(reason, offered, asked):
            short = shorten(reason, MAX_REASON, placeholder=" …")
            rest = "" if short == reason else " To see every option, use `/gin challenge` and turn on *options*."
            stop = "" if rest else "."
            offers = _suggestion(asked, offered) or _offered_text(offered)
            return f"I can't play by these rules: {short}{stop}{rest}{offers}"
        case why.NotOffered(asked, offered):
            return f"This server doesn't offer {bold(asked)}.{_offered_text(offered)}"
        case _:
            return None


def _suggestion(asked: str, names: tuple[str, ...]) -> str:
    """Return a suggestion for a misspelled name, if there is one."""
    by_key = {search_key(name): name for name in names}
    near = get_close_matches(search_key(asked), by_key, 1)
    return f" Did you mean {bold(by_key[near[0]])}?" if near else ""


def _offered_text(names: tuple[str, ...]) -> str:
    """Return a list of names, or refer to the completions if there are many; empty without names."""
    if len(names) > MAX_NAMES:
        return " Choose from the list that appears while you type."
    return f" The choices are {joined([bold(name) for name in names])}." if names else ""
