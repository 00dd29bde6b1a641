"""If the bot is killed while a seat is vacant, a computer can still take the seat over, exactly once.

Nightly runs kill a real process. In other runs, the kill is simulated inside the tests' process.
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
from cogs.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.components import find_button, has_button
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, start_lobby
from tests.helpers.waiting import eventually
from tests.helpers.worlds import NAMES, SPECTATOR, hall
from tests.proof.deaths import prepare_runs
from tests.proof.lives import Bot
from tests.proof.mortal import AFTER_COMMIT, VACANCY_POINTS
from tests.proof.test_time_and_kills import HEARTBEATS, STARTUP_SECONDS, has_saved_heartbeat

NOT_NIGHTLY: Final = [("before a takeover", 1), (AFTER_COMMIT, 3)]
KILL_POINTS: Final = [*((point, 1) for point in VACANCY_POINTS), *((AFTER_COMMIT, number) for number in range(1, 5))]
TURN_TIMEOUT: Final = timedelta(days=1, minutes=1)
"""A little more than the one day that a turn may take."""


async def press_unless_dead(person: Person, message: Message, action: Action, death: asyncio.Task[Any]) -> None:
    """Press a button, and wait until it is answered or the bot is killed."""
    label = find_button(message, action)
    if label is None:
        return
    interaction = await person.press(message, label)
    answer = asyncio.create_task(interaction.done())
    await asyncio.wait({answer, death}, return_when=asyncio.FIRST_COMPLETED)
    answer.cancel()
    with suppress(asyncio.CancelledError):
        await answer


async def find_public_message(sandbox: Sandbox, channel: Channel, action: Action) -> Message:
    """Wait until a channel has a public message with a button for this action. Return the newest such message."""
    spectator = sandbox.person(SPECTATOR)

    def found() -> list[Message]:
        return [see for see in spectator.sees(channel) if has_button(see, action) and not see.ephemeral]

    return (await sandbox.until(found))[-1]


def has_vacant_seat(database: DatabaseInspector) -> bool:
    """Return True if the only match in the database has a vacant seat."""
    return database.rows("SELECT vacant_seat FROM match") != [(None,)]


def takeovers(database: DatabaseInspector) -> list[str]:
    """Return the takeovers in the log of the only match in the database, as text."""
    return [text for (text,) in database.rows("SELECT text FROM action WHERE text LIKE 'replace %'")]


def has_moved(database: DatabaseInspector) -> bool:
    """Return True if the computer that took over a seat has moved."""
    return any(
        database.rows("SELECT 1 FROM action WHERE text LIKE :moves", moves=f"{taken.split()[1]} %")
        for taken in takeovers(database)
    )


def check_takeover(database: DatabaseInspector) -> None:
    """Check that a computer has taken over exactly one seat, and people play the other two."""
    (taken,) = takeovers(database)
    seat = int(taken.split()[1])
    assert database.rows("SELECT status, kind, vacant_seat FROM match") == [("running", "casual", None)]
    seats = database.rows("SELECT seat, person_id IS NULL, leaver_id IS NULL, computer FROM seat ORDER BY seat")
    assert [index for index, free, *_ in seats if not free] == [index for index in range(3) if index != seat]
    assert [(index, computer) for index, _, stays, computer in seats if not stays] == [(seat, "strong")]


async def agree_to_continue(
    sandbox: Sandbox, database: DatabaseInspector, channel: Channel, people: Sequence[Person], death: asyncio.Task[Any]
) -> None:
    """Let everyone press *Play on with a computer* while a seat is vacant, including the player who lost that seat."""
    for person in people:
        if death.done() or not has_vacant_seat(database):
            return
        looking = asyncio.create_task(find_public_message(sandbox, channel, Action.PLAY_ON))
        await asyncio.wait({looking, death}, return_when=asyncio.FIRST_COMPLETED)
        if not looking.done():
            looking.cancel()
            return
        await press_unless_dead(person, looking.result(), Action.PLAY_ON, death)


@pytest.mark.nightly
@pytest.mark.parametrize(("fate", "number"), NOT_NIGHTLY)
async def test_a_takeover_happens_once_wherever_the_bot_dies(tmp_path: Path, fate: str, number: int) -> None:
    """If the bot is killed during a takeover, the players' consent still counts, and a computer takes over once."""
    clock = Clock()
    async with prepare_runs(tmp_path, hall(2), clock) as lives:
        sandbox, database = lives.sandbox, lives.database
        channel = sandbox.channel("table-1")
        players = [Player(sandbox, name, channel, fate) for name in NAMES[:3]]
        people = [player.person for player in players]
        async with lives.run():
            await start_lobby(sandbox, players, rules="rotation", clock="1d flag")
        async with lives.run() as life:
            death = asyncio.create_task(life.wait_for_death())
            with life.killed_at(fate, number):
                await life.pass_time(clock, TURN_TIMEOUT)
                await agree_to_continue(sandbox, database, channel, people, death)
                await death
        async with lives.run() as life:
            await life.pass_time(clock, timedelta(minutes=1))
            await life.alive.idle()
            death = asyncio.create_task(life.wait_for_death())
            await agree_to_continue(sandbox, database, channel, people, death)
            death.cancel()
            await life.alive.idle()
        assert has_moved(database)
        check_takeover(database)


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize(("fate", "number"), KILL_POINTS)
async def test_a_takeover_happens_once_over_a_kill(tmp_path: Path, fate: str, number: int) -> None:
    """After a real kill at any point, the players' consent still counts, and a computer takes over once and moves."""
    async with Sandbox(hall(2)) as sandbox, Bot.prepared(sandbox, tmp_path, own_clock=True) as bot:
        channel, database = sandbox.channel("table-1"), bot.database
        people = [sandbox.person(name) for name in NAMES[:3]]
        async with bot.run() as death:
            await sandbox.until(lambda: people[0].commands(channel))
            await (await people[0].slash("gin challenge", channel, rules="rotation", clock="1d flag")).done()
            for person in people[1:]:
                await press_unless_dead(
                    person, await find_public_message(sandbox, channel, Action.ACCEPT), Action.ACCEPT, death
                )
            await press_unless_dead(
                people[0], await find_public_message(sandbox, channel, Action.START_LOBBY), Action.START_LOBBY, death
            )
            await find_public_message(sandbox, channel, Action.SHOW_HAND)
        beats = database.rows(HEARTBEATS)
        async with bot.run(fate, number) as death:
            await eventually(partial(has_saved_heartbeat, bot, beats, death))
            await asyncio.sleep(STARTUP_SECONDS)
            bot.pass_time(TURN_TIMEOUT)
            await eventually(lambda: death.done() or has_vacant_seat(database))
            await agree_to_continue(sandbox, database, channel, people, death)
            # Some kill points are reached only after everyone has agreed to the takeover, when the computer moves.
            await asyncio.wait({death}, timeout=60)
        assert bot.kills[fate] == 1
        async with bot.run() as death:
            await eventually(lambda: has_vacant_seat(database) or bool(takeovers(database)))
            await agree_to_continue(sandbox, database, channel, people, death)
            await eventually(lambda: has_moved(database))
        check_takeover(database)
