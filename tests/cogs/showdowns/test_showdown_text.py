"""The texts at the end of a deal and of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.deals.moves import LOSE_ON_TIME, RESIGN, Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import TOO_LONG, OutcomeKind
from bot.engine.matches.match import Play, apply
from bot.model.matches import MatchStatus, Showdown
from bot.model.ratings import FIRST_RATING, Rating, RatingChange
from cogs.showdowns import showdown_text as texts
from cogs.words.ratings import appears_after
from tests.cogs.samples import just_dealt, match_info_of, recorded, recorded_until, showdowns_of, summary_of
from tests.engine.decks import arrangement
from tests.gallery.sample_scorecards import scored


def _showdown(record: str, number: int, board: int = 1) -> Showdown:
    """Return the showdown of the deal with this number in a record file."""
    showdowns = showdowns_of(recorded(record))
    return next(showdown for showdown in showdowns if (showdown.view.number, showdown.view.board) == (number, board))


@pytest.mark.parametrize(
    ("record", "number", "title", "points"),
    [
        ("004-score-sheet", 1, "Deal 1: ⁨North⁩ wins by knocking, 15 points", "⁨North⁩ scores 21 − 6 = **15**"),
        ("004-score-sheet", 4, "Deal 4: ⁨South⁩ goes gin, 49 points", "⁨South⁩ scores 24 + 25 for the gin = **49**"),
        (
            "004-score-sheet",
            6,
            "Deal 6: ⁨North⁩ undercuts, 27 points",
            "⁨North⁩ scores 6 − 4 + 25 for the undercut = **27**",
        ),
        ("preset-express", 2, "Deal 2: ⁨South⁩ goes big gin, 35 points", "⁨South⁩ scores 5 + 30 for the big gin = **35**"),
        ("preset-strict", 2, "Deal 2: a tie, nobody scores", "Both have 8 points of deadwood: nobody scores."),
        (
            "preset-oklahoma",
            1,
            "Deal 1: ⁨South⁩ goes gin, 54 points",
            "⁨South⁩ scores (2 + 25 for the gin) × 2 for the spade upcard = **54**, and 5 lines",
        ),
        (
            "preset-penalty",
            1,
            "Deal 1: ⁨South⁩ wins by knocking, 13 penalty points for ⁨East⁩ and 4 for ⁨North⁩",
            "Charged: ⁨East⁩ 22 − 9 = **13**, ⁨North⁩ 13 − 9 = **4**",
        ),
        (
            "preset-penalty",
            2,
            "Deal 2: ⁨East⁩ undercuts, 35 penalty points for ⁨North⁩ and 12 for ⁨South⁩",
            "Charged: ⁨North⁩ 10 + 25 for the undercut = **35**, ⁨South⁩ **12**",
        ),
    ],
)
def test_a_showdown_explains_its_points(record: str, number: int, title: str, points: str) -> None:
    """For every outcome, the text says who won, how, and how the points add up."""
    showdown = _showdown(record, number)
    assert texts.title(showdown.view, showdown.match) == title
    assert texts.hands(showdown).endswith(f"\n\n{points}")


def test_one_point_is_singular() -> None:
    """A deal won by one point uses the singular."""
    shown = _showdown("004-score-sheet", 1)
    narrow = replace(shown, view=replace(shown.view, outcome=replace(shown.view.outcome, difference=1)))
    assert texts.title(narrow.view, narrow.match).endswith("wins by knocking, 1 point")


def test_the_sums_of_whole_records_are_the_engines_points() -> None:
    """In every deal, the bold numbers in the last paragraph are the points that the engine scored or charged."""
    seen: set[OutcomeKind] = set()
    for record in ("004-score-sheet", "preset-big", "preset-penalty", "preset-oklahoma", "preset-partners"):
        for showdown in showdowns_of(recorded(record)):
            outcome, (_, _, sums) = showdown.view.outcome, texts.hands(showdown).rpartition("\n\n")
            if outcome.winner is None:
                continue
            seen.add(outcome.kind)
            points = [points for _, points in showdown.view.penalty_points] or [outcome.points]
            assert [int(bold) for bold in sums.split("**")[1::2]] == points
    assert {OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT} <= seen


def test_the_knockers_hand_comes_first() -> None:
    """The knocker's hand comes first, with the discard. Each hand has its melds, deadwood and layoffs."""
    text = texts.hands(_showdown("preset-penalty", 1))
    assert text.startswith("**S** ⁨South⁩ knocks, discarding Q♥\nMelds: 9♣ 10♣ J♣ Q♣\nDeadwood: A♠ 2♦ 6♦ (**9**)")
    assert [part.partition("**")[2].partition("**")[0] for part in text.split("\n\n")[:-1]] == ["S", "E", "N"]
    assert text.split("\n\n")[1].endswith("Laid off: 8♣ on 9♣ 10♣ J♣ Q♣")
    assert text.count("Laid off") == 1


