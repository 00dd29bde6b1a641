"""Players who follow a policy, using only the messages, buttons and menus on their screens.

They never resign. When they can go out, they do so in seven of ten cases. Otherwise they discard one of the three cards
that leave the least deadwood. They answer a knock by laying off all cards at once, one card at a time, or none. After
the stock runs out they mostly pass. They confirm every question.

Some also plan ahead: between moves they give orders for their next turn, arrange their cards, ask to take a discard
back, and answer such requests.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.engine.cards.cards import Hand
from bot.engine.cards.melds import least_deadwood
from bot.model.ids import MatchId
from bot.sandbox import Channel, Interaction, Message, NotOfferedError, Person, Sandbox
from cogs.actions import Action
from cogs.turns.match_options import ANSWER
from tests.helpers.components import MOVES, QUESTIONS, Control, controls, discard_buttons, find_button, has_button

GO_OUT_PROBABILITY: Final = 0.7
TAKE_PROBABILITY: Final = 0.3
LAY_OFF_ONE_PROBABILITY: Final = 0.5
DISCARD_CHOICES: Final = 3
OTHER_KNOCK_PROBABILITY: Final = 0.2
ALLOW_PROBABILITY: Final = 0.4
DECLINE_PROBABILITY: Final = 0.2
MAX_PLANNED_CLICKS: Final = 4
"""Maximum number of clicks between two moves with which a player plans ahead: enough to arrange a card."""

PLANS: Final = (Action.GIVE_ORDERS, Action.ARRANGE, Action.TAKE_BACK)
"""The actions of buttons and menus with which players plan ahead."""

_FINAL_ANSWERS: Final = (Action.LAY_OFF_ALL, Action.FINISH_LAYING_OFF)
_TURN: Final = MOVES | QUESTIONS | {Action.NEXT_DEAL}
_HAND_ACTIONS: Final = _TURN | {Action.REFRESH_HAND}
_CALLS: Final = frozenset((Action.SHOW_HAND, Action.NEXT_DEAL))
"""The actions of buttons in your-turn messages that open the hand."""


@dataclass(frozen=True, slots=True)
class PlannedClick:
    """A click to make: a button, or a menu with the chosen value."""

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
    """One person who plays at one table: with `by_dm` in direct messages, otherwise in the channel, with DMs closed.

    A person who plays several matches simultaneously needs a `Player` for each, with the `match_id`. With
    `plans_ahead`, the person also does what the module's docstring says of such players.
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
        plans_ahead: bool = False,
    ) -> None:
        self.person: Person = sandbox.person(name)
        self.person.user.open_dms = by_dm
        self.channel = channel
        self.by_dm = by_dm
        self.interactions: list[Interaction] = []
        """The interactions of all clicks that make moves, in order."""
        self.match_id = match_id
        self.plans_ahead = plans_ahead
        self.plans = Counter[Action]()
        """The numbers of clicks with which this person has planned ahead, by action, without answers to requests."""
        self._subject = None if match_id is None else str(match_id)
        self._random, self._style_random = Random(f"{name} {seed}"), Random(f"{seed} {name}")
        self._plan_random = Random(f"{name} plans {seed}")
        self._followed_calls: set[int] = set()
        self._last_read_id = 0
        self._in_channel: list[Message] = []
        self._controls: dict[int, tuple[int, dict[Action, list[Control]]]] = {}

    def __repr__(self) -> str:
        return f"<Player {self.person.name}>"

    @property
    def panel(self) -> Message | None:
        """The newest message that shows this person's hand, or None. It has moves or a button to refresh the hand."""
        if self.by_dm:
            shown = (
                message for message in reversed(self.person.dm.messages.values()) if message.visible_to(self.person.id)
            )
        else:
            shown = (own_message for own_message in reversed(self._own_messages()) if own_message.ephemeral)
        return next((message for message in shown if self._is_hand(message)), None)

    @property
    def call(self) -> Message | None:
        """This person's newest your-turn message in the channel, or None. Messages already clicked do not count."""
        called = (
            own_message
            for own_message in reversed(self._own_messages())
            if not own_message.ephemeral and own_message.id not in self._followed_calls
        )
        return next((message for message in called if not _CALLS.isdisjoint(self._actions(message))), None)

    @property
    def is_over(self) -> bool:
        """True if the channel offers a rematch, because the match has ended."""
        return any(
            Action.REMATCH in self._actions(own_message)
            for own_message in self._own_messages()
            if not own_message.mentions
        )

    def choose(self) -> PlannedClick | None:
        """Return the next click, as the policy chooses it, or None if it is not this player's turn."""
        panel = self.panel
        if panel is not None and self._is_arranging(panel):
            return self._use(panel, Action.REFRESH_HAND)
        if panel is not None and self._offers_a_move(panel):
            return self._answer_request(panel) or self._move(panel)
        call = None if self.by_dm else self.call
        if call is None:
            return None
        return self._use(call, next(action for action in self._actions(call) if action in _CALLS))

    @property
    def has_turn(self) -> bool:
        """True if this player's hand offers a move, or they have a your-turn message in the channel.

        Also true while they arrange their cards, because their hand then hides the moves.
        """
        panel = self.panel
        if panel is not None and (self._offers_a_move(panel) or self._is_arranging(panel)):
            return True
        return not self.by_dm and self.call is not None

    async def click(self, deed: PlannedClick, *, late: bool = False) -> Interaction:
        """Click, and return the interaction without waiting. With `late`, the message may lack the button by now."""
        if deed.control.is_menu:
            made = await self.person.choose(deed.message, deed.custom_id, deed.value, late=late)
        else:
            made = await self.person.press(deed.message, deed.custom_id, late=late)
        if deed.action in MOVES:
            self.interactions.append(made)
        elif deed.action in (*PLANS, Action.ARRANGE_BEFORE) and deed.control.event.argument != ANSWER:
            self.plans[deed.action] += 1
        return made

    async def act(self) -> None:
        """Make the click that the policy chooses, if any, and wait for the answer. Then perhaps plan ahead."""
        deed = self.choose()
        if deed is None:
            return
        made = await self.click(deed)
        await made.answer()
        self.follow(deed, made)
        for _ in range(MAX_PLANNED_CLICKS if self.plans_ahead else 0):
            if (plan := self.plan()) is None:
                return
            await (await self.click(plan)).answer()

    def plan(self) -> PlannedClick | None:
        """Return a click with which this player plans ahead, chosen at random; None if they would not plan now."""
        panel = self.panel
        if panel is None:
            return None
        offered = self._actions(panel)
        if self._is_arranging(panel):
            step = Action.ARRANGE_BEFORE if Action.ARRANGE_BEFORE in offered else Action.ARRANGE
            return self._use(panel, step, self._plan_random.choice(self._values(panel, step)))
        action = self._plan_random.choice((None, *PLANS))
        if action is None or action not in offered or ANSWER in self._values(panel, action):
            return None
        if action is Action.GIVE_ORDERS:
            return self._use(panel, action, self._plan_random.choice(self._values(panel, action)))
        return self._use(panel, action)

    def follow(self, deed: PlannedClick, made: Interaction) -> None:
        """If a click on a your-turn message was answered, remember the message, so that it is not clicked again."""
        if deed.action in _CALLS and not made.failed:
            self._followed_calls.add(deed.message.id)

    def _own_messages(self) -> list[Message]:
        """Return the channel's messages that concern this person: private ones, mentions, and offers of a rematch."""
        if self._in_channel and any(not message.visible_to(self.person.id) for message in self._in_channel):
            self._in_channel = [message for message in self._in_channel if message.visible_to(self.person.id)]
        messages, new = self.channel.messages, list[Message]()
        for message_id in reversed(messages):
            if message_id <= self._last_read_id:
                break
            message = messages[message_id]
            concerns = message.ephemeral or self.person.id in message.mentions or has_button(message, Action.REMATCH)
            if concerns and message.visible_to(self.person.id):
                new.append(message)
        self._in_channel += reversed(new)
        self._last_read_id = next(reversed(messages), self._last_read_id)
        return self._in_channel

    def _is_hand(self, message: Message) -> bool:
        return not self._actions(message).keys().isdisjoint(_HAND_ACTIONS)

    def _actions(self, message: Message) -> dict[Action, list[Control]]:
        """Return the buttons and menus of a message by action. They are cached until the message changes."""
        known = self._controls.get(message.id)
        if known is None or known[0] != message.revision:
            found: dict[Action, list[Control]] = {}
            for control in controls(message):
                if self._subject in (None, control.event.subject):
                    found.setdefault(control.action, []).append(control)
            known = self._controls[message.id] = message.revision, found
        return known[1]

    def _offers_a_move(self, panel: Message) -> bool:
        return not self._actions(panel).keys().isdisjoint(_TURN)

    def _is_arranging(self, panel: Message) -> bool:
        """Return True if the hand shows the cards to arrange, instead of only the button for that."""
        return any(self._values(panel, action) for action in (Action.ARRANGE, Action.ARRANGE_BEFORE))

    def _answer_request(self, panel: Message) -> PlannedClick | None:
        """Return a click that answers a request to take a discard back; None if there is none, or to ignore it."""
        if not self.plans_ahead or ANSWER not in self._values(panel, Action.TAKE_BACK):
            return None
        fate = self._plan_random.random()
        if fate < ALLOW_PROBABILITY:
            return self._use(panel, Action.TAKE_BACK, ANSWER)
        return self._use(panel, Action.KEEP_PLAYING) if fate < ALLOW_PROBABILITY + DECLINE_PROBABILITY else None

    def _use(self, message: Message, action: Action, value: str | None = None) -> PlannedClick:
        offered = self._actions(message)[action]
        return PlannedClick(
            message, next(control for control in offered if value is None or value in control.values), value
        )

    def _values(self, message: Message, action: Action) -> list[str]:
        """Return all arguments and values that a message offers for an action."""
        return [value for control in self._actions(message).get(action, ()) for value in control.values]

    def _move(self, panel: Message) -> PlannedClick:
        """Return a click on a move that the hand offers, chosen by the policy."""
        offered = self._actions(panel)
        if Action.NEXT_DEAL in offered:
            return self._use(panel, Action.NEXT_DEAL)
        if not offered.keys().isdisjoint((Action.FINISH_LAYING_OFF, Action.LAY_OFF_ALL)):
            return self._answer_knock(panel)
        if Action.BIG_GIN in offered:
            return self._use(panel, Action.BIG_GIN)
        discards = self._discards(panel)
        knocks_and_lay_offs = Action.GIN in offered or Action.KNOCK in offered
        if knocks_and_lay_offs and (not discards or self._random.random() < GO_OUT_PROBABILITY):
            if Action.GIN in offered:
                return self._use(panel, Action.GIN)
            if Action.OTHER_KNOCKS in offered and self._style_random.random() < OTHER_KNOCK_PROBABILITY:
                return self._use(panel, Action.OTHER_KNOCKS)
            return self._use(panel, Action.KNOCK, self._style_random.choice(self._values(panel, Action.KNOCK)))
        if discards:
            return self._random.choice(discards[:DISCARD_CHOICES])
        if Action.KNOCK_WITH_MELDS in offered:
            return self._use(panel, Action.KNOCK_WITH_MELDS, self._values(panel, Action.KNOCK_WITH_MELDS)[0])
        if Action.TAKE in offered and self._random.random() < TAKE_PROBABILITY:
            return self._use(panel, Action.TAKE)
        return self._use(panel, Action.PASS if Action.PASS in offered else Action.DRAW)

    def _discards(self, panel: Message) -> list[PlannedClick]:
        """Return the discards that the hand offers, from the least deadwood left to the most."""
        hand = Hand.of(discard_buttons(panel, disabled=True))
        offered = discard_buttons(panel)
        least = sorted(offered, key=lambda card: (least_deadwood(hand - card), card))
        return [PlannedClick(panel, offered[card], card.text) for card in least]

    def _answer_knock(self, panel: Message) -> PlannedClick:
        """Lay off one card, or finish the answer in one step."""
        offered = self._actions(panel)
        single = [action for action in (Action.LAY_OFF, Action.WHERE_TO_LAY_OFF) if action in offered]
        if single and self._random.random() < LAY_OFF_ONE_PROBABILITY:
            action = self._random.choice(single)
            return self._use(panel, action, self._random.choice(self._values(panel, action)))
        whole = [action for action in (*_FINAL_ANSWERS, Action.ASK_FIRST) if action in offered]
        return self._use(panel, self._random.choice(whole))


