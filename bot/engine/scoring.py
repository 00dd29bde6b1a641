"""What deals add up to: races to a target with their bonuses, three at once for Hollywood, and penalty points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.showdown import Kind, Outcome


@dataclass(frozen=True, slots=True)
class Entry:
    """One line on the score sheet: which side won (None: a void or tied deal, or equal boards), and what it earned.

    `spoilt` is a round of several boards one of which nobody won.
    """

    side: int | None
    points: int = 0
    boxes: int = 0
    spoilt: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """What a match stands at; every tuple is by side (a seat, in partners a team), in points except `deals_won`.

    `totals` are `scores` (deal points, or penalty points) and the bonuses together. `winner` is None while the match
    runs, when it is drawn, and where a resignation gives no result; `margin` is the winner's total less the best
    other's, 0 for a draw. `columns` are the three games of Hollywood, and empty elsewhere.
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

    @property
    def totals(self) -> tuple[int, ...]:
        """Deal points and bonuses together."""
        return tuple(map(sum, zip(self.scores, self.line, self.game, self.shutout, strict=True)))


def earned(sides: Sequence[Sequence[Seat]], outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """What the boards of a round brought to each side."""
    return tuple(sum(one.points for one in outcomes if one.winner in side) for side in sides)


def race(rules: Rules, sides: int, entries: Sequence[Entry]) -> Score:
    """A game to the target, or of so many scored deals, with its line, game and shutout bonuses.

    The line bonus is counted at the end and never towards the target, unless it is credited at once. Equal totals go to
    more deal points, then to more deals won, and are drawn otherwise.
    """
    scores, won, boxes = ([0] * sides for _ in range(3))
    for entry in entries:
        if entry.side is not None:
            scores[entry.side] += entry.points
            won[entry.side] += 1
            boxes[entry.side] += entry.boxes
    line = [rules.line_bonus * count for count in boxes]
    counted = [scores[side] + (line[side] if rules.line_credit == "at_once" else 0) for side in range(sides)]
    first = _first_to(rules.target, counted)
    played_out = rules.deals is not None and sum(won) >= rules.deals
    over = first is not None or played_out
    ahead = first if first is not None else _only_best(counted) if played_out else None
    game, shutout = [0] * sides, [0] * sides
    if ahead is not None:
        game[ahead] = rules.game_bonus
        if _shut_out(rules, entries, won, ahead):
            shutout[ahead] = {
                False: 0,
                "plus_100": 100,
                "game_bonus_doubled": rules.game_bonus,
                "double_deals": scores[ahead],
                "double_score": scores[ahead] + rules.game_bonus,
            }[rules.shutout]
    totals = [scores[side] + line[side] + game[side] + shutout[side] for side in range(sides)]
    winner = None
    if over:
        won_by_race = rules.winner == "first_to_target" and first is not None
        winner = first if won_by_race else _only_best(list(zip(totals, scores, won, strict=True)))
    return Score(
        tuple(scores), tuple(won), tuple(line), tuple(game), tuple(shutout), over, winner, _margin(totals, winner, over)
    )


def hollywood(rules: Rules, sides: int, entries: Sequence[Entry]) -> Score:
    """Three games at once: a side's n-th win is entered in the first n open columns, three at most.

    A column closes at the target with bonuses of its own; a side without an entry in it is shut out there. The match is
    over when all three are closed, and the sums of the columns decide it.
    """
    columns: list[list[Entry]] = [[], [], []]
    wins = [0] * sides
    for entry in entries:
        open_columns = [column for column in columns if not race(rules, sides, column).over]
        if entry.side is None:
            for column in open_columns:
                column.append(entry)
            continue
        wins[entry.side] += 1
        for column in open_columns[: wins[entry.side]]:
            column.append(entry)
    games = tuple(race(rules, sides, column) for column in columns)
    over = all(game.over for game in games)

    def summed(values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return tuple(map(sum, zip(*values, strict=True)))

    totals = summed([game.totals for game in games])
    scores = summed([game.scores for game in games])
    winner = _only_best(list(zip(totals, scores, wins, strict=True))) if over else None
    return Score(
        scores=scores,
        deals_won=tuple(wins),
        line=summed([game.line for game in games]),
        game=summed([game.game for game in games]),
        shutout=summed([game.shutout for game in games]),
        over=over,
        winner=winner,
        margin=_margin(totals, winner, over),
        columns=games,
    )


def charges(seats: Sequence[Seat], outcome: Outcome) -> dict[Seat, int]:
    """The penalty points that a deal brings to each seat it charges.

    Gin: each other player's deadwood and the gin bonus. Knock: each other's deadwood less the knocker's. Undercut: the
    deadwood of every player but the undercutter less the undercutter's, and the undercut bonus for the knocker.
    """
    if outcome.winner is None:
        return {}
    deadwood = dict(zip(seats, outcome.deadwood, strict=True))
    gin = outcome.kind in (Kind.GIN, Kind.BIG_GIN)
    charged: dict[Seat, int] = {}
    for seat in seats:
        if seat != outcome.winner:
            penalty = outcome.bonus if gin or seat == outcome.knocker else 0
            charged[seat] = (deadwood[seat] - deadwood[outcome.winner] + penalty) * outcome.factor
    return charged


def penalties(rules: Rules, sides: int, deals: Sequence[tuple[Sequence[Seat], Outcome]]) -> Score:
    """A game of penalty points: it ends when somebody reaches the target, and the lowest total wins."""
    scores, won = [0] * sides, [0] * sides
    for seats, outcome in deals:
        for seat, points in charges(seats, outcome).items():
            scores[seat] += points
        if outcome.winner is not None:
            won[outcome.winner] += 1
    over = _first_to(rules.target, scores) is not None or (rules.deals is not None and sum(won) >= rules.deals)
    winner = _only_best([(-score, wins) for score, wins in zip(scores, won, strict=True)]) if over else None
    none = (0,) * sides
    margin = None
    if over:
        margin = 0 if winner is None else scores[winner] - min(scores[:winner] + scores[winner + 1 :])
    return Score(tuple(scores), tuple(won), none, none, none, over, winner, margin)


def resigned(score: Score, loser: int, winner: int | None) -> Score:
    """The same after a resignation: deal points and lines stand, without game or shutout bonus, in columns too."""
    none = (0,) * len(score.scores)
    columns = tuple(resigned(column, loser, None) for column in score.columns)
    kept = replace(score, game=none, shutout=none, over=True, winner=winner, columns=columns)
    return replace(kept, margin=None if winner is None else kept.totals[winner] - kept.totals[loser])


def _first_to(target: int | None, counted: Sequence[int]) -> int | None:
    if target is None or max(counted) < target:
        return None
    return max(range(len(counted)), key=lambda side: counted[side])


def _only_best(ranks: Sequence[int] | Sequence[tuple[int, ...]]) -> int | None:
    """The place of the greatest rank; None where it is shared."""
    best = max(ranks)
    return ranks.index(best) if ranks.count(best) == 1 else None


def _shut_out(rules: Rules, entries: Sequence[Entry], won: Sequence[int], ahead: int) -> bool:
    if rules.shutout_needs == "winner_won_all":
        return all(entry.side == ahead and not entry.spoilt for entry in entries)
    return all(count == 0 for side, count in enumerate(won) if side != ahead)


def _margin(totals: Sequence[int], winner: int | None, over: bool) -> int | None:
    if not over:
        return None
    if winner is None:
        return 0
    return totals[winner] - max(total for side, total in enumerate(totals) if side != winner)
