"""Logging: one line per event, without secrets."""

from __future__ import annotations

import logging
import re
import sys
from typing import Any, Final, TextIO

import structlog

_SECRET_PATTERNS: Final = (
    # A bot's token: an id, a timestamp and a signature, in base64.
    re.compile(r"[\w-]{23,}\.[\w-]{6}\.[\w-]{27,}"),
    re.compile(r"(?<=Bot )[\w.-]{20,}"),
    # An interaction's token is part of the URLs that answer it.
    re.compile(r"(?<=/interactions/)(\d+/)[^/\s\"']+"),
    re.compile(r"(?<=/webhooks/)(\d+/)[^/\s\"']+"),
    # Quotation marks inside a quoted value are escaped.
    re.compile(r"""(token\\*["']:\s?)\\*["'][^"'\\]+\\*["']"""),
)
HIDDEN: Final = "[hidden]"


def redact(text: str) -> str:
    """Return the text with the tokens of bots and interactions replaced."""
    for secret in _SECRET_PATTERNS:
        text = secret.sub(lambda found: f"{found[1]}{HIDDEN}" if secret.groups else HIDDEN, text)  # noqa: B023
    return text


class _Redacting(structlog.stdlib.ProcessorFormatter):
    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


def set_up(level: str, stream: TextIO | None = None) -> None:
    """Write log lines to a stream (by default, standard error).

    Only the project's own loggers go below INFO: at DEBUG, discord.py writes whole events and the database driver whole
    rows, with tokens and hands in them.
    """
    shared: list[Any] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    render = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "logger", "event"])
    processors: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, render]
    handler.setFormatter(_Redacting(foreign_pre_chain=shared, processors=processors))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    logging.getLogger("alembic").setLevel(logging.WARNING)
    for name in ("bot", "cogs", "cardart"):
        logging.getLogger(name).setLevel(level)
