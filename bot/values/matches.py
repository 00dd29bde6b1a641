"""Matches as people see them: the table, a player's own hand, showdowns, replays. Never a whole match state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.moves import Seat
from bot.engine.replay import ReplayView
from bot.engine.rules import Rules
from bot.engine.views import PublicView, SeatView, ShowdownView
from bot.opponent.advice import Advised
from bot.values.appearance import Appearance
from bot.values.clocks import NO_CLOCK, Clock, TimeLeft
from bot.values.fairness import Fairness
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId, MatchId, PersonId
from bot.values.people import DEFAULT_PREFERENCES, Preferences
from bot.values.standings import RatingChange
from bot.values.statistics import Player

REMATCH_OPEN_FOR: Final = timedelta(days=1)
"""How long a proposed rematch can be agreed to; it counts from `MatchInfo.moved_at`."""
VACANT_FOR: Final = timedelta(days=1)
"""The time to decide about a vacant seat, counted from `MatchInfo.vacant_at`. Then the match ends."""


class MatchStatus(StrEnum):
    """The states of a match. A resigned or claimed match is finished; a cancelled one does not count."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchKind(StrEnum):
    """The kinds of matches. Only standard ones count in standings; practice is with computers alone."""

    STANDARD = "standard"
    CASUAL = "casual"
    PRACTICE = "practice"


class MadeCasual(StrEnum):
    """The reasons why a match becomes casual while it runs."""

    REMOVER = "remover"
    """A player who had left lost on time, and somebody at the table may remove members: nobody wins by that."""
    COMPUTER = "computer"
    """A computer took over the seat of a player who lost on time."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that players agreed on before a match: where they play, if anywhere, by which rules and which clock."""

    kind: MatchKind
    guild_id: GuildId | None
    channel_id: ChannelId | None
    ruleset: str
    rules: Rules
    clock: Clock = NO_CLOCK


class Proposal(StrEnum):
    """The things that a player proposes and all others must agree to, and the answer to that."""

    CANCEL = "cancel"
    PAUSE = "pause"
    CONTINUE = "continue"
    REMATCH = "rematch"
    REPLACE = "replace"
    """Play on with a computer in the vacant seat. Nobody proposes that: all are asked."""
    DECLINED = "declined"
    """They declined what others proposed. That is told until the next move, or until somebody proposes something."""


