"""Moves must be legal and in turn, and count once, however often a button is clicked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bot.engine.deals.moves import DRAW, PASS, RESIGN, TAKE, Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.records.record import Record
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, OwnHand, Shortcut
from bot.play.application import Application
from bot.play.refusals import Frozen, Illegal, MatchOver, NoMatch, NotSeated, NotYourTurn, Stale
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, IMMEDIATE_UNDERCUT, RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Players,
    interaction,
    patient_move,
    place,
    play_deal,
)
from tests.helpers.waiting import eventually

RECORDS = Path(__file__).parents[2] / "records"


async def action_log(database: Database, match_id: MatchId) -> list[str]:
    query = text(f"SELECT text FROM action WHERE match_id = {match_id} ORDER BY number")
    return [row for (row,) in await fetch(database, query)]


async def deal_results(database: Database, match_id: MatchId) -> list[tuple[int, str, int | None, int, int]]:
    """Return the stored results of a match's deals: number, kind, winner, points and version."""
    query = text(f"SELECT number, kind, winner, points, version FROM deal WHERE match_id = {match_id} ORDER BY number")
    return await fetch(database, query)


async def test_a_move_is_answered_with_the_hand_after_it(app: Application, players: Players, clock: Clock) -> None:
    """A move returns the player's new hand, increments the version and updates the time of the last move."""
    match = await players.begin()
    hand = await players.move(match.id, "take")
    assert hand == await app.lookup.hand(NORTH.id, match.id)
    assert (hand.match.version, hand.match.moved_at) == (match.version + 1, clock.now)
    assert hand.view.new_card is not None
    assert str(hand.view.new_card) == "Ks"


async def test_a_quiet_move_is_foreseen(app: Application, players: Players) -> None:
    """The view after a move within a deal is known before the move, but only for a legal move of the player to act."""
    match = await players.begin()
    for notation in ("pass", "pass", "draw", "x Qh", "take", "x 2h"):
        mover = await players.to_act(match.id)
        (other,) = (person for person in players.people if person is not mover)
        move = Move.parse(notation)
        for person, impossible in ((other, move), (mover, Move.parse("x 3d")), (mover, Shortcut.GIN), (EAST, move)):
            assert app.turns.foresee(person.id, match.id, impossible) is None
        foreseen = app.turns.foresee(mover.id, match.id, move)
        by_command = app.turns.foresee_command(mover.id, CHANNEL, lambda _, move=move: move)
        hand = await players.move(match.id, notation)
        assert foreseen == by_command == hand.pictured
    assert app.turns.foresee_command(NORTH.id, ELSEWHERE, DRAW) is None
    assert app.turns.foresee(NORTH.id, MatchId(99), DRAW) is None


