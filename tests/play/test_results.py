"""What a match that is over brings to each seat: in every format, and however it ended."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.play.house import House
from bot.play.values import ABANDONED_AFTER, Ladder, MatchStatus, StandingRow
from bot.store import tables
from bot.store.database import Database, Transaction
from tests.helpers.chance import GIN_AT_ONCE, KNOCK_AT_ONCE, RiggedChance
from tests.helpers.clock import Clock
from tests.helpers.table import EAST, GUILD, NORTH, SOUTH, WEST, Players, interaction

Result = tuple[bool | None, bool, int, int, int, int]


async def results(database: Database) -> list[Result]:
    """By seat: won, drawn, deals won and lost, points, gins."""
    seat = tables.seat.c
    query = select(seat.won, seat.drawn, seat.deals_won, seat.deals_lost, seat.points, seat.gins).order_by(seat.seat)

    async def work(transaction: Transaction) -> list[Result]:
        return [tuple(row) for row in await transaction.execute(query)]

    return await database.read(work)


async def standing(house: House, ladder: Ladder = Ladder.POINTS) -> list[StandingRow]:
    """The standing, best first."""
    return list(await house.guilds.standing(GUILD, recent=False, ladder=ladder))


async def test_who_sits_out_neither_wins_nor_loses_a_deal(house: House, database: Database) -> None:
    """Of three who rotate, a deal counts for the two who played it; the match for all three."""
    players = Players(house, (NORTH, SOUTH, EAST))
    card = await players.begin("rotation target=10")
    hand = await players.win(card.id)
    (out,) = {0, 1, 2} - {*(await house.lookup.sheet(card.id)).deals[0].seats}
    assert out == 1
    assert hand.view.seat == 2
    assert await results(database) == [
        (False, False, 0, 1, 0, 0),
        (False, False, 0, 0, 0, 0),
        (True, False, 1, 0, 85, 1),
    ]


async def test_partners_have_their_own_points(database: Database, clock: Clock) -> None:
    """A team wins or loses together; deals, points and gins are each player's own."""
    house = House(database, chance=RiggedChance(GIN_AT_ONCE, KNOCK_AT_ONCE), clock=clock)
    players = Players(house, (NORTH, SOUTH, EAST, WEST))
    card = await players.begin("partners target=143")
    await players.move_on(2, card.id, "take", "k Qh")
    assert (await house.lookup.table(card.id)).card.status is MatchStatus.RUNNING
    await players.win(card.id)
    assert await results(database) == [
        (True, False, 1, 0, 85, 1),
        (False, False, 0, 1, 0, 0),
        (True, False, 1, 0, 58, 0),
        (False, False, 0, 1, 0, 0),
    ]
    assert await standing(house) == []
    assert [row.won for row in await standing(house, Ladder.TEAMS)] == [1, 1, 0, 0]


async def test_penalty_points_are_those_charged(house: House, database: Database) -> None:
    """The winner has the fewest, and stands above for it among those who won as often."""
    players = Players(house)
    card = await players.begin("penalty target=10")
    await players.win(card.id)
    assert await results(database) == [(True, False, 1, 0, 0, 1), (False, False, 0, 1, 85, 0)]
    assert await standing(house) == []
    assert [(row.name, row.points) for row in await standing(house, Ladder.PENALTY)] == [("North", 0), ("South", 85)]


async def test_a_drawn_match(house: House, database: Database) -> None:
    """Equal in everything, nobody has won or lost; the match counts in the share of both."""
    players = Players(house)
    card = await players.begin("classic target=none deals=2")
    await players.win(card.id)
    await players.win(card.id)
    assert await results(database) == [(None, True, 1, 1, 85, 1), (None, True, 1, 1, 85, 1)]
    assert [(row.won, row.lost) for row in await standing(house)] == [(0, 0), (0, 0)]


