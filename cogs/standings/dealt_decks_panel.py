"""The messages about the statistical tests of the dealt decks."""

from __future__ import annotations

from bot.model.dealt_decks import DecksReport
from cogs.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.layout import Accent, message
from cogs.kit.messages import Message
from cogs.standings import dealt_decks_text as texts

EVERYWHERE = "all"
"""The argument of buttons that test the decks of all servers."""


def decks(report: DecksReport, *, everywhere: bool, in_server: bool) -> Message:
    """Return the test results for the decks of a server or of all servers."""
    other_button = button(
        Subject.SELF,
        0,
        Action.DECKS,
        "This server" if everywhere else "All servers",
        argument=None if everywhere else EVERYWHERE,
    )
    if report.p_values is None:
        accent = Accent.WAITING
    else:
        accent = Accent.TROUBLE if texts.is_hardly_chance(report) else Accent.OVER
    return message(
        accent,
        texts.decks(report, everywhere=everywhere),
        texts.verdict(report),
        texts.tests(report),
        texts.matches(report),
        title=texts.title(everywhere=everywhere),
        rows=[[other_button if in_server else None, button(Subject.SELF, 0, Action.DECKS_EXPLAINED, "How?")]],
    )


def explained() -> Message:
    """Return the explanation of the tests."""
    return message(Accent.WAITING, texts.HOW, title="How the decks are tested")
