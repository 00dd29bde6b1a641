"""The score sheet as text, in all formats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.rules import PRESETS
from bot.model.appearance import Appearance
from bot.model.people import Preferences
from cogs.showdowns.score_sheet import MAX_DEALS, bonuses, score_sheet, sheet_facts, table_of
from cogs.tables import table_panel as panels
from cogs.words import rules
from cogs.words.names import monogram_key, monograms
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    length,
    long_match,
    match_between,
    opened_pictures,
    recorded,
    summary_of,
    text_of,
)

PHONE_WIDTH = 40
"""Number of monospaced characters that fit on a line on a phone."""


def _sheet(record: str) -> str:
    match = recorded(record)
    summary = summary_of(match)
    return score_sheet(summary.view, summary.deals, monograms(summary.match.players))


def _row(sheet: str, label: str) -> list[list[str]]:
    """Return the cells after the label, for each line of a score sheet that begins with this label."""
    lines = [line.split("│") for line in sheet.splitlines() if "│" in line]
    return [[cell.strip() for cell in cells[1:]] for cells in lines if cells[0].strip() == label]


def test_the_sheet_of_the_worked_example() -> None:
    """Deals, running totals, bonuses and the final totals of the worked example agree with its source."""
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
    """Every preset's sheet has a column per side, all deals and the match's totals, and fits a phone's width."""
    match = recorded(f"preset-{preset}")
    sheet = _sheet(f"preset-{preset}")
    summary = summary_of(match)
    assert rules.short_line(summary.match.rules, summary.match.ruleset) in sheet_facts(summary)[-1]
    score = match.score
    assert _row(sheet, "Total")[-1] == [str(total) for total in score.totals]
    assert all(len(line) <= PHONE_WIDTH for line in sheet.splitlines())
    assert len({len(line) for line in sheet.splitlines() if "│" in line}) <= 1 + 2 * len(score.columns)
    if not score.columns:
        plain = score.scores == score.totals
        assert _row(sheet, "Points") == ([] if plain else [[str(points) for points in score.scores]])
        assert sum(line[:1].isdigit() for line in sheet.splitlines()) == len(match.finished)


def test_three_games_have_a_sheet_each() -> None:
    """Three games have three sheets: a side's first won deal is on one of them, its second won deal on two."""
    sheet, score = _sheet("preset-hollywood"), recorded("preset-hollywood").score
    assert [_row(sheet, f"Game {place}") for place in (1, 2, 3)] == [[["N", "S"]]] * 3
    assert (len(_row(sheet, "1 knock")), len(_row(sheet, "2 gin"))) == (1, 2)
    totals = [[str(total) for total in game.totals] for game in score.columns]
    assert _row(sheet, "Total") == [*totals, [str(total) for total in score.totals]]


def test_partners_share_a_column() -> None:
    """Partners have one column, with a line for each board and, below both boards, a line for the round's score."""
    sheet = _sheet("preset-partners")
    assert _row(sheet, "Deal.board") == [["N+E", "S+W"]]
    assert _row(sheet, "1.1 knock") == [["6", ""]]
    assert _row(sheet, "1.2 knock") == [["", "2"]]
    assert _row(sheet, "Round 1") == [["+4 = 4", ""]]
    assert sheet.index("1.2 knock") < sheet.index("Round 1") < sheet.index("2.1 knock")


def test_penalty_points_have_no_bonuses() -> None:
    """With penalty points, the sheet has only each player's running total, without bonuses."""
    sheet = _sheet("preset-penalty")
    assert _row(sheet, "Totals") == [["N", "S", "E"]]
    assert _row(sheet, "2 undercut") == [["39", "12", ""]]
    assert _row(sheet, "Game") == _row(sheet, "Lines") == []


@pytest.mark.thorough
async def test_the_scorecard_uses_the_viewers_theme() -> None:
    """The score card has the viewer's theme in an answer, the server's in a result; its alt text has the totals.

    The text explains the monograms. The sheet is in the text only if there is no picture.
    """
    summary, forfeited = summary_of(recorded("004-score-sheet")), summary_of(recorded("resignation"))
    themes = [Preferences(appearance=Appearance(theme)) for theme in ("classic", "dark")]
    async with opened_pictures() as pictures:
        classic, dark = [(await panels.score(summary, chosen, pictures)).attached[0] for chosen in themes]
        server = (await panels.score(forfeited, themes[0], pictures)).attached[0]
        end = await panels.end(forfeited, pictures)
        no_picture = await panels.score(summary, Preferences(pictures=False), pictures)
        both = await panels.score(summary, themes[0], pictures)
    assert classic.alt is not None
    assert "Total: N 335, S 131. N won by 204." in classic.alt
    assert dark.alt == classic.alt
    assert dark.content != classic.content
    assert end.attached[0] == server
    assert monogram_key(forfeited.match) in text_of(end)
    assert sheet_facts(forfeited)[1] not in text_of(end)
    assert sheet_facts(forfeited)[1] in text_of(end.without_files())
    assert no_picture.attached == ()
    for shown in (both, both.without_files(), no_picture):
        assert monogram_key(summary.match) in text_of(shown)
    assert "+49 = 61" not in text_of(both)
    assert "+49 = 61" in text_of(no_picture)
    assert "+49 = 61" in text_of(both.without_files())


