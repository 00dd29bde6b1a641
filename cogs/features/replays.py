"""Deals that are over, to be watched once more: first for oneself, then for everyone if one likes."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.play.refusals import Refusal, WhichMatch
from bot.values.matches import MatchInfo, Replay
from cogs.kit.answers import Answer, Interaction
from cogs.support.choosing import which_match
from cogs.panels.layout import note
from cogs.panels.replay import replay as panel
from cogs.support.permissions import may_speak
from cogs.kit.components import ComponentEvent
from cogs.support.replies import Kind, show
from cogs.support.services import Services
from cogs.text import refusals
from cogs.text import replay as texts

_PLACE: Final = re.compile(r"(?:deal\s*)?(\d{1,4})(?:\.(\d))?", re.IGNORECASE)
MOST: Final = 25
"""The most completions that Discord shows."""


class Replays(commands.Cog):
    """Deals that are over."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.on(replay=self._pressed, replay_show=self._show_pressed)

    @app_commands.command(description="Watch a deal that is over, move by move")
    @app_commands.describe(deal="Which deal, such as 3; without it the last one")
    async def replay(self, interaction: Interaction, deal: app_commands.Range[str, 1, 10] | None = None) -> None:
        """Show a deal that is over, with all hands, to the person who asks."""
        _place(deal)
        try:
            match = await self._app.replays.meant_by(interaction.user.id, interaction.channel_id)
        except WhichMatch as several:
            await Answer.to(interaction).say(which_match(interaction.client, several.matches, "replay", deal))
            return
        await self._show(interaction, match.id, deal)

    @replay.autocomplete("deal")
    async def deals(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The deals that are over, the last one first, each with how it ended."""
        wanted = typed.strip().lower()
        with suppress(Refusal):
            match = await self._app.replays.meant_by(interaction.user.id, interaction.channel_id)
            posts = [(texts.choice(post), texts.place(post.view)) for post in await self._app.replays.deals(match.id)]
            meant = [(told, place) for told, place in reversed(posts) if wanted in told.lower() or wanted in place]
            return [app_commands.Choice(name=told, value=place) for told, place in meant[:MOST]]
        return []

    async def _pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._show(interaction, press.number, press.argument)

    async def _show(self, interaction: Interaction, match_id: int, deal: str | None) -> None:
        replay = await self._found(match_id, deal)
        to_show = _may_show(interaction, replay.card)
        chosen = await self._app.people.preferences(interaction.user.id)
        await show(interaction, await panel(replay, self._pictures if chosen.pictures else None, to_show=to_show))

    async def _show_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        replay = await self._found(press.number, press.argument)
        if not _may_show(interaction, replay.card):
            raise Kind(refusals.MAY_NOT_SHOW)
        public = await panel(replay, self._pictures, shown_by=interaction.user.display_name)
        answer = Answer.to(interaction)
        # The button goes first: pressed twice, it would post twice.
        await answer.update(note("Everyone in this channel sees the replay now."))
        await answer.tell(public)

    async def _found(self, match_id: int, deal: str | None) -> Replay:
        return await self._app.replays.replay(match_id, *_place(deal))


def _place(typed: str | None) -> tuple[int | None, int | None]:
    """The number and board of a deal as it is typed: `3`, `3.2`, `deal 3`; neither where nothing is.

    Raises:
        Kind: it is no deal.
    """
    if typed is None:
        return None, None
    found = _PLACE.fullmatch(typed.strip())
    if found is None:
        raise Kind(refusals.NO_DEAL)
    return int(found[1]), None if found[2] is None else int(found[2])


def _may_show(interaction: Interaction, card: MatchInfo) -> bool:
    """Whether the person may have everyone see a replay: in the match's own channel, if they may write there."""
    return interaction.channel_id == card.channel_id and interaction.guild_id is not None and may_speak(interaction)
