"""Practice matches and their computer players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, NoReturn

import pytest
from sqlalchemy import select, update

from bot.engine.cards.cards import parse_cards
from bot.engine.rules import PRESETS
from bot.model.guilds import GuildSettings
from bot.model.ids import GuildId, InteractionId, MatchId
from bot.model.matches import MatchKind, MatchStatus, OwnHand
from bot.model.outbox import MessageKind
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.matches import computers
from bot.play.matches.practice import MAX_PRACTICE_MATCHES
from bot.play.refusals import NotOffered, TooMuchPractice, UnknownRules
from bot.store import computer_turns, tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import GUILD, NORTH, SOUTH, Players, change_settings, interaction, sensible_move
from tests.helpers.thinkers import LocalThinker
from tests.helpers.waiting import eventually
from tests.play.boards import full_standings


@pytest.fixture
def mind() -> LocalThinker:
    return LocalThinker()


@pytest.fixture
def app(database: Database, clock: Clock, mind: LocalThinker) -> Application:
    """Build the application with seeded decks."""
    return Application(database, thinker=mind, shuffler=RiggedShuffler(seed=5), clock=clock)


async def start(
    app: Application,
    rules: str | None = None,
    *,
    level: Level = Level.NOVICE,
    guild_id: GuildId | None = None,
    cause: InteractionId | None = None,
) -> OwnHand:
    """Start a practice match for North."""
    hand, _ = await app.practice.start(NORTH, guild_id, cause or interaction(), level=level, rules=rules)
    return hand


async def play(app: Application, hand: OwnHand, random: Random, *, max_moves: int = 4000) -> OwnHand:
    """Let North make sensible moves until the match is over, with computer moves in between."""
    for _ in range(max_moves):
        hand = await app.computers.answer(NORTH.id, hand)
        if hand.match.status is not MatchStatus.RUNNING:
            return hand
        if (ended := hand.unseen_deal) is not None:
            hand = await app.turns.next_deal(NORTH.id, hand.match.id, ended.number, ended.board)
            continue
        assert hand.view.is_to_act
        move = sensible_move(hand.view, random)
        hand = await app.turns.move(NORTH.id, hand.match.id, move, interaction(), version=hand.match.version)
    raise AssertionError("the match does not end")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "preset", nightly_after(1, ["partners", *(preset for preset in PRESETS if preset != "partners")])
)
async def test_every_preset_can_be_practised(app: Application, preset: str) -> None:
    """Every preset can be practised to the end, with only as many computers as the rules require."""
    hand = await start(app, f"{preset} target=20")
    assert hand.match.is_practice
    assert [player.computer for player in hand.match.players[1:]] == [Level.NOVICE] * (len(hand.match.players) - 1)
    final_hand = await play(app, hand, Random(1))
    summary = await app.lookup.summary(final_hand.match.id)
    assert final_hand.match.status is MatchStatus.FINISHED
    assert summary.deals


async def test_practice_posts_only_a_commitment_and_a_hand(
    app: Application, database: Database, players: Players, courier: FakeCourier, mind: LocalThinker
) -> None:
    """In a practice match, the commitment and the hand are the only messages, and new turns do not notify."""
    await players.open_dms(NORTH)
    hand = await app.computers.answer(NORTH.id, await start(app))
    await courier.deliver()
    for _ in range(6):
        moves = [move for move in hand.view.moves if move.verb != "k"]
        hand = await app.turns.move(NORTH.id, hand.match.id, moves[0], interaction())
        hand = await app.computers.answer(NORTH.id, hand)
        await courier.deliver()
    assert mind.moves
    assert hand.view.is_to_act
    message = tables.outbox_message.c
    posts = await fetch(database, select(message.kind, message.posts).order_by(message.id))
    assert posts == [(MessageKind.COMMITMENT, 1), (MessageKind.HAND, 1)]


async def test_a_match_that_a_computer_wins_at_once_is_shown_to_its_player(
    database: Database, players: Players, courier: FakeCourier, clock: Clock, mind: LocalThinker
) -> None:
    """If a computer wins before the first hand was posted, the hand is posted to show the end."""
    shuffler = RiggedShuffler(IMMEDIATE_GIN, cuts=[parse_cards("Ac Kd")])
    app = courier.app = Application(database, thinker=mind, shuffler=shuffler, clock=clock)
    clock.pass_by(timedelta(seconds=1))
    await players.open_dms(NORTH)
    hand = await app.computers.answer(NORTH.id, await start(app, "classic target=10"))
    assert hand.match.status is MatchStatus.FINISHED
    await courier.deliver()
    (posted,) = courier.of_kind(MessageKind.HAND)
    assert posted.shown.content == await app.lookup.hand(NORTH.id, hand.match.id)


async def test_running_practice_is_limited(app: Application) -> None:
    """A person has at most three running practice matches, and a repeated interaction starts only one."""
    cause = interaction()
    first = await start(app, cause=cause)
    assert (await start(app, cause=cause)).match.id == first.match.id
    for _ in range(MAX_PRACTICE_MATCHES - 1):
        await start(app)
    with pytest.raises(TooMuchPractice) as refused:
        await start(app)
    assert len(refused.value.matches) == MAX_PRACTICE_MATCHES
    await app.practice.start(SOUTH, None, interaction(), level=Level.EXPERT)
    await app.endings.resign(NORTH.id, first.match.id, interaction())
    await start(app)


async def test_practice_can_be_resumed(app: Application) -> None:
    """With `resume`, a running match with the same level and rules is returned. If there is none, a new one starts."""

    async def resume(level: Level = Level.NOVICE, rules: str | None = None) -> tuple[MatchId, bool]:
        hand, is_new = await app.practice.start(NORTH, None, interaction(), level=level, rules=rules, resume=True)
        return hand.match.id, is_new

    first, is_new = await resume()
    assert is_new
    other, is_new = await resume(Level.EXPERT)
    assert is_new
    assert (await resume(rules="classic target=20"))[1]
    assert await resume() == (first, False)
    assert await resume(Level.EXPERT) == (other, False)
    with pytest.raises(TooMuchPractice):
        await resume(Level.STRONG)
    await app.endings.resign(NORTH.id, first, interaction())
    second, is_new = await resume()
    assert is_new
    assert await resume() == (second, False)


async def test_the_rules_are_the_servers_or_presets(app: Application) -> None:
    """On a server, practice has the server's default rules, presets and house rules; elsewhere, the bot's defaults."""
    await change_settings(app, rules="oklahoma", target=30, offered=("oklahoma", "classic"))
    await app.rulebook.save(GUILD, "Ours", "classic target=77")
    here = await start(app, guild_id=GUILD)
    assert (here.match.ruleset, here.match.rules.target) == ("oklahoma", 30)
    assert (await start(app, "ours", guild_id=GUILD)).match.rules.target == 77
    with pytest.raises(NotOffered):
        await start(app, "hollywood", guild_id=GUILD)
    with pytest.raises(UnknownRules):
        await start(app, "ours")
    assert (await start(app)).match.ruleset == GuildSettings().rules


@pytest.mark.thorough
async def test_practice_counts_only_in_the_profile(app: Application) -> None:
    """Practice matches are on no leaderboard. The player's profile shows their results by level."""
    for level in (Level.EXPERT, Level.NOVICE):
        await play(app, await start(app, "classic target=10", level=level), Random(2))
    assert await full_standings(app, GUILD) == ()
    profile = await app.profiles.profile(NORTH, GUILD)
    assert profile.played_matches == ()
    assert list(profile.practice) == [Level.NOVICE, Level.EXPERT]
    assert all(record.matches == record.won + record.lost + record.drawn == 1 for record in profile.practice.values())


