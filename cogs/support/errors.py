"""Errors that are answers to people."""

from __future__ import annotations

from bot.play.refusals import Refusal
from cogs.kit.messages import Message


class UserError(Refusal):
    """A refusal with its text ready: for reasons that lie with Discord and not with the game."""

    text: str


class Question(Refusal):
    """A question that must be answered first. The answer comes back as the use of a menu in the message."""

    message: Message
