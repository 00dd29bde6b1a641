"""Forged values, which no menu or button offers, are refused: they are never stored and cause no internal error."""

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

from bot.model.ids import GuildId
from bot.sandbox import Interaction
from cogs.actions import Action, Subject
from cogs.delivery.refusals import FAULT
from tests.cogs.scenes import Scene, open_match_scene
from tests.helpers.cases import nightly_after
from tests.helpers.forgery import click, commands_of, invoke
from tests.helpers.shufflers import IMMEDIATE_GIN
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
"""Names of options of the draft with id 3: one that takes any number, one without a menu, and an unknown one."""

TEXTS: Final = (
    *("", "-", "9" * 33, "x" * 6000, "💥\u202e\0", "<@1> **", "classic target=-5"),
    *("target=" + "9" * 5000, "=", "1.9"),
)
NUMBERS: Final = (-5, 0, 10_001, 2**53, 2**70)

FORGED_VALUE: Final = re.compile(rf"target=-5|9{{12}}|target=0|\b10001\b|{2**53}|xxx|\\x00|u0000|tlh|\b1e9\b")
"""Regular expression that finds forged values in database rows.

Short values that could occur by chance inside ids, times or hexadecimal commitments are left out.
"""


@asynccontextmanager
async def open_checked_scene(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncGenerator[Scene]:
    """Run a match of North, who manages the server, and check that no fault is logged during the block."""
    world = stopped_world()
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, world=world) as scene:
        north = scene.north
        await scene.use(north, "gin challenge", scene.sandbox.channel("general"))
        await scene.use(north, "gin challenge", scene.sandbox.channel("general"), options=True)
        await scene.wait_until_idle()
        with capture_logs() as logged, caplog.at_level(logging.WARNING):
            yield scene
            await scene.wait_until_idle()
        assert [entry for entry in logged if entry["log_level"] in ("error", "critical")] == []
        assert [record.getMessage() for record in caplog.records] == []


def guild_id_of(scene: Scene) -> GuildId:
    """Return the id of the server with the scene's channel."""
    assert scene.channel.guild is not None
    return GuildId(scene.channel.guild.id)


def rows_of(tmp_path: Path, *tables: str) -> list[Any]:
    """Return all rows of these tables."""
    with closing(sqlite3.connect(tmp_path / "deadwood.db")) as connection:
        return [connection.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall() for table in tables]


def check_nothing_forged_is_stored(tmp_path: Path) -> None:
    """Check that the database contains no forged value."""
    rows = str(
        rows_of(tmp_path, "challenge", "guest", "match", "seat", "action", "guild", "house_rule", "outbox_message")
    )
    assert FORGED_VALUE.findall(rows) == []


def check_normal_answer(answer: Interaction) -> None:
    """Check that an interaction was answered, and not with an internal error."""
    assert not answer.failed, answer
    assert answer.response is not None
    assert FAULT not in answer.text, (answer, answer.data)


PARTS_BY_DEFAULT: Final = 90
PARTS_NIGHTLY: Final = 20
"""Number of test cases. Each one tries every action with its share of the forged values."""
PARTS_CASES: Final = [(0, PARTS_BY_DEFAULT), *((part, PARTS_NIGHTLY) for part in range(PARTS_NIGHTLY))]
OPTION_PARTS: Final = 5
"""Number of test cases. Each one tries every option of every command with its share of the values."""
SELF_CHANGING_ACTIONS: Final = frozenset(
    (
        *(Action.FORGET_NOW, Action.TRY_DMS, Action.STOP_DMS, Action.WANT_DMS, Action.PRACTISE, Action.START_DAILY),
        *(Action.STOP_DMS_OF_MATCH, Action.PLAY, Action.TAKE_HOLIDAY, Action.COME_BACK),
        *(Action.BLOCK, Action.UNBLOCK, Action.CHANGE_BLOCKED, Action.STOP_DAILY),
    )
)
"""Actions that change the stored data of the person who clicks, even if all else in the custom id is forged."""
ACTIONS: Final = [action for action in Action if action not in SELF_CHANGING_ACTIONS]


def forged_uses(action: Action) -> list[tuple[int | str, str | None, list[str] | None, int | str]]:
    """Return the combinations of subject, argument, menu values and version to forge for an action."""
    return [
        *((subject, "1", None, 0) for subject in SUBJECTS),
        *((Subject.CHOSEN, None, values, 0) for values in (*VALUES, *([subject] for subject in SUBJECTS))),
        *(("1", None, values, 0) for values in VALUES),
        *(("1", argument, ["-5"], 0) for argument in ARGUMENTS),
        *(("3", argument, values, 0) for argument in DRAFT_OPTIONS.get(action, ()) for values in VALUES),
        *((1, None, None, version) for version in ("-1", "9" * 60, "x", "²")),
    ]


@pytest.mark.parametrize(("part", "parts"), nightly_after(1, PARTS_CASES))
async def test_forged_components_are_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, part: int, parts: int
) -> None:
    """Forged custom ids and menu values cause no internal error, and no part of them is stored."""
    async with open_checked_scene(tmp_path, caplog) as scene:
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        before = rows_of(tmp_path, "person", "house_rule")
        settings = await scene.bot.app.guilds.settings(guild_id_of(scene))
        for number, action in enumerate(ACTIONS):
            for subject, argument, values, version in forged_uses(action)[(number + part) % parts :: parts]:
                answer = await click(
                    scene.north, message, action, subject, argument=argument, values=values, version=version
                )
                check_normal_answer(answer)
        await scene.wait_until_idle()
        assert rows_of(tmp_path, "person", "house_rule") == before
        # Only two settings may have changed, for which some of the forged values are valid: `classic`, and hours.
        changed = await scene.bot.app.guilds.settings(guild_id_of(scene))
        assert replace(changed, offered=(), daily_hour=settings.daily_hour) == settings
        check_nothing_forged_is_stored(tmp_path)


@pytest.mark.parametrize("share", nightly_after(1, range(OPTION_PARTS)))
async def test_invalid_command_options_are_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, share: int
) -> None:
    """Options with invalid numbers, unknown words or very long texts cause no internal error, and are not stored."""
    part_numbers = count(share)
    async with open_checked_scene(tmp_path, caplog) as scene:
        for command in commands_of(scene.bot):
            options = [parameter for parameter in command.parameters if parameter.type.name in ("string", "integer")]
            people = [
                parameter for parameter in command.parameters if parameter.type.name == "user" and parameter.required
            ]
            required = {option.display_name: "classic" for option in options if option.required}
            required |= {person.display_name: scene.south for person in people}
            for option in options:
                values, first = TEXTS if option.type.name == "string" else NUMBERS, next(part_numbers) % OPTION_PARTS
                for value in values[first::OPTION_PARTS]:
                    all_values = required | {option.display_name: value}
                    check_normal_answer(await invoke(scene.bot, scene.north, scene.channel, command, all_values))
                    if option.autocomplete:
                        name = option.display_name
                        check_normal_answer(
                            await invoke(scene.bot, scene.north, scene.channel, command, all_values, focused=name)
                        )
        await scene.wait_until_idle()
        check_nothing_forged_is_stored(tmp_path)
