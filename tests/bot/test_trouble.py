"""Database problems from a user's view: helpful answers, no lost moves, and play resumes automatically."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from structlog.testing import capture_logs

from bot import running
from bot.client import Client
from bot.exit_codes import UNUSABLE
from bot.heartbeat import Heartbeat
from bot.needed_files import NeededFiles
from bot.play.refusals import Unavailable
from bot.running import find_trouble, keep_watch, run_client
from bot.sandbox import Delay
from bot.store.database import Database
from bot.store.sqlite import SqliteDatabase
from bot.values.ids import GuildId, PersonId
from bot.values.matches import OwnHand
from cogs.kit.actions import Action
from cogs.kit.answer_times import PERIOD, AnswerTimes
from tests.bot.hosts import DID_NOT_COUNT
from tests.cogs.scenes import Scene, at_table, clubhouse
from tests.helpers.components import has_button
from tests.helpers.databases import file_of
from tests.helpers.host_faults import locked as held_by_another
from tests.helpers.lost_files import copies, remove_all, values
from tests.helpers.waiting import MAX_WAIT, beating, eventually
from tests.store.test_health import damage, hurry


@asynccontextmanager
async def locked(scene: Scene) -> AsyncGenerator[None]:
    """Let another program lock the bot's database, and give the bot a short lock timeout."""
    await hurry(scene.alive.database)
    with held_by_another(file_of(scene.alive.database)):
        yield


@pytest.mark.thorough
async def test_a_move_into_a_locked_database_does_not_count(tmp_path: Path) -> None:
    """A move into a locked database is refused and can be repeated. Reading works, and the problem is reported once."""
    async with at_table(tmp_path) as scene:
        client = scene.alive.client
        hand = await scene.turn(scene.north)
        await scene.quiet()
        with capture_logs() as lines:
            async with locked(scene):
                for _ in range(2):
                    assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
                assert DID_NOT_COUNT in await scene.ask(scene.east, "challenge", scene.sandbox.channel("general"))
                shown = await scene.use(scene.north, "gin hand", scene.channel)
                assert has_button(shown.message, Action.PASS)
                assert "database" in str(await find_trouble(client))
            await scene.press(scene.north, hand, Action.PASS)
            assert not has_button(hand, Action.PASS)
            assert await find_trouble(client) is None
            await scene.turn(scene.south)
        assert not client.background_failure.done()
        trouble = [line["event"] for line in lines if line["log_level"] in ("warning", "error")]
        assert trouble == ["the database has trouble"]


async def set_read_only(database: Database, read_only: bool) -> None:
    """Make a database read-only, as on a disk remounted read-only, or writable again."""
    raw = await cast(SqliteDatabase, database)._writer.get_raw_connection()  # pyright: ignore[reportPrivateUsage]
    assert raw.driver_connection is not None
    await (await raw.driver_connection.execute(f"PRAGMA query_only={int(read_only)}")).close()


@pytest.mark.thorough
async def test_a_move_into_a_database_that_became_read_only_does_not_count(tmp_path: Path) -> None:
    """A move into a read-only database is refused. The log has the start and the end of the problem once each."""
    async with at_table(tmp_path) as scene:
        client, database = scene.alive.client, scene.alive.database
        hand = await scene.turn(scene.north)
        await scene.quiet()
        with capture_logs() as lines:
            await set_read_only(database, True)
            for _ in range(3):
                assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
            assert "database" in str(await find_trouble(client))
            await set_read_only(database, False)
            await scene.press(scene.north, hand, Action.PASS)
            assert not has_button(hand, Action.PASS)
            assert await find_trouble(client) is None
        told = [line["event"] for line in lines if "database" in line["event"]]
        assert told == ["the database has trouble", "the database works again"]


@pytest.mark.thorough
async def test_a_post_is_not_doubled_by_a_database_that_is_locked_meanwhile(tmp_path: Path) -> None:
    """If the database is locked during a post, the courier saves the result later and does not post again."""
    async with clubhouse(tmp_path) as scene:
        posting = scene.sandbox.faults.requests(Delay(5, applied=True), on="POST /channels/*/messages")
        await scene.use(scene.north, "gin challenge", scene.channel)
        await scene.sandbox.until(lambda: posting.hits == 1)
        async with locked(scene):
            scene.sandbox.world.clock.advance(5)
            await eventually(lambda: scene.alive.database.health.trouble is not None)
        await scene.post(Action.ACCEPT)
        await scene.quiet()
        assert scene.sandbox.journal.routes["POST /channels/{channel_id}/messages"] == 2
        assert len(scene.posts) == 2


