"""Steps that several operations on challenges share. Each step runs inside a unit of work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.matches.formats import FORMATS
from bot.engine.rules import Rules
from bot.model.challenges import CLOSED_STATUSES, Challenge, ChallengeStatus
from bot.model.clocks import Clock, UnknownClockError
from bot.model.guilds import MatchHome
from bot.model.ids import ChainId, ChallengeId, ChannelId, GuildId, PersonId
from bot.model.matches import MatchInfo
from bot.model.namesakes import with_ambiguity
from bot.model.outbox import MessageKind, PostedMessage
from bot.model.people import Person
from bot.model.statistics import Player
from bot.play import refusals
from bot.play.dm_channels import DmState, dm_state
from bot.play.guilds.rulebook import offered_rules
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.outbox.changes import enqueue_challenge, posted_message, send_commitment, turn_into_card
from bot.play.outbox.offers import grant_pings
from bot.store import chains, challenges, guilds, matches, outbox, player_words
from bot.store.chains import ChainRow

MAX_PENDING: Final = 5
"""Maximum number of pending challenges of one person."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A pending challenge whose match may begin now.

    `joined` is the challenge with the person who begins it among its players, and `number` the number that the match
    would have among the matches of these players on the server. `home` is where the server wants its matches, and
    `posted` the challenge's message. `unposted_chain` is the hash chain, if its commitment is not posted yet. `dm` is
    the state of the person who begins it.
    """

    challenge: Challenge
    joined: Challenge
    number: int
    home: MatchHome
    posted: PostedMessage | None
    unposted_chain: ChainId | None
    dm: DmState


async def opening(unit: UnitOfWork, challenge: Challenge, person: Person) -> Opening:
    """Return a challenge and all that is needed to begin its match. `person` accepts it, or starts the match."""
    transaction, joined = unit.transaction, challenge
    if person.id not in {player.id for player in challenge.players}:
        joined = replace(challenge, players=with_ambiguity((*challenge.players, Player.of(person))))
    people_ids = [player.id for player in joined.seated_players if player.id is not None]
    chain = await chains.of_challenge(transaction, challenge.id)
    message = await outbox.find(transaction, MessageKind.CHALLENGE, challenge.id)
    return Opening(
        challenge,
        joined,
        await matches.count_of(transaction, challenge.guild_id, people_ids, len(joined.players)) + 1,
        (await guilds.load(transaction, challenge.guild_id)).settings.match_home,
        None if message is None else posted_message(message),
        None if chain is None or chain.is_posted else chain.id,
        await dm_state(unit, person.id),
    )


async def load_any(unit: UnitOfWork, challenge_id: ChallengeId) -> Challenge:
    """Return a challenge. If it is pending and its time is over, return it as expired.

    Raise `NoChallenge` if it does not exist, or if it is a draft whose time is over.
    """
    challenge = await challenges.load(unit.transaction, challenge_id)
    is_over = challenge is not None and challenge.expires_at <= unit.now
    if challenge is None or (is_over and challenge.status is ChallengeStatus.DRAFT):
        raise refusals.NoChallenge
    if is_over and challenge.status is ChallengeStatus.PENDING:
        return replace(challenge, status=ChallengeStatus.EXPIRED)
    return challenge


async def load(
    unit: UnitOfWork, challenge_id: ChallengeId, status: ChallengeStatus = ChallengeStatus.PENDING
) -> Challenge:
    """Return a challenge with the given status. Raise `NoChallenge` or `ChallengeClosed`."""
    challenge = await load_any(unit, challenge_id)
    if challenge.status is not status:
        raise refusals.ChallengeClosed(challenge)
    return challenge


async def load_own(
    unit: UnitOfWork, challenge_id: ChallengeId, person_id: PersonId, status: ChallengeStatus = ChallengeStatus.PENDING
) -> Challenge:
    """Return a person's own challenge, like `load`. Raise `NotForYou` if it is someone else's."""
    challenge = await load(unit, challenge_id, status)
    if challenge.challenger.id != person_id:
        raise refusals.NotForYou(challenge)
    return challenge


async def load_chain(unit: UnitOfWork, challenge: Challenge) -> ChainRow:
    """Return the hash chain of a challenge. Raise `NotCommitted` if there is none."""
    chain = await chains.of_challenge(unit.transaction, challenge.id)
    if chain is None:
        raise refusals.NotCommitted(challenge)
    return chain


async def require_fewer_pending(unit: UnitOfWork, challenger_id: PersonId) -> None:
    """Check that a person, whose row must be locked, may make another challenge. Raise `TooManyChallenges`."""
    pending = await challenges.pending_from(unit.transaction, challenger_id)
    if len(pending) >= MAX_PENDING:
        raise refusals.TooManyChallenges(pending)


def require_places(rules: Rules, named_count: int, exact_players: int | None = None) -> None:
    """Check that the rules have places for `named_count` people besides the challenger. Raise `TooManyNamed`."""
    maximum = (exact_players or FORMATS[rules.format].seats[-1]) - 1
    if named_count > maximum:
        raise refusals.TooManyNamed(maximum)


async def require_player_count(unit: UnitOfWork, guild_id: GuildId, rules: Rules, player_count: int) -> None:
    """Check that the rules allow `player_count` players. Raise `WrongNumber`."""
    allowed = FORMATS[rules.format].seats
    if player_count not in allowed:
        offered = await offered_rules(unit.transaction, guild_id)
        fitting = tuple(
            named_rules.name for named_rules in offered if player_count in FORMATS[named_rules.rules.format].seats
        )
        raise refusals.WrongNumber(player_count, allowed, fitting)


def read_clock(text: str) -> Clock:
    """Parse a clock. Raise `UnknownClock`."""
    try:
        return Clock.parse(text)
    except UnknownClockError:
        raise refusals.UnknownClock(text) from None


async def count_pings(
    unit: UnitOfWork, challenge_id: ChallengeId, challenger_id: PersonId, named: Iterable[PersonId]
) -> None:
    """Count the pings of a challenge's next post against the rate limit. Save the people that this post may ping."""
    granted = await grant_pings(unit, challenger_id, named)
    await challenges.set_pinged(unit.transaction, challenge_id, granted)


