"""The post with the result of a season that is over."""

from __future__ import annotations

from bot.values.seasons import SeasonResult
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, message
from cogs.panels.pictures import Pictures
from cogs.text import leaderboard as texts


async def season(result: SeasonResult, pictures: Pictures) -> Message:
    """Return who led in each category and who did most of what, with a button to the leaderboard of that season."""
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
