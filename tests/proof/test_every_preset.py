"""A match of every preset, with each number of players it allows, can be played to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.engine.matches.formats import FORMATS
from bot.engine.records.record import Record
from bot.engine.rules import PRESETS, Rules
from bot.engine.to_json import match_to_json
from bot.model.ids import ChannelId, PersonId
from bot.model.statistics import Category
from bot.sandbox import Clock, World
from cogs.actions import Action
from cogs.showdowns.score_sheet import score_sheet
from cogs.words import rules as texts
from cogs.words.names import monograms
from tests.cogs.scenes import person_of
from tests.helpers.cases import nightly_after
from tests.helpers.exports import read_export
from tests.helpers.living import RunningBot, running_bot
from tests.helpers.players import (
    Player,
    challenge_and_accept,
    newest_message_with,
    play_out,
    press,
    start_lobby,
    table_of,
)
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import prefer
from tests.play.boards import full_standings

FIRST = 1_400_000_000_000_000_000
TARGET = 1
"""Target score. It is low, so that matches are short; only Hollywood still takes several deals."""
TABLES = [(preset, seats) for preset in PRESETS for seats in FORMATS[Rules.parse(preset).format].seats]
SHORT_MATCH_SEEDS = {("big", 2): 7, ("penalty", 3): 13, ("oklahoma", 2): 11, ("straight", 2): 58}
"""Seeds for presets whose matches would otherwise be long."""
SEEDS = {(preset, seats): f"{preset} {seats} {SHORT_MATCH_SEEDS.get((preset, seats), 0)}" for preset, seats in TABLES}
PARTS = 10
"""Number of parts into which `TABLES` is divided. Nightly runs play all parts, and other runs only the first."""
DM_CLOSED = 50007
UNKNOWN_MESSAGE = 10008

Tables = dict[tuple[str, int], list[Player]]


def _world(played: list[tuple[str, int]]) -> tuple[World, dict[tuple[str, int], list[str]]]:
    """Return a server with a channel and players for each table, and the players' names by table."""
    world, names = World("Deadwood", bot_id=FIRST, clock=Clock(running=False)), dict[tuple[str, int], list[str]]()
    for preset, seats in played:
        # A player's moves depend on the name, so each table always has the same names.
        names[preset, seats] = [f"{'NESW'[seat]}{TABLES.index((preset, seats))}" for seat in range(seats)]
    people = [name for table in names.values() for name in table]
    users = [world.add_user(name, user_id=FIRST + number) for number, name in enumerate(people, 1)]
    guild = world.add_guild("The Hall", users, guild_id=FIRST + 1_000)
    for number, (preset, seats) in enumerate(played, 1):
        world.add_channel(guild, f"{preset}-{seats}", channel_id=FIRST + 1_000 + number)
    for number, user in enumerate(users, 1):
        world.dm_channel(user, channel_id=FIRST + 2_000 + number)
    return world, names


@pytest.mark.nightly
@pytest.mark.parametrize("part", nightly_after(1, range(PARTS)))
async def test_every_preset_is_played_to_its_end_and_replays_to_the_same_totals(tmp_path: Path, part: int) -> None:
    """Each preset can be played to its end. *Rules* shows its options. Exported records replay to the same totals."""
    played = TABLES[part::PARTS]
    world, names = _world(played)
    shuffler = SeededShuffler("presets", generous=1, melds=3, seeds=[SEEDS[table] for table in played])
    async with running_bot(tmp_path, world=world, shuffler=shuffler) as alive:
        shuffler.follow(alive.app)
        tables = await _begin(alive, names)
        await play_out(alive.sandbox, [player for players in tables.values() for player in players])
        await alive.idle()
        for (preset, _), players in tables.items():
            await _verify_end(alive, preset, players)
        assert set(alive.sandbox.journal.refusals) <= {DM_CLOSED, UNKNOWN_MESSAGE}


async def _begin(alive: RunningBot, names: dict[tuple[str, int], list[str]]) -> Tables:
    """Start a match at every table, and check the rules that the table shows."""
    sandbox, tables = alive.sandbox, Tables()
    for preset, seats in names:
        number = TABLES.index((preset, seats))
        channel = sandbox.channel(f"{preset}-{seats}")
        players = [
            Player(sandbox, name, channel, SEEDS[preset, seats], by_dm=(number + seat) % 3 != 2)
            for seat, name in enumerate(names[preset, seats])
        ]
        if len(FORMATS[Rules.parse(preset).format].seats) == 1 and seats == 2:
            await challenge_and_accept(sandbox, players[0], players[1], rules=preset, target=TARGET)
        else:
            await start_lobby(sandbox, players, rules=preset, target=TARGET)
        await _verify_rules(players[-1], preset)
        tables[preset, seats] = players
    return tables


async def _verify_rules(player: Player, preset: str) -> None:
    """Check that the table's *Rules* button shows every option that the preset changes, except the target."""
    shown_rules = (await press(player.person, table_of(player), Action.SHOW_RULES)).text
    rules = Rules.parse(preset)
    for option in texts.changed(rules):
        if option != "target":
            assert texts.meaning(rules, option).long in shown_rules, (preset, option)


async def _verify_end(alive: RunningBot, preset: str, players: list[Player]) -> None:
    """Check a finished match: its score sheet, its exported record, and the leaderboard."""
    first = players[0]
    person_id = PersonId(first.person.id)
    match = await alive.app.lookup.last_ended_in(ChannelId(first.channel.id), person_id)
    summary = await alive.app.lookup.summary(match.id)
    end = newest_message_with(first, Action.REMATCH)
    assert end is not None
    await prefer(alive.app, person_of(first.person), pictures=False)
    sheet = await press(first.person, end, Action.SHOW_SCORE)
    assert score_sheet(summary.view, summary.deals, monograms(match.players)) in sheet.text
    assert (await _replayed(players[1]))["totals"] == list(summary.view.score.totals), preset
    category = Category.of(match.rules)
    assert match.guild_id is not None
    rows = await full_standings(alive.app, match.guild_id, category=category, ruleset=preset)
    assert {player.person.id for player in players} <= {standing.person_id for standing in rows}, preset
    board = await (await first.person.slash("gin leaderboard", first.channel, rules=preset)).answer()
    assert all(player.person.name in board.text for player in players), preset


async def _replayed(player: Player) -> dict[str, Any]:
    """Replay the record in a player's data export, and return its result."""
    interaction = await (await player.person.slash("gin me privacy", player.channel)).answer()
    exported = await press(player.person, interaction.message, Action.EXPORT)
    (match,) = read_export([exported.messages[-1].attachments[0].content])["matches"]
    return match_to_json(Record.parse(match["record"]).replay())
