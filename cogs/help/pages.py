"""The help and the list of commands."""

from __future__ import annotations

from bot.engine.cards.cards import parse_cards
from cardart.text.card_names import CardNames

_HELP = """\
**1.** Collect **melds**: runs ({run}) and sets ({alike}). All other cards are **deadwood**: an ace counts 1, \
a face card 10, and any other card its number.
**2.** Each turn, draw from the stock or take the top discard, then discard a card.
**3.** With 10 points of deadwood or less, you can **knock**. With none, you can go **gin**.
**4.** After a knock, your opponent lays off cards on your melds. The player with less deadwood scores the difference.
**5.** Gin earns 25 extra. If your opponent knocks and your deadwood is no higher than theirs, you **undercut** them \
and earn 25 extra. First to 100 wins."""


def game(names: CardNames) -> str:
    """Return the rules of the game in five lines."""
    return _HELP.format(run=names.short_row(parse_cards("5h6h7h")), alike=names.short_row(parse_cards("QsQdQc")))


COMMANDS = """\
-# **Play** `/gin play`, `/gin daily`, `/gin games` · **Move** `/gin draw`, `/gin discard` …
-# **Look back** `/gin-deal replay`, `/gin-deal review` · `/gin-stats profile`, `/gin-stats history`
-# **Settings** `/gin me preferences`, `/gin me away` · **Rules** `/gin rules`"""
