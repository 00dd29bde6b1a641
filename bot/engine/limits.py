"""The limits of deals and matches: what ends a deal that could go on for ever, and how long a record can be.

Players who keep taking each other's discards never use up the stock, and a stock that is reshuffled never runs out. No
source of the rules ends such a deal, so the limit on it is ours. All else here follows from it, and whoever reads
records refuses what no match can reach.
"""

from __future__ import annotations

from typing import Final

MAX_TURNS: Final = 100
"""The most turns of each player in a deal: then it is void.

Ours; OpenSpiel ends a deal of two with the fiftieth card that is taken from the pile. Computers have gone out long
before, and of 1,700 deals of players who took whatever helped, none had more than 77.
"""

MAX_CHANGES: Final = 10
"""How often a player may change the words for one deal: each change stands in the log for good."""

MAX_SEEDS: Final = 10_000
"""The most seeds that the players of a match give, however often they change their words: an audit lists them all."""

MAX_MOVES: Final = 10_000
"""The most moves of one deal.

`MAX_TURNS` of four players are 800 moves, and passes and answers to a knock are less than a hundred. The rest is for
logs from before there was a limit.
"""

MAX_ROUND: Final = 2_000
"""The most actions of one round.

Four players with ten cards have up to 900 moves, a deck, and up to 44 reshuffles: nine cards are drawn between two.
With a reveal for each these are 990. Two boards of two players, with 500 moves and six reshuffles each, make 1,028.
Words and takeovers of four seats, the reveal of the cut and a resignation are less than fifty.
"""

MAX_ACTIONS: Final = 200_000
"""The most actions of a match.

At most 1,000 scored deals can be agreed on, on at most two boards, and a deal that draws its whole stock has about 70
actions. A match that void or very long deals bring near this limit is called off: see `is_full`.
"""

MAX_BYTES: Final = 16 << 20
"""The most bytes of a record.

The longest action that can fill a match is a player's seed, with 83 bytes. A deck is longer, but shorter moves follow
it. So `MAX_ACTIONS` take up 16.6 million bytes, which leaves 177,216 for the headers.
"""


def is_full(actions: int) -> bool:
    """Return whether a log of so many actions has no room for another round. Its match is called off then."""
    return actions + MAX_ROUND > MAX_ACTIONS
