"""The names of cards in each language: the letters in their corners, and how people say them.

Letters on a country's cards: A. Pollett, "Indices in different languages", Andy's Playing Cards
(members.tripod.com/a_pollett/cardindd.htm). Where it lists none for a country, as for Italy and Spain, cards have
English letters, but the names are still those of the country.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.engine.cards import Card, Rank

_LETTERED: Final = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)


@dataclass(frozen=True, slots=True)
class Names:
    """How cards are written and said in a language.

    `language` is its own name for itself. `letters` are those of ace, jack, queen and king, `ranks` the names of all
    thirteen ranks, and `suits` those of clubs, diamonds, hearts and spades. `pattern` puts rank and suit together.
    """

    language: str
    letters: tuple[str, ...]
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    pattern: str

    def rank_letters(self, rank: Rank) -> str:
        """Return what is in the corner of a card above its suit: `7`, `10`, `K`."""
        return self.letters[_LETTERED.index(rank)] if rank in _LETTERED else str(rank.value)

    def short(self, card: Card) -> str:
        """Return a card as it is written: `10♦`, `K♠`."""
        return self.rank_letters(card.rank) + card.suit.symbol

    def row(self, cards: Iterable[Card]) -> str:
        """Return several cards as they are written: `4♣ 4♦ 4♥`."""
        return " ".join(map(self.short, cards))

    def full(self, card: Card) -> str:
        """Return a card as it is said: `king of spades`."""
        return self.pattern.format(rank=self.ranks[card.rank - 1], suit=self.suits[card.suit])


_TABLE: Final = """
en; English; A J Q K; {rank} of {suit}
ace two three four five six seven eight nine ten jack queen king
clubs diamonds hearts spades
da; Dansk; E Kn D K; {suit} {rank}
es to tre fire fem seks syv otte ni ti knægt dame konge
klør ruder hjerter spar
de; Deutsch; A B D K; {suit}-{rank}
Ass Zwei Drei Vier Fünf Sechs Sieben Acht Neun Zehn Bube Dame König
Kreuz Karo Herz Pik
es; Español; A J Q K; {rank} de {suit}
as dos tres cuatro cinco seis siete ocho nueve diez jota reina rey
tréboles diamantes corazones picas
fr; Français; A V D R; {rank} de {suit}
as deux trois quatre cinq six sept huit neuf dix valet dame roi
trèfle carreau cœur pique
it; Italiano; A J Q K; {rank} di {suit}
asso due tre quattro cinque sei sette otto nove dieci fante donna re
fiori quadri cuori picche
nl; Nederlands; A B V H; {suit}{rank}
aas twee drie vier vijf zes zeven acht negen tien boer vrouw heer
klaveren ruiten harten schoppen
pl; Polski; A W D K; {rank} {suit}
as dwójka trójka czwórka piątka szóstka siódemka ósemka dziewiątka dziesiątka walet dama król
trefl karo kier pik
sv; Svenska; E Kn D K; {suit} {rank}
ess två tre fyra fem sex sju åtta nio tio knekt dam kung
klöver ruter hjärter spader
"""
"""For each language its code (ISO 639-1), itself, its letters and its pattern; then its ranks; then its suits.

In Dutch, suit and rank are one word: "hartentien", "ruitenheer" (scrabblewoorden.blogspot.com, 2 February 2007, after
Van Dale).
"""


def _languages() -> Iterator[tuple[str, Names]]:
    lines = iter(_TABLE.strip().splitlines())
    for first, ranks, suits in zip(lines, lines, lines, strict=True):
        code, language, letters, pattern = first.split("; ")
        yield code, Names(language, tuple(letters.split()), tuple(ranks.split()), tuple(suits.split()), pattern)


NAMES: Final = MappingProxyType(dict(_languages()))
"""The languages by their code."""
ENGLISH: Final = NAMES["en"]


def names_of(language: str) -> Names:
    """Return the names in a language by its code; the English ones if it has none here."""
    return NAMES.get(language, ENGLISH)
