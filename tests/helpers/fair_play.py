"""Verifiable matches with posted commitments and real shuffles, played and verified through the services."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from bot.engine.deals.moves import DONE, Move
from bot.engine.fairness import verify
from bot.engine.fairness.audit import Answer
from bot.engine.matches.views import SeatView
from bot.model.fairness import Fairness
from bot.model.ids import ChallengeId, MatchId
from bot.model.matches import MatchInfo
from bot.model.people import Person
from bot.model.verification import VerifiedDeal
from bot.play.application import Application
from tests.helpers.messages import FakeCourier
from tests.helpers.table import NORTH, SOUTH, Players, interaction, place, play_deal, sensible_move


@dataclass
class FairPlay:
    """Starts verifiable matches with posted commitments, plays them at random, and verifies them."""

    app: Application
    courier: FakeCourier
    people: tuple[Person, ...] = (NORTH, SOUTH)
    random: Random = field(default_factory=lambda: Random("fair play"))

    async def invite(self, rules: str = "classic", words: str | None = None) -> ChallengeId:
        """Let the first person challenge the others, and post the commitment."""
        first, *others = self.people
        named, issue = [person.id for person in others], self.app.challenges.issue
        challenge = await issue(first, named, place(), interaction(), rules=rules, words=words)
        await self.courier.deliver()
        return challenge.id

    async def begin(self, rules: str = "classic") -> MatchInfo:
        """Let the others accept the first person's challenge. Return the match."""
        challenge_id = await self.invite(rules)
        for person in self.people[1:]:
            _, match = await self.app.challenges.accept(person, challenge_id)
            if match is not None:
                return match
        _, match = await self.app.lobbies.start(self.people[0].id, challenge_id)
        return match

    async def move(self, match_id: MatchId, board: int = 1) -> None:
        """Make a sensible move for the player whose turn it is on a board, as a click would."""
        mover = await Players(self.app, self.people).to_act(match_id, board)
        view = (await self.app.lookup.hand(mover.id, match_id)).view
        await self.app.turns.move(mover.id, match_id, self._choose(view), interaction())

    async def play_deal(self, match_id: MatchId) -> None:
        """Play until the deals in play have ended on all boards."""
        number = (await self.app.lookup.table(match_id)).view.number
        while (table := await self.app.lookup.table(match_id)).match.ended_at is None and table.view.number == number:
            for board in range(1, table.view.boards + 1):
                await self.play_board(match_id, board)

    async def play_board(self, match_id: MatchId, board: int) -> None:
        """Play a board's deal to its end."""
        await play_deal(self.app, match_id, self._choose, board)

    def _choose(self, view: SeatView) -> Move:
        return DONE if DONE in view.moves else sensible_move(view, self.random)

    async def play_out(self, match_id: MatchId) -> None:
        """Play a match to its end."""
        while (await self.app.lookup.info(match_id)).ended_at is None:
            await self.play_deal(match_id)

    async def verified(self, match_id: MatchId, answer: Answer = Answer.OK) -> VerifiedDeal:
        """Return a match's last verifiable deal. Check its record with the bot and with verify.py.

        Both checks must give `answer`.
        """
        verified = await self.app.verification.deal(match_id)
        assert (verified.audit.answer, verified.audit.differences) == (answer, ())
        commit = verified.promise.commitment.hex() if verified.match.fairness is Fairness.VERIFIABLE else None
        texts = [(seat, text) for seat, texts in verified.known_texts.items() for text in texts]
        assert verify.check(verified.record, commit, texts)[0] == answer
        return verified