@pytest.mark.thorough
async def test_a_rematch_begins_at_once(app: Application) -> None:
    """A rematch against computers starts immediately, and the player alone can call it off."""
    final_hand = await play(app, await start(app, "classic target=10"), Random(3))
    rematch = await app.endings.rematch(NORTH.id, final_hand.match.id)
    assert (rematch.status, rematch.kind) == (MatchStatus.RUNNING, MatchKind.PRACTICE)
    assert rematch.players == final_hand.match.players
    assert (await app.lookup.info(final_hand.match.id)).has_rematch
    called_off = await app.endings.call_off(NORTH.id, rematch.id)
    assert called_off.match.status is MatchStatus.CANCELLED


async def test_a_rematch_counts_towards_the_practice_limit(app: Application) -> None:
    """A rematch counts towards the limit on running practice matches."""
    finished = (await start(app)).match
    await app.endings.resign(NORTH.id, finished.id, interaction())
    running = [(await start(app)).match.id for _ in range(MAX_PRACTICE_MATCHES)]
    with pytest.raises(TooMuchPractice) as refused:
        await app.endings.rematch(NORTH.id, finished.id)
    assert [match.id for match in refused.value.matches] == running
    assert not (await app.lookup.info(finished.id)).has_rematch
    await app.endings.resign(NORTH.id, running[0], interaction())
    assert (await app.endings.rematch(NORTH.id, finished.id)).status is MatchStatus.RUNNING


async def test_forgetting_a_person_ends_their_practice(app: Application, database: Database) -> None:
    """Forgetting a person ends their practice, and no computer turn remains due."""
    hand = await start(app)
    assert await app.people.forget(NORTH.id) == 1
    info = await app.lookup.info(hand.match.id)
    assert info.status is MatchStatus.FINISHED
    assert info.players[0].id is None
    assert info.players[1].computer is Level.NOVICE
    assert await _computer_turns_due(database) == []


