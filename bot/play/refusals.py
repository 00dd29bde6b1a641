"""Reasons why something cannot be done: one class each, with what a kind answer needs. The texts are in `cogs`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import dataclass_transform

from bot.engine.cards import Card
from bot.values.challenges import Challenge
from bot.values.clocks import TimeLeft
from bot.values.ids import ChannelId, PersonId
from bot.values.matches import MatchInfo, OwnHand
from bot.values.offers import StandingOffers


@dataclass_transform(eq_default=False)
class Refusal(Exception):  # noqa: N818 - it is an answer to a person, not a fault
    """The base of all reasons. Its text is its name alone: it may carry a hand, and errors reach the log."""

    def __init_subclass__(cls) -> None:
        """Make each reason a dataclass, but without a `__repr__` of its own, which would print what it carries."""
        dataclass(repr=False, eq=False)(cls)

    def __str__(self) -> str:
        return type(self).__name__

    __repr__ = __str__


class Unavailable(Refusal):
    """The database cannot be used at the moment, as while the disk is full: nothing was changed."""


class OutcomeUnknown(Unavailable):
    """The database was lost while the change was being saved: it may have been, or not."""


class Stopping(Unavailable):
    """The process stops and could no longer answer: nothing was changed."""


class MatchRefusal(Refusal):
    """A reason that is about a match."""

    match: MatchInfo


class ChallengeRefusal(Refusal):
    """A reason that is about a challenge."""

    challenge: Challenge


class NoMatch(Refusal):
    """No match fits the request: none has this id, none of the server, or none is played or has ended in the channel.

    `here` says whether the request was about a channel.
    """

    here: bool


class WhichMatch(Refusal):
    """The person plays several matches, none of them in the channel, and must say which one they mean."""

    matches: tuple[MatchInfo, ...]


class NotSeated(MatchRefusal):
    """The person does not play in this match; or they ask for a rematch, and somebody who played was forgotten.

    A computer may play on for them (`MatchInfo.seat_left_by`).
    """


class NotYourTurn(Refusal):
    """It is another seat's turn; or, to claim the match, nobody keeps the person waiting."""

    hand: OwnHand


class Stale(Refusal):
    """The request was about an earlier state of the match, or the match moved on while it was handled."""

    hand: OwnHand


class Illegal(Refusal):
    """The rules do not allow the move.

    `code` is the engine's, or `no-gin` if gin is not possible, or `no-lay-off` if there is no knock to answer.
    """

    hand: OwnHand
    code: str
    card: Card | None


class MatchOver(MatchRefusal):
    """The match is over."""


class MatchRunning(MatchRefusal):
    """The match is still running."""


class Damaged(MatchRefusal):
    """What is stored of the match cannot be read, so nobody can play on."""


class NotOver(MatchRefusal):
    """The match is still running, and what was asked for is there only once it is over."""


class ProfileHidden(Refusal):
    """A person shows their results only to people whom they have played."""

    person_id: PersonId


class NoReplayReason(StrEnum):
    """The reason why a deal cannot be replayed."""

    NONE_YET = "none_yet"
    """No deal of the match has come to a showdown yet."""
    NONE = "none"
    """The match ended before any deal came to a showdown."""
    IN_PLAY = "in_play"
    BROKEN_OFF = "broken_off"
    VOID = "void"
    UNKNOWN = "unknown"


class NoReplay(MatchRefusal):
    """A deal cannot be replayed: it is not over, was broken off or void, or does not exist."""

    reason: NoReplayReason


class NotReviewable(NoReplay):
    """A deal cannot be reviewed, for the same reasons."""


class NotVerifiable(MatchRefusal):
    """The match was agreed on before deals were verifiable, so it takes no words, and nothing can be checked."""


class NotCommitted(ChallengeRefusal):
    """The challenge was made before deals were verifiable, so its match takes no words."""


class WordsProblem(StrEnum):
    """The reason why words cannot be taken."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    """They have more than `bot.engine.fair.MOST_WORDS` characters."""
    UNREADABLE = "unreadable"
    """They have control characters, or more than one line."""


class UnfitWords(Refusal):
    """A player's words cannot be taken as they are."""

    reason: WordsProblem


class TooManyWords(MatchRefusal):
    """The person has changed their words so often that they must wait for the next deal."""


class NoOffer(MatchRefusal):
    """Nobody offers to call the match off any more."""


class RematchBegun(MatchRefusal):
    """All players have already agreed to a rematch."""


class TooSoon(MatchRefusal):
    """The match cannot be claimed yet: the awaited player has `time` left. Without one, their time never runs."""

    time: TimeLeft | None


class BackAtTable(Refusal):
    """The player who could not reach the table can again, so their time runs, and the match is not called off."""

    hand: OwnHand


class Frozen(MatchRefusal):
    """The match's server removed the bot, so the match is paused until the bot is invited again."""


class Paused(MatchRefusal):
    """The match is paused until all agree to go on."""


class Vacant(MatchRefusal):
    """A player lost on time, and the others must first decide whether a computer plays on for them."""


class NotVacant(MatchRefusal):
    """There is no vacant seat to decide about: the others have decided already."""


class NotPaused(MatchRefusal):
    """The match is not paused, so there is nothing to go on with."""


class NoTimeToGive(MatchRefusal):
    """There is nobody to give time to: the match has no clock, or the person waits for nobody."""


class TooMuchTime(MatchRefusal):
    """The awaited player has so much time left already that nobody can give them more."""


