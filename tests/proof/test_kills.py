"""`kill -9` amid play: at chosen points of the bot's work, at moments that Discord chooses, and at random ones."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import time
from typing import Final

import pytest

from bot.engine.match import Match, Play, apply, legal, new_match
from bot.engine.moves import Verb
from bot.engine.record import parse_actions
from bot.sandbox import Interaction, Message, Request, ResponseKind, Sandbox
from bot.store.columns import stored_rules
from cogs.kit.actions import Action
from cogs.panels.layout import Accent
from cogs.text.refusals import BROKEN
from tests.helpers.components import MOVES, accent_of, actions_of, find_menu
from tests.helpers.databases import new_database
from tests.helpers.players import Player, play_out, press, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.mortal import AFTER_COMMIT, ANSWERED_WITHIN, POINTS

ROOT: Final = Path(__file__).parents[2]
SEED: Final = "kills"
TARGET: Final = 10

MOMENTS: Final = {
    "Discord has an answer": "POST /interactions/{interaction_id}/{token}/callback",
    "Discord has a post": "POST /channels/{channel_id}/messages",
    "Discord has an edit": "PATCH /channels/{channel_id}/messages/{message_id}",
    "Discord has deleted a message": "DELETE /channels/{channel_id}/messages/{message_id}",
}
"""When the sandbox kills: once it has applied such a request, and before the bot hears of it."""

RANDOM: Final = "random"
FATES: Final = (AFTER_COMMIT, *POINTS, *MOMENTS, RANDOM)

LONG: Final = 120.0
"""Seconds of play in which every fate comes, on the busiest machine."""

DEADLINE: Final = 3.0
"""Seconds within which Discord wants an answer."""


def fates(lives: int, latest: int) -> list[tuple[str, int]]:
    """Return how lives end, in random order: at which point or moment, and at the how-manieth time it comes.

    Each fate befalls `lives` lives, at the `latest`-th time at most. A random one comes after some milliseconds.
    """
    random = Random(SEED)
    chosen = [
        (name, random.randint(50, 900) if name == RANDOM else random.randint(1, latest))
        for name in FATES
        for _ in range(lives)
    ]
    random.shuffle(chosen)
    return chosen


class Bot:
    """The bot's process on one database, started again after each death."""

    def __init__(self, sandbox: Sandbox, database: Path, mother: asyncio.subprocess.Process) -> None:
        assert mother.stdin is not None
        assert mother.stdout is not None
        self.database = database
        self.deaths = Counter[str]()
        self.abandoned: set[int] = set()
        """The interactions that no bot lived to answer."""
        self._absence: asyncio.Task[None] | None = None
        self._sandbox = sandbox
        self._orders, self._reports = mother.stdin, mother.stdout

    @staticmethod
    @asynccontextmanager
    async def born(sandbox: Sandbox, directory: Path) -> AsyncGenerator[Bot]:
        """Start what the bot's lives come from, with a new database and the log in a directory."""
        database = directory / "deadwood.db"
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "DISCORD_TOKEN": sandbox.token,
            "DEADWOOD_DATABASE_URL": new_database(database),
            "DEADWOOD_DISCORD_API": sandbox.api,
            "DEADWOOD_DISCORD_GATEWAY": sandbox.gateway_url,
        }
        with (directory / "bot.log").open("wb") as log:
            mother = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tests.proof.mortal"),
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                env=environment,
                cwd=directory,
            )
        bot = Bot(sandbox, database, mother)
        try:
            yield bot
        finally:
            bot._orders.close()
            if bot._absence is not None:
                bot._absence.cancel()
            await mother.wait()

    @asynccontextmanager
    async def life(self, fate: str = "", count: int = 0) -> AsyncGenerator[asyncio.Task[int]]:
        """Let the bot live until its fate or the end of the block. Yield the task that ends with it."""
        await self._sandbox.until(lambda: not self._sandbox.gateway.connected)
        if self._absence is not None:
            self._absence.cancel()
        self._orders.write(f"{fate}:{count}\n".encode() if fate == AFTER_COMMIT or fate in POINTS else b"\n")
        process = int(await self._reports.readline())
        death = asyncio.create_task(self._ended())
        left = count

        def kill(how: int = signal.SIGKILL) -> None:
            if not death.done():
                os.kill(process, how)

        def strike(request: Request) -> None:
            nonlocal left
            if f"{request.method} {request.route}" == MOMENTS.get(fate):
                left -= 1
                if left == 0:
                    kill()

        self._sandbox.journal.observers.append(strike)
        try:
            ready = asyncio.create_task(self._sandbox.ready(60))
            await asyncio.wait({ready, death}, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
            if fate == RANDOM:
                asyncio.get_running_loop().call_later(count / 1000, kill)
            yield death
        finally:
            self._sandbox.journal.observers.remove(strike)
            kill(signal.SIGTERM)
            code = await death
            assert code in (0, -signal.SIGKILL), f"the bot ended by itself with {code}"
            if code == -signal.SIGKILL:
                self.deaths[fate] += 1

    async def _ended(self) -> int:
        code = int(await self._reports.readline())
        self._absence = asyncio.create_task(self._fail_clicks())
        return code

    async def _fail_clicks(self) -> None:
        """Let interactions fail that a death left without an answer, or that come while no bot lives."""
        while True:
            await self._sandbox.until(self._sandbox.interactions.pending, LONG)
            self.abandoned |= {made.id for made in self._sandbox.interactions.pending()}
            self._sandbox.world.clock.advance(DEADLINE)

    def nothing_due(self) -> bool:
        """Return whether every message is as it should be, even those that answers to clicks should have updated."""
        soon = int((time() + 2 * ANSWERED_WITHIN.total_seconds()) * 1000)
        with closing(sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True)) as connection:
            ((due,),) = connection.execute(
                "SELECT (SELECT count(*) FROM outbox_message WHERE wanted_revision > shown_revision AND due_at <= ?)"
                " + (SELECT count(*) FROM stale_message WHERE due_at <= ?)",
                (soon, soon),
            )
        return due == 0


