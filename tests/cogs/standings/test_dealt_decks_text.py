"""Tests of the messages about the statistical tests of dealt decks."""

from __future__ import annotations

import pytest

from bot.luck.decks import PValues
from bot.model.dealt_decks import CommittedMatches, DecksReport
from cogs.kit.layout import Accent
from cogs.kit.messages import Message
from cogs.standings import dealt_decks_panel as panels
from cogs.standings import dealt_decks_text as texts
from tests.cogs.samples import MESSAGE_LIMIT, button_labels, length, text_of

NOTHING = CommittedMatches(0, 0, 0)


def accent_of(message: Message) -> int:
    """Return the accent colour of a message."""
    (container,) = message.components
    return container["accent_color"]


def report(positions: float, suits: float = 0.5, pairs: float = 0.5, decks: int = 523) -> DecksReport:
    """Return a report with these p-values."""
    return DecksReport(decks, PValues(positions, suits, pairs), NOTHING)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.4199, "**42** (p = 0.42)"),
        (0.998, "**99** (p = 0.99)"),
        (0.0101, "**1** (p = 0.01)"),
        (0.0042, "**0.4** (p = 0.004)"),
        (0.0004, "fewer than **0.1** (p < 0.001)"),
        (0.9996, "more than **99.9** (p > 0.999)"),
    ],
)
def test_p_values_in_words(value: float, text: str) -> None:
    """A p-value is explained as the number of fair bots in a hundred whose decks would be at least as uneven."""
    assert texts.p_value(value) == text


@pytest.mark.parametrize(
    ("given", "verdict", "accent"),
    [
        (report(0.42), "I found nothing wrong with the decks", Accent.OVER),
        (report(0.42, 0.015), "I found nothing wrong with the decks", Accent.OVER),
        (report(0.42, pairs=0.004), "Rare, but it happens", Accent.OVER),
        (report(0.42, 0.0002), "very unlikely to be chance.** Fair decks would be this uneven", Accent.TROUBLE),
        (report(0.9999), "very unlikely to be chance.** Fair decks would be this even", Accent.TROUBLE),
        (DecksReport(3, None, NOTHING), "So far, **3** have been dealt on this server.", Accent.WAITING),
    ],
)
def test_the_worst_test_decides_the_verdict(given: DecksReport, verdict: str, accent: Accent) -> None:
    """The worst of the tests decides the verdict and the colour."""
    panel = panels.decks(given, everywhere=False, in_server=True)
    assert verdict in text_of(panel)
    assert accent_of(panel) == accent.value
    assert button_labels(panel) == ["All servers", "How?"]


def test_the_text_names_the_tested_decks() -> None:
    """The text says if all decks or only the newest were tested, and if they are from this server or from all."""
    assert "all **523** decks dealt on this server" in texts.decks(report(0.4), everywhere=False)
    newest = texts.decks(report(0.4, decks=10_003), everywhere=True)
    assert "the newest **10,003** decks dealt on all servers and in practice matches" in newest
    assert button_labels(panels.decks(report(0.4), everywhere=True, in_server=True)) == ["This server", "How?"]
    assert button_labels(panels.decks(report(0.4), everywhere=True, in_server=False)) == ["How?"]


def test_the_text_counts_matches_by_outcome() -> None:
    """Matches with a commitment are counted: finished, in play and called off. If there are none, there is no text."""
    example = DecksReport(3, None, CommittedMatches(begun=1_204, in_play=12, called_off=7))
    text = text_of(panels.decks(example, everywhere=False, in_server=True))
    assert "**1,204** (**1,185** finished, **12** in play, **7** cancelled)." in text
    assert texts.matches(report(0.4)) is None


def test_the_explanation_fits() -> None:
    """The explanation fits one message."""
    assert length(panels.explained()) < MESSAGE_LIMIT / 2
