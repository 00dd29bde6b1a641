"""The help, the list of commands, and the texts about privacy."""

from cardart.text.card_names import ENGLISH
from cogs.help import pages
from tests.cogs.samples import MESSAGE_LIMIT


def test_the_longer_texts_fit_a_message() -> None:
    """The help and the commands fit one message, and so do the two texts about privacy."""
    assert len(pages.game(ENGLISH)) + len(pages.COMMANDS) < MESSAGE_LIMIT
    assert len(pages.PRIVACY) + len(pages.FORGET) < MESSAGE_LIMIT
