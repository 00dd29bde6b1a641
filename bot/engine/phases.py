"""What may be done in each phase of a deal, and what it leads to.

`legal_moves` and `play` draw on the same rule functions, one for each phase, so what the one lists the other accepts.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import laying
from bot.engine.cards import Card
from bot.engine.deal import STOCK_LEFT, Deal, Phase, after, changed, with_hand
from bot.engine.errors import IllegalMove
from bot.engine.melds import Arrangement, arrangements, best_arrangement, least_deadwood
from bot.engine.moves import BIG_GIN, DRAW, PASS, TAKE, Move, Verb, discard, knock
from bot.engine.showdown import VOID

_MOST_SHED = 15
"""The most that one discard can take off the least deadwood, so that most hands need no closer look."""


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """The canonical moves of the seat to act: none once the deal is over. Resigning is a matter of the match.

    There is one knock for each discard and distinct legal arrangement.
    """
    if deal.phase is Phase.DISCARD:
        return _discards(deal)
    if deal.phase is Phase.LAY_OFF:
        return laying.legal_moves(deal)
    return _TURNS[deal.phase](deal)


def canonical(deal: Deal, move: Move) -> Move:
    """The move as `legal_moves` would list it: a knock that names no melds gets the default arrangement, and so do an
    opponent's own melds."""
    if deal.phase is Phase.DISCARD and move.verb is Verb.KNOCK and move.melds is None and move.card is not None:
        return knock(move.card, best_arrangement(deal.hands[deal.turn] - move.card, deal.rules.aces).melds)
    if deal.phase is Phase.LAY_OFF:
        return laying.canonical(deal, move)
    return move


def play(deal: Deal, move: Move) -> Deal:
    """The deal after a move of the seat to act.

    Raises:
        IllegalMove: the move is none of `legal_moves`; the message says why and what was legal.
    """
    led: Deal | None = None
    if deal.phase is Phase.DISCARD:
        led = _ended(deal, canonical(deal, move))
    elif deal.phase is Phase.LAY_OFF:
        led = laying.play(deal, canonical(deal, move))
    elif move in _TURNS[deal.phase](deal):
        led = _begun(deal, move)
    if led is None:
        code, why = _why_not(deal, move)
        raise IllegalMove(code, f"{str(move)!r} is not legal: {why}; legal: {_listed(deal)}")
    return led


def restock(deal: Deal, order: Sequence[Card]) -> Deal:
    """The deal after a reshuffle: all discards but the top, in this order, lie under the two cards left.

    Raises:
        IllegalMove: no reshuffle is due, or these are not the cards of the pile below its top.
    """
    if deal.phase is not Phase.RESHUFFLE:
        raise IllegalMove("stock", "the stock is not reshuffled now")
    pile = deal.discards[:-1]
    if len(order) != len(pile) or set(order) != set(pile):
        raise IllegalMove("stock", "a reshuffle holds the cards of the pile below its top, each once")
    return changed(deal, phase=Phase.DRAW, deck=(*deal.deck, *order), discards=deal.discards[-1:])


def _offer(deal: Deal) -> tuple[Move, ...]:
    return PASS, TAKE


def _draw(deal: Deal) -> tuple[Move, ...]:
    refused_by_all = deal.passes == len(deal.seats)
    return (DRAW,) if refused_by_all else (DRAW, TAKE)


def _wall(deal: Deal) -> tuple[Move, ...]:
    """The last discard may be taken only to go out with it."""
    taken = _taken(deal, TAKE)
    return (PASS, TAKE) if _discards(taken) else (PASS,)


def _none(deal: Deal) -> tuple[Move, ...]:
    return ()


_TURNS = {Phase.OFFER: _offer, Phase.DRAW: _draw, Phase.WALL: _wall, Phase.RESHUFFLE: _none, Phase.DONE: _none}


def _discards(deal: Deal) -> tuple[Move, ...]:
    """Discards, knocks, and big gin; at the wall only what goes out."""
    hand, aces = deal.hands[deal.turn], deal.rules.aces
    allowed = [card for card in hand if _may_discard(deal, card)]
    moves = () if deal.at_wall else tuple([discard(card) for card in allowed])
    least = least_deadwood(hand, aces)
    if least > deal.knock_limit + _MOST_SHED:
        return moves
    big = (BIG_GIN,) if least == 0 and deal.rules.big_gin_bonus is not None else ()
    knocks = tuple(knock(card, laid.melds) for card in allowed for laid in _knocks(deal, card))
    return moves + knocks + big


def _may_discard(deal: Deal, card: Card) -> bool:
    """Whether a card of the hand may be discarded, in a knock too."""
    match deal.rules.discard_drawn:
        case "free":
            return True
        case "not_from_pile":
            return card is not deal.taken
        case "never":
            return card is not deal.taken and card is not deal.drawn


def _knocks(deal: Deal, card: Card) -> tuple[Arrangement, ...]:
    """The arrangements that a knock with this discard may lay down."""
    hand, aces = deal.hands[deal.turn] - card, deal.rules.aces
    limit = deal.knock_limit
    return tuple(arrangements(hand, limit, aces)) if least_deadwood(hand, aces) <= limit else ()


