"""The sandbox's pending work, and a function that waits until it is done."""

import asyncio

from bot.sandbox.server.state import ServerState


def pending_work(state: ServerState) -> list[str]:
    """Describe the pending work of the sandbox.

    This covers requests being handled, interactions that have neither failed nor got a first response, deferred
    responses that still show "thinking…" and can still be filled, and gateway events that are delayed or not yet
    written to their connection.
    """
    return [
        *(f"the request {request}" for request in state.requests.values()),
        *(f"an answer to {interaction!r}" for interaction in state.interactions.pending()),
        *(f"the deferred response to {interaction!r}" for interaction in state.interactions.thinking()),
        *state.gateway.undelivered(),
    ]


async def wait_until_idle(state: ServerState, timeout: float) -> None:
    """Wait until there is no pending work and connected clients have read every gateway event.

    Raises `TimeoutError`, which names the pending work, after `timeout` real seconds.
    """
    try:
        async with asyncio.timeout(timeout):
            while True:
                while pending_work(state):
                    await state.changes.next()
                count = state.changes.count
                await state.gateway.confirm_delivery()
                if not pending_work(state) and state.changes.count == count:
                    return
    except TimeoutError:
        pending = pending_work(state) or ["a client that does not read its gateway events"]
        words = f"after {timeout} seconds the sandbox still waits for {'; '.join(pending)}"
        raise TimeoutError(words) from None
