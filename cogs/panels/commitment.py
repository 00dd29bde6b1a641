"""The message that promises how the cards of a match are shuffled, before anybody can know them."""

from __future__ import annotations

from bot.values.fairness import Commitment
from cogs.kit.messages import Message
from cogs.panels.layout import note


def commitment(shown: Commitment) -> Message:
    """Return a commitment in full. The message is never edited, so it says nothing that may change."""
    return note(f"🔒 Every shuffle of this match is fixed: `{shown.value.hex()}`")
