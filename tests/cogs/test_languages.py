"""Texts to a person name cards in the person's language only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bot.model.appearance import Appearance
from bot.sandbox.world.messages import Message
from cogs.actions import Action
from tests.cogs.scenes import Scene, hands, open_match_scene, open_scene, person_of
from tests.helpers.components import controls
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, Deck
from tests.helpers.table import prefer

_ENGLISH: Final = re.compile(r"[JQ][♣♦♥♠]")
"""Regular expression for cards that have other letters in German."""


def _texts(message: Message) -> list[str]:
    """Return all texts of a message: its text, labels, menus and descriptions of pictures."""
    labels = [str(getattr(control.item, "label", "")) for control in controls(message, disabled=True)]
    options = [f"{option.label} {option.description}" for menu in message.selects for option in menu.options]
    return [message.text, *labels, *options, *(str(image.alt) for image in message.images)]


def _check(message: Message) -> None:
    for text in _texts(message):
        assert not _ENGLISH.search(text), text


async def _speak_german(scene: Scene) -> None:
    await prefer(scene.bot.app, person_of(scene.north), appearance=Appearance(language="de"), pictures=True)


@pytest.mark.nightly
@pytest.mark.parametrize(("deck", "ends"), [(IMMEDIATE_KNOCK, {"card": "Qh"}), (IMMEDIATE_GIN, {})])
async def test_private_texts_have_the_letters_of_the_person(
    tmp_path: Path, deck: Deck, ends: dict[str, object]
) -> None:
    """A person who chose German reads B, D and K in hands, showdowns, replays, reviews and audits, never J or Q."""
    async with open_match_scene(tmp_path, deck) as scene:
        await _speak_german(scene)
        north = scene.north
        shown = (await scene.use(north, "gin hand", scene.channel)).message
        _check(shown)
        await scene.press(north, shown, Action.TAKE)
        _check(shown)
        for name in ("discard", "knock"):
            asked = await north.complete(f"gin {name}", scene.channel, option="card", value="")
            for choice in (await asked.answer()).choices:
                assert not _ENGLISH.search(str(choice["name"]))
        _check((await scene.use(north, "gin discard", scene.channel, card="Qd")).message)
        _check((await scene.use(north, "gin knock" if ends else "gin gin", scene.channel, **ends)).message)
        await scene.wait_until_idle()
        _check(hands(north)[-1])
        for command in ("gin-deal replay", "gin-deal review", "gin-deal verify", "gin-stats score", "gin help"):
            _check((await scene.use(north, command, scene.channel)).message)


@pytest.mark.nightly
async def test_practice_has_the_letters_of_the_person(tmp_path: Path) -> None:
    """Hints and the lesson use the letters of the person, too."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await _speak_german(scene)
        _check((await scene.use(scene.north, "gin practice start", scene.north.dm)).message)
        _check((await scene.use(scene.north, "gin practice hint", scene.north.dm)).message)
        _check((await scene.use(scene.north, "gin practice learn", scene.north.dm)).message)
