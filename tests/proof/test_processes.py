"""Several processes share a database: each click counts once, and the others take over when one dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from time import monotonic, time
from typing import Final

import pytest

from bot import connections
from bot.engine.moves import Move, Verb
from bot.play.application import Application
from bot.play.matches.shuffler import Shuffler
from bot.play.refusals import Refusal
from bot.play.sharing.leases import TAKEN_OVER_WITHIN as LEASES
from bot.sandbox import Sandbox
from bot.store.opening import open_database
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.values.matches import MatchStatus
from bot.values.people import Person, Push
from bot.values.shards import Shards
from cogs.kit.actions import Action
from cogs.panels.layout import Accent
from cogs.support import pace
from cogs.support.access import CACHED_FOR
from tests.helpers.cases import nightly_after
from tests.helpers.components import accent_of, controls, find_button
from tests.helpers.double_clicks import double_click
from tests.helpers.forgery import click
from tests.helpers.living import Living, bot_on, sandbox_of
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Deed, Player, next_turn, play_out, press, sit_down, table_of
from tests.helpers.processes import BOT, settings_for, started
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import prefer
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, halls, pair
from tests.load.filling import build_world, fill
from tests.proof.deaths import Life
from tests.proof.histories import Witness, nothing_due, settled, verify
from tests.proof.lives import Bot, delivered
from tests.proof.mortal import AFTER_COMMIT, TAKEN_OVER_WITHIN
from tests.proof.test_kills import FATES, TARGET, in_random_order, play_on

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

CLICKS: Final = 100
MESSAGES: Final = 40
LATER: Final = 3_600_000
PACE: Final = 20
"""Requests per second for all processes, in the rate-limit test."""
DELIVERING: Final = 2.0
"""Allowance in seconds for a process that takes over to deliver due messages, on a busy machine."""


@asynccontextmanager
async def applications(url: str, processes: int) -> AsyncGenerator[list[Application]]:
    """Open the database several times, as several processes do."""
    async with AsyncExitStack() as stack:
        found = list[Application]()
        for _ in range(processes):
            database = await open_database(url)
            stack.push_async_callback(database.close)
            found.append(Application(database, shuffler=SeededShuffler("processes", generous=0)))
        yield found


@pytest.mark.parametrize(("processes", "times"), nightly_after(1, [(2, 1), (2, 50), (4, 50)]))
async def test_of_many_clicks_at_once_one_counts_each_time(url: str, processes: int, times: int) -> None:
    """Of a hundred simultaneous clicks on the same button, one makes a move and the others are refused.

    Here they reach several applications in one process, each with its own connections. Tests below use fewer clicks and
    real processes.
    """
    numbers = count(1)
    first, second = (Person(PersonId(number), f"Person {number}") for number in (1, 2))
    async with applications(url, processes) as apps:
        place = Place(GuildId(1), ChannelId(2), None)
        challenge = await apps[0].challenges.issue(
            first, [second.id], place, InteractionId(next(numbers)), rules="classic target=500"
        )
        _, match = await apps[-1].challenges.accept(second, challenge.id)
        assert match is not None
        for _ in range(times):
            before = await apps[0].lookup.table(match.id, 1)
            turn, version = before.view.turn, before.match.version
            assert turn is not None
            person_id = match.players[turn].id
            assert person_id is not None
            move = _some_move((await apps[0].lookup.hand(person_id, match.id)).view.moves)

            async def click(number: int, move: Move = move, by: PersonId = person_id, version: int = version) -> bool:
                try:
                    app = apps[number % processes]
                    await app.turns.move(by, match.id, move, InteractionId(next(numbers)), version=version)
                except Refusal:
                    return False
                return True

            counted = await asyncio.gather(*map(click, range(CLICKS)))
            assert sum(counted) == 1
            summary = await apps[-1].lookup.summary(match.id)
            assert summary.match.status is MatchStatus.RUNNING
            assert summary.match.version > version


def _some_move(moves: Iterable[Move]) -> Move:
    """Return the first move that does not end the deal."""
    return next(one for one in moves if one.verb in (Verb.PASS, Verb.DRAW, Verb.DISCARD, Verb.TAKE))


@asynccontextmanager
async def bots(sandbox: Sandbox, url: str, processes: int, shuffler: Shuffler) -> AsyncGenerator[list[Living]]:
    """Run a bot for each of this many shards, without waiting between identifies."""
    sandbox.gateway.starts.max_concurrency = processes
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                bot_on(
                    sandbox,
                    url,
                    shuffler=shuffler,
                    shards=Shards(frozenset((shard,)), processes),
                    taken_over_within=TAKEN_OVER_WITHIN,
                )
            )
            for shard in range(processes)
        ]


async def idle(alive: list[Living]) -> None:
    """Wait until all processes are idle."""
    for _ in range(2):
        for one in alive:
            await one.idle()


@pytest.mark.nightly
@pytest.mark.parametrize("processes", [2, 4])
async def test_matches_are_played_to_the_end_through_several_processes(url: str, processes: int) -> None:
    """Direct messages reach the first process, and channel messages the process of their server."""
    shuffler = SeededShuffler("matches", seeds=[f"table {number}" for number in range(1, processes + 1)])
    async with sandbox_of(halls(processes)) as sandbox, bots(sandbox, url, processes, shuffler) as alive:
        shuffler.follow(alive[0].app)
        players = list[Player]()
        for table in range(1, processes + 1):
            channel = sandbox.channel(f"table-{table}")
            two = [
                Player(sandbox, name, channel, f"processes {table}", by_dm=not number)
                for number, name in enumerate(pair(table))
            ]
            await sit_down(sandbox, *two, target=10)
            players += two
        await play_out(sandbox, players)
        await idle(alive)
        assert not sandbox.unanswered


@pytest.mark.parametrize("times", nightly_after(1, [3, 100]))
async def test_double_clicks_through_two_processes_make_one_move(url: str, times: int) -> None:
    """Of two clicks by the player whose turn it is and one by the opponent, one counts. Each is answered."""
    shuffler = SeededShuffler("clicks", generous=0)
    async with sandbox_of(halls(2)) as sandbox, bots(sandbox, url, 2, shuffler) as alive:
        channel = sandbox.channel("table-2")
        players = [Player(sandbox, name, channel, "clicks", by_dm=not number) for number, name in enumerate(pair(2))]
        await sit_down(sandbox, *players, target=1000)
        await double_click(sandbox, players, [one.app for one in alive], times)


@pytest.mark.nightly
@pytest.mark.parametrize("times", [40])
async def test_two_processes_that_edit_one_hand_keep_its_picture(url: str, times: int) -> None:
    """Two processes that edit the same hand never refer to a deleted picture."""
    shuffler = SeededShuffler("matches", seeds=["table 2"])
    async with sandbox_of(halls(2)) as sandbox, bots(sandbox, url, 2, shuffler) as alive:
        shuffler.follow(alive[0].app)
        first, second = (Player(sandbox, name, sandbox.channel("table-2"), "one hand") for name in pair(2))
        for player in (first, second):
            # Their hands are edited and never reposted.
            await prefer(alive[0].app, Person(PersonId(player.person.id), player.person.name), push=Push.NONE)
        await sit_down(sandbox, first, second, target=1000)
        endings = alive[1].app.endings
        for _ in range(times):
            await idle(alive)
            mover, deed = await next_turn(sandbox, [first, second])
            other = second if mover is first else first
            await (await mover.click(deed)).done()
            await idle(alive)
            if other.panel is not None and find_button(other.panel, Action.REFRESH_HAND) is not None:
                await press(other.person, other.panel, Action.REFRESH_HAND)
            await endings.call_off(PersonId(other.person.id), MatchId(1))
            await idle(alive)
            await endings.decline(PersonId(mover.person.id), MatchId(1))
        await idle(alive)
        assert sandbox.journal.refusals[50035] == 0
        assert all(player.panel is not None and player.panel.images for player in (first, second))


async def test_discord_says_who_sees_a_server_of_another_process(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who sees a channel can watch its match in direct messages, but not after leaving the server."""
    now = 0.0
    async with sandbox_of(halls(2)) as sandbox, bots(sandbox, url, 2, SeededShuffler("sight")) as alive:
        monkeypatch.setattr(alive[0].client.access, "_clock", lambda: now)
        channel, looker = sandbox.channel("table-2"), sandbox.person(pair(1)[0])
        await sit_down(sandbox, *(Player(sandbox, name, channel, "sight", by_dm=False) for name in pair(2)))
        assert channel.guild is not None
        assert alive[0].client.get_guild(channel.guild.id) is None
        message = (await (await looker.slash("gin help", looker.dm)).done()).message
        assert accent_of((await click(looker, message, Action.SHOW_SCORE, 1)).messages[-1]) != Accent.TROUBLE.value
        sandbox.moderation.leave(channel.guild, looker.user)
        now += CACHED_FOR
        assert accent_of((await click(looker, message, Action.SHOW_SCORE, 1)).messages[-1]) == Accent.TROUBLE.value


