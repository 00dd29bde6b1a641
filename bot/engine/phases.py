"""The legal moves in each phase of a deal, and their effects.

`legal_moves` and `play` share one rule function for each phase, so `play` accepts exactly the moves that `legal_moves`
lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine import lay_offs
from bot.engine.cards import Card
from bot.engine.deal import Deal, Phase, next_place, with_hand, with_move
from bot.engine.errors import IllegalMove, quote
from bot.engine.limits import MAX_TURNS
from bot.engine.melds import MOST_POINTS, Arrangement, arrangements, best_arrangement, least_deadwood
from bot.engine.moves import BIG_GIN, DRAW, PASS, TAKE, Move, Verb, discards_of, knock
from bot.engine.showdown import TOO_LONG, VOID, Outcome

# Looking up enum members is slow before Python 3.12, and every move needs several.
_OFFER, _DRAW, _DISCARD, _WALL, _RESHUFFLE, _LAY_OFF, _DONE = Phase
_X, _KNOCK, _PASS, _TAKE, _BIG_GIN = Verb.DISCARD, Verb.KNOCK, Verb.PASS, Verb.TAKE, Verb.BIG_GIN
_DRAW_ONLY: Final = (DRAW,)
_DRAW_OR_TAKE: Final = (DRAW, TAKE)


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """Return the canonical moves of the current player, none after the deal. Resigning belongs to the match.

    There is one knock for each discard and distinct legal arrangement.
    """
    if deal.phase is _DISCARD:
        return _legal_discards(deal)
    if deal.phase is _LAY_OFF:
        return lay_offs.legal_responses(deal)
    return _legal_draws(deal)


def canonical(deal: Deal, move: Move) -> Move:
    """Return the move as `legal_moves` lists it: a knock or `m` without melds gets the default melds."""
    if deal.phase is _DISCARD and move.verb is _KNOCK and move.melds is None and move.card is not None:
        return knock(move.card, best_arrangement(deal.hands[deal.turn] - move.card, deal.rules.aces).melds)
    if deal.phase is _LAY_OFF and move == Move(Verb.MELD):
        rest = lay_offs.remaining_hand(deal, deal.turn)
        return Move(Verb.MELD, None, best_arrangement(rest, deal.rules.aces).melds)
    return move


def play(deal: Deal, move: Move) -> Deal:
    """Return the deal after a move of the current player. Raise `IllegalMove`, which says why and lists legal moves."""
    result: Deal | None = None
    if deal.phase is _DISCARD:
        result = _apply_discard(deal, move)
    elif deal.phase is _LAY_OFF:
        result = lay_offs.apply_response(deal, canonical(deal, move))
    elif move in _legal_draws(deal):
        result = _apply_draw(deal, move)
    if result is None:
        code, reason = _reason_against(deal, move)
        legal = ", ".join(map(str, legal_moves(deal))) or "nothing"
        raise IllegalMove(code, f"{quote(str(move))} is not legal: {reason}; legal: {legal}")
    return result


def reshuffle(deal: Deal, order: Sequence[Card]) -> Deal:
    """Return the deal with all discards but the top one put in this order below the two cards left in the stock.

    Raise `IllegalMove` if no reshuffle is due, or if these are not the discards below the top one.
    """
    if deal.phase is not _RESHUFFLE:
        raise IllegalMove("stock", "the stock is not reshuffled now")
    pile = deal.discards[:-1]
    if len(order) != len(pile) or set(order) != set(pile):
        raise IllegalMove("stock", "a reshuffle holds the cards of the pile below its top, each once")
    return replace(deal, phase=_DRAW, deck=(*deal.deck, *order), discards=deal.discards[-1:])


def taken_up(deal: Deal) -> Deal:
    """Return a deal resumed that the turn limit ended. Logs from before the limit continue such deals."""
    phase = _RESHUFFLE if deal.stock_used_up else _DRAW
    return replace(deal, phase=phase, turn=next_place(deal), outcome=None)


def _legal_draws(deal: Deal) -> tuple[Move, ...]:
    """Return the moves that begin a turn. At the wall, a card may only be taken to go out."""
    phase = deal.phase
    if phase is _DRAW:
        refused = deal.rules.opening == "offer" and deal.history[-1].verb is _PASS
        return _DRAW_ONLY if refused else _DRAW_OR_TAKE
    if phase is _OFFER:
        return PASS, TAKE
    if phase is _WALL:
        return (PASS, TAKE) if _legal_discards(_apply_take(deal, TAKE)) else (PASS,)
    return ()


def _legal_discards(deal: Deal) -> tuple[Move, ...]:
    """Return the current player's discards, knocks and big gin; no discards if the player must go out."""
    hand, barred, aces = deal.hands[deal.turn], deal.barred, deal.rules.aces
    moves = () if deal.must_go_out else discards_of(hand if barred is None else hand - barred)
    if least_deadwood(hand, aces) > deal.knock_limit + MOST_POINTS[aces]:  # No single discard can reach the limit.
        return moves
    allowed = [card for card in hand if card is not barred]
    knocks = tuple(knock(card, laid.melds) for card in allowed for laid in _knock_arrangements(deal, card))
    return moves + knocks + _legal_big_gin(deal)


def _legal_big_gin(deal: Deal) -> tuple[Move, ...]:
    """Return big gin if the rules allow it and every card of the hand is in a meld."""
    exists = deal.rules.big_gin_bonus is not None
    return (BIG_GIN,) if exists and least_deadwood(deal.hands[deal.turn], deal.rules.aces) == 0 else ()


