"""The score, deal by deal: games with bonuses, Hollywood, penalty points, and resignations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

import pytest

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import VOID, Outcome, OutcomeKind
from bot.engine.matches.scoring import Entry, Score, add_charges, add_entry, charges, new_score, score_after_forfeit
from bot.engine.rules import Rules

Result = tuple[int | None, int]


def entries(*results: Result) -> list[Entry]:
    """Return lines of a score sheet with these winners and points. Each win has one box."""
    return [Entry(side, points, 0 if side is None else 1) for side, points in results]


def score_after(rules: Rules, sides: int, lines: Sequence[Entry]) -> Score:
    """Return the score after these lines of a score sheet."""
    return reduce(partial(add_entry, rules), lines, new_score(rules, sides))


def test_nothing_is_over_before_the_target() -> None:
    """At 99 of 100 the match continues, without a winner or game bonus. Line bonuses accrue per box."""
    score = score_after(Rules(), 2, entries((0, 99), (None, 0), (1, 30)))
    assert (score.is_over, score.winner, score.margin) == (False, None, None)
    assert (score.scores, score.deals_won, score.line, score.game) == ((99, 30), (1, 1), (20, 20), (0, 0))
    assert score.totals == (119, 50)


def test_the_target_ends_the_match() -> None:
    """At exactly the target the match is over, and the first side to reach it gets the game bonus."""
    score = score_after(Rules(), 2, entries((1, 60), (0, 10), (1, 40)))
    assert (score.is_over, score.winner, score.margin) == (True, 1, 240 - 30)
    assert (score.line, score.game, score.shutout, score.totals) == ((20, 40), (0, 100), (0, 0), (30, 240))


@pytest.mark.parametrize(
    ("credit", "bonus", "over", "totals"),
    [("at_end", 25, False, (180, 0)), ("at_once", 25, True, (280, 0)), ("at_once", 4, False, (96, 0))],
)
def test_lines_count_towards_the_target_only_if_credited_at_once(
    credit: str, bonus: int, over: bool, totals: tuple[int, int]
) -> None:
    """Line bonuses count towards the target only if the rules credit them immediately."""
    rules = Rules.parse(f"classic line_credit={credit} line_bonus={bonus}")
    score = score_after(rules, 2, entries((0, 20), (0, 20), (0, 20), (0, 20)))
    assert (score.is_over, score.scores, score.line, score.totals) == (over, (80, 0), (4 * bonus, 0), totals)


def test_extra_boxes_earn_extra_lines() -> None:
    """A win with several boxes counts as one deal won, but earns a line bonus for each box."""
    score = score_after(Rules(), 2, [Entry(0, 30, 3), Entry(1, 10, 2)])
    assert (score.line, score.deals_won) == ((60, 40), (1, 1))


@pytest.mark.parametrize(("winner", "won_by", "margin"), [("highest_total", 1, 99), ("first_to_target", 0, -99)])
def test_boxes_may_beat_the_target(winner: str, won_by: int, margin: int) -> None:
    """Without a game bonus, line bonuses can beat the side that reaches the target, if the rules allow this."""
    rules = Rules.parse(f"classic game_bonus=0 line_bonus=50 winner={winner}")
    score = score_after(rules, 2, entries((1, 40), (1, 30), (1, 29), (0, 100)))
    assert (score.totals, score.winner, score.margin) == ((150, 249), won_by, margin)


def test_an_agreed_number_of_scored_deals_ends_the_match() -> None:
    """A match ends after the agreed number of deals; void deals do not count. The side ahead gets the game bonus."""
    rules = Rules(target=None, deals=2)
    assert not score_after(rules, 2, entries((0, 10), (None, 0))).is_over
    score = score_after(rules, 2, entries((0, 10), (None, 0), (1, 12)))
    assert (score.is_over, score.winner, score.totals, score.margin) == (True, 1, (30, 132), 102)


def test_target_or_number_of_deals_whichever_comes_first() -> None:
    """A match to 100 in three deals ends after the third deal or at the target, whichever comes first."""
    rules = Rules(deals=3)
    assert score_after(rules, 2, entries((0, 10), (0, 5), (1, 40))).game == (0, 100)
    assert score_after(rules, 2, entries((0, 100))).is_over
    assert not score_after(rules, 2, entries((0, 99), (1, 99))).is_over


def test_lines_credited_at_once_decide_who_is_ahead_at_the_end() -> None:
    """If a match has a fixed number of deals, line bonuses credited during it help decide who gets the game bonus."""
    results = entries((0, 20), (1, 8), (1, 8))
    assert score_after(Rules(target=None, deals=3), 2, results).game == (100, 0)
    assert score_after(Rules(target=None, deals=3, line_credit="at_once"), 2, results).game == (0, 100)


@pytest.mark.parametrize(
    ("rules", "results", "winner"),
    [
        (Rules(target=None, deals=2, line_bonus=10), ((0, 5), (1, 5)), None),
        (Rules(target=None, deals=3, line_bonus=10, game_bonus=0), ((0, 20), (1, 5), (1, 5)), 0),
        (Rules(target=None, deals=3, line_bonus=0, game_bonus=0), ((0, 10), (1, 5), (1, 5)), 1),
    ],
    ids=["drawn", "more deal points", "more deals won"],
)
def test_equal_totals(rules: Rules, results: tuple[Result, ...], winner: int | None) -> None:
    """If totals are equal, deal points decide, then deals won, or else the match is drawn. The margin is always 0."""
    score = score_after(rules, 2, entries(*results))
    assert score.totals[0] == score.totals[1]
    assert (score.is_over, score.winner, score.margin) == (True, winner, 0)


@pytest.mark.parametrize(
    ("shutout", "bonus"),
    [("off", 0), ("plus_100", 100), ("game_bonus_doubled", 60), ("double_deals", 110), ("double_score", 170)],
)
def test_a_shutout_doubles_what_the_rules_say(shutout: str, bonus: int) -> None:
    """A shutout (the loser won no deal) may give 100 points or double some points, but never line bonuses."""
    rules = Rules.parse(f"classic game_bonus=60 shutout={shutout}")
    score = score_after(rules, 2, entries((0, 50), (None, 0), (0, 60)))
    assert (score.shutout, score.totals) == ((bonus, 0), (110 + 40 + 60 + bonus, 0))
    assert score_after(rules, 2, entries((0, 50), (1, 1), (0, 60))).shutout == (0, 0)
    assert score_after(rules, 2, entries((0, 50))).shutout == (0, 0)


@pytest.mark.parametrize("spoilt", [Entry(None), Entry(1, 3, 1), Entry(0, 5, 1, all_won=False)])
def test_a_shutout_may_need_every_deal(spoilt: Entry) -> None:
    """If a shutout requires winning every deal, a void deal, a lost deal or a round with a void board prevents it."""
    rules = Rules.parse("big")
    assert score_after(rules, 2, entries((0, 50), (0, 60))).shutout == (110, 0)
    assert score_after(rules, 2, [*entries((0, 50), (0, 60)), spoilt][::-1]).shutout == (0, 0)


def test_a_shutout_of_three_is_of_both_others() -> None:
    """With three players, it is a shutout only if neither opponent won a deal."""
    rules = Rules(shutout="plus_100")
    assert score_after(rules, 3, entries((2, 60), (2, 60))).shutout == (0, 0, 100)
    assert score_after(rules, 3, entries((2, 60), (0, 6), (2, 60))).shutout == (0, 0, 0)


HOLLYWOOD = Rules.parse("hollywood target=50 shutout=plus_100")


def test_hollywood_enters_a_win_in_one_column_more_each_time() -> None:
    """In Hollywood, a side's first win counts in one column, its second win in two, later wins in three."""
    score = score_after(HOLLYWOOD, 2, entries((0, 10), (1, 5), (0, 7), (None, 0), (0, 1), (0, 2)))
    assert [column.scores for column in score.columns] == [(20, 5), (10, 0), (3, 0)]
    assert [column.line for column in score.columns] == [(80, 20), (60, 0), (40, 0)]
    assert (score.scores, score.line, score.totals) == ((33, 5), (180, 20), (213, 25))
    assert (score.deals_won, score.is_over, score.winner) == ((4, 1), False, None)


