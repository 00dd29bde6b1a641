"""Files that vanish under the running bot, as its host sees it: the log, the health, a copy, and an exit code."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from sqlite3 import connect
from tempfile import mkdtemp

import pytest

from bot import open_files
from bot.exit_codes import FILES_LOST, UNUSABLE
from bot.heartbeat import NO_HEARTBEAT, Heartbeat
from bot.running import open_application
from bot.sandbox import Message, Person, Sandbox
from bot.store.errors import DatabaseLostError
from bot.store.sqlite import backup
from tests.bot.test_unusable_files import NOBODY, needs_root
from tests.cogs.scenes import Scene, hands
from tests.helpers.cases import nightly_after
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full, small_disk
from tests.helpers.living import Living, bot_on, sandbox_of
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
from tests.helpers.processes import BOT, ROOT, settings_for, started
from tests.helpers.visitors import visiting
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]

MINUTE = 60.0
"""Within this many seconds a loss must be noticed."""


class Game:
    """A match in the sandbox, in which somebody has just passed, and the process of the bot."""

    def __init__(self, sandbox: Sandbox, process: Process, path: Path, log: Path) -> None:
        self.sandbox, self.process, self.path, self._log = sandbox, process, path, log
        self.scene = Scene(Living(sandbox, None, None, f"sqlite:///{path}"))  # pyright: ignore[reportArgumentType]

    async def begin(self) -> None:
        """Play until one player has passed, and make a backup of the time before."""
        scene = self.scene
        await self.sandbox.until(lambda: scene.north.commands(scene.channel), 60)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), "Accept")
        mover, hand = await self.turn()
        await asyncio.to_thread(backup, f"sqlite:///{self.path}", self.path.with_name(BACKUP))
        assert "Waiting for" in (await scene.press(mover, hand, "Pass")).text
        await self.turn()

    async def turn(self) -> tuple[Person, Message]:
        """Wait until somebody may pass, and return who, and the message with their hand."""
        return (await self.sandbox.until(self._turns, 60))[0]

    def _turns(self) -> list[tuple[Person, Message]]:
        shown = [(one, hands(one)[-1]) for one in (self.scene.north, self.scene.south) if hands(one)]
        return [(one, hand) for one, hand in shown if "Your turn" in hand.text]

    async def pass_(self) -> str:
        """Pass, and return the answer."""
        mover, hand = await self.turn()
        clicked = await self.scene.press(mover, hand, "Pass")
        return clicked.text

    async def ended(self) -> int:
        """Wait for the end of the process, and return its exit code."""
        return await asyncio.wait_for(self.process.wait(), MINUTE)

    @property
    def problems(self) -> int:
        """The number of problems that the bot has logged."""
        return sum("problem=" in line for line in self.log)

    @property
    def log(self) -> list[str]:
        """The lines that the bot has written."""
        return self._log.read_text().splitlines()


def health(folder: Path) -> tuple[int, str]:
    """Ask for the health of the bot in a folder, and return the exit code and the output."""
    done = subprocess.run(
        [*BOT, "health"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@asynccontextmanager
async def game(
    folder: Path, log: Path, *, user: tuple[str, ...] = (), settings: dict[str, str] | None = None
) -> AsyncGenerator[Game]:
    """Let the bot run in a folder as a process, and two people play."""
    async with sandbox_of() as sandbox:
        with log.open("ab") as out:
            command = [*user, *BOT, "run"]
            environment = settings_for(sandbox) | (settings or {})
            async with started(folder, command, environment, out) as process:
                playing = Game(sandbox, process, folder / "deadwood.db", log)
                await sandbox.ready(60)
                await playing.begin()
                yield playing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder that may be renamed, with an empty database in it."""
    (tmp_path / "folder").mkdir(mode=0o700)
    new_database(tmp_path / "folder" / "deadwood.db")
    return tmp_path / "folder"


async def test_a_start_that_still_waits_ends(folder: Path) -> None:
    """A bot that is not connected yet, as after too many starts, finds the loss and saves a copy, too."""
    database = folder / "deadwood.db"
    heart, stop = Heartbeat(database), asyncio.Event()

    async def wait() -> None:
        async with open_application(f"sqlite:///{database}", stop, heart):
            remove_all(database)
            await asyncio.wait_for(stop.wait(), MINUTE)

    with pytest.raises(DatabaseLostError):
        await wait()
    (copy,) = copies(database)
    assert str(copy) in str(heart.trouble())
    copy.rename(database)
    async with open_application(f"sqlite:///{database}", asyncio.Event(), heart):
        assert heart.trouble() == NO_HEARTBEAT


