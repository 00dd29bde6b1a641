"""The message that explains rules."""

from __future__ import annotations

from bot.engine.rules import Rules
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, message
from cogs.text import rules as texts


def rules_page(rules: Rules, ruleset: str | None = None, notice: str | None = None) -> Message:
    """Return rules in plain words, under the name they were agreed by."""
    return message(Accent.WAITING, texts.line(rules, ruleset), texts.explained(rules), title="The rules", notice=notice)
