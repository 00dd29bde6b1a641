"""The help and the rules."""

from __future__ import annotations

import re
from pathlib import Path

from bot.engine.rules import Rules, playable_presets
from cogs.words import pages
from tests.cogs.scenes import clubhouse


async def test_the_help_is_five_lines_and_a_picture(tmp_path: Path) -> None:
    """Five numbered lines, one picture with words for it, and every command it names is there; in a message too."""
    async with clubhouse(tmp_path) as scene:
        shown = await scene.uses(scene.north, "gin help", scene.channel)
        assert len(re.findall(r"^\*\*\d\.\*\*", shown.text, re.MULTILINE)) == 5
        (image,) = shown.message.images
        assert image.alt
        assert shown.message.ephemeral
        (gin,) = [row for row in scene.north.commands(scene.channel) if row["name"] == "gin"]
        there = {option["name"] for option in gin["options"]}
        assert set(re.findall(r"`/gin (\w+)", shown.text)) | set(re.findall(r"`(\w+)`", shown.text)) <= there
        assert "Gin rummy" in await scene.asks(scene.north, "help", scene.north.dm)


async def test_the_rules_are_those_of_the_channels_match(tmp_path: Path) -> None:
    """Without a match the usual rules; with one, its own, for spectators too."""
    async with clubhouse(tmp_path) as scene:
        assert "has **100** points" in await scene.asks(scene.east, "rules")
        await scene.presses(scene.south, await scene.invites(scene.north, rules="straight", target=30), "Accept")
        told = await scene.asks(scene.east, "rules")
        assert "has **30** points" in told
        assert "only gin goes out" in told


def test_the_rules_of_every_playable_preset_have_words() -> None:
    """The text names the numbers of each preset, and no field of the rules' own shows through."""
    for preset in playable_presets():
        rules = Rules.parse(preset)
        text = pages.rules(rules)
        assert f"**{rules.gin_bonus}**" in text
        assert "None" not in text
        assert "_" not in text