async def test_an_end_for_another_reason_waits_for_the_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The open file exists no longer than the process, so only a signal ends the attempts to save a copy."""
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
        await asyncio.wait_for(running, MINUTE)
    assert len(copies(database)) == 1


@pytest.mark.parametrize("lose", nightly_after(2, LOSSES), ids=lambda lose: lose.__name__)
async def test_the_bot_ends_and_its_copy_goes_on(folder: Path, tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """The log names the copy, health says why the bot ended, and a start on the copy knows each acknowledged move."""
    async with game(folder, tmp_path / "log") as playing:
        scene, database = playing.scene, playing.path
        lose(database)
        assert await playing.ended() == FILES_LOST
        (copy,) = copies(database)
        assert sum(str(copy) in line for line in playing.log) >= 1
        assert not [line for line in playing.log if "Traceback" in line]
        if names(folder):
            assert health(folder)[0] == 1
            assert str(copy) in health(folder)[1]
        restored = tmp_path / "restored.db"
        shutil.copy(copy, restored)
        async with bot_on(playing.sandbox, f"sqlite:///{restored}"):
            await scene.alive.sandbox.idle()
            assert scene.table.text.count("passed") == 1
            await playing.pass_()
            await playing.sandbox.until(lambda: scene.table.text.count("passed") == 2, 60)


@pytest.mark.parametrize("lose", [remove_all, pytest.param(replace, marks=pytest.mark.nightly)])
async def test_a_move_after_the_loss_does_not_count(folder: Path, tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """A move at the same moment is neither shown at the table nor in the copy."""
    async with game(folder, tmp_path / "log") as playing:
        mover, hand = await playing.turn()
        lose(playing.path)
        await playing.scene.press(mover, hand, "Pass")
        assert await playing.ended() == FILES_LOST
        assert playing.scene.table.text.count("passed") == 1
        (copy,) = copies(playing.path)
        moved(copy, 1)


def moved(database: Path, times: int) -> None:
    """Check how many moves of people a database has."""
    with closing(connect(database)) as connection:
        made = connection.execute("SELECT count(*) FROM action WHERE text LIKE '% pass'").fetchone()
    assert made == (times,)


@pytest.mark.nightly
async def test_a_second_bot_does_not_run_beside_the_first(folder: Path, tmp_path: Path) -> None:
    """Even one that starts in the same second: the first one ends, and leaves the files of the second alone."""
    async with game(folder, tmp_path / "log") as playing:
        replace_all(playing.path)
        remove(".lock")(playing.path)
        async with started(folder, [*BOT, "run"], settings_for(playing.sandbox)) as second:
            assert await playing.ended() == FILES_LOST
            await eventually(lambda: Heartbeat(playing.path).trouble() is None, MINUTE)
            second.send_signal(signal.SIGTERM)
            assert await second.wait() == 0
        moved(playing.path, 0)
        moved(copies(playing.path)[0], 1)


@pytest.mark.nightly
async def test_a_supervisor_that_restarts_the_bot_makes_no_new_database(folder: Path, tmp_path: Path) -> None:
    """The next start ends with exit code 2 and names the file to rename."""
    async with game(folder, tmp_path / "log") as playing:
        remove_all(playing.path)
        assert await playing.ended() == FILES_LOST
        async with started(folder, [*BOT, "run"], settings_for(playing.sandbox)) as second:
            _, said = await second.communicate()
            assert second.returncode == UNUSABLE
            assert copies(playing.path)[0].name in said.decode()
        assert playing.path.name not in names(folder)


async def test_a_stop_right_after_the_loss_saves_a_copy(folder: Path, tmp_path: Path) -> None:
    """SIGTERM in the same moment ends the bot with the same exit code."""
    async with game(folder, tmp_path / "log") as playing:
        remove_all(playing.path)
        playing.process.send_signal(signal.SIGTERM)
        assert await playing.ended() == FILES_LOST
        moved(copies(playing.path)[0], 1)


@pytest.mark.nightly
async def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    """Until there is room, no move counts and health fails. Then the copy is saved and the bot ends."""
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        folder = tmp_path / "disk"
        new_database(folder / "deadwood.db")
        async with game(folder, tmp_path / "log") as playing:
            with full(playing.path):
                playing.path.unlink()
                await eventually(lambda: playing.problems == 2)
                assert "did not count" in await playing.pass_()
                assert (await asyncio.to_thread(health, folder))[0] == 1
                assert playing.process.returncode is None
            assert await playing.ended() == FILES_LOST
            moved(copies(playing.path)[0], 1)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder of an ordinary user: pytest's own is closed to others."""
    folder = Path(mkdtemp(prefix="deadwood-lost-"))
    database = folder / "deadwood.db"
    new_database(database)
    for one in (folder, database):
        os.chown(one, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


def let_write(folder: Path, *, others: bool) -> None:
    """Let root write to a folder, and others too or not."""
    os.chown(folder, 0, 0)
    folder.chmod(0o777 if others else 0o755)


@needs_root
@pytest.mark.nightly
@pytest.mark.parametrize("how", ["made writable", "stopped"])
async def test_an_unwritable_folder_is_waited_for(open_folder: Path, tmp_path: Path, how: str) -> None:
    """The bot runs without saving anything until it may write there. Stopped before, it saves no copy."""
    user = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    async with game(open_folder, tmp_path / "log", user=user) as playing:
        let_write(open_folder, others=False)
        remove_all(playing.path)
        await eventually(lambda: playing.problems == 2)
        assert playing.process.returncode is None
        if how == "stopped":
            playing.process.send_signal(signal.SIGTERM)
            assert await playing.ended() == FILES_LOST
            assert copies(playing.path) == []
        else:
            let_write(open_folder, others=True)
            assert await playing.ended() == FILES_LOST
            moved(copies(playing.path)[0], 1)


@pytest.mark.nightly
@pytest.mark.parametrize("lose", [rename_folder, remove_folder])
async def test_a_folder_that_is_gone_is_looked_for(folder: Path, tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """The copy is in the folder under its new name, or in a new one at the old place."""
    async with game(folder, tmp_path / "log") as playing:
        lose(playing.path)
        assert await playing.ended() == FILES_LOST
        (copy,) = copies(playing.path)
        assert copy.parent.name == (RENAMED if lose is rename_folder else "folder")
        moved(copy, 1)


@pytest.mark.nightly
@pytest.mark.parametrize("taken", ["token", ".env"])
async def test_a_token_that_is_gone_is_told_before_the_next_start(folder: Path, tmp_path: Path, taken: str) -> None:
    """The bot plays on, which needs it no more; the log says it once, and health says so until it is back."""
    for name in ("token", ".env"):
        (folder / name).touch(0o600)
    async with sandbox_of() as sandbox:
        (folder / "token").write_text(sandbox.token)
        settings = settings_for(sandbox) | {"DISCORD_TOKEN_FILE": "token"}
        log = tmp_path / "log"
        with log.open("ab") as out:
            async with started(folder, [*BOT, "run"], settings, out) as process:
                playing = Game(sandbox, process, folder / "deadwood.db", log)
                await sandbox.ready(60)
                await playing.begin()
                heart = Heartbeat(playing.path)
                await eventually(lambda: heart.trouble() is None, MINUTE)
                (folder / taken).rename(folder / "elsewhere")
                await eventually(lambda: str(folder / taken) in str(heart.trouble()), MINUTE)
                assert health(folder) == (1, f"{heart.trouble()}\n")
                await playing.pass_()
                await sandbox.until(lambda: playing.scene.table.text.count("passed") == 2, 60)
                assert sum(str(folder / taken) in line for line in playing.log) == 1
                (folder / "elsewhere").rename(folder / taken)
                await eventually(lambda: heart.trouble() is None, MINUTE)
                process.send_signal(signal.SIGTERM)
                assert await process.wait() == 0


@pytest.mark.parametrize(
    ("lose", "lost"),
    [
        (remove_all, {"sandbox.db", "sandbox.db.discord"}),
        pytest.param(remove(".discord"), {"sandbox.db.discord"}, marks=pytest.mark.nightly),
        pytest.param(remove(".discord-wal"), {"sandbox.db.discord"}, marks=pytest.mark.nightly),
    ],
    ids=["everything", "its Discord", "the log of its Discord"],
)
async def test_the_sandbox_keeps_copies_too(tmp_path: Path, lose: Callable[[Path], None], lost: set[str]) -> None:
    """Its database, its Discord or both have copies, and a start with these renamed continues as before."""
    database = tmp_path / "sandbox.db"
    async with started(tmp_path, [*BOT, "sandbox", "--port", "0"]) as process:
        async with visiting(await address_of(process), "North") as north:
            await north.until(lambda: north.commands)
            await north.act("slash", command="gin challenge", options={"opponent": north.people["South"]})
            invited = await north.until(lambda: north.button("Accept"))
        lose(database)
        assert await asyncio.wait_for(process.wait(), MINUTE) == FILES_LOST
    saved = {copy: name for name in ("sandbox.db", "sandbox.db.discord") for copy in copies(tmp_path / name)}
    assert {*saved.values()} == lost
    if "sandbox.db.discord" not in os.listdir(tmp_path):
        async with started(tmp_path, [*BOT, "sandbox", "--port", "0"]) as process:
            assert await process.wait() == UNUSABLE
    for copy, name in saved.items():
        copy.rename(tmp_path / name)
    async with started(tmp_path, [*BOT, "sandbox", "--port", "0"]) as process:
        async with visiting(await address_of(process), "South") as south:
            assert south.button("Accept") == invited
            message, custom_id = invited
            await south.act("press", message=message, custom_id=custom_id)
            await south.until(lambda: south.button("My hand"))
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


async def address_of(process: Process) -> str:
    """Wait until the sandbox says where its page is."""
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
    return line.split()[1]
