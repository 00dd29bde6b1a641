"""Finished deals as command options: parsing a deal's number, and completions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from discord import app_commands

from bot.model.matches import Showdown
from bot.model.names import search_key
from cogs.delivery.errors import UserError
from cogs.kit.components import MENU_SIZE
from cogs.showdowns import replay_text as texts
from cogs.showdowns.refusals import UNREADABLE_DEAL

_DEAL: Final = re.compile(r"(?:deal\s*)?([0-9]{1,4})(?:\.([0-9]))?", re.IGNORECASE)


def parse_deal(typed: str | None, unreadable: str = UNREADABLE_DEAL) -> tuple[int | None, int | None]:
    """Parse the number and board of a deal: `3`, `3.2`, `deal 3`. Return two Nones if nothing was typed.

    Raise `UserError` with the text `unreadable` for anything else.
    """
    if typed is None:
        return None, None
    matched = _DEAL.fullmatch(typed.strip())
    if matched is None:
        raise UserError(unreadable)
    return int(matched[1]), None if matched[2] is None else int(matched[2])


def deal_choices(
    deals: Sequence[Showdown], typed: str, extra_choices: Sequence[tuple[str, str]] = ()
) -> list[app_commands.Choice[str]]:
    """Return completions for the deals that match the typed text, newest first, each with its result.

    `extra_choices` are further completions that come first, as pairs of label and value.
    """
    query = search_key(typed)
    choices = [*extra_choices, *((texts.completion(deal), texts.deal_number(deal.view)) for deal in reversed(deals))]
    matching = [(label, value) for label, value in choices if query in search_key(label) or typed.strip() in value]
    return [app_commands.Choice(name=label, value=value) for label, value in matching[:MENU_SIZE]]
