"""Messages that the bot keeps up to date, as the courier gets them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.values.challenges import Challenge
from bot.values.fairness import Commitment
from bot.values.ids import ChannelId, GuildId, MessageId, OutboxId, PersonId
from bot.values.matches import LostSeat, MatchSummary, OwnHand, Ping, Reminder, Showdown, Table
from bot.values.seasons import SeasonResult


class MessageKind(StrEnum):
    """What a message shows. The messages of one match are sent in this order."""

    COMMITMENT = "commitment"
    CHALLENGE = "challenge"
    SHOWDOWN = "showdown"
    END = "end"
    TABLE = "table"
    HAND = "hand"
    PING = "push"
    REMINDER = "reminder"
    SEASON = "season"


class Topic(StrEnum):
    """What a message is about. Those about the same thing are sent one after the other."""

    CHAIN = "chain"
    CHALLENGE = "challenge"
    MATCH = "match"
    PERSON = "person"
    SEASON = "season"

    @staticmethod
    def of(kind: MessageKind) -> Topic:
        """Return what a message of a kind is about."""
        return _TOPICS.get(kind, Topic.MATCH)


_TOPICS: Final = {
    MessageKind.COMMITMENT: Topic.CHAIN,
    MessageKind.CHALLENGE: Topic.CHALLENGE,
    MessageKind.REMINDER: Topic.PERSON,
    MessageKind.SEASON: Topic.SEASON,
}

Subject = tuple[Topic, int]
"""What a message is about, and the id of that: of a season its server."""

Content = Table | OwnHand | LostSeat | Showdown | MatchSummary | Ping | Reminder | Challenge | Commitment | SeasonResult


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message is on Discord."""

    channel_id: ChannelId
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message to post, edit or remove, and where it is now.

    Without `content` the message is to be removed. A new post goes to `channel_id`; None means there is nowhere to post
    it. `revision` is the one that `content` shows. `posts` counts the posts so far. A `silent` post notifies nobody: it
    only replaces an older message, or shows a hand that is not to act. `may_be_there` is True if an earlier attempt may
    have succeeded without our knowing. One that `came_back` was deleted by somebody, and has nothing to tell that it
    had not told before. `guild_id` is 0 for practice and for reminders.
    """

    id: OutboxId
    kind: MessageKind
    guild_id: GuildId
    revision: int
    content: Content | None
    channel_id: ChannelId | None
    posted: Posted | None
    post: bool
    posts: int
    silent: bool
    came_back: bool
    may_be_there: bool
    attempts: int
    person_id: PersonId | None

    @property
    def nonce(self) -> str:
        """What Discord knows a post by: the same for every attempt at it."""
        return f"{self.id}.{self.posts}"


@dataclass(frozen=True, slots=True)
class StaleMessage:
    """A message that a newer post replaced, to be removed."""

    id: int
    posted: Posted
    attempts: int
