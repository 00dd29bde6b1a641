"""After a knock: the opponents' melds and lay-offs, chosen by themselves or for the best, and the end of the deal."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards import Card, Hand
from bot.engine.deal import Deal, Knock, Phase, after, changed
from bot.engine.melds import Arrangement, Meld, arrangements, best_arrangement, points
from bot.engine.moves import DONE, Move, Verb
from bot.engine.showdown import LayOff, Response, best_response, settle


def knocked(
    deal: Deal,
    move: Move,
    laid: Arrangement,
    hands: tuple[Hand, ...] | None = None,
    pile: tuple[Card, ...] | None = None,
) -> Deal:
    """The deal after a knock or (big) gin: with the next player to lay off, or settled at once.

    Nothing is laid off on gin, nor where the rules know no lay-offs.
    """
    knock = Knock(deal.turn, laid)
    laid_down = changed(deal, move, phase=Phase.LAY_OFF, hands=hands, discards=pile, knock=knock, turn=after(deal))
    return laid_down if deal.rules.lay_off_mode == "manual" and _takes_lay_offs(laid_down) else _settled(laid_down)


def answers(deal: Deal) -> tuple[Move, ...]:
    """What the next player may answer to a knock: own melds unless they are chosen, each lay-off, and being done."""
    knock = _knock(deal)
    melds: tuple[Move, ...] = ()
    if knock.own is None:
        rest, aces = rest_of(deal, deal.turn), deal.rules.aces
        melds = tuple(Move(Verb.MELD, None, own.melds) for own in arrangements(rest, points(rest, aces), aces))
    lay_offs = tuple(Move(Verb.LAY_OFF, one.card, (one.meld,)) for one in _lay_offs(deal, knock))
    return (*melds, *lay_offs, DONE)


def canonical_answer(deal: Deal, move: Move) -> Move:
    """The answer as `answers` would list it: own melds that are not named are those that leave least."""
    if move.verb is Verb.MELD and move.melds is None and move.card is None:
        return Move(Verb.MELD, None, best_arrangement(rest_of(deal, deal.turn), deal.rules.aces).melds)
    return move


def answered(deal: Deal, move: Move) -> Deal | None:
    """The deal after a canonical answer to a knock; None where it is none of `answers`."""
    if move not in answers(deal):
        return None
    knock = _knock(deal)
    if move.verb is Verb.DONE:
        responses = (*knock.responses, _chosen(deal, knock))
        moved = changed(deal, move, turn=after(deal), knock=Knock(knock.place, knock.laid, responses, knock.lay_offs))
        return _settled(moved) if moved.turn == knock.place else moved
    own, lay_offs = knock.own, knock.lay_offs
    if move.verb is Verb.MELD:
        own = move.melds
    elif move.card is not None and move.melds:
        lay_offs = (*lay_offs, LayOff(move.card, move.melds[0], deal.seats[deal.turn]))
    return changed(deal, move, knock=Knock(knock.place, knock.laid, knock.responses, lay_offs, own))


def rest_of(deal: Deal, place: int) -> Hand:
    """A player's hand, by place in the order of play, less what they laid off while a knock is being answered."""
    hand, seat = deal.hands[place], deal.seats[place]
    if deal.phase is not Phase.LAY_OFF:
        return hand
    return hand.without(one.card for one in _knock(deal).lay_offs if one.seat == seat)


def arrangement_of(deal: Deal, place: int) -> Arrangement:
    """How a player's hand is laid out: as it was laid down or chosen, once a knock is being answered, else the best."""
    rest, aces = rest_of(deal, place), deal.rules.aces
    if deal.phase is Phase.LAY_OFF:
        knock = _knock(deal)
        laid_down = [knock.laid, *(response.arrangement for response in knock.responses)]
        turns_after = (place - knock.place) % len(deal.seats)
        if turns_after < len(laid_down):
            return laid_down[turns_after]
        if place == deal.turn and knock.own is not None:
            return Arrangement.of(knock.own, rest, aces)
    return best_arrangement(rest, aces)


def best_answer(deal: Deal) -> Response:
    """What leaves the player who answers a knock least from here on: own melds, unless chosen, and lay-offs to come."""
    return _best(deal, deal.turn, _knock(deal))


def why_no_answer(deal: Deal, move: Move) -> tuple[str, str]:
    """Why a move is none of `answers`: a code, and the reason in words."""
    if move.verb is Verb.MELD:
        chosen = _knock(deal).own is not None
        return "melds", "the melds are chosen already" if chosen else "these melds are not in the hand"
    if move.verb is Verb.LAY_OFF:
        return "lay-off", "that card does not fit there, or is not free"
    return "lay-off-first", "a knock is being answered: own melds, lay-offs, done"


def _takes_lay_offs(deal: Deal) -> bool:
    return deal.rules.lay_off and bool(_knock(deal).laid.unmatched)


def _settled(deal: Deal) -> Deal:
    """The deal once everybody answered: those who did not are answered for, in turn order, for the best."""
    knock, players = _knock(deal), len(deal.seats)
    answer_of = {knock.place: Response(knock.laid)}
    others = [(knock.place + step) % players for step in range(1, players)]
    answer_of |= zip(others, knock.responses, strict=False)
    for place in others[len(knock.responses) :]:
        if _takes_lay_offs(deal):
            answer_of[place] = _best(deal, place, knock)
            lay_offs = (*knock.lay_offs, *answer_of[place].lay_offs)
            knock = Knock(knock.place, knock.laid, knock.responses, lay_offs)
        else:
            answer_of[place] = Response(best_arrangement(deal.hands[place], deal.rules.aces))
    ordered = [answer_of[place] for place in range(players)]
    outcome = settle(deal.rules, deal.seats, knock.place, knock.laid, ordered, deal.upcard)
    return changed(deal, phase=Phase.DONE, turn=knock.place, outcome=outcome)


def _best(deal: Deal, place: int, knock: Knock) -> Response:
    return best_response(
        rest_of(deal, place),
        knock.laid.melds,
        deal.seats[place],
        [_grown(meld, knock.lay_offs) for meld in knock.laid.melds],
        own=knock.own,
        aces=deal.rules.aces,
        chain=deal.rules.lay_off_chain,
    )


def _chosen(deal: Deal, knock: Knock) -> Response:
    """What the player to act answers: their own melds, or those that leave least of what is not laid off."""
    mine = tuple(one for one in knock.lay_offs if one.seat == deal.seats[deal.turn])
    return Response(arrangement_of(deal, deal.turn), mine)


def _lay_offs(deal: Deal, knock: Knock) -> Iterator[LayOff]:
    """Every card that the player to act may lay off now, on each meld that takes it."""
    free = rest_of(deal, deal.turn).without(card for meld in knock.own or () for card in meld.cards)
    for meld in knock.laid.melds:
        grown = _grown(meld, knock.lay_offs) if deal.rules.lay_off_chain else meld
        for card in grown.takes(deal.rules.aces):
            if card in free:
                yield LayOff(card, meld, deal.seats[deal.turn])


def _grown(meld: Meld, lay_offs: tuple[LayOff, ...]) -> Meld:
    """A meld with the cards laid off on it."""
    added = [one.card for one in lay_offs if one.meld == meld]
    return Meld(tuple(sorted((*meld.cards, *added)))) if added else meld


def _knock(deal: Deal) -> Knock:
    if deal.knock is None:
        raise AssertionError("nobody has knocked")
    return deal.knock
