"""The score of a match: games to a target with their bonuses, Hollywood's three games, and penalty points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import Outcome, OutcomeKind
from bot.engine.rules import Rules

HOLLYWOOD_COLUMNS: Final = 3
"""Number of simultaneous games in Hollywood."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line on the score sheet: the side that won (None: a void or tied deal, or equal boards), and its points.

    `boxes` is the number of line bonuses. `all_won` is False if a board of the round had no winner.
    """

    side: int | None
    points: int = 0
    boxes: int = 0
    all_won: bool = True


@dataclass(frozen=True, slots=True)
class Score:
    """The current score of a match. Tuples are by side (a seat, or a team in partners), in points except `deals_won`.

    `totals` add bonuses to `scores`, which are deal points or penalty points. `winner` is None while the match runs,
    after a draw, and after a forfeit without a result. `margin` is the winner's total less the best other total, 0 for
    a draw. `columns` are the three games of Hollywood, else empty. `all_won` is True if every deal and every board so
    far had a winner.
    """

    scores: tuple[int, ...]
    deals_won: tuple[int, ...]
    line: tuple[int, ...]
    game: tuple[int, ...]
    shutout: tuple[int, ...]
    is_over: bool
    winner: int | None
    margin: int | None
    columns: tuple[Score, ...] = ()
    all_won: bool = True

    @property
    def totals(self) -> tuple[int, ...]:
        """Deal points plus bonuses."""
        return tuple(map(sum, zip(self.scores, self.line, self.game, self.shutout, strict=True)))


def new_score(rules: Rules, sides: int) -> Score:
    """Return the score before the first deal, for this number of sides."""
    zeros = (0,) * sides
    score = Score(zeros, zeros, zeros, zeros, zeros, is_over=False, winner=None, margin=None)
    return replace(score, columns=(score,) * HOLLYWOOD_COLUMNS) if rules.scoring == "hollywood" else score


def points_by_side(sides: Sequence[Sequence[Seat]], outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Return the points that each side won on all boards of a round."""
    return tuple(sum(outcome.points for outcome in outcomes if outcome.winner in side) for side in sides)


def add_entry(rules: Rules, score: Score, entry: Entry) -> Score:
    """Return the score after one more line on the score sheet: for one game, or for the three games of Hollywood."""
    return _add_to_columns(rules, score, entry) if score.columns else _add_to_game(rules, score, entry)


def _add_to_game(rules: Rules, score: Score, entry: Entry) -> Score:
    """Add a line to one game, which ends at the target or after an agreed number of scored deals, and add its bonuses.

    Line bonuses count at the end and not towards the target, unless the rules credit them immediately. Equal totals go
    to the side with more deal points, then to the side that won more deals; otherwise the game is drawn.
    """
    sides = range(len(score.scores))
    scores, deals_won, line = list(score.scores), list(score.deals_won), list(score.line)
    if entry.side is not None:
        scores[entry.side] += entry.points
        deals_won[entry.side] += 1
        line[entry.side] += rules.line_bonus * entry.boxes
    all_won = score.all_won and entry.all_won and entry.side is not None
    counted = [scores[side] + line[side] for side in sides] if rules.line_credit == "at_once" else scores
    first = _first_to_reach(rules.target, counted)
    all_deals_played = rules.deals is not None and sum(deals_won) >= rules.deals
    over = first is not None or all_deals_played
    leader = first if first is not None else _unique_best(counted) if all_deals_played else None
    game, shutout = [0] * len(sides), [0] * len(sides)
    if leader is not None:
        game[leader] = rules.game_bonus
        others_won = any(deals_won[side] for side in sides if side != leader)
        if not others_won and (all_won or rules.shutout_needs == "loser_won_none"):
            shutout[leader] = {
                False: 0,
                "plus_100": 100,
                "game_bonus_doubled": rules.game_bonus,
                "double_deals": scores[leader],
                "double_score": scores[leader] + rules.game_bonus,
            }[rules.shutout]
    totals = [scores[side] + line[side] + game[side] + shutout[side] for side in sides]
    winner = None
    if over:
        won_by_race = rules.winner == "first_to_target" and first is not None
        winner = first if won_by_race else _unique_best(list(zip(totals, scores, deals_won, strict=True)))
    return Score(
        scores=tuple(scores),
        deals_won=tuple(deals_won),
        line=tuple(line),
        game=tuple(game),
        shutout=tuple(shutout),
        is_over=over,
        winner=winner,
        margin=_margin(totals, winner, over),
        all_won=all_won,
    )


