"""`kill -9` amid play: at chosen points of the bot's work, at moments that Discord chooses, and at random ones."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import time

import pytest

from bot.engine.match import Match, Play, apply, new_match
from bot.engine.record import parse_actions
from bot.engine.rules import Rules
from bot.sandbox import Interaction, Person, Request, ResponseKind, Sandbox
from tests.helpers.players import Player, labelled, play_out, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.mortal import POINTS

ROOT = Path(__file__).parents[2]
SEED = "kills"

MOMENTS = {
    "Discord has an answer": "POST /interactions/{interaction_id}/{token}/callback",
    "Discord has a post": "POST /channels/{channel_id}/messages",
    "Discord has an edit": "PATCH /channels/{channel_id}/messages/{message_id}",
}
"""When the sandbox kills: once it has applied such a request, and before the bot hears of it."""

REFUSED = ("The table has moved on", "is over. `/gin rematch`", "Something went wrong", "older time")


def fates() -> list[tuple[str, int]]:
    """How each life ends: at a point of the bot's work, at a moment in Discord, or after a random time (in ms)."""
    random = Random(SEED)
    chosen = [(name, random.randint(1, 8)) for name in (*POINTS, *MOMENTS) for _ in range(2)]
    chosen += [("random", random.randint(50, 900)) for _ in range(4)]
    random.shuffle(chosen)
    return chosen


