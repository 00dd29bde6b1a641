"""Challenges: issuing, accepting, declining, withdrawing and expiring them.

`lobbies` has the methods that only lobbies need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.model.challenges import CHALLENGE_LIFETIME, Challenge, ChallengeStatus
from bot.model.guilds import Place
from bot.model.ids import ChallengeId, ChannelId, GuildId, InteractionId, PersonId
from bot.model.matches import MatchInfo
from bot.model.people import Person
from bot.model.statistics import Player
from bot.play import commitments, refusals
from bot.play.challenges import steps
from bot.play.challenges.steps import Opening
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.guilds.rulebook import agreed_rules
from bot.play.loading.batches import in_batches
from bot.play.loading.leftovers import remove_leftovers
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService
from bot.play.matches.standing_offers import lock_offers, standing_offers
from bot.play.matches.welcome import require_unblocked, require_welcome
from bot.play.outbox.changes import enqueue_challenge, enqueue_commitment
from bot.play.outbox.offers import old_pings
from bot.store import blocks, chains, challenges, guilds, people
from bot.store.database import Lane

EXPIRED_PER_TRANSACTION: Final = 25
"""Maximum number of challenges that one transaction closes."""


class Challenges(MatchService):
    """The challenges of all servers."""

    @shielded
    async def issue(
        self,
        challenger: Person,
        named: Sequence[PersonId],
        place: Place,
        interaction_id: InteractionId,
        *,
        rules: str | None = None,
        target: int | None = None,
        exact_players: int | None = None,
        casual: bool = False,
        clock: str | None = None,
        draft: bool = False,
        words: str | None = None,
    ) -> Challenge:
        """Challenge named people, or anyone. The call is idempotent: one interaction makes one challenge.

        If a named person has already made the challenger an offer on this server, keep the challenge as a draft for
        `Drafts.send`, and raise `AlreadyOffered`. Raise `WrongChannel`, `NotWithYourself`, `UnknownRules`,
        `NotOffered`, `WrongNumber`, `TooManyNamed`, `UnknownClock`, `TooManyChallenges`, `Blocked`, `NotWelcome` or
        `InvalidWords`.

        Args:
            challenger: the challenging person.
            named: the people with reserved places; the other places are open to anyone.
            place: the channel of the challenge and the match.
            interaction_id: the interaction that causes the challenge.
            rules: the name of a preset or house rule, and options that differ; None for the server's default.
            target: the target score; None for the rules' own.
            exact_players: the required number of players; None for any number that the rules allow.
            casual: True if the match should not count in the standings.
            clock: the clock as a text; None for the server's default.
            draft: True to keep the challenge as a draft. It replaces the challenger's earlier drafts.
            words: the words that the challenger adds to the shuffles.
        """
        guests = tuple(dict.fromkeys(named))
        own_words = None if words is None else commitments.read_words(words)
        new_chain = await commitments.draw_chain()
        async with self._units.write() as unit:
            await lock_offers(unit, place.guild_id, challenger.id, guests)
            offers = await standing_offers(unit, place.guild_id, challenger.id, () if draft else guests)
            earlier = await challenges.by_interaction(unit.transaction, interaction_id)
            if earlier is not None:
                if earlier.status is ChallengeStatus.DRAFT and not draft:
                    raise refusals.AlreadyOffered(offers, earlier, offers.digest)
                return earlier
            await require_allowed_channel(unit, place)
            if challenger.id in guests:
                raise refusals.NotWithYourself
            agreed = await agreed_rules(unit.transaction, place.guild_id, rules, target)
            if exact_players is not None:
                await steps.require_player_count(unit, place.guild_id, agreed.rules, exact_players)
            steps.require_places(agreed.rules, len(guests), exact_players)
            default_clock = (await guilds.load(unit.transaction, place.guild_id)).settings.clock
            people.save_name(unit.transaction, challenger, unit.now)
            if not offers:
                await steps.require_fewer_pending(unit, challenger.id)
                await require_welcome(unit, challenger.id, guests)
            is_draft = draft or bool(offers)
            if is_draft:
                await challenges.remove_drafts(unit.transaction, challenger.id)
            values = {
                "guild_id": place.guild_id,
                "channel_id": place.channel_id,
                "challenger_id": challenger.id,
                "ruleset": agreed.name,
                "rules": agreed.rules,
                "exact_players": exact_players,
                "casual": casual,
                "clock": default_clock if clock is None else steps.read_clock(clock),
                "created_at": unit.now,
                "expires_at": unit.now + CHALLENGE_LIFETIME,
                "interaction_id": interaction_id,
                "status": ChallengeStatus.DRAFT if is_draft else ChallengeStatus.PENDING,
            }
            challenge_id = await challenges.create(unit.transaction, values, guests)
            assert challenge_id is not None
            if not is_draft:
                await steps.count_pings(unit, challenge_id, challenger.id, guests)
            chain = await chains.create(unit.transaction, new_chain, unit.now, challenge_id=challenge_id)
            if own_words is not None:
                await commitments.save_first_words(unit, chain, challenger.id, own_words)
            challenge = await challenges.by_interaction(unit.transaction, interaction_id)
            assert challenge is not None
            if not is_draft:
                enqueue_challenge(unit, challenge)
                enqueue_commitment(unit, chain.id, place.guild_id, after_challenge=True)
        if offers:
            raise refusals.AlreadyOffered(offers, challenge, offers.digest)
        return challenge

    @shielded
    async def accept(
        self,
        person: Person,
        challenge_id: ChallengeId,
        thread_id: ChannelId | None = None,
        *,
        words: str | None = None,
    ) -> tuple[Challenge, MatchInfo | None]:
        """Accept a challenge. If two people want the last place, the first one gets it.

        The match of a two-player challenge begins immediately. In a lobby, the person joins, the challenger is notified
        if the match can begin, and the returned match is None. `thread_id` is the thread to play in, if it is not the
        challenge's channel. `words` are added to the shuffles. Raise `NoChallenge`, `ChallengeClosed`, `NotForYou`,
        `AlreadyIn`, `NoPlaceLeft`, `Blocked`, `NotWelcome`, `ChannelBusy`, `InvalidWords` or, with words,
        `NotCommitted`.
        """
        own_words = None if words is None else commitments.read_words(words)
        async with self._units.write() as unit:
            challenge = await _load_open_to(unit, challenge_id, person.id)
            person_ids = [person_id for person_id in (challenge.challenger.id, person.id) if person_id is not None]
            people.touch(unit.transaction, person_ids)
            people.save_name(unit.transaction, person, unit.now)
            await challenges.save_guest(unit.transaction, challenge_id, person.id, joined=True)
            if own_words is not None:
                chain = await steps.load_chain(unit, challenge)
                await commitments.save_first_words(unit, chain, person.id, own_words)
            if challenge.is_lobby:
                return await steps.save_joined(unit, challenge, person.id), None
            players = [challenge.challenger, Player.of(person)]
            return await steps.begin_match(unit, self._writer, challenge, players, thread_id)

    @shielded
    async def decline(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Decline a challenge that names the person. In a lobby, their place becomes open to anyone.

        Raise `NoChallenge`, `ChallengeClosed`, `NotForYou` or `AlreadyIn`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load(unit, challenge_id)
            if person_id in challenge.joined_ids:
                raise refusals.AlreadyIn(challenge)
            if person_id not in challenge.named_ids:
                raise refusals.NotForYou(challenge)
            if not challenge.is_lobby:
                return await steps.save(unit, challenge, status=ChallengeStatus.DECLINED)
            return await steps.give_up_place(unit, challenge, person_id)

    @shielded
    async def withdraw(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Withdraw the person's own challenge. Raise `NoChallenge`, `ChallengeClosed` or `NotForYou`."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id)
            return await steps.save(unit, challenge, status=ChallengeStatus.WITHDRAWN)

    async def expire(self) -> None:
        """Close expired challenges, and delete old challenges, unused commitments and records of old pings."""
        await in_batches(self._expire_some)
        await remove_leftovers(
            self._units,
            old_pings,
            lambda at: chains.messages_of_unneeded(at - commitments.UNUSED_LIFETIME),
            lambda at: chains.unneeded(at - commitments.UNUSED_LIFETIME),
            challenges.expired_drafts,
            challenges.messages_of_old_closed,
            challenges.old_closed,
        )

    @shielded
    async def _expire_some(self) -> bool:
        """Close some expired challenges. Return False if there were none."""
        # Read first: even an empty write transaction blocks other writers.
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await challenges.expired(unit.transaction, unit.now, 1):
                return False
        async with self._units.write() as unit:
            for challenge in await challenges.expired(unit.transaction, unit.now, EXPIRED_PER_TRANSACTION):
                await steps.save(unit, challenge, status=ChallengeStatus.EXPIRED)
        return True

    async def get(self, challenge_id: ChallengeId) -> Challenge:
        """Return a challenge, even if it is closed. Raise `NoChallenge`."""
        async with self._units.read() as unit:
            return await steps.load_any(unit, challenge_id)

    async def get_own(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        """Return a person's own pending challenge. Raise `NoChallenge`, `ChallengeClosed` or `NotForYou`."""
        async with self._units.read() as unit:
            return await steps.load_own(unit, challenge_id, person_id)

    async def opening(self, person: Person, challenge_id: ChallengeId) -> Opening:
        """Return a challenge that a person may accept. Raise the same errors as `accept`, except `ChannelBusy`."""
        async with self._units.read() as unit:
            challenge = await _load_open_to(unit, challenge_id, person.id)
            return await steps.opening(unit, challenge, person)

    async def require_open_to(self, person_id: PersonId, challenge_id: ChallengeId) -> None:
        """Check that a person may accept a challenge. Raise the same errors as `accept`, except `ChannelBusy`."""
        async with self._units.read() as unit:
            await _load_open_to(unit, challenge_id, person_id)

    async def open_to(self, person_id: PersonId, guild_id: GuildId) -> tuple[Challenge, ...]:
        """Return the challenges that a person may accept on a server: first those that name them, then open ones.

        Omit challenges of people that the person has blocked.
        """
        async with self._units.read() as unit:
            blocked = {*await blocks.blocked_by(unit.transaction, person_id)}
            pending = [
                challenge
                for challenge in await challenges.pending_in(unit.transaction, guild_id)
                if blocked.isdisjoint(player.id for player in challenge.players)
            ]
        named = [challenge for challenge in pending if person_id in challenge.named_ids]
        others = [
            offer for offer in pending if offer.open_places and all(player.id != person_id for player in offer.players)
        ]
        return *named, *(other for other in others if other not in named)

    async def own(self, person_id: PersonId) -> tuple[Challenge, ...]:
        """Return a person's own pending challenges."""
        async with self._units.read() as unit:
            return await challenges.pending_from(unit.transaction, person_id)

    async def joined(self, person_id: PersonId) -> tuple[Challenge, ...]:
        """Return the pending challenges of others that a person has joined."""
        async with self._units.read() as unit:
            return await challenges.joined_by(unit.transaction, person_id)


async def _load_open_to(unit: UnitOfWork, challenge_id: ChallengeId, person_id: PersonId) -> Challenge:
    """Return a pending challenge that a person may accept."""
    challenge = await steps.load(unit, challenge_id)
    if challenge.challenger.id == person_id:
        raise refusals.NotForYou(challenge)
    if person_id in challenge.joined_ids:
        raise refusals.AlreadyIn(challenge)
    if person_id not in challenge.named_ids and not challenge.open_places:
        raise refusals.NoPlaceLeft(challenge) if challenge.is_lobby else refusals.NotForYou(challenge)
    await require_unblocked(unit, person_id, [player.id for player in challenge.players if player.id is not None])
    return challenge
