"""The program that trains the networks: by matches against itself and the yardsticks, on the engine.

    python -m bot.opponent.training --deals 1000000 --jobs 2 --seed 1 weights.npz

Each process plays matches with the networks as they are, learns from them, and the processes' networks are averaged:
again and again. The same arguments give the same weights on the same machine.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from bot.engine.cards import Hand
from bot.engine.deal import Deal
from bot.engine.moves import TAKE, Move, Seat, Verb
from bot.engine.phases import play
from bot.engine.rules import Rules
from bot.engine.showdown import VOID, OutcomeKind
from bot.opponent.estimate import FEATURES, Maps, describe, prior
from bot.opponent.features import GENERAL, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.judge import Judge, Layout
from bot.opponent.many_hands import SUITS, Floats, Places, listed, mask_of, spread
from bot.opponent.network import Weights, chances, layers_of, run, shares
from bot.opponent.outcomes import CLASSES, class_of, worth
from bot.opponent.position import Position
from bot.opponent.table import Table
from bot.opponent.values import Values
from bot.opponent.yardsticks import YARDSTICKS

Gradients = dict[str, Floats]

_IN_SUITS: Final = 96
SIZES: Final = {
    "estimate": (FEATURES, 32, 16, 1),
    "suits": (SUIT_INPUTS, _IN_SUITS),
    "values": (_IN_SUITS + RANK_INPUTS + GENERAL, 128, 64, CLASSES),
}
"""The inputs of each network's layers, and last what comes out of it."""
TABLES: Final = 192
"""The matches that a process plays at once."""
DEALS: Final = 3000
"""The deals that a process plays until it learns from them."""
FIRST_DEALS: Final = 20_000
"""The deals of simple players from which the networks learn first: without, deals would hardly end."""
TRUST: Final = 0.8
"""How much of a choice's target is how the deal ended; the rest is what the next choice promised (lambda)."""
CURIOSITY: Final = 1.0
"""By how many points choices are misjudged on purpose while learning, as the scale of a Gumbel distribution."""
ESTIMATED: Final = 0.1
"""The share of positions from which the estimate of the hidden hand learns."""
RATES: Final = (1e-3, 1e-4)
"""The steps of learning at the beginning and at the end."""
BATCH, ESTIMATE_BATCH = 512, 4096
LIMITS: Final = (*[10] * 30, *range(10))
"""The knock limits of the matches, so that the networks know others than the usual one."""


Lesson = tuple[Floats, Floats, Floats]
"""A choice as the network sees it, in two parts, and the chances of the outcomes that it saw."""


@dataclass
class Lessons:
    """What there is to learn from some deals: what the networks saw, and what would have been right."""

    suits: list[Floats] = field(default_factory=list[Floats])
    others: list[Floats] = field(default_factory=list[Floats])
    targets: list[Floats] = field(default_factory=list[Floats])
    described: list[Floats] = field(default_factory=list[Floats])
    priors: list[Floats] = field(default_factory=list[Floats])
    holders: list[Floats] = field(default_factory=list[Floats])
    deals: int = 0
    gins: int = 0
    moves: int = 0

    def add(self, lesson: Lesson, target: Floats) -> None:
        """Add a choice, and the outcome it should have promised."""
        self.suits.append(lesson[0])
        self.others.append(lesson[1])
        self.targets.append(target)


@dataclass(frozen=True)
class _Seen:
    """The choices of many positions, with all that the network sees of them and says."""

    layout: Layout
    suits: Floats
    others: Floats
    chances: Floats

    def lesson(self, choice: int) -> Lesson:
        return self.suits[choice], self.others[choice], self.chances[choice]


@dataclass
class _Match:
    """A match in play: who plays each seat, and the choices of this deal that are learnt from."""

    table: Table
    players: tuple[str, str]
    choices: dict[Seat, list[Lesson]] = field(default_factory=dict[Seat, list[Lesson]])

    def finish(self, found: Lessons, trust: float) -> None:
        """Learn from a deal that is over: each choice should have promised what came, and what the next one did."""
        deal = self.table.match.finished[-1]
        for seat, lessons in self.choices.items():
            target = _outcome(deal, seat)
            for lesson in reversed(lessons):
                found.add(lesson, target)
                target = ((1 - trust) * lesson[2] + trust * target).astype(np.float32)
        self.choices = {}
        found.deals += 1
        found.moves += len(deal.history)
        found.gins += deal.outcome is not None and deal.outcome.kind is OutcomeKind.GIN


