"""The post of the deal of the day on a server, and the result that it becomes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from discord import ButtonStyle

import cardart
from bot.model.appearance import Appearance
from bot.model.daily import DailyPodium
from bot.model.daily_posts import DailyPost, DailySummary
from bot.model.daily_standings import DailyPeriod
from bot.model.namesakes import with_ambiguity
from cardart.text.card_names import card_names
from cardart.text.podium import MAX_ON_STEPS
from cogs.actions import Action, Subject
from cogs.daily import daily_post_text as texts
from cogs.daily.daily_panel import sealed
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Fact, Item, Picture, WithButton, message, with_picture
from cogs.kit.messages import Message
from cogs.turns.daily_panel import open_button
from cogs.words.daily import name
from cogs.words.names import pictured


def post(shown: DailyPost) -> Message:
    """Return the post of a deal that can be played. It has nothing about the cards but the commitment to them."""
    return message(
        Accent.YOURS,
        texts.invitation(shown.deal.day),
        sealed(shown.deal),
        title=name(shown.deal.day),
        rows=[[open_button(ButtonStyle.success)]],
    )


async def result(shown: DailySummary, pictures: Pictures) -> Message:
    """Return the result of a day's deal, and the commitment to the next one with the button to play it."""
    shown = _with_ambiguity(shown)
    podium, names = shown.podium, card_names(shown.appearance.language)

    def compose(picture: Picture | None) -> Message:
        return message(
            Accent.OVER,
            _best(shown),
            texts.people(podium.endings),
            texts.further_places(podium, shown.accuracies, is_pictured=picture is not None),
            None if shown.choice is None else texts.key_choice(shown.choice, names),
            None if shown.next_deal is None else texts.next_deal(shown.next_deal.day),
            None if shown.next_deal is None else sealed(shown.next_deal),
            title=texts.is_over(shown.day),
            picture=picture,
            rows=[[open_button(ButtonStyle.success), _standings_button(shown) if shown.results else None]],
        )

    return with_picture(compose, await _draw(podium, shown.appearance, pictures) if podium.rows else None)


async def _draw(podium: DailyPodium, appearance: Appearance, pictures: Pictures) -> Picture:
    """Draw the first three people, and how everybody's deal ended."""
    people = [row.player for row in podium.rows[:MAX_ON_STEPS]]
    # The picture is drawn twice at most, so it waits for the faces.
    await pictures.avatars.load(people)
    rows = tuple(replace(row, player=replace(row.player, name=pictured(row.player))) for row in podium.rows)
    shown, avatars = replace(podium, rows=rows), pictures.avatars.of_people(people)
    return await pictures.draw("daily podium", cardart.draw_daily_podium, shown, appearance, avatars)


def _with_ambiguity(shown: DailySummary) -> DailySummary:
    """Mark people whose names look alike, so that their account names are shown too."""
    players = with_ambiguity([result.player for result in shown.results])
    marked = zip(shown.results, players, strict=True)
    return replace(shown, results=tuple(replace(result, player=player) for result, player in marked))


def _best(shown: DailySummary) -> Fact | None:
    """Return the best result with the button for its replay; None if nobody finished the deal."""
    if shown.best is None:
        return None
    replay = button(shown.best.match_id, 0, Action.REPLAY, "Replay")
    return WithButton(texts.best(shown.podium, shown.accuracies), replay)


def _standings_button(shown: DailySummary) -> Item:
    """Return the button for the standings of the shortest period that has the day of the result and goes on."""
    periods = DailyPeriod.WEEK, DailyPeriod.MONTH, DailyPeriod.ALL
    period = next(period for period in periods if period.first_day(shown.day + timedelta(days=1)) <= shown.day)
    return button(Subject.MENU, 0, Action.DAILY_STANDINGS, "Standings", argument=period)
