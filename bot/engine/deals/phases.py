"""The legal moves in each phase of a deal, and their effects.

`legal_moves` and `play` share one rule function for each phase, so `play` accepts exactly the moves that `legal_moves`
lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import MAX_CARD_POINTS, Arrangement, arrangements, best_arrangement, least_deadwood
from bot.engine.deals import lay_offs
from bot.engine.deals.deal import Deal, next_index, with_hand, with_move
from bot.engine.deals.moves import BIG_GIN, DRAW, PASS, TAKE, Move, Seat, Verb, discards_of, knock
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import TOO_LONG, VOID, Outcome
from bot.engine.errors import IllegalMove, quote
from bot.engine.limits import MAX_TURNS_PER_PLAYER

# Look up enum members only once: this is slow before Python 3.12, and every move needs several.
_OFFER, _DRAW, _DISCARD, _WALL, _RESHUFFLE, _LAY_OFF, _DONE = Phase
_DISCARD_VERB, _KNOCK, _PASS, _TAKE, _BIG_GIN = Verb.DISCARD, Verb.KNOCK, Verb.PASS, Verb.TAKE, Verb.BIG_GIN
_DRAW_ONLY: Final = (DRAW,)
_DRAW_OR_TAKE: Final = (DRAW, TAKE)


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """Return the legal moves of the current player in canonical form; none after the deal.

    There is one knock for each discard and distinct legal arrangement. Resigning is not included, because it ends the
    match, not only the deal.
    """
    if deal.phase is _DISCARD:
        return _legal_discards(deal)
    if deal.phase is _LAY_OFF:
        return lay_offs.legal_responses(deal)
    return _legal_draws(deal)


def canonical(deal: Deal, move: Move) -> Move:
    """Return the move as `legal_moves` lists it: a knock or a meld move (`m`) without melds gets the default melds."""
    if deal.phase is _DISCARD and move.verb is _KNOCK and move.melds is None and move.card is not None:
        return knock(move.card, best_arrangement(deal.hands[deal.turn] - move.card, deal.rules.aces).melds)
    if deal.phase is _LAY_OFF and move == Move(Verb.MELD):
        rest = lay_offs.remaining_hand(deal, deal.turn)
        return Move(Verb.MELD, None, best_arrangement(rest, deal.rules.aces).melds)
    return move


def play(deal: Deal, move: Move) -> Deal:
    """Return the deal after a move of the current player.

    If the move is illegal, raise `IllegalMove` with the reason and the legal moves.
    """
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
    """Move all discards except the top one under the two cards left in the stock, and return the deal.

    `order` has these discards in their new order. Raise `IllegalMove` if it has other cards or no reshuffle is due.
    """
    if deal.phase is not _RESHUFFLE:
        raise IllegalMove("stock", "the stock is not reshuffled now")
    pile = deal.discards[:-1]
    if len(order) != len(pile) or set(order) != set(pile):
        raise IllegalMove("stock", "a reshuffle must have every discard except the top one, each once")
    return replace(deal, phase=_DRAW, deck=(*deal.deck, *order), discards=deal.discards[-1:], before_discard=None)


def reason_against_taking_back(deal: Deal, seat: Seat) -> str | None:
    """Return why a seat cannot take its discard back now; None if it can.

    A seat can do this once in a deal, as long as nothing has happened since the discard.
    """
    before = deal.before_discard
    if before is None or before.to_act != seat or deal.phase not in (_DRAW, _WALL):
        return "only a discard that nothing has followed can be taken back"
    if seat in deal.taken_back:
        return "each seat can take back one discard in a deal"
    return None


def take_back(deal: Deal, seat: Seat) -> Deal:
    """Return the deal before a seat's discard. Raise `IllegalMove` if the seat cannot take it back."""
    reason = reason_against_taking_back(deal, seat)
    if reason is not None or deal.before_discard is None:
        raise IllegalMove("back", reason or "")
    return replace(deal.before_discard, taken_back=(*deal.taken_back, seat), draw_is_known=True)


def resumed(deal: Deal) -> Deal:
    """Resume a deal that the turn limit ended, and return it.

    Old logs, which were written when deals had no turn limit, continue such deals.
    """
    phase = _RESHUFFLE if deal.is_stock_used_up else _DRAW
    return replace(deal, phase=phase, turn=next_index(deal), outcome=None)


def _legal_draws(deal: Deal) -> tuple[Move, ...]:
    """Return the moves that begin a turn. At the wall, a card may only be taken to go out."""
    phase = deal.phase
    if phase is _DRAW:
        all_passed = deal.rules.opening == "offer" and deal.history[-1].verb is _PASS
        return _DRAW_ONLY if all_passed else _DRAW_OR_TAKE
    if phase is _OFFER:
        return PASS, TAKE
    if phase is _WALL:
        return (PASS, TAKE) if _legal_discards(_apply_take(deal, TAKE)) else (PASS,)
    return ()


