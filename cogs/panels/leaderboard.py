"""The messages with the standings of a server, and with how much it plays; buttons turn from one to the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from bot.values.ids import PersonId
from bot.values.people import Preferences
from bot.values.statistics import Category, Player, Standing, Week
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Item, Row, message
from cogs.panels.pictures import Pictures
from cogs.text import leaderboard as texts
from cogs.text.people import plain
from cogs.text.profile import CATEGORIES, activity_by_week

PAGE: Final = 10
ALL_TIME: Final = "all"
RECENT: Final = "recent"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a leaderboard shows: a period, and the matches of a category, or only those with one ruleset.

    `played` are all categories that were played on the server.
    """

    period: str
    rules: str
    category: Category
    ruleset: str | None
    played: Collection[Category]

    @property
    def recent(self) -> bool:
        """Whether only the last 30 days count."""
        return self.period == RECENT

    def button(self, action: Action, label: str, page: int = 0, *, period: str = "", rules: str = "") -> Item:
        """Return a button that shows a page with these filters, or with another period or other rules."""
        argument = f"{period or self.period}/{rules or self.rules}"
        return button(Subject.LEADERBOARD, page, action, label, argument=argument)

    def categories(self, action: Action) -> Row:
        """Return a button for each other category."""
        others = [one for one in Category if one is not self.category and one in self.played]
        return [self.button(action, CATEGORIES[one].capitalize(), rules=one) for one in others]


async def standings(
    shown: Sequence[Standing],
    filters: Filters,
    page: int,
    person_id: PersonId,
    preferences: Preferences,
    pictures: Pictures,
) -> Message:
    """Return a page of the standings, with the person's own place."""
    last_page = max(0, (len(shown) - 1) // PAGE)
    page = min(page, last_page)
    listed, first = shown[page * PAGE : (page + 1) * PAGE], page * PAGE + 1
    own, picture = texts.own_rank(shown, person_id), None
    if preferences.pictures:
        # Names go into the picture as they go into menus: in one line, and not too long.
        rows = [(one, plain(Player(one.person_id, one.name))) for one in listed]
        picture = await pictures.standings(rows, first, own, preferences.appearance)
    if own is None:
        place = texts.not_listed(filters.category, filters.ruleset, recent=filters.recent)
    elif first <= own < first + PAGE:
        place = f"Your place: **{own}** of {len(shown)}"
    else:
        place = f"You: {texts.line(own, shown[own - 1], filters.category)}"
    nobody = texts.NOBODY_LATELY if filters.recent and filters.played else texts.NOBODY
    other_period, label = (ALL_TIME, "All time") if filters.recent else (RECENT, "Last 30 days")
    return message(
        Accent.OVER,
        texts.lines(listed, first, filters.category) or nobody,
        place if shown or filters.played else None,
        title=f"Leaderboard: {texts.compared(filters.category, filters.ruleset)}, "
        f"{'last 30 days' if filters.recent else 'all time'}",
        picture=picture,
        rows=[
            [
                filters.button(Action.ACTIVITY, "Activity") if filters.played else None,
                filters.button(Action.LEADERBOARD, label, period=other_period) if filters.played else None,
                filters.button(Action.LEADERBOARD, "Back", page - 1) if page > 0 else None,
                filters.button(Action.LEADERBOARD, "More", page + 1) if page < last_page else None,
            ],
            filters.categories(Action.LEADERBOARD),
        ],
    )


async def activity(weeks: Sequence[Week], filters: Filters, preferences: Preferences, pictures: Pictures) -> Message:
    """Return how much a server plays: the matches and players of its last weeks."""
    picture = await pictures.activity(weeks, preferences.appearance) if preferences.pictures else None
    return message(
        Accent.OVER,
        activity_by_week(weeks) or texts.NOTHING_PLAYED,
        title=f"Activity: {texts.compared(filters.category, filters.ruleset)}",
        picture=picture,
        rows=[[filters.button(Action.LEADERBOARD, "Standings")], filters.categories(Action.ACTIVITY)],
    )
