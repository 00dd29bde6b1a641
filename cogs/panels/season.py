"""The post with the result of a finished season."""

from __future__ import annotations

from dataclasses import replace

from bot.model.namesakes import entries_with_ambiguity
from bot.model.seasons import SeasonResult
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, message
from cogs.panels.pictures import Pictures
from cogs.text import leaderboard as texts


async def season(result: SeasonResult, pictures: Pictures) -> Message:
    """Return the leaders of each category and the awards, with a button for the leaderboard of that season."""
    result = _with_ambiguity(result)
    main = result.podiums[0]
    leads = button(
        Subject.LEADERBOARD, 0, Action.LEADERBOARD, "Leaderboard", argument=f"{result.season}//{main.category}"
    )
    return message(
        Accent.OVER,
        *(texts.podium(podium) for podium in result.podiums),
        texts.superlatives(result.superlatives),
        title=texts.season_is_over(result.season),
        picture=await pictures.podium(result),
        rows=[[leads]],
    )


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
