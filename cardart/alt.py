"""The alt texts, which say all that the pictures show. Cards are written as people write them: `7♥`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Seat
from bot.engine.replay import ReplayView
from bot.engine.showdown import Kind, LayOff
from bot.engine.views import KnockView, PublicView, SeatView, ShowdownView
from cardart import facts, words

PRIMER: Final = (
    "Three groups of cards. 5♥ 6♥ 7♥: a run, three or more cards in a row in one suit. Q♠ Q♦ Q♣: a set, three or four "
    "cards of one rank. 9♣ A♦: deadwood, the cards in no meld, 9 + 1 = 10 points."
)


def hand(view: SeatView) -> str:
    """A hand."""
    drawn = f" Just drawn: {view.fresh.symbol}." if view.fresh else ""
    state = words.hand_state(view).rstrip("!")
    may = f" {state}." if state.startswith("You") else ""
    return f"Your hand: {_arranged(view.arrangement)}.{drawn}{may} {_limit(view.public)}."


def answer(view: SeatView, knock: KnockView) -> str:
    """A hand while a knock is being answered."""
    off = [f"Laid off so far: {_lay_offs(knock.lay_offs)}"] if knock.lay_offs else []
    state = words.answer_state(view)
    if view.seat == knock.seat:
        return _sentences([f"{words.YOU_KNOCKED_WITH} {knock.laid.deadwood}: {_arranged(knock.laid)}", *off, state])
    melds = "; ".join(f"({number}) {_meld(meld)}" for number, meld in enumerate(knock.laid.melds, 1)) or "no melds"
    fits = [f"{one.card.symbol} on ({knock.laid.melds.index(one.meld) + 1})" for one in view.lay_offs]
    may = [f"You may lay off {', '.join(fits)}"] if fits else []
    best = view.defence.lay_offs if view.defence else ()
    state += f": {_cards(one.card for one in best)}" if best else ""
    held = f"Your hand: {_arranged(view.arrangement)}"
    return _sentences([f"{words.KNOCKED_WITH} {knock.laid.deadwood}: {melds}", *off, held, *may, state])


def table(view: PublicView, marks: Sequence[str], shown: Sequence[Card]) -> str:
    """The table; `shown` are the discards to be seen, the top last."""
    told = [f"{words.deal(view)}, {words.ends(view.rules)}", words.table_state(view, marks)]
    knock = facts.open_knock(view)
    if knock is None:
        told += [f"Stock: {words.count(view.stock, 'card')} face down", _pile(shown)]
    else:
        told.append(f"{marks[knock.seat]} {words.knocks_with(knock.laid.deadwood)}: {_arranged(knock.laid)}")
        told += [f"Laid off so far: {_lay_offs(knock.lay_offs, marks)}"] if knock.lay_offs else []
    told += [_player(view, seat, marks) for seat in facts.stations(view)]
    if not view.score.over:
        told += [
            f"{words.game(place)} is over: {words.winner(column, view.sides, marks)}"
            for place, column in enumerate(view.score.columns)
            if column.over
        ]
    return _sentences([*told, _limit(view)])


def showdown(view: ShowdownView, marks: Sequence[str]) -> str:
    """The showdown, or that there is none."""
    score = f"{words.score_label(view.rules, view.score)}: " + ", ".join(
        f"{words.side(seats, marks)} {words.points(facts.points(view.rules, view.score, place))}"
        for place, seats in enumerate(view.sides)
    )
    if view.outcome.kind is Kind.VOID:
        return f"{words.deal(view)}: {words.VOID.lower()}. {' '.join(words.void_because(view, marks))} {score}."
    hands = [
        f"{marks[seat]} {words.went(view, seat)}{_thrown(view, seat)}: {_arranged(view.hand(seat))}"
        for seat in facts.from_knocker(view)
    ]
    out = [f"{marks[seat]} {words.SITS_OUT}" for seat in facts.sitting_out(view)]
    return _sentences([words.deal(view), *hands, *out, _won(view, marks), score])


def replay(view: ReplayView, marks: Sequence[str]) -> str:
    """What an animation tells of a deal: who plays, how long it takes, how it ends. What they do is in the message."""
    over = view.showdown
    dealt = [
        f"{marks[seat]} is dealt {_cards(hand.cards)}"
        for seat, hand in zip(over.seats, view.moments[0].hands, strict=True)
    ]
    ends = [f"{marks[seat]} {words.went(over, seat)}{_thrown(over, seat)}" for seat in facts.from_knocker(over)]
    length = f"{words.deal(over)}, replayed as an animation of {words.count(view.actions, 'action')}, all hands face up"
    return _sentences([length, *dealt, *ends, _won(over, marks)])


def _sentences(parts: Iterable[str]) -> str:
    return ". ".join(parts) + "."


def _won(view: ShowdownView, marks: Sequence[str]) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        tie = "A tie, " if outcome.kind is Kind.TIE else ""
        return f"{tie}{words.NO_POINTS}"
    if view.charged:
        charged = ", ".join(f"{marks[seat]} {charge}" for seat, charge in words.earned(view) if seat is not None)
        return f"{marks[outcome.winner]} wins the deal; penalty points: {charged}"
    boxes = f", {words.count(outcome.boxes, 'box', 'boxes')}" if outcome.boxes > 1 else ""
    return f"{marks[outcome.winner]} scores {words.reckoning(view).lstrip('+')}{boxes}"


def _player(view: PublicView, seat: Seat, marks: Sequence[str]) -> str:
    place = facts.side_of(seat, view.sides)
    holds = words.instead_of_cards(view, seat) or f"{words.count(facts.face_down(view, seat), 'card')} face down"
    label = words.score_label(view.rules, view.score).lower()
    numbers = words.points(facts.points(view.rules, view.score, place))
    partners = [other for other in view.sides[place] if other != seat]
    beside = f" with {words.side(partners, marks)}" if partners else ""
    dealer = ", dealer" if seat == view.dealer else ""
    return f"{marks[seat]}: {holds}, {label} {numbers}{beside}{dealer}"


def _cards(of: Iterable[Card]) -> str:
    return " ".join(card.symbol for card in of)


def _meld(meld: Meld) -> str:
    return f"{'run' if meld.is_run else 'set'} {_cards(facts.in_order(meld.cards))}"


def _arranged(arrangement: Arrangement) -> str:
    melds = "; ".join(_meld(meld) for meld in arrangement.melds) or "no melds"
    if not arrangement.unmatched:
        return f"{melds}; no deadwood"
    return f"{melds}; deadwood {arrangement.deadwood}: {_cards(arrangement.unmatched)}"


def _lay_offs(of: Iterable[LayOff], marks: Sequence[str] | None = None) -> str:
    return "; ".join(
        f"{one.card.symbol} on {_cards(facts.in_order(one.meld.cards))}" + (f" by {marks[one.seat]}" if marks else "")
        for one in of
    )


def _thrown(view: ShowdownView, seat: Seat) -> str:
    if seat == view.outcome.knocker:
        return f", discarding {view.discard.symbol}" if view.discard else ""
    on = _lay_offs(one for one in view.outcome.lay_offs if one.seat == seat)
    return f" ({on})" if on else ""


def _pile(shown: Sequence[Card]) -> str:
    if not shown:
        return "Discard pile: empty"
    under = f", under it {_cards(reversed(shown[:-1]))}" if len(shown) > 1 else ""
    return f"Discard pile: {shown[-1].symbol} on top{under}"


def _limit(view: PublicView) -> str:
    limit = f"Knock with {view.knock_limit} or less" if view.knock_limit else "Only gin goes out"
    return f"{limit}, and the deal counts double" if facts.counts_double(view) else limit
