"""Menus to choose how cards are drawn and named, for a person or for a server."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Final

import discord

from bot.values.appearance import Appearance
from cardart import THEMES
from cardart.text.card_names import NAMES, names_of
from cogs.kit.actions import Action, Subject
from cogs.kit.components import Menu, menu

NO_PICTURES: Final = "none"

_THEMES: Final = {
    f"{theme}-{'four' if four_colours else 'two'}": (theme, four_colours)
    for theme, four_colours in product(THEMES, (False, True))
}


def theme_menu(subject: Subject, action: Action, chosen: Appearance) -> Menu:
    """Return a menu of all themes, each with suits in two and in four colours; see `with_theme`."""
    return menu(subject, 0, action, "Pictures …", _theme_options(chosen))


def pictures_menu(subject: Subject, action: Action, chosen: Appearance, *, pictures: bool) -> Menu:
    """Return the same menu with a last option `NO_PICTURES`."""
    none = discord.SelectOption(label="Pictures: none, text only", value=NO_PICTURES, default=not pictures)
    return menu(subject, 0, action, "Pictures …", [*_theme_options(chosen if pictures else None), none])


def language_menu(subject: Subject, action: Action, chosen: Appearance) -> Menu:
    """Return a menu of the languages that cards are named in, by their codes."""
    options = [
        discord.SelectOption(
            label=f"Cards: {names.language}, {' '.join(names.letters[at] for at in (0, 3, 2, 1))}",
            value=code,
            default=names is names_of(chosen.language),
        )
        for code, names in NAMES.items()
    ]
    return menu(subject, 0, action, "Card names …", options)


def with_theme(appearance: Appearance, value: str) -> Appearance:
    """Return an appearance with the theme and suit colours of a menu option.

    Raises:
        KeyError: there is no such option.
    """
    theme, four_colours = _THEMES[value]
    return replace(appearance, theme=theme, four_colours=four_colours)


def _theme_options(chosen: Appearance | None) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=f"Pictures: {theme}, suits in {'four' if four_colours else 'two'} colours",
            value=value,
            default=chosen is not None and (theme, four_colours) == (chosen.theme, chosen.four_colours),
        )
        for value, (theme, four_colours) in _THEMES.items()
    ]
