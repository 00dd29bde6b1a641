"""Database files that disappear while the bot runs: the log, the health check, the saved copy and the exit code."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from io import StringIO
from pathlib import Path
from sqlite3 import connect

import pytest

from bot import open_files
from bot.__main__ import main
from bot.exit_codes import FILES_LOST, UNUSABLE
from bot.heartbeat import NO_HEARTBEAT, Heartbeat
from bot.open_files import FilesLostError
from bot.running import open_application
from bot.sandbox import Message, Person, Sandbox
from bot.store.errors import DatabaseLostError
from bot.store.sqlite import backup
from cogs.kit.actions import Action
from tests.bot.hosts import DID_NOT_COUNT, code_of, page_of, run_while, serving, tell_to_stop
from tests.helpers.cases import nightly_after
from tests.helpers.components import has_button
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full, small_disk, stopped
from tests.helpers.living import bot_on
from tests.helpers.lost_files import (
    BACKUP,
    LOSSES,
    RENAMED,
    copies,
    names,
    remove,
    remove_all,
    remove_folder,
    rename_folder,
    replace,
    replace_all,
)
from tests.helpers.players import Player, press, sit_down
from tests.helpers.processes import BOT, powerless, sandbox_for_processes, settings_for, started
from tests.helpers.visitors import visiting
from tests.helpers.waiting import MAX_WAIT, eventually

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]


class Game:
    """A match in the sandbox in which a player has just passed, and its database."""

    def __init__(self, sandbox: Sandbox, path: Path) -> None:
        self.sandbox, self.path = sandbox, path
        self.players = [Player(sandbox, name, sandbox.channel("games"), "files") for name in ("North", "South")]

    async def begin(self) -> None:
        """Play until one player has passed. Make a backup before the pass."""
        await sit_down(self.sandbox, *self.players)
        await self.turn(Action.PASS)
        await asyncio.to_thread(backup, f"sqlite:///{self.path}", self.path.with_name(BACKUP))
        await self.pass_()
        await self.turn(Action.PASS)

    async def turn(self, action: Action) -> tuple[Person, Message]:
        """Wait until a player is offered an action. Return the player and the message with their hand."""
        return (await self.sandbox.until(lambda: self.offered(action), MAX_WAIT))[0]

    def offered(self, action: Action) -> list[tuple[Person, Message]]:
        """Return the players who are offered an action, each with the message that offers it."""
        shown = [(player.person, player.panel) for player in self.players]
        return [(one, hand) for one, hand in shown if hand is not None and has_button(hand, action)]

    async def pass_(self) -> str:
        """Pass, and return the answer's text."""
        mover, hand = await self.turn(Action.PASS)
        return (await press(mover, hand, Action.PASS)).text


class HostedGame(Game):
    """A match whose bot runs in a process that writes to a log file."""

    def __init__(self, sandbox: Sandbox, path: Path, process: Process, log: Path) -> None:
        super().__init__(sandbox, path)
        self.process, self._log = process, log

    async def ended(self) -> int:
        """Wait for the process to exit, and return its exit code."""
        return await asyncio.wait_for(self.process.wait(), MAX_WAIT)

    @property
    def problems(self) -> int:
        """Number of problems that the bot has logged."""
        return sum("problem=" in line for line in self.log)

    @property
    def log(self) -> list[str]:
        """The lines of the bot's log."""
        return self._log.read_text().splitlines()


@asynccontextmanager
async def game(
    folder: Path, log: Path, *, before: Sequence[str] = (), settings: dict[str, str] | None = None
) -> AsyncGenerator[HostedGame]:
    """Run the bot as a process in a folder, with `before` as a prefix of its command, and start a match."""
    async with sandbox_for_processes() as sandbox:
        with log.open("ab") as out:
            command = [*before, *BOT, "run"]
            environment = settings_for(sandbox) | (settings or {})
            async with started(folder, command, environment, out) as process:
                playing = HostedGame(sandbox, folder / "deadwood.db", process, log)
                await sandbox.ready(MAX_WAIT)
                await playing.begin()
                yield playing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a folder that may be renamed, with an empty database in it."""
    (tmp_path / "folder").mkdir(mode=0o700)
    new_database(tmp_path / "folder" / "deadwood.db")
    return tmp_path / "folder"


async def test_a_start_that_still_waits_ends(folder: Path) -> None:
    """A bot that is not connected yet, for example after too many starts, also detects the loss and saves a copy."""
    database = folder / "deadwood.db"
    heart, stop = Heartbeat(database), asyncio.Event()

    async def wait() -> None:
        async with open_application(f"sqlite:///{database}", stop, heart):
            remove_all(database)
            await asyncio.wait_for(stop.wait(), MAX_WAIT)

    with pytest.raises(DatabaseLostError):
        await wait()
    (copy,) = copies(database)
    assert str(copy) in str(heart.trouble())
    copy.rename(database)
    async with open_application(f"sqlite:///{database}", asyncio.Event(), heart):
        assert heart.trouble() == NO_HEARTBEAT


async def test_an_end_for_another_reason_waits_for_the_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process retries until the copy is saved, because the open file disappears with the process."""
    monkeypatch.setattr(open_files, "FIRST_PAUSE", 0.05)
    database = folder / "deadwood.db"

    async def run() -> None:
        async with open_application(f"sqlite:///{database}", asyncio.Event()):
            remove_folder(database)
            database.parent.write_text("in the way")

    running = asyncio.create_task(run())
    await asyncio.wait((running,), timeout=1)
    assert not running.done()
    database.parent.unlink()
    with pytest.raises(DatabaseLostError):
        await asyncio.wait_for(running, MAX_WAIT)
    assert len(copies(database)) == 1


