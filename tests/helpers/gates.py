"""Suspending a function halfway, so that a test can run other work in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import ModuleType
from typing import Any

import pytest

from tests.helpers.waiting import MAX_WAIT, eventually


class Gate:
    """A wrapped coroutine function whose first call finishes its work, then waits until the gate opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
        """Wrap a coroutine function that callers look up as an attribute of a module."""
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
        """Suspend some work until other work has finished or is waiting for it. Return both results."""
        held_up = asyncio.create_task(work)
        async with asyncio.timeout(MAX_WAIT):
            await self._reached.wait()
            other = asyncio.create_task(meanwhile)
            await eventually(lambda: other.done() or is_waiting())
            self._open.set()
            return [await held_up, await other]

    async def hold_up(self, work: Coroutine[Any, Any, Any], meanwhile: Coroutine[Any, Any, Any]) -> list[Any]:
        """Run other work while the first is suspended. Return the results or errors of both."""
        held_up = asyncio.create_task(work)
        try:
            async with asyncio.timeout(MAX_WAIT):
                await self._reached.wait()
                (other,) = await asyncio.gather(meanwhile, return_exceptions=True)
        finally:
            self._open.set()
        (own,) = await asyncio.gather(held_up, return_exceptions=True)
        return [own, other]