async def save(unit: UnitOfWork, challenge: Challenge, *, repost: bool = False, **values: object) -> Challenge:
    """Change columns of a challenge, and return the changed challenge. Raise `ChallengeClosed`.

    Also update the message of the challenge, except for a draft, and delete the hash chain of a challenge that is now
    closed without a match.
    """
    challenge = await _save_silently(unit, challenge, **values)
    if challenge.status is not ChallengeStatus.DRAFT:
        enqueue_challenge(unit, challenge, repost=repost)
    if challenge.status in CLOSED_STATUSES:
        await chains.remove_of_challenge(unit.transaction, challenge.id)
    return challenge


async def _save_silently(unit: UnitOfWork, challenge: Challenge, **values: object) -> Challenge:
    """Change columns of a challenge but not its message, and return the changed challenge. Raise `ChallengeClosed`."""
    saved = await challenges.revise(unit.transaction, challenge, **values)
    challenge = await load_any(unit, challenge.id)
    if not saved:
        raise refusals.ChallengeClosed(challenge)
    return challenge


async def give_up_place(unit: UnitOfWork, lobby: Challenge, person_id: PersonId) -> Challenge:
    """Open a person's place in a lobby to anyone, and remove their words for the shuffles."""
    await challenges.remove_guest(unit.transaction, lobby.id, person_id)
    chain = await chains.of_challenge(unit.transaction, lobby.id)
    if chain is not None:
        await player_words.remove(unit.transaction, chain.id, person_id)
    return await save(unit, lobby, pairing=0)


async def save_joined(unit: UnitOfWork, lobby: Challenge, joined_id: PersonId) -> Challenge:
    """Update a lobby's message after somebody joined.

    A new post pings the challenger when the match can begin, and again when all places are taken.
    """
    lobby = await load_any(unit, lobby.id)
    challenger_id, count = lobby.challenger.id, len(lobby.players)
    is_news = lobby.awaits_start and count in (lobby.seats[0], lobby.seats[-1])
    pinged = is_news and challenger_id is not None and await grant_pings(unit, joined_id, [challenger_id])
    return await save(unit, lobby, repost=bool(pinged))


async def begin_match(
    unit: UnitOfWork, writer: MatchWriter, challenge: Challenge, players: Sequence[Player], thread_id: ChannelId | None
) -> tuple[Challenge, MatchInfo]:
    """Begin the match of a challenge, and mark the challenge as accepted. `players` are in the order of their seats.

    `thread_id` is the thread to play in, if it is not the challenge's channel. The challenge's message then becomes the
    match's card. Raise `ChannelBusy`.
    """
    chain = await chains.of_challenge(unit.transaction, challenge.id)
    card_channel_id = None if thread_id is None else challenge.channel_id
    loaded = await writer.start(unit, challenge.terms, players, thread_id, chain=chain, card_channel_id=card_channel_id)
    if chain is not None and not chain.is_posted:
        await send_commitment(unit, chain.id)
    await challenges.remove_absent_guests(unit.transaction, challenge.id)
    begun, match_id = ChallengeStatus.ACCEPTED, loaded.info.id
    if card_channel_id is None:
        return await save(unit, challenge, status=begun, match_id=match_id), loaded.info
    challenge = await _save_silently(unit, challenge, status=begun, match_id=match_id)
    await turn_into_card(unit, challenge, loaded.info)
    return challenge, loaded.info