@pytest.mark.parametrize("rules", ["rotation", "winner_stays", "penalty"])
async def test_of_three_one_resigns(house: House, database: Database, rules: str) -> None:
    """It is a loss for them alone; the others have their deals, but no result, and no share of it."""
    players = Players(house, (NORTH, SOUTH, EAST))
    card = await players.begin(f"{rules} target=1000")
    hand = await house.endings.resign(SOUTH[0], card.id, interaction())
    assert hand.view.public.score.winner is None
    assert [row[:2] for row in await results(database)] == [(None, False), (False, False), (None, False)]
    rows = {row.name: row for row in await standing(house, Ladder.of(card.rules))}
    assert {name: (row.won, row.lost) for name, row in rows.items()} == {
        "North": (0, 0),
        "South": (0, 1),
        "East": (0, 0),
    }


async def test_a_match_without_a_result_lowers_no_share(house: House, database: Database) -> None:
    """Who won one and had another broken off leads before who won one and lost one, in spite of fewer points."""
    players = Players(house, (NORTH, SOUTH, EAST))
    broken_off = await players.begin("rotation")
    await house.endings.resign(SOUTH[0], broken_off.id, interaction())
    won = await Players(house, (NORTH, WEST)).begin("classic target=10")
    await Players(house, (NORTH, WEST)).win(won.id)
    two = Players(house, (SOUTH, WEST))
    long = await two.begin("classic target=200")
    for _ in range(5):
        await two.win(long.id)
    rows = await standing(house)
    assert [(row.name, row.won, row.lost) for row in rows][:2] == [("North", 1, 0), ("South", 1, 1)]
    assert rows[0].points < rows[1].points


async def test_a_partner_resigns_for_both(house: House, database: Database) -> None:
    """The team of the one who resigns loses, and the other wins, whatever the score."""
    players = Players(house, (NORTH, SOUTH, EAST, WEST))
    card = await players.begin("partners")
    await house.endings.resign(EAST[0], card.id, interaction())
    assert [row[0] for row in await results(database)] == [False, True, False, True]


async def test_a_silent_player_of_several_can_be_claimed(house: House, database: Database, clock: Clock) -> None:
    """After seven days any who waits may end it, whoever sits out too: the silent one has lost, the others nothing."""
    players = Players(house, (NORTH, SOUTH, EAST))
    card = await players.begin("rotation")
    silent = await players.to_act(card.id)
    clock.pass_by(ABANDONED_AFTER - timedelta(seconds=1))
    hands = [await house.lookup.hand(person[0], card.id) for person in players.people]
    assert not any(hand.may_claim for hand in hands)
    clock.pass_by(timedelta(seconds=1))
    hands = [await house.lookup.hand(person[0], card.id) for person in players.people]
    assert [hand.may_claim for hand in hands] == [person != silent for person in players.people]
    (sits_out,) = [hand.view.seat for hand in hands if hand.view.sits_out]
    await house.endings.claim(players.people[sits_out][0], card.id, interaction())
    assert [row[0] for row in await results(database)] == [
        False if person == silent else None for person in players.people
    ]


async def test_calling_off_and_a_rematch_take_everybody(house: House) -> None:
    """One who has not agreed keeps a match of several going, and a rematch waiting; it has the same seats and name."""
    people = (NORTH, SOUTH, EAST)
    players = Players(house, people)
    await house.rulebook.save(GUILD, "Round Trip", "rotation target=10")
    card = await players.begin("Round Trip")
    for person in people[:2]:
        assert (await house.endings.call_off(person[0], card.id)).card.status is MatchStatus.RUNNING
    assert (await house.endings.keep_playing(EAST[0], card.id)).card.wishes == (None, None, None)
    for person in people:
        await house.endings.call_off(person[0], card.id)
    assert await house.guilds.running(GUILD) == ()
    for person in people[:2]:
        assert (await house.endings.rematch(person[0], card.id)).id == card.id
    again = await house.endings.rematch(EAST[0], card.id)
    assert (again.players, again.system, again.rules) == (card.players, "Round Trip", card.rules)
    assert again.id != card.id
