"""The base class of all cogs: shared services, and registration of handlers for buttons and menus."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar, cast

from discord import app_commands
from discord.ext import commands

from bot.model.discord_codes import Code
from bot.model.ids import ChannelId, GuildId
from bot.model.matches import MatchInfo
from bot.model.names import search_key
from bot.play.application import Application
from bot.play.refusals import Refusal
from cogs.actions import Action
from cogs.delivery.access import Access, Need
from cogs.delivery.courier import Courier
from cogs.delivery.direct_messages import DirectMessages
from cogs.delivery.interactions import channel_id_of, person_id_of
from cogs.delivery.long_work import LongWork
from cogs.delivery.pictures import Pictures
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, ComponentHandlers
from cogs.kit.refusals import Refusals
from cogs.words import rules

_ACTIONS: Final = "__handled_actions__"

GROUP: Final = "group"
IN_GIN_DEAL_GROUP: Final = {GROUP: "gin-deal"}
IN_GIN_STATS_GROUP: Final = {GROUP: "gin-stats"}
IN_ME_GROUP: Final = {GROUP: "me"}
"""`IN_…_GROUP` are the `extras` of commands that belong to another feature's command group."""

_Method = TypeVar("_Method", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Services:
    """The application and the objects that all features share."""

    app: Application
    pictures: Pictures
    courier: Courier
    direct_messages: DirectMessages
    components: ComponentHandlers
    access: Access
    long_work: LongWork
    reviewing: LongWork
    refusals: Refusals


def handles(*actions: Action, need: Need | None = None) -> Callable[[_Method], _Method]:
    """Make a method the handler of these actions, and check `need` on every call, including calls from commands.

    Actions without a need concern only the person, their own seat or challenge, or a server that they manage. For these
    actions, the services and `Admin` check the person's rights.
    """

    def mark(method: _Method) -> _Method:
        handler = method if need is None else _checked(method, need)
        setattr(handler, _ACTIONS, actions)
        return handler

    return mark


def _checked(method: _Method, need: Need) -> _Method:
    @wraps(method)
    async def checked(self: Feature, interaction: Interaction, event: ComponentEvent) -> None:
        await self.access.require(interaction, event, need)
        await method(self, interaction, event)

    return cast(_Method, checked)


def deliberate(method: _Method) -> _Method:
    """Make a handler ignore the second tap of a double tap.

    Use it for buttons that can appear in the place of a button for a move. Moves themselves are checked against the
    state of the match that the button was made for.
    """

    @wraps(method)
    async def deliberately(self: Feature, interaction: Interaction, event: ComponentEvent) -> None:
        answer = Answer.to(interaction)
        await (answer.ignore() if answer.is_second_tap else method(self, interaction, event))

    return cast(_Method, deliberately)


class Feature(commands.Cog):
    """A cog whose methods handle the actions given to `handles`."""

    def __init__(self, services: Services) -> None:
        self._app, self._pictures = services.app, services.pictures
        self._courier, self._direct_messages = services.courier, services.direct_messages
        self.access = services.access
        self._long_work, self._review_work = services.long_work, services.reviewing
        self._refusals = services.refusals
        for name, method in vars(type(self)).items():
            for action in getattr(method, _ACTIONS, ()):
                services.components.register({action: getattr(self, name)})

    async def _last_ended(self, interaction: Interaction) -> MatchInfo:
        """Return the match that ended last in the channel, or in direct messages the person's own last match.

        Raises:
            NoMatch: no match has ended.
            NotSeated: the person did not play in that match.
        """
        person_id, lookup = person_id_of(interaction), self._app.lookup
        if interaction.guild_id is None:
            return await lookup.last_ended_match_of(person_id)
        return await lookup.last_ended_in(channel_id_of(interaction), person_id)

    async def _last_refusal(self, guild_id: GuildId, channel_id: ChannelId) -> Code | None:
        """Return the error code with which Discord refused the last message in a channel; None if no refusal is known.

        The outbox remembers the code across restarts.
        """
        return self._refusals.of(channel_id).message or await self._app.outbox.refusal_in(guild_id, channel_id)

    async def complete_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the server's rules whose names match the typed text, or else those whose descriptions do.

        If the text is a valid change to rules, such as `classic target=150`, offer only that.
        """
        guild_id, query = GuildId(interaction.guild_id or 0), search_key(typed)
        differences = {
            named_rules.name: rules.differences(named_rules.rules) or rules.end_text(named_rules.rules)
            for named_rules in await self._app.rulebook.offered(guild_id)
        }
        titles = {name: rules.PRESET_TITLES.get(name, text) for name, text in differences.items()}
        matching = [name for name in differences if query in search_key(name)]
        choices = [
            app_commands.Choice(name=rules.brief(f"{name} · {titles[name]}"), value=name)
            for name in matching
            or [name for name, text in differences.items() if query in search_key(f"{titles[name]} {text}")]
        ]
        if "=" in typed and len(typed) <= rules.MAX_LINE_LENGTH:
            with suppress(Refusal):
                parsed = await self._app.rulebook.read(guild_id, typed)
                label = rules.brief(
                    f"{typed.strip()}: {rules.differences(parsed.rules) or rules.end_text(parsed.rules)}"
                )
                choices = [app_commands.Choice(name=label, value=typed)]
        return choices[:MENU_SIZE]