@dataclass(frozen=True, slots=True)
class Told:
    """The first answer to an interaction: whether it was a refusal, and the cards it offered to discard."""

    text: str
    refused: bool
    discards: frozenset[str]


@dataclass
class Witness:
    """What people were told, as it stood when they got it."""

    told: dict[int, Told] = field(default_factory=dict[int, Told])
    broken: list[Interaction] = field(default_factory=list[Interaction])
    """The interactions that the bot failed at by its own fault."""

    def __call__(self, interaction: Interaction) -> None:
        """Note an answer."""
        response = interaction.response
        if response is not None and response.kind in (ResponseKind.MESSAGE, ResponseKind.UPDATE):
            menu = find_menu(interaction.message, Action.DISCARD)
            refused = accent_of(interaction.message) == Accent.TROUBLE.value
            self.told[interaction.id] = Told(
                interaction.text, refused, frozenset(menu.values if menu is not None else ())
            )
            if BROKEN in interaction.text:
                self.broken.append(interaction)


@dataclass
class Past:
    """A match as its log has it: replayed, with the turns that began at each seat.

    `discards` are the cards that each logged interaction allowed its player to discard next.
    """

    match: Match
    turns: Counter[int]
    discards: dict[int, frozenset[str]]
    people: tuple[int, ...]


