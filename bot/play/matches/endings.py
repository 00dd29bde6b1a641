"""Early ends of matches, and rematches: resigning, claiming, cancelling, and playing again."""

from __future__ import annotations

from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import Chain
from bot.model.guilds import Place
from bot.model.ids import ChainId, ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.model.matches import REMATCH_TIMEOUT, MatchInfo, MatchStatus, OwnHand, Proposal
from bot.model.offers import StandingOffers
from bot.model.people import Challengers
from bot.model.presence import Presence
from bot.play import commitments, refusals
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import UnitOfWork, require_not_frozen, shielded
from bot.play.matches.absences import restart_time, stop_time
from bot.play.matches.damaged import call_off_damaged
from bot.play.matches.losing import lose_on_time
from bot.play.matches.match_writer import MatchChanged, MatchService
from bot.play.matches.members import UNKNOWN, Members, Whereabouts, ask_whereabouts
from bot.play.matches.practice import require_fewer_practice_matches
from bot.play.matches.proposals import decline, propose
from bot.play.matches.standing_offers import save_rematch_draft, standing_offers
from bot.play.matches.welcome import require_unblocked
from bot.play.outbox.changes import Change, enqueue_card
from bot.store import chains, matches, people
from bot.store.chains import ChainRow
from bot.store.rows import MatchRow


