"""The lines of the scorecard agree with the engine's score."""

from __future__ import annotations

import pytest

from bot.engine.deals.showdown import OutcomeKind
from cardart.text.scorecard import games, score_lines, score_sums, shortened_lines
from tests.cardart.views import SYSTEMS, scored_matches
from tests.helpers.cases import thorough_after

each_system = pytest.mark.parametrize(("rules", "seats"), thorough_after(3, SYSTEMS))


@each_system
def test_added_points_and_boxes_match_the_score(rules: str, seats: int) -> None:
    """In every format, the points and boxes of the lines add up to the score of each game."""
    for view, deals in scored_matches(1, rules, seats):
        told = [line for line in score_lines(deals) if line.kind != "board"]
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
    view, deals = scored_matches(2, rules, seats)[-1]
    assert view.score.is_over
    for score in games(view.score):
        told = score_sums(deals, score)
        assert (told[-1].name, told[-1].numbers) == ("Total", score.totals)
        if len(told) > 1:
            assert tuple(map(sum, zip(*(row.numbers for row in told[:-1]), strict=True))) == score.totals


@each_system
@pytest.mark.parametrize("most", [1, 2, 3])
def test_shortened_lines_continue_from_the_sum(rules: str, seats: int, most: int) -> None:
    """Shortened lines keep the last deals; one line before them has the totals and boxes of all earlier deals."""
    whole = score_lines(scored_matches(3, rules, seats)[-1][1])
    short = shortened_lines(whole, most)
    if short == whole:
        assert sum(line.deal is not None for line in whole) <= most + 1
        return
    earlier, rest = short[0], short[1:]
    assert rest == whole[-len(rest) :]
    before = whole[: -len(rest)]
    assert earlier.totals == before[-1].totals
    assert earlier.boxes[0][0] == sum(line.boxes[0][0] for line in before)
    assert sum(line.deal is not None for line in rest) == most
    assert shortened_lines(short, 1) == shortened_lines(whole, 1)


def test_each_line_has_its_label_and_outcome() -> None:
    """The line of a deal has the deal, the board and the outcome; the line of a round has only the round."""
    told = score_lines(scored_matches(0, "partners target=40", 4)[-1][1])
    assert [line.label for line in told[:3]] in (["1.1", "1.2", "Round 1"], ["1.2", "1.1", "Round 1"])
    assert all((line.outcome_name == "") == (line.kind == "round") for line in told)
    assert {line.outcome_name for line in told} <= {"", *(kind.value.replace("_", " ") for kind in OutcomeKind)}
