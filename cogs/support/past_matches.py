"""Pages of finished matches. People see only the matches whose channel they can see."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.play.application import Application
from bot.values.history import PageKey, PastMatch
from bot.values.ids import GuildId, PersonId
from bot.values.matches import MatchInfo
from cogs.kit.answers import Interaction
from cogs.panels.history import PAGE, Listed, Page
from cogs.support.access import Access
from cogs.support.interactions import person_id_of
from cogs.text.people import place, safe

MOST_READ: Final = 4
"""Maximum number of reads for one page, if the person cannot see most matches. Each match may cost a request."""


class PastMatches:
    """Reads pages of the matches that a person may see."""

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
        newer, found = key is not None and key.newer, list[PastMatch]()
        start, at, more = key, key, False
        for _ in range(MOST_READ):
            read = await self._app.history.matches(viewer_id, person_id, guild_id, at, PAGE + 1)
            seen = await asyncio.gather(*(self._access.sees_match(interaction, one.match) for one in read))
            found += [past for past, sees in zip(read, seen, strict=True) if sees]
            more = len(read) > PAGE
            if read:
                at = _key(read[-1], newer=newer)
            if not more or len(found) > PAGE:
                break
        # `cursor` is already behind invisible matches at the end, so the next page skips them.
        if len(found) > PAGE:
            found, more = found[:PAGE], True
            at = _key(found[-1], newer=newer)
        onwards = at if more else None
        # The first page has no newer page. Any other page links back to the previous one.
        back = None if start is None else _reversed(_key(found[0], newer=newer)) if found else _reversed(start)
        places = await asyncio.gather(*(self.where(interaction, one.match) for one in found))
        listed = [Listed(past, where) for past, where in zip(found, places, strict=True)]
        if newer:
            return Page(person_id, listed[::-1], onwards, back)
        return Page(person_id, listed, back, onwards)

    async def where(self, interaction: Interaction, match: MatchInfo) -> str:
        """Return a match's channel, or practice, as text. For another server, include the server's name."""
        if match.guild_id is None or match.guild_id == interaction.guild_id:
            return place(match)
        channel = safe(await self._access.channel_name(interaction, match))
        server = await self._access.server_name(interaction, match)
        return channel if server is None else f"{channel}, {safe(server)}"


def _key(past: PastMatch, *, newer: bool) -> PageKey:
    assert past.match.ended_at is not None
    return PageKey(past.match.ended_at, past.match.id, newer=newer)


def _reversed(key: PageKey) -> PageKey:
    return PageKey(key.ended_at, key.match_id, newer=not key.newer)
