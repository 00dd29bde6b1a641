"""The texts of a table."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.engine.cards.cards import parse_cards
from bot.engine.deals.phase import Phase
from bot.engine.matches.views import public_view
from bot.model.appearance import Appearance
from bot.model.matches import Proposal, Table
from cardart.text.card_names import ENGLISH, card_names
from cogs.tables import table_panel as panels
from cogs.words import table as texts
from tests.cardart.views import public_views
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    NOW,
    just_dealt,
    length,
    long_match,
    match_between,
    match_info_of,
    opened_pictures,
    recorded,
    recorded_until,
    table_of,
)


@pytest.mark.parametrize(
    ("record", "phase", "expected"),
    [
        ("004-score-sheet", Phase.OFFER, "**⁨North⁩** to take the **9♠** or pass; dealt <t:"),
        ("004-score-sheet", Phase.DRAW, "**⁨North⁩** to draw; last move <t:"),
        ("004-score-sheet", Phase.DISCARD, "**⁨North⁩** to discard; last move <t:"),
        ("options/last_discard-may_go_out", Phase.WALL, "**⁨North⁩** to go out with the **4♣**, or pass; last move <t:"),
        ("options/lay_off_mode-manual", Phase.LAY_OFF, "**⁨South⁩** to lay off on ⁨North⁩'s melds; last move <t:"),
    ],
)
def test_the_table_says_whose_turn_it_is(record: str, phase: Phase, expected: str) -> None:
    """In each phase the table names the player whose turn it is and their possible moves."""
    assert texts.turn(table_of(recorded_until(record, phase))).startswith(expected)


def test_a_knock_is_shown_during_the_layoff() -> None:
    """The knocker's melds and deadwood are shown during the layoff, and not before."""
    match = recorded_until("options/lay_off_mode-manual", Phase.LAY_OFF)
    shown = table_of(match)
    assert (
        texts.knock(shown.match, shown.view, ENGLISH)
        == "**⁨North⁩** knocked with 8: 6♥ 7♥ 8♥ 9♥ / Q♣ Q♥ Q♠, deadwood A♣ 3♣ 4♠"
    )
    before = table_of(recorded_until("options/lay_off_mode-manual", Phase.DISCARD))
    assert texts.knock(before.match, before.view, ENGLISH) is None


def test_the_table_says_who_deals_and_who_sits_out() -> None:
    """The table shows the cut and the dealer. In rotation, the dealer sits out; in a team match, a side deals."""
    for record, ending in (
        ("004-score-sheet", "Deal 1: ⁨North⁩ cut K♦ and ⁨South⁩ cut 7♥; ⁨South⁩ has the lowest card and deals"),
        ("options/format-rotation", "⁨East⁩ cut 6♠; ⁨East⁩ has the lowest card, deals and sits out"),
        ("options/format-partners", "⁨West⁩ cut 6♦; ⁨North⁩'s team has the lowest card and deals"),
    ):
        assert texts.dealt(table_of(recorded_until(record, Phase.OFFER))).endswith(ending)
    assert texts.dealt(table_of(just_dealt("classic first_dealer=challenged", 2))) == "Deal 1, dealt by ⁨South⁩"
    boards = [texts.dealt(table_of(just_dealt("partners", 4), board)) for board in (1, 2)]
    assert [board.partition(":")[0] for board in boards] == ["Deal 1, board 1", "Deal 1, board 2"]
    titles = [texts.title(table_of(just_dealt("partners", 4), board)) for board in (1, 2)]
    assert titles == [f"⁨North⁩ and ⁨East⁩ vs ⁨South⁩ and ⁨West⁩ · board {board}" for board in (1, 2)]
    assert texts.title(table_of(just_dealt("classic"))) == "⁨North⁩ vs ⁨South⁩"


def test_a_finished_board_waits_for_the_other_board() -> None:
    """The table of a finished board says that the round ends once the other board is over too."""
    match = recorded_until("options/format-partners", Phase.DONE)
    assert texts.turn(table_of(match)) == "This board is finished. The round ends when the other board finishes."
    assert texts.turn(table_of(recorded("preset-partners"))) == "The match is over."


