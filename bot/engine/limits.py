"""Limits of deals and matches, so that no deal lasts forever and no record is too long to read.

Players who keep taking each other's discards never use up the stock, and a stock that is reshuffled never runs out. No
published rules end such a deal, so the turn limit is the project's own. The limits on moves, actions and bytes derive
from it. Parsers of records enforce these limits.
"""

from __future__ import annotations

from typing import Final

MAX_TURNS_PER_PLAYER: Final = 100
"""Maximum number of turns for each player in a deal. At the limit the deal is void.

OpenSpiel ends a deal of two players when the fiftieth card is taken from the pile.
Computer players go out long before the limit. In 1,700 deals between players who took every helpful card, nobody had
more than 77 turns.
"""

MAX_SEEDS_PER_DEAL: Final = 10
"""Maximum number of seeds that a player may give for one deal by changing their shuffle words.

Each seed stays in the log.
"""

MAX_SEEDS: Final = 10_000
"""Maximum number of player seeds in a match, limited because an audit lists all of them."""

MAX_MOVES_PER_DEAL: Final = 10_000
"""Maximum number of moves in a deal.

Four players with `MAX_TURNS_PER_PLAYER` make 800 moves, and passes and responses to a knock add fewer than a hundred.
The remaining moves are for old logs, which were written when deals had no turn limit.
"""

MAX_ACTIONS_PER_ROUND: Final = 2_000
"""Maximum number of actions in a round.

A deal of four players with ten cards has up to 945 actions: 900 moves, one deck, and 44 reshuffles (one for every nine
cards drawn). With a reveal for the deck and each reshuffle, that is 990. Two boards of two players, each with 500 moves
and six reshuffles, make 1,028. Changes of shuffle words by four seats, takeovers, the reveal of the cut, and a
resignation add fewer than fifty.
"""

MAX_ACTIONS: Final = 200_000
"""Maximum number of actions in a match.

Players can agree on at most 1,000 scored rounds of up to two deals, and a deal that draws its whole stock has about 70
actions, which makes 140,000. A match that comes near this limit through void or very long deals is called off: see
`is_log_full`.
"""

MAX_RECORD_BYTES: Final = 16 << 20
"""Maximum size of a record, in bytes.

The longest action that can be repeated throughout a match is a player seed, with 83 bytes. A deck is longer, but
shorter moves follow it. So `MAX_ACTIONS` take up 16.6 million bytes, which leaves 177,216 for the headers.
"""


def is_log_full(actions: int) -> bool:
    """Return True if a log with this many actions has no room for another round. Its match is then called off."""
    return actions + MAX_ACTIONS_PER_ROUND > MAX_ACTIONS