def newest_message_with(player: Player, action: Action) -> Message | None:
    """Return the newest message in a player's channel that has a button for this action, or None."""
    seen = player.person.sees(player.channel)
    return next((message for message in reversed(seen) if has_button(message, action)), None)


def table_of(player: Player) -> Message:
    """Return the newest message in a player's channel that shows a table."""
    table = newest_message_with(player, Action.SHOW_RULES)
    assert table is not None
    return table


async def press(person: Person, message: Message, action: Action, argument: str | None = None) -> Interaction:
    """Press a message's button for an action, and wait for the answer."""
    custom_id = find_button(message, action, argument)
    assert custom_id is not None, (action, message)
    return await (await person.press(message, custom_id)).done()


async def challenge_and_accept(sandbox: Sandbox, first: Player, second: Player, **options: object) -> None:
    """Start a match: the first player challenges the second, who accepts. Return when both see the table.

    If the match has a thread of its own, the players go there.
    """
    channel = first.channel
    await sandbox.until(lambda: first.person.commands(channel))
    await (await first.person.slash("gin challenge", channel, opponent=second.person, **options)).answer()
    await _accept(sandbox, second, Action.ACCEPT)
    await sandbox.until(lambda: all(_goes_to_table(player) for player in (first, second)))


async def let_the_bot_draw(player: Player) -> None:
    """Have a person switch on the preference *Draw for me*."""
    await _switch_on(player, Action.PREFER_DRAWING)


