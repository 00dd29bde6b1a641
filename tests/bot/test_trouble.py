"""Database problems from a user's view: helpful answers, no lost moves, and play resumes automatically."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from structlog.testing import capture_logs

from bot.connection.client import Client
from bot.exit_codes import UNUSABLE
from bot.files.needed_files import NeededFiles
from bot.hosting import running
from bot.hosting.heartbeat import Heartbeat
from bot.hosting.running import find_trouble, keep_watch, run_client
from bot.model.ids import GuildId, PersonId
from bot.model.matches import OwnHand
from bot.play.refusals import Unavailable
from bot.sandbox import Delay
from bot.store.database import Database
from bot.store.sqlite import SqliteDatabase
from cogs.actions import Action
from cogs.kit.answer_times import WINDOW_SECONDS, AnswerTimes
from tests.bot.hosts import DID_NOT_COUNT
from tests.cogs.scenes import Scene, open_match_scene, open_scene
from tests.helpers.components import has_button
from tests.helpers.databases import file_of
from tests.helpers.host_faults import locked as held_by_another
from tests.helpers.lost_files import copies, read_values, remove_all
from tests.helpers.waiting import MAX_WAIT, eventually, wait_for_heartbeat
from tests.store.test_health import damage, shorten_lock_timeout


@asynccontextmanager
async def lock_database(scene: Scene) -> AsyncGenerator[None]:
    """Let another program lock the bot's database, and give the bot a short lock timeout."""
    await shorten_lock_timeout(scene.bot.database)
    with held_by_another(file_of(scene.bot.database)):
        yield


@pytest.mark.thorough
async def test_a_move_into_a_locked_database_is_refused(tmp_path: Path) -> None:
    """If the database is locked, moves are refused and can be repeated later. Reading works. One warning is logged."""
    async with open_match_scene(tmp_path) as scene:
        client = scene.bot.client
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        with capture_logs() as lines:
            async with lock_database(scene):
                for _ in range(2):
                    assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
                assert DID_NOT_COUNT in await scene.ask(scene.east, "challenge", scene.sandbox.channel("general"))
                shown = await scene.use(scene.north, "gin hand", scene.channel)
                assert has_button(shown.message, Action.PASS)
                assert "database" in str(await find_trouble(client))
            await scene.press(scene.north, hand, Action.PASS)
            assert not has_button(hand, Action.PASS)
            assert await find_trouble(client) is None
            await scene.wait_for_turn(scene.south)
        assert not client.background_failure.done()
        trouble = [line["event"] for line in lines if line["log_level"] in ("warning", "error")]
        assert trouble == ["database unavailable"]


async def set_read_only(database: Database, read_only: bool) -> None:
    """Make a database read-only, as on a disk remounted read-only, or writable again."""
    raw = await cast(SqliteDatabase, database)._writer.connection.get_raw_connection()  # pyright: ignore[reportPrivateUsage]
    assert raw.driver_connection is not None
    await (await raw.driver_connection.execute(f"PRAGMA query_only={int(read_only)}")).close()


@pytest.mark.thorough
async def test_a_move_into_a_read_only_database_is_refused(tmp_path: Path) -> None:
    """If the database is read-only, moves are refused. The start and the end of the problem are each logged once."""
    async with open_match_scene(tmp_path) as scene:
        client, database = scene.bot.client, scene.bot.database
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        with capture_logs() as lines:
            await set_read_only(database, True)
            for _ in range(3):
                assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
            assert "database" in str(await find_trouble(client))
            await set_read_only(database, False)
            await scene.press(scene.north, hand, Action.PASS)
            assert not has_button(hand, Action.PASS)
            assert await find_trouble(client) is None
        logged_events = [line["event"] for line in lines if "database" in line["event"]]
        assert logged_events == ["database unavailable", "database available again"]


@pytest.mark.nightly
async def test_a_locked_database_causes_no_duplicate_post(tmp_path: Path) -> None:
    """If the database is locked during a post, the courier saves the result later and does not post again."""
    async with open_scene(tmp_path) as scene:
        posting = scene.sandbox.faults.requests(Delay(5, applied=True), on="POST /channels/*/messages")
        await scene.use(scene.north, "gin challenge", scene.channel)
        await scene.sandbox.until(lambda: posting.hits == 1)
        async with lock_database(scene):
            scene.sandbox.world.clock.advance(5)
            await eventually(lambda: scene.bot.database.health.trouble is not None)
        await scene.wait_for_post(Action.ACCEPT)
        await scene.wait_until_idle()
        assert scene.sandbox.journal.routes["POST /channels/{channel_id}/messages"] == 2
        assert len(scene.posts) == 2


