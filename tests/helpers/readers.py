"""People who play without pictures: all they know of a deal they have read in words, and they work the rest out.

They never look at a file or at an alt text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.engine.cards import DECK, Card, Hand
from bot.engine.melds import least_deadwood
from bot.sandbox import Channel, Interaction, Message, Sandbox
from bot.values.matches import OwnHand
from cardart.text.card_names import NAMES, Names
from tests.helpers.players import Deed, Player

LOOK: Final = "gin:me:0:choose:prefer_look"
ORDER: Final = "gin:me:0:choose:prefer_order"
LANGUAGE: Final = "gin:me:0:choose:prefer_names"


@dataclass(frozen=True, slots=True)
class Way:
    """How somebody plays: the language and order of cards, where, and whether they write cards or choose in menus."""

    language: str
    order: str
    by_dm: bool = True
    types: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """What a message says of a hand: its cards, what can be taken, what to knock or to lay off with, best first."""

    hand: Hand
    deadwood: int
    top: Card | None
    limit: int
    fresh: Card | None
    knocks: tuple[Card, ...]
    fits: tuple[Card, ...]


class Reader(Player):
    """Somebody who reads."""

    def __init__(self, sandbox: Sandbox, name: str, channel: Channel, way: Way) -> None:
        super().__init__(sandbox, name, channel, way, by_dm=way.by_dm)
        self._way = way
        self.names: Names = NAMES[way.language]

    async def settle_in(self) -> None:
        """Choose to play without pictures, and the order and the names of cards."""
        panel = (await (await self.person.slash("gin me preferences", self.channel)).answer()).message
        for menu, value in ((LOOK, "none"), (ORDER, self._way.order), (LANGUAGE, self._way.language)):
            await (await self.person.choose(panel, menu, value)).answer()

    @property
    def private(self) -> list[Message]:
        """All that this person sees and nobody else does."""
        there = [one for one in self.person.sees(self.channel) if one.ephemeral]
        return [*there, *self.person.direct_messages()]

    def read(self, panel: Message) -> Read:
        """What a hand says in words."""
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

    async def click(self, deed: Deed) -> Interaction:
        """Choose in a menu or press a button; who types writes a command instead of choosing a card."""
        if not self._way.types or deed.card is None:
            return await super().click(deed)
        verb, card = deed.control.rpartition(":")[2], Card.parse(deed.card.partition(">")[0])
        option = "cards" if verb == "layoff" else "card"
        place = self.person.dm if self.by_dm else self.channel
        made = await self.person.slash(f"gin {verb}", place, **{option: self.names.full(card)})
        self.made.append(made)
        return made

    def _is_hand(self, message: Message) -> bool:
        """The end of the match counts as one, in which nothing is to be done."""
        return super()._is_hand(message) or "your match against" in message.text

    def _move(self, panel: Message) -> Deed:
        known, labels = self.read(panel), [button.label or "" for button in panel.buttons]
        controls = {menu.custom_id.rpartition(":")[2]: menu for menu in panel.selects}
        for label in labels:
            if label in ("Big gin!", "Gin!") or (label.startswith("Lay off ") and known.fits):
                return Deed(panel, label)
        if known.knocks:
            return Deed(panel, controls["knock"].custom_id, known.knocks[0].text)
        if "discard" in controls:
            menu = controls["discard"]
            allowed = [Card.parse(option.value) for option in menu.options]
            leaves = {card: least_deadwood(known.hand - card) for card in allowed}
            told = {option.value: option.label for option in menu.options}
            assert all(told[card.text] == f"{self.names.short(card)}, leaving {left}" for card, left in leaves.items())
            return Deed(panel, menu.custom_id, min(allowed, key=lambda card: (leaves[card], -card.points)).text)
        take = "Take" if known.top is None else f"Take {self.names.short(known.top)}"
        if take in labels and known.top is not None:
            with_it = known.hand + known.top
            if min(least_deadwood(with_it - card) for card in known.hand) < known.deadwood:
                return Deed(panel, take)
        answers = ("Pass", "Draw from the stock", "Done", "Lay nothing off", "Show my hand")
        return Deed(panel, next(label for label in answers if label in labels))

    def _line(self, label: str, text: str) -> list[Card]:
        """The cards of a line that begins so; none where there is no such line."""
        lines = [line.removeprefix(label) for line in text.splitlines() if line.startswith(label)]
        return self._cards(lines[0]) if lines else []

    def _cards(self, text: str) -> list[Card]:
        shorts = {self.names.short(card): card for card in DECK}
        return [shorts[word] for word in re.findall(r"\w+[♣♦♥♠]", text)]

    def _card(self, text: str) -> Card:
        (card,) = self._cards(text)
        return card


def version_of(panel: Message) -> int:
    """The version of the match that a hand's buttons and menus are about."""
    ids = [item.custom_id or "" for item in (*panel.buttons, *panel.selects)]
    return int(ids[0].split(":")[2])


def check(read: Read, truth: OwnHand) -> None:
    """That what was read is so.

    Raises:
        AssertionError: it is not.
    """
    view = truth.view
    knocks = {choice.card: choice.leaves for choice in view.discard_choices if choice.knocks}
    assert (read.hand, read.deadwood) == (view.hand, view.arrangement.deadwood)
    assert (read.top, read.limit) == (view.public.top, view.public.knock_limit)
    assert read.fresh is view.new_card
    assert {*read.knocks} == {*knocks}
    assert [knocks[card] for card in read.knocks] == sorted(knocks.values())
    assert read.fits == tuple(one.card for one in (view.best_response.lay_offs if view.best_response else ()))
