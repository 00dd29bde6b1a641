"""A profile in texts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.values.people import Challengers, Preferences, Push
from bot.values.statistics import Category, PlayedMatch, Player, Profile, Rival, Week
from cogs.panels.pictures import Pictures
from cogs.panels.profile import profile as panel
from cogs.text import profile as texts
from tests.cogs.text.samples import LONGEST, MOST, NOW, buttons, length
from tests.cogs.text.samples import words as all_words

_CHOSEN = Preferences(hand_by_dm=True, push=Push.DM, challengers=Challengers.ANYONE, dm_works=None)


def profile(*played: tuple[bool | None, bool, int]) -> Profile:
    """A profile of these matches: won, drawn, net."""
    return Profile(
        player=Player(1, "North"),
        ladder=Category.POINTS,
        ladders=(Category.POINTS,),
        played=tuple(PlayedMatch(NOW + timedelta(days=day), *one) for day, one in enumerate(played)),
        deals_won=9,
        deals_lost=7,
        points=310,
        gins=2,
        undercuts=0,
        rival=Rival(Player(2, "South"), 3, 2, 1),
    )


MIXED = profile((True, False, 60), (True, False, 20), (False, False, -100), (None, True, 5), (None, False, -3))


def test_a_profile_tells_everything_in_words() -> None:
    """Every kind of result, the share of those that count, points, deals with their ways, and the rival."""
    assert texts.told(MIXED).splitlines() == [
        "**5** matches: **2** won (50 %), 1 lost, 1 drawn, 1 without a result",
        "Net points **-18**: what deals brought you, less what they brought the best of the others",
        "Best streak: **2** won in a row",
        "Deals: **9** won (7 by knocking and 2 with gin), 7 lost · 310 points",
        "Most often against ⁨South⁩: 3 matches, **2** won, 1 lost",
    ]


def test_penalty_points_are_called_so() -> None:
    """Fewer are better, and the words say it."""
    told = texts.told(replace(MIXED, ladder=Category.PENALTY))
    assert "so many fewer penalty points" in told
    assert "· 310 penalty points" in told


def test_weeks_are_told_in_one_line() -> None:
    """Matches, then players, the oldest week first; nothing is said where nothing was played."""
    told = [Week(NOW.date(), 3, 4), Week(NOW.date(), 0, 0)]
    assert texts.activity(told) == "-# Matches in each of the last 2 weeks: 3 0 · players: 4 0"
    assert texts.activity(()) is None


async def test_the_message_fits_and_leads_to_other_ladders() -> None:
    """With the longest names, a picture with monograms only, and kind words where there is nothing."""
    pictures = Pictures()
    try:
        long = replace(MIXED, player=Player(1, LONGEST), rival=Rival(Player(2, LONGEST), 1, 0, 0))
        shown = await panel(replace(long, ladders=(Category.TEAMS, Category.POINTS)), _CHOSEN, pictures, "me")
        plain = await panel(long, replace(_CHOSEN, pictures=False), pictures, "me")
        empty = await panel(replace(profile(), rival=None), _CHOSEN, pictures, "me")
    finally:
        pictures.close()
    assert length(shown) < MOST / 2
    assert buttons(shown) == ["Matches of teams"]
    assert LONGEST not in str(shown.attached[0].alt)
    assert (plain.attached, empty.attached) == ((), ())
    assert "You have finished no match here yet" in all_words(empty)
