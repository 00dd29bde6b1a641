"""Bursts of interactions are answered or refused in time, and the bot soon recovers.

These tests depend on the machine's speed and run only in nightly runs.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.hosting.heartbeat import Heartbeat
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, InteractionId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Person
from bot.play.application import Application
from bot.sandbox import Channel, Interaction, Message, Sandbox, World
from bot.sandbox import Person as SimulatedPerson
from bot.store.opening import open_database
from cogs.actions import Action
from cogs.delivery.refusals import ONE_AT_A_TIME, STILL_WORKING, VERY_BUSY
from cogs.kit.admission import MAX_ANSWERS, RESPONSE_TIMEOUT
from tests.helpers.components import find_button
from tests.helpers.databases import new_database
from tests.helpers.exports import read_export
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, challenge_and_accept
from tests.helpers.processes import memory_mb, running_bot_process
from tests.helpers.table import sensible_move
from tests.helpers.waiting import eventually, wait_for_heartbeat
from tests.proof.histories import Witness, verify, wait_until_settled
from tests.proof.promises import real_cards

pytestmark = [pytest.mark.nightly, pytest.mark.sqlite]

UNKNOWN_INTERACTION: Final = 10062


def crowd(people: int) -> World:
    """Return a server with this many people and a channel `games`."""
    world = World("Deadwood")
    members = [world.add_user(f"Person {number}") for number in range(people)]
    world.add_channel(world.add_guild("The Crowd", members), "games")
    return world


async def wait_for_all(rush: list[Interaction]) -> None:
    """Wait until all interactions are answered or have failed. Poll: checking after each change would cost more."""
    await eventually(lambda: not any(interaction.pending for interaction in rush), pause=0.05)


async def rush(people: Sequence[SimulatedPerson], count: int, channel: Channel, command: str) -> list[Interaction]:
    """Use a command `count` times, from these people in turn, without waiting in between. Then wait for all answers."""
    made = [await people[number % len(people)].slash(command, channel) for number in range(count)]
    await wait_for_all(made)
    return made


async def privacy_panel(sandbox: Sandbox, person: SimulatedPerson, channel: Channel) -> tuple[Message, str]:
    """Return a person's privacy panel, and the custom id of its *Export* button."""
    await sandbox.until(lambda: person.commands(channel))
    panel = (await (await person.slash("gin me privacy", channel)).done()).message
    button = find_button(panel, Action.EXPORT)
    assert button is not None
    return panel, button


@pytest.mark.parametrize(
    ("count", "people", "command"),
    [
        (1000, 1, "gin help"),
        (1000, 1, "gin hand"),
        (2000, 1, "gin hand"),
        (1000, 500, "gin help"),
        (10_000, 500, "gin help"),
    ],
)
async def test_a_rush_is_answered_in_time_and_leaves_nothing_behind(
    tmp_path: Path, count: int, people: int, command: str
) -> None:
    """A burst is answered in time or dropped, and a move counts once. Afterwards, speed and memory are as before."""
    onlooker = DatabaseInspector(new_database(tmp_path / "deadwood.db"))
    async with (
        Sandbox(crowd(people + 2)) as sandbox,
        running_bot_process(sandbox, tmp_path, tmp_path / "bot.log") as process,
    ):
        channel, witness = sandbox.channel("games"), Witness()
        sandbox.interactions.observers.append(witness)
        players = [Player(sandbox, f"Person {number}", channel, "load") for number in (people, people + 1)]
        await challenge_and_accept(sandbox, *players)
        everyone = [sandbox.person(f"Person {number}") for number in range(people)]
        rushing = [players[0].person] if command == "gin hand" else everyone
        # Memory grows only in the first burst: by connections, threads, SQLite pages, and gaps in the heap.
        await rush(rushing, count, channel, command)
        before, late = memory_mb(process), sandbox.journal.refusals[UNKNOWN_INTERACTION]

        (mover,) = await sandbox.until(lambda: [player for player in players if player.has_turn])
        deed = mover.choose()
        assert deed is not None
        clicks = [await mover.click(deed) for _ in range(5)]
        made = [*clicks, *await rush(rushing, count, channel, command)]
        await wait_for_all(made)
        answer_counts = Counter(interaction.text for interaction in made if not interaction.failed)
        assert sum(answer_counts[text] for text in (VERY_BUSY, ONE_AT_A_TIME)) < sum(answer_counts.values())
        if count <= 1000:
            assert not sandbox.unanswered
        # A few answers may be late: as many as may be in progress at the same time, plus 1 % of the burst.
        assert sandbox.journal.refusals[UNKNOWN_INTERACTION] - late <= MAX_ANSWERS + count // 100
        assert (
            max(interaction.latency for interaction in made if interaction.latency is not None) < RESPONSE_TIMEOUT + 1
        )

        await wait_until_settled(sandbox, onlooker)
        verify(onlooker, witness, players, cards_of=real_cards)
        assert sum(not witness.answers[click.id].refused for click in clicks if click.id in witness.answers) <= 1
        finished_at = time.monotonic()
        (again,) = await rush(everyone[:1], 1, channel, "gin help")
        assert again.text not in (VERY_BUSY, ONE_AT_A_TIME)
        heart = Heartbeat(tmp_path / "deadwood.db")
        await wait_for_heartbeat(heart)
        assert heart.trouble() is None
        assert time.monotonic() - finished_at < 15
        assert memory_mb(process) <= 1.1 * before