def test_a_closed_column_takes_nothing_more() -> None:
    """A Hollywood column closes at the target with its own bonuses. Later wins enter only the open columns."""
    first = entries((0, 30), (0, 25))
    score = score_after(HOLLYWOOD, 2, first)
    assert [column.is_over for column in score.columns] == [True, False, False]
    assert (score.columns[0].game, score.columns[0].shutout) == ((100, 0), (100, 0))
    after = score_after(HOLLYWOOD, 2, [*first, *entries((1, 9))])
    assert [column.scores for column in after.columns] == [(55, 0), (25, 9), (0, 0)]
    assert after.columns[0] == score.columns[0]


def test_hollywood_is_over_when_three_are_closed() -> None:
    """A Hollywood match ends when all columns are closed. The sum of their totals decides it."""
    score = score_after(HOLLYWOOD, 2, entries((1, 9), (0, 30), (0, 25), (0, 50)))
    assert [column.scores for column in score.columns] == [(55, 9), (75, 0), (50, 0)]
    assert [column.shutout for column in score.columns] == [(0, 0), (100, 0), (100, 0)]
    assert [column.margin for column in score.columns] == [166, 315, 270]
    assert (score.is_over, score.winner, score.margin, score.totals) == (True, 0, 751, (780, 29))
    assert score.game == (300, 0)


def outcome(
    kind: OutcomeKind, knocker: int, winner: int, deadwood: tuple[int, ...], bonus: int = 0, factor: int = 1
) -> Outcome:
    """Return an outcome of the penalty game."""
    return Outcome(kind, Seat(knocker), Seat(winner), deadwood=deadwood, bonus=bonus, factor=factor)


