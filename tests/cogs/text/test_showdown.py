"""The end of a deal and of a match in texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.match import Play, apply
from bot.engine.moves import RESIGN, Seat
from bot.engine.showdown import OutcomeKind
from bot.engine.views import Phase
from bot.values.matches import MatchStatus, Showdown
from cogs.text import showdown as texts
from tests.cogs.text.samples import card_for, end_of, recorded, showdowns_of, until
from tests.engine.decks import laid


def _shown(record: str, number: int, board: int = 1) -> Showdown:
    """A finished deal of a golden record."""
    found = (post for post in showdowns_of(recorded(record)) if (post.view.number, post.view.board) == (number, board))
    return next(found)


@pytest.mark.parametrize(
    ("record", "number", "title", "reckoning"),
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
        ("preset-strict", 2, "Deal 2: a tie, nobody scores", "Both keep 8: nobody scores."),
        (
            "preset-oklahoma",
            1,
            "Deal 1: ⁨South⁩ goes gin, 54 points",
            "⁨South⁩ scores (2 + 25 for the gin) × 2 for the spade = **54**, and 5 lines",
        ),
        (
            "preset-penalty",
            1,
            "Deal 1: ⁨South⁩ wins by knocking, 17 penalty points for the others",
            "Charged: ⁨East⁩ 22 − 9 = **13**, ⁨North⁩ 13 − 9 = **4**",
        ),
        (
            "preset-penalty",
            2,
            "Deal 2: ⁨East⁩ undercuts, 47 penalty points for the others",
            "Charged: ⁨North⁩ 10 + 25 for the undercut = **35**, ⁨South⁩ **12**",
        ),
    ],
)
def test_how_a_deal_ended_and_what_it_brought(record: str, number: int, title: str, reckoning: str) -> None:
    """Who did what for how many points, and a sum that comes to them, for every kind of end."""
    post = _shown(record, number)
    assert texts.title(post) == title
    assert texts.told(post).endswith(f"\n\n{reckoning}")


def test_the_sums_of_every_golden_record_come_out() -> None:
    """A bold number at the end of a reckoning is what the engine scored or charged, in every deal of every preset."""
    seen: set[OutcomeKind] = set()
    for record in ("004-score-sheet", "preset-big", "preset-penalty", "preset-oklahoma", "preset-partners"):
        for post in showdowns_of(recorded(record)):
            outcome, (_, _, reckoning) = post.view.outcome, texts.told(post).rpartition("\n\n")
            if outcome.winner is None:
                continue
            seen.add(outcome.kind)
            points = [points for _, points in post.view.charged] or [outcome.points]
            assert [int(bold) for bold in reckoning.split("**")[1::2]] == points
    assert {OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT} <= seen


def test_the_hands_are_told_from_the_knocker_on() -> None:
    """Each with melds, deadwood and what they laid off themselves; the knocker's discard first of all."""
    told = texts.told(_shown("preset-penalty", 1))
    assert told.startswith("**S** ⁨South⁩ knocks, discarding Q♥\nMelds: 9♣ 10♣ J♣ Q♣\nDeadwood: A♠ 2♦ 6♦ (**9**)")
    assert [part.partition("**")[2].partition("**")[0] for part in told.split("\n\n")[:-1]] == ["S", "E", "N"]
    assert told.split("\n\n")[1].endswith("Laid off: 8♣ on 9♣ 10♣ J♣ Q♣")
    assert told.count("Laid off") == 1


def test_a_void_deal_shows_no_hand() -> None:
    """The reason, and who deals again; on one of two boards that it counts nothing."""
    post = _shown("void-deal", 1)
    void = "A discard left two cards in the stock, and nobody went out."
    assert texts.title(post) == "Deal 1: void, nobody scores"
    assert texts.told(post) == f"{void} The same player deals again."
    for view, told in (
        (replace(post.view, rules=replace(post.view.rules, void_redeal="deal_passes")), "The deal passes on."),
        (replace(post.view, boards=2), "This board counts nothing."),
    ):
        assert texts.told(replace(post, view=view)) == f"{void} {told}"


