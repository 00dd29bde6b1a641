"""The button that blocks a person."""

from __future__ import annotations

from bot.model.statistics import Player
from cogs.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.layout import Item


def block_button(player: Player) -> Item | None:
    """Return the button that blocks a player; None for computers and for people who were forgotten."""
    return None if player.id is None else button(Subject.MENU, 0, Action.BLOCK, "Block", argument=str(player.id))
