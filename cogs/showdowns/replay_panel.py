"""Replays of a finished deal: as an animation, or step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from discord import ButtonStyle

from bot.model.matches import Replay
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Picture, Row, message, with_picture
from cogs.kit.messages import Message
from cogs.showdowns import replay_text as texts
from cogs.showdowns import showdown_text as showdown
from cogs.words.names import MAX_WITH_ACCOUNT, safe
from cogs.words.table import deal_name

WHOLE_DEAL: Final = "whole"
"""The end of a button's argument that asks for the animation of the whole deal instead of a single step."""


async def replay(
    shown: Replay, pictures: Pictures | None, *, can_show_to_all: bool = False, shown_by: str | None = None
) -> Message:
    """Return a deal's replay: the animation and the moves as text. If `pictures` is None, omit the animation.

    Without the animation, the text has the showdown too. A private replay has buttons for single steps and for sharing.
    A shared one has the name of the sharer instead.
    """
    animation = None if pictures is None else await pictures.replay(shown)

    def compose(picture: Picture | None) -> Message:
        return message(
            Accent.OVER,
            texts.moves(shown, with_end=picture is None),
            texts.too_long(shown) if animation is None and pictures is not None else None,
            None if shown_by is None else f"-# Shown by {safe(shown_by, MAX_WITH_ACCOUNT)}",
            title=f"Replay · {showdown.title(shown.view.showdown, shown.match)}",
            picture=picture,
            rows=[[_step_button(shown, "Step by step", 0), _share_button(shown) if can_show_to_all else None]]
            if shown_by is None
            else [],
        )

    return with_picture(compose, animation)


async def step(shown: Replay, number: int, pictures: Pictures | None) -> Message:
    """Return a deal after `number` actions, with buttons for the neighbouring steps and for the animation.

    If `pictures` is None, describe the cards in words.
    """
    number = min(number, shown.view.action_count + 1)

    def panel(picture: Picture | None) -> Message:
        return message(
            Accent.OVER,
            texts.step(shown, number),
            None if picture is not None else texts.step_in_words(shown, number),
            title=f"Replay · {deal_name(shown.match, shown.view.showdown)}, {texts.step_name(shown, number)}",
            picture=picture,
            rows=[_steps(shown, number), [_animation_button(shown)]],
        )

    if pictures is None:
        return panel(None)
    drawn = await pictures.replay_step(shown, number)
    return replace(panel(drawn), in_words=lambda: panel(None))


def _steps(shown: Replay, number: int) -> Row:
    last = shown.view.action_count + 1
    return [
        _step_button(shown, "First", 0, "first", disabled=number == 0),
        _step_button(shown, "Back", max(0, number - 1), "back", disabled=number == 0),
        _step_button(shown, "Next", min(last, number + 1), "next", disabled=number == last),
        _step_button(shown, "Last", last, "last", disabled=number == last),
    ]


def _step_button(shown: Replay, label: str, step: int, way: str = "to", *, disabled: bool = False) -> Item:
    """Return the button for a step. `way` makes the custom id unique, because two buttons can lead to the same step."""
    argument = f"{texts.deal_number(shown.view.showdown)}/{step}/{way}"
    match = shown.match
    return button(match.id, match.version, Action.REPLAY_STEP, label, argument=argument, disabled=disabled)


def _animation_button(shown: Replay) -> Item:
    return _step_button(shown, "Whole deal", 0, WHOLE_DEAL)


def _share_button(shown: Replay) -> Item:
    match, number = shown.match, texts.deal_number(shown.view.showdown)
    label, style = "Show everyone", ButtonStyle.primary
    return button(match.id, match.version, Action.SHOW_REPLAY_TO_ALL, label, style, argument=number)
