"""The words that players add to the shuffles of a match, before it begins or at any time during it."""

from __future__ import annotations

from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import counts_from, player_seed
from bot.engine.matches.actions import PlayerSeed
from bot.model.fairness import GivenWords
from bot.model.ids import ChallengeId, InteractionId, MatchId, PersonId
from bot.play import commitments, refusals
from bot.play.challenges import steps
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, require_no_vacancy, require_not_frozen, shielded
from bot.play.matches.match_writer import MatchChanged, MatchService
from bot.store import chains, matches, people, player_words
from bot.store.chains import ChainRow
from bot.store.player_words import WordsRow


class Words(MatchService):
    """Players' words for the shuffles in matches and challenges. Anyone who can see the channel may read the words."""

    async def of_match(self, person_id: PersonId, match_id: MatchId) -> GivenWords | None:
        """Return a player's latest words for the shuffles of a match, or of its rematch if the match is over.

        Return None if the player gave no words. Raise `NoMatch`, `NotSeated`, `MatchOver` or `NotVerifiable`.
        """
        async with self._units.read() as unit:
            loaded = await unit.load(match_id)
            loaded.seat_of(person_id)
            return await _newest(unit, await _load_chain(unit, loaded), person_id)

    async def of_challenge(self, person_id: PersonId, challenge_id: ChallengeId) -> GivenWords | None:
        """Return a player's words for the shuffles of an open challenge's match; None if they gave none.

        Raise `NoChallenge`, `ChallengeClosed`, `NotForYou` or `NotCommitted`.
        """
        async with self._units.read() as unit:
            return await _newest(unit, await _load_joined(unit, person_id, challenge_id), person_id)

    @shielded
    async def give(
        self, person_id: PersonId, match_id: MatchId, text: str, interaction_id: InteractionId
    ) -> GivenWords:
        """Change and return a player's words for the shuffles of a match, or of its rematch if the match is over.

        The call is idempotent for each interaction. Raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen`, `Vacant`,
        `NotVerifiable`, `InvalidWords` or `TooManyWords`.
        """
        words = commitments.read_words(text)
        try:
            async with self._units.write() as unit:
                people.touch(unit.transaction, [person_id])
                loaded = require_not_frozen(await unit.load(match_id))
                seat, chain = loaded.seat_of(person_id), await _load_chain(unit, loaded)
                if not loaded.is_running:
                    return await commitments.save_first_words(unit, chain, person_id, words)
                require_no_vacancy(loaded)
                return await self._change(unit, loaded, seat, chain, words, interaction_id)
        except (MatchChanged, refusals.OutcomeUnknown) as reason:
            async with self._units.read() as unit:
                if await matches.by_interaction(unit.transaction, interaction_id) == match_id:
                    chain = await chains.of_match(unit.transaction, match_id)
                    given = None if chain is None else await _newest(unit, chain, person_id)
                    if given is not None:
                        return given
            raise refusals.OutcomeUnknown from reason

    @shielded
    async def give_for_challenge(self, person_id: PersonId, challenge_id: ChallengeId, text: str) -> GivenWords:
        """Change and return a person's words for the shuffles in the match of a challenge that they have joined.

        Raise `NoChallenge`, `ChallengeClosed`, `NotForYou`, `NotCommitted` or `InvalidWords`.
        """
        words = commitments.read_words(text)
        async with self._units.write() as unit:
            people.touch(unit.transaction, [person_id])
            chain = await _load_joined(unit, person_id, challenge_id)
            return await commitments.save_first_words(unit, chain, person_id, words)

    async def _change(
        self,
        unit: UnitOfWork,
        loaded: LoadedMatch,
        seat: Seat,
        chain: ChainRow,
        words: str,
        interaction_id: InteractionId,
    ) -> GivenWords:
        """Change a player's words for the shuffles of a running match, by adding an action to the match's log."""
        person_id, state = loaded.info.players[seat].id, loaded.state
        assert person_id is not None
        first_event = counts_from(seat, state.seats, state.newest_deal)
        if state.seeds is not None and not state.seeds.may_change(seat, first_event):
            raise refusals.TooManyWords(loaded.info)
        await self._writer.advance(unit, loaded, [PlayerSeed(seat, player_seed(words), first_event)], interaction_id)
        row = WordsRow(person_id, words, first_event, early=not chain.is_posted, given_at=unit.now)
        await player_words.add(unit.transaction, chain.id, row)
        return commitments.given_words(row)


async def _load_chain(unit: UnitOfWork, loaded: LoadedMatch) -> ChainRow:
    """Return the hash chain of a running match, or of the rematch of a finished match.

    Raise `NotInDaily`, `NotVerifiable` or `MatchOver`.
    """
    if loaded.info.day is not None:
        raise refusals.NotInDaily(loaded.info)
    if loaded.is_running:
        chain = await chains.of_match(unit.transaction, loaded.info.id)
        if chain is None:
            raise refusals.NotVerifiable(loaded.info)
    else:
        chain = await chains.of_rematch(unit.transaction, loaded.info.id)
        if chain is None or not loaded.info.can_have_rematch:
            raise refusals.MatchOver(loaded.info)
    return chain


async def _load_joined(unit: UnitOfWork, person_id: PersonId, challenge_id: ChallengeId) -> ChainRow:
    """Return the hash chain of a challenge that a person has made or joined."""
    challenge = await steps.load(unit, challenge_id)
    if person_id not in {player.id for player in challenge.players}:
        raise refusals.NotForYou(challenge)
    return await steps.load_chain(unit, challenge)


async def _newest(unit: UnitOfWork, chain: ChainRow, person_id: PersonId) -> GivenWords | None:
    """Return a person's latest words for the shuffles; None if they gave none."""
    own = [row for row in await player_words.of_chain(unit.transaction, chain.id) if row.person_id == person_id]
    return commitments.given_words(own[-1]) if own else None
