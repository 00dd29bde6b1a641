"""Training matches, which yield training examples: the choices as inputs of the networks, with their targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.engine.cards.cards import Hand
from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import TAKE, Move, Seat, Verb
from bot.engine.deals.phases import play
from bot.engine.deals.showdown import VOID, OutcomeKind
from bot.engine.rules import Rules
from bot.opponent.play.estimate import Maps, card_features, prior
from bot.opponent.play.hand_arrays import Floats, mask_of, masks_to_maps, to_list
from bot.opponent.play.judge import Judge, Layout
from bot.opponent.play.network import Weights
from bot.opponent.play.outcomes import CLASS_COUNT, class_of, class_values
from bot.opponent.play.position import Position
from bot.opponent.play.table import Table
from bot.opponent.training.baselines import BASELINES

SIMULTANEOUS_MATCHES: Final = 192
"""Number of matches that a process plays simultaneously."""
LAMBDA: Final = 0.8
"""The λ (lambda) of TD(λ): the weight of the deal's outcome in a choice's target; the next prediction gets the rest."""
ESTIMATE_FRACTION: Final = 0.1
"""Fraction of positions that the estimate of the hidden hand learns from."""
KNOCK_LIMITS: Final = (*[10] * 30, *range(10))
"""The knock limits of training matches. Most matches have the usual limit of 10; the others cover 0 to 9."""

Example = tuple[Floats, Floats, Floats]
"""A choice to learn from: the network's two inputs for it, and the outcome probabilities that the network predicted."""
Float16s = npt.NDArray[np.float16]
"""16-bit floats, for storing and sending examples. There are many of them, and they need little precision."""


@dataclass(frozen=True)
class Examples:
    """The training examples of some deals: inputs and targets.

    `suits`, `others` (inputs) and `targets` have a row for each choice. `described` (features), `priors` (log-odds) and
    `holders` (1 if the next player holds the card) have a row for each unseen card in randomly selected positions.
    """

    suits: Float16s
    others: Float16s
    targets: Float16s
    described: Float16s
    priors: Float16s
    holders: Float16s
    deals: int
    gins: int
    moves: int


@dataclass
class _ExampleCollector:
    """Collects training examples, choice by choice."""

    rows: list[tuple[Example, Floats]] = field(default_factory=list[tuple[Example, Floats]])
    cards: list[Example] = field(default_factory=list[Example])
    deals: int = 0
    gins: int = 0
    moves: int = 0

    def examples(self) -> Examples:
        choices = ([lesson[0] for lesson, _ in self.rows], [lesson[1] for lesson, _ in self.rows])
        targets = [target for _, target in self.rows]
        suits, others, values = (np.array(part, dtype=np.float16) for part in (*choices, targets))
        described, priors, holders = (
            np.concatenate([lesson[part] for lesson in self.cards]).astype(np.float16) for part in range(3)
        )
        return Examples(suits, others, values, described, priors, holders, self.deals, self.gins, self.moves)


@dataclass(frozen=True)
class _JudgedChoices:
    """The choices of many positions, with the network's inputs and predictions."""

    layout: Layout
    suits: Floats
    others: Floats
    probabilities: Floats

    def example(self, choice: int) -> Example:
        return self.suits[choice], self.others[choice], self.probabilities[choice]


@dataclass
class _Match:
    """A match in play: the player of each seat, and this deal's choices to learn from."""

    table: Table
    players: tuple[str, str]
    choices: dict[Seat, list[Example]] = field(default_factory=dict[Seat, list[Example]])

    @property
    def player(self) -> str:
        """The player whose turn it is."""
        return self.players[self.table.to_act[0]]

    @property
    def position(self) -> Position:
        """The game position as the player to move sees it."""
        return self.table.position(self.table.to_act[0])

    def finish(self, collector: _ExampleCollector, outcome_weight: float) -> None:
        """Add the examples of a finished deal. The target of each choice mixes the outcome and the next prediction."""
        deal = self.table.match.finished[-1]
        for seat, lessons in self.choices.items():
            target = _outcome_target(deal, seat)
            for lesson in reversed(lessons):
                collector.rows.append((lesson, target))
                target = ((1 - outcome_weight) * lesson[2] + outcome_weight * target).astype(np.float32)
        self.choices = {}
        collector.deals += 1
        collector.moves += len(deal.history)
        collector.gins += deal.outcome is not None and deal.outcome.kind is OutcomeKind.GIN


