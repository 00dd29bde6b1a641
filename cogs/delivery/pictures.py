"""Pictures, drawn by another process or in a small thread pool, so that they do not block the event loop."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVarTuple

import cardart
from bot import metrics
from bot.model.appearance import Appearance
from bot.model.matches import MatchSummary, OwnHand, PicturedHand, Replay, Showdown, Table
from bot.model.people import Preferences
from cardart import MAX_ACTIONS, Picture
from cogs.delivery.avatars import Avatars
from cogs.delivery.drawing import DrawingProcess, NotDrawnError
from cogs.words.emojis import Emojis
from cogs.words.names import portraits

_THREADS: Final = 2
CACHE_SIZE: Final = 16 * 1024 * 1024
"""Size of the cache of animations, in bytes. A person who has watched an animation might show it to everyone next."""

Ts = TypeVarTuple("Ts")


class Pictures:
    """Draws the pictures for messages. Call `close` at the end."""

    def __init__(
        self, emojis: Emojis | None = None, avatars: Avatars | None = None, process: DrawingProcess | None = None
    ) -> None:
        """Draw pictures in `process` if it can draw, and otherwise in threads."""
        self.emojis = emojis or Emojis()
        self.avatars = avatars or Avatars(None)
        self._process = process
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="pictures")
        # An animation takes as long as hundreds of hands, so it must not delay the pictures of hands.
        self._animation_pool = ThreadPoolExecutor(1, thread_name_prefix="animations")
        self._animations: OrderedDict[Hashable, Picture] = OrderedDict()

    async def draw(self, label: str, draw: Callable[[*Ts], Picture], *arguments: *Ts) -> Picture:
        """Call a function of `cardart`, and record the time in the metric for pictures under `label`."""
        if self._process is not None:
            with suppress(NotDrawnError):
                drawn = await self._process.draw(draw, *arguments)
                metrics.PICTURES.labels(label).observe(drawn.seconds)
                if drawn.picture is None:
                    raise drawn.error or RuntimeError("neither a picture nor an error")
                return drawn.picture
        return await self._draw_in_thread(label, lambda: draw(*arguments), self._pool)

    async def _draw_in_thread(self, label: str, draw: Callable[[], Picture], pool: ThreadPoolExecutor) -> Picture:
        def draw_safely() -> Picture:
            try:
                with metrics.PICTURES.labels(label).time():
                    return draw()
            except StopIteration as error:
                # A future cannot hold a StopIteration, so the caller of `draw` would wait forever. Raise a RuntimeError
                # instead, as coroutines do (PEP 479).
                raise RuntimeError("drawing raised StopIteration") from error

        return await asyncio.get_running_loop().run_in_executor(pool, draw_safely)

    async def hand(self, hand: OwnHand) -> Picture | None:
        """Draw a hand as its owner sees it. Return None if they do not want pictures or sit out the deal."""
        preferences = hand.preferences
        if not preferences.pictures or hand.view.sits_out:
            return None
        # A hand has no faces, but the showdown has. In practice no table is drawn before, which would load them.
        self.avatars.of_people(hand.match.players)
        return await self.pictured_hand(hand.pictured)

    async def pictured_hand(self, hand: PicturedHand) -> Picture:
        """Draw a hand as its owner sees it, or saw it in the past."""
        return await self.draw("hand", cardart.draw_hand, hand.view, hand.preferences.appearance, hand.order)

    async def table(self, table: Table) -> Picture:
        """Draw the public table."""
        match, players = table.match, self.avatars.portraits(table.match.players)
        return await self.draw("table", cardart.draw_table, table.view, players, match.appearance)

    async def showdown(self, showdown: Showdown) -> Picture:
        """Draw the end of a deal."""
        match, players = showdown.match, self.avatars.portraits(showdown.match.players)
        return await self.draw("showdown", cardart.draw_showdown, showdown.view, players, match.appearance)

    async def replay(self, replay: Replay) -> Picture | None:
        """Draw a deal as an animation, cached by appearance. Return None if the deal is too long."""
        match, view = replay.match, replay.view
        if view.action_count > MAX_ACTIONS:
            return None
        players = portraits(match.players)
        key = (match.id, view.showdown.number, view.showdown.board, players, match.appearance)
        # An animation would keep all other pictures waiting in the process.
        return await self._draw_in_thread(
            "replay",
            lambda: self._cached(key, lambda: cardart.draw_replay(view, players, match.appearance)),
            self._animation_pool,
        )

    async def replay_step(self, replay: Replay, step: int) -> Picture:
        """Draw a deal after `step` actions."""
        match, players = replay.match, portraits(replay.match.players)
        return await self.draw("replay step", cardart.draw_step, replay.view, step, players, match.appearance)

    async def scorecard(self, summary: MatchSummary, appearance: Appearance) -> Picture | None:
        """Draw the score of a match. Return None before the first deal is over."""
        if not summary.deals:
            return None
        players = self.avatars.portraits(summary.match.players)
        return await self.draw("scorecard", cardart.draw_scorecard, summary.view, summary.deals, players, appearance)

    async def themes(self, preferences: Preferences, chosen: Appearance) -> Picture | None:
        """Draw all themes for a person to choose from. Return None if they do not want pictures."""
        if not preferences.pictures:
            return None
        return await self.draw("themes", cardart.draw_themes, chosen)

    async def close(self) -> None:
        """Wait for drawings in progress without blocking the event loop, stop the threads, and cancel downloads."""
        await self.avatars.close()
        await asyncio.gather(*(asyncio.to_thread(pool.shutdown) for pool in (self._pool, self._animation_pool)))

    def _cached(self, key: Hashable, draw: Callable[[], Picture]) -> Picture:
        """Return an animation from the cache, or draw it. Only the single animation thread may call this."""
        animation = self._animations.pop(key, None) or draw()
        self._animations[key] = animation
        while sum(len(animation.content) for animation in self._animations.values()) > CACHE_SIZE:
            self._animations.popitem(last=False)
        return animation
