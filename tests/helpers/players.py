"""Players who follow a policy, using only the messages, buttons and menus on their screens.

They never resign. When they can go out, they do so in seven of ten cases. Otherwise they discard one of the three cards
that leave the least deadwood. They answer a knock by laying off everything, one card at a time, or nothing. After the
stock runs out they mostly pass. They confirm every question.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.engine.cards import Hand
from bot.engine.melds import least_deadwood
from bot.sandbox import Channel, Interaction, Message, NotOfferedError, Person, Sandbox
from bot.values.ids import MatchId
from cogs.kit.actions import Action
from tests.helpers.components import MOVES, QUESTIONS, Control, controls, discard_buttons, find_button, has_button

GOES_OUT: Final = 0.7
TAKES: Final = 0.3
LAYS_OFF_ONE: Final = 0.5
CHOSEN_FROM: Final = 3
KNOCKS_OTHERWISE: Final = 0.2

_WHOLE_ANSWERS: Final = (Action.LAY_OFF_ALL, Action.FINISH_LAYING_OFF)
_TURN: Final = MOVES | QUESTIONS
_HAND_ACTIONS: Final = _TURN | {Action.REFRESH_HAND}


@dataclass(frozen=True, slots=True)
class Deed:
    """The use of a button or menu, with the chosen value if it has several."""

    message: Message
    control: Control
    value: str | None = None

    @property
    def custom_id(self) -> str:
        return self.control.custom_id

    @property
    def action(self) -> Action:
        return self.control.action


class Player:
    """One person at one table. With `by_dm` they play by direct message; otherwise their account accepts none.

    Somebody who plays several matches needs one player for each, with the id of the match.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        name: str,
        channel: Channel,
        seed: object,
        *,
        by_dm: bool = True,
        match_id: MatchId | None = None,
    ) -> None:
        self.person: Person = sandbox.person(name)
        self.person.user.open_dms = by_dm
        self.channel = channel
        self.by_dm = by_dm
        self.made: list[Interaction] = []
        """Every click on a move, in order."""
        self.match_id = match_id
        self._subject = None if match_id is None else str(match_id)
        self._random, self._whims = Random(f"{name} {seed}"), Random(f"{seed} {name}")
        self._followed: set[int] = set()
        self._read_until = 0
        self._in_channel: list[Message] = []
        self._controls: dict[int, tuple[int, dict[Action, list[Control]]]] = {}

    def __repr__(self) -> str:
        return f"<Player {self.person.name}>"

    @property
    def panel(self) -> Message | None:
        """The newest message that shows this person's hand, while the match is running."""
        if self.by_dm:
            shown = (one for one in reversed(self.person.dm.messages.values()) if one.visible_to(self.person.id))
        else:
            shown = (one for one in reversed(self._own_messages()) if one.ephemeral)
        return next((one for one in shown if self._is_hand(one)), None)

    @property
    def call(self) -> Message | None:
        """The channel message that calls this person to their turn, until they follow it."""
        called = (one for one in reversed(self._own_messages()) if not one.ephemeral and one.id not in self._followed)
        return next((one for one in called if Action.SHOW_HAND in self._actions(one)), None)

    @property
    def over(self) -> bool:
        """True if the match has ended, so that the channel offers a rematch."""
        return any(Action.REMATCH in self._actions(one) for one in self._own_messages() if not one.mentions)

    def choose(self) -> Deed | None:
        """Return the click that the policy chooses, or None if there is nothing to do."""
        panel = self.panel
        if panel is not None and self._offers_a_move(panel):
            return self._move(panel)
        call = None if self.by_dm else self.call
        return None if call is None else self._use(call, Action.SHOW_HAND)

    @property
    def has_turn(self) -> bool:
        """True if there is something to do."""
        panel = self.panel
        return (panel is not None and self._offers_a_move(panel)) or (not self.by_dm and self.call is not None)

    async def click(self, deed: Deed, *, late: bool = False) -> Interaction:
        """Click, and return the interaction without waiting. A late click crosses an edit of the message."""
        if deed.control.is_menu:
            made = await self.person.choose(deed.message, deed.custom_id, deed.value, late=late)
        else:
            made = await self.person.press(deed.message, deed.custom_id, late=late)
        if deed.action in MOVES:
            self.made.append(made)
        return made

    async def act(self) -> None:
        """Make the click that the policy chooses, and wait for the answer. Retry a call that got no answer."""
        deed = self.choose()
        if deed is None:
            return
        made = await self.click(deed)
        await made.answer()
        self.follow(deed, made)

    def follow(self, deed: Deed, made: Interaction) -> None:
        """Remember that a call was followed and answered."""
        if deed.action is Action.SHOW_HAND and not made.failed:
            self._followed.add(deed.message.id)

    def _own_messages(self) -> list[Message]:
        """Return this person's messages in the channel: private messages, calls by name, and ends of matches."""
        if self._in_channel and any(not one.visible_to(self.person.id) for one in self._in_channel):
            self._in_channel = [one for one in self._in_channel if one.visible_to(self.person.id)]
        messages, new = self.channel.messages, list[Message]()
        for message_id in reversed(messages):
            if message_id <= self._read_until:
                break
            message = messages[message_id]
            concerns = message.ephemeral or self.person.id in message.mentions or has_button(message, Action.REMATCH)
            if concerns and message.visible_to(self.person.id):
                new.append(message)
        self._in_channel += reversed(new)
        self._read_until = next(reversed(messages), self._read_until)
        return self._in_channel

    def _is_hand(self, message: Message) -> bool:
        return not self._actions(message).keys().isdisjoint(_HAND_ACTIONS)

    def _actions(self, message: Message) -> dict[Action, list[Control]]:
        """Return the buttons and menus of a message by action. Each state of the message is read once."""
        known = self._controls.get(message.id)
        if known is None or known[0] != message.revision:
            found: dict[Action, list[Control]] = {}
            for one in controls(message):
                if self._subject in (None, one.event.subject):
                    found.setdefault(one.action, []).append(one)
            known = self._controls[message.id] = message.revision, found
        return known[1]

    def _offers_a_move(self, panel: Message) -> bool:
        return not self._actions(panel).keys().isdisjoint(_TURN)

    def _use(self, message: Message, action: Action, value: str | None = None) -> Deed:
        offered = self._actions(message)[action]
        return Deed(message, next(one for one in offered if value is None or value in one.values), value)

    def _values(self, message: Message, action: Action) -> list[str]:
        """Return the arguments of the buttons and menus with an action."""
        return [value for one in self._actions(message).get(action, ()) for value in one.values]

    def _move(self, panel: Message) -> Deed:
        """Return a move that the panel offers."""
        offered = self._actions(panel)
        if not offered.keys().isdisjoint((Action.FINISH_LAYING_OFF, Action.LAY_OFF_ALL)):
            return self._answer_knock(panel)
        if Action.BIG_GIN in offered:
            return self._use(panel, Action.BIG_GIN)
        discards = self._discards(panel)
        ways_out = Action.GIN in offered or Action.KNOCK in offered
        if ways_out and (not discards or self._random.random() < GOES_OUT):
            if Action.GIN in offered:
                return self._use(panel, Action.GIN)
            if Action.OTHER_KNOCKS in offered and self._whims.random() < KNOCKS_OTHERWISE:
                return self._use(panel, Action.OTHER_KNOCKS)
            return self._use(panel, Action.KNOCK, self._whims.choice(self._values(panel, Action.KNOCK)))
        if discards:
            return self._random.choice(discards[:CHOSEN_FROM])
        if Action.KNOCK_WITH_MELDS in offered:
            return self._use(panel, Action.KNOCK_WITH_MELDS, self._values(panel, Action.KNOCK_WITH_MELDS)[0])
        if Action.TAKE in offered and self._random.random() < TAKES:
            return self._use(panel, Action.TAKE)
        return self._use(panel, Action.PASS if Action.PASS in offered else Action.DRAW)

    def _discards(self, panel: Message) -> list[Deed]:
        """Return the discards that the panel offers or asks about, the least remaining deadwood first."""
        hand = Hand.of(discard_buttons(panel, disabled=True))
        offered = discard_buttons(panel)
        least = sorted(offered, key=lambda card: (least_deadwood(hand - card), card))
        return [Deed(panel, offered[card], card.text) for card in least]

    def _answer_knock(self, panel: Message) -> Deed:
        """Lay off one card, or finish the answer in one step."""
        offered = self._actions(panel)
        single = [one for one in (Action.LAY_OFF, Action.WHERE_TO_LAY_OFF) if one in offered]
        if single and self._random.random() < LAYS_OFF_ONE:
            action = self._random.choice(single)
            return self._use(panel, action, self._random.choice(self._values(panel, action)))
        whole = [action for action in (*_WHOLE_ANSWERS, Action.ASK_FIRST) if action in offered]
        return self._use(panel, self._random.choice(whole))


