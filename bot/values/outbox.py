"""Messages that the bot keeps up to date, as passed to the courier."""

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
    """The content of a message. The messages of one match are sent in this order."""

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
    """The kind of subject that a message is about. Messages about the same subject are sent one at a time."""

    CHAIN = "chain"
    CHALLENGE = "challenge"
    MATCH = "match"
    PERSON = "person"
    SEASON = "season"

    @staticmethod
    def of(kind: MessageKind) -> Topic:
        """Return the topic of a kind of message."""
        return _TOPICS.get(kind, Topic.MATCH)


_TOPICS: Final = {
    MessageKind.COMMITMENT: Topic.CHAIN,
    MessageKind.CHALLENGE: Topic.CHALLENGE,
    MessageKind.REMINDER: Topic.PERSON,
    MessageKind.SEASON: Topic.SEASON,
}

Subject = tuple[Topic, int]
"""The topic of a message, and the id of its subject; for a season, the id of its server."""

Content = Table | OwnHand | LostSeat | Showdown | MatchSummary | Ping | Reminder | Challenge | Commitment | SeasonResult


@dataclass(frozen=True, slots=True)
class Posted:
    """The location of a message on Discord."""

    channel_id: ChannelId
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message to post, edit or delete, and its current location.

    Delete the message if `content` is None. A new post goes to `channel_id`; None means that there is no place for it.
    `revision` is the one that `content` shows. `posts` is the number of posts so far. A `silent` post notifies nobody:
    it only replaces an older message, or shows a hand to a player whose turn it is not. `may_be_there` is True if an
    earlier attempt may have succeeded without confirmation. `came_back` is True if the message was deleted by a person
    and has no news. `guild_id` is 0 for practice and reminders.
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
        """The nonce of a post on Discord, the same for every attempt."""
        return f"{self.id}.{self.posts}"


@dataclass(frozen=True, slots=True)
class StaleMessage:
    """A message that a newer post replaced; it must be deleted."""

    id: int
    posted: Posted
    attempts: int
