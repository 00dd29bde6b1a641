"""Every preset, picked in a challenge and played to its end by as many as it takes, driven by what they see."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bot.engine.summary import summary
from cogs.text.knobs import said

from bot.engine.formats import FORMATS
from bot.engine.record import Record
from bot.engine.rules import PRESETS, Rules
from bot.sandbox import Message, World
from cogs.text import rules as texts
from tests.helpers.living import living
from tests.helpers.players import Player, gather, labelled, play_out, sit_down
from tests.helpers.seeded_shuffler import SeededShuffler

FIRST = 1_400_000_000_000_000_000
TARGET = 1
"""Low, so that matches are short; Hollywood's three games take several deals even so."""
TABLES = [(preset, seats) for preset in PRESETS for seats in FORMATS[Rules.parse(preset).format].seats]
_TOTAL = re.compile(r"^Total\s+│(.*)$", re.MULTILINE)


def _world() -> tuple[World, dict[tuple[str, int], list[str]]]:
    """A server with a channel for each preset and number of players, and people for each."""
    world, names = World("Deadwood", bot_id=FIRST), dict[tuple[str, int], list[str]]()
    for place, (preset, seats) in enumerate(TABLES):
        names[preset, seats] = [f"{'NESW'[seat]}{place}" for seat in range(seats)]
    people = [name for table in names.values() for name in table]
    users = [world.add_user(name, user_id=FIRST + number) for number, name in enumerate(people, 1)]
    guild = world.add_guild("The Hall", users, guild_id=FIRST + 1_000)
    for number, (preset, seats) in enumerate(TABLES, 1):
        world.add_channel(guild, f"{preset}-{seats}", channel_id=FIRST + 1_000 + number)
    for number, user in enumerate(users, 1):
        world.dm_channel(user, channel_id=FIRST + 2_000 + number)
    return world, names


@pytest.mark.slow
async def test_every_preset_is_played_to_its_end_and_replays_to_the_same_totals(tmp_path: Path) -> None:
    """*Rules* explains it, the exported record replays to the totals of the sheet, and the leaderboard has it."""
    world, names = _world()
    shuffler = SeededShuffler("every preset", generous=1, melds=3)
    async with living(tmp_path, world=world, shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        sandbox = alive.sandbox
        tables: dict[tuple[str, int], list[Player]] = {}
        for number, (preset, seats) in enumerate(TABLES):
            channel = sandbox.channel(f"{preset}-{seats}")
            players = [
                Player(sandbox, name, channel, preset, by_dm=(number + seat) % 3 != 2)
                for seat, name in enumerate(names[preset, seats])
            ]
            if len(FORMATS[Rules.parse(preset).format].seats) == 1 and seats == 2:
                await sit_down(sandbox, players[0], players[1], rules=preset, target=TARGET)
            else:
                await gather(sandbox, players, rules=preset, target=TARGET)
            await _rules_are_explained(players[-1], preset)
            tables[preset, seats] = players
        await play_out(sandbox, [player for players in tables.values() for player in players], 60)
        await sandbox.settled()
        for (preset, _), players in tables.items():
            end = next(
                message for message in players[0].person.sees(players[0].channel) if labelled(message, "Rematch")
            )
            replayed = await _replayed(players[1])
            assert replayed["totals"] == _totals(end), preset
            board = await players[0].person.slash("gin leaderboard", players[0].channel, rules=preset)
            ranked = (await board.answer()).text
            assert all(player.person.name in ranked for player in players), preset
        assert set(sandbox.journal.refusals) <= {50007, 10008}


async def _rules_are_explained(player: Player, preset: str) -> None:
    table = next(message for message in player.person.sees(player.channel) if labelled(message, "Score"))
    told = (await (await player.person.press(table, "Rules")).answer()).text
    for knob in texts.changed(Rules.parse(preset)):
        if knob != "target":
            assert said(knob, getattr(Rules.parse(preset), knob)).long in told, (preset, knob)


async def _replayed(player: Player) -> dict[str, Any]:
    """What the record that a player may take with them replays to."""
    asked = await (await player.person.slash("gin me privacy", player.channel)).answer()
    exported = await (await player.person.press(asked.message, "Export")).answer()
    (match,) = json.loads(exported.messages[-1].attachments[0].content)["matches"]
    return summary(Record.parse(match["record"]).replay())


def _totals(end: Message) -> list[int]:
    """The totals of the last score sheet of a message."""
    row: str = _TOTAL.findall(end.text)[-1]
    return [int(cell) for cell in row.split("│")]
