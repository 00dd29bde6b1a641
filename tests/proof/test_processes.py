"""Several processes share a database: each click counts once, and a killed process's work is taken over."""

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

from bot.connection import connections
from bot.engine.deals.moves import Move, Verb
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Person, Push
from bot.model.shards import Shards
from bot.play.application import Application
from bot.play.matches.shuffler import Shuffler
from bot.play.refusals import Refusal
from bot.play.sharing.leases import TAKEOVER_TIME as LEASES
from bot.sandbox import Sandbox
from bot.store.opening import open_database
from cogs.actions import Action
from cogs.delivery import pace
from cogs.delivery.access import CACHE_SECONDS
from cogs.kit.layout import Accent
from tests.helpers.cases import nightly_after
from tests.helpers.components import accent_of, controls, find_button
from tests.helpers.double_clicks import double_click, double_request
from tests.helpers.forgery import click
from tests.helpers.living import RunningBot, bot_on, sandbox_of
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import (
    PlannedClick,
    Player,
    allow_take_backs,
    challenge_and_accept,
    let_the_bot_draw,
    next_turn,
    play_out,
    press,
    table_of,
)
from tests.helpers.processes import BOT, settings_for, started
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import prefer
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, halls, pair
from tests.load.filling import build_world, fill
from tests.proof.deaths import BotRun
from tests.proof.histories import Witness, is_nothing_due, verify, wait_until_settled
from tests.proof.lives import Bot, wait_until_delivered
from tests.proof.mortal import AFTER_COMMIT, ANSWERED_WITHIN, TAKEN_OVER_WITHIN
from tests.proof.test_kills import KILL_POINTS, TARGET, play_on, random_kills

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

CLICKS: Final = 100
MESSAGES: Final = 40
LATER_MS: Final = 3_600_000
REQUESTS_PER_SECOND: Final = 20
"""Requests per second of all processes together, in the test of the rate limit that they share."""
DELIVERY_SECONDS: Final = 2.0
"""Time to deliver due messages after taking over another process's work, on a busy machine, in seconds."""
SOON: Final = 2 * ANSWERED_WITHIN
"""A time within which all messages are due. A draw by click changes only the mover's hand, after `ANSWERED_WITHIN`."""


@asynccontextmanager
async def applications(url: str, processes: int) -> AsyncGenerator[list[Application]]:
    """Open the database this many times, each with its own application, like several processes."""
    async with AsyncExitStack() as stack:
        found = list[Application]()
        for _ in range(processes):
            database = await open_database(url)
            stack.push_async_callback(database.close)
            found.append(Application(database, shuffler=SeededShuffler("processes", generous=0)))
        yield found


