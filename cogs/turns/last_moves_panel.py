"""The message with all public moves of the deal in play."""

from __future__ import annotations

from bot.model import matches
from bot.model.people import Preferences
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, message
from cogs.kit.messages import Message
from cogs.words import table as table_text


def moves_button(match: matches.MatchInfo, board: int, label: str = "Last moves", page: int | None = None) -> Item:
    """Return the button that shows the moves of the deal in play on a board: the given page, or the last page."""
    argument = str(board) if page is None else f"{board}/{page}"
    return button(match.id, match.version, Action.LAST_MOVES, label, argument=argument)


def last_moves(shown: matches.Table, preferences: Preferences, page: int | None = None) -> Message:
    """Return a page of the public moves of the deal in play. If `page` is None, return the last page.

    It also describes the table in words, for people who do not see its picture.
    """
    match, view, names = shown.match, shown.view, card_names(preferences.appearance.language)
    pages = table_text.history_pages(match, view, names)
    page = len(pages) - 1 if page is None else min(page, len(pages) - 1)
    earlier = moves_button(match, view.board, "Earlier", page - 1) if page > 0 else None
    later = moves_button(match, view.board, "Later", page + 1) if page < len(pages) - 1 else None
    return message(
        Accent.WAITING,
        table_text.details(shown, names),
        f"-# {table_text.dealt(shown)} · the upcard was {names.short(view.upcard)}",
        pages[page],
        table_text.taken_back(match, view),
        title=f"Last moves · {table_text.title(shown)}",
        rows=[[earlier, later]],
    )
