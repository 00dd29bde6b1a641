"""`python -m tests.command_page > docs/commands.md`: the page of commands, generated from the bot's command tree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from unittest.mock import Mock

import discord
from discord import AppCommandOptionType, app_commands
from discord.ext import commands

from bot.connection.client import Client
from bot.connection.commands import load_commands
from cogs.turns.match_feature import MatchServices
from cogs.words.names import joined

Command = app_commands.Command[Any, ..., Any]

GIN: Final = "gin"
"""The group whose own commands are divided into sections by the room of `cogs` that they come from."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page: a heading, an introduction with a sentence on each line, and the topics of its commands.

    A topic is the full name of a group, or for commands directly below `/gin` the name of their room in `cogs`.
    """

    heading: str
    introduction: str
    topics: tuple[str, ...]


SECTIONS: Final = (
    Section(
        "Learn the game",
        """\
`/gin practice learn` teaches gin rummy in three minutes, as you play it.
`/gin rules` explains any rules in plain words; [the rules](rules.md) lists all of them.""",
        ("help",),
    ),
    Section(
        "Challenge people",
        """\
Choose everything from menus with `/gin play`, or as options with `/gin challenge`.
Name the people you want to play with, or nobody: then anyone who can write in the channel can accept.
A challenge expires after a day, and so does the offer of a rematch.
*Block*, under *More …* on a challenge and below a rematch offer or a nudge, keeps that person from making you offers \
on any server.
With *options* you can change individual rules before the challenge is sent.
A *casual* match does not count in the standings.
A *clock* limits the time of a player: `2d` allows two days for each turn.
`10m+20s` is for a match in one sitting: ten minutes for each player, and 20 seconds more for each turn.
When the time is up, the others can claim the match; with `flag`, as in `2d flag`, the player loses automatically.
Your *words* are mixed into the shuffles, so that nobody can choose the cards: see [Fair deals](fair.md).""",
        ("challenges",),
    ),
    Section(
        "Challenges for three or four",
        """\
Such a challenge waits until its creator starts the match.
Until then people can join and leave, and computers can take open seats.""",
        ("gin lobby",),
    ),
    Section(
        "Play",
        """\
A turn is two moves: draw or take a card, then discard one, knock or go gin.
Each move is also a button below your hand.
While you wait, the menu *On your next turn …* orders moves ahead: to pass the upcard, to draw, or to take cards.
An ordered pass or draw is left to you if the card on offer fits a meld or lets you knock.
*Draw for me* in your preferences draws in every turn in the same way.
*Ask to take back*, below your hand after a discard, asks your opponents to give the card back, before the next player \
draws.
It appears if they allow it with *Take-backs* in their preferences, and works once in a deal.
*Arrange* puts your cards in your own order until the deal ends.
Write a card as `Kd`, as `K♦` or by its name; Discord completes it as you type.""",
        ("turns",),
    ),
    Section(
        "Your matches",
        """\
These commands are about the match in the channel where you use them, or else about your own match.
`/gin games` lists the most urgent match first.
`/gin resign` asks you before anything happens, and offers every other way to end or pause a match.
You can claim a match when the other player's time is up; without a clock, that is after a week without a move.""",
        ("tables",),
    ),
    Section(
        "Play against computers",
        """\
These matches are private, and do not count in the standings.
You can have three at a time.
The lesson remembers where you left it.""",
        ("gin practice",),
    ),
    Section(
        "The deal of the day",
        """\
Once a day, everybody on all servers can play the same deal against the computer, in private.
You have one try, and until midnight (UTC) to finish it; you can stop and come back.
Until then the cards are sealed for everyone, also for those who have finished; the next day, the deal can be replayed.
The managers of a server can have the deal posted every day.
When the day is over, the post becomes the result, with the first three, the best deal as a replay, and the choice \
that mattered most.
A person with a second account can look ahead, so it's just for fun.
It counts in no rating, leaderboard or statistic, only in `/gin-stats daily`.""",
        ("daily",),
    ),
    Section(
        "Finished deals",
        """\
A replay shows all hands, as an animation or step by step.
A review shows the points that your choices cost, the three costliest with your hand, and how much of the result was \
luck.
Only you see a replay or a review until you share it.
`/gin-deal verify` shows the commitment posted before the match, the words of the players and the resulting cards.
It also has files for checking all of it on your own computer.
`/gin-deal fair` tests the decks dealt on this server with statistics, and shows the p-values in plain words.""",
        ("gin-deal",),
    ),
    Section(
        "Results",
        """\
A match counts once one of its deals is finished, unless it is casual or was called off.
The leaderboard shows the leaders and your own place, and the number of matches played each week.
A profile shows matches, net points over time, how deals were won, the most frequent opponents, and how lucky the \
cards were compared with chance.
`/gin-stats versus` adds the last ten matches against that person.
`/gin-stats history` opens each match with its score sheet, a replay of each deal, a review, and its record as a file.
In direct messages your history covers all servers, and practice.
`/gin-stats daily` compares the deals of the day: points, then fewer turns.
A deal that someone began but did not finish counts as the worst result that anyone had that day, and never better \
than −25.
A streak is the number of days in a row that you finished, on all servers.
Days on which the bot was down do not end it.
*Calendar* there shows your own days, which nobody else sees, and opens the deal of a past day.
In direct messages the command answers with this calendar.""",
        ("standings", "gin-stats"),
    ),
    Section(
        "Your preferences and your data",
        """\
The preferences are about your messages (direct messages, notifications, reminders of turns and of the deal of the \
day, quiet hours, nudges), about other people (who can challenge you, who is blocked, who sees your profile, whether \
opponents can ask to take back a discard), and about your cards (pictures, order, names, automatic draws, and a \
question before costly moves).
A holiday lasts up to 14 days, and you have 30 days in a year; a move or *I'm back* ends it.
Everyone in the channel can read your shuffle words.""",
        ("gin me",),
    ),
    Section(
        "Manage a server",
        """\
The settings are the default rules, target and clock, the available rules, the allowed channels, the look of \
public messages, seasons, and the deal of the day.
Seasons are months or quarters, each with its own leaderboard by matches won.
The result of a season can be posted in a channel, with the podium as a picture, and its champions get a title on \
their profile.
The post may name the season's largest deal, but only one from a channel that everyone on the server can see.
The deal of the day is posted in the channel and at the hour that you choose, in the server's time zone.
People can play it until midnight (UTC), so choose an hour that leaves them enough of the day.
`/gin-admin end` lists the running matches that you can see.
`/gin-admin end` and `/gin-admin reset` ask you before they change anything.""",
        ("gin-admin",),
    ),
    Section(
        "House rules",
        """\
House rules are a preset with changes, under a name of your own.
Matches that have started keep their rules when you remove or change them.""",
        ("gin-admin rules",),
    ),
)
"""The sections of the page, in order."""