async def test_an_export_has_practice_too(app: Application) -> None:
    """An export contains practice matches, with the computers' levels."""
    await start(app, level=Level.STRONG)
    (match,) = (await app.exports.export(NORTH.id))["matches"]
    assert (match["kind"], match["server"], match["computers"]) == ("practice", None, [None, "strong"])


@pytest.fixture
async def waiting(app: Application, mind: LocalThinker) -> MatchId:
    """Start a match in which it is a computer's turn and the computer fails to move."""
    mind.fails = True
    hand = await start(app)
    while hand.view.is_to_act:
        moves = [move for move in hand.view.moves if move.verb != "k"]
        hand = await app.turns.move(NORTH.id, hand.match.id, moves[0], interaction())
    assert hand.awaits_computer
    return hand.match.id


async def test_a_computer_moves_after_a_restart(
    app: Application, database: Database, clock: Clock, mind: LocalThinker, waiting: MatchId
) -> None:
    """A computer's pending turn is stored, so another process can make the move."""
    assert await _computer_turns_due(database) == [waiting]
    healthy = LocalThinker()
    restarted = Application(database, thinker=healthy, shuffler=RiggedShuffler(seed=6), clock=clock)
    running = asyncio.create_task(restarted.computers.run())
    await _wait_for_computer_move(restarted, waiting)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert healthy.moves
    assert await _computer_turns_due(database) == []


async def test_a_computer_that_cannot_think_is_tried_again(
    app: Application, clock: Clock, mind: LocalThinker, waiting: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed computer move is retried after a pause; in the meantime the player gets the unchanged hand."""
    monkeypatch.setattr(computers, "FIRST_PAUSE", 77.0)
    scheduled_retries, loop = list[Callable[[], object]](), asyncio.get_running_loop()
    call_later = loop.call_later

    def record_call_later(
        delay: float, callback: Callable[..., object], *args: Any, **options: Any
    ) -> asyncio.TimerHandle:
        if delay != computers.FIRST_PAUSE:
            return call_later(delay, callback, *args, **options)
        scheduled_retries.append(partial(callback, *args))
        return call_later(0, lambda: None)

    monkeypatch.setattr(loop, "call_later", record_call_later)
    hand = await app.computers.answer(NORTH.id, await app.lookup.hand(NORTH.id, waiting))
    assert hand.awaits_computer
    has_looked, due = asyncio.Event(), computer_turns.due_matches

    async def look(*args: Any) -> Any:
        matches_due = await due(*args)
        has_looked.set()
        return matches_due

    monkeypatch.setattr(computer_turns, "due_matches", look)
    running = asyncio.create_task(app.computers.run())
    await has_looked.wait()
    await eventually(lambda: app.computers.is_idle)
    mind.fails = False
    assert not mind.moves
    (retry,) = scheduled_retries
    retry()
    await _wait_for_computer_move(app, waiting)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_a_computer_moves_without_loading_the_match_again(
    app: Application, mind: LocalThinker, waiting: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A computer chooses its move in the match as it was last saved. Only the transaction that saves it loads it."""
    mind.fails, hand = False, await app.lookup.hand(NORTH.id, waiting)

    def read(*_: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(Database, "read", read)
    assert (await app.computers.answer(NORTH.id, hand)).view.is_to_act


async def test_a_computer_does_not_move_in_a_match_that_was_just_paused(
    app: Application, database: Database, mind: LocalThinker, waiting: MatchId
) -> None:
    """A computer that thinks about a match makes no move if the match has been paused meanwhile."""
    mind.fails, hand = False, await app.lookup.hand(NORTH.id, waiting)
    await execute(database, update(tables.match).values(paused_at=hand.match.moved_at))
    assert (await app.computers.answer(NORTH.id, hand)).match.version == hand.match.version
    assert mind.moves
    assert (await app.lookup.info(waiting)).version == hand.match.version


async def test_a_computer_moves_after_moves_that_another_process_made(
    app: Application, database: Database, clock: Clock, mind: LocalThinker, waiting: MatchId
) -> None:
    """A computer moves in the current match, even if this process has seen only an earlier state of it."""
    other = Application(database, thinker=LocalThinker(), shuffler=RiggedShuffler(seed=6), clock=clock)
    hand = await other.computers.answer(NORTH.id, await other.lookup.hand(NORTH.id, waiting))
    while hand.view.is_to_act:
        moves = [move for move in hand.view.moves if move.verb != "k"]
        hand = await other.turns.move(NORTH.id, waiting, moves[0], interaction())
    mind.fails = False
    assert (await app.computers.answer(NORTH.id, hand)).match.version > hand.match.version


async def _wait_for_computer_move(app: Application, match_id: MatchId) -> None:
    async with asyncio.timeout(60):
        while (await app.lookup.hand(NORTH.id, match_id)).awaits_computer:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def _computer_turns_due(database: Database) -> list[MatchId]:
    return [match_id for (match_id,) in await fetch(database, select(tables.match.c.id).where(tables.COMPUTER_IS_DUE))]
