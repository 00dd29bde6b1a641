"""Errors that are shown to people."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from bot.play.refusals import Refusal
from cogs.kit.messages import Message


class UserError(Refusal):
    """A refusal with the text to show, for a reason that concerns Discord rather than the game."""

    text: str


class ChoiceRequired(Refusal):
    """The person must choose first. `message` has the question and a menu of the answers."""

    message: Message


class OutcomeNotShown(Exception):  # noqa: N818 - the move was made
    """A move was saved, but its result could not be shown."""


@contextmanager
def after_saving() -> Generator[None]:
    """Turn errors in the block into `OutcomeNotShown`: the move was saved, so it must not be made again."""
    try:
        yield
    except Exception as error:
        raise OutcomeNotShown from error
