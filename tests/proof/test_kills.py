"""`kill -9` of the bot during play: at chosen points of its work, after requests to Discord, and at random times."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.sandbox import Sandbox
from cogs.actions import Action
from cogs.kit.layout import Accent
from tests.helpers.components import MOVES, accent_of, actions_of
from tests.helpers.players import (
    PLANS,
    Player,
    allow_take_backs,
    challenge_and_accept,
    let_the_bot_draw,
    next_turn,
    play_out,
    press,
)
from tests.helpers.worlds import hall, pair
from tests.proof.histories import Witness, tables, verify
from tests.proof.lives import KILL_ROUTES, KILL_TIMEOUT, RANDOM, Bot, wait_until_delivered
from tests.proof.mortal import AFTER_COMMIT, POINTS

SEED: Final = "kills"
TARGET: Final = 10
UNREACHABLE_TARGET: Final = 1000
"""Target score that no player reaches in this test."""

KILL_POINTS: Final = (AFTER_COMMIT, *POINTS, *KILL_ROUTES, RANDOM)

NOT_NIGHTLY: Final = ("while outcomes are recorded", "Discord has a post")
"""The kill points for runs that are not nightly: one within the bot and one after a request. Nightly runs test all."""


def random_kills(fates: Sequence[str], lives: int, latest: int) -> list[tuple[str, int]]:
    """Return each kill point `lives` times, in random order, each with a random number.

    The bot is killed when it has reached the kill point that many times, at most `latest`. For `RANDOM`, the number is
    a delay in milliseconds.
    """
    random = Random(SEED)
    chosen = [
        (name, random.randint(50, 900) if name == RANDOM else random.randint(1, latest))
        for name in fates
        for _ in range(lives)
    ]
    random.shuffle(chosen)
    return chosen


async def try_panels(players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Press the buttons of every table. Each must work unless the bot is killed first."""
    for player in players:
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND):
            for table in list(tables(player)):
                pressed = await press(player.person, table, action)
                if pressed.failed:
                    assert death.done()
                    continue
                assert accent_of(pressed.message) != Accent.TROUBLE.value
                shows_hand = not actions_of(pressed.message).isdisjoint({*MOVES, Action.REFRESH_HAND, Action.NEXT_DEAL})
                assert shows_hand == (action is Action.SHOW_HAND)


async def play_on(sandbox: Sandbox, players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Play match after match until the bot is killed.

    Raises:
        AssertionError: the bot was not killed in time.
    """

    async def forever() -> None:
        while True:
            for player in players:
                for message in player.person.sees(player.channel):
                    # The offer of a rematch may be gone, because another player has accepted it.
                    if Action.REMATCH in actions_of(message) and not message.deleted:
                        await press(player.person, message, Action.REMATCH)
            await sandbox.until(lambda: not any(player.is_over for player in players))
            await play_out(sandbox, players)

    playing = asyncio.create_task(forever())
    await asyncio.wait({playing, death}, timeout=KILL_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        playing.result()
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    assert death.done()


@pytest.mark.whole_process
async def test_a_move_survives_kill_9(tmp_path: Path) -> None:
    """If the bot is killed after it saved a move, the move is logged once, and play continues after the restart."""
    async with Sandbox(hall(1)) as sandbox, Bot.prepared(sandbox, tmp_path) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(sandbox, name, sandbox.channel("table-1"), SEED, by_dm=name == pair(1)[0]) for name in pair(1)
        ]
        # Kill the bot after the fourth commit: the first one starts the match, and later ones save moves.
        async with bot.run(AFTER_COMMIT, 4) as death:
            await challenge_and_accept(sandbox, *players, target=UNREACHABLE_TARGET)
            await play_on(sandbox, players, death)
        async with bot.run() as death:
            await wait_until_delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.kills.total())
            mover, _ = await next_turn(sandbox, players)
            await mover.act()
            await wait_until_delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.kills.total())
        assert bot.kills == {AFTER_COMMIT: 1}
        assert not witness.failures
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned


@pytest.mark.thorough
async def test_matches_survive_two_kinds_of_kill_9(tmp_path: Path) -> None:
    """If the bot is killed while recording deliveries or just after a post, no move is lost or applied twice."""
    await play_through_kills(tmp_path, NOT_NIGHTLY, 1, 1, matches=1, to_the_end=False)


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_matches_survive_kill_9_at_any_moment(tmp_path: Path) -> None:
    """After kills at every kill point, no acknowledged move is lost or repeated, and no turn is announced twice."""
    await play_through_kills(tmp_path, KILL_POINTS, 3, 8, matches=2, to_the_end=True)


async def play_through_kills(
    folder: Path, fates: Sequence[str], lives: int, latest: int, *, matches: int, to_the_end: bool
) -> None:
    """Kill the bot at these points, in random order, while matches are played. Check all matches after each kill.

    The bot draws for one player of each match. All players plan ahead.
    """
    async with Sandbox(hall(matches)) as sandbox, Bot.prepared(sandbox, folder) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(
                sandbox, name, sandbox.channel(f"table-{table}"), SEED, by_dm=name != pair(matches)[1], plans_ahead=True
            )
            for table in range(1, matches + 1)
            for name in pair(table)
        ]
        async with bot.run():
            for first, second in zip(players[::2], players[1::2], strict=True):
                await challenge_and_accept(sandbox, first, second, target=TARGET)
                await let_the_bot_draw(second)
                for player in (first, second):
                    await allow_take_backs(player)
        for fate, count in random_kills(fates, lives, latest):
            async with bot.run(fate, count) as death:
                await wait_until_delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot.database, witness, players, bot.kills.total())
                    await try_panels(players, death)
                await play_on(sandbox, players, death)
            assert not witness.failures
        async with bot.run() as death:
            await wait_until_delivered(sandbox, bot, death)
            if to_the_end:
                await play_out(sandbox, players)
                await wait_until_delivered(sandbox, bot, death)
                assert all(sum(player.plans[plan] for player in players) for plan in PLANS)
                assert bot.database.rows("SELECT 1 FROM action WHERE text LIKE 'back %'")
            verify(bot.database, witness, players, bot.kills.total())
        assert not witness.failures
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.kills == dict.fromkeys(fates, lives)
        assert not sandbox.journal.unknown_routes
