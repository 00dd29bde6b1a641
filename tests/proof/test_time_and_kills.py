"""However often the bot is killed, each reminder comes once, and no player loses because of an outage.

Nightly runs kill a real process. In other runs, the kill is simulated inside the tests' process.
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

from bot.model.ids import MatchId
from bot.sandbox import Message, Person, Request, Sandbox
from cogs.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.components import controls, has_button
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, challenge_and_accept
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import prepare_runs
from tests.proof.lives import Bot
from tests.proof.mortal import DUE_POINTS, OFFSET

KILL_POINTS: Final = (
    *DUE_POINTS,
    *("before delivery", "after a post", "before outcomes are recorded", "while outcomes are recorded"),
    *("after outcomes are recorded", "Discord has a post"),
)
NOT_NIGHTLY: Final = ("while time is settled", "while outcomes are recorded")
REMINDER_DELAY: Final = timedelta(hours=36)
"""Time after which a reminder is due: a quarter of a two-day turn remains."""
MINUTE: Final = timedelta(minutes=1)
STARTUP_SECONDS: Final = 0.3
"""Time that the bot needs to finish its start after its first heartbeat, in seconds."""
HEARTBEATS: Final = "SELECT seen_at FROM shard"


def waiting_matches(database: DatabaseInspector, person: Person) -> set[str]:
    """Return the ids of the matches in the database in which it is a person's turn."""
    query = (
        "SELECT match.id FROM match JOIN seat ON seat.match_id = match.id"
        " WHERE status = 'running' AND person_id = :person AND (to_act >> seat) & 1 = 1"
    )
    return {str(match_id) for (match_id,) in database.rows(query, person=person.id)}


def reminders(person: Person) -> list[Message]:
    """Return the reminders among a person's direct messages."""
    return [
        direct_message for direct_message in person.direct_messages() if has_button(direct_message, Action.OPEN_MATCH)
    ]


def reminded_matches(message: Message) -> set[str]:
    """Return the ids of the matches that a reminder lists."""
    return {control.event.subject for control in controls(message) if control.action is Action.OPEN_MATCH}


async def wait_until_done(bot: Bot, death: asyncio.Task[int], *, looked_at: bool) -> None:
    """Wait until no message is due, or the bot is killed.

    With `looked_at`, also wait until the bot has looked at all due clocks.
    """

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


def has_saved_heartbeat(bot: Bot, before: list[Any], death: asyncio.Task[int]) -> bool:
    """Return True if the bot has saved a heartbeat in this run, or was killed and can no longer save one."""
    return death.done() or bot.database.rows(HEARTBEATS) != before


async def take_turns(players: Sequence[Player]) -> None:
    """Let every player whose turn it is finish the turn."""
    for player in players:
        async with asyncio.timeout(60):
            while player.has_turn:
                await player.act()
                await asyncio.sleep(0)


class ReminderCheck:
    """Two people who play at two tables, and a check of the reminders that they get."""

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
        """Start a match at each of the two tables."""
        for first, second in (self.players[:2], self.players[2:]):
            await challenge_and_accept(self._sandbox, first, second, target=500, clock="2d")

    def check(self, database: DatabaseInspector, fate: str) -> None:
        """Check that each person sees one reminder that lists all their turns, and was notified of it once."""
        for person in self.people:
            due = waiting_matches(database, person)
            self._expected[person.id] += bool(due)
            assert [reminded_matches(reminder) for reminder in reminders(person)] == ([due] if due else []), fate
            assert len(self._posted[person.dm.id]) == self._expected[person.id], fate

    def _note(self, request: Request) -> None:
        """Record each posted reminder by its nonce: Discord shows posts with the same nonce only once."""
        channel_id = int(request.path.split("/")[2]) if request.route.startswith("/channels/") else 0
        is_reminder = f":{Action.OPEN_MATCH}" in json.dumps(request.payload)
        if request.method == "POST" and channel_id in self._posted and is_reminder:
            self._posted[channel_id].add(request.payload["nonce"])


