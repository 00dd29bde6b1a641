"""`python -m tests.load.daily`: measure a bot while many people play the deal of the day.

They begin within a minute, and from then on each of them presses a button every 30 seconds. A few matches are played as
well: their answers are compared with those before the rush. The sandbox and all people run in this process, on the same
machine as the bot.

The exit code is 1 if more than 1 % of the answers or of the computer's moves take longer than 2 seconds, if somebody is
stuck, or if the other matches are answered more than twice as slowly as usual.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import monotonic
from typing import Final

from bot.hosting import logs
from bot.model.shards import Shards
from bot.sandbox import Channel, Interaction, ResponseKind, Sandbox, World
from bot.sandbox.world.world import Member, User
from cogs.actions import Action
from cogs.delivery.refusals import ONE_AT_A_TIME, STILL_WORKING, VERY_BUSY
from tests.helpers.components import find_button, has_button
from tests.helpers.databases import DatabaseKind, new_database, use_database
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player
from tests.helpers.ports import free_port
from tests.helpers.waiting import eventually
from tests.load.bots import running_bots
from tests.load.driving import POLL_INTERVAL, LoadResults, play, sit_down
from tests.load.filling import build_world, fill
from tests.load.measuring import due_message_count

SERVERS: Final = 50
MATCHES: Final = 20
"""Number of matches that are played beside the deal of the day."""
MATCH_RATE: Final = 4.0
"""Clicks per second in those matches, all together."""
USUAL_SECONDS: Final = 30.0
"""Time for which only those matches are played, in seconds."""
START_SECONDS: Final = 60.0
"""Time within which everybody begins their try, in seconds."""
PRESS_INTERVAL: Final = 30.0
"""Time between two presses of a person, in seconds."""
STUCK_AFTER: Final = 30.0
"""Time after a press within which a person must be able to continue, in seconds."""
MAX_SECONDS: Final = 2.0
"""Maximum time until an answer, and until the computer has moved, in seconds."""
MAX_LATE_SHARE: Final = 0.01
"""Maximum share of answers, and of computers' moves, that may take longer."""
RETRY_INTERVAL: Final = 10.0
"""Time after which a person tries again to begin, in seconds."""
MAX_SLOWDOWN: Final = 2.0
"""Maximum median of the answers in the other matches, as a multiple of the usual one."""
_TOO_BUSY: Final = (ONE_AT_A_TIME, STILL_WORKING, VERY_BUSY)


@dataclass
class Rush:
    """The times from presses to their answers, and until the person can continue, in seconds; and the results.

    A person can continue when it is their turn or the deal is over, so `turns` include the computer's moves.
    A press has `failed` if the bot did not answer, or refused it because it was too busy. In the end, each person has
    `finished`, is still `playing`, or is `stuck`: for `STUCK_AFTER`, they had neither a move to make nor a result.
    """

    answers: list[float] = field(default_factory=list[float])
    turns: list[float] = field(default_factory=list[float])
    failed: int = 0
    finished: int = 0
    playing: int = 0
    stuck: int = 0

    async def wait_for(self, interaction: Interaction, can_go_on: Callable[[], bool]) -> bool:
        """Wait until an interaction is answered and the person can continue. Return False if they are stuck.

        After a press that failed, the person tries again.
        """
        sent, clicked = monotonic(), interaction.source
        revision = 0 if clicked is None else clicked.revision
        try:
            async with asyncio.timeout(STUCK_AFTER):
                await interaction.done(STUCK_AFTER)
                await eventually(lambda: _is_shown(interaction, revision), STUCK_AFTER, POLL_INTERVAL)
                if interaction.failed or interaction.text in _TOO_BUSY:
                    self.failed += 1
                    return True
                self.answers.append(monotonic() - sent)
                await eventually(can_go_on, STUCK_AFTER, POLL_INTERVAL)
                self.turns.append(monotonic() - sent)
        except TimeoutError:
            return False
        return True


def _is_shown(interaction: Interaction, revision: int) -> bool:
    """Return True if an interaction failed or its answer is shown. `revision` is the message's before its use.

    A click that the bot has only acknowledged is answered once its message changes, or by a new message.
    """
    if interaction.response is None or interaction.response.kind is not ResponseKind.DEFERRED_UPDATE:
        return True
    clicked = interaction.source
    return bool(interaction.followups) or clicked is None or clicked.revision != revision


async def run(kind: DatabaseKind, people: int, seconds: float) -> tuple[str, list[str]]:
    """Let people play for some seconds after all have begun. Return a line with the figures, and the `faults`."""
    with tempfile.TemporaryDirectory() as folder, use_database(kind, durable=True):
        url = new_database(Path(folder) / "deadwood.db")
        await fill(url, SERVERS, MATCHES, MATCHES)
        world, tables = build_world(SERVERS, MATCHES)
        crowd = add_people(world, people)
        async with Sandbox(world) as sandbox:
            home = Shards(frozenset((0,)), 1)
            async with running_bots(sandbox, url, Path(folder), [home], [free_port()]):
                await sandbox.ready(60)
                seated, onlooker = await sit_down(sandbox, tables), DatabaseInspector(url)
                while await asyncio.to_thread(due_message_count, onlooker):  # noqa: ASYNC110 - there is no event for it
                    await asyncio.sleep(0.2)
                usual = await play(seated, MATCH_RATE, USUAL_SECONDS)
                rush, end = Rush(), monotonic() + START_SECONDS + seconds
                meanwhile, _ = await asyncio.gather(
                    play(seated, MATCH_RATE, START_SECONDS + seconds), play_daily(sandbox, crowd, rush, end)
                )
    return _line(kind, people, rush, usual, meanwhile), faults(rush, usual, meanwhile)


