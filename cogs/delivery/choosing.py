"""Find the match or challenge that a command is about, with a private menu if there are several."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import compress
from typing import Final

import discord

from bot.model.challenges import Challenge
from bot.model.ids import GuildId, PersonId
from bot.model.matches import MatchInfo
from bot.model.namesakes import matches_with_ambiguity, with_ambiguity
from bot.model.statistics import Player
from bot.play.application import Application
from bot.play.refusals import WhichMatch
from cogs.actions import Action, Subject
from cogs.delivery.access import Access
from cogs.delivery.errors import ChoiceRequired, UserError
from cogs.delivery.interactions import channel_id_of, person_id_of
from cogs.delivery.refusals import WHICH_MATCH
from cogs.kit.answers import Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, menu
from cogs.kit.layout import Accent, note
from cogs.kit.messages import Message
from cogs.words import rules
from cogs.words.names import mention, option, plain
from cogs.words.rules import MAX_LINE_LENGTH
from cogs.words.table import ago, state

NO_OWN_TABLE: Final = "You have no open table. Open one with `/gin play`."
OWN_TABLE: Final = "You can't leave your own table. Close it with `/gin withdraw`."
NO_TABLE_JOINED: Final = "You haven't joined an open table."
_NONE_TO_ACCEPT: Final = "There's no challenge to accept here. Start a match with `/gin play`."
NO_CHALLENGE: Final = {
    Action.ACCEPT: _NONE_TO_ACCEPT,
    Action.ACCEPT_WITH_WORDS: _NONE_TO_ACCEPT,
    Action.DECLINE: "Nobody here has challenged you.",
    Action.WITHDRAW: "You have no open challenge.",
    Action.LEAVE_LOBBY: NO_TABLE_JOINED,
    Action.START_LOBBY: NO_OWN_TABLE,
    Action.CHALLENGE_WORDS: NO_OWN_TABLE,
    Action.CHANGE_TEAMS: NO_OWN_TABLE,
    Action.COMPUTERS: NO_OWN_TABLE,
}
"""The answers to commands that find no challenge, by action."""


async def match_event(interaction: Interaction, app: Application, access: Access, action: Action) -> ComponentEvent:
    """Find a command's match. Return an event as if the person had used a button of that match.

    Raises:
        ChoiceRequired: several matches are possible.
        NoMatch, NotSeated: no match is possible; see `Lookup.find`.
    """
    async with asking_which_match(interaction, app, access, action):
        match = await app.lookup.find(person_id_of(interaction), channel_id_of(interaction))
    return event_of(match, action)


async def challenge_event(
    interaction: Interaction, access: Access, challenges: Sequence[Challenge], action: Action
) -> ComponentEvent:
    """Return the event for a command about one of `challenges`: the only one in this channel, or the only one at all.

    Raises:
        ChoiceRequired: several challenges are possible.
        UserError: there are no challenges.
    """
    here = [challenge for challenge in challenges if challenge.channel_id == interaction.channel_id]
    candidates = here if len(here) == 1 else challenges
    if not candidates:
        raise UserError(NO_CHALLENGE[action])
    if len(candidates) > 1:
        raise ChoiceRequired(await _which_challenge(interaction, access, candidates, action))
    return event_of(candidates[0], action)


async def challenges_for(
    interaction: Interaction, app: Application, access: Access, guild_id: GuildId
) -> Sequence[Challenge]:
    """Return the challenges on a server that a person can see and is allowed to accept."""
    open_challenges = await app.challenges.open_to(person_id_of(interaction), guild_id)
    is_visible = await asyncio.gather(
        *(access.sees_challenge(interaction, open_challenge) for open_challenge in open_challenges)
    )
    return list(compress(open_challenges, is_visible))


def event_of(subject: MatchInfo | Challenge, action: Action, argument: str | None = None) -> ComponentEvent:
    """Return the event of a click on a button with this action for a match or challenge."""
    return ComponentEvent(str(subject.id), 0, action, argument)


@asynccontextmanager
async def asking_which_match(
    interaction: Interaction, app: Application, access: Access, action: Action, argument: str | None = None
) -> AsyncGenerator[None]:
    """If the block raises `WhichMatch`, raise the error of `match_choice` instead."""
    try:
        yield
    except WhichMatch as several:
        raise await match_choice(interaction, app, access, several, action, argument) from None


async def match_choice(
    interaction: Interaction,
    app: Application,
    access: Access,
    several: WhichMatch,
    action: Action,
    argument: str | None = None,
) -> ChoiceRequired:
    """Return the error that shows a menu of the possible matches.

    The menu's event has the chosen match, the action and the argument.
    """
    hands = await app.lookup.hands(person_id_of(interaction))
    states = {hand.match.id: f"{state(hand.view.public)} · " for hand in hands}
    options = await match_options(
        interaction,
        access,
        several.matches,
        lambda match: f"{states.get(match.id, '')}{rules.plain_name(match.rules, match.ruleset)}",
    )
    row = menu(Subject.CHOSEN, 0, action, "Choose a match …", options, argument=argument)
    return ChoiceRequired(note(WHICH_MATCH, Accent.YOURS, row))


async def match_options(
    interaction: Interaction, access: Access, matches: Sequence[MatchInfo], describe: Callable[[MatchInfo], str]
) -> list[discord.SelectOption]:
    """Return a menu option for each of the first `MENU_SIZE` matches: players, channel and description."""
    listed = matches_with_ambiguity(matches[:MENU_SIZE])
    places = await asyncio.gather(*(access.channel_name(interaction, entry) for entry in listed))
    return [
        discord.SelectOption(
            label=option(match),
            description=f"{place}, {describe(match)}"[:MAX_LINE_LENGTH],
            value=str(match.id),
        )
        for match, place in zip(listed, places, strict=True)
    ]


async def _which_challenge(
    interaction: Interaction, access: Access, challenges: Sequence[Challenge], action: Action
) -> Message:
    listed, asker = _with_ambiguity(challenges[:MENU_SIZE]), person_id_of(interaction)
    places = await asyncio.gather(*(access.channel_name(interaction, entry) for entry in listed))
    text, numbers = "Which challenge do you mean?", [""] * len(listed)
    opponents = [entry.opponent for entry in listed if entry.opponent is not None]
    if any(player.name is None and player.id != asker for player in opponents):
        # The names of challenged people are not stored, and menus show no mentions. So number the challenges, and
        # list them above the menu, with mentions.
        numbers = [f"{number}. " for number in range(1, len(listed) + 1)]
        lines = [
            f"{number}{_players_text(entry, asker, mention)}" for number, entry in zip(numbers, listed, strict=True)
        ]
        text = "\n".join((text, *lines))
    options = [
        discord.SelectOption(
            label=f"{number}{_players_text(entry, asker, plain)}"[:MAX_LINE_LENGTH],
            description=_terms_text(entry, f"sent {ago(interaction.created_at - entry.created_at)}, {place}"),
            value=str(entry.id),
        )
        for number, entry, place in zip(numbers, listed, places, strict=True)
    ]
    row = menu(Subject.CHOSEN, 0, action, "Choose a challenge …", options)
    return note(text, Accent.YOURS, row)


def _with_ambiguity(challenges: Sequence[Challenge]) -> list[Challenge]:
    """Return the challenges with look-alike names marked as ambiguous, so that account names are shown too."""
    everyone = [player for challenge in challenges for player in (*challenge.players, *challenge.named)]
    return [
        replace(
            challenge,
            players=with_ambiguity(challenge.players, everyone),
            named=with_ambiguity(challenge.named, everyone),
        )
        for challenge in challenges
    ]


def _players_text(challenge: Challenge, asker: PersonId, write: Callable[[Player], str]) -> str:
    """Return the challenger and the challenged as a sentence, with `asker` as "you": `You challenge South`."""
    if challenge.is_lobby:
        challenged = f"{challenge.seats[-1]} players"
    elif challenge.opponent is None:
        challenged = "anyone"
    else:
        challenged = "you" if challenge.opponent.id == asker else write(challenge.opponent)
    if challenge.challenger.id == asker:
        return f"You challenge {challenged}"
    return f"{write(challenge.challenger)} challenges {challenged}"


def _terms_text(challenge: Challenge, made: str) -> str:
    """Return a menu line: the rules, `made` (its time and place), and the differences from the usual rules."""
    name = rules.plain_name(challenge.rules, challenge.ruleset)
    return rules.brief(" · ".join(filter(None, (f"{name}, {made}", rules.differences(challenge.rules)))))
