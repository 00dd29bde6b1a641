"""Pages of finished matches. People see only the matches whose channel they can see."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.model.history import PageKey, PastMatch
from bot.model.ids import GuildId, PersonId
from bot.model.matches import MatchInfo
from bot.play.application import Application
from cogs.delivery.access import Access
from cogs.delivery.interactions import person_id_of
from cogs.kit.answers import Interaction
from cogs.standings.history_panel import PAGE_SIZE, ListedMatch, Page
from cogs.words.names import place, safe

MAX_READS: Final = 4
"""Maximum number of batches of matches to read for one page. Matches that the person cannot see make more batches
necessary, and checking a match can cost a request to Discord."""


class PastMatches:
    """Reads pages of the past matches that a person can see."""

    def __init__(self, app: Application, access: Access) -> None:
        self._app = app
        self._access = access

    async def page(
        self, interaction: Interaction, person_id: PersonId, guild_id: GuildId | None, key: PageKey | None
    ) -> Page:
        """Return a page of a person's matches on a server, or everywhere if `guild_id` is None.

        Raise `ProfileHidden` if the person hides their results.
        """
        viewer_id = person_id_of(interaction)
        newer, visible = key is not None and key.newer, list[PastMatch]()
        start, cursor, has_more = key, key, False
        for _ in range(MAX_READS):
            batch = await self._app.history.matches(viewer_id, person_id, guild_id, cursor, PAGE_SIZE + 1)
            can_see = await asyncio.gather(
                *(self._access.sees_match(interaction, past_match.match) for past_match in batch)
            )
            visible += [past for past, sees in zip(batch, can_see, strict=True) if sees]
            has_more = len(batch) > PAGE_SIZE
            if batch:
                cursor = _page_key(batch[-1], newer=newer)
            if not has_more or len(visible) > PAGE_SIZE:
                break
        # `cursor` is at the last match read, even if the person cannot see it, so the next page does not read it again.
        if len(visible) > PAGE_SIZE:
            visible, has_more = visible[:PAGE_SIZE], True
            cursor = _page_key(visible[-1], newer=newer)
        next_key = cursor if has_more else None
        # The first page has no previous page; every other page has one.
        previous_key = (
            None
            if start is None
            else _reversed_key(_page_key(visible[0], newer=newer))
            if visible
            else _reversed_key(start)
        )
        places = await asyncio.gather(*(self.location_text(interaction, past_match.match) for past_match in visible))
        listed = [ListedMatch(past, where) for past, where in zip(visible, places, strict=True)]
        if newer:
            return Page(person_id, listed[::-1], next_key, previous_key)
        return Page(person_id, listed, previous_key, next_key)

    async def location_text(self, interaction: Interaction, match: MatchInfo) -> str:
        """Return the location of a match as text: practice, or the channel, with the server if it is not this one."""
        if match.guild_id is None or match.guild_id == interaction.guild_id:
            return place(match)
        channel = safe(await self._access.channel_name(interaction, match))
        server = await self._access.server_name(interaction, match)
        return channel if server is None else f"{channel}, {safe(server)}"


def _page_key(past: PastMatch, *, newer: bool) -> PageKey:
    assert past.match.ended_at is not None
    return PageKey(past.match.ended_at, past.match.id, newer=newer)


def _reversed_key(key: PageKey) -> PageKey:
    return PageKey(key.ended_at, key.match_id, newer=not key.newer)
