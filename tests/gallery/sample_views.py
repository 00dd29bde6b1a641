"""Invented views of matches in different states, for samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import DECK, Card, Hand, parse_cards
from bot.engine.cards.melds import Meld, best_arrangement, least_deadwood
from bot.engine.deals.moves import BIG_GIN, TAKE, Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import VOID, LayOff, Outcome, Response, best_response, settle
from bot.engine.matches.facts import laid_off_on
from bot.engine.matches.replay import Moment, ReplayView, for_best_discard
from bot.engine.matches.scoring import Score, charges
from bot.engine.matches.views import (
    DiscardChoice,
    Forfeit,
    KnockView,
    LayOffChoice,
    PublicMove,
    PublicView,
    SeatView,
    ShowdownView,
)
from bot.engine.rules import Rules

_TEAMS: Final = ((Seat(0), Seat(2)), (Seat(1), Seat(3)))


def score(*scores: int, winner: int | None = None, bonus: int = 0, columns: tuple[Score, ...] = ()) -> Score:
    """Return a score with the points of each side. With `winner`, the match is over, and the winner gets the bonus."""
    none = (0,) * len(scores)
    return Score(
        scores=scores,
        deals_won=none,
        line=none,
        game=tuple(bonus if side == winner else 0 for side in range(len(scores))),
        shutout=none,
        is_over=winner is not None,
        winner=winner,
        margin=None,
        columns=columns,
    )


def hollywood(*columns: Score) -> Score:
    """Return the score of a Hollywood match from the scores of its three simultaneous games."""
    return score(*map(sum, zip(*(column.scores for column in columns), strict=True)), columns=columns)


_NOTHING: Final = score(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """The state of a match, from which the functions below build views."""

    rules: str = "classic"
    discards: str = "Qd 8c 9s 6c 7h"
    upcard: str = "Jc"
    phase: Phase = Phase.DRAW
    turn: int | None = 0
    dealer: int = 1
    number: int = 1
    board: int = 1
    stock: int = 27
    limit: int = 10
    hand_sizes: tuple[int, ...] = (10, 10)
    order: tuple[int, ...] = (0, 1)
    score: Score = _NOTHING
    knock: KnockView | None = None
    resigned: int | None = None
    moves: str = ""
    """The moves as everyone saw them, such as `0 take 7h 0 x Kd 1 draw 1 x 4c`."""


def table(setting: MatchState, held: Iterable[Card] = ()) -> PublicView:
    """Return the public view of a match in this state. The discard pile omits cards in `held`."""
    rules = Rules.parse(setting.rules)
    turn, resigned = setting.turn, setting.resigned
    knock = setting.knock
    elsewhere = {
        *held,
        *(() if knock is None else (*knock.arrangement.cards, *(lay_off.card for lay_off in knock.lay_offs))),
    }
    top = [card for card in parse_cards(setting.discards) if card not in elsewhere]
    under = len(DECK) - setting.stock - sum(setting.hand_sizes) - len(top)
    discards = (*[card for card in DECK if card not in elsewhere and card not in top][:under], *top)
    return PublicView(
        rules=rules,
        number=setting.number,
        board=setting.board,
        boards=2 if rules.format == "partners" else 1,
        dealer=Seat(setting.dealer),
        seats=tuple(map(Seat, setting.order)),
        phase=setting.phase,
        turn=None if turn is None else Seat(turn),
        hand_sizes=setting.hand_sizes,
        stock=setting.stock,
        discards=discards,
        upcard=Card.parse(setting.upcard),
        knock_limit=setting.limit,
        knock=setting.knock,
        history=tuple(_public_moves(setting.moves)),
        cut=None,
        sides=_sides(rules, len(setting.hand_sizes)),
        score=setting.score,
        forfeit=None if resigned is None else Forfeit(Seat(resigned), on_time=False),
    )


def hand(cards: str, new_card: str | None = None, setting: MatchState | None = None) -> SeatView:
    """Return the view of seat 0 with these cards.

    If `new_card`, the card just drawn, is given, the seat must discard.
    """
    held, state = Hand.parse(cards), setting or MatchState()
    if new_card:
        first, *others = state.hand_sizes
        state = replace(state, hand_sizes=(first + 1, *others), stock=state.stock - 1, phase=Phase.DISCARD)
    public = table(state, held)
    aces = public.rules.aces
    leaves = {card: least_deadwood(held - card, aces) for card in held} if new_card else {}
    moves: tuple[Move, ...] = (TAKE,) if public.phase is Phase.WALL else ()
    if new_card and public.rules.big_gin_bonus and least_deadwood(held, aces) == 0:
        moves = (BIG_GIN,)
    return SeatView(
        public=public,
        seat=Seat(0),
        hand=held,
        arrangement=best_arrangement(held, aces),
        new_card=Card.parse(new_card) if new_card else None,
        discard_choices=tuple(
            DiscardChoice(card, left, True, left <= public.knock_limit) for card, left in leaves.items()
        ),
        lay_offs=(),
        best_response=None,
        moves=moves,
    )


def knock(seat: int, cards: str, lay_offs: str = "") -> KnockView:
    """Return the view of a knock with these cards. Lay-offs on it are given as `seat:card>meld`."""
    return KnockView(Seat(seat), best_arrangement(Hand.parse(cards)), tuple(map(_lay_off, lay_offs.split())))


def answering(cards: str, knocked: KnockView, setting: MatchState) -> SeatView:
    """Return the view of seat 0 while a knock is answered, either by this seat or by another player."""
    view = hand(cards, setting=replace(setting, phase=Phase.LAY_OFF, knock=knocked))
    if not view.is_to_act:
        return view
    rules, melds = view.public.rules, knocked.arrangement.melds
    grown = [_extended(meld, knocked.lay_offs) for meld in melds]
    defence = best_response(view.hand, melds, view.seat, grown, aces=rules.aces, chain=rules.lay_off_chain)
    choices = [
        LayOffChoice(card, meld, view.arrangement.deadwood - least_deadwood(view.hand - card, rules.aces))
        for meld, longer in zip(melds, grown, strict=True)
        for card in longer.lay_off_cards(rules.aces)
        if card in view.hand
    ]
    return replace(view, lay_offs=tuple(choices), best_response=defence)


def showdown(
    *hands: str,
    rules: str = "classic",
    seats: tuple[int, ...] = (0, 1),
    upcard: str = "Jc",
    dealer: int = 0,
    number: int = 5,
    board: int = 1,
    score: Score,
) -> ShowdownView:
    """Return a showdown in which the first hand went out and the others answered optimally. Without hands, it is void.

    The deal's points are added to `score`, unless that score is final or has three games.
    """
    agreed, order = Rules.parse(rules), tuple(map(Seat, seats))
    outcome = settle(agreed, order, 0, _responses(agreed, order, hands), Card.parse(upcard)) if hands else VOID
    sides = _sides(agreed, len(score.scores))
    if not score.columns and not score.is_over:
        score = _after(score, sides, agreed, order, outcome)
    big = bool(hands) and len(Hand.parse(hands[0])) > agreed.cards_dealt
    return ShowdownView(
        rules=agreed,
        number=number,
        board=board,
        boards=2 if agreed.format == "partners" else 1,
        dealer=Seat(dealer),
        seats=order,
        outcome=outcome,
        discard=Card.parse("Kd") if hands and not big else None,
        sides=sides,
        score=score,
        penalty_points=tuple(charges(order, outcome).items()) if agreed.format == "penalty" else (),
        board_points=(),
    )


def replay(
    hands: tuple[str, ...],
    upcard: str,
    moves: str,
    *,
    rules: str = "classic",
    seats: tuple[int, ...] = (0, 1),
    score: Score,
) -> ReplayView:
    """Return the replay of a deal with these initial hands.

    The moves, such as `0 draw Qc 0 k Qc`, must end with a knock by the first hand.
    """
    held, order = [Hand.parse(hand) for hand in hands], tuple(map(Seat, seats))
    pile, stock = [Card.parse(upcard)], 51 - sum(map(len, held))
    moments = [_moment(None, held, 0, None, stock, pile)]
    for turn in _turns(moves):
        place, new_card = seats.index(turn.seat), None
        match turn.verb:
            case Verb.TAKE:
                new_card = pile.pop()
                turn = replace(turn, card=new_card)
            case Verb.DRAW:
                new_card, stock = turn.card, stock - 1
            case Verb.DISCARD | Verb.KNOCK if turn.card is not None:
                held[place] -= turn.card
                pile.append(turn.card)
            case _:
                pass
        moments.append(_moment(turn, held, place, new_card, stock, pile))
        held[place] = held[place] if new_card is None else held[place] + new_card
    over = showdown(*map(str, held), rules=rules, seats=seats, upcard=upcard, score=score)
    return ReplayView(tuple(moments), replace(over, discard=pile[-1], seats=order))


def _public_moves(moves: str) -> Iterator[PublicMove]:
    words = iter(moves.split())
    for seat in words:
        verb = Verb(next(words))
        shown = verb in (Verb.TAKE, Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF)
        yield PublicMove(Seat(int(seat)), verb, Card.parse(next(words)) if shown else None)


def _turns(moves: str) -> Iterator[PublicMove]:
    words = iter(moves.split())
    for seat in words:
        verb = Verb(next(words))
        shown = verb in (Verb.DRAW, Verb.DISCARD, Verb.KNOCK)
        yield PublicMove(Seat(int(seat)), verb, Card.parse(next(words)) if shown else None)


def _moment(
    move: PublicMove | None, held: Sequence[Hand], place: int, new_card: Card | None, stock: int, pile: Sequence[Card]
) -> Moment:
    hands, least = [best_arrangement(hand) for hand in held], None
    if move is not None and new_card is not None:
        taken = new_card if move.verb is Verb.TAKE else None
        hands[place], least = for_best_discard(held[place] + new_card, new_card, taken)
    return Moment(move, tuple(hands), new_card, least, stock, tuple(pile), ())


def _after(
    before: Score, sides: tuple[tuple[Seat, ...], ...], rules: Rules, order: tuple[Seat, ...], outcome: Outcome
) -> Score:
    charged = charges(order, outcome) if rules.format == "penalty" else {}
    if outcome.winner is not None and rules.format != "penalty":
        charged = {outcome.winner: outcome.points}
    added = [sum(charged.get(seat, 0) for seat in side) for side in sides]
    return score(*(old + new for old, new in zip(before.scores, added, strict=True)))


def _sides(rules: Rules, players: int) -> tuple[tuple[Seat, ...], ...]:
    return _TEAMS if rules.format == "partners" else tuple((Seat(seat),) for seat in range(players))


def _responses(rules: Rules, seats: tuple[Seat, ...], hands: tuple[str, ...]) -> list[Response]:
    """Return the knocker's melds from the first hand, and the best answers of the other hands."""
    laid = best_arrangement(Hand.parse(hands[0]), rules.aces)
    defences, lay_offs = [Response(laid)], ()
    for seat, cards in zip(seats[1:], map(Hand.parse, hands[1:]), strict=True):
        answer = Response(best_arrangement(cards, rules.aces))
        if laid.unmatched and rules.lay_off:
            grown = [_extended(meld, lay_offs) for meld in laid.melds]
            answer = best_response(cards, laid.melds, seat, grown, aces=rules.aces, chain=rules.lay_off_chain)
        defences.append(answer)
        lay_offs += answer.lay_offs
    return defences


def _lay_off(text: str) -> LayOff:
    seat, _, where = text.partition(":")
    card, _, meld = where.partition(">")
    return LayOff(Card.parse(card), Meld.parse(meld), Seat(int(seat)))


def _extended(meld: Meld, lay_offs: tuple[LayOff, ...]) -> Meld:
    return Meld(tuple(sorted((*meld.cards, *laid_off_on(meld, lay_offs)))))