def test_a_void_deal_shows_no_hand() -> None:
    """The text says why the deal is void and who deals next, or, with two boards, that this board scores nothing."""
    deal = _showdown("void-deal", 1)
    void = "Two cards were left in the stock, and nobody went out."
    assert texts.title(deal.view, deal.match) == "Deal 1: void, nobody scores"
    assert texts.hands(deal) == f"{void} The same player deals again."
    for view, then in (
        (replace(deal.view, rules=replace(deal.view.rules, void_redeal="deal_passes")), "The next player deals."),
        (replace(deal.view, boards=2), "Nobody scores on this board."),
    ):
        assert texts.hands(replace(deal, view=view)) == f"{void} {then}"


def test_an_overlong_deal_says_so() -> None:
    """The text of a deal that took too long gives the number of turns as the reason."""
    deal = _showdown("void-deal", 1)
    ended = replace(deal, view=replace(deal.view, outcome=TOO_LONG))
    assert texts.hands(ended) == "Everyone had 100 turns, and nobody went out. The same player deals again."


def test_a_tie_between_three_players_says_all() -> None:
    """With three equal hands the text says *all* instead of *both*."""
    deal = _showdown("preset-penalty", 1)
    same = arrangement("", "8c")
    tied = replace(
        deal.view.outcome, kind=OutcomeKind.TIE, winner=None, hands=(same,) * 3, deadwood=(8, 8, 8), lay_offs=()
    )
    view = replace(deal.view, outcome=tied, penalty_points=())
    assert texts.hands(replace(deal, view=view)).endswith("All have 8 points of deadwood: nobody scores.")


@pytest.mark.parametrize(
    ("record", "number", "expected"),
    [
        ("004-score-sheet", 2, "Score: ⁨North⁩ **27** – ⁨South⁩ **0**"),
        ("preset-hollywood", 2, "Score: ⁨North⁩ **59/56/0** – ⁨South⁩ **0/0/0**"),
        (
            "preset-hollywood",
            3,
            "Score: ⁨North⁩ **59/56/0** – ⁨South⁩ **63/0/0**\n-# Game 1 is over: ⁨South⁩ won",
        ),
        ("preset-penalty", 1, "Penalty points: ⁨North⁩ **4** – ⁨South⁩ **0** – ⁨East⁩ **13**"),
        (
            "preset-partners",
            1,
            "Score: ⁨North⁩ and ⁨East⁩ **0** – ⁨South⁩ and ⁨West⁩ **0**\n-# A round counts once both boards are finished.",
        ),
    ],
)
def test_the_score_after_a_deal(record: str, number: int, expected: str) -> None:
    """The score lists sides and games, and says if it is in penalty points."""
    assert texts.running_score(_showdown(record, number)) == expected


@pytest.mark.parametrize(
    ("record", "sums"),
    [
        (
            "004-score-sheet",
            [
                "-# ⁨North⁩: 115 + 100 for the match + 120 for 6 deals won (20 each) = 335",
                "-# ⁨South⁩: 71 + 60 for 3 deals won (20 each) = 131",
            ],
        ),
        ("preset-hollywood", ["for the games", "lines (20 each)"]),
        ("preset-partners", ["for the match", "for 1 line"]),
        ("preset-penalty", []),
    ],
)
def test_the_last_score_adds_up(record: str, sums: list[str]) -> None:
    """Only the last score of a match has each side's points and bonuses, which add up to the total."""
    *earlier, last = showdowns_of(recorded(record))
    assert not any(" = " in texts.running_score(showdown) for showdown in earlier)
    told = texts.running_score(last)
    assert all(sum_ in told for sum_ in sums)
    assert ("Final score: " in told) == (last.view.rules.format != "penalty")
    for line in filter(lambda line: " = " in line, told.splitlines()):
        terms, _, total = line.partition(": ")[2].partition(" = ")
        assert sum(int(term.split()[0]) for term in terms.split(" + ")) == int(total)
        assert f"**{total}**" in told
    assert ("= " in told) == bool(sums)


def test_the_last_score_names_shutouts_and_single_deals() -> None:
    """The calculation of the final score has the bonus for a shutout, and the bonus for a single deal won."""
    showdown = _showdown("004-score-sheet", 9)
    _, (*_, last) = scored("strict target=50", "0 gin 30")
    told = texts.running_score(replace(showdown, view=last))
    assert told.endswith("-# ⁨North⁩: 55 + 100 for the match + 25 for 1 deal won + 100 for the shutout = 280")


def test_the_last_board_of_a_round_says_what_the_round_scores() -> None:
    """The text has the points of both boards and their difference, as on the score sheet; a tie scores nothing."""
    team, other = "⁨North⁩ and ⁨East⁩", "⁨South⁩ and ⁨West⁩"
    last = _showdown("preset-partners", 1, board=2)
    expected = f"-# Round 1: {team} 6, {other} 2. {team} score 4."
    assert texts.running_score(last) == f"Score: {team} **4** – {other} **0**\n{expected}"
    tie = texts.running_score(replace(last, view=replace(last.view, board_points=(5, 5))))
    assert tie.endswith(f"-# Round 1: {team} 5, {other} 5, a tie. Nobody scores.")