def test_a_tie_of_several_is_of_all() -> None:
    """Three with the same deadwood are not called both."""
    post = _shown("preset-penalty", 1)
    same = laid("", "8c")
    tied = replace(
        post.view.outcome, kind=OutcomeKind.TIE, winner=None, hands=(same,) * 3, deadwood=(8, 8, 8), lay_offs=()
    )
    view = replace(post.view, outcome=tied, charged=())
    assert texts.told(replace(post, view=view)).endswith("All keep 8: nobody scores.")


@pytest.mark.parametrize(
    ("record", "number", "told"),
    [
        ("004-score-sheet", 2, "Score: ⁨North⁩ **27** – ⁨South⁩ **0**"),
        ("preset-hollywood", 2, "Score: ⁨North⁩ **59/56/0** – ⁨South⁩ **0/0/0**"),
        ("preset-penalty", 1, "Penalty points: ⁨North⁩ **4** – ⁨South⁩ **0** – ⁨East⁩ **13**"),
        (
            "preset-partners",
            1,
            "Score: ⁨North⁩ and ⁨East⁩ **0** – ⁨South⁩ and ⁨West⁩ **0**\n-# A round counts once both of its boards are over.",
        ),
    ],
)
def test_the_score_after_a_deal(record: str, number: int, told: str) -> None:
    """By side and by game, and what it is of."""
    assert texts.running_score(_shown(record, number)) == told


def test_the_last_board_of_a_round_tells_what_the_round_counts() -> None:
    """What both boards brought, and the difference, which is what stands on the score sheet; equal boards nothing."""
    team, other = "⁨North⁩ and ⁨East⁩", "⁨South⁩ and ⁨West⁩"
    post = _shown("preset-partners", 1, board=2)
    told = f"-# Round 1: {team} 6, {other} 2 on both boards, so {team} score 4."
    assert texts.running_score(post) == f"Score: {team} **4** – {other} **0**\n{told}"
    equal = texts.running_score(replace(post, view=replace(post.view, earned=(5, 5))))
    assert equal.endswith(f"-# Round 1: {team} 5, {other} 5 on both boards, which is equal: nobody scores.")


@pytest.mark.parametrize(
    ("record", "title"),
    [
        ("004-score-sheet", "⁨North⁩ wins the match by 204"),
        ("preset-partners", "⁨South⁩ and ⁨West⁩ win the match by 182"),
        ("preset-penalty", "⁨South⁩ wins the match by 45"),
        ("preset-hollywood", "⁨North⁩ wins the match by 311"),
    ],
)
def test_how_a_match_ended(record: str, title: str) -> None:
    """The side that won, and by how much."""
    assert texts.end_title(end_of(recorded(record))) == title


@pytest.mark.parametrize(("margin", "told"), [(-30, ", 30 behind"), (0, ", equal totals"), (1, " by 1")])
def test_who_wins_with_less_than_another_is_told_so(margin: int, told: str) -> None:
    """The first to the target may win behind the other's bonuses, or on equal totals."""
    post = end_of(recorded("004-score-sheet"))
    view = replace(post.view, score=replace(post.view.score, margin=margin))
    assert texts.end_title(replace(post, view=view)) == f"⁨North⁩ wins the match{told}"


@pytest.mark.parametrize(
    ("record", "title"),
    [
        ("004-score-sheet", "⁨South⁩ wins: ⁨North⁩ resigned"),
        ("preset-partners", "⁨South⁩ and ⁨West⁩ win: ⁨North⁩ resigned"),
        ("preset-penalty", "⁨North⁩ resigned: the match ends without a winner"),
        ("preset-rotation", "⁨North⁩ resigned: the match ends without a winner"),
    ],
)
def test_how_a_resigned_match_ended(record: str, title: str) -> None:
    """The other wins, or the other team; where more play for themselves nobody does."""
    match = apply(until(record, Phase.DISCARD), Play(Seat(0), RESIGN))
    assert texts.end_title(end_of(match)) == title


def test_a_match_without_a_result_says_so() -> None:
    """Called off, drawn, or still running."""
    match = recorded("004-score-sheet")
    post = end_of(match)
    assert texts.end_title(end_of(match, card_for(match, MatchStatus.CANCELLED))).endswith("called off, nothing counts")
    assert texts.end_title(end_of(match, card_for(match))) == "⁨North⁩ vs ⁨South⁩: the score"
    drawn = replace(post.view, score=replace(post.view.score, winner=None))
    assert texts.end_title(replace(post, view=drawn)) == "⁨North⁩ vs ⁨South⁩: a drawn match"
