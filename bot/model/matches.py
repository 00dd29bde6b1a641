"""Matches as people see them: the table, a player's own hand, showdowns, replays.

No value here holds the whole state of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.replay import ReplayView
from bot.engine.matches.views import PublicView, SeatView, ShowdownView
from bot.engine.rules import Rules
from bot.model.appearance import Appearance, ArrangedCards, CardOrder
from bot.model.clocks import NO_CLOCK, Clock, TimeLeft
from bot.model.daily import DailyScore, end_of
from bot.model.fairness import Fairness
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, MatchId, PersonId
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.model.people import DEFAULT_PREFERENCES, Preferences
from bot.model.ratings import RatingChange
from bot.model.statistics import Player
from bot.opponent.play.advice import AdvisedMove

REMATCH_TIMEOUT: Final = timedelta(days=1)
"""Time to agree to a proposed rematch, from `MatchInfo.moved_at`."""
VACANCY_TIMEOUT: Final = timedelta(days=1)
"""Time to decide about a vacant seat, from `MatchInfo.vacant_at`. After that, the match ends."""


class MatchStatus(StrEnum):
    """The states of a match. A resigned or claimed match is finished; a cancelled one does not count."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchKind(StrEnum):
    """The kinds of matches. Only standard ones count in standings; practice is against computers only."""

    STANDARD = "standard"
    CASUAL = "casual"
    PRACTICE = "practice"


class MadeCasual(StrEnum):
    """Why a running match became casual."""

    REMOVER = "remover"
    """A player who had left the server lost on time, and an opponent has permission to remove members.

    The win does not count, because the opponent may have removed the player.
    """
    COMPUTER = "computer"
    """A computer took over the seat of a player who lost on time."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that players agreed to before a match: its kind, place (None for practice), rules and clock."""

    kind: MatchKind
    guild_id: GuildId | None
    channel_id: ChannelId | None
    ruleset: str
    rules: Rules
    clock: Clock = NO_CLOCK


class Proposal(StrEnum):
    """A proposal that all other players must agree to, or the answer to one."""

    CANCEL = "cancel"
    PAUSE = "pause"
    CONTINUE = "continue"
    REMATCH = "rematch"
    REPLACE = "replace"
    """Continue with a computer in the vacant seat. The bot asks all players; nobody proposes it."""
    TAKE_BACK = "take_back"
    """Take the proposer's last discard back."""
    DECLINED = "declined"
    """The player declined a proposal. This is shown until the next move or the next proposal."""


