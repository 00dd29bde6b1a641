"""Practice: matches of one person against computers, independent of servers."""

from __future__ import annotations

from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.matches.formats import FORMATS
from bot.model.ids import ChainId, GuildId, InteractionId, PersonId
from bot.model.matches import MatchKind, OwnHand, Terms
from bot.model.people import Person
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from bot.play import commitments
from bot.play.guilds.rulebook import agreed_rules
from bot.play.loading.loaded_match import hand_channel
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.lookup import running_practice_of
from bot.play.matches.match_writer import MatchService
from bot.play.refusals import TooMuchPractice
from bot.store import chains, matches, people

MAX_PRACTICE_MATCHES: Final = 3
"""Maximum number of running practice matches of one person."""


class Practice(MatchService):
    """The practice matches of all people."""

    @shielded
    async def commit(self, person_id: PersonId, *, resume: bool = False) -> ChainId | None:
        """Post the commitment of a person's next practice match before it begins.

        Return the id of the hash chain if the caller should wait until the commitment is posted. Return None if there
        is nothing to wait for: the commitment is already posted, the person gets no hands by direct message, or no
        match would begin. `resume` is as in `start`.
        """
        new_chain = await commitments.draw_chain()
        async with self._units.write() as unit:
            person = await people.load(unit.transaction, person_id)
            running = await running_practice_of(unit, person_id)
            if hand_channel(person) is None or len(running) >= MAX_PRACTICE_MATCHES or (resume and running):
                return None
            people.touch(unit.transaction, [person_id])
            chain = await chains.of_practice(unit.transaction, person_id)
            if chain is None:
                chain = await commitments.commit(unit, new_chain, None, person_id=person_id)
            return None if chain.is_posted else chain.id

    @shielded
    async def start(
        self,
        person: Person,
        guild_id: GuildId | None,
        interaction_id: InteractionId,
        *,
        level: Level,
        rules: str | None = None,
        target: int | None = None,
        resume: bool = False,
        words: str | None = None,
    ) -> tuple[OwnHand, bool]:
        """Begin a practice match. Return the person's hand, and True if a new match has begun.

        The call is idempotent for each interaction. With `resume`, continue a running match with the same rules and
        level if there is one. `rules` names rules that the server offers, by default its default rules. Without a
        server, `rules` names a preset. The match has the minimum number of players. `words` are added to the shuffles.
        Raise `UnknownRules`, `NotOffered`, `TooMuchPractice` or `InvalidWords`.
        """
        own_words = None if words is None else commitments.read_words(words)
        new_chain = await commitments.draw_chain()
        async with self._units.write() as unit:
            earlier_match_id = await matches.by_interaction(unit.transaction, interaction_id)
            if earlier_match_id is not None:
                return (await unit.load(earlier_match_id)).hand(Seat(0), unit.now), False
            agreed = await agreed_rules(unit.transaction, guild_id or GuildId(0), rules, target)
            terms = Terms(MatchKind.PRACTICE, None, None, agreed.name, agreed.rules)
            computers = FORMATS[agreed.rules.format].seats[0] - 1
            if resume:
                for row in await running_practice_of(unit, person.id):
                    if row.info.terms == terms and {player.computer for player in row.info.players[1:]} == {level}:
                        return (await unit.restore(row)).hand(Seat(0), unit.now), False
            await require_fewer_practice_matches(unit, person.id)
            people.save_name(unit.transaction, person, unit.now)
            players = [
                Player.of(person),
                *[Player(None, None, level)] * computers,
            ]
            chain = await chains.of_practice(unit.transaction, person.id)
            if chain is None:
                chain = await commitments.commit(unit, new_chain, None, person_id=person.id)
            if own_words is not None:
                await commitments.save_first_words(unit, chain, person.id, own_words)
            loaded = await self._writer.start(unit, terms, players, interaction_id=interaction_id, chain=chain)
            return loaded.hand(Seat(0), unit.now), True


async def require_fewer_practice_matches(unit: UnitOfWork, person_id: PersonId) -> None:
    """Check that a person may begin another practice match. Raise `TooMuchPractice`."""
    running = await running_practice_of(unit, person_id)
    if len(running) >= MAX_PRACTICE_MATCHES:
        raise TooMuchPractice(tuple(row.info for row in running))