@pytest.mark.thorough
async def test_what_the_gateway_told_meanwhile_is_saved_later(tmp_path: Path) -> None:
    """A channel deleted while the database is locked is recorded as deleted afterwards."""
    async with at_table(tmp_path) as scene:
        await scene.quiet()
        async with locked(scene):
            scene.sandbox.moderation.delete_channel(scene.channel)
            await eventually(lambda: scene.alive.database.health.trouble is not None)
        general = scene.sandbox.channel("general")
        async with asyncio.timeout(MAX_WAIT):
            while "its channel was deleted" not in await scene.ask(scene.north, "games", general):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


@pytest.mark.thorough
async def test_a_start_waits_for_a_locked_database(tmp_path: Path) -> None:
    """With a locked database, the process keeps running and registers its commands once that can be saved."""
    async with clubhouse(tmp_path) as scene:
        app, heart, stop = scene.alive.app, Heartbeat(tmp_path / "deadwood.db"), asyncio.Event()
        await scene.quiet()
        await app.key_values.clear()
        client = Client(app, emojis=False, guild_ready_timeout=0.01)
        async with locked(scene):
            running = asyncio.create_task(run_client(client, scene.sandbox.token, heart, stop))
            await eventually(lambda: scene.alive.database.health.trouble is not None or running.done())
        await eventually(lambda: heart.trouble() is None or running.done())
        stop.set()
        assert await running == 0


@pytest.mark.thorough
async def test_a_damaged_database_ends_the_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A damaged database stops the bot cleanly with exit code 2 and one line with the next step."""
    async with clubhouse(tmp_path) as scene:
        heart = Heartbeat(tmp_path / "deadwood.db")
        client = Client(scene.alive.app, emojis=False, guild_ready_timeout=0.01)
        running = asyncio.create_task(run_client(client, scene.sandbox.token, heart, asyncio.Event()))
        await beating(heart)
        damage(file_of(scene.alive.database))
        with pytest.raises(Unavailable):
            await scene.alive.app.people.settings(PersonId(scene.north.id))
        assert await asyncio.wait_for(running, MAX_WAIT) == UNUSABLE
        assert capsys.readouterr().err.splitlines()[-1].endswith("restore a backup")


@pytest.mark.thorough
@pytest.mark.sqlite
async def test_a_move_after_the_files_are_gone_does_not_count(tmp_path: Path) -> None:
    """After the database files are removed, moves are refused, health names the file, and the copy lacks the moves."""
    async with at_table(tmp_path) as scene:
        client, file = scene.alive.client, file_of(scene.alive.database)
        hand = await scene.turn(scene.north)
        await scene.quiet()
        with capture_logs() as lines:
            remove_all(file)
            for _ in range(2):
                assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
            assert str(file) in str(await find_trouble(client))
            await scene.alive.database.wait_for_loss()
        assert not client.background_failure.done()
        assert [line["log_level"] for line in lines if "problem" in line] == ["error"]
        (copy,) = copies(file)
        assert values(copy) is not None
        assert has_button(hand, Action.PASS)


async def test_a_file_that_the_next_start_needs_is_missed(tmp_path: Path) -> None:
    """If a file that the next start needs is missing, the bot keeps running, and health reports the file."""
    token = tmp_path / "token"
    token.touch()
    async with clubhouse(tmp_path) as scene:
        heart, needed = Heartbeat(tmp_path / "deadwood.db"), NeededFiles((token,))
        token.unlink()
        watch = asyncio.create_task(keep_watch(scene.alive.client, heart, needed=needed))
        await beating(heart)
        assert str(token) in str(heart.trouble())
        watch.cancel()
        heart.stop()


@pytest.mark.thorough
async def test_a_bot_whose_answers_are_slow_is_not_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow answer makes health fail while it is pending and for a minute afterwards."""
    now = 100.0
    async with clubhouse(tmp_path) as scene:
        client, lookup = scene.alive.client, scene.alive.app.lookup
        client.answer_times = AnswerTimes(lambda: now)
        await scene.ask(scene.north, "help")
        assert await find_trouble(client) is None
        begun, released, real = asyncio.Event(), asyncio.Event(), lookup.hands

        async def slow(person_id: PersonId, guild_id: GuildId | None = None) -> tuple[OwnHand, ...]:
            begun.set()
            await released.wait()
            return tuple(await real(person_id, guild_id))

        monkeypatch.setattr(lookup, "hands", slow)
        asked = await scene.north.slash("gin games", scene.channel)
        await begun.wait()
        now += running.SLOW + 1
        assert await find_trouble(client) is not None
        released.set()
        await asked.done()
        assert await find_trouble(client) is not None
        now += PERIOD + 1
        assert await find_trouble(client) is None
