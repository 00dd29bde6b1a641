"""The reasons why a request is refused, one class each, with the data for a helpful reply. The texts are in `cogs`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import dataclass_transform

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.model.challenges import Challenge
from bot.model.clocks import TimeLeft
from bot.model.ids import ChannelId, PersonId
from bot.model.matches import MatchInfo, OwnHand
from bot.model.offers import StandingOffers


@dataclass_transform(eq_default=False)
class Refusal(Exception):  # noqa: N818 - it is an answer to a person, not a fault
    """Base class of all refusals. The text is only the class name: texts are logged, and data can include a hand."""

    def __init_subclass__(cls) -> None:
        """Make each subclass a dataclass, but without a generated `__repr__`, which would print its data."""
        dataclass(repr=False, eq=False)(cls)

    def __str__(self) -> str:
        return type(self).__name__

    __repr__ = __str__


class Unavailable(Refusal):
    """The database cannot be used now, for example because the disk is full. Nothing was changed."""


class OutcomeUnknown(Unavailable):
    """The database was lost during the commit: the change may or may not have been saved."""


class Stopping(Unavailable):
    """The process is stopping and could no longer answer. Nothing was changed."""


class MatchRefusal(Refusal):
    """A refusal that concerns a match."""

    match: MatchInfo


class ChallengeRefusal(Refusal):
    """A refusal that concerns a challenge."""

    challenge: Challenge


class NoMatch(Refusal):
    """No match fits the request, for example because no match has this id, or because the channel has had no match.

    `in_channel` is True if the request was about a channel.
    """

    in_channel: bool


class WhichMatch(Refusal):
    """The person plays several matches, none of them in the channel, and must choose one."""

    matches: tuple[MatchInfo, ...]


class NotSeated(MatchRefusal):
    """The person does not play in this match. A computer may have taken over their seat (`MatchInfo.former_seat_of`).

    Also used when a rematch is impossible because another player was forgotten.
    """


class NotYourTurn(Refusal):
    """It is not the person's turn to move, or they cannot claim or nudge because they are not waiting for anyone."""

    hand: OwnHand


class Stale(Refusal):
    """The request was about an earlier state of the match, or the match changed while the request was handled."""

    hand: OwnHand


class Illegal(Refusal):
    """The rules do not allow the move.

    `code` is the engine's error code, `no-gin` if gin is not possible, or `no-lay-off` if there is no knock to answer.
    """

    hand: OwnHand
    code: str
    card: Card | None


class MatchOver(MatchRefusal):
    """The match is over."""


class MatchRunning(MatchRefusal):
    """The match is still running."""


class Damaged(MatchRefusal):
    """The stored match cannot be read, so it cannot continue."""


class Sealed(MatchRefusal):
    """The cards of a deal of the day stay sealed until the day is over."""


class DayOver(MatchRefusal):
    """The day is over, so the person can no longer play its deal."""


class TryCalledOff(Refusal):
    """The person's try at today's deal was called off, so they cannot play it."""


class NewDaily(Refusal):
    """The person wants to begin the deal of another day than today, whose deal has another commitment."""


class NotInDaily(MatchRefusal):
    """A deal of the day cannot be resigned, and allows neither hints nor words for the shuffle."""


class NoDaily(Refusal):
    """There is no deal today: it was called off after a backup was restored, or the clock was set back."""

    until: datetime


class NotOver(MatchRefusal):
    """The match is still running, and the request is only possible after its end."""


class ProfileHidden(Refusal):
    """The person shows their results only to people they have played."""

    person_id: PersonId


class NoReplayReason(StrEnum):
    """The reason why a deal cannot be replayed."""

    NONE_YET = "none_yet"
    """No deal of the match has ended in a showdown yet."""
    NONE = "none"
    """The match ended before any deal ended in a showdown."""
    IN_PLAY = "in_play"
    BROKEN_OFF = "broken_off"
    VOID = "void"
    UNKNOWN = "unknown"


class NoReplay(MatchRefusal):
    """A deal cannot be replayed: it is not over, was broken off or void, or does not exist."""

    reason: NoReplayReason


