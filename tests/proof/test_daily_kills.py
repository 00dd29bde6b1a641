"""`kill -9` of the bot while people play the deal of the day, and while it is closed. The kills are simulated."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.engine.fairness.fair import hashed
from bot.model.daily import DailyScore, day_at, end_of
from bot.model.ids import ChannelId, GuildId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.play.application import Application
from bot.play.daily import days, posts
from bot.play.daily.days import CLOSING_DELAY
from bot.play.refusals import Unavailable
from bot.sandbox import Channel, Message, Person, World
from cogs.actions import Action
from tests.cogs.scenes import person_of
from tests.helpers.clock import Clock
from tests.helpers.components import find_button, has_button
from tests.helpers.daily_players import play_on
from tests.helpers.players import Player
from tests.helpers.table import change_settings, interaction
from tests.helpers.thinkers import make_reviews_brief, use_local_thinker
from tests.helpers.waiting import MAX_WAIT
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.deaths import BotRun, BotRuns, SimulatedKillError, prepare_runs
from tests.proof.histories import Witness
from tests.proof.mortal import AFTER_COMMIT, BEFORE_CALLING_OFF, DAILY_POINTS, POINTS
from tests.proof.test_leaks import seeded_chains

SEED: Final = "daily kills"
NEVER_REACHED: Final = ("before a replaced message is deleted", "after a message is deleted")
"""The kill points that a try does not reach: its hand stays in one message."""
KILLS: Final = [
    *((AFTER_COMMIT, count) for count in range(1, 7)),
    *((fate, 1) for fate in POINTS if fate not in NEVER_REACHED),
    *((fate, 2) for fate in ("before commit", "after the answer", "while outcomes are recorded")),
]
NOT_NIGHTLY: Final = [(AFTER_COMMIT, 1), (AFTER_COMMIT, 2), ("before commit", 2), ("while outcomes are recorded", 1)]

ANNEXE: Final = "annexe"
REACHED_ONCE: Final = (
    *("before a day is closed", "after a day is closed"),
    *("before a daily deal begins", "after a daily deal has begun"),
)
"""The kill points that the end of a day reaches once. It reaches the others for each try or server."""
CLOSING_KILLS: Final = [
    *((fate, 1) for fate in (BEFORE_CALLING_OFF, *DAILY_POINTS)),
    *((fate, 2) for fate in (BEFORE_CALLING_OFF, *DAILY_POINTS) if fate not in REACHED_ONCE),
    *((fate, 1) for fate in ("before delivery", "after a post", "after an edit", "while outcomes are recorded")),
]
CLOSING_NOT_NIGHTLY: Final = [
    (BEFORE_CALLING_OFF, 2),
    ("before a day is closed", 1),
    ("after results are requested", 1),
    ("before daily posts are requested", 2),
]


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy, and review quickly."""
    use_local_thinker(monkeypatch)
    make_reviews_brief(monkeypatch)


