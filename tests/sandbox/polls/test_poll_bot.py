"""Tests of a bot as a user of the sandbox would write them, with the fixture."""

from pathlib import Path

import pytest

from bot.sandbox import Expire, Message, NotOfferedError, Person, Sandbox
from bot.sandbox.testing import running
from tests.sandbox.polls.poll_bot import PollBot


async def create_poll(person: Person, sandbox: Sandbox) -> Message:
    """Create a poll in #general about tea and coffee."""
    opened = await (await person.slash("poll", sandbox.channel("general"))).answer()
    submitted = await person.submit(opened.modal, {"Question": "Which one?", "Choices": "Tea\nCoffee"})
    return (await submitted.answer()).message


async def test_votes(sandbox: Sandbox) -> None:
    """Everyone has one vote, which they can change."""
    north, south = sandbox.person("North"), sandbox.person("South")
    poll = await create_poll(north, sandbox)
    assert poll.text == "## Which one?\nTea: 0\nCoffee: 0"
    for person, label in ((north, "Tea"), (south, "Tea"), (south, "Coffee")):
        await (await person.choose(poll, "Your vote", label)).answer()
    assert poll.text == "## Which one?\nTea: 1\nCoffee: 1"


async def test_close(sandbox: Sandbox) -> None:
    """Only the author can close a poll. Then nobody can vote."""
    north, south = sandbox.person("North"), sandbox.person("South")
    poll = await create_poll(north, sandbox)
    refused = await (await south.press(poll, "Close")).answer()
    assert refused.message.ephemeral
    await (await north.press(poll, "Close")).answer()
    with pytest.raises(NotOfferedError):
        await south.choose(poll, "Your vote", "Tea")


async def test_too_few_choices(sandbox: Sandbox) -> None:
    """A poll with one choice is refused, and only its author sees that."""
    north, south = sandbox.person("North"), sandbox.person("South")
    general = sandbox.channel("general")
    opened = await (await north.slash("poll", general)).answer()
    submitted = await north.submit(opened.modal, {"Question": "Which one?", "Choices": "Tea"})
    await submitted.answer()
    assert north.sees(general) == submitted.messages
    assert south.sees(general) == []


async def test_restart(sandbox: Sandbox, bot: PollBot, tmp_path: Path) -> None:
    """After a restart, a poll from before continues with its votes."""
    north = sandbox.person("North")
    poll = await create_poll(north, sandbox)
    await (await north.choose(poll, "Your vote", "Tea")).answer()
    await bot.close()
    async with running(PollBot(tmp_path / "polls.db"), sandbox):
        await (await sandbox.person("South").choose(poll, "Your vote", "Tea")).answer()
        assert poll.text == "## Which one?\nTea: 2\nCoffee: 0"


async def test_late_response(sandbox: Sandbox) -> None:
    """A vote counts even if Discord refuses the response because it came too late. The next response shows it."""
    north, south = sandbox.person("North"), sandbox.person("South")
    poll = await create_poll(north, sandbox)
    sandbox.faults.requests(Expire(), on="POST /interactions/*/callback")
    assert (await (await north.choose(poll, "Your vote", "Tea")).answer()).failed
    await (await south.choose(poll, "Your vote", "Tea")).answer()
    assert poll.text == "## Which one?\nTea: 2\nCoffee: 0"