def add_people(world: World, count: int) -> list[tuple[User, Channel]]:
    """Add people to all servers in turn. Return each with a channel of their server."""
    guilds = list(world.guilds.values())
    channels = [world.add_channel(guild, "daily") for guild in guilds]
    crowd = list[tuple[User, Channel]]()
    for number in range(count):
        user, place = world.add_user(f"Daily {number}"), number % len(guilds)
        guilds[place].members[user.id] = Member(user, joined_at=world.clock.now())
        crowd.append((user, channels[place]))
    return crowd


async def play_daily(sandbox: Sandbox, crowd: Sequence[tuple[User, Channel]], rush: Rush, end: float) -> None:
    """Let people begin the deal of the day one after the other, and play until they finish it or until `end`."""
    pause = START_SECONDS / len(crowd)
    await asyncio.gather(
        *(_play(sandbox, user, channel, number * pause, rush, end) for number, (user, channel) in enumerate(crowd))
    )


async def _play(sandbox: Sandbox, user: User, channel: Channel, delay: float, rush: Rush, end: float) -> None:
    """Begin the deal of the day after `delay` seconds, and press a button now and then until it is over."""
    await asyncio.sleep(delay)
    player = Player(sandbox, user.display_name, channel, "daily")
    is_going_on = await _begin(player, rush)
    while is_going_on and not _has_result(player):
        if monotonic() + PRESS_INTERVAL >= end:
            rush.playing += 1
            return
        await asyncio.sleep(PRESS_INTERVAL)
        move = player.choose()
        is_going_on = move is not None and await rush.wait_for(
            await player.click(move), lambda: player.has_turn or _has_result(player)
        )
    if is_going_on:
        rush.finished += 1
    else:
        rush.stuck += 1


async def _begin(player: Player, rush: Rush) -> bool:
    """Begin the deal of the day, and try again after a press that failed. Return False if the person is stuck."""
    began = monotonic()
    while monotonic() - began < STUCK_AFTER:
        invited = await player.person.slash("gin daily", player.channel)
        if not await rush.wait_for(invited, lambda: True):
            return False
        button = None if invited.original is None else find_button(invited.original, Action.START_DAILY)
        if invited.original is not None and button is not None:
            begun = await player.person.press(invited.original, button)
            if not await rush.wait_for(begun, lambda: player.has_turn or _has_result(player)):
                return False
        if player.has_turn or _has_result(player):
            return True
        await asyncio.sleep(RETRY_INTERVAL)
    return False


def _has_result(player: Player) -> bool:
    return any(has_button(message, Action.SHARE_DAILY) for message in player.person.direct_messages())


def faults(rush: Rush, usual: LoadResults, meanwhile: LoadResults) -> list[str]:
    """Return a line for each demand that a run does not meet, given the results of the other matches."""
    found = list[str]()
    for name, times in (("answers", rush.answers), ("computers' moves", rush.turns)):
        late = rush.failed + sum(seconds > MAX_SECONDS for seconds in times)
        if late > MAX_LATE_SHARE * (rush.failed + len(times)):
            found.append(f"{late} of {rush.failed + len(times)} {name} failed or took more than {MAX_SECONDS:g} s")
    if rush.stuck:
        found.append(f"{rush.stuck} people were stuck")
    before, after = _median(usual), _median(meanwhile)
    if not after <= MAX_SLOWDOWN * before < math.inf:
        found.append(f"half of the answers in other matches took more than {after:.3f} s, but usually {before:.3f} s")
    return found


def _median(results: LoadResults) -> float:
    """Return the median of answer times in seconds. It is infinite if there are no answers, or if most failed."""
    return median([*results.answers, *[math.inf] * results.failed] or [math.inf])


_HEADINGS: Final = (
    "  database  people  finished  playing  stuck  | answers  50 % ms  99 % ms  longest ms  failed"
    "  | with the computer's moves  50 % ms  99 % ms  longest ms"
    "  | matches: usually 50 % ms  99 % ms  longest ms  | meanwhile 50 % ms  99 % ms  longest ms  failed"
)


def _line(kind: DatabaseKind, people: int, rush: Rush, usual: LoadResults, meanwhile: LoadResults) -> str:
    return (
        f"{kind}  {people}  {rush.finished}  {rush.playing}  {rush.stuck}"
        f"  |  {len(rush.answers)}  {_percentiles(rush.answers)}  {rush.failed}  |  {_percentiles(rush.turns)}"
        f"  |  {_percentiles(usual.answers)}  |  {_percentiles(meanwhile.answers)}  {usual.failed + meanwhile.failed}"
    )


def _percentiles(answers: Sequence[float]) -> str:
    """Return the median, the 99th percentile and the maximum in milliseconds."""
    if len(answers) < 2:
        return "-  -  -"
    shown = median(answers), quantiles(answers, n=100)[98], max(answers)
    return "  ".join(f"{1000 * seconds:.0f}" for seconds in shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure with each database, and print a line for it and one for each fault. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.daily", description=__doc__)
    parser.add_argument("--database", type=DatabaseKind, action="append", help="sqlite or postgresql; both by default")
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=180.0, help="for how long after all have begun")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", DeprecationWarning)
    logs.set_up("WARNING")
    print(_HEADINGS, flush=True)
    code = 0
    for kind in options.database or list(DatabaseKind):
        line, found = asyncio.run(run(kind, options.people, options.seconds))
        print(line, *(f"  fault: {fault}" for fault in found), sep="\n", flush=True)
        code = 1 if found else code
    return code


if __name__ == "__main__":
    sys.exit(main())
