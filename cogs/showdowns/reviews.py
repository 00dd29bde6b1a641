"""Reviews of finished deals: for their players, and for everyone on request."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.model.people import DEFAULT_PREFERENCES
from bot.model.reviews import Reviewed
from bot.play.matches.reviews import Progress
from bot.play.refusals import Refusal
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.choosing import event_of
from cogs.delivery.errors import UserError
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import channel_id_of, person_id_of, sharer_name
from cogs.delivery.refusals import may_not_show
from cogs.delivery.replies import show
from cogs.kit.answers import TOKEN_LIFETIME, Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import note
from cogs.showdowns import review_panel as panels
from cogs.showdowns.deals import deal_choices, parse_deal
from cogs.showdowns.refusals import SLOW_REVIEW, UNREADABLE_DEAL_OR_ALL
from cogs.showdowns.review_panel import WHOLE_MATCH

PROGRESS_DELAY: Final = 0.5
"""Time before the first progress message of a review, in seconds. A saved review takes less time, so it needs none."""
PROGRESS_INTERVAL: Final = 2.0
"""Interval between updates of the progress message, in seconds."""
REVIEW_TIMEOUT: Final = TOKEN_LIFETIME - 120.0
"""Timeout for a review, in seconds. It leaves time to answer with an error before the interaction token expires."""
THE_WHOLE_MATCH: Final = "The whole match"
_WHOLE_MATCH_ARGUMENT: Final = re.compile(f"{WHOLE_MATCH}(?:/(?P<deals>[1-9][0-9]{{0,3}}))?")


class Reviews(Feature):
    """The review command and its buttons. A review shows the cost of each of a player's choices in finished deals."""

    gin_deal = app_commands.Group(
        name="gin-deal",
        description="Finished deals: replay, review, verify",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )

    @gin_deal.command(description="See what your choices in a finished deal cost you")
    @app_commands.describe(deal="The deal's number, or “all” for the whole match; leave empty for the last deal")
    async def review(self, interaction: Interaction, deal: app_commands.Range[str, 1, 10] | None = None) -> None:
        """Review one of the person's finished deals, or a whole match."""
        deal = deal and deal.strip().lower()
        if deal != WHOLE_MATCH:
            _parse_deal(deal)
        match = await self._app.reviews.find_match(person_id_of(interaction), channel_id_of(interaction))
        await self._show(interaction, event_of(match, Action.REVIEW, deal))

    @review.autocomplete("deal")
    async def complete_deal(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Return completions: the whole match, then the finished deals, newest first, each with its result."""
        person_id = person_id_of(interaction)
        with suppress(Refusal):
            match = await self._app.reviews.find_match(person_id, channel_id_of(interaction))
            deals = await self._app.reviews.deals(person_id, match.id)
            return deal_choices(deals, typed, [(THE_WHOLE_MATCH, WHOLE_MATCH)] if len(deals) > 1 else [])
        return []

    @handles(Action.REVIEW)
    async def _show(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with a review. Show its progress until it is done."""
        preferences = await self._app.people.preferences(person_id_of(interaction))
        async with self._review_work.slot(interaction):
            reviewed = await self._review_with_progress(interaction, event)
        can_show = await self.access.may_show_to_all(interaction, reviewed.match)
        panel = await panels.review(reviewed, preferences, self._pictures, can_show_to_all=can_show)
        await Answer.to(interaction).replace(panel)

    @handles(Action.SHOW_REVIEW_TO_ALL, need=Need.SEE_MATCH)
    async def _show_to_all(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Post a review for everyone to see, with the appearance of cards in this channel."""
        if not await self.access.may_show_to_all(interaction, await self._app.lookup.info(event.match_id)):
            raise UserError(may_not_show("a review"))
        async with self._review_work.slot(interaction):
            reviewed = await self._review(interaction, event, Progress())
        public = replace(DEFAULT_PREFERENCES, appearance=reviewed.match.appearance)
        posted = await panels.review(
            reviewed, public, self._pictures, shown_by=sharer_name(interaction, reviewed.match)
        )
        # Remove the button before posting: a second press would post again.
        await show(interaction, note("Everyone here can see the review now."))
        await Answer.to(interaction).post(posted)

    async def _review_with_progress(self, interaction: Interaction, event: ComponentEvent) -> Reviewed:
        """Return a review. Show its progress until it is done."""
        answer, progress = Answer.to(interaction), Progress()
        review = asyncio.ensure_future(self._review(interaction, event, progress))
        try:
            pause = PROGRESS_DELAY
            while not (await asyncio.wait({review}, timeout=pause))[0]:
                with suppress(*REQUEST_FAILURES):
                    await answer.replace(panels.progress(progress.fraction))
                pause = PROGRESS_INTERVAL
            return review.result()
        finally:
            review.cancel()

    async def _review(self, interaction: Interaction, event: ComponentEvent, progress: Progress) -> Reviewed:
        """Return a review. Raise `UserError` if it takes longer than `REVIEW_TIMEOUT`."""
        person_id, reviews, matched = (
            person_id_of(interaction),
            self._app.reviews,
            _WHOLE_MATCH_ARGUMENT.fullmatch(event.argument or ""),
        )
        limit = asyncio.timeout(REVIEW_TIMEOUT)
        try:
            async with limit:
                if matched is None:
                    return await reviews.deal(person_id, event.match_id, *_parse_deal(event.argument), progress)
                deals = None if matched["deals"] is None else int(matched["deals"])
                return await reviews.match(person_id, event.match_id, progress, deals)
        except TimeoutError:
            if not limit.expired():
                raise
            raise UserError(SLOW_REVIEW) from None


def _parse_deal(deal: str | None) -> tuple[int | None, int | None]:
    return parse_deal(deal, UNREADABLE_DEAL_OR_ALL)