class NotReviewable(NoReplay):
    """A deal cannot be reviewed: it is not over, was broken off or void, or does not exist."""


class NotVerifiable(MatchRefusal):
    """The match was agreed on before deals were verifiable. Players cannot add words to its shuffles."""


class NotCommitted(ChallengeRefusal):
    """The challenge was made before deals were verifiable. Players cannot add words to its shuffles."""


class WordsProblem(StrEnum):
    """The reason why a player's words for the shuffles are rejected."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    """The words are longer than `bot.engine.fairness.fair.MAX_WORDS_LENGTH` characters."""
    UNREADABLE = "unreadable"
    """The words contain control characters or line breaks."""


class InvalidWords(Refusal):
    """A player's words for the shuffles are empty, too long or unreadable."""

    reason: WordsProblem


class TooManyWords(MatchRefusal):
    """The person has changed their words for the shuffles too often, and must wait for the next deal."""


class NoOffer(MatchRefusal):
    """The proposal that the person wants to agree to, such as a pause, no longer exists."""


class RematchBegun(MatchRefusal):
    """All players have already agreed to a rematch."""


class TooSoon(MatchRefusal):
    """The match cannot be claimed yet.

    `time` is the awaited player's remaining time; None if their clock never runs.
    """

    time: TimeLeft | None


class BackAtTable(Refusal):
    """The player who could not reach the table is back, so their clock runs and the match is not called off."""

    hand: OwnHand


class Frozen(MatchRefusal):
    """The match's server removed the bot, so the match is paused until the bot is invited again."""


class Paused(MatchRefusal):
    """The match is paused until all players agree to resume."""


class Vacant(MatchRefusal):
    """A player lost on time, and the others must first decide whether a computer takes over the seat."""


class NotVacant(MatchRefusal):
    """No seat is vacant: the other players have already decided."""


class NotPaused(MatchRefusal):
    """The match is not paused, so it cannot be resumed."""


class NoTimeToGive(MatchRefusal):
    """The person cannot give time: the match has no clock, or nobody keeps them waiting."""


class TooMuchTime(MatchRefusal):
    """The awaited player already has so much time left that they cannot be given more."""


class NudgeRefusal(StrEnum):
    """The reason why somebody cannot be nudged."""

    TOO_SOON = "too_soon"
    """The wait has been too short, or the player was nudged recently."""
    UNWANTED = "unwanted"
    AWAY = "away"
    """The player's clock stands still, or they have left the server."""


class CannotTakeBack(MatchRefusal):
    """The person cannot ask to take their discard back or, if `has_drawn`, cannot agree: they have drawn a card."""

    has_drawn: bool = False


class NoNudge(MatchRefusal):
    """The player in the seat `awaited` cannot be nudged now."""

    reason: NudgeRefusal
    awaited: Seat


class TooLongAway(Refusal):
    """The requested holiday is longer than `max_days`, the current limit.

    `days_left` days of the yearly allowance remain.
    """

    max_days: int
    days_left: int


class NotAway(Refusal):
    """The person is not on holiday."""


class UnknownTimeZone(Refusal):
    """A text does not name a time zone, or is ambiguous.

    `suggestions` are names of a few time zones that it might mean.
    """

    name: str
    suggestions: tuple[str, ...] = ()


class UnreadableHour(Refusal):
    """A text is not a time of day."""

    text: str


class UnknownClock(Refusal):
    """A text does not name a clock."""

    text: str


class NoThreadReason(StrEnum):
    """The reason why a match cannot be played in a thread of a busy channel."""

    IN_THREAD = "in_thread"
    """The channel is a thread itself."""
    IN_POST = "in_post"
    """The channel is a post in a forum."""
    IN_VOICE = "in_voice"
    """The channel is the chat of a voice or stage channel."""
    WRONG_KIND = "wrong_kind"
    """Discord does not support threads in this kind of channel."""
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
    """Discord is failing or overloaded. A retry may work."""


