"""The help and the list of commands."""

from __future__ import annotations

from bot.engine.cards.cards import parse_cards
from cardart.text.card_names import CardNames

_HELP = """\
**1.** Each player holds ten cards. Collect **melds**: runs ({run}) and sets ({alike}). The rest is **deadwood**: \
an ace counts 1, court cards 10, others their pips.
**2.** On your turn, take the top of the discard pile or draw from the stock (the face-down cards), then discard a card.
**3.** With 10 points of deadwood or less you may **knock**; without any you go **gin**.
**4.** After a knock, your opponent lays off cards on your melds. The lower deadwood scores the difference.
**5.** Gin earns 25 more, and so does an **undercut**: deadwood as low as the knocker's, or lower. The match ends when \
someone reaches the target, usually 100; then bonuses for the match and for each deal won are added."""


def game(names: CardNames) -> str:
    """Return the rules of the game in five lines."""
    return _HELP.format(run=names.short_row(parse_cards("5h6h7h")), alike=names.short_row(parse_cards("QsQdQc")))


COMMANDS = """\
`/gin practice learn` teaches the game in three minutes as you play it.
`/gin play` starts a match with people or the computer, `/gin hand` shows your cards, `/gin table` the table, \
`/gin games` your matches.
Every button is a command too: `draw`, `take`, `pass`, `discard`, `knock`, `gin`, `big`, `layoff`, `resign`, `rematch`.
`/gin-deal replay` plays a finished deal again, move by move, with all hands; `/gin-deal review` tells what each of \
your choices cost, `/gin-deal verify` checks that nobody chose the cards, and `/gin-deal fair` whether the dealt decks \
look fair.
`/gin-stats profile` shows how you do here, `/gin-stats versus` how you do against somebody, `/gin-stats history` your \
matches that are over, `/gin-stats records` the records of this server.
`/gin me preferences` sets direct messages, pings, reminders, quiet hours, who sees your profile and how cards are \
shown, `/gin me away` takes a holiday, `/gin me words` adds words of yours to the shuffles, `/gin rules` explains the \
rules in full."""