@pytest.mark.parametrize(("rules", "count"), [("classic", 2), ("partners", 4)])
async def test_a_draw_changes_nothing_that_others_see(app: Application, clock: Clock, rules: str, count: int) -> None:
    """Until the discard, the table, the hands of others and exports are the same as before a draw from the stock."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST)[:count])
    match = await players.begin(rules)
    await players.move(match.id, "pass", "pass")
    drawer = await players.to_act(match.id)

    async def seen() -> list[object]:
        found: list[object] = []
        for board in range(1, count // 2 + 1):
            table = await app.lookup.table(match.id, board)
            found += [replace(table, match=replace(table.match, revision=0))]
        for person in (person for person in players.people if person is not drawer):
            hand = await app.lookup.hand(person.id, match.id)
            exported = await app.exports.export(person.id)
            found += [replace(hand, match=replace(hand.match, revision=0)), exported["matches"]]
        return found

    clock.pass_by(timedelta(hours=1))
    before = await seen()
    hand = await players.move(match.id, "draw")
    assert hand.view.public.phase is Phase.DISCARD
    assert await seen() == before
    await players.move(match.id, f"x {hand.view.new_card}")
    assert (await app.lookup.table(match.id)).moved_at == clock.now


async def test_the_answer_is_prepared_while_the_move_is_saved(app: Application, players: Players) -> None:
    """`prepare` is called once with the hand that is returned, and not for a refused move."""
    match = await players.begin()
    prepared: list[OwnHand] = []
    hand = await app.turns.move(NORTH.id, match.id, PASS, interaction(), prepare=prepared.append)
    other = await app.turns.command(SOUTH.id, CHANNEL, PASS, interaction(), prepare=prepared.append)
    assert [id(drawn) for drawn in prepared] == [id(hand), id(other)]
    with pytest.raises(NotYourTurn):
        await app.turns.move(SOUTH.id, match.id, DRAW, interaction(), prepare=prepared.append)
    assert len(prepared) == 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("before", "move", "code"),
    nightly_after(
        3,
        [
            (["take"], "x 2h", "not-in-hand"),
            (["take"], "x Ks", "just-taken"),
            (["pass", "pass"], "take", "refused"),
            ([], "draw", "offer"),
            ([], "x Qh", "offer"),
            (["take"], "take", "drawn"),
            (["take"], "draw", "drawn"),
            (["take"], "k 2h", "not-in-hand"),
            (["take"], "k Kc Ac2c3c", "melds"),
            (["pass", "pass"], "x Qh", "draw-first"),
            (["pass", "take"], "k 2h", "too-much"),
        ],
    ),
)
async def test_illegal_moves_change_nothing(players: Players, before: list[str], move: str, code: str) -> None:
    """An illegal move changes nothing. Its error has the engine's code, the card and the hand."""
    match = await players.begin()
    if before:
        await players.move(match.id, *before)
    mover = await players.to_act(match.id)
    hand = await players.app.lookup.hand(mover.id, match.id)
    with pytest.raises(Illegal) as caught:
        await players.move(match.id, move)
    assert caught.value.code == code
    assert caught.value.card == Move.parse(move).card
    assert caught.value.hand == hand == await players.app.lookup.hand(mover.id, match.id)


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "before"), nightly_after(1, [("penalty", []), ("big", ["pass", "pass"])]))
async def test_first_turn_without_an_upcard_offer(players: Players, rules: str, before: list[str]) -> None:
    """If the upcard is not offered, or all have passed it, the first player can draw or take it but not pass."""
    match = await players.begin(f"{rules} target=1000")
    if before:
        await players.move(match.id, *before)
    first = await players.to_act(match.id)
    hand = await players.app.lookup.hand(first.id, match.id)
    assert (hand.view.public.phase, hand.view.moves) == (Phase.DRAW, (DRAW, TAKE))
    with pytest.raises(Illegal) as caught:
        await players.move(match.id, "pass")
    assert caught.value.code == "draw-first"
    assert str((await players.move(match.id, "take")).view.new_card) == "Ks"


async def test_asking_for_gin_without_gin_is_refused(players: Players) -> None:
    """A request for gin without gin, or before drawing, is refused as `no-gin`."""
    match = await players.begin()
    for before in ("pass", "take"):
        with pytest.raises(Illegal) as caught:
            await players.move(match.id, "gin")
        assert caught.value.code == "no-gin"
        await players.move(match.id, before)
    with pytest.raises(Illegal):
        await players.move(match.id, "gin")


async def test_moves_out_of_turn_are_refused(app: Application, players: Players) -> None:
    """A move by the opponent or a stranger, or in an unknown match, is refused, each with its own error."""
    match = await players.begin()
    with pytest.raises(NotYourTurn) as caught:
        await app.turns.move(SOUTH.id, match.id, PASS, interaction())
    assert caught.value.hand == await app.lookup.hand(SOUTH.id, match.id)
    with pytest.raises(NotSeated):
        await app.turns.move(EAST.id, match.id, PASS, interaction())
    with pytest.raises(NoMatch):
        await app.turns.move(NORTH.id, MatchId(match.id + 1), PASS, interaction())
    assert (await app.lookup.table(match.id)).match == match