class Shortcut(StrEnum):
    """A request to make one or more moves that the bot works out."""

    GIN = "gin"
    """Knock with a discard that leaves no deadwood."""

    LAY_OFF_ALL = "lay_off_all"
    """Choose the melds and lay-offs that leave the least deadwood, and finish."""


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match without its cards. `players` and `proposals` are by seat; times are in UTC.

    Practice has neither server nor channel.

    `version` identifies the state that a move applies to; `revision` grows with every change that a message could show.
    `ruleset` names the preset or house rule that `rules` come from. `moved_at` is the time of the last move, or of the
    last rematch proposal once the match is over. `turn_at` is the start of the current turn, unless there are several
    boards. `appearance` is the look of the match's public messages or, in private messages, the viewer's own look.
    `ratings` are the rating changes by seat; empty if the match was not rated. `fairness` is how far its deals can be
    verified. `made_casual` is the reason why it became casual while it ran, or None.

    `card_channel_id` is the parent channel of the match's own thread, in which a card leads to the thread, or None.
    `vacant_seat` is the seat of a player who lost on time, while the others decide whether a computer takes it over;
    `vacant_at` is the time at which it became vacant. `leavers` are the people replaced by computers, by seat, or
    empty. `day` is the day of a try at the deal of the day, or None.
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
    card_channel_id: ChannelId | None = None
    day: date | None = None

    @property
    def is_paused(self) -> bool:
        """True if the match is paused: no time runs, and another match may use its channel."""
        return self.paused_at is not None

    @property
    def is_halted(self) -> bool:
        """True if nobody can move and no time runs: the match is paused, or has a vacant seat."""
        return self.is_paused or self.vacant_seat is not None

    def has_time(self, seat: Seat) -> bool:
        """Return True if time runs while it is a seat's turn: a person plays there, and another person waits."""
        return not self.is_practice and self.players[seat].id is not None and not self.is_alone(seat)

    def seats_proposing(self, proposal: Proposal) -> list[Seat]:
        """Return the seats that make this proposal."""
        return [Seat(seat) for seat, proposed in enumerate(self.proposals) if proposed is proposal]

    @property
    def open_proposal(self) -> Proposal | None:
        """The open proposal, or `REPLACE` if a seat is vacant; None if there is neither."""
        if self.vacant_seat is not None:
            return Proposal.REPLACE
        return next((proposal for proposal in self.proposals if proposal not in (None, Proposal.DECLINED)), None)

    @property
    def has_rematch(self) -> bool:
        """True if all players agreed to a rematch, so that it has begun."""
        agreeing = zip(self.players, self.proposals, strict=True)
        return all(proposal is Proposal.REMATCH for player, proposal in agreeing if player.computer is None)

    @property
    def offers_rematch(self) -> bool:
        """True if a player proposes a rematch that has not begun."""
        return self.open_proposal is Proposal.REMATCH and not self.has_rematch

    @property
    def can_have_rematch(self) -> bool:
        """True if the players can still agree to a rematch.

        The match must be over, its channel must exist, and all players must be known. A deal of the day has no rematch.
        """
        is_open = self.status is not MatchStatus.RUNNING and not self.has_rematch and not self.channel_deleted
        return is_open and self.has_known_players and self.day is None

    @property
    def has_known_players(self) -> bool:
        """True unless a player asked to be forgotten."""
        return all(player.id is not None or player.computer is not None for player in self.players)

    @property
    def place(self) -> Place | None:
        """The channel of the match; None for practice."""
        if self.guild_id is None or self.channel_id is None:
            return None
        return Place(self.guild_id, self.channel_id)

    @property
    def is_practice(self) -> bool:
        """True if one person plays against computers, outside of any server."""
        return self.kind is MatchKind.PRACTICE

    @property
    def seed(self) -> int:
        """The seed of the computers' moves, hints and reviews. All tries at a deal of the day have the same one."""
        return self.id if self.day is None else self.day.toordinal()

    def is_sealed(self, now: datetime) -> bool:
        """Return True if this is a try at the deal of the day, and the day is not over.

        Its cards are shown only to its player, and only until the end of the deal.
        """
        return self.day is not None and now < end_of(self.day)

    def computer_seats(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Return those of the given seats that computers play."""
        return tuple(seat for seat in seats if self.players[seat].computer is not None)

    def is_alone(self, seat: Seat) -> bool:
        """Return True if all players except the one at `seat` are computers."""
        return all(player.computer is not None for other_seat, player in enumerate(self.players) if other_seat != seat)

    @property
    def terms(self) -> Terms:
        """The terms for a rematch: the same as before, but casual if a computer took over a seat."""
        kind = MatchKind.STANDARD if self.made_casual is MadeCasual.REMOVER else self.kind
        return Terms(kind, self.guild_id, self.channel_id, self.ruleset, self.rules, self.clock)

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that score together, in the order of the score's tuples."""
        return FORMATS[self.rules.format].sides(len(self.players))

    def with_appearance(self, appearance: Appearance) -> MatchInfo:
        """Return a copy of the match with another look, such as the viewer's own."""
        return replace(self, appearance=appearance)

    def seat_of(self, person_id: PersonId) -> Seat | None:
        """Return a person's seat; None if they do not play."""
        return next((Seat(seat) for seat, player in enumerate(self.players) if player.id == person_id), None)

    def former_seat_of(self, person_id: PersonId) -> Seat | None:
        """Return the seat in which a computer replaced a person, or None."""
        return next((Seat(seat) for seat, leaver in enumerate(self.leavers) if leaver and leaver.id == person_id), None)


@dataclass(frozen=True, slots=True)
class Table:
    """One board of a match as everyone sees it, and the time of its last change.

    `times_left` has the remaining times of the seats whose turn it is, and of players who are away. If the match has a
    live clock, it has the times of all players on the board.
    """

    match: MatchInfo
    view: PublicView
    moved_at: datetime
    times_left: Mapping[Seat, TimeLeft] = field(default_factory=dict[Seat, TimeLeft])


@dataclass(frozen=True, slots=True)
class Card:
    """A match in a thread of its own as its card in the parent channel shows it: the players and the score."""

    match: MatchInfo
    view: PublicView


@dataclass(frozen=True, slots=True)
class PicturedHand:
    """The parts of a player's hand that its picture shows. See `OwnHand`."""

    view: SeatView
    preferences: Preferences
    arranged: ArrangedCards = ()

    @property
    def order(self) -> CardOrder:
        """The order of the cards: the player's own, or else the one that they prefer."""
        return self.arranged or self.preferences.hand_order


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A match as one of its players sees it.

    `moved_at` is the time of the last change on the player's board. `last_deal` is the last finished deal there, or
    None. `unseen_deal` is the first finished deal there whose showdown the player has not seen yet, or None; it is
    shown before the hand. `dm_channel_id` is the channel in which the player gets their hand by direct message, if they
    do. `times_left` has the remaining times of the seats on that board whose turn it is, and of players who are away.
    If the match has a live clock, it has the times of all players on the board.

    `awaited_seat` is the opponent that the player waits for, if it is a person, even on another board. `may_claim` is
    True once that opponent's time has run out; `may_nudge` is True if it is time for a nudge. `may_call_off` is True if
    the player may end the match alone, without a result.

    `may_take_back` is True if the player may ask the others to let them take their last discard back, and
    `may_not_ask_again` if they could ask, but did so before in this deal, in vain. `asked_too_late`
    is True, until the player's next move, if the next player moved and did not answer. For a player who had drawn
    before the request, `drew_before_request` is True until their discard.

    `orders` are the player's orders for their next turn, which is identified by `next_turn`; None while no orders are
    possible. `planned` is the outcome of orders since the player's last move, or None.

    `arranged` are the cards of the deal in play in the order in which the player has arranged them, without the cards
    that came later; empty if the player has not arranged them.

    `daily_score` is the result of a finished try at the deal of the day, and `daily_streak` the number of days in a row
    that the player had then finished. It `counts_nowhere` if they opened it on no server. `daily_price` are the points
    that an unfinished try counts as, once its day is closed. The day `was_down` if people could not play for much of
    it, so that such a try counts as nothing.

    `finished_deals` is the number of finished deals on all boards. `other_turns` is the number of other matches in
    which it is the player's turn; 0 if they were not counted. `returned_from_holiday` is True in the reply to the
    action that ended the player's holiday. `offers_daily` is True in the reply to the action that ended a server's
    first match, if the deal of the day is not posted there.
    """

    match: MatchInfo
    view: SeatView
    moved_at: datetime
    may_claim: bool
    last_deal: ShowdownView | None
    unseen_deal: ShowdownView | None = None
    preferences: Preferences = DEFAULT_PREFERENCES
    dm_channel_id: ChannelId | None = None
    times_left: Mapping[Seat, TimeLeft] = field(default_factory=dict[Seat, TimeLeft])
    awaited_seat: Seat | None = None
    may_nudge: bool = False
    daily_score: DailyScore | None = None
    daily_streak: int = 0
    counts_nowhere: bool = False
    daily_price: int | None = None
    was_down: bool = False
    finished_deals: int = 0
    may_call_off: bool = False
    may_take_back: bool = False
    may_not_ask_again: bool = False
    asked_too_late: bool = False
    drew_before_request: bool = False
    orders: Orders = NO_ORDERS
    next_turn: str | None = None
    planned: Planned | None = None
    arranged: ArrangedCards = ()
    other_turns: int = field(default=0, compare=False)
    returned_from_holiday: bool = field(default=False, compare=False)
    offers_daily: bool = field(default=False, compare=False)

    @property
    def awaits_computer(self) -> bool:
        """True if the player sees the deal in play, and it is a computer's turn."""
        turn = self.view.public.turn
        return self.unseen_deal is None and turn is not None and bool(self.match.computer_seats([turn]))

    @property
    def pictured(self) -> PicturedHand:
        """The parts of the hand that its picture shows."""
        return PicturedHand(self.view, self.preferences, self.arranged)

    @property
    def last_showdown(self) -> Showdown | None:
        """The showdown of `last_deal` in the look that the player has chosen; None if there is no last deal."""
        return None if self.last_deal is None else self._in_own_look(self.last_deal)

    @property
    def unseen_showdown(self) -> Showdown | None:
        """The showdown of `unseen_deal` in the look that the player has chosen; None if there is no unseen deal."""
        return None if self.unseen_deal is None else self._in_own_look(self.unseen_deal)

    def _in_own_look(self, deal: ShowdownView) -> Showdown:
        return Showdown(self.match.with_appearance(self.preferences.appearance), deal)


@dataclass(frozen=True, slots=True)
class Advice:
    """A player's hand, and the recommended moves, best first."""

    hand: OwnHand
    moves: tuple[AdvisedMove, ...]


@dataclass(frozen=True, slots=True)
class Showdown:
    """A finished deal as everyone sees it."""

    match: MatchInfo
    view: ShowdownView


@dataclass(frozen=True, slots=True)
class Replay:
    """The replay of a deal whose hands are all public: each action in turn, then all hands."""

    match: MatchInfo
    view: ReplayView


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match with its finished deals, in the order in which they ended.

    `seeds_used_up` is True if the match was called off because its hash chain had no seed for another event; `is_full`
    is True if it was called off because its log had no room for another round.
    """

    match: MatchInfo
    view: PublicView
    deals: tuple[ShowdownView, ...]
    seeds_used_up: bool = False
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class RematchOffer:
    """An offer of a rematch: the players to answer it, and the people that it pings.

    Nobody is asked once a player has declined it.
    """

    match: MatchInfo
    asked: tuple[PersonId, ...]
    pinged: tuple[PersonId, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """A ping for a player in the match's channel: it is their turn, their consent is needed, or the match is over.

    `opponents` are the other seats on the player's board. `reminder` has more details if the player was already
    notified of this turn.
    """

    match: MatchInfo
    seat: Seat
    person_id: PersonId
    is_turn: bool
    opponents: tuple[Seat, ...]
    reminder: RemindedTurn | None = None
    may_claim: bool = False
    """True if the ping says that the awaited player's time has run out."""
    may_call_off: bool = False
    """True if the ping says that the player may call the match off, because an opponent cannot reach the table."""
    is_over: bool = False
    """True if the ping only says that the match is over."""
    lost_on_time: bool = False
    """True if the ping only says that the player lost on time, while the others decide about the vacant seat."""
    unseen_deal: ShowdownView | None = None
    """The first finished deal whose showdown the player has not seen. It is in the channel, above the ping."""


@dataclass(frozen=True, slots=True)
class LostSeat:
    """A match without its cards, as shown to a player whose seat a computer took over."""

    match: MatchInfo


@dataclass(frozen=True, slots=True)
class RemindedTurn:
    """A turn in a reminder or a nudge: when it began, and the remaining time."""

    match: MatchInfo
    seat: Seat
    turn_at: datetime
    time: TimeLeft | None
    is_nudge: bool


@dataclass(frozen=True, slots=True)
class Reminder:
    """The turns that one message reminds a person of, most urgent first."""

    person_id: PersonId
    turns: tuple[RemindedTurn, ...]
