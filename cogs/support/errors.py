"""Errors that are answers to people."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from bot.play.refusals import Refusal
from cogs.kit.messages import Message


class UserError(Refusal):
    """A refusal with its text ready: for reasons that lie with Discord and not with the game."""

    text: str


class Question(Refusal):
    """A question that must be answered first. The answer comes back as the use of a menu in the message."""

    message: Message


class Unshown(Exception):  # noqa: N818 - the move is made
    """A move was saved, and what came of it could not be shown."""


@contextmanager
def after_saving() -> Generator[None]:
    """Mark what fails in the block as failed after a move was saved: it counts, and is not to be made again."""
    try:
        yield
    except Exception as error:
        raise Unshown from error
