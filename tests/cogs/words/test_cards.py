"""Names of cards in messages, and cards that people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import DECK, Card
from bot.engine.errors import NotationError
from cardart.text.card_names import ENGLISH, NAMES, CardNames
from cogs.words import cards

each_language = pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
languages = st.sampled_from(list(NAMES.values()))


@each_language
def test_a_card_can_be_written_in_many_ways(names: CardNames) -> None:
    """Notation, symbols and English names are understood whichever language is chosen."""
    for text in ("Kd", "kd", "K♦", " K d ", "king of diamonds", "KING DIAMOND", "k of diamonds"):
        assert cards.parse_card(text, names).text == "Kd"


@pytest.mark.parametrize(("text", "card"), [("10 of hearts", "Th"), ("ten hearts", "Th"), ("2 clubs", "2c")])
def test_ranks_can_be_numbers_or_words(text: str, card: str) -> None:
    """Together with the name of a suit, a rank can be a number or a word."""
    assert cards.parse_card(text, ENGLISH).text == card


@pytest.mark.parametrize(
    ("code", "text", "card"),
    [
        ("de", "Dd", "Qd"),
        ("de", "herz 7", "7h"),
        ("de", "Karo-Konig", "Kd"),
        ("fr", "dame de coeur", "Qh"),
        ("fr", "7 trefle", "7c"),
        ("fr", "v♠", "Js"),
        ("nl", "harten vrouw", "Qh"),
        ("pl", "krol karo", "Kd"),
        ("sv", "knd", "Jd"),
        ("da", "klor 10", "Tc"),
        ("it", "re cuori", "Kh"),
        ("es", "reina de pic", "Qs"),
    ],
)
def test_a_card_can_be_written_in_the_chosen_language(code: str, text: str, card: str) -> None:
    """Letters and names in the chosen language work in any order, with or without accents and connecting words."""
    assert cards.parse_card(text, NAMES[code]).text == card


@given(st.sampled_from(DECK), languages, st.booleans())
def test_every_text_for_a_card_can_be_read_back(card: Card, names: CardNames, uppercase: bool) -> None:
    """Short names, full names and menu labels are read as their card, in capitals too."""
    for text in (names.short(card), names.full(card), cards.capitalized_name(card, names)):
        assert cards.parse_card(text.upper() if uppercase else text, names) is card
        assert cards.parse_card(ENGLISH.full(card), names) is card


@pytest.mark.thorough
@given(st.sampled_from(DECK), languages, st.data())
def test_the_beginning_of_a_name_matches_the_card(card: Card, names: CardNames, data: st.DataObject) -> None:
    """While a name is being typed, its card stays in the completions, unless the text already names another card."""
    name = data.draw(st.sampled_from((names.short(card), names.full(card), ENGLISH.full(card), card.text)))
    typed = name[: data.draw(st.integers(0, len(name)))]
    try:
        read = cards.parse_card(typed, names)
    except NotationError:
        assert cards.could_name(typed, card, names)
    else:
        assert [card for card in DECK if cards.could_name(typed, card, names)] == [read]


@each_language
def test_a_text_that_names_no_card_is_refused(names: CardNames) -> None:
    """Incomplete cards, two cards and unknown ranks are refused."""
    for text in ("", "king", "diamonds", "11 of hearts", "emperor of clubs", "Kd Qd", "1", "♥"):
        with pytest.raises(NotationError, match=r"not a card|could be several cards"):
            cards.parse_card(text, names)


@pytest.mark.parametrize(("code", "text"), [("fr", "sept de c"), ("fr", "roi"), ("de", "Kö"), ("sv", "Kn")])
def test_an_ambiguous_text_is_refused(code: str, text: str) -> None:
    """A text that could mean several cards is refused. In French, `sept de c` could be *cœur* or *carreau*."""
    with pytest.raises(NotationError, match="could be several cards"):
        cards.parse_card(text, NAMES[code])
