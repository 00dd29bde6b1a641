"""Past matches and their records as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.history import PastMatch
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo, MatchKind
from bot.model.statistics import Category, Player
from bot.play.matches.match_records import SharedRecord
from cardart.text.phrases import deal_points, short_date
from cogs.words.names import joined, name, opponents, plain, versus

NOTHING: Final = "You haven't finished a match {here}. Start one with `/gin play`."
NOTHING_VISIBLE: Final = "There are no matches in channels that you can see."
NO_MORE: Final = "There are no more matches."


def title(player: Player, *, own: bool, everywhere: bool) -> str:
    """Return the title of a list of matches."""
    if own:
        return "Your matches everywhere" if everywhere else "Your matches on this server"
    return f"Matches of {name(player)} on this server"


def line(past: PastMatch, person_id: PersonId, where: str) -> str:
    """Return a person's result in a match, with its date and channel, and whether it does not count."""
    match = past.match
    seat = _seat(match, person_id)
    assert match.ended_at is not None
    mark = " · casual" if match.kind is MatchKind.CASUAL else ""
    if match.kind is MatchKind.STANDARD and not past.has_deals:
        mark = " · doesn't count"
    facts = f"{_points(past, seat)} · {short_date(match.ended_at.date())} · {where}{mark}"
    return f"**{_result(past, seat).capitalize()}** against {opponents(match, seat)}\n-# {facts}"


def option(past: PastMatch, person_id: PersonId) -> str:
    """Return a match as a menu option, with the same facts as `line`."""
    match = past.match
    seat = _seat(match, person_id)
    assert match.ended_at is not None
    others = joined([plain(match.players[other]) for side in match.sides if seat not in side for other in side])
    return f"{short_date(match.ended_at.date())}: {_result(past, seat)}, {_points(past, seat)}, {others}"


def _seat(match: MatchInfo, person_id: PersonId) -> Seat:
    """Return a person's seat in a match, including a seat that a computer took over later."""
    seat = match.seat_of(person_id)
    seat = match.former_seat_of(person_id) if seat is None else seat
    assert seat is not None
    return seat


def _result(past: PastMatch, seat: Seat) -> str:
    result = past.results[seat]
    if result.won is None:
        return "drawn" if result.drawn else "no result"
    return "won" if result.won else "lost"


def _points(past: PastMatch, seat: Seat) -> str:
    """Format each side's points from deals, the person's own side first."""
    sides = sorted(past.match.sides, key=lambda side: seat not in side)
    points = [sum(past.results[seat].points for seat in side) for side in sides]
    return deal_points(points, Category.of(past.match.rules))


def ended(match: MatchInfo, where: str) -> str | None:
    """Return a small line with a match's dates and channel; None for a running match."""
    if match.ended_at is None:
        return None
    first, last = short_date(match.started_at.date()), short_date(match.ended_at.date())
    return f"-# {last if first == last else f'{first} to {last}'} · {where}"


def record(shared: SharedRecord) -> str:
    """Describe a match's record file. If the record ends early to keep cards hidden, say so."""
    description = f"The record of {versus(shared.match)}: the rules, every deck and every move, as text."
    if shared.ends_before_deal is not None:
        return f"{description} It stops before deal {shared.ends_before_deal}, because that deal's cards stay hidden."
    return description


def record_names(players: Sequence[Player]) -> tuple[str, ...]:
    """Return the players' names for a record."""
    return tuple(map(plain, players))
