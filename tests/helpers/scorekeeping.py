"""Match totals: computed from summaries, and read from messages and the leaderboard."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.model.matches import MatchSummary
from bot.model.standings import Standing
from bot.sandbox import Interaction, Message, Person
from cogs.actions import Action
from tests.helpers.components import controls

_ISOLATES: Final = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
_SHOWDOWN: Final = re.compile(
    r"^(?:\*\*|### (?:.+\n)?)Deal (?P<number>\d+): (?:(?P<void>void)|(?P<winner>.+?) "
    r"(?P<how>wins by knocking|goes gin|undercuts), (?P<points>\d+) points?)",
)
"""The result of a deal: in bold below its picture, as the title of its details, or below the title of a match's end."""
_END: Final = re.compile(r"^### (?P<winner>.+?) wins the match by \d+")
_ROW: Final = re.compile(
    r"\*\*\d+\.\*\* (?P<name>.+?): \*\*(?P<won>\d+)\*\* won, (?P<lost>\d+) lost\n-# (?P<points>\d+) points"
    r" · net (?:[+−]\d+|0) · deals (?P<deals_won>\d+)–(?P<deals_lost>\d+)"
    r"(?: · (?P<gins>\d+) gins?)?(?: · (?P<undercuts>\d+) undercuts?)?"
)
_KINDS: Final = {
    "wins by knocking": OutcomeKind.KNOCK,
    "goes gin": OutcomeKind.GIN,
    "undercuts": OutcomeKind.UNDERCUT,
    None: OutcomeKind.VOID,
}
_GINS: Final = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of a deal. A void deal has no winner."""

    number: int
    kind: OutcomeKind
    winner: str | None
    points: int


@dataclass
class Tally:
    """A person's totals, as the leaderboard shows them."""

    won: int = 0
    lost: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    points: int = 0
    gins: int = 0
    undercuts: int = 0

    @staticmethod
    def of(standing: Standing) -> Tally:
        """Return a person's totals on the leaderboard."""
        return Tally(
            standing.won,
            standing.lost,
            standing.deals_won,
            standing.deals_lost,
            standing.points,
            standing.gins,
            standing.undercuts,
        )


def deal_results(summary: MatchSummary) -> list[DealResult]:
    return [
        DealResult(deal.number, deal.outcome.kind, _name(summary, deal.outcome.winner), deal.outcome.points)
        for deal in summary.deals
    ]


def match_winner(summary: MatchSummary) -> str | None:
    """Return the name of the winner of a match, or None."""
    winner = summary.view.score.winner
    return None if winner is None else _name(summary, Seat(winner))


def _name(summary: MatchSummary, seat: Seat | None) -> str | None:
    return None if seat is None else summary.match.players[seat].name


def tallies(deals: Iterable[DealResult], winner: str | None, players: Sequence[str]) -> dict[str, Tally]:
    """Compute each player's totals from a finished match's deals and winner."""
    totals = {player: Tally(won=int(player == winner), lost=int(player != winner)) for player in players}
    for deal in deals:
        for player, tally in totals.items():
            tally.deals_won += deal.winner == player
            tally.deals_lost += deal.winner not in (None, player)
        if deal.winner is not None:
            totals[deal.winner].points += deal.points
            totals[deal.winner].gins += deal.kind in _GINS
            totals[deal.winner].undercuts += deal.kind is OutcomeKind.UNDERCUT
    return totals


def read_deals(messages: Iterable[Message]) -> list[DealResult]:
    """Read the results of deals from messages, in order."""
    found = [shown for message in messages if (shown := _SHOWDOWN.match(plain(message)))]
    return [DealResult(int(row["number"]), _KINDS[row["how"]], row["winner"], int(row["points"] or 0)) for row in found]


def read_winner(messages: Iterable[Message]) -> str | None:
    """Read the name of a match's winner from messages."""
    return next((end["winner"] for message in messages if (end := _END.match(plain(message)))), None)


async def read_leaderboard(person: Person, interaction: Interaction) -> dict[str, Tally]:
    """Read all pages of a leaderboard that a person without pictures has requested. Return the totals by name."""
    rows: dict[str, Tally] = {}
    message, page = (await interaction.answer()).message, 0
    while True:
        everyone = plain(message).partition("\nYou: ")[0]
        for found in _ROW.finditer(everyone):
            name, *numbers = found.groups()
            rows[name] = Tally(*_tally_fields(numbers))
        page += 1
        pages = [
            control
            for control in controls(message)
            if control.action is Action.LEADERBOARD and control.event.version == page
        ]
        if not pages:
            return rows
        message = (await (await person.press(message, pages[0].custom_id)).answer()).message


def plain(message: Message) -> str:
    """Return the text of a message without the isolate characters around names."""
    return message.text.translate(_ISOLATES)


def _tally_fields(numbers: list[str | None]) -> tuple[int, ...]:
    won, lost, points, *others = (int(number or 0) for number in numbers)
    return won, lost, others[0], others[1], points, others[2], others[3]
