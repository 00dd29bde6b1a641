"""Replays of finished deals: shown privately first, then to everyone on request."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.model.appearance import Appearance
from bot.model.ids import MatchId
from bot.model.matches import Replay
from bot.play.refusals import Refusal
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.choosing import asking_which_match
from cogs.delivery.errors import UserError
from cogs.delivery.feature import IN_GIN_DEAL_GROUP, Feature, handles
from cogs.delivery.interactions import channel_id_of, person_id_of, sharer_name
from cogs.delivery.refusals import may_not_show
from cogs.delivery.replies import show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.kit.layout import note
from cogs.showdowns import replay_panel as panels
from cogs.showdowns.deals import deal_choices, parse_deal

_STEP: Final = re.compile(r"(?P<deal>[0-9]{1,4}(?:\.[0-9])?)/(?P<step>[0-9]{1,5})/(?P<to>[a-z]+)")


class Replays(Feature):
    """The command for replays of finished deals, and its buttons."""

    @app_commands.command(description="Watch a finished deal, move by move", extras=IN_GIN_DEAL_GROUP)
    @app_commands.describe(deal="The deal's number; leave empty for the last deal")
    async def replay(self, interaction: Interaction, deal: app_commands.Range[str, 1, 10] | None = None) -> None:
        """Show a finished deal, with all hands, privately."""
        parse_deal(deal)
        async with asking_which_match(interaction, self._app, self.access, Action.REPLAY, deal):
            match = await self._app.replays.find_match(person_id_of(interaction), channel_id_of(interaction))
        await self._show(interaction, match.id, deal)

    @replay.autocomplete("deal")
    async def complete_deal(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the finished deals, newest first, each with its result."""
        with suppress(Refusal):
            match = await self._app.replays.find_match(person_id_of(interaction), channel_id_of(interaction))
            return deal_choices(await self._app.replays.deals(match.id), typed)
        return []

    @handles(Action.REPLAY, need=Need.SEE_MATCH)
    async def _open(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with a new message, so that the clicked message stays unchanged."""
        await self._show(interaction, event.match_id, event.argument, as_new_message=True)

    async def _show(
        self, interaction: Interaction, match_id: MatchId, deal: str | None, *, as_new_message: bool = False
    ) -> None:
        async with self._long_work.slot(interaction):
            preferences = await self._app.people.preferences(person_id_of(interaction))
            replay = await self._load(match_id, deal, preferences.appearance)
            pictures = self._pictures if preferences.pictures else None
            can_show = await self.access.may_show_to_all(interaction, replay.match)
            panel = await panels.replay(replay, pictures, can_show_to_all=can_show)
        await show(interaction, panel, as_new_message=as_new_message)

    @handles(Action.SHOW_REPLAY_TO_ALL, need=Need.SEE_MATCH)
    async def _show_to_all(self, interaction: Interaction, event: ComponentEvent) -> None:
        replay = await self._load(event.match_id, event.argument)
        if not await self.access.may_show_to_all(interaction, replay.match):
            raise UserError(may_not_show("a replay"))
        async with self._long_work.slot(interaction):
            public = await panels.replay(replay, self._pictures, shown_by=sharer_name(interaction, replay.match))
        # Remove the button before posting: a second press would post again.
        await show(interaction, note("Everyone here can see the replay now."))
        await Answer.to(interaction).post(public)

    @handles(Action.REPLAY_STEP, need=Need.SEE_MATCH)
    async def _step(self, interaction: Interaction, event: ComponentEvent) -> None:
        matched = _STEP.fullmatch(event.argument or "")
        if matched is None:
            raise UnknownComponent
        if matched["to"] == panels.WHOLE_DEAL:
            await self._show(interaction, event.match_id, matched["deal"])
            return
        preferences = await self._app.people.preferences(person_id_of(interaction))
        replay = await self._load(event.match_id, matched["deal"], preferences.appearance)
        pictures = self._pictures if preferences.pictures else None
        await show(interaction, await panels.step(replay, int(matched["step"]), pictures))

    async def _load(self, match_id: MatchId, deal: str | None, appearance: Appearance | None = None) -> Replay:
        """Load the replay of a deal. If `appearance` is None, keep the match's appearance of cards."""
        replay = await self._app.replays.replay(match_id, *parse_deal(deal))
        return replay if appearance is None else replace(replay, match=replay.match.with_appearance(appearance))
