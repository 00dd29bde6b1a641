"""The presets: named sets of rules, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.engine.rules.option import Value


@dataclass(frozen=True, slots=True)
class Preset:
    """The values of a preset that differ from the defaults, and its source.

    `source` cites the publications at the end of `docs/rules.md` by labels in square brackets.
    """

    source: str
    values: Mapping[str, Value]


def _preset(source: str, **values: Value) -> Preset:
    return Preset(source, values)


_STRICT: Final[Mapping[str, Value]] = {
    "undercut_on_tie": False,
    "discard_drawn": "never",
    "line_bonus": 25,
    "shutout": "plus_100",
    "lay_off_mode": "manual",
}
"""The option values that [Lemus] prescribes for any number of players. Several presets share them."""

PRESETS: Final[Mapping[str, Preset]] = {
    "classic": _preset("[How to Play] with its house rule 2"),
    "standard": _preset("[Laying Off]", lay_off_mode="manual"),
    "strict": _preset("[Lemus]", next_dealer="loser", **_STRICT),
    "express": _preset("[Yimmaw]", big_gin_bonus=30),
    "big": _preset(
        "[Knock Rules], first part",
        big_gin_bonus=31,
        line_bonus=25,
        shutout="double_deals",
        shutout_needs="winner_won_all",
        lay_off_mode="manual",
        opening="offer_then_free",
    ),
    "penalty": _preset(
        "[Knock Rules], second part, which names no target: 100 is ours",
        format="penalty",
        cards_dealt=7,
        undercut_on_tie=False,
        lay_off_chain=False,
        stock_out="reshuffle",
        opening="free",
        game_bonus=0,
        line_bonus=0,
    ),
    "oklahoma": _preset("[Laying Off], [Pagat], [Bicycle]", knock_limit="upcard", target=150),
    "quick": _preset("[How to Play], house rule 1", lay_off=False),
    "free_discard": _preset("[How to Play] without its house rule 2", discard_drawn="free"),
    "low": _preset("[How to Play], house rule 3", gin_bonus=20, undercut_bonus=10),
    "even": _preset("[How to Play], house rule 3", gin_bonus=20, undercut_bonus=20),
    "blitz": _preset("[How to Play], house rule 4", shutout="double_score"),
    "traditional": _preset(
        "[Pagat], [Bicycle]",
        gin_bonus=20,
        undercut_bonus=10,
        shutout="game_bonus_doubled",
        next_dealer="winner",
        winner="first_to_target",
    ),
    "tournament": _preset("[GRA]", last_discard="may_go_out", discard_drawn="free"),
    "research": _preset("[EAAI]", line_bonus=0, game_bonus=0),
    "straight": _preset("[Wikipedia]", knock_limit=0),
    "hollywood": _preset("[Wikipedia]", scoring="hollywood", target=150),
    "round_the_corner": _preset("[Wikipedia]", aces="round_the_corner"),
    "rotation": _preset("[Pagat], seated as in [Lemus]", format="rotation"),
    "strict_rotation": _preset("[Lemus]", format="rotation", **_STRICT),
    "winner_stays": _preset("[Pagat]", format="winner_stays", next_dealer="loser"),
    "partners": _preset("[Pagat]", format="partners", target=125),
    "strict_partners": _preset("[Lemus]", format="partners", **_STRICT),
}
"""The current presets, by name."""

VERSIONS: Final[Mapping[int, Mapping[str, Mapping[str, Value]]]] = {
    1: {"big": {"opening": "offer"}, "penalty": {"opening": "offer"}},
    2: {},
    3: {},
    4: {},
    5: {},
}
"""The versions of records, and for each version the preset values that later versions changed.

To change a preset, add a version here and record the old value in every earlier one.
"""

VERSION: Final = max(VERSIONS)
"""The current version of records."""
