"""A sandbox that resumes from the saved state of an earlier one, even after a kill."""

import os
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from shutil import copy
from typing import Any, cast

import aiohttp
import pytest

from bot.sandbox import Clock, KeepingError, Sandbox, World
from bot.sandbox.world.json_values import Json
from tests.helpers.waiting import eventually
from tests.sandbox.bots import TestBot, panel, picture_file, png, running_client, running_sandbox, text_channel


@asynccontextmanager
async def saving_sandbox(file: Path) -> AsyncGenerator[tuple[Sandbox, TestBot]]:
    """Run a sandbox that saves its state to a file, with the test client."""
    async with running_sandbox(keep=file) as sandbox, running_client(sandbox) as client:
        yield sandbox, client


def copy_as_if_killed(file: Path) -> Path:
    """Copy the state file and its log as they are now, as if the process had been killed."""
    for side in ("", "-wal"):
        copy(f"{file}{side}", f"{file}.copy{side}")
    return Path(f"{file}.copy")


def visible_messages(sandbox: Sandbox) -> dict[str, list[Json]]:
    """Return the messages that North and South see, without the server's address, which changes at a restart."""
    return {
        name: [
            {
                "id": message.id,
                "text": message.text.replace(sandbox.origin, ""),
                "buttons": message.buttons,
                "images": message.images,
                "flags": message.flags,
                "thread": message.thread,
                "mentions": message.mentions,
                "pinged": message.pinged,
                "via": message.command,
                "channel": (channel.id, channel.name, asdict(channel.thread) if channel.thread else None),
            }
            for channel in sandbox.person(name).channels()
            for message in sandbox.person(name).sees(channel)
        ]
        for name in ("North", "South")
    }


async def test_state_survives_a_kill(tmp_path: Path) -> None:
    """Messages with files, threads, direct messages, members, commands and read markers survive a kill."""
    file = tmp_path / "state"
    async with saving_sandbox(file) as (sandbox, client):
        assert not sandbox.restored
        north, general = sandbox.person("North"), sandbox.channel("general")
        counter = (await (await north.slash("demo counter", general)).answer()).message
        await (await north.slash("demo greet", general, who=sandbox.person("South"))).answer()
        said = await north.say(general, f"look: {counter.attachments[0].url}")
        thread = await (await text_channel(client, general).fetch_message(said.id)).create_thread(name="side")
        await thread.send("inside")
        direct = await (await client.fetch_user(north.id)).send(view=panel(7), file=picture_file())
        king = await client.create_application_emoji(name="king", image=png(8, 8))
        sandbox.person("East").user.open_dms = False
        sandbox.moderation.leave(sandbox.world.bot_guilds()[0], sandbox.person("West").user)
        north.read(said)
        await text_channel(client, general).send("once", nonce="n")
        await (await text_channel(client, general).send("deleted")).delete()
        before, file = visible_messages(sandbox), copy_as_if_killed(file)
    async with saving_sandbox(file) as (sandbox, client):
        assert sandbox.restored
        assert visible_messages(sandbox) == before
        north, general = sandbox.person("North"), sandbox.channel("general")
        assert sandbox.emojis[king.id].content == png(8, 8)
        assert not sandbox.person("East").user.open_dms
        assert not sandbox.person("West").channels()[1:]
        assert north.newest_read == {general.id: said.id}
        assert [message.text.partition(" ")[0] for message in sandbox.person("South").pushes] == [
            f"<@{sandbox.person('South').id}>"
        ]
        # Old buttons work, files have the new server's address, and a repeated nonce sends no second message.
        message = north.direct_messages()[0]
        assert message.id == direct.id
        async with aiohttp.ClientSession() as session, session.get(message.attachments[0].url) as answer:
            assert await answer.read() == png(40, 30)
        assert sandbox.origin in message.components[0]["components"][1]["items"][0]["media"]["url"]
        assert general.messages[said.id].text.startswith(f"look: {sandbox.origin}/attachments/")
        await (await north.press(message, "Count 7")).answer()
        await sandbox.until(lambda: "The count is 8" in message.text)
        await text_channel(client, general).send("once", nonce="n")
        assert [found.text for found in general.messages.values()].count("once") == 1
        fresh = await text_channel(client, general).send("newer")
        assert fresh.id > max(int(row["id"]) for row in before["North"])


async def test_ephemeral_messages_are_not_restored(tmp_path: Path) -> None:
    """Ephemeral messages and unfilled deferred responses are not restored."""
    file = tmp_path / "state"
    async with saving_sandbox(file) as (sandbox, _):
        north, general = sandbox.person("North"), sandbox.channel("general")
        await (await north.slash("demo secret", general)).answer()
        await (await north.slash("demo endless", general)).answer()
        assert len(north.sees(general)) == 2
    async with Sandbox(keep=file) as restarted:
        assert restarted.restored
        assert not restarted.all_messages()