class NudgeRefusal(StrEnum):
    """The reason why somebody cannot be nudged."""

    TOO_SOON = "too_soon"
    """They have not been waited for long enough, or were nudged lately."""
    UNWANTED = "unwanted"
    AWAY = "away"
    """Their time stands still."""


class NoNudge(MatchRefusal):
    """Whoever the person waits for cannot be nudged now."""

    reason: NudgeRefusal


class TooLongAway(Refusal):
    """So many days of holiday are too many: `most` can be taken now, and `left` in a year of which some are taken."""

    most: int
    left: int


class NotAway(Refusal):
    """The person has no holiday that goes on."""


class UnknownTimeZone(Refusal):
    """A text names no time zone, or several; `likely` are names of a few that it may mean."""

    name: str
    likely: tuple[str, ...] = ()


class UnreadableHour(Refusal):
    """A text is no time of day."""

    text: str


class UnknownClock(Refusal):
    """A text names no clock."""

    text: str


class NoThread(StrEnum):
    """The reason why a match cannot be played in a thread of a busy channel."""

    IN_THREAD = "in_thread"
    """The channel is a thread itself."""
    IN_POST = "in_post"
    """The channel is a post in a forum."""
    IN_VOICE = "in_voice"
    """The channel is the chat of a voice or stage channel."""
    WRONG_KIND = "wrong_kind"
    """Discord opens no threads in this kind of channel."""
    BOT_MAY_NOT = "bot_may_not"
    PERSON_MAY_NOT = "person_may_not"
    TOO_MANY = "too_many"
    """The server has the maximum number of active threads."""
    TOO_MANY_PEOPLE = "too_many_people"
    """The thread has the maximum number of participants."""
    MODERATION = "moderation"
    """The server's automatic moderation refused the name of the thread."""
    NO_MESSAGE = "no_message"
    """The message to open the thread on does not exist."""
    TROUBLE = "trouble"
    """Discord fails or is overloaded: it may work later."""


class ChannelBusy(MatchRefusal):
    """Another match runs in the channel where this one should begin or move to.

    `reason` says why it cannot have a thread there; None if a thread would not help.
    """

    reason: NoThread | None = None


class WrongChannel(Refusal):
    """People may only play in these channels of the server: not in this one, nor in the one a thread belongs to."""

    channels: tuple[ChannelId, ...]


class NotWithYourself(Refusal):
    """Challengers are among those they name."""


class TooManyChallenges(Refusal):
    """The person has `MAX_PENDING` pending challenges already."""

    pending: tuple[Challenge, ...]


class NoPractice(Refusal):
    """The person has no practice match that is running."""


class NotPractice(MatchRefusal):
    """Only who practises is advised."""


class NoAdvice(Refusal):
    """The computer player cannot be asked at the moment."""


class NotInDeal(MatchRefusal):
    """The person sat the deal out; or, if that is `of_match`, every deal that could be reviewed."""

    of_match: bool = False


class NoDealFinished(Refusal):
    """The person has played no deal in which hands were laid down, so there is nothing of theirs to review."""


class NoReview(Refusal):
    """The computer player cannot weigh choices at the moment."""


class TooMuchPractice(Refusal):
    """The person has `MAX_RUNNING` practice matches already."""

    matches: tuple[MatchInfo, ...]


class NotWelcome(Refusal):
    """Someone who was named takes no challenges from this person, or none at all and has not proposed the rematch."""

    opponent_id: PersonId


class AlreadyOffered(Refusal):
    """The other person has already made them an offer, so nothing was sent.

    `offers` are the standing offers. `draft` keeps the unsent challenge, or the words for a rematch; None if there is
    nothing to keep. With `mark` the person says that they know these offers, and sends theirs anyway.
    """

    offers: StandingOffers
    draft: Challenge | None
    mark: str


class NoChallenge(Refusal):
    """No challenge has this id, or none fits the command."""


class ChallengeClosed(ChallengeRefusal):
    """The challenge is closed; or, for a draft, already sent; or somebody else has just changed it."""


class NotForYou(ChallengeRefusal):
    """The challenge is for someone else to answer or to leave, or only for its challenger to change."""


class NoTeams(ChallengeRefusal):
    """The challenge is for a format in which everyone plays for themselves."""


class NoPlaceLeft(ChallengeRefusal):
    """The challenge has no free place for this person, or not enough for all who were named."""


class TooManyNamed(Refusal):
    """More people were named than the rules have places for: at most `most` besides the challenger."""

    most: int


class WrongNumber(Refusal):
    """The rules are not for so many players: they are for `allowed`, and `fitting` are those on offer that would do."""

    wanted: int
    allowed: range
    fitting: tuple[str, ...]


class AlreadyIn(ChallengeRefusal):
    """The person has already joined; or one of those whom the challenger names has."""


class NotEnoughPlayers(ChallengeRefusal):
    """Not enough players have joined for the challenge's format."""


class UnknownRules(Refusal):
    """There are no such rules, or they cannot be played. `offered` are the known names if `asked` is none of them."""

    reason: str
    offered: tuple[str, ...] = ()
    asked: str = ""


class NotOffered(Refusal):
    """The server does not offer these rules; `offered` are the names of those it does."""

    name: str
    offered: tuple[str, ...]


class WrongRulesName(Refusal):
    """House rules cannot have this name: it is taken by other rules, or malformed."""

    name: str
    taken: bool


class TooManyHouseRules(Refusal):
    """The server has `most` house rules already."""

    most: int
