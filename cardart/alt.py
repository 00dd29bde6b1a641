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
from bot.engine.showdown import LayOff, OutcomeKind
from bot.engine.views import KnockView, PublicView, SeatView, ShowdownView
from cardart import facts, sheet, words
from cardart.figures import LAST, Career, Week
from cardart.names import Names, names_of
from cardart.plot import day

_MOST: Final = 1024
"""How many signs an alt text may have."""

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
    drawn = f" Just drawn: {names.short(view.new_card)}." if view.new_card else ""
    state = words.hand_state(view).rstrip("!")
    may = f" {state}." if state.startswith("You") else ""
    knocks = ", ".join(f"{names.short(one.card)} leaves {one.leaves}" for one in view.discard_choices if one.knocks)
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
    melds += f"; deadwood {names.row(knock.laid.unmatched)}" if knock.laid.unmatched else ""
    fits = [f"{names.short(one.card)} on ({knock.laid.melds.index(one.meld) + 1})" for one in view.lay_offs]
    may = [f"You may lay off {', '.join(fits)}"] if fits else []
    best = facts.best_lay_offs(view)
    state += f": {names.row(one.card for one in best)}" if best else ""
    held = f"Your hand: {_arranged(view.arrangement, names)}"
    return _sentences([f"{words.KNOCKED_WITH} {knock.laid.deadwood}: {melds}", *off, held, *may, state])


def table(view: PublicView, marks: Sequence[str], shown: Sequence[Card], language: str) -> str:
    """The table; `shown` are the discards to be seen, the top last."""
    names = names_of(language)
    told = [f"{words.deal(view)}, {words.ends(view.rules)}", words.table_state(view, marks)]
    knock = facts.open_knock(view)
    if knock is None:
        told += [f"Stock: {words.count(view.stock, 'card')} face down", _pile(view, shown, names)]
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
    if view.outcome.kind is OutcomeKind.VOID:
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


def pad(
    view: PublicView, told: Sequence[sheet.Line], below: Sequence[Sequence[sheet.Sum]], marks: Sequence[str]
) -> str:
    """The score pad; of many deals those of the past are summed up until the rest fits."""
    head = f"{words.SHEET}, {words.ends(view.rules)}"
    sides = [words.side(seats, marks) for seats in view.sides]
    foot = [f"{one.name}: {_by_side(sides, one.numbers)}" for one in below[0]]
    if len(below) > 1:
        games = [[f"{one.name.lower()} {_by_side(sides, one.numbers)}" for one in game] for game in below]
        foot = [f"{words.game(place)}: {'; '.join(game)}" for place, game in enumerate(games)]
        foot.append(f"{words.TOTAL}: {_by_side(sides, view.score.totals)}")
    if view.score.over:
        foot.append(", ".join(f"{words.side(seats, marks)} {text}".strip() for seats, text in words.result(view)))
    tries = (
        _sentences([head, *(_entered(line, sides, marks) for line in sheet.shortened(told, most)), *foot])
        for most in range(len(told), 0, -1)
    )
    return next(text for text in tries if len(text) <= _MOST)


def _entered(line: sheet.Line, sides: Sequence[str], marks: Sequence[str]) -> str:
    """What a line of the score pad says."""
    if line.what == "earlier":
        totals = (words.points(of_side) for of_side in zip(*line.totals, strict=True))
        return f"{line.label}: {', '.join(f'{side} {total}' for side, total in zip(sides, totals, strict=True))}"
    got: list[str] = []
    for place, side in enumerate(sides):
        added = [(game, points[place]) for game, points in enumerate(line.added) if points[place] is not None]
        for game, points in added[:1]:
            boxes = words.count(line.boxes[game][place], "box", "boxes")
            extra = f" ({boxes})" if line.boxes[game][place] > 1 else ""
            got.append(f"{side} {points}" if line.what == "board" else f"{side} +{points}{extra}")
        if len(line.added) > 1:
            got += [f"{words.game(game).lower()} {line.totals[game][place]}" for game, _ in added]
        elif added and line.what != "board":
            got[-1] += f" = {line.totals[0][place]}"
    how = f"{line.label} {line.how}".strip()
    if line.deal and line.deal.charged and line.deal.outcome.winner is not None:
        how += f" by {marks[line.deal.outcome.winner]}"
    return f"{how}: {', '.join(got) or words.NO_POINTS}"


def profile(career: Career) -> str:
    """How a person did."""
    results, stands = career.results, career.line
    share = [] if career.share is None else [f"Won {career.share}%"]
    told = [f"{words.count(len(results), 'match', 'matches')}", *share, f"{words.STREAK} {career.streak}"]
    first, last = day(results[0].ended), day(results[-1].ended)
    when = last if first == last else f"{first} to {last}"
    low, high, end = map(words.signed, (min(stands), max(stands), stands[-1]))
    told.append(f"{words.NET} {when}: lowest {low}, highest {high}, in the end {end}")
    ways = ", ".join(f"{number} {way}" for way, number in zip(words.WAYS, career.kinds, strict=True))
    told.append(f"{words.DEALS_WON}: {career.deals_won} {words.of(career.deals_won + career.deals_lost)}; {ways}")
    lately = results[-LAST:]
    how = {True: words.WON, False: words.LOST, None: words.NEITHER}
    told.append(f"{words.last(len(lately))}: {', '.join(how[result.won] for result in lately)}")
    if career.rival is not None:
        told.append(f"{words.MOST_OFTEN} {career.rival.mark}: {words.against(career.rival.won, career.rival.lost)}")
    return _sentences(told)


def activity(weeks: Sequence[Week]) -> str:
    """How much was played."""
    told = [f"{day(week.begins, year=False)}: {week.matches}, {week.players}" for week in weeks if week.matches]
    return f"{words.PER_WEEK}, {day(weeks[0].begins)} to {day(weeks[-1].begins)}. {'; '.join(told)}; else none."


def _by_side(sides: Sequence[str], numbers: Iterable[int]) -> str:
    return ", ".join(f"{side} {number}" for side, number in zip(sides, numbers, strict=True))


def _sentences(parts: Iterable[str]) -> str:
    return ". ".join(parts) + "."


def _won(view: ShowdownView, marks: Sequence[str]) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        tie = "A tie, " if outcome.kind is OutcomeKind.TIE else ""
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


def _pile(view: PublicView, shown: Sequence[Card], names: Names) -> str:
    if not shown:
        return "Discard pile: empty"
    under = f", under it {names.row(reversed(shown[:-1]))}" if len(shown) > 1 else ""
    more = f", {words.count(len(view.discards), 'card')} in all" if len(view.discards) > len(shown) else ""
    return f"Discard pile: {names.short(shown[-1])} on top{under}{more}"


def _limit(view: PublicView) -> str:
    limit = f"Knock with {view.knock_limit} or less" if view.knock_limit else "Only gin goes out"
    return f"{limit}, and the deal counts double" if facts.counts_double(view) else limit
