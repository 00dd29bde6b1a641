"""Matches with several boards: each has its own table, turns, hands and time. A round ends with its last board."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.engine.deals.moves import PASS, TAKE, Seat
from bot.engine.deals.phase import Phase
from bot.engine.matches.match import Forfeit
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, Showdown, Table
from bot.model.outbox import MessageKind, PostedMessage
from bot.model.people import Push
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.loading import loaded_match
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.refusals import NotYourTurn, Stale, TooSoon
from bot.store import matches, tables
from bot.store.database import Database, Transaction
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, GUILD, MANAGER, NORTH, SOUTH, WEST, Players, dm_of, interaction, prefer

TABLE, HAND, PING = MessageKind.TABLE, MessageKind.HAND, MessageKind.PING
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE
COMMITMENT = MessageKind.COMMITMENT

FOUR = (NORTH, SOUTH, EAST, WEST)
"""The four players by seat. Board 1 is North against South, board 2 East against West; North and East act first."""


@pytest.fixture
def four(app: Application) -> Players:
    return Players(app, FOUR)


def shown_boards(courier: FakeCourier) -> list[int]:
    """Return the numbers of the boards whose table messages are in the channel, oldest first."""
    return [
        message.shown.content.view.board
        for message in courier.of_kind(TABLE)
        if isinstance(message.shown.content, Table)
    ]


async def test_the_error_of_an_unreadable_match_has_no_cards(
    app: Application, players: Players, database: Database
) -> None:
    """The error about a match that cannot be replayed names the match and the problem, but no cards."""
    match = await players.begin("classic")
    await players.move(match.id, "take")
    action, values = tables.action.c, {"text": "0 draw"}
    async with database.write() as transaction:
        await transaction.execute(update(tables.action).where(action.text == "0 take").values(values))
    with pytest.raises(UnreadableMatchError) as error:
        await Application(database).lookup.summary(match.id)
    error_text = "".join(traceback.format_exception(error.value))
    assert f"the actions of match {match.id} cannot be replayed: offer" in error_text
    assert not re.search(r"\b[A2-9TJQK][cdhs]\b", error_text)


@pytest.mark.thorough
async def test_two_boards_begin_simultaneously(app: Application, four: Players, courier: FakeCourier) -> None:
    """Each of two boards has a table, everyone has a hand, and both players who act first are notified."""
    await four.open_dms(*FOUR)
    match = await four.begin("partners")
    invited = [("post", CHALLENGE), ("post", COMMITMENT)]
    assert await courier.deliver() == [*invited, *[("post", TABLE)] * 2, *[("post", HAND)] * 4]
    assert shown_boards(courier) == [1, 2]
    assert [person for person in FOUR if any(message.notifies for message in courier.of_kind(HAND, dm_of(person)))] == [
        NORTH,
        EAST,
    ]
    for seat, person in enumerate(FOUR):
        view = (await app.lookup.hand(person.id, match.id)).view
        assert (view.seat, view.public.board, view.public.seats) == (seat, 1 + seat // 2, ((0, 1), (2, 3))[seat // 2])
    for part, message in enumerate(courier.of_kind(TABLE)):
        assert await app.outbox.find(TABLE, match.id, part) == PostedMessage(CHANNEL, message.id)


@pytest.mark.thorough
async def test_a_move_changes_only_its_own_board(app: Application, four: Players, courier: FakeCourier) -> None:
    """A move changes only its own board's messages, and buttons of the other board stay valid."""
    await four.open_dms(*FOUR)
    match = await four.begin("partners")
    await courier.deliver()
    seen = {person: (await app.lookup.hand(person.id, match.id)).match.version for person in FOUR}
    await four.move(match.id, "pass")
    assert await courier.deliver() == [("edit", TABLE), ("edit", HAND), ("post", HAND), ("remove", HAND)]
    with pytest.raises(Stale):
        await app.turns.move(SOUTH.id, match.id, PASS, interaction(), version=seen[SOUTH])
    await app.turns.move(EAST.id, match.id, TAKE, interaction(), version=seen[EAST])
    south = (await app.lookup.hand(SOUTH.id, match.id)).match.version
    await app.turns.move(SOUTH.id, match.id, PASS, interaction(), version=south)
    with pytest.raises(Stale):
        await app.turns.move(EAST.id, match.id, TAKE, interaction(), version=south + 100)


@pytest.mark.thorough
async def test_a_hidden_draw_changes_no_version_that_others_see(app: Application, four: Players) -> None:
    """A draw changes the version only for the player who drew, even if the other board has moved on in the meantime."""
    match = await four.begin("partners")
    await four.move(match.id, "pass", "pass")
    await four.move_on_board(2, match.id, "pass", "pass", "draw")

    async def seen_by_others() -> list[int]:
        hands = [await app.lookup.hand(person.id, match.id) for person in (SOUTH, EAST, WEST)]
        return [(await app.lookup.table(match.id, 1)).match.version, *(hand.match.version for hand in hands)]

    before, own = await seen_by_others(), (await app.lookup.hand(NORTH.id, match.id)).match.version
    drawn = await four.move(match.id, "draw")
    assert await seen_by_others() == before
    assert drawn.match.version == own + 1