@pytest.mark.parametrize(
    ("record", "title"),
    [
        ("004-score-sheet", "⁨North⁩ wins the match by 204"),
        ("preset-partners", "⁨South⁩ and ⁨West⁩ win the match by 182"),
        ("preset-penalty", "⁨South⁩ wins the match by 45"),
        ("preset-hollywood", "⁨North⁩ wins the match by 311"),
    ],
)
def test_the_title_says_who_won_the_match(record: str, title: str) -> None:
    """The title of a finished match names the winning side and the margin."""
    assert texts.end_title(summary_of(recorded(record))) == title


def test_the_end_lists_three_sides_by_place() -> None:
    """The end of a match of three sides has their places and scores, best first. Two sides need no list."""
    assert texts.places(summary_of(recorded("preset-penalty"))) == "1. ⁨South⁩ **12** · 2. ⁨East⁩ **57** · 3. ⁨North⁩ **102**"
    assert texts.places(summary_of(recorded("preset-partners"))) is None
    match = apply(recorded_until("preset-penalty", Phase.DISCARD), Play(Seat(0), RESIGN))
    assert texts.places(summary_of(match)) is None


@pytest.mark.parametrize(("margin", "ending"), [(-30, " with 30 fewer points"), (0, ", equal totals"), (1, " by 1")])
def test_the_winner_may_have_the_lower_total(margin: int, ending: str) -> None:
    """The winner may have the lower or an equal total, if the first player to reach the target wins."""
    summary = summary_of(recorded("004-score-sheet"))
    view = replace(summary.view, score=replace(summary.view.score, margin=margin))
    assert texts.end_title(replace(summary, view=view)) == f"⁨North⁩ wins the match{ending}"


@pytest.mark.parametrize(
    ("record", "title"),
    [
        ("004-score-sheet", "⁨South⁩ wins: ⁨North⁩ resigned"),
        ("preset-partners", "⁨South⁩ and ⁨West⁩ win: ⁨North⁩ resigned"),
        ("preset-penalty", "⁨North⁩ resigned: the match ends without a winner"),
        ("preset-rotation", "⁨North⁩ resigned: the match ends without a winner"),
    ],
)
def test_the_title_says_who_resigned(record: str, title: str) -> None:
    """The title says who resigned. The other player or team wins; with more than two sides nobody does."""
    match = apply(recorded_until(record, Phase.DISCARD), Play(Seat(0), RESIGN))
    assert texts.end_title(summary_of(match)) == title


@pytest.mark.parametrize(
    ("rules", "seats", "title"),
    [
        ("classic", 2, "⁨South⁩ wins: ⁨North⁩ lost on time"),
        ("penalty", 3, "⁨East⁩ lost on time: the match ends without a winner"),
    ],
)
def test_the_title_says_who_lost_on_time(rules: str, seats: int, title: str) -> None:
    """The title says who lost on time; the result is the same as after a resignation."""
    dealt = just_dealt(rules, seats)
    match = apply(dealt, Play(dealt.to_act[0], LOSE_ON_TIME))
    assert texts.end_title(summary_of(match)) == title


def test_the_title_of_a_match_without_a_winner() -> None:
    """The title of a match without a winner says if it was called off, was drawn, or is still running."""
    match = recorded("004-score-sheet")
    summary = summary_of(match)
    assert texts.end_title(summary_of(match, match_info_of(match, MatchStatus.CANCELLED))).endswith(
        "called off, so it doesn't count"
    )
    assert texts.end_title(summary_of(match, match_info_of(match))) == "⁨North⁩ vs ⁨South⁩: the score"
    drawn = replace(summary.view, score=replace(summary.view.score, winner=None))
    assert texts.end_title(replace(summary, view=drawn)) == "⁨North⁩ vs ⁨South⁩: a draw"


def test_ratings_that_do_not_appear_yet_are_one_small_line() -> None:
    """Shown ratings have their changes. Of hidden ones, the text has the missing matches, once if they are equal."""
    match = match_info_of(recorded("004-score-sheet"))
    new, later, settled = FIRST_RATING, Rating(1500, 225), Rating(1612, 150)

    def told(*after: Rating) -> str | None:
        return texts.ratings(replace(match, ratings=tuple(RatingChange(1, rating, rating) for rating in after)))

    missing = appears_after(new)
    assert told(new, new) == f"-# Ratings appear after {missing}."
    assert told(settled, new) == f"Ratings: ⁨North⁩ 1612 → **1612**\n-# ⁨South⁩'s rating appears after {missing}."
    assert told(new, later) == (
        f"-# ⁨North⁩'s rating appears after {missing}. ⁨South⁩'s rating appears after {appears_after(later)}."
    )
    assert texts.ratings(match) is None