def _add_to_columns(rules: Rules, score: Score, entry: Entry) -> Score:
    """Add a line to the three simultaneous games of Hollywood. Source: Wikipedia, "Gin rummy".

    A side's n-th win counts in the first n open columns, three at most. A column closes at the target with its own
    bonuses; a side without an entry in it is shut out there. The match is over when all three are closed, and the sums
    of the columns decide it. A deal without a winner counts in every open column.
    """
    deals_won = list(score.deals_won)
    open_columns = [place for place, column in enumerate(score.columns) if not column.is_over]
    if entry.side is not None:
        deals_won[entry.side] += 1
        open_columns = open_columns[: deals_won[entry.side]]
    columns = list(score.columns)
    for index in open_columns:
        columns[index] = _add_to_game(rules, columns[index], entry)
    over = all(column.is_over for column in columns)
    scores = _sum([column.scores for column in columns])
    totals = _sum([column.totals for column in columns])
    winner = _unique_best(list(zip(totals, scores, deals_won, strict=True))) if over else None
    return Score(
        scores=scores,
        deals_won=tuple(deals_won),
        line=_sum([column.line for column in columns]),
        game=_sum([column.game for column in columns]),
        shutout=_sum([column.shutout for column in columns]),
        is_over=over,
        winner=winner,
        margin=_margin(totals, winner, over),
        columns=tuple(columns),
    )


def charges(seats: Sequence[Seat], outcome: Outcome) -> dict[Seat, int]:
    """Return the penalty points that a deal charges to each seat. Source: "Gin Rummy Knock Rules", second part.

    After gin, each opponent is charged their deadwood plus the gin bonus. After a knock, each is charged their deadwood
    less the knocker's. After an undercut, all but the undercutter are charged their deadwood less the undercutter's,
    and the knocker is charged the undercut bonus too.
    """
    if outcome.winner is None:
        return {}
    deadwood = dict(zip(seats, outcome.deadwood, strict=True))
    gin = outcome.kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN)
    charged: dict[Seat, int] = {}
    for seat in seats:
        if seat != outcome.winner:
            penalty = outcome.bonus if gin or seat == outcome.knocker else 0
            charged[seat] = (deadwood[seat] - deadwood[outcome.winner] + penalty) * outcome.factor
    return charged


def add_charges(rules: Rules, score: Score, seats: Sequence[Seat], outcome: Outcome) -> Score:
    """Return the score of a penalty game after one more deal.

    The game ends when a player reaches the target, or the agreed number of deals is scored. The lowest total wins; ties
    go to the player who won more deals.
    """
    scores, deals_won = list(score.scores), list(score.deals_won)
    for seat, points in charges(seats, outcome).items():
        scores[seat] += points
    if outcome.winner is not None:
        deals_won[outcome.winner] += 1
    over = _first_to_reach(rules.target, scores) is not None or (
        rules.deals is not None and sum(deals_won) >= rules.deals
    )
    winner = _unique_best([(-points, wins) for points, wins in zip(scores, deals_won, strict=True)]) if over else None
    margin = _margin(scores, winner, over, best=min)
    return replace(score, scores=tuple(scores), deals_won=tuple(deals_won), is_over=over, winner=winner, margin=margin)


def score_after_forfeit(score: Score, loser: int) -> Score:
    """Return the score after a side resigned or lost on time. Deal points and line bonuses stand.

    No game or shutout bonus is added. With two sides, the other side wins, whatever the totals; with three or more,
    nobody wins. In Hollywood a closed column keeps its bonuses, and an open one ends without a winner.
    """
    winner = 1 - loser if len(score.scores) == 2 else None
    columns = tuple(replace(column, is_over=True) for column in score.columns)
    ended = replace(score, is_over=True, winner=winner, columns=columns)
    return replace(ended, margin=None if winner is None else ended.totals[winner] - ended.totals[loser])


def _sum(values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*values, strict=True)))


def _first_to_reach(target: int | None, counted: Sequence[int]) -> int | None:
    if target is None or max(counted) < target:
        return None
    return max(range(len(counted)), key=lambda side: counted[side])


def _unique_best(ranks: Sequence[int] | Sequence[tuple[int, ...]]) -> int | None:
    """Return the index of the greatest value, or None if it occurs more than once."""
    best = max(ranks)
    return ranks.index(best) if ranks.count(best) == 1 else None


def _margin(
    totals: Sequence[int], winner: int | None, over: bool, best: Callable[[Iterable[int]], int] = max
) -> int | None:
    """Return the winner's total less the best other total, 0 for a draw, None while the match runs."""
    if winner is None:
        return 0 if over else None
    return totals[winner] - best(total for side, total in enumerate(totals) if side != winner)
