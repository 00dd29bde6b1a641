"""Invitations as the services hand them out, and the steps that all who change them share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeVar

from bot.engine.formats import FORMATS
from bot.engine.rules import Rules
from bot.play.refusals import InvitationClosed, NoInvitation, NotForYou, NotWelcome, TooManyNamed
from bot.play.rulebook import kept_rules
from bot.play.values import Challengers, ChallengeStatus, Invitation, NoticeKind, Player
from bot.store import challenges, notices, people
from bot.store.database import Transaction
from bot.store.rows import ChallengeRow

PAIRINGS: Final = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The ways in which four who joined in this order may sit down; the first and third at the table are partners."""

_Any = TypeVar("_Any")


async def invitation_of(transaction: Transaction, row: ChallengeRow) -> Invitation:
    """An invitation with the names of the people in it."""
    joined = [row.challenger_id, *(guest.person_id for guest in row.guests if guest.joined)]
    named = [guest.person_id for guest in row.guests if not guest.joined]
    names = await people.names(transaction, {*joined, *named})

    def players(person_ids: Iterable[int]) -> tuple[Player, ...]:
        return tuple(Player(person_id, names.get(person_id)) for person_id in person_ids)

    rules = kept_rules(row.rules)
    sides = FORMATS[rules.format].sides(len(joined)) if len(joined) in FORMATS[rules.format].seats else ()
    order = seated(joined, row.pairing)
    return Invitation(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        system=row.system,
        rules=rules,
        seats=FORMATS[rules.format].seats,
        players=players(joined),
        named=players(named),
        teams=tuple(players(order[seat] for seat in side) for side in sides if len(side) > 1),
        status=ChallengeStatus(row.status),
        revision=row.revision,
        expires_at=row.expires_at,
        match_id=row.match_id,
    )


async def invitation_by(transaction: Transaction, challenge_id: int) -> Invitation:
    """An invitation by its id.

    Raises:
        NoInvitation: there is none.
    """
    row = await challenges.load(transaction, challenge_id)
    if row is None:
        raise NoInvitation
    return await invitation_of(transaction, row)


def seated(joined: Sequence[_Any], pairing: int) -> tuple[_Any, ...]:
    """Those who joined in the order of their seats."""
    return (
        tuple(joined[place] for place in PAIRINGS[pairing]) if len(joined) == len(PAIRINGS[pairing]) else tuple(joined)
    )


async def require_pending(transaction: Transaction, challenge_id: int, now: datetime) -> ChallengeRow:
    """An invitation that is not settled.

    Raises:
        NoInvitation: there is none of that id.
        InvitationClosed: it was settled before.
    """
    row = await challenges.load(transaction, challenge_id)
    if row is None:
        raise NoInvitation
    if row.status is ChallengeStatus.PENDING and row.expires_at <= now:
        row = replace(row, status=ChallengeStatus.EXPIRED)
    if row.status is not ChallengeStatus.PENDING:
        raise InvitationClosed(await invitation_of(transaction, row))
    return row


async def require_own(transaction: Transaction, challenge_id: int, person_id: int, now: datetime) -> ChallengeRow:
    """An invitation of one's own that is not settled.

    Raises:
        NoInvitation: there is none of that id.
        InvitationClosed: it was settled before.
        NotForYou: it is somebody else's.
    """
    row = await require_pending(transaction, challenge_id, now)
    if row.challenger_id != person_id:
        raise NotForYou(await invitation_of(transaction, row))
    return row


async def require_welcome(transaction: Transaction, challenger_id: int, named: Iterable[int]) -> None:
    """Check that people may be named by a challenger.

    Raises:
        NotWelcome: one of them takes no challenges from this person.
    """
    for person_id in named:
        row = await people.load(transaction, person_id)
        wanted = Challengers.ANYONE if row is None else Challengers(row.challengers)
        strangers = wanted is Challengers.PLAYED and not await people.met_before(transaction, challenger_id, person_id)
        if wanted is Challengers.NOBODY or strangers:
            raise NotWelcome(person_id)


def require_places(rules: Rules, named: Sequence[int]) -> None:
    """Check that rules have places for so many beside the challenger.

    Raises:
        TooManyNamed: they have not.
    """
    most = FORMATS[rules.format].seats[-1] - 1
    if len(named) > most:
        raise TooManyNamed(most)


async def revised(
    transaction: Transaction, challenge_id: int, now: datetime, *, afresh: bool = False, **values: object
) -> Invitation:
    """The invitation after a change of its columns, or of who is in it, which its message is to show: see `told`."""
    await challenges.revise(transaction, challenge_id, **values)
    return await told(transaction, challenge_id, now, afresh=afresh)


async def told(transaction: Transaction, challenge_id: int, now: datetime, *, afresh: bool = False) -> Invitation:
    """The invitation after a change, which its message is to show, or a new one that calls those who are named."""
    row = await challenges.load(transaction, challenge_id)
    if row is None:
        raise NoInvitation
    want = {"kind": NoticeKind.CHALLENGE, "subject": row.id, "part": 0, "wanted": row.revision}
    await notices.want(transaction, [want | {"fresh": row.revision if afresh else 0, "gone": False, "due_at": now}])
    return await invitation_of(transaction, row)
