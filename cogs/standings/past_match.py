"""A finished match, opened from a list: its score, the replays of its deals, and its record as a file."""

from __future__ import annotations

from dataclasses import replace

from bot.model.matches import MatchStatus
from bot.play.refusals import NotOver
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import person_id_of
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.showdowns import replay_panel as replay_panels
from cogs.showdowns.deals import parse_deal
from cogs.standings import history_panel as panels
from cogs.standings.past_matches import PastMatches


class PastMatch(Feature):
    """Buttons and menus that open past matches. They answer with a new message: the list of matches stays unchanged."""

    @handles(Action.PAST_MATCH, need=Need.SEE_MATCH)
    async def _open(self, interaction: Interaction, event: ComponentEvent) -> None:
        summary = await self._app.lookup.summary(event.match_id)
        if summary.match.status is MatchStatus.RUNNING:
            raise NotOver(summary.match)
        person_id = person_id_of(interaction)
        where = await PastMatches(self._app, self.access).location_text(interaction, summary.match)
        preferences = await self._app.people.preferences(person_id)
        panel = await panels.past_match(summary, person_id, where, preferences, self._pictures)
        await Answer.to(interaction).reply(panel)

    @handles(Action.REPLAY_DEAL, need=Need.SEE_MATCH)
    async def _replay(self, interaction: Interaction, event: ComponentEvent) -> None:
        number, board = parse_deal(event.value)
        async with self._long_work.slot(interaction):
            preferences = await self._app.people.preferences(person_id_of(interaction))
            replay = await self._app.replays.replay(event.match_id, number, board)
            shown = replace(replay, match=replay.match.with_appearance(preferences.appearance))
            pictures = self._pictures if preferences.pictures else None
            can_show = await self.access.may_show_to_all(interaction, replay.match)
            panel = await replay_panels.replay(shown, pictures, can_show_to_all=can_show)
        await Answer.to(interaction).reply(panel)

    @handles(Action.MATCH_RECORD, need=Need.SEE_MATCH)
    async def _record(self, interaction: Interaction, event: ComponentEvent) -> None:
        async with self._long_work.slot(interaction):
            shared = await self._app.match_records.record(event.match_id)
        await Answer.to(interaction).reply(panels.record(shared))
