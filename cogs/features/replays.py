"""Replays of finished deals: first for the person who asks, then for everyone on request."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.play.refusals import Refusal, WhichMatch
from bot.values.ids import MatchId
from bot.values.matches import MatchInfo, Replay
from cogs.kit.actions import Action
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent
from cogs.panels.layout import note
from cogs.panels.replay import replay as replay_panel
from cogs.support.choosing import which_match
from cogs.support.errors import UserError
from cogs.support.interactions import channel_id_of, person_id_of
from cogs.support.permissions import may_write
from cogs.support.replies import show
from cogs.support.services import Services
from cogs.text import refusals
from cogs.text import replay as texts

_DEAL: Final = re.compile(r"(?:deal\s*)?(\d{1,4})(?:\.(\d))?", re.IGNORECASE)


class Replays(commands.Cog):
    """Finished deals."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.register(
            {Action.REPLAY: self._replay_pressed, Action.SHOW_REPLAY_TO_ALL: self._show_to_all_pressed}
        )

    @app_commands.command(description="Watch a finished deal, move by move")
    @app_commands.describe(deal="Which deal, such as 3; leave it out for the last one")
    async def replay(self, interaction: Interaction, deal: app_commands.Range[str, 1, 10] | None = None) -> None:
        """Show a finished deal, with all hands, to the person who asks."""
        _read_deal(deal)
        try:
            match = await self._app.replays.find_match(person_id_of(interaction), channel_id_of(interaction))
        except WhichMatch as several:
            question = which_match(interaction.client, several.matches, Action.REPLAY, deal)
            await Answer.to(interaction).reply(question)
            return
        await self._show(interaction, match.id, deal)

    @replay.autocomplete("deal")
    async def complete_deal(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the finished deals, the last one first, each with how it ended."""
        wanted = typed.strip().lower()
        with suppress(Refusal):
            match = await self._app.replays.find_match(person_id_of(interaction), channel_id_of(interaction))
            deals = await self._app.replays.deals(match.id)
            choices = [(texts.completion(deal), texts.deal_number(deal.view)) for deal in reversed(deals)]
            fitting = [(label, value) for label, value in choices if wanted in label.lower() or wanted in value]
            return [app_commands.Choice(name=label, value=value) for label, value in fitting[:MENU_SIZE]]
        return []

    async def _replay_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._show(interaction, event.match_id, event.argument)

    async def _show(self, interaction: Interaction, match_id: MatchId, deal: str | None) -> None:
        replay = await self._load(match_id, deal)
        preferences = await self._app.people.preferences(person_id_of(interaction))
        pictures = self._pictures if preferences.pictures else None
        can_show = _may_show_to_all(interaction, replay.match)
        await show(interaction, await replay_panel(replay, pictures, can_show_to_all=can_show))

    async def _show_to_all_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        replay = await self._load(event.match_id, event.argument)
        if not _may_show_to_all(interaction, replay.match):
            raise UserError(refusals.MAY_NOT_SHOW_REPLAY)
        public = await replay_panel(replay, self._pictures, shown_by=interaction.user.display_name)
        answer = Answer.to(interaction)
        # The button goes first: pressed twice, it would post twice.
        await answer.update(note("Everyone in this channel can see the replay now."))
        await answer.post(public)

    async def _load(self, match_id: MatchId, deal: str | None) -> Replay:
        return await self._app.replays.replay(match_id, *_read_deal(deal))


def _read_deal(typed: str | None) -> tuple[int | None, int | None]:
    """Return the number and board of a deal as people type it: `3`, `3.2`, `deal 3`.

    Raises:
        UserError: it cannot be read.
    """
    if typed is None:
        return None, None
    found = _DEAL.fullmatch(typed.strip())
    if found is None:
        raise UserError(refusals.UNREADABLE_DEAL)
    return int(found[1]), None if found[2] is None else int(found[2])


def _may_show_to_all(interaction: Interaction, match: MatchInfo) -> bool:
    """Return whether the person may show a replay to everyone: in the match's own channel, if they may write there."""
    return interaction.channel_id == match.channel_id and interaction.guild_id is not None and may_write(interaction)
