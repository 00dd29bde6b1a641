"""After a knock: the opponents' melds and lay-offs, chosen by themselves or for the best, and the end of the deal."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards import Card, Hand
from bot.engine.deal import Deal, Knock, Phase, changed
from bot.engine.melds import Arrangement, Meld, arrangements, best_arrangement, points
from bot.engine.moves import DONE, Move, Verb
from bot.engine.showdown import Defence, LayOff, best_defence, settle


def begin(
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
    knocked = changed(deal, move, phase=Phase.LAY_OFF, hands=hands, discards=pile, knock=knock, turn=_next(deal))
    chosen = bool(laid.unmatched) and deal.rules.lay_off and deal.rules.lay_off_mode == "manual"
    return knocked if chosen else _settled(knocked)


def legal_moves(deal: Deal) -> tuple[Move, ...]:
    """Own melds unless they are chosen, each lay-off, and being done."""
    knock = _knock(deal)
    rest = _rest(deal, knock)
    aces = deal.rules.aces
    own = () if knock.own is not None else arrangements(rest, points(rest, aces), aces)
    melds = tuple(Move(Verb.MELD, None, laid.melds) for laid in own)
    return (*melds, *(Move(Verb.LAY_OFF, one.card, (one.meld,)) for one in _lay_offs(deal, knock, rest)), DONE)


def canonical(deal: Deal, move: Move) -> Move:
    """Own melds that are not named are those that leave least."""
    if move.verb is Verb.MELD and move.melds is None:
        knock = _knock(deal)
        return Move(Verb.MELD, None, best_arrangement(_rest(deal, knock), deal.rules.aces).melds)
    return move


def play(deal: Deal, move: Move) -> Deal | None:
    """The deal after a move of this phase; None where it is not legal."""
    knock = _knock(deal)
    if move not in legal_moves(deal):
        return None
    if move.verb is Verb.MELD:
        return _answering(deal, move, knock, own=move.melds)
    if move.verb is Verb.LAY_OFF and move.card is not None and move.melds:
        laid_off = LayOff(move.card, move.melds[0], deal.seats[deal.turn])
        return _answering(deal, move, knock, own=knock.own, lay_off=laid_off)
    answered = Knock(knock.place, knock.laid, (*knock.defences, _chosen(deal, knock)), knock.lay_offs)
    following = _next(deal)
    moved = changed(deal, move, turn=following, knock=answered)
    return _settled(moved) if following == knock.place else moved


def rest_of(deal: Deal) -> Hand:
    """The hand of the player who answers a knock, less what they laid off."""
    return _rest(deal, _knock(deal))


def best_answer(deal: Deal) -> Defence:
    """The own melds and further lay-offs that leave the player who answers a knock the least deadwood."""
    knock, rules = _knock(deal), deal.rules
    return best_defence(
        _rest(deal, knock).without(card for meld in knock.own or () for card in meld.cards),
        knock.laid.melds,
        deal.seats[deal.turn],
        [_grown(meld, knock.lay_offs) for meld in knock.laid.melds],
        aces=rules.aces,
        chain=rules.lay_off_chain,
    )


def why_not(deal: Deal, move: Move) -> tuple[str, str]:
    """Why a move of this phase is not legal."""
    knock = _knock(deal)
    if move.verb is Verb.MELD:
        return "melds", "the melds are chosen already" if knock.own is not None else "these melds are not in the hand"
    if move.verb is Verb.LAY_OFF:
        return "lay-off", "that card does not fit there, or is not free"
    return "lay-off-first", "a knock is being answered: own melds, lay-offs, done"


def _answering(
    deal: Deal, move: Move, knock: Knock, *, own: tuple[Meld, ...] | None, lay_off: LayOff | None = None
) -> Deal:
    lay_offs = knock.lay_offs if lay_off is None else (*knock.lay_offs, lay_off)
    return changed(deal, move, knock=Knock(knock.place, knock.laid, knock.defences, lay_offs, own))


def _settled(deal: Deal) -> Deal:
    """The deal once everybody answered: those who did not are answered for, in turn order, for the best."""
    knock = _knock(deal)
    rules, seats = deal.rules, deal.seats
    defences, lay_offs = list(knock.defences), knock.lay_offs
    others = [(knock.place + step) % len(seats) for step in range(1, len(seats))]
    for place in others[len(defences) :]:
        defence = Defence(best_arrangement(deal.hands[place], rules.aces))
        if knock.laid.unmatched and rules.lay_off:
            defence = best_defence(
                deal.hands[place],
                knock.laid.melds,
                seats[place],
                [_grown(meld, lay_offs) for meld in knock.laid.melds],
                aces=rules.aces,
                chain=rules.lay_off_chain,
            )
        defences.append(defence)
        lay_offs = (*lay_offs, *defence.lay_offs)
    answers = dict(zip(others, defences, strict=True)) | {knock.place: Defence(knock.laid)}
    ordered = [answers[place] for place in range(len(seats))]
    outcome = settle(rules, seats, knock.place, knock.laid, ordered, deal.upcard)
    return changed(deal, phase=Phase.DONE, turn=knock.place, outcome=outcome)


def _chosen(deal: Deal, knock: Knock) -> Defence:
    """What the player to act answers: their own melds, or those that leave least of what is not laid off."""
    rest, aces = _rest(deal, knock), deal.rules.aces
    mine = tuple(one for one in knock.lay_offs if one.seat == deal.seats[deal.turn])
    if knock.own is None:
        return Defence(best_arrangement(rest, aces), mine)
    unmatched = tuple(rest.without(card for meld in knock.own for card in meld.cards))
    return Defence(Arrangement(knock.own, unmatched, points(unmatched, aces)), mine)


def _lay_offs(deal: Deal, knock: Knock, rest: Hand) -> Iterator[LayOff]:
    """Every card that the player to act may lay off now, on each meld that takes it."""
    free = rest.without(card for meld in knock.own or () for card in meld.cards)
    for meld in knock.laid.melds:
        grown = _grown(meld, knock.lay_offs) if deal.rules.lay_off_chain else meld
        for card in sorted(grown.takes(deal.rules.aces)):
            if card in free:
                yield LayOff(card, meld, deal.seats[deal.turn])


def _grown(meld: Meld, lay_offs: tuple[LayOff, ...]) -> Meld:
    """A meld with the cards laid off on it."""
    added = [one.card for one in lay_offs if one.meld == meld]
    return Meld(tuple(sorted((*meld.cards, *added)))) if added else meld


def _rest(deal: Deal, knock: Knock) -> Hand:
    """The hand of the player to act, less what they laid off."""
    mine = (one.card for one in knock.lay_offs if one.seat == deal.seats[deal.turn])
    return deal.hands[deal.turn].without(mine)


def _next(deal: Deal) -> int:
    return (deal.turn + 1) % len(deal.seats)


def _knock(deal: Deal) -> Knock:
    if deal.knock is None:
        raise AssertionError("nobody has knocked")
    return deal.knock
