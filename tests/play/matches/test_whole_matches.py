"""Whole matches with random moves: the database and the channels agree with a replay of the log."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Row, select

from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Match, apply, new_match
from bot.engine.records.record import parse_actions
from bot.model.ids import ChannelId, MatchId
from bot.model.matches import MatchStatus, OwnHand, Ping, Table
from bot.model.outbox import MessageKind
from bot.model.statistics import Category
from bot.play.application import Application
from bot.play.outbox.outbox import Work
from bot.play.refusals import Refusal
from bot.store import tables
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.transaction import Transaction
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database, without_fsync
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Players,
    dm_of,
    interaction,
    place,
    prefer,
    sensible_move,
)
from tests.play.boards import full_standings


async def check_database(database: Database) -> Counter[str]:
    """Check every match in the database against its log, and count how deals ended.

    Raises:
        AssertionError: stored data differs from a replay of the log.
    """

    async with database.read() as transaction:
        kinds = Counter[str]()
        for row in await transaction.execute(select(tables.match)):
            kinds += await _check_match(transaction, row)
        return kinds


async def _check_match(transaction: Transaction, row: Row[Any]) -> Counter[str]:
    log = await transaction.execute(select(tables.action).where(tables.action.c.match_id == row.id))
    actions = sorted(log, key=lambda action: action.number)
    assert [action.number for action in actions] == list(range(1, row.version + 1))
    parsed = [action for line in actions for action in parse_actions(line.text)]
    assert [action.text for action in actions] == [str(action) for action in parsed]
    seats = await transaction.execute(select(tables.seat).where(tables.seat.c.match_id == row.id))
    by_seat = sorted(seats, key=lambda seat: seat.seat)
    states = [new_match(row.rules, len(by_seat))]
    for action in parsed:
        states.append(apply(states[-1], action))
    match = states[-1]
    assert (row.status == MatchStatus.FINISHED) == match.score.is_over
    assert (row.ended_at is None) == (row.status == MatchStatus.RUNNING)
    saved = await transaction.execute(select(tables.deal).where(tables.deal.c.match_id == row.id))
    deals = sorted(saved, key=lambda deal: deal.number)
    for number, (deal, played) in enumerate(zip(deals, match.finished, strict=True), 1):
        assert played.outcome is not None
        assert (deal.number, deal.kind) == (number, played.outcome.kind)
        assert (deal.winner, deal.points) == (played.outcome.winner, played.outcome.points)
        version: int = deal.version
        assert [len(state.finished) for state in states[version - 1 : version + 1]] == [number - 1, number]
    for seat in by_seat:
        _check_seat(seat, match)
    return Counter(deal.kind for deal in deals)


def _check_seat(seat: object, match: Match) -> None:
    names = ("won", "drawn", "deals_won", "deals_lost", "points", "gins", "undercuts")
    stored = {name: getattr(seat, name) for name in names}
    score = match.score
    if not score.is_over:
        assert set(stored.values()) == {None}
        return
    seat_number: int = getattr(seat, "seat")  # noqa: B009
    (side,) = [number for number, side in enumerate(match.sides) if seat_number in side]
    outcomes = [deal.outcome for deal in match.finished if seat_number in deal.seats and deal.outcome is not None]
    won_kinds = Counter(outcome.kind for outcome in outcomes if outcome.winner == seat_number)
    has_forfeited = match.forfeit is not None and match.forfeit.seat == seat_number
    if match.rules.format in ("duel", "penalty") and not score.columns:
        assert stored["points"] == score.scores[seat_number]
    assert stored == {
        "won": score.winner == side if score.winner is not None else False if has_forfeited else None,
        "drawn": score.winner is None and match.forfeit is None,
        "deals_won": won_kinds.total(),
        "deals_lost": len([outcome for outcome in outcomes if outcome.winner not in (None, seat_number)]),
        "points": stored["points"],
        "gins": won_kinds[OutcomeKind.GIN] + won_kinds[OutcomeKind.BIG_GIN],
        "undercuts": won_kinds[OutcomeKind.UNDERCUT],
    }


async def play(players: Players, match_id: MatchId, random: Random) -> None:
    """Play a match to its end. Each player knows only their own hand, and some clicks are repeated."""
    lookup = players.app.lookup
    while True:
        table = await lookup.table(match_id)
        if table.match.status is not MatchStatus.RUNNING:
            return
        others = [await lookup.table(match_id, board) for board in range(2, table.view.boards + 1)]
        turns = [shown.view.turn for shown in (table, *others) if shown.view.turn is not None]
        person = players.people[random.choice(turns)]
        hand = await lookup.hand(person.id, match_id)
        assert (hand.view.is_to_act, hand.view.sits_out) == (True, False)
        move, recent = sensible_move(hand.view, random), interaction()
        clicks = [
            players.app.turns.move(person.id, match_id, move, recent, version=hand.match.version)
            for _ in range(random.choice((1, 1, 2)))
        ]
        first, *repeated = await asyncio.gather(*clicks)
        assert first.match.version > hand.match.version
        assert all(answer == first for answer in repeated)


async def open_app(path: Path, clock: Clock, seed: int) -> tuple[Database, Application]:
    """Open a database file, and build an application with seeded decks."""
    database = await open_database(f"sqlite:///{path}")
    return database, Application(database, shuffler=RiggedShuffler(seed=seed), clock=clock)


QUICK_OPTIONS = "knock_limit=100 target=10"
"""Options that let anyone knock immediately."""

FORMATS = (("classic", 2), ("hollywood", 2), ("penalty", 3), ("rotation", 3), ("winner_stays", 3), ("partners", 4))
"""A preset of each format, with the number of players."""
OTHER_PRESETS = (("standard", 2), ("big", 2), ("tournament", 2), ("penalty", 2), ("penalty", 4))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "count", "seed"),
    [
        *thorough_after(1, ((f"{preset} {QUICK_OPTIONS}", count, 1) for preset, count in FORMATS)),
        *nightly_after(0, ((f"{preset} {QUICK_OPTIONS}", count, 1) for preset, count in OTHER_PRESETS)),
        *nightly_after(0, ((f"{preset} target=20", count, 0) for preset, count in (*FORMATS, *OTHER_PRESETS))),
        *nightly_after(
            0, ((f"{preset} {QUICK_OPTIONS} lay_off_mode=manual", 4, 5) for preset in ("partners", "penalty"))
        ),
        pytest.param("partners target=60 lay_off_mode=manual", 4, 5, marks=pytest.mark.nightly),
        pytest.param("penalty target=40 lay_off_mode=manual", 4, 6, marks=pytest.mark.nightly),
    ],
)
async def test_a_match_is_what_its_log_says(
    database: Database, clock: Clock, rules: str, count: int, seed: int
) -> None:
    """After a match in any format, the stored deals, seats and standings equal a replay of the log."""
    app = Application(database, shuffler=RiggedShuffler(seed=seed), clock=clock)
    players = Players(app, (NORTH, SOUTH, EAST, WEST)[:count])
    match = await players.begin(rules)
    await play(players, match.id, Random(seed))
    summary = await app.lookup.summary(match.id)
    assert (await check_database(database)).total() == len(summary.deals)
    category = Category.of(match.rules)
    rows = await full_standings(app, GUILD, recent=True, category=category)
    assert {row.person_id for row in rows} == {person.id for person in players.people}
    score = summary.view.score
    winners = () if score.winner is None else summary.view.sides[score.winner]
    assert {row.person_id for row in rows if row.won} == {players.people[seat].id for seat in winners}
    for other in set(Category) - {category}:
        assert await full_standings(app, GUILD, recent=True, category=other) == ()


@pytest.mark.thorough
@pytest.mark.parametrize("rounds", [1, pytest.param(3, marks=pytest.mark.nightly)])
async def test_simultaneous_matches(database: Database, clock: Clock, rounds: int) -> None:
    """Simultaneous matches have valid logs, and the standings contain the results of all their deals."""
    app = Application(database, shuffler=RiggedShuffler(seed=7), clock=clock)
    pairs = [(NORTH, SOUTH), (SOUTH, EAST), (EAST, NORTH)] * rounds
    numbered_players = [(number, Players(app, pair)) for number, pair in enumerate(pairs)]
    matches = [
        await players.begin(f"classic {QUICK_OPTIONS}", channel_id=ChannelId(CHANNEL + number))
        for number, players in numbered_players
    ]
    await asyncio.gather(*(play(players, matches[number].id, Random(number)) for number, players in numbered_players))
    kinds = await check_database(database)
    rows = await full_standings(app, GUILD)
    assert sum(row.won for row in rows) == sum(row.lost for row in rows) == len(pairs)
    scored = kinds.total() - kinds[OutcomeKind.VOID]
    assert sum(row.deals_won for row in rows) == sum(row.deals_lost for row in rows) == scored >= len(pairs)
    assert sum(row.gins for row in rows) == kinds[OutcomeKind.GIN]
    assert sum(row.undercuts for row in rows) == kinds[OutcomeKind.UNDERCUT]


class RandomSession:
    """Two players who perform random actions, with deliveries and restarts in between."""

    def __init__(self, path: Path, clock: Clock, seed: int) -> None:
        self.path = path
        self.clock = clock
        self.random = Random(seed)
        self.seed = seed

    async def run(self, steps: int) -> None:
        """Perform random actions, and check the database."""
        self.database, app = await open_app(self.path, self.clock, self.seed)
        self.courier = FakeCourier(app)
        self.players = Players(app)
        try:
            await self.perform_actions(steps)
            await check_database(self.database)
        finally:
            await self.database.close()

    async def perform_actions(self, steps: int) -> None:
        """Perform random actions, and deliver messages after half of them."""
        actions = (self.move, self.move, self.move, self.propose, self.do_something_else, self.restart, self.settle)
        for _ in range(steps):
            action = self.random.choice(actions)
            with contextlib.suppress(Refusal):
                await action()
            self.clock.pass_by(timedelta(seconds=self.random.choice((1, 40, 4000))))
            if self.random.random() < 0.5:
                await self.deliver()

    async def move(self) -> None:
        """Make a move, or start a match if none is running."""
        app = self.players.app
        match = await app.lookup.running_in(CHANNEL)
        if match is None:
            await self.players.begin("classic target=10")
            return
        person = await self.players.to_act(match.id)
        view = (await app.lookup.hand(person.id, match.id)).view
        await app.turns.move(person.id, match.id, sensible_move(view, self.random), interaction())

    async def propose(self) -> None:
        """Propose, agree to or decline cancelling the match, or sometimes resign."""
        endings, person = self.players.app.endings, self.random.choice(self.players.people)
        match = await self.players.app.lookup.find(person.id, CHANNEL)
        if self.random.random() < 0.2:
            await endings.resign(person.id, match.id, interaction())
        else:
            await self.random.choice((endings.call_off, endings.decline))(person.id, match.id)

    async def do_something_else(self) -> None:
        """Open or close direct messages, change preferences, repost, delete a message, or agree to a rematch."""
        app, person = self.players.app, self.random.choice(self.players.people)
        match self.random.randrange(6):
            case 0:
                await self.players.open_dms(person)
            case 1:
                await app.outbox.save_dm_refused(person.id)
            case 2:
                await prefer(app, person, hand_by_dm=self.random.random() < 0.7)
            case 3:
                match = await app.lookup.find(person.id, CHANNEL)
                await app.tables.repost(match.id, person.id, place())
            case 4:
                if self.courier.messages:
                    del self.courier.messages[self.random.choice(list(self.courier.messages))]
            case _:
                match = await app.lookup.last_ended_in(CHANNEL, person.id)
                await app.endings.rematch(person.id, match.id)

    async def settle(self) -> None:
        """Deliver all messages, including those due later, and check the channels."""
        for _ in range(10):
            await self.deliver()
            due = (await self.players.app.outbox.work()).next_due
            if due is None:
                break
            self.clock.now = max(due, self.clock.now)
        assert await self.players.app.outbox.work() == Work()
        match = await self.players.app.lookup.running_in(CHANNEL)
        shown = [message.shown.content for message in self.courier.of_kind(MessageKind.TABLE)]
        for table in shown:
            assert match is not None
            assert isinstance(table, Table)
            assert table.view == (await self.players.app.lookup.table(match.id, table.view.board)).view
        assert len(shown) <= 1
        pings = [message.shown.content for message in self.courier.of_kind(MessageKind.PING)]
        assert sum(isinstance(ping, Ping) and ping.is_turn for ping in pings) <= (match is not None)
        for person in self.players.people:
            contents = [message.shown.content for message in self.courier.of_kind(MessageKind.HAND, dm_of(person))]
            hands = [content for content in contents if isinstance(content, OwnHand)]
            assert len(hands) == len(contents) == len({hand.match.id for hand in hands})
            for own_hand in hands:
                assert own_hand.view == (await self.players.app.lookup.hand(person.id, own_hand.match.id)).view

    async def deliver(self) -> None:
        """Deliver due messages. Sometimes the courier crashes after a post, before it is recorded."""
        if self.random.random() < 0.2:
            for group in (await self.players.app.outbox.work()).groups:
                assert group.messages is not None
                message = group.messages[0]
                if message.content is not None and message.needs_post and message.channel_id is not None:
                    self.courier.post(message, message.channel_id)
            await self.restart()
        self.courier.cannot_delete_replaced = self.random.random() < 0.2
        await self.courier.deliver()

    async def restart(self) -> None:
        """Close the application and open it again on the same database."""
        await self.database.close()
        self.database, app = await open_app(self.path, self.clock, self.random.randrange(10**6))
        self.courier.app = self.players.app = app


@pytest.mark.thorough
@pytest.mark.parametrize("seed", nightly_after(0, range(6)))
async def test_random_actions_and_restarts(tmp_path: Path, clock: Clock, seed: int) -> None:
    """After random actions and restarts, the logs are valid, and no channel has two messages of the same kind."""
    new_database(tmp_path / "a.db")
    with without_fsync():
        await RandomSession(tmp_path / "a.db", clock, seed).run(60 if seed else 30)
