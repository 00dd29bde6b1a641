"""A PostgreSQL server for tests: one for each run of pytest, in a temporary folder that is removed after the run."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.helpers.ports import free_port

START_TIMEOUT: Final = 60.0
_USER: Final = "deadwood"
_ROOT: Final = Path(__file__).parents[2]
_UNSAFE_OPTIONS: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
"""Server settings that trade durability for speed: tests' data need not survive a crash of the machine."""
_OPTIONS: Final = {
    "max_connections": "400",
    "shared_buffers": "64MB",
    "listen_addresses": "127.0.0.1",
}


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[Any]:
    """Connect to a database as its administrator during the block."""
    # Import asyncpg only here: the process that runs the server does not need it.
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    driver: Any = asyncpg
    connection = await driver.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


def programs() -> Path:
    """Return the folder with the programs of the newest installed PostgreSQL.

    Raise `FileNotFoundError` if PostgreSQL is not installed, so that its tests fail instead of being skipped.
    """
    found = shutil.which("postgres")
    if found is not None:
        return Path(found).parent
    # Debian installs each version in a folder of its own, which is not on the path.
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    if not folders:
        raise FileNotFoundError("PostgreSQL is not installed: on Debian, apt-get install postgresql")
    return folders[-1]


def _owner() -> int:
    """Return the process that owns the server: the main pytest process. The server stops when that process ends."""
    return os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def _folder(*, durable: bool) -> Path:
    return Path(tempfile.gettempdir()) / f"deadwood-postgres-{_owner()}{'-lasting' if durable else ''}"


@cache
def server(*, durable: bool = False) -> str:
    """Start this run's server unless it is already running. Return its address without a database.

    A `durable` server waits for the disk, as a production server does.
    """
    folder = _folder(durable=durable)
    folder.mkdir(exist_ok=True)
    # PostgreSQL's user must be able to enter the folder, whatever the umask is.
    folder.chmod(0o755)
    address = folder / "address"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not address.exists():
            command = [
                sys.executable,
                "-m",
                "tests.helpers.postgres",
                str(folder),
                str(_owner()),
                *(["lasting"] if durable else []),
            ]
            with (folder / "log").open("w") as log:
                subprocess.run(command, check=True, stdout=log, stderr=subprocess.STDOUT, cwd=_ROOT)
            deadline = time.monotonic() + START_TIMEOUT
            while not address.exists():
                if time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()}")
                time.sleep(0.02)
    return address.read_text()


def postmaster(*, durable: bool = False) -> int:
    """Return the process id of this run's server."""
    server(durable=durable)
    return int((_folder(durable=durable) / "data" / "postmaster.pid").read_text().split()[0])


def run_server(folder: Path, owner: int, *, durable: bool) -> None:
    """Run a server in a folder while the owner process lives, then remove the folder."""
    data, as_user = folder / "data", _as_user()
    data.mkdir()
    if as_user:
        shutil.chown(data, _account(), _account())
    bin_folder, port = programs(), free_port()
    # Sort text by the rules of a language, as most hosts do: queries must not rely on the order of bytes.
    language = ("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--encoding=UTF8")
    initialise = [str(bin_folder / "initdb"), "-D", str(data), "-U", _USER, "-A", "trust", "--no-sync", *language]
    subprocess.run([*as_user, *initialise], check=True, cwd="/")
    options = [f"--{name}={value}" for name, value in (_OPTIONS | ({} if durable else _UNSAFE_OPTIONS)).items()]
    command = [*as_user, str(bin_folder / "postgres"), "-D", str(data), "-p", str(port), "-k", str(data), *options]
    with subprocess.Popen(command, cwd="/") as running:
        try:
            while not _accepts_connections(data):
                if running.poll() is not None:
                    return
                time.sleep(0.02)
            partial_file = folder / "address.part"
            partial_file.write_text(f"postgresql://{_USER}@127.0.0.1:{port}")
            partial_file.rename(folder / "address")
            while running.poll() is None and _is_running(owner):
                time.sleep(0.2)
        finally:
            running.terminate()
            # SIGQUIT (3): do not wait until connections are closed.
            running.send_signal(3)
    shutil.rmtree(folder)


def _account() -> str:
    return "postgres"


def _as_user() -> Sequence[str]:
    """Return a command prefix that switches from root to another user, because PostgreSQL refuses to run as root."""
    return ["setpriv", f"--reuid={_account()}", f"--regid={_account()}", "--init-groups"] if os.geteuid() == 0 else []


def _accepts_connections(data: Path) -> bool:
    """Return True if a server accepts connections. A starting server listens, but refuses connections."""
    status = data / "postmaster.pid"
    return status.exists() and [line.strip() for line in status.read_text().splitlines()[7:]] == ["ready"]


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__" and not os.fork():
    os.setsid()
    run_server(Path(sys.argv[1]), int(sys.argv[2]), durable="lasting" in sys.argv)
