"""`python -m tests.load.daily`: measure a bot while many people play the deal of the day.

They begin within a minute, and from then on each of them presses a button every 30 seconds. A few matches are played as
well: their answers are compared with those before the rush. The sandbox and all people run in this process, on the same
machine as the bot.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import monotonic
from typing import Final

from bot.hosting import logs
from bot.model.shards import Shards
from bot.sandbox import Channel, Interaction, NotOfferedError, Sandbox, World
from bot.sandbox.world.world import Member, User
from cogs.actions import Action
from tests.helpers.components import find_button
from tests.helpers.databases import DatabaseKind, new_database, use_database
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player
from tests.helpers.ports import free_port
from tests.load.bots import running_bots
from tests.load.driving import play, sit_down
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


@dataclass
class Rush:
    """The time of each answer in the deal of the day in seconds, computers' moves included; and the results."""

    answers: list[float] = field(default_factory=list[float])
    failed: int = 0
    finished: int = 0

    async def wait_for(self, interaction: Interaction) -> Interaction:
        """Wait until an interaction is answered, and record that."""
        sent = monotonic()
        await interaction.done(60)
        if interaction.failed:
            self.failed += 1
        else:
            self.answers.append(monotonic() - sent)
        return interaction


async def run(kind: DatabaseKind, people: int, seconds: float) -> str:
    """Let people play for some seconds after all have begun, and return a line with the figures."""
    with tempfile.TemporaryDirectory() as folder, use_database(kind, durable=True):
        url = new_database(Path(folder) / "deadwood.db")
        await fill(url, SERVERS, MATCHES, MATCHES)
        world, tables = build_world(SERVERS, MATCHES)
        crowd = _add_people(world, people)
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
                    play(seated, MATCH_RATE, START_SECONDS + seconds), _play_daily(sandbox, crowd, rush, end)
                )
                ((begun,),) = onlooker.rows("SELECT count(*) FROM daily_try")
    return _line(kind, begun, rush, usual.answers, meanwhile.answers, usual.failed + meanwhile.failed)


def _add_people(world: World, count: int) -> list[tuple[User, Channel]]:
    """Add people to all servers in turn. Return each with a channel of their server."""
    guilds = list(world.guilds.values())
    channels = [world.add_channel(guild, "daily") for guild in guilds]
    crowd = list[tuple[User, Channel]]()
    for number in range(count):
        user, place = world.add_user(f"Daily {number}"), number % len(guilds)
        guilds[place].members[user.id] = Member(user, joined_at=world.clock.now())
        crowd.append((user, channels[place]))
    return crowd


async def _play_daily(sandbox: Sandbox, crowd: Sequence[tuple[User, Channel]], rush: Rush, end: float) -> None:
    pause = START_SECONDS / len(crowd)
    await asyncio.gather(
        *(_play(sandbox, user, channel, number * pause, rush, end) for number, (user, channel) in enumerate(crowd))
    )


async def _play(sandbox: Sandbox, user: User, channel: Channel, delay: float, rush: Rush, end: float) -> None:
    """Begin the deal of the day after `delay` seconds, and press a button now and then until it is over."""
    await asyncio.sleep(delay)
    player = Player(sandbox, user.display_name, channel, "daily")
    invitation = await rush.wait_for(await player.person.slash("gin daily", channel))
    if invitation.failed or (play_button := find_button(invitation.message, Action.START_DAILY)) is None:
        return
    await rush.wait_for(await player.person.press(invitation.message, play_button))
    while monotonic() + PRESS_INTERVAL < end:
        await asyncio.sleep(PRESS_INTERVAL)
        move = player.choose()
        if move is None:
            break
        try:
            await rush.wait_for(await player.click(move))
        except NotOfferedError:
            continue
    rush.finished += player.choose() is None


_HEADINGS: Final = (
    "  database  people  finished  answers  50 % ms  99 % ms  longest ms  failed"
    "  | matches: usually 50 % ms  99 % ms  | meanwhile 50 % ms  99 % ms  failed"
)


def _line(
    kind: DatabaseKind, begun: int, rush: Rush, usual: Sequence[float], meanwhile: Sequence[float], failed: int
) -> str:
    def percentiles(answers: Sequence[float]) -> str:
        return f"{1000 * median(answers):.0f}  {1000 * quantiles(answers, n=100)[98]:.0f}"

    return (
        f"{kind}  {begun}  {rush.finished}  {len(rush.answers)}  {percentiles(rush.answers)}"
        f"  {1000 * max(rush.answers):.0f}  {rush.failed}"
        f"  |  {percentiles(usual)}  |  {percentiles(meanwhile)}  {failed}"
    )


def main() -> None:
    """Measure with each database, and print a line for it."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.daily", description=__doc__)
    parser.add_argument("--database", type=DatabaseKind, action="append", help="sqlite or postgresql; both by default")
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=180.0, help="for how long after all have begun")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    logs.set_up("WARNING")
    print(_HEADINGS, flush=True)
    for kind in arguments.database or list(DatabaseKind):
        print(asyncio.run(run(kind, arguments.people, arguments.seconds)), flush=True)


if __name__ == "__main__":
    main()
