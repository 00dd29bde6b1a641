"""A match: its rules, the deals so far, and the actions that carry it on, chance among them.

Chance never arises here. Cuts and shuffled decks come in as actions without a seat, so that the same actions always
lead to the same match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.engine.cards import DECK, Card
from bot.engine.deal import Deal, canonical, legal_moves, play, start
from bot.engine.errors import IllegalMove, RulesError
from bot.engine.formats import FORMATS, Format, Score
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Cut:
    """The card each seat drew for the first deal. Text: `cut 0=7h 1=Kd`."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join(("cut", *(f"{seat}={card}" for seat, card in enumerate(self.cards))))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The deck of the next deal, from the top. Text: `deal 1 dealer=1 deck=7hAs…`."""

    number: int
    dealer: Seat
    deck: tuple[Card, ...]

    def __str__(self) -> str:
        return f"deal {self.number} dealer={self.dealer} deck={''.join(map(str, self.deck))}"


@dataclass(frozen=True, slots=True)
class Play:
    """A move of a seat. Text: `0 take`."""

    seat: Seat
    move: Move

    def __str__(self) -> str:
        return f"{self.seat} {self.move}"


Action = Cut | Shuffle | Play


class Chance(StrEnum):
    """What a match waits for when no seat is to act."""

    CUT = "cut"
    DECK = "deck"


@dataclass(frozen=True, slots=True)
class Match:
    """A match of gin rummy. Values never change: `apply` returns the match after an action."""

    rules: Rules
    seats: int
    cut: tuple[Card, ...] | None
    first_dealer: Seat | None
    finished: tuple[Deal, ...]
    deal: Deal | None
    """The deal in play, or broken off by a resignation; None before the first, between two, and after the last."""
    resigned: Seat | None

    @property
    def score(self) -> Score:
        """What the match stands at."""
        return self.format.score(self.rules, self.finished, self.resigned)

    @property
    def format(self) -> Format:
        """How its deals are arranged and added up."""
        return FORMATS[self.rules.format]

    @property
    def to_act(self) -> Seat | None:
        """The seat whose move it is; None when chance is awaited or the match is over."""
        return None if self.deal is None or self.resigned is not None else self.deal.to_act

    @property
    def awaits(self) -> Chance | None:
        """What chance must bring next; None while a seat is to act and once the match is over."""
        if self.deal is not None or self.score.over:
            return None
        return Chance.CUT if self.first_dealer is None else Chance.DECK

    @property
    def next_dealer(self) -> Seat | None:
        """Who deals next; None before the cut."""
        if self.first_dealer is None:
            return None
        return self.format.next_order(self.rules, self.finished, self.first_dealer)[-1]


def new_match(rules: Rules, seats: int) -> Match:
    """A match before its first action.

    Raises:
        RulesError: the rules cannot be played yet, or not by so many.
    """
    rules.require_playable()
    if seats not in FORMATS[rules.format].seats():
        raise RulesError("seats", f"format={rules.format} is not for {seats} players")
    return Match(rules=rules, seats=seats, cut=None, first_dealer=None, finished=(), deal=None, resigned=None)


def legal(match: Match, seat: Seat) -> tuple[Move, ...]:
    """The canonical moves of a seat: none where it is not to act. Resigning is apart: see `may_resign`."""
    return legal_moves(match.deal) if match.deal is not None and match.to_act == seat else ()


def may_resign(match: Match, seat: Seat) -> bool:
    """Whether a seat may resign: every seat may while the match runs."""
    return 0 <= seat < match.seats and not match.score.over


def canonical_action(match: Match, action: Action) -> Action:
    """The action as `legal` would list it: a knock that names no melds gets the default arrangement."""
    if isinstance(action, Play) and match.deal is not None:
        return Play(action.seat, canonical(match.deal, action.move))
    return action


def apply(match: Match, action: Action) -> Match:
    """The match after an action.

    Raises:
        IllegalMove: the rules do not allow it here; the message quotes it and says what was legal.
    """
    match action:
        case Cut():
            return _cut(match, action)
        case Shuffle():
            return _shuffled(match, action)
        case Play(seat, Move(Verb.RESIGN)):
            return _resigned(match, seat)
        case Play():
            return _played(match, action)


def apply_all(match: Match, actions: Iterable[Action]) -> Match:
    """The match after several actions.

    Raises:
        IllegalMove: one of them is not allowed where it comes.
    """
    for action in actions:
        match = apply(match, action)
    return match


def _cut(match: Match, action: Cut) -> Match:
    cards = action.cards
    if match.awaits is not Chance.CUT:
        raise _illegal(match, "cut", action, "the cut comes once, before the first deal")
    if len(cards) != match.seats or len(set(cards)) != len(cards):
        raise _illegal(match, "cut", action, f"each of the {match.seats} seats draws one card, all different")
    return replace(match, cut=cards, first_dealer=Seat(cards.index(min(cards))))


def _shuffled(match: Match, action: Shuffle) -> Match:
    if match.awaits is None:
        raise _illegal(match, "deal", action, "the match is over" if match.score.over else "a deal is in play")
    number = len(match.finished) + 1
    if action.number != number:
        raise _illegal(match, "deal", action, f"deal {number} is next")
    if not 0 <= action.dealer < match.seats:
        raise _illegal(match, "dealer", action, f"the seats are 0 to {match.seats - 1}")
    first_dealer = action.dealer if match.first_dealer is None else match.first_dealer
    order = match.format.next_order(match.rules, match.finished, first_dealer)
    if action.dealer != order[-1]:
        raise _illegal(match, "dealer", action, f"{order[-1]} deals")
    if len(action.deck) != len(DECK) or set(action.deck) != set(DECK):
        raise _illegal(match, "deck", action, "a deck has 52 different cards")
    return replace(match, first_dealer=first_dealer, deal=start(match.rules, number, order, action.deck))


def _played(match: Match, action: Play) -> Match:
    deal = match.deal
    if deal is None or match.resigned is not None:
        raise _illegal(match, "turn", action, "the match is over" if match.score.over else "the cards are not dealt")
    if deal.to_act != action.seat:
        raise _illegal(match, "turn", action, f"it is the turn of {deal.to_act}")
    after = play(deal, action.move)
    if after.outcome is None:
        return replace(match, deal=after)
    return replace(match, finished=(*match.finished, after), deal=None)


def _resigned(match: Match, seat: Seat) -> Match:
    if not may_resign(match, seat):
        raise _illegal(match, "resign", Play(seat, Move(Verb.RESIGN)), "only a seat of a running match may")
    return replace(match, resigned=seat)


def _illegal(match: Match, code: str, action: Action, why: str) -> IllegalMove:
    return IllegalMove(code, f"{str(action)!r} is not legal: {why}; legal: {_listed(match)}")


def _listed(match: Match) -> str:
    if match.awaits is not None:
        number = len(match.finished) + 1
        return "cut, deal 1" if match.awaits is Chance.CUT else f"deal {number} dealer={match.next_dealer}"
    seat = match.to_act
    if seat is None:
        return "nothing"
    return ", ".join([str(Play(seat, move)) for move in legal(match, seat)] + ["resign by any seat"])
