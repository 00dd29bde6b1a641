"""Finds buttons and menus of messages by what they do, not by what they say."""

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
"""The version of a match between two before its first move: it was agreed on, cut, shuffled and dealt."""
_FEW: Final = 2
"""Moves of a deal in which the upcard is taken to go out at once."""
QUESTIONS: Final = frozenset((Action.ASK_FIRST, Action.OTHER_KNOCKS, Action.WHERE_TO_LAY_OFF))
"""The actions that ask something before a move."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button or menu of the bot in a message. `item` is what it looks like there."""

    event: ComponentEvent
    item: Button | Select

    @property
    def action(self) -> Action:
        """What it does."""
        return self.event.action

    @property
    def custom_id(self) -> str:
        """Its custom id."""
        return self.item.custom_id or ""

    @property
    def is_menu(self) -> bool:
        """Whether it is a menu."""
        return isinstance(self.item, Select)

    @property
    def values(self) -> tuple[str, ...]:
        """The values of a menu's options, in their order; the argument of a button, if it has one."""
        if isinstance(self.item, Select):
            return tuple(option.value for option in self.item.options)
        return () if self.event.argument is None else (self.event.argument,)


def controls(message: Message, *, disabled: bool = False) -> Iterator[Control]:
    """Yield the buttons and menus of a message that are the bot's and can be used; the `disabled` buttons too."""
    for item in (*message.buttons, *message.selects):
        event = ComponentEvent.parse(item.custom_id or "")
        if event is not None and (disabled or isinstance(item, Select) or not item.disabled):
            yield Control(event, item)


def discard_buttons(message: Message, *, disabled: bool = False) -> dict[Card, Control]:
    """Return the buttons that discard a card, or ask whether to, by the card; the `disabled` ones too."""
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
    """Return the button or menu of a message with an action, and with an argument if one is named."""
    return next(
        (one for one in controls(message) if one.action is action and argument in (None, one.event.argument)), None
    )


def find_button(message: Message, action: Action, argument: str | None = None) -> str | None:
    """Return the custom id of a message's button; None if there is none."""
    found = find_control(message, action, argument)
    return found.custom_id if found is not None and isinstance(found.item, Button) else None


def find_menu(message: Message, action: Action, argument: str | None = None) -> Control | None:
    """Return the menu of a message; None if there is none."""
    found = find_control(message, action, argument)
    return found if found is not None and isinstance(found.item, Select) else None


def has_button(message: Message, action: Action) -> bool:
    """Return whether a message has a button."""
    return find_button(message, action) is not None


def actions_of(message: Message) -> set[Action]:
    """Return what the buttons and menus of a message do."""
    return {one.action for one in controls(message)}


def accent_of(message: Message) -> int | None:
    """Return the colour of a message's container, which tells a refusal from an answer."""
    return next((row.get("accent_color") for row in message.components), None)


def moves_shown(message: Message) -> int:
    """Return how many moves of the first deal of a match between two its table or a hand shows; less than 0 of none."""
    return max((one.event.version for one in controls(message)), default=0) - _MATCH_BEGUN


def shows_later_deal(message: Message) -> bool:
    """Return whether a table or hand shows a later deal, after one of few moves, with its newest buttons."""
    return moves_shown(message) > _FEW
