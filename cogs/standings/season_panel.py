"""The post with the result of a finished season."""

from __future__ import annotations

from dataclasses import replace

import cardart
from bot.model.namesakes import entries_with_ambiguity
from bot.model.seasons import SeasonResult
from cardart.text.podium import SUPERLATIVE_TITLES
from cardart.text.seasons import from_day
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Picture, message, with_picture
from cogs.kit.messages import Message
from cogs.standings import leaderboard_text as texts
from cogs.standings.leaderboard_panel import with_plain_name
from cogs.standings.profile_text import CATEGORIES
from cogs.words.names import pictured


async def season(result: SeasonResult, pictures: Pictures) -> Message:
    """Return the leaders of each category and the awards, with a button for the leaderboard of that season.

    The picture has the first podium, and names one person for each award.
    """
    result = _with_ambiguity(result)
    main, *others = result.podiums
    argument = f"{result.season}//{main.category}"

    def compose(picture: Picture | None) -> Message:
        return message(
            Accent.OVER,
            texts.podium(main) if picture is None else texts.below_podium(main),
            *map(texts.podium, others),
            texts.superlatives(result.superlatives, only_shared=picture is not None),
            texts.began_late(result.began_late_at),
            title=texts.season_is_over(result.season),
            picture=picture,
            rows=[[button(Subject.LEADERBOARD, 0, Action.LEADERBOARD, "Leaderboard", argument=argument)]],
        )

    return with_picture(compose, await _draw(result, pictures))


def _with_ambiguity(result: SeasonResult) -> SeasonResult:
    """Mark people whose names look alike, so that their account names are shown too."""
    listed = [row.standing for podium in result.podiums for row in podium.rows]
    everyone = [superlative.player for superlative in (*listed, *result.superlatives)]
    marked = {entry.person_id: entry.ambiguous for entry in entries_with_ambiguity(listed, everyone)}
    podiums = [
        replace(
            podium,
            rows=tuple(
                replace(row, standing=replace(row.standing, ambiguous=marked[row.standing.person_id]))
                for row in podium.rows
            ),
        )
        for podium in result.podiums
    ]
    return replace(result, podiums=tuple(podiums), superlatives=entries_with_ambiguity(result.superlatives, everyone))


async def _draw(result: SeasonResult, pictures: Pictures) -> Picture:
    """Draw the top three in the category with the most people, and the season's awards."""
    main = result.podiums[0]
    podium = replace(main, rows=tuple(replace(row, standing=with_plain_name(row.standing)) for row in main.rows))
    awards = [replace(superlative, name=pictured(superlative.player)) for superlative in result.superlatives]
    awards.sort(key=lambda award: [*SUPERLATIVE_TITLES].index(award.award))
    name, category = texts.period_name(result.season), CATEGORIES[main.category].capitalize()
    if result.began_late_at is not None:
        category = f"{category}, {from_day(result.began_late_at)}"
    people = [row.standing.player for row in podium.rows] + [superlative.player for superlative in awards]
    # A podium is posted once and never drawn again, so it waits for the faces.
    await pictures.avatars.load(people)
    avatars = pictures.avatars.of_people(people)
    return await pictures.draw(
        "podium", cardart.draw_podium, name, category, podium, awards, result.appearance, avatars
    )
