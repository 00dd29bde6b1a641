"""People who play by calling the services directly, without messages or clicks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any, Final

from bot.engine.deals.moves import DRAW, PASS, Move, Seat, Verb, discard
from bot.engine.matches.match import Action, Match, Play, apply, canonical_action
from bot.engine.matches.views import SeatView, seat_view
from bot.model.guilds import GuildSettings, Place
from bot.model.ids import ChallengeId, ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.model.matches import MatchInfo, OwnHand, Shortcut
from bot.model.people import Person
from bot.model.presence import Presence
from bot.play.application import Application
from bot.play.people.people import PersonalSettings
from bot.store import chains

NORTH: Final = Person(PersonId(2**62 + 1), "North")
SOUTH: Final = Person(PersonId(2**62 + 2), "South")
EAST: Final = Person(PersonId(2**62 + 3), "East")
WEST: Final = Person(PersonId(2**62 + 4), "West")
MANAGER: Final = PersonId(2**62 + 9)
"""A person who manages the server but does not play."""
GUILD: Final = GuildId(2**62 + 11)
OTHER_GUILD: Final = GuildId(2**62 + 12)
CHANNEL: Final = ChannelId(2**62 + 21)
ELSEWHERE: Final = ChannelId(2**62 + 22)
THREAD: Final = ChannelId(2**62 + 23)
"""A thread of `CHANNEL`."""

_interactions = count(2**61)


def interaction() -> InteractionId:
    """Return the id of a new interaction."""
    return InteractionId(next(_interactions))


def place(channel_id: ChannelId = CHANNEL, guild_id: GuildId = GUILD, parent_id: ChannelId | None = None) -> Place:
    """Return a `Place`: by default the channel `CHANNEL` of the server `GUILD`."""
    return Place(guild_id, channel_id, parent_id)


def dm_of(person: Person) -> ChannelId:
    """Return a person's direct message channel."""
    return ChannelId(person.id + 1000)


async def remove_chain(app: Application, challenge_id: ChallengeId) -> None:
    """Remove a challenge's hash chain, as if it was issued by a version without verifiable deals."""
    units = app.lookup._units  # pyright: ignore[reportPrivateUsage]
    async with units.write() as unit:
        await chains.remove_of_challenge(unit.transaction, challenge_id)


async def prefer(app: Application, person: Person, *, retry_dms: bool = False, **choices: Any) -> PersonalSettings:
    """Update some of a person's preferences and return all of them."""
    return await app.people.change_preferences(person, lambda now: replace(now, **choices), retry_dms=retry_dms)


async def change_settings(app: Application, guild_id: GuildId = GUILD, **choices: Any) -> GuildSettings:
    """Update some of a server's settings and return all of them."""
    return await app.guilds.change_settings(guild_id, lambda now: replace(now, **choices))


@dataclass
class FakeMembers:
    """Fake information about members: everyone can be reached, except people in `absent` and `unknown`."""

    absent: dict[PersonId, Presence] = field(default_factory=dict[PersonId, Presence])
    unknown: set[PersonId] = field(default_factory=set[PersonId])
    removers: set[PersonId] = field(default_factory=set[PersonId])
    asked: list[PersonId] = field(default_factory=list[PersonId])

    async def presence(self, person_id: PersonId, place: Place) -> Presence | None:
        self.asked.append(person_id)
        return None if person_id in self.unknown else self.absent.get(person_id, Presence.REACHABLE)

    async def may_remove(self, person_ids: Collection[PersonId], place: Place) -> bool:
        """Return True if any of these people may remove members."""
        return not self.removers.isdisjoint(person_ids)


