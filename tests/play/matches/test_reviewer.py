"""The accuracy of reviews: they find blunders and raise few false alarms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from bot.engine.deal import Deal
from bot.engine.melds import best_arrangement
from bot.engine.moves import Move, Seat, Verb
from bot.opponent.choices import Choice, Played
from bot.opponent.choosing import advise, choose
from bot.opponent.facts import Facts
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.many_hands import place_of
from bot.opponent.position import Position
from bot.opponent.reviews import Verdict
from bot.opponent.simulation import simulate
from bot.opponent.table import Table
from bot.play.matches import reviewer
from bot.play.matches.reviewer import Reviewer
from tests.helpers.cases import nightly_after
from tests.helpers.thinkers import Mind
from tests.opponent.helpers import RESEARCH

BLUNDER = 15
"""Minimum cost of a planted blunder, in points, according to the judge and to a separate simulation."""
SURE = 160
"""Number of determinizations in that simulation."""
ALL = 1000
"""More choices than any deal has."""


@dataclass(frozen=True)
class Planted:
    """A deal between experts in which one of them made a blunder on purpose at one step."""

    deal: Deal
    seat: Seat
    step: int


def gin_refused(position: Position, move: Move) -> bool:
    """Return True if a discard ignores gin in the hand."""
    return _has_gin(position)


def meld_broken(position: Position, move: Move) -> bool:
    """Return True if a discard breaks a meld."""
    assert move.card is not None
    laid = best_arrangement(position.hand, position.rules.aces)
    return not _has_gin(position) and any(move.card in meld.cards for meld in laid.melds)


def fed(position: Position, move: Move) -> bool:
    """Return True if a discard has the rank of a card that the next player took, or is next to it in suit."""
    assert move.card is not None
    place, taken = place_of(move.card), Facts.of(position).taken
    near = [one for one in (place - 1, place + 1) if one // 13 == place // 13 and one >= 0]
    alike = [suit * 13 + place % 13 for suit in range(4)]
    return not _has_gin(position) and any(taken >> one & 1 for one in (*near, *alike))


def _has_gin(position: Position) -> bool:
    return any(one.move.verb is Verb.KNOCK and one.left == 0 for one in advise(trained(), position))


KINDS: tuple[Callable[[Position, Move], bool], ...] = (gin_refused, fed, meld_broken)


def play(seed: str, blunder: tuple[int, Move] | None = None) -> tuple[Deal, list[Position]]:
    """Play a deal between experts with an optional other move at one step; return the deal and its positions."""
    table, seen = Table(RESEARCH, 2, seed), list[Position]()
    while not table.match.finished:
        position = table.position(table.to_act[0])
        made = blunder is not None and len(seen) == blunder[0]
        move = blunder[1] if made and blunder else choose(trained(), Level.EXPERT, [position], [1])[0]
        seen.append(position)
        table.play(position.seat, move)
    return table.match.finished[0], seen


def plant(seed: str, random: Random) -> Planted | None:
    """Return a deal with a planted blunder, preferably of a rare kind, or None if the deal allows none."""
    deal, seen = play(seed)
    if not deal.laid_down:
        return None
    for kind in sorted(KINDS, key=lambda kind: KINDS.index(kind) + random.random()):
        steps = [step for step, position in enumerate(seen) if _discards(position)]
        random.shuffle(steps)
        for step in steps:
            worst = _blunder(seen[step], kind, random)
            if worst is not None:
                changed, _ = play(seed, (step, worst))
                if changed.laid_down:
                    return Planted(changed, seen[step].seat, step)
    return None


def _discards(position: Position) -> bool:
    return position.knock is None and any(move.verb is Verb.DISCARD for move in position.moves)


def _blunder(position: Position, kind: Callable[[Position, Move], bool], random: Random) -> Move | None:
    """Return a discard of the kind that costs at least `BLUNDER` points, or None."""
    best, *others = advise(trained(), position)
    costly = [one for one in others if one.move.verb is Verb.DISCARD and best.worth - one.worth >= BLUNDER]
    fitting = [one.move for one in costly if kind(position, one.move)]
    if not fitting:
        return None
    move = random.choice(fitting)
    good, bad = simulate(trained(), position, [best.move, move], SURE, seed=99)
    return move if good.mean() - bad.mean() >= BLUNDER else None


async def verdicts(planted: Planted, mine: Sequence[Choice], seed: int) -> tuple[Verdict, ...]:
    """Review the given choices of the player who blundered."""
    deal = planted.deal
    did = {seat: replace(Played.of(deal, seat, 2, (0, 0), ()), dealt=()) for seat in deal.seats}
    did[planted.seat] = replace(did[planted.seat], choices=tuple(mine))
    return (await Reviewer(Mind()).review(did, planted.seat, seed=seed)).verdicts


def choices(planted: Planted) -> list[Choice]:
    """Return the choices of the player who blundered, the blunder first."""
    own = Played.of(planted.deal, planted.seat, 2, (0, 0), ()).choices
    return sorted(own, key=lambda choice: choice.step != planted.step)


@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "step", "discard"), [(6, 17, "Qs"), (8, 44, "3d")], ids=["gin_refused", "fed"])
async def test_a_blunder_is_found(seed: int, step: int, discard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused gin or a helpful discard is reported as a blunder, and another choice in the same deal is not."""
    monkeypatch.setattr(reviewer, "WORLDS", 8)
    _, seen = play(f"golden {seed}")
    deal, _ = play(f"golden {seed}", (step, Move.parse(f"x {discard}")))
    planted = Planted(deal, seen[step].seat, step)
    found = await verdicts(planted, choices(planted)[:2], seed)
    assert {one.step == step: one.blunder for one in found} == {True: True, False: False}


@pytest.mark.parametrize(
    ("part", "deals", "others"), nightly_after(0, [("few", 10, 3), ("one", 100, ALL), ("two", 100, ALL)])
)
async def test_planted_blunders_are_found_and_hardly_any_others(part: str, deals: int, others: int) -> None:
    """Reviews find 95% of planted blunders and wrongly report fewer than 2% of the experts' other moves.

    `others` is the number of other choices to review in each deal.
    """
    random, found, falsely, own, number = Random(part), 0, 0, 0, 0
    kept = list[Planted]()
    while len(kept) < deals:
        planted = plant(f"{part} {number}", random)
        number += 1
        kept += [planted] if planted is not None else []
    for planted in kept:
        mine = choices(planted)
        random.shuffle(mine)
        mine.sort(key=lambda choice, step=planted.step: choice.step != step)
        for verdict in await verdicts(planted, mine[: 1 + others], number):
            if verdict.step == planted.step:
                found += verdict.blunder
            else:
                own += 1
                falsely += verdict.blunder
    print(f"{part}: {found} of {deals} found, {falsely} of {own} called blunders falsely")
    assert found >= 0.95 * deals
    assert falsely < 0.02 * own
