"""The score sheet in all formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.engine.rules import PRESETS
from bot.values.appearance import Appearance
from bot.values.people import Challengers, Preferences, Push
from cogs.panels import match as panels
from cogs.panels.pictures import Pictures
from cogs.text.people import marks
from cogs.text.sheet import score_sheet, table_of
from tests.cogs.text.samples import LONGEST, MOST, card_for, card_of, end_of, length, long_match, recorded, words

_CHOSEN = Preferences(hand_by_dm=True, push=Push.DM, challengers=Challengers.ANYONE, dm_works=None)

PHONE = 40
"""So many signs of a monospaced line fit on a phone."""


@pytest.fixture
def pictures() -> Iterator[Pictures]:
    """The drawing of pictures."""
    drawing = Pictures()
    yield drawing
    drawing.close()


def _sheet(record: str) -> str:
    match = recorded(record)
    post = end_of(match)
    return score_sheet(marks(card_for(match)), match.sides, post.deals, post.view.score)


def _row(sheet: str, label: str) -> list[list[str]]:
    """The cells of the lines with a label."""
    lines = [line.split("│") for line in sheet.splitlines() if "│" in line]
    return [[cell.strip() for cell in cells[1:]] for cells in lines if cells[0].strip() == label]


def test_the_sheet_of_the_worked_example() -> None:
    """Nine deals with what each brought and came to, then the bonuses and the totals, as the source has it."""
    sheet = _sheet("004-score-sheet")
    assert _row(sheet, "4 gin") == [["", "+49 = 61"]]
    assert _row(sheet, "9 undercut") == [["+27 = 115", ""]]
    assert [_row(sheet, label) for label in ("Points", "Game", "Lines", "Total")] == [
        [["115", "71"]],
        [["+100", "+0"]],
        [["+120", "+60"]],
        [["335", "131"]],
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_sheet_of_every_preset_adds_up_and_fits(preset: str) -> None:
    """A column for each side, every deal by its number, the match's own totals below, and no wider than a phone."""
    match = recorded(f"preset-{preset}")
    sheet = _sheet(f"preset-{preset}")
    score = match.score
    assert _row(sheet, "Total")[-1] == [str(total) for total in score.totals]
    assert all(len(line) <= PHONE for line in sheet.splitlines())
    assert len({len(line) for line in sheet.splitlines() if "│" in line}) <= 1 + 2 * len(score.columns)
    if not score.columns:
        plain = score.scores == score.totals
        assert _row(sheet, "Points") == ([] if plain else [[str(points) for points in score.scores]])
        assert sum(line[:1].isdigit() for line in sheet.splitlines()) == len(match.finished)


def test_three_games_have_a_sheet_each() -> None:
    """A deal stands on the sheets it counts in: the first win in one, the second in two; then the sum of the three."""
    sheet, score = _sheet("preset-hollywood"), recorded("preset-hollywood").score
    assert [_row(sheet, f"Game {place}") for place in (1, 2, 3)] == [[["N", "S"]]] * 3
    assert (len(_row(sheet, "1 knock")), len(_row(sheet, "2 gin"))) == (1, 2)
    totals = [[str(total) for total in game.totals] for game in score.columns]
    assert _row(sheet, "Total") == [*totals, [str(total) for total in score.totals]]


def test_partners_share_a_column_and_a_round() -> None:
    """Each board's points stand beside it, and what counts of them below, once both are over."""
    sheet = _sheet("preset-partners")
    assert _row(sheet, "Deal.board") == [["N+E", "S+W"]]
    assert _row(sheet, "1.1 knock") == [["6", ""]]
    assert _row(sheet, "1.2 knock") == [["", "2"]]
    assert _row(sheet, "Round 1") == [["+4 = 4", ""]]
    assert sheet.index("1.2 knock") < sheet.index("Round 1") < sheet.index("2.1 knock")


