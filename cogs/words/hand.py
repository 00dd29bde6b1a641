"""A hand in words: what its owner may do, whom they wait for, and how their match ended."""

from __future__ import annotations

from typing import Final

from bot.engine.moves import Seat, Verb
from bot.engine.views import Phase, SeatView
from bot.play.values import MatchCard, MatchStatus, Order, OwnHand, Wish
from cardart.facts import can_take, sorted_hand
from cardart.names import Names, names_of
from cardart.words import margin
from cogs.words.cards import arrangement, laid_off, melds, saving
from cogs.words.people import joined, name, rivals
from cogs.words.showdown import ended
from cogs.words.table import since, top

FRESH: Final = 3
"""After so many actions of a deal nobody needs to be told of the one before."""


def title(hand: OwnHand) -> str:
    """Whom the hand is against; the others at the board, where there are several."""
    view = hand.view
    players = [seat for seat in view.public.order if seat != view.seat]
    against = joined([name(hand.card.players[seat]) for seat in players])
    return f"{against} play" if view.sits_out else f"Your hand against {against}"


def your_turn(hand: OwnHand) -> str:
    """What the owner of a hand may do now, or whom they wait for."""
    view, card = hand.view, hand.card
    if card.status is not MatchStatus.RUNNING:
        return "This match is over."
    if view.to_act:
        return f"**Your turn:** {_to_do(card, view, names_of(hand.look.language))}"
    rest = "You sit this deal out. " if view.sits_out else ""
    if view.public.turn is None:
        return f"{rest}Your board is over. The round ends once the other board is over too."
    awaited = name(card.players[view.public.turn])
    return f"{rest}Waiting for {awaited}, since {since(hand.moved_at)}. *Refresh* looks again."


def _to_do(card: MatchCard, view: SeatView, names: Names) -> str:
    public = view.public
    match public.phase:
        case Phase.OFFER:
            return f"take the {top(public, names)} or pass."
        case Phase.DRAW:
            take = f" or take the {top(public, names)}." if can_take(view) else ": all passed the upcard."
            return f"draw from the stock{take}"
        case Phase.WALL:
            if can_take(view):
                return f"the stock is used up. Take the {top(public, names)} to knock or go gin with it, or pass."
            return f"the stock is used up, and you cannot go out with the {top(public, names)}: pass."
        case Phase.LAY_OFF if public.knock is not None:
            best = "" if view.best_response is None else f" At best you keep {view.best_response.arrangement.deadwood}."
            knocker = name(card.players[public.knock.seat])
            return (
                f"{knocker} knocked with {public.knock.laid.deadwood}. Lay cards off, all at once or one by one.{best}"
            )
        case _:
            return _to_discard(view, names)


def _to_discard(view: SeatView, names: Names) -> str:
    got = "took" if view.public.history[-1].verb is Verb.TAKE else "drew"
    fresh = f" You {got} {names.short(view.new_card)}." if view.new_card is not None else ""
    if view.can_go_big_gin:
        return f"you have big gin!{fresh}"
    if view.can_go_gin:
        return f"you have gin!{fresh}"
    knocks = [choice for choice in view.discard_choices if choice.knocks]
    knock = f"knock, leaving {min(choice.leaves for choice in knocks)}" if knocks else ""
    if not any(choice.allowed for choice in view.discard_choices):
        return f"{knock}.{fresh}"
    return f"discard a card{', or ' if knock else ''}{knock}.{fresh}"


def held(hand: OwnHand) -> str | None:
    """The cards as their owner likes them sorted, the melds and the deadwood; None for who sits out."""
    view, names = hand.view, names_of(hand.look.language)
    if view.sits_out:
        return None
    if hand.order is Order.MELDS:
        return arrangement(view.arrangement, names)
    cards, laid = names.row(sorted_hand(view.hand, hand.order)), view.arrangement
    return f"Hand: {cards}\nMelds: {melds(laid.melds, names)}\nDeadwood: **{laid.deadwood}**"


