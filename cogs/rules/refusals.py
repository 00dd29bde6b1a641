"""Texts of refused rules."""

from __future__ import annotations

from difflib import get_close_matches
from textwrap import shorten
from typing import Final

from bot.engine.rules import OPTIONS
from bot.model.ids import PersonId
from bot.model.names import search_key
from bot.play import refusals as why
from cogs.words.names import joined, safe
from cogs.words.rules import bold

MAX_REASON: Final = 300
"""Maximum length of the reason in a text, since a reason can quote very long user input."""
MAX_NAMES: Final = 8
"""Maximum number of names of rules that a text lists."""
MAX_TYPED: Final = 40
"""Maximum length of a name, option or value in a text, as a person typed it."""
_EVERY_OPTION: Final = " To see every option, use `/gin challenge` and turn on *options*."
_NAME_FIRST: Final = " Write the name of the rules first, as in `classic target=50`."


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.UnknownOption(_, _, asked):
            return f"I don't know the option {_typed(asked)}.{_suggestion(asked, tuple(OPTIONS)) or _EVERY_OPTION}"
        case why.WrongValue(_, _, asked, option):
            cannot = f"can't be {_typed(asked)}" if asked else "needs a value"
            return f"`{option}` {cannot}. It can be {_values(option)}."
        case why.UnknownRules(_, offered, asked) if asked:
            instead = _NAME_FIRST if "=" in asked else _suggestion(asked, offered) or _offered_text(offered)
            return f"I don't know the rules {_typed(asked)}.{instead}"
        case why.UnknownRules(reason, offered):
            short = shorten(reason, MAX_REASON, placeholder=" …")
            rest = "." if short == reason else _EVERY_OPTION
            return f"I can't play by these rules: {short}{rest}{_offered_text(offered)}"
        case why.NotOffered(asked, offered):
            return f"This server doesn't offer {bold(asked)}.{_offered_text(offered)}"
        case _:
            return None


def _suggestion(asked: str, names: tuple[str, ...]) -> str:
    """Return a suggestion for a misspelled name, if there is one."""
    by_key = {search_key(name): name for name in names}
    near = get_close_matches(search_key(asked), by_key, 1)
    return f" Did you mean {bold(by_key[near[0]])}?" if near else ""


def _typed(text: str) -> str:
    """Quote what a person typed for rules."""
    return f"**{safe(text, MAX_TYPED, if_invisible='?')}**"


def _values(option: str) -> str:
    """Return the values that an option allows: `0` to `100` or `upcard`."""
    allowed = OPTIONS[option]
    numbers = [f"`{allowed.numbers[0]}` to `{allowed.numbers[-1]}`"] if allowed.numbers else []
    return joined([*numbers, *(f"`{allowed.print(value)}`" for value in allowed.named_values)], "or")


def _offered_text(names: tuple[str, ...]) -> str:
    """Return a list of names, or refer to the completions if there are many; empty without names."""
    if len(names) > MAX_NAMES:
        return " Choose from the list that appears while you type."
    return f" The choices are {joined([bold(name) for name in names])}." if names else ""
