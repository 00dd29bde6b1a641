"""Messages that the bot keeps up to date, as passed to the courier."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.model.challenges import Challenge
from bot.model.daily_posts import DailyPost, DailySummary
from bot.model.daily_reminders import DailyReminder
from bot.model.fairness import Commitment
from bot.model.ids import ChannelId, GuildId, MessageId, OutboxId, PersonId
from bot.model.matches import Card, LostSeat, MatchSummary, OwnHand, Ping, RematchOffer, Reminder, Showdown, Table
from bot.model.seasons import SeasonResult


class MessageKind(StrEnum):
    """The kind of content that a message has. The messages of one match are sent in this order."""

    COMMITMENT = "commitment"
    CHALLENGE = "challenge"
    CARD = "card"
    SHOWDOWN = "showdown"
    END = "end"
    REMATCH = "rematch"
    TABLE = "table"
    HAND = "hand"
    PING = "push"
    REMINDER = "reminder"
    DAILY_REMINDER = "daily_reminder"
    SEASON = "season"
    DAILY = "daily"


REMINDER_KINDS: Final = (MessageKind.REMINDER, MessageKind.DAILY_REMINDER)
"""The kinds of reminders, which are sent as direct messages. Their subject is a person."""


class Topic(StrEnum):
    """The kind of subject that a message is about. Messages about the same subject are sent one at a time."""

    CHAIN = "chain"
    CHALLENGE = "challenge"
    MATCH = "match"
    PERSON = "person"
    SEASON = "season"
    DAILY = "daily"

    @staticmethod
    def of(kind: MessageKind) -> Topic:
        """Return the topic of a kind of message."""
        return _TOPICS.get(kind, Topic.MATCH)


_TOPICS: Final = {
    MessageKind.COMMITMENT: Topic.CHAIN,
    MessageKind.CHALLENGE: Topic.CHALLENGE,
    MessageKind.REMINDER: Topic.PERSON,
    MessageKind.DAILY_REMINDER: Topic.PERSON,
    MessageKind.SEASON: Topic.SEASON,
    MessageKind.DAILY: Topic.DAILY,
}

Subject = tuple[Topic, int]
"""A topic, and the id of the match, challenge, person or hash chain that a message is about.

For a season and a deal of the day, this is the server's id.
"""

Content = (
    Table
    | Card
    | OwnHand
    | LostSeat
    | Showdown
    | MatchSummary
    | RematchOffer
    | Ping
    | Reminder
    | DailyReminder
    | Challenge
    | Commitment
    | SeasonResult
    | DailyPost
    | DailySummary
)


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """The location of a message on Discord."""

    channel_id: ChannelId
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message to post, edit or delete, and its current location.

    Delete the message if `content` is None. A new post goes to `channel_id`; None means that it cannot be posted
    anywhere. `revision` is the revision that `content` shows. `post_count` is the number of posts so far. A post that
    `is_silent` notifies nobody: it only replaces an older message, or shows a hand to a player whose turn it is not.
    `may_be_posted` is True if an earlier attempt may have succeeded without confirmation. `was_deleted` is True if the
    message is posted again only because a person deleted it, or because Discord allows no further edits of it, and not
    because it has news for its readers. `guild_id` is 0 for practice and reminders. `subject_id` and `part` are those
    of `tables.outbox_message`.
    """

    id: OutboxId
    kind: MessageKind
    subject_id: int
    part: int
    guild_id: GuildId
    revision: int
    content: Content | None
    channel_id: ChannelId | None
    posted: PostedMessage | None
    needs_post: bool
    post_count: int
    is_silent: bool
    was_deleted: bool
    may_be_posted: bool
    attempts: int
    person_id: PersonId | None

    @property
    def subject(self) -> Subject:
        """The match, challenge, person, hash chain, season or server that the message is about."""
        return Topic.of(self.kind), self.subject_id

    @property
    def nonce(self) -> str:
        """The nonce of a post on Discord, the same for every attempt."""
        return f"{self.id}.{self.post_count}"


@dataclass(frozen=True, slots=True)
class StaleMessage:
    """A message that a newer post replaced; it must be deleted."""

    id: int
    posted: PostedMessage
    attempts: int
