"""The direct message that reminds a player of their turns."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.engine.deals.moves import Seat
from bot.model.clocks import Clock, TimeLeft
from bot.model.ids import MatchId
from bot.model.matches import RemindedTurn, Reminder
from cogs.actions import Action
from cogs.kit.components import ComponentEvent
from cogs.tables.reminder_panel import MAX_LISTED, reminder
from tests.cogs.samples import (
    CHANNEL,
    LONGEST_NAME,
    MESSAGE_LIMIT,
    NOW,
    button_labels,
    length,
    match_between,
    person_id,
    text_of,
)
from tests.helpers.message_parts import buttons_in, parts

DAY = timedelta(days=1)


def _turn(number: int, *names: str, time: TimeLeft | None = None, nudged: bool = False) -> RemindedTurn:
    match = match_between(*names, rules="classic" if len(names) == 2 else "penalty")
    match = replace(match, id=MatchId(number), clock=Clock.parse("none" if time is None else "2d"))
    return RemindedTurn(match, Seat(0), NOW - DAY, time, nudged)


def test_each_turn_has_a_line_with_its_deadline() -> None:
    """Each line has the turn's deadline, the remaining time, or the start of the turn, or says that the time is up."""
    ends, stamp = NOW + DAY, int((NOW + DAY).timestamp())
    turns = (
        _turn(1, "A", "B", time=TimeLeft(DAY, ends)),
        _turn(2, "A", "C", time=TimeLeft(timedelta(), NOW), nudged=True),
        _turn(3, "A", "D"),
        _turn(4, "A", "E", time=TimeLeft(DAY, None)),
    )
    text = text_of(reminder(Reminder(person_id(0), turns)))
    assert text.splitlines()[:5] == [
        "### It's your turn in 4 matches",
        f"<#{CHANNEL}> against ⁨B⁩: your time runs out <t:{stamp}:R>.",
        f"<#{CHANNEL}> against ⁨C⁩: your time is up. You were nudged.",
        f"<#{CHANNEL}> against ⁨D⁩: your turn started <t:{int((NOW - DAY).timestamp())}:R>.",
        f"<#{CHANNEL}> against ⁨E⁩: you have 1 day left.",
    ]


def test_many_turns_fit_into_a_message() -> None:
    """A message with many turns and the longest names fits: ten have a button, and a command lists the others."""
    names = [LONGEST_NAME] * 4
    turns = tuple(_turn(number, *names, time=TimeLeft(DAY, NOW + DAY), nudged=True) for number in range(12))
    shown = reminder(Reminder(person_id(0), turns))
    assert button_labels(shown) == ["My hand"] * MAX_LISTED
    assert "And 2 more." in text_of(shown)
    assert length(shown) < MESSAGE_LIMIT
    assert len(parts(shown)) <= 40


def test_buttons_open_the_matches() -> None:
    """Each button opens the match on its line."""
    shown = reminder(Reminder(person_id(0), (_turn(7, "A", "B"), _turn(8, "A", "B"))))
    events = [ComponentEvent.parse(button.custom_id or "") for button in buttons_in(shown)]
    assert [(event.action, event.match_id) for event in events if event] == [
        (Action.OPEN_MATCH, 7),
        (Action.OPEN_MATCH, 8),
    ]
