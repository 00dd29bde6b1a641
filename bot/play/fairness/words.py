"""Words that players add to the shuffles of a match: given before it begins, and changed at any time."""

from __future__ import annotations

from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.values.fairness import GivenWords
from bot.values.ids import ChallengeId, InteractionId, MatchId, PersonId


class Words(MatchService):
    """The words of players in matches and invitations. Everybody who sees the channel may read them."""

    async def of_match(self, person_id: PersonId, match_id: MatchId) -> GivenWords | None:
        """Return a player's newest words in a match, or for its rematch once it is over; None if they gave none.

        Raise `NoMatch`, `NotSeated`, `MatchOver` or `NotVerifiable`.
        """
        raise NotImplementedError

    async def of_challenge(self, person_id: PersonId, challenge_id: ChallengeId) -> GivenWords | None:
        """Return a player's words for the match of a challenge that is still open; None if they gave none.

        Raise `NoChallenge`, `ChallengeClosed`, `NotForYou` or `NotCommitted`.
        """
        raise NotImplementedError

    @shielded
    async def give(
        self, person_id: PersonId, match_id: MatchId, text: str, interaction_id: InteractionId
    ) -> GivenWords:
        """Change a player's words in a match, or for its rematch once it is over, and return them.

        Raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen`, `NotVerifiable`, `UnfitWords` or `TooManyWords`.
        """
        raise NotImplementedError

    @shielded
    async def give_before(self, person_id: PersonId, challenge_id: ChallengeId, text: str) -> GivenWords:
        """Change the words of somebody who has joined a challenge, and return them.

        Raise `NoChallenge`, `ChallengeClosed`, `NotForYou`, `NotCommitted` or `UnfitWords`.
        """
        raise NotImplementedError
