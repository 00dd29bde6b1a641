"""The publications that the rules come from, with the short titles by which options and presets cite them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Laying Off": '"Laying Off in Gin Rummy: The Rules", one of a set of articles on knocking, undercuts and gin.',
        "Lemus": 'Alan Lemus, "Gin Rummy Rules", an article with questions and answers at its end.',
        "Yimmaw": '"What is a Knock?", the page on knocking of the game site Yimmaw.com.',
        "Knock Rules": '"Gin Rummy Knock Rules", an article in two parts: the game for two, and a game for two to four '
        "with penalty points.",
        "How to Play": '"Gin Rummy Rules and How to Play", an article with a score sheet and four house rules.',
        "Pagat": 'John McLeod, "Gin Rummy", Card Games Website: <https://www.pagat.com/rummy/ginrummy.html>.',
        "Bicycle": 'The United States Playing Card Company, "Gin Rummy", Bicycle Cards: '
        "<https://bicyclecards.com/how-to-play/gin-rummy>.",
        "Wikipedia": '"Gin rummy", Wikipedia: <https://en.wikipedia.org/wiki/Gin_rummy>.',
        "CardGames.io": '"Gin Rummy", CardGames.io: <https://cardgames.io/ginrummy/>.',
        "EAAI": 'Todd W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", Gettysburg College, '
        "the rules under which playing programs are compared: <http://cs.gettysburg.edu/~tneller/games/ginrummy/eaai/>.",
        "Rubl": '"Gin Rummy Rules", Rubl: <https://www.rubl.com/rules/gin_rummy_rules.html>.',
        "GRA": "Gin Rummy Association, the tournament rules that OpenSpiel follows: "
        "<http://ginrummytournaments.com/pdfs/GRA_Rules.pdf>.",
    }
)
"""Full citations by short title."""
