"""The engine depends only on the standard library."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import bot.engine

MODULES = sorted(Path(str(bot.engine.__file__)).parent.glob("**/*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_the_standard_library_and_the_engine_only(path: Path) -> None:
    """Engine modules import only the standard library and the engine, including imports inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported = [node.module or ""]
        else:
            continue
        for name in imported:
            assert f"{name}.".startswith("bot.engine.") or name.split(".")[0] in sys.stdlib_module_names, name


def test_the_engine_modules_are_found() -> None:
    """The list of engine modules whose imports are checked is not empty."""
    assert {"cards", "deal", "match", "record", "__main__"} <= {path.stem for path in MODULES}