@pytest.mark.parametrize(("count", "people"), [(1300, 1), (6000, 3)])
async def test_a_flood_does_not_block_others(tmp_path: Path, count: int, people: int) -> None:
    """People who flood the bot still get some answers, and everyone else is answered in time."""
    async with Sandbox(crowd(people + 5)) as sandbox, running_bot_process(sandbox, tmp_path, tmp_path / "bot.log"):
        channel, everyone = sandbox.channel("games"), [sandbox.person(f"Person {index}") for index in range(people + 5)]
        flooding, others = everyone[:people], everyone[people:]
        await rush(everyone, MAX_ANSWERS, channel, "gin help")
        flood = [await flooding[number % people].slash("gin hand", channel) for number in range(count)]
        asked = [await person.slash("gin help", channel) for person in others]
        await wait_for_all([*flood, *asked])
        assert not any(interaction.failed for interaction in asked)
        assert not {interaction.text for interaction in asked} & {VERY_BUSY, ONE_AT_A_TIME}
        for person in flooding:
            assert any(interaction.user is person.user and not interaction.failed for interaction in flood)
        assert set(sandbox.unanswered) <= set(flood)


async def play_one(database: Path, channel: Channel, people: list[Person], rules: str) -> None:
    """Play a complete match in a database, before a bot uses it."""
    random, opened = Random("long"), await open_database(f"sqlite:///{database}")
    assert channel.guild is not None
    app, numbers = Application(opened), iter(range(1, 100_000))
    place = Place(GuildId(channel.guild.id), ChannelId(channel.id), None)
    challenge = await app.challenges.issue(people[0], [people[1].id], place, InteractionId(next(numbers)), rules=rules)
    _, match = await app.challenges.accept(people[1], challenge.id)
    assert match is not None
    while (await app.lookup.summary(match.id)).match.status is MatchStatus.RUNNING:
        turn = (await app.lookup.table(match.id, 1)).view.turn
        assert turn is not None
        view = (await app.lookup.hand(people[turn].id, match.id)).view
        await app.turns.move(people[turn].id, match.id, sensible_move(view, random), InteractionId(next(numbers)))
    await opened.close()


def multiply(database: Path, count: int) -> None:
    """Copy the only match in a database until it has this many matches."""
    with closing(sqlite3.connect(database)) as connection, connection:
        ((match,),) = connection.execute("SELECT id FROM match").fetchall()
        for table, key in (("match", "id"), ("seat", "match_id"), ("action", "match_id"), ("deal", "match_id")):
            columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})") if name != key]
            column_list = ", ".join(columns)
            copied = ", ".join("NULL" if name == "interaction_id" else name for name in columns)
            connection.executemany(
                f"INSERT INTO {table} ({key}, {column_list}) SELECT ?, {copied} FROM {table} WHERE {key} = ?",
                [(match + number, match) for number in range(1, count)],
            )


@pytest.mark.parametrize(
    ("matches", "rules", "presses"), [(600, "classic target=100", 25), (400, "classic target=500", 1)]
)
async def test_exports_arrive_while_others_play(tmp_path: Path, matches: int, rules: str, presses: int) -> None:
    """A large export is complete. While it is made, more exports are refused and other people are answered in time."""
    database = tmp_path / "deadwood.db"
    new_database(database)
    async with Sandbox(crowd(4)) as sandbox:
        channel = sandbox.channel("games")
        north, *_ = people = [sandbox.person(f"Person {number}") for number in range(4)]
        await play_one(database, channel, [Person(PersonId(person.id), person.name) for person in people[:2]], rules)
        multiply(database, matches)
        async with running_bot_process(sandbox, tmp_path, tmp_path / "bot.log"):
            panel, button = await privacy_panel(sandbox, north, channel)
            pressed = [await north.press(panel, button) for _ in range(presses)]
            waits = list[float]()
            while not any(interaction.messages[-1].attachments for interaction in pressed if interaction.messages):
                other = await (await people[2].slash("gin games", channel)).answer()
                assert other.latency is not None
                waits.append(other.latency)
            await sandbox.idle()
            (exported,) = (
                interaction for interaction in pressed if interaction.text not in (ONE_AT_A_TIME, STILL_WORKING)
            )
            exported_data = read_export([file.content for part in exported.messages for file in part.attachments])
            assert len(exported_data["matches"]) == matches
            assert max(waits) < RESPONSE_TIMEOUT
            assert not sandbox.unanswered
