"""Errors that are shown to people."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from bot.play.refusals import Refusal
from cogs.kit.messages import Message


class UserError(Refusal):
    """A refusal with its text, for reasons that lie with Discord rather than with the game."""

    text: str


class Question(Refusal):
    """A question that must be answered first, with a menu in its message."""

    message: Message


class Unshown(Exception):  # noqa: N818 - the move was made
    """A move was saved, but its result could not be shown."""


@contextmanager
def after_saving() -> Generator[None]:
    """Turn errors in the block into `OutcomeNotShown`: the move was saved, so it must not be made again."""
    try:
        yield
    except Exception as error:
        raise Unshown from error