ORDER = (Seat(2), Seat(0), Seat(1))


@pytest.mark.parametrize(
    ("end", "charged"),
    [
        (outcome(OutcomeKind.GIN, 2, 2, (0, 14, 0), 25), {0: 39, 1: 25}),
        (outcome(OutcomeKind.KNOCK, 2, 2, (6, 14, 30)), {0: 8, 1: 24}),
        (outcome(OutcomeKind.KNOCK, 2, 2, (6, 6, 30)), {0: 0, 1: 24}),
        (outcome(OutcomeKind.UNDERCUT, 2, 1, (9, 14, 3), 25), {2: 31, 0: 11}),
        (outcome(OutcomeKind.UNDERCUT, 2, 1, (9, 14, 3), 25, factor=2), {2: 62, 0: 22}),
        (Outcome(OutcomeKind.TIE, Seat(2), None, deadwood=(9, 9, 9)), {}),
        (VOID, {}),
    ],
)
def test_penalty_points_are_charged_to_everyone_but_the_winner(end: Outcome, charged: dict[int, int]) -> None:
    """After gin, losers are charged their deadwood plus 25; otherwise, their deadwood minus the winner's.

    An undercut knocker is charged 25 more.
    """
    assert charges(ORDER, end) == charged


def charged_score(rules: Rules, deals: Sequence[tuple[tuple[Seat, ...], Outcome]]) -> Score:
    """Return the score of three players after these deals of the penalty game."""
    score = new_score(rules, 3)
    for seats, end in deals:
        score = add_charges(rules, score, seats, end)
    return score


def test_the_fewest_penalty_points_win() -> None:
    """The match ends when a player reaches the target. The margin is the winner's lead over the next best player."""
    rules = Rules.parse("penalty target=60")
    deals = [
        (ORDER, outcome(OutcomeKind.KNOCK, 2, 2, (6, 14, 30))),
        (ORDER, outcome(OutcomeKind.UNDERCUT, 2, 0, (9, 3, 33), 25)),
    ]
    assert not charged_score(rules, deals[:1]).is_over
    score = charged_score(rules, [*deals, (ORDER, VOID), (ORDER, outcome(OutcomeKind.KNOCK, 0, 0, (20, 5, 11)))])
    assert (score.scores, score.totals, score.deals_won) == ((8, 60, 46), (8, 60, 46), (2, 0, 1))
    assert (score.is_over, score.winner, score.margin) == (True, 0, 8 - 46)


def test_equal_penalty_points_go_to_more_deals_won() -> None:
    """If penalty points are equal, the player who won more deals wins. If deals won are equal too, nobody wins."""
    rules = Rules.parse("penalty target=10")
    won = ((Seat(0), Seat(1), Seat(2)), outcome(OutcomeKind.KNOCK, 0, 0, (1, 1, 11)))
    assert charged_score(rules, [won]).winner == 0
    tied = ((Seat(0), Seat(1), Seat(2)), Outcome(OutcomeKind.TIE, Seat(0), None, deadwood=(9, 9, 9)))
    both = ((Seat(1), Seat(0), Seat(2)), outcome(OutcomeKind.KNOCK, 1, 1, (1, 1, 11)))
    drawn = charged_score(rules, [tied, both, won])
    assert (drawn.is_over, drawn.winner, drawn.margin, drawn.scores) == (True, None, 0, (0, 0, 20))


def test_a_resignation_leaves_points_and_lines() -> None:
    """After a resignation, deal points and line bonuses remain, and no game or shutout bonus is added.

    The other side wins. With three sides, nobody wins.
    """
    score = score_after(Rules(), 2, entries((0, 80), (1, 10)))
    given_up = score_after_forfeit(score, 0)
    assert (given_up.is_over, given_up.winner, given_up.margin) == (True, 1, 30 - 100)
    assert (given_up.totals, given_up.game) == ((100, 30), (0, 0))
    of_three = score_after_forfeit(score_after(Rules(), 3, entries((0, 80), (1, 10))), 0)
    assert (of_three.is_over, of_three.winner, of_three.margin) == (True, None, None)


def test_a_resignation_in_hollywood_leaves_closed_columns_their_bonuses() -> None:
    """After a resignation in Hollywood, closed columns keep their bonuses, and open columns end without any."""
    score = score_after(HOLLYWOOD, 2, entries((0, 30), (0, 25)))
    given_up = score_after_forfeit(score, 0)
    assert given_up.columns[0] == score.columns[0]
    assert [column.totals for column in given_up.columns] == [(295, 0), (45, 0), (0, 0)]
    assert [(column.is_over, column.winner, column.margin) for column in given_up.columns[1:]] == [
        (True, None, None)
    ] * 2
    assert (given_up.game, given_up.shutout, given_up.totals) == ((100, 0), (100, 0), (340, 0))
    assert (given_up.winner, given_up.margin) == (1, -340)
