"""Players without pictures, who learn everything about a deal from text.

They find buttons and menus by their actions, and never look at a file or an alt text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import least_deadwood
from bot.model.matches import OwnHand
from bot.sandbox import Button, Channel, Interaction, Message, Sandbox
from cardart.text.card_names import NAMES, CardNames
from cogs.actions import Action
from cogs.people.preferences_panel import CHANGE, NO_PICTURES
from tests.helpers.components import controls, find_menu
from tests.helpers.players import PlannedClick, Player

_TYPED: Final = {
    Action.DISCARD: ("discard", "card"),
    Action.KNOCK: ("knock", "card"),
    Action.LAY_OFF: ("layoff", "cards"),
}
"""Moves that can also be typed, each with the command and its option for the card."""


@dataclass(frozen=True, slots=True)
class PlayStyle:
    """How a player plays: language and order of cards, in direct messages or the channel, by commands or by clicks."""

    language: str
    order: str
    by_dm: bool = True
    types_cards: bool = False


@dataclass(frozen=True, slots=True)
class ParsedHand:
    """A hand as read from a message's text. Cards to knock with and cards to lay off are in order, best first."""

    hand: Hand
    deadwood: int
    top: Card | None
    limit: int
    new_card: Card | None
    knocks: tuple[Card, ...]
    lay_offs: tuple[Card, ...]


class Reader(Player):
    """A player without pictures, who reads the text of messages."""

    def __init__(self, sandbox: Sandbox, name: str, channel: Channel, way: PlayStyle) -> None:
        super().__init__(sandbox, name, channel, way, by_dm=way.by_dm)
        self._way = way
        self.names: CardNames = NAMES[way.language]

    async def set_preferences(self) -> None:
        """Turn pictures off, and set the player's order of cards and language of card names."""
        panel = (await (await self.person.slash("gin me preferences", self.channel)).answer()).message
        for action, value in (
            (Action.PREFER_ORDER, self._way.order),
            (Action.PREFER_LANGUAGE, self._way.language),
            (Action.PREFER_APPEARANCE, NO_PICTURES),
        ):
            await (await self.person.choose(panel, CHANGE, action)).answer()
            menu = find_menu(panel, action)
            assert menu is not None
            await (await self.person.choose(panel, menu.custom_id, value)).answer()

    @property
    def private_messages(self) -> list[Message]:
        """Return all messages that only this person sees."""
        there = [see for see in self.person.sees(self.channel) if see.ephemeral]
        return [*there, *self.person.direct_messages()]

    def read(self, panel: Message) -> ParsedHand:
        """Parse the text of a hand."""
        text = panel.text
        found = re.search(r"^Deadwood: (?:none|(?P<loose>[^*]*)\(?\*\*(?P<points>\d+)\*\*)", text, re.MULTILINE)
        assert found is not None
        hand = self._cards_on_line("Hand: ", text) or [
            *self._cards_on_line("Melds: ", text),
            *self._cards(found["loose"] or ""),
        ]
        top, limit = re.search(r"top of the pile \*\*(\S+)\*\*", text), re.search(r"knock with (\d+) or less", text)
        fresh = re.search(r"You (?:drew|took) (\S+)\.", text)
        return ParsedHand(
            Hand.of(hand),
            int(found["points"] or 0),
            self._card(top[1]) if top else None,
            int(limit[1]) if limit else 0,
            self._card(fresh[1]) if fresh else None,
            tuple(self._cards_on_line("Knock with: ", text)),
            tuple(self._cards_on_line("Best: ", text)),
        )

    async def click(self, deed: PlannedClick, *, late: bool = False) -> Interaction:
        """Press the button of a move. If the move names a card and the player types cards, type the command instead."""
        if not self._way.types_cards or deed.action not in _TYPED:
            return await super().click(deed, late=late)
        command, option = _TYPED[deed.action]
        card = Card.parse((deed.value or "").partition(">")[0])
        place = self.person.dm if self.by_dm else self.channel
        made = await self.person.slash(f"gin {command}", place, **{option: self.names.full(card)})
        self.interactions.append(made)
        return made

    def _is_hand(self, message: Message) -> bool:
        """Return True if a message shows this player's hand, or the end of a deal or of the match in its place."""
        text = message.text
        own = ("Your hand against" in text or "-# Against" in text) and f"<#{self.channel.id}>" in text
        return own or "your match against" in text

    def _move(self, panel: Message) -> PlannedClick:
        offered = self._actions(panel)
        if Action.NEXT_DEAL in offered:
            return self._use(panel, Action.NEXT_DEAL)
        shown_hand = self.read(panel)
        for action in (Action.BIG_GIN, Action.GIN):
            if action in offered:
                return self._use(panel, action)
        if Action.LAY_OFF_ALL in offered and shown_hand.lay_offs:
            return self._use(panel, Action.LAY_OFF_ALL)
        if shown_hand.knocks:
            return self._use(panel, Action.KNOCK, shown_hand.knocks[0].text)
        if Action.DISCARD in offered:
            controls_by_value = {value: control.item for control in offered[Action.DISCARD] for value in control.values}
            allowed = [Card.parse(value) for value in controls_by_value]
            for card in allowed:
                item = controls_by_value[card.text]
                assert isinstance(item, Button)
                assert item.label == self.names.short(card)
            best = min(allowed, key=lambda card: (least_deadwood(shown_hand.hand - card), -card.points))
            return self._use(panel, Action.DISCARD, best.text)
        if Action.TAKE in offered and shown_hand.top is not None:
            assert any(button.label == f"Take {self.names.short(shown_hand.top)}" for button in panel.buttons)
            with_it = shown_hand.hand + shown_hand.top
            if min(least_deadwood(with_it - card) for card in shown_hand.hand) < shown_hand.deadwood:
                return self._use(panel, Action.TAKE)
        answers = (Action.PASS, Action.DRAW, Action.FINISH_LAYING_OFF)
        return self._use(panel, next(action for action in answers if action in offered))

    def _cards_on_line(self, label: str, text: str) -> list[Card]:
        """Return the cards on the line that begins with this label, or no cards if the line is missing."""
        lines = [line.removeprefix(label) for line in text.splitlines() if line.startswith(label)]
        return self._cards(lines[0]) if lines else []

    def _cards(self, text: str) -> list[Card]:
        shorts = {self.names.short(card): card for card in DECK}
        return [shorts[word] for word in re.findall(r"\w+[♣♦♥♠]", text)]

    def _card(self, text: str) -> Card:
        (card,) = self._cards(text)
        return card


def version_of(panel: Message) -> int:
    """Return the match version of a hand's buttons and menus."""
    return next(controls(panel)).event.version


def compare_with_truth(read: ParsedHand, truth: OwnHand) -> None:
    """Assert that a hand read from text equals the real hand."""
    view = truth.view
    knocks = {choice.card: choice.deadwood for choice in view.discard_choices if choice.can_knock}
    assert (read.hand, read.deadwood) == (view.hand, view.arrangement.deadwood)
    assert (read.top, read.limit) == (view.public.top, view.public.knock_limit)
    assert read.new_card is view.new_card
    assert {*read.knocks} == {*knocks}
    assert [knocks[card] for card in read.knocks] == sorted(knocks.values())
    assert read.lay_offs == tuple(
        lay_off.card for lay_off in (view.best_response.lay_offs if view.best_response else ())
    )