class Bot:
    """The bot's process on one database, born again after each death."""

    def __init__(self, sandbox: Sandbox, database: Path, mother: asyncio.subprocess.Process) -> None:
        assert mother.stdin is not None
        assert mother.stdout is not None
        self.database = database
        self.deaths = Counter[str]()
        self.silences: list[tuple[float, float]] = []
        """When it died, and when the people noticed, by the loop's clock."""
        self._ended_at = 0.0
        self._sandbox = sandbox
        self._orders, self._reports = mother.stdin, mother.stdout

    @staticmethod
    @asynccontextmanager
    async def born(sandbox: Sandbox, directory: Path) -> AsyncGenerator["Bot"]:
        """What lives on a fresh database in a directory, where it also writes its log."""
        database = directory / "deadwood.db"
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "DISCORD_TOKEN": sandbox.token,
            "DEADWOOD_DATABASE_URL": f"sqlite:///{database}",
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
            await mother.wait()

    @asynccontextmanager
    async def life(self, fate: str = "", count: int = 0) -> AsyncGenerator[asyncio.Task[int]]:
        """Let the bot live until its fate, or the end of the block; gives the task that ends with it."""
        await self._sandbox.until(lambda: not self._sandbox.gateway.connected)
        self._orders.write(f"{fate}:{count}\n".encode() if fate in POINTS else b"\n")
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
            ready = asyncio.create_task(self._sandbox.until(lambda: self._sandbox.gateway.connected, 20))
            await asyncio.wait({ready, death}, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
            if fate == "random":
                asyncio.get_running_loop().call_later(count / 1000, kill)
            yield death
        finally:
            self._sandbox.journal.observers.remove(strike)
            kill(signal.SIGTERM)
            code = await death
            assert code in (0, -signal.SIGKILL), f"the bot ended by itself with {code}"
            if code == -signal.SIGKILL:
                self.deaths[fate] += 1
                self.silences.append((self._ended_at, asyncio.get_running_loop().time()))

    async def _ended(self) -> int:
        code = int(await self._reports.readline())
        self._ended_at = asyncio.get_running_loop().time()
        return code


@dataclass
class Witness:
    """What the people were told: the words of the first answer to each interaction, as they stood then."""

    told: dict[int, str] = field(default_factory=dict[int, str])

    def __call__(self, interaction: Interaction) -> None:
        """Note an answer."""
        final = interaction.response is not None and interaction.response.kind in (
            ResponseKind.MESSAGE,
            ResponseKind.UPDATE,
        )
        if final:
            self.told[interaction.id] = interaction.text

    def acknowledged(self, made: Interaction) -> bool:
        """Whether a person was told that their move counts."""
        words = self.told.get(made.id)
        return words is not None and not any(refusal in words for refusal in REFUSED)


@dataclass
class Past:
    """A match as its log has it: replayed, with the turns that began at each seat, and what each interaction got."""

    match: Match
    turns: Counter[int]
    by_interaction: dict[int, str]
    people: tuple[int, ...]


def pasts(database: Path) -> dict[int, list[Past]]:
    """Every match in the database by its channel, oldest first, replayed from its log."""
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
        found.setdefault(channel_id, []).append(_replayed(Rules.parse(rules), log, people))
    return found


def _replayed(rules: Rules, log: list[tuple[str, int | None]], people: tuple[int, ...]) -> Past:
    match, turns, got = new_match(rules, len(people)), Counter[int](), dict[int, str]()
    before, deals = None, 0
    for number, (action, (_, interaction_id)) in enumerate(
        zip(parse_actions("\n".join(text for text, _ in log)), log, strict=True)
    ):
        match = apply(match, action)
        if interaction_id is not None:
            assert interaction_id not in got
            deals_on = match.playing if isinstance(action, Play) else ()
            card = next((deal.taken or deal.drawn for deal in deals_on), None)
            got[interaction_id] = "" if card is None else card.symbol
        # A turn begins where a move, with all that chance brought after it, leaves another to act or a new deal.
        last = number + 1 == len(log) or log[number + 1][1] is not None
        if last and match.to_act:
            (seat,) = match.to_act
            if seat != before or len(match.finished) != deals:
                turns[seat] += 1
            before, deals = seat, len(match.finished)
    return Past(match, turns, got, people)


def verify(sandbox: Sandbox, bot: Bot, witness: Witness, players: Sequence[Player]) -> None:
    """Check that the log, what people were told, and what stands on their screens agree."""
    known = pasts(bot.database)
    for player in players:
        person, here = player.person, known[player.channel.id]
        entries = Counter(made for past in here for made in past.by_interaction)
        for made in player.made:
            assert entries[made.id] == int(witness.acknowledged(made)) or made.id not in witness.told
        for past in here:
            for interaction_id, card in past.by_interaction.items():
                assert card in witness.told.get(interaction_id, card)
        _verify_screen(person, player, here, bot.deaths.total())


def _verify_screen(person: Person, player: Player, here: list[Past], deaths: int) -> None:
    """One table, one hand, one push a turn."""
    past = here[-1]
    seat = past.people.index(person.id)
    running = bool(past.match.to_act)
    seen = person.sees(player.channel)
    assert sum(labelled(message, "My hand") and labelled(message, "Score") for message in seen) == int(running)
    turns = sum(match.turns[match.people.index(person.id)] for match in here)
    if player.by_dm:
        hands = [message for message in person.direct_messages() if not message.ephemeral]
        assert sum("Your hand against" in message.text for message in hands) == int(running)
        assert len(hands) == len(here)
        told = sum(message.channel is person.dm for message in person.pushes)
    else:
        calls = [message for message in person.pushes if "it is your turn" in message.text]
        assert sum(not message.deleted for message in calls) == int(seat in past.match.to_act)
        told = len(calls)
    # Who moves before the push is out, from a hand on the screen that a death left behind, needs none.
    assert turns - deaths <= told <= turns


async def delivered(sandbox: Sandbox, bot: Bot, death: asyncio.Task[int]) -> None:
    """Wait until nothing happens any more and no message is due, or the bot has died."""
    query = "SELECT count(*) FROM notice WHERE wanted > shown AND due_at <= ?"
    async with asyncio.timeout(20):
        while not death.done():
            await sandbox.settled(0.2)
            with closing(sqlite3.connect(f"{bot.database.as_uri()}?mode=ro", uri=True)) as connection:
                if connection.execute(query, (int(time() * 1000),)).fetchone() == (0,):
                    return


def verify_answers(sandbox: Sandbox, bot: Bot) -> None:
    """Check that every interaction was answered but those that a death left without: their time was not over then."""
    within = sandbox.interactions.answer_within
    for made in sandbox.unanswered:
        assert any(died - within <= made.sent_at <= noticed for died, noticed in bot.silences)


async def try_panels(players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """ComponentEvent what stands at every table: each button must do what it says, unless the bot dies of it."""
    for player in players:
        for label, says in (("Score", "score"), ("My hand", "Your hand against")):
            tables = [message for message in player.person.sees(player.channel) if labelled(message, "Score")]
            for table in tables:
                pressed = await (await player.person.press(table, label)).answer()
                assert says in pressed.text or (pressed.failed and death.done())


async def play_on(sandbox: Sandbox, players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Play, and play again where a match is over, until the bot dies."""

    async def forever() -> None:
        while True:
            for player in players:
                for message in player.person.sees(player.channel):
                    if labelled(message, "Rematch"):
                        await (await player.person.press(message, "Rematch")).answer()
            await sandbox.until(lambda: not any(player.over for player in players))
            await play_out(sandbox, players)

    playing = asyncio.create_task(forever())
    await asyncio.wait({playing, death}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        playing.result()
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing


@pytest.mark.slow
async def test_matches_survive_kill_9_at_any_moment(tmp_path: Path) -> None:
    """No acknowledged move is lost, none applied twice; one table, one hand, one push a turn; and play goes on."""
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        sandbox.interactions.answer_within = 2.0
        players = [
            Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED, by_dm=name != pair(2)[1])
            for table in (1, 2)
            for name in pair(table)
        ]
        async with bot.life():
            await sit_down(sandbox, players[0], players[1], target=10)
            await sit_down(sandbox, players[2], players[3], target=10)
        for fate, count in fates():
            async with bot.life(fate, count) as death:
                await delivered(sandbox, bot, death)
                if not death.done():
                    verify(sandbox, bot, witness, players)
                    await try_panels(players, death)
                await play_on(sandbox, players, death)
        async with bot.life() as death:
            await play_out(sandbox, players)
            await delivered(sandbox, bot, death)
            verify(sandbox, bot, witness, players)
        verify_answers(sandbox, bot)
        assert bot.deaths.total() >= 20
        assert bot.deaths.keys() == {*POINTS, *MOMENTS, "random"}
        assert not sandbox.journal.unknown_routes