def spelled_out(hand: OwnHand) -> str | None:
    """What else may be done, to who plays without pictures: the cards to knock with, or to lay off and where."""
    view, names = hand.view, names_of(hand.look.language)
    if hand.pictures:
        return None
    if view.best_response is not None:
        fits = ", ".join(f"{laid_off(one, names)} ({saving(one)})" for one in view.lay_offs)
        best = names.row(one.card for one in view.best_response.lay_offs) or "nothing"
        return f"You may lay off: {fits}\nBest: {best}" if fits else "None of your cards fits."
    knocks = sorted((choice for choice in view.discard_choices if choice.knocks), key=lambda choice: choice.leaves)
    told = ", ".join(f"{names.short(choice.card)} (leaving {choice.leaves})" for choice in knocks)
    return f"You may knock with: {told}" if told else None


def last_deal(hand: OwnHand) -> str | None:
    """How the deal before ended, while the one in play has hardly begun."""
    if hand.last is None or len(hand.view.public.history) > FRESH:
        return None
    return f"-# {ended(hand.last, hand.card)}. The showdown is in <#{hand.card.channel_id}>."


def wishes(card: MatchCard, own: Seat | None = None) -> str | None:
    """Who offers to call the match off, as everyone or one seat is told; None where nobody does."""
    who = [seat for seat, wish in enumerate(card.wishes) if wish is Wish.CANCEL]
    if own in who:
        return offer(card)
    return f"{joined([name(card.players[seat]) for seat in who])} would like to call the match off." if who else None


def offer(card: MatchCard) -> str:
    """What one's own offer to call the match off means."""
    others = "the other agrees" if len(card.players) == 2 else "all agree"
    return f"You offer to call the match off. It ends once {others}."


def over(hand: OwnHand) -> str:
    """How a match ended, as its player is told."""
    card, seat, public = hand.card, hand.view.seat, hand.view.public
    score, against = public.score, rivals(card, seat)
    where = f"How it ended stands in <#{card.channel_id}>."
    if card.status is MatchStatus.CANCELLED:
        return f"Your match against {against} was called off. It counts for nobody."
    resigned = public.resigned
    how = (
        ""
        if resigned is None
        else " You resigned."
        if resigned == seat
        else f" {name(card.players[resigned])} resigned."
    )
    if score.winner is None:
        if resigned is None:
            return f"Your match against {against} is drawn. {where}"
        result = "You lost" if resigned == seat else "There is no result for you in"
        return f"{result} your match against {against}.{how} {where}"
    won = seat in public.sides[score.winner]
    result = "You **won**" if won else "You lost"
    told = resigned is None and len(card.sides) == 2 and (won or (score.margin or 0) > 0)
    by = margin(card.rules, score) if told else ""
    return f"{result} your match against {against}{by}.{how} {where}"


def leaving(hand: OwnHand) -> str:
    """What resigning means, before it is done."""
    card, seat = hand.card, hand.view.seat
    team = any(seat in side and len(side) > 1 for side in card.sides)
    if team:
        then = "Your team loses it then"
    elif len(card.players) == 2:
        then = "They win it then"
    else:
        then = "The match ends then: a loss for you, and no result for the others"
    return (
        f"Resign your match against {rivals(card, seat)} in <#{card.channel_id}>? {then}, and the deal in play is not "
        f"scored. If you {'both' if len(card.players) == 2 else 'all'} agree to call it off, it counts for nobody."
    )


def turn_of(hand: OwnHand) -> str:
    """One line of the list of a person's matches."""
    state = "**your turn**" if hand.view.to_act else "waiting"
    against = rivals(hand.card, hand.view.seat)
    number = hand.view.public.number
    return f"<#{hand.card.channel_id}> against {against}: {state} since {since(hand.moved_at)}, deal {number}"