def test_penalty_points_have_no_bonuses() -> None:
    """Three columns of sums, of which several grow in one deal."""
    sheet = _sheet("preset-penalty")
    assert _row(sheet, "2 undercut") == [["39", "12", ""]]
    assert _row(sheet, "Game") == _row(sheet, "Lines") == []


async def test_the_sheet_is_a_picture_too(pictures: Pictures) -> None:
    """The picture's words have the sheet's totals; it looks as its reader chose, and the match's end as the server."""
    post = end_of(recorded("004-score-sheet"))
    looks = [replace(_CHOSEN, look=Appearance(theme)) for theme in ("classic", "dark")]
    shown, dark = [(await panels.score(post, chosen, pictures)).attached[0] for chosen in looks]
    assert shown.alt is not None
    assert "Total: N 335, S 131. N won by 204." in shown.alt
    assert dark.alt == shown.alt
    assert dark.content != shown.content
    assert (await panels.end(post, pictures)).attached[0] == shown
    assert "+49 = 61" in words(await panels.end(post, pictures))
    plain = await panels.score(post, replace(_CHOSEN, pictures=False), pictures)
    assert plain.attached == ()
    assert "+49 = 61" in words(plain)


async def test_before_a_deal_is_over_there_is_no_sheet(pictures: Pictures) -> None:
    """Words alone say so."""
    shown = await panels.score(replace(end_of(recorded("unfinished")), deals=()), _CHOSEN, pictures)
    assert shown.attached == ()
    assert "No deal" in words(shown)


def test_lines_that_count_at_once_stand_below_the_points() -> None:
    """Where they count towards the target, the sheet of a running match adds them up as the table does."""
    match = long_match(3, "classic line_credit=at_once line_bonus=10")
    post = end_of(match)
    sheet, score = score_sheet(marks(card_for(match)), match.sides, post.deals, post.view.score), match.score
    assert _row(sheet, "Lines") == [[f"+{bonus}" for bonus in score.line]]
    assert _row(sheet, "Total") == [[str(sum(both)) for both in zip(score.scores, score.line, strict=True)]]


def test_an_unfinished_match_has_no_bonuses_yet() -> None:
    """While the match runs the sheet ends with the points."""
    sheet = _sheet("unfinished")
    assert sheet.splitlines()[-2].startswith("Points")


@pytest.mark.slow
async def test_a_score_sheet_of_a_long_match_fits_into_a_message(pictures: Pictures) -> None:
    """With hundreds of deals the first ones are summed up in one line, and the totals still add up."""
    match = long_match(150)
    post = end_of(match, card_of(LONGEST, LONGEST, rules=match.rules))
    for shown in (await panels.score(post, _CHOSEN, pictures), await panels.end(post, pictures)):
        assert length(shown) < MOST
    sheet = score_sheet(marks(post.match), match.sides, post.deals, post.view.score)
    lines = sheet.splitlines()
    assert lines[2].startswith("1–110 ")
    assert len([line for line in lines if " = " in line or " void" in line]) >= 20
    assert lines[-2].split() == ["Points", "│", str(post.view.score.scores[0]), "│", str(post.view.score.scores[1])]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats"), [("hollywood", 2), ("partners", 4), ("penalty", 4)])
async def test_long_sheets_of_other_formats_fit_too(rules: str, seats: int, pictures: Pictures) -> None:
    """Three sheets for three games, four columns, two boards a round: all within one message and a phone's width."""
    match = long_match(60, rules, seats)
    post = end_of(match, card_of(*[LONGEST] * seats, rules=match.rules))
    shown = await panels.score(post, _CHOSEN, pictures)
    assert length(shown) < MOST
    sheet = next(text for text in words(shown).split("\n\n") if "```" in text)
    assert max(len(line) for line in sheet.splitlines() if "│" in line) <= PHONE + 10


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    """Labels to the left, numbers to the right."""
    assert table_of([("", ["A"]), ("Points", ["115"])]) == "```\n       │   A\nPoints │ 115\n```"
