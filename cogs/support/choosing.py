"""Private menus that ask which match or challenge a command is about, and completions of rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import discord
from discord import app_commands

from bot.engine.moves import Seat
from bot.play.application import Application
from bot.play.refusals import NoChallenge, Refusal, WhichMatch
from bot.values.challenges import Challenge
from bot.values.ids import ChannelId, GuildId
from bot.values.matches import MatchInfo
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import MENU_SIZE, menu
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, note
from cogs.support.interactions import channel_id_of, person_id_of
from cogs.text import rules
from cogs.text.people import joined, plain


async def find_match(interaction: Interaction, app: Application, action: Action) -> MatchInfo | None:
    """Return the match that a player's command is about.

    Return None if they are asked which one; their choice comes back with the action.

    Raises:
        NoMatch, NotSeated: there is none; see `Lookup.find`.
    """
    try:
        return await app.lookup.find(person_id_of(interaction), channel_id_of(interaction))
    except WhichMatch as several:
        await Answer.to(interaction).reply(which_match(interaction.client, several.matches, action))
        return None


async def choose_challenge(
    interaction: Interaction, challenges: Sequence[Challenge], action: Action
) -> Challenge | None:
    """Return the only challenge there is, or the only one here.

    Return None if the person is asked which one; their choice comes back with the action.

    Raises:
        NoChallenge: there is none.
    """
    here = [one for one in challenges if one.channel_id == interaction.channel_id]
    candidates = here if len(here) == 1 else challenges
    if not candidates:
        raise NoChallenge
    if len(candidates) == 1:
        return candidates[0]
    await Answer.to(interaction).reply(_which_challenge(interaction.client, candidates, action))
    return None


async def complete_rules(interaction: Interaction, app: Application, typed: str) -> list[app_commands.Choice[str]]:
    """Return the rules a server offers that match what is typed, each with how they differ from the usual ones."""
    guild_id, wanted = GuildId(interaction.guild_id or 0), typed.strip().lower()
    choices = [
        app_commands.Choice(name=rules.brief(f"{one.name}: {rules.differences(one.rules)}"), value=one.name)
        for one in await app.rulebook.offered(guild_id)
        if wanted in one.name.lower()
    ]
    if "=" in typed and len(typed) <= rules.MENU:
        with suppress(Refusal):
            read = await app.rulebook.read(guild_id, typed)
            label = rules.brief(f"{typed.strip()}: {rules.differences(read.rules)}")
            choices = [app_commands.Choice(name=label, value=typed)]
    return choices[:MENU_SIZE]


def which_match(
    client: discord.Client, matches: Sequence[MatchInfo], action: Action, argument: str | None = None
) -> Message:
    """Ask which match is meant. The choice comes back with the action and the argument."""
    options = match_options(client, matches, lambda match: f"{match.ruleset} rules")
    row = menu(Subject.CHOSEN, 0, action, "Choose a match …", options, argument=argument)
    return note("You are playing several matches. Which one do you mean?", Accent.YOURS, [[row]])


def _which_challenge(client: discord.Client, challenges: Sequence[Challenge], action: Action) -> Message:
    options = [
        discord.SelectOption(
            label=_players(one)[:100],
            description=f"{channel_name(client, one.channel_id)}, {one.ruleset} rules",
            value=str(one.id),
        )
        for one in challenges[:MENU_SIZE]
    ]
    row = menu(Subject.CHOSEN, 0, action, "Choose a challenge …", options)
    return note("There are several challenges. Which one do you mean?", Accent.YOURS, [[row]])


def match_options(
    client: discord.Client, matches: Sequence[MatchInfo], describe: Callable[[MatchInfo], str]
) -> list[discord.SelectOption]:
    """Return a menu option for each of the first 25 matches: who plays, where, and a description."""
    return [
        discord.SelectOption(
            label=" vs ".join(_side(match, seats) for seats in match.sides)[:100],
            description=f"{channel_name(client, match.channel_id)}, {describe(match)}",
            value=str(match.id),
        )
        for match in matches[:MENU_SIZE]
    ]


def _side(match: MatchInfo, seats: Sequence[Seat]) -> str:
    return joined([plain(match.players[seat]) for seat in seats])


def channel_name(client: discord.Client, channel_id: ChannelId) -> str:
    """Return a channel's name, since a menu shows no mentions."""
    channel = client.get_channel(channel_id)
    is_known = isinstance(channel, (discord.abc.GuildChannel, discord.Thread))
    return f"#{channel.name}"[:50] if is_known else "In a deleted channel"


def _players(challenge: Challenge) -> str:
    opponent = "anyone" if challenge.opponent is None else plain(challenge.opponent)
    challenged = f"{challenge.seats[-1]} players" if challenge.is_lobby else opponent
    return f"{plain(challenge.challenger)} challenges {challenged}"
