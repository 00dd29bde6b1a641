"""Random finished matches of every format. Each is saved by the usual service, but in only two transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Final

from bot.engine.deals.moves import LOSE_ON_TIME, RESIGN, Seat
from bot.engine.matches.match import Action, Play, apply
from bot.engine.rules import Rules
from bot.model.ids import ChannelId, GuildId, MatchId
from bot.model.matches import MatchInfo, MatchKind, Terms
from bot.model.people import Person
from bot.model.statistics import Player
from bot.play.loading.unit_of_work import Units
from bot.play.matches.match_writer import MatchWriter
from bot.store import people
from bot.store.database import Database
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
"""Rules and numbers of players for short matches in every format."""


@dataclass
class RandomMatches:
    """Saves random matches between people."""

    database: Database
    clock: Callable[[], datetime]
    people: Sequence[Person]
    random: Random
    resigns: float = 0.005
    """The probability, for each action, that a seat instead resigns or loses on time."""
    played: list[MatchId] = field(default_factory=list[MatchId])

    async def save_names(self) -> None:
        """Save the names of all people, before their first match."""
        async with self.database.write() as transaction:
            for person in self.people:
                people.save_name(transaction, person, self.clock())

    async def play(
        self,
        rules: str | None = None,
        seats: int = 2,
        *,
        kind: MatchKind = MatchKind.STANDARD,
        guild_id: GuildId = GUILD,
        winner: Callable[[Sequence[Person]], Seat] | None = None,
    ) -> MatchInfo:
        """Play a match to its end, by default with random rules from `FORMATS`.

        `winner` returns the seat that must win a match of two. The other seat resigns, but only after the first deal:
        a match without a finished deal would not be rated.
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
            loaded = await writer.start(unit, terms, [Player(person.id, person.name) for person in chosen])
        match, actions = loaded.state, list[Action]()
        while not match.score.is_over:
            action = random_action(match, random)
            if winner is not None and match.finished:
                action = Play(Seat(1 - winner(chosen)), RESIGN)
            elif random.random() < self.resigns:
                action = Play(Seat(random.randrange(seats)), RESIGN)
                if match.to_act and random.random() < 0.5:
                    action = Play(random.choice(match.to_act), LOSE_ON_TIME)
            match = apply(match, action)
            actions.append(action)
        async with units.write() as unit:
            loaded = await writer.advance(unit, loaded, actions)
        self.played.append(loaded.info.id)
        return loaded.info
