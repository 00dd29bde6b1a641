"""A table in texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards import parse_cards
from bot.engine.views import Phase, public_view
from bot.values.appearance import Appearance
from bot.values.matches import Proposal, Table
from cardart.text.card_names import ENGLISH, names_of
from cogs.panels import match as panels
from cogs.panels.pictures import Pictures
from cogs.text import table as texts
from tests.cardart.views import public_views
from tests.cogs.text.samples import (
    LONGEST,
    MOST,
    NOW,
    begun,
    card_for,
    card_of,
    length,
    long_match,
    recorded,
    table_of,
    until,
)


@pytest.mark.parametrize(
    ("record", "phase", "told"),
    [
        ("004-score-sheet", Phase.OFFER, "**⁨North⁩** to take the **9♠** or pass, since <t:"),
        ("004-score-sheet", Phase.DRAW, "**⁨North⁩** to draw, since <t:"),
        ("004-score-sheet", Phase.DISCARD, "**⁨North⁩** to discard, since <t:"),
        ("knobs/last_discard-may_go_out", Phase.WALL, "**⁨North⁩** to go out with the **4♣**, or pass, since <t:"),
        ("knobs/lay_off_mode-manual", Phase.LAY_OFF, "**⁨South⁩** to lay off on ⁨North⁩'s melds, since <t:"),
    ],
)
def test_whose_turn_it_is_to_do_what(record: str, phase: Phase, told: str) -> None:
    """In each phase the player to act is named, with what they may do."""
    assert texts.turn(table_of(until(record, phase))).startswith(told)


def test_a_knock_that_is_answered_lies_open() -> None:
    """The knocker's melds and deadwood are told to all while the others lay off, and not before."""
    match = until("knobs/lay_off_mode-manual", Phase.LAY_OFF)
    shown = table_of(match)
    assert (
        texts.knock(shown.match, shown.view, ENGLISH)
        == "**⁨North⁩** knocked with 8: 6♥ 7♥ 8♥ 9♥ / Q♣ Q♥ Q♠, deadwood A♣ 3♣ 4♠"
    )
    before = table_of(until("knobs/lay_off_mode-manual", Phase.DISCARD))
    assert texts.knock(before.match, before.view, ENGLISH) is None


def test_who_deals_and_who_sits_out() -> None:
    """The cut says who deals first: of three the dealer sits out, of two teams the side with the lowest card deals."""
    for record, told in (
        ("004-score-sheet", "Deal 1: the cut was ⁨North⁩ K♦ and ⁨South⁩ 7♥, and the lower card deals: ⁨South⁩"),
        ("knobs/format-rotation", "⁨East⁩ 6♠, and the lowest card deals: ⁨East⁩, who sits out"),
        ("knobs/format-partners", "⁨West⁩ 6♦, and the side with the lowest card deals, here ⁨North⁩"),
    ):
        assert texts.dealt(table_of(until(record, Phase.OFFER))).endswith(told)
    assert texts.dealt(table_of(begun("classic first_dealer=challenged", 2))) == "Deal 1, dealt by ⁨South⁩"
    boards = [texts.dealt(table_of(begun("partners", 4), board)) for board in (1, 2)]
    assert [board.partition(":")[0] for board in boards] == ["Deal 1, board 1", "Deal 1, board 2"]
    titles = [texts.title(table_of(begun("partners", 4), board)) for board in (1, 2)]
    assert titles == [f"⁨North⁩ and ⁨East⁩ vs ⁨South⁩ and ⁨West⁩ · board {board}" for board in (1, 2)]
    assert texts.title(table_of(begun("classic"))) == "⁨North⁩ vs ⁨South⁩"


def test_a_board_that_is_over_waits_for_the_other() -> None:
    """Of two boards the first to be over says what it waits for."""
    match = until("knobs/format-partners", Phase.DONE)
    assert texts.turn(table_of(match)) == "This board is over. The round ends once the other board is over too."
    assert texts.turn(table_of(recorded("preset-partners"))) == "The match is over."


