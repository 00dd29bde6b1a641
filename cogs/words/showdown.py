"""The end of a deal and of a match in words: hands, lay-offs, how the points came about, who won."""

from __future__ import annotations

from typing import Final

from bot.engine.showdown import OutcomeKind
from bot.engine.views import ShowdownView
from bot.play.values import EndPost, MatchCard, MatchStatus, ShowdownPost
from cardart.facts import from_knocker, sitting_out
from cardart.names import Names, names_of
from cardart.words import margin
from cogs.words.cards import arrangement, laid_off
from cogs.words.people import joined, marked, name, side, versus
from cogs.words.table import standing

HOW: Final = {
    OutcomeKind.KNOCK: "wins by knocking",
    OutcomeKind.GIN: "goes gin",
    OutcomeKind.BIG_GIN: "goes big gin",
    OutcomeKind.UNDERCUT: "undercuts",
}
"""How a deal is won."""


def title(post: ShowdownPost) -> str:
    """How a deal ended, in a few words."""
    return ended(post.view, post.card)


def ended(view: ShowdownView, card: MatchCard) -> str:
    """How a deal ended: who did what, for how many points."""
    outcome = view.outcome
    board = f", board {view.board}" if view.boards > 1 else ""
    which = f"Deal {view.number}{board}"
    if outcome.winner is None:
        return f"{which}: {'a tie' if outcome.kind is OutcomeKind.TIE else 'void'}, nobody scores"
    winner = name(card.players[outcome.winner])
    how = HOW[outcome.kind]
    if view.charged:
        return f"{which}: {winner} {how}, {sum(points for _, points in view.charged)} penalty points for the others"
    return f"{which}: {winner} {how}, {outcome.points} points"


def told(post: ShowdownPost) -> str:
    """The hands, the lay-offs, and how the points came about."""
    view, card = post.view, post.card
    outcome = view.outcome
    if outcome.knocker is None:
        return f"A discard left two cards in the stock, and nobody went out. {_after_void(view)}"
    names, named = names_of(card.look.language), marked(card)
    parts: list[str] = []
    for seat in from_knocker(view):
        went = _went(view, names) if seat == outcome.knocker else ""
        part = f"{named[seat]}{went}\n{arrangement(view.hand(seat), names)}"
        off = joined([laid_off(one, names) for one in outcome.lay_offs if one.seat == seat])
        parts.append(f"{part}\nLaid off: {off}" if off else part)
    parts += [f"{name(card.players[seat])} sits out." for seat in sitting_out(view)]
    return "\n\n".join((*parts, _reckoning(view, card)))


def _went(view: ShowdownView, names: Names) -> str:
    """What the knocker did."""
    went = {OutcomeKind.GIN: "goes gin", OutcomeKind.BIG_GIN: "goes big gin"}.get(view.outcome.kind, "knocks")
    return f" {went}" + (f", discarding {names.short(view.discard)}" if view.discard else "")


def _after_void(view: ShowdownView) -> str:
    if view.boards > 1:
        return "This board counts nothing."
    return "The same player deals again." if view.rules.void_redeal == "same_dealer" else "The deal passes on."


def _reckoning(view: ShowdownView, card: MatchCard) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        return f"{'Both' if len(view.seats) == 2 else 'All'} keep {outcome.deadwood[0]}: nobody scores."
    low = view.deadwood(outcome.winner)
    kind = {OutcomeKind.GIN: "gin", OutcomeKind.BIG_GIN: "big gin", OutcomeKind.UNDERCUT: "undercut"}.get(outcome.kind)
    bonus = f" + {outcome.bonus} for the {kind}" if kind and outcome.bonus else ""
    if view.charged:
        undercut = outcome.kind is OutcomeKind.UNDERCUT
        charges = [
            f"{name(card.players[seat])} "
            + _sum(
                view.deadwood(seat), low, "" if undercut and seat != outcome.knocker else bonus, outcome.factor, points
            )
            for seat, points in view.charged
        ]
        return f"Charged: {', '.join(charges)}"
    lines = f", and {outcome.boxes} lines" if outcome.boxes > 1 else ""
    told = _sum(low + outcome.difference, low, bonus, outcome.factor, outcome.points)
    return f"{name(card.players[outcome.winner])} scores {told}{lines}"


def _sum(high: int, low: int, bonus: str, factor: int, points: int) -> str:
    """How points came about: `(24 − 6 + 25 for the undercut) × 2 for the spade = 86`."""
    difference = f"{high} − {low}{bonus}" if low else f"{high}{bonus}"
    if factor > 1:
        difference = f"({difference})" if low or bonus else difference
        return f"{difference} × {factor} for the spade = **{points}**"
    return f"{difference} = **{points}**" if low or bonus else f"**{points}**"


def running_score(post: ShowdownPost) -> str:
    """The score after a deal."""
    kind = "Penalty points" if post.view.rules.format == "penalty" else "Score"
    told = standing(post.card, post.view.score)
    return "\n".join(filter(None, (f"{kind}: {told}", _round(post))))


def _round(post: ShowdownPost) -> str | None:
    """What a deal on one of several boards counts for."""
    card, view = post.card, post.view
    if view.boards == 1:
        return None
    if not view.earned:
        return "-# A round counts once both of its boards are over."
    boards = ", ".join(f"{side(card, seats)} {earned}" for seats, earned in zip(card.sides, view.earned, strict=True))
    least, most = sorted(view.earned)
    if least == most:
        return f"-# Round {view.number}: {boards} on both boards, which is equal: nobody scores."
    ahead = side(card, card.sides[view.earned.index(most)])
    return f"-# Round {view.number}: {boards} on both boards, so {ahead} score {most - least}."


def end_title(post: EndPost) -> str:
    """How a match ended."""
    card, score, resigned = post.card, post.view.score, post.view.resigned
    if card.status is MatchStatus.CANCELLED:
        return f"{versus(card)}: called off, nothing counts"
    if card.status is MatchStatus.RUNNING:
        return f"{versus(card)}: the score"
    if score.winner is None:
        if resigned is None:
            return f"{versus(card)}: a drawn match"
        return f"{name(card.players[resigned])} resigned: the match ends without a winner"
    seats = card.sides[score.winner]
    win = f"{side(card, seats)} {'wins' if len(seats) == 1 else 'win'}"
    if resigned is not None:
        return f"{win}: {name(card.players[resigned])} resigned"
    return f"{win} the match{margin(card.rules, score)}"
