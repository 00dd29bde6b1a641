"""Many people practising at the same time, and `kill -9` during practice.

Run these alone: other tests on the machine would distort their timings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

import pytest

from bot.engine.matches.match import apply_all, new_match
from bot.engine.records.record import parse_actions
from bot.opponent.play.levels import Level
from bot.sandbox import NotOfferedError, Sandbox
from bot.store.columns import parse_stored_rules
from cogs.actions import Action
from cogs.showdowns import review_text as reviews
from tests.helpers.databases import new_database
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, newest_message_with, press
from tests.helpers.processes import running_bot_process
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import prepare_runs
from tests.proof.histories import Witness
from tests.proof.lives import RANDOM, Bot, wait_until_delivered
from tests.proof.mortal import AFTER_COMMIT
from tests.proof.test_load import crowd

pytestmark = pytest.mark.sqlite

ENDS_TURN: Final = (Action.PASS, Action.DISCARD)
PEOPLE: Final = 50
PEOPLE_KILLED: Final = 10
SECONDS: Final = 60.0
TURNS: Final = 60
KILLS: Final = 20
PAUSE: Final = 1.0
"""Pause between an answer and the next press, in seconds."""
SHORT_PAUSE: Final = 0.1
"""Pause between presses in the test with reviews, in seconds."""
REVIEWS: Final = 4
"""Number of simultaneous reviews."""
REVIEW_IN_PROGRESS: Final = reviews.progress(0).removesuffix("0%")
"""The beginning of a review's message while the review is still running."""
MAX_LATENCY: Final = 1.0
"""Limit for the latency of 95 % of the answers, in seconds."""


async def start_practice(sandbox: Sandbox, players: Sequence[Player], target: int = 50) -> None:
    """Start practice matches in direct messages, against all levels. Some may already be over on return."""
    for number, player in enumerate(players):
        await sandbox.until(lambda person=player.person: person.commands(person.dm))
        level = list(Level)[number % len(Level)]
        await (await player.person.slash("gin practice start", player.channel, level=level, target=target)).answer()
    await sandbox.until(
        lambda: all(player.has_turn or newest_message_with(player, Action.REMATCH) for player in players), 60
    )


async def move_or_restart(player: Player) -> float | None:
    """Make a move, and return the latency of its answer in seconds. If the match is over, start a rematch instead."""
    deed = player.choose()
    if deed is None:
        over = newest_message_with(player, Action.REMATCH)
        if over is not None:
            await press(player.person, over, Action.REMATCH)
        return None
    made = await player.click(deed)
    await made.answer()
    return made.latency


@pytest.mark.nightly
async def test_many_practise_at_once(tmp_path: Path) -> None:
    """If fifty people each move one second after every answer, 95 % of answers to moves take at most a second."""
    new_database(tmp_path / "deadwood.db")
    async with Sandbox(crowd(PEOPLE)) as sandbox, running_bot_process(sandbox, tmp_path, tmp_path / "bot.log"):
        persons = [sandbox.person(f"Person {number}") for number in range(PEOPLE)]
        players = [Player(sandbox, person.name, person.dm, "practice") for person in persons]
        await start_practice(sandbox, players)
        latencies: list[float] = []
        ends_at = asyncio.get_running_loop().time() + SECONDS

        async def practise(player: Player) -> None:
            await asyncio.sleep(Random(player.person.name).random() * PAUSE)
            while asyncio.get_running_loop().time() < ends_at:
                latency = await move_or_restart(player)
                if latency is not None:
                    latencies.append(latency)
                await asyncio.sleep(PAUSE)

        await asyncio.gather(*map(practise, players))
        assert len(latencies) > PEOPLE * SECONDS / 3
        assert not sandbox.unanswered
        assert sorted(latencies)[int(0.95 * len(latencies))] <= MAX_LATENCY


@pytest.mark.nightly
async def test_reviews_do_not_delay_turns(tmp_path: Path) -> None:
    """While four reviews run, answers with the computer's move take at most twice as long as without reviews."""
    new_database(tmp_path / "deadwood.db")
    async with Sandbox(crowd(REVIEWS + 1)) as sandbox, running_bot_process(sandbox, tmp_path, tmp_path / "bot.log"):
        persons = [sandbox.person(f"Person {number}") for number in range(REVIEWS + 1)]
        player, *others = [Player(sandbox, person.name, person.dm, "reviews") for person in persons]
        await start_practice(sandbox, [player, *others], target=1000)
        await asyncio.gather(*(_latencies(other, 2 * TURNS) for other in others))
        alone = await _latencies(player, TURNS)
        # Review whole matches, so that the reviews are still running when the measurement ends.
        asked = [await other.person.slash("gin-deal review", other.channel, deal="all") for other in others]
        await sandbox.until(lambda: all(REVIEW_IN_PROGRESS in made.text for made in asked))
        together = await _latencies(player, TURNS)
        assert all(REVIEW_IN_PROGRESS in made.text for made in asked), "a review was over too soon to be in the way"
        assert fmean(together) <= 2 * fmean(alone)