async def test_before_a_deal_is_over_there_is_no_sheet() -> None:
    """Before the first deal is over, the message with the score says so and has no picture."""
    async with opened_pictures() as pictures:
        shown = await panels.score(replace(summary_of(recorded("unfinished")), deals=()), Preferences(), pictures)
    assert shown.attached == ()
    assert "No deal" in text_of(shown)


def test_immediate_line_bonuses_are_below_the_points() -> None:
    """Line bonuses that count towards the target are already on the sheet of a running match, below the points."""
    match = long_match(3, "classic line_credit=at_once line_bonus=10")
    summary, score = summary_of(match), match.score
    sheet = score_sheet(summary.view, summary.deals, monograms(summary.match.players))
    assert _row(sheet, "Lines") == [[f"+{bonus}" for bonus in score.line]]
    assert _row(sheet, "Total") == [[str(sum(both)) for both in zip(score.scores, score.line, strict=True)]]


def test_an_unfinished_match_has_no_bonuses_yet() -> None:
    """The sheet of a running match ends with the points."""
    sheet = _sheet("unfinished")
    assert sheet.splitlines()[-2].startswith("Points")
    assert bonuses(summary_of(recorded("unfinished")).view) is None


def test_the_rows_of_bonuses_are_explained() -> None:
    """Below the sheet, a line says what *Game* and *Lines* are, if the sheet has these rows."""
    told = {
        preset: bonuses(summary_of(recorded(f"preset-{preset}")).view) for preset in ("classic", "hollywood", "penalty")
    }
    assert told == {
        "classic": "-# Game: 100 for winning the match · Lines: 20 for each deal won",
        "hollywood": "-# Game: 100 for winning a game · Lines: 20 for each deal won",
        "penalty": None,
    }
    assert "-# Game: 100" in sheet_facts(summary_of(recorded("004-score-sheet")))[-1]


@pytest.mark.thorough
@pytest.mark.parametrize("deals", [45, pytest.param(150, marks=pytest.mark.nightly)])
async def test_the_score_sheet_of_a_long_match_fits_a_message(deals: int) -> None:
    """On the score sheet of a long match, the first deals are summarized on one line, and the totals still add up."""
    match = long_match(deals)
    summary = summary_of(match, match_between(LONGEST_NAME, LONGEST_NAME, rules=match.rules))
    async with opened_pictures() as pictures:
        messages = (await panels.score(summary, Preferences(), pictures), await panels.end(summary, pictures))
    for shown in messages:
        assert length(shown) < MESSAGE_LIMIT
        assert length(shown.without_files()) < MESSAGE_LIMIT
    score = summary.view.score
    lines = score_sheet(summary.view, summary.deals, monograms(summary.match.players)).splitlines()
    assert lines[2].startswith(f"1–{len(summary.deals) - MAX_DEALS} ")
    assert len([line for line in lines if " = " in line or " void" in line]) >= 20
    assert lines[-2].split() == ["Points", "│", str(score.scores[0]), "│", str(score.scores[1])]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "seats", "deals"),
    [
        ("hollywood", 2, 45),
        ("partners", 4, 45),
        ("penalty", 4, 45),
        *(
            pytest.param(rules, seats, 150, marks=pytest.mark.nightly)
            for rules, seats in (("hollywood", 2), ("partners", 4), ("penalty", 4))
        ),
    ],
)
async def test_long_sheets_of_other_formats_fit(rules: str, seats: int, deals: int) -> None:
    """Long sheets with three games, four columns or two boards per round fit a message and stay narrow."""
    match = long_match(deals, rules, seats)
    summary = summary_of(match, match_between(*[LONGEST_NAME] * seats, rules=match.rules))
    async with opened_pictures() as pictures:
        shown = await panels.score(summary, Preferences(pictures=False), pictures)
    assert length(shown) < MESSAGE_LIMIT
    sheet = next(text for text in text_of(shown).split("\n\n") if "```" in text)
    assert max(len(line) for line in sheet.splitlines() if "│" in line) <= PHONE_WIDTH + 10


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    """Each column is as wide as its widest cell; labels are left-aligned, numbers right-aligned."""
    assert table_of([("", ["A"]), ("Points", ["115"])]) == "```\n       │   A\nPoints │ 115\n```"
