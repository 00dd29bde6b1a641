"""The texts about stored data."""

from cogs.people.privacy_text import FORGET, PRIVACY
from tests.cogs.samples import MESSAGE_LIMIT


def test_the_texts_about_privacy_fit_a_message() -> None:
    """The texts about stored data and about forgetting fit one message together."""
    assert len(PRIVACY) + len(FORGET) < MESSAGE_LIMIT
