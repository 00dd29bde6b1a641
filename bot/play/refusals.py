"""Reasons why something cannot be done: one class each, with what a kind answer needs. The texts are in `cogs`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.engine.cards import Card
from bot.values.challenges import Challenge
from bot.values.ids import ChannelId, PersonId
from bot.values.matches import MatchInfo, OwnHand


class Refusal(Exception):  # noqa: N818 - it is an answer to a person, not a fault
    """The base of all reasons. Its text is its name alone: it may carry a hand, and errors reach the log."""

    def __str__(self) -> str:
        return type(self).__name__

    __repr__ = __str__
    # The reasons below are dataclasses without a `__repr__` of their own, which would print what they carry.


@dataclass(repr=False, eq=False)
class NoMatch(Refusal):
    """No match fits the request. `here` says whether it was about a channel."""

    here: bool


@dataclass(repr=False, eq=False)
class WhichMatch(Refusal):
    """The person plays several matches and must say which one they mean."""

    matches: tuple[MatchInfo, ...]


@dataclass(repr=False, eq=False)
class NotSeated(Refusal):
    """The person does not play in this match."""

    match: MatchInfo


@dataclass(repr=False, eq=False)
class NotYourTurn(Refusal):
    """It is another seat's turn."""

    hand: OwnHand


@dataclass(repr=False, eq=False)
class Stale(Refusal):
    """The request was about an earlier state of the match."""

    hand: OwnHand


@dataclass(repr=False, eq=False)
class Illegal(Refusal):
    """The rules do not allow the move.

    `code` is the engine's, or `no-gin` if gin is not possible, or `no-lay-off` if there is no knock to answer.
    """

    hand: OwnHand
    code: str
    card: Card | None


@dataclass(repr=False, eq=False)
class MatchOver(Refusal):
    """The match is over."""

    match: MatchInfo


@dataclass(repr=False, eq=False)
class MatchRunning(Refusal):
    """The match is still running."""

    match: MatchInfo


class NoReplayReason(StrEnum):
    """The reason why a deal cannot be replayed."""

    NONE_OVER = "none_over"
    """No deal of the match has come to a showdown yet."""
    IN_PLAY = "in_play"
    BROKEN_OFF = "broken_off"
    VOID = "void"
    UNKNOWN = "unknown"


@dataclass(repr=False, eq=False)
class NoReplay(Refusal):
    """A deal cannot be replayed."""

    match: MatchInfo
    reason: NoReplayReason


@dataclass(repr=False, eq=False)
class RematchBegun(Refusal):
    """All players have already agreed to a rematch."""

    match: MatchInfo


@dataclass(repr=False, eq=False)
class TooSoon(Refusal):
    """The match can be claimed from `at` on, not yet."""

    match: MatchInfo
    at: datetime


@dataclass(repr=False, eq=False)
class Frozen(Refusal):
    """The match's server removed the bot, so the match is paused until the bot is invited again."""

    match: MatchInfo


@dataclass(repr=False, eq=False)
class ChannelBusy(Refusal):
    """Another match runs in the channel."""

    match: MatchInfo


@dataclass(repr=False, eq=False)
class WrongChannel(Refusal):
    """The server's managers chose other channels to play in."""

    channels: tuple[ChannelId, ...]


@dataclass(repr=False, eq=False)
class NotWithYourself(Refusal):
    """People cannot challenge themselves."""


@dataclass(repr=False, eq=False)
class TooManyChallenges(Refusal):
    """The person has as many pending challenges as allowed."""

    pending: tuple[Challenge, ...]


@dataclass(repr=False, eq=False)
class NotWelcome(Refusal):
    """Someone who was named takes no challenges from this person."""

    opponent_id: PersonId


@dataclass(repr=False, eq=False)
class NoChallenge(Refusal):
    """No challenge fits the request."""


@dataclass(repr=False, eq=False)
class ChallengeClosed(Refusal):
    """The challenge is already closed, or, for a draft, already sent."""

    challenge: Challenge


@dataclass(repr=False, eq=False)
class NotForYou(Refusal):
    """The challenge is for someone else to answer, or only for its challenger to change."""

    challenge: Challenge


@dataclass(repr=False, eq=False)
class NoPlaceLeft(Refusal):
    """The challenge has no free place for this person, or not enough for all who were named."""

    challenge: Challenge


@dataclass(repr=False, eq=False)
class TooManyNamed(Refusal):
    """More people were named than the rules have places for: at most `most` besides the challenger."""

    most: int


@dataclass(repr=False, eq=False)
class AlreadyIn(Refusal):
    """The person has already joined."""

    challenge: Challenge


@dataclass(repr=False, eq=False)
class NotEnoughPlayers(Refusal):
    """Not enough players have joined for the challenge's format, or it has no teams to change."""

    challenge: Challenge


@dataclass(repr=False, eq=False)
class UnknownRules(Refusal):
    """The rules cannot be played. `offered` are the known names if theirs is not one of them."""

    reason: str
    offered: tuple[str, ...] = ()


@dataclass(repr=False, eq=False)
class NotOffered(Refusal):
    """The server does not offer these rules; `offered` are the names of those it does."""

    name: str
    offered: tuple[str, ...]


@dataclass(repr=False, eq=False)
class WrongRulesName(Refusal):
    """House rules cannot have this name: it is taken by other rules, or malformed."""

    name: str
    taken: bool


@dataclass(repr=False, eq=False)
class TooManyHouseRules(Refusal):
    """The server has as many house rules as allowed."""

    most: int
