"""Tests of the check that all messages have the same layout."""

from __future__ import annotations

from tests.helpers.message_style import mixed_sentences

NORTH, SOUTH = "\u2068North. <@1>\u2069", "<@2>"


def test_a_sentence_has_mentions_or_plain_names() -> None:
    """The check finds sentences with both mentions and plain names. Punctuation in a name does not end a sentence."""
    assert list(mixed_sentences(f"{SOUTH}, it is your turn. You play against {NORTH}.\n{SOUTH}!")) == []
    assert list(mixed_sentences(f"{NORTH} and {NORTH} play. {NORTH} challenges {SOUTH}: to 10."))
