"""Decks that deal chosen hands, deals played from text, and random play: what the engine's tests share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain

from bot.engine.cards import DECK, Card, Hand, parse_cards
from bot.engine.deal import Deal, play, start
from bot.engine.match import Action, Chance, Cut, Match, Play, Shuffle, apply, legal, new_match
from bot.engine.melds import Arrangement, least_deadwood, melds_in
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules
from bot.engine.showdown import Outcome, settle

FIRST, DEALER = Seat(0), Seat(1)

GIN_HAND = "Ac 2c 3c 4d 5d 6d Kc Kd Kh"
"""Nine cards in three melds; a tenth of the same kind makes gin."""

POOR_HAND = "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
"""Ten cards without a meld: 60 points."""


def deck(first: str, dealer: str, upcard: str, stock: str = "") -> tuple[Card, ...]:
    """A deck that deals ten cards each as told, turns up the upcard, and goes on with the stock and then the rest."""
    hands = parse_cards(first), parse_cards(dealer)
    assert [len(hand) for hand in hands] == [10, 10]
    told = (*chain.from_iterable(zip(*hands, strict=True)), Card.parse(upcard), *parse_cards(stock))
    return (*told, *(card for card in DECK if card not in told))


def deal(first: str, dealer: str, upcard: str, stock: str = "", rules: Rules | None = None) -> Deal:
    """A deal of such a deck: seat 0 acts first, seat 1 is the dealer."""
    return start(rules or Rules(), 1, (FIRST, DEALER), deck(first, dealer, upcard, stock))


def played(before: Deal, *moves: str) -> Deal:
    """The deal after moves in notation."""
    for move in moves:
        before = play(before, Move.parse(move))
    return before


def outcome(after: Deal) -> Outcome:
    """How a deal ended that is over."""
    assert after.outcome is not None
    return after.outcome


def laid(melds: str, unmatched: str = "") -> Arrangement:
    """An arrangement from melds and loose cards in text."""
    found = melds_in(Hand.parse(melds.replace("/", "")))
    chosen = tuple(meld for meld in found if str(meld) in melds.split("/"))
    return Arrangement(chosen, tuple(Hand.parse(unmatched)))


def knocked(knocker: Arrangement, opponent: str, rules: Rules | None = None) -> Outcome:
    """What a knock by seat 0 with an arrangement scores against a hand."""
    cards = chain(knocker.unmatched, *(meld.cards for meld in knocker.melds))
    return settle(rules or Rules(), (FIRST, DEALER), (Hand.of(cards), Hand.parse(opponent)), 0, knocker)


def shuffled(rng: random.Random) -> tuple[Card, ...]:
    """A shuffled deck."""
    return tuple(rng.sample(DECK, len(DECK)))


def random_move(match: Match, rng: random.Random) -> Move:
    """A move that makes for short deals: often a knock where there is one, else a discard that leaves little."""
    assert match.deal is not None
    assert match.to_act is not None
    moves = legal(match, match.to_act)
    knocks = [move for move in moves if move.verb is Verb.KNOCK]
    if knocks and rng.random() < 0.7:
        return rng.choice(knocks)
    hand = match.deal.hands[match.deal.turn]
    discards = [
        (least_deadwood(hand - move.card), str(move), move) for move in moves if move.card and move.melds is None
    ]
    return rng.choice([move for _, _, move in sorted(discards)[:3]] or moves)


def random_actions(
    seed: int, rules: Rules | None = None, resigns: float = 0.0
) -> Iterator[tuple[Match, Action, Match]]:
    """A random match to its end: each action with the match before and after it."""
    rng = random.Random(seed)
    match = new_match(rules or Rules(target=40), 2)
    while match.to_act is not None or match.awaits is not None:
        action: Action
        if rng.random() < resigns:
            action = Play(Seat(rng.randrange(2)), Move(Verb.RESIGN))
        elif match.awaits is Chance.CUT:
            first, second = rng.sample(DECK, 2)
            action = Cut((first, second))
        elif match.awaits is Chance.DECK:
            assert match.next_dealer is not None
            action = Shuffle(len(match.finished) + 1, match.next_dealer, shuffled(rng))
        else:
            assert match.to_act is not None
            action = Play(match.to_act, random_move(match, rng))
        after = apply(match, action)
        yield match, action, after
        match = after
