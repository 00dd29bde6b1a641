"""A PostgreSQL server for tests: one for each run of pytest, in a temporary folder, and gone with the run."""

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

STARTS_WITHIN: Final = 60.0
_USER: Final = "deadwood"
_ROOT: Final = Path(__file__).parents[2]
_HASTY: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
"""For tests: nothing has to outlive the machine."""
_OPTIONS: Final = {
    "max_connections": "400",
    "shared_buffers": "64MB",
    "listen_addresses": "127.0.0.1",
}


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[Any]:
    """Connect to a database during the block, as somebody who looks after the server."""
    # Imported only here: the server's own process does without.
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    driver: Any = asyncpg
    connection = await driver.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


def programs() -> Path:
    """Return the folder with PostgreSQL's programs, the newest if there are several.

    Raise `FileNotFoundError` if there is none: tests of PostgreSQL fail then, rather than being skipped.
    """
    found = shutil.which("postgres")
    if found is not None:
        return Path(found).parent
    # Debian keeps several versions side by side, and none of them in the path.
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    if not folders:
        raise FileNotFoundError("PostgreSQL is not installed: on Debian, apt-get install postgresql")
    return folders[-1]


def _owner() -> int:
    """Return the process with whose end the server ends: that of the whole run of pytest."""
    return os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def _folder(*, lasting: bool) -> Path:
    return Path(tempfile.gettempdir()) / f"deadwood-postgres-{_owner()}{'-lasting' if lasting else ''}"


@cache
def server(*, lasting: bool = False) -> str:
    """Start the server of this run, unless that was done, and return its address without a database.

    One that is `lasting` waits for the disk as a host's does.
    """
    folder = _folder(lasting=lasting)
    folder.mkdir(exist_ok=True)
    # PostgreSQL's user must be able to enter it, whatever the umask is.
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
                *(["lasting"] if lasting else []),
            ]
            with (folder / "log").open("w") as log:
                subprocess.run(command, check=True, stdout=log, stderr=subprocess.STDOUT, cwd=_ROOT)
            until = time.monotonic() + STARTS_WITHIN
            while not address.exists():
                if time.monotonic() > until:
                    raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()}")
                time.sleep(0.02)
    return address.read_text()


def postmaster(*, lasting: bool = False) -> int:
    """Return the process of the server of this run, which has started all its others."""
    server(lasting=lasting)
    return int((_folder(lasting=lasting) / "data" / "postmaster.pid").read_text().split()[0])


def keep(folder: Path, owner: int, *, lasting: bool) -> None:
    """Run a server in a folder while a process runs, and remove the folder afterwards."""
    data, as_user = folder / "data", _as_user()
    data.mkdir()
    if as_user:
        shutil.chown(data, _account(), _account())
    bin_folder, port = programs(), free_port()
    # The order of text is that of a language, as it is for most hosts: no query may rely on that of the bytes.
    language = ("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--encoding=UTF8")
    initialise = [str(bin_folder / "initdb"), "-D", str(data), "-U", _USER, "-A", "trust", "--no-sync", *language]
    subprocess.run([*as_user, *initialise], check=True, cwd="/")
    options = [f"--{name}={value}" for name, value in (_OPTIONS | ({} if lasting else _HASTY)).items()]
    command = [*as_user, str(bin_folder / "postgres"), "-D", str(data), "-p", str(port), "-k", str(data), *options]
    with subprocess.Popen(command, cwd="/") as running:
        try:
            while not _accepts(data):
                if running.poll() is not None:
                    return
                time.sleep(0.02)
            part = folder / "address.part"
            part.write_text(f"postgresql://{_USER}@127.0.0.1:{port}")
            part.rename(folder / "address")
            while running.poll() is None and _runs(owner):
                time.sleep(0.2)
        finally:
            running.terminate()
            # Whoever is still connected is no reason to wait.
            running.send_signal(3)
    shutil.rmtree(folder)


def _account() -> str:
    return "postgres"


def _as_user() -> Sequence[str]:
    """Return how to run a command as somebody else than root, as whom PostgreSQL does not run."""
    return ["setpriv", f"--reuid={_account()}", f"--regid={_account()}", "--init-groups"] if os.geteuid() == 0 else []


def _accepts(data: Path) -> bool:
    """Return whether a server accepts connections: it listens a moment earlier, and refuses them at first."""
    status = data / "postmaster.pid"
    return status.exists() and [line.strip() for line in status.read_text().splitlines()[7:]] == ["ready"]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__" and not os.fork():
    os.setsid()
    keep(Path(sys.argv[1]), int(sys.argv[2]), lasting="lasting" in sys.argv)