async def test_a_stale_button_is_refused_with_the_current_hand(app: Application, players: Players) -> None:
    """A button of an earlier version is refused with the current hand, even if its move would be legal."""
    match = await players.begin()
    await players.move(match.id, "pass", "pass")
    with pytest.raises(Stale) as caught:
        await app.turns.move(NORTH.id, match.id, DRAW, interaction(), version=match.version)
    assert caught.value.hand == await app.lookup.hand(NORTH.id, match.id)
    assert caught.value.hand.view.new_card is None


@pytest.mark.thorough
async def test_a_replayed_interaction_moves_once(app: Application, players: Players, database: Database) -> None:
    """A repeated interaction, immediate or late, changes nothing and returns the current hand."""
    match = await players.begin()
    interaction_id = interaction()
    await players.move(match.id, "pass", "pass")
    hand = await app.turns.move(NORTH.id, match.id, DRAW, interaction_id, version=match.version + 2)
    assert await app.turns.move(NORTH.id, match.id, DRAW, interaction_id, version=match.version + 2) == hand
    assert await app.turns.command(NORTH.id, CHANNEL, DRAW, interaction_id) == hand
    await players.move(match.id, "x Qh")
    assert not (await app.turns.move(NORTH.id, match.id, DRAW, interaction_id)).view.is_to_act
    await players.move(match.id, "draw", "x 2h")
    before = await action_log(database, match.id)
    again = await app.turns.move(NORTH.id, match.id, DRAW, interaction_id)
    assert again == await app.lookup.hand(NORTH.id, match.id)
    assert await action_log(database, match.id) == before


@pytest.mark.thorough
async def test_a_replayed_last_move_is_answered_with_the_end(app: Application, players: Players) -> None:
    """If a match's last move, or a resignation, is repeated, the final hand is returned again."""
    match = await players.begin("classic target=10")
    await players.move(match.id, "take")
    interaction_id = interaction()
    for _ in range(2):
        final_hand = await app.turns.command(NORTH.id, CHANNEL, Shortcut.GIN, interaction_id)
        assert (final_hand.match.id, final_hand.match.status) == (match.id, MatchStatus.FINISHED)
    other, resigning = await players.begin(), interaction()
    for _ in range(2):
        resigned_hand = await app.endings.resign(NORTH.id, other.id, resigning)
        assert resigned_hand.view.public.score.winner == 1


@pytest.mark.thorough
@pytest.mark.parametrize("times", [10, pytest.param(100, marks=pytest.mark.nightly)])
async def test_simultaneous_clicks_move_once(
    app: Application, players: Players, database: Database, times: int
) -> None:
    """If both players click several times simultaneously, only one move is made.

    A click that arrives twice succeeds twice. On PostgreSQL, any of the clicks can be the first.
    """
    match = await players.begin()
    for _ in range(times):
        table = await app.lookup.table(match.id)
        assert table.view.turn is not None
        hand = await app.lookup.hand(players.people[table.view.turn].id, match.id)
        move = next(move for move in hand.view.moves if move.verb is not Verb.KNOCK)
        before = await action_log(database, match.id)
        interaction_ids = {person: interaction() for person in players.people}
        results = await asyncio.gather(
            *(
                app.turns.move(person.id, match.id, move, given or interaction_ids[person], version=hand.match.version)
                for given in (None, None, interaction())
                for person in players.people
            ),
            return_exceptions=True,
        )
        succeeded = [not isinstance(result, BaseException) for result in results]
        first, again, other = succeeded[table.view.turn :: len(players.people)]
        assert first == again != other
        assert sum(succeeded) == first + again + other
        assert all(isinstance(result, Stale | NotYourTurn) for result in results if isinstance(result, BaseException))
        after = await action_log(database, match.id)
        assert after[: len(before) + 1] == [*before, f"{table.view.turn} {move}"]
        assert not any(line[0].isdigit() for line in after[len(before) + 1 :])


