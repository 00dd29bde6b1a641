"""Random matches of every format, written by the regular service, but in two transactions each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Final

from bot.engine.match import Action, Play, apply
from bot.engine.moves import RESIGN, TIME, Seat
from bot.engine.rules import Rules
from bot.play.loading.unit_of_work import Units
from bot.play.matches.match_writer import MatchWriter
from bot.store import people
from bot.store.database import Database
from bot.values.ids import ChannelId, GuildId, MatchId
from bot.values.matches import MatchInfo, MatchKind, Terms
from bot.values.people import Person
from bot.values.statistics import Player
from tests.engine.decks import random_action
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import GUILD

FORMATS: Final = (
    ("classic target=10", 2),
    ("low target=10", 2),
    ("hollywood target=10", 2),
    ("classic target=none deals=2", 2),
    ("penalty target=10", 2),
    ("rotation target=10", 3),
    ("winner_stays target=10", 3),
    ("partners target=10", 4),
    ("penalty target=10", 3),
    ("penalty target=30", 4),
)
"""Short matches of each format, with the number of players."""


@dataclass
class RandomMatches:
    """Plays seeded random matches among people."""

    database: Database
    clock: Callable[[], datetime]
    people: Sequence[Person]
    random: Random
    resigns: float = 0.005
    """The probability at each action that a seat resigns or loses on time instead."""
    played: list[MatchId] = field(default_factory=list[MatchId])

    async def meet(self) -> None:
        """Save everyone's names."""
        async with self.database.write() as transaction:
            for person in self.people:
                await people.save_name(transaction, person, self.clock())

    async def play(
        self,
        rules: str | None = None,
        seats: int = 2,
        *,
        kind: MatchKind = MatchKind.STANDARD,
        guild_id: GuildId = GUILD,
        winner: Callable[[Sequence[Person]], Seat] | None = None,
    ) -> MatchInfo:
        """Play a match to its end, in a random format by default.

        With a `winner`, the other of two players resigns as soon as a deal has ended (only then is the match rated).
        """
        random = self.random
        if rules is None:
            rules, seats = random.choice(FORMATS)
        chosen = random.sample(list(self.people), seats)
        agreed = Rules.parse(rules)
        units, writer = Units(self.database, self.clock), MatchWriter(SeededShuffler(random.random(), melds=3))
        channel_id = ChannelId(10_000 + len(self.played))
        async with units.write() as unit:
            terms = Terms(kind, guild_id, channel_id, rules.split()[0], agreed)
            loaded = await writer.start(unit, terms, [Player(one.id, one.name) for one in chosen])
        match, actions = loaded.state, list[Action]()
        while not match.score.over:
            action = random_action(match, random)
            if winner is not None and match.finished:
                action = Play(Seat(1 - winner(chosen)), RESIGN)
            elif random.random() < self.resigns:
                action = Play(Seat(random.randrange(seats)), RESIGN)
                if match.to_act and random.random() < 0.5:
                    action = Play(random.choice(match.to_act), TIME)
            match = apply(match, action)
            actions.append(action)
        async with units.write() as unit:
            loaded = await writer.advance(unit, loaded, actions)
        self.played.append(loaded.info.id)
        return loaded.info
