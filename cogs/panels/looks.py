"""The choice of how cards are drawn and named, for oneself or for a server."""

from __future__ import annotations

from itertools import product
from typing import Final

import discord

from bot.play.values import Look
from cardart import THEMES
from cardart.text.card_names import NAMES, names_of
from cogs.presses import Menu, menu

NONE: Final = "none"
"""The line of the menu of pictures that is about having none."""

_LOOKS: Final = {
    f"{theme}-{'four' if four else 'two'}": (theme, four) for theme, four in product(THEMES, (False, True))
}


def look_menu(subject: str, verb: str, chosen: Look) -> Menu:
    """A menu of every theme, each with the suits in two colours and in four; `look_of` reads what is chosen."""
    return menu(subject, 0, verb, "Pictures …", _looks(chosen))


def pictures_menu(subject: str, verb: str, chosen: Look, *, pictures: bool) -> Menu:
    """The same, with a last line `NONE` for playing without pictures."""
    none = discord.SelectOption(label="Pictures: none, words say it all", value=NONE, default=not pictures)
    return menu(subject, 0, verb, "Pictures …", [*_looks(chosen if pictures else None), none])


def names_menu(subject: str, verb: str, chosen: Look) -> Menu:
    """A menu of the languages that cards are named in, by their codes."""
    options = [
        discord.SelectOption(
            label=f"Cards: {names.language}, {' '.join(names.letters[at] for at in (0, 3, 2, 1))}",
            value=code,
            default=names is names_of(chosen.language),
        )
        for code, names in NAMES.items()
    ]
    return menu(subject, 0, verb, "Names of cards …", options)


def look_of(value: str) -> tuple[str, bool]:
    """The theme of a line of the menu, and whether each suit has a colour of its own.

    Raises:
        KeyError: there is no such line.
    """
    return _LOOKS[value]


def _looks(chosen: Look | None) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=f"Pictures: {theme}, suits in {'four' if four else 'two'} colours",
            value=value,
            default=chosen is not None and (theme, four) == (chosen.theme, chosen.four_colours),
        )
        for value, (theme, four) in _LOOKS.items()
    ]
