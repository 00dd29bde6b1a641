"""The help and the list of commands."""

from cardart.text.card_names import ENGLISH
from cogs.help import pages
from tests.cogs.samples import MESSAGE_LIMIT


def test_the_longer_texts_fit_a_message() -> None:
    """The help and the commands fit one message."""
    assert len(pages.game(ENGLISH)) + len(pages.COMMANDS) < MESSAGE_LIMIT
