"""The README agrees with the code."""

import re
from pathlib import Path

from discord import app_commands

from bot.connection.commands import COGS
from bot.hosting.settings import Settings
from cogs.delivery.places import INVITE_PERMISSIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```\w*\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_first_two_blocks_run_the_bot_and_its_tests() -> None:
    """The first block of the README runs the bot, the second the tests; each is a single command."""
    assert BLOCKS[0].strip().endswith(".venv/bin/deadwood")
    assert BLOCKS[1].strip().endswith(".venv/bin/pytest -n auto")
    assert all(block.strip().count("\n") == 0 for block in BLOCKS[:2])


def test_the_invite_link_asks_for_exactly_what_the_bot_uses() -> None:
    """The invite link requests exactly the permissions that the bot checks for."""
    assert f"permissions={INVITE_PERMISSIONS.value}`" in README


def test_every_setting_is_explained() -> None:
    """The README's table of settings has a row for each setting, and no other rows."""
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE))
    aliases = {"token": "DISCORD_TOKEN", "token_file": "DISCORD_TOKEN_FILE"}
    assert listed == {aliases.get(name, f"DEADWOOD_{name.upper()}") for name in Settings.model_fields}


def test_every_command_is_listed() -> None:
    """The README names each command, including those in groups, and each picture that it links to exists."""
    for cog in COGS:
        for command in cog.__cog_app_commands__:
            names = [command.name]
            if isinstance(command, app_commands.Group):
                prefix = "" if command.name == "gin-admin" else f"{command.name} "
                names = [f"{prefix}{child.name}" for child in command.commands]
            for name in names:
                assert re.search(f"[`/ ]{name}[` ]", README), name
    for picture in re.findall(r"\((docs/pictures/[^)]+)\)", README):
        assert (ROOT / picture).is_file()
