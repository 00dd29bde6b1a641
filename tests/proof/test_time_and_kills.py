"""Days pass and the bot dies: each reminder comes once, and no player loses because of an outage.

By day the bot dies inside the tests' process. Nightly runs kill a real process.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from random import Random
from time import time
from typing import Any, Final

import pytest

from bot.sandbox import Message, Person, Request, Sandbox
from bot.values.ids import MatchId
from cogs.kit.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.components import controls, has_button
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player, sit_down
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import lives_of
from tests.proof.lives import Bot
from tests.proof.mortal import OFFSET, WHEN_DUE

FATES: Final = (
    *WHEN_DUE,
    *("before delivery", "after a post", "before outcomes are recorded", "while outcomes are recorded"),
    *("after outcomes are recorded", "Discord has a post"),
)
BY_DAY: Final = ("while time is settled", "while outcomes are recorded")
REMINDED_AFTER: Final = timedelta(hours=36)
"""The time after which a quarter of two days remains."""
MINUTE: Final = timedelta(minutes=1)
STARTED_AFTER: Final = 0.3
"""Seconds after the first heartbeat within which a bot has finished its start."""
HEARTBEATS: Final = "SELECT seen_at FROM shard"


def waits_for(database: Onlooker, person: Person) -> set[str]:
    """Return the matches in the database that are waiting for a person."""
    query = (
        "SELECT match.id FROM match JOIN seat ON seat.match_id = match.id"
        " WHERE status = 'running' AND person_id = :person AND (to_act >> seat) & 1 = 1"
    )
    return {str(match_id) for (match_id,) in database.rows(query, person=person.id)}


def reminders(person: Person) -> list[Message]:
    """Return the reminders that a person sees."""
    return [one for one in person.direct_messages() if has_button(one, Action.OPEN_MATCH)]


def lines(message: Message) -> set[str]:
    """Return the matches in a reminder."""
    return {one.event.subject for one in controls(message) if one.action is Action.OPEN_MATCH}


async def delivered(bot: Bot, death: asyncio.Task[int], *, looked_at: bool) -> None:
    """Wait until no message is due, or the bot has died. With `looked_at`, also wait until no time is due."""

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
    """Return True if a bot has saved a heartbeat in this life, or is dead."""
    return death.done() or bot.database.rows(HEARTBEATS) != before


async def take_turns(players: Sequence[Player]) -> None:
    """Let every player whose turn it is finish the turn."""
    for player in players:
        async with asyncio.timeout(60):
            while player.has_turn:
                await player.act()
                await asyncio.sleep(0)


class Reminded:
    """Two people at two tables, and the reminders that were posted to them."""

    def __init__(self, sandbox: Sandbox, seed: object) -> None:
        names = pair(1)
        self.players = [
            Player(sandbox, name, sandbox.channel(f"table-{number}"), seed, match_id=MatchId(number))
            for number in (1, 2)
            for name in names
        ]
        self.people = [sandbox.person(name) for name in names]
        self._sandbox = sandbox
        self._posted = {person.dm.id: set[str]() for person in self.people}
        self._expected = {person.id: 0 for person in self.people}
        sandbox.journal.observers.append(self._note)

    async def begin(self) -> None:
        """Start both matches."""
        for first, second in (self.players[:2], self.players[2:]):
            await sit_down(self._sandbox, first, second, target=500, clock="2d")

    def check(self, database: Onlooker, fate: str) -> None:
        """Check that each player whose turn it is has one reminder of all waiting matches, and was notified once."""
        for person in self.people:
            due = waits_for(database, person)
            self._expected[person.id] += bool(due)
            assert [lines(one) for one in reminders(person)] == ([due] if due else []), fate
            assert len(self._posted[person.dm.id]) == self._expected[person.id], fate

    def _note(self, request: Request) -> None:
        """Record a posted reminder. Posts with the same nonce are one message."""
        channel_id = int(request.path.split("/")[2]) if request.route.startswith("/channels/") else 0
        is_reminder = f":{Action.OPEN_MATCH}" in json.dumps(request.payload)
        if request.method == "POST" and channel_id in self._posted and is_reminder:
            self._posted[channel_id].add(request.payload["nonce"])


@pytest.mark.thorough
async def test_a_reminder_comes_once_wherever_the_bot_dies(tmp_path: Path) -> None:
    """Each player has one reminder of all their turns, and was notified once."""
    clock = Clock()
    async with lives_of(tmp_path, hall(2), clock) as lives:
        reminded = Reminded(lives.sandbox, "reminders")
        for before, fate in pairwise((None, *BY_DAY, None)):
            async with lives.life() as life:
                if before is None:
                    await reminded.begin()
                else:
                    # Retried deliveries come later.
                    await life.pass_time(clock, MINUTE)
                    await life.alive.idle()
                    reminded.check(lives.database, before)
                    await take_turns(reminded.players)
                    await life.alive.idle()
                    assert not any(map(reminders, reminded.people))
                if fate is not None:
                    with life.doomed(fate):
                        await life.pass_time(clock, REMINDED_AFTER)
                        await life.death()


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize("kills", [50])
async def test_reminders_come_once_over_kills(tmp_path: Path, kills: int) -> None:
    """Over many kills, each player has one reminder of all their turns, and was notified once."""
    random = Random(kills)
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path, own_clock=True) as bot:
        reminded = Reminded(sandbox, kills)
        async with bot.life():
            await reminded.begin()
        for number in count():
            if bot.deaths.total() >= kills:
                break
            fate = FATES[number % len(FATES)] if number < len(FATES) else random.choice(FATES)
            beats = bot.database.rows(HEARTBEATS)
            async with bot.life(fate, 1) as death:
                # Work in progress at the start would save the earlier time: a heartbeat, and the repair of the clock.
                await eventually(partial(has_beaten, bot, beats, death))
                await asyncio.sleep(STARTED_AFTER)
                bot.pass_time(REMINDED_AFTER)
                await delivered(bot, death, looked_at=True)
            async with bot.life() as death:
                await delivered(bot, death, looked_at=True)
                await sandbox.idle()
                reminded.check(bot.database, fate)
                await take_turns(reminded.players)
                await delivered(bot, death, looked_at=False)
                await sandbox.idle()
                assert not any(map(reminders, reminded.people))


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_an_outage_longer_than_a_turn_hurts_nobody(tmp_path: Path) -> None:
    """After a week's outage with a flagging twelve-hour clock, the remaining time is the same as before."""
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
