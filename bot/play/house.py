"""The services, built together on one database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bot.play.boards import Boards
from bot.play.challenges import Challenges
from bot.play.chance import Chance, Secret
from bot.play.dealer import Dealer
from bot.play.drafts import Drafts
from bot.play.endings import Endings
from bot.play.guilds import Guilds
from bot.play.lobbies import Lobbies
from bot.play.lookup import Lookup
from bot.play.memory import Memory
from bot.play.outbox import Outbox
from bot.play.people import People
from bot.play.profiles import Profiles
from bot.play.replays import Replays
from bot.play.rulebook import Rulebook
from bot.play.tables import Tables
from bot.play.turns import Turns
from bot.store.database import Database


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class House:
    """All that can happen and all that may be asked: one service for each story."""

    def __init__(
        self, database: Database, *, chance: Chance | None = None, clock: Callable[[], datetime] = now
    ) -> None:
        boards = Boards()
        self.clock = clock
        self.outbox = Outbox(database, boards, clock)
        dealer = Dealer(database, boards, self.outbox, chance or Secret(), clock)
        self.lookup = Lookup(database, boards, clock)
        self.replays = Replays(database, boards)
        self.turns = Turns(dealer)
        self.tables = Tables(dealer)
        self.endings = Endings(dealer)
        self.challenges = Challenges(database, dealer, self.outbox, clock)
        self.lobbies = Lobbies(dealer, self.outbox, clock)
        self.drafts = Drafts(database, self.outbox, clock)
        self.rulebook = Rulebook(database)
        self.people = People(database, boards, dealer, self.outbox, clock)
        self.guilds = Guilds(database, self.outbox, clock)
        self.profiles = Profiles(database, clock)
        self.memory = Memory(database)
