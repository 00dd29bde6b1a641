"""Pictures, drawn beside the event loop in a small pool of threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bot.play.values import Look as ChosenLook
from bot.play.values import OwnHand, ShowdownPost, Table
from cardart import THEMES, Look, Picture, draw_hand, draw_primer, draw_showdown, draw_table
from cogs.words.people import marks

_THREADS: Final = 2


class Pictures:
    """Draws what the views show. Close it at the end."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="pictures")

    async def hand(self, hand: OwnHand) -> Picture:
        """A hand as its owner sees it."""
        return await self._drawn(lambda: draw_hand(hand.view, _look(hand.look), hand.order.value))

    async def table(self, table: Table) -> Picture:
        """A table as everyone sees it."""
        return await self._drawn(lambda: draw_table(table.view, marks(table.card), _look(table.card.look)))

    async def showdown(self, post: ShowdownPost) -> Picture:
        """The end of a deal."""
        return await self._drawn(lambda: draw_showdown(post.view, marks(post.card), _look(post.card.look)))

    async def primer(self, look: ChosenLook) -> Picture:
        """What runs, sets and deadwood are."""
        return await self._drawn(lambda: draw_primer(_look(look)))

    def close(self) -> None:
        """Finish what is being drawn."""
        self._pool.shutdown()

    async def _drawn(self, draw: Callable[[], Picture]) -> Picture:
        return await asyncio.get_running_loop().run_in_executor(self._pool, _finish, draw)


def _look(chosen: ChosenLook) -> Look:
    """The look that somebody chose; the usual one where its theme is none any more."""
    theme = chosen.theme if chosen.theme in THEMES else Look().theme
    return Look(theme, chosen.four_colours, chosen.language)


def _finish(draw: Callable[[], Picture]) -> Picture:
    try:
        return draw()
    except StopIteration as error:
        # No future takes one: whoever awaits it would wait for ever. Coroutines make the same of it (PEP 479).
        raise RuntimeError("drawing raised StopIteration") from error
