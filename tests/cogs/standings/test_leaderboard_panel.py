"""The messages with the standings of a server."""

from __future__ import annotations

from bot.model.people import Preferences
from bot.model.seasons import ShownSeasons
from bot.model.standings import ALL_TIME, RECENT, Leaderboard, Order
from bot.model.statistics import Category
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.kit.components import ComponentEvent
from cogs.standings.leaderboard_panel import Filters, standings
from tests.cogs.samples import person_id

FILTERS = Filters(ALL_TIME, None, "", Category.POINTS, None, {Category.POINTS, Category.TEAMS}, ShownSeasons())


async def _buttons(board: Leaderboard) -> list[tuple[Action, int, str | None]]:
    """Return the action, page and filters of each button below a board."""
    shown = await standings(board, FILTERS, person_id(0), Preferences(pictures=False), Pictures())
    ids = [str(getattr(item, "custom_id", "")) for item in shown.layout.walk_children()]
    events = [event for event in map(ComponentEvent.parse, ids) if event is not None]
    return [(event.action, event.version, event.argument) for event in events]


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


async def test_no_button_leads_beyond_the_first_or_the_last_page() -> None:
    """A board with one page has neither *Back* nor *More*."""
    found = await _buttons(Leaderboard(Order.WINS, 3, 0, 1, (), None, None))
    assert (Action.LEADERBOARD, 0, f"{ALL_TIME}//") not in found
    assert all(page == 0 for _, page, _ in found)