@pytest.mark.parametrize("lose", nightly_after(1, LOSSES), ids=lambda lose: lose.__name__)
async def test_the_bot_ends_and_its_copy_goes_on(
    folder: Path, tmp_path: Path, log: StringIO, lose: Callable[[Path], None]
) -> None:
    """The log names the copy, the health check gives the reason, and a bot on the copy has each acknowledged move."""
    database = folder / "deadwood.db"
    async with sandbox_for_processes() as sandbox:
        async with serving(sandbox, database) as bot:
            playing = Game(sandbox, database)
            await playing.begin()
            lose(database)
            with pytest.raises(FilesLostError):
                await code_of(bot)
        (copy,) = copies(database)
        assert str(copy) in log.getvalue()
        assert "Traceback" not in log.getvalue()
        if names(folder):
            assert str(copy) in str(Heartbeat(database).trouble())
        restored = tmp_path / "restored.db"
        shutil.copy(copy, restored)
        moved(restored, 1)
        async with bot_on(sandbox, f"sqlite:///{restored}"):
            await sandbox.idle()
            await playing.pass_()
        moved(restored, 2)


@pytest.mark.nightly
@pytest.mark.parametrize("lose", [remove_all, replace])
async def test_a_move_after_the_loss_does_not_count(folder: Path, tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """A move made just after the loss is neither shown at the table nor in the copy."""
    async with game(folder, tmp_path / "log") as playing:
        await playing.turn(Action.PASS)
        lose(playing.path)
        await playing.pass_()
        assert await playing.ended() == FILES_LOST
        assert not playing.offered(Action.DRAW)
        (copy,) = copies(playing.path)
        moved(copy, 1)


def moved(database: Path, times: int) -> None:
    """Check the number of passes in a database."""
    with closing(connect(database)) as connection:
        made = connection.execute("SELECT count(*) FROM action WHERE text LIKE '% pass'").fetchone()
    assert made == (times,)


@pytest.mark.nightly
async def test_a_second_bot_does_not_run_beside_the_first(folder: Path, tmp_path: Path) -> None:
    """Even if a second bot starts within a second, the first bot exits and leaves the second one's files alone."""
    async with game(folder, tmp_path / "log") as playing:
        replace_all(playing.path)
        remove(".lock")(playing.path)
        async with started(folder, [*BOT, "run"], settings_for(playing.sandbox)) as second:
            assert await playing.ended() == FILES_LOST
            await eventually(lambda: Heartbeat(playing.path).trouble() is None, MAX_WAIT)
            second.send_signal(signal.SIGTERM)
            assert await second.wait() == 0
        moved(playing.path, 0)
        moved(copies(playing.path)[0], 1)


@pytest.mark.nightly
async def test_a_supervisor_that_restarts_the_bot_makes_no_new_database(folder: Path, tmp_path: Path) -> None:
    """A restart exits with code 2, names the copy that must be renamed, and creates no new database."""
    async with game(folder, tmp_path / "log") as playing:
        remove_all(playing.path)
        assert await playing.ended() == FILES_LOST
        async with started(folder, [*BOT, "run"], settings_for(playing.sandbox)) as second:
            _, said = await second.communicate()
            assert second.returncode == UNUSABLE
            assert copies(playing.path)[0].name in said.decode()
        assert playing.path.name not in names(folder)


async def test_a_stop_right_after_the_loss_saves_a_copy(folder: Path) -> None:
    """SIGTERM just after the loss does not change the reason for the exit, and a copy is saved."""
    async with sandbox_for_processes() as sandbox, serving(sandbox, folder / "deadwood.db") as bot:
        playing = Game(sandbox, folder / "deadwood.db")
        await playing.begin()
        remove_all(playing.path)
        tell_to_stop()
        with pytest.raises(FilesLostError):
            await code_of(bot)
        moved(copies(playing.path)[0], 1)


@pytest.mark.nightly
async def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    """While the disk is full, moves are refused and health fails. Then the copy is saved and the bot exits."""
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        folder = tmp_path / "disk"
        new_database(folder / "deadwood.db")
        async with game(folder, tmp_path / "log") as playing:
            with full(playing.path):
                playing.path.unlink()
                await eventually(lambda: playing.problems == 2)
                assert DID_NOT_COUNT in await playing.pass_()
                assert Heartbeat(playing.path).trouble() is not None
                assert playing.process.returncode is None
            assert await playing.ended() == FILES_LOST
            moved(copies(playing.path)[0], 1)


def let_write(folder: Path, *, allowed: bool) -> None:
    """Make a folder writable or read-only."""
    folder.chmod(0o700 if allowed else 0o500)


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["made writable", "stopped"])
async def test_an_unwritable_folder_is_waited_for(folder: Path, tmp_path: Path, how: str) -> None:
    """The bot keeps running until the folder is writable. If it is stopped earlier, it saves no copy."""
    async with game(folder, tmp_path / "log", before=powerless()) as playing:
        with stopped(playing.process):
            remove_all(playing.path)
            let_write(folder, allowed=False)
        await eventually(lambda: playing.problems == 2)
        assert playing.process.returncode is None
        if how == "stopped":
            playing.process.send_signal(signal.SIGTERM)
            assert await playing.ended() == FILES_LOST
            assert copies(playing.path) == []
        else:
            let_write(folder, allowed=True)
            assert await playing.ended() == FILES_LOST
            moved(copies(playing.path)[0], 1)