@pytest.mark.nightly
async def test_gateway_events_during_a_lock_are_saved_later(tmp_path: Path) -> None:
    """A channel deleted while the database is locked is recorded as deleted afterwards."""
    async with open_match_scene(tmp_path) as scene:
        await scene.wait_until_idle()
        async with lock_database(scene):
            scene.sandbox.moderation.delete_channel(scene.channel)
            await eventually(lambda: scene.bot.database.health.trouble is not None)
        general = scene.sandbox.channel("general")
        async with asyncio.timeout(MAX_WAIT):
            while "the channel was deleted" not in await scene.ask(scene.north, "games", general):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


@pytest.mark.nightly
async def test_a_start_waits_for_a_locked_database(tmp_path: Path) -> None:
    """If the database is locked at the start, the bot keeps running and is healthy once the lock is released."""
    async with open_scene(tmp_path) as scene:
        app, heart, stop = scene.bot.app, Heartbeat(tmp_path / "deadwood.db"), asyncio.Event()
        await scene.wait_until_idle()
        await app.key_values.clear()
        client = Client(app, emojis=False, guild_ready_timeout=0.01)
        async with lock_database(scene):
            running = asyncio.create_task(run_client(client, scene.sandbox.token, heart, stop))
            await eventually(lambda: scene.bot.database.health.trouble is not None or running.done())
        await eventually(lambda: heart.trouble() is None or running.done())
        stop.set()
        assert await running == 0


@pytest.mark.nightly
async def test_a_damaged_database_ends_the_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A damaged database stops the bot with exit code 2 and a one-line message with the next step."""
    async with open_scene(tmp_path) as scene:
        heart = Heartbeat(tmp_path / "deadwood.db")
        client = Client(scene.bot.app, emojis=False, guild_ready_timeout=0.01)
        running = asyncio.create_task(run_client(client, scene.sandbox.token, heart, asyncio.Event()))
        await wait_for_heartbeat(heart)
        damage(file_of(scene.bot.database))
        with pytest.raises(Unavailable):
            await scene.bot.app.people.settings(PersonId(scene.north.id))
        assert await asyncio.wait_for(running, MAX_WAIT) == UNUSABLE
        assert capsys.readouterr().err.splitlines()[-1].endswith("restore a backup")


@pytest.mark.thorough
@pytest.mark.sqlite
async def test_a_move_after_the_files_are_gone_does_not_count(tmp_path: Path) -> None:
    """After the database files are removed, moves are refused, the health check names the file, and a copy is saved."""
    async with open_match_scene(tmp_path) as scene:
        client, file = scene.bot.client, file_of(scene.bot.database)
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        with capture_logs() as lines:
            remove_all(file)
            for _ in range(2):
                assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
            assert str(file) in str(await find_trouble(client))
            await scene.bot.database.wait_for_loss()
        assert not client.background_failure.done()
        assert [line["log_level"] for line in lines if "problem" in line] == ["error"]
        (copy,) = copies(file)
        assert read_values(copy) is not None
        assert has_button(hand, Action.PASS)


async def test_a_missing_file_for_the_next_start_is_reported(tmp_path: Path) -> None:
    """If a file that the next start needs is missing, the bot keeps running, and the health check names the file."""
    token = tmp_path / "token"
    token.touch()
    async with open_scene(tmp_path) as scene:
        heart, needed = Heartbeat(tmp_path / "deadwood.db"), NeededFiles((token,))
        token.unlink()
        watch = asyncio.create_task(keep_watch(scene.bot.client, heart, needed=needed))
        await wait_for_heartbeat(heart)
        assert str(token) in str(heart.trouble())
        watch.cancel()
        heart.stop()


@pytest.mark.thorough
async def test_slow_answers_make_health_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The health check fails while an answer takes too long, and for a minute afterwards."""
    now = 100.0
    async with open_scene(tmp_path) as scene:
        client, lookup = scene.bot.client, scene.bot.app.lookup
        client.answering.times = AnswerTimes(lambda: now)
        await scene.ask(scene.north, "help")
        assert await find_trouble(client) is None
        started, released, real = asyncio.Event(), asyncio.Event(), lookup.hands

        async def slow(person_id: PersonId, guild_id: GuildId | None = None) -> tuple[OwnHand, ...]:
            started.set()
            await released.wait()
            return tuple(await real(person_id, guild_id))

        monkeypatch.setattr(lookup, "hands", slow)
        asked = await scene.north.slash("gin games", scene.channel)
        await started.wait()
        now += running.SLOW_ANSWER_SECONDS + 1
        assert await find_trouble(client) is not None
        released.set()
        await asked.done()
        assert await find_trouble(client) is not None
        now += WINDOW_SECONDS + 1
        assert await find_trouble(client) is None
