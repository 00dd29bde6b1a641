"""People who play by a policy, driven by nothing but what stands on their screens: words, buttons and menus.

The policy never resigns. It takes a gin or a knock that is offered in seven of ten cases; otherwise it discards one of
the three cards that leave least. A knock it answers with all that can be laid off, or with one card after the other, or
with nothing. Once the stock is used up it passes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.sandbox import Channel, Interaction, Message, Option, Person, Sandbox, Select

GOES_OUT: Final = 0.7
TAKES: Final = 0.3
CHOSEN_FROM: Final = 3

MY_HAND: Final = "My hand"
_GIN, _BIG_GIN, _PASS, _DRAW = "Gin!", "Big gin!", "Pass", "Draw from the stock"
_ANSWERS = ("Lay ", "Done", "Show my hand")
_WALL = "the stock is used up"


@dataclass(frozen=True, slots=True)
class Deed:
    """A click on a message: on a button by its label, or on a card in a menu by its id."""

    message: Message
    control: str
    card: str | None = None


class Player:
    """One person at one table; with `by_dm` they play from direct messages, else their account takes none."""

    def __init__(self, sandbox: Sandbox, name: str, channel: Channel, seed: object, *, by_dm: bool = True) -> None:
        self.person: Person = sandbox.person(name)
        self.person.user.open_dms = by_dm
        self.channel = channel
        self.by_dm = by_dm
        self.made: list[Interaction] = []
        """Every click on a move, in order."""
        self._random = Random(f"{name} {seed}")
        self._heeded: set[int] = set()
        self._looked_to = 0
        self._ends: list[Message] = []

    def __repr__(self) -> str:
        return f"<Player {self.person.name}>"

    @property
    def panel(self) -> Message | None:
        """The newest message on the screen that shows this person's hand at this table."""
        place = self.person.dm if self.by_dm else self.channel
        return next((one for one in reversed(self.person.sees(place)) if self._is_hand(one)), None)

    @property
    def call(self) -> Message | None:
        """The message in the channel that calls this person to their turn, until they have followed it."""
        words = f"<@{self.person.id}>, it is your turn"
        called = [one for one in self.person.sees(self.channel) if self.person.id in one.mentions]
        return next((one for one in reversed(called) if words in one.text and one.id not in self._heeded), None)

    @property
    def over(self) -> bool:
        """Whether the channel offers a rematch: the match has ended. The offer comes with a new message."""
        seen = self.person.sees(self.channel)
        self._ends += [one for one in seen if one.id > self._looked_to and labelled(one, "Rematch")]
        self._looked_to = seen[-1].id if seen else 0
        return any(labelled(one, "Rematch") for one in self._ends)

    def choose(self) -> Deed | None:
        """What to click on now, by the policy; None where there is nothing to do."""
        panel = self.panel
        if panel is not None and _offers_a_move(panel):
            return self._move(panel)
        call = None if self.by_dm else self.call
        return None if call is None else Deed(call, MY_HAND)

    @property
    def has_turn(self) -> bool:
        """Whether there is something to do."""
        panel = self.panel
        return (panel is not None and _offers_a_move(panel)) or (not self.by_dm and self.call is not None)

    async def click(self, deed: Deed) -> Interaction:
        """Click; gives the interaction as soon as the click is out."""
        if deed.card is None:
            made = await self.person.press(deed.message, deed.control)
        else:
            made = await self.person.choose(deed.message, deed.control, deed.card)
        if deed.control != MY_HAND:
            self.made.append(made)
        return made

    async def act(self) -> None:
        """Click on what the policy chooses, and wait for the answer."""
        deed = self.choose()
        if deed is None:
            return
        await (await self.click(deed)).answer()
        if deed.control == MY_HAND:
            self._heeded.add(deed.message.id)

    def _is_hand(self, message: Message) -> bool:
        text = message.text
        return "Your hand against" in text and f"<#{self.channel.id}>" in text

    def _move(self, panel: Message) -> Deed:
        labels = [button.label for button in panel.buttons]
        answers = [label for label in labels if label.startswith(_ANSWERS)]
        if answers:
            return self._answer(panel, answers)
        if _WALL in panel.text and _PASS in labels:
            return Deed(panel, _PASS)
        if _BIG_GIN in labels:
            return Deed(panel, _BIG_GIN)
        knock, discard = (_menu(panel, word) for word in ("Knock", "Discard"))
        if (knock is not None or _GIN in labels) and self._random.random() < GOES_OUT:
            if knock is None or _GIN in labels:
                return Deed(panel, _GIN)
            return Deed(panel, knock.custom_id, min(knock.options, key=_leaves).value)
        if discard is None and knock is not None:
            return Deed(panel, knock.custom_id, min(knock.options, key=_leaves).value)
        if discard is not None:
            least = sorted(discard.options, key=_leaves)[:CHOSEN_FROM]
            return Deed(panel, discard.custom_id, self._random.choice(least).value)
        takes = [label for label in labels if label.startswith("Take")]
        if takes and self._random.random() < TAKES:
            return Deed(panel, takes[0])
        return Deed(panel, _PASS if _PASS in labels else _DRAW)

    def _answer(self, panel: Message, answers: list[str]) -> Deed:
        """To a knock: the buttons for the whole, or one card from the menu."""
        single = _menu(panel, "Lay off")
        if single is not None and self._random.random() < 0.5:
            return Deed(panel, single.custom_id, self._random.choice(single.options).value)
        return Deed(panel, self._random.choice(answers))