def test_what_a_knock_may_leave_is_told() -> None:
    """A number, the upcard's, or gin only; a spade that doubles the deal is named."""
    for record, told in (
        ("004-score-sheet", "knock with 10 or less"),
        ("preset-straight", "gin only"),
        ("preset-oklahoma", "a spade doubles"),
    ):
        assert texts.piles(table_of(until(record, Phase.OFFER)).view, ENGLISH).endswith(told)


def test_final_scores_are_by_side() -> None:
    """Partners score together, three games are summed up, and penalty points are called so."""
    told = {name: texts.scores(card_for(recorded(name)), public_view(recorded(name))) for name in _ENDS}
    assert told == _ENDS


_ENDS = {
    "preset-partners": "⁨North⁩ and ⁨East⁩ **24** – ⁨South⁩ and ⁨West⁩ **206**",
    "preset-hollywood": "⁨North⁩ **526** – ⁨South⁩ **215**",
    "preset-penalty": "⁨North⁩ **102** – ⁨South⁩ **12** – ⁨East⁩ **57** penalty points",
}


@pytest.mark.parametrize("preset", ["oklahoma", "hollywood", "partners", "penalty"])
async def test_the_table_fits_into_a_message_with_the_longest_names(preset: str) -> None:
    """Names of all stars, an early and a late deal, and an offer to call the match off, by rules with much to say."""
    early, late = until(f"preset-{preset}", Phase.DISCARD), recorded(f"preset-{preset}")
    card = card_of(*[LONGEST] * late.seats, rules=late.rules, proposals=(Proposal.CANCEL,) * late.seats)
    pictures = Pictures()
    try:
        for match in (early, late):
            shown = await panels.table(Table(card, public_view(match), NOW), pictures)
            assert length(shown) < MOST / 2
    finally:
        pictures.close()


async def test_the_table_of_a_long_match_fits_into_a_message() -> None:
    """Scores of four figures, and a deal of two."""
    match = long_match(3)
    pictures = Pictures()
    try:
        shown = await panels.table(
            Table(card_of(LONGEST, LONGEST, rules=match.rules), public_view(match), NOW), pictures
        )
    finally:
        pictures.close()
    assert length(shown) < MOST / 2


def test_three_games_are_told_apart_while_they_run() -> None:
    """Amid a Hollywood match each side stands at three numbers."""
    early = until("preset-hollywood", Phase.DISCARD)
    assert texts.scores(card_for(early), public_view(early)) == "⁨North⁩ **0/0/0** – ⁨South⁩ **0/0/0**"


def test_three_games_that_are_over_say_who_won() -> None:
    """While the others go on; once all are over the totals say it."""
    view = next(
        view
        for view in public_views(0, "hollywood target=40")
        if not view.score.over and view.score.columns and view.score.columns[0].over
    )
    card = card_of("North", "South", rules=view.rules)
    winner = view.score.columns[0].winner
    assert winner is not None
    assert f"\n-# Game 1 is over: ⁨{('North', 'South')[winner]}⁩ won" in texts.scores(card, view)


def test_the_last_discards_and_all_that_is_held_are_told() -> None:
    """The top of the pile and what lies under it, newest first; the cards in hand, but for who sits out or knocked."""
    card = replace(card_of("North", "South"), look=Appearance(language="de"))
    view = replace(table_of(begun("classic")).view, discards=parse_cards("2c Qd 7h 10s Jc"))
    assert texts.piles(view, names_of("de")).startswith(
        "Stock **31** · top of the pile **B♣**, under it 10♠ 7♥ D♦, 5 in all · "
    )
    assert texts.piles(replace(view, discards=()), ENGLISH).startswith("Stock **31** · the pile is empty · ")
    assert texts.holdings(Table(card, view, NOW)) == "Cards in hand: **N** ⁨North⁩ 10, **S** ⁨South⁩ 10"
    knocked = table_of(until("knobs/lay_off_mode-manual", Phase.LAY_OFF))
    assert texts.holdings(knocked) == "Cards in hand: **S** ⁨South⁩ 10"