async def allow_take_backs(player: Player) -> None:
    """Have a person switch on the preference with which others may ask to take a discard back."""
    await _switch_on(player, Action.PREFER_TAKE_BACKS)


async def _switch_on(player: Player, preference: Action) -> None:
    panel = (await (await player.person.slash("gin me preferences", player.channel)).done()).message
    for value in (preference, "yes"):
        (menu,) = panel.selects
        await (await player.person.choose(panel, menu.custom_id, value)).done()


def _goes_to_table(player: Player) -> bool:
    """Return True if a table is in the player's channel, or in a thread of it, which then becomes their channel."""
    if newest_message_with(player, Action.SHOW_RULES) is None:
        for channel in player.person.channels():
            if channel.thread is not None and channel.thread.parent_id == player.channel.id:
                player.channel = channel
    return newest_message_with(player, Action.SHOW_RULES) is not None


async def start_lobby(sandbox: Sandbox, players: Sequence[Player], **options: object) -> None:
    """Start a match from a lobby: the first player opens it, the others join. Return when everyone sees the table."""
    first, *others = players
    channel = first.channel
    await sandbox.until(lambda: first.person.commands(channel))
    await (await first.person.slash("gin challenge", channel, **options)).answer()
    for player in others:
        await _accept(sandbox, player, Action.ACCEPT)
    lobby = await sandbox.until(lambda: newest_message_with(first, Action.START_LOBBY))
    assert lobby is not None
    await press(first.person, lobby, Action.START_LOBBY)
    await sandbox.until(lambda: all(newest_message_with(player, Action.SHOW_RULES) for player in players))


