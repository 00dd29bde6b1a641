"""The JSON objects of a message are those that discord.py would send."""

from __future__ import annotations

from typing import Any, Final, cast

import discord
from discord import ui

from cogs.actions import Action, Subject
from cogs.kit import json_components as parts
from cogs.kit.components import button, channel_menu, link, menu, user_menu

_DEFAULTS: Final[tuple[Any, ...]] = (None, False, [])


def without_defaults(component: Any) -> Any:
    """Return a component without the fields that have their default value."""
    match component:
        case dict():
            fields = {name: without_defaults(value) for name, value in cast(dict[str, Any], component).items()}
            return {name: value for name, value in fields.items() if value not in _DEFAULTS and name != "required"}
        case list():
            return [without_defaults(part) for part in cast(list[Any], component)]
        case _:
            return component


def test_each_part_is_sent_as_discord_py_would_send_it() -> None:
    """A message with every kind of component has the same JSON objects as one built from discord.py's classes."""
    emoji = discord.PartialEmoji(name="Kd", id=7)
    options = [discord.SelectOption(label="One", value="1", description="First", default=True, emoji=emoji)]
    ours = parts.container(
        0x123456,
        [
            parts.text("Text"),
            parts.section("Beside", button(5, 2, Action.DRAW, "Draw", discord.ButtonStyle.success, disabled=True)),
            parts.gallery("hand.png", "A hand"),
            parts.row([button(5, 2, Action.DISCARD, None, argument="Kd", emoji=emoji), link("Site", "https://a.b")]),
            parts.row([menu(5, 0, Action.OPEN_SETTING, "Choose", options, max_values=1)]),
            parts.row([channel_menu(Subject.SERVER, Action.SET_SEASON_CHANNEL, "Channel", (), 1)]),
            parts.row([user_menu(Subject.SELF, Action.PLAY, "People", [], 3)]),
            parts.download("match.gin"),
        ],
    )
    theirs: ui.Container[Any] = ui.Container(accent_colour=0x123456)
    theirs.add_item(ui.TextDisplay("Text"))
    success, secondary = discord.ButtonStyle.success, discord.ButtonStyle.secondary
    draw: ui.Button[Any] = ui.Button(label="Draw", style=success, custom_id="gin:5:2:draw", disabled=True)
    theirs.add_item(ui.Section(ui.TextDisplay[Any]("Beside"), accessory=draw))
    theirs.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://hand.png", description="A hand")))
    card: ui.Button[Any] = ui.Button(style=secondary, custom_id="gin:5:2:discard:Kd", emoji=emoji)
    site: ui.Button[Any] = ui.Button(label="Site", url="https://a.b")
    choice: ui.Select[Any] = ui.Select(
        placeholder="Choose", options=options, custom_id=f"gin:5:0:choose:{Action.OPEN_SETTING}"
    )
    channels: ui.ChannelSelect[Any] = ui.ChannelSelect(
        channel_types=[discord.ChannelType.text],
        placeholder="Channel",
        custom_id=f"gin:{Subject.SERVER}:0:choose:{Action.SET_SEASON_CHANNEL}",
        min_values=0,
    )
    people: ui.UserSelect[Any] = ui.UserSelect(
        placeholder="People",
        custom_id=f"gin:{Subject.SELF}:0:choose:{Action.PLAY}",
        min_values=0,
        max_values=3,
    )
    for row in ([card, site], [choice], [channels], [people]):
        theirs.add_item(ui.ActionRow(*row))
    theirs.add_item(ui.File("attachment://match.gin"))
    assert without_defaults(ours) == without_defaults(theirs.to_component_dict())
