"""Standing offers: open offers of others that a person can accept instead of making their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.engine.fair import Chain
from bot.play import commitments
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import chains, challenges, guilds, matches, people
from bot.values.challenges import EXPIRES_AFTER, Challenge, ChallengeStatus
from bot.values.ids import GuildId, PersonId
from bot.values.matches import REMATCH_OPEN_FOR, MatchInfo, MatchKind
from bot.values.offers import StandingOffers


async def lock_offers(unit: UnitOfWork, guild_id: GuildId, person_id: PersonId, others: Collection[PersonId]) -> None:
    """Lock a person and others, so that their offers to each other on a server are made one at a time."""
    if await people.load(unit.transaction, person_id) is None:
        # A person without a row cannot be locked, so two new people are serialized by locking the server.
        await guilds.touch(unit.transaction, guild_id)
    await people.touch(unit.transaction, [person_id, *others])


async def standing_offers(
    unit: UnitOfWork, guild_id: GuildId, person_id: PersonId, others: Collection[PersonId]
) -> StandingOffers:
    """Return the offers that others have made to a person on a server. Call `lock_offers` first."""
    if not others:
        return StandingOffers()
    named = await challenges.naming(unit.transaction, guild_id, others, person_id, unit.now)
    since = unit.now - REMATCH_OPEN_FOR
    ended = await matches.offering_rematch(unit.transaction, guild_id, others, person_id, since)
    rematches = tuple(row.info for row in ended if row.info.may_have_rematch and len(row.info.players) == 2)
    return StandingOffers(named, rematches)


async def keep_rematch(
    unit: UnitOfWork, match: MatchInfo, person_id: PersonId, others: Sequence[PersonId], drawn: Chain, words: str
) -> Challenge:
    """Save a person's words for a rematch in a draft with the same terms, and return the draft."""
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
        "expires_at": unit.now + EXPIRES_AFTER,
        "status": ChallengeStatus.DRAFT,
    }
    draft_id = await challenges.create(unit.transaction, values, others)
    assert draft_id is not None
    chain = await chains.create(unit.transaction, drawn, unit.now, challenge_id=draft_id)
    await commitments.save_first_words(unit, chain, person_id, words)
    draft = await challenges.load(unit.transaction, draft_id)
    assert draft is not None
    return draft
