"""Challenges before they go out: their challenger changes single rules, sends them or lets them be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, Rules
from bot.play.invitations import invitation_by, invitation_of, require_places, revised
from bot.play.outbox import Outbox
from bot.play.refusals import InvitationClosed, NoInvitation, NotForYou, UnknownRules
from bot.play.rulebook import changed, kept_rules, read_offered
from bot.play.values import ChallengeStatus, Invitation
from bot.store import challenges, guilds
from bot.store.database import Database, Transaction
from bot.store.rows import ChallengeRow


class Drafts:
    """The drafts of all challengers; `Challenges.issue` makes them. Only their challenger sees them.

    Every method raises:
        NoInvitation: there is none of that id.
        InvitationClosed: it went out before, or too late.
        NotForYou: it is somebody else's.
    """

    def __init__(self, database: Database, outbox: Outbox, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._outbox = outbox
        self._clock = clock

    async def own(self, person_id: int, challenge_id: int) -> Invitation:
        """A draft as it is."""

        async def work(transaction: Transaction) -> Invitation:
            return await invitation_of(transaction, await self._draft(transaction, person_id, challenge_id))

        return await self._database.read(work)

    async def use(self, person_id: int, challenge_id: int, name: str) -> Invitation:
        """Begin anew from rules that the server offers.

        Raises:
            UnknownRules, NotOffered: the server offers none of that name.
            TooManyNamed: they have no places for so many as are named.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await self._draft(transaction, person_id, challenge_id)
            offer = await read_offered(transaction, await guilds.load(transaction, row.guild_id), name)
            require_places(offer.rules, [guest.person_id for guest in row.guests])
            return await self._revised(transaction, row, system=offer.name, rules=str(offer.rules))

        return await self._database.write(work)

    async def change(self, person_id: int, challenge_id: int, option: str, value: str) -> Invitation:
        """Give one option another value, both as in notation.

        Raises:
            UnknownRules: there is no such option or value, or it makes no sense beside the others.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await self._draft(transaction, person_id, challenge_id)
            return await self._revised(transaction, row, rules=str(_changed(kept_rules(row.rules), option, value)))

        return await self._database.write(work)

    async def send(self, person_id: int, challenge_id: int) -> Invitation:
        """Let a draft go out as a challenge."""

        async def work(transaction: Transaction) -> Invitation:
            await self._draft(transaction, person_id, challenge_id)
            return await revised(transaction, challenge_id, self._clock(), status=ChallengeStatus.PENDING)

        return await self._outbox.write(work)

    async def drop(self, person_id: int, challenge_id: int) -> None:
        """Let a draft be."""

        async def work(transaction: Transaction) -> None:
            await challenges.remove(transaction, (await self._draft(transaction, person_id, challenge_id)).id)

        await self._database.write(work)

    async def _draft(self, transaction: Transaction, person_id: int, challenge_id: int) -> ChallengeRow:
        row = await challenges.load(transaction, challenge_id)
        if row is None:
            raise NoInvitation
        if row.challenger_id != person_id:
            raise NotForYou(await invitation_of(transaction, row))
        if row.status is ChallengeStatus.DRAFT and row.expires_at <= self._clock():
            row = replace(row, status=ChallengeStatus.EXPIRED)
        if row.status is not ChallengeStatus.DRAFT:
            raise InvitationClosed(await invitation_of(transaction, row))
        return row

    async def _revised(self, transaction: Transaction, row: ChallengeRow, **values: object) -> Invitation:
        await challenges.revise(transaction, row.id, **values)
        return await invitation_by(transaction, row.id)


def _changed(rules: Rules, option: str, value: str) -> Rules:
    if option not in OPTIONS:
        raise UnknownRules(f"{option!r} is no option of the rules")
    try:
        parsed = OPTIONS[option].parse(value)
    except GinError as error:
        raise UnknownRules(str(error)) from None
    return changed(rules, **{option: parsed})