class School:
    """Matches that are played to learn from."""

    def __init__(self, weights: Weights, seed: str, opponents: Sequence[tuple[str, str]]) -> None:
        """Play with networks of these weights. `opponents` are the pairs of players that meet, as often as named.

        Where the networks do not play, they know nothing yet, and what they promise is not learnt from.
        """
        self._trust = TRUST if any("self" in pair for pair in opponents) else 1.0
        self._judge = Judge.of(weights)
        self._seed, self._random, self._noise = seed, Random(seed), np.random.default_rng(list(seed.encode()))
        self._opponents = opponents
        self._begun = 0

    def lessons(self, deals: int) -> Lessons:
        """Play so many deals, or a few more, and return what there is to learn."""
        found = Lessons()
        matches = [self._begin() for _ in range(TABLES)]
        while found.deals < deals:
            matches = [match if match.table.to_act else self._begin() for match in matches]
            positions = [match.table.position(match.table.to_act[0]) for match in matches]
            layout = self._judge.lay_out(positions)
            seen = _Seen(layout, *layout.choices.inputs(), self._judge.values.chances(layout.choices))
            self._learn_to_estimate(layout, matches, found)
            choices = _by_owner(layout, len(positions))
            for match, position, mine in zip(matches, positions, choices, strict=True):
                self._play(match, position, seen, mine, found)
        return found

    def _begin(self) -> _Match:
        self._begun += 1
        rules = Rules.parse(f"research knock_limit={self._random.choice(LIMITS)}")
        first, second = self._random.choice(self._opponents)
        players = (first, second) if self._begun % 2 else (second, first)
        return _Match(Table(rules, 2, f"{self._seed}/{self._begun}"), players)

    def _play(self, match: _Match, position: Position, seen: _Seen, choices: list[int], found: Lessons) -> None:
        """Choose and play a move, and keep what was seen of it until the deal is over."""
        seat, deal = position.seat, match.table.match.deal_of(position.seat)
        player = match.players[seat]
        if player == "self":
            worths = seen.chances[choices] @ worth(position) + CURIOSITY * self._noise.gumbel(size=len(choices))
            picked = choices[int(np.argmax(worths))]
            move = seen.layout.moves[picked]
        else:
            move = YARDSTICKS[player](position, self._random)
            picked = next((one for one in choices if _same(seen.layout.moves[one], move)), choices[0])
        if move is not TAKE and _same(seen.layout.moves[picked], move):
            match.choices.setdefault(seat, []).append(seen.lesson(picked))
        for one in choices:
            # What a knock would have brought is known, whether it was made or not.
            if seen.layout.moves[one].verb is Verb.KNOCK and move.verb is not Verb.KNOCK:
                found.add(seen.lesson(one), _outcome(play(deal, seen.layout.moves[one]), seat))
        before = len(match.table.past)
        match.table.play(seat, move)
        if len(match.table.past) > before:
            match.finish(found, self._trust)

    def _learn_to_estimate(self, layout: Layout, matches: Sequence[_Match], found: Lessons) -> None:
        """Keep what some positions showed of each unseen card, and whether the next player held it."""
        chosen = np.flatnonzero(self._noise.random(len(matches)) < ESTIMATED)
        if not chosen.size:
            return
        facts = [layout.known.facts[place] for place in listed(chosen)]
        maps = Maps.of(facts)
        hands = [_next_hand(matches[place].table) for place in listed(chosen)]
        where = np.nonzero(maps.unseen)
        found.described.append(describe(facts, maps)[where])
        found.priors.append(prior(facts, maps)[where[0], 0])
        found.holders.append(spread([mask_of(hand) for hand in hands])[where])


def _same(choice: Move, move: Move) -> bool:
    """Return whether a choice stands for a move: there is only one knock among the choices."""
    return choice.verb is move.verb and (choice.card is move.card or move.verb is Verb.KNOCK)


