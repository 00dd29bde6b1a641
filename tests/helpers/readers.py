"""Players without pictures: they learn everything about a deal from text.

They find buttons and menus by their actions, and never look at a file or an alt text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.engine.cards import DECK, Card, Hand
from bot.engine.melds import least_deadwood
from bot.sandbox import Button, Channel, Interaction, Message, Sandbox
from bot.values.matches import OwnHand
from cardart.text.card_names import NAMES, Names
from cogs.kit.actions import Action
from cogs.panels.settings import CHANGE, NO_PICTURES
from tests.helpers.components import controls, find_menu
from tests.helpers.players import Deed, Player

_TYPED: Final = {
    Action.DISCARD: ("discard", "card"),
    Action.KNOCK: ("knock", "card"),
    Action.LAY_OFF: ("layoff", "cards"),
}
"""For some buttons, the equivalent command and its card option."""


@dataclass(frozen=True, slots=True)
class Way:
    """A style of play: the language and order of cards, whether by direct message, and whether by typed commands."""

    language: str
    order: str
    by_dm: bool = True
    types: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A hand as a message describes it. Cards to knock with or to lay off come best first."""

    hand: Hand
    deadwood: int
    top: Card | None
    limit: int
    fresh: Card | None
    knocks: tuple[Card, ...]
    fits: tuple[Card, ...]


class Reader(Player):
    """A player who reads."""

    def __init__(self, sandbox: Sandbox, name: str, channel: Channel, way: Way) -> None:
        super().__init__(sandbox, name, channel, way, by_dm=way.by_dm)
        self._way = way
        self.names: Names = NAMES[way.language]

    async def settle_in(self) -> None:
        """Turn off pictures, and set the order and the names of cards."""
        panel = (await (await self.person.slash("gin me preferences", self.channel)).answer()).message
        for action, value in (
            (Action.PREFER_APPEARANCE, NO_PICTURES),
            (Action.PREFER_ORDER, self._way.order),
            (Action.PREFER_LANGUAGE, self._way.language),
        ):
            await (await self.person.choose(panel, CHANGE, action)).answer()
            menu = find_menu(panel, action)
            assert menu is not None
            await (await self.person.choose(panel, menu.custom_id, value)).answer()

    @property
    def private(self) -> list[Message]:
        """Return all messages that only this person sees."""
        there = [one for one in self.person.sees(self.channel) if one.ephemeral]
        return [*there, *self.person.direct_messages()]

    def read(self, panel: Message) -> Read:
        """Parse the text of a hand."""
        text = panel.text
        found = re.search(r"^Deadwood: (?:none|(?P<loose>[^*]*)\(?\*\*(?P<points>\d+)\*\*)", text, re.MULTILINE)
        assert found is not None
        hand = self._line("Hand: ", text) or [*self._line("Melds: ", text), *self._cards(found["loose"] or "")]
        top, limit = re.search(r"top of the pile \*\*(\S+)\*\*", text), re.search(r"knock with (\d+) or less", text)
        fresh = re.search(r"You (?:drew|took) (\S+)\.", text)
        return Read(
            Hand.of(hand),
            int(found["points"] or 0),
            self._card(top[1]) if top else None,
            int(limit[1]) if limit else 0,
            self._card(fresh[1]) if fresh else None,
            tuple(self._line("You may knock with: ", text)),
            tuple(self._line("Best: ", text)),
        )

    async def click(self, deed: Deed, *, late: bool = False) -> Interaction:
        """Press a button, or type the command instead of choosing a card."""
        if not self._way.types or deed.action not in _TYPED:
            return await super().click(deed, late=late)
        command, option = _TYPED[deed.action]
        card = Card.parse((deed.value or "").partition(">")[0])
        place = self.person.dm if self.by_dm else self.channel
        made = await self.person.slash(f"gin {command}", place, **{option: self.names.full(card)})
        self.made.append(made)
        return made

    def _is_hand(self, message: Message) -> bool:
        """Return True if a message shows the hand, or the end of the match, which offers no moves."""
        text = message.text
        own = "Your hand against" in text and f"<#{self.channel.id}>" in text
        return own or "your match against" in text

    def _move(self, panel: Message) -> Deed:
        known = self.read(panel)
        offered = self._actions(panel)
        for action in (Action.BIG_GIN, Action.GIN):
            if action in offered:
                return self._use(panel, action)
        if Action.LAY_OFF_ALL in offered and known.fits:
            return self._use(panel, Action.LAY_OFF_ALL)
        if known.knocks:
            return self._use(panel, Action.KNOCK, known.knocks[0].text)
        if Action.DISCARD in offered:
            told = {value: one.item for one in offered[Action.DISCARD] for value in one.values}
            allowed = [Card.parse(value) for value in told]
            for card in allowed:
                item = told[card.text]
                assert isinstance(item, Button)
                assert item.label == self.names.short(card)
            best = min(allowed, key=lambda card: (least_deadwood(known.hand - card), -card.points))
            return self._use(panel, Action.DISCARD, best.text)
        if Action.TAKE in offered and known.top is not None:
            assert any(button.label == f"Take {self.names.short(known.top)}" for button in panel.buttons)
            with_it = known.hand + known.top
            if min(least_deadwood(with_it - card) for card in known.hand) < known.deadwood:
                return self._use(panel, Action.TAKE)
        answers = (Action.PASS, Action.DRAW, Action.FINISH_LAYING_OFF)
        return self._use(panel, next(action for action in answers if action in offered))

    def _line(self, label: str, text: str) -> list[Card]:
        """Return the cards of the line with a label, or none if it does not exist."""
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


def check(read: Read, truth: OwnHand) -> None:
    """Compare a parsed hand with the real one.

    Raises:
        AssertionError: they differ.
    """
    view = truth.view
    knocks = {choice.card: choice.leaves for choice in view.discard_choices if choice.knocks}
    assert (read.hand, read.deadwood) == (view.hand, view.arrangement.deadwood)
    assert (read.top, read.limit) == (view.public.top, view.public.knock_limit)
    assert read.fresh is view.new_card
    assert {*read.knocks} == {*knocks}
    assert [knocks[card] for card in read.knocks] == sorted(knocks.values())
    assert read.fits == tuple(one.card for one in (view.best_response.lay_offs if view.best_response else ()))
