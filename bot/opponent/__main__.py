"""Command line of the computer player: answer a referee, or play matches between two players."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final, TextIO

from bot.engine.errors import GinError
from bot.engine.rules import Rules
from bot.opponent.arena import compare
from bot.opponent.baselines import BASELINES
from bot.opponent.choosing import choose
from bot.opponent.judge import trained_judge
from bot.opponent.levels import Level
from bot.opponent.position_json import position_from_json

EXIT_INVALID_INPUT: Final = 2


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Return 0, or 2 for invalid input after printing one line about it to standard error."""
    parser = argparse.ArgumentParser(prog="python -m bot.opponent", description=__doc__)
    level = "level of the computer player that answers a referee program"
    parser.add_argument("--level", choices=list(Level), type=Level, default=Level.EXPERT, help=level)
    commands = parser.add_subparsers(dest="command")
    arena = commands.add_parser("arena", help="play pairs of matches between two players, and print the results")
    players = [*Level, *BASELINES]
    arena.add_argument("first", choices=players)
    arena.add_argument("second", choices=players)
    arena.add_argument("--pairs", type=int, default=100, help="number of pairs of matches with the same decks")
    arena.add_argument("--jobs", type=int, default=1, help="number of processes")
    arena.add_argument("--rules", default="research", help="the rules, in notation")
    arena.add_argument("--seed", default="arena", help="seed for shuffling the cards")
    options = parser.parse_args(arguments)
    try:
        if options.command == "arena":
            print(_compare(options))
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


def _compare(options: argparse.Namespace) -> str:
    result = compare(
        options.first, options.second, Rules.parse(options.rules), options.pairs, options.jobs, options.seed
    )
    lines = [
        f"{options.first} against {options.second}: {result.pairs} pairs of matches, 95 % intervals",
        f"matches won: {100 * result.win_rate:.1f} ± {100 * result.win_rate_error:.1f} %",
        f"points a deal: {result.points_per_deal:.2f} ± {result.points_error:.2f}",
        f"processor time a decision: {1000 * result.seconds_per_decision:.2f} ms, with many positions judged together",
    ]
    return "\n".join(lines[: None if options.jobs == 1 else -1])


if __name__ == "__main__":
    sys.exit(main())