@pytest.fixture
def small_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each transaction end one try or change one post, so that the bot can be killed in between."""
    monkeypatch.setattr(days, "TRIES_PER_TRANSACTION", 1)
    monkeypatch.setattr(posts, "POSTS_PER_TRANSACTION", 1)


class DailyPlayer:
    """A person who begins and plays the deal of the day, with whatever message shows it."""

    def __init__(self, lives: BotRuns) -> None:
        self._channel = lives.sandbox.channel("table-1")
        self._sandbox = lives.sandbox
        self.player = Player(lives.sandbox, pair(1)[0], self._channel, SEED)

    @property
    def person(self) -> Person:
        return self.player.person

    async def play(self, life: BotRun) -> Message | None:
        """Play until the deal is over. Return the message with the result; None if the bot was killed before."""
        playing, killed = asyncio.create_task(self._play()), asyncio.create_task(life.killed.wait())
        try:
            await asyncio.wait({playing, killed}, timeout=MAX_WAIT, return_when=asyncio.FIRST_COMPLETED)
            return None if life.killed.is_set() else playing.result()
        finally:
            # After a kill, a press is not answered before the end of the bot's run.
            playing.cancel()
            killed.cancel()
            await asyncio.gather(playing, killed, return_exceptions=True)

    async def _play(self) -> Message:
        await self._sandbox.until(lambda: self.person.commands(self._channel))
        while True:
            made = await (await self.person.slash("gin daily", self._channel)).done()
            if has_button(made.message, Action.SHARE_DAILY):
                return made.message
            if begin := find_button(made.message, Action.START_DAILY):
                await (await self.person.press(made.message, begin)).done()
            await self._wait_for_turn()
            while self.player.has_turn:
                await self.player.act()
                await self._wait_for_turn()

    async def _wait_for_turn(self) -> None:
        """Wait until the person can move, or the deal is over."""
        await self._sandbox.until(lambda: self.player.has_turn or self._has_result())

    def _has_result(self) -> bool:
        return any(has_button(message, Action.SHARE_DAILY) for message in self.person.direct_messages())


async def play_through(folder: Path, fate: str, count: int) -> None:
    """Kill the bot once during a try, play on after the restart, and check the log, the try and its result."""
    clock = Clock()
    with seeded_chains(SEED):
        async with prepare_runs(folder, hall(1), clock) as lives:
            player, witness = DailyPlayer(lives), Witness()
            lives.sandbox.interactions.observers.append(witness)
            async with lives.run() as life:
                with life.killed_at(fate, count):
                    assert await player.play(life) is None
            async with lives.run() as life:
                assert await player.play(life) is not None
                await life.alive.idle()
                ((match_id, *result),) = lives.database.rows("SELECT match_id, points, turns FROM daily_try")
                hand = await life.alive.app.lookup.hand(PersonId(player.person.id), MatchId(match_id))
            assert hand.daily_score is not None
            assert result == [hand.daily_score.points, hand.daily_score.turns]
            assert lives.database.rows("SELECT count(*) FROM match") == [(1,)]
            assert lives.database.rows("SELECT count(*) FROM daily_entry") == [(1,)]
            _check_moves(lives, player.player, witness)
            results = [
                message for message in player.person.direct_messages() if has_button(message, Action.SHARE_DAILY)
            ]
            assert len(results) == 1


def _check_moves(lives: BotRuns, player: Player, witness: Witness) -> None:
    """Check that each press that was answered is in the log once, and each press without an answer at most once."""
    logged = Counter(
        interaction_id
        for (interaction_id,) in lives.database.rows(
            "SELECT interaction_id FROM action WHERE interaction_id IS NOT NULL AND text LIKE '0 %'"
        )
    )
    for made in player.interactions:
        answer, times = witness.answers.get(made.id), logged.pop(made.id, 0)
        assert times == int(not answer.refused) if answer is not None else times <= 1, made
    assert not logged


@pytest.mark.thorough
@pytest.mark.parametrize(("fate", "count"), NOT_NIGHTLY)
async def test_a_try_survives_a_kill(tmp_path: Path, fate: str, count: int) -> None:
    """If the bot is killed during a try, the try goes on where it was, and has one result."""
    await play_through(tmp_path, fate, count)


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize(("fate", "count"), [kill for kill in KILLS if kill not in NOT_NIGHTLY])
async def test_a_try_survives_a_kill_at_any_moment(tmp_path: Path, fate: str, count: int) -> None:
    """If the bot is killed at any point of a try, the try goes on where it was, and has one result."""
    await play_through(tmp_path, fate, count)


def two_servers() -> World:
    """Return a world with two servers that have everybody as a member, with the channels `table-1` and `annexe`."""
    world = hall(1)
    people = [user for user in world.users.values() if user is not world.bot]
    world.add_channel(world.add_guild("The Annexe", people), ANNEXE)
    return world


def daily_posts(channel: Channel, reader: Person) -> list[Message]:
    """Return the posts of the deals of the day in a channel, and the results that they have become."""
    return [message for message in reader.sees(channel) if has_button(message, Action.DAILY)]


async def do_chores(app: Application) -> None:
    """Do the chores of the deals of the day."""
    await app.daily_deals.close_past()
    await app.daily_deals.begin_today()
    await app.daily_posts.run()


async def pass_a_minute(life: BotRun, clock: Clock) -> None:
    """Let a minute pass: failed deliveries are retried only then, and hands that were just used are updated."""
    await life.pass_time(clock, timedelta(minutes=1))
    await life.alive.idle()


class ClosingDay:
    """A day whose deal is posted on two servers. Three people begin it, but only the first of them finishes it."""

    def __init__(self, lives: BotRuns) -> None:
        sandbox = lives.sandbox
        self._rows = lives.database.rows
        self._people = [sandbox.person(name) for name in (*pair(1), SPECTATOR)]
        self._channels = [sandbox.channel(name) for name in ("table-1", ANNEXE)]
        self._posts = list[Message]()
        self._score: DailyScore | None = None

    async def begin(self, life: BotRun, clock: Clock) -> None:
        """Post the deal, and let the people play until one of them has finished and everything is delivered."""
        app, servers = life.alive.app, [guild_of(channel) for channel in self._channels]
        for channel, server in zip(self._channels, servers, strict=True):
            await change_settings(app, server, daily_channel=ChannelId(channel.id), daily_hour=0)
        await do_chores(app)
        for person in self._people:
            await app.people.save_person(person_of(person))
            await app.people.save_dm_opened(PersonId(person.id), ChannelId(person.dm.id))
            for server in servers:
                await app.daily_tries.start(person_of(person), server, interaction())
        self._score = (await play_on(app, PersonId(self._people[0].id), SEED)).daily_score
        await pass_a_minute(life, clock)
        self._posts = [post for channel in self._channels for post in daily_posts(channel, self._people[0])]
        assert len(self._posts) == len(self._channels)

    def check(self) -> None:
        """Check that each try ended once, each post has become its result, and the next deal is posted once."""
        ended = [MatchStatus.FINISHED, MatchStatus.CANCELLED, MatchStatus.CANCELLED]
        assert self._rows("SELECT status FROM match ORDER BY id") == [(status,) for status in ended]
        assert self._score is not None
        finished = self._rows("SELECT points, turns FROM daily_try WHERE points IS NOT NULL")
        assert finished == [(self._score.points, self._score.turns)]
        self._check_chain()
        for channel, post in zip(self._channels, self._posts, strict=True):
            result, invitation = daily_posts(channel, self._people[0])
            assert result is post
            assert [has_button(message, Action.DAILY_STANDINGS) for message in (result, invitation)] == [True, False]
        for person in self._people:
            over = [message for message in person.direct_messages() if has_button(message, Action.DAILY_CALENDAR)]
            assert len(over) == 1

    def _check_chain(self) -> None:
        """Check that the secret seeds of the closed deal are deleted, and that each try reveals the used ones once."""
        ((commitment, secrets),) = self._rows(
            "SELECT commitment, checkpoints FROM daily_deal JOIN chain ON chain.id = daily_deal.chain_id"
            " WHERE daily_deal.closed_at IS NOT NULL"
        )
        assert secrets is None
        assert self._rows("SELECT count(*) FROM daily_deal") == self._rows("SELECT count(*) FROM chain") == [(2,)]
        revealed = self._rows("SELECT match_id, text FROM action WHERE text LIKE 'reveal %'")
        assert len({*revealed}) == len(revealed)
        first = [(match_id, text.split()[-1]) for match_id, text in revealed if text.startswith("reveal 1 ")]
        assert [(match_id,) for match_id, _ in sorted(first)] == self._rows("SELECT id FROM match ORDER BY id")
        assert {hashed(bytes.fromhex(seed)) for _, seed in first} == {bytes(commitment)}


def guild_of(channel: Channel) -> GuildId:
    """Return the server of a channel."""
    assert channel.guild is not None
    return GuildId(channel.guild.id)


async def close_through(folder: Path, fate: str, count: int) -> None:
    """Kill the bot once while a day is closed, let it finish that after the restart, and check the result."""
    clock = Clock()
    with seeded_chains(SEED):
        async with prepare_runs(folder, two_servers(), clock) as lives:
            closing = ClosingDay(lives)
            async with lives.run() as life:
                await closing.begin(life, clock)
                await life.pass_time(clock, end_of(day_at(clock.now)) + CLOSING_DELAY - clock.now)
                with life.killed_at(fate, count):
                    with suppress(SimulatedKillError, Unavailable):
                        await do_chores(life.alive.app)
                    await life.wait_for_death()
            async with lives.run() as life:
                await do_chores(life.alive.app)
                await pass_a_minute(life, clock)
                closing.check()


@pytest.mark.thorough
@pytest.mark.usefixtures("small_transactions")
@pytest.mark.parametrize(("fate", "count"), CLOSING_NOT_NIGHTLY)
async def test_the_end_of_a_day_survives_a_kill(tmp_path: Path, fate: str, count: int) -> None:
    """If the bot is killed while a day is closed, each try still ends once, and each post becomes its result once."""
    await close_through(tmp_path, fate, count)


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.usefixtures("small_transactions")
@pytest.mark.parametrize(("fate", "count"), CLOSING_KILLS)
async def test_the_end_of_a_day_survives_a_kill_at_any_moment(tmp_path: Path, fate: str, count: int) -> None:
    """If the bot is killed at any point of the end of a day, nothing is lost, and nothing happens twice."""
    await close_through(tmp_path, fate, count)