class Shortcut(StrEnum):
    """A request that stands for one or more of the engine's moves."""

    GIN = "gin"
    """Knock with a discard that leaves no deadwood."""

    LAY_OFF_ALL = "lay_off_all"
    """Choose the melds and lay-offs that leave the least deadwood, and finish."""


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match without its cards. `players` and `proposals` are by seat; times are UTC.

    Practice has neither server nor channel.

    `version` names the state that a move applies to; `revision` grows with every change that a message could show.
    `ruleset` names the preset or house rule that `rules` come from. `moved_at` is the time of the last move, or, once
    the match is over, of the last proposed rematch. `turn_at` is when the present turn began, unless there are several
    boards. `appearance` is that of its public messages, or in what only one person sees, theirs. `ratings` are what the
    match did to those of its seats, None where it was not rated. `fairness` says whether its deals can be verified.
    `made_casual` is why it became casual while it ran; None if its terms made it what it is.

    `vacant_seat` is the seat of a player who lost on time while the others decide whether a computer plays on for them,
    and `vacant_at` since when. `leavers` are the people for whom computers play on; empty, or by seat.
    """

    id: MatchId
    kind: MatchKind
    guild_id: GuildId | None
    channel_id: ChannelId | None
    channel_deleted: bool
    status: MatchStatus
    version: int
    revision: int
    ruleset: str
    rules: Rules
    players: tuple[Player, ...]
    proposals: tuple[Proposal | None, ...]
    started_at: datetime
    moved_at: datetime
    ended_at: datetime | None
    appearance: Appearance
    clock: Clock = NO_CLOCK
    turn_at: datetime | None = None
    paused_at: datetime | None = None
    vacant_seat: Seat | None = None
    vacant_at: datetime | None = None
    leavers: tuple[Player | None, ...] = ()
    ratings: tuple[RatingChange | None, ...] = ()
    fairness: Fairness = Fairness.NONE
    made_casual: MadeCasual | None = None

    @property
    def paused(self) -> bool:
        """True while it is paused: no time runs, and its channel is free."""
        return self.paused_at is not None

    @property
    def halted(self) -> bool:
        """True while nobody can move and no time runs: the match is paused, or has a vacant seat."""
        return self.paused or self.vacant_seat is not None

    def has_time(self, seat: Seat) -> bool:
        """Return whether time runs while a seat is to act: people play, and others than computers wait for them."""
        return not self.practice and self.players[seat].id is not None and not self.is_alone(seat)

    def proposing(self, proposal: Proposal) -> list[Seat]:
        """Return the seats that propose something."""
        return [Seat(seat) for seat, proposed in enumerate(self.proposals) if proposed is proposal]

    @property
    def proposed(self) -> Proposal | None:
        """The proposal of some of the players, or what all are asked; None if there is neither."""
        if self.vacant_seat is not None:
            return Proposal.REPLACE
        return next((one for one in self.proposals if one not in (None, Proposal.DECLINED)), None)

    @property
    def has_rematch(self) -> bool:
        """True if all players have agreed to a rematch, which has begun."""
        agreeing = zip(self.players, self.proposals, strict=True)
        return all(proposal is Proposal.REMATCH for player, proposal in agreeing if player.computer is None)

    @property
    def may_have_rematch(self) -> bool:
        """True if the players can still agree to a rematch.

        That is once the match is over, unless its channel was deleted or somebody who played was forgotten.
        """
        is_open = self.status is not MatchStatus.RUNNING and not self.has_rematch and not self.channel_deleted
        return is_open and self.is_complete

    @property
    def is_complete(self) -> bool:
        """True unless somebody who played was forgotten."""
        return all(player.id is not None or player.computer is not None for player in self.players)

    @property
    def place(self) -> Place | None:
        """The channel of the match; None for practice."""
        if self.guild_id is None or self.channel_id is None:
            return None
        return Place(self.guild_id, self.channel_id)

    @property
    def practice(self) -> bool:
        """True if one person plays with computers, apart from any server."""
        return self.kind is MatchKind.PRACTICE

    def computers_among(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Return those of some seats in which computers sit."""
        return tuple(seat for seat in seats if self.players[seat].computer is not None)

    def is_alone(self, seat: Seat) -> bool:
        """Return whether all players but this one are computers."""
        return all(player.computer is not None for other, player in enumerate(self.players) if other != seat)

    @property
    def terms(self) -> Terms:
        """The terms for another match: those that the players agreed on, but casual if a computer plays on."""
        kind = MatchKind.STANDARD if self.made_casual is MadeCasual.REMOVER else self.kind
        return Terms(kind, self.guild_id, self.channel_id, self.ruleset, self.rules, self.clock)

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that score together, in the order of the score's tuples."""
        return FORMATS[self.rules.format].sides(len(self.players))

    def seen_as(self, appearance: Appearance) -> MatchInfo:
        """Return the match as somebody prefers to see it."""
        return replace(self, appearance=appearance)

    def seat_of(self, person_id: PersonId) -> Seat | None:
        """Return a person's seat; None if they do not play."""
        return next((Seat(seat) for seat, player in enumerate(self.players) if player.id == person_id), None)

    def seat_left_by(self, person_id: PersonId) -> Seat | None:
        """Return the seat in which a computer plays on for a person; None if there is none."""
        return next((Seat(seat) for seat, one in enumerate(self.leavers) if one and one.id == person_id), None)