@pytest.mark.parametrize(("processes", "times"), nightly_after(1, [(2, 1), (2, 50), (4, 50)]))
async def test_one_of_many_simultaneous_clicks_counts(url: str, processes: int, times: int) -> None:
    """Of a hundred simultaneous clicks on the same button, one makes a move and all others are refused.

    The clicks reach several applications in one process, each with its own connections. Tests below use real processes
    and fewer clicks.
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
            turn = (await apps[0].lookup.table(match.id, 1)).view.turn
            assert turn is not None
            person_id = match.players[turn].id
            assert person_id is not None
            hand = await apps[0].lookup.hand(person_id, match.id)
            move, version = _some_move(hand.view.moves), hand.match.version

            async def click(number: int, move: Move = move, by: PersonId = person_id, version: int = version) -> bool:
                try:
                    app = apps[number % processes]
                    await app.turns.move(by, match.id, move, InteractionId(next(numbers)), version=version)
                except Refusal:
                    return False
                return True

            counted = await asyncio.gather(*map(click, range(CLICKS)))
            assert sum(counted) == 1
            info = await apps[-1].lookup.info(match.id)
            assert info.status is MatchStatus.RUNNING
            assert info.version > version


def _some_move(moves: Iterable[Move]) -> Move:
    """Return the first of these moves that does not end the deal."""
    return next(move for move in moves if move.verb in (Verb.PASS, Verb.DRAW, Verb.DISCARD, Verb.TAKE))


@asynccontextmanager
async def run_local_bots(
    sandbox: Sandbox, url: str, processes: int, shuffler: Shuffler
) -> AsyncGenerator[list[RunningBot]]:
    """Run this many bots with one shard each, all in this process. No bot needs to wait before it identifies."""
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


async def wait_until_idle(alive: list[RunningBot]) -> None:
    """Wait until all processes are idle."""
    for _ in range(2):
        for bot in alive:
            await bot.idle()


@pytest.mark.nightly
@pytest.mark.parametrize("processes", [2, 4])
async def test_matches_are_played_to_the_end_through_several_processes(url: str, processes: int) -> None:
    """Matches can be played to the end if the clicks of their two players reach different processes."""
    shuffler = SeededShuffler("matches", seeds=[f"table {number}" for number in range(1, processes + 1)])
    async with sandbox_of(halls(processes)) as sandbox, run_local_bots(sandbox, url, processes, shuffler) as alive:
        shuffler.follow(alive[0].app)
        players = list[Player]()
        for table in range(1, processes + 1):
            channel = sandbox.channel(f"table-{table}")
            two = [
                Player(sandbox, name, channel, f"processes {table}", by_dm=not number, plans_ahead=True)
                for number, name in enumerate(pair(table))
            ]
            await challenge_and_accept(sandbox, *two, target=10)
            await let_the_bot_draw(two[1])
            for player in two:
                await allow_take_backs(player)
            players += two
        await play_out(sandbox, players)
        await wait_until_idle(alive)
        assert not sandbox.unanswered


@pytest.mark.parametrize("times", nightly_after(1, [3, 100]))
async def test_double_clicks_through_two_processes_make_one_move(url: str, times: int) -> None:
    """Of two clicks by one player and one by the opponent, in two processes, one makes a move. All are answered."""
    shuffler = SeededShuffler("clicks", generous=0)
    async with sandbox_of(halls(2)) as sandbox, run_local_bots(sandbox, url, 2, shuffler) as alive:
        channel = sandbox.channel("table-2")
        players = [
            Player(sandbox, name, channel, "clicks", by_dm=not number, plans_ahead=True)
            for number, name in enumerate(pair(2))
        ]
        await challenge_and_accept(sandbox, *players, target=1000)
        await let_the_bot_draw(players[1])
        for player in players:
            await allow_take_backs(player)
        await double_click(sandbox, players, [bot.app for bot in alive], times)


@pytest.mark.parametrize("times", nightly_after(1, [1, 20]))
async def test_requests_through_two_processes_count_once(url: str, times: int) -> None:
    """Of two requests to take a discard back, one counts. Of two answers and a move in another process, one counts."""
    shuffler = SeededShuffler("requests", generous=0)
    async with sandbox_of(halls(2)) as sandbox, run_local_bots(sandbox, url, 2, shuffler) as alive:
        channel = sandbox.channel("table-2")
        players = [Player(sandbox, name, channel, "requests", by_dm=not number) for number, name in enumerate(pair(2))]
        await challenge_and_accept(sandbox, *players, target=1000)
        for player in players:
            await allow_take_backs(player)
        await double_request(sandbox, players, [bot.app for bot in alive], times)


@pytest.mark.nightly
@pytest.mark.parametrize("times", [40])
async def test_two_processes_that_edit_one_hand_keep_its_picture(url: str, times: int) -> None:
    """If two processes edit the same hand, neither refers to a picture that the other has deleted."""
    shuffler = SeededShuffler("matches", seeds=["table 2"])
    async with sandbox_of(halls(2)) as sandbox, run_local_bots(sandbox, url, 2, shuffler) as alive:
        shuffler.follow(alive[0].app)
        first, second = (Player(sandbox, name, sandbox.channel("table-2"), "one hand") for name in pair(2))
        for player in (first, second):
            # Without push notifications, hands are edited instead of posted again.
            await prefer(alive[0].app, Person(PersonId(player.person.id), player.person.name), push=Push.NONE)
        await challenge_and_accept(sandbox, first, second, target=1000)
        endings = alive[1].app.endings
        for _ in range(times):
            await wait_until_idle(alive)
            mover, deed = await next_turn(sandbox, [first, second])
            other = second if mover is first else first
            await (await mover.click(deed)).done()
            await wait_until_idle(alive)
            if other.panel is not None and find_button(other.panel, Action.REFRESH_HAND) is not None:
                await press(other.person, other.panel, Action.REFRESH_HAND)
            await endings.call_off(PersonId(other.person.id), MatchId(1))
            await wait_until_idle(alive)
            await endings.decline(PersonId(mover.person.id), MatchId(1))
        await wait_until_idle(alive)
        assert sandbox.journal.refusals[50035] == 0
        assert all(player.panel is not None and player.panel.images for player in (first, second))


async def test_discord_says_who_sees_a_server_of_another_process(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person may watch a match on another process's server only while they see its channel, according to Discord."""
    now = 0.0
    async with sandbox_of(halls(2)) as sandbox, run_local_bots(sandbox, url, 2, SeededShuffler("sight")) as alive:
        monkeypatch.setattr(alive[0].client.access, "_clock", lambda: now)
        channel, looker = sandbox.channel("table-2"), sandbox.person(pair(1)[0])
        await challenge_and_accept(sandbox, *(Player(sandbox, name, channel, "sight", by_dm=False) for name in pair(2)))
        assert channel.guild is not None
        assert alive[0].client.get_guild(channel.guild.id) is None
        message = (await (await looker.slash("gin help", looker.dm)).done()).message
        assert accent_of((await click(looker, message, Action.SHOW_SCORE, 1)).messages[-1]) != Accent.TROUBLE.value
        sandbox.moderation.leave(channel.guild, looker.user)
        now += CACHE_SECONDS
        assert accent_of((await click(looker, message, Action.SHOW_SCORE, 1)).messages[-1]) == Accent.TROUBLE.value


