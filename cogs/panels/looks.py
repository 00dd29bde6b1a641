"""The choice of how pictures look, for oneself or for a server."""

from __future__ import annotations

from itertools import product
from typing import Final

import discord

from bot.play.values import Look
from cardart import THEMES
from cogs.presses import Menu, menu

_LOOKS: Final = {
    f"{theme}-{'four' if four else 'two'}": Look(theme, four) for theme, four in product(THEMES, (False, True))
}


def look_menu(subject: str, verb: str, chosen: Look) -> Menu:
    """A menu of every theme, each with the suits in two colours and in four; `look_of` reads what is chosen."""
    options = [
        discord.SelectOption(
            label=f"Pictures: {look.theme}, suits in {'four' if look.four_colours else 'two'} colours",
            value=value,
            default=look == chosen,
        )
        for value, look in _LOOKS.items()
    ]
    return menu(subject, 0, verb, "Pictures …", options)


def look_of(value: str) -> Look:
    """The look of a line of the menu.

    Raises:
        KeyError: there is no such line.
    """
    return _LOOKS[value]