def _by_owner(layout: Layout, count: int) -> list[list[int]]:
    """Return the choices of each position."""
    found: list[list[int]] = [[] for _ in range(count)]
    for place, owner in enumerate(listed(layout.choices.owner)):
        found[owner].append(place)
    return found


def _next_hand(table: Table) -> Hand:
    """Return the hand of the player after the one to act, which only training may look at."""
    deal = table.match.deal_of(table.to_act[0])
    return deal.hands[(deal.turn + 1) % len(deal.hands)]


def _outcome(deal: Deal, seat: Seat) -> Floats:
    """Return the outcome of a deal that is over for a seat, as the class that it is."""
    outcome = deal.outcome or VOID
    target = np.zeros(CLASSES, dtype=np.float32)
    target[class_of(outcome.kind, outcome.winner == seat, outcome.difference)] = 1
    return target


class Learner:
    """Weights, and how they change: by gradients, with Adam (Kingma and Ba, 2015)."""

    def __init__(self, weights: Weights) -> None:
        self.weights = dict(weights)
        self.steps = dict.fromkeys(weights, 0)
        self.means = {name: np.zeros_like(one) for name, one in weights.items()}
        self.squares = {name: np.zeros_like(one) for name, one in weights.items()}

    def learn(self, lessons: Lessons, rate: float, random: np.random.Generator) -> tuple[float, float]:
        """Learn from lessons, once each in random order. Return the mean losses: of outcomes, and of the estimate."""
        suits, others, targets = map(np.array, (lessons.suits, lessons.others, lessons.targets))
        losses = [
            self._step(value_gradients(self.weights, suits[batch], others[batch], targets[batch]), rate)
            for batch in _batches(len(suits), BATCH, random)
        ]
        described, priors, holders = map(np.concatenate, (lessons.described, lessons.priors, lessons.holders))
        guesses = [
            self._step(estimate_gradients(self.weights, described[batch], priors[batch], holders[batch]), rate)
            for batch in _batches(len(described), ESTIMATE_BATCH, random)
        ]
        return float(np.mean(losses)), float(np.mean(guesses))

    def _step(self, found: tuple[float, Gradients], rate: float) -> float:
        loss, gradients = found
        for name, gradient in gradients.items():
            self.steps[name] += 1
            steps, mean, square = self.steps[name], self.means[name], self.squares[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            scale = np.sqrt(square / (1 - 0.999**steps)) + 1e-7
            self.weights[name] -= (rate * (mean / (1 - 0.9**steps)) / scale).astype(np.float32)
        return loss


def average(learners: Sequence[Learner]) -> Learner:
    """Return the mean of learners that began alike."""
    mean = Learner({name: _mean([one.weights[name] for one in learners]) for name in learners[0].weights})
    mean.steps = learners[0].steps
    mean.means = {name: _mean([one.means[name] for one in learners]) for name in mean.weights}
    mean.squares = {name: _mean([one.squares[name] for one in learners]) for name in mean.weights}
    return mean


def _mean(arrays: Sequence[Floats]) -> Floats:
    return np.stack(arrays).mean(axis=0, dtype=np.float32)


def _batches(count: int, size: int, random: np.random.Generator) -> Iterator[Places]:
    order = random.permutation(count)
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]


