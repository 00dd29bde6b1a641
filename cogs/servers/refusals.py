"""Texts of refusals to people who manage a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.words.names import joined
from cogs.words.rules import bold

ALREADY_ENDED: Final = "That match is already over. `/gin-admin end` lists the ones that are still running."
MANAGERS_ONLY: Final = "Only people with the **Manage Server** permission can do that. Ask one of them."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.TooManyHouseRules: (
        "This server has {refusal.maximum} house rules, which is the limit. `/gin-admin rules remove` makes room."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text for a refusal about managing a server, addressed to the person who asked; None for others."""
    match refusal:
        case why.WrongRulesName(taken=True):
            return "That name is, or looks like, the name of built-in rules or of a leaderboard. Choose another one."
        case why.WrongRulesName():
            return (
                "A name has 1 to 32 letters and digits of any alphabet, with spaces, hyphens, apostrophes and common "
                "punctuation, and starts with a letter or digit: such as *Mum's rules*."
            )
        case _:
            return fill(_TEXTS, refusal)


def cannot_post_results(channel_id: int, labels: Sequence[str]) -> str:
    """Say which permissions the bot lacks to post a season's result in a channel."""
    return f"But I am missing {joined(labels)} in <#{channel_id}>, so give me that before a season ends."


def default_must_be_offered(name: str) -> str:
    """Say that a server cannot stop offering its default rules."""
    return f"{bold(name)} are the default rules, so they stay on offer. Choose other default rules first."
