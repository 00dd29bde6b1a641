"""Sample matches and challenges for tests of texts, and helpers to read messages."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import TAKE, Move, Seat, discard
from bot.engine.deals.phase import Phase
from bot.engine.fairness.audit import Answer, Audit, GivenSeed, SeedKind
from bot.engine.fairness.event_log import Difference
from bot.engine.fairness.fair import player_seed
from bot.engine.matches.actions import Awaiting, Cut, Shuffle
from bot.engine.matches.match import Match, apply, new_match
from bot.engine.matches.views import SeatView, public_view, seat_view, showdown_view
from bot.engine.records.record import Record
from bot.engine.rules import Rules
from bot.model.appearance import Appearance
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.fairness import DealEvent, EventKind, Fairness, Promise, SeatSeed
from bot.model.ids import ChallengeId, ChannelId, GuildId, MatchId, PersonId
from bot.model.matches import MatchInfo, MatchKind, MatchStatus, MatchSummary, OwnHand, Proposal, Showdown, Table
from bot.model.statistics import Player
from bot.model.verification import VerifiedDeal
from bot.opponent.play.advice import AdvisedMove
from cogs.delivery.pictures import Pictures
from cogs.kit.messages import Message
from tests.engine.decks import random_actions
from tests.helpers.message_parts import buttons_in, texts_in
from tests.helpers.shufflers import NORTH_ACTS_FIRST

NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
CHANNEL: Final = ChannelId(10**18)
LONGEST_NAME: Final = "*_~`|" * 6 + "xy"
"""A name of the maximum length in which every character must be escaped or could be markup."""

NAMES: Final = ("North", "South", "East", "West")
MESSAGE_LIMIT: Final = 4000
"""Discord's limit for the total text of a message, in characters."""

RECORDS: Final = Path(__file__).parents[1] / "records"


def person_id(seat: int) -> PersonId:
    """Return the id of the person in a seat."""
    return PersonId(10**18 + seat)


def players(*names: str | None) -> tuple[Player, ...]:
    """Return players with these names; None is a player who asked to be forgotten."""
    return tuple(Player(None if name is None else person_id(seat), name) for seat, name in enumerate(names))


def match_between(
    *names: str | None,
    rules: Rules | str = "classic",
    status: MatchStatus = MatchStatus.RUNNING,
    proposals: tuple[Proposal | None, ...] = (),
) -> MatchInfo:
    """Return a match between people with these names. Its ids have the maximum length."""
    parsed_rules = Rules.parse(rules) if isinstance(rules, str) else rules
    return MatchInfo(
        id=MatchId(10**6),
        kind=MatchKind.STANDARD,
        guild_id=GuildId(10**18),
        channel_id=CHANNEL,
        channel_deleted=False,
        status=status,
        version=10**4,
        revision=10**4,
        ruleset=parsed_rules.preset,
        rules=parsed_rules,
        players=players(*names),
        proposals=proposals or (None,) * len(names),
        started_at=NOW,
        moved_at=NOW,
        ended_at=None,
        appearance=Appearance(),
    )


def match_info_of(match: Match, status: MatchStatus = MatchStatus.RUNNING) -> MatchInfo:
    """Return the `MatchInfo` of a match, with North, South, East and West as its players."""
    return match_between(*NAMES[: match.seats], rules=match.rules, status=status)


def challenge_by(
    *names: str,
    named: tuple[str, ...] = (),
    rules: str = "classic",
    status: ChallengeStatus = ChallengeStatus.PENDING,
) -> Challenge:
    """Return a challenge. `names` are the people who joined, challenger first; `named` have reserved seats."""
    parsed_rules, everyone = Rules.parse(rules), players(*names, *named)
    return Challenge(
        id=ChallengeId(10**6),
        guild_id=GuildId(1),
        channel_id=ChannelId(1),
        ruleset=parsed_rules.preset,
        rules=parsed_rules,
        pairing=0,
        players=everyone[: len(names)],
        named=everyone[len(names) :],
        status=status,
        revision=1,
        created_at=NOW,
        expires_at=NOW,
        match_id=None,
        pinged=tuple(player.id for player in everyone[len(names) :] if player.id is not None),
    )


@lru_cache
def recorded(name: str) -> Match:
    """Return the match of a record file after its last action."""
    return Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8")).replay()


@lru_cache
def recorded_until(name: str, phase: Phase, board: int = 1) -> Match:
    """Return the match of a record file at the moment when a board first reaches this phase."""
    record = Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, record.replay().seats)
    for action in record.actions:
        match = apply(match, action)
        is_dealt = any(deal.board == board for deal in (*match.finished, *match.playing))
        if is_dealt and public_view(match, board).phase is phase:
            return match
    raise AssertionError(f"board {board} of {name} never reaches {phase}")


def just_dealt(rules: str, seats: int = 2, deck: tuple[Card, ...] = DECK) -> Match:
    """Return a match right after the first deal, with this deck on each board. With two players seat 0 acts first."""
    match = new_match(Rules.parse(rules), seats)
    if match.awaits is Awaiting.CUT:
        match = apply(match, Cut(NORTH_ACTS_FIRST[:seats]))
    for due in match.due_deals:
        deal_seats = due.seats if match.format.names_seats else None
        match = apply(match, Shuffle(due.number, due.dealer, deck, deal_seats, due.board))
    return match


