"""What may be done in each phase of a deal, and what it leads to.

`legal_moves` and `play` draw on the same rule functions, one for each phase, so what the one lists the other accepts.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Card
from bot.engine.deal import Deal, Phase, after, changed, with_hand
from bot.engine.errors import IllegalMove
from bot.engine.lay_offs import answered, answers, canonical_answer, knocked, why_no_answer
from bot.engine.melds import MOST_POINTS, Arrangement, arrangements, best_arrangement, least_deadwood
from bot.engine.moves import BIG_GIN, DISCARDS, DRAW, PASS, TAKE, Move, Verb, knock
from bot.engine.showdown import VOID


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """The canonical moves of the seat to act: none once the deal is over. Resigning is a matter of the match.

    There is one knock for each discard and distinct legal arrangement.
    """
    if deal.phase is Phase.DISCARD:
        return _discards(deal)
    if deal.phase is Phase.LAY_OFF:
        return answers(deal)
    return _beginnings(deal)


def canonical(deal: Deal, move: Move) -> Move:
    """The move as `legal_moves` would list it: a knock that names no melds gets the default arrangement, and so do an
    opponent's own melds."""
    if deal.phase is Phase.DISCARD and move.verb is Verb.KNOCK and move.melds is None and move.card is not None:
        return knock(move.card, best_arrangement(deal.hands[deal.turn] - move.card, deal.rules.aces).melds)
    return canonical_answer(deal, move) if deal.phase is Phase.LAY_OFF else move


def play(deal: Deal, move: Move) -> Deal:
    """The deal after a move of the seat to act.

    Raises:
        IllegalMove: the move is none of `legal_moves`; the message says why and what was legal.
    """
    led: Deal | None = None
    if deal.phase is Phase.DISCARD:
        led = _ended(deal, move)
    elif deal.phase is Phase.LAY_OFF:
        led = answered(deal, canonical_answer(deal, move))
    elif move in _beginnings(deal):
        led = _begun(deal, move)
    if led is None:
        code, why = _why_not(deal, move)
        raise IllegalMove(code, f"{str(move)!r} is not legal: {why}; legal: {_listed(deal)}")
    return led


def reshuffle(deal: Deal, order: Sequence[Card]) -> Deal:
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


def _beginnings(deal: Deal) -> tuple[Move, ...]:
    """How a turn begins: with the upcard or a pass, a draw, or at the wall, where a card is taken only to go out."""
    if deal.phase is Phase.DRAW:
        refused_by_all = deal.passes == len(deal.hands)
        return (DRAW,) if refused_by_all else (DRAW, TAKE)
    if deal.phase is Phase.OFFER:
        return PASS, TAKE
    if deal.phase is Phase.WALL:
        return (PASS, TAKE) if _discards(_taken(deal, TAKE)) else (PASS,)
    return ()


def _discards(deal: Deal) -> tuple[Move, ...]:
    """Discards, knocks, and big gin; at the wall only what goes out."""
    hand, aces = deal.hands[deal.turn], deal.rules.aces
    taken, drawn = _kept(deal)
    allowed = [card for card in hand if card is not taken and card is not drawn]
    moves = () if _at_wall(deal) else tuple([DISCARDS[card.order] for card in allowed])
    if least_deadwood(hand, aces) > deal.knock_limit + MOST_POINTS[aces]:  # No one discard takes off so much.
        return moves
    knocks = tuple(knock(card, laid.melds) for card in allowed for laid in _knocks(deal, card))
    return moves + knocks + _big_gin(deal)


def _big_gin(deal: Deal) -> tuple[Move, ...]:
    """Going out without a discard, where the rules know it and the hand is all melds."""
    known = deal.rules.big_gin_bonus is not None
    return (BIG_GIN,) if known and least_deadwood(deal.hands[deal.turn], deal.rules.aces) == 0 else ()


def _at_wall(deal: Deal) -> bool:
    """Whether the last discard was taken after the stock was used up."""
    return deal.taken is not None and deal.stock_used_up


def _kept(deal: Deal) -> tuple[Card | None, Card | None]:
    """The card taken and the card drawn, where they may not be discarded in this turn, nor knocked with."""
    match deal.rules.discard_drawn:
        case "not_from_pile":
            return deal.taken, None
        case "never":
            return deal.taken, deal.drawn
        case "free":
            return None, None


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
    """After a discard, knock or big gin; None where it is not legal."""
    hand, card = deal.hands[deal.turn], move.card
    if move.verb is Verb.BIG_GIN:
        return knocked(deal, move, best_arrangement(hand, deal.rules.aces)) if move in _big_gin(deal) else None
    taken, drawn = _kept(deal)
    if card is None or card not in hand or card is taken or card is drawn:
        return None
    if move.verb is Verb.DISCARD and move.melds is None and not _at_wall(deal):
        return _discarded(deal, move, card)
    if move.verb is Verb.KNOCK:
        move = canonical(deal, move)
        for laid in _knocks(deal, card):
            if laid.melds == move.melds:
                return knocked(deal, move, laid, with_hand(deal, hand - card), (*deal.discards, card))
    return None


def _discarded(deal: Deal, move: Move, card: Card) -> Deal:
    hands, pile = with_hand(deal, deal.hands[deal.turn] - card), (*deal.discards, card)
    if not deal.stock_used_up:
        return changed(deal, move, phase=Phase.DRAW, turn=after(deal), hands=hands, discards=pile)
    if deal.rules.stock_out == "reshuffle":
        return changed(deal, move, phase=Phase.RESHUFFLE, turn=after(deal), hands=hands, discards=pile)
    if deal.rules.last_discard == "may_go_out":
        return changed(deal, move, phase=Phase.WALL, turn=after(deal), hands=hands, discards=pile)
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
            return why_no_answer(deal, move)
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
    if card in _kept(deal):
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