async def test_processes_connect_in_turns(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process identifies sooner than Discord allows, at the start and after all have lost their sessions."""
    monkeypatch.setattr(connections, "IDENTIFY_EVERY", 1.1)
    async with sandbox_of(halls(4)) as sandbox, AsyncExitStack() as stack:
        gateway = sandbox.gateway
        starts = gateway.starts
        # Without coordination they would identify together.
        starts.interval = 0.5
        started = [bot_on(sandbox, url, shards=Shards.parse(home)) for home in ("0-1/4", "2-3/4")]
        await asyncio.gather(*map(stack.enter_async_context, started))
        assert (gateway.identifies, starts.too_early) == (4, 0)
        await gateway.invalidate(resumable=False)
        await sandbox.until(lambda: gateway.identifies == 8 and gateway.connected, 60)
        assert starts.too_early == 0


async def test_processes_share_what_discord_allows_a_second(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes with many messages to deliver share Discord's rate limit."""
    monkeypatch.setattr(pace, "REQUESTS", PACE)
    await fill(url, servers=16, matches=MESSAGES // 2, played=MESSAGES // 2)
    # A process that is still alone would send at the full rate.
    onlooker, due_at = Onlooker(url), int(time() * 1000)
    onlooker.change("UPDATE outbox_message SET due_at = :later", later=due_at + LATER)
    world, _ = build_world(16, MESSAGES // 2)
    async with sandbox_of(world) as sandbox, bots(sandbox, url, 2, SeededShuffler("pace")) as alive:
        await eventually(lambda: all(one.app.leases.processes == 2 for one in alive))
        began = monotonic()
        onlooker.change("UPDATE outbox_message SET due_at = :due_at", due_at=due_at)
        for one in alive:
            one.app.outbox.notify()
        await sandbox.until(lambda: sandbox.journal.routes["POST /channels/{channel_id}/messages"] >= MESSAGES, 60)
        # Each process's first message does not wait. A busy machine only takes longer.
        assert monotonic() - began >= (MESSAGES / len(alive) - 1) * len(alive) / PACE


@asynccontextmanager
async def born(sandbox: Sandbox, folder: Path, url: str, processes: int) -> AsyncGenerator[list[Bot]]:
    """Start the parents of real processes, one for each shard, without waiting between identifies."""
    sandbox.gateway.starts.max_concurrency = processes
    async with AsyncExitStack() as stack:
        bots = list[Bot]()
        for shard in range(processes):
            place = folder / str(shard)
            place.mkdir()
            home = Shards(frozenset((shard,)), processes)
            bots.append(await stack.enter_async_context(Bot.born(sandbox, place, url=url, shards=home)))
        yield bots


@asynccontextmanager
async def alive(bots: Iterable[Bot]) -> AsyncGenerator[None]:
    """Run processes until the end of the block."""
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(stack.enter_async_context(bot.life()) for bot in bots))
        yield


def at_table(sandbox: Sandbox, table: int) -> list[Player]:
    """Return the players of a table. Both use direct messages, except the second player at tables after the first."""
    channel, (first, second) = sandbox.channel(f"table-{table}"), pair(table)
    return [
        Player(sandbox, first, channel, "processes"),
        Player(sandbox, second, channel, "processes", by_dm=table == 1),
    ]


async def turn_on_two_screens(sandbox: Sandbox, players: Sequence[Player]) -> tuple[Player, list[Deed]]:
    """Return the player whose turn it is, and the move as offered in direct messages and in the channel.

    A question appears on only one screen, so moves that answer one are made first.
    """
    while True:
        mover, deed = await next_turn(sandbox, players)
        shown = (await press(mover.person, table_of(mover), Action.SHOW_HAND)).message
        assert shown is not None
        if deed.custom_id in {one.custom_id for one in controls(shown)}:
            return mover, [deed, replace(deed, message=shown)]
        await mover.act()


@pytest.mark.nightly
@pytest.mark.parametrize(("processes", "times"), [(2, 25), (4, 25)])
async def test_of_many_clicks_on_two_screens_one_counts_each_time(
    tmp_path: Path, url: str, processes: int, times: int
) -> None:
    """Of a hundred clicks, half by direct message and half from the channel in another process, one counts.

    Each click is answered, and the answers match the log.
    """
    async with (
        Sandbox(halls(processes)) as sandbox,
        born(sandbox, tmp_path, url, processes) as bots,
        alive(bots),
    ):
        database, witness, channel = bots[0].database, Witness(), sandbox.channel(f"table-{processes}")
        sandbox.interactions.observers.append(witness)
        players = [Player(sandbox, name, channel, "many clicks") for name in pair(processes)]
        await sit_down(sandbox, *players, target=1000)
        for _ in range(times):
            mover, deeds = await turn_on_two_screens(sandbox, players)
            made = await asyncio.gather(*(mover.click(one) for one in deeds * (CLICKS // 2)))
            await asyncio.gather(*(click.answer() for click in made))
            assert sum(not witness.told[click.id].refused for click in made) == 1
            await settled(sandbox, database)
            verify(database, witness, players)
        assert not witness.broken
        assert not sandbox.unanswered


LEAVE_WORK: Final = {AFTER_COMMIT, "after a post", "before outcomes are recorded", "while outcomes are recorded"}
"""The fates that strike before a delivery, or before its outcome is recorded."""


def shown_version(player: Player) -> int:
    """Return the version of the match that the player's table shows."""
    return max(one.event.version for one in controls(table_of(player)))


async def test_what_a_process_leaves_is_delivered_by_another(url: str) -> None:
    """If a process dies after saving a move, another updates the table, and the move is logged once."""
    async with sandbox_of(halls(2)) as sandbox, bots(sandbox, url, 2, SeededShuffler("left", generous=0)) as alive:
        channel = sandbox.channel("table-2")
        # Clicks in the channel reach the second process.
        players = [Player(sandbox, name, channel, "left", by_dm=False) for name in pair(2)]
        await sit_down(sandbox, *players, target=1000)
        await idle(alive)
        life = Life(alive[1], alone=False)
        with life.doomed(AFTER_COMMIT):
            mover, deed = await next_turn(sandbox, players)
            before = shown_version(mover)
            made = await mover.click(deed)
            await life.death()
        assert not nothing_due(Onlooker(url), timedelta())
        await eventually(lambda: nothing_due(Onlooker(url), timedelta()))
        await alive[0].idle()
        match = await alive[0].app.lookup.info(MatchId(1))
        assert before < shown_version(mover) == match.version
        assert Onlooker(url).rows("SELECT count(*) FROM action WHERE interaction_id = :made", made=made.id) == [(1,)]
        sandbox.interactions.close()


@pytest.mark.nightly
@pytest.mark.parametrize("processes", [2, 4])
async def test_the_work_of_a_process_that_dies_is_done_by_another(tmp_path: Path, url: str, processes: int) -> None:
    """After a death, no acknowledged move is lost or message duplicated, and due messages arrive within the lease."""
    lives = 2
    async with (
        Sandbox(halls(processes)) as sandbox,
        born(sandbox, tmp_path, url, processes) as bots,
        alive(one for number, one in enumerate(bots) if number != 1),
    ):
        bot, witness = bots[1], Witness()
        sandbox.interactions.observers.append(witness)
        seated = [at_table(sandbox, table) for table in range(1, processes + 1)]
        players = [player for two in seated for player in two]
        async with bot.life():
            for first, second in seated:
                await sit_down(sandbox, first, second, target=TARGET)
        for fate, number in in_random_order(FATES, lives, 4):
            async with bot.life(fate, number) as death:
                await delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot.database, witness, players, bot.deaths.total())
                await play_on(sandbox, players, death)
            died_at = asyncio.get_running_loop().time()
            assert fate not in LEAVE_WORK or not nothing_due(bot.database, timedelta()), fate
            await eventually(lambda: nothing_due(bot.database, timedelta()))
            took = asyncio.get_running_loop().time() - died_at
            assert took < TAKEN_OVER_WITHIN.total_seconds() + DELIVERING, (fate, took)
            assert not witness.broken
        async with bot.life() as death:
            await play_out(sandbox, players)
            await delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.deaths.total())
        assert not witness.broken
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.deaths == dict.fromkeys(FATES, lives)


@pytest.mark.nightly
async def test_a_killed_process_that_starts_again_works_at_once(tmp_path: Path, url: str) -> None:
    """A restarted process does not wait for its earlier leases to expire: a move reaches the other player sooner."""
    async with Sandbox(hall(1)) as sandbox:
        players = [Player(sandbox, name, sandbox.channel("table-1"), "killed") for name in pair(1)]
        environment = {**settings_for(sandbox), "DEADWOOD_DATABASE_URL": url}
        async with started(tmp_path, [*BOT, "run"], environment):
            await sandbox.ready(60)
            await sit_down(sandbox, *players, target=1000)
            await next_turn(sandbox, players)
        await sandbox.until(lambda: not sandbox.gateway.connected)
        async with started(tmp_path, [*BOT, "run"], environment):
            await sandbox.ready(60)
            mover, deed = await next_turn(sandbox, players)
            (other,) = (player for player in players if player is not mover)
            while not other.has_turn:
                await (await mover.click(deed)).answer()
                await sandbox.until(lambda: mover.has_turn or other.has_turn, 0.8 * LEASES.total_seconds())
                deed = mover.choose() or deed
