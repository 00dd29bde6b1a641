"""`deadwood`, or `python -m bot`: reads the arguments and settings, and runs one command.

The modules that run the bot are imported only by the commands that need them: that import takes most of a second, and
containers run the health check twice a minute.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib.metadata import version
from pathlib import Path

from pydantic import ValidationError

from bot.exit_codes import FILES_LOST, RETRY, UNUSABLE
from bot.files.open_files import FilesLostError
from bot.files.private_files import PrivateFileError, require_private
from bot.hosting import logs
from bot.hosting.heartbeat import CHECKING, Heartbeat
from bot.hosting.settings import ENV_FILE, Settings, SettingsError, read_settings
from bot.model.shards import Shards
from bot.store.address import database_name
from bot.store.errors import ConflictError, DatabaseError, DatabaseUnavailableError


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    parser = argparse.ArgumentParser(prog="deadwood", description="Gin rummy with friends on Discord.")
    parser.add_argument("--version", action="store_true", help="say which version this is")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", help="run the bot (the default); without a token, the sandbox")
    sandboxed = commands.add_parser("sandbox", help="play in a local Discord in the browser, without a token")
    sandboxed.add_argument("--port", type=int, help="the page's port (8080; 0 picks a free one)")
    copying = commands.add_parser("backup", help="copy the database to a new file, at any time")
    copying.add_argument("file", type=Path, help="the new file")
    asking = commands.add_parser("health", help="exit 0 if a running bot is connected and its database answers")
    rerating = commands.add_parser("rerate", help="recompute all ratings from the matches; stop the bot first")
    calling_off = commands.add_parser(
        "call-off", help="end all matches; use it after restoring a backup, before starting the bot"
    )
    moving = commands.add_parser("move-database", help="copy everything to an empty database; stop the bot first")
    moving.add_argument("source", metavar="FROM", help="the address of the database, such as sqlite:///deadwood.db")
    moving.add_argument("target", metavar="TO", help="the address of an empty database, SQLite or PostgreSQL")
    for command in (copying, asking, rerating, calling_off):
        command.add_argument("--sandbox", action="store_true", help="act on the sandbox, not on the bot on Discord")
    chosen = parser.parse_args(arguments)
    if chosen.version:
        print(f"deadwood {version('deadwood')}")
        return 0
    try:
        settings = read_settings()
        logs.set_up(settings.log_level)
        require_private(ENV_FILE)
        match chosen.command:
            case "backup":
                return back_up(_url(settings, sandbox=chosen.sandbox), chosen.file)
            case "health":
                return health(_url(settings, sandbox=chosen.sandbox), None if chosen.sandbox else settings.shards)
            case "rerate":
                from bot.maintenance.rerating import rerate

                return rerate(_url(settings, sandbox=chosen.sandbox))
            case "call-off":
                from bot.maintenance.calling_off import call_off

                return call_off(_url(settings, sandbox=chosen.sandbox))
            case "move-database":
                from bot.maintenance.moving import move_database

                return move_database(chosen.source, chosen.target)
            case "sandbox":
                return run_sandbox(settings, chosen.port)
            case _:
                return run(settings)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors())
        print(f"a setting cannot be used: {problems}", file=sys.stderr)
    except FilesLostError as error:
        print(error, file=sys.stderr)
        return FILES_LOST
    except (ConflictError, DatabaseUnavailableError) as error:
        print(error, file=sys.stderr)
        return RETRY
    except (SettingsError, PrivateFileError, DatabaseError) as error:
        print(error, file=sys.stderr)
    return UNUSABLE


def run(settings: Settings) -> int:
    """Run the bot. Without a token, run the sandbox unless the settings forbid it."""
    token = settings.read_token()
    if token is not None:
        from bot.hosting.running import run_bot

        return run_bot(settings, token)
    if settings.sandbox == "never":
        print("there is no token: set DISCORD_TOKEN or DISCORD_TOKEN_FILE", file=sys.stderr)
        return UNUSABLE
    print("No DISCORD_TOKEN is set, so this is the sandbox: a local Discord to try the game in.", flush=True)
    return run_sandbox(settings)


def run_sandbox(settings: Settings, port: int | None = None) -> int:
    """Run a local Discord with the bot in it. The port defaults to the one in the settings."""
    sandbox_place, bot_place = database_name(settings.sandbox_database_url), database_name(settings.database_url)
    if isinstance(sandbox_place, str):
        raise SettingsError("DEADWOOD_SANDBOX_DATABASE_URL: the sandbox needs a file: write sqlite:///path/to/file.db")
    if isinstance(bot_place, Path) and sandbox_place.resolve() == bot_place.resolve():
        raise SettingsError(
            "DEADWOOD_SANDBOX_DATABASE_URL: the bot on Discord has the same database; name another file"
        )
    from bot.hosting.running import run_locally

    return run_locally(settings.sandbox_database_url, settings.sandbox_port if port is None else port)


def back_up(url: str, file: Path) -> int:
    """Copy a SQLite database to a new file and return the exit code.

    For PostgreSQL, raise `DatabaseError`, whose message is the command that makes a backup.
    """
    place = database_name(url)
    if isinstance(place, str):
        command = shlex.join(["pg_dump", "--format=custom", f"--file={file}", place])
        raise DatabaseError(f"PostgreSQL has its own program for this: {command} (see docs/hosting/postgresql.md)")
    from bot.store.sqlite import backup

    backup(url, file)
    return 0


def health(url: str, shards: Shards | None) -> int:
    """Return exit code 0 if the bot's last heartbeat for a database is recent and reports no trouble.

    A bot that is checking its database counts as healthy: a restart would only start the check again.

    If several processes share the database, `shards` are the shards of the process to check.
    """
    trouble = Heartbeat(database_name(url), shards).trouble()
    if trouble == CHECKING:
        print(trouble)
    elif trouble is not None:
        print(trouble, file=sys.stderr)
        return RETRY
    return 0


def _url(settings: Settings, *, sandbox: bool) -> str:
    return settings.sandbox_database_url if sandbox else settings.database_url


if __name__ == "__main__":
    sys.exit(main())