@pytest.mark.nightly
@pytest.mark.parametrize("lose", [rename_folder, remove_folder])
async def test_a_folder_that_is_gone_is_looked_for(folder: Path, tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """The copy is saved in the renamed folder, or in a new folder at the old path."""
    async with game(folder, tmp_path / "log") as playing:
        lose(playing.path)
        assert await playing.ended() == FILES_LOST
        (copy,) = copies(playing.path)
        assert copy.parent.name == (RENAMED if lose is rename_folder else "folder")
        moved(copy, 1)


@pytest.mark.nightly
@pytest.mark.parametrize("taken", ["token", ".env"])
async def test_a_token_that_is_gone_is_told_before_the_next_start(folder: Path, tmp_path: Path, taken: str) -> None:
    """The bot keeps running without its token file or .env, logs the loss once, and is unhealthy until it is back."""
    for name in ("token", ".env"):
        (folder / name).touch(0o600)
    async with sandbox_for_processes() as sandbox:
        (folder / "token").write_text(sandbox.token)
        settings = settings_for(sandbox) | {"DISCORD_TOKEN_FILE": "token"}
        log = tmp_path / "log"
        with log.open("ab") as out:
            async with started(folder, [*BOT, "run"], settings, out) as process:
                playing = HostedGame(sandbox, folder / "deadwood.db", process, log)
                await sandbox.ready(MAX_WAIT)
                await playing.begin()
                heart = Heartbeat(playing.path)
                await eventually(lambda: heart.trouble() is None, MAX_WAIT)
                (folder / taken).rename(folder / "elsewhere")
                await eventually(lambda: str(folder / taken) in str(heart.trouble()), MAX_WAIT)
                await playing.pass_()
                await playing.turn(Action.DRAW)
                assert sum(str(folder / taken) in line for line in playing.log) == 1
                (folder / "elsewhere").rename(folder / taken)
                await eventually(lambda: heart.trouble() is None, MAX_WAIT)
                process.send_signal(signal.SIGTERM)
                assert await process.wait() == 0


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("lose", "lost"),
    [
        (remove_all, {"sandbox.db", "sandbox.db.discord"}),
        pytest.param(remove(".discord"), {"sandbox.db.discord"}, marks=pytest.mark.nightly),
        pytest.param(remove(".discord-wal"), {"sandbox.db.discord"}, marks=pytest.mark.nightly),
    ],
    ids=["everything", "its Discord", "the log of its Discord"],
)
def test_the_sandbox_keeps_copies_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lose: Callable[[Path], None], lost: set[str]
) -> None:
    """The sandbox saves a copy of its database, its Discord or both. A start with the renamed copies resumes."""
    sandbox = ("sandbox", "--port", "0")
    invited: list[tuple[str, str] | None] = []

    async def invite() -> None:
        async with visiting(await page_of(capsys), "North") as north:
            await north.until(lambda: north.commands)
            await north.act("slash", command="gin challenge", options={"opponent": north.people["South"]})
            invited.append(await north.until(lambda: north.button(Action.ACCEPT)))
            lose(tmp_path / "sandbox.db")

    async def accept() -> None:
        async with visiting(await page_of(capsys), "South") as south:
            (button,) = invited
            assert button is not None
            assert south.button(Action.ACCEPT) == button
            await south.act("press", message=button[0], custom_id=button[1])
            await south.until(lambda: south.button(Action.SHOW_HAND))
        tell_to_stop()

    assert run_while(invite(), *sandbox) == FILES_LOST
    saved = {copy: name for name in ("sandbox.db", "sandbox.db.discord") for copy in copies(tmp_path / name)}
    assert {*saved.values()} == lost
    if "sandbox.db.discord" not in os.listdir(tmp_path):
        assert main(list(sandbox)) == UNUSABLE
    for copy, name in saved.items():
        copy.rename(tmp_path / name)
    assert run_while(accept(), *sandbox) == 0