class SelfPlay:
    """Plays training matches."""

    def __init__(
        self, weights: Weights, seed: str, opponents: Sequence[tuple[str, str]], exploration_noise: float
    ) -> None:
        """Prepare to play with networks of these weights. Each match gets a random pair of players from `opponents`.

        The name `self` stands for the networks. They choose with exploration noise: a Gumbel distribution whose scale
        is `exploration_noise` points. They learn only from their own choices. If no pair contains `self`, because the
        networks are still untrained, they learn from all choices, and targets ignore their predictions.
        """
        self._networks_play = any("self" in pair for pair in opponents)
        self._judge = Judge.of(weights)
        self._seed, self._random, self._noise = seed, Random(seed), np.random.default_rng(list(seed.encode()))
        self._opponents, self._exploration_noise = opponents, exploration_noise
        self._match_count = 0

    def examples(self, deals: int) -> Examples:
        """Play at least `deals` deals, and return the training examples."""
        collector = _ExampleCollector()
        matches = [self._new_match() for _ in range(SIMULTANEOUS_MATCHES)]
        while collector.deals < deals:
            matches = [match if match.table.to_act else self._new_match() for match in matches]
            to_judge = list[_Match]()
            for match in matches:
                if match.player == "self" or not self._networks_play:
                    to_judge.append(match)
                else:
                    self._move(match, BASELINES[match.player](match.position, self._random), collector)
            if to_judge:
                self._judge_and_play(to_judge, collector)
        return collector.examples()

    def _judge_and_play(self, matches: Sequence[_Match], collector: _ExampleCollector) -> None:
        positions = [match.position for match in matches]
        layout = self._judge.lay_out(positions)
        judged = _JudgedChoices(layout, *layout.choices.inputs(), self._judge.values.probabilities(layout.choices))
        self._collect_estimate_examples(layout, matches, collector)
        choices = _choices_by_position(layout, len(positions))
        for match, position, own_choices in zip(matches, positions, choices, strict=True):
            self._play(match, position, judged, own_choices, collector)

    def _new_match(self) -> _Match:
        self._match_count += 1
        rules = Rules.parse(f"research knock_limit={self._random.choice(KNOCK_LIMITS)}")
        first, second = self._random.choice(self._opponents)
        players = (first, second) if self._match_count % 2 else (second, first)
        return _Match(Table(rules, 2, f"{self._seed}/{self._match_count}"), players)

    def _play(
        self,
        match: _Match,
        position: Position,
        judged: _JudgedChoices,
        choices: list[int],
        collector: _ExampleCollector,
    ) -> None:
        """Choose and play a move, and store its example until the deal is over."""
        seat, deal = position.seat, match.table.match.deal_of(position.seat)
        player = match.players[seat]
        if player == "self":
            worths = judged.probabilities[choices] @ class_values(
                position
            ) + self._exploration_noise * self._noise.gumbel(size=len(choices))
            picked = choices[int(np.argmax(worths))]
            move = judged.layout.moves[picked]
        else:
            move = BASELINES[player](position, self._random)
            picked = next((choice for choice in choices if _stands_for(judged.layout.moves[choice], move)), choices[0])
        if move is not TAKE and _stands_for(judged.layout.moves[picked], move):
            match.choices.setdefault(seat, []).append(judged.example(picked))
        for choice in choices:
            # The outcome of a knock can be computed, so learn from it even if the player did not knock.
            if judged.layout.moves[choice].verb is Verb.KNOCK and move.verb is not Verb.KNOCK:
                collector.rows.append(
                    (judged.example(choice), _outcome_target(play(deal, judged.layout.moves[choice]), seat))
                )
        self._move(match, move, collector)

    def _move(self, match: _Match, move: Move, collector: _ExampleCollector) -> None:
        past_count = len(match.table.past)
        match.table.play(match.table.to_act[0], move)
        if len(match.table.past) > past_count:
            match.finish(collector, LAMBDA if self._networks_play else 1.0)

    def _collect_estimate_examples(
        self, layout: Layout, matches: Sequence[_Match], collector: _ExampleCollector
    ) -> None:
        """Add examples for the estimate: each unseen card in some positions, and whether the next player held it."""
        chosen = np.flatnonzero(self._noise.random(len(matches)) < ESTIMATE_FRACTION)
        if not chosen.size:
            return
        facts = [layout.known.facts[index] for index in to_list(chosen)]
        maps = Maps.of(facts)
        hands = [_next_hand(matches[index].table) for index in to_list(chosen)]
        unseen = np.nonzero(maps.unseen)
        holders = masks_to_maps([mask_of(hand) for hand in hands])[unseen]
        collector.cards.append((card_features(facts, maps)[unseen], prior(facts, maps)[unseen[0], 0], holders))


def _stands_for(choice: Move, move: Move) -> bool:
    """Return True if a judged choice is this move. Any knock fits, because each position has only one judged knock."""
    return choice.verb is move.verb and (choice.card is move.card or move.verb is Verb.KNOCK)


def _choices_by_position(layout: Layout, count: int) -> list[list[int]]:
    """Return the indices of the choices of each position."""
    choices: list[list[int]] = [[] for _ in range(count)]
    for index, owner in enumerate(to_list(layout.choices.owner)):
        choices[owner].append(index)
    return choices


def _next_hand(table: Table) -> Hand:
    """Return the hand of the next player. Only training may look at this hidden hand."""
    deal = table.match.deal_of(table.to_act[0])
    return deal.hands[(deal.turn + 1) % len(deal.hands)]


def _outcome_target(deal: Deal, seat: Seat) -> Floats:
    """Return the outcome of a finished deal for a seat, as a one-hot vector of outcome classes."""
    outcome = deal.outcome or VOID
    target = np.zeros(CLASS_COUNT, dtype=np.float32)
    target[class_of(outcome.kind, outcome.winner == seat, outcome.difference)] = 1
    return target
