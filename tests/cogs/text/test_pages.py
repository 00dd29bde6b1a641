"""The longer texts."""

from cardart.text.card_names import ENGLISH
from cogs.text import pages
from tests.cogs.text.samples import MOST


def test_the_longer_texts_fit() -> None:
    """Help and commands together stay within one message, and what is kept of a person in another."""
    assert len(pages.game(ENGLISH)) + len(pages.COMMANDS) < MOST
    assert len(pages.PRIVACY) + len(pages.FORGET) < MOST