async def _accept(sandbox: Sandbox, player: Player, action: Action) -> None:
    while True:
        invitation = await sandbox.until(lambda: newest_message_with(player, action))
        assert invitation is not None
        # The lobby is reposted when its match can start. If that happens just before the click, try again.
        with contextlib.suppress(NotOfferedError):
            # After a failed attempt, the newest message may be the answer to *No DMs*, which has *Accept*, too.
            if not player.by_dm and has_button(invitation, Action.CHALLENGE_MORE):
                more = (await press(player.person, invitation, Action.CHALLENGE_MORE)).message
                if has_button(more, Action.STOP_DMS):
                    await press(player.person, more, Action.STOP_DMS)
            await press(player.person, invitation, action)
            return


async def next_turn(sandbox: Sandbox, players: Sequence[Player]) -> tuple[Player, PlannedClick]:
    """Return a player whose turn it is, and a click that makes a move. If necessary, let the player open the hand."""
    while True:
        mover = (await sandbox.until(lambda: [player for player in players if player.has_turn]))[0]
        deed = mover.choose()
        if deed is not None and deed.action in MOVES:
            return mover, deed
        await mover.act()


async def play_out(sandbox: Sandbox, players: Sequence[Player], timeout: float = 60.0) -> None:
    """Let people play until their matches are over. All players whose turn it is click simultaneously.

    Raises:
        TimeoutError: no player had a turn for `timeout` seconds.
    """
    while playing := [player for player in players if not player.is_over]:

        def ready(playing: list[Player] = playing) -> list[Player]:
            return [player for player in playing if player.has_turn or player.is_over]

        await asyncio.gather(*(player.act() for player in await sandbox.until(ready, timeout)))
