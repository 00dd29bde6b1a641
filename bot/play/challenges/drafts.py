"""Drafts: challenges that the challenger edits before sending them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.engine.errors import GinError
from bot.engine.matches.formats import FORMATS
from bot.engine.rules import OPTIONS, Rules
from bot.model.challenges import CHALLENGE_LIFETIME, Challenge, ChallengeStatus
from bot.model.guilds import Place
from bot.model.ids import ChallengeId, ChannelId, PersonId
from bot.model.rule_texts import RULE_TEXTS
from bot.play.challenges import steps
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.guilds.rulebook import offered_rules, read_offered
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.play.matches.standing_offers import lock_offers, standing_offers
from bot.play.matches.welcome import require_welcome
from bot.play.outbox.changes import enqueue_commitment
from bot.play.refusals import AlreadyOffered, NotWithYourself, TooManyNamed, UnknownRules, WrongNumber
from bot.store import chains, challenges, guilds, player_words


class Drafts(Service):
    """The drafts of all challengers. `Challenges.issue` creates them, and only the challenger can see them.

    Every method can raise `NoChallenge`, `ChallengeClosed` or `NotForYou`, in addition to the errors that its own
    docstring names.
    """

    async def get(self, person_id: PersonId, challenge_id: ChallengeId) -> Challenge:
        async with self._units.read() as unit:
            return await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)

    @shielded
    async def use_rules(self, person_id: PersonId, challenge_id: ChallengeId, name: str) -> Challenge:
        """Use rules that the server offers. Of the changed options, keep only the target.

        Raise `UnknownRules`, `NotOffered` or `TooManyNamed`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            settings = (await guilds.load(unit.transaction, challenge.guild_id)).settings
            offered = await read_offered(unit.transaction, challenge.guild_id, settings, name)
            exact = _exact_players(challenge, offered.rules)
            steps.require_places(offered.rules, len(challenge.named), exact)
            rules = _with_target_of(challenge.rules, offered.rules)
            return await steps.save(unit, challenge, ruleset=offered.name, rules=rules, exact_players=exact)

    @shielded
    async def use_guests(self, person_id: PersonId, challenge_id: ChallengeId, guests: Sequence[PersonId]) -> Challenge:
        """Name the people to challenge; nobody for anyone who wants to play.

        If the rules have too few places, use rules that have enough. Raise `NotWithYourself` or `WrongNumber`.
        """
        if person_id in guests:
            raise NotWithYourself
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            if len(guests) >= challenge.seats[-1]:
                challenge = await _use_player_count(unit, challenge, len(guests) + 1)
            await challenges.remove_absent_guests(unit.transaction, challenge_id)
            for guest_id in guests:
                await challenges.save_guest(unit.transaction, challenge_id, guest_id, joined=False)
            return await steps.save(unit, challenge)

    @shielded
    async def use_player_count(self, person_id: PersonId, challenge_id: ChallengeId, count: int) -> Challenge:
        """Choose the number of players. If the rules do not allow it, use the first offered rules that do.

        Raise `WrongNumber` or `TooManyNamed`.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            if len(challenge.named) >= count:
                raise TooManyNamed(count - 1)
            return await _use_player_count(unit, challenge, count)

    @shielded
    async def change_option(self, person_id: PersonId, challenge_id: ChallengeId, option: str, value: str) -> Challenge:
        """Change one option of a draft's rules. Both arguments are in rules notation. Raise `UnknownRules`."""
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            rules = _with_option(challenge.rules, option, value)
            return await steps.save(unit, challenge, rules=rules, exact_players=_exact_players(challenge, rules))

    @shielded
    async def use_clock(self, person_id: PersonId, challenge_id: ChallengeId, clock: str) -> Challenge:
        """Change the clock of a draft. `clock` is its text. Raise `UnknownClock`."""
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
        known_digest: str | None = None,
    ) -> Challenge:
        """Send a draft as a challenge.

        Raise `WrongChannel`, `AlreadyOffered`, `TooManyChallenges`, `Blocked` or `NotWelcome`.

        `parent_id` is the parent channel if the draft is in a thread. `known_digest` is the `StandingOffers.digest` of
        the offers that the challenger has seen.
        """
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            await require_allowed_channel(unit, Place(challenge.guild_id, challenge.channel_id, parent_id))
            named = [player.id for player in challenge.named if player.id is not None]
            await lock_offers(unit, challenge.guild_id, person_id, named)
            offers = await standing_offers(unit, challenge.guild_id, person_id, named)
            if offers and offers.digest != known_digest:
                raise AlreadyOffered(offers, challenge, offers.digest)
            await steps.require_fewer_pending(unit, person_id)
            await require_welcome(unit, person_id, named)
            await steps.count_pings(unit, challenge_id, person_id, named)
            # The challenge's lifetime starts now: the time taken to choose the options does not count.
            expires_at = unit.now + CHALLENGE_LIFETIME
            chain = await chains.of_challenge(unit.transaction, challenge.id)
            if chain is not None:
                enqueue_commitment(unit, chain.id, challenge.guild_id, after_challenge=True)
            return await steps.save(
                unit,
                challenge,
                status=ChallengeStatus.PENDING,
                created_at=unit.now,
                expires_at=expires_at,
            )

    async def words(self, person_id: PersonId, challenge_id: ChallengeId) -> str | None:
        """Return the words for the shuffles that a person gave with a draft; None if they gave none."""
        async with self._units.read() as unit:
            chain = await chains.of_challenge(unit.transaction, challenge_id)
            given = () if chain is None else await player_words.of_chain(unit.transaction, chain.id)
        return next((row.text for row in given if row.person_id == person_id), None)

    @shielded
    async def drop(self, person_id: PersonId, challenge_id: ChallengeId) -> None:
        async with self._units.write() as unit:
            challenge = await steps.load_own(unit, challenge_id, person_id, ChallengeStatus.DRAFT)
            await challenges.remove(unit.transaction, challenge.id)


async def _use_player_count(unit: UnitOfWork, challenge: Challenge, count: int) -> Challenge:
    """Require a number of players, and use the first offered rules that allow it if the present ones do not."""
    seats = FORMATS[challenge.rules.format].seats
    if count in seats:
        return await steps.save(unit, challenge, exact_players=count if len(seats) > 1 else None)
    for offered in await offered_rules(unit.transaction, challenge.guild_id):
        seats = FORMATS[offered.rules.format].seats
        if count in seats:
            exact = count if len(seats) > 1 else None
            return await steps.save(unit, challenge, ruleset=offered.name, rules=offered.rules, exact_players=exact)
    raise WrongNumber(count, seats, ())


def _exact_players(challenge: Challenge, rules: Rules) -> int | None:
    """Return a draft's required number of players; None if there is none, or if `rules` do not allow it."""
    exact = challenge.exact_players
    return exact if exact in FORMATS[rules.format].seats else None


def _with_target_of(former: Rules, rules: Rules) -> Rules:
    """Return rules with the target that was chosen for the former ones, if one was chosen and `rules` have a target."""
    was_chosen = former.target is not None and former.target != Rules.parse(former.preset).target
    return replace(rules, target=former.target) if was_chosen and rules.target is not None else rules


def _with_option(rules: Rules, option: str, value: str) -> Rules:
    if option not in RULE_TEXTS or RULE_TEXTS[option].menu is None:
        raise UnknownRules(f"there is no rule option {option!r}")
    try:
        return replace(rules, **{option: OPTIONS[option].parse(value)})
    except GinError as error:
        raise UnknownRules(str(error)) from None
