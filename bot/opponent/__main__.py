"""Command line of the computer player: answer a referee, or play matches between two players."""

from __future__ import annotations

import argparse
import json
import sys
from importlib.util import find_spec
from typing import Final, TextIO

from bot.engine.errors import GinError
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position_json import position_from_json

EXIT_INVALID_INPUT: Final = 2


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Return 0, or 2 for invalid input after printing one line about it to standard error."""
    parser = argparse.ArgumentParser(prog="python -m bot.opponent", description=__doc__)
    level = "level of the computer player that answers a referee program"
    parser.add_argument("--level", choices=list(Level), type=Level, default=Level.EXPERT, help=level)
    commands = parser.add_subparsers(dest="command")
    run = None
    # An installed bot has no programs that measure players.
    if find_spec("bot.opponent.training") is not None:
        from bot.opponent.training import arena

        arena.add_arguments(commands.add_parser("arena", help=arena.HELP))
        run = arena.run
    options = parser.parse_args(arguments)
    try:
        if options.command == "arena" and run is not None:
            print(run(options))
        else:
            answer(options.level, sys.stdin, sys.stdout)
    except (GinError, KeyError, TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return EXIT_INVALID_INPUT
    return 0


def answer(level: Level, questions: TextIO, answers: TextIO) -> None:
    """Answer the questions of a referee (a program that runs matches) until the input ends.

    Each question is a JSON object on its own line.

    Raise the same errors as `position_from_json` for an invalid position.
    """
    judge = trained_judge()
    for line in questions:
        question = json.loads(line)
        (move,) = choose(judge, level, [position_from_json(question)], [question["seed"]])
        print(json.dumps({"id": question["id"], "move": str(move)}), file=answers, flush=True)


if __name__ == "__main__":
    sys.exit(main())
