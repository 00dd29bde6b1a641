"""Training matches: each choice as the networks see it, with its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.engine.cards import Hand
from bot.engine.deal import Deal
from bot.engine.moves import TAKE, Move, Seat, Verb
from bot.engine.phases import play
from bot.engine.rules import Rules
from bot.engine.showdown import VOID, OutcomeKind
from bot.opponent.estimate import Maps, describe, prior
from bot.opponent.judge import Judge, Layout
from bot.opponent.many_hands import Floats, listed, mask_of, spread
from bot.opponent.network import Weights
from bot.opponent.outcomes import CLASSES, class_of, worth
from bot.opponent.position import Position
from bot.opponent.table import Table
from bot.opponent.yardsticks import YARDSTICKS

TABLES: Final = 192
"""Number of matches that a process plays simultaneously."""
TRUST: Final = 0.8
"""The λ (lambda) of TD(λ): the weight of the deal's outcome in a choice's target. The next prediction gets the rest."""
ESTIMATED: Final = 0.1
"""Fraction of positions that the estimate of the hidden hand learns from."""
LIMITS: Final = (*[10] * 30, *range(10))
"""The knock limits of the matches. Most use the usual one; the rest teach the networks the others."""

Lesson = tuple[Floats, Floats, Floats]
"""A training example: the network's two inputs for a choice, and the outcome probabilities that it predicted."""
Halves = npt.NDArray[np.float16]
"""16-bit floats, for storing and sending examples. There are many of them, and they need little precision."""


@dataclass(frozen=True)
class Lessons:
    """The training examples of some deals: inputs and targets.

    `suits`, `others` and `targets` have a row for each choice. `described`, `priors` and `holders` have a row for each
    unseen card in some of the positions.
    """

    suits: Halves
    others: Halves
    targets: Halves
    described: Halves
    priors: Halves
    holders: Halves
    deals: int
    gins: int
    moves: int


@dataclass
class _Notes:
    """Collects training examples, choice by choice."""

    rows: list[tuple[Lesson, Floats]] = field(default_factory=list[tuple[Lesson, Floats]])
    cards: list[Lesson] = field(default_factory=list[Lesson])
    deals: int = 0
    gins: int = 0
    moves: int = 0

    def lessons(self) -> Lessons:
        choices = ([lesson[0] for lesson, _ in self.rows], [lesson[1] for lesson, _ in self.rows])
        targets = [target for _, target in self.rows]
        suits, others, values = (np.array(part, dtype=np.float16) for part in (*choices, targets))
        described, priors, holders = (
            np.concatenate([lesson[part] for lesson in self.cards]).astype(np.float16) for part in range(3)
        )
        return Lessons(suits, others, values, described, priors, holders, self.deals, self.gins, self.moves)


@dataclass(frozen=True)
class _Seen:
    """The choices of many positions, with the network's inputs and predictions."""

    layout: Layout
    suits: Floats
    others: Floats
    chances: Floats

    def lesson(self, choice: int) -> Lesson:
        return self.suits[choice], self.others[choice], self.chances[choice]


@dataclass
class _Match:
    """A match in play: the player of each seat, and this deal's choices to learn from."""

    table: Table
    players: tuple[str, str]
    choices: dict[Seat, list[Lesson]] = field(default_factory=dict[Seat, list[Lesson]])

    @property
    def player(self) -> str:
        """The player whose turn it is."""
        return self.players[self.table.to_act[0]]

    @property
    def position(self) -> Position:
        """The position of the player whose turn it is."""
        return self.table.position(self.table.to_act[0])

    def finish(self, found: _Notes, trust: float) -> None:
        """Add the examples of a finished deal. The target of each choice mixes the outcome and the next prediction."""
        deal = self.table.match.finished[-1]
        for seat, lessons in self.choices.items():
            target = _outcome(deal, seat)
            for lesson in reversed(lessons):
                found.rows.append((lesson, target))
                target = ((1 - trust) * lesson[2] + trust * target).astype(np.float32)
        self.choices = {}
        found.deals += 1
        found.moves += len(deal.history)
        found.gins += deal.outcome is not None and deal.outcome.kind is OutcomeKind.GIN


