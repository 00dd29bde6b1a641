"""The processes of the bot under load."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.model.shards import Shards
from bot.sandbox import Sandbox
from tests.helpers.processes import BOT, settings_for, started


@asynccontextmanager
async def running_bots(
    sandbox: Sandbox, url: str, folder: Path, homes: Sequence[Shards], ports: Sequence[int]
) -> AsyncGenerator[list[int]]:
    """During the block, run one bot process for the shards in each element of `homes`. Yield the process ids."""
    async with AsyncExitStack() as stack:
        pids = list[int]()
        for home, port in zip(homes, ports, strict=True):
            settings = settings_for(sandbox) | {
                "DEADWOOD_DATABASE_URL": url,
                "DEADWOOD_METRICS": f"127.0.0.1:{port}",
                "DEADWOOD_SHARDS": str(home),
                "DEADWOOD_LOG_LEVEL": "WARNING",
            }
            log = stack.enter_context((folder / f"bot-{port}.log").open("wb"))
            process = await stack.enter_async_context(started(folder, [*BOT, "run"], settings, log))
            pids.append(process.pid)
        yield pids