@dataclass(frozen=True, slots=True)
class Table:
    """One board of a match as everyone sees it, and when it last changed.

    `times` are those of its seats that are to act, of those who are away, and with a live clock of all, by seat.
    """

    match: MatchInfo
    view: PublicView
    moved_at: datetime
    times: Mapping[Seat, TimeLeft] = field(default_factory=dict[Seat, TimeLeft])


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A match as one of its players sees it.

    `moved_at` is when the player's board last changed. `last_deal` is the last finished deal at that board, or None.
    `dm_channel_id` is where the player gets their hand by direct message; None if they do not. `times` are those of the
    seats at that board that are to act, of those who are away, and with a live clock of all. `awaited` is the opponent
    whom the player waits for, if that is a person, perhaps at another board; `may_claim` is True once their time is
    used up, `may_nudge` if the player may nudge them. `may_call_off` is True if the player may end the match alone,
    without a result.
    `deals_over` is how many deals of the match are over, on all boards.
    `waiting_elsewhere` is in how many other matches the player is to act, as far as that was counted. `came_back` is
    True in the answer to what ended the player's holiday.
    """

    match: MatchInfo
    view: SeatView
    moved_at: datetime
    may_claim: bool
    last_deal: ShowdownView | None
    preferences: Preferences = DEFAULT_PREFERENCES
    dm_channel_id: ChannelId | None = None
    times: Mapping[Seat, TimeLeft] = field(default_factory=dict[Seat, TimeLeft])
    awaited: Seat | None = None
    may_nudge: bool = False
    deals_over: int = 0
    may_call_off: bool = False
    waiting_elsewhere: int = field(default=0, compare=False)
    came_back: bool = field(default=False, compare=False)

    @property
    def awaits_computer(self) -> bool:
        """True if it is a computer's turn."""
        turn = self.view.public.turn
        return turn is not None and bool(self.match.computers_among([turn]))

    @property
    def last_showdown(self) -> Showdown | None:
        """The showdown of `last_deal` in the player's own look; None if there is none."""
        if self.last_deal is None:
            return None
        return Showdown(self.match.seen_as(self.preferences.appearance), self.last_deal)


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice to a player with a hand: the moves, the best first."""

    hand: OwnHand
    moves: tuple[Advised, ...]


@dataclass(frozen=True, slots=True)
class Showdown:
    """A finished deal as everyone sees it."""

    match: MatchInfo
    view: ShowdownView


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal whose hands everybody may know, action by action, with all hands at its end."""

    match: MatchInfo
    view: ReplayView


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match with every finished deal, in the order in which they ended.

    `seeds_used_up` is True if it was called off because its chain had no seed for another event, and `is_full` if its
    log had no room for another round.
    """

    match: MatchInfo
    view: PublicView
    deals: tuple[ShowdownView, ...]
    seeds_used_up: bool = False
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class Ping:
    """A call to a player in the match's channel: it is their turn, they are asked to agree, or the match is over.

    `opponents` are the other seats at their board. `reminder` says more if they were told of their turn before.
    """

    match: MatchInfo
    seat: Seat
    person_id: PersonId
    to_act: bool
    opponents: tuple[Seat, ...]
    reminder: RemindedTurn | None = None
    claims: bool = False
    """Whether they are told that the time of whom they wait for is used up."""
    may_call_off: bool = False
    """Whether they are told that they may call the match off, since somebody cannot reach the table."""
    over: bool = False
    """Whether they are told that the match is over, and nothing else."""
    lost: bool = False
    """Whether they are told that they lost on time while the others decide about their seat, and nothing else."""


@dataclass(frozen=True, slots=True)
class LostSeat:
    """A match in which a computer took over a seat, as shown to the player who lost it. It has no cards."""

    match: MatchInfo


@dataclass(frozen=True, slots=True)
class RemindedTurn:
    """A turn that somebody is reminded of, or nudged to take: since when it is theirs, and what time they have left."""

    match: MatchInfo
    seat: Seat
    turn_at: datetime
    time: TimeLeft | None
    nudged: bool


@dataclass(frozen=True, slots=True)
class Reminder:
    """The turns that a person is reminded of in one message, the most urgent first."""

    person_id: PersonId
    turns: tuple[RemindedTurn, ...]
