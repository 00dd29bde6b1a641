"""`/gin-deal verify`: check the cards of a deal against the commitment that was posted before the match."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from discord import app_commands

from bot.play.refusals import NoMatch, Refusal
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.choosing import asking_which_match, event_of
from cogs.delivery.errors import UserError
from cogs.delivery.feature import IN_GIN_DEAL_GROUP, Feature, handles
from cogs.delivery.interactions import channel_id_of, person_id_of, sharer_name
from cogs.delivery.refusals import may_not_show
from cogs.delivery.replies import show
from cogs.fairness import verification_panel as panels
from cogs.fairness import verification_text as texts
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import note
from cogs.showdowns.deals import deal_choices, parse_deal


class Verification(Feature):
    """Verification of deals, for anyone who can see the match's channel."""

    @app_commands.command(
        description="Check that a deal's cards weren't rigged",
        extras=IN_GIN_DEAL_GROUP,
    )
    @app_commands.describe(deal="The deal's number; leave empty for the last deal")
    async def verify(self, interaction: Interaction, deal: app_commands.Range[str, 1, 10] | None = None) -> None:
        """Verify a deal of this channel's match or of the person's own. Without a match, explain how to verify."""
        parse_deal(deal)
        try:
            async with asking_which_match(interaction, self._app, self.access, Action.VERIFY, deal):
                match = await self._app.replays.find_match(person_id_of(interaction), channel_id_of(interaction))
        except NoMatch:
            await show(interaction, panels.how(texts.NOTHING_HERE))
            return
        await self._verify(interaction, event_of(match, Action.VERIFY, deal))

    @verify.autocomplete("deal")
    async def complete_deal(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Return completions: the finished deals, newest first, each with its result."""
        with suppress(Refusal):
            match = await self._app.replays.find_match(person_id_of(interaction), channel_id_of(interaction))
            return deal_choices(await self._app.replays.deals(match.id), typed)
        return []

    @handles(Action.VERIFY, need=Need.SEE_MATCH)
    async def _verify(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with a new message, so that the clicked message stays unchanged."""
        async with self._long_work.slot(interaction):
            deal = await self._app.verification.deal(event.match_id, *parse_deal(event.argument))
        person_id = person_id_of(interaction)
        own = deal.match.seat_of(person_id) is not None
        can_show = await self.access.may_show_to_all(interaction, deal.match)
        preferences = await self._app.people.preferences(person_id)
        shown = replace(deal, match=deal.match.with_appearance(preferences.appearance))
        await Answer.to(interaction).reply(panels.verified(shown, own=own, can_show_to_all=can_show))

    @handles(Action.SHOW_VERIFIED_TO_ALL, need=Need.SEE_MATCH)
    async def _show_to_all(self, interaction: Interaction, event: ComponentEvent) -> None:
        if not await self.access.may_show_to_all(interaction, await self._app.lookup.info(event.match_id)):
            raise UserError(may_not_show("the result"))
        async with self._long_work.slot(interaction):
            deal = await self._app.verification.deal(event.match_id, *parse_deal(event.argument))
        # Remove the button before posting: a second press would post again.
        await show(interaction, note("Everyone here can see the result now."))
        await Answer.to(interaction).post(panels.verified(deal, shown_by=sharer_name(interaction, deal.match)))

    @handles(Action.HOW_VERIFIED)
    async def _explain(self, interaction: Interaction, event: ComponentEvent) -> None:
        await Answer.to(interaction).reply(panels.how(daily=event.argument == panels.DAILY))
