"""The accuracy of reviews: they find blunders, raise few false alarms, and agree with hints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from bot.engine.cards.melds import best_arrangement
from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.matches.replay import score_before
from bot.engine.rules import Rules
from bot.opponent.play.choosing import advise, choose
from bot.opponent.play.facts import Facts
from bot.opponent.play.hand_arrays import index_of
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.observation import past_deals
from bot.opponent.play.position import Position
from bot.opponent.play.table import Table
from bot.opponent.review.choices import Choice, PlayedDeal
from bot.opponent.review.hints import hint
from bot.opponent.review.reviews import Verdict
from bot.opponent.review.simulation import rollouts
from bot.play.matches import reviewer
from bot.play.matches.reviewer import Reviewer
from tests.helpers.cases import nightly_after
from tests.helpers.thinkers import LocalThinker
from tests.opponent.helpers import RESEARCH

MIN_BLUNDER_COST = 15
"""Minimum cost of a planted blunder, in points, as estimated by the trained model and by a separate simulation."""
SIMULATION_WORLDS = 160
"""Number of determinizations in the simulation that confirms the cost of a planted blunder."""
ALL_CHOICES = 1000
"""A number that is larger than the number of choices in any deal."""


@dataclass(frozen=True)
class PlantedBlunder:
    """A deal between experts in which one of them made a blunder on purpose at one step."""

    deal: Deal
    seat: Seat
    step: int


def gin_refused(position: Position, move: Move) -> bool:
    """Return True if the player discards although they could go gin."""
    return _has_gin(position)


def meld_broken(position: Position, move: Move) -> bool:
    """Return True if a discard breaks up a meld of the hand."""
    assert move.card is not None
    laid = best_arrangement(position.hand, position.rules.aces)
    return not _has_gin(position) and any(move.card in meld.cards for meld in laid.melds)


def helpful_discard(position: Position, move: Move) -> bool:
    """Return True if a discard has the same rank as a card that the next player took, or is next to one in its suit.

    Return False if the player has gin.
    """
    assert move.card is not None
    index, taken = index_of(move.card), Facts.of(position).taken
    run_neighbours = [card for card in (index - 1, index + 1) if card // 13 == index // 13 and card >= 0]
    same_rank = [suit * 13 + index % 13 for suit in range(4)]
    return not _has_gin(position) and any(taken >> card & 1 for card in (*run_neighbours, *same_rank))


def _has_gin(position: Position) -> bool:
    return any(option.move.verb is Verb.KNOCK and option.deadwood == 0 for option in advise(trained_judge(), position))


KINDS: tuple[Callable[[Position, Move], bool], ...] = (gin_refused, helpful_discard, meld_broken)


def play_deal(seed: str, blunder: tuple[int, Move] | None = None) -> tuple[Deal, list[Position]]:
    """Play a deal between experts, with a different move at one step if `blunder` is given.

    Return the deal and its positions.
    """
    table, positions = Table(RESEARCH, 2, seed), list[Position]()
    while not table.match.finished:
        position = table.position(table.to_act[0])
        is_blunder_step = blunder is not None and len(positions) == blunder[0]
        move = blunder[1] if is_blunder_step and blunder else choose(trained_judge(), Level.EXPERT, [position], [1])[0]
        positions.append(position)
        table.play(position.seat, move)
    return table.match.finished[0], positions


def plant_blunder(seed: str, random: Random) -> PlantedBlunder | None:
    """Return a deal with a planted blunder, preferably of a rare kind, or None if the deal allows none."""
    deal, positions = play_deal(seed)
    if not deal.is_laid_down:
        return None
    for kind in sorted(KINDS, key=lambda kind: KINDS.index(kind) + random.random()):
        steps = [step for step, position in enumerate(positions) if _discards(position)]
        random.shuffle(steps)
        for step in steps:
            blunder = _blunder(positions[step], kind, random)
            if blunder is not None:
                changed, _ = play_deal(seed, (step, blunder))
                if changed.is_laid_down:
                    return PlantedBlunder(changed, positions[step].seat, step)
    return None


def _discards(position: Position) -> bool:
    return position.knock is None and any(move.verb is Verb.DISCARD for move in position.moves)


def _blunder(position: Position, kind: Callable[[Position, Move], bool], random: Random) -> Move | None:
    """Return a discard of this kind that costs at least `MIN_BLUNDER_COST` points, or None."""
    best, *others = advise(trained_judge(), position)
    costly = [
        other for other in others if other.move.verb is Verb.DISCARD and best.worth - other.worth >= MIN_BLUNDER_COST
    ]
    fitting = [verdict.move for verdict in costly if kind(position, verdict.move)]
    if not fitting:
        return None
    move = random.choice(fitting)
    good, bad = rollouts(trained_judge(), position, [best.move, move], SIMULATION_WORLDS, seed=99)
    return move if good.mean() - bad.mean() >= MIN_BLUNDER_COST else None


async def verdicts(planted: PlantedBlunder, reviewed_choices: Sequence[Choice], seed: int) -> tuple[Verdict, ...]:
    """Review these choices by the player with the planted blunder, and return the verdicts."""
    deal = planted.deal
    played = {seat: replace(PlayedDeal.of(deal, seat, 2, (0, 0), ()), luck_positions=()) for seat in deal.seats}
    played[planted.seat] = replace(played[planted.seat], choices=tuple(reviewed_choices))
    return (await Reviewer(LocalThinker()).review(played, planted.seat, seed=seed)).verdicts


def choices(planted: PlantedBlunder) -> list[Choice]:
    """Return the choices of the player who blundered, the blunder first."""
    seat_choices = PlayedDeal.of(planted.deal, planted.seat, 2, (0, 0), ()).choices
    return sorted(seat_choices, key=lambda choice: choice.step != planted.step)


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "step", "discard"), [(6, 17, "Qs"), (8, 44, "3d")], ids=["gin_refused", "fed"])
async def test_a_blunder_is_found(seed: int, step: int, discard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A discard that misses gin or helps the opponent is reported as a blunder. Another choice in the deal is not."""
    monkeypatch.setattr(reviewer, "DETERMINIZATIONS_PER_ROUND", 8)
    _, seen = play_deal(f"golden {seed}")
    deal, _ = play_deal(f"golden {seed}", (step, Move.parse(f"x {discard}")))
    planted = PlantedBlunder(deal, seen[step].seat, step)
    found = await verdicts(planted, choices(planted)[:2], seed)
    assert {verdict.step == step: verdict.is_blunder for verdict in found} == {True: True, False: False}


