"""The README and the page for hosts agree with the code."""

import re
from pathlib import Path

from bot.hosting.settings import Settings
from cogs.delivery.places import INVITE_PERMISSIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w*\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_first_two_blocks_run_the_bot_and_its_tests() -> None:
    """The first block of the README runs the bot, the second the tests; each is a single command."""
    assert BLOCKS[0].strip().endswith(".venv/bin/deadwood")
    assert BLOCKS[1].strip().endswith(".venv/bin/pytest -n auto")
    assert all(block.strip().count("\n") == 0 for block in BLOCKS[:2])


def test_the_readme_begins_with_a_link_for_each_reader() -> None:
    """The README links the pages for players, hosts and developers first, in this order."""
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links[:3] == ["docs/commands.md", "docs/hosting.md", "CONTRIBUTING.md"]


def test_the_invite_link_asks_for_exactly_what_the_bot_uses() -> None:
    """The invite link requests exactly the permissions that the bot checks for."""
    assert f"permissions={INVITE_PERMISSIONS.value}`" in HOSTING


def test_every_setting_is_explained() -> None:
    """The table of settings has a row for each setting, and no other rows."""
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", HOSTING, re.MULTILINE))
    aliases = {"token": "DISCORD_TOKEN", "token_file": "DISCORD_TOKEN_FILE"}
    assert listed == {aliases.get(name, f"DEADWOOD_{name.upper()}") for name in Settings.model_fields}
