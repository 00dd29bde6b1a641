"""The files for GitHub and pre-commit match their schemas, and agree with pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS: Final = sorted(ROOT.glob(".github/workflows/*.yml"))
ISSUE_CONFIG: Final = ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"
ISSUE_FORMS: Final = sorted(set(ISSUE_CONFIG.parent.iterdir()) - {ISSUE_CONFIG})
HOOKS: Final = ROOT / ".pre-commit-config.yaml"


def check_schema(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Check files against a schema that is part of check-jsonschema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("vendor.github-issue-forms", ISSUE_FORMS),
        ("vendor.github-issue-config", [ISSUE_CONFIG]),
        ("vendor.dependabot", [ROOT / ".github" / "dependabot.yml"]),
        ("vendor.compose-spec", sorted(ROOT.glob("deploy/compose*.yaml"))),
    ],
)
def test_files_match_their_published_schemas(schema: str, paths: list[Path], tmp_path: Path) -> None:
    """Each file matches its published schema; with a wrong key it would not."""
    assert paths
    checked = check_schema(schema, *paths)
    assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(paths[0].read_text(encoding="utf-8") + "\nwrong: true\n", encoding="utf-8")
    assert check_schema(schema, wrong).returncode == 1


@pytest.mark.thorough
def test_pre_commit_accepts_its_configuration() -> None:
    """pre-commit accepts its file without a warning."""
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(HOOKS)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""


def test_hooks_run_programs_of_the_development_environment() -> None:
    """Each hook runs a program that the development environment has."""
    entries = re.findall(r"^ +entry: \.venv/bin/(\S+)", HOOKS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(entries) == HOOKS.read_text(encoding="utf-8").count("- id: ")
    assert [name for name in entries if not (Path(sys.executable).parent / name).exists()] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    """Workflows name each action by a full commit hash, with its version in a comment."""
    actions = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert actions
    assert [action for action in actions if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+(\.\d+)*", action)] == []


def test_workflow_runs_the_tests_on_each_supported_python() -> None:
    """The workflow tests each Python version of the classifiers, oldest first; all tools aim at the oldest."""
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    versions = re.findall(r"^Programming Language :: Python :: (\d\.\d+)$", classifiers, re.MULTILINE)
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert re.findall(r'python: "(\S+)"', workflow) == versions
    oldest = versions[0]
    assert PROJECT["project"]["requires-python"] == f">={oldest}"
    assert PROJECT["tool"]["pyright"]["pythonVersion"] == oldest
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    for name in ("Dockerfile", ".github/workflows/nightly.yml", ".ci/renew"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r"python(?:-version |:)(3\.\d+)", text) == [oldest], name


def test_links_in_issue_forms_lead_somewhere() -> None:
    """Each link in an issue form leads to a file of the repository, or to its security policy."""
    links = [link for path in ISSUE_FORMS for link in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8"))]
    assert links
    names = [link.removeprefix("../blob/HEAD/").replace("../security/policy", "SECURITY.md") for link in links]
    assert [name for name in names if not (ROOT / name).is_file()] == []