class Endings(MatchService):
    """Ends matches early, and begins rematches.

    A paused match can also be resigned or called off. Every method can raise `NoMatch`, `NotSeated` or `Frozen`, in
    addition to the errors that its own docstring names. Methods that need a running match can also raise `MatchOver`,
    and `Vacant` if the caller is a player and not a manager.
    """

    @shielded
    async def resign(self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId) -> OwnHand:
        """Resign a match: it ends, and the person who resigns loses, whatever the score.

        With two players, the opponent wins; with partners, the other team. With three or four single players, the
        others get no result. If no deal was finished, the match does not count in the standings. Raise `NotInDaily`.
        """
        try:
            async with self._units.write() as unit:
                loaded = await unit.load_running(match_id)
                seat = loaded.seat_of(person_id)
                if loaded.info.day is not None:
                    raise refusals.NotInDaily(loaded.info)
                loaded = await self._writer.forfeit(unit, loaded, seat, interaction_id=interaction_id, by=seat)
                return loaded.hand(seat, unit.now)
        except (refusals.Refusal, MatchChanged) as reason:
            return await self._hand_after_retry(person_id, interaction_id, reason)

    @shielded
    async def claim(
        self,
        person_id: PersonId,
        match_id: MatchId,
        interaction_id: InteractionId,
        members: Members | None = None,
    ) -> OwnHand:
        """Claim a match: if the opponent that the person waits for has no time left, this opponent loses on time.

        The consequences are as in `lose_on_time` and, if the match ends, as in `resign`. If the opponent cannot reach
        the table, stop the opponent's clock instead, and raise `TooSoon`. `members` asks Discord where the players are;
        None if Discord cannot be asked. Raise `NotYourTurn`, `TooSoon`, or `Stale` if the opponent has just moved.
        """
        try:
            whereabouts, time_left = await self._ask_whereabouts(person_id, match_id, members), None
            async with self._units.write() as unit:
                loaded = await unit.load_running(match_id)
                seat = loaded.seat_of(person_id)
                hand, awaited = loaded.hand(seat, unit.now), loaded.awaited_by(seat)
                if awaited is None:
                    raise refusals.NotYourTurn(hand)
                if not hand.may_claim:
                    raise refusals.TooSoon(loaded.info, loaded.time_left(awaited, unit.now))
                if self._units.is_about_to_move(loaded.info.players[awaited].id):
                    # The opponent's move arrived before the claim was decided, so it counts.
                    raise MatchChanged(match_id)
                if whereabouts.of(loaded.info.players[awaited].id) is Presence.SHUT_OUT:
                    loaded = await stop_time(unit, self._writer, loaded, awaited)
                    time_left = loaded.time_left(awaited, unit.now)
                else:
                    loaded = await lose_on_time(
                        unit, self._writer, loaded, awaited, whereabouts, interaction_id, by=seat
                    )
                    return loaded.hand(seat, unit.now)
            raise refusals.TooSoon(loaded.info, time_left)
        except (refusals.Refusal, MatchChanged) as reason:
            return await self._hand_after_retry(person_id, interaction_id, reason)

    @shielded
    async def call_off(
        self,
        person_id: PersonId,
        match_id: MatchId,
        members: Members | None = None,
        *,
        quiet: bool = False,
        is_answer: bool = False,
    ) -> OwnHand:
        """Agree to cancel a match. It is cancelled when all agree, or immediately if the person may call it off alone.

        The first proposal notifies the other players, within a rate limit, unless `quiet` is True. With `is_answer`,
        only agree to an existing proposal: raise `NoOffer` if it no longer exists. `members` asks Discord where the
        other players are; None if Discord cannot be asked. If the person could only have ended the match because a
        player could not reach the table, and this player is back, then the player's clock runs again, and nothing is
        proposed: raise `BackAtTable`.
        """
        whereabouts = await self._ask_whereabouts(person_id, match_id, members)
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            if is_answer and not loaded.info.seats_proposing(Proposal.CANCEL):
                raise refusals.NoOffer(loaded.info)
            may_end_alone = loaded.may_call_off(seat, unit.now)
            returned = [
                other
                for other in loaded.unreachable(unit.now)
                if other != seat and whereabouts.of(loaded.info.players[other].id) is Presence.REACHABLE
            ]
            for other in returned:
                loaded = await restart_time(unit, self._writer, loaded, other)
            if may_end_alone and returned and not loaded.may_call_off(seat, unit.now):
                hand = loaded.hand(seat, unit.now)
            else:
                awaited = [loaded.awaited_by(seat), *loaded.unreachable(unit.now)]
                people = [loaded.info.players[other].id for other in awaited if other is not None and other != seat]
                is_alone = may_end_alone and not any(self._units.is_about_to_move(person) for person in people)
                loaded = await propose(unit, self._writer, loaded, seat, Proposal.CANCEL, quiet=quiet or is_alone)
                if is_alone or not loaded.seats_to_answer:
                    loaded = await self._writer.cancel(unit, loaded, by=seat)
                return loaded.hand(seat, unit.now)
        raise refusals.BackAtTable(hand)

    async def _ask_whereabouts(self, person_id: PersonId, match_id: MatchId, members: Members | None) -> Whereabouts:
        """Ask Discord where the awaited players are, if their absence would allow the person to end the match alone."""
        if members is None:
            return UNKNOWN
        async with self._units.read() as unit:
            loaded = await unit.load(match_id)
            seat = loaded.seat_of(person_id)
            hand, unreachable = loaded.hand(seat, unit.now), loaded.unreachable(unit.now)
        awaited = [] if hand.awaited_seat is None or not hand.may_claim else [hand.awaited_seat]
        seats = {*awaited, *unreachable} - {seat}
        return await ask_whereabouts(members, loaded.info, seats) if seats else UNKNOWN

    @shielded
    async def decline(self, person_id: PersonId, match_id: MatchId, *, in_own_message: bool = False) -> OwnHand:
        """Withdraw the person's proposal in a running match, or decline the proposal of others.

        With `in_own_message`, the person clicked in their own hand message, which the answer updates.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            loaded = await decline(unit, self._writer, loaded, seat, in_own_message=in_own_message)
            return loaded.hand(seat, unit.now)

    @shielded
    async def cancel(self, match_id: MatchId, guild_id: GuildId, manager_id: PersonId) -> MatchInfo:
        """Cancel a match of a server for one of its managers, who may be playing in it."""
        async with self._units.write() as unit:
            row = await matches.load(unit.transaction, match_id)
            if row is None or row.info.guild_id != guild_id:
                raise refusals.NoMatch(in_channel=False)
            try:
                loaded = await unit.load_running(match_id, even_vacant=True)
            except UnreadableMatchError:
                return await _end_damaged(unit, row)
            return (await self._writer.cancel(unit, loaded, by=loaded.info.seat_of(manager_id))).info

    @shielded
    async def call_off_damaged(self, person_id: PersonId, match_id: MatchId) -> MatchInfo:
        """Call off an unreadable match for one of its players. Raise `NoOffer` if it is readable."""
        async with self._units.write() as unit:
            row = await matches.load(unit.transaction, match_id)
            if row is None:
                raise refusals.NoMatch(in_channel=False)
            if row.info.seat_of(person_id) is None:
                raise refusals.NotSeated(row.info)
            try:
                loaded = await unit.load(match_id)
            except UnreadableMatchError:
                return await _end_damaged(unit, row)
            raise refusals.NoOffer(loaded.info)

    @shielded
    async def rematch(
        self,
        person_id: PersonId,
        match_id: MatchId,
        thread_id: ChannelId | None = None,
        parent_id: ChannelId | None = None,
        *,
        words: str | None = None,
        known_digest: str | None = None,
    ) -> MatchInfo:
        """Agree to a rematch with the same rules and seats. It begins when all agree within `REMATCH_TIMEOUT`.

        The first proposal notifies the other players, within a rate limit. `thread_id` is a new thread to play in, or
        None; `parent_id` is the parent channel if the match is played in a thread. `words` are added to
        the shuffles of the new match. `known_digest` is the `StandingOffers.digest` of the offers that the person has
        seen. Return the new match, or the old one with its proposals until all have agreed. Raise `MatchRunning`,
        `RematchBegun`, `AlreadyOffered`, `Blocked`, `NotWelcome`, `WrongChannel`, `ChannelBusy`, `TooMuchPractice` or
        `InvalidWords`.
        """
        own_words = None if words is None else commitments.read_words(words)
        new_chain = await commitments.draw_chain()
        async with self._units.write() as unit:
            loaded, seat = await _load_ended(unit, match_id, person_id)
            match = loaded.info
            seated = [(other.seat, other.person) for other in loaded.row.seats if other.person is not None]
            if not match.has_known_players:
                raise refusals.NotSeated(match)
            if (place := match.place) is not None:
                new_place = Place(place.guild_id, thread_id or place.channel_id, parent_id)
                await require_allowed_channel(unit, new_place)
            lapsed = unit.now - match.moved_at >= REMATCH_TIMEOUT
            agreeing = [] if lapsed else match.seats_proposing(Proposal.REMATCH)
            others = [(other, person) for other, person in seated if other != seat]
            other_ids = [person.id for _, person in others]
            people.touch(unit.transaction, [person_id, *other_ids])
            offers = StandingOffers()
            if match.guild_id is not None and not agreeing:
                offers = await standing_offers(unit, match.guild_id, person_id, other_ids)
            if not offers or offers.digest == known_digest:
                await require_unblocked(unit, person_id, other_ids)
                for other, person in others:
                    if other not in agreeing and person.preferences.challengers is Challengers.NOBODY:
                        raise refusals.NotWelcome(person.id)
                chain = await self._commit_rematch(unit, new_chain, loaded)
                if own_words is not None:
                    await commitments.save_first_words(unit, chain, person_id, own_words)
                proposed = Proposal.REMATCH
                loaded = await propose(unit, self._writer, loaded, seat, proposed, has_lapsed=lapsed, moved_at=unit.now)
                if loaded.seats_to_answer:
                    return loaded.info
                if match.is_practice:
                    await require_fewer_practice_matches(unit, person_id)
                card_channel_id = match.card_channel_id if thread_id is None else match.channel_id
                loaded = await self._writer.start(
                    unit, match.terms, match.players, thread_id, chain=chain, card_channel_id=card_channel_id
                )
                if card_channel_id is not None:
                    enqueue_card(unit, loaded.info)
                return loaded.info
            draft = None
            if own_words is not None:
                draft = await save_rematch_draft(unit, match, person_id, other_ids, new_chain, own_words)
        raise refusals.AlreadyOffered(offers, draft, offers.digest)

    @shielded
    async def commit_rematch(self, person_id: PersonId, match_id: MatchId) -> ChainId | None:
        """Post the commitment of a rematch in advance, if the person's only opponents are computers.

        Such a rematch begins as soon as the person agrees. Return the id of the hash chain if the caller should wait
        until the commitment is posted, else None.
        """
        new_chain = await commitments.draw_chain()
        async with self._units.write() as unit:
            loaded, seat = await _load_ended(unit, match_id, person_id)
            if not loaded.info.is_alone(seat) or not loaded.info.can_have_rematch:
                return None
            chain = await self._commit_rematch(unit, new_chain, loaded)
            return None if chain.is_posted else chain.id

    async def _commit_rematch(self, unit: UnitOfWork, new_chain: Chain, loaded: LoadedMatch) -> ChainRow:
        """Return the hash chain already committed for a rematch. If there is none, commit and return `new_chain`."""
        await matches.lock_matches(unit.transaction, [loaded.info.id])
        chain = await chains.of_rematch(unit.transaction, loaded.info.id)
        if chain is None:
            chain = await commitments.commit(unit, new_chain, loaded.info.guild_id, rematch_of=loaded.info.id)
        return chain

    @shielded
    async def withdraw_rematch(self, person_id: PersonId, match_id: MatchId) -> MatchInfo:
        """Withdraw the person's proposal of a rematch. Raise `MatchRunning` or `RematchBegun`."""
        async with self._units.write() as unit:
            loaded, seat = await _load_ended(unit, match_id, person_id)
            if seat in loaded.info.seats_proposing(Proposal.REMATCH):
                matches.change_some_seats(unit.transaction, match_id, [seat], proposal=None)
            return (await self._writer.revise(unit, loaded, Change(asked_people=frozenset()))).info

    @shielded
    async def decline_rematch(self, person_id: PersonId, match_id: MatchId) -> OwnHand:
        """Decline the rematch that others propose, or withdraw the person's own proposal.

        Raise `MatchRunning` or `RematchBegun`.
        """
        async with self._units.write() as unit:
            loaded, seat = await _load_ended(unit, match_id, person_id)
            return (await decline(unit, self._writer, loaded, seat)).hand(seat, unit.now)


async def _end_damaged(unit: UnitOfWork, row: MatchRow) -> MatchInfo:
    """Call off an unreadable match. Raise `MatchOver` if it is over."""
    if row.info.status is not MatchStatus.RUNNING:
        raise refusals.MatchOver(row.info)
    return await call_off_damaged(unit, row)


async def _load_ended(unit: UnitOfWork, match_id: MatchId, person_id: PersonId) -> tuple[LoadedMatch, Seat]:
    """Return a finished match that has no rematch yet, and a person's seat.

    Raise `NoMatch`, `NotSeated`, `MatchRunning`, `RematchBegun` or `Frozen`.
    """
    loaded = await unit.load(match_id)
    seat = loaded.seat_of(person_id)
    if loaded.is_running:
        raise refusals.MatchRunning(loaded.info)
    if loaded.info.has_rematch:
        raise refusals.RematchBegun(loaded.info)
    return require_not_frozen(loaded), seat
