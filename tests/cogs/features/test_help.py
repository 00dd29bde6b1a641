"""The help and the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine.rules import PRESETS
from tests.cogs.scenes import clubhouse


async def test_the_help_is_five_lines_and_a_picture(tmp_path: Path) -> None:
    """Five numbered lines, one picture with words for it, and every command it names is there; in a message too."""
    async with clubhouse(tmp_path) as scene:
        shown = await scene.use(scene.north, "gin help", scene.channel)
        assert len(re.findall(r"^\*\*\d\.\*\*", shown.text, re.MULTILINE)) == 5
        (image,) = shown.message.images
        assert image.alt
        assert shown.message.ephemeral
        (gin,) = [row for row in scene.north.commands(scene.channel) if row["name"] == "gin"]
        there = {option["name"] for option in gin["options"]}
        assert set(re.findall(r"`/gin (\w+)", shown.text)) | set(re.findall(r"`(\w+)`", shown.text)) <= there
        assert "Gin rummy" in await scene.ask(scene.north, "help", scene.north.dm)


@pytest.mark.slow
async def test_the_rules_are_those_of_the_channels_match(tmp_path: Path) -> None:
    """Without a match the usual rules; with one, its own, for spectators too."""
    async with clubhouse(tmp_path) as scene:
        assert "reaches **100** points" in await scene.ask(scene.east, "rules")
        await scene.press(scene.south, await scene.invite(scene.north, rules="straight", target=30), "Accept")
        told = await scene.ask(scene.east, "rules")
        assert "reaches **30** points" in told
        assert "you can only go out with gin" in told


async def test_any_rules_can_be_explained(tmp_path: Path) -> None:
    """By name and with single changes, in a server and elsewhere; what can be asked for completes with its gist."""
    async with clubhouse(tmp_path) as scene:
        told = await scene.ask(scene.east, "rules", rules="Strict")
        assert told.startswith("### The rules\n**strict** rules to 100 · the loser deals next")
        assert "### Different from classic\n- The loser of a deal deals the next one." in told
        changed = await scene.ask(scene.east, "rules", scene.east.dm, rules="oklahoma target=30 spade_doubles=on")
        assert "**oklahoma** rules (changed) to 30 · the upcard sets the knock limit, a spade doubles" in changed
        assert "there are no rules 'bridge'" in await scene.ask(scene.east, "rules", rules="bridge")

        async def offered(typed: str) -> list[tuple[str, str]]:
            asked = await scene.east.complete("gin rules", scene.channel, option="rules", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        assert [value for _, value in await offered("")] == list(PRESETS)
        assert await offered("oka") == []
        assert [value for _, value in await offered("Three players")] == ["rotation", "strict_rotation", "winner_stays"]
        big = "big: a passed upcard may still be taken, big gin 31, lay-offs by hand, each deal won 25, shutout …"
        assert await offered("big") == [(big, "big")]
        assert await offered("classic gin_bonus=30") == [("classic gin_bonus=30: gin 30", "classic gin_bonus=30")]
        assert await offered("classic gin_bonus=many") == []
        assert await offered("classic gin_bonus=30" + " " * 100) == []