def labelled(message: Message, label: str) -> bool:
    """Whether a message has a button of that label."""
    return any(button.label == label for button in message.buttons)


def _menu(message: Message, word: str) -> Select | None:
    """The menu of a message that asks for something with this word first."""
    return next((menu for menu in message.selects if (menu.placeholder or "").startswith(word)), None)


def _offers_a_move(panel: Message) -> bool:
    moves = (_DRAW, _PASS, _GIN, _BIG_GIN)
    return bool(panel.selects) or any(one.label in moves or one.label.startswith(_ANSWERS) for one in panel.buttons)


def _leaves(option: Option) -> int:
    """The deadwood that a card leaves, as its line in the menu says."""
    return int(option.label.rsplit(" ", 1)[1])


async def sit_down(sandbox: Sandbox, first: Player, second: Player, **options: object) -> None:
    """Have the first player challenge the second, who accepts; ends once both see the table."""
    channel = first.channel
    await sandbox.until(lambda: first.person.commands(channel))
    await (await first.person.slash("gin challenge", channel, opponent=second.person, **options)).answer()

    def offered(player: Player, label: str) -> list[Message]:
        return [message for message in player.person.sees(channel) if labelled(message, label)]

    invitation = (await sandbox.until(lambda: offered(second, "Accept")))[-1]
    await (await second.person.press(invitation, "Accept" if second.by_dm else "No direct messages")).answer()
    await sandbox.until(lambda: offered(first, "Score") and offered(second, "Score"))


async def gather(sandbox: Sandbox, players: Sequence[Player], **options: object) -> None:
    """Have the first player open a table, the others join and the first start; ends once all see the table."""
    first, *others = players
    channel = first.channel
    await sandbox.until(lambda: first.person.commands(channel))
    await (await first.person.slash("gin challenge", channel, **options)).answer()

    def offered(player: Player, label: str) -> list[Message]:
        return [message for message in player.person.sees(channel) if labelled(message, label)]

    for player in others:
        lobby = (await sandbox.until(lambda player=player: offered(player, "Join")))[-1]
        await (await player.person.press(lobby, "Join" if player.by_dm else "No direct messages")).answer()
    lobby = (await sandbox.until(lambda: offered(first, "Start")))[-1]
    await (await first.person.press(lobby, "Start")).answer()
    await sandbox.until(lambda: all(offered(player, "Score") for player in players))


async def play_out(sandbox: Sandbox, players: Sequence[Player], timeout: float = 20.0) -> None:
    """Let people play until their matches are over; all who have their turn click at once.

    Raises:
        TimeoutError: nobody could do anything for so many seconds.
    """
    while playing := [player for player in players if not player.over]:

        def turns(playing: list[Player] = playing) -> list[Player]:
            return [player for player in playing if player.has_turn or player.over]

        await asyncio.gather(*(player.act() for player in await sandbox.until(turns, timeout)))
