"""Play after a knock: the opponents' melds and lay-offs, chosen by hand or automatically, and the end of the deal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Arrangement, arrangements, best_arrangement, points
from bot.engine.deals.deal import Deal, Knock, next_index, with_move
from bot.engine.deals.moves import DONE, Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import LayOff, Response, best_response, extended, settle


def begin_knock(deal: Deal, laid: Arrangement) -> Deal:
    """Return the deal after the current player laid down a hand: the next player responds, or the deal is settled.

    It is settled immediately after gin, and if lay-offs are automatic or not allowed.
    """
    laid_down = replace(deal, knock=Knock(deal.turn, laid), turn=next_index(deal))
    return laid_down if deal.rules.lay_off_mode == "manual" and _allows_lay_offs(laid_down) else _settle(laid_down)


def legal_responses(deal: Deal) -> tuple[Move, ...]:
    """Return the current player's responses: each choice of melds if none was made yet, each lay-off, and `done`."""
    knock = _knock(deal)
    melds: tuple[Move, ...] = ()
    if knock.chosen_melds is None:
        rest, aces = remaining_hand(deal, deal.turn), deal.rules.aces
        melds = tuple(Move(Verb.MELD, None, own.melds) for own in arrangements(rest, points(rest, aces), aces))
    lay_offs = tuple(Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,)) for lay_off in _legal_lay_offs(deal, knock))
    return (*melds, *lay_offs, DONE)


def apply_response(deal: Deal, move: Move) -> Deal | None:
    """Return the deal after a canonical response to a knock, or None if `legal_responses` does not list it."""
    if move not in legal_responses(deal):
        return None
    knock, seat = _knock(deal), deal.seats[deal.turn]
    if move.verb is Verb.DONE:
        own_lay_offs = tuple(lay_off for lay_off in knock.lay_offs if lay_off.seat == seat)
        responses = (*knock.responses, Response(shown_arrangement(deal, deal.turn), own_lay_offs))
        knock = replace(knock, responses=responses, chosen_melds=None)
        moved = replace(with_move(deal, move, Phase.LAY_OFF, next_index(deal)), knock=knock)
        return _settle(moved) if moved.turn == knock.index else moved
    if move.verb is Verb.MELD:
        knock = replace(knock, chosen_melds=move.melds)
    elif move.card is not None and move.melds:
        knock = replace(knock, lay_offs=(*knock.lay_offs, LayOff(move.card, move.melds[0], seat)))
    return replace(with_move(deal, move, Phase.LAY_OFF, deal.turn), knock=knock)


def remaining_hand(deal: Deal, index: int) -> Hand:
    """Return the hand of the player at an index in the order of play, without the cards already laid off."""
    hand, seat = deal.hands[index], deal.seats[index]
    if deal.phase is not Phase.LAY_OFF:
        return hand
    return hand.without(lay_off.card for lay_off in _knock(deal).lay_offs if lay_off.seat == seat)


def shown_arrangement(deal: Deal, index: int) -> Arrangement:
    """Return the arrangement that a player laid down or chose after a knock; before that, the player's best one."""
    rest, aces = remaining_hand(deal, index), deal.rules.aces
    if deal.phase is Phase.LAY_OFF:
        knock = _knock(deal)
        laid_down = [knock.arrangement, *(response.arrangement for response in knock.responses)]
        turns_after = (index - knock.index) % len(deal.seats)
        if turns_after < len(laid_down):
            return laid_down[turns_after]
        if index == deal.turn and knock.chosen_melds is not None:
            return Arrangement.of(knock.chosen_melds, rest, aces)
    return best_arrangement(rest, aces)


def suggested_response(deal: Deal) -> Response:
    """Return the current player's best response: the melds, unless already chosen, and further lay-offs."""
    return _best_response(deal, deal.turn, _knock(deal))


def reason_against_response(deal: Deal, move: Move) -> tuple[str, str]:
    """Return why `legal_responses` does not list a move: a code, and the reason in words."""
    if move.verb is Verb.MELD:
        chosen = _knock(deal).chosen_melds is not None
        return "melds", "the melds have already been chosen" if chosen else "these melds are not in the hand"
    if move.verb is Verb.LAY_OFF and move.card is not None:
        return _reason_against_lay_off(deal, move.card)
    return "lay-off-first", "a knock is being answered: choose melds, lay off cards, or finish"


def _reason_against_lay_off(deal: Deal, card: Card) -> tuple[str, str]:
    if card not in deal.hands[deal.turn]:
        return "not-in-hand", f"{card} is not in the hand"
    if card not in remaining_hand(deal, deal.turn):
        return "laid-off", f"{card} has already been laid off"
    if any(card in meld.cards for meld in _knock(deal).chosen_melds or ()):
        return "own-meld", f"{card} is in a meld that was chosen"
    return "lay-off", f"{card} does not fit there"


def _allows_lay_offs(deal: Deal) -> bool:
    return deal.rules.lay_off and bool(_knock(deal).arrangement.unmatched)


def _settle(deal: Deal) -> Deal:
    """Settle the deal. Players who have not yet responded make their best response, in turn order."""
    knock, players = _knock(deal), len(deal.seats)
    responses = [Response(knock.arrangement), *knock.responses]
    for step in range(len(responses), players):
        index = (knock.index + step) % players
        if _allows_lay_offs(deal):
            response = _best_response(deal, index, knock)
            knock = replace(knock, lay_offs=(*knock.lay_offs, *response.lay_offs))
        else:
            response = Response(best_arrangement(deal.hands[index], deal.rules.aces))
        responses.append(response)
    ordered = [responses[(place - knock.index) % players] for place in range(players)]
    outcome = settle(deal.rules, deal.seats, knock.index, ordered, deal.upcard)
    return replace(deal, phase=Phase.DONE, turn=knock.index, outcome=outcome)


def _best_response(deal: Deal, index: int, knock: Knock) -> Response:
    hand, seat, rules = remaining_hand(deal, index), deal.seats[index], deal.rules
    named = knock.arrangement.melds
    grown = [extended(meld, knock.lay_offs) for meld in named]
    return best_response(hand, named, seat, grown, own=knock.chosen_melds, aces=rules.aces, chain=rules.lay_off_chain)


def _legal_lay_offs(deal: Deal, knock: Knock) -> Iterator[LayOff]:
    """Yield every card that the current player may lay off now, with each meld that accepts it."""
    free_cards = remaining_hand(deal, deal.turn).without(
        card for meld in knock.chosen_melds or () for card in meld.cards
    )
    for meld in knock.arrangement.melds:
        grown = extended(meld, knock.lay_offs) if deal.rules.lay_off_chain else meld
        for card in grown.lay_off_cards(deal.rules.aces):
            if card in free_cards:
                yield LayOff(card, meld, deal.seats[deal.turn])


def _knock(deal: Deal) -> Knock:
    if deal.knock is None:
        raise AssertionError("nobody has knocked")
    return deal.knock
