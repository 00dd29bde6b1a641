"""The messages with a server's standings and its activity, with buttons to switch between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.values.ids import PersonId
from bot.values.namesakes import listed_told_apart
from bot.values.people import Preferences
from bot.values.seasons import Awarded, SeasonsShown
from bot.values.standings import ALL_TIME, RECENT, Leaderboard, Order
from bot.values.statistics import Category, Week
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Item, Row, message
from cogs.panels.pictures import Pictures
from cogs.text import leaderboard as texts
from cogs.text.profile import CATEGORIES, activity_by_week


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a leaderboard: a period, an order, and a category of matches or one ruleset in it.

    If `order` is None, the leaderboard chooses its default. `played` are all categories that were played on the server.
    """

    period: str
    order: Order | None
    rules: str
    category: Category
    ruleset: str | None
    played: Collection[Category]
    seasons: SeasonsShown

    def button(
        self,
        action: Action,
        label: str,
        page: int = 0,
        *,
        period: str = "",
        order: Order | None = None,
        rules: str = "",
    ) -> Item:
        """Return a button for a page with these filters, or with another period, order or rules."""
        argument = f"{period or self.period}/{order or self.order or ''}/{rules or self.rules}"
        return button(Subject.LEADERBOARD, page, action, label, argument=argument)

    def categories(self, action: Action) -> Row:
        """Return the buttons for all other categories that were played."""
        others = [one for one in Category if one is not self.category and one in self.played]
        return [self.button(action, CATEGORIES[one].capitalize(), rules=one) for one in others]

    def periods(self) -> Row:
        """Return the buttons for all other periods: the running and the last season if any, 30 days, and all time."""
        labels = {self.seasons.running: "This season", self.seasons.last: "Last season"}
        labels |= {RECENT: "Last 30 days", ALL_TIME: "All time"}
        return [
            self.button(Action.LEADERBOARD, label, period=period)
            for period, label in labels.items()
            if period is not None and period != self.period
        ]

    def orders(self, shown: Order) -> Row:
        """Return the buttons for all other orders. Ratings exist only for whole categories, not for rulesets."""
        others = [one for one in Order if one is not shown and (one is not Order.RATING or self.ruleset is None)]
        return [self.button(Action.LEADERBOARD, texts.ORDERS[one], order=one) for one in others]


async def standings(
    board: Leaderboard,
    filters: Filters,
    person_id: PersonId,
    preferences: Preferences,
    pictures: Pictures,
    awards: Sequence[Awarded] = (),
) -> Message:
    """Return a page of the standings, with the person's own place, and with the awards of a finished season."""
    board, awards = _told_apart(board, awards)
    category, by_rating = filters.category, board.order is Order.RATING
    picture = None
    if preferences.pictures:
        picture = await pictures.standings(board, category, person_id, preferences.appearance)
    place = texts.own_place(board, person_id, category)
    if place is None and filters.played:
        place = texts.not_listed(category, filters.ruleset, filters.period)
    shown = bool(filters.played or board.rows)
    has_seasons = filters.seasons != SeasonsShown()
    periods: Row = filters.periods() if shown or has_seasons else []
    return message(
        Accent.OVER,
        texts.lines(board, category) or texts.nobody(board, filters.period, played=bool(filters.played)),
        place,
        texts.awards(awards, category),
        texts.RATINGS_EXPLAINED if by_rating else None,
        title=f"Leaderboard: {texts.compared(category, filters.ruleset)}, {texts.period_name(filters.period)}",
        picture=picture,
        rows=[
            [
                filters.button(Action.ACTIVITY, "Activity") if filters.played else None,
                *([] if has_seasons else periods),
                filters.button(Action.LEADERBOARD, "Back", board.page - 1) if board.page > 0 else None,
                filters.button(Action.LEADERBOARD, "More", board.page + 1) if board.page + 1 < board.pages else None,
            ],
            periods if has_seasons else [],
            filters.orders(board.order) if shown else [],
            filters.categories(Action.LEADERBOARD),
        ],
    )


def _told_apart(board: Leaderboard, awards: Sequence[Awarded]) -> tuple[Leaderboard, Sequence[Awarded]]:
    """Mark people with lookalike names."""
    listed = [row.standing for row in board.rows]
    everyone = [one.player for one in (*listed, *awards)]
    rows = zip(board.rows, listed_told_apart(listed, everyone), strict=True)
    marked = tuple(replace(row, standing=standing) for row, standing in rows)
    return replace(board, rows=marked), listed_told_apart(awards, everyone)


async def activity(weeks: Sequence[Week], filters: Filters, preferences: Preferences, pictures: Pictures) -> Message:
    """Return a server's numbers of matches and players in the last weeks."""
    picture = await pictures.activity(weeks, preferences.appearance) if preferences.pictures else None
    return message(
        Accent.OVER,
        activity_by_week(weeks) or texts.NOTHING_PLAYED,
        title=f"Activity: {texts.compared(filters.category, filters.ruleset)}",
        picture=picture,
        rows=[[filters.button(Action.LEADERBOARD, "Standings")], filters.categories(Action.ACTIVITY)],
    )
