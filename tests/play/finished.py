"""Save finished matches without playing them."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import VOID, Outcome, OutcomeKind
from bot.engine.rules import Rules
from bot.model.ids import ChannelId, GuildId, MatchId
from bot.model.matches import MatchKind, Terms
from bot.model.people import Person
from bot.model.statistics import Category, Player, SeatResult
from bot.play.standing.counting import count_finished
from bot.store import matches, people
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import GUILD, interaction


async def save_finished_match(
    database: Database,
    clock: Clock,
    winner: Person,
    loser: Person,
    points: int = 50,
    *,
    drawn: bool = False,
    category: Category = Category.POINTS,
    ruleset: str = "classic",
    kind: MatchKind = MatchKind.STANDARD,
    void: bool = True,
    channel_id: ChannelId | None = None,
    guild_id: GuildId = GUILD,
) -> None:
    """Save a match that ended now: the winner won two deals, one by gin, and the loser won one by an undercut.

    If `void` is true, the only stored deal is void, so the match is not rated.
    """
    terms = Terms(kind, guild_id, channel_id or ChannelId(interaction()), ruleset, Rules())
    results = [
        SeatResult(2, 1, points, 1, 0, won=None if drawn else True, drawn=drawn),
        SeatResult(1, 2, 10, 0, 1, won=None if drawn else False, drawn=drawn),
    ]
    async with database.write() as transaction:
        for person in (winner, loser):
            people.save_name(transaction, person, clock.now)
        match_id = await matches.create(
            transaction, terms, category, [Player(player.id, player.name) for player in (winner, loser)], clock.now
        )
        assert match_id is not None
        outcome = VOID if void else Outcome(OutcomeKind.GIN, winner=Seat(0), difference=points)
        await matches.add_deal(transaction, match_id, 1, outcome, 1, clock.now)
        await matches.finish(transaction, match_id, results, clock.now)
        await count_finished(transaction, guild_id, match_id, [1, 1] if drawn else [1, 2], clock.now)


async def save_finished_deal(database: Database, match_id: MatchId) -> None:
    """Add a finished deal to a match, so that the match's result counts."""
    async with database.write() as transaction:
        await matches.add_deal(transaction, match_id, 1, VOID, 1, datetime.now(UTC))
