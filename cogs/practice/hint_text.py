"""Hints in words: the best move with its reason, and the cost of the next best one."""

from __future__ import annotations

from typing import Final

from bot.engine.deals.moves import Verb
from bot.model.matches import Advice
from bot.opponent.play.advice import AdvisedMove
from cardart.text.card_names import CardNames, card_names
from cogs.showdowns.move_text import NEARLY_EQUAL, balance, percent, points, points_of_deadwood, saving, whole_turn
from cogs.showdowns.reasons import Kind, Reason

MAX_LIKELY_UNDERCUT: Final = 2
"""The most deadwood with which a hand undercuts most knocks."""


def hint(advice: Advice) -> str:
    """Return the best move with its reason in one sentence."""
    view, (best, *others) = advice.hand.view, advice.moves
    do = whole_turn(best, view.public.top, _names(advice))
    why = _why_only(best) if len(view.moves) == 1 else _why(advice, Reason.of(view, best, others))
    return f"**{do}**: {why}"


def next_best(advice: Advice) -> str:
    """Return the next best move and its cost."""
    best, view = advice.moves[0], advice.hand.view
    if len(view.moves) == 1:
        return "You have no other move."
    if best.move.verb is Verb.BIG_GIN or (best.move.verb is Verb.KNOCK and best.is_gin):
        return f"You have {'big gin' if best.move.verb is Verb.BIG_GIN else 'gin'}, so don't give it up."
    other = next((move for move in advice.moves if move.move != best.move), None)
    if other is None:
        draws = best.move.verb is Verb.DRAW
        return (
            "Taking the face-up card would only make the deal longer."
            if draws
            else "No other move leaves less deadwood."
        )
    lost = best.worth - other.worth
    cost = "It's just as good" if lost < NEARLY_EQUAL else f"It's about {points(lost)} worse"
    return f"Next best: *{whole_turn(other, view.public.top, _names(advice))}*. {cost}."


def _names(advice: Advice) -> CardNames:
    return card_names(advice.hand.preferences.appearance.language)


def _why_only(only: AdvisedMove) -> str:
    verb = {Verb.DRAW: "draw", Verb.PASS: "pass"}.get(only.move.verb)
    return "it's your only move." if verb is None else f"you can only {verb} now."


def _why(advice: Advice, reason: Reason) -> str:
    view, best, other = advice.hand.view, reason.best, reason.other
    match reason.kind:
        case Kind.BIG_GIN:
            return "all your cards are in melds."
        case Kind.GIN:
            return "nothing beats gin."
        case Kind.KNOCK:
            return _why_knock(reason)
        case Kind.PLAY_ON:
            undercuts = best.deadwood <= MAX_LIKELY_UNDERCUT and view.public.rules.undercut_bonus > 0
            because = ", because you'd undercut most knocks" if undercuts else ""
            return f"playing on is worth {points(best.worth - other.worth)} more than knocking{because}."
        case Kind.BETTER if best.move.verb is Verb.TAKE:
            return "it scores better on average."
        case Kind.LEAST_LEFT | Kind.GOES_OUT | Kind.SAFE | Kind.MELDS | Kind.BETTER:
            return _why_discard(advice, reason)
        case Kind.TAKE_FOR_GIN:
            return "nothing beats gin."
        case Kind.TAKE_TO_KNOCK:
            return f"that leaves {points_of_deadwood(best)}."
        case Kind.TAKE_LOWERS:
            return f"your deadwood goes from {reason.deadwood} to {best.deadwood}."
        case Kind.TAKE_FITS:
            return "the face-up card fits the rest of your hand."
        case Kind.ENDLESS:
            return "this deal is already very long, so draw from the stock."
        case Kind.NO_KNOCK:
            verb = "passing" if best.move.verb is Verb.PASS else "drawing"
            more = points(best.worth - other.worth)
            return f"{verb} is worth {more} more than taking the face-up card and knocking."
        case Kind.SHOWS | Kind.SAVES_LITTLE:
            saved = f"taking the face-up card lowers your deadwood by {saving(reason.deadwood - other.deadwood)}"
            tells = f" and shows {_opponent(advice)} what you're collecting" if reason.kind is Kind.SHOWS else ""
            return f"{saved}{tells}."
        case Kind.USELESS:
            return "the face-up card wouldn't lower your deadwood."
        case Kind.LAY_OFF:
            return "that leaves the least deadwood."


def _why_knock(reason: Reason) -> str:
    knock, on = reason.best, reason.other
    if on is knock:
        return f"it leaves {points_of_deadwood(knock)}, the least you can knock with."
    if round(knock.worth) == round(on.worth):
        return "knocking scores a little better on average than playing on."
    return f"knocking {_gains(knock.worth)} on average, while playing on {_gains(on.worth)}."


def _gains(number: float) -> str:
    return balance(number, "gains", "loses")


def _why_discard(advice: Advice, reason: Reason) -> str:
    opponent, chance = _opponent(advice), f"your chance to go out next turn is {percent(reason.best.goes_out)}"
    if reason.best.deadwood <= reason.other.deadwood:
        more = {
            Kind.GOES_OUT: f", and {chance}",
            Kind.SAFE: f", and {opponent} is least likely to use that card",
        }
        return f"it leaves the least deadwood, {points(reason.best.deadwood)}{more.get(reason.kind, '')}."
    instead = {
        Kind.GOES_OUT: f", but {chance}",
        Kind.SAFE: f", but {opponent} is much less likely to use that card",
        Kind.MELDS: ", but keeps cards that could become melds",
    }
    return f"it leaves {points_of_deadwood(reason.best)}{instead.get(reason.kind, ', but scores better on average')}."


def _opponent(advice: Advice) -> str:
    return "your opponent" if len(advice.hand.view.public.seats) == 2 else "the next player"
