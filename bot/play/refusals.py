"""Why something cannot be done: one class for each reason, with what a kind answer needs. Words live in `cogs`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.engine.cards import Card
from bot.play.values import Invitation, MatchCard, OwnHand


class Refusal(Exception):  # noqa: N818 - it is an answer to a person, not a fault
    """What every reason is. Its text is its name alone: what it carries may be a hand, and errors reach the log."""

    def __str__(self) -> str:
        return type(self).__name__

    __repr__ = __str__
    # The reasons below are dataclasses without a `__repr__` of their own, which would print what they carry.


@dataclass(repr=False, eq=False)
class NoMatch(Refusal):
    """There is no match that the request could mean; `here` tells whether a channel was asked about."""

    here: bool


@dataclass(repr=False, eq=False)
class WhichMatch(Refusal):
    """The person plays several matches and must say which."""

    matches: tuple[MatchCard, ...]


@dataclass(repr=False, eq=False)
class NotSeated(Refusal):
    """The person does not play in that match."""

    card: MatchCard


@dataclass(repr=False, eq=False)
class NotYourTurn(Refusal):
    """Another seat is to act."""

    hand: OwnHand


@dataclass(repr=False, eq=False)
class Stale(Refusal):
    """The request was about an earlier state: the table has moved on since."""

    hand: OwnHand


@dataclass(repr=False, eq=False)
class Illegal(Refusal):
    """The rules do not allow the move.

    `code` is the engine's; or `no-gin` where gin was asked for and is not there, `no-lay-off` where no knock is to be
    answered.
    """

    hand: OwnHand
    code: str
    card: Card | None


@dataclass(repr=False, eq=False)
class MatchOver(Refusal):
    """The match is over."""

    card: MatchCard


@dataclass(repr=False, eq=False)
class MatchRunning(Refusal):
    """The match is not over yet."""

    card: MatchCard


class Unshown(StrEnum):
    """Why a deal cannot be replayed."""

    NONE_OVER = "none_over"
    """No deal of the match was over yet with its hands laid down."""
    IN_PLAY = "in_play"
    BROKEN_OFF = "broken_off"
    VOID = "void"
    UNKNOWN = "unknown"


@dataclass(repr=False, eq=False)
class NoReplay(Refusal):
    """A deal, or any at all, cannot be replayed."""

    card: MatchCard
    why: Unshown


@dataclass(repr=False, eq=False)
class RematchBegun(Refusal):
    """All players agreed to play again before."""

    card: MatchCard


@dataclass(repr=False, eq=False)
class TooSoon(Refusal):
    """A match can be claimed once the others have been silent for long enough."""

    card: MatchCard
    at: datetime


@dataclass(repr=False, eq=False)
class Frozen(Refusal):
    """The match's server removed the bot: the match rests until it is invited again."""

    card: MatchCard


@dataclass(repr=False, eq=False)
class ChannelBusy(Refusal):
    """A match runs in the channel already."""

    card: MatchCard


@dataclass(repr=False, eq=False)
class WrongChannel(Refusal):
    """The server's managers chose other channels to play in."""

    channels: tuple[int, ...]


@dataclass(repr=False, eq=False)
class NotWithYourself(Refusal):
    """One cannot challenge oneself."""


@dataclass(repr=False, eq=False)
class TooManyChallenges(Refusal):
    """The person has as many invitations open as they may."""

    pending: tuple[Invitation, ...]


@dataclass(repr=False, eq=False)
class NotWelcome(Refusal):
    """Somebody who was named takes no challenges from this person."""

    opponent_id: int


@dataclass(repr=False, eq=False)
class NoInvitation(Refusal):
    """There is no invitation that the request could mean."""


@dataclass(repr=False, eq=False)
class InvitationClosed(Refusal):
    """The invitation was settled before."""

    invitation: Invitation


@dataclass(repr=False, eq=False)
class NotForYou(Refusal):
    """The invitation is to somebody else, or one's own, or somebody else's where it must be one's own."""

    invitation: Invitation


@dataclass(repr=False, eq=False)
class NoPlaceLeft(Refusal):
    """Every place of the invitation is taken, or kept for somebody; or it has no room for as many as were named."""

    invitation: Invitation


@dataclass(repr=False, eq=False)
class TooManyNamed(Refusal):
    """More people were named than the rules have places for; `most` may be."""

    most: int


@dataclass(repr=False, eq=False)
class AlreadyIn(Refusal):
    """The person has joined before."""

    invitation: Invitation


@dataclass(repr=False, eq=False)
class NotEnoughPlayers(Refusal):
    """More must join first: the least that the invitation's format takes."""

    invitation: Invitation


@dataclass(repr=False, eq=False)
class UnknownRules(Refusal):
    """The rules asked for are none that can be played; `offered` are the names there are, where theirs is none."""

    reason: str
    offered: tuple[str, ...] = ()


@dataclass(repr=False, eq=False)
class NotOffered(Refusal):
    """The server offers other rules: `offered` are their names."""

    name: str
    offered: tuple[str, ...]


@dataclass(repr=False, eq=False)
class WrongRulesName(Refusal):
    """House rules cannot have that name: others mean something by it, or it is not as names are."""

    name: str
    taken: bool


@dataclass(repr=False, eq=False)
class TooManyHouseRules(Refusal):
    """The server has as many house rules as it may."""

    most: int
