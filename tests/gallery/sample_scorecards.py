"""Invented matches, built from the results of their deals, for samples of the scorecard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import DECK
from bot.engine.deals.deal import Deal, Seating, start_deal
from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import VOID, Outcome, OutcomeKind
from bot.engine.matches.formats import FORMATS, Format
from bot.engine.matches.scoring import Score, charges, new_score, points_by_side, score_after_forfeit
from bot.engine.matches.views import PublicView, ShowdownView
from bot.engine.rules import Rules
from tests.gallery.sample_views import MatchState, table

_PARTNERS: Final = ((0, 1), (2, 3))


def scored(
    rules: str, deals: str, seats: int = 2, resigned: int | None = None
) -> tuple[PublicView, tuple[ShowdownView, ...]]:
    """Return a match and its deals. Each deal is given as `winner kind difference` or `void`, separated by commas.

    Under rules with penalty points, a deal has every seat's deadwood instead of the difference.
    """
    agreed = Rules.parse(rules)
    system = FORMATS[agreed.format]
    made_deals = [_deal(agreed, system, seats, place, deal.split()) for place, deal in enumerate(deals.split(","))]
    loser = None if resigned is None else Seat(resigned)
    scores = _scores(agreed, system, seats, made_deals)
    score = (
        scores[-1]
        if loser is None
        else score_after_forfeit(scores[-1], next(at for at, side in enumerate(system.sides(seats)) if loser in side))
    )
    setting = MatchState(
        rules=rules, hand_sizes=(10,) * seats, score=score, turn=None, resigned=loser, phase=Phase.DONE
    )
    return table(setting), tuple(
        _view(agreed, system, seats, made_deals[:place], scores[place - 1]) for place in range(1, len(made_deals) + 1)
    )


def _scores(rules: Rules, system: Format, seats: int, deals: Sequence[Deal]) -> list[Score]:
    """Return the score after each deal."""
    scores, score = list[Score](), new_score(rules, len(system.sides(seats)))
    for deal in deals:
        round_ = [other for other in deals if other.number == deal.number]
        if deal is round_[-1] and len(round_) == system.boards:
            score = system.add_round(rules, score, round_)
        scores.append(score)
    return scores


def _deal(rules: Rules, system: Format, seats: int, index: int, words: Sequence[str]) -> Deal:
    number, board = index // system.boards + 1, index % system.boards
    order = _PARTNERS[board] if system.boards > 1 else range(seats if rules.format == "penalty" else 2)
    playing = tuple(map(Seat, order))
    deal = start_deal(rules, Seating(number, playing, playing[-1], board + 1), DECK)
    return replace(deal, phase=Phase.DONE, outcome=_outcome(rules, playing, words))


def _outcome(rules: Rules, playing: tuple[Seat, ...], words: Sequence[str]) -> Outcome:
    if words == ["void"]:
        return VOID
    winner, kind, *numbers = words
    bonus = {"gin": rules.gin_bonus, "big_gin": rules.big_gin_bonus or 0, "undercut": rules.undercut_bonus}.get(kind, 0)
    won = Seat(int(winner))
    extra = {"gin": 2, "undercut": 1}.get(kind, 0) if rules.oklahoma_boxes else 0
    if rules.format == "penalty":
        deadwood = tuple(map(int, numbers))
        knocker = next(seat for seat in playing if (seat == won) != (kind == "undercut"))
        return Outcome(OutcomeKind(kind), knocker, won, (), (), deadwood, 0, bonus)
    return Outcome(OutcomeKind(kind), won, won, difference=int(numbers[0]), bonus=bonus, boxes=1 + extra)


def _view(rules: Rules, system: Format, seats: int, deals: Sequence[Deal], score: Score) -> ShowdownView:
    deal, sides = deals[-1], system.sides(seats)
    outcome = deal.outcome or VOID
    boards = [other.outcome or VOID for other in deals if other.number == deal.number]
    return ShowdownView(
        rules=rules,
        number=deal.number,
        board=deal.board,
        boards=system.boards,
        dealer=deal.dealer,
        seats=deal.seats,
        outcome=outcome,
        discard=None,
        sides=sides,
        score=score,
        penalty_points=tuple(charges(deal.seats, outcome).items()) if rules.format == "penalty" else (),
        board_points=points_by_side(sides, boards) if len(boards) == system.boards > 1 else (),
    )
