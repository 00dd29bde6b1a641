"""Pictures, drawn beside the event loop in a small pool of threads."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from bot.play.values import EndPost, OwnHand, Replay, ShowdownPost, Table
from bot.play.values import Look as ChosenLook
from bot.play.values import Player as ChosenPlayer
from bot.play.values import Profile as ChosenProfile
from bot.play.values import Week as PlayedWeek
from bot.values.appearance import Appearance, HandOrder
from bot.values.ids import PersonId
from bot.values.statistics import Category, PlayedMatch, Player, Profile, Rival, Week
from cardart import (
    MOST_ACTIONS,
    Animation,
    Picture,
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
        return await self._drawn(lambda: draw_hand(hand.view, _look(hand.look), HandOrder(hand.order)))

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

    async def profile(self, profile: ChosenProfile, look: ChosenLook) -> Picture | None:
        """How a person did, in the look of whom it is for; nothing before a match is over."""
        if not profile.played:
            return None
        met = profile.rival
        names = monograms([profile.player] if met is None else [profile.player, met.player])
        return await self._drawn(lambda: draw_profile(_profile(profile), names, _look(look)))

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


def _look(chosen: ChosenLook) -> Appearance:
    return Appearance(chosen.theme, chosen.four_colours, chosen.language)


def _profile(profile: ChosenProfile) -> Profile:
    met = profile.rival
    return Profile(
        player=_player(profile.player),
        category=Category(profile.ladder),
        categories=tuple(map(Category, profile.ladders)),
        played=tuple(PlayedMatch(one.ended_at, one.won, one.drawn, one.net) for one in profile.played),
        deals_won=profile.deals_won,
        deals_lost=profile.deals_lost,
        points=profile.points,
        gins=profile.gins,
        undercuts=profile.undercuts,
        rival=None if met is None else Rival(_player(met.player), met.matches, met.won, met.lost),
    )


def _player(player: ChosenPlayer) -> Player:
    return Player(None if player.id is None else PersonId(player.id), player.name)


def _finish(draw: Callable[[], _Drawn]) -> _Drawn:
    try:
        return draw()
    except StopIteration as error:
        # No future takes one: whoever awaits it would wait for ever. Coroutines make the same of it (PEP 479).
        raise RuntimeError("drawing raised StopIteration") from error
