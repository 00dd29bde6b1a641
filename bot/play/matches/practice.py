"""Practice: matches of one person against computers, independent of servers."""

from __future__ import annotations

from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.moves import Seat
from bot.opponent.levels import Level
from bot.play import commitments
from bot.play.guilds.rulebook import agreed_rules
from bot.play.loading.loaded_match import hand_channel
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.lookup import practised_by
from bot.play.matches.match_writer import MatchService
from bot.play.refusals import TooMuchPractice
from bot.store import chains, matches, people
from bot.values.ids import ChainId, GuildId, InteractionId, PersonId
from bot.values.matches import MatchKind, OwnHand, Terms
from bot.values.people import Person
from bot.values.statistics import Player

MAX_RUNNING: Final = 3
"""Maximum number of running practice matches of one person."""


class Practice(MatchService):
    """The practice matches of all people."""

    @shielded
    async def commit(self, person_id: PersonId, *, resume: bool = False) -> ChainId | None:
        """Post the commitment of a person's next practice match before it begins.

        Return the id of the chain if the caller should wait until it is posted. Otherwise return None: it is already
        posted, the person gets no hands by direct message, or no match would begin. `resume` is as in `start`.
        """
        drawn = await commitments.draw_chain()
        async with self._units.write() as unit:
            person = await people.load(unit.transaction, person_id)
            running = await practised_by(unit, person_id)
            if hand_channel(person) is None or len(running) >= MAX_RUNNING or (resume and running):
                return None
            await people.touch(unit.transaction, [person_id])
            chain = await chains.of_practice(unit.transaction, person_id)
            if chain is None:
                chain = await commitments.commit(unit, drawn, None, person_id=person_id)
            return None if chain.posted else chain.id

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
        level if there is one. The rules are the server's rules of this name, or its default; without a server, a
        preset. The match has the minimum number of players. `words` are added to the shuffles. Raise `UnknownRules`,
        `NotOffered`, `TooMuchPractice` or `UnfitWords`.
        """
        own_words = None if words is None else commitments.read_words(words)
        drawn = await commitments.draw_chain()
        async with self._units.write() as unit:
            begun = await matches.by_interaction(unit.transaction, interaction_id)
            if begun is not None:
                return (await unit.load(begun)).hand(Seat(0), unit.now), False
            agreed = await agreed_rules(unit.transaction, guild_id or GuildId(0), rules, target)
            terms = Terms(MatchKind.PRACTICE, None, None, agreed.name, agreed.rules)
            computers = FORMATS[agreed.rules.format].seats[0] - 1
            if resume:
                for row in await practised_by(unit, person.id):
                    if row.info.terms == terms and {player.computer for player in row.info.players[1:]} == {level}:
                        return (await unit.restore(row)).hand(Seat(0), unit.now), False
            await require_less_practice(unit, person.id)
            await people.save_name(unit.transaction, person, unit.now)
            players = [
                Player.of(person),
                *[Player(None, None, level)] * computers,
            ]
            chain = await chains.of_practice(unit.transaction, person.id)
            if chain is None:
                chain = await commitments.commit(unit, drawn, None, person_id=person.id)
            if own_words is not None:
                await commitments.save_first_words(unit, chain, person.id, own_words)
            loaded = await self._writer.start(unit, terms, players, interaction_id=interaction_id, chain=chain)
            return loaded.hand(Seat(0), unit.now), True


async def require_less_practice(unit: UnitOfWork, person_id: PersonId) -> None:
    """Check that a person may begin another practice match. Raise `TooMuchPractice`."""
    running = await practised_by(unit, person_id)
    if len(running) >= MAX_RUNNING:
        raise TooMuchPractice(tuple(row.info for row in running))