def newest_with(player: Player, action: Action) -> Message | None:
    """Return the newest message in a player's channel that has a button."""
    seen = player.person.sees(player.channel)
    return next((message for message in reversed(seen) if has_button(message, action)), None)


def table_of(player: Player) -> Message:
    """Return the newest table in a player's channel."""
    table = newest_with(player, Action.SHOW_SCORE)
    assert table is not None
    return table


async def press(person: Person, message: Message, action: Action, argument: str | None = None) -> Interaction:
    """Press a button of a message, and wait for the answer."""
    custom_id = find_button(message, action, argument)
    assert custom_id is not None, (action, message)
    return await (await person.press(message, custom_id)).done()


async def sit_down(sandbox: Sandbox, first: Player, second: Player, **options: object) -> None:
    """Let the first player challenge the second, who accepts. Return when both see the table."""
    channel = first.channel
    await sandbox.until(lambda: first.person.commands(channel))
    await (await first.person.slash("gin challenge", channel, opponent=second.person, **options)).answer()
    await _accept(sandbox, second, Action.ACCEPT)
    await sandbox.until(lambda: all(newest_with(player, Action.SHOW_SCORE) for player in (first, second)))


async def gather(sandbox: Sandbox, players: Sequence[Player], **options: object) -> None:
    """Let the first player open a table that the others join, and start the match. Return when everyone sees it."""
    first, *others = players
    channel = first.channel
    await sandbox.until(lambda: first.person.commands(channel))
    await (await first.person.slash("gin challenge", channel, **options)).answer()
    for player in others:
        await _accept(sandbox, player, Action.ACCEPT)
    lobby = await sandbox.until(lambda: newest_with(first, Action.START_LOBBY))
    assert lobby is not None
    await press(first.person, lobby, Action.START_LOBBY)
    await sandbox.until(lambda: all(newest_with(player, Action.SHOW_SCORE) for player in players))


