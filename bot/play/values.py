"""What the services hand out: who plays what where, with the view of the asker and never the whole state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.moves import Seat
from bot.engine.replay import ReplayView
from bot.engine.rules import Rules
from bot.engine.views import PublicView, SeatView, ShowdownView
from bot.store.rows import ChallengeStatus, MatchStatus, NoticeKind, StandingRow

__all__ = [
    "ABANDONED_AFTER",
    "OFFER_STANDS",
    "Ask",
    "ChallengeStatus",
    "Challengers",
    "EndPost",
    "GuildSettings",
    "Invitation",
    "Ladder",
    "Look",
    "MatchCard",
    "MatchStatus",
    "Notice",
    "NoticeKind",
    "Offer",
    "Order",
    "OwnHand",
    "Ping",
    "Played",
    "Player",
    "Preferences",
    "Profile",
    "Push",
    "Replay",
    "Rival",
    "ShowdownPost",
    "StandingRow",
    "Table",
    "Week",
    "Wish",
]

ABANDONED_AFTER: Final = timedelta(days=7)
"""After so long without a move the waiting player may claim the match, or cancel it."""

OFFER_STANDS: Final = timedelta(days=1)
"""So long an offer to play again may be taken up; it stands since `MatchCard.moved_at`."""


class Push(StrEnum):
    """How a person hears that it is their turn."""

    DM = "dm"
    CHANNEL = "channel"
    BOTH = "both"
    NONE = "none"


class Challengers(StrEnum):
    """Who may challenge a person by name, or name them for a place."""

    ANYONE = "anyone"
    PLAYED = "played"
    NOBODY = "nobody"


class Order(StrEnum):
    """How the cards of a hand are sorted; what is none of these is by melds."""

    MELDS = "melds"
    SUIT = "suit"
    RANK = "rank"

    @classmethod
    def _missing_(cls, value: object) -> Order:
        return cls.MELDS


class Wish(StrEnum):
    """What a seat proposes and the others must agree to."""

    CANCEL = "cancel"
    REMATCH = "rematch"


class Ask(StrEnum):
    """What a person may ask for that is no single move of the engine's."""

    GIN = "gin"
    """A knock with a discard that leaves nothing."""

    LAY_OFF_ALL = "lay_off_all"
    """The own melds and lay-offs that leave least, and being done."""


class Ladder(StrEnum):
    """What can be compared: points of one's own, of a team, or penalty points."""

    POINTS = "points"
    TEAMS = "teams"
    PENALTY = "penalty"

    @staticmethod
    def of(rules: Rules) -> Ladder:
        """Where a match by these rules counts."""
        return _LADDERS.get(rules.format, Ladder.POINTS)


_LADDERS: Final = {"partners": Ladder.TEAMS, "penalty": Ladder.PENALTY}


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat: a person by id and the name they had last. Both are None once they asked to be forgotten."""

    id: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """How cards are shown: a theme by name, whether each suit has a colour of its own, and the code of a language.

    What was kept may name a theme or a language that is none any more.
    """

    theme: str = "classic"
    four_colours: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match without its cards. `players` and `wishes` are by seat; times are UTC.

    `version` names the state that a move applies to; `revision` grows with every change that a message could show. A
    match is homeless while its channel is gone. `system` is the preset or house rule that `rules` were agreed by.
    `moved_at` is the time of the last move, or, once the match is over, of the last offer to play again. `look` is that
    of public messages.
    """

    id: int
    guild_id: int
    channel_id: int
    homeless: bool
    status: MatchStatus
    version: int
    revision: int
    system: str
    rules: Rules
    players: tuple[Player, ...]
    wishes: tuple[Wish | None, ...]
    started_at: datetime
    moved_at: datetime
    ended_at: datetime | None
    look: Look

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """Who scores together, in the order of the score's tuples."""
        return FORMATS[self.rules.format].sides(len(self.players))

    def seat_of(self, person_id: int) -> Seat | None:
        """Where a person sits; None where they do not."""
        for seat, player in enumerate(self.players):
            if player.id == person_id:
                return Seat(seat)
        return None


@dataclass(frozen=True, slots=True)
class Table:
    """One board of a match as everyone sees it, and when it changed last."""

    card: MatchCard
    view: PublicView
    moved_at: datetime


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A match as one of its players sees it; `may_claim` once the others have been silent for too long.

    `moved_at` tells when its board changed last. `last` is the last finished deal at that board, while the match goes
    on; None before there is one. `look`, `order` and whether there are `pictures` is the player's choice.
    """

    card: MatchCard
    view: SeatView
    moved_at: datetime
    may_claim: bool
    last: ShowdownView | None
    look: Look
    order: Order = Order.MELDS
    pictures: bool = True


@dataclass(frozen=True, slots=True)
class ShowdownPost:
    """A deal that is over, as everyone sees it."""

    card: MatchCard
    view: ShowdownView


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal that is over, action by action, with the hands that were laid down at its end."""

    card: MatchCard
    view: ReplayView