@pytest.mark.thorough
async def test_a_cancelled_move_is_atomic(app: Application, players: Players, database: Database) -> None:
    """A move whose caller is cancelled is made completely or not at all, and the match can continue."""
    match = await players.begin()
    moves = ["pass", "pass", "draw", "x Qh", "draw", "x 2h", "draw"]
    for turns, move in enumerate(moves):
        mover = await players.to_act(match.id)
        before = await action_log(database, match.id)
        caller = asyncio.create_task(app.turns.move(mover.id, match.id, Move.parse(move), interaction()))
        for _ in range(turns * 3):
            await asyncio.sleep(0)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        await eventually(lambda: database.is_idle)
        if await action_log(database, match.id) == before:
            await players.move(match.id, move)
        assert len(await action_log(database, match.id)) == len(before) + 1
    assert (await app.lookup.info(match.id)).version == len(await action_log(database, match.id))


async def test_gin_ends_the_deal_and_the_next_begins(app: Application, players: Players, database: Database) -> None:
    """Gin scores. The deal is stored with the version after its last move. The opponent acts first in the next deal."""
    match = await players.begin()
    hand = await players.win(match.id)
    assert hand.view.public.score.scores == (85, 0)
    assert (hand.view.public.number, hand.view.public.turn) == (2, 1)
    assert await deal_results(database, match.id) == [(1, OutcomeKind.GIN, 0, 85, 6)]
    entries = await action_log(database, match.id)
    names = [entry.split()[0] for entry in entries]
    assert names == ["seed", "seed", "cut", "deal", "0", "0", "reveal", "reveal", "deal"]
    assert entries[5].startswith("0 k Qh Ac2c3c/")


async def test_the_target_ends_the_match(app: Application, players: Players, database: Database, clock: Clock) -> None:
    """Reaching the target ends the match and frees its channel. After that nobody can move."""
    match = await players.begin("classic target=10")
    hand = await players.win(match.id)
    assert (hand.match.status, hand.match.ended_at) == (MatchStatus.FINISHED, clock.now)
    assert hand == await app.lookup.hand(NORTH.id, match.id)
    assert await app.lookup.running_in(CHANNEL) is None
    assert (await app.lookup.last_ended_in(CHANNEL, SOUTH.id)).id == match.id
    for person in players.people:
        with pytest.raises(MatchOver):
            await app.turns.move(person.id, match.id, DRAW, interaction())
    query = text("SELECT seat, won, deals_won, deals_lost, points, gins, undercuts FROM seat")
    rows = await fetch(database, query)
    assert rows == [(0, 1, 1, 0, 85, 1, 0), (1, 0, 0, 1, 0, 0, 0)]


async def test_knocks_and_undercuts_are_stored(database: Database, clock: Clock) -> None:
    """Knocks and undercuts are stored with their kind and winner."""
    app = Application(
        database, shuffler=RiggedShuffler(IMMEDIATE_KNOCK, IMMEDIATE_UNDERCUT, IMMEDIATE_GIN), clock=clock
    )
    players = Players(app)
    match = await players.begin("classic target=1000")
    await players.move(match.id, "take", "k Qh")
    await players.move(match.id, "take", "k Qh")
    stored = [(kind, winner) for _, kind, winner, _, _ in await deal_results(database, match.id)]
    assert stored == [("knock", 0), ("undercut", 0)]


@pytest.mark.thorough
async def test_a_void_deal_is_stored_and_dealt_again(app: Application, players: Players, database: Database) -> None:
    """A deal that runs out of cards is stored without points, and the same player deals again."""
    match = await players.begin()
    await play_deal(app, match.id, patient_move)
    table = await app.lookup.table(match.id)
    assert (await deal_results(database, match.id))[0][1:4] == ("void", None, 0)
    assert (table.view.number, table.view.dealer, table.view.score.scores) == (2, 1, (0, 0))


FORMAT_PRESETS = ("standard", "tournament", "rotation", "winner_stays", "partners", "penalty")


