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

from bot.engine.match import apply_all, new_match
from bot.engine.record import parse_actions
from bot.opponent.levels import Level
from bot.sandbox import NotOfferedError, Sandbox
from bot.store.columns import stored_rules
from cogs.kit.actions import Action
from cogs.text import reviews
from tests.helpers.databases import new_database
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player, newest_with, press
from tests.helpers.processes import hosted
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import lives_of
from tests.proof.histories import Witness
from tests.proof.lives import RANDOM, Bot, delivered
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
"""Pause in seconds before people press again."""
SHORT_PAUSE: Final = 0.1
"""Pause of people in a hurry, in seconds."""
REVIEWS: Final = 4
"""The number of reviews that run at the same time."""
IN_REVIEW: Final = reviews.progress(0).split(":")[0]
"""The text of a message while a review is running."""
IN_TIME: Final = 1.0
"""Maximum time of 95 % of the answers, in seconds."""


async def sit_alone(sandbox: Sandbox, players: Sequence[Player], target: int = 50) -> None:
    """Start practice matches in direct messages, against all levels. Some may already have lost on return."""
    for number, player in enumerate(players):
        await sandbox.until(lambda person=player.person: person.commands(person.dm))
        level = list(Level)[number % len(Level)]
        await (await player.person.slash("gin practice start", player.channel, level=level, target=target)).answer()
    await sandbox.until(lambda: all(player.has_turn or newest_with(player, Action.REMATCH) for player in players), 60)


async def go_on(player: Player) -> float | None:
    """Make a move, or start again if the match is over. Return the latency of the move's answer in seconds."""
    deed = player.choose()
    if deed is None:
        over = newest_with(player, Action.REMATCH)
        if over is not None:
            await press(player.person, over, Action.REMATCH)
        return None
    made = await player.click(deed)
    await made.answer()
    return made.latency


@pytest.mark.nightly
async def test_many_practise_at_once(tmp_path: Path) -> None:
    """If everyone presses a second after each answer, 95 % of the answers, computer moves included, take one second."""
    new_database(tmp_path / "deadwood.db")
    async with Sandbox(crowd(PEOPLE)) as sandbox, hosted(sandbox, tmp_path, tmp_path / "bot.log"):
        persons = [sandbox.person(f"Person {number}") for number in range(PEOPLE)]
        players = [Player(sandbox, one.name, one.dm, "practice") for one in persons]
        await sit_alone(sandbox, players)
        taken: list[float] = []
        ends = asyncio.get_running_loop().time() + SECONDS

        async def practise(player: Player) -> None:
            await asyncio.sleep(Random(player.person.name).random() * PAUSE)
            while asyncio.get_running_loop().time() < ends:
                latency = await go_on(player)
                if latency is not None:
                    taken.append(latency)
                await asyncio.sleep(PAUSE)

        await asyncio.gather(*map(practise, players))
        assert len(taken) > PEOPLE * SECONDS / 3
        assert not sandbox.unanswered
        assert sorted(taken)[int(0.95 * len(taken))] <= IN_TIME


@pytest.mark.nightly
async def test_reviews_keep_no_turn_waiting(tmp_path: Path) -> None:
    """While four reviews run, answers with the computer's move take at most twice as long as without reviews."""
    new_database(tmp_path / "deadwood.db")
    async with Sandbox(crowd(REVIEWS + 1)) as sandbox, hosted(sandbox, tmp_path, tmp_path / "bot.log"):
        persons = [sandbox.person(f"Person {number}") for number in range(REVIEWS + 1)]
        player, *others = [Player(sandbox, one.name, one.dm, "reviews") for one in persons]
        await sit_alone(sandbox, [player, *others], target=1000)
        await asyncio.gather(*(_latencies(other, 2 * TURNS) for other in others))
        alone = await _latencies(player, TURNS)
        # Reviews of whole matches last longer than the measurement.
        asked = [await other.person.slash("gin-deal review", other.channel, deal="all") for other in others]
        await sandbox.until(lambda: all(IN_REVIEW in made.text for made in asked))
        together = await _latencies(player, TURNS)
        assert all(IN_REVIEW in made.text for made in asked), "a review was over too soon to be in the way"
        assert fmean(together) <= 2 * fmean(alone)


