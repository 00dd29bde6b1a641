"""Values that were never offered are refused as unknown: they are never stored and never cause an internal error."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from bot.sandbox import Interaction
from bot.values.ids import GuildId
from cogs.kit.actions import Action, Subject
from cogs.text.refusals import BROKEN
from tests.cogs.scenes import Scene, at_table
from tests.helpers.cases import nightly_after
from tests.helpers.forgery import click, commands_of, invoke
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.worlds import stopped_world

pytestmark = pytest.mark.thorough

SUBJECTS: Final = (
    *("1", "2", "3", "0", "999", "x", "which", *Subject),
    *("9223372036854775807", "9223372036854775808", "9" * 60, "00000000000000000001", "-1", "1.5", "²", "１", ""),
)
"""Subjects in custom ids: a match, challenges, and many values that are neither."""

VALUES: Final[tuple[list[str] | None, ...]] = (
    *(None, [], [""], ["-5"], ["0"], ["9" * 30], ["1e9"], ["²"], ["tlh"], ["None"], ["x" * 100], ["💥 \u202e\0"]),
    *(["classic target=-5"], ["classic target=" + "9" * 5000], ["classic"] * 40, ["1", "2"], ["k Kd 4c4d"], ["4c>4d"]),
)
"""Values of menus. No menu offers any of them, except `classic` and the match id."""

ARGUMENTS: Final = (None, "", "0", "-1", "9" * 40, "format", "target", "all/x", "x/points", "recent/" + "x" * 40, "1.9")

DRAFT_OPTIONS: Final = {Action.DRAFT_VALUE: ("target", "format", "x")}
"""Option names for the draft, which has id 3: one that takes any number, one without a menu, and one unknown."""

TEXTS: Final = (
    *("", "-", "9" * 33, "x" * 6000, "💥\u202e\0", "<@1> **", "classic target=-5"),
    *("target=" + "9" * 5000, "=", "1.9"),
)
NUMBERS: Final = (-5, 0, 10_001, 2**53, 2**70)

MADE_UP: Final = re.compile(rf"target=-5|9{{12}}|target=0|\b10001\b|{2**53}|xxx|\\x00|u0000|tlh|\b1e9\b")
"""Matches database rows that contain a forged value.

Short values that could occur by chance inside ids, times or hexadecimal commitments are left out.
"""


@asynccontextmanager
async def watched(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncGenerator[Scene]:
    """Run a match with North, who manages the server, and check that nothing is logged as a warning or an error."""
    world = stopped_world()
    async with at_table(tmp_path, GIN_AT_ONCE, world=world) as scene:
        north = scene.north
        await scene.use(north, "gin challenge", scene.sandbox.channel("general"))
        await scene.use(north, "gin challenge", scene.sandbox.channel("general"), options=True)
        await scene.quiet()
        with capture_logs() as logged, caplog.at_level(logging.WARNING):
            yield scene
            await scene.quiet()
        assert [one for one in logged if one["log_level"] in ("error", "critical")] == []
        assert [record.getMessage() for record in caplog.records] == []


def guild_of(scene: Scene) -> GuildId:
    """Return the id of the server."""
    assert scene.channel.guild is not None
    return GuildId(scene.channel.guild.id)


def stored(tmp_path: Path, *tables: str) -> list[Any]:
    """Return all rows of these tables."""
    with closing(sqlite3.connect(tmp_path / "deadwood.db")) as connection:
        return [connection.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall() for table in tables]


def check_stored(tmp_path: Path) -> None:
    """Check that the database contains no forged value."""
    rows = str(
        stored(tmp_path, "challenge", "guest", "match", "seat", "action", "guild", "house_rule", "outbox_message")
    )
    assert MADE_UP.findall(rows) == []


def check(made: Interaction) -> None:
    """Check that an interaction was answered, and not with an internal error."""
    assert not made.failed, made
    assert made.response is not None
    assert BROKEN not in made.text, (made, made.data)


BY_DAY: Final = 90
BY_NIGHT: Final = 20
"""Number of parts. Each part tries every action with its share of the values."""
PARTS: Final = [(0, BY_DAY), *((part, BY_NIGHT) for part in range(BY_NIGHT))]
SHARES: Final = 5
"""Number of parts. Each part tries every option of every command with its share of the values."""
OWN: Final = frozenset(
    (
        *(Action.FORGET_NOW, Action.TRY_DMS, Action.STOP_DMS, Action.WANT_DMS, Action.PRACTISE),
        *(Action.TAKE_HOLIDAY, Action.COME_BACK),
    )
)
"""Actions that change the stored data of the person who presses, whatever else the custom id says."""
ACTIONS: Final = [action for action in Action if action not in OWN]


def forged(action: Action) -> list[tuple[int | str, str | None, list[str] | None, int | str]]:
    """List the subjects, arguments, values and versions to try with an action."""
    return [
        *((subject, "1", None, 0) for subject in SUBJECTS),
        *((Subject.CHOSEN, None, values, 0) for values in (*VALUES, *([subject] for subject in SUBJECTS))),
        *(("1", None, values, 0) for values in VALUES),
        *(("1", argument, ["-5"], 0) for argument in ARGUMENTS),
        *(("3", argument, values, 0) for argument in DRAFT_OPTIONS.get(action, ()) for values in VALUES),
        *((1, None, None, version) for version in ("-1", "9" * 60, "x", "²")),
    ]


@pytest.mark.parametrize(("part", "parts"), nightly_after(1, PARTS))
async def test_a_component_that_was_never_there_is_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, part: int, parts: int
) -> None:
    """Forged custom ids and menu values get a normal answer, and nothing of them is stored."""
    async with watched(tmp_path, caplog) as scene:
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        before = stored(tmp_path, "person", "house_rule")
        settings = await scene.alive.app.guilds.settings(guild_of(scene))
        for number, action in enumerate(ACTIONS):
            for subject, argument, values, version in forged(action)[(number + part) % parts :: parts]:
                made = await click(
                    scene.north, message, action, subject, argument=argument, values=values, version=version
                )
                check(made)
        await scene.quiet()
        assert stored(tmp_path, "person", "house_rule") == before
        # Menus offer only `classic` of all these values, and those are already the server's rules.
        assert replace(await scene.alive.app.guilds.settings(guild_of(scene)), offered=()) == settings
        check_stored(tmp_path)


@pytest.mark.parametrize("share", nightly_after(1, range(SHARES)))
async def test_a_command_with_values_that_it_does_not_take_is_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, share: int
) -> None:
    """Every command and completion gives a normal answer to out-of-range numbers, unknown words and very long texts."""
    turns = count(share)
    async with watched(tmp_path, caplog) as scene:
        for command in commands_of(scene.alive):
            options = [one for one in command.parameters if one.type.name in ("string", "integer")]
            people = [one for one in command.parameters if one.type.name == "user" and one.required]
            required = {one.display_name: "classic" for one in options if one.required}
            required |= {one.display_name: scene.south for one in people}
            for one in options:
                values, first = TEXTS if one.type.name == "string" else NUMBERS, next(turns) % SHARES
                for value in values[first::SHARES]:
                    given = required | {one.display_name: value}
                    check(await invoke(scene.alive, scene.north, scene.channel, command, given))
                    if one.autocomplete:
                        name = one.display_name
                        check(await invoke(scene.alive, scene.north, scene.channel, command, given, focused=name))
        await scene.quiet()
        check_stored(tmp_path)
