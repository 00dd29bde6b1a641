"""Reviews in words: how accurately somebody played, what was dealt, and the choices that cost most."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card
from bot.engine.moves import Move, Verb
from bot.engine.views import SeatView
from bot.opponent.advice import Advised
from bot.opponent.reviews import accuracy
from bot.values.reviews import Mistake, Reviewed
from cardart.text.card_names import Names
from cardart.text.phrases import count, deal_name
from cogs.text import showdown
from cogs.text.cards import arrangement, melds
from cogs.text.hints import BETTER_DRAWS, SAFER, chance, points, whole_turn, worth
from cogs.text.people import name, versus
from cogs.text.table import VERBS

TWO_SIDED: Final = 1.96
"""Standard errors on either side that hold 95 of 100 values."""
FOOTNOTE: Final = (
    "-# Points are what the deal brings on average, found by playing on many times from what was known then; "
    "± holds in 95 of 100 cases."
)
MOST_LINES: Final = 20
"""The deals of a match that have lines of their own; the last ones, where there are more."""


def title(reviewed: Reviewed) -> str:
    """Return what is reviewed: a deal with its end, or a match."""
    player = name(reviewed.match.players[reviewed.seat])
    if reviewed.whole_match:
        return f"{player} in {versus(reviewed.match)}: {count(len(reviewed.deals), 'deal')}"
    return f"{player} in {showdown.title(reviewed.deals[0], reviewed.match)}"


def summary(reviewed: Reviewed) -> str:
    """Return how accurate the choices were, and what they cost together."""
    total = reviewed.total
    rated = accuracy(total.verdicts)
    if rated is None:
        return "The deal was over before there was anything to choose."
    costly = sum(1 for one in total.verdicts if one.lost)
    cost = f"{costly} of {count(len(total.verdicts), 'choice')} cost {points(total.lost)} together"
    cost = cost if costly else f"none of {count(len(total.verdicts), 'choice')} can be told from the best"
    return f"**Accuracy {rated[0]:.0f} %** (± {_margin(rated[1])}): {cost}."


def result(reviewed: Reviewed) -> str:
    """Return where the points of a result came from. The parts add up."""
    total = reviewed.total
    others = "the opponent's" if all(len(deal.seats) == 2 for deal in reviewed.deals) else "the others'"
    parts = {
        "first hand": total.opening,
        "cards drawn": total.drawn,
        f"{others} cards": -total.theirs,
        "own choices": -total.lost,
    }
    told = " · ".join(f"{what} **{signed(number)}**" for what, number in parts.items())
    rest = round(total.points) - sum(map(round, parts.values()))
    return f"Result **{signed(total.points)}**: {told} · {others} choices and all else **{signed(rest)}**"


def by_deal(reviewed: Reviewed) -> str | None:
    """Return a line for each deal of a match."""
    if not reviewed.whole_match:
        return None
    lines = list[str]()
    for deal, review in list(zip(reviewed.deals, reviewed.reviews, strict=True))[-MOST_LINES:]:
        rated = accuracy(review.verdicts)
        told = "no choice" if rated is None else f"accuracy {rated[0]:.0f} %"
        lines.append(
            f"{deal_name(deal)}: {told} · choices {signed(-review.lost)} · dealt {signed(review.dealt)}"
            f" · result {signed(review.points)}"
        )
    return "\n".join(lines)


def mistakes(reviewed: Reviewed) -> str:
    """Return the heading of the costliest choices."""
    if not reviewed.mistakes:
        return "No choice cost anything that can be measured. Well played!"
    return "**The costliest choice**" if len(reviewed.mistakes) == 1 else "**The costliest choices**"


def mistake(number: int, one: Mistake, names: Names, *, whole_match: bool) -> str:
    """Return what was played, what was better and by how much, and in one sentence why."""
    verdict, public = one.verdict, one.view.public
    turn = f"{deal_name(one.deal)}, turn" if whole_match else "Turn"
    best = whole_turn(verdict.best, public.top, names)
    by = f"{points(verdict.lost)} better" + (f" (± {_margin(verdict.error)})" if verdict.error else "")
    played = _did(verdict.played.move, public.top, names)
    return f"**{number}. {turn} {_turn(one)}: {played}.** *{best}* was {by}: {_why(one)}"


def hand_in_words(one: Mistake, names: Names) -> str:
    """Return the hand at a choice."""
    return arrangement(one.view.arrangement, names)


def progress(share: float) -> str:
    """Return how much of a review is done."""
    return (
        f"I am playing on from each of your choices, many times: {share:.0%}. This takes a few seconds for each deal."
    )


def signed(number: float) -> str:
    """Return points with their sign: `+4`, `−12`, `0`."""
    rounded = round(number)
    return "0" if rounded == 0 else f"+{rounded}" if rounded > 0 else f"−{-rounded}"


def _margin(error: float) -> int:
    return max(round(TWO_SIDED * error), 1)


def _turn(one: Mistake) -> int:
    """Return which turn of the player's it was, from 1."""
    ends = (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN, Verb.PASS)
    return 1 + sum(move.seat == one.view.seat and move.verb in ends for move in one.view.public.history)


def _did(move: Move, top: Card | None, names: Names) -> str:
    """Return what was played: `took 5♣`, `laid 8♠ off`."""
    if move.verb is Verb.TAKE and top is not None:
        return f"took {names.short(top)}"
    if move.verb is Verb.DONE:
        return "laid nothing more off"
    if move.card is None:
        return VERBS[move.verb]
    on = f" on {melds(move.melds, names)}" if move.verb is Verb.LAY_OFF and move.melds else ""
    return f"{VERBS[move.verb]} {names.short(move.card)}{on}"


def _why(one: Mistake) -> str:
    played, best, view = one.verdict.played, one.verdict.best, one.view
    match best.move.verb:
        case Verb.BIG_GIN:
            return "all cards were in melds, which nothing beats."
        case Verb.KNOCK:
            return "that was gin, which nothing beats." if best.left == 0 else _why_knock(played, best)
        case Verb.DISCARD if played.move.verb is Verb.KNOCK:
            return f"playing on was worth {worth(best.worth)} on average, and the knock {worth(played.worth)}."
        case Verb.DISCARD:
            return _why_discard(one, played, best)
        case Verb.TAKE:
            return _why_take(view, best)
        case Verb.DRAW | Verb.PASS:
            return "the face-up card did too little for this hand, and taking it told what this hand collects."
        case _:
            return "it left less deadwood to count."


def _why_knock(played: Advised, best: Advised) -> str:
    return f"it left {best.left} and was worth {worth(best.worth)} on average, and playing on {worth(played.worth)}."


def _why_discard(one: Mistake, played: Advised, best: Advised) -> str:
    lefts = {choice.card: choice.leaves for choice in one.view.discard_choices}
    left, other = (lefts[advised.move.card] for advised in (best, played) if advised.move.card is not None)
    if left < other:
        return f"it left {left} of deadwood instead of {other}."
    if best.danger < played.danger - SAFER:
        return "the next player was much less likely to use the card."
    if best.goes_out > played.goes_out + BETTER_DRAWS:
        return f"{chance(best.goes_out)} of the next cards then let you go out."
    return "it kept the cards together that could still become melds."


def _why_take(view: SeatView, best: Advised) -> str:
    if best.then is not None and best.then.verb is Verb.KNOCK:
        return f"with it you could knock with {best.left}." if best.left else "with it you had gin."
    return f"deadwood would have gone from {view.arrangement.deadwood} to {best.left}."
