"""Early ends of matches, and new beginnings: resigning, claiming, cancelling, and the rematch."""

from __future__ import annotations

from bot.engine.moves import Seat
from bot.play import refusals
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, require_thawed
from bot.play.matches.match_writer import MatchService, MovedOn
from bot.play.outbox.changes import Change
from bot.play.outbox.offers import grant_pings
from bot.store import matches
from bot.store.database import shielded
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.values.matches import ABANDONED_AFTER, REMATCH_OPEN_FOR, MatchInfo, OwnHand, Proposal
from bot.values.people import Challengers


class Endings(MatchService):
    """Ends of matches, and what follows them.

    Every method may raise `NoMatch`, `NotSeated` or `Frozen`, those about running matches also `MatchOver`, besides
    what it names itself.
    """

    @shielded
    async def resign(self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId) -> OwnHand:
        """Resign a match: it ends, and the person who resigns loses, whatever the score.

        With two players the other wins, with partners the other team. With three or four players on their own there is
        no result for the others. If no deal was finished, the match counts in no standing.
        """
        try:
            async with self._units.write() as unit:
                loaded = await unit.load_running(match_id)
                seat = loaded.seat_of(person_id)
                loaded = await self._writer.resign(unit, loaded, seat, interaction_id)
                return loaded.hand(seat, unit.now)
        except (refusals.Refusal, MovedOn) as reason:
            return await self._answer_again(person_id, interaction_id, reason)

    @shielded
    async def claim(self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId) -> OwnHand:
        """End a match in which an opponent has kept the person waiting for `ABANDONED_AFTER`.

        It counts as the opponent's resignation; see `resign`. Each board is waited for separately, so a silent partner
        can only be claimed by the other team. Raise `NotYourTurn` or `TooSoon`.
        """
        try:
            async with self._units.write() as unit:
                loaded = await unit.load_running(match_id)
                seat = loaded.seat_of(person_id)
                hand, silent = loaded.hand(seat, unit.now), loaded.awaited_by(seat)
                if silent is None:
                    raise refusals.NotYourTurn(hand)
                if not hand.may_claim:
                    raise refusals.TooSoon(loaded.info, loaded.changed_at(silent)[1] + ABANDONED_AFTER)
                loaded = await self._writer.resign(unit, loaded, silent, interaction_id)
                return loaded.hand(seat, unit.now)
        except (refusals.Refusal, MovedOn) as reason:
            return await self._answer_again(person_id, interaction_id, reason)

    @shielded
    async def call_off(self, person_id: PersonId, match_id: MatchId, *, quiet: bool = False) -> OwnHand:
        """Agree to cancel a match. It is cancelled once all agree, or at once if the person may claim it.

        The others are notified, though not without limit, unless it is to be `quiet`.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            others = [other for other in loaded.row.seats if other.seat != seat and other.person is not None]
            all_agree = all(loaded.info.proposals[other.seat] is Proposal.CANCEL for other in others)
            if all_agree or loaded.hand(seat, unit.now).may_claim:
                loaded = await self._writer.cancel(unit, loaded)
            else:
                await matches.change_seats(unit.transaction, match_id, [seat], proposal=Proposal.CANCEL)
                asked = () if quiet else _asked(loaded.info, seat, Proposal.CANCEL)
                asks = frozenset(await grant_pings(unit, person_id, asked))
                loaded = await self._writer.revise(unit, loaded, Change(asks=asks))
            return loaded.hand(seat, unit.now)

    @shielded
    async def keep_playing(self, person_id: PersonId, match_id: MatchId) -> OwnHand:
        """Take back the person's own proposal to cancel a match, or decline that of others."""
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            await matches.change_seats(unit.transaction, match_id, proposal=None)
            return (await self._writer.revise(unit, loaded)).hand(seat, unit.now)

    @shielded
    async def cancel(self, match_id: MatchId, guild_id: GuildId) -> MatchInfo:
        """Cancel a match of a server on behalf of its managers."""
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            if loaded.info.guild_id != guild_id:
                raise refusals.NoMatch(here=False)
            return (await self._writer.cancel(unit, loaded)).info

    @shielded
    async def rematch(
        self,
        person_id: PersonId,
        match_id: MatchId,
        channel_id: ChannelId | None = None,
        parent_id: ChannelId | None = None,
    ) -> MatchInfo:
        """Agree to a rematch with the same rules and seats. It begins once all agree within `REMATCH_OPEN_FOR`.

        `channel_id` is where to play, if not in the same channel; `parent_id` is the channel that a thread belongs to,
        if they played or are to play in one. Return the new match, or the old one with what the players propose while
        somebody has not agreed. Raise `MatchRunning`, `RematchBegun`, `NotWelcome`, `WrongChannel` or `ChannelBusy`.
        """
        async with self._units.write() as unit:
            loaded, seat = await _load_ended(unit, match_id, person_id)
            match = loaded.info
            people = [other.person for other in loaded.row.seats if other.person is not None]
            if len(people) < len(match.players):
                raise refusals.NotSeated(match)
            await require_allowed_channel(unit, Place(match.guild_id, channel_id or match.channel_id, parent_id))
            lapsed = unit.now - match.moved_at >= REMATCH_OPEN_FOR
            if lapsed:
                await matches.change_seats(unit.transaction, match_id, proposal=None)
            for other, person in enumerate(people):
                proposes = match.proposals[other] is Proposal.REMATCH and not lapsed
                refuses = person.preferences.challengers is Challengers.NOBODY
                if other != seat and refuses and not proposes:
                    raise refusals.NotWelcome(person.id)
            await matches.change_seats(unit.transaction, match_id, [seat], proposal=Proposal.REMATCH)
            asks = frozenset(await grant_pings(unit, person_id, _asked(match, seat, Proposal.REMATCH, lapsed=lapsed)))
            loaded = await self._writer.revise(unit, loaded, Change(asks=asks), moved_at=unit.now)
            if loaded.asked:
                return loaded.info
            return (await self._writer.start(unit, match, match.players, channel_id)).info

    @shielded
    async def withdraw_rematch(self, person_id: PersonId, match_id: MatchId) -> MatchInfo:
        """Take back the person's proposal of a rematch. Raise `MatchRunning` or `RematchBegun`."""
        async with self._units.write() as unit:
            loaded, seat = await _load_ended(unit, match_id, person_id)
            await matches.change_seats(unit.transaction, match_id, [seat], proposal=None)
            return (await self._writer.revise(unit, loaded)).info


def _asked(match: MatchInfo, seat: Seat, proposal: Proposal, *, lapsed: bool = False) -> list[PersonId]:
    """Return who has yet to agree to what a seat proposes; all others if earlier proposals have lapsed."""
    others = [
        (player.id, agreed is proposal and not lapsed)
        for player, agreed in zip(match.players, match.proposals, strict=True)
    ]
    return [person_id for other, (person_id, agrees) in enumerate(others) if other != seat and person_id and not agrees]


async def _load_ended(unit: UnitOfWork, match_id: MatchId, person_id: PersonId) -> tuple[LoadedMatch, Seat]:
    """Return a match that is over and without a rematch yet, but may change, and a person's seat in it."""
    loaded = await unit.load(match_id)
    seat = loaded.seat_of(person_id)
    if loaded.running:
        raise refusals.MatchRunning(loaded.info)
    if all(proposal is Proposal.REMATCH for proposal in loaded.info.proposals):
        raise refusals.RematchBegun(loaded.info)
    return require_thawed(loaded), seat
