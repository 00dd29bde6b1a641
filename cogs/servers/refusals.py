"""Texts of refusals to people who manage a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.words.names import joined
from cogs.words.rules import bold

ALREADY_ENDED: Final = "That match is already over."
MANAGERS_ONLY: Final = "You need the **Manage Server** permission for that."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.TooManyHouseRules: (
        "This server already has {refusal.maximum} sets of house rules. Remove some with `/gin-admin rules remove`."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text for a refusal about managing a server, addressed to the person who asked; None for others."""
    match refusal:
        case why.WrongRulesName(taken=True):
            return "That name is taken, or it looks too much like another. Choose a different name."
        case why.WrongRulesName():
            return "Names can have 1 to 32 letters, digits, spaces and common punctuation, such as *Mum's rules*."
        case _:
            return fill(_TEXTS, refusal)


def cannot_post_results(channel_id: int, labels: Sequence[str]) -> str:
    """Say which permissions the bot lacks to post a season's result in a channel."""
    return (
        f"But I can't post in <#{channel_id}> yet. Before the season ends, give me these permissions there: "
        f"{joined(labels)}."
    )


def cannot_post_daily(channel_id: int, labels: Sequence[str]) -> str:
    """Say which permissions the bot lacks to post the deal of the day in a channel."""
    return (
        f"I can't post in <#{channel_id}> yet. Give me these permissions there: {joined(labels)}. "
        "Once the post is due, I'll keep trying every half hour."
    )


def default_must_be_offered(name: str) -> str:
    """Say that a server cannot stop offering its default rules."""
    return f"{bold(name)} must stay available because it's the default. Choose another default first."
