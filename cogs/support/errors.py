"""Errors that are answers to people."""

from __future__ import annotations

from bot.play.refusals import Refusal


class UserError(Refusal):
    """A refusal with its text ready: for reasons that lie with Discord and not with the game."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