class School:
    """Plays training matches."""

    def __init__(self, weights: Weights, seed: str, opponents: Sequence[tuple[str, str]], curiosity: float) -> None:
        """Prepare to play with networks of these weights. Each match gets a random pair of players from `opponents`.

        The name `self` stands for the networks. They choose with exploration noise: a Gumbel distribution whose scale
        is `curiosity` points. They learn only from their own choices. If they do not play at all, because they are
        untrained, all choices count, and targets ignore the networks' predictions.
        """
        self._plays = any("self" in pair for pair in opponents)
        self._judge = Judge.of(weights)
        self._seed, self._random, self._noise = seed, Random(seed), np.random.default_rng(list(seed.encode()))
        self._opponents, self._curiosity = opponents, curiosity
        self._begun = 0

    def lessons(self, deals: int) -> Lessons:
        """Play at least `deals` deals, and return the training examples."""
        found = _Notes()
        matches = [self._begin() for _ in range(TABLES)]
        while found.deals < deals:
            matches = [match if match.table.to_act else self._begin() for match in matches]
            judged = list[_Match]()
            for match in matches:
                if match.player == "self" or not self._plays:
                    judged.append(match)
                else:
                    self._move(match, YARDSTICKS[match.player](match.position, self._random), found)
            if judged:
                self._judge_and_play(judged, found)
        return found.lessons()

    def _judge_and_play(self, matches: Sequence[_Match], found: _Notes) -> None:
        positions = [match.position for match in matches]
        layout = self._judge.lay_out(positions)
        seen = _Seen(layout, *layout.choices.inputs(), self._judge.values.chances(layout.choices))
        self._learn_to_estimate(layout, matches, found)
        choices = _by_owner(layout, len(positions))
        for match, position, mine in zip(matches, positions, choices, strict=True):
            self._play(match, position, seen, mine, found)

    def _begin(self) -> _Match:
        self._begun += 1
        rules = Rules.parse(f"research knock_limit={self._random.choice(LIMITS)}")
        first, second = self._random.choice(self._opponents)
        players = (first, second) if self._begun % 2 else (second, first)
        return _Match(Table(rules, 2, f"{self._seed}/{self._begun}"), players)

    def _play(self, match: _Match, position: Position, seen: _Seen, choices: list[int], found: _Notes) -> None:
        """Choose and play a move, and store its example until the deal is over."""
        seat, deal = position.seat, match.table.match.deal_of(position.seat)
        player = match.players[seat]
        if player == "self":
            worths = seen.chances[choices] @ worth(position) + self._curiosity * self._noise.gumbel(size=len(choices))
            picked = choices[int(np.argmax(worths))]
            move = seen.layout.moves[picked]
        else:
            move = YARDSTICKS[player](position, self._random)
            picked = next((one for one in choices if _same(seen.layout.moves[one], move)), choices[0])
        if move is not TAKE and _same(seen.layout.moves[picked], move):
            match.choices.setdefault(seat, []).append(seen.lesson(picked))
        for one in choices:
            # The outcome of a knock is known even if it was not made.
            if seen.layout.moves[one].verb is Verb.KNOCK and move.verb is not Verb.KNOCK:
                found.rows.append((seen.lesson(one), _outcome(play(deal, seen.layout.moves[one]), seat)))
        self._move(match, move, found)

    def _move(self, match: _Match, move: Move, found: _Notes) -> None:
        before = len(match.table.past)
        match.table.play(match.table.to_act[0], move)
        if len(match.table.past) > before:
            match.finish(found, TRUST if self._plays else 1.0)

    def _learn_to_estimate(self, layout: Layout, matches: Sequence[_Match], found: _Notes) -> None:
        """Add examples for the estimate: each unseen card in some positions, and whether the next player held it."""
        chosen = np.flatnonzero(self._noise.random(len(matches)) < ESTIMATED)
        if not chosen.size:
            return
        facts = [layout.known.facts[place] for place in listed(chosen)]
        maps = Maps.of(facts)
        hands = [_next_hand(matches[place].table) for place in listed(chosen)]
        where = np.nonzero(maps.unseen)
        holders = spread([mask_of(hand) for hand in hands])[where]
        found.cards.append((describe(facts, maps)[where], prior(facts, maps)[where[0], 0], holders))


def _same(choice: Move, move: Move) -> bool:
    """Return True if a choice stands for a move. Each position has only one knock among its choices."""
    return choice.verb is move.verb and (choice.card is move.card or move.verb is Verb.KNOCK)


def _by_owner(layout: Layout, count: int) -> list[list[int]]:
    """Return the choices of each position, as indices."""
    found: list[list[int]] = [[] for _ in range(count)]
    for place, owner in enumerate(listed(layout.choices.owner)):
        found[owner].append(place)
    return found


def _next_hand(table: Table) -> Hand:
    """Return the hand of the next player. Only training may look at it."""
    deal = table.match.deal_of(table.to_act[0])
    return deal.hands[(deal.turn + 1) % len(deal.hands)]


def _outcome(deal: Deal, seat: Seat) -> Floats:
    """Return the outcome of a finished deal for a seat, as a one-hot vector of outcome classes."""
    outcome = deal.outcome or VOID
    target = np.zeros(CLASSES, dtype=np.float32)
    target[class_of(outcome.kind, outcome.winner == seat, outcome.difference)] = 1
    return target
