"""Between two deals: each player sees the showdowns of ended deals, one after another, before the hand."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.engine.deals.moves import TAKE
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, OwnHand
from bot.model.outbox import MessageKind
from bot.model.people import Person, Push
from bot.play.application import Application
from bot.play.outbox.changes import CLICK_ANSWER_DELAY
from bot.play.refusals import NoMatch, NotSeated, Stale
from bot.store import tables
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, NORTH, SOUTH, WEST, Players, dm_of, interaction, prefer

HAND, PING = MessageKind.HAND, MessageKind.PING
LONG = "classic target=1000"


async def unseen(app: Application, person: Person, match_id: MatchId) -> tuple[int, int] | None:
    """Return the number and board of the deal whose showdown a player sees now; None if they see their hand."""
    deal = (await app.lookup.hand(person.id, match_id)).unseen_deal
    return None if deal is None else (deal.number, deal.board)


async def seen_deals(database: Database) -> list[int]:
    """Return the stored number of the last deal that each seat has seen."""
    query = select(tables.seat.c.seen_deal).order_by(tables.seat.c.match_id, tables.seat.c.seat)
    return [number for (number,) in await fetch(database, query)]


async def test_a_showdown_comes_before_the_next_deal(app: Application, players: Players, database: Database) -> None:
    """After a deal, both players see its showdown, until each of them continues with *Next deal*."""
    match = await players.begin(LONG)
    assert (await app.lookup.hand(NORTH.id, match.id)).unseen_deal is None
    won = await players.win(match.id)
    assert won.unseen_deal is not None
    assert won.unseen_deal == won.last_deal
    assert await unseen(app, SOUTH, match.id) == (1, 1)
    hand = await app.turns.next_deal(NORTH.id, match.id, 1)
    assert hand == await app.lookup.hand(NORTH.id, match.id)
    assert (hand.unseen_deal, hand.last_deal, hand.view.public.number) == (None, won.last_deal, 2)
    assert await unseen(app, SOUTH, match.id) == (1, 1)
    assert await seen_deals(database) == [1, 0]
    assert hand.match.version == won.match.version


async def test_a_seen_deal_stays_seen(app: Application, players: Players, database: Database) -> None:
    """A second press, a press below an older showdown, and one for an unknown deal change nothing."""
    match = await players.begin(LONG)
    for _ in range(2):
        await players.win(match.id)
    hand = await app.turns.next_deal(NORTH.id, match.id, 2)
    assert await seen_deals(database) == [2, 1]
    for number in (2, 1, 3, 99):
        again = await app.turns.next_deal(NORTH.id, match.id, number)
        assert (again.unseen_deal, again.match.revision) == (None, hand.match.revision)
    assert await seen_deals(database) == [2, 1]


async def test_several_showdowns_are_shown_in_order(app: Application, players: Players, database: Database) -> None:
    """A player who was away sees the showdown of each deal, the oldest first."""
    match = await players.begin(LONG)
    for _ in range(3):
        await players.win(match.id)
    assert await seen_deals(database) == [2, 1]
    assert await unseen(app, NORTH, match.id) == (3, 1)
    for number in (2, 3):
        assert await unseen(app, SOUTH, match.id) == (number, 1)
        hand = await app.turns.next_deal(SOUTH.id, match.id, number)
    assert hand.unseen_deal is None
    assert hand.view.is_to_act


async def test_a_move_counts_as_having_seen_earlier_deals(
    app: Application, players: Players, database: Database
) -> None:
    """A move marks the deals before it as seen, for its player only; the deal that it ends is still unseen."""
    match = await players.begin(LONG)
    await players.win(match.id)
    hand = await app.turns.command(SOUTH.id, CHANNEL, TAKE, interaction())
    assert hand.unseen_deal is None
    assert await seen_deals(database) == [0, 1]
    assert await unseen(app, NORTH, match.id) == (1, 1)
    ended = await players.move(match.id, "gin")
    assert ended.unseen_deal is not None
    assert ended.unseen_deal.number == 2
    assert await unseen(app, NORTH, match.id) == (1, 1)


async def test_a_refused_move_does_not_count(app: Application, players: Players, database: Database) -> None:
    """A refused move does not mark deals as seen: its answer shows the showdown."""
    match = await players.begin(LONG)
    await players.win(match.id)
    with pytest.raises(Stale) as refusal:
        await app.turns.move(SOUTH.id, match.id, TAKE, interaction(), version=match.version)
    assert refusal.value.hand.unseen_deal is not None
    assert await seen_deals(database) == [0, 0]


async def test_each_board_has_its_own_showdowns(app: Application, database: Database) -> None:
    """Players see only the showdowns of their own board, which may end in any order."""
    four = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await four.begin("partners target=1000")
    await four.move_on_board(2, match.id, "take", "gin")
    assert [await unseen(app, person, match.id) for person in four.people] == [None, None, (1, 2), (1, 2)]
    await four.win(match.id)
    assert [await unseen(app, person, match.id) for person in four.people] == [(1, 1), (1, 1), (1, 2), (1, 2)]
    for person, board in ((NORTH, 1), (EAST, 2)):
        assert (await app.turns.next_deal(person.id, match.id, 1, board)).unseen_deal is None
    # The deal of board 2 ended first.
    assert await seen_deals(database) == [2, 0, 1, 0]
    mover = await four.to_act(match.id, board=2)
    await four.move_on_board(2, match.id, "take", "gin")
    assert await unseen(app, mover, match.id) == (2, 2)
    assert await unseen(app, EAST if mover is WEST else WEST, match.id) == ((2, 2) if mover is WEST else (1, 2))
    assert await unseen(app, NORTH, match.id) is None


async def test_only_players_continue(app: Application, players: Players, database: Database) -> None:
    """People who do not play in a match cannot continue it."""
    match = await players.begin(LONG)
    await players.win(match.id)
    with pytest.raises(NotSeated):
        await app.turns.next_deal(EAST.id, match.id, 1)
    with pytest.raises(NoMatch):
        await app.turns.next_deal(NORTH.id, MatchId(99), 1)
    assert await seen_deals(database) == [0, 0]


@pytest.mark.parametrize("resigned", [False, True])
async def test_nothing_comes_before_the_end_of_a_match(
    app: Application, players: Players, database: Database, resigned: bool
) -> None:
    """Once a match is over, its players see the end at once, and *Next deal* of an old message shows it too."""
    match = await players.begin("classic target=150")
    await players.win(match.id)
    if resigned:
        await app.endings.resign(SOUTH.id, match.id, interaction())
    else:
        await players.win(match.id)
        await players.win(match.id)
    stored = await seen_deals(database)
    for person in players.people:
        hand = await app.turns.next_deal(person.id, match.id, 1)
        assert hand == await app.lookup.hand(person.id, match.id)
        assert (hand.match.status, hand.unseen_deal) == (MatchStatus.FINISHED, None)
    assert await seen_deals(database) == stored


async def test_continuing_changes_only_the_own_message(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """*Next deal* updates the player's own direct message, later if it was pressed there, and notifies nobody."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin(LONG)
    await courier.deliver()
    await players.win(match.id)
    clock.pass_by(CLICK_ANSWER_DELAY)
    await courier.deliver()
    (shown,) = courier.of_kind(HAND, dm_of(SOUTH))
    assert isinstance(shown.shown.content, OwnHand)
    assert shown.shown.content.unseen_deal is not None
    await app.turns.next_deal(SOUTH.id, match.id, 1)
    assert await courier.deliver() == [("edit", HAND)]
    assert shown.shown.content == await app.lookup.hand(SOUTH.id, match.id)
    prepared: list[OwnHand] = []
    hand = await app.turns.next_deal(NORTH.id, match.id, 1, in_own_message=True, prepare=prepared.append)
    assert prepared == [hand]
    assert await courier.deliver() == []
    clock.pass_by(CLICK_ANSWER_DELAY)
    assert await courier.deliver() == [("edit", HAND)]


async def test_continuing_keeps_the_ping_of_a_turn(app: Application, players: Players, courier: FakeCourier) -> None:
    """*Next deal* is not a move: the ping of the player's turn stays, and the player's clock runs on."""
    await prefer(app, SOUTH, push=Push.CHANNEL)
    match = await players.begin(LONG)
    await players.win(match.id)
    await courier.deliver()
    before = await app.lookup.hand(SOUTH.id, match.id)
    hand = await app.turns.next_deal(SOUTH.id, match.id, 1)
    assert await courier.deliver() == []
    assert [message.shown.person_id for message in courier.of_kind(PING)] == [SOUTH.id]
    assert (hand.moved_at, hand.times_left, hand.match.moved_at) == (
        before.moved_at,
        before.times_left,
        before.match.moved_at,
    )
