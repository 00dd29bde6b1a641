"""The steps that changes of challenges share. Each is part of a unit of work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.rules import Rules
from bot.play import refusals
from bot.play.loading.stored import challenge_of
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.outbox.changes import enqueue_challenge
from bot.store import challenges, people
from bot.store.rows import ChallengeRow
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.ids import ChallengeId, ChannelId, PersonId
from bot.values.matches import MatchInfo
from bot.values.people import Challengers

MAX_PENDING: Final = 5
"""The most challenges a person may have pending."""


async def load_any(unit: UnitOfWork, challenge_id: ChallengeId) -> ChallengeRow:
    """Return a challenge, which counts as expired once its time is over. Raise `NoChallenge`."""
    row = await challenges.load(unit.transaction, challenge_id)
    if row is None:
        raise refusals.NoChallenge
    open_ = row.status in (ChallengeStatus.DRAFT, ChallengeStatus.PENDING)
    return replace(row, status=ChallengeStatus.EXPIRED) if open_ and row.expires_at <= unit.now else row


async def load(
    unit: UnitOfWork, challenge_id: ChallengeId, status: ChallengeStatus = ChallengeStatus.PENDING
) -> ChallengeRow:
    """Return a challenge that is pending, or has another status. Raise `NoChallenge` or `ChallengeClosed`."""
    row = await load_any(unit, challenge_id)
    if row.status is not status:
        raise refusals.ChallengeClosed(await challenge_of(unit.transaction, row))
    return row


async def load_own(
    unit: UnitOfWork, challenge_id: ChallengeId, person_id: PersonId, status: ChallengeStatus = ChallengeStatus.PENDING
) -> ChallengeRow:
    """Return a person's own challenge as `load` does. Raise `NotForYou` if it is someone else's."""
    row = await load(unit, challenge_id, status)
    if row.challenger_id != person_id:
        raise refusals.NotForYou(await challenge_of(unit.transaction, row))
    return row


async def require_fewer_pending(unit: UnitOfWork, challenger_id: PersonId) -> None:
    """Check that a person may make another challenge. Raise `TooManyChallenges`."""
    pending = await challenges.pending_from(unit.transaction, challenger_id)
    if len(pending) >= MAX_PENDING:
        raise refusals.TooManyChallenges(tuple([await challenge_of(unit.transaction, row) for row in pending]))


async def require_welcome(unit: UnitOfWork, challenger_id: PersonId, named: Iterable[PersonId]) -> None:
    """Check that a challenger may name these people. Raise `NotWelcome`."""
    for person_id in named:
        row = await people.load(unit.transaction, person_id)
        wanted = Challengers.ANYONE if row is None else row.preferences.challengers
        if wanted is Challengers.NOBODY:
            raise refusals.NotWelcome(person_id)
        if wanted is Challengers.PLAYED and not await people.have_met(unit.transaction, challenger_id, person_id):
            raise refusals.NotWelcome(person_id)


def require_places(rules: Rules, named: Sequence[PersonId]) -> None:
    """Check that rules have places for these people besides the challenger. Raise `TooManyNamed`."""
    most = FORMATS[rules.format].seats[-1] - 1
    if len(named) > most:
        raise refusals.TooManyNamed(most)


async def save(unit: UnitOfWork, row: ChallengeRow, *, repost: bool = False, **values: object) -> Challenge:
    """Change columns of a challenge, and its message unless it is a draft, and return it. Raise `ChallengeClosed`."""
    saved = await challenges.revise(unit.transaction, row, **values)
    row = await load_any(unit, row.id)
    if not saved:
        raise refusals.ChallengeClosed(await challenge_of(unit.transaction, row))
    if row.status is not ChallengeStatus.DRAFT:
        await enqueue_challenge(unit, row, repost=repost)
    return await challenge_of(unit.transaction, row)


async def begin_match(
    unit: UnitOfWork, writer: MatchWriter, row: ChallengeRow, players: Sequence[PersonId], channel_id: ChannelId | None
) -> tuple[Challenge, MatchInfo]:
    """Begin the match of a challenge, with the players in the order of their seats, and accept the challenge.

    `channel_id` is where to play, if not in the challenge's channel. Raise `ChannelBusy`.
    """
    match = (await writer.start(unit, row, players, channel_id)).info
    await challenges.remove_absent_guests(unit.transaction, row.id)
    return await save(unit, row, status=ChallengeStatus.ACCEPTED, match_id=match.id), match