class ChannelBusy(MatchRefusal):
    """Another match is running in the channel in which this one should begin or continue.

    `reason` says why the match cannot be played in a thread of the channel; None if no thread was tried.
    """

    reason: NoThreadReason | None = None


class WrongChannel(Refusal):
    """The server allows play only in `channels` and their threads, and the current channel is none of these."""

    channels: tuple[ChannelId, ...]


class NotWithYourself(Refusal):
    """A challenger named themselves as an opponent."""


class TooManyChallenges(Refusal):
    """The person already has `MAX_PENDING` pending challenges."""

    pending: tuple[Challenge, ...]


class NoPractice(Refusal):
    """The person has no running practice match."""


class NotPractice(MatchRefusal):
    """Advice is only given in practice matches."""


class NoAdvice(Refusal):
    """The computer player cannot give advice now."""


class NotInDeal(MatchRefusal):
    """The person sat out this deal. With `whole_match`, they sat out every deal that can be reviewed."""

    whole_match: bool = False


class NoDealFinished(Refusal):
    """The person has no deal that ended in a showdown, so they have no deal to review."""


class NoReview(Refusal):
    """The computer player cannot review a deal now."""


class TooMuchPractice(Refusal):
    """The person already has `MAX_PRACTICE_MATCHES` practice matches."""

    matches: tuple[MatchInfo, ...]


class NotWelcome(Refusal):
    """A named person does not accept challenges from the challenger, or a player in a rematch accepts none at all."""

    opponent_id: PersonId


class Blocked(Refusal):
    """The person has blocked somebody with whom they would play."""

    blocked_id: PersonId


class TooManyBlocked(Refusal):
    """The person has blocked as many people as allowed."""

    maximum: int


class AlreadyOffered(Refusal):
    """The other person has already made this person an offer, so the new offer was not sent.

    `offers` are the existing offers. `draft` is the new challenge, saved as a draft, or a draft that keeps the person's
    words for the shuffles of a rematch; None if nothing was saved. The request can be repeated with `mark`, which
    confirms that the person has seen these offers.
    """

    offers: StandingOffers
    draft: Challenge | None
    mark: str


class NoChallenge(Refusal):
    """No challenge has this id, or no challenge fits the command."""


class ChallengeClosed(ChallengeRefusal):
    """The challenge is closed; a draft was already sent; or another person changed the challenge at the same time."""


class NotForYou(ChallengeRefusal):
    """Only another person may answer, leave or change this challenge."""


class NoTeams(ChallengeRefusal):
    """The challenge's format has no teams."""


class NoPlaceLeft(ChallengeRefusal):
    """The challenge has no free place for this person, or not enough for all named people."""


class TooManyNamed(Refusal):
    """More people were named than the rules have places for: at most `maximum` besides the challenger."""

    maximum: int


class WrongNumber(Refusal):
    """The rules allow `allowed` players, not `wanted`.

    `fitting` are the names of offered rules that allow `wanted` players.
    """

    wanted: int
    allowed: range
    fitting: tuple[str, ...]


class AlreadyIn(ChallengeRefusal):
    """The person, or a named person, has already joined."""


class NotEnoughPlayers(ChallengeRefusal):
    """Not enough players have joined for the challenge's format."""


class UnknownRules(Refusal):
    """The rules do not exist or are invalid, for a reason.

    If no rules have the name `asked`, `offered` has the valid names. If the name is missing, `asked` begins with an
    option: `target=50`.
    """

    reason: str
    offered: tuple[str, ...] = ()
    asked: str = ""


class UnknownOption(UnknownRules):
    """No option of the rules has the name `asked`."""


class WrongValue(UnknownRules):
    """An option of the rules does not allow the value `asked`."""

    option: str = ""


class NotOffered(Refusal):
    """The server does not offer these rules. `offered` are the names of the rules that it offers."""

    name: str
    offered: tuple[str, ...]


class WrongRulesName(Refusal):
    """House rules cannot have this name: it is taken by other rules, or malformed."""

    name: str
    taken: bool


class TooManyHouseRules(Refusal):
    """The server already has the maximum number of sets of house rules, `maximum`."""

    maximum: int