async def _accept(sandbox: Sandbox, player: Player, action: Action) -> None:
    while True:
        invitation = await sandbox.until(lambda: newest_with(player, action))
        assert invitation is not None
        # A table is reposted when its match can start.
        with contextlib.suppress(NotOfferedError):
            if not player.by_dm and has_button(invitation, Action.STOP_DMS):
                await press(player.person, invitation, Action.STOP_DMS)
            await press(player.person, invitation, action)
            return


async def next_turn(sandbox: Sandbox, players: Sequence[Player]) -> tuple[Player, Deed]:
    """Return the player whose turn it is, and their move. Players who were called look at their hands first."""
    while True:
        mover = (await sandbox.until(lambda: [player for player in players if player.has_turn]))[0]
        deed = mover.choose()
        if deed is not None and deed.action in MOVES:
            return mover, deed
        await mover.act()


async def play_out(sandbox: Sandbox, players: Sequence[Player], timeout: float = 60.0) -> None:
    """Let people play until their matches are over. All players whose turn it is click simultaneously.

    Raises:
        TimeoutError: no player could do anything for `timeout` seconds.
    """
    while playing := [player for player in players if not player.over]:

        def ready(playing: list[Player] = playing) -> list[Player]:
            return [player for player in playing if player.has_turn or player.over]

        await asyncio.gather(*(player.act() for player in await sandbox.until(ready, timeout)))
