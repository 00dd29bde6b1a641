"""Lobbies: challenges for more than two, whose places fill and empty until the challenger starts the match."""

from __future__ import annotations

from collections.abc import Sequence

from bot.opponent.levels import Level
from bot.play import refusals
from bot.play.challenges import steps
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.play.matches.standing_offers import lock_offers, standing_offers
from bot.store import chains, challenges, player_words
from bot.values.challenges import PAIRINGS, Challenge
from bot.values.ids import ChallengeId, ChannelId, PersonId
from bot.values.matches import MatchInfo


class Lobbies(MatchService):
    """Changes of a lobby, besides joining, declining and withdrawing, which every challenge has.

    Every method may raise `NoChallenge`, `ChallengeClosed` or `NotForYou`, besides what it names itself.
    """

    @shielded
    async def invite(
        self, person_id: PersonId, challenge_id: ChallengeId, named: Sequence[PersonId], *, known: str | None = None
    ) -> Challenge:
        """Keep free places of the person's own lobby for others by name.

        `known` is the mark of the standing offers that the person knows. Raise `NotWithYourself`, `AlreadyIn`,
        `NoPlaceLeft`, `AlreadyOffered` or `NotWelcome`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if person_id in named:
                raise refusals.NotWithYourself
            if not {*named}.isdisjoint(challenge.joined_ids):
                raise refusals.AlreadyIn(challenge)
            new = {*named}.difference(challenge.named_ids)
            if len(new) > challenge.free:
                raise refusals.NoPlaceLeft(challenge)
            await lock_offers(unit, challenge.guild_id, person_id, named)
            offers = await standing_offers(unit, challenge.guild_id, person_id, new)
            if offers and offers.mark != known:
                raise refusals.AlreadyOffered(offers, None, offers.mark)
            await steps.require_welcome(unit, person_id, new)
            for guest in dict.fromkeys(named):
                await challenges.save_guest(unit.transaction, challenge_id, guest, joined=False)
            # An edit notifies nobody, a new post does: those who are new to it.
            await steps.count_pings(unit, challenge_id, person_id, new)
            return await steps.save(unit, challenge, repost=bool(new))

    @shielded
    async def add_computer(self, person_id: PersonId, challenge_id: ChallengeId, level: Level) -> Challenge:
        """Give a free place of the person's own lobby to a computer, so that it is casual. Raise `NoPlaceLeft`."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if not challenge.free:
                raise refusals.NoPlaceLeft(challenge)
            return await steps.save(unit, challenge, computers=(*challenge.computers, level))

    @shielded
    async def remove_computer(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Take the last computer out of the person's own lobby, if there is one."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            return await steps.save(unit, challenge, computers=challenge.computers[:-1], pairing=0)

    @shielded
    async def leave(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Leave a lobby. The place is then open to anyone."""
        async with self._units.write() as unit:
            challenge = await steps.load(unit, challenge_id)
            if person_id not in challenge.joined_ids:
                raise refusals.NotForYou(challenge)
            await challenges.remove_guest(unit.transaction, challenge_id, person_id)
            chain = await chains.of_challenge(unit.transaction, challenge_id)
            if chain is not None:
                await player_words.remove(unit.transaction, chain.id, person_id)
            return await steps.save(unit, challenge, pairing=0)

    @shielded
    async def change_teams(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Let the four in the person's own lobby be partners in the next of three ways.

        Raise `NoTeams` or `NotEnoughPlayers`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if not challenge.has_teams:
                raise refusals.NoTeams(challenge)
            if not challenge.teams:
                raise refusals.NotEnoughPlayers(challenge)
            return await steps.save(unit, challenge, pairing=(challenge.pairing + 1) % len(PAIRINGS))

    @shielded
    async def start(
        self, person_id: PersonId, challenge_id: ChallengeId, channel_id: ChannelId | None = None
    ) -> tuple[Challenge, MatchInfo]:
        """Begin the match of the person's own lobby with those who have joined.

        `channel_id` is where to play, if not in the challenge's channel. Raise `NotEnoughPlayers` or `ChannelBusy`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            if not challenge.can_start:
                raise refusals.NotEnoughPlayers(challenge)
            return await steps.begin_match(unit, self._writer, challenge, challenge.seated, channel_id)
