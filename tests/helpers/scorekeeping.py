"""What lasting posts and the leaderboard say, read as a person would and kept in numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.sandbox import Interaction, Message, Person

_ISOLATES: Final = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
_SHOWDOWN: Final = re.compile(
    r"^### Deal (?P<number>\d+): (?:(?P<void>void)|(?P<winner>.+?) "
    r"(?P<how>wins by knocking|goes gin|undercuts), (?P<points>\d+) points)",
)
_END: Final = re.compile(r"^### (?P<winner>.+?) wins the match by \d+")
_ROW: Final = re.compile(
    r"\*\*\d+\.\*\* (?P<name>.+?): \*\*(?P<won>\d+)\*\* won, (?P<lost>\d+) lost\n-# (?P<points>\d+) points"
    r" · deals (?P<deals_won>\d+)–(?P<deals_lost>\d+)(?: · (?P<gins>\d+) gin)?(?: · (?P<undercuts>\d+) undercut)?"
)
KINDS: Final = {"wins by knocking": "knock", "goes gin": "gin", "undercuts": "undercut", None: "void"}


@dataclass(frozen=True, slots=True)
class Showdown:
    """How a deal ended: `knock`, `gin`, `undercut` or `void`; nobody wins a void one."""

    number: int
    kind: str
    winner: str | None
    points: int


@dataclass
class Tally:
    """What a person won and lost."""

    won: int = 0
    lost: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    points: int = 0
    gins: int = 0
    undercuts: int = 0


def plain(message: Message) -> str:
    """The words of a message without the signs that keep names apart from them."""
    return message.text.translate(_ISOLATES)


def showdowns(messages: list[Message]) -> list[Showdown]:
    """The showdowns among messages, in order."""
    found = [shown for message in messages if (shown := _SHOWDOWN.match(plain(message)))]
    return [Showdown(int(one["number"]), KINDS[one["how"]], one["winner"], int(one["points"] or 0)) for one in found]


def winner(messages: list[Message]) -> str | None:
    """Who won the match that ended among messages."""
    return next((end["winner"] for message in messages if (end := _END.match(plain(message)))), None)


def tallies(messages: list[Message], players: tuple[str, str]) -> dict[str, Tally]:
    """What the posts of one finished match amount to for its two players."""
    kept = {player: Tally() for player in players}
    champion = winner(messages)
    for player, tally in kept.items():
        tally.won, tally.lost = int(player == champion), int(player != champion)
    for deal in showdowns(messages):
        for player, tally in kept.items():
            tally.deals_won += deal.winner == player
            tally.deals_lost += deal.winner not in (None, player)
        if deal.winner is not None:
            kept[deal.winner].points += deal.points
            kept[deal.winner].gins += deal.kind == "gin"
            kept[deal.winner].undercuts += deal.kind == "undercut"
    return kept


async def leaderboard(person: Person, asked: Interaction) -> dict[str, Tally]:
    """Every row of a leaderboard that a person asked for, page by page."""
    rows: dict[str, Tally] = {}
    message = (await asked.answer()).message
    while True:
        everyone = plain(message).partition("\nYou: ")[0]
        for found in _ROW.finditer(everyone):
            name, *numbers = found.groups()
            rows[name] = Tally(*_in_order(numbers))
        if not any(button.label == "More" for button in message.buttons):
            return rows
        message = (await (await person.press(message, "More")).answer()).message


def _in_order(numbers: list[str | None]) -> tuple[int, ...]:
    won, lost, points, *others = (int(number or 0) for number in numbers)
    return won, lost, others[0], others[1], points, others[2], others[3]
