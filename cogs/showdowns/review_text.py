"""Reviews in words: a player's accuracy, the luck of the deal, and the costliest choices."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move, Verb
from bot.model.reviews import Mistake, Reviewed, turn_number
from bot.model.words import count
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.review.reviews import Review, accuracy
from cardart.text.card_names import CardNames
from cardart.text.phrases import deal_name
from cogs.showdowns import showdown_text as showdown
from cogs.showdowns.move_text import balance, percent, points, points_of_deadwood, saving, whole_turn
from cogs.showdowns.reasons import Kind, Reason
from cogs.words.cards import arrangement, melds
from cogs.words.names import name, versus
from cogs.words.table import VERBS

STANDARD_ERRORS_95: Final = 1.96
"""Number of standard errors on each side of a 95% confidence interval."""
FOOTNOTE: Final = "-# Estimated by simulation; ± is a 95% confidence interval."
MAX_DEAL_LINES: Final = 20
"""Maximum number of deals with their own line. If there are more, only the last ones are listed."""


def title(reviewed: Reviewed) -> str:
    """Return the title of a review: whose choices it rates."""
    return f"Review of {name(reviewed.match.players[reviewed.seat])}'s choices"


def subject(reviewed: Reviewed) -> str:
    """Return the reviewed match, or the reviewed deal with its result, as a small line."""
    if reviewed.whole_match:
        return f"-# {versus(reviewed.match)}: {count(len(reviewed.deals), 'deal')}"
    return f"-# {showdown.title(reviewed.deals[0], reviewed.match)}"


def summary(reviewed: Reviewed) -> str:
    """Return the accuracy and the total cost of the choices."""
    total = reviewed.total
    rated = accuracy(total.verdicts)
    if rated is None:
        which = "The deal" if len(reviewed.deals) == 1 else "These deals"
        return f"{which} ended before there was a choice to make."
    share = f"{rated[0]:.0f}%"
    margin = "" if share == "100%" else f" (± {_margin(rated[1])})"
    return f"**Accuracy {share}**{margin}: {_cost(total)}."


def _cost(total: Review) -> str:
    choices, costly = len(total.verdicts), sum(1 for verdict in total.verdicts if verdict.points_lost)
    if not costly:
        return "no mistakes"
    which = "the only choice" if choices == 1 else f"{costly} of {choices} choices"
    return f"{which} cost {points(total.points_lost)}{' in total' if costly > 1 else ''}"


def result(reviewed: Reviewed) -> str:
    """Return the result and the points from each source, which add up to the result."""
    total = reviewed.total
    others = "the opponent's" if all(len(deal.seats) == 2 for deal in reviewed.deals) else "the others'"
    parts = {"luck with own cards": total.luck, "own choices": -total.points_lost}
    told = " · ".join(f"{what} **{signed(number)}**" for what, number in parts.items())
    rest = round(total.points) - sum(map(round, parts.values()))
    made_of = _result_breakdown(reviewed)
    counted = f"Result **{signed(total.points)}**" + ("" if made_of is None else f" ({made_of})")
    return f"{counted}: {told} · {others} cards and play **{signed(rest)}**"


def _result_breakdown(reviewed: Reviewed) -> str | None:
    """Explain how the result differs from the points shown with the deals; None if they are equal.

    The result includes bonuses for deals won and lost. With penalty points, the result is the average of the other
    players' points minus the player's own points.
    """
    points_in_all, rules = reviewed.total.points, reviewed.match.rules
    if rules.format == "penalty":
        two = len(reviewed.match.players) == 2
        if not round(points_in_all):
            return f"as many penalty points as {'the opponent' if two else 'the others on average'}"
        than = "fewer than" if points_in_all > 0 else "more than"
        others = "the opponent" if two else "the others on average"
        return f"{count(abs(round(points_in_all)), 'penalty point')} {than} {others}"
    outcomes = [deal.outcome for deal in reviewed.deals if deal.outcome.winner is not None]
    bonus = rules.line_bonus * sum(
        outcome.boxes if outcome.winner == reviewed.seat else -outcome.boxes for outcome in outcomes
    )
    if not bonus:
        return None
    if len(reviewed.deals) > 1:
        what = "deals won" if bonus > 0 else "deals lost"
        return f"{signed(points_in_all - bonus)} points and {signed(bonus)} for {what}"
    (outcome,) = outcomes
    what = "the deal" if outcome.boxes == 1 else count(outcome.boxes, "line")
    return f"{count(outcome.points, 'point')} + {abs(bonus)} for {'winning' if bonus > 0 else 'losing'} {what}"


def by_deal(reviewed: Reviewed) -> str | None:
    """Return a line for each deal of a match; None for the review of a single deal."""
    if not reviewed.whole_match:
        return None
    lines, deals = list[str](), len(reviewed.deals)
    if deals > MAX_DEAL_LINES:
        lines.append(f"The last {MAX_DEAL_LINES} of {deals} deals:")
    for deal, review in list(zip(reviewed.deals, reviewed.reviews, strict=True))[-MAX_DEAL_LINES:]:
        rated = accuracy(review.verdicts)
        told = "no choice" if rated is None else f"accuracy {rated[0]:.0f}%"
        lines.append(
            f"{deal_name(deal)}: {told} · choices {signed(-review.points_lost)} · luck {signed(review.luck)}"
            f" · result {signed(review.points)}"
        )
    return "\n".join(lines)


def mistakes(reviewed: Reviewed) -> str | None:
    """Return the heading of the costliest choices, praise if no choice was costly, or None if there was no choice."""
    if not reviewed.total.verdicts:
        return None
    if not reviewed.mistakes:
        return "Well played!"
    return "**The costliest choice**" if len(reviewed.mistakes) == 1 else "**The costliest choices**"


def mistake(number: int, shown: Mistake, names: CardNames, *, whole_match: bool) -> str:
    """Return the move played, the better move with the difference, and the reason in one sentence."""
    verdict, public = shown.verdict, shown.view.public
    turn = f"{deal_name(shown.deal)}, turn" if whole_match else "Turn"
    best = whole_turn(verdict.best, public.top, names)
    by = f"{points(verdict.points_lost)} better" + (f" (± {_margin(verdict.error)})" if verdict.error else "")
    played = _played_text(verdict.played.move, public.top, names)
    why = _why(Reason.of(shown.view, verdict.best, [verdict.played]))
    return f"**{number}. {turn} {turn_number(shown.view)}: {played}.** *{best}* was {by}: {why}"


def hand_in_words(mistake: Mistake, names: CardNames) -> str:
    """Return the hand at the time of a mistake."""
    return arrangement(mistake.view.arrangement, names)


def progress(share: float) -> str:
    """Return the progress of a review. `share` is between 0 and 1."""
    return f"Analysing your moves … {share:.0%}"


def signed(number: float) -> str:
    """Format rounded points with their sign: `+4`, `−12`, `0`."""
    rounded = round(number)
    return "0" if rounded == 0 else f"+{rounded}" if rounded > 0 else f"−{-rounded}"


def _margin(error: float) -> int:
    return max(round(STANDARD_ERRORS_95 * error), 1)


def _played_text(move: Move, top: Card | None, names: CardNames) -> str:
    """Format the move played: `took 5♣`, `laid off 8♠`."""
    if move.verb is Verb.TAKE and top is not None:
        return f"took {names.short(top)}"
    if move.verb is Verb.DONE:
        return "laid off no more cards"
    if move.card is None:
        return VERBS[move.verb]
    on = f" on {melds(move.melds, names)}" if move.verb is Verb.LAY_OFF and move.melds else ""
    return f"{VERBS[move.verb]} {names.short(move.card)}{on}"


def _why(reason: Reason) -> str:
    best, played = reason.best, reason.other
    match reason.kind:
        case Kind.BIG_GIN:
            return "all cards were in melds, and nothing beats that."
        case Kind.GIN:
            return "nothing beats gin."
        case Kind.KNOCK:
            on = "playing on" if played.move.verb is Verb.DISCARD else "the actual knock"
            return _compared("it", best, on, played)
        case Kind.PLAY_ON:
            return _compared("playing on", best, "the knock", played)
        case Kind.LEAST_LEFT:
            return f"it would have left {points_of_deadwood(best)} instead of {played.deadwood}."
        case Kind.GOES_OUT:
            chance = f"the chance to go out next turn would have been {percent(best.goes_out)}"
            return f"{chance} instead of {percent(played.goes_out)}."
        case Kind.SAFE:
            return "the next player was much less likely to use that card."
        case Kind.MELDS:
            return "it would have kept cards that could become melds."
        case Kind.BETTER:
            return "it would have scored better on average."
        case Kind.TAKE_FOR_GIN:
            return "nothing beats gin."
        case Kind.TAKE_TO_KNOCK:
            return f"that card made it possible to knock with {points_of_deadwood(best)}."
        case Kind.TAKE_LOWERS:
            return f"deadwood would have gone from {reason.deadwood} to {best.deadwood}."
        case Kind.TAKE_FITS:
            return "that card fitted the rest of the hand."
        case Kind.ENDLESS:
            return "the deal was already very long, so it was time to just draw."
        case Kind.NO_KNOCK:
            return _compared("leaving the face-up card", best, "taking it", played)
        case Kind.SHOWS | Kind.SAVES_LITTLE:
            saved = f"taking the face-up card saved {saving(reason.deadwood - played.deadwood)}"
            return (
                f"{saved} and revealed which cards the player was collecting."
                if reason.kind is Kind.SHOWS
                else f"{saved}."
            )
        case Kind.USELESS:
            return "taking the face-up card didn't lower the deadwood."
        case Kind.LAY_OFF:
            return "it would have left less deadwood."


def _compared(better: str, best: AdvisedMove, what: str, played: AdvisedMove) -> str:
    """Compare the average points of the best move with those of the move that was played."""
    if round(best.worth) == round(played.worth):
        return f"{better} would have been a little better on average than {what}."
    best_gains, other_gains = (balance(option.worth, "gains", "loses") for option in (best, played))
    return f"on average, {better} {best_gains}, and {what} {other_gains}."
