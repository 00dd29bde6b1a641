"""The page of commands is up to date and complete, and the documents mention only commands that exist."""

import re
from pathlib import Path

from tests.command_page import SECTIONS, load_all_commands, page, topic
from tests.test_documents import DOCUMENTS

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"


def test_the_page_of_commands_is_current() -> None:
    """`docs/commands.md` is identical to the generated page."""
    stored = PAGE.read_text(encoding="utf-8")
    assert stored == page(), "update it: python -m tests.command_page > docs/commands.md"


def test_every_command_is_in_one_section_with_an_introduction() -> None:
    """Each command belongs to exactly one section; each section has commands, and sentences that introduce them."""
    topics = [name for section in SECTIONS for name in section.topics]
    used = {topic(command) for command in load_all_commands()}
    assert used == {*topics}, "SECTIONS in tests/command_page.py must have each group of commands, and no others"
    assert len(topics) == len(used)
    assert all(section.introduction.strip() for section in SECTIONS)


def test_no_command_names_one_target_for_all_rules() -> None:
    """The option for the target has no number in its description, because each preset has a usual target of its own."""
    targets = [
        parameter.description
        for command in load_all_commands()
        for parameter in command.parameters
        if parameter.name == "target"
    ]
    assert len(targets) >= 2
    assert not any(re.search("[0-9]", str(described)) for described in targets)


def test_documents_mention_only_commands_that_exist() -> None:
    """Each `/gin…` in a document is a command of the bot or a group, apart from the parameters."""
    names = [command.qualified_name for command in load_all_commands()]
    names += [group for name in names for group in (name.rpartition(" ")[0], name.split(" ")[0])]
    for path in DOCUMENTS:
        for mentioned in re.findall(r"`/(gin[a-z_ -]*)", path.read_text(encoding="utf-8")):
            assert mentioned.rstrip(" -") in names, path
