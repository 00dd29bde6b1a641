"""Hints in words: the best move with its reason, and the cost of the next best one."""

from __future__ import annotations

from bot.engine.deals.moves import Verb
from bot.model.matches import Advice
from bot.opponent.play.advice import AdvisedMove
from cardart.text.card_names import CardNames, card_names
from cogs.showdowns.move_text import NEARLY_EQUAL, balance, percent, points, saving, whole_turn
from cogs.showdowns.reasons import Kind, Reason


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
        return "It's your only move."
    if best.move.verb is Verb.BIG_GIN or (best.move.verb is Verb.KNOCK and best.deadwood == 0):
        return f"You have {'big gin' if best.move.verb is Verb.BIG_GIN else 'gin'}: don't give it up."
    other = next((move for move in advice.moves if move.move != best.move), None)
    if other is None:
        draws = best.move.verb is Verb.DRAW
        return "Taking a card only drags the deal out." if draws else "Nothing else leaves less deadwood."
    lost = best.worth - other.worth
    cost = "It's just as good" if lost < NEARLY_EQUAL else f"It costs about {points(lost)}"
    return f"Next best: *{whole_turn(other, view.public.top, _names(advice))}*. {cost}."


def _names(advice: Advice) -> CardNames:
    return card_names(advice.hand.preferences.appearance.language)


def _why_only(only: AdvisedMove) -> str:
    verb = {Verb.DRAW: "draw", Verb.PASS: "pass"}.get(only.move.verb)
    return "it's your only move." if verb is None else f"you can only {verb} now."


def _why(advice: Advice, reason: Reason) -> str:
    best, other = reason.best, reason.other
    match reason.kind:
        case Kind.BIG_GIN:
            return "all your cards are in melds."
        case Kind.GIN:
            return "it's gin, which nothing beats."
        case Kind.KNOCK:
            return _why_knock(reason)
        case Kind.PLAY_ON:
            return f"playing on is worth {points(best.worth - other.worth)} more than knocking."
        case Kind.BETTER if best.move.verb is Verb.TAKE:
            return "it does better on average."
        case Kind.LEAST_LEFT | Kind.GOES_OUT | Kind.SAFE | Kind.MELDS | Kind.BETTER:
            return _why_discard(advice, reason)
        case Kind.TAKE_FOR_GIN:
            return "that's gin, which nothing beats."
        case Kind.TAKE_TO_KNOCK:
            return f"that leaves {best.deadwood}."
        case Kind.TAKE_LOWERS:
            return f"your deadwood goes from {reason.deadwood} to {best.deadwood}."
        case Kind.TAKE_FITS:
            return "it goes well with the cards you hold."
        case Kind.ENDLESS:
            return "the deal has gone on so long that you should just draw."
        case Kind.NO_KNOCK:
            verb = "passing" if best.move.verb is Verb.PASS else "drawing"
            more = points(best.worth - other.worth)
            return f"{verb} is worth {more} more than going out with the face-up card."
        case Kind.SHOWS | Kind.SAVES_LITTLE:
            saved = f"taking the face-up card saves {saving(reason.deadwood - other.deadwood)}"
            tells = f" and tells {_opponent(advice)} what you collect" if reason.kind is Kind.SHOWS else ""
            return f"{saved}{tells}."
        case Kind.USELESS:
            return "the face-up card saves nothing."
        case Kind.LAY_OFF:
            return "that leaves the least deadwood."


def _why_knock(reason: Reason) -> str:
    knock, on = reason.best, reason.other
    if on is knock:
        return f"it leaves {knock.deadwood}, the least you can knock with."
    if round(knock.worth) == round(on.worth):
        return f"it leaves {knock.deadwood} and is a little better on average than playing on."
    return f"it leaves {knock.deadwood} and {_gains(knock.worth)} on average, while playing on {_gains(on.worth)}."


def _gains(number: float) -> str:
    return balance(number, "gains", "loses")


def _why_discard(advice: Advice, reason: Reason) -> str:
    left, opponent = f"it leaves {reason.best.deadwood}", _opponent(advice)
    draws = f"{percent(reason.best.goes_out)} of draws let you go out"
    if reason.best.deadwood <= reason.other.deadwood:
        more = {
            Kind.GOES_OUT: f", and {draws}",
            Kind.SAFE: f", and {opponent} is least likely to use the card",
        }
        return f"{left}, the least deadwood{more.get(reason.kind, '')}."
    instead = {
        Kind.GOES_OUT: f", but {draws}",
        Kind.SAFE: f", but {opponent} is much less likely to use the card",
        Kind.MELDS: " and keeps cards together that may become melds",
    }
    return f"{left}{instead.get(reason.kind, ' and does better on average')}."


def _opponent(advice: Advice) -> str:
    return "your opponent" if len(advice.hand.view.public.seats) == 2 else "the next player"