def _begun(deal: Deal, move: Move) -> Deal:
    """After a pass, a take or a draw."""
    if move.verb is Verb.PASS:
        if deal.phase is Phase.WALL:
            return changed(deal, move, phase=Phase.DONE, outcome=VOID)
        passes = deal.passes + 1
        phase = Phase.OFFER if passes < len(deal.seats) else Phase.DRAW
        return changed(deal, move, phase=phase, turn=after(deal), passes=passes)
    if move.verb is Verb.TAKE:
        return _taken(deal, move)
    card = deal.deck[deal.dealt]
    hands = with_hand(deal, deal.hands[deal.turn] + card)
    return changed(deal, move, phase=Phase.DISCARD, hands=hands, dealt=deal.dealt + 1, drawn=card)


def _taken(deal: Deal, move: Move) -> Deal:
    card = deal.discards[-1]
    hands = with_hand(deal, deal.hands[deal.turn] + card)
    return changed(deal, move, phase=Phase.DISCARD, hands=hands, discards=deal.discards[:-1], taken=card)


def _ended(deal: Deal, move: Move) -> Deal | None:
    """After a discard, a knock or big gin; None where it is not legal."""
    hand, card = deal.hands[deal.turn], move.card
    if move.verb is Verb.BIG_GIN:
        if deal.rules.big_gin_bonus is None or least_deadwood(hand, deal.rules.aces):
            return None
        return laying.begin(deal, move, best_arrangement(hand, deal.rules.aces))
    if card is None or card not in hand or not _may_discard(deal, card):
        return None
    if move.verb is Verb.DISCARD:
        return None if deal.at_wall or move.melds is not None else _discarded(deal, move, card)
    if move.verb is Verb.KNOCK:
        for laid in _knocks(deal, card):
            if laid.melds == move.melds:
                hands, pile = with_hand(deal, hand - card), (*deal.discards, card)
                return laying.begin(deal, move, laid, hands, pile)
    return None


def _discarded(deal: Deal, move: Move, card: Card) -> Deal:
    hands, pile = with_hand(deal, deal.hands[deal.turn] - card), (*deal.discards, card)
    if len(deal.deck) - deal.dealt > STOCK_LEFT:
        return changed(deal, move, phase=Phase.DRAW, turn=after(deal), hands=hands, discards=pile)
    if deal.rules.stock_out == "reshuffle":
        return changed(deal, move, phase=Phase.RESHUFFLE, turn=after(deal), hands=hands, discards=pile)
    if deal.rules.last_discard == "may_go_out":
        return changed(deal, move, phase=Phase.WALL, turn=after(deal), hands=hands, discards=pile, at_wall=True)
    return changed(deal, move, phase=Phase.DONE, hands=hands, discards=pile, outcome=VOID)


def _why_not(deal: Deal, move: Move) -> tuple[str, str]:
    """A code for those who have words of their own, and the reason in the engine's."""
    match deal.phase:
        case Phase.DONE:
            return "over", "the deal is over"
        case Phase.RESHUFFLE:
            return "stock", "the stock is being reshuffled"
        case Phase.OFFER:
            return "offer", "the upcard is taken or passed first"
        case Phase.DRAW if move.verb is Verb.TAKE:
            return "refused", "all players passed the upcard, so the first card comes from the stock"
        case Phase.DRAW:
            return "draw-first", "a turn begins with a card from the stock or the pile"
        case Phase.WALL:
            return "wall", "the stock is used up: the last discard may only be taken to go out with it"
        case Phase.LAY_OFF:
            return laying.why_not(deal, move)
        case Phase.DISCARD:
            return _why_no_discard(deal, move)


def _why_no_discard(deal: Deal, move: Move) -> tuple[str, str]:
    hand, card = deal.hands[deal.turn], move.card
    if move.verb is Verb.BIG_GIN:
        if deal.rules.big_gin_bonus is None:
            return "no-big-gin", "these rules know no big gin"
        return "not-big-gin", f"it would leave {least_deadwood(hand, deal.rules.aces)}"
    if card is None or move.verb not in (Verb.DISCARD, Verb.KNOCK):
        return "drawn", "a card is drawn already; now discard or knock"
    if card not in hand:
        return "not-in-hand", f"{card} is not in the hand"
    if not _may_discard(deal, card):
        if card is deal.drawn:
            return "just-drawn", f"{card} was drawn in this turn"
        return "just-taken", f"{card} was taken from the pile in this turn"
    if move.verb is Verb.DISCARD:
        return "wall", "the stock is used up: who took the last discard must go out"
    left = least_deadwood(hand - card, deal.rules.aces)
    if left > deal.knock_limit:
        return "too-much", f"it would leave {left}, and the knock limit is {deal.knock_limit}"
    return "melds", "these melds are not in the hand, or leave too much"


def _listed(deal: Deal) -> str:
    return ", ".join(map(str, legal_moves(deal))) or "nothing"
