"""Holding something up halfway, so that something else happens meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import ModuleType
from typing import Any

import pytest

from tests.helpers.waiting import MAX_WAIT, eventually


class Gate:
    """A function that returns from its first call only when it is let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
        """Hold up a coroutine function that others call as an attribute of a module."""
        self._function: Callable[..., Coroutine[Any, Any, Any]] = getattr(module, name)
        self._is_first = True
        self._reached, self._open = asyncio.Event(), asyncio.Event()
        monkeypatch.setattr(module, name, self._pass)

    async def _pass(self, *args: Any, **kwargs: Any) -> Any:
        is_first, self._is_first = self._is_first, False
        result = await self._function(*args, **kwargs)
        if is_first:
            self._reached.set()
            await self._open.wait()
        return result

    async def let_meet(
        self, work: Coroutine[Any, Any, Any], meanwhile: Coroutine[Any, Any, Any], is_waiting: Callable[[], bool]
    ) -> list[Any]:
        """Do some work, and hold it up until something else has ended or waits for it. Return what both return."""
        held_up = asyncio.create_task(work)
        async with asyncio.timeout(MAX_WAIT):
            await self._reached.wait()
            other = asyncio.create_task(meanwhile)
            await eventually(lambda: other.done() or is_waiting())
            self._open.set()
            return [await held_up, await other]

    async def hold_up(self, work: Coroutine[Any, Any, Any], meanwhile: Coroutine[Any, Any, Any]) -> list[Any]:
        """Do some work, and something else while it is held up. Return the results or errors of both."""
        held_up = asyncio.create_task(work)
        try:
            async with asyncio.timeout(MAX_WAIT):
                await self._reached.wait()
                (other,) = await asyncio.gather(meanwhile, return_exceptions=True)
        finally:
            self._open.set()
        (own,) = await asyncio.gather(held_up, return_exceptions=True)
        return [own, other]
