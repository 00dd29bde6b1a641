"""Matches, invitations and messages that the words are tried on."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from discord import ui

from bot.engine.actions import Awaiting, Cut, Shuffle
from bot.engine.cards import DECK, Card
from bot.engine.formats import FORMATS
from bot.engine.match import Match, apply, new_match
from bot.engine.moves import Seat
from bot.engine.record import Record
from bot.engine.rules import Rules
from bot.engine.views import Phase, public_view, seat_view, showdown_view
from bot.values.appearance import Appearance
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.matches import MatchInfo, MatchStatus, MatchSummary, OwnHand, Proposal, Showdown, Table
from bot.values.statistics import Player
from cogs.kit.answers import Message
from cogs.kit.components import Button, Menu
from tests.engine.decks import random_actions
from tests.helpers.shufflers import NORTH_ACTS_FIRST

NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
LONGEST: Final = "*_~`|" * 6 + "xy"
"""A name as long as names may be, of signs that all must be escaped."""

PEOPLE: Final = ("North", "South", "East", "West")
MOST: Final = 4000
"""Discord's limit for all the text of a message."""

RECORDS: Final = Path(__file__).parents[2] / "records"


def players(*names: str | None) -> tuple[Player, ...]:
    """Players of these names; without a name, those who asked to be forgotten."""
    return tuple(Player(None if name is None else 10**18 + seat, name) for seat, name in enumerate(names))


def card_of(
    *names: str | None,
    rules: Rules | str = "classic",
    status: MatchStatus = MatchStatus.RUNNING,
    proposals: tuple[Proposal | None, ...] = (),
) -> MatchInfo:
    """A match between people of these names, with numbers as long as they get."""
    agreed = Rules.parse(rules) if isinstance(rules, str) else rules
    return MatchInfo(
        id=10**6,
        guild_id=10**18,
        channel_id=10**18,
        channel_deleted=False,
        status=status,
        version=10**4,
        revision=10**4,
        system=agreed.preset,
        rules=agreed,
        players=players(*names),
        proposals=proposals or (None,) * len(names),
        started_at=NOW,
        moved_at=NOW,
        ended_at=None,
        look=Appearance(),
    )


def card_for(match: Match, status: MatchStatus = MatchStatus.RUNNING) -> MatchInfo:
    """The card of a match between the people of the sandbox."""
    return card_of(*PEOPLE[: match.seats], rules=match.rules, status=status)


def invited(
    *names: str,
    named: tuple[str, ...] = (),
    rules: str = "classic",
    status: ChallengeStatus = ChallengeStatus.PENDING,
) -> Challenge:
    """An invitation that these people have joined, the challenger first, with places kept for others by name."""
    agreed, everyone = Rules.parse(rules), players(*names, *named)
    seats = FORMATS[agreed.format].seats
    sides = FORMATS[agreed.format].sides(len(names)) if len(names) in seats else ()
    return Challenge(
        id=10**6,
        guild_id=1,
        channel_id=1,
        system=agreed.preset,
        rules=agreed,
        seats=seats,
        players=everyone[: len(names)],
        named=everyone[len(names) :],
        teams=tuple(tuple(everyone[seat] for seat in side) for side in sides if len(side) > 1),
        status=status,
        revision=1,
        expires_at=NOW,
        match_id=None,
    )


@lru_cache
def recorded(name: str) -> Match:
    """The match of a golden record."""
    return Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8")).replay()


@lru_cache
def until(name: str, phase: Phase, board: int = 1) -> Match:
    """The match of a record, up to where a board is first in a phase."""
    record = Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, record.seats)
    for action in record.actions:
        match = apply(match, action)
        dealt = any(deal.board == board for deal in (*match.finished, *match.playing))
        if dealt and public_view(match, board).phase is phase:
            return match
    raise AssertionError(f"{name} is never so")


def begun(rules: str, seats: int = 2, deck: tuple[Card, ...] = DECK) -> Match:
    """A match whose first deals have just been dealt, from the same deck on each board; of two seat 0 acts first."""
    match = new_match(Rules.parse(rules), seats)
    if match.awaits is Awaiting.CUT:
        match = apply(match, Cut(NORTH_ACTS_FIRST[:seats]))
    for due in match.due:
        says_seats = due.seats if match.format.says_seats else None
        match = apply(match, Shuffle(due.number, due.dealer, deck, says_seats, due.board))
    return match


@lru_cache
def long_match(deals: int, rules: str = "classic", seats: int = 2) -> Match:
    """A match of so many deals, to a target that is far away."""
    steps = islice(random_actions(7, Rules.parse(f"{rules} target=10000"), seats=seats), 30_000)
    return next(after for _, _, after in steps if len(after.finished) >= deals and after.playing)


def table_of(match: Match, board: int = 1) -> Table:
    """A board of a match as everyone sees it."""
    return Table(card_for(match), public_view(match, board), NOW)


def hand_of(match: Match, seat: int, status: MatchStatus = MatchStatus.RUNNING) -> OwnHand:
    """A match as one seat sees it."""
    return OwnHand(
        card_for(match, status), seat_view(match, Seat(seat)), NOW, may_claim=False, last=None, look=Appearance()
    )


def showdowns_of(match: Match) -> tuple[Showdown, ...]:
    """The deals of a match that are over."""
    card = card_for(match)
    return tuple(Showdown(card, showdown_view(match, deal.number, deal.board)) for deal in match.finished)


def end_of(match: Match, match: MatchInfo | None = None) -> MatchSummary:
    """A match with its deals."""
    shown = match or card_for(match, MatchStatus.FINISHED)
    return MatchSummary(shown, public_view(match), tuple(post.view for post in showdowns_of(match)))


def length(message: Message) -> int:
    """How long all the text of a message is."""
    return message.layout.content_length()


def buttons(message: Message) -> list[str]:
    """What the buttons of a message say."""
    return [str(item.item.label) for item in message.layout.walk_children() if isinstance(item, Button)]


def menus(message: Message) -> list[ui.Select[Any]]:
    """The menus of a message."""
    shown = message.layout.walk_children()
    return [item.item for item in shown if isinstance(item, Menu) and isinstance(item.item, ui.Select)]


def words(message: Message) -> str:
    """All the text of a message, as it is sent."""
    shown = message.layout.walk_children()
    return "\n".join(item.content for item in shown if isinstance(item, ui.TextDisplay))
