"""Comparisons of two people in words."""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Preferences
from bot.model.statistics import Category, Player, Results
from cogs.standings import versus_text as texts
from cogs.standings.versus_panel import versus as panel
from cogs.standings.versus_panel import versus_button
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    button_labels,
    length,
    match_between,
    opened_pictures,
    text_of,
)
from tests.gallery.sample_profiles import versus
from tests.helpers.message_parts import menus_in

FEW = versus("12d1o-", (110, 35, 12, 104))


def test_the_text_has_every_fact_of_the_picture() -> None:
    """The text has all results, points, gins and streaks, and lists the last matches, newest first."""
    assert texts.facts(FEW) == (
        "**6 matches**: \u2068North\u2069 won **2**, \u2068South\u2069 won **1**, 1 drawn, 1 won by others, "
        "1 without a result\nPoints from deals: 366 – 417 (61.0 – 69.5 per match)\nGins: 2 – 0\nBest streak: 1 – 1"
    )
    heading, first, second, *_ = texts.last_matches(FEW).splitlines()
    assert heading == "**Last 6 · points from deals**"
    assert texts.option(FEW.meetings[-1], Category.POINTS) == "12 – 104 deal points, no result, 23 Nov 2026"
    assert (first, second) == ("-# 23 Nov 2026: 12 – 104, no result", "-# 20 Nov 2026: 110 – 35, others won")
    assert "-# 17 Nov 2026: 12 – 104, \u2068North\u2069 won" in texts.last_matches(FEW)
    assert texts.together(FEW) is None
    assert texts.together(replace(FEW, together=Results(2, 1, 1, 0))) == "As partners: 2 matches, **1** won"


def test_below_the_picture_are_the_facts_that_it_leaves_out() -> None:
    """The text below the picture says how the matches ended that neither won, and that the points are of teams."""
    told = "-# Won by neither: 1 drawn, 1 won by others, 1 without a result."
    assert texts.below_picture(FEW) == told
    teams = replace(FEW, category=Category.TEAMS)
    assert texts.below_picture(teams) == f"{told}\n-# Points are those of each team."
    assert texts.below_picture(versus("12", (110, 35))) is None


async def test_the_picture_replaces_the_numbers() -> None:
    """With the picture, the text has neither sums nor matches, and the menu lists the matches. Without it, it has both.

    Results as partners, which are not in the picture, are always there.
    """
    partners = replace(FEW, together=Results(2, 1, 1, 0))
    async with opened_pictures() as pictures:
        shown = await panel(partners, Preferences(), pictures)
        in_words = await panel(partners, Preferences(pictures=False), pictures)
    assert text_of(shown).splitlines()[1:] == [str(texts.below_picture(FEW)), str(texts.together(partners))]
    assert text_of(shown.without_files()) == text_of(in_words)
    for text in (texts.facts(partners), texts.last_matches(partners), str(texts.together(partners))):
        assert text in text_of(in_words)
    assert [len(menu.options) for message in (shown, in_words) for menu in menus_in(message)] == [6, 6]


async def test_the_message_fits() -> None:
    """A comparison with the longest names, all categories and ten matches fits; one without matches says so."""
    long = versus("12o-d" * 9, (123_456, 7), (LONGEST_NAME, LONGEST_NAME))
    long = replace(long, categories=tuple(Category), together=Results(9, 8, 1, 0))
    match = match_between("North", "South")
    async with opened_pictures() as pictures:
        shown = await panel(long, Preferences(), pictures)
        anchored = await panel(long, Preferences(pictures=False), pictures, match)
        none = await panel(replace(versus("", (1, 2))), Preferences(), pictures)
    assert length(shown.without_files()) < MESSAGE_LIMIT * 3 / 4
    assert [len(menu.options) for menu in menus_in(shown)] == [10]
    assert button_labels(shown) == button_labels(anchored) == ["Team matches", "Matches for penalty points"]
    assert len(shown.attached) == 1
    assert anchored.attached == ()
    assert "haven't finished a rated match against each other here yet" in text_of(none)


def test_a_match_has_the_button_if_two_people_remain() -> None:
    """The result of a match has a button to compare its players, unless one of them asked to be forgotten."""
    finished = match_between("North", "South", status=MatchStatus.FINISHED)
    assert versus_button(finished) is not None
    assert versus_button(match_between("North", None, status=MatchStatus.FINISHED)) is None
    unknown = replace(finished, players=(finished.players[0], Player(PersonId(5), None)))
    assert versus_button(unknown) is not None