async def test_commands_are_restored(tmp_path: Path) -> None:
    """Registered commands are restored with the same ids."""
    file = tmp_path / "state"
    async with saving_sandbox(file) as (sandbox, _):
        offered = sandbox.person("North").commands(sandbox.channel("general"))
        assert offered
    async with Sandbox(keep=file) as restarted:
        assert restarted.person("North").commands(restarted.channel("general")) == offered


async def test_deleted_content_is_removed_from_the_file(tmp_path: Path) -> None:
    """Deleted messages and replaced files are removed from the state file, which only the file's owner can read."""
    file = tmp_path / "state"
    async with saving_sandbox(file) as (sandbox, client):
        channel = text_channel(client, sandbox.channel("general"))
        sent = await channel.send(view=panel(0), file=picture_file())
        for count in range(3):
            await sent.edit(view=panel(count), attachments=[picture_file()])
        assert _count_rows(copy_as_if_killed(file)) == {"world": 1, "commands": 1, "message": 1, "file": 1}
        assert {path.stat().st_mode & 0o777 for path in (file, Path(f"{file}-wal"))} == {0o600}
        await sent.delete()
        assert _count_rows(copy_as_if_killed(file)) == {"world": 1, "commands": 1}


def _count_rows(file: Path) -> dict[str, int]:
    connection = sqlite3.connect(file)
    found = dict(connection.execute("SELECT kind, count(*) FROM kept GROUP BY kind"))
    connection.close()
    return found


async def test_changes_without_a_request_are_saved(tmp_path: Path) -> None:
    """A change that no request made, such as a person's message, is also saved."""
    file = tmp_path / "state"
    async with Sandbox(keep=file) as sandbox:
        await sandbox.person("North").say(sandbox.channel("general"), "hello")
        await eventually(lambda: "message" in _count_rows(copy_as_if_killed(file)))


async def test_unusable_files(tmp_path: Path) -> None:
    """A locked file, a file of another kind or version, and a folder are refused with a one-line reason."""
    file, text, folder, later, empty = (tmp_path / name for name in ("state", "text", "folder", "later", "empty"))
    text.write_text("no database, but long enough to be looked at " * 99)
    folder.mkdir()
    for path, statement in ((later, "PRAGMA user_version=99"), (empty, "CREATE TABLE kept (kind TEXT)")):
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.close()
    async with Sandbox(keep=file):
        reasons = {
            file: "locked",
            text: "not a database",
            folder: "directory",
            later: "another version",
            empty: "no state",
        }
        for path, reason in reasons.items():
            with pytest.raises(KeepingError, match=reason) as refused:
                await Sandbox(keep=path).__aenter__()
            assert str(path) in str(refused.value)
            assert "\n" not in str(refused.value)


async def test_failing_disk(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If saving fails, the sandbox continues, logs one error, and saves all changes when the disk works again."""
    file = tmp_path / "state"
    async with saving_sandbox(file) as (sandbox, client):
        connection: sqlite3.Connection = cast(Any, sandbox)._keeper._connection
        connection.execute("PRAGMA query_only=ON")
        for text in "ab":
            await text_channel(client, sandbox.channel("general")).send(text)
        connection.execute("PRAGMA query_only=OFF")
        await text_channel(client, sandbox.channel("general")).send("c")
        assert _count_rows(copy_as_if_killed(file))["message"] == 3
    assert caplog.text.count("cannot save the sandbox") == 1


async def test_ids_grow_over_restarts(tmp_path: Path) -> None:
    """No id is issued twice, even if the clock was set back between two runs."""
    file = tmp_path / "state"
    ahead = Clock(running=False)
    ahead.advance(3600)
    async with Sandbox(World.default(clock=ahead), keep=file) as first:
        newest = (await first.person("North").say(first.channel("general"), "first")).id
    async with Sandbox(keep=file) as second:
        second_message = await second.person("North").say(second.channel("general"), "second")
        assert second_message.id > newest
        assert [message.text for message in second.channel("general").messages.values()] == ["first", "second"]


async def test_a_copy_is_complete(tmp_path: Path) -> None:
    """`copy_to` writes a complete copy, even if the state file was removed. Without `keep`, it writes nothing."""
    file, target = tmp_path / "state", tmp_path / "copy"
    async with saving_sandbox(file) as (sandbox, client):
        for side in ("", "-wal"):
            os.unlink(f"{file}{side}")
        await text_channel(client, sandbox.channel("general")).send("after the loss")
        await sandbox.idle()
        before = visible_messages(sandbox)
        await sandbox.copy_to(target)
    async with running_sandbox(keep=target) as sandbox:
        assert sandbox.restored
        assert visible_messages(sandbox) == before
    async with running_sandbox() as sandbox:
        await sandbox.copy_to(file)
        assert os.listdir(tmp_path) == ["copy"]
