"""The end of a deal and of a match as text: hands, lay-offs, points and winners."""

from __future__ import annotations

import math
from typing import Final

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.limits import MAX_TURNS_PER_PLAYER
from bot.engine.matches import facts
from bot.engine.matches.facts import knocker_first, sitting_out
from bot.engine.matches.views import ShowdownView
from bot.model.matches import MatchInfo, MatchStatus, MatchSummary, Showdown
from bot.model.ratings import RatingChange
from bot.model.words import count
from cardart.text.card_names import card_names
from cardart.text.phrases import KNOCKS, NOT_FINISHED, final_sums, forfeit_text, side_points, winning_margin
from cogs.words.cards import arrangement, laid_off
from cogs.words.names import joined, monograms, name, name_then, side, versus
from cogs.words.ratings import appears_after
from cogs.words.table import deal_name, games_over, side_scores

HOW_WON: Final = {
    OutcomeKind.KNOCK: "wins by knocking",
    OutcomeKind.GIN: "goes gin",
    OutcomeKind.BIG_GIN: "goes big gin",
    OutcomeKind.UNDERCUT: "undercuts",
}
NO_WINNER: Final = {
    OutcomeKind.TIE: "a tie",
    OutcomeKind.VOID: "void",
    OutcomeKind.BROKEN_OFF: "broken off",
}

NO_DEAL: Final = {
    MatchStatus.RUNNING: "No deal is over yet.",
    MatchStatus.FINISHED: "No deal was finished, so this match doesn't count.",
    MatchStatus.CANCELLED: "No deal was finished.",
}
"""The score sheet of a match without a finished deal."""
TOO_LONG: Final = "This match got too long for me, so I called it off. A rematch starts from scratch."


def _name(match: MatchInfo, view: ShowdownView, seat: Seat) -> str:
    """Return the name of the player who had a seat at the end of the deal."""
    return name_then(match, view, seat, math.inf)


def title(view: ShowdownView, match: MatchInfo) -> str:
    """Return the result of a deal in a few words: the winner, the way of winning and the points."""
    outcome, which = view.outcome, deal_name(match, view)
    if outcome.winner is None and match.day is not None and outcome.kind is OutcomeKind.BROKEN_OFF:
        return f"{which}: {NOT_FINISHED}"
    if outcome.winner is None:
        return f"{which}: {NO_WINNER[outcome.kind]}, nobody scores"
    winner = _name(match, view, outcome.winner)
    how = HOW_WON[outcome.kind]
    if view.penalty_points:
        (seat, points), *others = view.penalty_points
        first = f"{count(points, 'penalty point')} for {_name(match, view, seat)}"
        return f"{which}: {winner} {how}, {joined([first, *(f'{n} for {_name(match, view, at)}' for at, n in others)])}"
    return f"{which}: {winner} {how}, {count(outcome.points, 'point')}"


def result(shown: Showdown) -> str:
    """Return the result of a deal and the score after it, in one line."""
    return f"**{title(shown.view, shown.match)}** · {side_scores(shown.match, shown.view)}"


def hands(shown: Showdown) -> str:
    """Return the hands, the lay-offs and the calculation of the points."""
    view, match = shown.view, shown.match
    outcome = view.outcome
    if outcome.knocker is None:
        then = "The same player deals again." if view.rules.void_redeal == "same_dealer" else "The next player deals."
        then = "Nobody scores on this board." if view.boards > 1 else then
        why = "Two cards were left in the stock, and nobody went out."
        if outcome.is_too_long:
            why = f"Everyone had {MAX_TURNS_PER_PLAYER} turns, and nobody went out."
        return f"{why} {then}"
    names, marks = card_names(match.appearance.language), monograms(match.players)
    parts: list[str] = []
    for seat in knocker_first(view):
        part = f"**{marks[seat]}** {_name(match, view, seat)}"
        if seat == outcome.knocker:
            did = HOW_WON[outcome.kind] if outcome.kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN) else KNOCKS
            part += f" {did}, discarding {names.short(view.discard)}" if view.discard else f" {did}"
        part += f"\n{arrangement(view.hand(seat), names)}"
        lay_offs = joined([laid_off(lay_off, names) for lay_off in outcome.lay_offs if lay_off.seat == seat])
        parts.append(f"{part}\nLaid off: {lay_offs}" if lay_offs else part)
    parts += [f"{_name(match, view, seat)} sits out." for seat in sitting_out(view)]
    return "\n\n".join((*parts, _points(view, match)))


