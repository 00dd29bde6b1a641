"""What people call cards: the letters that their own cards have in the corners, and the names that they say.

Which letters a country's cards have: A. Pollett, "Indices in different languages", Andy's Playing Cards
(members.tripod.com/a_pollett/cardindd.htm). Where it names none of a country's own, as for Italy and Spain, the cards
have English letters and the names are the country's still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.engine.cards import Card, Rank

_LETTERED: Final = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)


@dataclass(frozen=True, slots=True)
class Names:
    """How those who speak a language write and say cards.

    `language` is what they call it themselves. `letters` are those of ace, jack, queen and king; `ranks` the names of
    all thirteen, `suits` those of clubs, diamonds, hearts and spades, and `pattern` tells how the two go together.
    """

    language: str
    letters: tuple[str, str, str, str]
    ranks: tuple[str, ...]
    suits: tuple[str, str, str, str]
    pattern: str

    def index(self, rank: Rank) -> str:
        """What is in the corner of a card above its suit: `7`, `10`, `K`."""
        return self.letters[_LETTERED.index(rank)] if rank in _LETTERED else str(rank.value)

    def short(self, card: Card) -> str:
        """A card as it is written: `10♦`, `K♠`."""
        return self.index(card.rank) + card.suit.symbol

    def row(self, cards: Iterable[Card]) -> str:
        """Cards one after the other: `4♣ 4♦ 4♥`."""
        return " ".join(map(self.short, cards))

    def full(self, card: Card) -> str:
        """A card as it is said: `king of spades`."""
        return self.pattern.format(rank=self.ranks[card.rank - 1], suit=self.suits[card.suit])


NAMES: Final[Mapping[str, Names]] = MappingProxyType(
    {
        "en": Names(
            "English",
            ("A", "J", "Q", "K"),
            ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"),
            ("clubs", "diamonds", "hearts", "spades"),
            "{rank} of {suit}",
        ),
        "da": Names(
            "Dansk",
            ("E", "Kn", "D", "K"),
            ("es", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti", "knægt", "dame", "konge"),
            ("klør", "ruder", "hjerter", "spar"),
            "{suit} {rank}",
        ),
        "de": Names(
            "Deutsch",
            ("A", "B", "D", "K"),
            ("Ass", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Bube", "Dame", "König"),
            ("Kreuz", "Karo", "Herz", "Pik"),
            "{suit}-{rank}",
        ),
        "es": Names(
            "Español",
            ("A", "J", "Q", "K"),
            ("as", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "jota", "reina", "rey"),
            ("tréboles", "diamantes", "corazones", "picas"),
            "{rank} de {suit}",
        ),
        "fr": Names(
            "Français",
            ("A", "V", "D", "R"),
            ("as", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "valet", "dame", "roi"),
            ("trèfle", "carreau", "cœur", "pique"),
            "{rank} de {suit}",
        ),
        "it": Names(
            "Italiano",
            ("A", "J", "Q", "K"),
            (
                "asso",
                "due",
                "tre",
                "quattro",
                "cinque",
                "sei",
                "sette",
                "otto",
                "nove",
                "dieci",
                "fante",
                "donna",
                "re",
            ),
            ("fiori", "quadri", "cuori", "picche"),
            "{rank} di {suit}",
        ),
        # Suit and rank are one word: "hartentien", "ruitenheer" (scrabblewoorden.blogspot.com, 2 February 2007, after
        # Van Dale).
        "nl": Names(
            "Nederlands",
            ("A", "B", "V", "H"),
            ("aas", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "boer", "vrouw", "heer"),
            ("klaveren", "ruiten", "harten", "schoppen"),
            "{suit}{rank}",
        ),
        "pl": Names(
            "Polski",
            ("A", "W", "D", "K"),
            (
                *("as", "dwójka", "trójka", "czwórka", "piątka", "szóstka", "siódemka", "ósemka", "dziewiątka"),
                *("dziesiątka", "walet", "dama", "król"),
            ),
            ("trefl", "karo", "kier", "pik"),
            "{rank} {suit}",
        ),
        "sv": Names(
            "Svenska",
            ("E", "Kn", "D", "K"),
            ("ess", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio", "tio", "knekt", "dam", "kung"),
            ("klöver", "ruter", "hjärter", "spader"),
            "{suit} {rank}",
        ),
    }
)
"""The languages by their code (ISO 639-1)."""

ENGLISH: Final = NAMES["en"]


def names_of(language: str) -> Names:
    """The names in a language by its code; the English ones where there are none in it."""
    return NAMES.get(language, ENGLISH)
