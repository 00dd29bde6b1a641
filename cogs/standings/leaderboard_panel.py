"""The messages with a server's standings and its activity, with buttons to switch between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cardart
from bot.model.appearance import Appearance
from bot.model.ids import PersonId
from bot.model.namesakes import entries_with_ambiguity
from bot.model.people import Preferences
from bot.model.seasons import Awarded, ShownSeasons
from bot.model.standings import ALL_TIME, RECENT, Leaderboard, Order, Standing, has_ratings
from bot.model.statistics import Activity, Category
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Picture, Row, message, with_picture
from cogs.kit.messages import Message
from cogs.standings import leaderboard_text as texts
from cogs.standings.profile_text import CATEGORIES, activity_text
from cogs.words.names import pictured


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
    seasons: ShownSeasons

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
        others = [category for category in Category if category is not self.category and category in self.played]
        return [self.button(action, CATEGORIES[other].capitalize(), rules=other) for other in others]

    def periods(self) -> Row:
        """Return buttons for all periods but the chosen one: this season, the last season, 30 days, and all time."""
        labels = {self.seasons.current: "This season", self.seasons.last: "Last season"}
        labels |= {RECENT: "Last 30 days", ALL_TIME: "All time"}
        return [
            self.button(Action.LEADERBOARD, label, period=period)
            for period, label in labels.items()
            if period is not None and period != self.period
        ]

    def orders(self, shown: Order) -> Row:
        """Return the buttons for all other orders."""
        rated = has_ratings(self.period, self.ruleset)
        others = [order for order in Order if order is not shown and (order is not Order.RATING or rated)]
        return [self.button(Action.LEADERBOARD, texts.ORDERS[other], order=other) for other in others]


async def standings(
    board: Leaderboard,
    filters: Filters,
    person_id: PersonId,
    preferences: Preferences,
    pictures: Pictures,
    awards: Sequence[Awarded] = (),
) -> Message:
    """Return a page of the standings, with the person's own place, and with the awards of a finished season.

    With the picture, the text does not list the page's people again.
    """
    board, awards = _with_ambiguity(board, awards)
    category, by_rating = filters.category, board.order is Order.RATING
    place = texts.own_place(board, person_id, category)
    if place is None and filters.played and board.rows:
        place = texts.not_listed(category, filters.ruleset, filters.period)
    has_content = bool(filters.played or board.rows)
    has_seasons = filters.seasons != ShownSeasons()
    periods: Row = filters.periods() if has_content or has_seasons else []
    name = texts.category_or_ruleset(category, filters.ruleset)

    def compose(picture: Picture | None) -> Message:
        lines = texts.lines(board, category) or texts.nobody(board, filters.period, played=bool(filters.played))
        # The picture explains the arrows above its rows.
        is_explained = picture is not None and any(row.movement is not None for row in board.rows)
        return message(
            Accent.OVER,
            lines if picture is None else None,
            place,
            texts.awards(awards, category),
            texts.began_late(board.began_late_at),
            texts.without_ratings(filters.period, filters.ruleset) if filters.order is Order.RATING else None,
            texts.unranked(board),
            None if is_explained else texts.movements_explained(board),
            texts.RATINGS_EXPLAINED if by_rating else None,
            title=f"Leaderboard: {name}, {texts.period_name(filters.period, board.began_late_at)}",
            picture=picture,
            rows=[
                [
                    filters.button(Action.ACTIVITY, "Activity") if filters.played else None,
                    *([] if has_seasons else periods),
                    filters.button(Action.LEADERBOARD, "Back", board.page - 1) if board.page > 0 else None,
                    filters.button(Action.LEADERBOARD, "More", board.page + 1)
                    if board.page + 1 < board.pages
                    else None,
                ],
                periods if has_seasons else [],
                filters.orders(board.order) if has_content else [],
                filters.categories(Action.LEADERBOARD),
            ],
        )

    picture = None
    if preferences.pictures and board.rows:
        picture = await _draw(board, category, person_id, preferences.appearance, pictures)
    return with_picture(compose, picture)


def _with_ambiguity(board: Leaderboard, awards: Sequence[Awarded]) -> tuple[Leaderboard, Sequence[Awarded]]:
    """Mark people whose names look alike, so that their account names are shown too."""
    listed = [row.standing for row in board.rows]
    everyone = [award.player for award in (*listed, *board.provisional, *awards)]
    rows = zip(board.rows, entries_with_ambiguity(listed, everyone), strict=True)
    marked = tuple(replace(row, standing=standing) for row, standing in rows)
    board = replace(board, rows=marked, provisional=entries_with_ambiguity(board.provisional, everyone))
    return board, entries_with_ambiguity(awards, everyone)


async def _draw(
    board: Leaderboard, category: Category, own_id: PersonId, appearance: Appearance, pictures: Pictures
) -> Picture:
    """Draw standings, with a frame around a person's own row."""
    named = [replace(row, standing=with_plain_name(row.standing)) for row in board.rows]
    avatars = pictures.avatars.of_people([row.standing.player for row in named])
    return await pictures.draw(
        "standings", cardart.draw_standings, named, board.order, category, own_id, appearance, avatars
    )


def with_plain_name(standing: Standing) -> Standing:
    """Return a standing whose name has one line and a limited length, for a picture."""
    return replace(standing, name=pictured(standing.player))


async def activity(shown: Activity | None, filters: Filters, preferences: Preferences, pictures: Pictures) -> Message:
    """Return a server's numbers of matches and players in the last days or weeks. The picture shows all of them.

    `shown` is None if nothing was played.
    """

    def compose(picture: Picture | None) -> Message:
        in_words = texts.NOTHING_PLAYED if shown is None else activity_text(shown)
        return message(
            Accent.OVER,
            in_words if picture is None else None,
            title=f"Activity: {texts.category_or_ruleset(filters.category, filters.ruleset)}",
            picture=picture,
            rows=[[filters.button(Action.LEADERBOARD, "Standings")], filters.categories(Action.ACTIVITY)],
        )

    picture = None
    if preferences.pictures and shown is not None:
        picture = await pictures.draw("activity", cardart.draw_activity, shown, preferences.appearance)
    return with_picture(compose, picture)
