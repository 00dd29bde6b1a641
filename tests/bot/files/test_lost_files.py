"""If database files disappear while the bot runs, it logs this, fails its health check, saves a copy and exits."""

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

from bot.__main__ import main
from bot.exit_codes import FILES_LOST, UNUSABLE
from bot.files import open_files
from bot.files.open_files import FilesLostError
from bot.hosting.heartbeat import NO_HEARTBEAT, Heartbeat
from bot.hosting.running import open_application
from bot.sandbox import Message, Person, Sandbox
from bot.store.errors import DatabaseLostError
from bot.store.sqlite import backup
from cogs.actions import Action
from tests.bot.hosts import DID_NOT_COUNT, exit_code_of, page_url, run_while, send_sigterm, serving
from tests.helpers.cases import nightly_after
from tests.helpers.components import has_button
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full_disk, small_disk, suspended
from tests.helpers.living import bot_on
from tests.helpers.lost_files import (
    BACKUP,
    LOSSES,
    RENAMED,
    copies,
    file_names,
    remove,
    remove_all,
    remove_folder,
    rename_folder,
    replace,
    replace_all,
)
from tests.helpers.players import Player, challenge_and_accept, press
from tests.helpers.processes import BOT, sandbox_for_processes, settings_for, started, unprivileged_prefix
from tests.helpers.visitors import visiting
from tests.helpers.waiting import MAX_WAIT, eventually

pytestmark = [pytest.mark.nightly, pytest.mark.sqlite]


class Game:
    """A match in the sandbox: its two players, and the path of the bot's database."""

    def __init__(self, sandbox: Sandbox, path: Path) -> None:
        self.sandbox, self.path = sandbox, path
        self.players = [Player(sandbox, name, sandbox.channel("games"), "files") for name in ("North", "South")]

    async def begin(self) -> None:
        """Start the match and play until one player has passed. Make a backup just before the pass."""
        await challenge_and_accept(self.sandbox, *self.players)
        await self.wait_for_turn(Action.PASS)
        await asyncio.to_thread(backup, f"sqlite:///{self.path}", self.path.with_name(BACKUP))
        await self.pass_()
        await self.wait_for_turn(Action.PASS)

    async def wait_for_turn(self, action: Action) -> tuple[Person, Message]:
        """Wait until a player is offered an action. Return the player and the message with their hand."""
        return (await self.sandbox.until(lambda: self.offered(action), MAX_WAIT))[0]

    def offered(self, action: Action) -> list[tuple[Person, Message]]:
        """Return the players who are offered an action, each with the message that offers it."""
        shown = [(player.person, player.panel) for player in self.players]
        return [(person, hand) for person, hand in shown if hand is not None and has_button(hand, action)]

    async def pass_(self) -> str:
        """Pass, and return the answer's text."""
        mover, hand = await self.wait_for_turn(Action.PASS)
        return (await press(mover, hand, Action.PASS)).text


class HostedGame(Game):
    """A match of a bot that runs in its own process and writes its log to a file."""

    def __init__(self, sandbox: Sandbox, path: Path, process: Process, log: Path) -> None:
        super().__init__(sandbox, path)
        self.process, self._log = process, log

    async def wait_for_exit(self) -> int:
        """Wait for the process to exit, and return its exit code."""
        return await asyncio.wait_for(self.process.wait(), MAX_WAIT)

    @property
    def problem_count(self) -> int:
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


async def test_a_bot_that_is_not_connected_yet_detects_the_loss(folder: Path) -> None:
    """A bot that has not connected to Discord yet also notices lost files and saves a copy."""
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


