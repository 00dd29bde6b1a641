"""Reading cards as people write them."""

import pytest

from bot.engine.errors import NotationError
from cogs.words import cards


@pytest.mark.parametrize("text", ["Kd", "kd", "K♦", " K d ", "king of diamonds", "KING DIAMOND", "k of diamonds"])
def test_a_card_may_be_written_in_many_ways(text: str) -> None:
    """Notation, symbols and English words all mean the same card."""
    assert cards.read(text).text == "Kd"


@pytest.mark.parametrize(("text", "card"), [("10 of hearts", "Th"), ("ten hearts", "Th"), ("2 clubs", "2c")])
def test_every_kind_of_rank_has_its_word(text: str, card: str) -> None:
    """Figures and words name a rank beside a suit's name."""
    assert cards.read(text).text == card


@pytest.mark.parametrize("text", ["", "king", "diamonds", "11 of hearts", "emperor of clubs", "Kd Qd"])
def test_what_names_no_card_is_refused(text: str) -> None:
    """Half a card, two cards and ranks that are not there are no card."""
    with pytest.raises(NotationError):
        cards.read(text)