def test_the_table_has_the_knock_limit() -> None:
    """The knock limit is a number or *gin only*, and the table says if the deal counts double."""
    for record, ending in (
        ("004-score-sheet", "knock with 10 or less"),
        ("preset-straight", "gin only"),
        ("preset-oklahoma", "; the deal counts double"),
    ):
        assert texts.piles(table_of(recorded_until(record, Phase.OFFER)).view, ENGLISH).endswith(ending)


def test_final_scores_are_by_side() -> None:
    """Final scores give one total per side, even after three games, and penalty points are labeled."""
    scores = {name: texts.scores(match_info_of(recorded(name)), public_view(recorded(name))) for name in _FINAL_SCORES}
    assert scores == _FINAL_SCORES


_FINAL_SCORES = {
    "preset-partners": "⁨North⁩ and ⁨East⁩ **24** – ⁨South⁩ and ⁨West⁩ **206**",
    "preset-hollywood": "⁨North⁩ **526** – ⁨South⁩ **215**",
    "preset-penalty": "⁨North⁩ **102** – ⁨South⁩ **12** – ⁨East⁩ **57** penalty points",
}


@pytest.mark.parametrize("preset", ["oklahoma", "hollywood", "partners", "penalty"])
async def test_the_table_fits_a_message_with_the_longest_names(preset: str) -> None:
    """The table fits a message early and late in a match, even if all players have offered to call off the match."""
    early, late = recorded_until(f"preset-{preset}", Phase.DISCARD), recorded(f"preset-{preset}")
    proposals = (Proposal.CANCEL,) * late.seats
    info = match_between(*[LONGEST_NAME] * late.seats, rules=late.rules, proposals=proposals)
    async with opened_pictures() as pictures:
        for match in (early, late):
            shown = await panels.table(Table(info, public_view(match), NOW), pictures)
            assert length(shown.without_files()) < MESSAGE_LIMIT / 2


async def test_a_table_with_a_high_target_fits_a_message() -> None:
    """A table with a five-digit target and the longest names fits."""
    match = long_match(3)
    info = match_between(LONGEST_NAME, LONGEST_NAME, rules=match.rules)
    async with opened_pictures() as pictures:
        shown = await panels.table(Table(info, public_view(match), NOW), pictures)
    assert length(shown.without_files()) < MESSAGE_LIMIT / 2


def test_three_games_have_separate_scores_while_they_run() -> None:
    """In a Hollywood match each side has three scores."""
    early = recorded_until("preset-hollywood", Phase.DISCARD)
    assert texts.scores(match_info_of(early), public_view(early)) == "⁨North⁩ **0/0/0** – ⁨South⁩ **0/0/0**"


@pytest.mark.thorough
def test_a_game_that_is_over_says_who_won() -> None:
    """While other games continue, the text names the winner of a finished game."""
    view = next(
        view
        for view in public_views(0, "hollywood target=40")
        if not view.score.is_over and view.score.columns and view.score.columns[0].is_over
    )
    info = match_between("North", "South", rules=view.rules)
    winner = view.score.columns[0].winner
    assert winner is not None
    assert f"\n-# Game 1 is over: ⁨{('North', 'South')[winner]}⁩ won" in texts.scores(info, view)


def test_the_table_has_the_last_discards_and_the_sizes_of_hands() -> None:
    """The table lists discards newest first, and how many cards each player holds; a player who knocked is left out."""
    info = replace(match_between("North", "South"), appearance=Appearance(language="de"))
    view = replace(table_of(just_dealt("classic")).view, discards=parse_cards("2c Qd 7h 10s Jc"))
    assert texts.piles(view, card_names("de")).startswith(
        "Stock **31** · top of the pile **B♣**, under it 10♠ 7♥ D♦, 5 in all · "
    )
    assert texts.piles(replace(view, discards=()), ENGLISH).startswith("Stock **31** · the discard pile is empty · ")
    assert texts.cards_in_hand(Table(info, view, NOW)) == "Cards in hand: **N** ⁨North⁩ 10, **S** ⁨South⁩ 10"
    knocked = table_of(recorded_until("options/lay_off_mode-manual", Phase.LAY_OFF))
    assert texts.cards_in_hand(knocked) == "Cards in hand: **S** ⁨South⁩ 10"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (86_399, "23 hours ago"),
        (200_000, "2 days ago"),
    ],
)
def test_menus_show_the_time_since_the_last_move(seconds: int, expected: str) -> None:
    """The time since the last move is shown in its largest whole unit."""
    assert texts.ago(timedelta(seconds=seconds)) == expected
