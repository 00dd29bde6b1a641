"""Invitations to play: made, answered, taken back, and expired."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.engine.errors import GinError
from bot.engine.rules import Rules
from bot.play.boards import Board
from bot.play.dealer import Dealer
from bot.play.invitations import invitation_of
from bot.play.outbox import Outbox
from bot.play.refusals import (
    InvitationClosed,
    NoInvitation,
    NotForYou,
    NotWelcome,
    NotWithYourself,
    TooManyChallenges,
    UnknownRules,
    WrongChannel,
)
from bot.play.values import Challengers, ChallengeStatus, Invitation, MatchCard, NoticeKind
from bot.store import challenges, guilds, notices, people
from bot.store.database import Database, Transaction
from bot.store.rows import ChallengeRow

EXPIRES_AFTER: Final = timedelta(days=1)
MOST_PENDING: Final = 5


class Challenges:
    """The invitations of all servers."""

    def __init__(self, database: Database, dealer: Dealer, outbox: Outbox, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._dealer = dealer
        self._outbox = outbox
        self._clock = clock

    async def issue(
        self,
        challenger: tuple[int, str],
        opponent: tuple[int, str] | None,
        guild_id: int,
        channel_id: int,
        interaction_id: int,
        *,
        rules: str | None = None,
        target: int | None = None,
        parent_id: int | None = None,
    ) -> Invitation:
        """Invite somebody, or anyone, to a match.

        Args:
            challenger: the id and name of who invites.
            opponent: the id and name of who is invited; None for anyone.
            guild_id: the server.
            channel_id: the channel of the invitation and the match.
            interaction_id: what caused it; the same one never invites twice.
            rules: rules as text, a preset's name as a rule; None for the server's default.
            target: the target score; None for the rules' own.
            parent_id: the channel that a thread belongs to; where one may play, one may in its threads too.

        Raises:
            WrongChannel: the server plays elsewhere.
            NotWithYourself: both are one person.
            UnknownRules: the rules cannot be played.
            TooManyChallenges: `MOST_PENDING` invitations of the challenger wait already.
            NotWelcome: the opponent takes no challenges from this person.
        """
        now = self._clock()

        async def work(transaction: Transaction) -> Invitation:
            made = await challenges.caused(transaction, interaction_id)
            if made is not None:
                return await invitation_of(transaction, made)
            guild = await guilds.load(transaction, guild_id)
            if guild.channels and not {channel_id, parent_id} & {*guild.channels}:
                raise WrongChannel(guild.channels)
            if opponent is not None and opponent[0] == challenger[0]:
                raise NotWithYourself
            agreed = _rules(rules or guild.rules, target or (None if rules else guild.target))
            pending = await challenges.pending_of(transaction, challenger[0])
            if len(pending) >= MOST_PENDING:
                raise TooManyChallenges(tuple([await invitation_of(transaction, row) for row in pending]))
            await people.meet(transaction, *challenger, now)
            if opponent is not None:
                await _require_welcome(transaction, challenger[0], opponent[0])
            challenge_id = await challenges.create(
                transaction,
                {
                    "guild_id": guild_id,
                    "channel_id": channel_id,
                    "challenger_id": challenger[0],
                    "opponent_id": None if opponent is None else opponent[0],
                    "rules": str(agreed),
                    "created_at": now,
                    "expires_at": now + EXPIRES_AFTER,
                    "interaction_id": interaction_id,
                },
            )
            return await self._told(transaction, challenge_id)

        invitation = await self._database.write(work)
        self._outbox.stir()
        return invitation

    async def accept(
        self, person: tuple[int, str], challenge_id: int, channel_id: int | None = None
    ) -> tuple[Invitation, MatchCard]:
        """Take an invitation up: the match begins at once. Of two who accept an open one, the first gets it.

        Args:
            person: the id and name of who accepts.
            challenge_id: the invitation.
            channel_id: where to play, if not where the invitation is.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is to somebody else, or one's own.
            ChannelBusy: another match runs in the channel.
        """
        settled: list[Invitation] = []

        async def work(transaction: Transaction) -> Board:
            row = await self._answerable(transaction, challenge_id, person[0])
            await people.meet(transaction, *person, self._clock())
            where = channel_id or row.channel_id
            players = [row.challenger_id, person[0]]
            board = await self._dealer.start(transaction, row.guild_id, where, Rules.parse(row.rules), players)
            await challenges.close(
                transaction, challenge_id, ChallengeStatus.ACCEPTED, opponent_id=person[0], match_id=board.row.id
            )
            settled.append(await self._told(transaction, challenge_id))
            return board

        board = await self._dealer.begin(work)
        return settled[-1], board.card

    async def decline(self, person_id: int, challenge_id: int) -> Invitation:
        """Turn down an invitation that is to oneself by name.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is to somebody else, to anyone, or one's own.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await self._answerable(transaction, challenge_id, person_id)
            if row.opponent_id is None:
                raise NotForYou(await invitation_of(transaction, row))
            return await self._close(transaction, row, ChallengeStatus.DECLINED)

        return await self._settle(work)

    async def withdraw(self, person_id: int, challenge_id: int) -> Invitation:
        """Take back an invitation of one's own.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is somebody else's.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await self._pending(transaction, challenge_id)
            if row.challenger_id != person_id:
                raise NotForYou(await invitation_of(transaction, row))
            return await self._close(transaction, row, ChallengeStatus.WITHDRAWN)

        return await self._settle(work)

    async def expire(self) -> None:
        """Close the invitations whose time is over."""
        now = self._clock()

        async def work(transaction: Transaction) -> None:
            for row in await challenges.overdue(transaction, now):
                await self._close(transaction, row, ChallengeStatus.EXPIRED)

        await self._database.write(work)
        self._outbox.stir()

    async def to_answer(self, person_id: int, guild_id: int) -> tuple[Invitation, ...]:
        """The invitations a person may accept in a server: those to them first, then those open to anyone."""
        return await self._invitations(lambda transaction: challenges.pending_for(transaction, person_id, guild_id))

    async def own(self, person_id: int) -> tuple[Invitation, ...]:
        """The invitations a person may withdraw."""
        return await self._invitations(lambda transaction: challenges.pending_of(transaction, person_id))

    async def _invitations(self, query: Callable[[Transaction], Any]) -> tuple[Invitation, ...]:
        async def work(transaction: Transaction) -> tuple[Invitation, ...]:
            return tuple([await invitation_of(transaction, row) for row in await query(transaction)])

        return await self._database.read(work)

    async def _pending(self, transaction: Transaction, challenge_id: int) -> ChallengeRow:
        row = await challenges.load(transaction, challenge_id)
        if row is None:
            raise NoInvitation
        if row.status is ChallengeStatus.PENDING and row.expires_at <= self._clock():
            row = replace(row, status=ChallengeStatus.EXPIRED)
        if row.status is not ChallengeStatus.PENDING:
            raise InvitationClosed(await invitation_of(transaction, row))
        return row

    async def _answerable(self, transaction: Transaction, challenge_id: int, person_id: int) -> ChallengeRow:
        row = await self._pending(transaction, challenge_id)
        if row.challenger_id == person_id or row.opponent_id not in (None, person_id):
            raise NotForYou(await invitation_of(transaction, row))
        return row

    async def _close(self, transaction: Transaction, row: ChallengeRow, status: ChallengeStatus) -> Invitation:
        await challenges.close(transaction, row.id, status)
        return await self._told(transaction, row.id)

    async def _settle(self, work: Callable[[Transaction], Any]) -> Invitation:
        invitation = await self._database.write(work)
        self._outbox.stir()
        return invitation

    async def _told(self, transaction: Transaction, challenge_id: int) -> Invitation:
        """The invitation after a change, which its message is to show."""
        row = await challenges.load(transaction, challenge_id)
        if row is None:
            raise NoInvitation
        want = {"kind": NoticeKind.CHALLENGE, "subject": row.id, "part": 0, "wanted": row.revision, "fresh": 0}
        await notices.want(transaction, [want | {"gone": False, "due_at": self._clock()}])
        return await invitation_of(transaction, row)


def _rules(text: str, target: int | None) -> Rules:
    """The rules of a challenge.

    Raises:
        UnknownRules: they cannot be played.
    """
    try:
        rules = Rules.parse(text)
        rules = rules if target is None else replace(rules, target=target)
        rules.require_playable()
    except GinError as error:
        raise UnknownRules(str(error)) from None
    return rules


async def _require_welcome(transaction: Transaction, challenger_id: int, opponent_id: int) -> None:
    row = await people.load(transaction, opponent_id)
    wanted = Challengers.ANYONE if row is None else Challengers(row.challengers)
    strangers = wanted is Challengers.PLAYED and not await people.met_before(transaction, challenger_id, opponent_id)
    if wanted is Challengers.NOBODY or strangers:
        raise NotWelcome(opponent_id)
