"""The lines of the scorecard agree with the engine's score."""

from __future__ import annotations

import pytest

from bot.engine.showdown import OutcomeKind
from cardart.text.scorecard import games, lines, shortened, sums
from tests.cardart.views import SYSTEMS, scored
from tests.helpers.cases import thorough_after

each_system = pytest.mark.parametrize(("rules", "seats"), thorough_after(3, SYSTEMS))


@each_system
def test_what_is_added_comes_to_what_each_game_stands_at(rules: str, seats: int) -> None:
    """In every format, the points and boxes of the lines add up to the score of each game."""
    for view, deals in scored(1, rules, seats):
        told = [line for line in lines(deals) if line.what != "board"]
        for game, score in enumerate(games(view.score)):
            stands = [0] * len(view.sides)
            for line in told:
                stands = [had + (more or 0) for had, more in zip(stands, line.added[game], strict=True)]
                assert tuple(stands) == line.totals[game]
            assert tuple(stands) == score.scores or not told
            boxes = [sum(line.boxes[game][side] for line in told) for side in range(len(view.sides))]
            assert [number * view.rules.line_bonus for number in boxes] == list(score.line)


@each_system
def test_sums_end_with_the_total(rules: str, seats: int) -> None:
    """The last sum of a finished game is its total, and the points and bonuses add up to it."""
    view, deals = scored(2, rules, seats)[-1]
    assert view.score.over
    for score in games(view.score):
        told = sums(deals, score)
        assert (told[-1].name, told[-1].numbers) == ("Total", score.totals)
        if len(told) > 1:
            assert tuple(map(sum, zip(*(one.numbers for one in told[:-1]), strict=True))) == score.totals


@each_system
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_shortened_sheet_goes_on_where_the_sum_ends(rules: str, seats: int, most: int) -> None:
    """The last deals keep their lines. The line before them has the totals and boxes of all earlier deals."""
    whole = lines(scored(3, rules, seats)[-1][1])
    short = shortened(whole, most)
    if short == whole:
        assert sum(line.deal is not None for line in whole) <= most + 1
        return
    earlier, rest = short[0], short[1:]
    assert rest == whole[-len(rest) :]
    before = whole[: -len(rest)]
    assert earlier.totals == before[-1].totals
    assert earlier.boxes[0][0] == sum(line.boxes[0][0] for line in before)
    assert sum(line.deal is not None for line in rest) == most
    assert shortened(short, 1) == shortened(whole, 1)


def test_how_a_deal_ended_is_told_in_a_word() -> None:
    """The line of a deal has its number and its outcome in a word or two."""
    told = lines(scored(0, "partners target=40", 4)[-1][1])
    assert [line.label for line in told[:3]] in (["1.1", "1.2", "Round 1"], ["1.2", "1.1", "Round 1"])
    assert all((line.how == "") == (line.what == "round") for line in told)
    assert {line.how for line in told} <= {"", *(kind.value.replace("_", " ") for kind in OutcomeKind)}
