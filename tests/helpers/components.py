"""Finding a message's buttons and menus by their actions instead of their labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move
from bot.sandbox import Button, Message, Select
from cogs.actions import Action
from cogs.kit.components import ComponentEvent

MOVES: Final = frozenset(
    (
        Action.DRAW,
        Action.TAKE,
        Action.PASS,
        Action.DISCARD,
        Action.KNOCK,
        Action.KNOCK_WITH_MELDS,
        Action.GIN,
        Action.BIG_GIN,
        Action.LAY_OFF,
        Action.LAY_OFF_ALL,
        Action.FINISH_LAYING_OFF,
    )
)
"""The actions that are moves."""
_FIRST_MOVE_VERSION: Final = 4
"""A two-player match has this version before its first move: the start, the cut and the first deal also change it."""
_SHORT_DEAL_MOVES: Final = 2
"""Number of moves in a deal that ends in the first turn: take the upcard, and knock or go gin."""
QUESTIONS: Final = frozenset((Action.ASK_FIRST, Action.OTHER_KNOCKS, Action.WHERE_TO_LAY_OFF))
"""The actions of buttons that ask the player a question before a move."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button or menu of the bot in a message: its parsed custom id, and the component as Discord shows it."""

    event: ComponentEvent
    item: Button | Select

    @property
    def action(self) -> Action:
        return self.event.action

    @property
    def custom_id(self) -> str:
        return self.item.custom_id or ""

    @property
    def is_menu(self) -> bool:
        return isinstance(self.item, Select)

    @property
    def values(self) -> tuple[str, ...]:
        """The values of a menu's options, in their order, or the argument of a button if it has one."""
        if isinstance(self.item, Select):
            return tuple(option.value for option in self.item.options)
        return () if self.event.argument is None else (self.event.argument,)


def controls(message: Message, *, disabled: bool = False) -> Iterator[Control]:
    """Yield the bot's enabled buttons and menus in a message. With `disabled`, include disabled buttons."""
    for item in (*message.buttons, *message.selects):
        event = ComponentEvent.parse(item.custom_id or "")
        if event is not None and (disabled or isinstance(item, Select) or not item.disabled):
            yield Control(event, item)


def discard_buttons(message: Message, *, disabled: bool = False) -> dict[Card, Control]:
    """Return a dictionary from each card to the button that discards it or first asks for confirmation."""
    found: dict[Card, Control] = {}
    for control in controls(message, disabled=disabled):
        match control.action, control.event.argument:
            case Action.DISCARD, str(card):
                found[Card.parse(card)] = control
            case Action.ASK_FIRST, str(move) if card := Move.parse(move).card:
                found[card] = control
            case _:
                pass
    return found


def find_control(message: Message, action: Action, argument: str | None = None) -> Control | None:
    """Return a message's button or menu for an action (and argument, if given), or None if there is none."""
    return next(
        (
            control
            for control in controls(message)
            if control.action is action and argument in (None, control.event.argument)
        ),
        None,
    )


def find_button(message: Message, action: Action, argument: str | None = None) -> str | None:
    """Return the custom id of a message's button for an action (and argument, if given), or None if there is none."""
    found = find_control(message, action, argument)
    return found.custom_id if found is not None and isinstance(found.item, Button) else None


def find_menu(message: Message, action: Action, argument: str | None = None) -> Control | None:
    """Return a message's menu for an action (and argument, if given), or None if there is none."""
    found = find_control(message, action, argument)
    return found if found is not None and isinstance(found.item, Select) else None


def has_button(message: Message, action: Action) -> bool:
    return find_button(message, action) is not None


def actions_of(message: Message) -> set[Action]:
    """Return the actions of a message's buttons and menus."""
    return {control.action for control in controls(message)}


def accent_of(message: Message) -> int | None:
    """Return the accent colour of a message's container, which distinguishes refusals from other answers."""
    return next((row.get("accent_color") for row in message.components), None)


def moves_shown(message: Message) -> int:
    """Return the number of moves that had been made when the message of a table or hand was last updated.

    The number is reliable only in the first deal of a two-player match. It is negative if the message has no buttons.
    """
    return max((control.event.version for control in controls(message)), default=0) - _FIRST_MOVE_VERSION


def shows_later_deal(message: Message) -> bool:
    """Return True if a table or hand shows a deal after the first one.

    The result is reliable only in a two-player match whose first deal ended in its first turn.
    """
    return moves_shown(message) > _SHORT_DEAL_MOVES
