"""The help and the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine.rules import PRESETS, Rules
from bot.model.guilds import MatchHome
from bot.model.ids import InteractionId, MatchId
from bot.play import refusals as why
from cogs.actions import Action
from cogs.words import rules as texts
from tests.cogs.scenes import buttons, open_scene, person_of


async def test_the_help_is_five_lines_and_a_picture(tmp_path: Path) -> None:
    """The help has five numbered lines and a picture with alt text, and names only commands that exist."""
    async with open_scene(tmp_path) as scene:
        shown = await scene.use(scene.north, "gin help", scene.channel)
        assert len(re.findall(r"^\*\*\d\.\*\*", shown.text, re.MULTILINE)) == 5
        (image,) = shown.message.images
        assert image.alt
        assert shown.message.ephemeral
        (gin,) = [row for row in scene.north.commands(scene.channel) if row["name"] == "gin"]
        command_names = {option["name"] for option in gin["options"]}
        assert set(re.findall(r"`/gin (\w+)", shown.text)) | set(re.findall(r"`(\w+)`", shown.text)) <= command_names
        assert buttons(shown.message) == [Action.PLAY, Action.LESSON, Action.GAMES]
        assert await scene.ask(scene.north, "help", scene.north.dm) == shown.text


@pytest.mark.thorough
async def test_rules_shows_the_channels_match(tmp_path: Path) -> None:
    """`/gin rules` shows everyone the rules of the channel's match; without a match it shows the default rules."""
    async with open_scene(tmp_path) as scene:
        assert texts.explained(Rules()) in await scene.ask(scene.east, "rules")
        await scene.press(scene.south, await scene.invite(scene.north, rules="straight", target=30), Action.ACCEPT)
        assert texts.explained(Rules.parse("straight target=30")) in await scene.ask(scene.east, "rules")


@pytest.mark.thorough
async def test_rules_shows_the_match_of_a_thread_after_its_end(tmp_path: Path) -> None:
    """In a thread that was opened for a match, `/gin rules` shows that match's rules even after its end."""
    async with open_scene(tmp_path, match_home=MatchHome.THREAD) as scene:
        await scene.press(scene.south, await scene.invite(scene.north, rules="straight", target=30), Action.ACCEPT)
        await scene.wait_until_idle()
        (thread,) = [channel for channel in scene.north.channels() if channel.thread is not None]
        await scene.bot.app.endings.resign(person_of(scene.north).id, MatchId(1), InteractionId(1))
        await scene.wait_until_idle()
        assert texts.explained(Rules.parse("straight target=30")) in await scene.ask(scene.north, "rules", thread)
        assert texts.explained(Rules()) in await scene.ask(scene.north, "rules")


async def test_any_rules_can_be_explained(tmp_path: Path) -> None:
    """Presets and changed rules are explained, on servers and in direct messages; completions have their titles."""
    async with open_scene(tmp_path) as scene:
        reply = await scene.ask(scene.east, "rules", rules="Strict")
        strict = Rules.parse("strict")
        assert reply == f"### The rules\n{texts.name(strict)}\n{texts.explained(strict)}"
        changed = await scene.ask(scene.east, "rules", scene.east.dm, rules="oklahoma target=30 spade_doubles=on")
        assert texts.explained(Rules.parse("oklahoma target=30 spade_doubles=on")) in changed
        unknown = await scene.use(scene.east, "gin rules", scene.channel, rules="bridge")
        assert scene.error_type(unknown) is why.UnknownRules

        async def offered(typed: str) -> list[tuple[str, str]]:
            asked = await scene.east.complete("gin rules", scene.channel, option="rules", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        assert [value for _, value in await offered("")] == list(PRESETS)
        assert await offered("oka") == []
        assert [value for _, value in await offered("Three players")] == ["rotation", "strict_rotation", "winner_stays"]
        assert [value for _, value in await offered("For three")] == ["rotation", "strict_rotation", "winner_stays"]
        assert await offered("big") == [(texts.brief(f"big · {texts.PRESET_TITLES['big']}"), "big")]
        changed = "classic gin_bonus=30"
        assert await offered(changed) == [(f"{changed}: {texts.differences(Rules.parse(changed))}", changed)]
        assert await offered("classic gin_bonus=many") == []
        assert await offered(changed + " " * 100) == []
