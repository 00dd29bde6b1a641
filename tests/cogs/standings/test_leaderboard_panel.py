"""The messages with the standings of a server."""

from __future__ import annotations

from dataclasses import replace

from bot.model.people import Preferences
from bot.model.seasons import ShownSeasons
from bot.model.standings import ALL_TIME, RECENT, Leaderboard, Order
from bot.model.statistics import Category
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.kit.components import ComponentEvent
from cogs.standings import leaderboard_text as texts
from cogs.standings.leaderboard_panel import Filters, standings
from tests.cogs.samples import button_labels, opened_pictures, person_id, text_of
from tests.gallery.sample_profiles import moved
from tests.gallery.sample_profiles import standings as sample_rows
from tests.helpers.message_parts import buttons_in

FILTERS = Filters(ALL_TIME, None, "", Category.POINTS, None, {Category.POINTS, Category.TEAMS}, ShownSeasons())


async def _buttons(board: Leaderboard) -> list[tuple[Action, int, str | None]]:
    """Return the action, page and filters of each button below a board."""
    shown = await standings(board, FILTERS, person_id(0), Preferences(pictures=False), Pictures())
    events = [ComponentEvent.parse(button.custom_id or "") for button in buttons_in(shown)]
    return [(event.action, event.version, event.argument) for event in events if event is not None]


async def test_buttons_turn_pages_and_keep_the_filters() -> None:
    """*Back* and *More* open the previous and next page; all other buttons open the first page of a list."""
    found = await _buttons(Leaderboard(Order.WINS, 30, 1, 3, (), None, None))
    board, kept = Action.LEADERBOARD, f"{ALL_TIME}//"
    assert found == [
        (Action.ACTIVITY, 0, kept),
        (board, 0, f"{RECENT}//"),
        (board, 0, kept),
        (board, 2, kept),
        *((board, 0, f"{ALL_TIME}/{order}/") for order in Order if order is not Order.WINS),
        (board, 0, f"{ALL_TIME}//{Category.TEAMS}"),
    ]


async def test_the_picture_replaces_the_rows() -> None:
    """With the picture, only the reader's own row is in words, if it is on another page. The picture explains arrows.

    Without the picture, all rows and the arrows are in words.
    """
    rows = moved(sample_rows("North 24 15 612", "South 20 11 -85"), 2, 0)
    own = replace(rows[0].standing, person_id=person_id(9), name="Zoe")
    board = Leaderboard(Order.WINS, 30, 0, 3, rows, own, 17)
    async with opened_pictures() as pictures:
        shown = await standings(board, FILTERS, person_id(9), Preferences(), pictures)
        in_words = await standings(board, FILTERS, person_id(9), Preferences(pictures=False), pictures)
    place = str(texts.own_place(board, person_id(9), Category.POINTS))
    assert text_of(shown).splitlines()[1:] == place.splitlines()
    assert "Up, down and new: in the last 7 days." in str(shown.attached[0].alt)
    assert text_of(shown.without_files()) == text_of(in_words)
    assert button_labels(shown.without_files()) == button_labels(shown) == button_labels(in_words)
    for text in (texts.lines(board, Category.POINTS), place, texts.MOVEMENTS_EXPLAINED):
        assert text in text_of(in_words)


async def test_no_button_leads_beyond_the_first_or_the_last_page() -> None:
    """A board with one page has neither *Back* nor *More*."""
    found = await _buttons(Leaderboard(Order.WINS, 3, 0, 1, (), None, None))
    assert (Action.LEADERBOARD, 0, f"{ALL_TIME}//") not in found
    assert all(page == 0 for _, page, _ in found)
