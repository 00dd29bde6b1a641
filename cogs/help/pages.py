"""The help and the list of commands."""

from __future__ import annotations

from bot.engine.cards.cards import parse_cards
from cardart.text.card_names import CardNames

_HELP = """\
**1.** Collect **melds**: runs ({run}) and sets ({alike}). The rest is **deadwood**: ace 1, face cards 10, other \
cards their number.
**2.** Each turn, draw from the stock or take the top discard, then discard a card.
**3.** With 10 deadwood or less you can **knock**; with none you go **gin**.
**4.** After a knock, your opponent lays off cards on your melds. The player with less deadwood scores the difference.
**5.** Gin scores 25 more. So does an **undercut**: deadwood no higher than the knocker's. First to 100 wins."""


def game(names: CardNames) -> str:
    """Return the rules of the game in five lines."""
    return _HELP.format(run=names.short_row(parse_cards("5h6h7h")), alike=names.short_row(parse_cards("QsQdQc")))


COMMANDS = """\
-# **Play** `/gin play`, `/gin hand`, `/gin games`, or by command: `/gin draw`, `/gin discard` …
-# **Look back** `/gin-deal replay`, `/gin-deal review` · `/gin-stats profile`, `/gin-stats history`
-# **Settings** `/gin me preferences`, `/gin me away` · All rules: `/gin rules`"""