@pytest.mark.thorough
async def test_a_board_that_is_done_waits_for_the_other(app: Application, four: Players, courier: FakeCourier) -> None:
    """A finished board's showdown and table are posted; its players wait until the other board ends the round."""
    await four.open_dms(*FOUR)
    match = await four.begin("partners target=1000")
    await courier.deliver()
    await four.move(match.id, "take", "gin")
    sent = await courier.deliver()
    assert [delivery for delivery in sent if delivery[1] in (SHOWDOWN, TABLE) and delivery[0] != "remove"] == [
        ("post", SHOWDOWN),
        ("post", TABLE),
    ]
    assert shown_boards(courier) == [2, 1]
    north = await app.lookup.hand(NORTH.id, match.id)
    assert north.last_deal is not None
    assert (north.view.public.phase, north.view.is_to_act, north.last_deal.board) == (Phase.DONE, False, 1)
    assert (await app.lookup.hand(EAST.id, match.id)).last_deal is None
    for person in (NORTH, SOUTH):
        with pytest.raises(NotYourTurn):
            await app.turns.move(person.id, match.id, TAKE, interaction())
    await four.move_on_board(2, match.id, "take", "gin")
    sent = await courier.deliver()
    public = [delivery for delivery in sent if delivery[1] in (SHOWDOWN, TABLE) and delivery[0] != "remove"]
    assert public == [("post", SHOWDOWN), ("post", TABLE), ("post", TABLE)]
    posts = [message.shown.content for message in courier.of_kind(SHOWDOWN)]
    assert [(post.view.number, post.view.board) for post in posts if isinstance(post, Showdown)] == [(1, 1), (1, 2)]
    tables = [await app.lookup.table(match.id, board) for board in (1, 2)]
    assert [(shown.view.number, shown.view.seats) for shown in tables] == [(2, (3, 0)), (2, (1, 2))]
    assert tables[0].view.score.scores == (170, 0)
    east = await app.lookup.hand(EAST.id, match.id)
    assert east.last_deal is not None
    assert (east.last_deal.board, east.view.public.board) == (2, 2)
    assert len(courier.of_kind(HAND)) == 4


@pytest.mark.thorough
async def test_each_board_has_its_own_ping(app: Application, four: Players, courier: FakeCourier) -> None:
    """On each board the player to move is pinged, and the ping is removed when their turn is over."""
    for person in FOUR:
        await prefer(app, person, push=Push.CHANNEL)
    match = await four.begin("partners")
    await courier.deliver()

    def pinged() -> list[int | None]:
        return [message.shown.person_id for message in courier.of_kind(PING)]

    assert pinged() == [NORTH.id, EAST.id]
    await four.move(match.id, "pass")
    await courier.deliver()
    assert pinged() == [EAST.id, SOUTH.id]
    await four.move(match.id, "pass")
    await four.move_on_board(2, match.id, "take", "gin")
    await courier.deliver()
    assert pinged() == [NORTH.id]
    await app.endings.cancel(match.id, GUILD, NORTH.id)
    await courier.deliver()
    assert (pinged(), courier.of_kind(TABLE), len(courier.of_kind(END))) == ([SOUTH.id, EAST.id, WEST.id], [], 1)


@pytest.mark.thorough
async def test_refused_direct_messages_ping_on_either_board(
    app: Application, four: Players, courier: FakeCourier
) -> None:
    """If direct messages are refused, the player is pinged in the channel instead, whichever board they play on."""
    await four.open_dms(*FOUR)
    await four.begin("partners")
    await courier.deliver()
    for person in (WEST, EAST):
        await app.outbox.save_dm_refused(person.id)
    await courier.deliver()
    assert [message.shown.person_id for message in courier.of_kind(PING)] == [EAST.id]


@pytest.mark.thorough
async def test_the_end_removes_both_tables(app: Application, four: Players, courier: FakeCourier) -> None:
    """The last board's gin ends the match: one summary, no tables, and the deals in the order in which they ended.

    The first board's showdown has a message of its own, and the summary shows the other one.
    """
    match = await four.begin("partners target=10")
    await courier.deliver()
    await four.move_on_board(2, match.id, "take", "gin")
    assert (await app.lookup.table(match.id)).match.status is MatchStatus.RUNNING
    hand = await four.move(match.id, "take", "gin")
    assert hand.match.status is MatchStatus.FINISHED
    assert hand.last_deal is not None
    assert (hand.last_deal.board, hand.last_deal.score.is_over) == (1, True)
    await courier.deliver()
    assert (courier.of_kind(TABLE), len(courier.of_kind(END))) == ([], 1)
    (showdown,) = [message.shown.content for message in courier.of_kind(SHOWDOWN)]
    assert isinstance(showdown, Showdown)
    assert (showdown.view.number, showdown.view.board) == (1, 2)
    assert [message.shown.person_id for message in courier.of_kind(PING)] == [SOUTH.id, EAST.id, WEST.id]
    summary = await app.lookup.summary(match.id)
    assert [(deal.number, deal.board) for deal in summary.deals] == [(1, 2), (1, 1)]
    assert summary.view.score.winner == 0