@pytest.mark.nightly
async def test_a_reminder_comes_once_wherever_the_bot_dies(tmp_path: Path) -> None:
    """Wherever the bot is killed, each player gets one reminder of all their turns, and is notified of it once."""
    clock = Clock()
    async with prepare_runs(tmp_path, hall(2), clock) as lives:
        reminded = ReminderCheck(lives.sandbox, "reminders")
        for before, fate in pairwise((None, *NOT_NIGHTLY, None)):
            async with lives.run() as life:
                if before is None:
                    await reminded.begin()
                else:
                    # Failed deliveries are retried only after some time.
                    await life.pass_time(clock, MINUTE)
                    await life.alive.idle()
                    reminded.check(lives.database, before)
                    await take_turns(reminded.players)
                    await life.alive.idle()
                    assert not any(map(reminders, reminded.people))
                if fate is not None:
                    with life.killed_at(fate):
                        await life.pass_time(clock, REMINDER_DELAY)
                        await life.wait_for_death()


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize("kills", [50])
async def test_reminders_come_once_over_kills(tmp_path: Path, kills: int) -> None:
    """However often the bot is killed, each player gets one reminder of all their turns, and is notified of it once."""
    random = Random(kills)
    async with Sandbox(hall(2)) as sandbox, Bot.prepared(sandbox, tmp_path, own_clock=True) as bot:
        reminded = ReminderCheck(sandbox, kills)
        async with bot.run():
            await reminded.begin()
        for number in count():
            if bot.kills.total() >= kills:
                break
            fate = KILL_POINTS[number % len(KILL_POINTS)] if number < len(KILL_POINTS) else random.choice(KILL_POINTS)
            beats = bot.database.rows(HEARTBEATS)
            async with bot.run(fate, 1) as death:
                # Move the clock only after the bot has saved its first heartbeat and repaired the players' clocks.
                await eventually(partial(has_saved_heartbeat, bot, beats, death))
                await asyncio.sleep(STARTUP_SECONDS)
                bot.pass_time(REMINDER_DELAY)
                await wait_until_done(bot, death, looked_at=True)
            async with bot.run() as death:
                await wait_until_done(bot, death, looked_at=True)
                await sandbox.idle()
                reminded.check(bot.database, fate)
                await take_turns(reminded.players)
                await wait_until_done(bot, death, looked_at=False)
                await sandbox.idle()
                assert not any(map(reminders, reminded.people))


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_an_outage_longer_than_a_turn_hurts_nobody(tmp_path: Path) -> None:
    """If the bot is down for a week, a player with a twelve-hour clock has as much time left as before the outage."""
    async with Sandbox(hall(1)) as sandbox, Bot.prepared(sandbox, tmp_path, own_clock=True) as bot:
        first, second = (Player(sandbox, name, sandbox.channel("table-1"), "outage") for name in pair(1))
        async with bot.run() as death:
            await challenge_and_accept(sandbox, first, second, target=500, clock="12h flag")
            await wait_until_done(bot, death, looked_at=False)
            bot.kill()
            await death
        bot.pass_time(timedelta(days=7), connected=False)
        async with bot.run() as death:
            await wait_until_done(bot, death, looked_at=True)
            bot.pass_time(timedelta(hours=11))
            await wait_until_done(bot, death, looked_at=True)
            assert bot.database.rows("SELECT status FROM match") == [("running",)]
            bot.pass_time(timedelta(hours=1) + MINUTE)
            await eventually(lambda: bot.database.rows("SELECT status FROM match") == [("finished",)])
            last = [text for (text,) in bot.database.rows("SELECT text FROM action ORDER BY number DESC LIMIT 3")]
            assert [text.split()[0] for text in last[:2]] == ["reveal", "reveal"]
            assert last[2].endswith("time")