def pasts(database: Path) -> dict[int, list[Past]]:
    """Return every match in the database by its channel, oldest first, replayed from its log."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT id, channel_id, rules, version FROM match ORDER BY id").fetchall()
        logs = {
            row[0]: connection.execute(
                "SELECT text, interaction_id FROM action WHERE match_id = ? ORDER BY number", (row[0],)
            ).fetchall()
            for row in rows
        }
        seats = {
            row[0]: connection.execute(
                "SELECT person_id FROM seat WHERE match_id = ? ORDER BY seat", (row[0],)
            ).fetchall()
            for row in rows
        }
    found: dict[int, list[Past]] = {}
    for match_id, channel_id, rules, version in rows:
        log = logs[match_id]
        assert len(log) == version
        people = tuple(person for (person,) in seats[match_id])
        match = new_match(stored_rules(rules), len(people))
        found.setdefault(channel_id, []).append(_replayed(match, log, people))
    return found


def _replayed(match: Match, log: list[tuple[str, int | None]], people: tuple[int, ...]) -> Past:
    turns, discards = Counter[int](), dict[int, frozenset[str]]()
    before, deals = None, 0
    actions = parse_actions("\n".join(text for text, _ in log))
    for number, (action, (_, interaction_id)) in enumerate(zip(actions, log, strict=True)):
        match = apply(match, action)
        if interaction_id is not None:
            assert interaction_id not in discards
            discards[interaction_id] = _discards(match, action) if isinstance(action, Play) else frozenset()
        # A turn begins where a move, with all that chance brought after it, leaves another to act or a new deal.
        last = number + 1 == len(log) or log[number + 1][1] is not None
        if last and match.to_act:
            (seat,) = match.to_act
            if seat != before or len(match.finished) != deals:
                turns[seat] += 1
            before, deals = seat, len(match.finished)
    return Past(match, turns, discards, people)


def _discards(match: Match, play: Play) -> frozenset[str]:
    """Return the cards that may be discarded after a move by whoever made it."""
    if play.seat not in match.to_act:
        return frozenset()
    moves = legal(match, play.seat)
    return frozenset(move.card.text for move in moves if move.verb is Verb.DISCARD and move.card is not None)


def verify(bot: Bot, witness: Witness, players: Sequence[Player]) -> None:
    """Check that the log, what people were told, and what they see agree."""
    known = pasts(bot.database)
    for player in players:
        here = known[player.channel.id]
        entries = Counter(made for past in here for made in past.discards)
        for made in player.made:
            told = witness.told.get(made.id)
            assert told is None or entries[made.id] == int(not told.refused), (made, told)
        for past in here:
            for interaction_id, discards in past.discards.items():
                # Whoever drew a card was told of that very card.
                assert interaction_id not in witness.told or witness.told[interaction_id].discards == discards
        _verify_screen(player, here, bot.deaths.total())


def _verify_screen(player: Player, here: list[Past], deaths: int) -> None:
    """Check that there is one table, one hand and one notification for each turn."""
    past, person = here[-1], player.person
    seat = past.people.index(person.id)
    running = bool(past.match.to_act)
    assert len(list(_tables(player))) == int(running)
    turns = sum(match.turns[match.people.index(person.id)] for match in here)
    if player.by_dm:
        hands = [message for message in person.direct_messages() if not message.ephemeral]
        assert sum(not actions_of(hand).isdisjoint({*MOVES, Action.REFRESH_HAND}) for hand in hands) == int(running)
        assert len(hands) == len(here)
        told = sum(message.channel is person.dm for message in person.pushes)
    else:
        # A call to a rematch has another button.
        calls = [message for message in person.pushes if Action.SHOW_HAND in actions_of(message)]
        assert sum(not message.deleted for message in calls) == int(seat in past.match.to_act)
        told = len(calls)
    # Who moves before the notification is out, from a hand that a death left behind, needs none.
    assert turns - deaths <= told <= turns


def _tables(player: Player) -> Iterator[Message]:
    seen = player.person.sees(player.channel)
    return (message for message in seen if {Action.SHOW_HAND, Action.SHOW_SCORE} <= actions_of(message))


async def delivered(sandbox: Sandbox, bot: Bot, death: asyncio.Task[int]) -> None:
    """Wait until nothing happens any more and no message is due, or the bot has died."""
    async with asyncio.timeout(60):
        while not death.done():
            idle = asyncio.create_task(sandbox.idle())
            await asyncio.wait({idle, death}, return_when=asyncio.FIRST_COMPLETED)
            if not idle.done():
                idle.cancel()
            elif bot.nothing_due():
                return
            # The bot's database tells nobody that it changes.
            await asyncio.sleep(0.01)


async def try_panels(players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Press what every table offers: each button must do what it says, unless the bot dies of it."""
    for player in players:
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND):
            for table in list(_tables(player)):
                pressed = await press(player.person, table, action)
                if pressed.failed:
                    assert death.done()
                    continue
                assert accent_of(pressed.message) != Accent.TROUBLE.value
                shows_hand = not actions_of(pressed.message).isdisjoint({*MOVES, Action.REFRESH_HAND})
                assert shows_hand == (action is Action.SHOW_HAND)


async def play_on(sandbox: Sandbox, players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Play, and play again where a match is over, until the bot dies.

    Raises:
        AssertionError: it does not die in a long time.
    """

    async def forever() -> None:
        while True:
            for player in players:
                for message in player.person.sees(player.channel):
                    # What one of them agrees to takes away the other's question.
                    if Action.REMATCH in actions_of(message) and not message.deleted:
                        await press(player.person, message, Action.REMATCH)
            await sandbox.until(lambda: not any(player.over for player in players))
            await play_out(sandbox, players)

    playing = asyncio.create_task(forever())
    await asyncio.wait({playing, death}, timeout=LONG, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        playing.result()
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    assert death.done()


@pytest.mark.slow
@pytest.mark.parametrize(("lives", "latest"), [(1, 4), pytest.param(3, 8, marks=pytest.mark.nightly)])
async def test_matches_survive_kill_9_at_any_moment(tmp_path: Path, lives: int, latest: int) -> None:
    """No acknowledged move is lost, none applied twice; one table, one hand, one push a turn; and play goes on."""
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED, by_dm=name != pair(2)[1])
            for table in (1, 2)
            for name in pair(table)
        ]
        async with bot.life():
            await sit_down(sandbox, players[0], players[1], target=TARGET)
            await sit_down(sandbox, players[2], players[3], target=TARGET)
        for fate, count in fates(lives, latest):
            async with bot.life(fate, count) as death:
                await delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot, witness, players)
                    await try_panels(players, death)
                await play_on(sandbox, players, death)
            assert not witness.broken
        async with bot.life() as death:
            await play_out(sandbox, players)
            await delivered(sandbox, bot, death)
            verify(bot, witness, players)
        assert not witness.broken
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.deaths == dict.fromkeys(FATES, lives)
        assert not sandbox.journal.unknown_routes
