"""If the bot dies while a seat is vacant, the question remains, and a computer takes the seat over exactly once.

By day the bot dies inside the tests' process. Nightly runs kill a real process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from bot.sandbox import Channel, Message, Person, Sandbox
from cogs.kit.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.components import find_button, has_button
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player, gather
from tests.helpers.waiting import eventually
from tests.helpers.worlds import NAMES, SPECTATOR, hall
from tests.proof.deaths import lives_of
from tests.proof.lives import Bot
from tests.proof.mortal import AFTER_COMMIT, WHEN_VACANT
from tests.proof.test_time_and_kills import HEARTBEATS, STARTED_AFTER, has_beaten

BY_DAY: Final = [("before a takeover", 1), (AFTER_COMMIT, 3)]
FATES: Final = [*((point, 1) for point in WHEN_VACANT), *((AFTER_COMMIT, number) for number in range(1, 5))]
OVER: Final = timedelta(days=1, minutes=1)
"""The time after which a turn of one day is lost."""


async def press(person: Person, message: Message, action: Action, death: asyncio.Task[Any]) -> None:
    """Press a button, and wait for the answer unless the bot dies."""
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
    """Wait for a public message with a button. Return the newest."""
    spectator = sandbox.person(SPECTATOR)

    def found() -> list[Message]:
        return [one for one in spectator.sees(channel) if has_button(one, action) and not one.ephemeral]

    return (await sandbox.until(found))[-1]


def vacant(database: Onlooker) -> bool:
    """Return True if the database has a vacant seat."""
    return database.rows("SELECT vacant_seat FROM match") != [(None,)]


def taken_over(database: Onlooker) -> list[str]:
    """Return the takeovers in the log."""
    return [text for (text,) in database.rows("SELECT text FROM action WHERE text LIKE 'replace %'")]


def has_moved(database: Onlooker) -> bool:
    """Return True if the computer that took over a seat has moved."""
    return any(
        database.rows("SELECT 1 FROM action WHERE text LIKE :moves", moves=f"{taken.split()[1]} %")
        for taken in taken_over(database)
    )


def check(database: Onlooker) -> None:
    """Check that a computer plays one seat, and people play the others."""
    (taken,) = taken_over(database)
    seat = int(taken.split()[1])
    assert database.rows("SELECT status, kind, vacant_seat FROM match") == [("running", "casual", None)]
    seats = database.rows("SELECT seat, person_id IS NULL, leaver_id IS NULL, computer FROM seat ORDER BY seat")
    assert [one for one, free, *_ in seats if not free] == [one for one in range(3) if one != seat]
    assert [(one, computer) for one, _, stays, computer in seats if not stays] == [(seat, "strong")]


async def agree(
    sandbox: Sandbox, database: Onlooker, channel: Channel, people: Sequence[Person], death: asyncio.Task[Any]
) -> None:
    """Let everyone press *Play on with a computer* at the table, while it is there. One of them has lost."""
    for person in people:
        if death.done() or not vacant(database):
            return
        looking = asyncio.create_task(find(sandbox, channel, Action.PLAY_ON))
        await asyncio.wait({looking, death}, return_when=asyncio.FIRST_COMPLETED)
        if not looking.done():
            looking.cancel()
            return
        await press(person, looking.result(), Action.PLAY_ON, death)


@pytest.mark.thorough
@pytest.mark.parametrize(("fate", "number"), BY_DAY)
async def test_a_takeover_happens_once_wherever_the_bot_dies(tmp_path: Path, fate: str, number: int) -> None:
    """After a restart, earlier consent still counts, and the computer moves after the takeover."""
    clock = Clock()
    async with lives_of(tmp_path, hall(2), clock) as lives:
        sandbox, database = lives.sandbox, lives.database
        channel = sandbox.channel("table-1")
        players = [Player(sandbox, name, channel, fate) for name in NAMES[:3]]
        people = [player.person for player in players]
        async with lives.life():
            await gather(sandbox, players, rules="rotation", clock="1d flag")
        async with lives.life() as life:
            death = asyncio.create_task(life.death())
            with life.doomed(fate, number):
                await life.pass_time(clock, OVER)
                await agree(sandbox, database, channel, people, death)
                await death
        async with lives.life() as life:
            await life.pass_time(clock, timedelta(minutes=1))
            await life.alive.idle()
            death = asyncio.create_task(life.death())
            await agree(sandbox, database, channel, people, death)
            death.cancel()
            await life.alive.idle()
        assert has_moved(database)
        check(database)


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize(("fate", "number"), FATES)
async def test_a_takeover_happens_once_over_a_kill(tmp_path: Path, fate: str, number: int) -> None:
    """Over a kill at any point, earlier consent still counts, and the computer moves after the takeover."""
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path, own_clock=True) as bot:
        channel, database = sandbox.channel("table-1"), bot.database
        people = [sandbox.person(name) for name in NAMES[:3]]
        async with bot.life() as death:
            await sandbox.until(lambda: people[0].commands(channel))
            await (await people[0].slash("gin challenge", channel, rules="rotation", clock="1d flag")).done()
            for person in people[1:]:
                await press(person, await find(sandbox, channel, Action.ACCEPT), Action.ACCEPT, death)
            await press(people[0], await find(sandbox, channel, Action.START_LOBBY), Action.START_LOBBY, death)
            await find(sandbox, channel, Action.SHOW_HAND)
        beats = database.rows(HEARTBEATS)
        async with bot.life(fate, number) as death:
            await eventually(partial(has_beaten, bot, beats, death))
            await asyncio.sleep(STARTED_AFTER)
            bot.pass_time(OVER)
            await eventually(lambda: death.done() or vacant(database))
            await agree(sandbox, database, channel, people, death)
            # The bot may also die after the last answer, when the computer moves automatically.
            await asyncio.wait({death}, timeout=60)
        assert bot.deaths[fate] == 1
        async with bot.life() as death:
            await eventually(lambda: vacant(database) or bool(taken_over(database)))
            await agree(sandbox, database, channel, people, death)
            await eventually(lambda: has_moved(database))
        check(database)