async def test_time_runs_for_each_board(app: Application, four: Players, clock: Clock) -> None:
    """After seven days without a move on one board, the opponent there can claim, whatever happens on the other."""
    match = await four.begin("partners")
    clock.pass_by(timedelta(days=6))
    await Players(app).run_timekeeper()
    await four.move_on_board(2, match.id, "pass")
    clock.pass_by(timedelta(days=1))
    await Players(app).run_timekeeper()
    claims = [(await app.lookup.hand(person.id, match.id)).may_claim for person in FOUR]
    assert claims == [False, True, False, False]
    with pytest.raises(TooSoon) as caught:
        await app.endings.claim(EAST.id, match.id, interaction())
    assert caught.value.time is not None
    assert caught.value.time.ends_at == clock.now + timedelta(days=6)
    await app.endings.claim(SOUTH.id, match.id, interaction())
    hand = await app.vacancies.end(SOUTH.id, match.id, interaction())
    assert (hand.view.public.forfeit, hand.view.public.score.winner) == (Forfeit(Seat(0), on_time=True), 1)


async def test_the_turn_start_of_a_seat_takes_precedence(
    app: Application, four: Players, clock: Clock, database: Database
) -> None:
    """A turn's start is stored for each seat. A start that an older version stored for the whole match is ignored."""
    match = await four.begin("partners")
    async with database.write() as transaction:
        old = update(tables.match).where(tables.match.c.id == match.id).values(turn_at=clock.now)
        await transaction.execute(old)
    clock.pass_by(timedelta(days=6))
    await four.move_on_board(2, match.id, "pass")
    with pytest.raises(TooSoon) as caught:
        await app.endings.claim(EAST.id, match.id, interaction())
    assert caught.value.time is not None
    assert caught.value.time.ends_at == clock.now + CLAIM_TIME_WITHOUT_CLOCK


@pytest.mark.thorough
async def test_a_finished_board_waits_for_opponents_only(app: Application, four: Players, clock: Clock) -> None:
    """Players of a finished board can claim against an absent opponent on the other board, not against a partner."""
    match = await four.begin("partners")
    await four.move(match.id, "take", "gin")
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK)
    await Players(app).run_timekeeper()
    claims = [(await app.lookup.hand(person.id, match.id)).may_claim for person in FOUR]
    assert claims == [False, True, False, True]
    with pytest.raises(NotYourTurn):
        await app.endings.claim(NORTH.id, match.id, interaction())
    await four.move_on_board(2, match.id, "pass")
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK)
    await Players(app).run_timekeeper()
    await app.endings.claim(NORTH.id, match.id, interaction())
    hand = await app.vacancies.end(NORTH.id, match.id, interaction())
    assert (hand.view.public.forfeit, hand.view.public.score.winner) == (Forfeit(Seat(3), on_time=True), 0)


async def test_a_cancelled_match_has_no_turn(app: Application, four: Players, clock: Clock) -> None:
    """No view of a cancelled match has a turn or offers a move."""
    match = await four.begin("partners")
    await four.move(match.id, "take")
    await app.endings.cancel(match.id, GUILD, MANAGER)
    for board in (1, 2):
        assert (await app.lookup.table(match.id, board)).view.turn is None
    assert (await app.lookup.summary(match.id)).view.turn is None
    for person in FOUR:
        view = (await app.lookup.hand(person.id, match.id)).view
        assert (view.is_to_act, view.moves, view.discard_choices, view.new_card) == (False, (), (), None)
        assert view.public.phase is Phase.DONE


async def test_few_ended_matches_stay_cached(
    app: Application, players: Players, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache keeps running matches and only the latest finished ones; older ones are replayed from the database."""
    monkeypatch.setattr(loaded_match, "MAX_CACHED_ENDED", 1)
    replayed = list[MatchId]()

    async def actions(transaction: Transaction, match_id: MatchId) -> Sequence[str]:
        replayed.append(match_id)
        return await stored_actions(transaction, match_id)

    stored_actions = matches.actions
    monkeypatch.setattr(matches, "actions", actions)
    practice_hand, _ = await app.practice.start(WEST, None, interaction(), level=Level.NOVICE)
    ended = list[MatchId]()
    for _ in range(3):
        match = await players.begin("classic")
        await app.endings.resign(NORTH.id, match.id, interaction())
        ended.append(match.id)
    for match_id in (practice_hand.match.id, ended[2], ended[0]):
        await app.lookup.summary(match_id)
    assert replayed == [ended[0]]


async def test_a_move_stays_cached_despite_microseconds(
    app: Application, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match stays cached after a move even if the clock is more precise than the times in the database."""
    match = await players.begin("classic")
    clock.pass_by(timedelta(microseconds=1234))
    await players.move(match.id, "pass")
    monkeypatch.setattr(matches, "actions", None)
    assert (await app.lookup.table(match.id, 1)).view.turn == 1
