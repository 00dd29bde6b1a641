"""The standings in words."""

from __future__ import annotations

from bot.values.ids import PersonId
from bot.values.statistics import Category, Standing
from cogs.text import leaderboard


def test_a_line_has_every_kind_of_result() -> None:
    """Matches drawn and without a result are named where there are any, so that all matches are accounted for."""
    tally = {"deals_won": 7, "deals_lost": 4, "points": 130, "gins": 2, "undercuts": 0}
    some = Standing(**tally, person_id=PersonId(1), name="North", matches=6, won=3, lost=1, drawn=1, net=-20)
    only = Standing(**tally, person_id=PersonId(1), name="North", matches=3, won=3, lost=0, drawn=0, net=20)
    assert leaderboard.line(2, some, Category.POINTS).splitlines() == [
        "**2.** ⁨North⁩: **3** won, 1 lost, 1 drawn, 1 more without a result",
        "-# 130 points · net −20 · deals 7–4 · 2 gin",
    ]
    assert leaderboard.line(1, only, Category.POINTS).startswith("**1.** ⁨North⁩: **3** won, 0 lost\n")
