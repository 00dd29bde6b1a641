"""Suspending a coroutine halfway, so that a test can run other work in between."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from types import ModuleType
from typing import Any

import pytest

from bot.store.transaction import Transaction
from tests.helpers.waiting import MAX_WAIT, eventually


class Gate:
    """Wraps a function of the store. The first call runs the function, but returns only when the gate is opened.

    If the function queues a write, its transaction runs the write, but goes on only when the gate is opened.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
        """Replace a function of a module by a wrapper. Callers must look the function up in the module."""
        self._function: Callable[..., Any] = getattr(module, name)
        self._is_first = True
        self._reached, self._open = asyncio.Event(), asyncio.Event()
        is_query = inspect.iscoroutinefunction(self._function)
        monkeypatch.setattr(module, name, self._pass if is_query else self._pass_queued)

    async def _pass(self, *args: Any, **kwargs: Any) -> Any:
        is_first, self._is_first = self._is_first, False
        result = await self._function(*args, **kwargs)
        if is_first:
            self._reached.set()
            await self._open.wait()
        return result

    def _pass_queued(self, transaction: Transaction, *args: Any, **kwargs: Any) -> None:
        is_first, self._is_first = self._is_first, False
        self._function(transaction, *args, **kwargs)
        if is_first:
            flush = transaction.flush

            async def flush_and_wait() -> None:
                await flush()
                self._reached.set()
                await self._open.wait()

            transaction.flush = flush_and_wait

    async def run_until_blocked(
        self, work: Coroutine[Any, Any, Any], other_work: Coroutine[Any, Any, Any], is_waiting: Callable[[], bool]
    ) -> list[Any]:
        """Suspend `work` at the gate until `other_work` ends or `is_waiting()` is true. Return both results."""
        first = asyncio.create_task(work)
        async with asyncio.timeout(MAX_WAIT):
            await self._reached.wait()
            other = asyncio.create_task(other_work)
            await eventually(lambda: other.done() or is_waiting())
            self._open.set()
            return [await first, await other]

    async def interleave(self, work: Coroutine[Any, Any, Any], other_work: Coroutine[Any, Any, Any]) -> list[Any]:
        """Run `other_work` to its end while `work` is suspended at the gate. Return the result or error of each."""
        first = asyncio.create_task(work)
        try:
            async with asyncio.timeout(MAX_WAIT):
                await self._reached.wait()
                (other_result,) = await asyncio.gather(other_work, return_exceptions=True)
        finally:
            self._open.set()
        (first_result,) = await asyncio.gather(first, return_exceptions=True)
        return [first_result, other_result]