async def _latencies(player: Player, turns: int) -> list[float]:
    """Return the latencies of this many answers to moves, in seconds."""
    taken = list[float]()
    while len(taken) < turns:
        latency = await go_on(player)
        if latency is not None:
            taken.append(latency)
        await asyncio.sleep(SHORT_PAUSE)
    return taken


@pytest.mark.nightly
async def test_practice_survives_kill_9(tmp_path: Path) -> None:
    """No acknowledged move is lost, every due computer move is made, and everyone can continue."""
    async with Sandbox(crowd(PEOPLE_KILLED)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        witness, random = Witness(), Random("practice kills")
        sandbox.interactions.observers.append(witness)
        persons = [sandbox.person(f"Person {number}") for number in range(PEOPLE_KILLED)]
        players = [Player(sandbox, one.name, one.dm, "kills") for one in persons]
        async with bot.life():
            await sit_alone(sandbox, players)
            # A busy machine may answer nothing between two kills.
            await asyncio.gather(*map(go_on, players))
        for _ in range(KILLS):
            async with bot.life(RANDOM, random.randint(300, 1500)) as death:

                async def practise(player: Player, death: asyncio.Task[int] = death) -> None:
                    while not death.done():
                        # The message may have changed by now.
                        with suppress(NotOfferedError):
                            await go_on(player)
                        await asyncio.sleep(0.02)

                await asyncio.gather(*map(practise, players))
                await death
        async with bot.life() as death:
            await eventually(lambda: not _computers_due(bot.database))
            await delivered(sandbox, bot, death)
            assert all(player.has_turn or newest_with(player, Action.REMATCH) for player in players)
        assert bot.deaths == {RANDOM: KILLS}
        assert not witness.broken
        _verify(bot.database, witness, players)


@pytest.mark.thorough
async def test_a_computer_moves_though_the_bot_died_when_it_was_to(tmp_path: Path) -> None:
    """The computer moves at the next start, and the player's own move is logged once."""
    async with lives_of(tmp_path, hall(1)) as lives:
        sandbox, database = lives.sandbox, lives.database
        person = sandbox.person(pair(1)[0])
        player = Player(sandbox, person.name, person.dm, "a death")
        async with lives.life() as life:
            await sit_alone(sandbox, [player])
            await life.alive.idle()
            while (deed := player.choose()) is not None and deed.action not in ENDS_TURN:
                await player.act()
                await life.alive.idle()
            assert deed is not None
            with life.doomed(AFTER_COMMIT):
                made = await player.click(deed)
                await life.death()
        assert _computers_due(database) == 1
        async with lives.life() as life:
            await life.alive.idle()
            assert _computers_due(database) == 0
            assert player.has_turn
        logged = database.rows("SELECT count(*) FROM action WHERE interaction_id = :made", made=made.id)
        assert logged == [(1,)]


def _computers_due(database: Onlooker) -> int:
    ((count,),) = database.rows("SELECT count(*) FROM match WHERE computer_due_at IS NOT NULL")
    return count


def _verify(database: Onlooker, witness: Witness, players: Sequence[Player]) -> None:
    """Check that the log has all acknowledged moves, and that every running match replays to the player's turn."""
    logged = [one for (one,) in database.rows("SELECT interaction_id FROM action WHERE interaction_id > 0")]
    assert len(logged) == len({*logged})
    made = {one.id for player in players for one in player.made}
    acknowledged = {one for one, told in witness.told.items() if not told.refused} & made
    assert acknowledged
    assert acknowledged <= {*logged}
    for match_id, rules, status in database.rows("SELECT id, rules, status FROM match"):
        log = database.rows("SELECT text FROM action WHERE match_id = :match ORDER BY number", match=match_id)
        actions = parse_actions("\n".join(text for (text,) in log))
        match = apply_all(new_match(stored_rules(rules), 2), actions)
        assert match.to_act == ((0,) if status == "running" else ())
