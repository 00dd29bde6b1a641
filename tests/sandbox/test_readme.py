"""The example in the sandbox's README."""

import subprocess
import sys
from pathlib import Path

import pytest

import bot.sandbox

ROOT = Path(__file__).parents[2]


@pytest.mark.nightly
def test_example_passes(tmp_path: Path) -> None:
    """The bot and its test pass in an empty folder, without this repository's pytest settings."""
    readme = (Path(bot.sandbox.__file__).parent / "README.md").read_text(encoding="utf-8")
    examples = [block.partition("```")[0] for block in readme.split("```python\n")[1:]]
    for name, example in zip(("greeting.py", "test_greeting.py"), examples, strict=True):
        (tmp_path / name).write_text(example, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    run = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout
