"""The README of the engine, and the names that it calls stable."""

from __future__ import annotations

import doctest
from pathlib import Path

import bot.engine
from bot.engine import Play, Record, Verb

README = Path(str(bot.engine.__file__)).with_name("README.md")


def test_the_examples_of_the_readme_work() -> None:
    """Each example of the README gives the result that is printed below it."""
    assert README.read_text(encoding="utf-8").count(">>>") >= 8
    results = doctest.testfile(str(README), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert (results.failed, results.attempted > 0) == (0, True)


def test_the_stable_names_are_sorted_and_exist() -> None:
    """`bot.engine` exports exactly the names that it lists."""
    names = bot.engine.__all__
    assert len({*names}) == len(names)
    assert all(hasattr(bot.engine, name) for name in names)


def test_the_notation_page_has_every_move_and_action() -> None:
    """The page of the notation has a row for each verb of a move, and for each kind of action in the tests' records."""
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1].split()[0] for line in page.splitlines() if line.startswith("| `")}
    assert {str(verb) for verb in Verb} <= rows
    records = sorted((Path(__file__).parents[1] / "records").glob("*.gin"))
    actions = [action for path in records for action in Record.parse(path.read_text(encoding="utf-8")).actions]
    words = {str(action).split()[0] for action in actions if not isinstance(action, Play)}
    assert {"cut", "deal", "stock", "seed", "reveal", "replace"} <= words <= rows