def _knock_arrangements(deal: Deal, card: Card) -> tuple[Arrangement, ...]:
    """Return the arrangements that a knock with this discard may lay down."""
    hand, aces = deal.hands[deal.turn] - card, deal.rules.aces
    limit = deal.knock_limit
    return tuple(arrangements(hand, limit, aces)) if least_deadwood(hand, aces) <= limit else ()


def _apply_draw(deal: Deal, move: Move) -> Deal:
    """Return the deal after a legal pass, take or draw."""
    if move.verb is _TAKE:
        return _apply_take(deal, move)
    if move.verb is _PASS:
        return _apply_pass(deal, move)
    place, dealt = deal.turn, deal.dealt
    card = deal.deck[dealt]
    barred = card if deal.rules.discard_drawn == "never" else None
    hand = deal.hands[place] + card
    return with_hand(deal, move, _DISCARD, place, hand, dealt + 1, deal.discards, card, barred)


def _apply_take(deal: Deal, move: Move) -> Deal:
    place, card = deal.turn, deal.discards[-1]
    barred = None if deal.rules.discard_drawn == "free" else card
    hand, at_wall = deal.hands[place] + card, deal.phase is _WALL
    return with_hand(deal, move, _DISCARD, place, hand, deal.dealt, deal.discards[:-1], card, barred, at_wall)


def _apply_pass(deal: Deal, move: Move) -> Deal:
    if deal.phase is _WALL:
        return replace(with_move(deal, move, _DONE, deal.turn), outcome=VOID)
    all_passed = len(deal.history) + 1 == len(deal.seats)
    return with_move(deal, move, _DRAW if all_passed else _OFFER, next_place(deal))


def _apply_discard(deal: Deal, move: Move) -> Deal | None:
    """Return the deal after a discard, knock or big gin, or None if the move is not legal."""
    place, verb, card = deal.turn, move.verb, move.card
    hand = deal.hands[place]
    if verb is _BIG_GIN:
        laid_down = with_move(deal, move, _LAY_OFF, place)
        legal = move in _legal_big_gin(deal)
        return lay_offs.begin_knock(laid_down, best_arrangement(hand, deal.rules.aces)) if legal else None
    if card is None or card is deal.barred or not hand & card.bits:
        return None
    pile = deal.discards + (card,)  # noqa: RUF005 - an unpacked tuple becomes a list first
    if verb is _X and move.melds is None and not deal.must_go_out:
        phase, outcome = _after_discard(deal)
        if outcome is not None:
            return replace(with_hand(deal, move, phase, place, hand - card, deal.dealt, pile), outcome=outcome)
        return with_hand(deal, move, phase, next_place(deal), hand - card, deal.dealt, pile)
    if verb is _KNOCK:
        move = canonical(deal, move)
        for laid in _knock_arrangements(deal, card):
            if laid.melds == move.melds:
                laid_down = with_hand(deal, move, _LAY_OFF, place, hand - card, deal.dealt, pile)
                return lay_offs.begin_knock(laid_down, laid)
    return None


def _after_discard(deal: Deal) -> tuple[Phase, Outcome | None]:
    """Return the phase after a discard, and the outcome if the deal ends."""
    if deal.stock_used_up and deal.rules.stock_out != "reshuffle":
        return (_WALL, None) if deal.rules.last_discard == "may_go_out" else (_DONE, VOID)
    if _is_last_turn(deal):
        return _DONE, TOO_LONG
    return (_RESHUFFLE if deal.stock_used_up else _DRAW), None


def _is_last_turn(deal: Deal) -> bool:
    """Return True if a discard ends the last allowed turn of a deal.

    A resumed deal gets the same number of turns again.
    """
    moves, players = len(deal.history) + 1, len(deal.hands)
    if moves < 2 * MAX_TURNS * players:
        return False
    passes = sum(move.verb is _PASS for move in deal.history[:players])
    return (moves - passes) % (2 * MAX_TURNS * players) == 0


def _reason_against(deal: Deal, move: Move) -> tuple[str, str]:
    """Return why a move is not legal: a code for callers that have their own texts, and the reason in words."""
    match deal.phase:
        case Phase.DONE:
            return "over", "the deal is over"
        case Phase.RESHUFFLE:
            return "stock", "the stock is being reshuffled"
        case Phase.OFFER:
            return "offer", "the upcard is taken or passed first"
        case Phase.DRAW if move.verb is _TAKE:
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
    if move.verb is _BIG_GIN:
        if deal.rules.big_gin_bonus is None:
            return "no-big-gin", "these rules have no big gin"
        return "not-big-gin", f"it would leave {least_deadwood(hand, deal.rules.aces)}"
    if card is None or move.verb not in (Verb.DISCARD, Verb.KNOCK):
        return "drawn", "a card is drawn already; now discard or knock"
    if card not in hand:
        return "not-in-hand", f"{card} is not in the hand"
    if card is deal.barred:
        if deal.is_from_pile:
            return "just-taken", f"{card} was taken from the pile in this turn"
        return "just-drawn", f"{card} was drawn in this turn"
    if move.verb is _X:
        return "wall", "the stock is used up: after taking the last discard a player must go out"
    left = least_deadwood(hand - card, deal.rules.aces)
    if left > deal.knock_limit:
        return "too-much", f"it would leave {left}, and the knock limit is {deal.knock_limit}"
    return "melds", "these melds are not in the hand, or leave too much"
