"""People who play through the services: what the tests of `bot.play` and of the cogs begin with."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final

from bot.engine.moves import Move, Verb
from bot.engine.views import SeatView
from bot.play.application import Application
from bot.values.matches import MatchInfo, OwnHand, Shortcut

Person = tuple[int, str]

NORTH: Final = (2**62 + 1, "North")
SOUTH: Final = (2**62 + 2, "South")
EAST: Final = (2**62 + 3, "East")
WEST: Final = (2**62 + 4, "West")
GUILD: Final = 2**62 + 11
CHANNEL: Final = 2**62 + 21
ELSEWHERE: Final = 2**62 + 22

_interactions = count(2**61)


def interaction() -> int:
    """The id of an interaction that nobody had before."""
    return next(_interactions)


def dm_of(person: Person) -> int:
    """The direct message channel of a person."""
    return person[0] + 1000


@dataclass
class Players:
    """Makes matches and moves in them, as the commands would."""

    app: Application
    people: tuple[Person, ...] = field(default=(NORTH, SOUTH))

    async def reach(self, *people: Person) -> None:
        """Open direct messages to people."""
        for person in people:
            await self.app.people.dm_opened(person, dm_of(person))

    async def begin(self, rules: str = "classic", channel_id: int = CHANNEL, guild_id: int = GUILD) -> MatchInfo:
        """Have the first challenge the others, who accept."""
        first, *others = self.people
        challenges = self.app.challenges
        named = [person[0] for person in others]
        invitation = await challenges.issue(first, named, guild_id, channel_id, interaction(), rules=rules)
        for person in others:
            _, card = await challenges.accept(person, invitation.id)
            if card is not None:
                return card
        _, card = await self.app.lobbies.start(first[0], invitation.id)
        return card

    async def move(self, match_id: int, *moves: str) -> OwnHand:
        """Make moves in notation (or `gin`, `all`), each by whoever is to act; gives the last mover's hand after it."""
        return await self.move_on(1, match_id, *moves)

    async def move_on(self, board: int, match_id: int, *moves: str) -> OwnHand:
        """The same on one of several boards."""
        asked = {"gin": Shortcut.GIN, "all": Shortcut.LAY_OFF_ALL}
        hand: OwnHand | None = None
        for text in moves:
            move = asked.get(text) or Move.parse(text)
            mover = await self.to_act(match_id, board)
            hand = await self.app.turns.move(mover[0], match_id, move, interaction())
        assert hand is not None
        return hand

    async def to_act(self, match_id: int, board: int = 1) -> Person:
        """Whose turn it is."""
        turn = (await self.app.lookup.table(match_id, board)).view.turn
        assert turn is not None
        return self.people[turn]

    async def win(self, match_id: int) -> OwnHand:
        """Go gin with a deck that allows it at once."""
        return await self.move(match_id, "take", "gin")


def sensible(view: SeatView, random: Random) -> Move:
    """What a player does who knows only their own hand: knocks often, else throws one of the three that leave least."""
    knocks = [move for move in view.moves if move.verb in (Verb.KNOCK, Verb.BIG_GIN)]
    if knocks and random.random() < 0.7:
        return random.choice(knocks)
    leaves = {choice.card: choice.leaves for choice in view.discard_choices}
    discards = [move for move in view.moves if move.verb is Verb.DISCARD and move.card is not None]
    best = sorted(discards, key=lambda move: leaves[move.card] if move.card else 0)[:3]
    return random.choice(best or list(view.moves))
