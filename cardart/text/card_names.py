"""Card names in each language: the letters printed on cards, and the spoken names.

Source of the letters: A. Pollett, "Indices in different languages", Andy's Playing Cards
(members.tripod.com/a_pollett/cardindd.htm). Languages of countries missing there, such as Italy and Spain, have English
letters, but their own spoken names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.engine.cards.cards import Card, Rank

_LETTERED_RANKS: Final = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)


@dataclass(frozen=True, slots=True)
class CardNames:
    """The written and spoken names of cards in one language.

    `language` is the language's name for itself. `letters` are printed on aces, jacks, queens and kings, in this order.
    `ranks` are the names of all thirteen ranks, ace first; `suits` are clubs, diamonds, hearts and spades. `pattern`
    combines rank and suit.
    """

    language: str
    letters: tuple[str, ...]
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    pattern: str

    def rank_letters(self, rank: Rank) -> str:
        """Return a rank as it is printed on a card: `7`, `10`, `K`."""
        return self.letters[_LETTERED_RANKS.index(rank)] if rank in _LETTERED_RANKS else str(rank.value)

    def short(self, card: Card) -> str:
        """Return the written form of a card: `10♦`, `K♠`."""
        return self.rank_letters(card.rank) + card.suit.symbol

    def short_row(self, cards: Iterable[Card]) -> str:
        """Return the written forms of several cards: `4♣ 4♦ 4♥`."""
        return " ".join(map(self.short, cards))

    def full(self, card: Card) -> str:
        """Return the spoken form of a card: `king of spades`."""
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
"""Three lines for each language: code (ISO 639-1), name, letters and pattern; ranks; suits.

Dutch writes suit and rank as one word: "hartentien", "ruitenheer" (scrabblewoorden.blogspot.com, 2 February 2007,
after Van Dale).
"""


def _languages() -> Iterator[tuple[str, CardNames]]:
    lines = iter(_TABLE.strip().splitlines())
    for header, ranks, suits in zip(lines, lines, lines, strict=True):
        code, language, letters, pattern = header.split("; ")
        yield code, CardNames(language, tuple(letters.split()), tuple(ranks.split()), tuple(suits.split()), pattern)


NAMES: Final = MappingProxyType(dict(_languages()))
"""Card names by language code."""
ENGLISH: Final = NAMES["en"]


def card_names(language: str) -> CardNames:
    """Return the card names for a language code; the English ones if the code is unknown."""
    return NAMES.get(language, ENGLISH)
