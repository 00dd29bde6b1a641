"""Moves by command, button and menu: draw, take, pass, discard, knock, gin, big gin and lay off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from discord import app_commands

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import BIG_GIN, DONE, DRAW, PASS, TAKE, Move, Verb, discard, knock
from bot.engine.errors import NotationError
from bot.engine.matches.views import SeatView
from bot.model.matches import OwnHand, PicturedHand, Shortcut
from bot.model.names import search_key
from bot.model.people import Preferences
from bot.play.refusals import Refusal, WhichMatch
from cardart import Picture
from cardart.text.card_names import ENGLISH, CardNames, card_names
from cogs.actions import Action, Subject
from cogs.delivery.choosing import match_choice
from cogs.delivery.errors import UserError, after_saving
from cogs.delivery.feature import handles
from cogs.delivery.interactions import channel_id_of, clicked_direct_message, interaction_id_of, person_id_of
from cogs.kit.answers import Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, UnknownComponent
from cogs.showdowns.deals import parse_deal
from cogs.turns import hand_panel as panels
from cogs.turns import moves, questions
from cogs.turns.match_feature import MatchFeature
from cogs.turns.refusals import unreadable_card
from cogs.words import cards

MOVES_WITHOUT_CARD: Final[dict[Action, Move | Shortcut]] = {
    Action.DRAW: DRAW,
    Action.TAKE: TAKE,
    Action.PASS: PASS,
    Action.GIN: Shortcut.GIN,
    Action.BIG_GIN: BIG_GIN,
    Action.FINISH_LAYING_OFF: DONE,
    Action.LAY_OFF_ALL: Shortcut.LAY_OFF_ALL,
}
ACTIONS_WITH_CARD: Final = (Action.DISCARD, Action.KNOCK, Action.KNOCK_WITH_MELDS, Action.LAY_OFF)

ALL: Final = "all"
NOTHING: Final = "nothing"
"""`ALL` and `NOTHING` are words that `/gin layoff` accepts instead of a card."""


_Read = TypeVar("_Read")


class Turns(MatchFeature):
    """Commands, buttons and menus for a player's moves."""

    @app_commands.command(description="Draw the top card of the stock")
    async def draw(self, interaction: Interaction) -> None:
        await self._command(interaction, Action.DRAW)

    @app_commands.command(description="Take the upcard, or the top card of the discard pile")
    async def take(self, interaction: Interaction) -> None:
        await self._command(interaction, Action.TAKE)

    @app_commands.command(name="pass", description="Pass on the upcard, or on the last discard once the stock runs out")
    async def pass_(self, interaction: Interaction) -> None:
        await self._command(interaction, Action.PASS)

    @app_commands.command(description="Discard a card and end your turn")
    @app_commands.describe(card="The card to discard, such as Kd or K♦")
    async def discard(self, interaction: Interaction, card: str) -> None:
        await self._command(interaction, Action.DISCARD, card)

    @app_commands.command(description="Knock: discard a card and lay your hand down")
    @app_commands.describe(
        card="The card to discard with the knock, such as Kd or K♦",
        melds="The melds to lay down, if not the best ones",
    )
    async def knock(self, interaction: Interaction, card: str, melds: str | None = None) -> None:
        """Knock with the best melds, or with `melds`: a discard and the melds in notation, as in `Td 4c4d4h/5s6s7s`."""
        if melds is None:
            await self._command(interaction, Action.KNOCK, card)
        else:
            await self._command(interaction, Action.KNOCK_WITH_MELDS, melds)

    @app_commands.command(description="Go gin: lay down a hand with no deadwood")
    async def gin(self, interaction: Interaction) -> None:
        await self._command(interaction, Action.GIN)

    @app_commands.command(description="Go big gin: lay down all eleven cards without discarding")
    async def big(self, interaction: Interaction) -> None:
        await self._command(interaction, Action.BIG_GIN)

    @app_commands.command(description="Answer a knock: lay off cards on the knocker's melds, or show your hand")
    @app_commands.describe(cards="A card such as 8s; “all” for the best lay-offs; “nothing” to finish")
    async def layoff(self, interaction: Interaction, cards: str) -> None:
        """Answer a knock: lay off a card, everything that helps, or nothing."""
        words = {ALL: Action.LAY_OFF_ALL, NOTHING: Action.FINISH_LAYING_OFF, "done": Action.FINISH_LAYING_OFF}
        await self._command(interaction, words.get(search_key(cards), Action.LAY_OFF), cards)

    @discard.autocomplete("card")
    async def complete_discard(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the cards that can be discarded, with the deadwood that each leaves."""
        return await self._choices(interaction, moves.discards, typed)

    @knock.autocomplete("card")
    async def complete_knock(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the cards that can be discarded to knock, with the deadwood that each leaves."""
        return await self._choices(interaction, moves.knocks, typed)

    @knock.autocomplete("melds")
    async def complete_melds(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the different ways to lay down the melds in a knock with the discard that was already chosen."""
        named = getattr(interaction.namespace, "card", None) or ""
        return await self._choices(interaction, moves.ways_to_knock, named)

    @layoff.autocomplete("cards")
    async def complete_lay_off(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the cards that can be laid off, with the deadwood that each saves."""
        words = [word for word in (ALL, NOTHING) if search_key(typed) in word]
        return await self._choices(interaction, moves.lay_offs, typed, words)

    async def _choices(
        self,
        interaction: Interaction,
        find: Callable[[SeatView, CardNames], list[moves.MoveOption]],
        typed: str,
        words: Sequence[str] = (),
    ) -> list[app_commands.Choice[str]]:
        """Return completions: the fixed choices in `words`, and the moves whose cards fit the typed text.

        Return an empty list if no move of this kind is legal, or if the command could be about several matches.
        """
        with suppress(Refusal):
            person_id = person_id_of(interaction)
            match = await self._app.lookup.find(person_id, channel_id_of(interaction), to_move=True)
            hand = await self._app.lookup.hand(person_id, match.id)
            names = card_names(hand.preferences.appearance.language)
            options = find(hand.view, names)
            offered = [(word, word) for word in words if options]
            offered += [
                (option.label, option.value) for option in options if cards.could_name(typed, option.card, names)
            ]
            return [app_commands.Choice(name=name, value=value) for name, value in offered[:MENU_SIZE]]
        return []

    async def _command(self, interaction: Interaction, action: Action, typed: str = "") -> None:
        """Make the move of a command. Ask which match it is for, if several are possible."""
        person_id, channel_id = person_id_of(interaction), channel_id_of(interaction)

        def read(preferences: Preferences) -> Move:
            return _parse_move(action, typed, card_names(preferences.appearance.language))

        def read_quietly(preferences: Preferences) -> Move | None:
            with suppress(UserError):
                return read(preferences)
            return None

        move = MOVES_WITHOUT_CARD.get(action, read)
        foreseen = self._app.turns.foresee_command(person_id, channel_id, read_quietly if move is read else move)
        command = partial(self._app.turns.command, person_id, channel_id, move, interaction_id_of(interaction))
        try:
            await self._play(interaction, command, foreseen)
        except WhichMatch as several:
            argument = None
            if move is read:
                argument = moves.notation(read(await self._app.people.preferences(person_id)))
            raise await match_choice(interaction, self._app, self.access, several, action, argument) from None

    @handles(*MOVES_WITHOUT_CARD, *ACTIONS_WITH_CARD)
    async def _move(self, interaction: Interaction, event: ComponentEvent) -> None:
        action, is_chosen_from_menu = event.action, event.subject == Subject.CHOSEN
        # The card is in the argument of a button or the value of a menu, always in English notation.
        chosen = event.argument if is_chosen_from_menu or not event.values else event.values[0]
        move = MOVES_WITHOUT_CARD.get(action) or _parse_move(action, chosen or "", ENGLISH)
        person_id = person_id_of(interaction)
        foreseen = self._app.turns.foresee(person_id, event.match_id, move)
        click = partial(
            self._app.turns.move,
            person_id,
            event.match_id,
            move,
            interaction_id_of(interaction),
            version=None if is_chosen_from_menu else event.version,
            in_own_message=clicked_direct_message(interaction),
        )
        await self._play(interaction, click, foreseen)

    async def _play(
        self,
        interaction: Interaction,
        make: Callable[..., Awaitable[OwnHand]],
        foreseen: PicturedHand | None = None,
    ) -> None:
        """Make a move and answer with the hand. Its picture is drawn while the move is being made and saved.

        `foreseen` is the result of `Turns.foresee`. A picture of it is used if the hand turns out to be the same.
        """
        drawings: list[asyncio.Task[Picture | None]] = []
        ahead = None if foreseen is None else asyncio.create_task(panels.draw_foreseen(foreseen, self._pictures))

        def draw(hand: OwnHand) -> None:
            if hand.awaits_computer:
                return
            if ahead is not None and panels.shows(hand, foreseen):
                drawings.append(ahead)
            else:
                drawings.append(asyncio.create_task(panels.draw(hand, self._pictures)))

        try:
            hand = await make(prepare=draw)
        except BaseException:
            for task in drawings:
                task.cancel()
            raise
        finally:
            if ahead is not None and ahead not in drawings:
                ahead.cancel()
        with after_saving():
            in_server = interaction.guild_id is not None
            message = (
                await panels.hand(hand, self._pictures, in_server=in_server, drawing=drawings[0]) if drawings else None
            )
            hand = await self._app.computers.answer(person_id_of(interaction), hand)
            await self._hands.show(interaction, hand, message=message)

    @handles(Action.NEXT_DEAL)
    async def _next_deal(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Continue with the hand after the showdown of a deal."""
        number, board = parse_deal(event.argument)
        if number is None:
            raise UnknownComponent
        in_own_message = clicked_direct_message(interaction)
        person_id, go_on = person_id_of(interaction), self._app.turns.next_deal
        await self._play(
            interaction, partial(go_on, person_id, event.match_id, number, board, in_own_message=in_own_message)
        )

    @handles(Action.ASK_FIRST)
    async def _ask_first(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Ask for confirmation of a costly move."""
        move = _parse_argument(Move.parse, event)
        await self._ask(interaction, event, lambda hand: questions.confirmation(hand, move))

    @handles(Action.OTHER_KNOCKS)
    async def _other_knocks(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Ask for the card or the melds to knock with."""
        await self._ask(interaction, event, questions.knocks)

    @handles(Action.WHERE_TO_LAY_OFF)
    async def _where_to_lay_off(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Ask for the meld on which to lay off a card."""
        card = _parse_argument(Card.parse, event)
        await self._ask(interaction, event, lambda hand: questions.where_to_lay_off(hand, card))

    async def _ask(
        self,
        interaction: Interaction,
        event: ComponentEvent,
        question: Callable[[OwnHand], questions.Question | None],
    ) -> None:
        """Show a question below the hand. If there is nothing to ask any more, show only the hand."""
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        await self._hands.show(interaction, hand, question=question(hand))


def _parse_argument(parse: Callable[[str], _Read], event: ComponentEvent) -> _Read:
    """Parse a button's argument. Raise `UnknownComponent` if it is not valid notation."""
    try:
        return parse(event.argument or "")
    except NotationError:
        raise UnknownComponent from None


def _parse_move(action: Action, text: str, names: CardNames) -> Move:
    """Parse the move that a command or component asks for. Raise `UserError` if its card or melds are not readable."""
    try:
        match action:
            case Action.KNOCK_WITH_MELDS:
                return Move.parse(f"{Verb.KNOCK} {text}")
            case Action.LAY_OFF if ">" in text:
                return Move.parse(f"{Verb.LAY_OFF} {text}")
            case Action.LAY_OFF:
                return Move(Verb.LAY_OFF, cards.parse_card(text, names))
            case Action.KNOCK:
                return knock(cards.parse_card(text, names))
            case _:
                return discard(cards.parse_card(text, names))
    except NotationError:
        raise UserError(unreadable_card(names)) from None
