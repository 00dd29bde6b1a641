"""Lobbies: challenges for three or more players, who join and leave until the challenger starts the match."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.challenges import PAIRINGS, Challenge
from bot.model.ids import ChallengeId, ChannelId, PersonId
from bot.model.matches import MatchInfo
from bot.model.people import Person
from bot.opponent.play.levels import Level
from bot.play import refusals
from bot.play.challenges import steps
from bot.play.challenges.steps import Opening
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.play.matches.standing_offers import lock_offers, standing_offers
from bot.play.matches.welcome import require_welcome
from bot.store import challenges


class Lobbies(MatchService):
    """Changes lobbies. Joining, declining and withdrawing are in `Challenges`.

    Every method can raise `NoChallenge`, `ChallengeClosed` or `NotForYou`, in addition to the errors that its own
    docstring names.
    """

    @shielded
    async def invite(
        self,
        person_id: PersonId,
        challenge_id: ChallengeId,
        named: Sequence[PersonId],
        *,
        known_digest: str | None = None,
    ) -> Challenge:
        """Reserve free places in the person's own lobby for named people.

        `known_digest` is the `StandingOffers.digest` of the offers that the person has seen. Raise `NotWithYourself`,
        `AlreadyIn`, `NoPlaceLeft`, `AlreadyOffered`, `Blocked` or `NotWelcome`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if person_id in named:
                raise refusals.NotWithYourself
            if not {*named}.isdisjoint(challenge.joined_ids):
                raise refusals.AlreadyIn(challenge)
            newly_named = {*named}.difference(challenge.named_ids)
            if len(newly_named) > challenge.open_places:
                raise refusals.NoPlaceLeft(challenge)
            await lock_offers(unit, challenge.guild_id, person_id, named)
            offers = await standing_offers(unit, challenge.guild_id, person_id, newly_named)
            if offers and offers.digest != known_digest:
                raise refusals.AlreadyOffered(offers, None, offers.digest)
            await require_welcome(unit, person_id, newly_named)
            for guest in dict.fromkeys(named):
                await challenges.save_guest(unit.transaction, challenge_id, guest, joined=False)
            # Discord pings people for a new post, not for an edit. Only the newly named people should be pinged.
            await steps.count_pings(unit, challenge_id, person_id, newly_named)
            return await steps.save(unit, challenge, repost=bool(newly_named))

    @shielded
    async def add_computer(self, person_id: PersonId, challenge_id: ChallengeId, level: Level) -> Challenge:
        """Fill a free place of the person's own lobby with a computer, which makes the match casual.

        Raise `NoPlaceLeft`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if not challenge.open_places:
                raise refusals.NoPlaceLeft(challenge)
            return await steps.save(unit, challenge, computers=(*challenge.computers, level))

    @shielded
    async def remove_computer(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Remove the last computer from the person's own lobby, if there is one."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            return await steps.save(unit, challenge, computers=challenge.computers[:-1], pairing=0)

    @shielded
    async def leave(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Leave a lobby. The place becomes open to anyone."""
        async with self._units.write() as unit:
            challenge = await steps.load(unit, challenge_id)
            if person_id not in challenge.joined_ids:
                raise refusals.NotForYou(challenge)
            return await steps.give_up_place(unit, challenge, person_id)

    @shielded
    async def change_teams(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Change to the next of the three ways to pair the four players in the person's own lobby.

        Raise `NoTeams` or `NotEnoughPlayers`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if not challenge.has_teams:
                raise refusals.NoTeams(challenge)
            if not challenge.teams:
                raise refusals.NotEnoughPlayers(challenge)
            return await steps.save(unit, challenge, pairing=(challenge.pairing + 1) % len(PAIRINGS))

    async def opening(self, person: Person, challenge_id: ChallengeId) -> Opening:
        """Return the person's own lobby. Raise `NoChallenge`, `ChallengeClosed` or `NotForYou`."""
        async with self._units.read() as unit:
            return await steps.opening(unit, await steps.load_own(unit, challenge_id, person.id), person)

    @shielded
    async def start(
        self, person_id: PersonId, challenge_id: ChallengeId, thread_id: ChannelId | None = None
    ) -> tuple[Challenge, MatchInfo]:
        """Begin the match of the person's own lobby with the players who have joined.

        `thread_id` is the thread to play in, if it is not the challenge's channel. Raise `NotEnoughPlayers` or
        `ChannelBusy`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if not challenge.can_start:
                raise refusals.NotEnoughPlayers(challenge)
            return await steps.begin_match(unit, self._writer, challenge, challenge.seated_players, thread_id)
