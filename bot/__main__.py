"""`deadwood`, or `python -m bot`: reads the arguments and settings, and runs one command.

What runs the bot is imported only by the commands that do: it takes most of a second, and containers ask for their
health twice a minute.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from bot import logs
from bot.exit_codes import LOST, UNUSABLE
from bot.heartbeat import Heartbeat
from bot.private_files import PrivateFileError, require_private
from bot.settings import ENV_FILE, Settings, SettingsError, read_settings
from bot.store.sqlite import DatabaseError, DatabaseUnavailableError, backup, path_of

SANDBOX_PORT: Final = 8080


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    parser = argparse.ArgumentParser(prog="deadwood", description="Gin rummy with friends on Discord.")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", help="run the bot (the default); without a token, the sandbox")
    sandboxed = commands.add_parser("sandbox", help="play in a local Discord in the browser, without a token")
    sandboxed.add_argument("--port", type=int, default=SANDBOX_PORT, help="the page's port (8080; 0 picks a free one)")
    copying = commands.add_parser("backup", help="copy the database to a new file, at any time")
    copying.add_argument("file", type=Path, help="the new file")
    commands.add_parser("health", help="exit 0 if a running bot is connected and its database answers")
    chosen = parser.parse_args(arguments)
    try:
        settings = read_settings()
        logs.set_up(settings.log_level)
        require_private(ENV_FILE)
        match chosen.command:
            case "backup":
                backup(settings.database_url, chosen.file)
                return 0
            case "health":
                return health(settings)
            case "sandbox":
                return run_sandbox(chosen.port)
            case _:
                return run(settings)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        print(f"a setting cannot be used: {wrong}", file=sys.stderr)
    except DatabaseUnavailableError as error:
        print(error, file=sys.stderr)
        return LOST
    except (SettingsError, PrivateFileError, DatabaseError) as error:
        print(error, file=sys.stderr)
    return UNUSABLE


def run(settings: Settings) -> int:
    """Run the bot, or the sandbox if there is no token and it is allowed."""
    token = settings.read_token()
    if token is not None:
        from bot.running import run_bot

        return run_bot(settings, token)
    if settings.sandbox == "never":
        print("there is no token: set DISCORD_TOKEN or DISCORD_TOKEN_FILE", file=sys.stderr)
        return UNUSABLE
    print("No DISCORD_TOKEN is set, so this is the sandbox: a local Discord to try the game in.", flush=True)
    return run_sandbox(SANDBOX_PORT)


def run_sandbox(port: int) -> int:
    """Run a local Discord with the bot in it."""
    from bot.running import run_locally

    return run_locally(port)


def health(settings: Settings) -> int:
    """Return exit code 0 if the running bot's last heartbeat is recent and tells of no trouble."""
    trouble = Heartbeat(path_of(settings.database_url)).trouble()
    if trouble is not None:
        print(trouble, file=sys.stderr)
        return LOST
    return 0


if __name__ == "__main__":
    sys.exit(main())