@dataclass
class Players:
    """Starts matches and makes moves in them, as the commands would."""

    app: Application
    people: tuple[Person, ...] = field(default=(NORTH, SOUTH))
    verifiable: bool = True
    """False to start matches that cannot be verified, as in versions without verifiable deals."""

    async def open_dms(self, *people: Person) -> None:
        """Record that the bot can send direct messages to these people."""
        for person in people:
            await self.app.people.save_person(person)
            await self.app.people.save_dm_opened(person.id, dm_of(person))

    async def begin(
        self, rules: str = "classic", channel_id: ChannelId = CHANNEL, guild_id: GuildId = GUILD
    ) -> MatchInfo:
        """Start a match: the first person challenges the others, who accept. Return the match."""
        first, *others = self.people
        challenges, named = self.app.challenges, [person.id for person in others]
        challenge = await challenges.issue(first, named, place(channel_id, guild_id), interaction(), rules=rules)
        if not self.verifiable:
            await remove_chain(self.app, challenge.id)
        for person in others:
            _, match = await challenges.accept(person, challenge.id)
            if match is not None:
                return match
        _, match = await self.app.lobbies.start(first.id, challenge.id)
        return match

    async def begin_in_thread(self, thread_id: ChannelId = THREAD, rules: str = "classic") -> MatchInfo:
        """Start a match for two in a thread of `CHANNEL`, so that its card is in the channel. Return the match."""
        first, second = self.people
        issue, accept = self.app.challenges.issue, self.app.challenges.accept
        challenge = await issue(first, [second.id], place(), interaction(), rules=rules)
        _, match = await accept(second, challenge.id, thread_id)
        assert match is not None
        return match

    async def move(self, match_id: MatchId, *moves: str) -> OwnHand:
        """Make moves as the player to act: notation, `gin`, or `all` (lay off all). Return the last mover's hand."""
        return await self.move_on_board(1, match_id, *moves)

    async def move_on_board(self, board: int, match_id: MatchId, *moves: str) -> OwnHand:
        """Make moves on a given board, written as for `move`."""
        asked = {"gin": Shortcut.GIN, "all": Shortcut.LAY_OFF_ALL}
        hand: OwnHand | None = None
        for text in moves:
            move = asked.get(text) or Move.parse(text)
            mover = await self.to_act(match_id, board)
            hand = await self.app.turns.move(mover.id, match_id, move, interaction())
        assert hand is not None
        return hand

    async def to_act(self, match_id: MatchId, board: int = 1) -> Person:
        """Return the player whose turn it is."""
        turn = (await self.app.lookup.table(match_id, board)).view.turn
        assert turn is not None
        return self.people[turn]

    async def run_timekeeper(self) -> None:
        """Run the timekeeper once. All players count as reachable."""
        await self.app.timekeeper.check_due(FakeMembers())

    async def win(self, match_id: MatchId) -> OwnHand:
        """Take the upcard and go gin. The deck must allow it, like `IMMEDIATE_GIN`."""
        return await self.move(match_id, "take", "gin")


async def play_deal(
    app: Application,
    match_id: MatchId,
    choose: Callable[[SeatView], Move],
    board: int = 1,
    *,
    until: Callable[[SeatView], bool] = lambda _: False,
) -> None:
    """Play a board's deal to its end, or until `until` returns True for the view of the player whose turn it is.

    For speed, all moves up to the end or the next reshuffle share one transaction.
    """
    turns = app.turns
    units, writer = turns._units, turns._writer  # pyright: ignore[reportPrivateUsage]
    number = (await app.lookup.table(match_id, board)).view.number
    is_playing = True
    while is_playing:
        async with units.write() as unit:
            loaded = await unit.load(match_id)
            match, plays = loaded.state, list[Action]()
            while (seat := _to_act(match, number, board)) is not None and not until(view := seat_view(match, seat)):
                plays.append(canonical_action(match, Play(seat, choose(view))))
                match = apply(match, plays[-1])
            if plays:
                match = (await writer.advance(unit, loaded, plays)).state
            is_playing = bool(plays) and _to_act(match, number, board) is not None


def _to_act(match: Match, number: int, board: int) -> Seat | None:
    deals = [deal for deal in match.playing if (deal.number, deal.board) == (number, board)]
    return deals[0].to_act if deals and match.to_act else None


def patient_move(view: SeatView) -> Move:
    """Return a pass, a draw, or the discard of the card just drawn. Such play makes a deal void."""
    if view.new_card is not None:
        return discard(view.new_card)
    return PASS if PASS in view.moves else DRAW


def sensible_move(view: SeatView, random: Random) -> Move:
    """Return a sensible move: knock often, else discard one of the three cards that leave the least deadwood."""
    knocks = [move for move in view.moves if move.verb in (Verb.KNOCK, Verb.BIG_GIN)]
    if knocks and random.random() < 0.7:
        return random.choice(knocks)
    leaves = {choice.card: choice.deadwood for choice in view.discard_choices}
    discards = [move for move in view.moves if move.verb is Verb.DISCARD and move.card is not None]
    best = sorted(discards, key=lambda move: leaves[move.card] if move.card else 0)[:3]
    return random.choice(best or list(view.moves))
