"""Challenges: invitations to a match, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.engine.rules import Rules
from bot.values.ids import ChallengeId, ChannelId, GuildId, MatchId
from bot.values.statistics import Player


class ChallengeStatus(StrEnum):
    """Where a challenge stands. A draft has not been sent."""

    DRAFT = "draft"
    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge: who has joined so far, and who the other places are kept for.

    `seats` are the numbers of players that the format allows. `players` have joined, the challenger first; a place is
    kept for each of `named`. `teams` is empty until everyone has joined, and in formats without teams. `ruleset` names
    the preset or house rule that `rules` come from.
    """

    id: ChallengeId
    guild_id: GuildId
    channel_id: ChannelId
    ruleset: str
    rules: Rules
    seats: range
    players: tuple[Player, ...]
    named: tuple[Player, ...]
    teams: tuple[tuple[Player, ...], ...]
    status: ChallengeStatus
    revision: int
    expires_at: datetime
    match_id: MatchId | None

    @property
    def challenger(self) -> Player:
        """The player who made the challenge."""
        return self.players[0]

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