@lru_cache
def long_match(deals: int, rules: str = "classic", seats: int = 2) -> Match:
    """Return a running match with at least this many finished deals, far from its target."""
    steps = islice(random_actions(7, Rules.parse(f"{rules} target=10000"), seats=seats), 30_000)
    return next(after for _, _, after in steps if len(after.finished) >= deals and after.playing)


def advised(
    move: Move, value: float, deadwood: int = 10, goes_out: float = 0.1, danger: float = 0.1, then: Move | None = None
) -> AdvisedMove:
    """Return a move with its evaluation. `then` is the discard after taking the upcard; its default is a king."""
    then = discard(Card.parse("Kd")) if move is TAKE and then is None else then
    return AdvisedMove(move, value, deadwood, goes_out, danger, then)


def weak_hand_match(seats: int = 2) -> Match:
    """Return a match in which seat 0 has 37 deadwood and the upcard is 2♦. With two players seat 0 acts first."""
    deck = list(DECK)
    Random(10).shuffle(deck)
    return just_dealt("classic" if seats == 2 else "penalty", seats, tuple(deck))


def with_moves(view: SeatView, *moves: AdvisedMove, legal: tuple[Move, ...] = ()) -> SeatView:
    """Return a view with these legal moves: `moves` without their evaluations, then `legal`."""
    return replace(view, moves=(*dict.fromkeys((*(move.move for move in moves), *legal)),))


def table_of(match: Match, board: int = 1) -> Table:
    """Return a board of a match as everyone sees it."""
    return Table(match_info_of(match), public_view(match, board), NOW)


def hand_of(match: Match, seat: int, status: MatchStatus = MatchStatus.RUNNING) -> OwnHand:
    """Return a match as one seat sees it."""
    return OwnHand(
        match_info_of(match, status),
        seat_view(match, Seat(seat)),
        NOW,
        may_claim=False,
        last_deal=None,
        finished_deals=len(match.finished),
    )


def showdowns_of(match: Match) -> tuple[Showdown, ...]:
    """Return a `Showdown` for each finished deal of a match."""
    info = match_info_of(match)
    return tuple(Showdown(info, showdown_view(match, deal.number, deal.board)) for deal in match.finished)


def summary_of(match: Match, info: MatchInfo | None = None) -> MatchSummary:
    """Return a summary of a match and its finished deals. Without `info`, the match counts as finished."""
    deals = tuple(showdown.view for showdown in showdowns_of(match))
    return MatchSummary(info or match_info_of(match, MatchStatus.FINISHED), public_view(match), deals)


def seeds_of(*texts: str | None, kind: SeedKind = SeedKind.WORDS, early: bool = False) -> tuple[SeatSeed, ...]:
    """Return a player seed for each seat, from these words; None means that the words were removed."""
    return tuple(
        SeatSeed(
            Seat(seat),
            player_seed(text or "removed"),
            kind,
            text,
            counts_from=None,
            early=early,
        )
        for seat, text in enumerate(texts)
    )


def verified_deal(
    *seeds: SeatSeed, rules: str = "classic", fairness: Fairness = Fairness.VERIFIABLE, answer: Answer = Answer.OK
) -> VerifiedDeal:
    """Return the verified first deal of a match with these seeds."""
    match = replace(match_between(*NAMES[: len(seeds)], rules=rules), fairness=fairness)
    posted = Promise(bytes(32), CHANNEL, 10**18 + 7, NOW)
    unposted = Promise(bytes(32), channel_id=None, message_id=None, posted_at=None)
    audit_seeds = tuple((GivenSeed(seed.seed, None, SeedKind.WORDS),) for seed in seeds)
    differences = (Difference("cards of event 2"),) if answer is Answer.WRONG else ()
    return VerifiedDeal(
        match=match,
        promise=posted if fairness is Fairness.VERIFIABLE else unposted,
        number=1,
        board=1,
        seeds=seeds,
        all_seeds=seeds,
        events=(
            DealEvent(1, EventKind.CUT, DECK[: len(seeds)], bytes(32)),
            DealEvent(2, EventKind.DECK, DECK, bytes(32)),
            DealEvent(3, EventKind.RESHUFFLE, None, None),
        ),
        unrecorded_events=1,
        record="[Record]",
        audit=Audit(answer, bytes(32), None, (1, 2), (), (), differences, audit_seeds, ()),
    )


def length(message: Message) -> int:
    """Return the total length of a message's text, in characters."""
    return sum(map(len, texts_in(message)))


def button_labels(message: Message) -> list[str]:
    """Return the labels of a message's buttons."""
    return [str(button.label) for button in buttons_in(message)]


def text_of(message: Message) -> str:
    """Return all text of a message, as it is sent."""
    return "\n".join(texts_in(message))


@asynccontextmanager
async def opened_pictures() -> AsyncGenerator[Pictures]:
    """Yield an object that draws pictures, and close it at the end of the block."""
    pictures = Pictures()
    try:
        yield pictures
    finally:
        await pictures.close()
