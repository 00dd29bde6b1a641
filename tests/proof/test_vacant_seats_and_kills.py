"""The bot dies while a seat is vacant: the question stays, and a computer takes the seat over exactly once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Channel, Message, Person, Sandbox
from cogs.kit.actions import Action
from tests.helpers.cases import nightly_after
from tests.helpers.components import find_button, has_button
from tests.helpers.waiting import eventually
from tests.helpers.worlds import SPECTATOR, hall
from tests.proof.lives import Bot
from tests.proof.mortal import AFTER_COMMIT, WHEN_VACANT
from tests.proof.test_time_and_kills import HEARTBEATS, STARTED_AFTER, has_beaten

pytestmark = [pytest.mark.slow, pytest.mark.both_databases]

FATES: Final = [*((point, 1) for point in WHEN_VACANT), *((AFTER_COMMIT, number) for number in range(1, 5))]
OVER: Final = timedelta(days=1, minutes=1)
"""When a turn of a day is lost."""


async def press(person: Person, message: Message, action: Action, death: asyncio.Task[int]) -> None:
    """Let a person press a button, and wait for the answer unless the bot dies."""
    label = find_button(message, action)
    if label is None:
        return
    interaction = await person.press(message, label)
    answer = asyncio.create_task(interaction.done())
    await asyncio.wait({answer, death}, return_when=asyncio.FIRST_COMPLETED)
    answer.cancel()
    with suppress(asyncio.CancelledError):
        await answer


async def find(sandbox: Sandbox, channel: Channel, action: Action) -> Message:
    """Return the newest public message with a button, once there is one."""
    spectator = sandbox.person(SPECTATOR)

    def found() -> list[Message]:
        return [one for one in spectator.sees(channel) if has_button(one, action) and not one.ephemeral]

    return (await sandbox.until(found))[-1]


def vacant(bot: Bot) -> bool:
    """Return whether a seat is vacant, by the database."""
    return bot.database.rows("SELECT vacant_seat FROM match") != [(None,)]


def taken_over(bot: Bot) -> list[str]:
    """Return the takeovers in the log."""
    return [text for (text,) in bot.database.rows("SELECT text FROM action WHERE text LIKE 'replace %'")]


@pytest.mark.parametrize(("fate", "number"), nightly_after(3, FATES))
async def test_a_takeover_happens_once(tmp_path: Path, fate: str, number: int) -> None:
    """Wherever the bot dies, those who agreed need not agree again, and the computer moves afterwards."""
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path, own_clock=True) as bot:
        channel = sandbox.channel("table-1")
        people = [sandbox.person(name) for name in ("Ada", "Ben", "Cleo")]
        async with bot.life() as death:
            await sandbox.until(lambda: people[0].commands(channel))
            await (await people[0].slash("gin challenge", channel, rules="rotation", clock="1d flag")).done()
            for person in people[1:]:
                await press(person, await find(sandbox, channel, Action.ACCEPT), Action.ACCEPT, death)
            await press(people[0], await find(sandbox, channel, Action.START_LOBBY), Action.START_LOBBY, death)
            await find(sandbox, channel, Action.SHOW_HAND)
        beats = bot.database.rows(HEARTBEATS)
        async with bot.life(fate, number) as death:
            await eventually(partial(has_beaten, bot, beats, death))
            await asyncio.sleep(STARTED_AFTER)
            bot.pass_time(OVER)
            await eventually(lambda: death.done() or vacant(bot))
            await _agree(sandbox, bot, channel, people, death)
            # It dies of what comes after the last answer, too: the computer moves by itself.
            await asyncio.wait({death}, timeout=1)
        assert bot.deaths[fate] == 1
        async with bot.life() as death:
            await eventually(lambda: vacant(bot) or bool(taken_over(bot)))
            await _agree(sandbox, bot, channel, people, death)
            await eventually(lambda: bool(taken_over(bot)))
            (taken,) = taken_over(bot)
            seat = taken.split()[1]
            moved = f"SELECT count(*) FROM action WHERE text LIKE '{seat} %'"
            await eventually(lambda: bot.database.rows(moved) != [(0,)])
        assert bot.database.rows("SELECT status, kind, vacant_seat FROM match") == [("running", "casual", None)]
        seats = bot.database.rows("SELECT seat, person_id IS NULL, leaver_id IS NULL, computer FROM seat ORDER BY seat")
        assert [(one, None if free else "person") for one, free, *_ in seats if not free] == [
            (one, "person") for one in range(3) if one != int(seat)
        ]
        assert [(one, computer) for one, _, stays, computer in seats if not stays] == [(int(seat), "strong")]


async def _agree(sandbox: Sandbox, bot: Bot, channel: Channel, people: list[Person], death: asyncio.Task[int]) -> None:
    """Let everybody press *Play on with a computer* at the table, as long as it is there. One of them has lost."""
    for person in people:
        if death.done() or not vacant(bot):
            return
        looking = asyncio.create_task(find(sandbox, channel, Action.PLAY_ON))
        await asyncio.wait({looking, death}, return_when=asyncio.FIRST_COMPLETED)
        if not looking.done():
            looking.cancel()
            return
        await press(person, looking.result(), Action.PLAY_ON, death)