def _points(view: ShowdownView, match: MatchInfo) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        everyone = "Both" if len(view.seats) == 2 else "All"
        return f"{everyone} have {count(outcome.deadwood[0], 'point')} of deadwood: nobody scores."
    low = view.deadwood(outcome.winner)
    bonus = f" + {outcome.bonus} for the {outcome.kind.replace('_', ' ')}" if outcome.bonus else ""
    if view.penalty_points:
        undercut, charges = outcome.kind is OutcomeKind.UNDERCUT, list[str]()
        for seat, points in view.penalty_points:
            own_bonus = "" if undercut and seat != outcome.knocker else bonus
            total = _calculation(view.deadwood(seat), low, own_bonus, outcome.factor, points)
            charges.append(f"{_name(match, view, seat)} {total}")
        return f"Charged: {', '.join(charges)}"
    lines = f", and {outcome.boxes} lines" if outcome.boxes > 1 else ""
    total = _calculation(low + outcome.difference, low, bonus, outcome.factor, outcome.points)
    return f"{_name(match, view, outcome.winner)} scores {total}{lines}"


def _calculation(high: int, low: int, bonus: str, factor: int, points: int) -> str:
    """Format the calculation of points: `(24 − 6 + 25 for the undercut) × 2 for the spade upcard = 86`."""
    difference = f"{high} − {low}{bonus}" if low else f"{high}{bonus}"
    if factor > 1:
        difference = f"({difference})" if low or bonus else difference
        return f"{difference} × {factor} for the spade upcard = **{points}**"
    return f"{difference} = **{points}**" if low or bonus else f"**{points}**"


def running_score(shown: Showdown) -> str:
    """Return the score after a deal, the finished games and, after the last deal, the calculation of the totals."""
    match, view = shown.match, shown.view
    kind = "Penalty points" if view.rules.format == "penalty" else "Final score" if view.score.is_over else "Score"
    sums = [f"-# {side(match, match.sides[place])}: {added}" for place, added in final_sums(view)]
    lines = (f"{kind}: {side_scores(match, view)}", *games_over(match, view), *sums, _round(shown))
    return "\n".join(filter(None, lines))


def _round(shown: Showdown) -> str | None:
    """Return the result of a round that is played on two boards; None if there is only one board."""
    match, view = shown.match, shown.view
    if view.boards == 1:
        return None
    if not view.board_points:
        return "-# A round counts once both boards are finished."
    boards = ", ".join(
        f"{side(match, seats)} {earned}" for seats, earned in zip(match.sides, view.board_points, strict=True)
    )
    least, most = sorted(view.board_points)
    if least == most:
        return f"-# Round {view.number}: {boards}, a tie. Nobody scores."
    ahead = side(match, match.sides[view.board_points.index(most)])
    return f"-# Round {view.number}: {boards}. {ahead} score {most - least}."


def places(summary: MatchSummary) -> str | None:
    """Return three or more sides with their final scores, best first; None for two sides or without a winner."""
    match, view = summary.match, summary.view
    if len(match.sides) == 2 or match.status is not MatchStatus.FINISHED or view.score.winner is None:
        return None
    ranked = sorted(zip(facts.places(match.rules, view.score), match.sides, range(len(match.sides)), strict=True))
    return " · ".join(f"{place}. {side(match, seats)} **{side_points(view, index)}**" for place, seats, index in ranked)


def ratings(match: MatchInfo) -> str | None:
    """Return the changes in the players' ratings; None if the match was not rated.

    Ratings that are not shown yet are in one small line, which says how many matches are missing.
    """
    shown, hidden = list[str](), dict[str, list[str]]()
    for player, change in zip(match.players, match.ratings, strict=False):
        if change is None:
            continue
        if change.after.is_settled:
            shown.append(f"{name(player)} {_rating_change(change)}")
        else:
            hidden.setdefault(appears_after(change.after), []).append(f"{name(player)}'s")
    lines = [f"Ratings: {' · '.join(shown)}"] if shown else []
    sentences = [
        f"{joined(whose)} {'rating appears' if len(whose) == 1 else 'ratings appear'} after {matches}."
        for matches, whose in hidden.items()
    ]
    if len(hidden) == 1 and not shown:
        sentences = [f"Ratings appear after {matches}." for matches in hidden]
    lines += [f"-# {' '.join(sentences)}"] if sentences else []
    return "\n".join(lines) or None


def _rating_change(change: RatingChange) -> str:
    """Return a shown rating after a match, and the one before if it was shown too."""
    return f"{change.before} → **{change.after}**" if change.before.is_settled else f"**{change.after}**"


def end_title(summary: MatchSummary) -> str:
    """Return the title of a score sheet: the result of the match, or `the score` while the match is running."""
    match, score, forfeit = summary.match, summary.view.score, summary.view.forfeit
    if match.status is MatchStatus.CANCELLED:
        return f"{versus(match)}: called off, so it doesn't count"
    if match.status is MatchStatus.RUNNING:
        return f"{versus(match)}: the score"
    if score.winner is None:
        if forfeit is None:
            return f"{versus(match)}: a draw"
        return f"{name(match.players[forfeit.seat])} {forfeit_text(forfeit)}: the match ends without a winner"
    seats = match.sides[score.winner]
    win = f"{side(match, seats)} {'wins' if len(seats) == 1 else 'win'}"
    if forfeit is not None:
        return f"{win}: {name(match.players[forfeit.seat])} {forfeit_text(forfeit)}"
    return f"{win} the match{winning_margin(match.rules, score)}"
