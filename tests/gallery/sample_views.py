"""Invented views of matches in different states, for samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards import DECK, Card, Hand, parse_cards
from bot.engine.deal import Phase
from bot.engine.melds import Meld, best_arrangement, least_deadwood
from bot.engine.moves import BIG_GIN, TAKE, Move, Seat, Verb
from bot.engine.replay import Moment, ReplayView, for_best_discard
from bot.engine.rules import Rules
from bot.engine.scoring import Score, charges
from bot.engine.showdown import VOID, LayOff, Outcome, Response, best_response, settle
from bot.engine.views import (
    DiscardChoice,
    Forfeit,
    KnockView,
    LayOffChoice,
    PublicMove,
    PublicView,
    SeatView,
    ShowdownView,
)
from cardart.text.queries import laid_off_on

_TEAMS: Final = ((Seat(0), Seat(2)), (Seat(1), Seat(3)))


def score(*scores: int, winner: int | None = None, bonus: int = 0, columns: tuple[Score, ...] = ()) -> Score:
    """Return a score by side. With a winner, it is over and includes the game bonus."""
    none = (0,) * len(scores)
    return Score(
        scores=scores,
        deals_won=none,
        line=none,
        game=tuple(bonus if side == winner else 0 for side in range(len(scores))),
        shutout=none,
        over=winner is not None,
        winner=winner,
        margin=None,
        columns=columns,
    )


def hollywood(*columns: Score) -> Score:
    """Return a score of three simultaneous games."""
    return score(*map(sum, zip(*(column.scores for column in columns), strict=True)), columns=columns)


_NOTHING: Final = score(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The state of a match at a table."""

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


def table(setting: Setting, held: Iterable[Card] = ()) -> PublicView:
    """Return the public view of a setting. Held cards in its discard pile are replaced by others."""
    rules = Rules.parse(setting.rules)
    turn, resigned = setting.turn, setting.resigned
    knock = setting.knock
    elsewhere = {*held, *(() if knock is None else (*knock.laid.cards, *(one.card for one in knock.lay_offs)))}
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
        history=(),
        cut=None,
        sides=_sides(rules, len(setting.hand_sizes)),
        score=setting.score,
        forfeit=None if resigned is None else Forfeit(Seat(resigned), on_time=False),
    )


def hand(cards: str, fresh: str | None = None, setting: Setting | None = None) -> SeatView:
    """Return the hand of seat 0. With a fresh card, it is waiting to discard."""
    held, state = Hand.parse(cards), setting or Setting()
    if fresh:
        first, *others = state.hand_sizes
        state = replace(state, hand_sizes=(first + 1, *others), stock=state.stock - 1, phase=Phase.DISCARD)
    public = table(state, held)
    aces = public.rules.aces
    leaves = {card: least_deadwood(held - card, aces) for card in held} if fresh else {}
    moves: tuple[Move, ...] = (TAKE,) if public.phase is Phase.WALL else ()
    if fresh and public.rules.big_gin_bonus and least_deadwood(held, aces) == 0:
        moves = (BIG_GIN,)
    return SeatView(
        public=public,
        seat=Seat(0),
        hand=held,
        arrangement=best_arrangement(held, aces),
        new_card=Card.parse(fresh) if fresh else None,
        discard_choices=tuple(
            DiscardChoice(card, left, True, left <= public.knock_limit) for card, left in leaves.items()
        ),
        lay_offs=(),
        best_response=None,
        moves=moves,
    )


def knock(seat: int, cards: str, lay_offs: str = "") -> KnockView:
    """Return a knock with a hand. Lay-offs are given as `seat:card>meld`."""
    return KnockView(Seat(seat), best_arrangement(Hand.parse(cards)), tuple(map(_lay_off, lay_offs.split())))


