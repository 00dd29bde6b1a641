"""All words of the pictures: the few that are drawn in them, and the alt texts that say the same facts.

Cards are written as people write them (`7♥`), players by their marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards import Card
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Seat
from bot.engine.showdown import Kind
from bot.engine.views import PublicView, SeatView, ShowdownView

MELDS = "Melds"
DEADWOOD = "Deadwood"
DEAL = "Deal"
TARGET = "Play to"
TO_PLAY = "to play"
DEALER = "D"
SCORE = "Score"
WON = "won"
VOID = "Void deal"
VOID_BECAUSE = ("Nobody went out, and two cards", "are left in the stock: no points.", "The hands stay hidden.")
BANNERS = {Kind.KNOCK: "Knock", Kind.GIN: "Gin!", Kind.UNDERCUT: "Undercut!"}

PRIMER = (
    ("5h6h7h", True, "Run", "3+ in a row, one suit"),
    ("QsQdQc", True, "Set", "3 or 4 of a rank"),
    ("9cAd", False, "Deadwood", "the rest: 10 points"),
)
"""The groups of the primer: cards, whether they are a meld, their name and what it means."""
PRIMER_ALT = (
    "Three groups of cards. 5♥ 6♥ 7♥: a run, three or more cards in a row in one suit. Q♠ Q♦ Q♣: a set, three or four "
    "cards of one rank. 9♣ A♦: deadwood, the cards in no meld, 9 + 1 = 10 points."
)


def cards(of: Iterable[Card]) -> str:
    """Cards one after the other: `4♣ 4♦ 4♥`."""
    return " ".join(card.symbol for card in of)


def limit(knock_limit: int) -> str:
    """The knock limit in a few letters."""
    return f"Knock at {knock_limit}" if knock_limit else "Gin only"


def hand_state(view: SeatView) -> str:
    """What the hand's owner may do about ending the deal, else the limit."""
    if view.can_go_gin:
        return "You have gin!"
    return "You may knock" if any(choice.knocks for choice in view.choices) else limit(view.public.knock_limit)


def hand(view: SeatView) -> str:
    """The alt text of a hand."""
    drawn = f" Just drawn: {view.fresh.symbol}." if view.fresh else ""
    may = hand_state(view).rstrip("!") + ". " if any(choice.knocks for choice in view.choices) else ""
    return f"Your hand: {_arranged(view.arrangement)}.{drawn} {may}{_limit_sentence(view.public.knock_limit)}."


def table(view: PublicView, marks: Sequence[str], shown: Sequence[Card]) -> str:
    """The alt text of the table; `shown` are the discards to be seen, the top last."""
    parts = [f"Deal {view.number}"]
    if view.rules.target is not None:
        parts[0] += f", play to {view.rules.target}"
    parts += [table_state(view, marks), f"Stock: {_count(view.stock)} face down"]
    parts.append(_pile(shown))
    for seat, size in enumerate(view.hand_sizes):
        dealer = ", dealer" if seat == view.dealer else ""
        parts.append(f"{marks[seat]}: {_count(size)} face down, score {view.score.scores[seat]}{dealer}")
    parts.append(_limit_sentence(view.knock_limit))
    return ". ".join(parts) + "."


def table_state(view: PublicView, marks: Sequence[str]) -> str:
    """Whose turn it is, or how the match ended."""
    if view.turn is not None:
        return f"{marks[view.turn]} {TO_PLAY}"
    if not view.score.over:
        return "The deal is over"
    how = "The match is over" if view.resigned is None else f"{marks[view.resigned]} resigned"
    return f"{how}: {'drawn' if view.score.winner is None else f'{marks[view.score.winner]} {WON}'}"


def showdown(view: ShowdownView, marks: Sequence[str]) -> str:
    """The alt text of a showdown."""
    outcome = view.outcome
    scores = ", ".join(f"{mark} {score}" for mark, score in zip(marks, view.score.scores, strict=False))
    if outcome.kind is Kind.VOID or outcome.winner is None:
        return f"Deal {view.number}: {VOID.lower()}. {' '.join(VOID_BECAUSE)} {SCORE}: {scores}."
    hands = [
        f"{marks[seat]} {went(view, seat)}{_thrown(view, seat)}: {_arranged(view.hand(seat))}"
        for seat in showdown_order(view)
    ]
    won = f"{marks[outcome.winner]} scores {reckoning(view).lstrip('+')}"
    return ". ".join((f"Deal {view.number}", *hands, won, f"{SCORE}: {scores}."))


def showdown_order(view: ShowdownView) -> list[Seat]:
    """The seats as they are shown: the knocker first."""
    return sorted(view.seats, key=lambda seat: seat != view.outcome.knocker)


def went(view: ShowdownView, seat: Seat) -> str:
    """What a seat did at the end of the deal."""
    if seat == view.outcome.knocker:
        return "goes gin" if view.outcome.kind is Kind.GIN else f"knocks with {view.deadwood(seat)}"
    laid = view.outcome.lay_offs
    does = f"lays off {_count(len(laid))}" if laid else "lays nothing off"
    if view.outcome.kind is Kind.GIN:
        does = "is caught"
    return f"{does}, undercuts" if view.outcome.kind is Kind.UNDERCUT else does


def reckoning(view: ShowdownView) -> str:
    """How the points came about: `+15`, or `2 + 25 = 27`."""
    outcome = view.outcome
    return f"{outcome.difference} + {outcome.bonus} = {outcome.points}" if outcome.bonus else f"+{outcome.points}"


def _arranged(arrangement: Arrangement) -> str:
    melds = "; ".join(_meld(meld) for meld in arrangement.melds) or "no melds"
    if not arrangement.unmatched:
        return f"{melds}; no deadwood"
    return f"{melds}; deadwood {arrangement.deadwood}: {cards(arrangement.unmatched)}"


def _meld(meld: Meld) -> str:
    return f"{'run' if meld.is_run else 'set'} {cards(meld.cards)}"


def _thrown(view: ShowdownView, seat: Seat) -> str:
    if seat == view.outcome.knocker:
        return f", discarding {view.discard.symbol}" if view.discard else ""
    on = "; ".join(f"{one.card.symbol} on {cards(one.meld.cards)}" for one in view.outcome.lay_offs)
    return f" ({on})" if on else ""


def _pile(shown: Sequence[Card]) -> str:
    if not shown:
        return "Discard pile: empty"
    under = f", under it {cards(reversed(shown[:-1]))}" if len(shown) > 1 else ""
    return f"Discard pile: {shown[-1].symbol} on top{under}"


def _limit_sentence(knock_limit: int) -> str:
    return f"Knock with {knock_limit} or less" if knock_limit else "Only gin goes out"


def _count(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"