@pytest.mark.parametrize(
    ("part", "deals", "others"),
    nightly_after(0, [("few", 10, 3), ("one", 100, ALL_CHOICES), ("two", 100, ALL_CHOICES)]),
)
async def test_planted_blunders_are_found_and_hardly_any_others(part: str, deals: int, others: int) -> None:
    """Reviews find 95% of planted blunders and wrongly report fewer than 2% of the experts' other moves.

    `others` is the number of other choices to review in each deal.
    """
    random, found, false_alarms, other_count, number = Random(part), 0, 0, 0, 0
    planted_deals = list[PlantedBlunder]()
    while len(planted_deals) < deals:
        planted = plant_blunder(f"{part} {number}", random)
        number += 1
        planted_deals += [planted] if planted is not None else []
    for planted in planted_deals:
        seat_choices = choices(planted)
        random.shuffle(seat_choices)
        seat_choices.sort(key=lambda choice, step=planted.step: choice.step != step)
        for verdict in await verdicts(planted, seat_choices[: 1 + others], number):
            if verdict.step == planted.step:
                found += verdict.is_blunder
            else:
                other_count += 1
                false_alarms += verdict.is_blunder
    print(f"{part}: {found} of {deals} found, {false_alarms} of {other_count} called blunders falsely")
    assert found >= 0.95 * deals
    assert false_alarms < 0.02 * other_count


def play_by_hints(seed: int) -> Table:
    """Play three deals of a match: seat 0 follows every hint, and seat 1 is a casual computer."""
    table, judge = Table(Rules.parse("classic target=none deals=3"), 2, f"hints {seed}"), trained_judge()
    while table.to_act:
        (seat,) = table.to_act
        position = table.position(seat)
        move = (
            hint(judge, position, seed)[0].move
            if seat == 0
            else choose(judge, Level.CASUAL, [position], [position.number])[0]
        )
        table.play(seat, move)
    return table


@pytest.mark.nightly
@pytest.mark.parametrize("matches", nightly_after(1, [1, 17]))
async def test_following_hints_costs_nothing(matches: int) -> None:
    """A review of deals played by hints finds no loss: hints and reviews have one judge."""
    reviewed = 0
    for number in range(matches):
        match = play_by_hints(number).match
        for deal in match.finished:
            if not deal.is_laid_down:
                continue
            score, past = score_before(match, deal.number).scores, past_deals(match)[: deal.number - 1]
            played = {
                seat: replace(PlayedDeal.of(deal, seat, 2, score, past), luck_positions=()) for seat in deal.seats
            }
            review = await Reviewer(LocalThinker()).review(played, Seat(0), seed=number)
            assert review.points_lost == 0
            reviewed += 1
    assert reviewed > 2 * matches
