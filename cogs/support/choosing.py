"""Private menus for what a command leaves open: which match, which invitation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import discord
from discord import app_commands

from bot.engine.moves import Seat
from bot.play.application import Application
from bot.play.refusals import NoChallenge, Refusal, WhichMatch
from bot.values.challenges import Challenge
from bot.values.matches import MatchInfo
from cogs.kit.answers import Answer, Interaction, Message
from cogs.panels.layout import Accent, note
from cogs.kit.components import WHICH, menu
from cogs.text import rules
from cogs.text.people import joined, plain


async def match_meant(interaction: Interaction, app: Application, verb: str) -> MatchInfo | None:
    """The match that a player's command means; None where they are asked, and their choice comes back with the verb.

    Raises:
        NoMatch, NotSeated: there is none; see `Lookup.meant_by`.
    """
    try:
        return await app.lookup.meant_by(interaction.user.id, interaction.channel_id)
    except WhichMatch as several:
        await Answer.to(interaction).say(which_match(interaction.client, several.matches, verb))
        return None


async def invitation_meant(interaction: Interaction, invitations: Sequence[Challenge], verb: str) -> Challenge | None:
    """The only invitation there is, or the only one here; None where the person is asked, as for a match.

    Raises:
        NoChallenge: there is none.
    """
    here = [one for one in invitations if one.channel_id == interaction.channel_id]
    meant = here if len(here) == 1 else invitations
    if not meant:
        raise NoChallenge
    if len(meant) == 1:
        return meant[0]
    await Answer.to(interaction).say(which_invitation(interaction.client, meant, verb))
    return None


async def complete_rules(interaction: Interaction, app: Application, typed: str) -> list[app_commands.Choice[str]]:
    """The rules that a server offers and that what is typed may become, each with what sets it apart."""
    offers = await app.rulebook.offers(interaction.guild_id or 0)
    wanted = typed.strip().lower()
    choices = [
        app_commands.Choice(name=rules.brief(f"{one.name}: {rules.differences(one.rules)}"), value=one.name)
        for one in offers
        if wanted in one.name.lower()
    ]
    if "=" in typed and len(typed) <= rules.MENU:
        with suppress(Refusal):
            read = await app.rulebook.read(interaction.guild_id or 0, typed)
            told = rules.brief(f"{typed.strip()}: {rules.differences(read.rules)}")
            choices = [app_commands.Choice(name=told, value=typed)]
    return choices[:25]


def which_match(
    client: discord.Client, matches: Sequence[MatchInfo], verb: str, argument: str | None = None
) -> Message:
    """Shortcut which match is meant; the choice comes back with the verb and the argument."""
    options = match_options(client, matches, lambda card: f"{card.system} rules")
    row = menu(WHICH, 0, verb, "Choose a match …", options, argument=argument)
    return note("You play several matches. Which one do you mean?", Accent.YOURS, [[row]])


def which_invitation(client: discord.Client, invitations: Sequence[Challenge], verb: str) -> Message:
    """Shortcut which invitation is meant; the choice comes back with the verb."""
    options = [
        discord.SelectOption(
            label=_between(one)[:100],
            description=f"{place(client, one.channel_id)}, {one.system} rules",
            value=str(one.id),
        )
        for one in invitations[:25]
    ]
    row = menu(WHICH, 0, verb, "Choose a challenge …", options)
    return note("There are several challenges. Which one do you mean?", Accent.YOURS, [[row]])


def match_options(
    client: discord.Client, matches: Sequence[MatchInfo], told: Callable[[MatchInfo], str]
) -> list[discord.SelectOption]:
    """An option for each of the first 25 matches: who plays, where, and what else is told of it."""
    return [
        discord.SelectOption(
            label=" vs ".join(_together(card, seats) for seats in card.sides)[:100],
            description=f"{place(client, card.channel_id)}, {told(card)}",
            value=str(card.id),
        )
        for card in matches[:25]
    ]


def _together(card: MatchInfo, seats: Sequence[Seat]) -> str:
    return joined([plain(card.players[seat]) for seat in seats])


def place(client: discord.Client, channel_id: int) -> str:
    """A channel by its name, since a menu shows no mentions."""
    channel = client.get_channel(channel_id)
    known = isinstance(channel, (discord.abc.GuildChannel, discord.Thread))
    return f"#{channel.name}"[:50] if known else "In a channel that is gone"


def _between(invitation: Challenge) -> str:
    opponent = "anyone" if invitation.opponent is None else plain(invitation.opponent)
    whom = f"{invitation.seats[-1]} players" if invitation.is_lobby else opponent
    return f"{plain(invitation.challenger)} challenges {whom}"