async def test_exit_waits_until_the_copy_is_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After files are lost, the process exits only once a copy is saved: an earlier exit would lose the data."""
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
async def test_the_bot_exits_and_its_copy_resumes(
    folder: Path, tmp_path: Path, log: StringIO, lose: Callable[[Path], None]
) -> None:
    """If files are lost, the bot saves a copy of the database and exits. The log and the health check name the copy.

    The copy has every confirmed move, and a bot can continue with it.
    """
    database = folder / "deadwood.db"
    async with sandbox_for_processes() as sandbox:
        async with serving(sandbox, database) as bot:
            playing = Game(sandbox, database)
            await playing.begin()
            lose(database)
            with pytest.raises(FilesLostError):
                await exit_code_of(bot)
        (copy,) = copies(database)
        assert str(copy) in log.getvalue()
        assert "Traceback" not in log.getvalue()
        if file_names(folder):
            assert str(copy) in str(Heartbeat(database).trouble())
        restored = tmp_path / "restored.db"
        shutil.copy(copy, restored)
        check_pass_count(restored, 1)
        async with bot_on(sandbox, f"sqlite:///{restored}"):
            await sandbox.idle()
            await playing.pass_()
        check_pass_count(restored, 2)


@pytest.mark.parametrize("lose", [remove_all, replace])
async def test_a_move_after_the_loss_does_not_count(folder: Path, tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """A move made just after the database was lost is neither shown to the players nor saved in the copy."""
    async with game(folder, tmp_path / "log") as playing:
        await playing.wait_for_turn(Action.PASS)
        lose(playing.path)
        await playing.pass_()
        assert await playing.wait_for_exit() == FILES_LOST
        assert not playing.offered(Action.DRAW)
        (copy,) = copies(playing.path)
        check_pass_count(copy, 1)


def check_pass_count(database: Path, times: int) -> None:
    """Check that a database contains this number of moves that are passes."""
    with closing(connect(database)) as connection:
        passes = connection.execute("SELECT count(*) FROM action WHERE text LIKE '% pass'").fetchone()
    assert passes == (times,)


async def test_the_first_bot_exits_when_a_second_one_starts(folder: Path, tmp_path: Path) -> None:
    """If a second bot starts on new files right after the loss, the first bot exits without touching these files."""
    async with game(folder, tmp_path / "log") as playing:
        replace_all(playing.path)
        remove(".lock")(playing.path)
        async with started(folder, [*BOT, "run"], settings_for(playing.sandbox)) as second:
            assert await playing.wait_for_exit() == FILES_LOST
            await eventually(lambda: Heartbeat(playing.path).trouble() is None, MAX_WAIT)
            second.send_signal(signal.SIGTERM)
            assert await second.wait() == 0
        check_pass_count(playing.path, 0)
        check_pass_count(copies(playing.path)[0], 1)


async def test_a_restart_creates_no_new_database(folder: Path, tmp_path: Path) -> None:
    """After files are lost, a restart exits with code 2, names the copy to rename, and creates no new database."""
    async with game(folder, tmp_path / "log") as playing:
        remove_all(playing.path)
        assert await playing.wait_for_exit() == FILES_LOST
        async with started(folder, [*BOT, "run"], settings_for(playing.sandbox)) as second:
            _, stderr = await second.communicate()
            assert second.returncode == UNUSABLE
            assert copies(playing.path)[0].name in stderr.decode()
        assert playing.path.name not in file_names(folder)


async def test_a_stop_right_after_the_loss_saves_a_copy(folder: Path) -> None:
    """If SIGTERM arrives just after files are lost, the bot still saves a copy and exits because of the lost files."""
    async with sandbox_for_processes() as sandbox, serving(sandbox, folder / "deadwood.db") as bot:
        playing = Game(sandbox, folder / "deadwood.db")
        await playing.begin()
        remove_all(playing.path)
        send_sigterm()
        with pytest.raises(FilesLostError):
            await exit_code_of(bot)
        check_pass_count(copies(playing.path)[0], 1)


async def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    """If files are lost while the disk is full, the bot refuses moves until it can save a copy. Then it exits."""
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        folder = tmp_path / "disk"
        new_database(folder / "deadwood.db")
        async with game(folder, tmp_path / "log") as playing:
            with full_disk(playing.path):
                playing.path.unlink()
                await eventually(lambda: playing.problem_count == 2)
                assert DID_NOT_COUNT in await playing.pass_()
                assert Heartbeat(playing.path).trouble() is not None
                assert playing.process.returncode is None
            assert await playing.wait_for_exit() == FILES_LOST
            check_pass_count(copies(playing.path)[0], 1)


def set_writable(folder: Path, *, allowed: bool) -> None:
    """Make a folder writable or read-only."""
    folder.chmod(0o700 if allowed else 0o500)


@pytest.mark.parametrize("how", ["made writable", "stopped"])
async def test_an_unwritable_folder_is_waited_for(folder: Path, tmp_path: Path, how: str) -> None:
    """If the database's files are lost while their folder is read-only, the bot ends once it can save a copy there.

    If it is stopped earlier, it saves no copy.
    """
    async with game(folder, tmp_path / "log", before=unprivileged_prefix()) as playing:
        with suspended(playing.process):
            remove_all(playing.path)
            set_writable(folder, allowed=False)
        await eventually(lambda: playing.problem_count == 2)
        assert playing.process.returncode is None
        if how == "stopped":
            playing.process.send_signal(signal.SIGTERM)
            assert await playing.wait_for_exit() == FILES_LOST
            assert copies(playing.path) == []
        else:
            set_writable(folder, allowed=True)
            assert await playing.wait_for_exit() == FILES_LOST
            check_pass_count(copies(playing.path)[0], 1)


@pytest.mark.parametrize("lose", [rename_folder, remove_folder])
async def test_the_copy_is_saved_if_the_folder_moved(
    folder: Path, tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    """If the folder is renamed, the copy is saved in it. If it is deleted, it is recreated for the copy."""
    async with game(folder, tmp_path / "log") as playing:
        lose(playing.path)
        assert await playing.wait_for_exit() == FILES_LOST
        (copy,) = copies(playing.path)
        assert copy.parent.name == (RENAMED if lose is rename_folder else "folder")
        check_pass_count(copy, 1)


@pytest.mark.parametrize("removed_file", ["token", ".env"])
async def test_a_missing_token_file_is_reported(folder: Path, tmp_path: Path, removed_file: str) -> None:
    """A lost token file or .env is logged once. The bot keeps running, but is unhealthy until the file is back."""
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
                (folder / removed_file).rename(folder / "elsewhere")
                await eventually(lambda: str(folder / removed_file) in str(heart.trouble()), MAX_WAIT)
                await playing.pass_()
                await playing.wait_for_turn(Action.DRAW)
                assert sum(str(folder / removed_file) in line for line in playing.log) == 1
                (folder / "elsewhere").rename(folder / removed_file)
                await eventually(lambda: heart.trouble() is None, MAX_WAIT)
                process.send_signal(signal.SIGTERM)
                assert await process.wait() == 0


@pytest.mark.usefixtures("clean_environment")
@pytest.mark.parametrize(
    ("lose", "lost"),
    [
        (remove_all, {"sandbox.db", "sandbox.db.discord"}),
        (remove(".discord"), {"sandbox.db.discord"}),
        (remove(".discord-wal"), {"sandbox.db.discord"}),
    ],
    ids=["everything", "its Discord", "the log of its Discord"],
)
def test_the_sandbox_saves_copies_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lose: Callable[[Path], None], lost: set[str]
) -> None:
    """If the bot's database or the sandbox's own is deleted, a copy is saved, and the sandbox can resume from it."""
    sandbox = ("sandbox", "--port", "0")
    invited: list[tuple[str, str] | None] = []

    async def invite() -> None:
        async with visiting(await page_url(capsys), "North") as north:
            await north.until(lambda: north.commands)
            await north.act("slash", command="gin challenge", options={"opponent": north.people["South"]})
            invited.append(await north.until(lambda: north.button(Action.ACCEPT)))
            lose(tmp_path / "sandbox.db")

    async def accept() -> None:
        async with visiting(await page_url(capsys), "South") as south:
            (button,) = invited
            assert button is not None
            assert south.button(Action.ACCEPT) == button
            await south.act("press", message=button[0], custom_id=button[1])
            await south.until(lambda: south.button(Action.SHOW_HAND))
        send_sigterm()

    assert run_while(invite(), *sandbox) == FILES_LOST
    saved = {copy: name for name in ("sandbox.db", "sandbox.db.discord") for copy in copies(tmp_path / name)}
    assert {*saved.values()} == lost
    if "sandbox.db.discord" not in os.listdir(tmp_path):
        assert main(list(sandbox)) == UNUSABLE
    for copy, name in saved.items():
        copy.rename(tmp_path / name)
    assert run_while(accept(), *sandbox) == 0