async def _latencies(player: Player, turns: int) -> list[float]:
    """Return the latencies of this many answers to moves, in seconds."""
    latencies = list[float]()
    while len(latencies) < turns:
        latency = await move_or_restart(player)
        if latency is not None:
            latencies.append(latency)
        await asyncio.sleep(SHORT_PAUSE)
    return latencies


@pytest.mark.nightly
async def test_practice_survives_kill_9(tmp_path: Path) -> None:
    """Over many kills, no acknowledged move is lost, all due computer moves are made, and everyone can continue."""
    async with Sandbox(crowd(PEOPLE_KILLED)) as sandbox, Bot.prepared(sandbox, tmp_path) as bot:
        witness, random = Witness(), Random("practice kills")
        sandbox.interactions.observers.append(witness)
        persons = [sandbox.person(f"Person {number}") for number in range(PEOPLE_KILLED)]
        players = [Player(sandbox, person.name, person.dm, "kills") for person in persons]
        async with bot.run():
            await start_practice(sandbox, players)
            # Make moves before the first kill: the checks need some, and on a busy machine, kills may come too early.
            await asyncio.gather(*map(move_or_restart, players))
        for _ in range(KILLS):
            async with bot.run(RANDOM, random.randint(300, 1500)) as death:

                async def practise(player: Player, death: asyncio.Task[int] = death) -> None:
                    while not death.done():
                        # The button may be gone from the message by now.
                        with suppress(NotOfferedError):
                            await move_or_restart(player)
                        await asyncio.sleep(0.02)

                await asyncio.gather(*map(practise, players))
                await death
        async with bot.run() as death:
            await eventually(lambda: not _computers_due(bot.database))
            await wait_until_delivered(sandbox, bot, death)
            assert all(player.has_turn or newest_message_with(player, Action.REMATCH) for player in players)
        assert bot.kills == {RANDOM: KILLS}
        assert not witness.failures
        _verify(bot.database, witness, players)


@pytest.mark.nightly
async def test_a_due_computer_move_survives_a_death(tmp_path: Path) -> None:
    """If the bot is killed after a player's move, the computer moves after the restart, and the move is logged once."""
    async with prepare_runs(tmp_path, hall(1)) as lives:
        sandbox, database = lives.sandbox, lives.database
        person = sandbox.person(pair(1)[0])
        player = Player(sandbox, person.name, person.dm, "a death")
        async with lives.run() as life:
            await start_practice(sandbox, [player])
            await life.alive.idle()
            while (deed := player.choose()) is not None and deed.action not in ENDS_TURN:
                await player.act()
                await life.alive.idle()
            assert deed is not None
            with life.killed_at(AFTER_COMMIT):
                made = await player.click(deed)
                await life.wait_for_death()
        assert _computers_due(database) == 1
        async with lives.run() as life:
            await life.alive.idle()
            assert _computers_due(database) == 0
            assert player.has_turn
        logged = database.rows("SELECT count(*) FROM action WHERE interaction_id = :made", made=made.id)
        assert logged == [(1,)]


def _computers_due(database: DatabaseInspector) -> int:
    ((count,),) = database.rows("SELECT count(*) FROM match WHERE computer_due_at IS NOT NULL")
    return count


def _verify(database: DatabaseInspector, witness: Witness, players: Sequence[Player]) -> None:
    """Check that the log has all acknowledged moves, and that the player is to move in every running match."""
    logged = [
        interaction_id
        for (interaction_id,) in database.rows("SELECT interaction_id FROM action WHERE interaction_id > 0")
    ]
    assert len(logged) == len({*logged})
    made = {interaction.id for player in players for interaction in player.interactions}
    acknowledged = {interaction_id for interaction_id, told in witness.answers.items() if not told.refused} & made
    assert acknowledged
    assert acknowledged <= {*logged}
    for match_id, rules, status in database.rows("SELECT id, rules, status FROM match"):
        log = database.rows("SELECT text FROM action WHERE match_id = :match ORDER BY number", match=match_id)
        actions = parse_actions("\n".join(text for (text,) in log))
        match = apply_all(new_match(parse_stored_rules(rules), 2), actions)
        assert match.to_act == ((0,) if status == "running" else ())
