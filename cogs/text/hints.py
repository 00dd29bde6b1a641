"""Hints in words: the best move and why, and what the next best would cost."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card
from bot.engine.moves import Move, Verb
from bot.opponent.advice import Advised
from bot.values.matches import Advice
from cardart.text.card_names import Names, names_of
from cardart.text.phrases import count
from cogs.text.cards import melds

NEARLY_EQUAL: Final = 0.5
"""Points by which two moves differ so little that either will do."""
SAFER: Final = 0.08
"""By how much the chance that somebody can use a discard must be smaller to be named as the reason."""
BETTER_DRAWS: Final = 0.04
"""By how much the chance to go out with the next card must be greater to be named as the reason."""


def hint(advice: Advice) -> str:
    """Return the best move, and in one sentence why."""
    best = advice.moves[0]
    do = whole_turn(best, advice.hand.view.public.top, _names(advice))
    return f"**{do}**: {_why(advice, best)}"


def next_best(advice: Advice) -> str:
    """Return what the next best move would cost."""
    names, best = _names(advice), advice.moves[0]
    other = next((one for one in advice.moves if one.move != best.move), None)
    if other is None:
        return "There is nothing else to be done."
    lost = best.worth - other.worth
    move = _imperative(other.move, names)
    if best.move.verb in (Verb.BIG_GIN, Verb.KNOCK) and best.left == 0:
        return f"Anything else gives a sure {'big gin' if best.move.verb is Verb.BIG_GIN else 'gin'} away."
    if lost < NEARLY_EQUAL:
        return f"Next best: *{move}*. It is worth as much, within half a point."
    return f"Next best: *{move}*. It costs about {points(lost)} on average."


def points(number: float) -> str:
    """Return a number of points, at least one: `1 point`, `12 points`."""
    return count(max(round(number), 1), "point")


def whole_turn(advised: Advised, top: Card | None, names: Names) -> str:
    """Return a move as what to do, with what follows after `top` was taken: `Take 5♣ and discard K♦`."""
    if advised.move.verb is Verb.TAKE and advised.then is not None and top is not None:
        then = _imperative(advised.then, names)
        return f"Take {names.short(top)} and {then[0].lower()}{then[1:]}"
    return _imperative(advised.move, names)


def _names(advice: Advice) -> Names:
    return names_of(advice.hand.preferences.appearance.language)


def _imperative(move: Move, names: Names) -> str:
    """Return a move as what to do: `Take`, `Discard K♦`."""
    card = "" if move.card is None else names.short(move.card)
    return {
        Verb.DRAW: "Draw",
        Verb.TAKE: "Take",
        Verb.PASS: "Pass",
        Verb.DISCARD: f"Discard {card}",
        Verb.KNOCK: f"Knock with {card}",
        Verb.BIG_GIN: "Go big gin",
        Verb.LAY_OFF: f"Lay {card} off" + (f" on {melds(move.melds, names)}" if move.melds else ""),
        Verb.DONE: "Lay nothing more off",
    }.get(move.verb, str(move))


def _why(advice: Advice, best: Advised) -> str:
    match best.move.verb:
        case Verb.BIG_GIN:
            return "all eleven cards are in melds, which nothing beats."
        case Verb.KNOCK:
            return _why_knock(advice, best)
        case Verb.DISCARD:
            return _why_discard(advice, best)
        case Verb.TAKE:
            return _why_take(advice, best)
        case Verb.DRAW | Verb.PASS:
            return _why_not_take(advice)
        case _:
            return "that leaves you the least deadwood."


def _why_knock(advice: Advice, best: Advised) -> str:
    if best.left == 0:
        return "it is gin, which nothing beats."
    on = next((one for one in advice.moves if one.move.verb is Verb.DISCARD), None)
    now = f"it leaves {best.left}, and brings {worth(best.worth)} on average"
    return f"{now}, while playing on brings {worth(on.worth)}." if on is not None else f"{now}."


def _why_discard(advice: Advice, best: Advised) -> str:
    discards = [one for one in advice.moves if one.move.verb is Verb.DISCARD]
    knock = next((one for one in advice.moves if one.move.verb is Verb.KNOCK), None)
    if knock is not None:
        return f"you could knock, but playing on is worth {points(best.worth - knock.worth)} more on average."
    least = min(discards, key=lambda one: one.left)
    if best.left == least.left:
        reason = f"it leaves {best.left}, the least deadwood"
        rivals = [one for one in discards if one.left == best.left and one is not best]
        if rivals and best.goes_out > min(one.goes_out for one in rivals) + BETTER_DRAWS:
            return f"{reason}, with the best chances: {chance(best.goes_out)} of the next cards let you go out."
        if rivals and best.danger < max(one.danger for one in rivals) - SAFER:
            return f"{reason}, and your opponent is least likely to use the card."
        return f"{reason}."
    if best.goes_out > least.goes_out + BETTER_DRAWS:
        return f"it leaves {best.left}, but {chance(best.goes_out)} of the next cards then let you go out."
    if best.danger < least.danger - SAFER:
        return f"it leaves {best.left}, but your opponent is much less likely to use the card."
    return f"it leaves {best.left} and keeps the cards together that may still become melds."


def _why_take(advice: Advice, best: Advised) -> str:
    if best.then is not None and best.then.verb is Verb.KNOCK:
        return f"that leaves {best.left}." if best.left else "that is gin, which nothing beats."
    return f"your deadwood goes from {advice.hand.view.arrangement.deadwood} to {best.left}."


def _why_not_take(advice: Advice) -> str:
    take = next((one for one in advice.moves if one.move.verb is Verb.TAKE), None)
    if take is None:
        return "there is nothing else to take."
    return f"the face-up card would leave you {take.left} at best, and show your opponent what you collect."


def worth(number: float) -> str:
    """Return what a move brings: `3 points`, `a loss of 3 points`, `nothing`."""
    if abs(number) < NEARLY_EQUAL:
        return "nothing"
    return points(number) if number > 0 else f"a loss of {points(-number)}"


def chance(share: float) -> str:
    """Return a share of cards: `about 1 in 4`."""
    return f"about 1 in {max(round(1 / max(share, 0.01)), 1)}"
