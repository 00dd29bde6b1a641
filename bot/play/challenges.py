"""Invitations to play: made, answered, taken back, and expired. What is more in those to several is in `lobbies`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.play.boards import Board
from bot.play.dealer import Dealer
from bot.play.invitations import (
    invitation_by,
    invitation_of,
    require_own,
    require_pending,
    require_places,
    require_welcome,
    revised,
    told,
)
from bot.play.outbox import Outbox
from bot.play.refusals import (
    AlreadyIn,
    NoPlaceLeft,
    NotForYou,
    NotWithYourself,
    TooManyChallenges,
    WrongChannel,
)
from bot.play.rulebook import changed, kept_rules, read_offered, read_rules
from bot.play.values import ChallengeStatus, Invitation, MatchCard, Offer
from bot.store import challenges, guilds, people
from bot.store.database import Database, Transaction
from bot.store.rows import ChallengeRow, GuildRow

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
        named: Sequence[int],
        guild_id: int,
        channel_id: int,
        interaction_id: int,
        *,
        rules: str | None = None,
        target: int | None = None,
        parent_id: int | None = None,
        draft: bool = False,
    ) -> Invitation:
        """Invite people by name, or anyone, to a match.

        Args:
            challenger: the id and name of who invites.
            named: for whom places are kept; the others are open to anyone.
            guild_id: the server.
            channel_id: the channel of the invitation and the match.
            interaction_id: what caused it; the same one never invites twice.
            rules: the name of a preset or house rule, and options that differ from it; None for the server's default.
            target: the target score; None for the rules' own.
            parent_id: the channel that a thread belongs to; where one may play, one may in its threads too.
            draft: whether to keep it from going out yet; the challenger's other drafts are dropped then.

        Raises:
            WrongChannel: the server plays elsewhere.
            NotWithYourself: the challenger is among those named.
            UnknownRules: the rules cannot be played.
            NotOffered: the server does not offer them.
            TooManyNamed: the rules have no places for so many.
            TooManyChallenges: `MOST_PENDING` invitations of the challenger wait already.
            NotWelcome: somebody who was named takes no challenges from this person.
        """
        now = self._clock()
        guests = tuple(dict.fromkeys(named))

        async def work(transaction: Transaction) -> Invitation:
            made = await challenges.caused(transaction, interaction_id)
            if made is not None:
                return await invitation_of(transaction, made)
            guild = await guilds.load(transaction, guild_id)
            if guild.channels and not {channel_id, parent_id} & {*guild.channels}:
                raise WrongChannel(guild.channels)
            if challenger[0] in guests:
                raise NotWithYourself
            agreed = await _agreed(transaction, guild, rules, target)
            require_places(agreed.rules, guests)
            pending = await challenges.pending_of(transaction, challenger[0])
            if len(pending) >= MOST_PENDING:
                raise TooManyChallenges(tuple([await invitation_of(transaction, row) for row in pending]))
            await people.meet(transaction, *challenger, now)
            await require_welcome(transaction, challenger[0], guests)
            values = {
                "guild_id": guild_id,
                "channel_id": channel_id,
                "challenger_id": challenger[0],
                "system": agreed.name,
                "rules": str(agreed.rules),
                "created_at": now,
                "expires_at": now + EXPIRES_AFTER,
                "interaction_id": interaction_id,
                "status": ChallengeStatus.DRAFT if draft else ChallengeStatus.PENDING,
            }
            if draft:
                await challenges.drop_drafts(transaction, of=challenger[0])
                return await invitation_by(transaction, await challenges.create(transaction, values, guests))
            return await told(transaction, await challenges.create(transaction, values, guests), now)

        return await self._outbox.write(work)

    async def accept(
        self, person: tuple[int, str], challenge_id: int, channel_id: int | None = None
    ) -> tuple[Invitation, MatchCard | None]:
        """Take an invitation up: a match of two begins at once, a lobby has one more player in it.

        Of two who want the last place, the first gets it.

        Args:
            person: the id and name of who accepts.
            challenge_id: the invitation.
            channel_id: where to play, if not where the invitation is.

        Returns:
            The invitation, and the match that has begun; None where a lobby waits for its challenger.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is to somebody else, or one's own.
            AlreadyIn: the person has joined before.
            NoPlaceLeft: a lobby has no free place for this person.
            ChannelBusy: another match runs in the channel.
        """

        async def work(transaction: Transaction) -> tuple[Invitation, Board | None]:
            row, wanted = await self._answerable(transaction, challenge_id, person[0])
            await people.meet(transaction, *person, self._clock())
            await challenges.seat(transaction, challenge_id, person[0], joined=True)
            if wanted.is_lobby:
                return await revised(transaction, challenge_id, self._clock()), None
            return await begin(transaction, self._dealer, row, channel_id, [row.challenger_id, person[0]])

        invitation, board = await self._outbox.write(work)
        if board is None:
            return invitation, None
        self._dealer.dealt(board)
        return invitation, board.card

    async def by_id(self, challenge_id: int) -> Invitation:
        """An invitation, settled or not.

        Raises:
            NoInvitation: there is none of that id.
        """
        return await self._database.read(lambda transaction: invitation_by(transaction, challenge_id))

    async def answerable(self, person_id: int, challenge_id: int) -> Invitation:
        """An invitation that a person may take up.

        Raises:
            NoInvitation, InvitationClosed, NotForYou, AlreadyIn, NoPlaceLeft: they may not; see `accept`.
        """

        async def work(transaction: Transaction) -> Invitation:
            return (await self._answerable(transaction, challenge_id, person_id))[1]

        return await self._database.read(work)

    async def decline(self, person_id: int, challenge_id: int) -> Invitation:
        """Turn down an invitation that is to oneself by name; in a lobby the place is then open to anyone.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is to somebody else, to anyone, or one's own.
            AlreadyIn: the person has joined, and may leave.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await require_pending(transaction, challenge_id, self._clock())
            invitation = await invitation_of(transaction, row)
            if any(guest.person_id == person_id and guest.joined for guest in row.guests):
                raise AlreadyIn(invitation)
            if all(guest.person_id != person_id for guest in row.guests):
                raise NotForYou(invitation)
            if not invitation.is_lobby:
                return await revised(transaction, challenge_id, self._clock(), status=ChallengeStatus.DECLINED)
            await challenges.unseat(transaction, challenge_id, person_id)
            return await revised(transaction, challenge_id, self._clock())

        return await self._outbox.write(work)

    async def withdraw(self, person_id: int, challenge_id: int) -> Invitation:
        """Take back an invitation of one's own.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is somebody else's.
        """

        async def work(transaction: Transaction) -> Invitation:
            await require_own(transaction, challenge_id, person_id, self._clock())
            return await revised(transaction, challenge_id, self._clock(), status=ChallengeStatus.WITHDRAWN)

        return await self._outbox.write(work)

    async def expire(self) -> None:
        """Close the invitations whose time is over."""
        now = self._clock()

        async def work(transaction: Transaction) -> None:
            await challenges.drop_drafts(transaction, until=now)
            for row in await challenges.overdue(transaction, now):
                await revised(transaction, row.id, now, status=ChallengeStatus.EXPIRED)

        await self._outbox.write(work)

    async def to_answer(self, person_id: int, guild_id: int) -> tuple[Invitation, ...]:
        """The invitations a person may accept in a server: those to them first, then those with a place for anyone."""
        pending = await self._invitations(lambda transaction: challenges.pending_in(transaction, guild_id))
        named = [one for one in pending if any(player.id == person_id for player in one.named)]
        others = [one for one in pending if one.free and all(player.id != person_id for player in one.players)]
        return *named, *(one for one in others if one not in named)

    async def own(self, person_id: int) -> tuple[Invitation, ...]:
        """The invitations a person may withdraw."""
        return await self._invitations(lambda transaction: challenges.pending_of(transaction, person_id))

    async def joined(self, person_id: int) -> tuple[Invitation, ...]:
        """The invitations of others that a person may leave."""
        return await self._invitations(lambda transaction: challenges.joined_by(transaction, person_id))

    async def _invitations(self, query: Callable[[Transaction], Any]) -> tuple[Invitation, ...]:
        async def work(transaction: Transaction) -> tuple[Invitation, ...]:
            return tuple([await invitation_of(transaction, row) for row in await query(transaction)])

        return await self._database.read(work)

    async def _answerable(
        self, transaction: Transaction, challenge_id: int, person_id: int
    ) -> tuple[ChallengeRow, Invitation]:
        row = await require_pending(transaction, challenge_id, self._clock())
        invitation = await invitation_of(transaction, row)
        if row.challenger_id == person_id and invitation.is_lobby:
            raise AlreadyIn(invitation)
        if row.challenger_id == person_id:
            raise NotForYou(invitation)
        guest = next((guest for guest in row.guests if guest.person_id == person_id), None)
        if guest is not None and guest.joined:
            raise AlreadyIn(invitation)
        if guest is None and not invitation.free:
            raise NoPlaceLeft(invitation) if invitation.is_lobby else NotForYou(invitation)
        return row, invitation


async def begin(
    transaction: Transaction, dealer: Dealer, row: ChallengeRow, channel_id: int | None, players: Sequence[int]
) -> tuple[Invitation, Board]:
    """Begin the match of an invitation, with the players in the order of their seats, and settle it.

    Raises:
        ChannelBusy: another match runs in the channel.
    """
    where = channel_id or row.channel_id
    board = await dealer.start(transaction, row.guild_id, where, row.system, kept_rules(row.rules), players)
    await challenges.unseat_absent(transaction, row.id)
    accepted, match_id = ChallengeStatus.ACCEPTED, board.row.id
    return await revised(transaction, row.id, dealer.clock(), status=accepted, match_id=match_id), board


async def _agreed(transaction: Transaction, guild: GuildRow, rules: str | None, target: int | None) -> Offer:
    """The rules of a challenge: those asked for, or the server's with its target.

    Raises:
        UnknownRules: they cannot be played.
        NotOffered: the server does not offer them.
    """
    if rules:
        found = await read_offered(transaction, guild, rules)
    else:
        found, target = await read_rules(transaction, guild, guild.rules), target or guild.target
    return found if target is None else replace(found, rules=changed(found.rules, target=target))
