"""The score of a match: games to a target with their bonuses, Hollywood's three games, and penalty points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.showdown import Outcome, OutcomeKind

COLUMNS: Final = 3
"""Number of simultaneous games in Hollywood."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line on the score sheet: the side that won (None: a void or tied deal, or equal boards), and its points.

    `all_won` is False if a board of the round had no winner.
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
    over: bool
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
    none = (0,) * sides
    score = Score(none, none, none, none, none, over=False, winner=None, margin=None)
    return replace(score, columns=(score,) * COLUMNS) if rules.scoring == "hollywood" else score


def earned(sides: Sequence[Sequence[Seat]], outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Return the points of each side on the boards of a round."""
    return tuple(sum(one.points for one in outcomes if one.winner in side) for side in sides)


def add_entry(rules: Rules, score: Score, entry: Entry) -> Score:
    """Return the score after one more line on its sheet: for one game, or for the three games of Hollywood."""
    return _add_to_columns(rules, score, entry) if score.columns else _add_to_game(rules, score, entry)


def _add_to_game(rules: Rules, score: Score, entry: Entry) -> Score:
    """Score one game to the target, or of an agreed number of scored deals, with line, game and shutout bonuses.

    Line bonuses are counted at the end and not towards the target, unless they are credited immediately. Equal totals
    go to the side with more deal points, then to the side that won more deals; otherwise the game is drawn.
    """
    sides = range(len(score.scores))
    scores, won, line = list(score.scores), list(score.deals_won), list(score.line)
    if entry.side is not None:
        scores[entry.side] += entry.points
        won[entry.side] += 1
        line[entry.side] += rules.line_bonus * entry.boxes
    all_won = score.all_won and entry.all_won and entry.side is not None
    counted = [scores[side] + line[side] for side in sides] if rules.line_credit == "at_once" else scores
    first = _first_to(rules.target, counted)
    played_out = rules.deals is not None and sum(won) >= rules.deals
    over = first is not None or played_out
    ahead = first if first is not None else _only_best(counted) if played_out else None
    game, shutout = [0] * len(sides), [0] * len(sides)
    if ahead is not None:
        game[ahead] = rules.game_bonus
        others_won = any(won[side] for side in sides if side != ahead)
        if not others_won and (all_won or rules.shutout_needs == "loser_won_none"):
            shutout[ahead] = {
                False: 0,
                "plus_100": 100,
                "game_bonus_doubled": rules.game_bonus,
                "double_deals": scores[ahead],
                "double_score": scores[ahead] + rules.game_bonus,
            }[rules.shutout]
    totals = [scores[side] + line[side] + game[side] + shutout[side] for side in sides]
    winner = None
    if over:
        won_by_race = rules.winner == "first_to_target" and first is not None
        winner = first if won_by_race else _only_best(list(zip(totals, scores, won, strict=True)))
    return Score(
        scores=tuple(scores),
        deals_won=tuple(won),
        line=tuple(line),
        game=tuple(game),
        shutout=tuple(shutout),
        over=over,
        winner=winner,
        margin=_margin(totals, winner, over),
        all_won=all_won,
    )


def _add_to_columns(rules: Rules, score: Score, entry: Entry) -> Score:
    """Score three games simultaneously: a side's n-th win counts in the first n open columns, three at most.

    A column closes at the target with its own bonuses; a side without an entry in it is shut out there. The match is
    over when all three are closed, and the sums of the columns decide it. A deal without a winner counts in every open
    column. Source: Wikipedia, "Gin rummy".
    """
    won = list(score.deals_won)
    open_columns = [place for place, column in enumerate(score.columns) if not column.over]
    if entry.side is not None:
        won[entry.side] += 1
        open_columns = open_columns[: won[entry.side]]
    columns = list(score.columns)
    for place in open_columns:
        columns[place] = _add_to_game(rules, columns[place], entry)
    over = all(column.over for column in columns)
    scores = _sum([column.scores for column in columns])
    totals = _sum([column.totals for column in columns])
    winner = _only_best(list(zip(totals, scores, won, strict=True))) if over else None
    return Score(
        scores=scores,
        deals_won=tuple(won),
        line=_sum([column.line for column in columns]),
        game=_sum([column.game for column in columns]),
        shutout=_sum([column.shutout for column in columns]),
        over=over,
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
    scores, won = list(score.scores), list(score.deals_won)
    for seat, points in charges(seats, outcome).items():
        scores[seat] += points
    if outcome.winner is not None:
        won[outcome.winner] += 1
    over = _first_to(rules.target, scores) is not None or (rules.deals is not None and sum(won) >= rules.deals)
    winner = _only_best([(-points, wins) for points, wins in zip(scores, won, strict=True)]) if over else None
    margin = _margin(scores, winner, over, best=min)
    return replace(score, scores=tuple(scores), deals_won=tuple(won), over=over, winner=winner, margin=margin)


def forfeit(score: Score, loser: int) -> Score:
    """Return the score after a side resigned or lost on time. Points and lines stand; no other bonuses are added.

    The other of two sides wins, whatever the totals; among three or more, nobody wins. In Hollywood a closed column
    keeps its bonuses, and an open one ends without a winner.
    """
    winner = 1 - loser if len(score.scores) == 2 else None
    columns = tuple(replace(column, over=True) for column in score.columns)
    ended = replace(score, over=True, winner=winner, columns=columns)
    return replace(ended, margin=None if winner is None else ended.totals[winner] - ended.totals[loser])


def _sum(values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*values, strict=True)))


def _first_to(target: int | None, counted: Sequence[int]) -> int | None:
    if target is None or max(counted) < target:
        return None
    return max(range(len(counted)), key=lambda side: counted[side])


def _only_best(ranks: Sequence[int] | Sequence[tuple[int, ...]]) -> int | None:
    """Return the index of the greatest rank, or None if several share it."""
    best = max(ranks)
    return ranks.index(best) if ranks.count(best) == 1 else None


def _margin(
    totals: Sequence[int], winner: int | None, over: bool, best: Callable[[Iterable[int]], int] = max
) -> int | None:
    """Return the winner's total less the best other total, 0 for a draw, None while the match runs."""
    if winner is None:
        return 0 if over else None
    return totals[winner] - best(total for side, total in enumerate(totals) if side != winner)
