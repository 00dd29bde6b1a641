"""Everything the bot lets out of its hands, as those receive it who do not own the cards in question."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import re
import zipfile
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import structlog

from bot import logs
from bot.sandbox import Frame, Op, Person, Request, Sandbox

Transcript = dict[str, list[str]]
"""What was sent, by who or what received it, in order."""

_MASKS = (
    # Ids that Discord gives while the bot runs. Those of the world are the same in each run and begin otherwise.
    (re.compile(r"\b(?!14000000000000)\d{17,20}\b"), "<id>"),
    (re.compile(r"timestamp=\S+"), "<time>"),
    (re.compile(r"code=[0-9a-f]{6}\b"), "<code>"),
    (re.compile(r"the code `[0-9a-f]{6}`"), "<code>"),
    (re.compile(r"Session ID: \w+"), "<session>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<address>"),
    # These tests have a clock of their own.
    (re.compile(r"seconds_ahead=\S+"), "<ahead>"),
    # The seeds of players who gave no words follow from the ids of messages.
    (re.compile(r"seed (\d) [0-9a-f]{64}"), r"seed \1 <seed>"),
    # What differs in the files of an archive may be packed in more or fewer bytes.
    (re.compile(r'(\.zip", "size": )\d+'), r"\1<size>"),
)


def masked(text: str) -> str:
    """Return a text without the ids, times, codes and addresses of one run."""
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text


class Wiretap:
    """Listens to a sandbox, and keeps all that not only the owners see.

    The commitments to server seeds are left out: they are all that may depend on these.
    """

    def __init__(self, sandbox: Sandbox, owners: frozenset[int], commitments: Sequence[str] = ()) -> None:
        """Listen. `commitments` may grow."""
        self._sandbox = sandbox
        self._owners = owners
        self._commitments = commitments
        self._heard: defaultdict[str, list[str]] = defaultdict(list)
        self._posts: defaultdict[str, list[str]] = defaultdict(list)
        """The ids of the messages that were posted in a channel."""
        sandbox.journal.observers.append(self._request)
        sandbox.gateway.observers.append(self._frame)

    def transcript(self) -> Transcript:
        """Return what was heard."""
        return dict(self._heard)

    def look(self, person: Person, name: str) -> None:
        """Note all that a person sees."""
        for channel in person.channels():
            shown = [
                [
                    message.text,
                    message.components,
                    [self._digest(one.filename, one.content) for one in message.attachments],
                ]
                for message in person.sees(channel)
            ]
            self._heard[f"{name} sees {channel.id}"] = sorted(
                self._masked(json.dumps(one, sort_keys=True)) for one in shown
            )

    def _request(self, request: Request) -> None:
        place, reader = self._addressee(request)
        message = self._message(request)
        if reader in self._owners:
            return
        said: dict[str, Any] = {
            "request": f"{request.method} {request.route}",
            "query": dict(request.query),
            "payload": request.payload,
            "files": [(one.index, one.filename, self._digest(one.filename, one.content)) for one in request.files],
        }
        # Messages of a match and its invitation go out beside each other, so only those about one have an order.
        where = f"{request.method} {place}{message} to {reader or 'all'}"
        self._heard[where].append(self._masked(json.dumps(said, sort_keys=True)))

    def _message(self, request: Request) -> str:
        """Return which of a channel's posts a request edits or deletes."""
        match request.path.split("/"), request.answer:
            case ["", "channels", channel, "messages"], {"id": posted}:
                self._posts[channel].append(str(posted))
            case ["", "channels", channel, "messages", posted], _ if posted in self._posts[channel]:
                return f" post {self._posts[channel].index(posted)}"
            case _:
                pass
        return ""

    def _addressee(self, request: Request) -> tuple[str, int | None]:
        """Return where a request belongs, and the only person who will see it, if there is just one."""
        parts = request.path.split("/")
        interactions = self._sandbox.interactions
        if parts[1] == "channels":
            channel = self._sandbox.world.channels[int(parts[2])]
            return parts[2], None if channel.guild is not None else channel.recipients[0].id
        if parts[1] == "interactions":
            interaction = interactions.by_id[int(parts[2])]
        elif parts[1] == "webhooks":
            interaction = interactions.by_token[parts[3]]
        else:
            return request.route, None
        shown = interaction.original
        public = shown is not None and not shown.ephemeral and shown.channel.guild is not None
        return str(interaction.channel.id), None if public else interaction.user.id

    def _frame(self, frame: Frame) -> None:
        # When hearts beat depends on the clock alone.
        if not frame.sent and frame.data.get("op") != Op.HEARTBEAT:
            text = json.dumps(frame.data, sort_keys=True)
            self._heard["gateway"].append(self._masked(text.replace(self._sandbox.token, "<token>")))

    def _masked(self, text: str) -> str:
        """Return a text without commitments, nor what else belongs to one run."""
        for commitment in self._commitments:
            text = text.replace(commitment, "<commitment>")
        return masked(text)

    def _digest(self, filename: str, content: bytes) -> str:
        if filename.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return " ".join(f"{name} {self._digest(name, archive.read(name))}" for name in archive.namelist())
        if filename.endswith((".gin", ".json")):
            content = self._masked(content.decode()).encode()
        return f"{len(content)} {hashlib.sha256(content).hexdigest()}"


@contextmanager
def logged() -> Generator[io.StringIO]:
    """Write the bot's own log to memory, at DEBUG, until the end of the block."""
    root = logging.getLogger()
    before, level, stream = list(root.handlers), root.level, io.StringIO()
    levels = {name: logging.getLogger(name).level for name in ("alembic", "bot", "cogs", "cardart")}
    logs.set_up("DEBUG", stream)
    try:
        yield stream
    finally:
        structlog.reset_defaults()
        root.handlers[:] = before
        root.setLevel(level)
        for name, its_level in levels.items():
            logging.getLogger(name).setLevel(its_level)


def lines(stream: io.StringIO) -> list[str]:
    """Return the log's lines, in an order that does not depend on which table was quicker."""
    return sorted(masked(line) for line in stream.getvalue().splitlines())