@dataclass(frozen=True, slots=True)
class EndPost:
    """A match that is over, with every deal of it."""

    card: MatchCard
    view: PublicView
    deals: tuple[ShowdownView, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """A call to a player in the match's channel: it is their turn, or they are asked to agree to an offer.

    `against` are the others at their board.
    """

    card: MatchCard
    seat: Seat
    person_id: int
    to_act: bool
    against: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """A challenge: who plays so far, and for whom the other places are.

    `seats` is how many the format may take. `players` have joined, the challenger first; for each of the `named` a
    place is kept. `teams` are those of a format that has them, once everybody is there, and empty until then. `system`
    is the preset or house rule that `rules` were agreed by.
    """

    id: int
    guild_id: int
    channel_id: int
    system: str
    rules: Rules
    seats: range
    players: tuple[Player, ...]
    named: tuple[Player, ...]
    teams: tuple[tuple[Player, ...], ...]
    status: ChallengeStatus
    revision: int
    expires_at: datetime
    match_id: int | None

    @property
    def challenger(self) -> Player:
        """Who invites."""
        return self.players[0]

    @property
    def opponent(self) -> Player | None:
        """Whom a match of two is with; None while it is open to anyone, and in lobbies."""
        others = (*self.players[1:], *self.named)
        return None if self.is_lobby or not others else others[0]

    @property
    def is_lobby(self) -> bool:
        """Whether the format may have more than two players: then the challenger starts the match."""
        return self.seats[-1] > 2

    @property
    def free(self) -> int:
        """How many places are open to anyone."""
        return self.seats[-1] - len(self.players) - len(self.named)

    @property
    def can_start(self) -> bool:
        """Whether a lobby has as many players as the format needs."""
        return self.is_lobby and len(self.players) in self.seats


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person chose; `dm_works` is None before the first direct message, and False once one was refused."""

    hand_by_dm: bool
    push: Push
    challengers: Challengers
    dm_works: bool | None
    look: Look = Look()
    hand_order: Order = Order.MELDS
    pictures: bool = True


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server's managers chose: rules and target of a challenge that names none; where to play (empty: all); and
    which presets are offered (empty: all)."""

    rules: str
    target: int | None
    channels: tuple[int, ...]
    offered: tuple[str, ...] = ()
    look: Look = Look()


@dataclass(frozen=True, slots=True)
class Played:
    """How a match went for a person.

    `net` is what their side's deals brought less the best other side's; of penalty points, how many fewer they have
    than the best other. `won` is None where it was drawn, and where somebody else's resignation left no result.
    """

    ended_at: datetime
    won: bool | None
    drawn: bool
    net: int


@dataclass(frozen=True, slots=True)
class Rival:
    """Whom a person met most often as an opponent, and how those matches went."""

    player: Player
    matches: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Profile:
    """How a person did in the matches that a ladder of a server compares, since its last reset.

    `ladders` are those on which they finished any, most played first; `played` their matches, oldest first. Deals,
    points, gins (big ones too) and undercuts are added up, as in `StandingRow`.
    """

    player: Player
    ladder: Ladder
    ladders: tuple[Ladder, ...]
    played: tuple[Played, ...]
    deals_won: int
    deals_lost: int
    points: int
    gins: int
    undercuts: int
    rival: Rival | None

    @property
    def won(self) -> int:
        """Matches won."""
        return sum(match.won is True for match in self.played)

    @property
    def lost(self) -> int:
        """Matches lost."""
        return sum(match.won is False for match in self.played)

    @property
    def drawn(self) -> int:
        """Matches drawn."""
        return sum(match.drawn for match in self.played)

    @property
    def share(self) -> int | None:
        """How many of a hundred matches with a result were won, halves up; None where none has one."""
        ended = self.won + self.lost + self.drawn
        return (200 * self.won + ended) // (2 * ended) if ended else None

    @property
    def net(self) -> int:
        """What all matches brought, less what they brought the best others."""
        return sum(match.net for match in self.played)

    @property
    def streak(self) -> int:
        """The most matches won in a row; one without a result does not end a row."""
        best = row = 0
        for match in self.played:
            if match.won is not None or match.drawn:
                row = row + 1 if match.won else 0
            best = max(best, row)
        return best


@dataclass(frozen=True, slots=True)
class Week:
    """How much was played in a week that began on a Monday, in UTC: matches that ended, and who played in them."""

    begins: date
    matches: int
    players: int


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules by their name in a server: a preset, or a house rule of its own."""

    name: str
    rules: Rules
    house: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """A message that is to be posted, edited or removed, and where it stands now.

    `channel_id` is where a new post goes; None where there is nowhere to post. `nonce` is the same for every try of the
    same post. `silent` says that a new post only takes an older one's place, or shows a hand that is not to act, and
    should notify nobody. `doubtful` says that an earlier try may have succeeded unseen.
    """

    id: int
    kind: NoticeKind
    wanted: int
    revision: int
    content: Table | OwnHand | ShowdownPost | EndPost | Ping | Invitation | None
    channel_id: int | None
    message_channel_id: int | None
    message_id: int | None
    post: bool
    nonce: str
    silent: bool
    doubtful: bool
    attempts: int
    person_id: int | None
