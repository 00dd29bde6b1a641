"""The steps that all changes of challenges share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.rules import Rules
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.stored_challenges import challenge_of
from bot.play.loading.stored_rules import stored_rules
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.outbox.changes import enqueue_challenge
from bot.play.refusals import (
    ChallengeClosed,
    NoChallenge,
    NotForYou,
    NotWelcome,
    TooManyChallenges,
    TooManyNamed,
)
from bot.store import challenges, people
from bot.store.rows import ChallengeRow
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.ids import ChallengeId, ChannelId, PersonId
from bot.values.people import Challengers

MAX_PENDING: Final = 5
"""The most challenges a person may have pending."""


async def load_challenge(unit: UnitOfWork, challenge_id: ChallengeId) -> ChallengeRow:
    """Return a challenge, which counts as expired once its time is over.

    Raises:
        NoChallenge: there is none with this id.
    """
    row = await challenges.load(unit.transaction, challenge_id)
    if row is None:
        raise NoChallenge
    open_ = row.status in (ChallengeStatus.DRAFT, ChallengeStatus.PENDING)
    return replace(row, status=ChallengeStatus.EXPIRED) if open_ and row.expires_at <= unit.now else row


async def load_pending(unit: UnitOfWork, challenge_id: ChallengeId) -> ChallengeRow:
    """Return a pending challenge.

    Raises:
        NoChallenge: there is none with this id.
        ChallengeClosed: it is not pending.
    """
    row = await load_challenge(unit, challenge_id)
    if row.status is not ChallengeStatus.PENDING:
        raise ChallengeClosed(await challenge_of(unit.transaction, row))
    return row


async def load_own(
    unit: UnitOfWork,
    challenge_id: ChallengeId,
    person_id: PersonId,
    status: ChallengeStatus = ChallengeStatus.PENDING,
) -> ChallengeRow:
    """Return a person's own challenge, which must have a status.

    Raises:
        NoChallenge: there is none with this id.
        ChallengeClosed: it has another status.
        NotForYou: it is someone else's.
    """
    row = await load_challenge(unit, challenge_id)
    if row.status is not status:
        raise ChallengeClosed(await challenge_of(unit.transaction, row))
    if row.challenger_id != person_id:
        raise NotForYou(await challenge_of(unit.transaction, row))
    return row


async def require_fewer_pending(unit: UnitOfWork, challenger_id: PersonId) -> None:
    """Check that a person may make another challenge.

    Raises:
        TooManyChallenges: `MAX_PENDING` of theirs are pending.
    """
    pending = await challenges.pending_from(unit.transaction, challenger_id)
    if len(pending) >= MAX_PENDING:
        raise TooManyChallenges(tuple([await challenge_of(unit.transaction, row) for row in pending]))


async def require_welcome(unit: UnitOfWork, challenger_id: PersonId, named: Iterable[PersonId]) -> None:
    """Check that a challenger may name these people.

    Raises:
        NotWelcome: one of them takes no challenges from this person.
    """
    for person_id in named:
        row = await people.load(unit.transaction, person_id)
        wanted = Challengers.ANYONE if row is None else row.preferences.challengers
        if wanted is Challengers.NOBODY:
            raise NotWelcome(person_id)
        if wanted is Challengers.PLAYED and not await people.have_met(unit.transaction, challenger_id, person_id):
            raise NotWelcome(person_id)


def require_places(rules: Rules, named: Sequence[PersonId]) -> None:
    """Check that rules have places for these people besides the challenger.

    Raises:
        TooManyNamed: there are not enough.
    """
    most = FORMATS[rules.format].seats[-1] - 1
    if len(named) > most:
        raise TooManyNamed(most)


async def save(unit: UnitOfWork, row: ChallengeRow, **values: object) -> Challenge:
    """Change columns of a challenge, count a revision, and return it.

    Raises:
        ChallengeClosed: somebody else changed it first.
    """
    return await challenge_of(unit.transaction, await _revise(unit, row, **values))


async def publish(unit: UnitOfWork, row: ChallengeRow, *, repost: bool = False, **values: object) -> Challenge:
    """Change columns of a challenge, bring its message up to date, and return it.

    Raises:
        ChallengeClosed: somebody else changed it first.
    """
    row = await _revise(unit, row, **values)
    await enqueue_challenge(unit, row, repost=repost)
    return await challenge_of(unit.transaction, row)


async def _revise(unit: UnitOfWork, row: ChallengeRow, **values: object) -> ChallengeRow:
    saved = await challenges.revise(unit.transaction, row, **values)
    now = await load_challenge(unit, row.id)
    if not saved:
        raise ChallengeClosed(await challenge_of(unit.transaction, now))
    return now


async def begin_match(
    unit: UnitOfWork,
    writer: MatchWriter,
    row: ChallengeRow,
    players: Sequence[PersonId],
    channel_id: ChannelId | None,
) -> tuple[Challenge, LoadedMatch]:
    """Begin the match of a challenge, and close the challenge.

    Args:
        unit: the unit of work.
        writer: begins the match.
        row: the challenge.
        players: the players in the order of their seats.
        channel_id: where to play, if not in the challenge's channel.

    Raises:
        ChannelBusy: another match runs in the channel.
    """
    place = channel_id or row.channel_id
    loaded = await writer.start(unit, row.guild_id, place, row.ruleset, stored_rules(row.rules), players)
    await challenges.remove_absent_guests(unit.transaction, row.id)
    match_id = loaded.row.id
    return await publish(unit, row, status=ChallengeStatus.ACCEPTED, match_id=match_id), loaded
