"""Drafts: challenges that the challenger edits before sending them."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.errors import GinError
from bot.engine.formats import FORMATS
from bot.engine.rules import OPTIONS, Rules
from bot.play.challenges import steps
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.guilds.rulebook import read_offered
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.matches.standing_offers import lock_offers, standing_offers
from bot.play.outbox.changes import enqueue_commitment
from bot.play.refusals import AlreadyOffered, UnknownRules
from bot.store import chains, challenges, guilds, player_words
from bot.values.challenges import EXPIRES_AFTER, Challenge, ChallengeStatus
from bot.values.guilds import Place
from bot.values.ids import ChallengeId, ChannelId, PersonId


class Drafts(Service):
    """The drafts of all challengers. `Challenges.issue` creates them, and only the challenger can see them.

    In addition to the errors that it names, every method may raise `NoChallenge`, `ChallengeClosed` or `NotForYou`.
    """

    async def get(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        async with self._units.read() as unit:
            return await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)

    @shielded
    async def use_rules(self, person_id: PersonId, challenge_id: ChallengeId, name: str) -> Challenge:
        """Reset a draft to rules that the server offers. Raise `UnknownRules`, `NotOffered` or `TooManyNamed`."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            settings = (await guilds.load(unit.transaction, challenge.guild_id)).settings
            offered = await read_offered(unit.transaction, challenge.guild_id, settings, name)
            exact = _still_exact(challenge, offered.rules)
            steps.require_places(offered.rules, len(challenge.named), exact)
            return await steps.save(unit, challenge, ruleset=offered.name, rules=offered.rules, exact_players=exact)

    @shielded
    async def change_option(self, person_id: PersonId, challenge_id: ChallengeId, option: str, value: str) -> Challenge:
        """Set one rule option. Both arguments are in rules notation. Raise `UnknownRules`."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            rules = _changed(challenge.rules, option, value)
            return await steps.save(unit, challenge, rules=rules, exact_players=_still_exact(challenge, rules))

    @shielded
    async def use_clock(self, person_id: PersonId, challenge_id: ChallengeId, clock: str) -> Challenge:
        """Set the clock, given as a text. Raise `UnknownClock`."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            return await steps.save(unit, challenge, clock=steps.read_clock(clock))

    @shielded
    async def send(
        self,
        person_id: PersonId,
        challenge_id: ChallengeId,
        parent_id: ChannelId | None = None,
        *,
        known: str | None = None,
    ) -> Challenge:
        """Send a draft as a challenge. Raise `WrongChannel`, `AlreadyOffered`, `TooManyChallenges` or `NotWelcome`.

        `parent_id` is the parent channel if the draft is in a thread. `known` is the mark of the standing offers that
        the challenger has seen.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            await require_allowed_channel(unit, Place(challenge.guild_id, challenge.channel_id, parent_id))
            named = [player.id for player in challenge.named if player.id is not None]
            await lock_offers(unit, challenge.guild_id, person_id, named)
            offers = await standing_offers(unit, challenge.guild_id, person_id, named)
            if offers and offers.mark != known:
                raise AlreadyOffered(offers, challenge, offers.mark)
            await steps.require_fewer_pending(unit, person_id)
            await steps.require_welcome(unit, person_id, named)
            await steps.count_pings(unit, challenge_id, person_id, named)
            # The lifetime starts now, however long it took to choose the options.
            expires_at = unit.now + EXPIRES_AFTER
            chain = await chains.of_challenge(unit.transaction, challenge.id)
            if chain is not None:
                await enqueue_commitment(unit, chain.id, challenge.guild_id)
            return await steps.save(
                unit,
                challenge,
                committed=chain is not None,
                status=ChallengeStatus.PENDING,
                created_at=unit.now,
                expires_at=expires_at,
            )

    async def words(self, person_id: PersonId, challenge_id: ChallengeId) -> str | None:
        """Return the words that a person gave with a draft; None if they gave none."""
        async with self._units.read() as unit:
            chain = await chains.of_challenge(unit.transaction, challenge_id)
            given = () if chain is None else await player_words.of_chain(unit.transaction, chain.id)
        return next((row.text for row in given if row.person_id == person_id), None)

    @shielded
    async def drop(self, person_id: PersonId, challenge_id: ChallengeId) -> None:
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            await challenges.remove(unit.transaction, challenge.id)


def _still_exact(challenge: Challenge, rules: Rules) -> int | None:
    """Return the required number of players, or None if the new rules do not allow it."""
    exact = challenge.exact_players
    return exact if exact in FORMATS[rules.format].seats else None


def _changed(rules: Rules, option: str, value: str) -> Rules:
    if option not in OPTIONS or OPTIONS[option].menu is None:
        raise UnknownRules(f"there is no rule option {option!r}")
    try:
        return replace(rules, **{option: OPTIONS[option].parse(value)})
    except GinError as error:
        raise UnknownRules(str(error)) from None
