"""Finding a message's buttons and menus by their actions instead of their labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.engine.cards import Card
from bot.engine.moves import Move
from bot.sandbox import Button, Message, Select
from cogs.kit.actions import Action
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
_MATCH_BEGUN: Final = 4
"""The version of a match of two before its first move: terms, cut, deck and deal come first."""
_FEW: Final = 2
"""The number of moves in a deal in which the upcard is taken to go out immediately."""
QUESTIONS: Final = frozenset((Action.ASK_FIRST, Action.OTHER_KNOCKS, Action.WHERE_TO_LAY_OFF))
"""The actions that ask a question before a move."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button or menu of the bot in a message. `item` is its appearance there."""

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
    """Return the buttons that discard a card, or ask for confirmation first, by card."""
    found: dict[Card, Control] = {}
    for one in controls(message, disabled=disabled):
        match one.action, one.event.argument:
            case Action.DISCARD, str(card):
                found[Card.parse(card)] = one
            case Action.ASK_FIRST, str(move) if card := Move.parse(move).card:
                found[card] = one
            case _:
                pass
    return found


def find_control(message: Message, action: Action, argument: str | None = None) -> Control | None:
    """Return the button or menu of a message with an action and, if given, an argument."""
    return next(
        (one for one in controls(message) if one.action is action and argument in (None, one.event.argument)), None
    )


def find_button(message: Message, action: Action, argument: str | None = None) -> str | None:
    """Return the custom id of a message's button, or None."""
    found = find_control(message, action, argument)
    return found.custom_id if found is not None and isinstance(found.item, Button) else None


def find_menu(message: Message, action: Action, argument: str | None = None) -> Control | None:
    """Return the menu of a message, or None."""
    found = find_control(message, action, argument)
    return found if found is not None and isinstance(found.item, Select) else None


def has_button(message: Message, action: Action) -> bool:
    return find_button(message, action) is not None


def actions_of(message: Message) -> set[Action]:
    """Return the actions of a message's buttons and menus."""
    return {one.action for one in controls(message)}


def accent_of(message: Message) -> int | None:
    """Return the colour of a message's container, which differs between refusals and answers."""
    return next((row.get("accent_color") for row in message.components), None)


def moves_shown(message: Message) -> int:
    """Return the number of moves that a table or hand shows, in the first deal of a match of two; below 0 if none."""
    return max((one.event.version for one in controls(message)), default=0) - _MATCH_BEGUN


def shows_later_deal(message: Message) -> bool:
    """Return True if a table or hand shows a deal after the first, with up-to-date buttons."""
    return moves_shown(message) > _FEW