def value_gradients(weights: Weights, suits: Floats, others: Floats, targets: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of outcomes, and its gradients."""
    by_suit, found = Values.of(weights).run(suits, others)
    promised = shares(found[-1])
    loss = float(-(targets * np.log(promised + 1e-9)).sum(1).mean())
    gradients: Gradients = {}
    back = _back(weights, "values", found[:-1], np.divide(promised - targets, len(suits)), gradients)
    back = np.repeat(back[:, None, : by_suit.shape[2]], SUITS, axis=1)
    back[by_suit <= 0] = 0
    _back(weights, "suits", [suits.reshape(-1, suits.shape[2])], back.reshape(-1, back.shape[2]), gradients)
    return loss, gradients


def estimate_gradients(weights: Weights, described: Floats, priors: Floats, holders: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of who holds which card, and its gradients."""
    found = run(layers_of(weights, "estimate"), described)
    held = chances(found[-1][:, 0] + priors)
    loss = float(-(holders * np.log(held + 1e-9) + (1 - holders) * np.log(1 - held + 1e-9)).mean())
    gradients: Gradients = {}
    _back(weights, "estimate", found[:-1], np.divide(held - holders, len(described))[:, None], gradients)
    return loss, gradients


def _back(weights: Weights, name: str, inputs: Sequence[Floats], back: Floats, gradients: Gradients) -> Floats:
    """Add the gradients of a network, from what went into its layers and the gradient of what came out.

    Return the gradient of what went into the first.
    """
    for place in reversed(range(len(inputs))):
        gradients[f"{name}.{place}.weights"] = inputs[place].T @ back
        gradients[f"{name}.{place}.bias"] = back.sum(0)
        back = back @ weights[f"{name}.{place}.weights"].T
        if place:
            back[inputs[place] <= 0] = 0
    return back


def new_weights(seed: int) -> Gradients:
    """Return random weights to begin with (He et al., 2015); the last layers say nearly nothing."""
    random = np.random.default_rng(seed)
    weights: Gradients = {}
    for name, layers in SIZES.items():
        for place, (inputs, outputs) in enumerate(pairwise(layers)):
            scale = 0.01 if outputs in (1, CLASSES) else math.sqrt(2 / inputs)
            weights[f"{name}.{place}.weights"] = np.float32(scale) * random.standard_normal(
                (inputs, outputs), np.float32
            )
            weights[f"{name}.{place}.bias"] = np.zeros(outputs, np.float32)
    return weights


def _round(
    learner: Learner, seed: str, opponents: Sequence[tuple[str, str]], deals: int, rate: float
) -> tuple[Learner, Lessons, tuple[float, float]]:
    """Play, learn, and return the learner with some figures."""
    lessons = School(learner.weights, seed, opponents).lessons(deals)
    losses = learner.learn(lessons, rate, np.random.default_rng(list(seed.encode())))
    return learner, Lessons(deals=lessons.deals, gins=lessons.gins, moves=lessons.moves), losses


def train(deals: int, jobs: int, seed: int) -> Iterator[tuple[Weights, str]]:
    """Train for a number of deals, and yield the weights after each round, with a line about it."""
    learner, played, begun, number = Learner(new_weights(seed)), 0, time.monotonic(), 0
    with ProcessPoolExecutor(jobs) as pool:
        while played < deals:
            opponents = FIRST if played < FIRST_DEALS else OPPONENTS
            rate = RATES[0] * (RATES[1] / RATES[0]) ** (played / deals)
            seeds = [f"{seed}/{number}/{job}" for job in range(jobs)]
            done = list(pool.map(partial(_round, learner, opponents=opponents, deals=DEALS, rate=rate), seeds))
            learner = average([one for one, _, _ in done])
            number += 1
            here = sum(lessons.deals for _, lessons, _ in done)
            gins, moves = (sum(getattr(one, name) for _, one, _ in done) / here for name in ("gins", "moves"))
            played += here
            losses = " ".join(f"{loss:.4f}" for loss in done[0][2])
            yield (
                learner.weights,
                f"{played} deals, {time.monotonic() - begun:.0f} s, losses {losses}, {gins:.2f} gin, {moves:.1f} moves",
            )


FIRST: Final = (("simple", "simple"),)
OPPONENTS: Final = (*[("self", "self")] * 6, ("self", "simple"), ("self", "simple"), ("self", "patient"))
"""The pairs of players that meet, each as often as it is named."""


def save(weights: Weights, file: Path) -> None:
    """Write weights as 16-bit numbers; a file that is there is replaced at once."""
    part = file.with_suffix(".part.npz")
    np.savez_compressed(part, allow_pickle=False, **{name: one.astype(np.float16) for name, one in weights.items()})
    part.replace(file)


def main() -> None:
    """Train, and write the weights after each round."""
    parser = argparse.ArgumentParser(prog="python -m bot.opponent.training", description=__doc__)
    parser.add_argument("file", type=Path, help="where to write the weights")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for weights, line in train(options.deals, options.jobs, options.seed):
        save(weights, options.file)
        print(line, flush=True)


if __name__ == "__main__":
    main()
