"""Records everything that the bot sends, except messages that only an owner of hidden cards sees."""

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

from bot.hosting import logs
from bot.sandbox import Frame, Op, Person, Request, Sandbox

Transcript = dict[str, list[str]]
"""Everything that was sent, in order, by recipient."""

_MASKS = (
    # Ids that Discord assigns while the bot runs. Ids that begin with 14000000000000 are the same in each run.
    (re.compile(r"\b(?!14000000000000)\d{17,20}\b"), "<id>"),
    (re.compile(r"timestamp=\S+"), "<time>"),
    (re.compile(r"code=[0-9a-f]{6}\b"), "<code>"),
    (re.compile(r"code `[0-9a-f]{6}`"), "<code>"),
    (re.compile(r"Session ID: \w+"), "<session>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<address>"),
    # The tests' clock differs from the system's, by a span that varies.
    (re.compile(r"seconds_ahead=\S+"), "<ahead>"),
    # Keyed hashes. The numbers behind them count all wanted messages, those to owners of hidden cards included.
    (re.compile(r'"nonce": "[0-9a-f]{24}"'), '"nonce": "<nonce>"'),
    # If a player gives no words, their seed is made from a message id, which differs in each run.
    (re.compile(r"seed (\d) [0-9a-f]{64}"), r"seed \1 <seed>"),
    # Two archives whose files differ only in masked text may have different compressed sizes.
    (re.compile(r'(\.zip", "size": )\d+'), r"\1<size>"),
)


def masked(text: str) -> str:
    """Return a text in which ids, times, codes and addresses are masked, because they differ in each run."""
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text


class Wiretap:
    """Records a sandbox's traffic, except messages that only one of the `owners` of hidden cards sees.

    Commitments to server seeds are masked: they are the only output that may depend on the seeds.
    """

    def __init__(self, sandbox: Sandbox, owners: frozenset[int], commitments: Sequence[str] = ()) -> None:
        """Start recording. The caller may append to the list `commitments` later."""
        self._sandbox = sandbox
        self._owners = owners
        self._commitments = commitments
        self._recorded: defaultdict[str, list[str]] = defaultdict(list)
        self._post_ids: defaultdict[str, list[str]] = defaultdict(list)
        """The ids of the messages posted in each channel, in order."""
        sandbox.journal.observers.append(self._request)
        sandbox.gateway.observers.append(self._frame)

    def transcript(self) -> Transcript:
        """Return the recorded traffic."""
        return dict(self._recorded)

    def record_screen(self, person: Person, name: str) -> None:
        """Record everything that a person sees."""
        for channel in person.channels():
            shown = [
                [
                    message.text,
                    message.components,
                    [self._digest(attachment.filename, attachment.content) for attachment in message.attachments],
                ]
                for message in person.sees(channel)
            ]
            self._recorded[f"{name} sees {channel.id}"] = sorted(
                self._masked(json.dumps(message, sort_keys=True)) for message in shown
            )

    def _request(self, request: Request) -> None:
        place, reader = self._addressee(request)
        message = self._message(request)
        if reader in self._owners:
            return
        entry: dict[str, Any] = {
            "request": f"{request.method} {request.route}",
            "query": dict(request.query),
            "payload": request.payload,
            "files": [(file.index, file.filename, self._digest(file.filename, file.content)) for file in request.files],
        }
        # Messages are sent concurrently, so compare the order only of requests about the same message.
        key = f"{request.method} {place}{message} to {reader or 'all'}"
        self._recorded[key].append(self._masked(json.dumps(entry, sort_keys=True)))

    def _message(self, request: Request) -> str:
        """Return text like ` post 3` if a request edits or deletes a post. Each channel has its own numbers."""
        match request.path.split("/"), request.answer:
            case ["", "channels", channel, "messages"], {"id": posted}:
                self._post_ids[channel].append(str(posted))
            case ["", "channels", channel, "messages", posted], _ if posted in self._post_ids[channel]:
                return f" post {self._post_ids[channel].index(posted)}"
            case _:
                pass
        return ""

    def _addressee(self, request: Request) -> tuple[str, int | None]:
        """Return a request's channel, or its route if it has none. Also return the id of the only reader, or None."""
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
        # Do not record heartbeats: their number depends on the speed of the machine.
        if not frame.sent and frame.data.get("op") != Op.HEARTBEAT:
            text = json.dumps(frame.data, sort_keys=True)
            self._recorded["gateway"].append(self._masked(text.replace(self._sandbox.token, "<token>")))

    def _masked(self, text: str) -> str:
        """Return a text in which commitments, ids, times, codes and addresses are masked."""
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
def capture_log() -> Generator[io.StringIO]:
    """Write the bot's log to memory, at level DEBUG, until the end of the block."""
    root = logging.getLogger()
    before, level, stream, structlog_config = list(root.handlers), root.level, io.StringIO(), structlog.get_config()
    levels = {name: logging.getLogger(name).level for name in ("alembic", "bot", "cogs", "cardart")}
    logs.set_up("DEBUG", stream)
    try:
        yield stream
    finally:
        structlog.configure(**structlog_config)
        root.handlers[:] = before
        root.setLevel(level)
        for name, logger_level in levels.items():
            logging.getLogger(name).setLevel(logger_level)


def log_lines(stream: io.StringIO) -> list[str]:
    """Return the log's lines, sorted so that the order of tables does not matter."""
    return sorted(masked(line) for line in stream.getvalue().splitlines())