def _legal_discards(deal: Deal) -> tuple[Move, ...]:
    """Return the current player's discards, knocks and big gin; no discards if the player must go out."""
    hand, barred, aces = deal.hands[deal.turn], deal.barred, deal.rules.aces
    moves = () if deal.must_go_out else discards_of(hand if barred is None else hand - barred)
    if least_deadwood(hand, aces) > deal.knock_limit + MAX_CARD_POINTS[aces]:  # No discard allows a knock.
        return moves
    allowed = [card for card in hand if card is not barred]
    knocks = tuple(knock(card, laid.melds) for card in allowed for laid in _knock_arrangements(deal, card))
    return moves + knocks + _legal_big_gin(deal)


def _legal_big_gin(deal: Deal) -> tuple[Move, ...]:
    """Return big gin if the rules allow it and every card of the hand is in a meld."""
    has_big_gin = deal.rules.big_gin_bonus is not None
    return (BIG_GIN,) if has_big_gin and least_deadwood(deal.hands[deal.turn], deal.rules.aces) == 0 else ()


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
    index, dealt = deal.turn, deal.dealt
    card = deal.deck[dealt]
    barred = card if deal.rules.discard_drawn == "never" else None
    hand = deal.hands[index] + card
    return with_hand(deal, move, _DISCARD, index, hand, dealt + 1, deal.discards, card, barred)


def _apply_take(deal: Deal, move: Move) -> Deal:
    index, card = deal.turn, deal.discards[-1]
    barred = None if deal.rules.discard_drawn == "free" else card
    hand, at_wall = deal.hands[index] + card, deal.phase is _WALL
    return with_hand(deal, move, _DISCARD, index, hand, deal.dealt, deal.discards[:-1], card, barred, at_wall)


def _apply_pass(deal: Deal, move: Move) -> Deal:
    if deal.phase is _WALL:
        return replace(with_move(deal, move, _DONE, deal.turn), outcome=VOID)
    all_passed = len(deal.history) + 1 == len(deal.seats)
    return with_move(deal, move, _DRAW if all_passed else _OFFER, next_index(deal))


def _apply_discard(deal: Deal, move: Move) -> Deal | None:
    """Return the deal after a discard, knock or big gin, or None if the move is not legal."""
    index, verb, card = deal.turn, move.verb, move.card
    hand = deal.hands[index]
    if verb is _BIG_GIN:
        laid_down = with_move(deal, move, _LAY_OFF, index)
        legal = move in _legal_big_gin(deal)
        return lay_offs.begin_knock(laid_down, best_arrangement(hand, deal.rules.aces)) if legal else None
    if card is None or card is deal.barred or not hand & card.bits:
        return None
    pile = deal.discards + (card,)  # noqa: RUF005 - an unpacked tuple becomes a list first
    if verb is _DISCARD_VERB and move.melds is None and not deal.must_go_out:
        phase, outcome = _after_discard(deal)
        if outcome is not None:
            return replace(with_hand(deal, move, phase, index, hand - card, deal.dealt, pile), outcome=outcome)
        return with_hand(deal, move, phase, next_index(deal), hand - card, deal.dealt, pile)
    if verb is _KNOCK:
        move = canonical(deal, move)
        for laid in _knock_arrangements(deal, card):
            if laid.melds == move.melds:
                laid_down = with_hand(deal, move, _LAY_OFF, index, hand - card, deal.dealt, pile)
                return lay_offs.begin_knock(laid_down, laid)
    return None


def _after_discard(deal: Deal) -> tuple[Phase, Outcome | None]:
    """Return the phase after a discard, and the outcome if the deal ends."""
    if deal.is_stock_used_up and deal.rules.stock_out != "reshuffle":
        return (_WALL, None) if deal.rules.last_discard == "may_go_out" else (_DONE, VOID)
    if _is_last_turn(deal):
        return _DONE, TOO_LONG
    return (_RESHUFFLE if deal.is_stock_used_up else _DRAW), None


def _is_last_turn(deal: Deal) -> bool:
    """Return True if a discard now would end the last turn that the turn limit allows.

    If a deal that had reached the limit was resumed (see `resumed`), the same number of turns is allowed again.
    """
    moves, players = len(deal.history) + 1, len(deal.hands)
    if moves < 2 * MAX_TURNS_PER_PLAYER * players:
        return False
    passes = sum(move.verb is _PASS for move in deal.history[:players])
    return (moves - passes) % (2 * MAX_TURNS_PER_PLAYER * players) == 0


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
        return "drawn", "a card has already been drawn; discard or knock now"
    if card not in hand:
        return "not-in-hand", f"{card} is not in the hand"
    if card is deal.barred:
        if deal.is_from_pile:
            return "just-taken", f"{card} was taken from the pile in this turn"
        return "just-drawn", f"{card} was drawn in this turn"
    if move.verb is _DISCARD_VERB:
        return "wall", "the stock is used up: after taking the last discard a player must go out"
    deadwood = least_deadwood(hand - card, deal.rules.aces)
    if deadwood > deal.knock_limit:
        return "too-much", f"it would leave {deadwood}, and the knock limit is {deal.knock_limit}"
    return "melds", "these melds are not in the hand, or leave too much deadwood"
