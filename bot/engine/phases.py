"""The legal moves in each phase of a deal, and what they lead to.

`legal_moves` and `play` use the same rule functions, one for each phase, so `play` accepts exactly what `legal_moves`
lists.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import lay_offs
from bot.engine.cards import Card
from bot.engine.deal import Deal, Phase, next_place, update
from bot.engine.errors import IllegalMove, quote
from bot.engine.melds import MOST_POINTS, Arrangement, arrangements, best_arrangement, least_deadwood
from bot.engine.moves import BIG_GIN, DISCARDS, DRAW, PASS, TAKE, Move, Verb, knock
from bot.engine.showdown import VOID


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """Return the canonical moves of the player to act, none once the deal is over. Resigning belongs to the match.

    There is one knock for each discard and distinct legal arrangement.
    """
    if deal.phase is Phase.DISCARD:
        return _legal_discards(deal)
    if deal.phase is Phase.LAY_OFF:
        return lay_offs.legal_responses(deal)
    return _legal_draws(deal)


def canonical(deal: Deal, move: Move) -> Move:
    """Return the move as `legal_moves` lists it: a knock or an opponent's melds that are not named get the default."""
    if deal.phase is Phase.DISCARD and move.verb is Verb.KNOCK and move.melds is None and move.card is not None:
        return knock(move.card, best_arrangement(deal.hands[deal.turn] - move.card, deal.rules.aces).melds)
    if deal.phase is Phase.LAY_OFF and move == Move(Verb.MELD):
        rest = lay_offs.remaining_hand(deal, deal.turn)
        return Move(Verb.MELD, None, best_arrangement(rest, deal.rules.aces).melds)
    return move


def play(deal: Deal, move: Move) -> Deal:
    """Return the deal after a move of the player to act. Raise `IllegalMove`, which says why, and what was legal."""
    result: Deal | None = None
    if deal.phase is Phase.DISCARD:
        result = _apply_discard(deal, move)
    elif deal.phase is Phase.LAY_OFF:
        result = lay_offs.apply_response(deal, canonical(deal, move))
    elif move in _legal_draws(deal):
        result = _apply_draw(deal, move)
    if result is None:
        code, reason = _reason_against(deal, move)
        legal = ", ".join(map(str, legal_moves(deal))) or "nothing"
        raise IllegalMove(code, f"{quote(str(move))} is not legal: {reason}; legal: {legal}")
    return result


def reshuffle(deal: Deal, order: Sequence[Card]) -> Deal:
    """Return the deal with all discards but the top one, in this order, under the two cards left in the stock.

    Raise `IllegalMove` if no reshuffle is due, or if these are not the cards of the pile below its top.
    """
    if deal.phase is not Phase.RESHUFFLE:
        raise IllegalMove("stock", "the stock is not reshuffled now")
    pile = deal.discards[:-1]
    if len(order) != len(pile) or set(order) != set(pile):
        raise IllegalMove("stock", "a reshuffle holds the cards of the pile below its top, each once")
    return update(deal, phase=Phase.DRAW, deck=(*deal.deck, *order), discards=deal.discards[-1:])


def _legal_draws(deal: Deal) -> tuple[Move, ...]:
    """Return the moves that begin a turn. At the wall a card may only be taken to go out."""
    if deal.phase is Phase.DRAW:
        refused = deal.rules.opening == "offer" and deal.history[-1].verb is Verb.PASS
        return (DRAW,) if refused else (DRAW, TAKE)
    if deal.phase is Phase.OFFER:
        return PASS, TAKE
    if deal.phase is Phase.WALL:
        return (PASS, TAKE) if _legal_discards(_apply_take(deal, TAKE)) else (PASS,)
    return ()


def _legal_discards(deal: Deal) -> tuple[Move, ...]:
    """Return the discards, knocks and big gin of the player to act; at the wall, only what goes out."""
    hand, aces = deal.hands[deal.turn], deal.rules.aces
    barred = barred_card(deal)
    allowed = [card for card in hand if card is not barred]
    moves = () if _is_at_wall(deal) else tuple([DISCARDS[card.order] for card in allowed])
    if least_deadwood(hand, aces) > deal.knock_limit + MOST_POINTS[aces]:  # Too much for any one discard to mend.
        return moves
    knocks = tuple(knock(card, laid.melds) for card in allowed for laid in _knock_arrangements(deal, card))
    return moves + knocks + _legal_big_gin(deal)


def _legal_big_gin(deal: Deal) -> tuple[Move, ...]:
    """Return big gin if the rules have it and every card of the hand is in a meld."""
    exists = deal.rules.big_gin_bonus is not None
    return (BIG_GIN,) if exists and least_deadwood(deal.hands[deal.turn], deal.rules.aces) == 0 else ()


def _is_at_wall(deal: Deal) -> bool:
    """Return whether the last discard was taken after the stock was used up."""
    return deal.is_from_pile and deal.stock_used_up


