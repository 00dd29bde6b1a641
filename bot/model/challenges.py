"""Challenges: invitations to a match, and their status."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.matches.formats import FORMATS
from bot.engine.rules import Rules
from bot.model.clocks import NO_CLOCK, Clock
from bot.model.guilds import Place
from bot.model.ids import ChallengeId, ChannelId, GuildId, MatchId, PersonId
from bot.model.matches import MatchKind, Terms
from bot.model.statistics import Player
from bot.opponent.play.levels import Level

CHALLENGE_LIFETIME: Final = timedelta(days=1)

PAIRINGS: Final = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The possible seatings of four players, each as indices into the order of joining. Seats 0 and 2 are partners."""


class ChallengeStatus(StrEnum):
    """The status of a challenge. A draft has not been sent yet."""

    DRAFT = "draft"
    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


CLOSED_STATUSES: Final = (ChallengeStatus.DECLINED, ChallengeStatus.WITHDRAWN, ChallengeStatus.EXPIRED)
"""Statuses of challenges that ended without a match."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge: the players who have joined, and the players for whom a place is reserved.

    `players` have joined, the challenger first; computers come last, and `computers` has their levels. A place is
    reserved for each of `named`, and a new post pings the people in `pinged`. `pairing` is an index into `PAIRINGS`.
    `ruleset` names the preset or house rule that `rules` come from. `exact_players` is the number of players, or None
    for any number that the rules allow. `committed` is True if the deals of its match will be verifiable, so that
    players can give words for the shuffle.
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
        """True if the match will not count in the standings, by the challenger's choice or because a computer plays."""
        return self.casual or bool(self.computers)

    @property
    def terms(self) -> Terms:
        """The terms that the players of the match agree to."""
        kind = MatchKind.CASUAL if self.is_casual else MatchKind.STANDARD
        return Terms(kind, self.guild_id, self.channel_id, self.ruleset, self.rules, self.clock)

    @property
    def place(self) -> Place:
        """The channel of the challenge and the match."""
        return Place(self.guild_id, self.channel_id)

    @property
    def challenger(self) -> Player:
        return self.players[0]

    @property
    def joined_ids(self) -> set[PersonId | None]:
        """Ids of the players who have joined, except the challenger."""
        return {player.id for player in self.players[1:]}

    @property
    def named_ids(self) -> set[PersonId | None]:
        """Ids of the players for whom a place is reserved."""
        return {player.id for player in self.named}

    @property
    def seats(self) -> range:
        """The numbers of players that the format and the challenger allow."""
        exact = self.exact_players
        return FORMATS[self.rules.format].seats if exact is None else range(exact, exact + 1)

    @property
    def seated_players(self) -> tuple[Player, ...]:
        """The players so far, in the order of their seats."""
        order = PAIRINGS[self.pairing]
        return tuple(self.players[index] for index in order) if len(self.players) == len(order) else self.players

    @property
    def teams(self) -> tuple[tuple[Player, ...], ...]:
        """The teams; empty until everyone has joined, and in formats without teams."""
        seated = self.seated_players
        sides = self.sides if len(seated) in self.seats else ()
        return tuple(tuple(seated[seat] for seat in side) for side in sides if len(side) > 1)

    @property
    def has_teams(self) -> bool:
        """True if the format has teams."""
        seats = self.seats[-1]
        return len(FORMATS[self.rules.format].sides(seats)) < seats

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that score together. This is only valid once enough players have joined."""
        return FORMATS[self.rules.format].sides(len(self.players))

    @property
    def opponent(self) -> Player | None:
        """The opponent in a match of two; None in lobbies, and while the challenge is open to anyone."""
        others = (*self.players[1:], *self.named)
        return None if self.is_lobby or not others else others[0]

    @property
    def is_lobby(self) -> bool:
        """True if more than two may play. The challenger then starts the match."""
        return self.seats[-1] > 2

    @property
    def open_places(self) -> int:
        """The number of places open to anyone."""
        return self.seats[-1] - len(self.players) - len(self.named)

    @property
    def can_start(self) -> bool:
        """True if a lobby has enough players."""
        return self.is_lobby and len(self.players) in self.seats

    @property
    def awaits_start(self) -> bool:
        """True if a lobby can start and no named player is missing. A new post then pings the challenger."""
        return self.can_start and not self.named
