"""The alt texts, which say all that the pictures show. Cards are written as the pictures have them: `7♥`, `D♦`.

`language` is everywhere the code of the language that cards are named in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.cards import Card, parse_cards
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Seat
from bot.engine.replay import ReplayView
from bot.engine.showdown import Kind, LayOff
from bot.engine.views import KnockView, PublicView, SeatView, ShowdownView
from cardart import facts, words
from cardart.names import Names, names_of

DECK: Final = "The deck: ace to king of clubs, diamonds, spades and hearts, a row for each suit, and the back."


def primer(language: str) -> str:
    """What melds and deadwood are, by an example of each."""
    run, alike, rest = (names_of(language).row(parse_cards(cards)) for cards, *_ in words.PRIMER)
    return (
        f"Three groups of cards. {run}: a run, three or more cards in a row in one suit. {alike}: a set, three or four "
        f"cards of one rank. {rest}: deadwood, the cards in no meld, 9 + 1 = 10 points."
    )


def hand(view: SeatView, language: str, order: str) -> str:
    """A hand; in an order other than by melds its cards come first, and then what they make."""
    names = names_of(language)
    if order == "melds":
        held = _arranged(view.arrangement, names)
    else:
        held = f"{names.row(facts.sorted_hand(view.hand, order))}. {_summed(view.arrangement, names)}"
    drawn = f" Just drawn: {names.short(view.fresh)}." if view.fresh else ""
    state = words.hand_state(view).rstrip("!")
    may = f" {state}." if state.startswith("You") else ""
    knocks = ", ".join(f"{names.short(one.card)} leaves {one.leaves}" for one in view.choices if one.knocks)
    knock = f" Knocking with {knocks}." if knocks else ""
    return f"Your hand: {held}.{drawn}{may}{knock} {_limit(view.public)}."


def answer(view: SeatView, knock: KnockView, language: str) -> str:
    """A hand while a knock is being answered."""
    names = names_of(language)
    off = [f"Laid off so far: {_lay_offs(knock.lay_offs, names)}"] if knock.lay_offs else []
    state = words.answer_state(view)
    if view.seat == knock.seat:
        laid = f"{words.YOU_KNOCKED_WITH} {knock.laid.deadwood}: {_arranged(knock.laid, names)}"
        return _sentences([laid, *off, state])
    numbered = [f"({number}) {_meld(meld, names)}" for number, meld in enumerate(knock.laid.melds, 1)]
    melds = "; ".join(numbered) or "no melds"
    fits = [f"{names.short(one.card)} on ({knock.laid.melds.index(one.meld) + 1})" for one in view.lay_offs]
    may = [f"You may lay off {', '.join(fits)}"] if fits else []
    best = view.defence.lay_offs if view.defence else ()
    state += f": {names.row(one.card for one in best)}" if best else ""
    held = f"Your hand: {_arranged(view.arrangement, names)}"
    return _sentences([f"{words.KNOCKED_WITH} {knock.laid.deadwood}: {melds}", *off, held, *may, state])


def table(view: PublicView, marks: Sequence[str], shown: Sequence[Card], language: str) -> str:
    """The table; `shown` are the discards to be seen, the top last."""
    names = names_of(language)
    told = [f"{words.deal(view)}, {words.ends(view.rules)}", words.table_state(view, marks)]
    knock = facts.open_knock(view)
    if knock is None:
        told += [f"Stock: {words.count(view.stock, 'card')} face down", _pile(shown, names)]
    else:
        told.append(f"{marks[knock.seat]} {words.knocks_with(knock.laid.deadwood)}: {_arranged(knock.laid, names)}")
        told += [f"Laid off so far: {_lay_offs(knock.lay_offs, names, marks)}"] if knock.lay_offs else []
    told += [_player(view, seat, marks) for seat in facts.stations(view)]
    if not view.score.over:
        told += [
            f"{words.game(place)} is over: {words.winner(column, view.sides, marks)}"
            for place, column in enumerate(view.score.columns)
            if column.over
        ]
    return _sentences([*told, _limit(view)])


def showdown(view: ShowdownView, marks: Sequence[str], language: str) -> str:
    """The showdown, or that there is none."""
    names = names_of(language)
    score = f"{words.score_label(view.rules, view.score)}: " + ", ".join(
        f"{words.side(seats, marks)} {words.points(facts.points(view.rules, view.score, place))}"
        for place, seats in enumerate(view.sides)
    )
    if view.outcome.kind is Kind.VOID:
        return f"{words.deal(view)}: {words.VOID.lower()}. {' '.join(words.void_because(view, marks))} {score}."
    hands = [
        f"{marks[seat]} {words.went(view, seat)}{_thrown(view, seat, names)}: {_arranged(view.hand(seat), names)}"
        for seat in facts.from_knocker(view)
    ]
    out = [f"{marks[seat]} {words.SITS_OUT}" for seat in facts.sitting_out(view)]
    return _sentences([words.deal(view), *hands, *out, _won(view, marks), score])


def replay(view: ReplayView, marks: Sequence[str], language: str) -> str:
    """What an animation tells of a deal: who plays, how long it takes, how it ends. What they do is in the message."""
    over, names = view.showdown, names_of(language)
    dealt = [
        f"{marks[seat]} is dealt {names.row(hand.cards)}"
        for seat, hand in zip(over.seats, view.moments[0].hands, strict=True)
    ]
    ends = [f"{marks[seat]} {words.went(over, seat)}{_thrown(over, seat, names)}" for seat in facts.from_knocker(over)]
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


def _meld(meld: Meld, names: Names) -> str:
    return f"{'run' if meld.is_run else 'set'} {names.row(facts.in_order(meld.cards))}"


def _arranged(arrangement: Arrangement, names: Names) -> str:
    loose = f": {names.row(arrangement.unmatched)}" if arrangement.unmatched else ""
    return _summed(arrangement, names) + loose


def _summed(arrangement: Arrangement, names: Names) -> str:
    """The melds, and what is left beside them."""
    left = f"deadwood {arrangement.deadwood}" if arrangement.unmatched else "no deadwood"
    melds = "; ".join(_meld(meld, names) for meld in arrangement.melds) or "no melds"
    return f"{melds}; {left}"


def _lay_offs(of: Iterable[LayOff], names: Names, marks: Sequence[str] | None = None) -> str:
    return "; ".join(
        f"{names.short(one.card)} on {names.row(facts.in_order(one.meld.cards))}"
        + (f" by {marks[one.seat]}" if marks else "")
        for one in of
    )


def _thrown(view: ShowdownView, seat: Seat, names: Names) -> str:
    if seat == view.outcome.knocker:
        return f", discarding {names.short(view.discard)}" if view.discard else ""
    on = _lay_offs((one for one in view.outcome.lay_offs if one.seat == seat), names)
    return f" ({on})" if on else ""


def _pile(shown: Sequence[Card], names: Names) -> str:
    if not shown:
        return "Discard pile: empty"
    under = f", under it {names.row(reversed(shown[:-1]))}" if len(shown) > 1 else ""
    return f"Discard pile: {names.short(shown[-1])} on top{under}"


def _limit(view: PublicView) -> str:
    limit = f"Knock with {view.knock_limit} or less" if view.knock_limit else "Only gin goes out"
    return f"{limit}, and the deal counts double" if facts.counts_double(view) else limit
