"""Limits of deals and matches, so that no deal lasts forever and no record is too long to read.

Players who keep taking each other's discards never use up the stock, and a stock that is reshuffled never runs out. No
source of the rules ends such a deal, so the limit on turns is ours. All other limits derive from it. Readers of records
reject anything that no match can reach.
"""

from __future__ import annotations

from typing import Final

MAX_TURNS: Final = 100
"""Maximum number of turns for each player in a deal. At the limit the deal is void.

The limit is ours; OpenSpiel ends a deal of two when the fiftieth card is taken from the pile. Computer players go out
long before it, and none of 1,700 deals between players who took every helpful card had more than 77 turns.
"""

MAX_CHANGES: Final = 10
"""Maximum number of times a player may change the words for one deal. Each change stays in the log."""

MAX_SEEDS: Final = 10_000
"""Maximum number of player seeds in a match. An audit lists them all."""

MAX_MOVES: Final = 10_000
"""Maximum number of moves in a deal.

`MAX_TURNS` of four players are 800 moves, and passes and answers to a knock are fewer than a hundred. The rest is for
logs from before the turn limit.
"""

MAX_ROUND: Final = 2_000
"""Maximum number of actions in a round.

Four players with ten cards have up to 900 moves, a deck, and up to 44 reshuffles (nine cards are drawn between two).
With a reveal for each shuffle, that is 990. Two boards of two players, with 500 moves and six reshuffles each, make
1,028. Words and takeovers of four seats, the reveal of the cut and a resignation add fewer than fifty.
"""

MAX_ACTIONS: Final = 200_000
"""Maximum number of actions in a match.

Players can agree on at most 1,000 scored deals, on at most two boards, and a deal that draws its whole stock has about
70 actions. A match that comes near this limit through void or very long deals is called off: see `is_full`.
"""

MAX_BYTES: Final = 16 << 20
"""Maximum size of a record, in bytes.

The longest action that can fill a match is a player seed, with 83 bytes. A deck is longer, but shorter moves follow it.
So `MAX_ACTIONS` take up 16.6 million bytes, which leaves 177,216 for the headers.
"""


def is_full(actions: int) -> bool:
    """Return True if a log with this many actions has no room for another round. Its match is then called off."""
    return actions + MAX_ROUND > MAX_ACTIONS
