"""The wizard of `/gin play`: opponents, number of players, length, rules and clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord
from discord import ButtonStyle

from bot.model.challenges import Challenge
from bot.model.guilds import NamedRules
from cogs.actions import Action, Subject
from cogs.challenges.levels import LEVELS
from cogs.kit.components import button, menu, user_menu
from cogs.kit.layout import Accent, Item, message
from cogs.kit.messages import Message
from cogs.rules.rules_panel import clock_options, rules_option
from cogs.words import rules as rules_text
from cogs.words.names import joined, mention

MORE: Final = "more"
"""The value of a menu that opens the draft with all its options."""
MAX_GUESTS: Final = 3
PLAYER_COUNTS: Final = (2, 3, 4)
TARGETS: Final = {100: "usual", 50: "half as long", 10: "short"}
"""The targets to choose from, with a word about each."""
FEATURED: Final = ("classic", "oklahoma", "hollywood", "straight", "traditional", "tournament")
"""The presets to list first, because they differ most from each other."""
_MAX_LISTED: Final = 6


def play_button() -> Item:
    """Return the button that opens the wizard in a new message."""
    return button(Subject.MENU, 0, Action.PLAY, "Play", ButtonStyle.success)


def wizard(draft: Challenge, offered: Sequence[NamedRules], notice: str | None = None) -> Message:
    """Return a draft of a challenge with a menu for each choice. `offered` are the rules that the server offers."""
    chosen = [player.id for player in draft.named if player.id is not None]
    called = rules_text.PRESET_TITLES.get(draft.ruleset, draft.ruleset)
    return message(
        Accent.YOURS,
        f"Against {joined([mention(player) for player in draft.named]) or 'anyone here'}: "
        f"{rules_text.line(draft.rules, draft.ruleset)}",
        title="Play gin rummy",
        notice=notice,
        rows=[
            [user_menu(draft.id, Action.PLAY_WITH, "Opponents …", chosen, MAX_GUESTS)],
            [menu(draft.id, 0, Action.PLAY_COUNT, "Players …", _counts(draft))],
            [menu(draft.id, 0, Action.PLAY_TARGET, f"Length: {rules_text.end_text(draft.rules)}", _targets(draft))],
            [
                menu(
                    draft.id,
                    0,
                    Action.PLAY_RULES,
                    f"Rules: {called}",
                    _rules(draft, offered),
                )
            ],
            [menu(draft.id, 0, Action.PLAY_CLOCK, "Clock …", clock_options(draft.clock))],
            [
                button(draft.id, 0, Action.DRAFT_SEND, "Challenge", ButtonStyle.success),
                button(draft.id, 0, Action.PLAY_COMPUTER, "Play the computer"),
                button(draft.id, 0, Action.DRAFT_DROP, "Cancel"),
            ],
        ],
    )


def levels(subject: int | Subject, text: str) -> Message:
    """Return the choice of a computer to practise with, by the rules of a draft if `subject` is one."""
    options = [
        discord.SelectOption(label=f"{level.capitalize()} computer", description=about, value=level)
        for level, about in LEVELS.items()
    ]
    choice = menu(subject, 0, Action.PRACTISE_LEVEL, "Choose a level …", options)
    back = None if subject is Subject.MENU else button(subject, 0, Action.PLAY_BACK, "Back")
    return message(Accent.YOURS, text, title="Play the computer", rows=[[choice], [back]])


def _counts(draft: Challenge) -> list[discord.SelectOption]:
    seats = draft.seats
    return [
        discord.SelectOption(label=f"{count} players", value=str(count), default=count in seats and len(seats) == 1)
        for count in PLAYER_COUNTS
    ]


def _targets(draft: Challenge) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=f"To {target}", description=about, value=str(target), default=draft.rules.target == target
        )
        for target, about in TARGETS.items()
    ]


def _rules(draft: Challenge, offered: Sequence[NamedRules]) -> list[discord.SelectOption]:
    """Return rules for the draft's number of players, and the way to all rules and options.

    The chosen rules are first, then the server's house rules and the presets in `FEATURED`.
    """
    fitting = [rules for rules in offered if rules.max_seats >= draft.seats[-1]]
    listed = sorted(fitting, key=lambda rules: (rules.name != draft.ruleset, not rules.house, _rank(rules.name)))
    chosen = draft.ruleset
    options = [rules_option(rules.name, rules.rules, chosen=rules.name == chosen) for rules in listed[:_MAX_LISTED]]
    return [*options, discord.SelectOption(label="More …", description="all rules and options", value=MORE)]


def _rank(name: str) -> int:
    return FEATURED.index(name) if name in FEATURED else len(FEATURED)