def record_case(path: Path) -> Any:
    """Return a test case for a record. Long records are tested less often."""
    length = len(path.read_text(encoding="utf-8").splitlines())
    marks = pytest.mark.nightly if length > 32 else pytest.mark.thorough if length > 12 else ()
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize(
    "path",
    [
        record_case(path)
        for path in sorted(RECORDS.glob("*.gin"))
        if not path.stem.startswith("preset-") or path.stem.removeprefix("preset-") in FORMAT_PRESETS
    ],
)
async def test_records_can_be_played(database: Database, clock: Clock, path: Path) -> None:
    """Playing a record's moves in the application gives and stores the record's result."""
    record = Record.parse(await asyncio.to_thread(path.read_text, encoding="utf-8"))
    app = Application(database, shuffler=RiggedShuffler.of(record), clock=clock)
    players = Players(app, (NORTH, SOUTH, EAST, WEST)[: record.replay().seats])
    match = await players.begin(str(record.rules))
    for action in record.actions:
        words = str(action).split(maxsplit=1)
        if words[0].isdigit():
            person, move = players.people[int(words[0])], Move.parse(words[1])
            if move == RESIGN:
                await app.endings.resign(person.id, match.id, interaction())
            else:
                await app.turns.move(person.id, match.id, move, interaction())
    expected = record.replay()
    summary = await app.lookup.summary(match.id)
    assert summary.view.score == expected.score
    assert [deal.outcome for deal in summary.deals] == [deal.outcome for deal in expected.finished]
    stored = [(kind, winner, points) for _, kind, winner, points, _ in await deal_results(database, match.id)]
    outcomes = [deal.outcome for deal in expected.finished if deal.outcome]
    assert stored == [(outcome.kind, outcome.winner, outcome.points) for outcome in outcomes]


async def test_two_processes_cannot_both_move(database: Database, clock: Clock) -> None:
    """A process with an outdated cache respects another process's moves. Of two simultaneous moves, one is refused."""
    first = Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN), clock=clock)
    second = Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN), clock=clock)
    players = Players(first)
    match = await players.begin()
    await second.lookup.hand(NORTH.id, match.id)
    await players.move(match.id, "pass")
    with pytest.raises(NotYourTurn):
        await second.turns.move(NORTH.id, match.id, TAKE, interaction())
    await second.turns.move(SOUTH.id, match.id, PASS, interaction())
    results = await asyncio.gather(
        *(
            app.turns.move(NORTH.id, match.id, DRAW, interaction(), version=match.version + 2)
            for app in (first, second)
        ),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["OwnHand", "Stale"]
    assert await first.lookup.hand(NORTH.id, match.id) == await second.lookup.hand(NORTH.id, match.id)


async def test_the_gin_shortcut_knocks_without_deadwood(players: Players) -> None:
    """The gin shortcut knocks without deadwood, with the melds that the engine chooses."""
    match = await players.begin()
    await players.move(match.id, "take")
    hand = await players.app.turns.move(NORTH.id, match.id, Shortcut.GIN, interaction())
    deal = (await players.app.lookup.summary(match.id)).deals[0]
    assert deal.outcome.kind is OutcomeKind.GIN
    assert hand.view.public.score.deals_won == (1, 0)


async def test_a_frozen_match_is_refused_as_frozen(app: Application, players: Players) -> None:
    """While the bot is removed from the server, every move is refused as frozen, even a stale or illegal one."""
    match = await players.begin()
    await players.move(match.id, "pass")
    await app.guilds.save_left(GUILD)
    for person, move, version in ((NORTH, PASS, None), (SOUTH, PASS, match.version), (SOUTH, DRAW, None)):
        with pytest.raises(Frozen):
            await app.turns.move(person.id, match.id, move, interaction(), version=version)
        with pytest.raises(Frozen):
            await app.turns.command(person.id, CHANNEL, move, interaction())
    with pytest.raises(NotSeated):
        await app.turns.move(EAST.id, match.id, PASS, interaction())


async def test_a_match_that_is_over_is_refused_as_over(app: Application, players: Players) -> None:
    """After the end of a match, everything is refused as over, even if its server removed the bot."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await app.guilds.save_left(GUILD)
    with pytest.raises(MatchOver):
        await app.turns.move(NORTH.id, match.id, PASS, interaction())
    with pytest.raises(MatchOver):
        await app.endings.resign(NORTH.id, match.id, interaction())
    with pytest.raises(MatchOver):
        await app.tables.repost(match.id, NORTH.id, place())
