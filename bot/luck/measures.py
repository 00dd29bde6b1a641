"""Measures of a seat's luck in finished deals: its dealt hands, draws, gins and undercuts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces, least_deadwood
from bot.engine.deals.deal import Deal, start_deal
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Match
from bot.engine.matches.replay import moves_with_deals
from bot.engine.rules import OPTIONS, Rules
from bot.engine.rules.rules import DEFAULTS

_IRRELEVANT_OPTIONS: Final = (
    *("first_dealer", "next_dealer", "void_redeal", "oklahoma_ace", "spade_doubles", "oklahoma_boxes", "target"),
    *("deals", "game_bonus", "line_bonus", "line_credit", "shutout", "shutout_needs", "winner", "scoring"),
)
"""Options that do not affect the play of a deal for two, if the knock limit does not depend on the upcard."""


@dataclass(frozen=True, slots=True)
class Luck:
    """A seat's luck, summed over deals.

    `opening` is the least deadwood of the dealt hands, in points. `draws` are cards drawn from the stock; `useful` are
    the draws that let the seat leave less deadwood after its discard than its ten cards had before. Big gins count as
    gins; `undercuts` are undercuts made by the seat.
    """

    deals: int
    opening: int
    draws: int
    useful: int
    gins: int
    undercuts: int

    @staticmethod
    def total(parts: Iterable[Luck]) -> Luck:
        rows = [[getattr(part, field.name) for field in fields(Luck)] for part in parts]
        return Luck(*map(sum, zip(*rows, strict=True))) if rows else NO_LUCK


NO_LUCK: Final = Luck(0, 0, 0, 0, 0, 0)


def is_measured(rules: Rules) -> bool:
    """Return True if deals with these rules are measured: deals for two that are played as in `classic`.

    Other rules are not comparable with the ranges in `bot.luck.bands`: another knock limit, gin bonus or big gin bonus
    changes how hands end.
    """
    return all(getattr(rules, name) == DEFAULTS[name] for name in OPTIONS if name not in _IRRELEVANT_OPTIONS)


def luck_in(match: Match, seat: Seat) -> Luck:
    """Return the luck of a seat in a match, summed over the deals that ended with hands laid down.

    Void and broken-off deals are excluded, because nobody saw their hands. The rules must pass `is_measured`.
    """
    return Luck.total(luck_of_deal(deal, seat) for deal in match.finished if deal.is_laid_down)


def luck_of_deal(deal: Deal, seat: Seat) -> Luck:
    """Return the luck of a seat in a deal that ended with hands laid down."""
    outcome, aces, index = deal.outcome, deal.rules.aces, deal.seats.index(seat)
    assert outcome is not None
    dealt_hand = start_deal(deal.rules, deal.seating, deal.deck).hands[index]
    useful_draws = [
        _is_useful(before.hands[index], before.stock[0], aces)
        for before, move in moves_with_deals(deal)
        if move.verb is Verb.DRAW and before.turn == index
    ]
    won = outcome.winner == seat
    gin = won and outcome.kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN)
    undercut = won and outcome.kind is OutcomeKind.UNDERCUT
    return Luck(1, least_deadwood(dealt_hand, aces), len(useful_draws), sum(useful_draws), int(gin), int(undercut))


def _is_useful(hand: Hand, card: Card, aces: Aces) -> bool:
    """Return True if drawing a card lets a hand have less deadwood, after a discard, than before."""
    before, after = least_deadwood(hand, aces), hand + card
    return any(least_deadwood(after - other, aces) < before for other in hand)
