"""Pictures, drawn in a small thread pool so that they do not block the event loop."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final, TypeVar

import cardart
from bot import metrics
from bot.engine.views import SeatView
from bot.model.appearance import Appearance
from bot.model.history import Versus
from bot.model.ids import PersonId
from bot.model.matches import MatchSummary, OwnHand, Replay, Showdown, Table
from bot.model.people import Preferences
from bot.model.seasons import SeasonResult
from bot.model.standings import Leaderboard, Standing
from bot.model.statistics import Category, Profile, Week
from cardart import MAX_ACTIONS, Picture
from cardart.text.podium import SUPERLATIVE_TITLES
from cogs.kit.emojis import Emojis
from cogs.text import leaderboard as texts
from cogs.text.people import monograms, pictured
from cogs.text.profile import CATEGORIES

_THREADS: Final = 2
CACHE_SIZE: Final = 16 * 1024 * 1024
"""Size of the cache of animations, in bytes. A person who has watched an animation might show it to everyone next."""

_Drawn = TypeVar("_Drawn")


class Pictures:
    """Draws the pictures for messages, in worker threads. Call `close` at the end."""

    def __init__(self, emojis: Emojis | None = None) -> None:
        self.emojis = emojis or Emojis()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="pictures")
        # An animation takes as long as hundreds of hands, so it must not delay the pictures of hands.
        self._animation_pool = ThreadPoolExecutor(1, thread_name_prefix="animations")
        self._animations: OrderedDict[Hashable, Picture] = OrderedDict()

    async def hand(self, hand: OwnHand) -> Picture | None:
        """Draw a hand as its owner sees it. Return None if they do not want pictures or sit out the deal."""
        preferences = hand.preferences
        if not preferences.pictures or hand.view.sits_out:
            return None
        return await self.past_hand(hand.view, preferences)

    async def past_hand(self, view: SeatView, preferences: Preferences) -> Picture:
        """Draw a hand as its owner saw it at the time of `view`, which can be in the past."""
        return await self._draw("hand", lambda: cardart.draw_hand(view, preferences.appearance, preferences.hand_order))

    async def table(self, table: Table) -> Picture:
        """Draw the public table."""
        match = table.match
        return await self._draw(
            "table", lambda: cardart.draw_table(table.view, monograms(match.players), match.appearance)
        )

    async def showdown(self, showdown: Showdown) -> Picture:
        """Draw the end of a deal."""
        match, marks = showdown.match, monograms(showdown.match.players)
        return await self._draw("showdown", lambda: cardart.draw_showdown(showdown.view, marks, match.appearance))

    async def replay(self, replay: Replay) -> Picture | None:
        """Draw a deal as an animation, cached by appearance. Return None if the deal is too long."""
        match, view = replay.match, replay.view
        if view.action_count > MAX_ACTIONS:
            return None
        marks = monograms(match.players)
        key = (match.id, view.showdown.number, view.showdown.board, marks, match.appearance)
        return await self._draw(
            "replay",
            lambda: self._cached(key, lambda: cardart.draw_replay(view, marks, match.appearance)),
            self._animation_pool,
        )

    async def replay_step(self, replay: Replay, step: int) -> Picture:
        """Draw a deal after `step` actions."""
        match, marks = replay.match, monograms(replay.match.players)
        return await self._draw("replay step", lambda: cardart.draw_step(replay.view, step, marks, match.appearance))

    async def scorecard(self, summary: MatchSummary, appearance: Appearance) -> Picture | None:
        """Draw the score of a match. Return None before the first deal is over."""
        if not summary.deals:
            return None
        marks = monograms(summary.match.players)
        return await self._draw(
            "scorecard", lambda: cardart.draw_scorecard(summary.view, summary.deals, marks, appearance)
        )

    async def profile(self, profile: Profile, appearance: Appearance) -> Picture | None:
        """Draw a person's results. Return None before they have finished a match."""
        if not profile.played_matches:
            return None
        people = [profile.player] if profile.rival is None else [profile.player, profile.rival.player]
        named = replace(profile, player=replace(profile.player, name=pictured(profile.player)))
        return await self._draw("profile", lambda: cardart.draw_profile(named, monograms(people), appearance))

    async def versus(self, versus: Versus, appearance: Appearance) -> Picture | None:
        """Draw the results of two people against each other. Return None if they have not finished a match together."""
        if not versus.meetings:
            return None
        first, second = (replace(player, name=pictured(player)) for player in versus.players)
        named, marks = replace(versus, players=(first, second)), monograms(versus.players)
        return await self._draw("versus", lambda: cardart.draw_versus(named, marks, appearance))

    async def standings(
        self, board: Leaderboard, category: Category, own: PersonId, appearance: Appearance
    ) -> Picture | None:
        """Draw standings, with a frame around a person's own row. Return None if there are no rows."""
        if not board.rows:
            return None
        # As in menus, names in pictures have one line and a limited length.
        named = [replace(row, standing=_with_plain_name(row.standing)) for row in board.rows]
        return await self._draw(
            "standings", lambda: cardart.draw_standings(named, board.order, category, own, appearance)
        )

    async def podium(self, result: SeasonResult) -> Picture:
        """Draw the top three of a season in the category with the most people, and the season's awards."""
        main = result.podiums[0]
        podium = replace(main, rows=tuple(replace(row, standing=_with_plain_name(row.standing)) for row in main.rows))
        awards = [replace(superlative, name=pictured(superlative.player)) for superlative in result.superlatives]
        awards.sort(key=lambda award: [*SUPERLATIVE_TITLES].index(award.award))
        name, category = texts.period_name(result.season), CATEGORIES[main.category].capitalize()
        return await self._draw(
            "podium", lambda: cardart.draw_podium(name, category, podium, awards, result.appearance)
        )

    async def activity(self, weeks: Sequence[Week], appearance: Appearance) -> Picture | None:
        """Draw a server's activity by week. Return None if `weeks` is empty."""
        return await self._draw("activity", lambda: cardart.draw_activity(weeks, appearance)) if weeks else None

    async def primer(self, appearance: Appearance) -> Picture:
        """Draw an explanation of runs, sets and deadwood."""
        return await self._draw("primer", lambda: cardart.draw_primer(appearance))

    async def close(self) -> None:
        """Wait for drawings in progress without blocking the event loop, and stop the threads."""
        await asyncio.gather(*(asyncio.to_thread(pool.shutdown) for pool in (self._pool, self._animation_pool)))

    def _cached(self, key: Hashable, draw: Callable[[], Picture]) -> Picture:
        """Return an animation from the cache, or draw it. Only the single animation thread may call this."""
        animation = self._animations.pop(key, None) or draw()
        self._animations[key] = animation
        while sum(len(animation.content) for animation in self._animations.values()) > CACHE_SIZE:
            self._animations.popitem(last=False)
        return animation

    async def _draw(self, label: str, draw: Callable[[], _Drawn], pool: ThreadPoolExecutor | None = None) -> _Drawn:
        """Run `draw` in a worker thread and measure the time that it takes, in the metric with this label."""

        def draw_safely() -> _Drawn:
            try:
                with metrics.PICTURES.labels(label).time():
                    return draw()
            except StopIteration as error:
                # A future cannot hold a StopIteration, so its awaiter would wait forever. Convert it as coroutines do
                # (PEP 479).
                raise RuntimeError("drawing raised StopIteration") from error

        return await asyncio.get_running_loop().run_in_executor(pool or self._pool, draw_safely)


def _with_plain_name(standing: Standing) -> Standing:
    return replace(standing, name=pictured(standing.player))