async def test_processes_connect_in_turns(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes take turns to identify as Discord requires, at the start and after losing all sessions."""
    monkeypatch.setattr(connections, "IDENTIFY_INTERVAL", 1.1)
    async with sandbox_of(halls(4)) as sandbox, AsyncExitStack() as stack:
        gateway = sandbox.gateway
        starts = gateway.starts
        # If processes did not take turns, they would identify too early, and the sandbox would count that.
        starts.interval = 0.5
        started = [bot_on(sandbox, url, shards=Shards.parse(home)) for home in ("0-1/4", "2-3/4")]
        await asyncio.gather(*map(stack.enter_async_context, started))
        assert (gateway.identifies, starts.too_early) == (4, 0)
        await gateway.invalidate(resumable=False)
        await sandbox.until(lambda: gateway.identifies == 8 and gateway.connected, 60)
        assert starts.too_early == 0


async def test_processes_share_the_rate_limit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes with many messages to deliver stay within Discord's rate limit together."""
    monkeypatch.setattr(pace, "REQUESTS_PER_SECOND", REQUESTS_PER_SECOND)
    await fill(url, servers=16, matches=MESSAGES // 2, played=MESSAGES // 2)
    # Delay all messages until each process knows of the other: a single process would send at the full rate.
    onlooker, due_at = DatabaseInspector(url), int(time() * 1000)
    onlooker.change("UPDATE outbox_message SET due_at = :later", later=due_at + LATER_MS)
    world, _ = build_world(16, MESSAGES // 2)
    async with sandbox_of(world) as sandbox, run_local_bots(sandbox, url, 2, SeededShuffler("pace")) as alive:
        await eventually(lambda: all(bot.app.leases.process_count == 2 for bot in alive))
        began = monotonic()
        onlooker.change("UPDATE outbox_message SET due_at = :due_at", due_at=due_at)
        for bot in alive:
            bot.app.outbox.notify()
        await sandbox.until(lambda: sandbox.journal.routes["POST /channels/{channel_id}/messages"] >= MESSAGES, 60)
        # Each process sends only its first message without waiting. On a busy machine, sending can only take longer.
        assert monotonic() - began >= (MESSAGES / len(alive) - 1) * len(alive) / REQUESTS_PER_SECOND


@asynccontextmanager
async def prepare_bots(sandbox: Sandbox, folder: Path, url: str, processes: int) -> AsyncGenerator[list[Bot]]:
    """Prepare this many real processes with one shard each. No process needs to wait before it identifies."""
    sandbox.gateway.starts.max_concurrency = processes
    async with AsyncExitStack() as stack:
        bots = list[Bot]()
        for shard in range(processes):
            place = folder / str(shard)
            place.mkdir()
            home = Shards(frozenset((shard,)), processes)
            bots.append(await stack.enter_async_context(Bot.prepared(sandbox, place, url=url, shards=home)))
        yield bots


@asynccontextmanager
async def run_bots(bots: Iterable[Bot]) -> AsyncGenerator[None]:
    """Run processes until the end of the block."""
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(stack.enter_async_context(bot.run()) for bot in bots))
        yield


def players_at(sandbox: Sandbox, table: int) -> list[Player]:
    """Return a table's players. Both play by direct message at table 1, and only the first at all other tables."""
    channel, (first, second) = sandbox.channel(f"table-{table}"), pair(table)
    return [
        Player(sandbox, first, channel, "processes"),
        Player(sandbox, second, channel, "processes", by_dm=table == 1),
    ]


async def turn_on_two_screens(sandbox: Sandbox, players: Sequence[Player]) -> tuple[Player, list[PlannedClick]]:
    """Return the player whose turn it is, and two clicks for one move: in direct messages, and in the channel.

    Moves that only one of the two places offers, such as the answer to a question, are made first.
    """
    while True:
        mover, deed = await next_turn(sandbox, players)
        shown = (await press(mover.person, table_of(mover), Action.SHOW_HAND)).message
        assert shown is not None
        if deed.custom_id in {control.custom_id for control in controls(shown)}:
            return mover, [deed, replace(deed, message=shown)]
        await mover.act()


@pytest.mark.nightly
@pytest.mark.parametrize(("processes", "times"), [(2, 25), (4, 25)])
async def test_one_of_many_clicks_on_two_screens_counts(tmp_path: Path, url: str, processes: int, times: int) -> None:
    """Of a hundred clicks, half in direct messages and half in a channel of another process, one makes a move.

    Each click is answered, and the answers match the log.
    """
    async with (
        Sandbox(halls(processes)) as sandbox,
        prepare_bots(sandbox, tmp_path, url, processes) as bots,
        run_bots(bots),
    ):
        database, witness, channel = bots[0].database, Witness(), sandbox.channel(f"table-{processes}")
        sandbox.interactions.observers.append(witness)
        players = [Player(sandbox, name, channel, "many clicks") for name in pair(processes)]
        await challenge_and_accept(sandbox, *players, target=1000)
        for _ in range(times):
            mover, deeds = await turn_on_two_screens(sandbox, players)
            made = await asyncio.gather(*(mover.click(deed) for deed in deeds * (CLICKS // 2)))
            await asyncio.gather(*(click.answer() for click in made))
            assert sum(not witness.answers[click.id].refused for click in made) == 1
            await wait_until_settled(sandbox, database)
            verify(database, witness, players)
        assert not witness.failures
        assert not sandbox.unanswered


KILL_POINTS_BEFORE_DELIVERY: Final = {
    AFTER_COMMIT,
    "after a post",
    "before outcomes are recorded",
    "while outcomes are recorded",
}
"""The kill points before a message is delivered, or before its delivery is recorded."""


def shown_version(player: Player) -> int:
    """Return the version of the match that the player's table shows."""
    return max(control.event.version for control in controls(table_of(player)))


async def test_undelivered_messages_are_delivered_by_another_process(url: str) -> None:
    """If a process is killed after saving a move, another one updates the table, and the move is logged once."""
    async with (
        sandbox_of(halls(2)) as sandbox,
        run_local_bots(sandbox, url, 2, SeededShuffler("left", generous=0)) as alive,
    ):
        channel = sandbox.channel("table-2")
        # All clicks are made in a channel of the second process.
        players = [Player(sandbox, name, channel, "left", by_dm=False) for name in pair(2)]
        await challenge_and_accept(sandbox, *players, target=1000)
        await wait_until_idle(alive)
        life = BotRun(alive[1], alone=False)
        with life.killed_at(AFTER_COMMIT):
            mover, deed = await next_turn(sandbox, players)
            before = shown_version(mover)
            made = await mover.click(deed)
            await life.wait_for_death()
        assert not is_nothing_due(DatabaseInspector(url), timedelta())
        await eventually(lambda: is_nothing_due(DatabaseInspector(url), timedelta()))
        await alive[0].idle()
        match = await alive[0].app.lookup.info(MatchId(1))
        assert before < shown_version(mover) == match.version
        assert DatabaseInspector(url).rows(
            "SELECT count(*) FROM action WHERE interaction_id = :made", made=made.id
        ) == [(1,)]
        sandbox.interactions.close()


@pytest.mark.nightly
@pytest.mark.parametrize("processes", [2, 4])
async def test_the_work_of_a_process_that_dies_is_done_by_another(tmp_path: Path, url: str, processes: int) -> None:
    """After a kill, no acknowledged move is lost, no message is duplicated, and another process delivers the rest."""
    lives = 2
    async with (
        Sandbox(halls(processes)) as sandbox,
        prepare_bots(sandbox, tmp_path, url, processes) as bots,
        run_bots(bot for number, bot in enumerate(bots) if number != 1),
    ):
        bot, witness = bots[1], Witness()
        sandbox.interactions.observers.append(witness)
        seated = [players_at(sandbox, table) for table in range(1, processes + 1)]
        players = [player for two in seated for player in two]
        async with bot.run():
            for first, second in seated:
                await challenge_and_accept(sandbox, first, second, target=TARGET)
        for fate, number in random_kills(KILL_POINTS, lives, 4):
            async with bot.run(fate, number) as death:
                await wait_until_delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot.database, witness, players, bot.kills.total())
                await play_on(sandbox, players, death)
            died_at = asyncio.get_running_loop().time()
            assert fate not in KILL_POINTS_BEFORE_DELIVERY or not is_nothing_due(bot.database, SOON), fate
            await eventually(lambda: is_nothing_due(bot.database, SOON))
            took = asyncio.get_running_loop().time() - died_at
            assert took < TAKEN_OVER_WITHIN.total_seconds() + DELIVERY_SECONDS, (fate, took)
            assert not witness.failures
        async with bot.run() as death:
            await play_out(sandbox, players)
            await wait_until_delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.kills.total())
        assert not witness.failures
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.kills == dict.fromkeys(KILL_POINTS, lives)


@pytest.mark.nightly
async def test_a_killed_process_that_starts_again_works_at_once(tmp_path: Path, url: str) -> None:
    """A restarted process does not wait until its earlier leases expire: the other player soon sees a move."""
    async with Sandbox(hall(1)) as sandbox:
        players = [Player(sandbox, name, sandbox.channel("table-1"), "killed") for name in pair(1)]
        environment = {**settings_for(sandbox), "DEADWOOD_DATABASE_URL": url}
        async with started(tmp_path, [*BOT, "run"], environment):
            await sandbox.ready(60)
            await challenge_and_accept(sandbox, *players, target=1000)
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