_INTRODUCTION: Final = """\
# Commands

Type `/` in a channel to choose a command; Discord completes the values of parameters as you type.
Give a value for each parameter in `<…>`; you can leave out those in `[…]`.
Every move has both a button and a command.
"""
_MANAGERS: Final = "Only people with the permission *Manage Server* can use these commands."
_SERVER_ONLY: Final = "They work only on a server, not in direct messages."
_MANAGE: Final = discord.Permissions(manage_guild=True)


def load_all_commands() -> list[Command]:
    """Return the commands of the bot, without connecting to Discord, in the order in which they are defined."""

    async def load() -> list[Command]:
        # Cogs register handlers when they are created, but use their services only for interactions.
        bot = commands.Bot(commands.when_mentioned, help_command=None, intents=discord.Intents.none())
        await load_commands(cast(Client, bot), Mock(MatchServices))
        return [command for command in bot.tree.walk_commands() if isinstance(command, app_commands.Command)]

    return asyncio.run(load())


def topic(command: Command) -> str:
    """Return the topic of a command. See `Section`."""
    group = _group(command)
    return group.qualified_name if group.qualified_name != GIN else (command.module or "").split(".")[1]


def page() -> str:
    """Return the page in Markdown."""
    shown = load_all_commands()
    links = " · ".join(f"[{section.heading}](#{section.heading.lower().replace(' ', '-')})" for section in SECTIONS)
    roots = {root.name: root for root in map(_root, shown)}
    everywhere = joined([f"`/{name}`" for name, root in sorted(roots.items()) if not root.guild_only])
    direct = f"The commands of {everywhere} also work in direct messages; those that need a server say so there."
    update = "This page is generated from the bot's commands: `python -m tests.command_page > docs/commands.md`."
    sections = [
        _section(section, [each for name in section.topics for each in shown if topic(each) == name])
        for section in SECTIONS
    ]
    return "\n\n".join((f"{_INTRODUCTION}{direct}", links, *sections, "---", update)) + "\n"


def _section(section: Section, shown: Sequence[Command]) -> str:
    roots = {root.name: root for root in map(_root, shown)}.values()
    notes = [_MANAGERS] if any(root.default_permissions == _MANAGE for root in roots) else []
    notes += [_SERVER_ONLY] if any(root.guild_only for root in roots) else []
    rows = [f"| `{_usage(command)}` | {_cell(command.description)} |" for command in shown]
    parts = [
        f"## {section.heading}",
        "\n".join((*notes, section.introduction)),
        "\n".join(("| command | |", "| --- | --- |", *rows)),
    ]
    parameters = list(_parameter_rows(shown))
    if parameters:
        parts.append("\n".join(("| parameter | |", "| --- | --- |", *parameters)))
    return "\n\n".join(parts)


def _usage(command: Command) -> str:
    """Return a command with its parameters: `/gin knock <card> [melds]`."""
    names = [
        f"<{each.display_name}>" if each.required else f"[{each.display_name}]"
        for each in sorted(command.parameters, key=lambda each: not each.required)
    ]
    return " ".join((f"/{command.qualified_name}", *names))


def _parameter_rows(shown: Iterable[Command]) -> Iterator[str]:
    """Yield a row for each parameter. Name its commands if another parameter of the section has the same name."""
    meanings: dict[str, dict[str, list[str]]] = {}
    for command in shown:
        for parameter in command.parameters:
            of_name = meanings.setdefault(parameter.display_name, {})
            of_name.setdefault(_meaning(parameter), []).append(command.name)
    for name, of_name in meanings.items():
        for meaning, names in of_name.items():
            where = f" of {', '.join(f'`{each}`' for each in names)}" if len(of_name) > 1 else ""
            yield f"| `{name}`{where} | {meaning} |"


def _meaning(parameter: app_commands.Parameter) -> str:
    """Return the description of a parameter with its possible values, if Discord offers or limits them."""
    limits = parameter.min_value, parameter.max_value
    values = ""
    if parameter.choices:
        values = f". Choose {joined([f'*{choice.name}*' for choice in parameter.choices], 'or')}"
    elif parameter.type is AppCommandOptionType.boolean:
        values = ". Choose *True* or *False*"
    elif parameter.type is AppCommandOptionType.integer and None not in limits:
        values = f". Type a number from {limits[0]:,} to {limits[1]:,}"
    return _cell(f"{parameter.description}{values}")


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|")


def _group(command: Command) -> app_commands.Group:
    assert command.parent is not None
    return command.parent


def _root(command: Command) -> app_commands.Group:
    group = _group(command)
    return group.parent or group


if __name__ == "__main__":
    print(page(), end="")
