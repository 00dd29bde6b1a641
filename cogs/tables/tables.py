"""Views of matches: the hand, the table, the score, and the list of running matches."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

from discord import app_commands

from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId
from bot.model.matches import Showdown
from bot.model.namesakes import matches_with_ambiguity
from bot.model.outbox import MessageKind
from bot.model.people import Preferences
from bot.play.refusals import NoMatch, NotSeated
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.choosing import challenges_for, event_of, match_event, match_options
from cogs.delivery.errors import UserError
from cogs.delivery.feature import IN_GIN_STATS_GROUP, deliberate, handles
from cogs.delivery.interactions import channel_id_of, guild_id_of, parent_id_of, person_id_of
from cogs.delivery.places import require_table_permissions
from cogs.delivery.refusals import CHANNEL_DELETED, refused_in
from cogs.delivery.replies import show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.kit.layout import Accent, note
from cogs.kit.messages import Message
from cogs.showdowns.deals import parse_deal
from cogs.tables import table_panel as panels
from cogs.tables.refusals import NO_TABLE
from cogs.turns.games_panel import games
from cogs.turns.hand_text import turn_line, turn_list
from cogs.turns.last_moves_panel import last_moves
from cogs.turns.match_feature import MatchFeature
from cogs.turns.showdown_panel import details
from cogs.words.names import place
from cogs.words.table import ago, state

_BOARD_AND_PAGE: Final = re.compile("(?P<board>[1-9])(?:/(?P<page>[0-9]{1,4}))?")

NO_MATCHES: Final = "You have no matches in progress. Start one with `/gin play`."
CHALLENGED: Final = "You have no matches in progress, but you can accept a challenge with `/gin accept`."
CHALLENGING: Final = (
    "You have no matches in progress. Your challenge is still open. You can withdraw it with `/gin withdraw`."
)
REPOSTING: Final = "I'm reposting the table in {place}."
MOVED_BY_TABLE: Final = "the channel was deleted; to move the match, use `/gin table` in another channel"
MAX_LISTED: Final = 10
"""Maximum number of matches that the list shows as text. Its menu can have more."""


class Tables(MatchFeature):
    """Commands, buttons and menus that show running matches."""

    @app_commands.command(description="Look at your hand; only you can see it")
    async def hand(self, interaction: Interaction) -> None:
        """Show the player's own hand, with the buttons for all their moves."""
        await self._show_hand(interaction, await match_event(interaction, self._app, self.access, Action.SHOW_HAND))

    @handles(Action.SHOW_HAND, Action.REFRESH_HAND)
    async def _show_hand(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        await self._hands.show(interaction, hand)

    @app_commands.command(description="Repost the table at the bottom of the channel")
    async def table(self, interaction: Interaction) -> None:
        """Post the table again. A match whose channel was deleted moves here."""
        await self._repost_table(interaction, await self._event_here(interaction, Action.REPOST_TABLE))

    @handles(Action.REPOST_TABLE, need=Need.SEE_MATCH)
    async def _repost_table(self, interaction: Interaction, event: ComponentEvent) -> None:
        match = await self._app.lookup.info(event.match_id)
        home = match.place
        if home is None:
            raise UserError(NO_TABLE)
        channel_id = ChannelId(interaction.channel_id or home.channel_id)
        if match.channel_deleted and interaction.guild_id != home.guild_id:
            raise UserError(CHANNEL_DELETED)
        target_channel_id = channel_id if match.channel_deleted else home.channel_id
        await self.access.require_may_write(interaction, home.guild_id, target_channel_id)
        if target_channel_id == channel_id:
            require_table_permissions(interaction)
        refusal_code = await self._last_refusal(home.guild_id, target_channel_id)
        # Forget Discord's last refusal to post in this channel, because its cause might have been removed.
        self._refusals.of(target_channel_id).clear()
        wanted = Place(home.guild_id, channel_id, parent_id_of(interaction))
        match = await self._app.tables.repost(match.id, person_id_of(interaction), wanted)
        if refusal_code is None:
            answer = note(REPOSTING.format(place=place(match)))
        else:
            answer = note(f"{refused_in(target_channel_id, refusal_code)}\n\nI'm trying again now.", Accent.TROUBLE)
        await Answer.to(interaction).reply(answer)

    @app_commands.command(description="See the score of the match, deal by deal", extras=IN_GIN_STATS_GROUP)
    async def score(self, interaction: Interaction) -> None:
        """Show the score of the running match; if there is none, of the last match that the person played here."""
        try:
            event = await self._event_here(interaction, Action.SHOW_SCORE)
        except NoMatch as no_match:
            try:
                match = await self._last_ended(interaction)
            except (NoMatch, NotSeated):
                raise no_match from None
            event = event_of(match, Action.SHOW_SCORE)
        await self._show_score(interaction, event)

    @handles(Action.SHOW_SCORE, need=Need.SEE_MATCH)
    async def _show_score(self, interaction: Interaction, event: ComponentEvent) -> None:
        summary = await self._app.lookup.summary(event.match_id)
        preferences = await self._app.people.preferences(person_id_of(interaction))
        elsewhere = interaction.channel_id != summary.match.channel_id
        panel = await panels.score(summary, preferences, self._pictures, elsewhere=elsewhere)
        await Answer.to(interaction).reply(panel)

    @handles(Action.LAST_MOVES, need=Need.SEE_MATCH)
    async def _show_last_moves(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the moves of the deal in play: in a new message, or in the clicked one when a page is turned."""
        matched = _BOARD_AND_PAGE.fullmatch(event.argument or "1")
        if matched is None:
            raise UnknownComponent
        page = None if matched["page"] is None else int(matched["page"])
        try:
            table = await self._app.lookup.table(event.match_id, int(matched["board"]))
        except LookupError:
            raise UnknownComponent from None
        preferences = await self._app.people.preferences(person_id_of(interaction))
        panel = last_moves(table, preferences, page)
        await (Answer.to(interaction).reply(panel) if page is None else show(interaction, panel))

    @handles(Action.LAST_SHOWDOWN)
    async def _show_last_showdown(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with the last showdown on the player's board."""
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        if hand.last_showdown is None:
            raise UnknownComponent
        await self._show_showdown(interaction, hand.last_showdown, hand.preferences)

    @handles(Action.SHOWDOWN_DETAILS, need=Need.SEE_MATCH)
    async def _show_details(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with a showdown in full."""
        preferences = await self._app.people.preferences(person_id_of(interaction))
        shown = await self._app.replays.showdown(event.match_id, *parse_deal(event.argument))
        shown = replace(shown, match=shown.match.with_appearance(preferences.appearance))
        await self._show_showdown(interaction, shown, preferences)

    async def _show_showdown(self, interaction: Interaction, shown: Showdown, preferences: Preferences) -> None:
        pictures = self._pictures if preferences.pictures else None
        await Answer.to(interaction).reply(await details(shown, pictures))

    async def _event_here(self, interaction: Interaction, action: Action) -> ComponentEvent:
        """Return an event as if the person had used a button of the match in this channel, which anyone may look at.

        If no match is running in this channel, choose the person's own match.
        """
        match = await self._app.lookup.running_in(channel_id_of(interaction))
        return event_of(match, action) if match else await match_event(interaction, self._app, self.access, action)

    @app_commands.command(description="See your matches in progress and whose turn it is")
    async def games(self, interaction: Interaction) -> None:
        """List the person's running matches on this server, or all of them in direct messages, most urgent first."""
        await show(interaction, await self._games(interaction))

    @handles(Action.GAMES)
    @deliberate
    async def _list_games(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, await self._games(interaction), as_new_message=event.opens_new_message)

    async def _games(self, interaction: Interaction) -> Message:
        person_id, here = person_id_of(interaction), guild_id_of(interaction)
        hands = await self._app.lookup.hands(person_id, here)
        away_until = (await self._app.people.settings(person_id)).away_until
        panel = partial(games, person_id=person_id, in_server=here is not None, away_until=away_until)
        if not hands:
            return panel(await self._nothing_running(interaction), [])
        matches = matches_with_ambiguity([hand.match for hand in hands])
        hands = [replace(hand, match=match) for hand, match in zip(hands, matches, strict=True)]
        lines = list[str]()
        for hand in hands[:MAX_LISTED]:
            match, posted = hand.match, await self._app.outbox.find(MessageKind.TABLE, hand.match.id)
            line = f"- {turn_line(hand)}"
            if posted is not None:
                url = f"https://discord.com/channels/{match.guild_id}/{posted.channel_id}/{posted.message_id}"
                line += f" · [table]({url})"
            if match.channel_deleted:
                line += f" · {MOVED_BY_TABLE}"
            lines.append(line)
        states = {hand.match.id: state(hand.view.public) for hand in hands}
        options = await match_options(
            interaction,
            self.access,
            [hand.match for hand in hands],
            lambda match: (
                f"{states[match.id]} · "
                + ("paused" if match.is_paused else f"last move {ago(interaction.created_at - match.moved_at)}")
            ),
        )
        return panel(turn_list(lines, len(hands)), options)

    async def _nothing_running(self, interaction: Interaction) -> str:
        """Return the suggestion for a person without matches: accept a challenge, withdraw their own, or make one."""
        if interaction.guild_id is not None:
            guild_id = GuildId(interaction.guild_id)
            if await challenges_for(interaction, self._app, self.access, guild_id):
                return CHALLENGED
        return CHALLENGING if await self._app.challenges.own(person_id_of(interaction)) else NO_MATCHES
