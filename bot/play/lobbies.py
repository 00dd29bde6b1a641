"""Invitations to more than two: places that fill and empty until the challenger starts the match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from bot.play.boards import Board
from bot.play.challenges import begin
from bot.play.dealer import Dealer
from bot.play.invitations import PAIRINGS, invitation_of, require_own, require_pending, require_welcome, revised, seated
from bot.play.outbox import Outbox
from bot.play.refusals import AlreadyIn, NoPlaceLeft, NotEnoughPlayers, NotForYou, NotWithYourself
from bot.play.values import Invitation, MatchCard
from bot.store import challenges
from bot.store.database import Transaction


class Lobbies:
    """What may be done in a lobby beside joining, declining and withdrawing, which are as in every challenge."""

    def __init__(self, dealer: Dealer, outbox: Outbox, clock: Callable[[], datetime]) -> None:
        self._dealer = dealer
        self._outbox = outbox
        self._clock = clock

    async def invite(self, person_id: int, challenge_id: int, named: Sequence[int]) -> Invitation:
        """Keep free places of one's own lobby for people by name.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is somebody else's.
            NotWithYourself: the challenger is among those named.
            AlreadyIn: one of them has joined before.
            NoPlaceLeft: there are not so many free places.
            NotWelcome: one of them takes no challenges from this person.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await require_own(transaction, challenge_id, person_id, self._clock())
            invitation = await invitation_of(transaction, row)
            if person_id in named:
                raise NotWithYourself
            if any(guest.joined and guest.person_id in named for guest in row.guests):
                raise AlreadyIn(invitation)
            new = {*named}.difference(guest.person_id for guest in row.guests)
            if len(new) > invitation.free:
                raise NoPlaceLeft(invitation)
            await require_welcome(transaction, person_id, new)
            for guest in dict.fromkeys(named):
                await challenges.seat(transaction, challenge_id, guest, joined=False)
            # Nobody hears of a message that is only edited: who is named now shall.
            return await revised(transaction, challenge_id, self._clock(), afresh=bool(new))

        return await self._outbox.write(work)

    async def leave(self, person_id: int, challenge_id: int) -> Invitation:
        """Leave a lobby that one has joined: the place is open to anyone.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: one has not joined it, or it is one's own.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await require_pending(transaction, challenge_id, self._clock())
            if not any(guest.joined and guest.person_id == person_id for guest in row.guests):
                raise NotForYou(await invitation_of(transaction, row))
            await challenges.unseat(transaction, challenge_id, person_id)
            return await revised(transaction, challenge_id, self._clock(), pairing=0)

        return await self._outbox.write(work)

    async def change_teams(self, person_id: int, challenge_id: int) -> Invitation:
        """Have the next of the three ways in which the four in one's own lobby may be partners.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is somebody else's.
            NotEnoughPlayers: not everybody is there, or the format has no teams.
        """

        async def work(transaction: Transaction) -> Invitation:
            row = await require_own(transaction, challenge_id, person_id, self._clock())
            invitation = await invitation_of(transaction, row)
            if not invitation.teams:
                raise NotEnoughPlayers(invitation)
            pairing = (row.pairing + 1) % len(PAIRINGS)
            return await revised(transaction, challenge_id, self._clock(), pairing=pairing)

        return await self._outbox.write(work)

    async def start(
        self, person_id: int, challenge_id: int, channel_id: int | None = None
    ) -> tuple[Invitation, MatchCard]:
        """Begin the match of one's own lobby with those who have joined; who was named and is not there is left out.

        Args:
            person_id: the challenger.
            challenge_id: the invitation.
            channel_id: where to play, if not where the invitation is.

        Raises:
            NoInvitation: there is none of that id.
            InvitationClosed: it was settled before.
            NotForYou: it is somebody else's.
            NotEnoughPlayers: more must join first.
            ChannelBusy: another match runs in the channel.
        """

        async def work(transaction: Transaction) -> tuple[Invitation, Board]:
            row = await require_own(transaction, challenge_id, person_id, self._clock())
            invitation = await invitation_of(transaction, row)
            if not invitation.can_start:
                raise NotEnoughPlayers(invitation)
            joined = [person_id, *(guest.person_id for guest in row.guests if guest.joined)]
            return await begin(transaction, self._dealer, row, channel_id, seated(joined, row.pairing))

        invitation, board = await self._outbox.write(work)
        self._dealer.dealt(board)
        return invitation, board.card
