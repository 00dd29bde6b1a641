"""A server's records as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.records import HeldRecord, RecordKind
from bot.model.words import count
from cardart.text.phrases import short_date
from cogs.words.names import name, opponents, plain, side

NOTHING: Final = "There are no records yet. Set the first ones with a rated match: `/gin play`."
STILL_LOOKING: Final = "-# I'm still looking for records in older matches."
TITLE: Final = "Records of this server"
ALL: Final = "All records"

NAMES: Final = {
    RecordKind.FASTEST_GIN: "Fastest gin",
    RecordKind.LARGEST_DEAL: "Largest deal",
    RecordKind.LONGEST_DEAL: "Longest deal",
    RecordKind.COMEBACK: "Biggest comeback",
    RecordKind.STREAK: "Best streak",
}
ABOUT: Final = {
    RecordKind.FASTEST_GIN: "The fewest turns before a player went gin, counting all players' turns.",
    RecordKind.LARGEST_DEAL: "The most points for winning one deal.",
    RecordKind.LONGEST_DEAL: "The most turns in a deal, counting all players' turns.",
    RecordKind.COMEBACK: "The largest deficit that a winner came back from. Forfeited matches don't count.",
    RecordKind.STREAK: "The most matches won in a row.",
}


def overview(held: Mapping[RecordKind, Sequence[HeldRecord]]) -> str:
    """Return the best record of each kind."""
    return "\n".join(f"**{NAMES[kind]}:** {record(best[0])}" for kind, best in held.items() if best)


def podium(held: Sequence[HeldRecord], places: Sequence[str | None]) -> str:
    """Return the top few records of a kind, each with the channel of its match, if given."""
    lines = list[str]()
    for rank, (entry, where) in enumerate(zip(held, places, strict=True), 1):
        seen = "" if where is None else f" · {where}"
        lines.append(f"**{rank}.** {record(entry)}{seen}")
    return "\n".join(lines)


def record(held: HeldRecord) -> str:
    """Format a record: its value, holder and date."""
    entry, match = held.entry, held.match
    when = short_date(entry.at.date())
    if entry.kind is RecordKind.STREAK:
        return f"{value(held)}, {name(match.players[entry.seat])}, {when}"
    seat = Seat(entry.seat)
    team = next(seats for seats in match.sides if seat in seats)
    who = side(match, team) if entry.kind is RecordKind.COMEBACK else name(match.players[seat])
    return f"{value(held)}, {who} against {opponents(match, seat)}, {when}"


def value(held: HeldRecord) -> str:
    """Format a record's value."""
    number = held.entry.value
    match held.entry.kind:
        case RecordKind.FASTEST_GIN | RecordKind.LONGEST_DEAL:
            return count(number, "turn")
        case RecordKind.LARGEST_DEAL:
            return count(number, "point")
        case RecordKind.COMEBACK:
            return f"{count(number, 'point')} behind"
        case RecordKind.STREAK:
            return f"{number} won in a row"


def option(held: HeldRecord) -> str:
    """Return a record's match as a menu option."""
    who = " vs ".join(", ".join(plain(held.match.players[seat]) for seat in seats) for seats in held.match.sides)
    deal = f", deal {held.entry.number}" if held.entry.number and held.match.rules.format != "partners" else ""
    return f"{value(held)}{deal}: {who}"