def answering(cards: str, knocked: KnockView, setting: Setting) -> SeatView:
    """Return the hand of seat 0, which answers a knock or waits for other players."""
    view = hand(cards, setting=replace(setting, phase=Phase.LAY_OFF, knock=knocked))
    if not view.to_act:
        return view
    rules, melds = view.public.rules, knocked.laid.melds
    grown = [_grown(meld, knocked.lay_offs) for meld in melds]
    defence = best_response(view.hand, melds, view.seat, grown, aces=rules.aces, chain=rules.lay_off_chain)
    choices = [
        LayOffChoice(card, meld, view.arrangement.deadwood - least_deadwood(view.hand - card, rules.aces))
        for meld, longer in zip(melds, grown, strict=True)
        for card in longer.takes(rules.aces)
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
    """Return a deal that the first hand ended and the others answered optimally. Without hands, return a void deal.

    `score` is the score before the deal, unless there are three games or it is over.
    """
    agreed, order = Rules.parse(rules), tuple(map(Seat, seats))
    outcome = settle(agreed, order, 0, _responses(agreed, order, hands), Card.parse(upcard)) if hands else VOID
    sides = _sides(agreed, len(score.scores))
    if not score.columns and not score.over:
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
        charged=tuple(charges(order, outcome).items()) if agreed.format == "penalty" else (),
        earned=(),
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
    """Return a replay of a deal between these hands that ends with a knock. A draw names its card."""
    held, order = [Hand.parse(hand) for hand in hands], tuple(map(Seat, seats))
    pile, stock = [Card.parse(upcard)], 51 - sum(map(len, held))
    moments = [_moment(None, held, 0, None, stock, pile)]
    for turn in _turns(moves):
        place, fresh = seats.index(turn.seat), None
        match turn.verb:
            case Verb.TAKE:
                fresh = pile.pop()
                turn = replace(turn, card=fresh)
            case Verb.DRAW:
                fresh, stock = turn.card, stock - 1
            case Verb.DISCARD | Verb.KNOCK if turn.card is not None:
                held[place] -= turn.card
                pile.append(turn.card)
            case _:
                pass
        moments.append(_moment(turn, held, place, fresh, stock, pile))
        held[place] = held[place] if fresh is None else held[place] + fresh
    over = showdown(*map(str, held), rules=rules, seats=seats, upcard=upcard, score=score)
    return ReplayView(tuple(moments), replace(over, discard=pile[-1], seats=order))


def _turns(moves: str) -> Iterator[PublicMove]:
    words = iter(moves.split())
    for seat in words:
        verb = Verb(next(words))
        shown = verb in (Verb.DRAW, Verb.DISCARD, Verb.KNOCK)
        yield PublicMove(Seat(int(seat)), verb, Card.parse(next(words)) if shown else None)


def _moment(
    happening: PublicMove | None, held: Sequence[Hand], place: int, fresh: Card | None, stock: int, pile: Sequence[Card]
) -> Moment:
    hands, least = [best_arrangement(hand) for hand in held], None
    if happening is not None and fresh is not None:
        taken = fresh if happening.verb is Verb.TAKE else None
        hands[place], least = for_best_discard(held[place] + fresh, fresh, taken)
    return Moment(happening, tuple(hands), fresh, least, stock, tuple(pile), ())


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
    """Return the first hand as the knocker's melds, and the best answers of the other hands."""
    laid = best_arrangement(Hand.parse(hands[0]), rules.aces)
    defences, lay_offs = [Response(laid)], ()
    for seat, cards in zip(seats[1:], map(Hand.parse, hands[1:]), strict=True):
        answer = Response(best_arrangement(cards, rules.aces))
        if laid.unmatched and rules.lay_off:
            grown = [_grown(meld, lay_offs) for meld in laid.melds]
            answer = best_response(cards, laid.melds, seat, grown, aces=rules.aces, chain=rules.lay_off_chain)
        defences.append(answer)
        lay_offs += answer.lay_offs
    return defences


def _lay_off(text: str) -> LayOff:
    seat, _, where = text.partition(":")
    card, _, meld = where.partition(">")
    return LayOff(Card.parse(card), Meld.parse(meld), Seat(int(seat)))


def _grown(meld: Meld, lay_offs: tuple[LayOff, ...]) -> Meld:
    return Meld(tuple(sorted((*meld.cards, *laid_off_on(meld, lay_offs)))))