def barred_card(deal: Deal) -> Card | None:
    """Return the new card if it may not be discarded or knocked with in this turn."""
    rule = deal.rules.discard_drawn
    return deal.new_card if rule == "never" or (rule == "not_from_pile" and deal.is_from_pile) else None


def _knock_arrangements(deal: Deal, card: Card) -> tuple[Arrangement, ...]:
    """Return the arrangements that a knock with this discard may lay down."""
    hand, aces = deal.hands[deal.turn] - card, deal.rules.aces
    limit = deal.knock_limit
    return tuple(arrangements(hand, limit, aces)) if least_deadwood(hand, aces) <= limit else ()


def _apply_draw(deal: Deal, move: Move) -> Deal:
    """Return the deal after a legal pass, take or draw."""
    if move.verb is Verb.PASS:
        if deal.phase is Phase.WALL:
            return update(deal, move, phase=Phase.DONE, outcome=VOID)
        all_passed = len(deal.history) + 1 == len(deal.seats)
        return update(deal, move, phase=Phase.DRAW if all_passed else Phase.OFFER, turn=next_place(deal))
    if move.verb is Verb.TAKE:
        return _apply_take(deal, move)
    card = deal.deck[deal.dealt]
    hand = deal.hands[deal.turn] + card
    return update(deal, move, phase=Phase.DISCARD, hand=hand, dealt=deal.dealt + 1, new_card=card)


def _apply_take(deal: Deal, move: Move) -> Deal:
    card = deal.discards[-1]
    hand = deal.hands[deal.turn] + card
    return update(deal, move, phase=Phase.DISCARD, hand=hand, discards=deal.discards[:-1], new_card=card)


def _apply_discard(deal: Deal, move: Move) -> Deal | None:
    """Return the deal after a discard, knock or big gin, or None if the move is not legal."""
    hand, card = deal.hands[deal.turn], move.card
    if move.verb is Verb.BIG_GIN:
        is_legal = move in _legal_big_gin(deal)
        return lay_offs.begin_knock(deal, move, best_arrangement(hand, deal.rules.aces)) if is_legal else None
    if card is None or card not in hand or card is barred_card(deal):
        return None
    if move.verb is Verb.DISCARD and move.melds is None and not _is_at_wall(deal):
        return _end_turn(deal, move, card)
    if move.verb is Verb.KNOCK:
        move = canonical(deal, move)
        for laid in _knock_arrangements(deal, card):
            if laid.melds == move.melds:
                knocked = update(deal, hand=hand - card, discards=(*deal.discards, card))
                return lay_offs.begin_knock(knocked, move, laid)
    return None


def _end_turn(deal: Deal, move: Move, card: Card) -> Deal:
    """Return the deal after a plain discard: the next player's turn, unless the stock is used up."""
    hand, pile = deal.hands[deal.turn] - card, (*deal.discards, card)
    if not deal.stock_used_up:
        phase = Phase.DRAW
    elif deal.rules.stock_out == "reshuffle":
        phase = Phase.RESHUFFLE
    elif deal.rules.last_discard == "may_go_out":
        phase = Phase.WALL
    else:
        return update(deal, move, phase=Phase.DONE, hand=hand, discards=pile, outcome=VOID)
    return update(deal, move, phase=phase, turn=next_place(deal), hand=hand, discards=pile)


def _reason_against(deal: Deal, move: Move) -> tuple[str, str]:
    """Return why a move is not legal: a code for callers with texts of their own, and a reason in words."""
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
            return lay_offs.reason_against_response(deal, move)
        case Phase.DISCARD:
            return _reason_against_discard(deal, move)


def _reason_against_discard(deal: Deal, move: Move) -> tuple[str, str]:
    hand, card = deal.hands[deal.turn], move.card
    if move.verb is Verb.BIG_GIN:
        if deal.rules.big_gin_bonus is None:
            return "no-big-gin", "these rules have no big gin"
        return "not-big-gin", f"it would leave {least_deadwood(hand, deal.rules.aces)}"
    if card is None or move.verb not in (Verb.DISCARD, Verb.KNOCK):
        return "drawn", "a card is drawn already; now discard or knock"
    if card not in hand:
        return "not-in-hand", f"{card} is not in the hand"
    if card is barred_card(deal):
        if deal.is_from_pile:
            return "just-taken", f"{card} was taken from the pile in this turn"
        return "just-drawn", f"{card} was drawn in this turn"
    if move.verb is Verb.DISCARD:
        return "wall", "the stock is used up: after taking the last discard a player must go out"
    left = least_deadwood(hand - card, deal.rules.aces)
    if left > deal.knock_limit:
        return "too-much", f"it would leave {left}, and the knock limit is {deal.knock_limit}"
    return "melds", "these melds are not in the hand, or leave too much"
