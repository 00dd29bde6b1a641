"""Standing offers: open offers of others that a person can accept instead of making their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.engine.fairness.fair import Chain
from bot.model.challenges import CHALLENGE_LIFETIME, Challenge, ChallengeStatus
from bot.model.ids import GuildId, PersonId
from bot.model.matches import REMATCH_TIMEOUT, MatchInfo, MatchKind
from bot.model.offers import StandingOffers
from bot.play import commitments
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import chains, challenges, guilds, matches, people


async def lock_offers(unit: UnitOfWork, guild_id: GuildId, person_id: PersonId, others: Collection[PersonId]) -> None:
    """Lock the rows of a person and others, so that their offers to each other on a server are made one at a time."""
    if await people.load(unit.transaction, person_id) is None:
        # Two new people have no rows to lock yet. Lock the server's row, so that they make offers one at a time.
        await guilds.touch(unit.transaction, guild_id)
    people.touch(unit.transaction, [person_id, *others])


async def standing_offers(
    unit: UnitOfWork, guild_id: GuildId, person_id: PersonId, others: Collection[PersonId]
) -> StandingOffers:
    """Return the offers that others have made to a person on a server. Call `lock_offers` first."""
    if not others:
        return StandingOffers()
    named = await challenges.unexpired_naming(unit.transaction, guild_id, others, person_id, unit.now)
    since = unit.now - REMATCH_TIMEOUT
    ended = await matches.offering_rematch(unit.transaction, guild_id, others, person_id, since)
    rematches = tuple(row.info for row in ended if row.info.can_have_rematch and len(row.info.players) == 2)
    return StandingOffers(named, rematches)


async def save_rematch_draft(
    unit: UnitOfWork, match: MatchInfo, person_id: PersonId, others: Sequence[PersonId], new_chain: Chain, words: str
) -> Challenge:
    """Save a person's words for the shuffles of a rematch in a draft with the same terms, and return the draft."""
    terms = match.terms
    await challenges.remove_drafts(unit.transaction, challenger_id=person_id)
    values = {
        "guild_id": terms.guild_id,
        "channel_id": terms.channel_id,
        "challenger_id": person_id,
        "ruleset": terms.ruleset,
        "rules": terms.rules,
        "casual": terms.kind is MatchKind.CASUAL,
        "clock": terms.clock,
        "created_at": unit.now,
        "expires_at": unit.now + CHALLENGE_LIFETIME,
        "status": ChallengeStatus.DRAFT,
    }
    draft_id = await challenges.create(unit.transaction, values, others)
    assert draft_id is not None
    chain = await chains.create(unit.transaction, new_chain, unit.now, challenge_id=draft_id)
    await commitments.save_first_words(unit, chain, person_id, words)
    draft = await challenges.load(unit.transaction, draft_id)
    assert draft is not None
    return draft
