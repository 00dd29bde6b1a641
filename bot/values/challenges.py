"""Challenges: invitations to a match, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.opponent.levels import Level
from bot.values.clocks import NO_CLOCK, Clock
from bot.values.guilds import Place
from bot.values.ids import ChallengeId, ChannelId, GuildId, MatchId, PersonId
from bot.values.matches import MatchKind, Terms
from bot.values.statistics import Player

EXPIRES_AFTER: Final = timedelta(days=1)

PAIRINGS: Final = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The ways in which four players, in the order of joining, may be seated. The first and third seat are partners."""


class ChallengeStatus(StrEnum):
    """Where a challenge stands. A draft has not been sent."""

    DRAFT = "draft"
    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


CLOSED: Final = (ChallengeStatus.DECLINED, ChallengeStatus.WITHDRAWN, ChallengeStatus.EXPIRED)
"""Where challenges stand that have led to no match, and never will."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge: who has joined so far, and who the other places are kept for.

    `players` have joined, the challenger first and `computers` of these levels last; a place is kept for each of
    `named`, and a new post notifies those in `pinged`. `pairing` is the place in `PAIRINGS` of how four are seated.
    `ruleset` names the preset or house rule that `rules` come from. `exact_players` is how many are to play, if not as
    many as the rules allow. `committed` is True if the deals of its match will be verifiable, so that words count.
    """

    id: ChallengeId
    guild_id: GuildId
    channel_id: ChannelId
    ruleset: str
    rules: Rules
    pairing: int
    players: tuple[Player, ...]
    named: tuple[Player, ...]
    status: ChallengeStatus
    revision: int
    created_at: datetime
    expires_at: datetime
    match_id: MatchId | None
    pinged: tuple[PersonId, ...] = ()
    exact_players: int | None = None
    casual: bool = False
    computers: tuple[Level, ...] = ()
    clock: Clock = NO_CLOCK
    committed: bool = False

    @property
    def is_casual(self) -> bool:
        """True if the match does not count in the standings: the challenger wants that, or a computer plays."""
        return self.casual or bool(self.computers)

    @property
    def terms(self) -> Terms:
        """The terms that the players of the match agree on."""
        kind = MatchKind.CASUAL if self.is_casual else MatchKind.STANDARD
        return Terms(kind, self.guild_id, self.channel_id, self.ruleset, self.rules, self.clock)

    @property
    def place(self) -> Place:
        """The channel of the challenge and the match."""
        return Place(self.guild_id, self.channel_id)

    @property
    def challenger(self) -> Player:
        """The player who made the challenge."""
        return self.players[0]

    @property
    def joined_ids(self) -> set[PersonId | None]:
        """Who has joined, besides the challenger."""
        return {player.id for player in self.players[1:]}

    @property
    def named_ids(self) -> set[PersonId | None]:
        """Who a place is kept for."""
        return {player.id for player in self.named}

    @property
    def seats(self) -> range:
        """The numbers of players that the format and the challenger allow."""
        exact = self.exact_players
        return FORMATS[self.rules.format].seats if exact is None else range(exact, exact + 1)

    @property
    def seated(self) -> tuple[Player, ...]:
        """Who plays so far, in the order of their seats."""
        order = PAIRINGS[self.pairing]
        return tuple(self.players[place] for place in order) if len(self.players) == len(order) else self.players

    @property
    def teams(self) -> tuple[tuple[Player, ...], ...]:
        """The teams; none until everyone has joined, and in formats without teams."""
        seated = self.seated
        sides = self.sides if len(seated) in self.seats else ()
        return tuple(tuple(seated[seat] for seat in side) for side in sides if len(side) > 1)

    @property
    def has_teams(self) -> bool:
        """Whether the format is one for teams."""
        seats = self.seats[-1]
        return len(FORMATS[self.rules.format].sides(seats)) < seats

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that score together, once as many have joined as the format needs."""
        return FORMATS[self.rules.format].sides(len(self.players))

    @property
    def opponent(self) -> Player | None:
        """The opponent in a match of two; None while it is open to anyone, and in lobbies."""
        others = (*self.players[1:], *self.named)
        return None if self.is_lobby or not others else others[0]

    @property
    def is_lobby(self) -> bool:
        """Whether more than two may play. The challenger then starts the match."""
        return self.seats[-1] > 2

    @property
    def free(self) -> int:
        """The number of places open to anyone."""
        return self.seats[-1] - len(self.players) - len(self.named)

    @property
    def can_start(self) -> bool:
        """Whether a lobby has as many players as the format needs."""
        return self.is_lobby and len(self.players) in self.seats

    @property
    def awaits_start(self) -> bool:
        """Whether a lobby can start, and nobody named is still to join: a new post then notifies the challenger."""
        return self.can_start and not self.named
