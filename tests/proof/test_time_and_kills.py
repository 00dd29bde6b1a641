"""Days pass and the bot dies: reminders come once, and nobody loses by an outage."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from time import time
from typing import Any, Final

import pytest

from bot.sandbox import Message, Person, Request, Sandbox
from bot.values.ids import MatchId
from cogs.kit.actions import Action
from tests.helpers.components import controls, has_button
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player, sit_down
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.lives import Bot
from tests.proof.mortal import OFFSET, WHEN_DUE

pytestmark = pytest.mark.slow

FATES: Final = (
    *WHEN_DUE,
    *("before delivery", "after a post", "before outcomes are recorded", "while outcomes are recorded"),
    *("after outcomes are recorded", "Discord has a post"),
)
REMINDED_AFTER: Final = timedelta(hours=36)
"""When a quarter of two days is left."""
MINUTE: Final = timedelta(minutes=1)
STARTED_AFTER: Final = 0.3
"""Seconds after the first heartbeat in which a bot has done what it does at its start."""
HEARTBEATS: Final = "SELECT seen_at FROM shard"


def waits_for(database: Onlooker, person: Person) -> set[str]:
    """Return the matches that wait for a person, by the database."""
    query = (
        "SELECT match.id FROM match JOIN seat ON seat.match_id = match.id"
        " WHERE status = 'running' AND person_id = :person AND (to_act >> seat) & 1 = 1"
    )
    return {str(match_id) for (match_id,) in database.rows(query, person=person.id)}


def reminders(person: Person) -> list[Message]:
    """Return the reminders that a person sees."""
    return [one for one in person.direct_messages() if has_button(one, Action.OPEN_MATCH)]


def lines(message: Message) -> set[str]:
    """Return the matches that a reminder is about."""
    return {one.event.subject for one in controls(message) if one.action is Action.OPEN_MATCH}


async def delivered(bot: Bot, death: asyncio.Task[int], *, looked_at: bool) -> None:
    """Wait until no message is due, or the bot has died; with `looked_at` first until no time is due either."""

    def done() -> bool:
        ahead = bot.database.rows("SELECT value FROM key_value WHERE key = :key", key=OFFSET) or [("0",)]
        now = int(time() * 1000) + int(ahead[0][0])
        ((due, undelivered, stale),) = bot.database.rows(
            "SELECT (SELECT count(*) FROM match WHERE time_due_at < :now),"
            " (SELECT count(*) FROM outbox_message WHERE wanted_revision > shown_revision),"
            " (SELECT count(*) FROM stale_message)",
            now=now,
        )
        return not (undelivered or stale or (due and looked_at))

    await eventually(lambda: death.done() or done(), pause=0.02)


def has_beaten(bot: Bot, before: list[Any], death: asyncio.Task[int]) -> bool:
    """Return whether a bot has saved a heartbeat in this life, or is dead."""
    return death.done() or bot.database.rows(HEARTBEATS) != before


async def take_turns(players: Sequence[Player]) -> None:
    """Let everyone whose turn it is end it."""
    for player in players:
        async with asyncio.timeout(30):
            while player.has_turn:
                await player.act()
                await asyncio.sleep(0)


@pytest.mark.parametrize(("kills"), [5, pytest.param(50, marks=pytest.mark.nightly)])
async def test_reminders_come_once_over_kills(tmp_path: Path, kills: int) -> None:
    """Whenever the bot dies, each player has one reminder of all turns they must take, and was notified once."""
    random = Random(kills)
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path, own_clock=True) as bot:
        names = pair(1)
        channels = [sandbox.channel(f"table-{table}") for table in (1, 2)]
        players = [
            Player(sandbox, name, channel, kills, match_id=MatchId(number))
            for number, channel in enumerate(channels, 1)
            for name in names
        ]
        people = [sandbox.person(name) for name in names]
        async with bot.life():
            for first in (0, 2):
                await sit_down(sandbox, players[first], players[first + 1], target=500, clock="2d")
        posted, expected = {person.dm.id: set[str]() for person in people}, {person.id: 0 for person in people}

        def note(request: Request) -> None:
            """Note a post of a reminder. Those with the same nonce are one message."""
            channel_id = int(request.path.split("/")[2]) if request.route.startswith("/channels/") else 0
            if (
                request.method == "POST"
                and channel_id in posted
                and f":{Action.OPEN_MATCH}" in json.dumps(request.payload)
            ):
                posted[channel_id].add(request.payload["nonce"])

        sandbox.journal.observers.append(note)
        for number in count():
            if bot.deaths.total() >= kills:
                break
            fate = FATES[number % len(FATES)] if number < len(FATES) else random.choice(FATES)
            beats = bot.database.rows(HEARTBEATS)
            async with bot.life(fate, 1) as death:
                # What is on its way at the start would save the time before: a heartbeat, and the repair of the clock.
                await eventually(partial(has_beaten, bot, beats, death))
                await asyncio.sleep(STARTED_AFTER)
                bot.pass_time(REMINDED_AFTER)
                await delivered(bot, death, looked_at=True)
            async with bot.life() as death:
                await delivered(bot, death, looked_at=True)
                await sandbox.idle()
                for person in people:
                    due = waits_for(bot.database, person)
                    expected[person.id] += bool(due)
                    assert [lines(one) for one in reminders(person)] == ([due] if due else []), fate
                    assert len(posted[person.dm.id]) == expected[person.id], fate
                await take_turns(players)
                await delivered(bot, death, looked_at=False)
                await sandbox.idle()
                assert not any(reminders(person) for person in people)


async def test_an_outage_longer_than_a_turn_hurts_nobody(tmp_path: Path) -> None:
    """Killed, and away for a week with a clock of twelve hours that flags: the time goes on where it stood."""
    async with Sandbox(hall(1)) as sandbox, Bot.born(sandbox, tmp_path, own_clock=True) as bot:
        first, second = (Player(sandbox, name, sandbox.channel("table-1"), "outage") for name in pair(1))
        async with bot.life("random", 1500) as death:
            await sit_down(sandbox, first, second, target=500, clock="12h flag")
            await delivered(bot, death, looked_at=False)
            await death
        bot.pass_time(timedelta(days=7), connected=False)
        async with bot.life() as death:
            await delivered(bot, death, looked_at=True)
            bot.pass_time(timedelta(hours=11))
            await delivered(bot, death, looked_at=True)
            assert bot.database.rows("SELECT status FROM match") == [("running",)]
            bot.pass_time(timedelta(hours=1) + MINUTE)
            await eventually(lambda: bot.database.rows("SELECT status FROM match") == [("finished",)])
            last = [text for (text,) in bot.database.rows("SELECT text FROM action ORDER BY number DESC LIMIT 3")]
            assert [text.split()[0] for text in last[:2]] == ["reveal", "reveal"]
            assert last[2].endswith("time")
