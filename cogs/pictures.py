"""Pictures, drawn beside the event loop in a small pool of threads."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from bot.play.values import EndPost, OwnHand, Profile, Replay, ShowdownPost, Table
from bot.play.values import Look as ChosenLook
from bot.play.values import Week as PlayedWeek
from cardart import (
    MOST_ACTIONS,
    THEMES,
    Animation,
    Career,
    Look,
    Picture,
    Result,
    Rival,
    Week,
    draw_activity,
    draw_hand,
    draw_primer,
    draw_profile,
    draw_replay,
    draw_scorecard,
    draw_showdown,
    draw_table,
)
from cogs.words.people import marks, monograms

_THREADS: Final = 2
KEPT: Final = 16 * 1024 * 1024
"""Bytes of animations that are kept, since whoever watches one may show it to everyone next."""

_Drawn = TypeVar("_Drawn")


class Pictures:
    """Draws what the views show. Close it at the end."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="pictures")
        # An animation takes as long as hundreds of hands: nobody who plays shall wait for one.
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="animations")
        self._kept: OrderedDict[Hashable, Animation] = OrderedDict()

    async def hand(self, hand: OwnHand) -> Picture:
        """A hand as its owner sees it."""
        return await self._drawn(lambda: draw_hand(hand.view, _look(hand.look), hand.order.value))

    async def table(self, table: Table) -> Picture:
        """A table as everyone sees it."""
        return await self._drawn(lambda: draw_table(table.view, marks(table.card), _look(table.card.look)))

    async def showdown(self, post: ShowdownPost) -> Picture:
        """The end of a deal."""
        return await self._drawn(lambda: draw_showdown(post.view, marks(post.card), _look(post.card.look)))

    async def replay(self, replay: Replay) -> Animation | None:
        """A deal action by action, drawn once for all who watch it; None where it is too long to be drawn."""
        card, view = replay.card, replay.view
        if view.actions > MOST_ACTIONS:
            return None
        names, look = marks(card), _look(card.look)
        key = (card.id, view.showdown.number, view.showdown.board, names, look)
        return await self._drawn(lambda: self._once(key, lambda: draw_replay(view, names, look)), self._slow)

    async def pad(self, post: EndPost, look: ChosenLook) -> Picture | None:
        """The score of a match, in the look of whom it is for; nothing before a deal is over."""
        if not post.deals:
            return None
        return await self._drawn(lambda: draw_scorecard(post.view, post.deals, marks(post.card), _look(look)))

    async def profile(self, profile: Profile, look: ChosenLook) -> Picture | None:
        """How a person did, in the look of whom it is for; nothing before a match is over."""
        if not profile.played:
            return None
        return await self._drawn(lambda: draw_profile(_career(profile), _look(look)))

    async def activity(self, weeks: Sequence[PlayedWeek], look: ChosenLook) -> Picture | None:
        """How much a server plays, in the look of whom it is for; nothing where nothing is played."""
        if not weeks:
            return None
        told = [Week(week.begins, week.matches, week.players) for week in weeks]
        return await self._drawn(lambda: draw_activity(told, _look(look)))

    async def primer(self, look: ChosenLook) -> Picture:
        """What runs, sets and deadwood are."""
        return await self._drawn(lambda: draw_primer(_look(look)))

    def close(self) -> None:
        """Finish what is being drawn."""
        self._pool.shutdown()
        self._slow.shutdown()

    def _once(self, key: Hashable, draw: Callable[[], Animation]) -> Animation:
        """In the one thread for them: an animation that is kept, else drawn and kept while there is room for it."""
        animation = self._kept.pop(key, None) or draw()
        self._kept[key] = animation
        while sum(len(one.webp) for one in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)
        return animation

    async def _drawn(self, draw: Callable[[], _Drawn], pool: ThreadPoolExecutor | None = None) -> _Drawn:
        return await asyncio.get_running_loop().run_in_executor(pool or self._pool, _finish, draw)


def _look(chosen: ChosenLook) -> Look:
    """The look that somebody chose; the usual one where its theme is none any more."""
    theme = chosen.theme if chosen.theme in THEMES else Look().theme
    return Look(theme, chosen.four_colours, chosen.language)


def _career(profile: Profile) -> Career:
    """A profile with monograms in place of names."""
    met = profile.rival
    mark, *others = monograms([profile.player] if met is None else [profile.player, met.player])
    return Career(
        mark=mark,
        results=tuple(Result(one.ended_at.date(), one.net, one.won) for one in profile.played),
        share=profile.share,
        streak=profile.streak,
        deals_won=profile.deals_won,
        deals_lost=profile.deals_lost,
        gins=profile.gins,
        undercuts=profile.undercuts,
        rival=None if met is None else Rival(others[0], met.matches, met.won, met.lost),
    )


def _finish(draw: Callable[[], _Drawn]) -> _Drawn:
    try:
        return draw()
    except StopIteration as error:
        # No future takes one: whoever awaits it would wait for ever. Coroutines make the same of it (PEP 479).
        raise RuntimeError("drawing raised StopIteration") from error
