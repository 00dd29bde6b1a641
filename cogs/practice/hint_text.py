"""Hints in words: the best move with its reason, and the cost of the next best one."""

from __future__ import annotations

from bot.engine.deals.moves import Verb
from bot.model.matches import Advice
from bot.opponent.play.advice import AdvisedMove
from cardart.text.card_names import CardNames, card_names
from cogs.showdowns.move_text import NEARLY_EQUAL, balance, percent, points, whole_turn
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
        return "It is your only move."
    if best.move.verb is Verb.BIG_GIN or (best.move.verb is Verb.KNOCK and best.deadwood == 0):
        return f"{'Big gin' if best.move.verb is Verb.BIG_GIN else 'Gin'} is certain now: do not give it up."
    other = next((move for move in advice.moves if move.move != best.move), None)
    if other is None:
        draws = best.move.verb is Verb.DRAW
        return "Taking a card would only drag the deal out." if draws else "Nothing else leaves you less deadwood."
    lost = best.worth - other.worth
    cost = "It is just as good" if lost < NEARLY_EQUAL else f"It costs about {points(lost)} on average"
    return f"Next best: *{whole_turn(other, view.public.top, _names(advice))}*. {cost}."


def _names(advice: Advice) -> CardNames:
    return card_names(advice.hand.preferences.appearance.language)


def _why_only(only: AdvisedMove) -> str:
    verb = {Verb.DRAW: "draw", Verb.PASS: "pass"}.get(only.move.verb)
    return "it is your only move." if verb is None else f"you can only {verb} now."


def _why(advice: Advice, reason: Reason) -> str:
    best, other = reason.best, reason.other
    match reason.kind:
        case Kind.BIG_GIN:
            return "all your cards are in melds, which nothing beats."
        case Kind.GIN:
            return "it is gin, which nothing beats."
        case Kind.KNOCK:
            return _why_knock(reason)
        case Kind.PLAY_ON:
            return f"you could knock, but playing on is worth {points(best.worth - other.worth)} more on average."
        case Kind.LEAST_LEFT | Kind.GOES_OUT | Kind.SAFE | Kind.MELDS:
            return _why_discard(advice, reason)
        case Kind.TAKE_FOR_GIN:
            return "that is gin, which nothing beats."
        case Kind.TAKE_TO_KNOCK:
            return f"that leaves {best.deadwood}."
        case Kind.TAKE_LOWERS:
            return f"your deadwood goes from {reason.deadwood} to {best.deadwood}."
        case Kind.TAKE_FITS:
            return "it goes well with the cards you hold."
        case Kind.ENDLESS:
            return "the deal has gone on so long that I would only draw now."
        case Kind.NO_KNOCK:
            verb = "passing" if best.move.verb is Verb.PASS else "drawing"
            more = points(best.worth - other.worth)
            return f"you could take the face-up card and go out, but {verb} is worth {more} more on average."
        case Kind.SHOWS:
            lower = f"from {reason.deadwood} to {other.deadwood}"
            return f"taking the face-up card would lower your deadwood {lower}, but show what you collect."
        case Kind.USELESS:
            return "the face-up card would not lower your deadwood, and taking it would show what you collect."
        case Kind.LAY_OFF:
            return "that leaves you the least deadwood."


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
    left = f"it leaves {reason.best.deadwood}"
    cards = f"{percent(reason.best.goes_out)} of the cards you might draw"
    opponent = "your opponent" if len(advice.hand.view.public.seats) == 2 else "the next player"
    if reason.best.deadwood <= reason.other.deadwood:
        more = {
            Kind.GOES_OUT: f", with the best chances: {cards} let you go out",
            Kind.SAFE: f", and {opponent} is least likely to use the card",
        }
        return f"{left}, the least deadwood{more.get(reason.kind, '')}."
    instead = {
        Kind.GOES_OUT: f", but {cards} then let you go out",
        Kind.SAFE: f", but {opponent} is much less likely to use the card",
    }
    return f"{left}{instead.get(reason.kind, ' and keeps together cards that may still become melds')}."
